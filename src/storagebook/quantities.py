"""Arithmetic that can be read: intervals with a unit, and the sum that made them as text."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from storagebook import intervals, units
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval

#: Where the figures under a result come from; ``raw-output`` counts for more.
Origin = Literal["raw-output", "documents"]
RAW: frozenset[Origin] = frozenset({"raw-output"})
DOCUMENTS: frozenset[Origin] = frozenset({"documents"})

_SUM, _PRODUCT, _ATOM = range(3)


@dataclass(frozen=True)
class Quantity:
    """A figure, or the result of a calculation with figures.

    Attributes
    ----------
    value
        What the printed digits of the inputs allow.
    unit
        A unit that `units` knows; ``1`` for counts and ratios.
    text
        The figure as printed, or the calculation written out.
    approximate
        Whether an input is itself called an approximation or a bound.
    origins
        Where the inputs come from.

    Examples
    --------
    >>> easy = Quantity(Interval.of_printed("20,693.63"), "GiB/s", "20,693.63 GiB/s")
    >>> hard = Quantity(Interval.of_printed("4,216.34"), "GiB/s", "4,216.34 GiB/s")
    >>> ratio = easy / hard
    >>> ratio.text, str(ratio.value), ratio.unit
    ('20,693.63 GiB/s / 4,216.34 GiB/s', '4.907953…4.907968', '1')
    """

    value: Interval
    unit: str
    text: str
    approximate: bool = False
    origins: frozenset[Origin] = frozenset()
    rank: int = _ATOM

    @classmethod
    def count(cls, number: int | Fraction, text: str | None = None) -> Quantity:
        """An exact number without a unit."""
        return cls(Interval.point(number), "1", text or str(number))

    def to(self, unit: str) -> Quantity:
        """The same in another unit of its kind."""
        if units.canonical(unit) == units.canonical(self.unit):
            return self
        return dataclasses.replace(
            self,
            value=units.convert(self.value, self.unit, unit),
            unit=units.canonical(unit),
            text=f"{self._within(_ATOM)} in {unit}",
            rank=_SUM,
        )

    def __add__(self, other: Quantity) -> Quantity:
        value = self.value + other.to(self.unit).value
        return self._with(other, value, self.unit, f"{self.text} + {other.text}", _SUM)

    def __sub__(self, other: Quantity) -> Quantity:
        value = self.value - other.to(self.unit).value
        text = f"{self.text} − {other._within(_PRODUCT)}"
        return self._with(other, value, self.unit, text, _SUM)

    def __mul__(self, other: Quantity) -> Quantity:
        if "1" not in (self.unit, other.unit):
            raise StoragebookError(f"{self.unit} times {other.unit} has no unit in this book")
        unit = other.unit if self.unit == "1" else self.unit
        text = f"{self._within(_PRODUCT)} × {other._within(_PRODUCT)}"
        return self._with(other, self.value * other.value, unit, text, _PRODUCT)

    def __truediv__(self, other: Quantity) -> Quantity:
        text = f"{self._within(_PRODUCT)} / {other._within(_ATOM)}"
        if other.unit == "1":
            return self._with(other, self.value / other.value, self.unit, text, _PRODUCT)
        value = self.value / other.to(self.unit).value
        return self._with(other, value, "1", text, _PRODUCT)

    def times_seconds(self, duration: Quantity) -> Quantity:
        """What a rate adds up to over a time: GiB/s over seconds makes GiB."""
        if not self.unit.endswith("/s"):
            raise StoragebookError(f"{self.unit} is no rate")
        value = self.value * duration.to("s").value
        total = self.unit.removesuffix("/s")
        if total.endswith("IOP"):
            # operations are counted, so that they compare with a number of files
            value, total = value * units.factor(self.unit, "IOP/s"), "1"
        text = f"{self._within(_PRODUCT)} × {duration._within(_PRODUCT)}"
        return self._with(duration, value, total, text, _PRODUCT)

    def per_second_over(self, duration: Quantity) -> Quantity:
        """The rate at which an amount takes so long: GiB over seconds makes GiB/s."""
        value = self.value / duration.to("s").value
        rate = "IOP/s" if self.unit == "1" else f"{self.unit}/s"
        text = f"{self._within(_PRODUCT)} / {duration._within(_ATOM)}"
        return self._with(duration, value, units.canonical(rate), text, _PRODUCT)

    def seconds_at(self, rate: Quantity) -> Quantity:
        """How long an amount takes at a rate: GiB at GiB/s makes seconds."""
        unit = "IOP/s" if self.unit == "1" else f"{self.unit}/s"
        text = f"{self._within(_PRODUCT)} / {rate._within(_ATOM)}"
        return self._with(rate, self.value / rate.to(unit).value, "s", text, _PRODUCT)

    def change_from(self, before: Quantity) -> Quantity:
        """The change from `before`, in per cent of it."""
        value = intervals.percent_change(before.to(self.unit).value, self.value)
        text = f"{self._within(_PRODUCT)} / {before._within(_ATOM)} − 1 in %"
        return self._with(before, value, "%", text, _SUM)

    def _with(self, other: Quantity, value: Interval, unit: str, text: str, rank: int) -> Quantity:
        return Quantity(
            value,
            unit,
            text,
            self.approximate or other.approximate,
            self.origins | other.origins,
            rank,
        )

    def _within(self, rank: int) -> str:
        return self.text if self.rank >= rank else f"({self.text})"


def root_of_product(factors: Sequence[Quantity], unit: str, text: str) -> Quantity:
    """The geometric mean of figures, named by the caller."""
    return Quantity(
        intervals.geomean(f.value for f in factors),
        unit,
        text,
        any(f.approximate for f in factors),
        frozenset().union(*(f.origins for f in factors)),
        _SUM,
    )
