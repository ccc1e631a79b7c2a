"""mdtest: text of 1.x, 3.x and 4.x, and the CSV of each rank's figures.

``rate`` is operations over the time of the phase, ``time`` that time. Three things change between
releases and stand in the rows:

- Under ``SUMMARY time`` stand the seconds of the whole phase. 4.1 heads that table "ms/op" and
  still prints the seconds of the whole phase.
- In 3.3 each task times a phase itself, and max, min and mean go over tasks as well as iterations;
  since 3.4 they go over iterations alone (setting ``statistics_over``).
- ``File create (stonewall)`` of 3.3 is what was reached when the stonewall was hit:
  ``rate_stonewall``, ``time_stonewall``.

0.000 in either table is "not measured", or a time too short to print; it gives no row. Verbose
lines give rows where the summary averages over iterations, or is not there.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storagebook.readers import printed
from storagebook.readers.archive import File
from storagebook.readers.measurements import Setting
from storagebook.readers.printed import Collector, Reading, alike, whole

TOOL = "mdtest"

_BANNER = printed.BANNERS[TOOL]
_RANKS_HEAD = "rank,items,"
_HEAD = re.compile(
    rb"mdtest-\d\S* was launched with|^\s*rank,items,rate-"
    rb"|^\s*SUMMARY(?: rate| time)?[^\n:]*: \(of",
    re.MULTILINE,
)
_STARTED = re.compile(r"\s*-- started at .* --\s*$")
_FINISHED = re.compile(r"\s*-- finished at .* --\s*$")
_COMMAND = re.compile(r"\s*Command line used\s*:\s?(?P<command>.*)$")
_FILE_SYSTEM = re.compile(r"\s*FS\s*:\s*(?P<size>-?\S+ [KMGTPE]?i?B)\s+Used FS:\s*(?P<used>\S+?)%")
_PATH = re.compile(r"\s*Path\s*:(?P<path>.*)$")
_ITEMS = re.compile(r"\s*(?P<tasks>\d+) tasks, (?P<items>\d+) (?P<kind>files(?:/directories)?|\S+)")
_STONEWALL = re.compile(
    r".*stonewall hit min: (?P<fewest>\S{1,60}) max: (?P<most>\S{1,60}) avg: (?P<mean>\S{1,60})"
)
_STONEWALL_RANK = re.compile(r"\s*stonewall rank (?P<rank>\d+): (?P<done>\d+) of (?P<asked>\d+)")
_TABLE = re.compile(
    r"\s*SUMMARY(?: (?P<kind>rate|time))?\s*(?:\(in (?P<unit>[^)]*)\))?\s*:"
    r"\s*\(of (?P<iterations>\d+) iterations?\)"
)
_COLUMNS = re.compile(r"\s*Operation\s+(?P<names>(?:Max|Min|Mean|Std Dev)\b.*)$")
_ROW = re.compile(r"\s*(?P<name>[A-Z][a-z]+(?: [a-z]+)?(?: \(stonewall\))?)\s*:?\s*(?P<rest>\S.*)$")
# releases before 1.9 print these without the V
_ITERATION = re.compile(r"\s*(?:V-\d+:.*)?\* iteration (?P<number>\d+)\b")
_VERBOSE = re.compile(
    r"\s*(?:V-\d+:.*?)?(?P<name>(?:Directory|File|Tree) (?:creation|stat|read|rename|removal))\s*:"
    r"\s+(?P<seconds>\S{1,60}) sec,\s+(?P<rate>\S{1,60}) ops/sec"
)
_ERROR = re.compile(r".*\b(?:ERROR|FATAL)\b|\s*(?:\d+: )?Process \d+: FAILED in")
_WARNING = re.compile(r"\s*(?:mdtest )?WARNING:\s*(?P<what>.*)$")
_BAD_DATA = re.compile(r"verification (?:error|failed)|[1-9]\d* (?:data )?errors? found|mismatch")
_KNOWN = re.compile(
    r"\s*$|\s*V-\d+:|\s*(?:Nodemap|Path|FS)\s*:|\s*-{3,}\s|\s*Operation\s|"
    r"\s*[a-z_]+(?:\(s\))?\s*:|\s*-{2} "
)

_ARGUMENTS = {
    "-n": "items_per_task",
    "-I": "items_per_directory",
    "-z": "depth",
    "-b": "branch",
    "-w": "write_b",
    "-e": "read_b",
    "-W": "stonewall_s",
}
_RATE_UNITS = (None, "ops/sec")
_STATISTICS = {"Max": "max", "Min": "min", "Mean": "mean", "Std Dev": "stddev"}
_CSV_COLUMN = re.compile(r"(?P<quantity>rate|time)-(?P<name>[A-Z][a-z]+ [a-z]+)")
_UNITS = {"rate": "IOP/s", "time": "s"}


def sniff(first: bytes) -> bool:
    """Whether a file's first bytes look like mdtest's."""
    return _HEAD.search(first) is not None


def read(source: File | str | Path) -> Reading:
    """The figures of a file that mdtest wrote.

    Raises
    ------
    StoragebookError
        If the file cannot be read, or holds no result of mdtest.
    """
    return printed.read(source, parse)


def parse(data: bytes, file: str) -> Reading:
    """As `read`, of bytes."""
    out = Collector(TOOL, file)
    lines = printed.text_lines(data, out, _BANNER)
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(_RANKS_HEAD):
        _read_ranks(lines, out)
        return out.reading()
    if lines and data[-1:] not in (b"\n", b"\r") and _ROW.match(lines[-1]):
        out.find("interrupted", "the last row may lack its end; not read", len(lines))
        lines = lines[:-1]
    runs = [_take(start, part, out) for start, part in printed.runs_of(lines, TOOL, out)]
    runs = [run for run in runs if run.tables or run.verbose or run.banner]
    name = printed.run_name(file)
    for number, run in enumerate(runs, 1):
        _emit(run, name if len(runs) == 1 else f"{name}#{number}", out)
    return out.reading()


@dataclass
class _Figures:
    """A row of a table: texts by statistic."""

    name: str
    texts: dict[str, str]
    line: int


@dataclass
class _Table:
    """One summary.

    Attributes
    ----------
    quantity
        ``rate`` or ``time``; None if its unit is not known.
    """

    quantity: str | None
    iterations: int
    line: int
    columns: list[str] = field(default_factory=list)
    rows: list[_Figures] = field(default_factory=list)


@dataclass
class _Verbose:
    """What a verbose line says of one iteration, by the clock of the first task."""

    name: str
    iteration: int
    seconds: str
    rate: str
    line: int


@dataclass
class _Run:
    version: str
    banner: bool
    settings: dict[str, Setting] = field(default_factory=dict)
    tables: list[_Table] = field(default_factory=list)
    verbose: list[_Verbose] = field(default_factory=list)
    stonewall: tuple[re.Match[str], int] | None = None
    ranks: list[tuple[re.Match[str], int]] = field(default_factory=list)
    finished: bool = False
    last_line: int = 0


def _take(start: int, lines: list[str], out: Collector) -> _Run:
    banner = _BANNER.match(lines[0])
    run = _Run(banner["version"] if banner else "", banner is not None)
    if banner:
        run.settings |= {"tasks": int(banner["tasks"][:18]), "nodes": int(banner["nodes"][:18])}
    iteration = 0
    table: _Table | None = None
    noise: list[int] = []
    for line, text in enumerate(lines, start + 1):
        if text.strip():
            run.last_line = line
        if match := _TABLE.match(text):
            table = _new_table(run, match, line, out)
        elif match := _FINISHED.match(text):
            run.finished, table = True, None
        elif match := _VERBOSE.match(text):
            row = _Verbose(match["name"], iteration, match["seconds"], match["rate"], line)
            run.verbose.append(row)
        elif table is not None and (match := _COLUMNS.match(text)):
            table.columns = re.findall(r"Std Dev|\S+", match["names"])
        elif table is not None and table.columns and (match := _ROW.match(text)):
            _take_row(table, match, line, out)
        elif match := _ITERATION.match(text):
            iteration = max(int(match["number"][:9]) - 1, 0)
        elif match := _STONEWALL.match(text):
            run.stonewall = (match, line)
        elif match := _STONEWALL_RANK.match(text):
            run.ranks.append((match, line))
        elif match := _COMMAND.match(text):
            run.settings |= _command_settings(match["command"].strip())
        elif match := _FILE_SYSTEM.match(text):
            run.settings |= printed.file_system(match["size"], match["used"])
        elif match := _ITEMS.match(text):
            run.settings |= {"items": int(match["items"][:18]), "items_are": match["kind"]}
        elif (match := _PATH.match(text)) and match["path"].strip():
            run.settings["path"] = match["path"].strip()
        elif match := _WARNING.match(text):
            out.find("tool-warning", match["what"].strip(), line)
        elif _BAD_DATA.search(text):
            out.find("bad-data", text.strip(), line)
        elif _ERROR.match(text) or printed.stopped(text):
            out.find("tool-error", text.strip(), line)
        elif not (_KNOWN.match(text) or _BANNER.match(text) or _STARTED.match(text)):
            noise.append(line)
    printed.report_noise(out, noise)
    return run


def _new_table(run: _Run, match: re.Match[str], line: int, out: Collector) -> _Table | None:
    quantity = match["kind"] or "rate"
    unit = match["unit"]
    if quantity == "rate" and unit not in _RATE_UNITS:
        out.find("unknown-unit", f"rates in {unit!r}; not read", line)
        quantity = None
    elif quantity == "time" and not _is_seconds(unit, run.version):
        out.find("unknown-unit", f"times in {unit!r}, mdtest {run.version}; not read", line)
        quantity = None
    table = _Table(quantity, int(match["iterations"][:9]), line)
    if table.iterations == 0:
        out.find("nothing-measured", "a summary of 0 iterations", line, severity="error")
    run.tables.append(table)
    return table


def _is_seconds(unit: str | None, version: str) -> bool:
    """Whether the table of times holds the seconds of whole phases."""
    return unit is None or (unit == "ms/op" and printed.version_of(version) == (4, 1))


def _take_row(table: _Table, match: re.Match[str], line: int, out: Collector) -> None:
    words = match["rest"].split()
    if not printed.looks_like_figure(words[0]):
        return
    if len(words) != len(table.columns):
        text = f"a row of {len(words)} figures under {len(table.columns)} headings; not read"
        out.find("broken-row", text, line)
        return
    texts = {
        _STATISTICS[column]: word
        for column, word in zip(table.columns, words, strict=True)
        if column in _STATISTICS
    }
    table.rows.append(_Figures(match["name"].strip(), texts, line))


def _command_settings(command: str) -> dict[str, str | int]:
    """What a command line sets: since 3.3 each word stands in quotes."""
    words = [word.strip("'\"") for word in command.split()]
    settings: dict[str, str | int] = {"command": command}
    for word, after in itertools.pairwise(words):
        size = printed.argument_size(after)
        if word in _ARGUMENTS and size is not None:
            settings[_ARGUMENTS[word]] = size
        elif word == "-a":
            settings["api"] = after
    return settings


def _emit(run: _Run, label: str, out: Collector) -> None:
    common: dict[str, Any] = {"version": run.version, "run": label}
    averages = _emit_tables(run, common, out)
    _emit_verbose(run, averages, common, out)
    reached: list[tuple[str, int, str, dict[str, Any]]] = []
    if run.stonewall is not None:
        match, line = run.stonewall
        names = {"fewest": "min", "most": "max", "mean": "mean"}
        reached += [(match[name], line, statistic, {}) for name, statistic in names.items()]
    for match, line in run.ranks:
        reached.append((match["done"], line, "single", {"rank": int(match["rank"][:9])}))
    for text, line, statistic, settings in reached:
        out.add(
            "stonewall_items",
            text,
            "1",
            operation="file creation",
            line=line,
            settings=run.settings | settings,
            statistic=statistic,
            scope="rank",
            **common,
        )
    if run.banner and not run.finished:
        text = "mdtest stops before its end line"
        out.find("interrupted", text, run.last_line)


def _emit_tables(run: _Run, common: dict[str, Any], out: Collector) -> dict[tuple[str, str], str]:
    """Rows of the summaries; returns what each says of a quantity of an operation, on average."""
    averages: dict[tuple[str, str], str] = {}
    for table in run.tables:
        if table.quantity is None:
            continue
        for row in table.rows:
            operation, suffix = _operation(row.name)
            quantity = f"{table.quantity}{suffix}"
            _check_order(operation, quantity, row, out)
            averages[operation, quantity] = row.texts.get("mean", "")
            single = table.iterations == 1 and len(_extremes(row)) <= 1
            settings = run.settings | {"iterations": table.iterations}
            if (over := _statistics_over(table, run.version)) and not single:
                settings["statistics_over"] = over
            measured = printed.cell(row.texts.get("mean", "")).value
            for statistic, text in row.texts.items():
                if single and statistic != "mean":
                    continue
                out.add(
                    quantity,
                    text,
                    _UNITS[table.quantity],
                    operation=operation,
                    line=row.line,
                    settings=settings,
                    statistic="single" if single else statistic,
                    iteration=0 if table.iterations == 1 else None,
                    zero_is_measured=statistic == "stddev" and bool(measured),
                    **common,
                )
            _check_done(operation, quantity, row, averages, out)
    return averages


def _statistics_over(table: _Table, version: str) -> str | None:
    """What max, min and mean go over, where the file or its version tells."""
    if table.iterations == 1:
        return "tasks"
    release = printed.version_of(version)
    if release is None or release < (3, 3):
        return None
    return "tasks and iterations" if release == (3, 3) else "iterations"


def _operation(name: str) -> tuple[str, str]:
    """An operation as its rows name it, and what the quantity is called after."""
    if name.endswith("(stonewall)"):
        return name.removesuffix(" (stonewall)").lower().replace("create", "creation"), "_stonewall"
    return name.lower(), ""


def _extremes(row: _Figures) -> set[str]:
    """The different texts of max, min and mean; NA says nothing."""
    texts = (row.texts.get(statistic, "") for statistic in ("max", "min", "mean"))
    return {text for text in texts if printed.cell(text).value is not None}


def _check_done(
    operation: str,
    quantity: str,
    row: _Figures,
    averages: dict[tuple[str, str], str],
    out: Collector,
) -> None:
    """An operation that took time has a rate, unless it did too little to print one."""
    rate = averages.get((operation, quantity.replace("time", "rate")))
    if not quantity.startswith("time") or rate is None or printed.cell(rate).value != 0:
        return
    seconds = printed.cell(averages[operation, quantity]).value
    if seconds and seconds * printed.interval(rate).hi < 1:
        text = f"{operation}: {averages[operation, quantity]} s of it, at a rate of {rate}"
        out.find("contradiction", text, row.line, severity="warning")


def _check_order(operation: str, quantity: str, row: _Figures, out: Collector) -> None:
    low, mean, high = (
        printed.cell(row.texts.get(name, "")).value for name in ("min", "mean", "max")
    )
    if low is None or mean is None or high is None:
        return
    if not low <= mean <= high:
        text = f"{operation} {quantity}: a mean of {mean} outside {low} to {high}"
        out.find("contradiction", text, row.line)


def _emit_verbose(
    run: _Run, averages: dict[tuple[str, str], str], common: dict[str, Any], out: Collector
) -> None:
    iterations = max((table.iterations for table in run.tables), default=0)
    for row in run.verbose:
        operation = row.name.lower()
        for quantity, text in (("rate", row.rate), ("time", row.seconds)):
            if iterations == 1 and (operation, quantity) in averages:
                _compare(operation, quantity, text, averages[operation, quantity], row.line, out)
                continue
            out.add(
                quantity,
                text,
                _UNITS[quantity],
                operation=operation,
                line=row.line,
                settings=run.settings,
                iteration=row.iteration,
                **common,
            )


#: How far the clock of the first task may be off the others', as a share of the figure.
_CLOCKS_APART = 1e-3


def _compare(
    operation: str, quantity: str, verbose: str, summary: str, line: int, out: Collector
) -> None:
    """The verbose line of a single iteration says what the summary says, by one task's clock."""
    first, second = printed.cell(verbose).value, printed.cell(summary).value
    if not first or not second or alike(verbose, summary):
        return
    if abs(first - second) > _CLOCKS_APART * second:
        text = f"{operation} {quantity}: {verbose} here, {summary} in the summary"
        out.find("contradiction", text, line)


def _read_ranks(lines: list[str], out: Collector) -> None:
    columns: list[str] = []
    for line, text in enumerate(lines, 1):
        cells = [part.strip() for part in text.split(",")]
        if text.strip().startswith(_RANKS_HEAD):
            columns = cells
        elif not text.strip():
            continue
        elif not _is_rank_row(columns, cells):
            out.find("broken-row", "not a row of the figures of a rank; not read", line)
        else:
            _rank_row(columns, cells, line, out)


def _is_rank_row(columns: list[str], cells: list[str]) -> bool:
    """Whether a row fits: "all" has every column, a rank none of the trees', made by one task."""
    of_ranks = [column for column in columns if "Tree" not in column]
    if cells[0] == "all":
        return len(cells) == len(columns)
    return whole(cells[0]) is not None and len(cells) in (len(columns), len(of_ranks))


def _rank_row(columns: list[str], cells: list[str], line: int, out: Collector) -> None:
    settings: dict[str, str | int] = {}
    if cells[0] != "all":
        settings["rank"] = int(cells[0])
    if (items := whole(cells[1])) is not None:
        settings["items_per_task"] = items
    for column, text in zip(columns[2:], cells[2:], strict=False):
        match = _CSV_COLUMN.fullmatch(column)
        if match is None:
            out.find("unknown-column", f"a column {column!r}; not read", 1, once=True)
            continue
        out.add(
            match["quantity"],
            text,
            _UNITS[match["quantity"]],
            version="",
            run=printed.run_name(out.file),
            operation=match["name"].lower(),
            line=line,
            settings=settings,
            scope="all" if cells[0] == "all" else "rank",
            iteration=0,
        )
