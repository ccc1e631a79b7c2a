"""Printed scores against the phases beside them, by the digits that are printed."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from storagebook.io500.agreement import UNNOTICED_LIMIT, Means, mean_interval, phase_interval
from storagebook.io500.phases import SCORED
from storagebook.io500.run import PhaseResult, Place, Printed, PrintedScore, Run
from storagebook.io500.score import scores

FIXTURES = Path(__file__).parents[1] / "fixtures" / "io500"
HERE = Place("x")


def printed(value):
    text = value if isinstance(value, str) else f"{value:.6f}"
    return Printed(text, float(text))


def run_of(values, means, *, form="c", version="io500-sc23", **more):
    """A run with these phases, by name, and these printed BW, MD and score."""
    phases = tuple(
        PhaseResult(
            name=name,
            value=printed(value),
            unit="GiB/s" if name.startswith("ior") else "kIOP/s",
            printed_unit="",
            place=HERE,
        )
        for name, value in values.items()
    )
    bw, md, score = map(printed, means)
    line = PrintedScore(bw=bw, md=md, score=score, bw_unit="GiB/s", place=HERE)
    return Run(
        name="r", source="x", format=form, place=HERE, phases=phases, printed=line, version=version,
        **more,
    )  # fmt: skip


def flat(bandwidth="4.000000", rate="9.000000"):
    return {p.name: bandwidth if p.kind == "bandwidth" else rate for p in SCORED}


def codes(run):
    return [f.code for f in Means(run).findings()]


def test_agrees_to_the_last_digit():
    assert codes(run_of(flat(), ("4.000000", "9.000000", "6.000000"))) == []


@pytest.mark.parametrize(
    ("means", "found"),
    [
        (("4.000002", "9.000000", "6.000001"), ["bw-differs"]),
        (("4.000000", "9.000002", "6.000001"), ["md-differs"]),
        (("4.000000", "9.000000", "6.000003"), ["score-differs"]),
        (("4.000000", "9.000000", "36.000000"), ["product-not-root"]),
        (("4.000000", "9.000000", "5.000000"), ["score-differs"]),
    ],
)
def test_beyond_the_last_digit_it_does_not(means, found):
    assert codes(run_of(flat(), means)) == found


def test_one_unit_of_the_last_digit_may_be_rounding():
    # half a unit in the printed mean and half a unit in the phases
    assert codes(run_of(flat(), ("4.000001", "9.000001", "6.000001"))) == []


def test_equal_numbers_have_themselves_as_mean():
    found = Means(run_of(flat("0.100000", "50.300000"), ("1", "1", "1"))).recomputed
    assert (found.bw_gib_s, found.md_kiops) == (0.1, 50.3)


@given(st.lists(st.decimals("0.001", "99999", places=6), min_size=12, max_size=12))
def test_recomputed_as_the_score_module_does(values):
    phases = {p.name: str(v) for p, v in zip(SCORED, values, strict=True)}
    found = Means(run_of(phases, ("1", "1", "1"))).recomputed
    expected = scores({name: float(value) for name, value in phases.items()})
    for part in ("bw_gib_s", "md_kiops", "score"):
        assert getattr(found, part) == pytest.approx(getattr(expected, part), rel=1e-15)


@given(
    st.lists(st.floats(0.01, 1e5), min_size=12, max_size=12),
    st.sampled_from(SCORED),
    st.floats(-0.3, 0.3),
)
def test_what_the_official_program_prints_agrees_and_an_edit_does_not(values, phase, change):
    exact = dict(zip((p.name for p in SCORED), values, strict=True))
    found = scores(exact)
    means = (found.bw_gib_s, found.md_kiops, found.score)
    assert codes(run_of(exact, means)) == []
    run = run_of({**exact, phase.name: exact[phase.name] * (1 + change)}, means)
    # what a change of a phase moves the mean by has to be seen over what rounding may move it
    mean = found.bw_gib_s if phase.kind == "bandwidth" else found.md_kiops
    kind = [exact[p.name] for p in SCORED if p.kind == phase.kind]
    rounding = sum(0.5e-6 / v for v in kind) / len(kind) + 0.5e-6 / mean
    moved = abs((1 + change) ** (1 / len(kind)) - 1)
    assume(moved > 2.1 * rounding)
    assert codes(run) != []


def test_exact_intervals_decide_at_the_edge():
    # the phases' upper end 4.0000005 is the printed mean's lower end: they share one number
    bare = {p.name: "4.000000" if p.kind == "bandwidth" else "9.000000" for p in SCORED}
    assert codes(run_of(bare, ("4.000001", "9.000000", "6.000000"))) == []


def test_a_list_may_keep_six_digits_of_a_score():
    # io500.org, SC23: BW 10,066.09, MD 102,785.41, score 32,165.90, where the root is 32,165.93
    values = flat("10066.09", "102785.41")
    for score, found in (("32165.90", []), ("32165.93", []), ("32165.70", ["score-differs"])):
        assert codes(run_of(values, ("10066.09", "102785.41", score), form="list")) == found
    assert codes(run_of(values, ("10066.09", "102785.41", "32165.90"))) == ["score-differs"]


class TestShell:
    def test_means_have_six_digits(self):
        run = run_of(flat("4.000", "9.000"), ("4", "9", "6"), form="shell")
        assert codes(run) == []
        for means in (("4.0001", "9", "6"), ("4", "9.0003", "6"), ("4", "9", "6.0001")):
            edited = run_of(flat("400.000", "900.000"), means, form="shell")
            assert codes(edited)

    def test_trailing_zeros_are_known(self):
        run = run_of(flat("19.650", "9.000"), ("19.65", "9", "13.2985"), form="shell")
        lo, hi = mean_interval(run, run.printed.bw).floats()
        assert hi - lo == pytest.approx(0.0001)

    def test_what_was_skipped_is_zero(self):
        values = {"mdtest-hard-write": "363.619"}
        run = run_of(values, ("0", "0", "0"), form="shell")
        assert codes(run) == []
        assert Means(run).recomputed.score == 0.0
        assert codes(run_of(values, ("0", "0", "7"), form="shell")) == ["score-differs"]

    def test_product_with_digits_cut_off(self):
        run = run_of(flat("4.000", "9.000"), ("4.56736", "128.614", "587.42643"), form="shell")
        assert "product-not-root" in codes(run)


class TestPhasesWithoutResult:
    def test_zero_before_august_2021_makes_the_mean_zero(self):
        values = {**flat(), "find": "0.000000"}
        old = run_of(values, ("4.000000", "0.000000", "0.000000"), version="io500-isc21")
        assert codes(old) == []
        assert Means(old).recomputed.md_kiops == 0.0

    def test_zero_since_is_left_out(self):
        values = {**flat(), "find": "0.000000"}
        assert codes(run_of(values, ("4.000000", "9.000000", "6.000000"))) == []

    def test_version_unknown_goes_by_date(self):
        values = {**flat(), "find": "0.000000"}
        means = ("4.000000", "0.000000", "0.000000")
        for date, found in (("2021-07-31 10:00:00", []), ("2021-08-01 10:00:00", ["md-differs"])):
            run = run_of(values, means, version="", started=date)
            assert [c for c in codes(run) if c != "score-differs"] == found

    def test_negative_or_none_gives_no_figure(self):
        for values in ({}, {**flat(), "ior-easy-read": "-1.0"}):
            means = Means(run_of(values, ("4", "9", "6")))
            assert means.recomputed.bw_gib_s is None
        assert not Means(run_of({}, ("4", "9", "6"))).comparable

    def test_no_score_line(self):
        run = replace(run_of(flat(), ("4", "9", "6")), printed=None)
        assert codes(run) == ["score-missing"]


class TestCoarse:
    def test_what_no_digit_would_show_is_said(self):
        values = {**flat("400.000", "9.000"), "ior-hard-write": "0.011"}
        found = scores({k: float(v) for k, v in values.items()})
        means = tuple(f"{v:.6g}" for v in (found.bw_gib_s, found.md_kiops, found.score))
        (finding,) = Means(run_of(values, means, form="shell")).coarse()
        assert finding.code == "too-coarse"
        # half of 0.001 in 0.011
        share = float(finding.text.split("could be ")[1].split("%")[0])
        assert share == pytest.approx(4.6, abs=0.3)

    def test_it_says_how_much_and_that_much_indeed_escapes(self):
        values = {**flat("400.000", "9.000"), "ior-hard-write": "0.011"}
        found = scores({k: float(v) for k, v in values.items()})
        means = tuple(f"{v:.6g}" for v in (found.bw_gib_s, found.md_kiops, found.score))
        for factor, noticed in ((1.04, False), (1.08, True)):
            edited = {**values, "ior-easy-read": f"{400 * factor:.3f}"}
            assert bool(codes(run_of(edited, means, form="shell"))) == noticed

    def test_fine_digits_leave_nothing_to_say(self):
        run = run_of(flat(), ("4.000000", "9.000000", "6.000000"))
        assert list(Means(run).coarse()) == []
        assert UNNOTICED_LIMIT == 0.01


def test_find_that_saw_too_few_files():
    def found(total, seconds="10.000"):
        run = run_of(flat(rate="9.000000"), ("4.000000", "9.000000", "6.000000"))
        phases = tuple(
            replace(p, seconds=printed(seconds)) if p.name == "find" else p for p in run.phases
        )
        return codes(replace(run, phases=phases, total_files=total))

    assert found(90_000) == []
    assert found(60_000) == []
    assert found(91_000) == ["find-count-differs"]


def test_printed_number_stands_for_all_that_print_so():
    assert phase_interval(printed("12.340000")).contains(12.3400004)
    assert not phase_interval(printed("12.340000")).contains(12.340001)
