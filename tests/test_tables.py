"""Loading tables: what a sound one gives, and the one error that each broken one gives."""

import json
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storagebook import tables
from storagebook.errors import StoragebookError

FIELDS = [
    {"name": "phase", "type": "string", "constraints": {"required": True, "unique": True}},
    {
        "name": "rate_kiops",
        "type": "number",
        "unit": "kIOP/s",
        "groupChar": ",",
        "constraints": {"required": True, "minimum": 0},
    },
    {"name": "change_pct", "type": "number", "unit": "%"},
    {"name": "procs_count", "type": "number", "unit": "1", "groupChar": ",", "whole": True},
    {"name": "value", "type": "number", "unitColumn": "unit"},
    {"name": "unit", "type": "string"},
    {"name": "line", "type": "integer", "ordinal": True, "constraints": {"required": True}},
    {"name": "scored", "type": "boolean", "constraints": {"required": True}},
]
HEADER = "phase,rate_kiops,change_pct,procs_count,value,unit,line,scored\n"
ROWS = [
    'find,"229,672.10",-37.5,"62,400",260,PB,230,true\n',
    "mdtest-easy-write,60985.13,,,,,223,false\n",
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one sound table; returns a function that replaces its text or descriptor."""
    folder = tmp_path / "data" / "quoted"
    folder.mkdir(parents=True)
    package = tmp_path / "data" / "datapackage.json"
    package.write_text('{"name": "storagebook", "resources": []}')
    monkeypatch.setenv("STORAGEBOOK_ROOT", str(tmp_path))

    def put(rows=ROWS, *, header=HEADER, fields=FIELDS, stamp=True):
        file = folder / "rates.csv"
        file.write_text(header + "".join(rows))
        if stamp:
            tables.write_package(
                {"name": "rates", "path": "quoted/rates.csv", "schema": {"fields": fields}}
            )
        return file

    put()
    return put


def refusal(name="rates"):
    with pytest.raises(StoragebookError) as caught:
        tables.load(name)
    text = str(caught.value)
    assert "\n" not in text
    return text


# -- what a sound table gives


def test_numbers_are_numbers(project):
    table = tables.load("rates")
    assert table["rate_kiops"].tolist() == [229672.10, 60985.13]
    assert table["change_pct"].tolist()[0] == -37.5
    assert pd.isna(table["change_pct"][1])
    assert table["procs_count"].tolist() == [62400, pd.NA]
    assert table["line"].tolist() == [230, 223]
    assert table["scored"].tolist() == [True, False]
    assert table["unit"][0] == "PB"
    assert pd.isna(table["unit"][1])


def test_types_come_from_the_schema_and_not_from_the_cells(project):
    assert [str(t) for t in tables.load("rates").dtypes] == [
        "str",
        "float64",
        "float64",
        "Int64",
        "float64",
        "str",
        "int64",
        "bool",
    ]


def test_printed_keeps_every_digit(project):
    table = tables.printed("rates")
    assert table["rate_kiops"].tolist() == ["229,672.10", "60985.13"]
    assert table["procs_count"].tolist() == ["62,400", ""]
    assert set(table.dtypes.astype(str)) == {"str"}


def test_a_table_that_somebody_changes_is_loaded_afresh(project):
    for table in (tables.load("rates"), tables.printed("rates")):
        table.iloc[0, 1] = "1" if table["rate_kiops"].dtype == "str" else 1
    assert tables.load("rates")["rate_kiops"][0] == 229672.10
    assert tables.printed("rates")["rate_kiops"][0] == "229,672.10"


def test_a_descriptor_that_somebody_changes_is_read_afresh(project):
    tables.resource("rates")["schema"]["fields"].clear()
    assert tables.resource("rates")["schema"]["fields"] == FIELDS


def test_a_table_rewritten_in_the_same_process_is_seen(project):
    tables.load("rates")
    project([ROWS[0].replace("229,672.10", "1.5")])
    assert tables.load("rates")["rate_kiops"].tolist() == [1.5]


def test_validated_once_a_process(project, monkeypatch):
    tables.load("rates")
    monkeypatch.setattr("frictionless.Resource.from_descriptor", None)
    tables.load("rates")
    tables.printed("rates")


def test_importing_costs_neither_pandas_nor_frictionless():
    code = "import sys, storagebook.tables; print({'pandas', 'frictionless'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# -- what a broken one gives


def test_missing_column(project):
    rows = [row.replace(',"62,400"', "").replace(",,,,", ",,,") for row in ROWS]
    project(rows, header=HEADER.replace("procs_count,", ""))
    assert refusal() == "data/quoted/rates.csv:1: column 'procs_count' is missing"


def test_wrong_unit_in_a_columns_name(project):
    project(header=HEADER.replace("rate_kiops", "rate_iops"))
    assert refusal() == (
        "data/quoted/rates.csv:1: column 'rate_iops' is in IOP/s, "
        "where 'rate_kiops' in kIOP/s is expected"
    )


def test_unknown_column(project):
    project([row.replace("\n", ",x\n") for row in ROWS], header=HEADER.replace("\n", ",extra\n"))
    assert refusal() == "data/quoted/rates.csv:1: column 'extra' is not in the schema"


def test_columns_in_another_order(project):
    project(header=HEADER.replace("line,scored", "scored,line"))
    assert refusal().startswith("data/quoted/rates.csv:1: columns are in another order")


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("60985.13", "-60985.13", 3, "column 'rate_kiops': '-60985.13' is below 0"),
        ("60985.13", "NaN", 3, "column 'rate_kiops': 'NaN' is not a finite number"),
        ("60985.13", "nan", 3, "column 'rate_kiops': 'nan' is not a finite number"),
        ("60985.13", "inf", 3, "column 'rate_kiops': 'inf' is not a finite number"),
        ("60985.13", "", 3, "column 'rate_kiops': is blank"),
        ("60985.13", " ", 3, "column 'rate_kiops': ' ' is not a finite number"),
        ("60985.13", "fast", 3, "column 'rate_kiops': 'fast' is not a finite number"),
        ("60985.13", "6_0985.13", 3, "column 'rate_kiops': '6_0985.13' is not a finite number"),
        ("60985.13", '"6,0985.13"', 3, "column 'rate_kiops': '6,0985.13' is not a finite number"),
        ("60985.13", "٣", 3, "column 'rate_kiops': '٣' is not a finite number"),
        ("-37.5", "NaN", 2, "column 'change_pct': 'NaN' is not a finite number"),
        ("-37.5", '"1,000"', 2, "column 'change_pct': '1,000' is not a finite number"),
        ('"62,400"', "62400.5", 2, "column 'procs_count': '62400.5' is not a whole number"),
        (",230,", ",230.5,", 2, "column 'line': '230.5' is not a whole number"),
        (",230,", ",NaN,", 2, "column 'line': 'NaN' is not a whole number"),
        ("true", "maybe", 2, "column 'scored': 'maybe' is not a boolean"),
        ("mdtest-easy-write", "find", 3, "column 'phase': 'find' is there twice"),
        ("mdtest-easy-write", "", 3, "column 'phase': is blank"),
        (",false", "", 3, "column 'scored': is blank"),
        (",false", ",false\n\n", 4, "the row is blank"),
        (",false", ",false,x", 3, "has more cells than there are columns"),
        ("PB", "PetaB", 2, "column 'unit': unknown unit 'PetaB'"),
        ("PB", "", 2, "column 'unit': is blank beside a value"),
    ],
)
def test_bad_cell(project, old, new, line, reason):
    rows = [row.replace(old, new) for row in ROWS]
    assert rows != ROWS
    project(rows)
    assert refusal().startswith(f"data/quoted/rates.csv:{line}: {reason}")


def test_the_count_of_further_errors_is_told(project):
    project([row.replace("true", "x").replace("false", "y") for row in ROWS])
    assert refusal().endswith("(and 1 more)")


def test_changed_bytes(project):
    project([ROWS[0], ROWS[1].replace("60985.13", "60985.14")], stamp=False)
    text = refusal()
    assert text.startswith("data/quoted/rates.csv: sha256 is not the one in datapackage.json")
    assert "python -m storagebook.tables" in text


SOUND = (HEADER + "".join(ROWS)).encode()


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    start=st.integers(0, len(SOUND)),
    length=st.integers(0, 12),
    new=st.one_of(st.binary(max_size=6), st.text('0123456789,."\n\r -e\x00', max_size=6)),
)
def test_any_other_bytes_load_or_give_the_one_error(project, start, length, new):
    new = new if isinstance(new, bytes) else new.encode()
    file = project()
    file.write_bytes(SOUND[:start] + new + SOUND[start + length :])
    tables.rehash()
    table, problem = None, ""
    try:
        table = tables.load("rates")
    except StoragebookError as error:
        problem = str(error)
    assert "\n" not in problem
    if table is not None:
        assert list(table) == [f["name"] for f in FIELDS]
        assert (table["rate_kiops"] >= 0).all()


def test_missing_file(project):
    project().unlink()
    assert refusal() == "data/quoted/rates.csv: no such table file"


def test_not_utf_8(project):
    file = project()
    file.write_bytes(file.read_bytes().replace(b"find", b"fi\xffnd"))
    tables.rehash()
    assert refusal() == "data/quoted/rates.csv: not UTF-8"


@pytest.mark.parametrize("content", ["", "\n", HEADER])
def test_no_rows(project, content):
    project([], header=content)
    assert "data/quoted/rates.csv" in refusal()


def test_unterminated_quote(project):
    project([ROWS[0], '"mdtest'])
    assert "data/quoted/rates.csv" in refusal()


def test_unknown_table_lists_the_known_ones(project):
    assert refusal("rate") == "no table 'rate' — use one of rates"


def test_path_outside_the_folder_of_tables(project, tmp_path):
    (tmp_path / "outside.csv").write_text(HEADER + ROWS[0])
    with pytest.raises(StoragebookError, match="outside the folder of tables"):
        tables.write_package(
            {"name": "outside", "path": "../outside.csv", "schema": {"fields": FIELDS}}
        )


def test_package_that_is_no_json(project, tmp_path):
    (tmp_path / "data" / "datapackage.json").write_text('{"resources": [\n{]}')
    assert refusal().startswith("data/datapackage.json:2: not JSON")


def test_package_without_resources(project, tmp_path):
    (tmp_path / "data" / "datapackage.json").write_text("[]")
    assert refusal() == "data/datapackage.json: no list of resources"


def changed(name, **properties):
    return [{**f, **properties} if f["name"] == name else f for f in FIELDS]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (changed("rate_kiops", unit="GiB/s"), "'rate_kiops': unit 'GiB/s', but its name says kIOP"),
        (changed("rate_kiops", unit="kiops"), "'rate_kiops': unit 'kiops' is spelt kIOP/s"),
        (changed("rate_kiops", unit="furlong"), "'rate_kiops': unknown unit 'furlong'"),
        (changed("line", ordinal=False), "'line': has neither unit, unitColumn nor ordinal"),
        (changed("value", unitColumn="units"), "'value': unitColumn 'units' is no column"),
        (changed("value", unit="PB"), "'value': has more than one of unit, unitColumn, ordinal"),
        (changed("line", type="whole"), "whole"),
        ([], "fields"),
    ],
)
def test_bad_descriptor(project, fields, reason):
    project(fields=fields)
    text = refusal()
    assert text.startswith("data/datapackage.json: table 'rates': ")
    assert reason in text


def test_table_without_a_checksum(project, tmp_path):
    package = tmp_path / "data" / "datapackage.json"
    described = json.loads(package.read_text())
    del described["resources"][0]["hash"]
    package.write_text(json.dumps(described))
    assert "table 'rates': no sha256" in refusal()


# -- writing the package


def test_package_is_sorted_and_stamped(project, tmp_path):
    (tmp_path / "data" / "a.csv").write_text("id\nx\n")
    described = {
        "name": "a",
        "path": "a.csv",
        "schema": {"fields": [{"name": "id", "type": "string"}]},
    }
    assert tables.write_package(described) == ["a"]
    assert tables.names() == ["a", "rates"]
    text = (tmp_path / "data" / "datapackage.json").read_text()
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    # printf 'id\nx\n' | sha256sum
    assert tables.resource("a")["hash"] == (
        "sha256:346af203d68d87271a46618d8c63985a31968c699f67ce5b69f9bbf0da41911c"
    )
    assert tables.resource("a")["bytes"] == 5


def test_writing_an_unchanged_package_changes_nothing(project, tmp_path):
    package = tmp_path / "data" / "datapackage.json"
    before = package.read_bytes()
    assert tables.rehash() == []
    assert package.read_bytes() == before


def test_rehash_names_what_it_stamps(project):
    project([ROWS[1]], stamp=False)
    assert tables.rehash() == ["rates"]
    assert len(tables.load("rates")) == 1


def test_a_described_table_without_a_file_is_not_written(project, tmp_path):
    package = tmp_path / "data" / "datapackage.json"
    before = package.read_bytes()
    with pytest.raises(StoragebookError, match="no such table file"):
        tables.write_package({"name": "gone", "path": "gone.csv", "schema": {"fields": FIELDS}})
    assert package.read_bytes() == before


def test_main_says_what_changed(project, capsys):
    assert tables.main() == 0
    assert capsys.readouterr().out == "every checksum is up to date\n"
    project([ROWS[1]], stamp=False)
    assert tables.main() == 0
    assert capsys.readouterr().out == "new checksum: rates\n"
