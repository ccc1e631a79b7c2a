"""The ledger: every quoted number and inference, its check, its computed verdict.

A row says what a source claims and where. A check recomputes it, from raw output where there is
some, from the source's own inputs otherwise, and never from the row that it checks. The verdict
follows from the two intervals; nobody types it.
"""

from __future__ import annotations

import importlib
import math
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from storagebook import cells, paths, tables, units
from storagebook.cells import Cell, Row
from storagebook.compare import Basis, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.quantities import DOCUMENTS, RAW, Origin, Quantity
from storagebook.verdicts import (
    Argument,
    Nature,
    Qualifier,
    Reading,
    Verdict,
    judge,
    judge_inference,
    reading,
)

#: The table of claims, and the table of the verdicts they had when somebody last accepted them.
LEDGER = "claims"
ACCEPTED = "claim-verdicts"

#: What ``storagebook claims`` gives of each claim.
COLUMNS = (
    "id",
    "source",
    "locator",
    "system",
    "quantity",
    "value",
    "unit",
    "basis",
    "obtained",
    "check",
    "recomputed",
    "verdict",
    "evidence",
    "note",
)

# Digits shown beyond the claim's own.
_MORE_DIGITS = 3


class Kind(StrEnum):
    NUMBER = "number"
    INFERENCE = "inference"


class Reason(StrEnum):
    """Why a claim has no check.

    ``picture-only``: the text points to a picture that shows it. ``not-public``: it was measured in
    a run, or follows from what was, and no public output of that run is at hand. ``no-inputs``: a
    size, a count, a setting or an outlook that its source states, and nothing else gives.
    """

    NO_INPUTS = "no-inputs"
    PICTURE_ONLY = "picture-only"
    NOT_PUBLIC = "not-public"


@dataclass(frozen=True)
class Evidence:
    """What a check found for a number."""

    quantity: Quantity
    nature: Nature = "digits"
    remark: str = ""


Finding: TypeAlias = Evidence | Argument


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A row of the ledger, its cell looked up.

    Attributes
    ----------
    id
        Stable, e.g. ``000-md-over-helma``.
    source, section, line
        Where it stands: the id in data/sources.csv, the section (empty where a source has none),
        the line of its text.
    system, quantity
        Of what, in the field's words; for an inference the statement.
    printed
        The source's own words that hold it.
    value, unit, qualifier
        The numeral, its unit, and how far the source commits itself. Empty for an inference.
    cell
        The table cell that is the number's home, if it has one there.
    check
        Name and arguments of a check; empty if `reason` says why there is none.
    """

    id: str
    source: str
    line: int
    kind: Kind
    system: str
    quantity: str
    section: str = ""
    printed: str = ""
    value: str = ""
    unit: str = ""
    qualifier: Qualifier = Qualifier.PLAIN
    basis: Basis | None = None
    obtained: Obtained = Obtained.UNKNOWN
    cell: str = ""
    check: str = ""
    reason: Reason | None = None
    note: str = ""

    @property
    def place(self) -> str:
        """Where in its source it stands."""
        section = f"section {self.section}, " if self.section else ""
        return f"{section}line {self.line}"

    @property
    def locator(self) -> str:
        return f"{self.source}, {self.place}"

    @property
    def reading(self) -> Reading:
        return reading(self.value, self.qualifier)


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict.

    Attributes
    ----------
    found
        What the check found, in the claim's unit; None where there is nothing to compute.
    recomputed
        The same as text; empty where there is none.
    evidence
        The arithmetic and where its inputs come from, or the reason why there is none.
    argument
        Of an inference: the facts that the check found.
    """

    claim: Claim
    verdict: Verdict
    found: Interval | None = None
    recomputed: str = ""
    evidence: str = ""
    argument: Argument | None = None

    def record(self) -> dict[str, str]:
        """The row of ``storagebook claims --format json``."""
        claim = self.claim
        values = (
            claim.id,
            claim.source,
            claim.place,
            claim.system,
            claim.quantity,
            claim.value,
            claim.unit,
            claim.basis or "",
            claim.obtained,
            claim.check,
            self.recomputed,
            self.verdict,
            self.evidence,
            claim.note,
        )
        return {name: str(value) for name, value in zip(COLUMNS, values, strict=True)}


# -- checks


class Inputs:
    """What a check may read: tables, but not the number that it checks.

    Every figure is held against the claim: its own cell, and any cell that was transcribed from
    the same place and holds the same number, is refused, unless it is another row's home and quotes
    other words: then the line has the number twice.
    """

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._home = cells.cell(claim.cell).place if claim.cell else None
        self.used: list[Cell] = []

    def __call__(self, pointer: str, *, exact: bool = False) -> Quantity:
        """The figure that a pointer names; with `exact` its digits as printed."""
        return self._take(cells.cell(pointer), exact=exact)

    def column(self, table: str, column: str, **where: str) -> list[Quantity]:
        """The figures of a column, top to bottom, in the rows that fit; blank cells left out."""
        return [self._take(one) for one in cells.column(table, column, where)]

    def rows(self, table: str, **where: str) -> list[Row]:
        """The rows that fit, as text, for what is no figure."""
        return [row for _, row in cells.rows(table, where)]

    def row(self, table: str, **where: str) -> Row:
        """The one row that fits."""
        found = self.rows(table, **where)
        if len(found) != 1:
            raise StoragebookError(f"{len(found)} rows of {table} fit {where}, not one")
        return found[0]

    def _take(self, found: Cell, *, exact: bool = False) -> Quantity:
        claim = self._claim
        here = (found.source, found.line) == (claim.source, claim.line)
        same = found.text.replace(",", "") == claim.value.replace(",", "")
        if found.place == self._home or (here and same and not self._said_again(found)):
            raise StoragebookError(f"reads the number that it checks, in {found.table}")
        self.used.append(found)
        return found.quantity(exact=exact)

    def _said_again(self, found: Cell) -> bool:
        own, other = self._claim.printed, found.printed
        return bool(own) and own not in other and other not in own and found.place in _homes()


def _homes() -> set[tuple[str, int, str]]:
    """The cells that rows of the ledger are about."""
    return {cells.cell(row["cell"]).place for _, row in cells.rows(LEDGER, {}) if row["cell"]}


Check: TypeAlias = Callable[..., Finding]
_CHECKS: dict[str, Check] = {}


def check(name: str) -> Callable[[Check], Check]:
    """Register a function as the check of that name.

    It takes `Inputs`, then the arguments that the ledger gives it as text, and returns `Evidence`
    for a number or an `Argument` for an inference.
    """

    def register(function: Check) -> Check:
        if name in _CHECKS:
            raise ValueError(f"two checks are called {name}")
        _CHECKS[name] = function
        return function

    return register


def checks() -> dict[str, Check]:
    """Every check by name."""
    # importing the package registers them
    importlib.import_module("storagebook.checks")
    return dict(_CHECKS)


# -- the ledger


def load() -> list[Claim]:
    """The claims in the ledger's order, each with its cell looked up.

    Raises
    ------
    StoragebookError
        If the table breaks its schema, a row says too little or two things, or a pointer leads
        nowhere; names the row.
    """
    return [_claim(row) for _, row in cells.rows(LEDGER, {})]


def _claim(row: Row) -> Claim:
    try:
        return _resolved({name: value for name, value in row.items() if value})
    except (StoragebookError, ValueError) as error:
        what = error.what if isinstance(error, StoragebookError) else error
        raise StoragebookError(f"claim {row['id']}: {what}") from None


def _resolved(given: dict[str, str]) -> Claim:
    values: dict[str, Any] = dict(given)
    kind = Kind(values["kind"])
    if bool(values.get("check")) == bool(values.get("reason")):
        raise StoragebookError("wants a check, or a reason why there is none")
    if "cell" in values:
        own = ("source", "section", "line", "printed", "value", "unit", "qualifier")
        twice = [name for name in own if name in values]
        if twice:
            raise StoragebookError(f"has both a cell and {', '.join(twice)}")
        home = cells.cell(values["cell"])
        values |= {
            "source": home.source,
            "section": home.section,
            "line": str(home.line),
            "printed": home.printed,
            "value": home.text,
            "unit": home.unit,
            "qualifier": home.qualifier,
            "basis": values.get("basis") or home.basis,
            "obtained": home.obtained,
        }
    if kind is Kind.NUMBER:
        lacking = [name for name in ("value", "unit", "basis") if not values.get(name)]
        if lacking:
            raise StoragebookError(f"lacks {', '.join(lacking)}")
        units.canonical(values["unit"])
    elif values.get("value"):
        raise StoragebookError("an inference has no value")
    return Claim(
        **{
            **values,
            "kind": kind,
            "line": int(values["line"]),
            "qualifier": Qualifier(values.get("qualifier") or "plain"),
            "basis": Basis(values["basis"]) if values.get("basis") else None,
            "obtained": Obtained(values.get("obtained") or "unknown"),
            "reason": Reason(values["reason"]) if values.get("reason") else None,
        }
    )


def verdict(claim: Claim) -> Judged:
    """Run the check of a claim.

    Raises
    ------
    StoragebookError
        If there is no such check, it reads what it may not, or finds the wrong kind of thing.
    """
    if claim.reason is not None:
        return Judged(claim, Verdict.NOT_RECOMPUTABLE, evidence=claim.reason)
    name, *arguments = shlex.split(claim.check)
    known = checks()
    if name not in known:
        raise StoragebookError(f"claim {claim.id}: no check {name!r}")
    inputs = Inputs(claim)
    try:
        found = known[name](inputs, *arguments)
        if isinstance(found, Argument) != (claim.kind is Kind.INFERENCE):
            raise StoragebookError(f"the check found {type(found).__name__} for a {claim.kind}")
        return (
            _judged_inference(claim, found)
            if isinstance(found, Argument)
            else _judged_number(claim, found, inputs)
        )
    except (StoragebookError, TypeError, ZeroDivisionError) as error:
        what = error.what if isinstance(error, StoragebookError) else error
        raise StoragebookError(f"claim {claim.id}, check {name}: {what}") from error


def _judged_number(claim: Claim, found: Evidence, inputs: Inputs) -> Judged:
    result = found.quantity.to(claim.unit)
    decided = judge(claim.reading, result.value, found.nature, loosely=result.approximate)
    recomputed = _recomputed(claim.value, result.value)
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    arithmetic = result.text
    if result.value.lo == -math.inf or result.value.hi == math.inf:
        arithmetic += f": {recomputed.replace('≤', 'at most').replace('≥', 'at least')}{unit}"
        if decided is Verdict.CONSISTENT and not claim.reading.is_bound:
            arithmetic += ", which the claim keeps; no more can be tested"
    elif result.rank != Quantity.rank:
        arithmetic += f" = {recomputed}{unit}"
    places = _places(inputs.used)
    said = (f"{_from(result.origins)}: {arithmetic}", places, found.remark)
    return Judged(
        claim, decided, result.value, recomputed, "; ".join(part for part in said if part)
    )


def _recomputed(numeral: str, found: Interval) -> str:
    """As many digits as it takes to judge the numeral; both ends where they differ in those."""
    if found.is_point or not found.is_finite:
        return str(found)
    digits = len(re.sub(r"[eE].*|\D", "", numeral).lstrip("0")) + _MORE_DIGITS
    ends = {f"{float(end):.{digits}g}" for end in (found.lo, found.hi)}
    return ends.pop() if len(ends) == 1 and not any("e" in end for end in ends) else str(found)


def _judged_inference(claim: Claim, found: Argument) -> Judged:
    said = [
        f"{role} {fact.text} – {fact.outcome}"
        for role, facts in (("needs that", found.needs), ("refuted if", found.counter))
        for fact in facts
    ]
    origins = frozenset().union(*(fact.origins for fact in (*found.needs, *found.counter)))
    text = f"{_from(origins)} — {'; '.join(said)}"
    return Judged(claim, judge_inference(found), evidence=text, argument=found)


def _from(origins: frozenset[Origin]) -> str:
    return {
        frozenset(): "from the definition",
        RAW: "from raw output",
        DOCUMENTS: "from the documents' own figures",
    }.get(origins, "from raw output and the documents' figures")


def _places(used: Sequence[Cell]) -> str:
    """Where the figures stand: each table once, its lines as ranges."""
    lines: dict[str, set[int]] = {}
    for one in used:
        # a line of the ledger is one of the source that its row names
        table = f"source {one.source}" if one.table == LEDGER else one.table
        lines.setdefault(table, set()).update([one.line] if one.line else [])
    return ", ".join(
        f"{table}, line{'s' * (len(own) > 1)} {_ranges(sorted(own))}" if own else table
        for table, own in lines.items()
    )


def _ranges(numbers: Sequence[int]) -> str:
    """Whole numbers in rising order, neighbours drawn together.

    >>> _ranges([3, 5, 6, 7])
    '3, 5–7'
    """
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    pairs = zip(starts, ends, strict=True)
    return ", ".join(str(lo) if lo == hi else f"{lo}–{hi}" for lo, hi in pairs)


def ledger() -> list[Judged]:
    """Every claim with its verdict, in the ledger's order."""
    return [verdict(claim) for claim in load()]


def moved(judged: Sequence[Judged]) -> list[tuple[str, str, str]]:
    """What is no longer as accepted: id, accepted verdict, verdict; "" where there is none."""
    before = {row["id"]: row["verdict"] for _, row in cells.rows(ACCEPTED, {})}
    now = {one.claim.id: str(one.verdict) for one in judged}
    return [
        (name, before.get(name, ""), now.get(name, ""))
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    ]


def accept() -> list[tuple[str, str, str]]:
    """Write the present verdicts as the accepted ones; what moved, as `moved` gives it."""
    judged = ledger()
    changes = moved(judged)
    rows = ["id,verdict", *(f"{one.claim.id},{one.verdict}" for one in judged)]
    file = paths.data() / tables.resource(ACCEPTED)["path"]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    tables.rehash()
    return changes
