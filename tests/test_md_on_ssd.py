"""Known answers by hand from lines 506 to 517 of source 000."""

import pytest

from storagebook import md_on_ssd
from storagebook.compare import Refused, ratio

STRICT, LOOSE = ({"final_zeros": zeros} for zeros in (True, False))


def told(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_the_change_of_two_rounded_rates_reaches_far():
    table = md_on_ssd.changes(md_on_ssd.writes(**STRICT)).set_index("test")
    # (3.5 / 5.5 - 1) * 100 and (4.5 / 4.5 - 1) * 100
    assert table.least_pct["1 KiB"] == pytest.approx(-36.3636, abs=1e-3)
    assert table.most_pct["1 KiB"] == pytest.approx(0, abs=1e-9)
    assert table.change_pct["64 KiB"] == pytest.approx(-18.539, abs=1e-3)
    assert list(table.said_pct) == ["-20", "-17", "-13", "-19", "0"]
    assert table.agrees.all()


def test_without_final_zeros_a_round_figure_says_less():
    strict, loose = (
        md_on_ssd.changes(md_on_ssd.writes(**how)).set_index("test") for how in (STRICT, LOOSE)
    )
    # 40 is then 35 to 45: (34.5 / 45 - 1) * 100 and (35.5 / 35 - 1) * 100
    assert loose.least_pct["16 KiB"] == pytest.approx(-23.333, abs=1e-3)
    assert loose.most_pct["16 KiB"] == pytest.approx(1.4286, abs=1e-3)
    assert strict.most_pct["16 KiB"] == pytest.approx((35.5 / 39.5 - 1) * 100)
    # no zero at the end, no difference
    assert loose.least_pct["64 KiB"] == strict.least_pct["64 KiB"]


def test_the_larger_tests_have_their_servers_and_classes():
    table = md_on_ssd.changes(md_on_ssd.larger_tests(**STRICT)).set_index("test")
    assert set(table.servers) == {16}
    assert table.pmem["create, OC_S1"] == "12,000"
    assert table.change_pct["read, 1 MiB"] == pytest.approx((715 / 710 - 1) * 100)
    assert table.said_pct.isna().sum() == 2
    assert "redundancy" in md_on_ssd.beside(md_on_ssd.writes(**STRICT))


def test_tests_of_two_kinds_are_not_compared():
    write, *_, create = md_on_ssd.larger_tests(**STRICT)
    with pytest.raises(Refused):
        ratio(write.pmem, create.pmem)


def test_order_of_the_losses():
    found = md_on_ssd.order(md_on_ssd.writes(**STRICT)).set_index(["smaller", "larger"])
    answers = found.larger_loses
    assert answers["16 KiB", "64 KiB"] == "more"
    assert answers["64 KiB", "1 MiB"] == answers["4 KiB", "1 MiB"] == "less"
    assert answers["1 KiB", "1 MiB"] == "not told"
    loosely = md_on_ssd.order(md_on_ssd.writes(**LOOSE)).larger_loses
    assert list(loosely).count("not told") == 9


def test_the_rule_is_told_with_the_source_against_itself():
    said = told(md_on_ssd.said_of_order(md_on_ssd.writes(**STRICT)))
    assert "Of the 10 ways" in said
    assert "in 3, the opposite in 1, and neither in 6" in said
    assert "16 KiB loses 13 %, 64 KiB loses 19 %" in said


def test_time_between_operations():
    table = md_on_ssd.per_operation(md_on_ssd.writes(**STRICT)).set_index("test")
    # 178 GiB/s of 64 KiB: 178 * 2**30 / 2**16 = 2,916,352 a second
    assert table.pmem_kiops["64 KiB"] == pytest.approx(2916.352)
    # 2**16 / 2**30 * (1 / 145 - 1 / 178) s
    assert table.extra_ns["64 KiB"] == pytest.approx(78.038, abs=1e-3)
    assert table.extra_ns["1 MiB"] == 0
    assert table.least_ns["1 MiB"] == pytest.approx(-table.most_ns["1 MiB"])


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (STRICT, "No single extra time for each operation fits the sizes below 1 MiB."),
        (LOOSE, "One extra time for each operation, 76 to 80 ns, fits the sizes below 1 MiB."),
    ],
)
def test_one_time_for_all(how, words):
    said = told(md_on_ssd.said_of_time(md_on_ssd.writes(**how)))
    assert words in said
    assert "No single extra time for each operation fits all sizes." in said
    assert "64 KiB and 1 MiB reach the same 178 GiB/s" in said


def test_a_step_that_size_does_not_explain_is_told_only_where_it_is_sure():
    # 4 times the size, 178 / 40 times the rate
    assert "4.45 times" in told(md_on_ssd.said_of_steps(md_on_ssd.writes(**STRICT)))
    # 40 may be 45: 178 / 45 is less than 4
    assert md_on_ssd.said_of_steps(md_on_ssd.writes(**LOOSE)) == []


def test_per_server_of_both_tests():
    table = md_on_ssd.per_server(**STRICT)
    assert list(table.per_server_gib_s) == [44.5, 44.5, 45.0, 44.375]


def test_the_range_of_the_cost_leaves_one_out():
    said = told(md_on_ssd.said_of_cost())
    assert "Of the 6 losses that it prints for them, 5 lie within." in said
    assert "Outside is create, RP_3G1 with 8 %." in said


def test_the_log_is_faster_alone_in_the_order_of_the_words():
    table = md_on_ssd.log_placement(**STRICT)
    assert list(table.own_device) == ["179", "114"]
    assert list(table.fits) == [False, True]
    # 179 / 114 and 114 / 179
    assert list(table.change_pct) == pytest.approx([57.0175, -36.3128], abs=1e-3)
    said = told(md_on_ssd.said_of_log(**STRICT))
    assert "**faster**, by 57 %" in said
    assert "slower, by 36 %" in said
