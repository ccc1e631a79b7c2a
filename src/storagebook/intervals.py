"""What a printed number can be: closed intervals with exact ends.

A number printed as ``20,693.63`` is any number that rounds to it. Ends are rational, so that sums,
products and quotients are exact; roots, and ends given as floats, are rounded outwards. An
interval is therefore never tighter than the truth, and a verdict that rests on one never claims
more than the printed digits allow.
"""

from __future__ import annotations

import functools
import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)
from fractions import Fraction
from typing import Literal, TypeAlias

from storagebook.errors import StoragebookError

#: A rational, or an infinity.
End: TypeAlias = Fraction | float
Number: TypeAlias = int | float | Fraction | Decimal
Operand: TypeAlias = "Interval | Number"
#: How a source makes the digits it prints; ``unknown`` allows either.
Mode = Literal["rounded", "truncated", "unknown"]

# Bits that a root carries beyond its leading one: far below the last digit anybody prints.
_ROOT_BITS = 96
_SHOWN_DIGITS = 17
_BOUND_DIGITS = 8
_MAX_EXPONENT = 400
_MAX_LENGTH = 100
_NUMERAL = re.compile(
    r"(?P<sign>[+-]?)"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+)"
    r"(?:\.(?P<places>\d+))?"
    r"(?:[eE](?P<exponent>[+-]?\d{1,4}))?",
    re.ASCII,
)


@dataclass(frozen=True)
class Interval:
    """The closed interval from `lo` to `hi`, of exact ends; an infinite end makes a half-line.

    Attributes
    ----------
    lo, hi
        Rationals, or ``-inf`` / ``inf``. Any number is accepted and kept exactly (a float as the
        binary fraction that it is).

    Raises
    ------
    StoragebookError
        If an end is NaN or not a number, the ends are the wrong way round, or both are the same
        infinity.

    Examples
    --------
    >>> a = Interval.of_printed("20,693.63")
    >>> a.contains(20693.627959)
    True
    >>> str(a / Interval.of_printed("4,216.34"))
    '4.907953…4.907968'
    """

    lo: End
    hi: End

    def __post_init__(self) -> None:
        object.__setattr__(self, "lo", _exact(self.lo))
        object.__setattr__(self, "hi", _exact(self.hi))
        if self.lo > self.hi:
            raise StoragebookError(f"interval ends are the wrong way round: {self.lo}, {self.hi}")
        if self.lo == math.inf or self.hi == -math.inf:
            raise StoragebookError("an interval needs a finite number in it")

    # -- making one

    @classmethod
    def point(cls, value: Number) -> Interval:
        """One number, exactly."""
        end = _exact(value)
        return cls(end, end)

    @classmethod
    def at_least(cls, value: Operand) -> Interval:
        """The half-line from a number (or from the lower end of an interval) upwards."""
        return cls(_as_interval(value).lo, math.inf)

    @classmethod
    def at_most(cls, value: Operand) -> Interval:
        """The half-line up to a number (or to the upper end of an interval)."""
        return cls(-math.inf, _as_interval(value).hi)

    @classmethod
    def around(cls, value: Operand, *, within_pct: Number) -> Interval:
        """What "about" means once somebody says within how many per cent."""
        tolerance = _exact(within_pct) / 100
        return _as_interval(value) * cls(1 - tolerance, 1 + tolerance)

    @classmethod
    def order_of_magnitude(cls, value: Operand, *, decades: Number = Fraction(1, 2)) -> Interval:
        """What O(x) means: within so many decades of x either way.

        Half a decade is "the nearest power of ten"; one is "no more than ten times off".
        """
        step = cls.point(10) ** Fraction(_exact(decades))
        value = _as_interval(value)
        return cls((value / step).lo, (value * step).hi)

    @classmethod
    def of_printed(
        cls, text: str, *, trailing_zeros: bool = False, mode: Mode = "rounded"
    ) -> Interval:
        """Every number that prints as `text`.

        Parameters
        ----------
        text
            A decimal numeral as printed: sign, digits, thousands separated by commas or not, a
            decimal point, an exponent. No unit.
        trailing_zeros
            Whether final zeros are precision. They are if the source always prints so many places
            (``%.2f``); otherwise ``32,165.90`` may have been 32,165.9 and ``650`` 65 tens.
        mode
            ``rounded``: half a unit of the last digit either way; ``truncated``: up to one unit
            further from zero; ``unknown``: one unit either way.

        Raises
        ------
        StoragebookError
            If the text is not such a numeral.

        Examples
        --------
        >>> str(Interval.of_printed("4.91"))
        '4.905…4.915'
        >>> str(Interval.of_printed("62,400"))
        '62350…62450'
        >>> str(Interval.of_printed("1.00", trailing_zeros=True))
        '0.995…1.005'
        """
        numeral = text.strip().replace("−", "-")
        match = _NUMERAL.fullmatch(numeral) if len(numeral) <= _MAX_LENGTH else None
        exponent = int(match["exponent"] or 0) if match else 0
        if match is None or abs(exponent) > _MAX_EXPONENT:
            raise StoragebookError(f"not a printed number: {text!r}")
        digits = match["whole"].replace(",", "") + (match["places"] or "")
        exponent -= len(match["places"] or "")
        if not trailing_zeros:
            kept = digits.rstrip("0") or "0"
            # all zeros: nothing but the place of the units says how fine it is
            exponent = exponent + len(digits) - len(kept) if kept != "0" else 0
            digits = kept
        unit = Fraction(10) ** exponent
        size = int(digits) * unit
        below, above = {
            "rounded": (unit / 2, unit / 2),
            "truncated": (Fraction(0), unit),
            "unknown": (unit, unit),
        }[mode]
        if mode == "truncated" and size == 0:
            below = unit
        ends = (size - below, size + above)
        return cls(-ends[1], -ends[0]) if match["sign"] == "-" else cls(*ends)

    # -- asking it

    @property
    def is_point(self) -> bool:
        """Whether it holds one number only."""
        return self.lo == self.hi

    @property
    def is_finite(self) -> bool:
        """Whether it has two ends."""
        return isinstance(self.lo, Fraction) and isinstance(self.hi, Fraction)

    @property
    def mid(self) -> Fraction:
        """The number half way between the ends; an infinite end has none."""
        lo, hi = self.lo, self.hi
        if not (isinstance(lo, Fraction) and isinstance(hi, Fraction)):
            raise StoragebookError(f"no middle in {self}")
        return lo if lo == hi else (lo + hi) / 2

    @property
    def width(self) -> End:
        """From end to end; infinite for a half-line."""
        return _plus(self.hi, -self.lo)

    def floats(self) -> tuple[float, float]:
        """The ends as floats, rounded outwards."""
        return _float_below(self.lo), -_float_below(-self.hi)

    def contains(self, other: Operand) -> bool:
        """Whether every number of `other` lies in here."""
        other = _as_interval(other)
        return self.lo <= other.lo and other.hi <= self.hi

    def overlaps(self, other: Operand) -> bool:
        """Whether the two share at least one number."""
        other = _as_interval(other)
        return self.lo <= other.hi and other.lo <= self.hi

    def hull(self, other: Operand) -> Interval:
        """The smallest interval that holds both."""
        other = _as_interval(other)
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def intersection(self, other: Operand) -> Interval | None:
        """What both hold, or None."""
        other = _as_interval(other)
        lo, hi = max(self.lo, other.lo), min(self.hi, other.hi)
        return Interval(lo, hi) if lo <= hi else None

    # -- arithmetic

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __add__(self, other: Operand) -> Interval:
        other = _as_interval(other)
        return Interval(_plus(self.lo, other.lo), _plus(self.hi, other.hi))

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Interval:
        return self + -_as_interval(other)

    def __rsub__(self, other: Operand) -> Interval:
        return _as_interval(other) - self

    def __mul__(self, other: Operand) -> Interval:
        other = _as_interval(other)
        ends = [_times(a, b) for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return Interval(min(ends), max(ends))

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Interval:
        return self * _as_interval(other)._inverse()

    def __rtruediv__(self, other: Operand) -> Interval:
        return _as_interval(other) / self

    def __pow__(self, exponent: int | Fraction) -> Interval:
        """A whole or rational power; a root of an interval below zero has no meaning here."""
        exponent = Fraction(exponent)
        if exponent < 0:
            return self._inverse() ** -exponent
        return self._whole_power(exponent.numerator).root(exponent.denominator)

    def root(self, degree: int) -> Interval:
        """The n-th root, rounded outwards.

        Raises
        ------
        StoragebookError
            If the interval reaches below zero or the degree is not a positive whole number.
        """
        if degree < 1:
            raise StoragebookError(f"no root of degree {degree}")
        if degree == 1:
            return self
        if self.lo < 0:
            raise StoragebookError(f"no root of {self}: it reaches below zero")
        below, above = _root(self.lo, degree)
        return Interval(below, above if self.is_point else _root(self.hi, degree)[1])

    def _inverse(self) -> Interval:
        if self.lo <= 0 <= self.hi:
            raise ZeroDivisionError(f"division by {self}, which holds zero")
        return Interval(_over_one(self.hi), _over_one(self.lo))

    def _whole_power(self, exponent: int) -> Interval:
        if exponent == 0:
            return Interval(1, 1)
        ends = sorted((self.lo**exponent, self.hi**exponent))
        if exponent % 2 == 0 and self.lo < 0 < self.hi:
            ends[0] = Fraction(0)
        return Interval(*ends)

    def __str__(self) -> str:
        lo, hi = self.lo, self.hi
        if isinstance(lo, Fraction):
            return _between(lo, hi) if isinstance(hi, Fraction) else f"≥ {_outer(lo, ROUND_FLOOR)}"
        return f"≤ {_outer(hi, ROUND_CEILING)}" if isinstance(hi, Fraction) else "any number"


def geomean(values: Iterable[Operand]) -> Interval:
    """The geometric mean of intervals, none of which reaches below zero.

    Raises
    ------
    StoragebookError
        If there are none, or one reaches below zero.
    """
    intervals = [_as_interval(value) for value in values]
    if not intervals:
        raise StoragebookError("no geometric mean of no values")
    below = next((i for i in intervals if i.lo < 0), None)
    if below is not None:
        raise StoragebookError(f"no geometric mean with {below}: it reaches below zero")
    ends = (_product(i.lo for i in intervals), _product(i.hi for i in intervals))
    return Interval(*ends).root(len(intervals))


def percent_change(before: Operand, after: Operand) -> Interval:
    """From `before` to `after`, in per cent of `before`.

    Examples
    --------
    >>> str(percent_change(Interval.of_printed("2,508.85"), Interval.of_printed("3,470.22")))
    '38.31867…38.31963'
    """
    return (_as_interval(after) / _as_interval(before) - 1) * 100


def _exact(value: Number) -> End:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, numbers.Integral):
        return Fraction(int(value))
    if isinstance(value, Decimal) and value.is_finite():
        return Fraction(value)
    if isinstance(value, (float, Decimal)) or hasattr(value, "dtype"):
        number = float(value)
        if math.isnan(number):
            raise StoragebookError("NaN is not the end of an interval")
        return number if math.isinf(number) else Fraction(number)
    raise StoragebookError(f"not a number: {value!r}")


def _as_interval(value: Operand) -> Interval:
    return value if isinstance(value, Interval) else Interval.point(value)


def _plus(a: End, b: End) -> End:
    for end in (a, b):
        if not isinstance(end, Fraction):
            return end
    return a + b


def _times(a: End, b: End) -> End:
    # nothing times without end is nothing: the end itself is never reached
    if a == 0 or b == 0:
        return Fraction(0)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    return math.inf if (a > 0) == (b > 0) else -math.inf


def _product(ends: Iterable[End]) -> End:
    """The product of ends not below zero; one reduction instead of one a factor."""
    ends = list(ends)
    finite = [end for end in ends if isinstance(end, Fraction)]
    if len(finite) < len(ends):
        return functools.reduce(_times, ends)
    above, below = ((end.numerator for end in finite), (end.denominator for end in finite))
    return Fraction(math.prod(above), math.prod(below))


def _over_one(end: End) -> End:
    return 1 / end if isinstance(end, Fraction) else Fraction(0)


def _root(value: End, degree: int) -> tuple[End, End]:
    """The two neighbouring rationals that enclose the root."""
    if not isinstance(value, Fraction):
        return value, value
    whole = Fraction(*(_whole_root(n, degree) for n in value.as_integer_ratio()))
    if whole**degree == value:
        return whole, whole
    magnitude = value.numerator.bit_length() - value.denominator.bit_length()
    scale = max(_ROOT_BITS - magnitude // degree, 0)
    root = _whole_root((value.numerator << (scale * degree)) // value.denominator, degree)
    return Fraction(root, 1 << scale), Fraction(root + 1, 1 << scale)


def _whole_root(value: int, degree: int) -> int:
    """The largest whole number whose power does not exceed `value` (Newton's method)."""
    if value == 0:
        return 0
    guess = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def _float_below(end: End) -> float:
    if not isinstance(end, Fraction):
        return end
    try:
        nearest = float(end)
    except OverflowError:
        return -math.inf if end < 0 else math.nextafter(math.inf, 0)
    return nearest if Fraction(nearest) <= end else math.nextafter(nearest, -math.inf)


def _decimal(value: Fraction, digits: int, rounding: str) -> Decimal:
    context = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _between(lo: Fraction, hi: Fraction) -> str:
    if lo == hi:
        return _written(_decimal(lo, _SHOWN_DIGITS, ROUND_HALF_EVEN))
    # as many digits as it takes to tell the ends apart, and two more to see how far
    size = _decimal(max(abs(lo), abs(hi)), 1, ROUND_CEILING)
    digits = size.adjusted() - _decimal(hi - lo, 1, ROUND_FLOOR).adjusted() + 2
    digits = min(max(digits, 2), _SHOWN_DIGITS)
    below, above = _decimal(lo, digits, ROUND_FLOOR), _decimal(hi, digits, ROUND_CEILING)
    return f"{_written(below)}…{_written(above)}"


def _outer(value: Fraction, rounding: str) -> str:
    return _written(_decimal(value, _BOUND_DIGITS, rounding))


def _written(value: Decimal) -> str:
    # plain digits where people read them, an exponent where they would count zeros
    if value and not -7 <= value.adjusted() <= 15:
        return f"{value.normalize():e}"
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
