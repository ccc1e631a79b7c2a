"""What submitters printed of their results, against the runs themselves."""

import pandas as pd
import pytest

from storagebook import columns, paths, tables
from storagebook.errors import StoragebookError
from storagebook.mlperf import statements
from storagebook.mlperf.demand import TABLE

# printed, and what GiB/s of the run make of it by hand:
# 679.18 GiB/s prints as 679; 157.117 GiB/s are 168.70 GB/s; 1,053.80 GiB/s are 1,079,091 MiB/s
BY_RUN = {
    ("Huawei", "679 GB/s"): "GiB/s",
    ("Nutanix", "191043 MB/s"): "MiB/s in 1000s",
    ("Volumez", "1.079 TB/s"): "MiB/s in 1000s",
    ("Volumez", "1.14 TB/s"): "MiB/s in 1000s",
    ("YanRongTech", "34 GB/s"): "GB/s",
    ("YanRongTech", "37 GB/s"): "GB/s",
    ("YanRongTech", "58 GB/s"): "GB/s",
    ("YanRongTech", "103 GB/s"): "GB/s",
    ("YanRongTech", "169 GB/s"): "GB/s",
    # 62.59 GiB/s are 67.2 GB/s: nothing near 72
    ("YanRongTech", "72 GB/s"): "neither",
    # a round hundred may be anything near it
    ("DDN", "100 GB/s"): "undecided",
}
UNDECIDED_BY_MODEL = {"679 GB/s", "1.079 TB/s", "1.14 TB/s", "58 GB/s", "169 GB/s", "100 GB/s"}


@pytest.fixture(scope="module")
def told():
    return statements.units_told()


def test_the_run_decides_what_the_unit_stood_for(told):
    found = {(row.submitter, row.printed): row.by_run for row in told.itertuples()}
    assert found == BY_RUN
    assert len(told) == len(BY_RUN) + 1  # DDN prints the same for two results


def test_the_model_alone_never_contradicts_the_run(told):
    for row in told.itertuples():
        assert row.by_model in ("undecided", row.by_run), row
    assert set(told[told.by_model == "undecided"].printed) == UNDECIDED_BY_MODEL


def test_units_of_the_measured_bandwidth(told):
    assert (told.measured_gb_s / told.measured_gib_s).to_numpy() == pytest.approx(1.073741824)


def test_sentences_count_what_the_table_shows(told):
    said = [template.format(**values) for template, values in statements.said_of_units(told)]
    assert said[0].startswith("The runs decide 9 of 12 statements.")
    assert said[0].endswith("stood for GiB/s (1), GB/s (5), MiB/s in 1000s (3).")
    assert "*undecided*" in said[1]
    assert "DDN, 100 GB/s; DDN, 100 GB/s" in said[1]
    assert "*neither*" in said[2]
    assert "YanRongTech, 72 GB/s" in said[2]
    assert "commits itself for 4 of the 9" in said[3]
    assert "for 4 of them" in said[3]


def test_sentences_without_open_statements(told):
    clear = told[told.by_run.isin(["GiB/s", "GB/s"])]
    said = statements.said_of_units(clear)
    assert len(said) == 2


def test_a_division_that_is_stated_otherwise():
    (said,) = statements.said_of_divisions()
    text = said[0].format(**said[1])
    assert "for 1.079 TB/s, Volumez states the closed division" in text
    assert text.endswith("stand in the open one.")


# -- the table


def test_the_committed_table_is_what_the_statements_give():
    shared = paths.shared()
    if shared is None or not (shared / statements.FILE).is_file():
        pytest.skip("the statements are not at hand")
    rows = list(statements.rows(shared / statements.FILE, tables.load(TABLE)))
    content = columns.to_csv(statements.FIELDS, rows)
    assert (paths.data() / f"derived/{statements.TABLE}.csv").read_bytes() == content
    assert tables.resource(statements.TABLE)["schema"]["fields"] == statements.FIELDS


HEAD = "round,submitter,workload,accelerator,num_hosts,num_accelerators,value,unit_as_printed,"


@pytest.mark.parametrize(
    ("row", "count"),
    [("Huawei,unet3d,h100,,254,1,GB/s,,", 0), ("Volumez,unet3d,h100,137,411,1.1,TB/s,,", 2)],
)
def test_a_statement_about_no_result_or_several_is_refused(tmp_path, row, count):
    path = tmp_path / "claims.csv"
    path.write_text(f"{HEAD}au_pct,note\nv1.0,{row}\n")
    with pytest.raises(StoragebookError, match=f"fits {count} results") as caught:
        list(statements.rows(path, tables.load(TABLE)))
    assert caught.value.line == 2


def test_other_rounds_and_statements_without_bandwidth_are_left_out(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(
        f"{HEAD}au_pct,note\nv2.0,X,unet3d,h100,,1,1,GB/s,,\nv1.0,X,unet3d,h100,,1,,,96,\n"
    )
    assert list(statements.rows(path, pd.DataFrame())) == []


def test_no_file_of_statements_is_told(tmp_path):
    with pytest.raises(StoragebookError, match="no such file"):
        list(statements.rows(tmp_path / "none.csv", pd.DataFrame()))
