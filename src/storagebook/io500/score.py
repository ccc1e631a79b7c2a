"""The IO500 score: geometric means of phases, and what a phase is worth in them.

Bandwidth is the geometric mean of the four IOR phases in GiB/s, metadata that of the seven mdtest
phases and find in kIOP/s, the score the root of their product. Source: the official program and
io500.org's rules.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from storagebook.errors import StoragebookError
from storagebook.intervals import Interval, geomean
from storagebook.io500.phases import EXTENDED, SCORED, Kind, Phase

if TYPE_CHECKING:
    import pandas as pd

V = TypeVar("V")


class Era(StrEnum):
    """What a phase without a result does to the mean.

    ``SINCE_2021_08`` leaves out phases that are not above zero; ``BEFORE_2021_08`` multiplies by
    the zero.
    """

    SINCE_2021_08 = "since-2021-08"
    BEFORE_2021_08 = "before-2021-08"


class Total(StrEnum):
    """How the two means make the score: some files of 2017 to 2019 print their product."""

    ROOT = "root"
    PRODUCT = "product"


@dataclass(frozen=True)
class Score(Generic[V]):
    """The three figures of a list row.

    Attributes
    ----------
    bw_gib_s
        Geometric mean of the bandwidth phases, GiB/s (GiB = 2**30 B).
    md_kiops
        Geometric mean of the metadata phases, kIOP/s.
    score
        The root of their product: no physical quantity.
    """

    bw_gib_s: V
    md_kiops: V
    score: V


def scores(
    values: Mapping[str, float],
    *,
    era: Era | str = Era.SINCE_2021_08,
    total: Total | str = Total.ROOT,
    phases: Iterable[Phase] = SCORED,
) -> Score[float]:
    """Bandwidth, metadata and score of a run, to the last bit of a double.

    Parameters
    ----------
    values
        Phase name (``ior-easy-write``) to GiB/s or kIOP/s; further names are left alone.
    era
        What a phase without a result does: see `Era`.
    total
        Root, or product as some old files print it.
    phases
        The phases that count; `SCORED` and `EXTENDED` together make SCOREX.

    Raises
    ------
    StoragebookError
        If a phase is missing, is not a finite number, is negative where it would count, or if no
        phase of a kind is left.

    Examples
    --------
    >>> run = {p.name: 4.0 if p.kind == "bandwidth" else 9.0 for p in SCORED}
    >>> scores(run)
    Score(bw_gib_s=4.0, md_kiops=9.0, score=6.0)
    """
    points = {name: Interval.point(value) for name, value in _numbers(values, phases).items()}
    exact = score_intervals(points, era=era, total=total, phases=phases)
    return Score(float(exact.bw_gib_s.mid), float(exact.md_kiops.mid), float(exact.score.mid))


def score_intervals(
    values: Mapping[str, Interval],
    *,
    era: Era | str = Era.SINCE_2021_08,
    total: Total | str = Total.ROOT,
    phases: Iterable[Phase] = SCORED,
) -> Score[Interval]:
    """Every score that the printed phases allow.

    Parameters
    ----------
    values
        Phase name to the interval that its printed digits allow (``Interval.of_printed``).
    era, total, phases
        As for `scores`. A phase whose value is not above zero is one whose interval has its middle
        at or below zero.

    Raises
    ------
    StoragebookError
        As `scores`.
    """
    counted = _counted(values, Era(era), tuple(phases))
    bandwidth, metadata = (
        geomean(
            # no rate is below zero, whatever the digits of a tiny one allow
            Interval(max(values[p.name].lo, 0), values[p.name].hi)
            for p in counted
            if p.kind == kind
        )
        for kind in ("bandwidth", "metadata")
    )
    product = bandwidth * metadata
    return Score(bandwidth, metadata, product.root(2) if Total(total) is Total.ROOT else product)


def elasticity(
    phase: str,
    values: Mapping[str, float] | None = None,
    *,
    era: Era | str = Era.SINCE_2021_08,
    total: Total | str = Total.ROOT,
) -> Fraction:
    """By how many per cent the score moves when a phase moves by one, in the limit.

    It is the exponent of the phase in the score: half of a fourth for a bandwidth phase, half of
    an eighth for a metadata phase, whatever the values. Where phases are left out of the mean, the
    others count for more.

    Parameters
    ----------
    phase
        A scored phase.
    values
        The run's phases; all twelve count if it is not given.

    Raises
    ------
    StoragebookError
        If the phase is not a scored one, or is left out of this run's mean; else as `scores`.

    Examples
    --------
    >>> elasticity("ior-hard-write"), elasticity("find")
    (Fraction(1, 8), Fraction(1, 16))
    """
    if phase not in {p.name for p in SCORED}:
        raise StoragebookError(
            f"{phase!r} is no scored phase", hint=f"use one of {', '.join(p.name for p in SCORED)}"
        )
    counted = SCORED
    if values is not None:
        counted = _counted(_numbers(values, SCORED), Era(era), SCORED)
    kinds: dict[str, Kind] = {p.name: p.kind for p in counted}
    if phase not in kinds:
        raise StoragebookError(f"{phase} is left out of this run's mean, so it has no elasticity")
    same_kind = sum(kind == kinds[phase] for kind in kinds.values())
    return Fraction(1, same_kind * (2 if Total(total) is Total.ROOT else 1))


def gain(phase: str, factor: float, values: Mapping[str, float] | None = None) -> float:
    """The factor of the score when one phase is multiplied by `factor`.

    Examples
    --------
    >>> round(gain("ior-hard-write", 1.01), 6)
    1.001245
    """
    if not (math.isfinite(factor) and factor > 0):
        raise StoragebookError(f"a phase is multiplied by a number above zero, not by {factor!r}")
    return float(factor ** elasticity(phase, values))


def needed_factor(phase: str, values: Mapping[str, float], target: float) -> float:
    """What one phase has to be multiplied by, the others unchanged, to reach a score.

    Parameters
    ----------
    phase
        A scored phase that counts in this run.
    values
        The run's phases, GiB/s and kIOP/s.
    target
        The score to reach.

    Raises
    ------
    StoragebookError
        If the target is not a number above zero; else as `elasticity`.
    """
    if not (math.isfinite(target) and target > 0):
        raise StoragebookError(f"a target score is a number above zero, not {target!r}")
    share = elasticity(phase, values)
    return float((target / scores(values).score) ** (1 / share))


def worth(values: Mapping[str, float]) -> pd.DataFrame:
    """What one per cent more in each phase does to the score, and the other way round.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``value``, ``unit``, ``score_gain_pct`` (for one per cent more in the phase),
        ``needed_pct`` (more in the phase for one per cent more score); in running order, phases
        that are left out of the mean are left out here.
    """
    import pandas as pd

    goal = scores(values).score * 1.01
    counted = _counted(_numbers(values, SCORED), Era.SINCE_2021_08, SCORED)
    rows = [
        (
            phase.name,
            values[phase.name],
            phase.unit,
            (gain(phase.name, 1.01, values) - 1) * 100,
            (needed_factor(phase.name, values, goal) - 1) * 100,
        )
        for phase in counted
    ]
    return pd.DataFrame(rows, columns=["phase", "value", "unit", "score_gain_pct", "needed_pct"])


def _counted(values: Mapping[str, Any], era: Era, phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """The phases that enter the means."""
    _all_there(values, phases)
    above = {p.name: _middle(values[p.name]) > 0 for p in phases}
    if era is Era.SINCE_2021_08:
        phases = tuple(p for p in phases if above[p.name])
    negative = [p.name for p in phases if _middle(values[p.name]) < 0]
    if negative:
        raise StoragebookError(f"a rate below zero: {', '.join(negative)}")
    for kind in ("bandwidth", "metadata"):
        if not any(p.kind == kind for p in phases):
            raise StoragebookError(f"no {kind} phase above zero, so no score")
    return phases


def _middle(value: float | Interval) -> float | Fraction:
    return value.mid if isinstance(value, Interval) else value


def _numbers(values: Mapping[str, float], phases: Iterable[Phase]) -> dict[str, float]:
    """The wanted values, once it is sure that each is a number."""
    wanted = tuple(phases)
    _all_there(values, wanted)
    found = {p.name: values[p.name] for p in wanted}
    for name, value in found.items():
        number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not (number and math.isfinite(value)):
            raise StoragebookError(f"{name} is no finite number: {value!r}")
    return found


def _all_there(values: Mapping[str, object], phases: tuple[Phase, ...]) -> None:
    missing = [p.name for p in phases if p.name not in values]
    if missing:
        known = {p.name for p in (*SCORED, *EXTENDED)}
        strange = sorted(str(name) for name in values if name not in known)
        raise StoragebookError(
            f"missing phases: {', '.join(missing)}",
            hint=f"these names are no phases: {', '.join(strange)}" if strange else None,
        )
