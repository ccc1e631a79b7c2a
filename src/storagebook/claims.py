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
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from storagebook import paths, tables, units
from storagebook.compare import Basis, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import End, Interval
from storagebook.quantities import Origin, Quantity

if TYPE_CHECKING:
    import pandas as pd

#: The table of claims, and the table of the verdicts they had when somebody last accepted them.
LEDGER = "claims"
ACCEPTED = "claim-verdicts"

#: "About x" holds within so many per cent, and fails beyond twice as many.
ABOUT_PCT = 5
#: "Nearly x" holds for what is at most so many per cent below x, and fails beyond twice as many.
NEARLY_PCT = 10


class Kind(StrEnum):
    NUMBER = "number"
    INFERENCE = "inference"


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


class Reason(StrEnum):
    """Why a claim has no check."""

    NO_INPUTS = "no-inputs"
    PICTURE_ONLY = "picture-only"
    NOT_PUBLIC = "not-public"


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
#: claim has to keep; ``partial``: what is known of it, the rest is unknown.
Nature = Literal["digits", "limit", "partial"]


@dataclass(frozen=True)
class Evidence:
    """What a check found for a number."""

    quantity: Quantity
    nature: Nature = "digits"
    remark: str = ""


@dataclass(frozen=True)
class Fact:
    """A statement and whether it is so; None if nothing tells."""

    text: str
    holds: bool | None
    origins: frozenset[Origin] = frozenset()


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


Finding: TypeAlias = Evidence | Argument


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
        return Verdict.CONTRADICTED
    if nature == "limit":
        return Verdict.CONSISTENT
    holds = claim.holds_for(found)
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


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A row of the ledger, its cell looked up.

    Attributes
    ----------
    id
        Stable, e.g. ``000-md-over-helma``.
    source, section, line
        Where it stands: the id in data/sources.csv, the section, the line of its text.
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
    section: str
    line: int
    kind: Kind
    system: str
    quantity: str
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
    def locator(self) -> str:
        return f"{self.source}, section {self.section}, line {self.line}"

    @property
    def reading(self) -> Reading:
        return reading(self.value, self.qualifier)


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict.

    Attributes
    ----------
    recomputed
        What the check found, in the claim's unit; empty where there is nothing to compute.
    evidence
        The arithmetic and where its inputs come from, or the reason why there is none.
    """

    claim: Claim
    verdict: Verdict
    recomputed: str = ""
    evidence: str = ""

    def record(self) -> dict[str, str]:
        """The row of ``storagebook claims --format json``."""
        claim = self.claim
        return {
            "id": claim.id,
            "source": claim.source,
            "locator": f"section {claim.section}, line {claim.line}",
            "system": claim.system,
            "quantity": claim.quantity,
            "value": claim.value,
            "unit": claim.unit,
            "basis": claim.basis or "",
            "obtained": claim.obtained,
            "check": claim.check,
            "recomputed": self.recomputed,
            "verdict": self.verdict,
            "evidence": self.evidence,
            "note": claim.note,
        }


# -- cells


@dataclass(frozen=True)
class Cell:
    """One number of a quoted or derived table."""

    pointer: str
    table: str
    row: int
    column: str
    text: str
    unit: str
    qualifier: Qualifier
    basis: Basis | None
    obtained: Obtained
    source: str
    section: str
    line: int | None
    printed: str
    derived: bool

    def quantity(self) -> Quantity:
        """The figure as an input: as much as its print allows, a count exactly."""
        read = reading(self.text, self.qualifier)
        whole = self.unit == "1" and "." not in self.text and not read.approximate
        value = Interval.point(read.strict.mid) if whole else read.loose
        if self.derived:
            # derived tables hold a tool's output, which prints so many places always
            value = Interval.point(read.strict.mid) if whole else read.strict
        text = self.text if self.unit == "1" else f"{self.text} {self.unit}"
        origin: Origin = "raw-output" if self.derived else "documents"
        return Quantity(value, self.unit, text, read.approximate, frozenset({origin}))


_POINTER = re.compile(r"(?P<table>[\w-]+)\[(?P<keys>[^\]]+)\]\.(?P<column>\w+)")


def cell(pointer: str) -> Cell:
    """Look up ``table[key=value; key=value].column``.

    Raises
    ------
    StoragebookError
        If the pointer is malformed or does not name exactly one number.
    """
    match = _POINTER.fullmatch(pointer)
    if match is None:
        raise StoragebookError(
            f"no cell pointer: {pointer!r}", hint="write table[key=value].column"
        )
    table, column = match["table"], match["column"]
    printed = tables.printed(table)
    chosen = printed.index == printed.index
    for pair in match["keys"].split(";"):
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or key not in printed.columns:
            raise StoragebookError(f"no cell {pointer!r}: {key!r} is no column of {table}")
        chosen &= printed[key].to_numpy() == value.strip()
    rows = printed[chosen]
    if len(rows) != 1 or column not in printed.columns:
        raise StoragebookError(f"no cell {pointer!r}: {len(rows)} rows, column {column!r}")
    row = rows.iloc[0]
    if not row[column]:
        raise StoragebookError(f"no cell {pointer!r}: it is blank")
    return _cell(pointer, table, int(rows.index[0]), column, row)


def _cell(pointer: str, table: str, index: int, column: str, row: pd.Series) -> Cell:
    described = tables.resource(table)
    fields = {f["name"]: f for f in described["schema"]["fields"]}
    about = fields[column]
    unit = row[about["unitColumn"]] if "unitColumn" in about else about.get("unit", "1")
    basis = row.get("basis") or about.get("basis") or described.get("basis")
    source = (described.get("sources") or [{}])[0].get("id", "")
    return Cell(
        pointer=pointer,
        table=table,
        row=index,
        column=column,
        text=row[column],
        unit=unit,
        qualifier=Qualifier(row.get("qualifier") or "plain"),
        basis=Basis(basis) if basis else None,
        obtained=Obtained(row.get("obtained") or described.get("obtained") or "unknown"),
        source=source,
        section=row.get("section", ""),
        line=int(row["line"]) if row.get("line") else None,
        printed=row.get("printed") or row[column],
        derived=described["path"].startswith("derived/"),
    )


# -- checks


class Inputs:
    """What a check may read: tables, but not the number that it checks.

    Every reading is checked against the claim: its own cell, and any cell that was transcribed
    from the same place and holds the same number, is refused.
    """

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._home = cell(claim.cell) if claim.cell else None
        self.used: list[Cell] = []

    def __call__(self, pointer: str) -> Quantity:
        """A table cell as a figure."""
        found = cell(pointer)
        self._allow(found)
        self.used.append(found)
        return found.quantity()

    def column(self, table: str, column: str, **where: str) -> list[Quantity]:
        """The figures of a column, top to bottom, of the rows that fit; blank cells left out."""
        printed = tables.printed(table)
        for key, value in where.items():
            printed = printed[printed[key] == value]
        found = [
            _cell(f"{table}.{column}", table, int(index), column, row)
            for index, row in printed.iterrows()
            if row[column]
        ]
        for one in found:
            self._allow(one)
        self.used.extend(found)
        return [one.quantity() for one in found]

    def words(self, table: str, column: str, **where: str) -> list[str]:
        """The text of a column, of the rows that fit."""
        printed = tables.printed(table)
        for key, value in where.items():
            printed = printed[printed[key] == value]
        return list(printed[column])

    def _allow(self, found: Cell) -> None:
        claim, home = self._claim, self._home
        own = home is not None and _place_of(found) == _place_of(home)
        here = (found.source, found.line) == (claim.source, claim.line)
        same = found.text.replace(",", "") == claim.value.replace(",", "")
        if own or (here and same):
            raise StoragebookError(f"reads the number that it checks, in {found.table}")


def _place_of(one: Cell) -> tuple[str, int, str]:
    return one.table, one.row, one.column


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
    return [_claim(row) for _, row in tables.printed(LEDGER).iterrows()]


def _claim(row: pd.Series) -> Claim:
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
        home = cell(values["cell"])
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
    recomputed = found.quantity.to(claim.unit)
    decided = judge(claim.reading, recomputed.value, found.nature, loosely=recomputed.approximate)
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    origins = _from(recomputed.origins)
    places = ", ".join(dict.fromkeys(_place(one) for one in inputs.used))
    said = f"{origins}: {recomputed.text}"
    if recomputed.rank < Quantity.rank or str(recomputed.value) not in recomputed.text:
        said += f" = {recomputed.value}{unit}"
    evidence = "; ".join(part for part in (said, places, found.remark) if part)
    return Judged(claim, decided, str(recomputed.value), evidence)


def _judged_inference(claim: Claim, found: Argument) -> Judged:
    words = {True: "so", False: "not so", None: "not known"}
    facts = [*found.needs, *found.counter]
    said = "; ".join(f"{fact.text}: {words[fact.holds]}" for fact in facts)
    origins = frozenset().union(*(fact.origins for fact in facts))
    return Judged(claim, judge_inference(found), evidence=f"{_from(origins)}: {said}")


def _from(origins: frozenset[Origin]) -> str:
    return {
        frozenset(): "from the definition",
        frozenset({"raw-output"}): "from raw output",
        frozenset({"documents"}): "from the documents' own figures",
    }.get(origins, "from raw output and the documents' figures")


def _place(used: Cell) -> str:
    return f"{used.table}, line {used.line}" if used.line else used.table


def ledger() -> list[Judged]:
    """Every claim with its verdict, in the ledger's order."""
    return [verdict(claim) for claim in load()]


def moved(judged: Sequence[Judged]) -> list[tuple[str, str, str]]:
    """What is no longer as accepted: id, accepted verdict, verdict; "" where there is none."""
    accepted = tables.printed(ACCEPTED)
    before = dict(zip(accepted["id"], accepted["verdict"], strict=True))
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
