"""What may be compared with what.

A ratio of two figures is an act that can be refused. What measures different things, and what a
benchmark's owner forbids, is refused and cannot be overridden; every other difference between the
two is named, and the name stands beside the ratio. Unknown is not equal to unknown.

Sources: the IO500 messaging policy (2026) and the MLCommons messaging guidelines.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from storagebook import units
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval, percent_change


class Basis(StrEnum):
    """What kind of number a figure is."""

    THEORETICAL_PEAK = "theoretical-peak"
    BENCHMARK_SCORE = "benchmark-score"
    SINGLE_PHASE = "single-phase"
    APPLICATION = "application"
    MICROBENCHMARK = "microbenchmark"
    VENDOR_STATEMENT = "vendor-statement"
    CONFIGURATION = "configuration"
    DERIVED = "derived"


class Obtained(StrEnum):
    """How a figure came to be known."""

    RAW_OUTPUT = "raw-output"
    PUBLISHED_TABLE = "published-table"
    PROSE = "prose"
    COMPUTED = "computed"
    UNKNOWN = "unknown"


IO500 = "io500"
MLPERF_STORAGE = "mlperf-storage"

_IO500_POLICY = "IO500 messaging policy"
_MLPERF_POLICY = "MLCommons messaging guidelines"
_BOOK_RULE = "this book's rule"
_POLICIES = {IO500: _IO500_POLICY, MLPERF_STORAGE: _MLPERF_POLICY}

#: A limit by design is measured by no benchmark, so it may stand under a measured figure.
NOT_MEASURED = frozenset({Basis.THEORETICAL_PEAK, Basis.CONFIGURATION})


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number and what has to be known before it is compared.

    Attributes
    ----------
    name
        What to call it in a sentence.
    value
        The interval that its printed digits allow; a bare number becomes a point.
    unit
        A unit that `units` knows.
    basis, obtained
        Closed lists: `Basis`, `Obtained`.
    benchmark
        ``io500``, ``mlperf-storage``, ``ior`` …; None where unknown or where there is none.
    metric
        The phase, score or workload that was measured: ``ior-easy-write``, ``score``, ``unet3d``.
    run
        What names one run among all, for figures of one run.
    others
        None means unknown, and is shown as such.
    """

    name: str
    value: Interval
    unit: str
    basis: Basis
    obtained: Obtained = Obtained.UNKNOWN
    benchmark: str | None = None
    metric: str | None = None
    system: str | None = None
    run: str | None = None
    list: str | None = None
    release: str | None = None
    redundancy: str | None = None
    clients: int | None = None
    servers: int | None = None
    version: str | None = None
    division: str | None = None
    category: str | None = None
    accelerator: str | None = None
    accelerators: int | None = None
    verified: bool | None = None
    submitter: str | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.value, Interval):
            object.__setattr__(self, "value", Interval.point(self.value))
        object.__setattr__(self, "unit", units.canonical(self.unit))
        object.__setattr__(self, "basis", Basis(self.basis))
        object.__setattr__(self, "obtained", Obtained(self.obtained))

    def per_server(self) -> Figure:
        """The same for each server: this book's own figure, no benchmark's.

        Raises
        ------
        StoragebookError
            If the number of servers is unknown.
        """
        if not self.servers:
            raise StoragebookError(f"{self.name}: the number of servers is unknown")
        return dataclasses.replace(
            self,
            name=f"{self.name} per server",
            value=self.value / self.servers,
            metric=f"{self.metric} per server",
            basis=Basis.DERIVED,
            obtained=Obtained.COMPUTED,
            # no list has such a column
            verified=False,
        )

    def standing(self) -> str:
        """How its benchmark's owner wants the result to be called; empty for other benchmarks."""
        if self.benchmark == IO500:
            if self.verified:
                where = " ".join(part for part in (self.release, self.list) if part)
                return f"verified ({where} list)" if where else "verified"
            return "unverified"
        if self.benchmark == MLPERF_STORAGE and not self.verified:
            return "Result not verified by MLCommons Association."
        return ""


@dataclass(frozen=True)
class Caveat:
    """One named difference between two figures.

    Attributes
    ----------
    aspect
        What differs: ``redundancy``, ``clients`` …
    a, b
        Both sides as text; None where unknown.
    """

    aspect: str
    a: str | None
    b: str | None

    def __str__(self) -> str:
        if self.a is None and self.b is None:
            return f"{self.aspect} unknown on both sides"
        return f"{self.aspect}: {self.a or 'unknown'} against {self.b or 'unknown'}"


class Refused(StoragebookError):  # noqa: N818 - an answer more than an error
    """A comparison that is not made.

    Attributes
    ----------
    rule
        A stable code: ``unit-kind``, ``benchmark``, ``metric``, ``list``, ``mlperf-other``,
        ``mlperf-version``, ``other-run``, ``other-system``, ``other-act``.
    policy
        Who asks for it.
    """

    def __init__(self, rule: str, policy: str, reason: str) -> None:
        self.rule, self.policy = rule, policy
        super().__init__(f"not compared ({rule}): {reason}", hint=policy)


Act = Literal["comparison", "study", "within-run"]

_LABELS: dict[Act, str] = {
    "comparison": "",
    "study": "unverified analysis of one installation's published files; no ranking across lists",
    "within-run": "two phases of one run; no comparison of systems",
}


@dataclass(frozen=True)
class Comparison:
    """A ratio and everything that has to stand beside it.

    Attributes
    ----------
    a, b
        The figures.
    act
        ``comparison``, ``study`` or ``within-run``: see `ratio`, `study`, `within_run`.
    ratio
        a over b in one unit, as an interval.
    caveats
        The named differences.
    """

    a: Figure
    b: Figure
    act: Act
    ratio: Interval
    caveats: tuple[Caveat, ...]

    @property
    def change_pct(self) -> Interval:
        """From b to a, in per cent of b."""
        return percent_change(Interval.point(1), self.ratio)

    @property
    def label(self) -> str:
        """What kind of act this is, where it is not a plain comparison."""
        return _LABELS[self.act]

    def beside(self) -> str:
        """The text that stands beside the ratio: what the figures are, and what differs."""
        sides = [
            f"{figure.name}: {figure.standing()}"
            for figure in (self.a, self.b)
            if figure.standing()
        ]
        differences = [str(caveat) for caveat in self.caveats]
        return "; ".join(part for part in (self.label, *sides, *differences) if part)


def shared(besides: Sequence[str]) -> tuple[str, list[str]]:
    """What stands beside every one of some ratios, and what stands beside each alone.

    Parameters
    ----------
    besides
        What `Comparison.beside` gives for each.

    Examples
    --------
    >>> shared(["no ranking; clients: 3 against 1", "no ranking; clients: 2 against 1"])
    ('no ranking', ['clients: 3 against 1', 'clients: 2 against 1'])
    """
    parts = [text.split("; ") for text in besides]
    common = [part for part in parts[0] if all(part in own for own in parts)] if parts else []
    alone = ["; ".join(part for part in own if part not in common) for own in parts]
    return "; ".join(common), alone


def ratio(a: Figure, b: Figure) -> Comparison:
    """One result over another.

    Raises
    ------
    Refused
        If the two measure different things, or a benchmark's owner forbids it.
    """
    refusal = why_not(a, b)
    if refusal is not None:
        raise refusal
    return _compared(a, b, "comparison")


def within_run(a: Figure, b: Figure) -> Comparison:
    """One phase of a run over another of the same run.

    Raises
    ------
    Refused
        If the run is unknown or not the same, or the units are of different kinds.
    """
    if a.run is None or a.run != b.run:
        raise Refused(
            "other-run", _BOOK_RULE, f"phases are compared within one run, not {a.run} and {b.run}"
        )
    other_kind = _other_kind(a, b)
    if other_kind is not None:
        raise other_kind
    return _compared(a, b, "within-run")


def study(a: Figure, b: Figure) -> Comparison:
    """Two published IO500 results of one installation, to learn what a setting costs.

    It may reach across lists, because it ranks nothing: it is labelled as unverified analysis, and
    the list of each result is named, or said to be unknown where no source states it.

    Raises
    ------
    Refused
        If the installation is unknown or not the same, the source of either result is unknown, or
        the results are not of one IO500 metric.
    """
    if a.system is None or a.system != b.system:
        raise Refused(
            "other-system", _IO500_POLICY, f"{a.system} and {b.system} are not one installation"
        )
    if a.benchmark != IO500 or b.benchmark != IO500:
        raise Refused("other-act", _BOOK_RULE, "only published IO500 results are studied so")
    unnamed = [figure.name for figure in (a, b) if figure.source is None]
    if unnamed:
        raise Refused("other-act", _BOOK_RULE, f"no source named: {', '.join(unnamed)}")
    refusal = why_not(a, dataclasses.replace(b, list=a.list))
    if refusal is not None:
        raise refusal
    return _compared(a, b, "study")


def why_not(a: Figure, b: Figure) -> Refused | None:
    """Why two figures are not compared, or None if they may be."""
    other_kind = _other_kind(a, b)
    if other_kind is not None:
        return other_kind
    if {a.basis, b.basis} & NOT_MEASURED:
        return _limit_of_another(a, b)
    if MLPERF_STORAGE in (a.benchmark, b.benchmark):
        if a.benchmark != b.benchmark:
            return Refused(
                "mlperf-other",
                _MLPERF_POLICY,
                f"{a.name} and {b.name}: an MLPerf result is compared with MLPerf results only",
            )
        if a.version is None or a.version != b.version:
            return Refused(
                "mlperf-version",
                _MLPERF_POLICY,
                f"MLPerf Storage {a.version or 'of unknown version'} and "
                f"{b.version or 'of unknown version'} are not assumed compatible",
            )
    if a.benchmark and b.benchmark and a.benchmark != b.benchmark:
        return Refused(
            "benchmark", _BOOK_RULE, f"{a.benchmark} and {b.benchmark} are two benchmarks"
        )
    if a.metric and b.metric and a.metric != b.metric:
        return Refused("metric", _BOOK_RULE, f"{a.metric} and {b.metric} are two measurements")
    if a.benchmark == b.benchmark == IO500 and a.list and b.list and a.list != b.list:
        return Refused(
            "list", _IO500_POLICY, f"the {a.list} and the {b.list} list have other rules"
        )
    return None


def _limit_of_another(a: Figure, b: Figure) -> Refused | None:
    """An IO500 or MLPerf result under the limit of a system that is not its own."""
    owned = next((f for f in (a, b) if f.benchmark in _POLICIES), None)
    if owned is None or a.system is None or b.system is None or a.system == b.system:
        return None
    return Refused(
        "other-system",
        _POLICIES[owned.benchmark or ""],
        f"{a.name} and {b.name}: a benchmark result stands under the limit of its own system only",
    )


def _other_kind(a: Figure, b: Figure) -> Refused | None:
    if units.same_kind(a.unit, b.unit):
        return None
    return Refused("unit-kind", _BOOK_RULE, f"{a.unit} and {b.unit} measure different things")


def _compared(a: Figure, b: Figure, act: Act) -> Comparison:
    in_one_unit = units.convert(a.value, a.unit, b.unit)
    caveats = () if act == "within-run" else tuple(_caveats(a, b))
    return Comparison(a, b, act, in_one_unit / b.value, caveats)


def _caveats(a: Figure, b: Figure) -> Iterator[Caveat]:
    for aspect in ("basis", "obtained", *_aspects(a, b)):
        left, right = _said(getattr(a, aspect)), _said(getattr(b, aspect))
        if left is None or left != right:
            yield Caveat(aspect, left, right)


def _aspects(a: Figure, b: Figure) -> tuple[str, ...]:
    """What can differ between results of these benchmarks, and has to be named if it does."""
    own: tuple[str, ...] = ("redundancy", "clients", "servers", "version")
    if IO500 in (a.benchmark, b.benchmark):
        own = ("list", "release", "verified", *own)
    if MLPERF_STORAGE in (a.benchmark, b.benchmark):
        own = ("division", "category", "accelerator", "accelerators", "verified", *own)
    return tuple(dict.fromkeys(("benchmark", "metric", *own)))


def _said(value: object) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value in (None, Obtained.UNKNOWN) else str(value)
