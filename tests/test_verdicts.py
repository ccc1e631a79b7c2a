"""The arithmetic of verdicts."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.intervals import Interval
from storagebook.verdicts import (
    Argument,
    Fact,
    Qualifier,
    Reading,
    Verdict,
    judge,
    judge_inference,
    reading,
)

APPROXIMATE = set(Qualifier) - {Qualifier.PLAIN}


def verdict(numeral, qualifier, lo, hi=None, nature="digits", loosely=False):
    found = Interval(Fraction(lo), Fraction(hi if hi is not None else lo))
    return judge(reading(numeral, qualifier), found, nature, loosely=loosely)


@pytest.mark.parametrize(
    ("numeral", "qualifier", "lo", "hi", "expected"),
    [
        ("4.91", "plain", "4.9079", "4.9080", "confirmed"),
        ("4.91", "plain", "4.90", "4.93", "rounding"),
        ("4.91", "plain", "4.80", "4.90", "contradicted"),
        ("9.0", "plain", "8.97", None, "confirmed"),
        ("9.0", "plain", "9.06", None, "rounding"),
        ("9.0", "plain", "9.6", None, "contradicted"),
        ("32,165.90", "plain", "32165.926368", None, "rounding"),
        ("32,165.90", "plain", "32165.96", None, "contradicted"),
        ("2048", "plain", "2048", None, "confirmed"),
        ("2048", "plain", "2049", None, "contradicted"),
        ("-59.8", "plain", "-59.844", "-59.843", "confirmed"),
        ("1770e8", "plain", "177143928002", None, "rounding"),
        ("1770e8", "plain", "58551916802", None, "contradicted"),
        ("63000", "about", "62400", None, "consistent"),
        ("63000", "about", "57500", None, "undecided"),
        ("63000", "about", "50000", None, "contradicted"),
        ("19", "nearly", "18.757", None, "consistent"),
        ("19", "nearly", "16", None, "undecided"),
        ("19", "nearly", "19.6", None, "contradicted"),
        ("10", "more-than", "9.83", None, "contradicted"),
        ("10", "more-than", "10", None, "contradicted"),
        ("10", "more-than", "10.81", None, "consistent"),
        ("10", "more-than", "9.9", "10.1", "undecided"),
        ("31", "at-least", "31", None, "consistent"),
        ("31", "at-least", "30.9", None, "contradicted"),
        ("20", "less-than", "20", None, "contradicted"),
        ("20", "less-than", "19.9", None, "consistent"),
        ("20", "at-most", "20", None, "consistent"),
        ("100", "order-of", "50", None, "consistent"),
        ("100", "order-of", "16.8", None, "undecided"),
        ("100", "order-of", "9", None, "contradicted"),
    ],
)
def test_verdicts_on_numbers(numeral, qualifier, lo, hi, expected):
    assert verdict(numeral, qualifier, lo, hi) == expected


@pytest.mark.parametrize(
    ("nature", "loosely", "lo", "hi", "expected"),
    [
        ("digits", True, "4.9", "4.92", "consistent"),
        ("digits", True, "4.7", "4.8", "contradicted"),
        ("limit", False, "4", "9", "consistent"),
        ("limit", False, "5", "9", "contradicted"),
        ("expectation", False, "4", "9", "consistent"),
        ("expectation", False, "5", "9", "undecided"),
        ("partial", False, "1", "9", "undecided"),
        ("partial", False, "4.91", "4.91", "confirmed"),
        ("partial", False, "5", "9", "contradicted"),
    ],
)
def test_evidence_that_is_no_exact_figure(nature, loosely, lo, hi, expected):
    assert verdict("4.91", "plain", lo, hi, nature, loosely) == expected


NUMERALS = st.integers(0, 4).flatmap(
    lambda places: st.decimals(min_value=0, max_value=10**6, places=places).map(
        lambda number: f"{number:,f}"
    )
)
ENDS = st.fractions(min_value=0, max_value=10**6, max_denominator=10**4)


@st.composite
def cases(draw):
    numeral = draw(NUMERALS)
    qualifier = draw(st.sampled_from(Qualifier))
    centre = Interval.of_printed(numeral).mid
    near = st.fractions(min_value=-2, max_value=2, max_denominator=10**4).map(lambda d: centre + d)
    lo, hi = sorted([draw(near | ENDS), draw(near | ENDS)])
    share = draw(st.fractions(min_value=0, max_value=1, max_denominator=100))
    return numeral, qualifier, Interval(lo, hi), lo + share * (hi - lo)


def satisfies(numeral, qualifier, value, *, loose):
    """Whether a value is what the numeral can mean, written without intervals."""
    digits = numeral.replace(",", "")
    claimed = Fraction(digits)
    places = len(digits.partition(".")[2])
    if loose:
        while digits and digits[-1] in "0." and digits.strip("0.") != "":
            places -= digits[-1] != "."
            digits = digits[:-1]
        if digits.strip("0.") == "":
            places = 0
    half = Fraction(10) ** -places / 2
    width = 2 if loose else 1
    match qualifier:
        case Qualifier.PLAIN:
            return abs(value - claimed) <= half
        case Qualifier.ABOUT:
            return abs(value - claimed) <= max(half, claimed * Fraction(5, 100) * width)
        case Qualifier.NEARLY:
            return -max(half, claimed / 10 * width) <= value - claimed <= half
        case Qualifier.AT_LEAST:
            return value >= claimed
        case Qualifier.MORE_THAN:
            return value > claimed
        case Qualifier.AT_MOST:
            return value <= claimed
        case Qualifier.LESS_THAN:
            return value < claimed
        case Qualifier.ORDER_OF:
            square = (value / claimed) ** 2 if claimed else Fraction(0)
            return value == claimed or Fraction(1, 10**width) <= square <= 10**width


@given(cases())
def test_nothing_is_contradicted_that_some_value_satisfies(case):
    numeral, qualifier, found, inside = case
    if any(satisfies(numeral, qualifier, v, loose=True) for v in (inside, found.lo, found.hi)):
        assert judge(reading(numeral, qualifier), found, loosely=False) != Verdict.CONTRADICTED


@given(cases())
def test_nothing_is_confirmed_that_some_value_breaks(case):
    numeral, qualifier, found, inside = case
    if judge(reading(numeral, qualifier), found, loosely=False) in ("confirmed", "consistent"):
        for value in (inside, found.lo, found.hi):
            assert satisfies(numeral, qualifier, value, loose=False)


@given(cases())
def test_an_approximation_is_never_confirmed(case):
    numeral, qualifier, found, _ = case
    verdict = judge(reading(numeral, qualifier), found, loosely=False)
    if qualifier in APPROXIMATE:
        assert verdict not in ("confirmed", "rounding")
    else:
        assert verdict not in ("consistent", "undecided")


@given(cases())
def test_the_loose_reading_holds_the_strict_one(case):
    numeral, qualifier, _, _ = case
    read = reading(numeral, qualifier)
    assert read.loose.contains(read.strict)


def test_a_half_line_of_evidence():
    assert (
        judge(reading("5", "plain"), Interval.at_least(5), "limit", loosely=False) == "consistent"
    )
    assert judge(reading("4", "plain"), Interval.at_least(5), "limit", loosely=False) == (
        "contradicted"
    )
    at_least = Reading(Interval.at_least(3), Interval.at_least(3), True, open=True)
    assert at_least.allows(Interval(3, math.inf))
    assert not at_least.holds_for(Interval(3, math.inf))


@pytest.mark.parametrize(
    ("needs", "counter", "expected"),
    [
        ([True, True], [], "supported"),
        ([True, False], [], "not-shown"),
        ([True, None], [], "not-shown"),
        ([], [], "not-shown"),
        ([], [False, None], "not-shown"),
        ([True], [False], "supported"),
        ([True], [False, True], "contradicted"),
        ([], [True], "contradicted"),
    ],
)
def test_verdicts_on_inferences(needs, counter, expected):
    argument = Argument(
        [Fact("needed", holds) for holds in needs], [Fact("against", holds) for holds in counter]
    )
    assert judge_inference(argument) == expected


@pytest.mark.parametrize(
    ("qualifier", "found", "verdict"),
    [
        # at most 50 says nothing about at least 31
        ("at-least", Interval.at_most(50), "undecided"),
        ("at-least", Interval.at_most(30), "contradicted"),
        ("at-least", Interval.at_least(31), "consistent"),
        ("at-most", Interval.at_most(50), "undecided"),
        ("at-most", Interval.at_most(30), "consistent"),
        ("less-than", Interval.at_most(31), "undecided"),
        ("plain", Interval.at_most(50), "consistent"),
        ("about", Interval.at_most(50), "consistent"),
    ],
)
def test_a_limit_bears_out_a_bound_only_if_it_implies_it(qualifier, found, verdict):
    assert judge(reading("31", qualifier), found, "limit", loosely=False) == verdict
