"""Figures about Aurora against the arithmetic done by hand."""

import pytest

from storagebook import aurora
from storagebook.io500 import runs


def test_bandwidths_are_in_one_unit_and_in_order():
    frame = aurora.bandwidths().set_index("figure")
    # 642 x 40 GiB/s, 20,693.63, 10,066.09 and 4,216.34 GiB/s, each x 1.073741824 / 1000
    assert frame.bandwidth_tb_s.to_dict() == pytest.approx(
        {
            "stated peak, architecture paper": 31.0,
            "network cards of the run's servers": 27.573690,
            "user documentation": 25.0,
            "ior-easy-write": 22.219616,
            "IO500 bandwidth score": 10.808382,
            "ior-hard-write": 4.527260,
        },
        abs=1e-6,
    )
    assert list(frame.bandwidth_tb_s) == sorted(frame.bandwidth_tb_s, reverse=True)


def test_the_headline_in_both_units():
    found = aurora.headline()
    assert found["TiB/s"].contains(20.208623)
    assert found["TB/s"].contains(22.219616)


def test_a_figure_that_is_not_stated_is_an_error():
    with pytest.raises(LookupError, match="0 rows"):
        aurora.stated("colour")


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_the_file_count_is_found_in_the_run_it_belongs_to():
    text = said(aurora.namespace(runs.load("0688")))
    # total-files in result.txt of submissions 688 and 695; 177e9 / 58551916802
    assert "58,551,916,802 entries in this run" in text
    assert "3.02 times its own count" in text
    assert "Submission 0695, Aurora, has that count: 177,143,928,002 entries" in text
    # 62400 x 708086 + 62400 x 230246: find saw the two shared IOR files besides
    assert "the two mdtest groups made 58,551,916,800 files; that leaves +2" in text


def test_the_file_count_of_another_run_is_left_alone():
    text = said(aurora.namespace(runs.load("0695")))
    assert text.startswith("Find looked at 177,143,928,002 entries in this run.")
    assert "The source" not in text


@pytest.mark.parametrize(
    ("submission", "servers", "score"),
    # score / servers by hand: 32165.926368 / 642, 3470.216148 / 42, 665.489755 / 54
    [("0688", 642, 50.102689), ("0772", 42, 82.624194), ("0719", 54, 12.323884)],
)
def test_per_server_figures_of_the_runs_that_the_source_names(submission, servers, score):
    table = aurora.per_server(runs.load(submission)).set_index("figure")
    assert set(table.servers) == {servers}
    assert table.per_server["score"] == pytest.approx(score, abs=1e-6)
    assert table.agrees.all()


def test_no_stated_servers_no_figure_per_server():
    assert aurora.per_server(runs.load("0703")) is None


def test_all_twelve_results_of_the_source_are_the_raw_ones_rounded():
    table = aurora.printed_results("0688")
    assert len(table) == 12
    assert table.agrees.all()
    assert aurora.printed_results("0772").empty
