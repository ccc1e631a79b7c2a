"""Known answers: submission 688 (2023) and an extended run (2021) as printed, and by hand."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500.phases import EXTENDED, SCORED
from storagebook.io500.score import (
    Era,
    Score,
    Total,
    elasticity,
    gain,
    needed_factor,
    score_intervals,
    scores,
    worth,
)

AURORA = {
    "ior-easy-write": "20693.627959",
    "mdtest-easy-write": "60985.132190",
    "ior-hard-write": "4216.340094",
    "mdtest-hard-write": "33827.190274",
    "find": "229672.102323",
    "ior-easy-read": "12122.872205",
    "mdtest-easy-stat": "225295.354188",
    "ior-hard-read": "9706.548821",
    "mdtest-hard-stat": "230086.031462",
    "mdtest-easy-delete": "57648.437192",
    "mdtest-hard-read": "141467.158093",
    "mdtest-hard-delete": "62196.784662",
}
EXTENDED_RUN = {
    "ior-easy-write": "3.261078",
    "ior-rnd4K-write": "0.266235",
    "mdtest-easy-write": "52.889747",
    "ior-rnd1MB-write": "3.126215",
    "find-easy": "943.351165",
    "ior-hard-write": "0.348750",
    "mdtest-hard-write": "11.789431",
    "find": "597.201043",
    "ior-rnd4K-read": "0.814371",
    "ior-rnd1MB-read": "6.661937",
    "find-hard": "63.300354",
    "mdworkbench-bench": "112.565760",
    "ior-easy-read": "8.852841",
    "mdtest-easy-stat": "309.023172",
    "ior-hard-read": "4.762372",
    "mdtest-hard-stat": "76.652839",
    "mdtest-easy-delete": "58.292741",
    "mdtest-hard-read": "25.880817",
    "mdtest-hard-delete": "12.372046",
}
NAMES = [p.name for p in SCORED]
RATES = st.floats(min_value=1e-3, max_value=1e7)
RUNS = st.fixed_dictionaries(dict.fromkeys(NAMES, RATES))


def floats(printed):
    return {name: float(text) for name, text in printed.items()}


def even(bandwidth=4.0, metadata=9.0, **changed):
    run = {p.name: bandwidth if p.kind == "bandwidth" else metadata for p in SCORED}
    return run | {name.replace("_", "-"): value for name, value in changed.items()}


def test_aurora_as_its_result_file_prints_it():
    found = scores(floats(AURORA))
    assert f"{found.bw_gib_s:.6f}" == "10066.086553"
    assert f"{found.md_kiops:.6f}" == "102785.408581"
    assert f"{found.score:.6f}" == "32165.926368"


def test_aurora_by_intervals():
    printed = {k: Interval.of_printed(v, trailing_zeros=True) for k, v in AURORA.items()}
    found = score_intervals(printed)
    assert found.score.overlaps(Interval.of_printed("32165.926368"))
    # twelve six-digit places leave the score no room at its sixth place but a few units
    assert found.score.width < Fraction("0.00001")
    assert not found.score.overlaps(Interval.of_printed("32165.9264"[:-1] + "5"))


def test_the_extended_run_prints_both_scores():
    printed = {k: Interval.of_printed(v, trailing_zeros=True) for k, v in EXTENDED_RUN.items()}
    found = score_intervals(printed)
    assert found.score.contains(Fraction("12.549643"))
    # six places of 0.348750 leave the sixth place of the score open
    assert f"{scores(floats(EXTENDED_RUN)).score:.6f}" == "12.549641"
    extended = scores(floats(EXTENDED_RUN), phases=(*SCORED, *EXTENDED))
    assert extended.bw_gib_s == pytest.approx(1.958556, abs=1e-6)
    assert extended.md_kiops == pytest.approx(81.864024, abs=1e-6)
    assert extended.score == pytest.approx(12.662357, abs=1e-6)


def test_by_hand():
    # fourth root of 1·2·4·8 = 64 is 2·√2; all metadata 9; √(2·√2·9) = 5.0453784915…
    run = even() | {
        "ior-easy-write": 1,
        "ior-hard-write": 2,
        "ior-easy-read": 4,
        "ior-hard-read": 8,
    }
    found = scores(run)
    assert found.bw_gib_s == 2 * math.sqrt(2)
    assert found.md_kiops == 9
    assert found.score == pytest.approx(5.0453784915, abs=1e-10)


def test_even_runs_are_exact():
    assert scores(even(4, 9)) == Score(4.0, 9.0, 6.0)
    assert scores(even(4, 9), total=Total.PRODUCT).score == 36


def test_a_phase_without_a_result():
    run = even(find=0)
    assert scores(run) == Score(4.0, 9.0, 6.0)
    assert scores(run, era=Era.BEFORE_2021_08) == Score(4.0, 0.0, 0.0)
    assert scores(even(find=-1.0)).md_kiops == 9
    with pytest.raises(StoragebookError, match="below zero: find"):
        scores(even(find=-1.0), era=Era.BEFORE_2021_08)


def test_the_list_of_2017_had_seven_metadata_phases():
    phases = [p for p in SCORED if p.name != "mdtest-hard-read"]
    run = {p.name: 2.0 for p in phases}
    assert scores(run, era="before-2021-08", phases=phases) == Score(2.0, 2.0, 2.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "12", True, [1]])
def test_what_is_no_number(bad):
    with pytest.raises(StoragebookError, match="find is no finite number"):
        scores(even(find=bad))


def test_missing_and_misspelt_phases():
    run = even()
    run["ior-easy-wriet"] = run.pop("ior-easy-write")
    with pytest.raises(
        StoragebookError, match=r"missing phases: ior-easy-write — .*ior-easy-wriet"
    ):
        scores(run)
    with pytest.raises(StoragebookError, match=r"missing phases: ior-rnd4K-write.*bench$"):
        scores(even(), phases=(*SCORED, *EXTENDED))
    with pytest.raises(StoragebookError, match="missing phases"):
        score_intervals({})


def test_nothing_left_to_average():
    with pytest.raises(StoragebookError, match="no bandwidth phase above zero"):
        scores(even(bandwidth=0))


@given(RUNS)
def test_scores_lie_between_the_phases(run):
    found = scores(run)
    bandwidths = [run[p.name] for p in SCORED if p.kind == "bandwidth"]
    assert min(bandwidths) * (1 - 1e-12) <= found.bw_gib_s <= max(bandwidths) * (1 + 1e-12)
    assert found.score == pytest.approx(math.sqrt(found.bw_gib_s * found.md_kiops), rel=1e-14)
    logs = sum(math.log(run[p.name]) / (8 if p.kind == "bandwidth" else 16) for p in SCORED)
    assert math.log(found.score) == pytest.approx(logs, abs=1e-9)


@given(RUNS, st.sampled_from(NAMES), st.floats(min_value=0.1, max_value=10))
def test_gain_is_what_recomputing_shows(run, phase, factor):
    changed = scores(run | {phase: run[phase] * factor}).score
    assert changed == pytest.approx(scores(run).score * gain(phase, factor, run), rel=1e-12)


@given(RUNS, st.sampled_from(NAMES), st.floats(min_value=0.5, max_value=2))
def test_the_needed_factor_reaches_the_target(run, phase, wish):
    target = scores(run).score * wish
    factor = needed_factor(phase, run, target)
    assert scores(run | {phase: run[phase] * factor}).score == pytest.approx(target, rel=1e-9)


@given(RUNS)
def test_intervals_hold_the_score(run):
    printed = {name: f"{value:.3f}" for name, value in run.items()}
    intervals = {k: Interval.of_printed(v, trailing_zeros=True) for k, v in printed.items()}
    found, exact = score_intervals(intervals), scores(run)
    assert found.score.contains(exact.score)
    assert found.bw_gib_s.contains(exact.bw_gib_s)
    assert found.md_kiops.contains(exact.md_kiops)


def test_elasticities_add_up_to_one():
    assert sum(elasticity(name) for name in NAMES) == 1
    assert elasticity("ior-easy-read") == Fraction(1, 8)
    assert elasticity("mdtest-hard-stat") == Fraction(1, 16)
    assert elasticity("find", total="product") == Fraction(1, 8)


def test_elasticity_where_phases_are_left_out():
    run = even(find=0, ior_hard_read=0)
    assert elasticity("ior-easy-write", run) == Fraction(1, 6)
    assert elasticity("mdtest-easy-stat", run) == Fraction(1, 14)
    assert elasticity("mdtest-easy-stat", run, era="before-2021-08") == Fraction(1, 16)
    with pytest.raises(StoragebookError, match="left out"):
        elasticity("find", run)


@pytest.mark.parametrize("phase", ["", "ior", "ior-rnd4K-write", "ior_easy_write"])
def test_elasticity_of_what_is_not_scored(phase):
    with pytest.raises(StoragebookError, match="no scored phase"):
        elasticity(phase)


@pytest.mark.parametrize("number", [0, -1, math.nan, math.inf])
def test_targets_and_factors_are_above_zero(number):
    with pytest.raises(StoragebookError, match="above zero"):
        gain("find", number)
    with pytest.raises(StoragebookError, match="above zero"):
        needed_factor("find", even(), number)


def test_one_per_cent_by_hand():
    # 1.01 ** (1/8) = e ** (0.00995033085… / 8) = 1.00124456…
    assert gain("ior-hard-read", 1.01) == pytest.approx(1.00124456, abs=1e-8)
    assert gain("find", 1.01) == pytest.approx(1.00062209, abs=1e-8)


def test_the_optional_phases_are_not_scored():
    assert not {p.name for p in EXTENDED} & set(NAMES)
    assert [p.kind for p in EXTENDED].count("bandwidth") == 4


def test_one_per_cent_in_a_phase_is_worth_its_exponent():
    table = worth({phase: float(text) for phase, text in AURORA.items()}).set_index("phase")
    # 1.01 ** (1/8), 1.01 ** (1/16), 1.01 ** 8, 1.01 ** 16, each less one, in per cent
    assert table.score_gain_pct["ior-hard-write"] == pytest.approx(0.124457, abs=1e-6)
    assert table.score_gain_pct["find"] == pytest.approx(0.0622089, abs=1e-6)
    assert table.needed_pct["ior-easy-read"] == pytest.approx(8.285671, abs=1e-6)
    assert table.needed_pct["mdtest-hard-stat"] == pytest.approx(17.257864, abs=1e-6)
