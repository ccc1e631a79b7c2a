import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.intervals import Interval, geomean, percent_change

# several times as fast as st.fractions
RATIONALS = st.builds(Fraction, st.integers(-(10**12), 10**12), st.integers(1, 10**6))
POSITIVE = st.builds(Fraction, st.integers(1, 10**6), st.integers(1, 10**6))


@st.composite
def inside(draw, ends=RATIONALS):
    """An interval and a number in it."""
    lo, x, hi = sorted([draw(ends), draw(ends), draw(ends)])
    return Interval(lo, hi), x


@pytest.mark.parametrize(
    ("text", "options", "lo", "hi"),
    [
        ("20,693.63", {}, "20693.625", "20693.635"),
        ("20693.627959", {}, "20693.6279585", "20693.6279595"),
        ("−59.8", {}, "-59.85", "-59.75"),
        ("-59.8", {"mode": "truncated"}, "-59.9", "-59.8"),
        ("4.91", {"mode": "truncated"}, "4.91", "4.92"),
        ("4.91", {"mode": "unknown"}, "4.90", "4.92"),
        ("32,165.90", {}, "32165.85", "32165.95"),
        ("32,165.90", {"trailing_zeros": True}, "32165.895", "32165.905"),
        ("650", {}, "645", "655"),
        ("650", {"trailing_zeros": True}, "649.5", "650.5"),
        ("1e-3", {}, "0.0005", "0.0015"),
        ("1.20E4", {}, "11500", "12500"),
        ("0", {}, "-0.5", "0.5"),
        ("0", {"mode": "truncated"}, "-1", "1"),
        ("0.00", {"trailing_zeros": True}, "-0.005", "0.005"),
        ("0.03", {}, "0.025", "0.035"),
        ("58,551,916,802", {}, "58551916801.5", "58551916802.5"),
    ],
)
def test_printed_numbers(text, options, lo, hi):
    assert Interval.of_printed(text, **options) == Interval(Fraction(lo), Fraction(hi))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,23",
        "1,2345",
        "12,34.5",
        ".5",
        "5.",
        "1 000",
        "nan",
        "inf",
        "0x10",
        "1e99999",
        "1e401",
    ],
)
@pytest.mark.parametrize("template", ["{}", " {} "])
def test_what_is_no_printed_number(text, template):
    with pytest.raises(StoragebookError, match="not a printed number"):
        Interval.of_printed(template.format(text))


@pytest.mark.parametrize("text", ["٣", "1_000", "9" * 101, "--1", "1%", "5 GiB/s", "1\n2"])
def test_what_hostile_text_is_no_printed_number(text):
    with pytest.raises(StoragebookError, match="not a printed number"):
        Interval.of_printed(text)


@pytest.mark.parametrize("ends", [(2, 1), (math.nan, 1), (0, math.nan), ("1", 2), (None, None)])
def test_what_is_no_interval(ends):
    with pytest.raises(StoragebookError):
        Interval(*ends)


@pytest.mark.parametrize("end", [math.inf, -math.inf])
def test_an_infinity_alone_is_no_interval(end):
    with pytest.raises(StoragebookError, match="finite"):
        Interval(end, end)


def test_ends_are_exact():
    assert Interval.point(0.1).lo == Fraction(0.1) != Fraction(1, 10)
    assert Interval.point(Decimal("0.1")).lo == Fraction(1, 10)
    assert isinstance(Interval(1, 2).lo, Fraction)


@given(inside(), inside())
def test_arithmetic_encloses(a, b):
    (x_in, x), (y_in, y) = a, b
    assert (x_in + y_in).contains(x + y)
    assert (x_in - y_in).contains(x - y)
    assert (x_in * y_in).contains(x * y)
    assert (-x_in).contains(-x)
    assert (x_in**2).contains(x**2)
    assert (x_in**3).contains(x**3)
    if not y_in.contains(0):
        assert (x_in / y_in).contains(x / y)
        assert (y_in**-2).contains(Fraction(1) / y**2)


@given(inside(), inside())
def test_arithmetic_is_tight(a, b):
    (x_in, _), (y_in, _) = a, b
    corners = [x * y for x in (x_in.lo, x_in.hi) for y in (y_in.lo, y_in.hi)]
    assert x_in * y_in == Interval(min(corners), max(corners))
    assert x_in - y_in == Interval(x_in.lo - y_in.hi, x_in.hi - y_in.lo)


@given(inside(POSITIVE), st.integers(1, 12))
def test_roots_enclose_and_are_nearly_tight(a, degree):
    interval, x = a
    root = (Interval.point(x) ** degree).root(degree)
    assert root == Interval.point(x)
    rooted = interval.root(degree)
    assert rooted.lo**degree <= interval.lo
    assert rooted.hi**degree >= interval.hi
    assert rooted.lo**degree >= interval.lo * (1 - Fraction(1, 2**80))
    assert rooted.hi**degree <= interval.hi * (1 + Fraction(1, 2**80))


@given(st.integers(0, 10**60), st.integers(2, 9))
def test_whole_roots_are_exact(base, degree):
    assert Interval.point(base**degree).root(degree) == Interval.point(base)


@given(st.lists(inside(POSITIVE), min_size=1, max_size=8))
def test_geomean_encloses(pairs):
    mean = geomean(interval for interval, _ in pairs)
    product = math.prod((x for _, x in pairs), start=Fraction(1))
    assert mean.lo ** len(pairs) <= product <= mean.hi ** len(pairs)


def test_geomean_of_nothing_or_below_zero():
    with pytest.raises(StoragebookError, match="no values"):
        geomean([])
    with pytest.raises(StoragebookError, match="below zero"):
        geomean([4, -1])


def test_geomean_by_hand():
    # 2 · 8 = 16, its square root 4; one zero makes it zero
    assert geomean([2, 8]) == Interval.point(4)
    assert geomean([2, 0, 8]) == Interval.point(0)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_floats_of_a_float_are_itself(value):
    assert Interval.point(value).floats() == (value, value)


@given(inside())
def test_the_floats_of_an_interval_hold_it(a):
    interval, _ = a
    lo, hi = (interval / 3).floats()
    assert Fraction(lo) <= interval.lo / 3
    assert Fraction(hi) >= interval.hi / 3


def test_floats_beyond_their_range_still_hold_the_number():
    lo, hi = Interval.point(10**400).floats()
    assert lo < 1.8e308
    assert hi == math.inf


def test_half_lines():
    at_least = Interval.at_least(31)
    assert at_least.contains(10**500)
    assert not at_least.overlaps(Interval(30, Fraction(309, 10)))
    assert Interval.at_most(20).contains(-5)
    assert at_least * 2 == Interval.at_least(62)
    assert -at_least == Interval.at_most(-31)
    assert at_least + Interval(-1, 1) == Interval.at_least(30)
    assert 1 / at_least == Interval(0, Fraction(1, 31))
    assert at_least * Interval(0, 1) == Interval.at_least(0)
    assert at_least * 10**400 == Interval.at_least(31 * 10**400)
    assert at_least.root(2).hi == math.inf
    with pytest.raises(StoragebookError, match="no middle"):
        _ = at_least.mid


def test_about_and_orders_of_magnitude():
    assert Interval.around(100, within_pct=5) == Interval(95, 105)
    decade = Interval.order_of_magnitude(100, decades=1)
    assert decade == Interval(10, 1000)
    half = Interval.order_of_magnitude(100)
    # the square root of ten is 3.16227766…
    assert half.contains(Interval(Fraction("31.6228"), Fraction("316.2277")))
    assert not half.contains(Fraction("31.6227"))
    assert not half.contains(Fraction("316.2278"))


def test_powers():
    assert Interval(-2, 3) ** 2 == Interval(0, 9)
    assert Interval(-3, 2) ** 3 == Interval(-27, 8)
    assert Interval(-3, 2) ** 0 == Interval.point(1)
    assert Interval.point(8) ** Fraction(2, 3) == Interval.point(4)
    assert Interval.point(4) ** Fraction(-1, 2) == Interval.point(Fraction(1, 2))
    with pytest.raises(StoragebookError, match="below zero"):
        Interval(-1, 4).root(2)
    with pytest.raises(StoragebookError, match="degree"):
        Interval(1, 4).root(0)


def test_division_by_an_interval_that_holds_zero():
    with pytest.raises(ZeroDivisionError):
        Interval(1, 2) / Interval(-1, 1)


def test_sets():
    a, b = Interval(0, 2), Interval(2, 3)
    assert a.overlaps(b)
    assert a.intersection(b) == Interval.point(2)
    assert a.intersection(Interval(5, 6)) is None
    assert a.hull(b) == Interval(0, 3)
    assert a.width == 2
    assert a.mid == 1


def test_percent_change_of_the_documents_own_numbers():
    change = percent_change(Interval.of_printed("21,029.85"), Interval.of_printed("20,693.63"))
    # 20693.63 / 21029.85 - 1 = -0.0159877…
    assert change.contains(Fraction("-1.59877"))
    assert change.width < Fraction("0.0002")


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(1, 1), "1"),
        (Interval.at_least(31), "≥ 31"),
        (Interval.at_most(20), "≤ 20"),
        (Interval.at_most(Fraction(200, 3)), "≤ 66.666667"),
        (Interval.at_least(Fraction(200, 3)), "≥ 66.666666"),
        (Interval(-math.inf, math.inf), "any number"),
        (Interval.of_printed("58,551,916,802"), "58551916801.5…58551916802.5"),
        (Interval(Fraction(1, 3), Fraction(2, 3)), "0.33…0.67"),
        (Interval(0, 1), "0…1"),
        (Interval.point(100), "100"),
    ],
)
def test_as_text(interval, text):
    assert str(interval) == text


@given(inside())
def test_text_is_never_tighter_than_the_interval(a):
    interval, _ = a
    assume(not interval.is_point)
    lo, hi = (Fraction(end) for end in str(interval).split("…"))
    assert lo <= interval.lo
    assert hi >= interval.hi


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_a_number_is_within_what_it_prints_as(value, places):
    number = Fraction(value, 10**6)
    printed = f"{float(number):,.{places}f}"
    assert Interval.of_printed(printed, trailing_zeros=True).contains(number)
    assert Interval.of_printed(printed).contains(number)
