"""How the published lists print a score, and what that does to its last digits.

A list shows BW and MD with two decimals. The score beside them sometimes differs from
sqrt(BW x MD) by more than those decimals allow. Two readings of the printed score are weighed here:
two decimals like its neighbours, or six significant digits (what a single-precision database
column prints), filled up with zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from storagebook.intervals import Interval, geomean

#: Digits that a single-precision column is printed with.
SIGNIFICANT_DIGITS = 6

Reading = Literal["either", "two decimals only", "six digits only", "neither"]


def as_two_decimals(text: str) -> Interval:
    """Every score that prints as `text` with two decimals."""
    return Interval.of_printed(text, trailing_zeros=True)


def as_six_digits(text: str) -> Interval | None:
    """Every score that prints as `text` with six significant digits; None if it shows more.

    >>> str(as_six_digits("32,165.90"))
    '32165.85…32165.95'
    >>> as_six_digits("603,334.56") is None
    True
    """
    whole, _, places = text.replace(",", "").partition(".")
    room = SIGNIFICANT_DIGITS - len(whole.lstrip("0"))
    kept = places[: max(room, 0)]
    if room < 0 or places[len(kept) :].strip("0"):
        return None
    # digits that the column dropped and the page put back as zeros
    half = Fraction(1, 2 * 10**room)
    value = Fraction(f"{whole}.{places or 0}")
    return Interval(value - half, value + half)


@dataclass(frozen=True)
class Listed:
    """A score as a list prints it, against the score that its evidence gives.

    Attributes
    ----------
    evidence
        The scores that the evidence allows: the raw file's own, or sqrt(BW x MD) over all values
        that print like the listed BW (GiB/s) and MD (kIOP/s).
    two_decimals, six_digits
        Whether some score in `evidence` prints so under that reading.
    difference
        Listed minus evidence.
    """

    evidence: Interval
    two_decimals: bool
    six_digits: bool
    difference: Interval

    @property
    def reading(self) -> Reading:
        if self.two_decimals:
            return "either" if self.six_digits else "two decimals only"
        return "six digits only" if self.six_digits else "neither"


def explain(score: str, bw_gib_s: str, md_kiops: str, raw_score: str | None = None) -> Listed:
    """Which readings of a listed score its evidence allows.

    Parameters
    ----------
    score, bw_gib_s, md_kiops
        As the list prints them, e.g. ``"32,165.90"``.
    raw_score
        As the run's own result file prints it, where it is public; it then is the evidence.

    Raises
    ------
    StoragebookError
        If a text is no printed number.
    """
    if raw_score is None:
        evidence = geomean([as_two_decimals(bw_gib_s), as_two_decimals(md_kiops)])
    else:
        evidence = Interval.of_printed(raw_score, trailing_zeros=True)
    six = as_six_digits(score)
    value = Fraction(score.replace(",", ""))
    return Listed(
        evidence=evidence,
        two_decimals=as_two_decimals(score).overlaps(evidence),
        six_digits=six is not None and six.overlaps(evidence),
        difference=value - evidence,
    )
