"""Bandwidth from accelerators, accelerators from bandwidth, and what a vendor's "GB" must mean.

Accelerators times their demand at full utilisation, times the utilisation, is the bandwidth that
they read with, were it not for the start of each epoch: utilisation leaves it out, samples a second
do not. How much that takes is not known beforehand. It is taken from the public runs, workload by
workload, as the interval of what was measured over what was predicted, and every answer here is an
interval as well.

The smallest and the largest public ratio are its ends. A result outside is possible, but would be
the first of its kind; where both readings of a unit lie inside, the answer is ``undecided``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from storagebook import tables
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval, Operand
from storagebook.mlperf.workloads import Demand, demand

#: The public v1.0 results, derived from their files by `derive`.
TABLE = "mlperf-storage-v10"
#: What "GB/s" has stood for in public texts, each in GiB/s.
MEANINGS: dict[str, Fraction] = {
    "GiB/s": Fraction(1),
    "GB/s": Fraction(10**9, 2**30),
    # the files' MiB/s, counted in thousands
    "MiB/s in 1000s": Fraction(1000, 1024),
}
#: The two that `which_unit` tells apart unless told otherwise.
UNITS = ("GiB/s", "GB/s")


@dataclass(frozen=True)
class Calibration:
    """Measured over predicted bandwidth of the public results of one workload.

    Attributes
    ----------
    workload
        Name of the workload.
    results
        How many public results it rests on.
    ratio
        From the smallest to the largest.
    median
        Half of the results lie on either side.
    lowest, highest
        Which results the ends are.
    """

    workload: str
    results: int
    ratio: Interval
    median: float
    lowest: str
    highest: str


@dataclass(frozen=True)
class UnitReading:
    """Which unit a bandwidth must have been printed in.

    Attributes
    ----------
    answer
        The one unit that fits; ``undecided`` if several do, ``neither`` if none does.
    ratios
        Measured over predicted bandwidth under each unit.
    calibration
        What the ratios are held against.
    """

    answer: str
    ratios: dict[str, Interval]
    calibration: Calibration


def calibration(workload: str) -> Calibration:
    """What the public v1.0 results say about a workload.

    Raises
    ------
    StoragebookError
        If no public result at hand is of that workload.
    """
    found = _calibrations().get(workload.lower())
    if found is None:
        raise StoragebookError(
            f"no public result at hand calibrates {workload}",
            hint=f"calibrated are {', '.join(sorted(_calibrations()))}",
        )
    return found


@functools.cache
def _calibrations() -> dict[str, Calibration]:
    table = tables.load(TABLE)
    predicted = [
        count * demand(workload, accelerator).gib_s * au / 100
        for workload, accelerator, count, au in zip(
            table["workload"],
            table["accelerator"],
            table["accelerators_count"],
            table["au_mean_pct"],
            strict=True,
        )
    ]
    table = table.assign(ratio=table["bandwidth_gib_s"] / predicted)
    found = {}
    for workload, group in table.groupby("workload"):
        ratios = group.set_index("submission_id")["ratio"]
        found[str(workload)] = Calibration(
            workload=str(workload),
            results=len(ratios),
            ratio=Interval(ratios.min(), ratios.max()),
            median=float(ratios.median()),
            lowest=str(ratios.idxmin()),
            highest=str(ratios.idxmax()),
        )
    return found


def ideal(workload: str, accelerator: str, accelerators: Operand, au_pct: Operand) -> Interval:
    """Bandwidth in GiB/s without the start of the epochs: accelerators x demand x utilisation.

    Parameters
    ----------
    workload, accelerator
        A pair of `workloads.DEMANDS`.
    accelerators, au_pct
        How many, at which utilisation in per cent; numbers or intervals.

    Raises
    ------
    StoragebookError
        If the pair is unknown, the number is below one, or the utilisation is no percentage.
    """
    return _asked(demand(workload, accelerator), accelerators, au_pct)


def bandwidth(workload: str, accelerator: str, accelerators: Operand, au_pct: Operand) -> Interval:
    """Bandwidth in GiB/s that so many accelerators read with: `ideal` by the public ratios.

    Raises
    ------
    StoragebookError
        As `ideal`, and if the workload has no calibration.
    """
    return ideal(workload, accelerator, accelerators, au_pct) * calibration(workload).ratio


def accelerators(
    workload: str, accelerator: str, bandwidth_gib_s: Operand, au_pct: Operand
) -> Interval:
    """How many accelerators a bandwidth in GiB/s keeps at a utilisation.

    The ends are not whole numbers: so many accelerators are sure to be kept busy as the lower one
    holds, more than the upper one are sure not to be.

    Raises
    ------
    StoragebookError
        As `bandwidth`, and if the bandwidth is not above zero.
    """
    offered = _interval(bandwidth_gib_s)
    if not offered.lo > 0:
        raise StoragebookError(f"a bandwidth is above zero, not {offered}")
    return offered / bandwidth(workload, accelerator, 1, au_pct)


def which_unit(
    printed: Operand,
    workload: str,
    accelerator: str,
    accelerators: Operand,
    au_pct: Operand,
    *,
    units: Sequence[str] = UNITS,
) -> UnitReading:
    """Which unit a printed bandwidth is in, going by accelerators and utilisation.

    Parameters
    ----------
    printed
        The number, as an interval of what its digits allow (`Interval.of_printed`).
    workload, accelerator, accelerators, au_pct
        As `ideal`.
    units
        Which of `MEANINGS` are possible.

    Raises
    ------
    StoragebookError
        As `bandwidth`, and if a unit is not one of `MEANINGS`.
    """
    known = calibration(workload)
    asked = ideal(workload, accelerator, accelerators, au_pct)
    ratios = {unit: _interval(printed) * _meaning(unit) / asked for unit in units}
    fitting = [unit for unit, ratio in ratios.items() if ratio.overlaps(known.ratio)]
    return UnitReading(_answer(fitting), ratios, known)


def which_meaning(printed: Operand, measured_gib_s: float) -> str:
    """Which unit a printed bandwidth is in, where the run that it is about was measured.

    Returns
    -------
    str
        One of `MEANINGS`, ``undecided`` or ``neither``.

    Examples
    --------
    >>> which_meaning(Interval.of_printed("679"), 679.18)
    'GiB/s'
    >>> which_meaning(Interval.of_printed("169"), 157.117)
    'GB/s'
    """
    printed = _interval(printed)
    return _answer([u for u, size in MEANINGS.items() if (printed * size).contains(measured_gib_s)])


def _answer(fitting: list[str]) -> str:
    if not fitting:
        return "neither"
    return fitting[0] if len(fitting) == 1 else "undecided"


def _meaning(unit: str) -> Fraction:
    if unit not in MEANINGS:
        raise StoragebookError(f"no meaning {unit!r}", hint=f"use one of {', '.join(MEANINGS)}")
    return MEANINGS[unit]


def _interval(value: Operand) -> Interval:
    return value if isinstance(value, Interval) else Interval.point(value)


def _asked(one: Demand, accelerators: Operand, au_pct: Operand) -> Interval:
    count, share = _interval(accelerators), _interval(au_pct)
    if not count.lo >= 1:
        raise StoragebookError(f"the number of accelerators is 1 or more, not {count}")
    if not (share.lo > 0 and share.hi <= 100):
        raise StoragebookError(f"utilisation is above 0 and at most 100 %, not {share}")
    return count * Interval.point(one.gib_s) * share / 100
