"""What benchmark tools print, figure by figure: shared by the readers of single outputs.

A figure becomes a row only if work was measured. ``-``, ``NA`` and an empty cell say that it was
not; nan, inf and a figure below zero say so too and are reported; a decimal comma is refused, as
nobody can tell it from a thousands separator.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from storagebook.errors import StoragebookError, one_line
from storagebook.intervals import Interval
from storagebook.io500 import findings
from storagebook.io500.findings import Code, Finding, Severity
from storagebook.readers import archive
from storagebook.readers.measurements import Measurement, Obtained, Setting

#: Bytes of each unit that tools print sizes in.
SIZES = {"B": 1, "bytes": 1, **{f"{p}iB": 1024**n for n, p in enumerate("KMGTPE", 1)}}
#: No line that a figure stands on is longer; a map of nodes is.
MAX_SHOWN = 8192
#: Most findings of one code in one file; a broken file has one trouble many times.
MAX_REPEATED = 20

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MAX_NUMBER = 60
_NOTHING = frozenset({"", "-", "--", "na", "n/a", "none", "null", "unset", "undefined"})
_NOT_A_NUMBER = re.compile(r"[+-]?(?:nan(?:\(\w*\))?|inf(?:inity)?|1\.#\w+)", re.IGNORECASE)
_COMMA = re.compile(r"[+-]?\d+(?:[.,]\d+)*,\d+(?:[eE][+-]?\d+)?", re.ASCII)

_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
# mpirun --tag-output, srun -l and pdsh put tag, rank or host before each line
_LAUNCHERS = (
    r"\[\d+,\d+\](?:<std(?:out|err)>)?:\s?",
    r"\s*\d+:(?:\s|$)",
    r"[\w.-]+:(?:\s|$)",
)

#: The line that starts a run in a tool's text.
BANNERS = {
    "ior": re.compile(r"\s*IOR-(?P<version>\S{1,60}): MPI Coordinated Test of Parallel I/O"),
    "mdtest": re.compile(
        r"\s*mdtest-(?P<version>\S{1,60}) was launched with (?P<tasks>\d{1,18}) total task\(?s?\)?"
        r" on (?P<nodes>\d{1,18}) node"
    ),
    "iozone": re.compile(r"\s*Iozone: Performance Test of File I/O"),
    "fio": re.compile(r'\s*"fio version"|fio-\d\S*$'),
}
_MAYBE_BANNER = re.compile(r"IOR-|mdtest-|Iozone|fio")
_STOPPED = re.compile(
    r"MPI_ABORT was invoked|application called MPI_Abort|BAD TERMINATION|slurmstepd: error"
    r"|srun: error|CANCELLED AT|DUE TO TIME LIMIT|[Ss]egmentation fault|\(core dumped\)"
    r"|mpirun noticed that process|^Killed$|PBS: job killed|Terminated by signal"
)
_ARGUMENT = re.compile(r"(\d{1,18})([kmgt]?)", re.IGNORECASE | re.ASCII)
_VERSION = re.compile(r"(\d+)\.(\d+)", re.ASCII)

_READING: tuple[tuple[str, Severity, str], ...] = (
    ("interrupted", "error", "the run, or its output, ends before it is complete"),
    ("tool-error", "error", "the tool, the launcher or the scheduler reports an error"),
    ("tool-warning", "warning", "the tool warns"),
    ("bad-data", "error", "the tool read back other data than it wrote"),
    ("broken-row", "error", "a row that does not fit its headings; not read"),
    ("unknown-column", "error", "a heading that no known version prints; not read"),
    ("unknown-unit", "error", "a unit that no known version prints; not read"),
    ("unknown-meaning", "note", "a figure that its version does not define; not read"),
    ("decimal-comma", "error", "a decimal comma or a thousands separator; not read"),
    ("not-a-number", "error", "no number, so not measured"),
    ("below-zero", "error", "below zero, so not measured"),
    ("unreadable-figure", "error", "no figure; not read"),
    ("nothing-measured", "warning", "an operation that did no work"),
    ("contradiction", "error", "a file states a figure twice, and differently"),
    ("snapshots", "note", "states of one run while it went on; the last one is read"),
    ("other-tool", "note", "another tool's output in the same file, for its own reader"),
    ("noise", "note", "lines that the tool did not print as results; not read"),
)
#: Findings of the readers of single outputs, beside those of text that `archive` tells.
CODES: dict[str, Code] = {
    **{code: findings.CODES[code] for code in ("not-utf8", "utf16", "nul-bytes", "long-line")},
    **{code: Code("reading", severity, meaning) for code, severity, meaning in _READING},
}


@dataclass(frozen=True)
class Reading:
    """What one file holds, and what is to be said about it."""

    measurements: tuple[Measurement, ...]
    findings: tuple[Finding, ...]


class Cell(NamedTuple):
    """A printed figure: its value, or None and what is wrong (None if merely not measured)."""

    value: float | None
    problem: str | None


def cell(text: str) -> Cell:
    """The figure that a text is.

    >>> cell("2104.26"), cell("NA"), cell("2104,26").problem
    (Cell(value=2104.26, problem=None), Cell(value=None, problem=None), 'decimal-comma')
    """
    text = text.strip()
    if len(text) > _MAX_NUMBER:
        return Cell(None, "unreadable-figure")
    if _NUMBER.fullmatch(text):
        value = float(text)
        if not math.isfinite(value):
            return Cell(None, "not-a-number")
        return Cell(value, None) if value >= 0 else Cell(None, "below-zero")
    if text.lower() in _NOTHING:
        return Cell(None, None)
    if _NOT_A_NUMBER.fullmatch(text):
        return Cell(None, "not-a-number")
    return Cell(None, "decimal-comma" if _COMMA.fullmatch(text) else "unreadable-figure")


def looks_like_figure(text: str) -> bool:
    """Whether a word could stand in a table of figures, good or bad."""
    return cell(text).problem != "unreadable-figure"


def whole(text: str | None) -> int | None:
    """A count, or None."""
    return int(text) if text is not None and re.fullmatch(r"[0-9]{1,18}", text.strip()) else None


def interval(text: str) -> Interval:
    """What a figure printed with a fixed number of places can be; zeros at its end count."""
    return Interval.of_printed(text.strip(), trailing_zeros=True)


def alike(first: str, second: str) -> bool:
    """Whether two printed figures can be one number, rounded twice."""
    if cell(first).value is None or cell(second).value is None:
        return False
    return interval(first).overlaps(interval(second))


def version_of(text: str) -> tuple[int, int] | None:
    """Major and minor number of a version.

    >>> version_of("3.3.0+dev"), version_of("")
    ((3, 3), None)
    """
    match = _VERSION.search(text[:100])
    return (int(match[1][:9]), int(match[2][:9])) if match else None


@dataclass
class Collector:
    """Gathers the rows and findings of one file.

    Attributes
    ----------
    tool
        Of each row.
    file
        Where it all stands.
    """

    tool: str
    file: str
    measurements: list[Measurement] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    _repeated: Counter[str] = field(default_factory=Counter)

    def find(
        self,
        code: str,
        text: str,
        line: int | None = None,
        *,
        severity: Severity | None = None,
        once: bool = False,
    ) -> None:
        """Report something, with its code's severity if no other is given.

        One code is reported `MAX_REPEATED` times and no more, the same text more than once unless
        `once` is asked for.
        """
        if once and any((f.code, f.text) == (code, text) for f in self.findings):
            return
        self._repeated[code] += 1
        if self._repeated[code] <= MAX_REPEATED:
            severity = severity or CODES[code].severity
            self.findings.append(Finding(code, severity, one_line(text), self.file, line))

    def add(
        self,
        quantity: str,
        printed: str,
        unit: str,
        *,
        version: str,
        run: str,
        operation: str,
        line: int | None,
        settings: Mapping[str, Setting],
        statistic: str = "single",
        scope: str = "all",
        iteration: int | None = None,
        valid: bool | None = None,
        zero_is_measured: bool = False,
        obtained: Obtained = "raw-output",
    ) -> float | None:
        """Add a row, if the figure was measured; return its value, else None."""
        value, problem = cell(printed)
        if problem is not None:
            what = f"{operation} {quantity} ({statistic})"
            self.find(problem, f"{what} is {printed.strip()!r}: {CODES[problem].meaning}", line)
        if value is None or (value == 0 and not zero_is_measured):
            return None
        self.measurements.append(
            Measurement(
                tool=self.tool,
                version=version,
                run=run,
                operation=operation,
                quantity=quantity,
                value=value,
                unit=unit,
                printed=printed.strip(),
                statistic=statistic,
                scope=scope,
                iteration=iteration,
                valid=valid,
                obtained=obtained,
                file=self.file,
                line=line,
                settings=dict(settings),
            )
        )
        return value

    def reading(self) -> Reading:
        """What was gathered.

        Raises
        ------
        StoragebookError
            If no figure was: with the first error that the file itself tells.
        """
        if not self.measurements:
            errors = [f for f in self.findings if f.severity == "error"]
            if errors:
                raise StoragebookError(
                    f"no result of {self.tool} in it: {errors[0].text}",
                    file=self.file,
                    line=errors[0].line,
                )
            raise StoragebookError(f"no result of {self.tool} in it", file=self.file)
        for code, count in self._repeated.items():
            if count > MAX_REPEATED:
                text = f"{count - MAX_REPEATED} more of {code}"
                self.findings.append(Finding(code, "note", text, self.file, None))
        return Reading(tuple(self.measurements), tuple(self.findings))


def read(source: archive.File | str | Path, parse: Callable[[bytes, str], Reading]) -> Reading:
    """A reading of a file, given as such or by its path.

    Raises
    ------
    StoragebookError
        If it is no file, is too large or cannot be read, or if `parse` refuses it.
    """
    if isinstance(source, archive.File):
        return parse(source.read(), source.path)
    found = archive.open_tree(source, keep=lambda _path, _head: True, report=lambda _skipped: None)
    if not isinstance(found, archive.File):
        raise StoragebookError("a folder or an archive, where one file is read", file=source)
    try:
        return parse(found.read(), found.path)
    except StoragebookError as error:
        # rows name the file, an error names the path that was asked for
        raise StoragebookError(error.what, file=source, line=error.line, hint=error.hint) from None


def run_name(file: str) -> str:
    """The run that a file is: its path without the last suffix."""
    folder, slash, name = file.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return f"{folder}{slash}{stem}"


def text_lines(data: bytes, collector: Collector, banner: re.Pattern[str]) -> list[str]:
    """The lines of a text output, without colours and launcher prefixes; oddities are reported.

    Parameters
    ----------
    banner
        Matches the line that starts a run; whatever launcher prefix stands before it there is
        taken off every line that carries the like.
    """
    lines, odd = archive.lines_of(data)
    for code, line in odd:
        collector.find(code, CODES[code].meaning, line)
    lines = [line[:MAX_SHOWN].rstrip() for line in lines]
    if b"\x1b" in data:
        lines = [_ESCAPE.sub("", line) for line in lines]
    if any(map(banner.match, lines)):
        return lines
    for launcher in _LAUNCHERS:
        prefixed = re.compile(rf"({launcher}){banner.pattern}")
        match = next(filter(None, map(prefixed.match, lines)), None)
        if match is not None:
            # a host is what it is; ranks and tags differ from line to line
            host = launcher == _LAUNCHERS[-1]
            like = rf"{re.escape(match[1].rstrip())}(?:\s|$)" if host else launcher
            return [re.sub(rf"^{like}", "", line) for line in lines]
    return lines


def stopped(line: str) -> bool:
    """Whether a line says that the launcher, the scheduler or the system ended the job."""
    return _STOPPED.search(line) is not None


def file_system(size: str, used: str) -> dict[str, float]:
    """Settings: size (TiB) and used share (%) of a file system, as far as they were told.

    >>> file_system("252.0 GiB", "11.1"), file_system("-0.0 GiB", "-nan")
    ({'fs_size_tib': 0.24609375, 'fs_used_pct': 11.1}, {})
    """
    settings: dict[str, float] = {}
    number, _, unit = size.strip().partition(" ")
    value = cell(number).value
    if value and unit in SIZES:
        settings["fs_size_tib"] = value * SIZES[unit] / SIZES["TiB"]
    share = cell(used.strip().rstrip("%")).value
    if share is not None:
        settings["fs_used_pct"] = share
    return settings


def runs_of(lines: list[str], tool: str, out: Collector) -> Iterator[tuple[int, list[str]]]:
    """The parts of a file that are a tool's: from each of its banners to the next of any tool.

    What stands before the first banner comes first; another tool's part is reported, not given.
    Yields the index of a part's first line and its lines.
    """
    starts = [(0, tool)]
    for index, line in enumerate(lines):
        if _MAYBE_BANNER.search(line):
            starts += [(index, name) for name, banner in BANNERS.items() if banner.match(line)][:1]
    ends = [index for index, _ in starts[1:]] + [len(lines)]
    for (begin, name), end in zip(starts, ends, strict=True):
        if name != tool:
            out.find("other-tool", f"{name} from here on, not {tool}", begin + 1)
        elif end > begin:
            yield begin, lines[begin:end]


def tools_in(data: bytes) -> list[str]:
    """The tools whose first line stands somewhere in a text, in that order."""
    found: dict[str, int] = {}
    for tool, banner in BANNERS.items():
        line = re.compile(b"^" + banner.pattern.encode(), re.MULTILINE).search(data)
        if line is not None:
            found[tool] = line.start()
    return sorted(found, key=found.__getitem__)


def report_noise(out: Collector, lines: list[int]) -> None:
    """Say how many lines of a part were not understood, and where the first is."""
    if lines:
        count = "one line" if len(lines) == 1 else f"{len(lines)} lines"
        out.find("noise", f"{count} that {out.tool} does not print as results; not read", lines[0])


def argument_size(text: str | None) -> int | None:
    """Bytes (or a count), as IOR's and mdtest's arguments give it.

    >>> argument_size("47008"), argument_size("16m"), argument_size("-C")
    (47008, 16777216, None)
    """
    match = _ARGUMENT.fullmatch(text or "")
    return int(match[1]) << 10 * " kmgt".index(match[2].lower() or " ") if match else None


def mean_of(intervals: Iterable[Interval]) -> Interval:
    """The mean of intervals."""
    found = list(intervals)
    return sum(found[1:], found[0]) / len(found)
