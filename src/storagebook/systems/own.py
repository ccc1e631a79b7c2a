"""A reader's own result among the others, always unverified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from storagebook import paths, readers
from storagebook.compare import IO500, MLPERF_STORAGE, Basis, Figure, Obtained
from storagebook.errors import StoragebookError, one_line
from storagebook.intervals import Interval
from storagebook.io500 import card
from storagebook.mlperf.results import ResultSet
from storagebook.systems.known import WORKLOAD, Known, Set

if TYPE_CHECKING:
    from storagebook.io500.rules import Checked

#: The parameter's value for no result.
NONE = "none"
#: More results than these make the matrix unreadable.
MOST = 6
#: Where a reader's run is found.
UNVERIFIED = "your files, unverified"


def results(path: str) -> tuple[Known, ...]:
    """The figures of the IO500 and MLPerf Storage results under a path.

    Parameters
    ----------
    path
        From the project's root, or `NONE`.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or holds no such result, or more than `MOST`.
    """
    if path == NONE:
        return ()
    found: list[Known] = []
    for number, one in enumerate(
        readers.results(paths.resolve(path), report=lambda _skipped: None), 1
    ):
        if number > MOST:
            raise StoragebookError(
                f"more than {MOST} results", file=path, hint="name the folder of one"
            )
        found += _of_set(one, number) if isinstance(one, ResultSet) else _of_run(one, number)
    if not found:
        raise StoragebookError("no IO500 or MLPerf Storage result with a figure in it", file=path)
    return tuple(found)


def _of_run(checked: Checked, number: int) -> Iterator[Known]:
    run = card.of_run(checked.run, checked)
    recomputed = run.score()
    system, place = run.settings["file_system"], run.settings["system"]
    for metric, what, unit, printed, value in (
        (
            "score",
            "IO500 score",
            "score",
            run.printed.score,
            recomputed.score if recomputed else None,
        ),
        (
            "bandwidth",
            "IO500 BW, mean of the IOR phases",
            "GiB/s",
            run.printed.bw_gib_s,
            recomputed.bw_gib_s if recomputed else None,
        ),
    ):
        if printed is None and value is None:
            continue
        exact = (
            Interval.of_printed(printed.text, trailing_zeros=True)
            if printed
            else Interval.point(value)
        )
        yield _known(
            number,
            system=str(system) if system else None,
            place=str(place) if place else run.name,
            what=what,
            unit=unit,
            value=exact,
            benchmark=IO500,
            metric=metric,
            run=run.name,
            clients=run.known["clients"],
            redundancy=run.known["redundancy"],
            version=run.settings["version"],
        )


def _of_set(found: ResultSet, number: int) -> Iterator[Known]:
    if found.gib_s is None or found.is_checkpoint:
        return
    workload = found.workload or "unknown workload"
    yield _known(
        number,
        system=found.system,
        place=found.submitter or found.run,
        what=f"{'3D U-Net' if workload == WORKLOAD else workload}, mean bandwidth of its runs",
        unit="GiB/s",
        value=Interval.point(found.gib_s),
        benchmark=MLPERF_STORAGE,
        metric=f"{workload} bandwidth" if found.workload else None,
        run=found.run,
        clients=found.hosts,
        version=found.round,
        division=found.division,
        accelerator=found.accelerator,
        accelerators=found.accelerators,
        submitter=found.submitter,
    )


def _known(
    number: int,
    *,
    system: str | None,
    place: str,
    what: str,
    unit: str,
    value: Interval,
    metric: str | None,
    **more: object,
) -> Known:
    system = one_line(system, limit=60) if system else None
    place = one_line(place, limit=60)
    return Known(
        key=f"own-{number}-{(metric or 'bandwidth').replace(' ', '-')}",
        set=Set.OWN,
        system=system,
        place=place,
        what=one_line(what, limit=80),
        figure=Figure(
            name=f"your run {place}",
            value=value,
            unit=unit,
            basis=Basis.BENCHMARK_SCORE,
            obtained=Obtained.RAW_OUTPUT,
            metric=metric,
            system=f"{place} (your own)",
            verified=False,
            source="own",
            **more,  # type: ignore[arg-type]
        ),
        shown=f"{float(value.mid):,.2f}" + ("" if unit == "score" else f" {unit}"),
        source=UNVERIFIED,
    )
