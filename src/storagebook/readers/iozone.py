"""IOzone: throughput mode as text and as -R report, the table of a single process, its -R reports.

kB, KB and Kbytes are 1024 bytes in every version of IOzone: ``-r 8M`` is 8192 kB. With ``-O`` it
counts operations instead, with ``-N`` µs an operation; which of the three is on a line of its own.

=========================  ========================================================================
quantity                   what it is
=========================  ========================================================================
``bandwidth``              all bytes over the time that the parent waited ("Parent sees"); of one
                           process, its own
``bandwidth_sum``          each process's own rate, added up by IOzone ("Children see"): rates over
                           different times, so above ``bandwidth``
``bandwidth`` of a rank    min, max and mean over the processes
``data_moved`` of a rank   what the slowest process had moved when the first one ended ("Min xfer")
=========================  ========================================================================

``rate`` and ``time_per_operation`` take the place of ``bandwidth`` with -O and -N. A report repeats
the sums of the text: one row if they agree.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from storagebook.errors import StoragebookError
from storagebook.readers import printed
from storagebook.readers.archive import File
from storagebook.readers.measurements import Setting
from storagebook.readers.printed import Collector, Reading, alike

TOOL = "iozone"

Unit = Literal["KiB/s", "IOP/s", "µs"]

_BANNER = printed.BANNERS[TOOL]
_HEAD = re.compile(
    rb'Iozone: Performance Test of File I/O|Children see throughput for|"Throughput report Y-axis'
    rb'|^\s*"(?:Writer|Re-writer|Reader|Random read) report"|^\s*iozone(?: test complete|: )',
    re.MULTILINE,
)
_BINARY = b"\xd0\xcf\x11\xe0"

_VERSION = re.compile(r"\s*Version \$Revision: (?P<version>\S{1,40}) \$")
_COMMAND = re.compile(r"\s*Command line used: (?P<command>.*)$")
_RECORD = re.compile(r'\s*"?Record [Ss]ize\s*=?\s*(?P<size>\d{1,15}) (?P<unit>[kKM]?[Bb]\w*)')
_FILE_SIZE = re.compile(r"\s*File size set to (?P<size>\d{1,15}) (?P<unit>[kKM]?[Bb]\w*)")
_EACH = re.compile(
    r"\s*Each process \w+ a (?P<size>\d{1,15}) ?(?P<unit>[kKM]?[Bb]\w*) file in "
    r"(?P<record>\d{1,15}) ?(?P<record_unit>[kKM]?[Bb]\w*) records"
)
_THREADS = re.compile(r"\s*Throughput test with (?P<count>\d{1,9}) (?:process|thread)")
_OUTPUT = re.compile(
    r'\s*"?(?:Output is in (?P<bytes>[kKM]?[Bb]\w*)/sec|(?P<ops>OPS Mode)'
    r"|(?P<us>Microseconds/op Mode)|Output is in (?P<other>[^\".]{1,60}))"
)
_MODES = {
    "Include close in write timing": "include_close",
    "Include fsync in write timing": "include_fsync",
    "O_DIRECT feature enabled": "direct",
    "Network distribution mode enabled.": "distributed",
    "No retest option selected": "no_retest",
}
_SEEN = re.compile(
    r"\s*(?P<who>Children see|Parent sees) throughput for\s+(?P<count>\d{1,9})"
    r" (?P<what>[\w -]{1,40})"
    r"\s*=\s*(?P<rest>.*)$"
)
_PER_PROCESS = re.compile(
    r"\s*(?P<which>Min|Max|Avg) throughput per (?:process|thread)\s*=\s*(?P<rest>.*)$"
)
_MIN_XFER = re.compile(r"\s*Min xfer\s*=\s*(?P<rest>.*)$")
_FIGURE = re.compile(r"(?P<text>\S{1,60})\s+(?P<unit>\S{1,20})\s*$")
_REPORT = re.compile(r'\s*"Throughput report Y-axis is type of test X-axis is number of ')
_REPORT_ROW = re.compile(r'\s*"\s*(?P<name>[A-Z][\w -]{1,30})"\s*(?P<rest>\S.*)$')
_GRID = re.compile(r'\s*"(?P<name>[A-Z][\w -]{1,30}) report"\s*$')
_QUOTED = re.compile(r'"\s*(\d{1,15})\s*"')
_TABLE_HEAD = re.compile(r"\s*(?:kB|KB)\s+reclen\s+(?P<names>write\b.*)$")
_TABLE_ROW = re.compile(r"\s*\d+\s+\d+\s+\S")
_COMPLETE = re.compile(r"\s*iozone test complete\.")
_ERROR = re.compile(
    r"\s*(?:Can(?:'|no)t |Error |iozone: (?:interrupted|Error)|Usage: iozone|fsync: |close: |open: "
    r"|write: |read: |Child \d+ |exiting iozone|Error in)|.*(?:No space left|Permission denied"
    r"|Input/output error|No such file)",
)

#: What a test is called in the text, in a report's row or heading, in the single process's table.
_OPERATIONS = {
    "initial writers": "write",
    "initial write": "write",
    "writer": "write",
    "write": "write",
    "rewriters": "rewrite",
    "rewrite": "rewrite",
    "re-writer": "rewrite",
    "readers": "read",
    "read": "read",
    "reader": "read",
    "re-readers": "reread",
    "re-read": "reread",
    "re-reader": "reread",
    "reread": "reread",
    "reverse readers": "backward read",
    "reverse read": "backward read",
    "backward read": "backward read",
    "bkwd read": "backward read",
    "stride readers": "stride read",
    "stride read": "stride read",
    "random readers": "random read",
    "random read": "random read",
    "mixed workload": "mixed",
    "random writers": "random write",
    "random write": "random write",
    "record rewrite": "record rewrite",
    "pwrite writers": "pwrite",
    "pwrite": "pwrite",
    "pread readers": "pread",
    "pread": "pread",
    "fwriters": "fwrite",
    "fwrite": "fwrite",
    "re-fwriters": "frewrite",
    "re-fwrite": "frewrite",
    "frewrite": "frewrite",
    "freaders": "fread",
    "fread": "fread",
    "re-freaders": "freread",
    "re-fread": "freread",
    "freread": "freread",
}
#: Columns of the single process's table that each test of ``-i`` fills.
_TESTS = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random read", "random write"),
    3: ("backward read",),
    4: ("record rewrite",),
    5: ("stride read",),
    6: ("fwrite", "frewrite"),
    7: ("fread", "freread"),
}
_TABLE_COLUMNS = [column for columns in _TESTS.values() for column in columns]
#: The second line of their headings; the first says random, bkwd, record or stride above it.
_TABLE_NAMES = [column.rpartition(" ")[2] for column in _TABLE_COLUMNS]
#: Units beside a figure, and what they are.
_UNITS: dict[str, Unit] = {
    "kb/sec": "KiB/s",
    "kbytes/sec": "KiB/s",
    "ops/sec": "IOP/s",
    "usec/op": "µs",
    "microsec/op": "µs",
    "microseconds/op": "µs",
}
_QUANTITIES: dict[Unit, str] = {
    "KiB/s": "bandwidth",
    "IOP/s": "rate",
    "µs": "time_per_operation",
}
_PER_RANK = {"Min": "min", "Max": "max", "Avg": "mean"}


def sniff(first: bytes) -> bool:
    """Whether a file's first bytes look like IOzone's."""
    return _HEAD.search(first) is not None


def read(source: File | str | Path) -> Reading:
    """The figures of a file that IOzone printed.

    Raises
    ------
    StoragebookError
        If the file cannot be read, is the binary that ``-b`` writes, or holds no result of IOzone.
    """
    return printed.read(source, parse)


def parse(data: bytes, file: str) -> Reading:
    """As `read`, of bytes."""
    if data.startswith(_BINARY):
        raise StoragebookError(
            "a binary spreadsheet, as iozone -b writes it",
            file=file,
            hint="keep what iozone -R prints, or save the sheet as text",
        )
    out = Collector(TOOL, file)
    lines = printed.text_lines(data, out, _BANNER)
    name = printed.run_name(file)
    runs = list(printed.runs_of(lines, TOOL, out))
    headed = sum(_BANNER.match(part[0]) is not None for _, part in runs)
    number = 0
    for start, part in runs:
        number += _BANNER.match(part[0]) is not None
        label = f"{name}#{number}" if headed > 1 else name
        _Reader(out, label, has_banner=_BANNER.match(part[0]) is not None).run(start, part)
    return out.reading()


@dataclass
class _Reader:
    out: Collector
    label: str
    has_banner: bool
    version: str = ""
    unit: Unit | None = "KiB/s"
    settings: dict[str, Setting] = field(default_factory=dict)
    operation: str | None = None
    counted: Counter[tuple[str, int]] = field(default_factory=Counter)
    sums: dict[tuple[str, int], str] = field(default_factory=dict)
    threads: list[int] = field(default_factory=list)
    in_report: bool = False
    grid: tuple[str, list[int]] | None = None
    columns: list[str] = field(default_factory=list)
    finished: bool = False

    def run(self, start: int, lines: list[str]) -> None:
        last = start
        for line, text in enumerate(lines, start + 1):
            if text.strip():
                last = line
                self.take(text, line)
        if self.has_banner and not self.finished:
            self.out.find("interrupted", "IOzone stops before its last line", last)

    def take(self, text: str, line: int) -> None:
        if match := _SEEN.match(text):
            self.seen(match, line)
        elif match := _PER_PROCESS.match(text):
            self.per_process(match, line)
        elif match := _MIN_XFER.match(text):
            self.min_xfer(match, line)
        elif _REPORT.match(text):
            self.in_report, self.grid = True, None
        elif match := _GRID.match(text):
            operation = _OPERATIONS.get(match["name"].lower())
            self.grid, self.in_report = (operation or match["name"].lower(), []), False
        elif self.grid is not None and _QUOTED.match(text.strip()):
            self.grid_line(text.strip(), line)
        elif self.in_report and (match := _REPORT_ROW.match(text)):
            self.report_row(match, line)
        elif match := _TABLE_HEAD.match(text):
            self.table_head(match["names"].split(), line)
        elif self.columns and _TABLE_ROW.match(text):
            self.table_row(text, line)
        elif _COMPLETE.match(text):
            self.finished, self.columns = True, []
        else:
            self.header(text, line)

    def header(self, text: str, line: int) -> None:
        if match := _VERSION.match(text):
            self.version = match["version"]
        elif match := _COMMAND.match(text):
            self.settings["command"] = match["command"].strip()
        elif match := _THREADS.match(text):
            count = int(match["count"])
            self.settings["tasks"] = count
            self.threads.append(count)
        elif match := _EACH.match(text):
            self.size("size_b", match["size"], match["unit"], line)
            self.size("transfer_b", match["record"], match["record_unit"], line)
        elif match := _RECORD.match(text):
            self.size("transfer_b", match["size"], match["unit"], line)
        elif match := _FILE_SIZE.match(text):
            self.size("size_b", match["size"], match["unit"], line)
        elif match := _OUTPUT.match(text):
            self.output(match, line)
        elif key := _MODES.get(text.strip()):
            self.settings[key] = True
        elif _ERROR.match(text) or printed.stopped(text):
            self.out.find("tool-error", text.strip(), line)

    def size(self, key: str, number: str, unit: str, line: int) -> None:
        power = {"k": 1, "m": 2, "b": 0}.get(unit[:1].lower())
        if power is None:
            self.out.find("unknown-unit", f"a size in {unit}; not read", line)
            return
        self.settings[key] = int(number) << 10 * power

    def output(self, match: re.Match[str], line: int) -> None:
        if match["ops"]:
            self.unit = "IOP/s"
        elif match["us"]:
            self.unit = "µs"
        else:
            label = f"{match['bytes']}/sec" if match["bytes"] else match["other"].strip()
            self.unit = _UNITS.get(label.lower())
            if self.unit is None:
                self.out.find("unknown-unit", f"output in {label}; not read", line)

    # -- throughput mode

    def seen(self, match: re.Match[str], line: int) -> None:
        figure = self.figure(match["rest"], line)
        name = match["what"].strip().lower()
        operation = _OPERATIONS.get(name, name)
        self.settings["tasks"] = int(match["count"])
        key = (operation, int(match["count"]))
        children = match["who"].startswith("Children")
        if children:
            self.operation = operation
            self.counted[key] += 1
        if figure is None:
            return
        text, unit = figure
        quantity = _QUANTITIES[unit]
        if children:
            self.sums[key] = text
        self.add(f"{quantity}_sum" if children else quantity, text, unit, operation, line)

    def per_process(self, match: re.Match[str], line: int) -> None:
        figure = self.figure(match["rest"], line)
        if figure is None or self.operation is None:
            return
        text, unit = figure
        self.add(
            _QUANTITIES[unit],
            text,
            unit,
            self.operation,
            line,
            scope="rank",
            statistic=_PER_RANK[match["which"]],
        )

    def min_xfer(self, match: re.Match[str], line: int) -> None:
        figure = _FIGURE.match(match["rest"])
        if figure is None or self.operation is None:
            self.out.find("broken-row", "a figure without its unit; not read", line)
            return
        unit = {"kb": "KiB", "kbytes": "KiB", "ops": "1"}.get(figure["unit"].lower())
        if unit is None:
            self.out.find("unknown-unit", f"Min xfer in {figure['unit']}; not read", line)
            return
        quantity = "operations" if unit == "1" else "data_moved"
        self.add(
            quantity, figure["text"], unit, self.operation, line, scope="rank", statistic="min"
        )

    def figure(self, rest: str, line: int) -> tuple[str, Unit] | None:
        match = _FIGURE.match(rest)
        if match is None:
            self.out.find("broken-row", "a figure without its unit; not read", line)
            return None
        unit = _UNITS.get(match["unit"].lower())
        if unit is None:
            self.out.find("unknown-unit", f"a figure in {match['unit']}; not read", line)
            return None
        return match["text"], unit

    def add(
        self,
        quantity: str,
        text: str,
        unit: str,
        operation: str,
        line: int,
        *,
        scope: str = "all",
        statistic: str = "single",
        settings: dict[str, Setting] | None = None,
    ) -> None:
        given = self.settings | (settings or {})
        tasks = given.get("tasks")
        repeated = self.counted[operation, tasks] if isinstance(tasks, int) else 0
        self.out.add(
            quantity,
            text,
            unit,
            version=self.version,
            run=self.label,
            operation=operation,
            line=line,
            settings=given,
            scope=scope,
            statistic=statistic,
            iteration=max(repeated - 1, 0),
        )

    # -- reports

    def report_row(self, match: re.Match[str], line: int) -> None:
        """A test's sums, one a number of processes."""
        operation = _OPERATIONS.get(match["name"].strip().lower())
        if operation is None or self.unit is None:
            return
        texts = match["rest"].split()
        threads = self.threads
        if len(threads) != len(texts):
            if threads:
                text = f"{len(texts)} figures for {len(threads)} numbers of processes; not read"
                self.out.find("broken-row", text, line)
                return
            threads = [0] * len(texts)  # the report alone does not say how many processes
        for place, (count, text) in enumerate(zip(threads, texts, strict=True), 1):
            known = self.sums.get((operation, count))
            if known is not None and alike(known, text):
                continue
            if known is not None:
                what = f"{operation} of {count} processes: {known} above, {text} in the report"
                self.out.find("contradiction", what, line)
            quantity = f"{_QUANTITIES[self.unit]}_sum"
            settings: dict[str, Setting] = {"tasks": count} if count else {"column": place}
            self.add(quantity, text, self.unit, operation, line, settings=settings)

    def grid_line(self, text: str, line: int) -> None:
        """A line of a report over record sizes (across) and file sizes (down), in KiB."""
        assert self.grid is not None
        operation, records = self.grid
        quoted = _QUOTED.findall(text)
        figures = _QUOTED.sub(" ", text).split()
        if not figures:
            records[:] = [int(size) for size in quoted]
            return
        if len(quoted) != 1 or len(figures) > len(records) or self.unit is None:
            text = f"{len(figures)} figures under {len(records)} record sizes; not read"
            self.out.find("broken-row", text, line)
            return
        for record, figure in zip(records, figures, strict=False):
            settings: dict[str, Setting] = {
                "transfer_b": record << 10,
                "size_b": int(quoted[0]) << 10,
                "tasks": 1,
            }
            self.single(operation, figure, line, settings)

    # -- the table of a single process

    def table_head(self, names: list[str], line: int) -> None:
        self.columns = _TABLE_COLUMNS[: len(names)]
        if names != _TABLE_NAMES[: len(names)]:
            self.columns = []
            text = f"a table of {' '.join(names)}, which no known version prints; not read"
            self.out.find("unknown-column", text, line)

    def table_row(self, text: str, line: int) -> None:
        words = text.split()
        if not all(map(printed.looks_like_figure, words)):
            return
        size, record, *figures = words
        columns = self.filled(len(figures))
        if columns is None or self.unit is None or not (size + record).isdigit():
            what = f"{len(figures)} figures that -i does not tell the columns of; not read"
            self.out.find("broken-row", what, line)
            return
        settings: dict[str, Setting] = {
            "transfer_b": int(record) << 10,
            "size_b": int(size) << 10,
            "tasks": 1,
        }
        for operation, figure in zip(columns, figures, strict=True):
            self.single(operation, figure, line, settings)

    def filled(self, count: int) -> list[str] | None:
        """The columns that a row of so many figures fills: all, or those of the tests asked for."""
        if count == len(self.columns):
            return self.columns
        asked = {
            int(number)
            for number in re.findall(r"-i ?(\d{1,2})\b", str(self.settings.get("command", "")))
        }
        columns = [c for test in sorted(asked) for c in _TESTS.get(test, ())]
        return columns if len(columns) == count else None

    def single(self, operation: str, text: str, line: int, settings: dict[str, Setting]) -> None:
        """A figure of one process, which table and report both print."""
        assert self.unit is not None
        key = (f"{operation} {settings['size_b']}", int(settings["transfer_b"]))
        known = self.sums.get(key)
        if known is not None and alike(known, text):
            return
        if known is not None:
            what = f"{operation}: {known} in the table, {text} in the report"
            self.out.find("contradiction", what, line)
        self.sums[key] = text
        self.add(_QUANTITIES[self.unit], text, self.unit, operation, line, settings=settings)
