"""Cells of the quoted tables, as the source prints them."""

import shutil

import pytest

from storagebook import cells, paths, tables
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval


def test_a_cell_brings_its_companions():
    found = cells.cell("io500-production-isc26[system=Aurora].metadata_kiops")
    assert (found.text, found.unit, found.source, found.line) == (
        "102,785.41",
        "kIOP/s",
        "000",
        149,
    )
    assert found.quantity().value == Interval.of_printed("102,785.41")


def test_a_count_is_exact_and_an_approximation_is_not():
    exact = cells.cell("aurora-configuration[quantity=servers].value").quantity()
    assert exact.value == Interval.point(1024)
    about = cells.cell("aurora-configuration[quantity=server-network].value").quantity()
    assert about.approximate
    assert about.value.contains(Interval(36, 44))


def test_a_tools_final_zeros_are_precision():
    raw = cells.cell("io500-run-phases[submission=0688;phase=mdtest-easy-write].value")
    assert (raw.text, raw.obtained) == ("60985.132190", "raw-output")
    assert raw.quantity().value == Interval.of_printed("60985.132190", trailing_zeros=True)
    said = cells.cell("io500-production-isc26[system=Aurora].score")
    assert said.quantity().value == Interval.of_printed("32,165.9")


def test_a_column_may_say_how_it_was_obtained():
    computed = cells.cell("io500-runs[submission=0688].recomputed_score")
    assert computed.obtained == "computed"
    assert computed.quantity().origins == {"raw-output"}


def test_two_keys():
    pointer = "aurora-redundancy[metric=score; redundancy=RF0].value"
    assert cells.cell(pointer).text == "43,218.80"


@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "io500-production-isc26",
        "io500-production-isc26[].score",
        "io500-production-isc26[system].score",
        "io500-production-isc26[system=Nobody].score",
        "io500-production-isc26[release=SC23].score",
        "io500-production-isc26[planet=Earth].score",
        "io500-production-isc26[system=Aurora].weight",
        "io500-research-isc26[rank=1].bandwidth_gib_s",
        "no-table[a=b].c",
    ],
)
def test_pointers_that_lead_nowhere(pointer):
    with pytest.raises(StoragebookError):
        cells.cell(pointer)


def test_a_column_leaves_blank_cells_out():
    found = cells.column("io500-research-isc26", "bandwidth_gib_s", {})
    assert [(one.row, one.text) for one in found] == [(1, "26,888.39")]
    assert [one.text for one in cells.column("io500-ten-node-isc26", "score", {"rank": "4"})] == [
        "405.50"
    ]


def test_a_table_of_several_sources_says_which():
    found = cells.cell("claims[id=003-29-page-pool].value")
    assert (found.text, found.unit, found.source, found.line) == ("16", "GiB", "003", 29)


def test_rows_cannot_be_changed():
    ((_, row),) = cells.rows("io500-rules", {"rule": "stonewall"})
    with pytest.raises(TypeError):
        row["rule"] = "none"


@pytest.mark.parametrize(
    ("table", "column", "where"),
    [
        ("io500-rules", "weight", {}),
        ("io500-rules", "value", {"planet": "Earth"}),
        ("no-table", "value", {}),
    ],
)
def test_columns_that_are_not_there(table, column, where):
    with pytest.raises(StoragebookError):
        cells.column(table, column, where)


def test_a_changed_table_is_not_served_stale(monkeypatch, tmp_path):
    shutil.copytree(paths.data(), tmp_path / "data")
    monkeypatch.setenv(paths.ROOT_VARIABLE, str(tmp_path))
    pointer = "aurora-phases[phase=find].value"
    assert cells.cell(pointer).text == "229,672.10"
    file = tmp_path / "data" / tables.resource("aurora-phases")["path"]
    file.write_text(file.read_text().replace("229,672.10", "229,672.11"))
    tables.rehash()
    assert cells.cell(pointer).text == "229,672.11"
