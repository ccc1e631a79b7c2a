"""What kind of mistake a claim is that does not hold, and how to quote it correctly."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from enum import StrEnum
from fractions import Fraction

from storagebook import cells
from storagebook.claims import Judged
from storagebook.errors import StoragebookError
from storagebook.intervals import End, Interval
from storagebook.verdicts import Verdict

#: The table: a row a claim, this book's words.
TABLE = "claim-corrections"
#: Verdicts that ask for a correction.
ASKED_FOR = (Verdict.CONTRADICTED, Verdict.NOT_SHOWN)

_QUOTED_DIGITS = 4
_RANGE_DIGITS = 3
_PLACE = re.compile(r"\{([^{}]+)\}")


class Mistake(StrEnum):
    """What went wrong between the evidence and the text.

    ``slip``: a figure or statement of another thing; ``rounding``: digits that do not come from
    rounding; ``mistranslation``: words or units that the translation changed; ``mixed-unit``: two
    units taken for one; ``unsupported-inference``: a conclusion that what is at hand does not
    bear; ``supposition``: none, the source itself gives it as a supposition or as another's words.
    """

    SLIP = "slip"
    ROUNDING = "rounding"
    MISTRANSLATION = "mistranslation"
    MIXED_UNIT = "mixed-unit"
    UNSUPPORTED_INFERENCE = "unsupported-inference"
    SUPPOSITION = "supposition"


@dataclass(frozen=True)
class Correction:
    """The kind of mistake, and how to quote the claim correctly."""

    mistake: Mistake
    quote: str


def of(one: Judged) -> Correction | None:
    """The correction of a claim; None where its verdict asks for none.

    Raises
    ------
    StoragebookError
        If the verdict asks for one and the table has none, or a figure in it leads nowhere.
    """
    if one.verdict not in ASKED_FOR:
        return None
    quote = _PLACE.sub(lambda match: _figure(one, match[1]), template(one))
    return Correction(Mistake(_row(one)["mistake"]), quote)


def template(one: Judged) -> str:
    """The quote of a claim before its figures are filled in.

    Raises
    ------
    StoragebookError
        If the table has no row of the claim.
    """
    return _row(one)["quote"]


def _row(one: Judged) -> cells.Row:
    rows = cells.rows(TABLE, {"id": one.claim.id})
    if not rows:
        raise StoragebookError(
            f"claim {one.claim.id} is {one.verdict}, and nothing says how to quote it correctly",
            hint=f"add a row to {TABLE}",
        )
    ((_, row),) = rows
    return row


def _figure(one: Judged, name: str) -> str:
    if name == "found" and one.found is not None:
        return in_words(one.found)
    if name == "value":
        value = one.claim.value
        return _grouped(value) if value.isdecimal() else value
    table, _, rest = name.partition("[")
    keys, _, column = rest.partition("].")
    where = dict(pair.split("=", 1) for pair in keys.split(";") if "=" in pair)
    found = [row for _, row in cells.rows(table, where)]
    if len(found) != 1 or column not in found[0]:
        raise StoragebookError(f"{name!r} in {TABLE} names no one cell")
    return _grouped(found[0][column])


def in_words(found: Interval) -> str:
    """An interval in a sentence, in as many digits as it takes to quote it.

    >>> in_words(Interval.at_most(144.71944)), in_words(Interval(92.341, 93.201))
    ('at most 144.8', '92.3 to 93.3')
    >>> in_words(Interval.point(58_551_916_802))
    '58,551,916,802'
    """
    if found.lo == -math.inf:
        return f"at most {_digits(found.hi, ROUND_CEILING)}"
    if found.hi == math.inf:
        return f"at least {_digits(found.lo, ROUND_FLOOR)}"
    lo, hi = (_digits(end, ROUND_HALF_EVEN) for end in (found.lo, found.hi))
    if lo == hi:
        return lo
    lo = _digits(found.lo, ROUND_FLOOR, _RANGE_DIGITS)
    return f"{lo} to {_digits(found.hi, ROUND_CEILING, _RANGE_DIGITS)}"


def _digits(end: End, rounding: str, digits: int = _QUOTED_DIGITS) -> str:
    number = Fraction(end)
    if number.denominator == 1:
        return f"{int(number):,}"
    # whole digits are never dropped
    whole = len(str(abs(int(number))))
    context = Context(prec=max(digits, whole), rounding=rounding)
    rounded = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return _grouped(f"{rounded:f}")


def _grouped(text: str) -> str:
    """A number with its thousands set apart; any other text as it is."""
    if not re.fullmatch(r"\d+(?:\.\d+)?", text):
        return text
    whole, dot, places = text.partition(".")
    places = places.rstrip("0")
    return f"{int(whole):,}{dot if places else ''}{places}"
