"""The arithmetic of verdicts: what a claim can mean against what the evidence allows.

Two rules hold whatever the numbers: nothing is contradicted that some value within the printed
digits satisfies, and nothing is confirmed that none does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from storagebook.intervals import End, Interval
from storagebook.quantities import Origin

#: "About x" holds within so many per cent, and fails beyond twice as many.
ABOUT_PCT = 5
#: "Nearly x" holds for what is at most so many per cent below x, and fails beyond twice as many.
NEARLY_PCT = 10


class Qualifier(StrEnum):
    """How far a source commits itself to a number."""

    PLAIN = "plain"
    ABOUT = "about"
    NEARLY = "nearly"
    AT_LEAST = "at-least"
    MORE_THAN = "more-than"
    AT_MOST = "at-most"
    LESS_THAN = "less-than"
    ORDER_OF = "order-of"


class Verdict(StrEnum):
    """What a check found; the last three for inferences.

    ``confirmed``: every value that the inputs allow prints as the claim. ``rounding``: some do, or
    only if the claim's final zeros are not precision. ``consistent``: an approximation or a bound
    that holds. ``contradicted``: none does. ``undecided``: the evidence fits both readings.
    ``not-recomputable``: for a reason from `Reason`.
    """

    CONFIRMED = "confirmed"
    ROUNDING = "rounding"
    CONSISTENT = "consistent"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"
    NOT_RECOMPUTABLE = "not-recomputable"
    SUPPORTED = "supported"
    NOT_SHOWN = "not-shown"


@dataclass(frozen=True)
class Reading:
    """What a claimed number can mean.

    Attributes
    ----------
    strict
        Every printed digit counts.
    loose
        The most that the print allows.
    approximate
        Whether the source says that it is an approximation or a bound.
    open
        Whether the finite end of a bound is itself outside ("more than").
    """

    strict: Interval
    loose: Interval
    approximate: bool = False
    open: bool = False

    def holds_for(self, found: Interval) -> bool:
        """Whether all of `found` satisfies the strict reading."""
        return self.strict.contains(found) and not (self.open and found.contains(self._bound))

    def allows(self, found: Interval) -> bool:
        """Whether some of `found` satisfies the loose reading."""
        common = self.loose.intersection(found)
        if common is None:
            return False
        return not (self.open and common == Interval.point(self._bound))

    @property
    def is_bound(self) -> bool:
        """Whether the claim is a bound ("at least"), not a figure or an approximation."""
        return not self.strict.is_finite

    @property
    def _bound(self) -> End:
        return self.strict.lo if self.strict.hi == math.inf else self.strict.hi


def reading(numeral: str, qualifier: Qualifier | str) -> Reading:
    """What a numeral means behind "about", "more than" or nothing.

    A bound is meant as printed; a figure that is not one is rounded to its printed digits, its
    final zeros counting strictly and not counting loosely.

    Raises
    ------
    StoragebookError
        If the numeral is none.
    """
    qualifier = Qualifier(qualifier)
    strict = Interval.of_printed(numeral, trailing_zeros=True)
    loose = Interval.of_printed(numeral)
    exact = Interval.point(strict.mid)
    match qualifier:
        case Qualifier.PLAIN:
            return Reading(strict, loose)
        case Qualifier.ABOUT:
            near, far = (
                Interval.around(exact, within_pct=pct).hull(strict)
                for pct in (ABOUT_PCT, 2 * ABOUT_PCT)
            )
            return Reading(near, far.hull(loose), approximate=True)
        case Qualifier.NEARLY:
            near, far = (
                (exact * Interval(1 - share, 1)).hull(strict)
                for share in (Interval.point(NEARLY_PCT).mid / 100 * n for n in (1, 2))
            )
            return Reading(near, far.hull(loose), approximate=True)
        case Qualifier.ORDER_OF:
            return Reading(
                Interval.order_of_magnitude(exact),
                Interval.order_of_magnitude(exact, decades=1),
                approximate=True,
            )
        case Qualifier.AT_LEAST | Qualifier.MORE_THAN:
            bound = Interval.at_least(exact)
        case Qualifier.AT_MOST | Qualifier.LESS_THAN:
            bound = Interval.at_most(exact)
    strictly = qualifier in (Qualifier.MORE_THAN, Qualifier.LESS_THAN)
    return Reading(bound, bound, approximate=True, open=strictly)


#: What a check's result is: ``digits``: as exact as the printed inputs; ``limit``: a bound that the
#: claim has to keep; ``expectation``: one that it should keep, though nothing forces it to;
#: ``partial``: what is known of it, the rest is unknown.
Nature = Literal["digits", "limit", "expectation", "partial"]


@dataclass(frozen=True)
class Fact:
    """A statement and whether it is so; None if nothing tells."""

    text: str
    holds: bool | None
    origins: frozenset[Origin] = frozenset()

    @property
    def outcome(self) -> str:
        """``so``, ``not so`` or ``not known``."""
        return {True: "so", False: "not so", None: "not known"}[self.holds]


@dataclass(frozen=True)
class Argument:
    """What a check found for an inference.

    Attributes
    ----------
    needs
        What has to be so for the inference to follow.
    counter
        What would refute it.
    """

    needs: Sequence[Fact] = ()
    counter: Sequence[Fact] = ()


def judge(claim: Reading, found: Interval, nature: Nature = "digits", *, loosely: bool) -> Verdict:
    """The verdict on a number.

    Parameters
    ----------
    claim
        What the claim can mean.
    found
        What the evidence allows, in the claim's unit.
    nature
        What kind of evidence it is.
    loosely
        Whether an input of the evidence is itself an approximation or a bound.
    """
    if not claim.allows(found):
        return Verdict.UNDECIDED if nature == "expectation" else Verdict.CONTRADICTED
    holds = claim.holds_for(found)
    if nature in ("limit", "expectation"):
        # one bound does not bear out another that it does not imply: ≤ 50 is no evidence for ≥ 31
        return Verdict.CONSISTENT if holds or not claim.is_bound else Verdict.UNDECIDED
    if claim.approximate:
        return Verdict.CONSISTENT if holds else Verdict.UNDECIDED
    if nature == "partial" and not holds:
        return Verdict.UNDECIDED
    if loosely:
        return Verdict.CONSISTENT
    return Verdict.CONFIRMED if holds else Verdict.ROUNDING


def judge_inference(argument: Argument) -> Verdict:
    """The verdict on an inference: a counter-example refutes it, a gap leaves it open."""
    if any(fact.holds for fact in argument.counter):
        return Verdict.CONTRADICTED
    if argument.needs and all(fact.holds for fact in argument.needs):
        return Verdict.SUPPORTED
    return Verdict.NOT_SHOWN
