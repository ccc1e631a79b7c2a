"""The list of limits on known runs: answers by hand from source 000 and the result files."""

import pytest

from storagebook import ledger, limits, paths
from storagebook.corrections import Mistake
from storagebook.io500 import runs


def told(number, submission="0688"):
    said = limits.told(number, runs.load(submission))
    return " ".join(template.format(**values) for template, values in said)


def test_the_points_are_the_sources():
    assert [point.number for point in limits.POINTS] == list(range(1, 11))
    lines = {one.claim.line for one in ledger.of("000", ["7"])}
    assert lines <= {point.line for point in limits.POINTS}


def test_the_overview_leads_to_chapters_that_exist():
    table = limits.overview().set_index("point")
    # thirteen figures on line 530; the peak and a cut-off figure among what does not hold
    assert table.claims[1] == 13
    assert table.do_not[9] == 1
    assert (table.hold + table.do_not == table.claims).all()
    links = limits.overview().attrs["links"]["detail"]
    assert len(links) == len(limits.POINTS)
    for link in filter(None, links):
        assert (paths.root() / "notebooks" / link.replace(".html", ".ipynb")).is_file()


def test_a_phase_and_the_mean_are_not_compared():
    said = told(1)
    # 4216.340094 and 20693.627959 over 10066.086553
    assert "0.42 to 2.06 times the mean" in said
    assert "not compared (metric): ior-easy-write and bandwidth are two measurements" in said
    # 5,723,194.84 MB/s times 1024 / 128
    assert "makes 45.8 TB/s for all 1024" in said


def test_figures_of_a_run_are_in_order():
    table = limits.figures(runs.load("0688"))
    assert table.figure.iloc[0] == "ior-easy-write"
    assert table.figure.iloc[-1] == "ior-hard-write"
    assert table.bandwidth_tb_s.is_monotonic_decreasing
    assert table[table.kind == "benchmark score"].bandwidth_tb_s.item() == pytest.approx(10.80838)


def test_a_score_depends_on_the_units():
    said = told(2)
    assert "32,165.93" in said
    # (1.073741824 * 1000) ** 0.5
    assert "32.77 times as much" in said
    # 32165.926368 ** 0.5
    assert "179.3" in said


def test_an_application_is_no_benchmark():
    said = told(3)
    # 4216.340094 GiB/s in TB/s, and 5,262,890 over 5,723,194.84
    assert "gets 4.53 TB/s of the 10.81 TB/s" in said
    assert "92 % of IOR's rate" in said


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        ("0688", "EC_16P1GX, RP_2G1, RP_2GX, RP_2G32: its files and directories outlive"),
        ("0695", "nothing in it outlives"),
        ("0746", "states no object class: its files do not tell"),
    ],
)
def test_redundancy_of_the_run(submission, words):
    said = told(4, submission)
    assert words in said
    # 32165.926368 / 43218.791092 - 1 and 4216.340094 / 10500.042182 - 1
    assert "score -25.6 %, *ior-hard-write* -59.8 %" in said
    assert "Over 8 pairs" in said


def test_one_gap_of_six():
    said = told(5)
    assert "5 times in bandwidth and 190 times in operations" in said
    assert "Between the 4 interfaces that the source lists there are 5 more gaps" in said
    assert "0688 was run through DFS" in said


def test_concurrency_of_a_run():
    said = told(6)
    assert "208 processes on each of 300 nodes, 6.5 times the 32" in said
    # 16 MiB over 256 KiB, and 47,008 B over 256 KiB
    assert "64.00 times the 256 KiB" in said
    assert "0.18 times" in said
    assert "2 of the 4 bandwidth figures" in said
    assert "is not told" in told(6, "0746")


def test_what_is_printed_of_the_hardware():
    assert "-20 % (1 KiB) to +0.7 % (read, 1 MiB)" in told(7)


def test_metadata_phases_lie_apart():
    # 230086.03 over 33827.2
    assert "6.8 times" in told(8)
    assert "lists fields 2 times as fast on POSIX" in told(8)


def test_units_and_the_rule_against_slips():
    said = told(9)
    assert "102,785.41 kIOP/s, 102.7854 MIOP/s or 102,785,409 IOP/s" in said
    assert "1000 kIOP/s make one MIOP/s" in said
    assert "divided by 1000, a factor of 0.001" in said
    assert "(verdict: undecided)" in said


def test_lists_are_not_compared():
    said = told(10)
    assert "not compared (list)" in said
    assert "*verified* result" in said
    assert "matches them" in said
    assert "it prints no checksum" in told(10, "0001")


def test_kinds_count_what_is_contradicted():
    table = limits.kinds()
    contradicted = ledger.counts().set_index("verdict").loc["contradicted"].sum()
    assert table.claims.sum() == contradicted
    assert set(table.mistake) <= {str(kind) for kind in Mistake}
    assert table.misreadings.is_monotonic_decreasing
    ((_, values),) = limits.said_of_kinds()
    assert values["claims"] == contradicted
    assert values["count"] == table.misreadings.max()


def test_misreadings_lead_to_the_ledger():
    table = limits.misreadings("rounding")
    assert table.said.tolist() == ["20,693 GiB/s"]
    assert table.id.tolist() == ["000-7-easy-write-short"]
    every = [len(limits.misreadings(kind)) for kind in limits.kinds().mistake]
    assert every == limits.kinds().misreadings.tolist()


def test_a_list_has_a_line_for_each():
    template, values = limits.listed("mixed-unit")
    text = template.format(**values)
    assert len(text.splitlines()) == len(limits.misreadings("mixed-unit"))
    # sixteen bandwidths of source 002 are one line
    assert "*15729.730 MB/s (and 15 more)* → In MiB/s" in text
    assert all(line.startswith("- Source ") for line in text.splitlines())


def test_conclusions_that_do_not_follow_have_their_evidence():
    table = limits.unsupported()
    (linear,) = (row for row in table.itertuples() if "scale linearly" in row.said)
    assert (linear.section, linear.found) == ("9", "not known")
    assert "two numbers of servers" in linear.takes
    assert len(table.attrs["links"]["said"]) == len(table)
    # each lacks something
    assert set(table.said[table.found != "so"]) == set(table.said)
    assert set(table.section) <= {"7", "8", "9"}
    # what the evidence bears out is not among them
    assert not any("widest in metadata" in said for said in table.said)
