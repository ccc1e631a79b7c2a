"""MLPerf Storage results as JSON of the command line's contract, and as tidy measurements."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

from storagebook.mlperf import rules
from storagebook.mlperf.results import CHECKPOINT_FIGURES, Figure, ResultSet, Run
from storagebook.readers.measurements import Measurement, Setting

TOOL = "mlperf-storage"


def as_json(result: ResultSet) -> dict[str, Any]:
    """A result as an object of ``storagebook score --format json``.

    A checkpoint has ``checkpoint`` beside the keys that every result has: means over its runs.
    """
    content: dict[str, Any] = {
        "benchmark": TOOL,
        "run": result.run,
        "round": result.round,
        "division": result.division,
        "submitter": result.submitter,
        "system": result.system,
        "workload": result.workload,
        "accelerator": result.accelerator,
        "hosts": result.hosts,
        "accelerators": result.accelerators,
        "runs": len(result.runs),
        "au_pct": {
            "mean": result.au_mean_pct,
            "min": result.au_min_pct,
            "threshold": result.threshold_pct,
        },
        "samples_per_s": result.samples_s,
        "gib_per_s": result.gib_s,
        "passes": result.passes,
        "report_agrees": rules.report_agrees(result),
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity,
                "text": finding.text,
                "file": finding.file,
                "line": finding.line,
            }
            for finding in result.findings
        ],
    }
    if result.is_checkpoint:
        content["checkpoint"] = {
            name: statistics.fmean(values)
            for name in CHECKPOINT_FIGURES
            if (values := [figure.value for figure in _checkpoint_figures(result, name)])
        }
    return content


def to_measurements(result: ResultSet) -> list[Measurement]:
    """A result as tidy rows: each figure of each run, then the means over the runs."""
    settings: dict[str, Setting] = {
        key: value
        for key, value in (
            ("workload", result.workload),
            ("accelerator", result.accelerator),
            ("accelerators_count", result.accelerators),
            ("hosts_count", result.hosts),
            ("division", result.division),
            ("submitter", result.submitter),
            ("system", result.system),
            ("record_length_b", result.record_length_b),
        )
        if value is not None
    }

    def row(**given: Any) -> Measurement:
        return Measurement(
            tool=TOOL, version=result.round, run=result.run, settings=settings, **given
        )

    rows: list[Measurement] = []
    for index, run in enumerate(result.runs):
        rows += _run_rows(row, index, run)
    if not result.is_checkpoint:
        for quantity, unit, value in (
            ("accelerator_utilisation", "%", result.au_mean_pct),
            ("rate", "sample/s", result.samples_s),
            ("bandwidth", "MiB/s", result.mib_s),
        ):
            if value is not None:
                rows.append(
                    row(
                        operation="train",
                        quantity=quantity,
                        value=value,
                        unit=unit,
                        statistic="mean",
                        obtained="computed",
                        file=result.run,
                    )
                )
    return rows


def _run_rows(row: Any, index: int, run: Run) -> Iterator[Measurement]:
    several = len(run.parts) > 1
    for part in run.parts:
        for quantity, unit, figure in (
            ("accelerator_utilisation", "%", part.au_pct),
            ("rate", "sample/s", part.samples_s),
            ("bandwidth", "MiB/s", part.mib_s),
        ):
            if figure is not None:
                yield row(
                    operation="train",
                    quantity=quantity,
                    value=figure.value,
                    unit=unit,
                    printed=figure.text,
                    scope="host" if several else "all",
                    iteration=index,
                    obtained="raw-output" if figure.text else "computed",
                    file=figure.file,
                )
        for name, figure in part.checkpoint.items():
            operation, quantity, unit = CHECKPOINT_FIGURES[name]
            yield row(
                operation=operation,
                quantity=quantity,
                value=figure.value,
                unit=unit,
                printed=figure.text,
                statistic="single" if name == "size_gib" else "mean",
                iteration=index,
                file=figure.file,
            )
    if several:
        for quantity, unit, value in (
            ("accelerator_utilisation", "%", run.au_pct),
            ("rate", "sample/s", run.samples_s),
            ("bandwidth", "MiB/s", run.mib_s),
        ):
            if value is not None:
                yield row(
                    operation="train",
                    quantity=quantity,
                    value=value,
                    unit=unit,
                    iteration=index,
                    obtained="computed",
                    file=run.file,
                )


def _checkpoint_figures(result: ResultSet, name: str) -> list[Figure]:
    return [
        part.checkpoint[name]
        for run in result.runs
        for part in run.parts
        if name in part.checkpoint
    ]
