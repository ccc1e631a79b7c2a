"""Checked results as JSON, CSV or text for people: what `storagebook score` prints."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from storagebook import printable
from storagebook.errors import StoragebookError, one_line
from storagebook.io500.findings import Finding
from storagebook.io500.phases import SCORED
from storagebook.io500.rules import Checked
from storagebook.io500.run import Printed, Run
from storagebook.io500.score import Score

if TYPE_CHECKING:
    from storagebook.mlperf.results import ResultSet

Result: TypeAlias = "Checked | ResultSet"
Writer = Callable[[Iterable[Result], IO[str]], None]

_BENCHMARK = "io500"
_SHOWN = ("error", "warning")


def as_json(result: Result) -> dict[str, Any]:
    """A result as an object of `storagebook score --format json`."""
    if isinstance(result, Checked):
        return _run_json(result)
    from storagebook.readers import mlperf_storage

    return mlperf_storage.as_json(result)


def is_wrong(result: Result) -> bool:
    """Whether something is wrong in the data."""
    return any(item.severity == "error" for item in result.findings)


def _run_json(checked: Checked) -> dict[str, Any]:
    run = checked.run
    return {
        "benchmark": _BENCHMARK,
        "run": run.name,
        "source": run.source,
        "version": run.version,
        "mode": run.mode,
        "procs": run.procs,
        "phases": {
            phase.name: {
                "value": phase.value.value,
                "unit": phase.unit,
                "seconds": phase.seconds.value if phase.seconds is not None else None,
                "valid": phase.valid,
            }
            for phase in run.phases
        },
        "printed": _score_json(printed_score(run)),
        "recomputed": _score_json(checked.recomputed),
        "agrees": checked.agrees,
        "hash": {
            "status": checked.hash.status,
            "printed": checked.hash.printed,
            "recomputed": checked.hash.recomputed,
        },
        "valid": checked.valid,
        "findings": [
            {
                "code": item.code,
                "severity": item.severity,
                "text": item.text,
                "file": item.file,
                "line": item.line,
            }
            for item in checked.findings
        ],
    }


def printed_score(run: Run) -> Score[float | None]:
    """The printed means in GiB/s and kIOP/s, and the score; None where a unit is not known."""
    printed = run.printed
    if printed is None:
        return Score(None, None, None)
    if run.format == "log-2017":
        return Score(None, printed.md.value / 1000, printed.score.value)
    return Score(printed.bw.value, printed.md.value, printed.score.value)


def write_json(results: Iterable[Result], out: IO[str]) -> None:
    """A list with one object a run or set."""
    separator = "["
    for result in results:
        out.write(f"{separator}\n{printable.as_json(as_json(result))}")
        separator = ","
    out.write("[]\n" if separator == "[" else "\n]\n")


_CSV_PHASES = {p.name: p.column + ("_gib_s" if p.kind == "bandwidth" else "_kiops") for p in SCORED}
_CSV_HEAD = (
    *("run", "source", "format", "version", "mode", "procs_count", "nodes_count", "started"),
    *_CSV_PHASES.values(),
    *("bw_gib_s", "md_kiops", "score"),
    *("recomputed_bw_gib_s", "recomputed_md_kiops", "recomputed_score"),
    *("hash", "config_hash", "integrity", "arithmetic", "rules", "valid", "findings"),
)


_SET_CSV_HEAD = (
    *("run", "round", "division", "submitter", "system", "workload", "accelerator"),
    *("hosts_count", "accelerators_count", "runs_count"),
    *("au_mean_pct", "au_min_pct", "au_threshold_pct", "rate_samples_s", "bandwidth_gib_s"),
    *("passes", "report_agrees", "findings"),
)


def write_csv(results: Iterable[Result], out: IO[str]) -> None:
    """One row a run, printed figures as printed; or one a result of MLPerf Storage.

    Raises
    ------
    StoragebookError
        If there are both: their figures have other columns.
    """
    rows = csv.writer(out, lineterminator="\n")
    of_runs: bool | None = None
    for result in results:
        if of_runs is None:
            of_runs = isinstance(result, Checked)
            rows.writerow(_CSV_HEAD if of_runs else _SET_CSV_HEAD)
        elif of_runs != isinstance(result, Checked):
            raise StoragebookError(
                "IO500 runs and MLPerf Storage results do not fit one table",
                hint="give their paths apart, or use --format json",
            )
        cells = _csv_row(result) if isinstance(result, Checked) else _set_csv_row(result)
        rows.writerow(map(printable.as_cell, cells))
    if of_runs is None:
        rows.writerow(_CSV_HEAD)


def _set_csv_row(result: ResultSet) -> Iterator[object]:
    from storagebook.mlperf.rules import report_agrees

    yield from (result.run, result.round, result.division, result.submitter, result.system)
    yield from (result.workload, result.accelerator, result.hosts, result.accelerators)
    yield from (len(result.runs), result.au_mean_pct, result.au_min_pct, result.threshold_pct)
    yield from (result.samples_s, result.gib_s)
    for answer in (result.passes, report_agrees(result)):
        yield None if answer is None else str(answer).lower()
    yield " ".join(sorted({item.code for item in result.findings}))


def _csv_row(checked: Checked) -> Iterator[object]:
    run, verdicts = checked.run, checked.verdicts
    yield from (run.name, run.source, run.format, run.version)
    yield from (run.mode, run.procs, run.nodes, run.started)
    for name in _CSV_PHASES:
        phase = run.scored.get(name)
        known = phase is not None and phase.unit in ("GiB/s", "kIOP/s")
        yield phase.value.text if phase is not None and known else None
    printed = run.printed if run.format != "log-2017" else None
    for part in ("bw", "md", "score"):
        figure: Printed | None = getattr(printed, part, None)
        yield figure.text if figure is not None else None
    found = checked.recomputed
    yield from (found.bw_gib_s, found.md_kiops, found.score)
    yield from (checked.hash.status, checked.config.status)
    yield from (verdicts.integrity, verdicts.arithmetic, verdicts.rules)
    yield str(checked.valid).lower()
    yield " ".join(sorted({item.code for item in checked.findings}))


def write_table(results: Iterable[Result], out: IO[str]) -> None:
    """For people: one run in full, or several as a table with what is wrong below it."""
    results = iter(results)
    first_two = list(itertools.islice(results, 2))
    if len(first_two) == 1:
        (only,) = first_two
        if isinstance(only, Checked):
            _write_one(only, out)
        else:
            _write_set(only, out)
        return
    runs: list[Sequence[str]] = []
    sets: list[Sequence[str]] = []
    findings: list[str] = []
    for result in itertools.chain(first_two, results):
        if isinstance(result, Checked):
            runs.append(_row(result))
        else:
            sets.append(_set_row(result))
        findings += [told(item) for item in result.findings if item.severity in _SHOWN]
    for head, rows, right in ((_RUN_HEAD, runs, (1, 2, 3, 7)), (_SET_HEAD, sets, (4, 5, 6, 7, 9))):
        if rows:
            write_columns(head, rows, out, right=right)
            out.write("\n")
    out.write("".join(line + "\n" for line in findings))


_RUN_HEAD = (
    "run",
    "BW GiB/s",
    "MD kIOP/s",
    "score",
    "integrity",
    "arithmetic",
    "rules",
    "findings",
)
_SET_HEAD = (
    *("run", "round", "division", "workload", "accelerators", "AU %", "samples/s", "GiB/s"),
    *("passes", "findings"),
)


def _row(checked: Checked) -> Sequence[str]:
    printed, verdicts = checked.run.printed, checked.verdicts
    figures = ("", "", "")
    if printed is not None and checked.run.format != "log-2017":
        figures = (printed.bw.text, printed.md.text, printed.score.text)
    return (
        one_line(checked.run.name),
        *figures,
        verdicts.integrity,
        verdicts.arithmetic,
        verdicts.rules,
        _serious(checked),
    )


def _set_row(result: ResultSet) -> Sequence[str]:
    accelerators = f"{result.accelerators or ''} {result.accelerator or ''}".strip()
    return (
        one_line(result.run),
        result.round,
        one_line(result.division or ""),
        one_line(result.workload or ""),
        one_line(accelerators),
        *("" if v is None else f"{v:.2f}" for v in (result.au_mean_pct, result.samples_s)),
        "" if result.gib_s is None else f"{result.gib_s:.2f}",
        {True: "yes", False: "no", None: "unknown"}[result.passes],
        _serious(result),
    )


def _serious(result: Result) -> str:
    count = sum(item.severity in _SHOWN for item in result.findings)
    return str(count) if count else ""


def _write_one(checked: Checked, out: IO[str]) -> None:
    run, verdicts = checked.run, checked.verdicts
    out.write(f"{one_line(run.name)}\n")
    for line in _about(run):
        out.write(f"  {line}\n")
    out.write("\n")
    rows = [
        (
            one_line(phase.name),
            phase.value.text,
            phase.unit,
            phase.seconds.text if phase.seconds is not None else "",
            "" if phase.valid else "INVALID",
        )
        for phase in run.phases
    ]
    write_columns(("phase", "result", "", "seconds", ""), rows, out, right=(1, 3))
    out.write("\n")
    printed, found = printed_score(run), checked.recomputed
    figures = [
        (name, _figure(getattr(printed, part)), _figure(getattr(found, part)), unit)
        for name, part, unit in (
            ("bandwidth", "bw_gib_s", "GiB/s"),
            ("metadata", "md_kiops", "kIOP/s"),
            ("score", "score", ""),
        )
    ]
    write_columns(("", "printed", "recomputed", ""), figures, out, right=(1, 2))
    out.write(
        f"\nintegrity   {verdicts.integrity}"
        f" (hash {checked.hash.status}, configuration {checked.config.status})\n"
        f"arithmetic  {verdicts.arithmetic}\nrules       {verdicts.rules}\n"
    )
    if checked.findings:
        out.write("\n")
    for item in checked.findings:
        out.write(told(item) + "\n")


def _write_set(result: ResultSet, out: IO[str]) -> None:
    from storagebook.mlperf.rules import report_agrees

    out.write(f"{one_line(result.run)}\n")
    for name, value in (
        ("round", result.round),
        ("division", result.division),
        ("submitter", result.submitter),
        ("system", result.system),
        ("workload", result.workload),
        ("accelerator", result.accelerator),
        ("accelerators", result.accelerators),
        ("hosts", result.hosts),
    ):
        if value is not None:
            out.write(f"  {name:<14}{one_line(value)}\n")
    head: Sequence[str] = ("run", "AU %", "samples/s", "MiB/s")
    rows: list[Sequence[str]] = [
        (one_line(run.name), *map(_two_places, (run.au_pct, run.samples_s, run.mib_s)))
        for run in result.runs
    ]
    means = (result.au_mean_pct, result.samples_s, result.mib_s)
    rows.append(("mean", *map(_two_places, means)))
    if result.is_checkpoint:
        head, rows = _checkpoint_table(result)
    out.write("\n")
    write_columns(head, rows, out, right=range(1, len(head)))
    known = {True: "yes", False: "no", None: "unknown"}
    out.write("\n")
    if result.gib_s is not None:
        out.write(f"bandwidth      {_two_places(result.gib_s)} GiB/s\n")
    out.write(f"passes         {known[result.passes]}\n")
    out.write(f"report agrees  {known[report_agrees(result)]}\n")
    if result.findings:
        out.write("\n")
    for item in result.findings:
        out.write(told(item) + "\n")


def _checkpoint_table(result: ResultSet) -> tuple[Sequence[str], list[Sequence[str]]]:
    from storagebook.mlperf.results import CHECKPOINT_FIGURES

    head = ("run", "write GiB/s", "write s", "read GiB/s", "read s", "size GiB")
    rows: list[Sequence[str]] = []
    for run in result.runs:
        figures = {name: f.value for part in run.parts for name, f in part.checkpoint.items()}
        cells = (_two_places(figures.get(name)) for name in CHECKPOINT_FIGURES)
        rows.append((one_line(run.name), *cells))
    return head, rows


def _two_places(value: float | None) -> str:
    return "" if value is None else f"{value:,.2f}"


def _about(run: Run) -> Iterator[str]:
    facts = (
        ("version", run.version),
        ("mode", run.mode),
        ("started", run.started),
        ("system", run.system),
        ("file system", run.file_system),
        ("nodes", run.nodes),
        ("processes", run.procs),
        ("read from", run.source),
    )
    for name, value in facts:
        if value not in (None, ""):
            yield f"{name:<12}{one_line(value)}"


def told(item: Finding) -> str:
    """A finding on one line."""
    line = f":{item.line}" if item.line is not None else ""
    return f"{item.severity:<8}{one_line(item.file)}{line}: {item.text} [{item.code}]"


def write_columns(
    head: Sequence[str], rows: Sequence[Sequence[str]], out: IO[str], *, right: Sequence[int]
) -> None:
    """Lines of a table for people; the columns named by `right` line up on the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = (
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        out.write("  ".join(cells).rstrip() + "\n")


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def _score_json(score: Score[float | None]) -> dict[str, float | None]:
    return {"bw_gib_s": score.bw_gib_s, "md_kiops": score.md_kiops, "score": score.score}


WRITERS: dict[str, Writer] = {"table": write_table, "json": write_json, "csv": write_csv}
