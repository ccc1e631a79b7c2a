"""Known answers by hand: lines 519 to 524 of source 000, and the result files of the runs."""

import pytest

from storagebook import ecosystem
from storagebook.io500 import runs


def told(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


@pytest.fixture(scope="module")
def every():
    return ecosystem.random_reads()


def test_one_row_has_a_before():
    table = ecosystem.what_each_compares()
    assert list(table.a_gain) == [True, False, False]
    assert list(table.after) == ["32 s", "37.744 GiB/s", "218.31 GiB/s"]


def test_the_gain_of_the_scan():
    low, high = ecosystem.scan_gain().floats()
    # 290.5 / 32.5 and 291.5 / 31.5
    assert (low, high) == pytest.approx((8.93846, 9.25397), abs=1e-5)
    said = told(ecosystem.said_of_scan())
    assert "9.1 times as fast, 8.94 to 9.25" in said
    # 1,100,000 / 291 and / 32
    assert "3,780 and then 34,375 files a second" in said


def test_the_number_of_files_has_two_digits():
    before, after = ecosystem.scan_rates().itertuples()
    # 1,050,000 / 291.5 and 1,150,000 / 290.5
    assert before.least_per_s == pytest.approx(1_050_000 / 291.5)
    assert before.most_per_s == pytest.approx(1_150_000 / 290.5)
    assert after.files_per_s == 34_375


def test_the_figures_of_the_copy_make_each_other():
    table = ecosystem.copy_figures().set_index("figure")
    assert table.agrees[["copied", "whole time", "mean rate"]].all()
    assert table.agrees.isna()["rate"]
    said = told(ecosystem.said_of_copy())
    # 5.299 - 200 / 38.088 is 0.0480 s, within what the digits allow
    assert "47 to 49 ms less than the whole, 0.9 %" in said
    # 37.744 / 16
    assert "2.36 GiB/s" in said


def test_random_reads_of_a_run():
    found = ecosystem.random_read(runs.load("0772"))
    # 218.311055 * 2**30 / 4096, and 21504 of them at a time
    assert found.reads_per_s == pytest.approx(57_228_933, rel=1e-6)
    assert found.read_us == pytest.approx(375.754, abs=1e-3)
    # ior-easy-read is 1836.458514
    assert found.share_pct == pytest.approx(11.88761, abs=1e-4)
    assert found.lasted
    said = told(ecosystem.said_of_random(runs.load("0772")))
    assert "57.23 million reads a second" in said
    assert "*unverified*" in said


def test_a_run_without_random_reads_says_so():
    run = runs.load("0688")
    assert ecosystem.random_read(run) is None
    assert "0688 reports no random reads" in told(ecosystem.said_of_random(run))


def test_all_that_report_them(every):
    table = ecosystem.random_table(every).set_index("submission")
    assert len(table) == 27
    assert table.kind["0746"] == "less than 300 s"
    assert table.kind["0736"] == "300 s or more"
    # 3086.290683 / 305.856210
    assert table.share_pct["0746"] == pytest.approx(1009.066, abs=1e-2)


def test_short_reads_faster_than_sequential_ones_are_told(every):
    said = told(ecosystem.said_of_place(every))
    assert "place 1 of 17" in said
    assert "27 submissions" in said
    assert "In 0740, 0746, 0751," in said
    assert "by 2.8 to 10.1 times, and took 4 to 21 s" in said
    assert "Of all at hand 3 print a higher rate" in said
    assert "of those that read for at least 300 s, none" in said
    assert "The other 3 that read for a shorter time" in said


def test_nothing_is_told_of_short_reads_where_there_are_none(every):
    long = tuple(one for one in every if one.lasted)
    said = told(ecosystem.said_of_place(long))
    assert "faster than the same run's" not in said
    assert "The other" not in said


def test_the_quoted_run_is_found_by_its_figure():
    assert ecosystem.source_run() == "0772"
