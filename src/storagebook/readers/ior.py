"""IOR: text of 2.x, 3.x and 4.x, JSON, the CSV summary, and the CSV of each rank's figures.

One heading does not mean one thing. The rows name each figure by its definition:

====================================  =============================================================
quantity                              what it is
====================================  =============================================================
``bandwidth``                         data over the time from the first open to the last close
``rate``                              transfers over that time (``OPs`` of the summary)
``rate_io``                           transfers over the time of reads or writes alone (``IOPS``)
``latency``                           mean I/O time of a task over its transfers (``Latency``
                                      since 4.1)
``time_per_requested_transfer``       what 3.x prints under ``Latency``: a task's I/O time over
                                      the transfers that one block was to have, done or not; no
                                      latency with segments or a stonewall
``time_open`` … ``time_total``        the columns of seconds
``bandwidth_stonewall``               data at the stonewall over its time (``Stonewall(MiB)``):
                                      of all tasks in 3.3, of the average task since 4.0
``time_stonewall``, ``stonewall_…``   when the stonewall was hit, and what a task had done by then
``data_moved``                        "actual aggregate bytes moved"
====================================  =============================================================

A figure that a file states twice alike gives one row; if the two differ, both stand and that is
reported.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from storagebook.intervals import Interval
from storagebook.readers import ior_text, printed
from storagebook.readers.archive import File
from storagebook.readers.ior_text import Row, Run, Summary, Test
from storagebook.readers.measurements import Setting
from storagebook.readers.printed import Collector, Reading, alike, interval, whole

TOOL = "ior"

_HEAD = re.compile(
    rb"IOR-\d\S*: MPI Coordinated Test of Parallel I/O|^\s*access,(?:bw\(|rank,runtime)"
    rb"|^\s*access\s+bw\(|^ior (?:ERROR|WARNING):",
    re.MULTILINE,
)
_JSON_HEAD = re.compile(rb'"Command line"\s*:\s*"[^"\n]{0,200}\bior\b')

_MB_PER_MIB = Fraction(2**20, 10**6)

#: Columns of the rows, `ior_text.FIGURES`: quantity and unit.
_COLUMNS = {
    "bw(MiB/s)": ("bandwidth", "MiB/s"),
    "IOPS": ("rate_io", "IOP/s"),
    "Latency(s)": ("latency", "s"),
    "open(s)": ("time_open", "s"),
    "wr/rd(s)": ("time_io", "s"),
    "close(s)": ("time_close", "s"),
    "total(s)": ("time_total", "s"),
}
_RANK_COLUMNS = {
    "runtime-with-openclose": ("time_total", "s"),
    "runtime": ("time_io", "s"),
    "throughput-withopenclose": ("bandwidth", "B/s"),
    "throughput": ("bandwidth_io", "B/s"),
}
#: Columns of the summary: quantity, statistic, unit.
_STATISTICS = {
    "Max(MiB)": ("bandwidth", "max", "MiB/s"),
    "Min(MiB)": ("bandwidth", "min", "MiB/s"),
    "Mean(MiB)": ("bandwidth", "mean", "MiB/s"),
    "StdDev(MiB)": ("bandwidth", "stddev", "MiB/s"),
    "Max(OPs)": ("rate", "max", "IOP/s"),
    "Min(OPs)": ("rate", "min", "IOP/s"),
    "Mean(OPs)": ("rate", "mean", "IOP/s"),
    "StdDev(OPs)": ("rate", "stddev", "IOP/s"),
    "Mean(s)": ("time_total", "mean", "s"),
    "Stonewall(s)": ("time_stonewall", "mean", "s"),
    "Stonewall(MiB)": ("bandwidth_stonewall", "mean", "MiB/s"),
}
#: Columns of the summary that are settings, and the option that says the same.
_SUMMARY_SETTINGS = {
    "#Tasks": "tasks",
    "tPN": "clients per node",
    "reps": "repetitions",
    "segcnt": "segments",
}
_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>bytes|[KMGTPE]?i?B)")


def sniff(first: bytes) -> bool:
    """Whether a file's first bytes look like IOR's."""
    if _HEAD.search(first) is not None:
        return True
    return b'"tests"' in first and _JSON_HEAD.search(first) is not None


def read(source: File | str | Path) -> Reading:
    """The figures of a file that IOR wrote.

    Raises
    ------
    StoragebookError
        If the file cannot be read, or holds no result of IOR.
    """
    return printed.read(source, parse)


def parse(data: bytes, file: str) -> Reading:
    """As `read`, of bytes."""
    out = Collector(TOOL, file)
    lines = printed.text_lines(data, out, ior_text.BANNER)
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(ior_text.RANKS_HEAD):
        _read_ranks(lines, out)
        return out.reading()
    has_banner = any(map(ior_text.BANNER.match, lines))
    if not has_banner and any(line.strip().startswith(ior_text.CSV_HEAD) for line in lines):
        runs = [Run("", "", tests=[ior_text.csv_test(lines, out)])]
    elif not has_banner and any(line.startswith("{") for line in lines):
        runs = ior_text.json_runs(lines, out)
    else:
        parts = printed.runs_of(lines, TOOL, out)
        runs = [ior_text.text_run(start, part, out) for start, part in parts]
    _emit(runs, out)
    return out.reading()


def _read_ranks(lines: list[str], out: Collector) -> None:
    columns: list[str] = []
    seen: Counter[tuple[str, str]] = Counter()
    for line, text in enumerate(lines, 1):
        cells = [part.strip() for part in text.split(",")]
        if text.strip().startswith(ior_text.RANKS_HEAD):
            columns = cells
        elif not text.strip():
            continue
        elif len(cells) != len(columns) or whole(cells[1]) is None:
            out.find("broken-row", "not a row of the figures of a rank; not read", line)
        else:
            operation, rank = cells[:2]
            for name, cell in zip(columns[2:], cells[2:], strict=True):
                if name not in _RANK_COLUMNS:
                    continue
                quantity, unit = _RANK_COLUMNS[name]
                out.add(
                    quantity,
                    cell,
                    unit,
                    version="",
                    run=printed.run_name(out.file),
                    operation=operation,
                    line=line,
                    settings={"rank": int(rank)},
                    scope="rank",
                    iteration=seen[operation, rank],
                )
            seen[operation, rank] += 1


# -- rows


def _emit(runs: list[Run], out: Collector) -> None:
    tests = [(run, test) for run in runs for test in run.tests if test.rows or test.summaries]
    for run in runs:
        for test in run.tests:
            started = run.version and test.options
            if started and not (test.rows or test.summaries):
                text = "a test that stops before its first result"
                out.find("interrupted", text, test.last_line or test.line)
    name = printed.run_name(out.file)
    for number, (run, test) in enumerate(tests, 1):
        label = name if len(tests) == 1 else f"{name}#{number}"
        _Emitter(run, test, label, out).emit()


@dataclass
class _Emitter:
    run: Run
    test: Test
    label: str
    out: Collector

    def __post_init__(self) -> None:
        self.release = printed.version_of(self.run.version)
        self.command = self.run.command.split()
        self.settings = _settings(self.run, self.test)

    def emit(self) -> None:
        rows: defaultdict[str, list[Row]] = defaultdict(list)
        for row in self.test.rows:
            rows[row.operation].append(row)
            self.row(row)
        for summary in self.test.summaries:
            self.summary(summary, rows[summary.operation])
        for match, line in self.test.peaks:
            self.peak(match, line, rows[match["operation"].lower()])
        self.check_complete(rows)

    def add(
        self, quantity: str, text: str, unit: str, operation: str, line: int | None, **more: Any
    ) -> None:
        self.out.add(
            quantity,
            text,
            unit,
            version=self.run.version,
            run=self.label,
            operation=operation,
            line=line,
            settings=self.settings,
            **more,
        )

    def row(self, row: Row) -> None:
        for name, (quantity, unit) in _COLUMNS.items():
            if name not in row.cells:
                continue
            more: dict[str, Any] = {}
            if name == "Latency(s)":
                meaning = self.latency(row)
                if meaning is None:
                    continue
                quantity = meaning
                more = {"statistic": "mean"} if meaning == "latency" else {}
            self.add(
                quantity,
                row.cells[name],
                unit,
                row.operation,
                row.line,
                iteration=row.iteration,
                **more,
            )
        bandwidth = printed.cell(row.cells.get("bw(MiB/s)", ""))
        if bandwidth.value == 0:
            text = f"{row.operation} of nothing: a bandwidth of 0"
            self.out.find("nothing-measured", text, row.line)
        self.stonewall(row)
        self.check_row(row)

    def latency(self, row: Row) -> str | None:
        """What the Latency column of this version is, or None where nothing tells."""
        whole_block = self.settings.get("segments") == 1 and "stonewall_s" not in self.settings
        if whole_block and not row.moved and row.stonewall is None:
            return "latency"  # every transfer of the one block was done: both readings are one
        if self.release is not None and self.release < (4, 0):
            return "time_per_requested_transfer"
        if self.release is not None and self.release >= (4, 1):
            return "latency"
        text = "this version does not tell what the figures under Latency are divided by; not read"
        self.out.find("unknown-meaning", text, row.line, once=True)
        return None

    def stonewall(self, row: Row) -> None:
        common = {"iteration": row.iteration}
        if row.stonewall is not None:
            found, line = row.stonewall, row.stonewall_line
            for text, quantity, statistic, unit in (
                (found["fewest"], "stonewall_transfers", "min", "1"),
                (found["most"], "stonewall_transfers", "max", "1"),
                (found["least"], "stonewall_data", "min", "GiB"),
                (found["mean"], "stonewall_data", "mean", "GiB"),
            ):
                self.add(
                    quantity,
                    text or "",
                    unit,
                    row.operation,
                    line,
                    statistic=statistic,
                    scope="rank",
                    **common,
                )
            self.add("time_stonewall", found["time"] or "", "s", row.operation, line, **common)
        if "Using" in row.moved:
            text, line = row.moved["Using"]
            self.add("data_moved", text, "B", row.operation, line, **common)

    def check_row(self, row: Row) -> None:
        """Bandwidth times time is the data moved, as far as the printed digits tell."""
        bandwidth, total = row.cells.get("bw(MiB/s)", ""), row.cells.get("total(s)", "")
        moved: Setting | None = whole(row.moved.get("Using", ("", 0))[0])
        if moved is None and "stonewall_s" not in self.settings and "-D" not in self.command:
            moved = self.settings.get("aggregate_b")
        if not moved or not printed.cell(bandwidth).value or not printed.cell(total).value:
            return
        product = interval(bandwidth) * interval(total) * 2**20
        if not product.overlaps(Interval.point(int(moved))):
            text = (
                f"{row.operation}: {bandwidth} MiB/s for {total} s is not the {moved} B that it is"
                " said to have moved"
            )
            self.out.find("contradiction", text, row.line)

    def summary(self, summary: Summary, rows: list[Row]) -> None:
        repetitions = whole(summary.cells.get("reps")) or whole(
            self.test.options.get("repetitions")
        )
        complete = repetitions is not None and len(rows) == repetitions
        self.check_summary(summary, rows, complete)
        single = repetitions == 1 and self.is_single(summary)
        stated = single and complete and _agrees(summary, rows)
        for name, (quantity, statistic, unit) in _STATISTICS.items():
            text = summary.cells.get(name)
            if text is None:
                continue
            more: dict[str, Any] = {"statistic": statistic}
            if single:
                # one sample is one sample, however many statistics are printed of it
                if statistic != "mean" or (stated and _stands_in_row(quantity, text, rows[0])):
                    continue
                more = {"iteration": 0}
            if name == "Stonewall(MiB)":
                scope = self.stonewall_scope(summary)
                if scope is None:
                    continue
                more |= {"scope": scope} | ({"statistic": "mean"} if scope == "rank" else {})
            self.add(
                quantity,
                text,
                unit,
                summary.operation,
                summary.line,
                zero_is_measured=statistic == "stddev" and repetitions != 1,
                **more,
            )

    def is_single(self, summary: Summary) -> bool:
        """Whether the statistics of one repetition are one figure, as they must be."""
        for kind in ("MiB", "OPs"):
            texts = [summary.cells.get(f"{name}({kind})", "") for name in ("Max", "Min", "Mean")]
            texts = [text for text in texts if printed.cell(text).value is not None]
            if len(set(texts)) > 1:
                text = f"{summary.operation}: one repetition, and {', '.join(texts)} {kind} of it"
                self.out.find("contradiction", text, summary.line)
                return False
        return True

    def stonewall_scope(self, summary: Summary) -> str | None:
        if printed.cell(summary.cells["Stonewall(MiB)"]).value is None:
            return None
        if self.release == (3, 3):
            return "all"
        if self.release is not None and self.release >= (4, 0):
            return "rank"
        text = "this version does not tell if Stonewall(MiB) is of all tasks or of one; not read"
        self.out.find("unknown-meaning", text, summary.line, once=True)
        return None

    def check_summary(self, summary: Summary, rows: list[Row], complete: bool) -> None:
        """The summary restates options and rows: they agree, or it is said that they do not."""
        for name, option in _SUMMARY_SETTINGS.items():
            here, there = whole(summary.cells.get(name)), whole(self.test.options.get(option))
            if here is not None and there is not None and here != there:
                text = f"the summary says {here} {option}, the options {there}"
                self.out.find("contradiction", text, summary.line)
        texts = [row.cells.get("bw(MiB/s)", "") for row in rows]
        values = [(printed.cell(text).value, text) for text in texts]
        if not complete or not values or any(value is None for value, _ in values):
            return
        intervals = [interval(text) for text in texts]
        expected = {
            "Max(MiB)": interval(max(values)[1]),
            "Min(MiB)": interval(min(values)[1]),
            "Mean(MiB)": printed.mean_of(intervals),
        }
        for name, among in expected.items():
            text = summary.cells.get(name, "")
            if printed.cell(text).value is not None and not interval(text).overlaps(among):
                what = f"{summary.operation}: the summary's {name} {text} is not that of its rows"
                self.out.find("contradiction", what, summary.line)

    def peak(self, match: re.Match[str], line: int, rows: list[Row]) -> None:
        operation, mib, mb = match["operation"].lower(), match["mib"], match["mb"]
        if mb is not None and printed.cell(mib).value and printed.cell(mb).value:
            decimal = interval(mib) * _MB_PER_MIB
            if not decimal.overlaps(interval(mb)):
                text = f"Max {operation}: {mib} MiB/s is not {mb} MB/s"
                self.out.find("contradiction", text, line)
        summaries = [s for s in self.test.summaries if s.operation == operation]
        others = [s.cells.get("Max(MiB)", "") for s in summaries]
        best = max(
            ((printed.cell(r.cells.get("bw(MiB/s)", "")).value or 0.0, r) for r in rows),
            key=lambda pair: pair[0],
            default=None,
        )
        if best is not None:
            others.append(best[1].cells.get("bw(MiB/s)", ""))
        others = [text for text in others if printed.cell(text).value]
        if others and all(alike(mib, text) for text in others):
            return
        if others:
            text = f"Max {operation} is {mib} here, {others[0]} elsewhere"
            self.out.find("contradiction", text, line)
        self.add("bandwidth", mib, "MiB/s", operation, line, statistic="max")

    def check_complete(self, rows: Mapping[str, list[Row]]) -> None:
        repetitions = whole(self.test.options.get("repetitions"))
        if repetitions is None or not self.test.rows:
            return
        expected = {row.operation for row in self.test.rows if row.operation != "remove"}
        for operation in sorted(expected | _asked_for(self.command)):
            done = len(rows[operation])
            if done < repetitions:
                text = f"{operation} stops after {done} of {repetitions} repetitions"
                self.out.find("interrupted", text, self.test.last_line)


def _agrees(summary: Summary, rows: list[Row]) -> bool:
    return all(
        alike(summary.cells.get(name, ""), rows[0].cells.get("bw(MiB/s)", ""))
        for name in ("Max(MiB)", "Min(MiB)", "Mean(MiB)")
        if name in summary.cells
    )


def _stands_in_row(quantity: str, text: str, row: Row) -> bool:
    if quantity == "time_stonewall":
        return row.stonewall is not None and alike(text, row.stonewall["time"] or "")
    columns = {"bandwidth": "bw(MiB/s)", "time_total": "total(s)"}
    return quantity in columns and alike(text, row.cells.get(columns[quantity], ""))


def _asked_for(words: list[str]) -> set[str]:
    """The operations that a command line asks for; none if it names none."""
    return {name for flag, name in (("-w", "write"), ("-r", "read")) if flag in words}


# -- settings


def _settings(run: Run, test: Test) -> dict[str, Setting]:
    options = test.options
    summary = test.summaries[0].cells if test.summaries else {}
    row = test.rows[0].cells if test.rows else {}
    settings: dict[str, Setting] = {}

    def put(key: str, value: Setting | None) -> None:
        if value is not None and value != "":
            settings[key] = value

    api, _, api_version = options.get("api", summary.get("API", "")).partition(" ")
    put("api", api)
    put("api_version", options.get("apiVersion") or api_version.strip("() "))
    put("access", options.get("access"))
    kind = options.get("type")
    put("collective", None if kind is None else kind == "collective")
    clients = re.match(r"(\d+) \((\d+) per node\)", options.get("clients", ""))
    put("nodes", whole(options.get("nodes")))
    put(
        "tasks",
        whole(options.get("tasks") or (clients[1] if clients else None))
        or whole(summary.get("#Tasks") or row.get("numTasks")),
    )
    put(
        "tasks_per_node",
        whole(options.get("clients per node") or (clients[2] if clients else None))
        or whole(summary.get("tPN")),
    )
    segments = whole(options.get("segments") or summary.get("segcnt"))
    put("segments", segments)
    put("repetitions", whole(options.get("repetitions") or summary.get("reps")))
    put("ordering", options.get("ordering in a file", "").removesuffix(" offsets"))
    transfer = _bytes(options.get("xfersize"), _candidates(run, "t", "xsize", summary, row))
    put("transfer_b", transfer)
    block = _bytes(options.get("blocksize"), _candidates(run, "b", "blksiz", summary, row))
    put("block_b", block)
    put("aggregate_b", _aggregate(options, settings))
    put("stonewall_s", whole(options.get("stonewallingTime")))
    wear_out = whole(options.get("stoneWallingWearOut"))
    put("stonewall_wear_out", None if wear_out is None else bool(wear_out))
    put("path", options.get("test filename"))
    if test.file_system is not None:
        settings |= printed.file_system(*test.file_system)
    put("test", test.number)
    put("command", run.command)
    return settings


def _candidates(
    run: Run, flag: str, column: str, summary: Mapping[str, str], row: Mapping[str, str]
) -> Iterator[int]:
    """What else a file says of a size that its options may have rounded, exact or nearly so."""
    exact = whole(summary.get(column))
    if exact is not None:
        yield exact
    words = run.command.replace("=", " ").split()
    for word, after in itertools.pairwise(words):
        size = printed.argument_size(after) if word == f"-{flag}" else None
        if size is not None:
            yield size
    kib = row.get({"t": "xfer(KiB)", "b": "block(KiB)"}[flag], "")
    if printed.cell(kib).value:
        among = interval(kib) * 1024
        if kib.isdigit() or (among.width < 2 and among.hi // 1 > among.lo):
            yield int(among.mid if kib.isdigit() else among.hi)


def _bytes(text: str | None, candidates: Iterator[int]) -> int | None:
    """A size in bytes, exactly: as stated if that is exact, else the one that rounds to it."""
    match = _SIZE.fullmatch((text or "").strip())
    if match is None:
        return next(candidates, None)
    unit = printed.SIZES.get(match["unit"])
    if unit is None or len(match["number"]) > 20:
        return None
    if "." not in match["number"]:
        return int(match["number"]) * unit
    among = interval(match["number"]) * unit
    return next((size for size in candidates if among.contains(size)), None)


def _aggregate(options: Mapping[str, str], settings: Mapping[str, Setting]) -> int | None:
    """Bytes that the test is to move: every task's block, in every segment."""
    block, segments, tasks = (settings.get(key) for key in ("block_b", "segments", "tasks"))
    stated = options.get("aggregate filesize")
    if segments is None and stated is not None:
        segments = 1  # what 2.x to 3.1 do not print; the stated size has to agree
    if isinstance(block, int) and isinstance(segments, int) and isinstance(tasks, int):
        return _bytes(stated, iter((block * segments * tasks,)))
    return _bytes(stated, iter(()))
