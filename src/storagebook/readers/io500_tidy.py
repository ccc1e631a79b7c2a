"""IO500 runs as tidy measurements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from storagebook.io500.rules import Checked
from storagebook.io500.run import PhaseResult, Place, Printed, Run
from storagebook.readers.measurements import Measurement, Obtained, Setting

TOOL = "io500"

# A phase's settings under the names that every reader gives them.
_SETTINGS = {
    "api": "api",
    "object_class": "object_class",
    "dir_object_class": "dir_object_class",
    "chunk_size_b": "chunk_size_b",
    "transfer_b": "transfer_b",
    "block_b": "block_b",
    "direct_io": "direct_io",
    "segments": "segments_count",
    "items_per_task": "items_per_process_count",
    "stonewall_s": "stonewall_s",
}
_ACCESS = {True: "file-per-process", False: "single-shared-file", None: None}


def measurements(checked: Checked) -> Iterator[Measurement]:
    """The figures of a run: each phase, the printed means and score, the recomputed ones."""
    rows = _Rows(checked.run)
    for phase in checked.run.phases:
        yield from rows.phase(phase)
    yield from rows.counts()
    yield from rows.scores(checked)


class _Rows:
    def __init__(self, run: Run) -> None:
        self.run = run
        self.obtained: Obtained = "published-table" if run.format == "list" else "raw-output"
        scale = {
            "nodes": run.nodes,
            "tasks": run.procs,
            "tasks_per_node": run.tasks_per_node,
        }
        self.settings: dict[str, Setting] = {k: v for k, v in scale.items() if v is not None}

    def phase(self, phase: PhaseResult) -> Iterator[Measurement]:
        own = {name: getattr(phase.settings, field) for name, field in _SETTINGS.items()}
        own["access"] = _ACCESS[phase.settings.file_per_process]
        settings = self.settings | {k: v for k, v in own.items() if v is not None}
        settings["scored"] = phase.scored
        what = "bandwidth" if phase.is_bandwidth else "rate"
        named: dict[str, Any] = {
            "operation": phase.name,
            "valid": phase.valid,
            "settings": settings,
        }
        yield self._row(what, phase.value, phase.unit, phase.place, **named)
        if phase.seconds is not None:
            yield self._row("duration", phase.seconds, "s", phase.place, **named)
        if phase.stonewall is not None and phase.stonewall_unit is not None:
            unit = phase.stonewall_unit
            yield self._row(f"{what}_stonewall", phase.stonewall, unit, phase.place, **named)

    def counts(self) -> Iterator[Measurement]:
        find = self.run.scored.get("find")
        place = find.place if find is not None else self.run.place
        for what, count in (("found", self.run.found), ("total_files", self.run.total_files)):
            if count is not None:
                figure = Printed(str(count), count)
                yield self._row(what, figure, "1", place, operation="find")

    def scores(self, checked: Checked) -> Iterator[Measurement]:
        for name, printed in (("score", self.run.printed), ("scorex", self.run.printed_x)):
            if printed is None:
                continue
            valid = not printed.invalid
            for what, figure, unit in (
                ("bandwidth_mean", printed.bw, printed.bw_unit.replace("GB/s", "GiB/s")),
                ("rate_mean", printed.md, self._rate_unit),
                ("score", printed.score, "score"),
            ):
                yield self._row(what, figure, unit, printed.place, operation=name, valid=valid)
        found = checked.recomputed
        for what, value, unit in (
            ("bandwidth_mean", found.bw_gib_s, "GiB/s"),
            ("rate_mean", found.md_kiops, "kIOP/s"),
            ("score", found.score, "score"),
        ):
            if value is not None:
                figure = Printed("", value)
                place = Place(self.run.place.file)
                yield self._row(what, figure, unit, place, operation="score", obtained="computed")

    @property
    def _rate_unit(self) -> str:
        return "IOP/s" if self.run.format == "log-2017" else "kIOP/s"

    def _row(
        self,
        quantity: str,
        figure: Printed,
        unit: str,
        place: Place,
        *,
        operation: str,
        valid: bool | None = None,
        settings: dict[str, Setting] | None = None,
        obtained: Obtained | None = None,
    ) -> Measurement:
        return Measurement(
            tool=TOOL,
            version=self.run.version or "",
            run=self.run.name,
            operation=operation,
            quantity=quantity,
            value=figure.value,
            unit=unit,
            printed=figure.text,
            valid=valid,
            obtained=obtained or self.obtained,
            file=place.file,
            line=place.line,
            settings=settings or self.settings,
        )
