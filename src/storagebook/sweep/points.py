"""What was measured under which settings, with every repetition: the points of a sweep.

One point is one figure of one run under one setting. Its repetitions stay apart, because a spread
is the only thing that tells a difference from chance; a run that a folder holds twice is counted
once.
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from storagebook import readers, units
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500.findings import Finding
from storagebook.readers import printed
from storagebook.readers.archive import Skipped
from storagebook.readers.measurements import Measurement, Setting

#: What a sweep is of, and the unit that it is kept in.
QUANTITIES = {"bandwidth": "GiB/s", "rate": "kIOP/s"}
#: Tools whose figures are bandwidths and rates of storage.
TOOLS = ("ior", "mdtest", "fio", "iozone", "daos_perf", "io500")

#: Settings that say where, how often or for how long, and nothing of what was done.
NOISE = frozenset(
    {
        *("command", "path", "job", "host", "iterations", "repetitions", "statistics_over"),
        *("fs_used_pct", "aggregate_b", "api_version", "group_reporting", "scored"),
    }
)
# From the whole to its parts: figures of parts are read only where no whole is printed.
_SCOPES = ("all", "group", "host", "job")
# Engines that wait for each I/O, whatever depth is asked for.
_SYNCHRONOUS = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"})
_QUEUES = frozenset({"fio"})
# IOR's API that does not wait.
_ASYNCHRONOUS = "AIO"
# Outputs of the phases of an IO500 run, which states their figures itself.
_PHASE_OUTPUT = re.compile(
    r"(?:ior[-_](?:easy|hard|rnd\w+)(?:-easy)?|mdtest[-_](?:easy|hard))"
    r"[-_](?:write|read|stat|delete)\.\w+"
)

Settings = Mapping[str, Setting]


@dataclass(frozen=True, kw_only=True)
class Point:
    """One figure under one setting.

    Attributes
    ----------
    tool, version, run, operation, quantity, scope
        As `storagebook.readers.measurements.Measurement`.
    samples
        One value a repetition, in `unit`; where the file prints only statistics of several, the
        least and the greatest.
    mean
        Of all repetitions, in `unit`.
    count
        Repetitions; None where the file prints statistics of an unknown number.
    texts
        The samples as printed, with the unit of the file.
    unit
        GiB/s or kIOP/s.
    settings
        As the file tells them.
    valid
        False if the tool marks the figure.
    file, line
        Where the first of the figures stands.
    part
        Whether it is one of several figures of a run: of jobs or hosts where no whole is printed,
        or of a file that contradicts itself.
    """

    tool: str
    version: str
    run: str
    operation: str
    quantity: str
    scope: str
    samples: tuple[float, ...]
    mean: float
    count: int | None
    texts: tuple[tuple[str, str], ...]
    unit: str
    settings: Settings = field(hash=False)
    valid: bool | None
    file: str
    line: int | None
    part: bool = False

    @property
    def low(self) -> float:
        return min(self.samples)

    @property
    def high(self) -> float:
        return max(self.samples)

    @property
    def single(self) -> bool:
        """Whether it is one sample, which has no spread."""
        return self.count == 1

    @property
    def in_flight(self) -> int | None:
        """As the function of this name; None for a search, which queues what it finds."""
        if self.tool == "io500" and self.operation.startswith("find"):
            return None
        return in_flight(self.tool, self.settings, self.scope)

    @property
    def where(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def interval(self) -> Interval:
        """What its printed digits and its repetitions allow."""
        ends = [units.convert(printed.interval(text), unit, self.unit) for text, unit in self.texts]
        return Interval(min(end.lo for end in ends), max(end.hi for end in ends))


def transfer_b(settings: Settings) -> int | None:
    """Bytes of one request."""
    value = settings.get("transfer_b")
    return int(value) if isinstance(value, (int, float)) and value > 0 else None


def in_flight(tool: str, settings: Settings, scope: str = "all") -> int | None:
    """How many requests a run may have open at a time: tasks, times the depth of their queues.

    IOR (but for its AIO), mdtest and IOzone wait for each request of a task. fio starts one job of
    depth one where its options say nothing else; of its sum over clients no file tells how many
    there were.
    """
    tasks, depth = settings.get("tasks"), settings.get("queue_depth")
    if tool in _QUEUES:
        if scope == "all":
            return None
        tasks = 1 if tasks is None else tasks
        depth = 1 if depth is None or settings.get("api") in _SYNCHRONOUS else depth
    elif tool == "daos_perf":
        depth = settings.get("credits")
        # without a queue it waits, as the others do
        depth = max(depth, 1) if isinstance(depth, int) else None
    else:
        depth = None if settings.get("api") == _ASYNCHRONOUS else 1
    if not isinstance(tasks, int) or not isinstance(depth, int) or tasks < 1 or depth < 1:
        return None
    return tasks * depth


@dataclass(frozen=True)
class Sweep:
    """Everything of use under a path.

    Attributes
    ----------
    points
        In the order of reading.
    findings
        What the readers say of the files.
    skipped
        What was left out, and why.
    copies
        Pairs of a file that prints the figures of another, and that other: counted once.
    others
        Tools under the path whose figures are no bandwidths and rates of storage.
    left_to_io500
        Outputs of phases whose figures the IO500 result states.
    """

    points: tuple[Point, ...]
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    copies: tuple[tuple[str, str], ...]
    others: tuple[str, ...]
    left_to_io500: tuple[str, ...]


def load(path: str | Path) -> Sweep:
    """The points of all files under a path.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or holds nothing that a reader knows.
    """
    return load_rows(path)[0]


def load_rows(path: str | Path) -> tuple[Sweep, list[Measurement]]:
    """As `load`, with the measurements that it was made of.

    Raises
    ------
    StoragebookError
        As `load`.
    """
    skipped: list[Skipped] = []
    readings = list(readers.readings(path, report=skipped.append))
    if not readings:
        errors = [one.why for one in skipped if one.severity == "error"]
        raise StoragebookError(errors[0] if errors else "no supported result in it", file=path)
    rows = [row for reading in readings for row in reading.measurements]
    findings = [found for reading in readings for found in reading.findings]
    return sweep_of(rows, findings, skipped), rows


def sweep_of(
    rows: Sequence[Measurement],
    findings: Iterable[Finding] = (),
    skipped: Iterable[Skipped] = (),
) -> Sweep:
    """As `load`, of measurements."""
    phases, rows = _without_phase_outputs(rows)
    points, copies = _without_copies(list(_points(rows)))
    return Sweep(
        points=tuple(points),
        findings=tuple(findings),
        skipped=tuple(skipped),
        copies=tuple(copies),
        others=tuple(sorted({row.tool for row in rows} - set(TOOLS))),
        left_to_io500=tuple(phases),
    )


def _without_phase_outputs(
    rows: Sequence[Measurement],
) -> tuple[list[str], list[Measurement]]:
    """The files that only repeat an IO500 result's phases, and the rows without theirs."""
    runs = {_folder(row.file) for row in rows if row.tool == "io500"}
    repeats = {
        row.file
        for row in rows
        if row.tool in ("ior", "mdtest")
        and _PHASE_OUTPUT.fullmatch(row.file.rpartition("/")[2])
        # a run's name goes further up than the path that was read
        and any(_ends_with(run, _folder(row.file)) for run in runs)
    }
    return sorted(repeats), [row for row in rows if row.file not in repeats]


def _folder(file: str) -> tuple[str, ...]:
    return tuple(file.split("/")[:-1])


def _ends_with(folder: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return folder[len(folder) - len(end) :] == end if len(end) <= len(folder) else False


_Key = tuple[str, str, str, str, str, tuple[tuple[str, Setting], ...]]


def _points(rows: Sequence[Measurement]) -> Iterable[Point]:
    wanted = [
        row
        for row in rows
        if row.quantity in QUANTITIES
        and row.tool in TOOLS
        and row.scope in _SCOPES
        and row.obtained != "computed"
    ]
    widest: dict[tuple[str, str, str, str], int] = {}
    for row in wanted:
        key = (row.file, row.run, row.operation, row.quantity)
        widest[key] = min(widest.get(key, len(_SCOPES)), _SCOPES.index(row.scope))
    grouped: defaultdict[_Key, list[Measurement]] = defaultdict(list)
    entries: defaultdict[tuple[str, str, str, str], set[_Key]] = defaultdict(set)
    for row in wanted:
        whole = (row.file, row.run, row.operation, row.quantity)
        if _SCOPES.index(row.scope) != widest[whole]:
            continue
        key = (*whole, row.scope, _identity(row))
        grouped[key].append(row)
        if row.scope in ("host", "job", "group"):
            entries[whole].add(key)
    for key, own in grouped.items():
        yield from _point(own, part=len(entries[key[:4]]) > 1)


def _identity(row: Measurement) -> tuple[tuple[str, Setting], ...]:
    """What tells the entries of one run apart: all settings, and the job's name among them."""
    counts = NOISE - {"job", "host"}
    return tuple(sorted((k, v) for k, v in row.settings.items() if k not in counts))


def _point(rows: list[Measurement], part: bool) -> Iterable[Point]:
    """A point of the rows of one figure; several jobs that are alike in everything are parts."""
    singles = [row for row in rows if row.statistic == "single"]
    repeated = [row.iteration for row in singles]
    if singles and len(set(repeated)) < len(singles):
        # one repetition, several figures: entries that nothing tells apart
        for row in singles:
            yield _of([row], row.value, 1, part=True)
    elif singles:
        mean = statistics.fmean(row.value for row in singles)
        yield _of(singles, mean, len(singles), part=part)
    else:
        by_name = {row.statistic: row for row in rows}
        mean_row = by_name.get("mean")
        if mean_row is None:
            return
        if mean_row.iteration is not None:
            # its statistics go over tasks
            yield _of([mean_row], mean_row.value, 1, part=part)
            return
        ends = [by_name[name] for name in ("min", "max") if name in by_name] or [mean_row]
        count = rows[0].settings.get("repetitions", rows[0].settings.get("iterations"))
        count = count if isinstance(count, int) and count > 0 else None
        yield _of(ends, mean_row.value, count, part=part)


def _of(rows: Sequence[Measurement], mean: float, count: int | None, *, part: bool) -> Point:
    first = rows[0]
    unit = QUANTITIES[first.quantity]
    valid = [row.valid for row in rows if row.valid is not None]
    return Point(
        tool=first.tool,
        version=first.version,
        run=first.run,
        operation=first.operation,
        quantity=first.quantity,
        scope=first.scope,
        samples=tuple(units.convert(row.value, row.unit, unit) for row in rows),
        mean=units.convert(mean, first.unit, unit),
        count=count,
        texts=tuple((row.printed or repr(row.value), row.unit) for row in rows),
        unit=unit,
        settings=first.settings,
        valid=all(valid) if valid else None,
        file=first.file,
        line=first.line,
        part=part,
    )


def _without_copies(points: list[Point]) -> tuple[list[Point], list[tuple[str, str]]]:
    """Points without those of a file that prints the figures of another: one run, filed twice.

    Of IOR's text and JSON of one run the digits differ, the numbers do not. A file is a copy only
    if each of its figures stands in the other, and the settings that both tell are the same.
    """
    by_file: defaultdict[str, list[Point]] = defaultdict(list)
    for point in points:
        by_file[point.file].append(point)
    kept: dict[str, list[Point]] = {}
    copies: list[tuple[str, str]] = []
    for file, own in by_file.items():
        original = next((name for name, other in kept.items() if _is_copy(own, other)), None)
        if original is None:
            kept[file] = own
        else:
            copies.append((file, original))
    return [point for own in kept.values() for point in own], copies


def _is_copy(own: Sequence[Point], other: Sequence[Point]) -> bool:
    if len(own) != len(other):
        return False
    return all(_alike(a, b) for a, b in zip(own, other, strict=True))


def _alike(a: Point, b: Point) -> bool:
    if (a.tool, a.operation, a.quantity, a.count) != (b.tool, b.operation, b.quantity, b.count):
        return False
    both = (a.settings.keys() & b.settings.keys()) - NOISE
    return (
        len(a.texts) == len(b.texts)
        and all(a.settings[name] == b.settings[name] for name in both)
        and all(_same(x, y) for x, y in zip(a.texts, b.texts, strict=True))
    )


def _same(first: tuple[str, str], second: tuple[str, str]) -> bool:
    return first[1] == second[1] and printed.alike(first[0], second[0])


def frame(points: Iterable[Point]) -> pd.DataFrame:
    """Points as a table.

    Returns
    -------
    pandas.DataFrame
        ``tool``, ``run``, ``operation``, ``figure``, ``transfer_b``, ``in_flight``, ``api``,
        ``mean``, ``least``, ``greatest`` (missing for one sample), ``unit``, ``samples`` (a text),
        ``spread_pct`` of the mean (missing for one sample), ``remark``, ``where``.
    """
    rows = []
    for p in points:
        several = not p.single
        rows.append(
            {
                "tool": p.tool,
                "run": p.run,
                "operation": p.operation,
                "figure": p.quantity,
                "transfer_b": transfer_b(p.settings),
                "in_flight": p.in_flight,
                "api": p.settings.get("api"),
                "mean": p.mean,
                "least": p.low if several else None,
                "greatest": p.high if several else None,
                "unit": p.unit,
                "samples": samples_text(p.count),
                "spread_pct": (p.high - p.low) / p.mean * 100 if several and p.mean else None,
                "remark": "; ".join(_remarks(p)) or None,
                "where": p.where,
            }
        )
    table = pd.DataFrame(rows)
    return table.astype({"transfer_b": "Int64", "in_flight": "Int64", "spread_pct": float})


def samples_text(count: int | None) -> str:
    """How many repetitions, in words that do not hide a single one."""
    if count is None:
        return "not told"
    return "one sample" if count == 1 else str(count)


def _remarks(point: Point) -> Iterable[str]:
    if point.valid is False:
        yield "marked invalid"
    if point.part:
        yield "one of several such figures of its run"
    if point.settings.get("statistics_over") == "tasks and iterations":
        yield "least and greatest go over tasks as well"
