"""The text of single IO500 files, as lines, turned into what they state; nothing is judged here."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from storagebook.errors import StoragebookError
from storagebook.io500.phases import SCORED
from storagebook.io500.run import Option, Printed, Settings

Kind = Literal["summary", "log", "log-2017", "result", "list"]

# 14 MB of nothing but result lines take more than a minute where nobody counts them.
#: Most runs in one file: a summary tells of one, the longest list of hundreds.
MAX_RUNS = 2000
#: Most phases of one run, and most sections of one result: public runs have up to 21 phases.
MAX_PHASES = 50
MAX_SECTIONS = 100
#: Most options of one configuration; the program's own dump has some 200.
MAX_OPTIONS = 10_000
#: How often one thing is told of one run; how often it was met beyond that, once.
MAX_REPEATED = 20

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d{1,2})?", re.ASCII)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b(?:ytes)?)?", re.ASCII | re.IGNORECASE)

# Lines come from strangers and may be a million blanks long: in no pattern may two parts that could
# take the same character follow each other, or the time grows with the square of the length.

# srun -l and friends put the rank before each line
_RANK = r"^(?:\s*\d+:\s)?\s*"
_PHASE = re.compile(
    _RANK + r"\[\s*(?:(?P<tag>RESULT|RESULT-invalid)\s*)?\]\s+"
    r"(?:(?:BW|IOPS)\s+phase\s+\d+\s+)?(?P<name>[A-Za-z][\w.-]*)\s+"
    r"(?P<value>\S+)\s+(?P<unit>[A-Za-z]\S*)\s*:\s*time\s+(?P<seconds>\S+)\s+seconds?(?P<flag>.*)$"
)
_SCORE = re.compile(
    _RANK + r"\[\s*SCORE(?P<x>X?)\s*(?:(?P<invalid>-invalid)\s*)?\]\s*"
    r"Bandwidth\s+(?P<bw>\S+)\s+(?P<unit>\S+)\s*:\s*IOPS\s+(?P<md>\S+)\s+\S+\s*:\s*"
    r"TOTAL\s+(?P<score>\S+)(?P<flag>.*)$"
)
_TAGGED = re.compile(_RANK + r"\[\s*(?:RESULT|SCORE)")
_VERSION = re.compile(_RANK + r"IO500 version(?P<rest>.*)$")
_LOG_START = re.compile(r"^Running the IO-?500 Benchmark now")
_LOG_REPEATS = re.compile(r"^\[Summary\]")
_LOG_SET = re.compile(r"^io500_(?P<key>\w+)=(?P<value>.*)$")
_LOG_EXEC = re.compile(r"^\[Exec\] (?P<command>.*)$")
_LOG_STARTING = re.compile(r"^\[Starting\] (?P<name>[\w-]+)\s*$")
_LOG_FIND = re.compile(r"^\[FIND\] MATCHED (?P<found>\d+)/(?P<total>\d+)\b")
_LOG_DATE = re.compile(r"^date=(?:\S*?-)?(?P<date>\d{4}[.-]\d\d[.-]\d\d(?:-\d\d\.\d\d\.\d\d)?)\s*$")
_LOG_DATE_SHAPE = re.compile(r"(\d{4})[.-](\d\d)[.-](\d\d)(?:-(\d\d)\.(\d\d)\.(\d\d))?")

_PHASE_2017 = re.compile(
    r"^\d+/(?P<name>(?:ior|md)-(?:easy|hard)-\w+|find)\s+(?:BW|IOPs)\s*:\s*"
    r"(?P<value>\S+)(?:\s+(?P<unit>\wB/s))?\s+time\s*:\s*(?P<seconds>\S+?)s\s*$"
)
_SCORE_2017 = re.compile(r"^IO-500 (?P<what>bw |md |)score:\s*(?P<value>\S+)")
_SET_2017 = re.compile(r"^(?P<key>date|nodes|ppn)=(?P<value>\S+)\s*$")

_SECTION = re.compile(r"^\s*\[(?P<name>[^\]]*)\]\s*$")
_COMMENT = re.compile(r"\s[#;]")
_RESULT_HEAD = re.compile(
    r"^(?:config-hash|result-dir|t_start|t_delta|throughput-stonewall|rate-stonewall)\s*=", re.M
)
_LOG_HEAD = re.compile(r"\bio500_(?:workdir|ior_easy_params|result_dir|info_\w+)\b")
_HEAD_2017 = re.compile(r"^\d+/(?:ior|md)-(?:easy|hard)-\w+ (?:BW|IOPs):", re.M)

_LIST_COLUMNS = ("io500_score", "io500_bw", "io500_md")
# 2018's list has find_easy and find_hard beside, or in place of, find_mixed
_LIST_PHASES = {
    **{p.column: p.name for p in SCORED if p.name != "find"},
    "find_mixed": "find",
    "find": "find",
    "find_easy": "find-easy",
    "find_hard": "find-hard",
}


def kind_of(head: bytes) -> Kind | None:
    """Which of the formats the first bytes of a file look like."""
    text = _head_text(head)
    if text.startswith("#!"):
        return None
    first = text.partition("\n")[0].lower()
    if ("," in first or ";" in first) and any(column in first for column in _LIST_COLUMNS):
        return "list"
    if _HEAD_2017.search(text) and ("IO-500" in text or "[Starting]" in text):
        return "log-2017"
    if _RESULT_HEAD.search(text):
        return "result"
    if _LOG_HEAD.search(text) or re.search(r"^Running the IO-?500", text, re.M):
        return "log"
    lines = text.split("\n")
    if any(_TAGGED.match(line) or line.startswith("IO500 version") for line in lines):
        return "summary"
    return None


def number(text: str) -> Printed | None:
    """A finite number, or None: nan, inf, "-", NULL and the like are not measured."""
    if len(text) > 60 or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return Printed(text, value) if math.isfinite(value) else None


def whole(text: str | None) -> int | None:
    """A count, or None."""
    return int(text) if text is not None and re.fullmatch(r"[0-9]{1,18}", text.strip()) else None


def size_b(text: str | None) -> int | None:
    """Bytes, as IOR reads a size: suffixes count in 1024.

    >>> size_b("16m"), size_b("47008"), size_b("4MiB"), size_b("94.60 TiB")
    (16777216, 47008, 4194304, 104013800007270)
    """
    match = _SIZE.fullmatch((text or "").strip())
    if match is None or len(match[1]) > 18:
        return None
    power = " kmgtp".index(match[2].lower() or " ")
    return int(float(match[1]) * 1024**power) if "." in match[1] else int(match[1]) << 10 * power


@dataclass(slots=True)
class PhaseLine:
    """A phase as one line prints it."""

    name: str
    value: Printed
    unit: str
    seconds: Printed | None
    valid: bool
    scored: bool
    line: int


@dataclass(slots=True)
class ScoreLine:
    """A score as one line prints it; the texts are numbers."""

    bw: Printed
    md: Printed
    score: Printed
    unit: str
    invalid: bool
    line: int


@dataclass(slots=True)
class Block:
    """What one run left in a summary, a log or a row of a list.

    Attributes
    ----------
    position
        Which of the file's runs it is, counted from 1.
    odd
        Findings of this text: code, what, line; up to `MAX_REPEATED` of each code.
    facts
        What a log or list states about the system, by name.
    commands
        Phase to command line, of a log.
    """

    first_line: int
    position: int = 1
    phases: dict[str, PhaseLine] = field(default_factory=dict)
    score: ScoreLine | None = None
    score_x: ScoreLine | None = None
    version: str | None = None
    mode: str | None = None
    date: str | None = None
    found: int | None = None
    total_files: int | None = None
    facts: dict[str, str] = field(default_factory=dict)
    commands: dict[str, str] = field(default_factory=dict)
    odd: list[tuple[str, str, int]] = field(default_factory=list)
    _told: Counter[str] = field(default_factory=Counter)

    @property
    def fingerprint(self) -> tuple[str, ...]:
        """Printed figures of the scored phases and of the score."""
        texts = [
            f"{p.name}={self.phases[p.name].value.text}" for p in SCORED if p.name in self.phases
        ]
        if self.score is not None:
            texts += [self.score.bw.text, self.score.md.text, self.score.score.text]
        return tuple(texts)

    @property
    def more(self) -> list[tuple[str, int]]:
        """Codes that were met more often than `odd` has them, and how much more."""
        return [(c, n - MAX_REPEATED) for c, n in self._told.items() if n > MAX_REPEATED]

    def tell(self, code: str, what: str, line: int) -> None:
        """Say what is odd, or count it once it was said often enough."""
        self._told[code] += 1
        if self._told[code] <= MAX_REPEATED:
            self.odd.append((code, what, line))

    def add(self, phase: PhaseLine) -> None:
        """Keep a phase; of two that differ the later one counts, and that is said.

        Raises
        ------
        StoragebookError
            If there are `MAX_PHASES` others.
        """
        earlier = self.phases.pop(phase.name, None)
        if earlier is not None and earlier.value.text != phase.value.text:
            what = f"{phase.name} stands twice: {earlier.value.text}, then {phase.value.text}"
            self.tell("repeated-phase", what, phase.line)
        elif earlier is None and len(self.phases) == MAX_PHASES:
            raise _too_many(MAX_PHASES, "phases in one run", phase.line)
        self.phases[phase.name] = phase


def _too_many(most: int, what: str, line: int) -> StoragebookError:
    return StoragebookError(
        f"more than {most:,} {what}, so it is none of IO500's",
        line=line,
        hint="take out what is no result, or split it",
    )


def blocks_of(lines: Iterable[str]) -> list[Block]:
    """The runs of a summary or of a shell script's log, in the order in which they stand.

    A score line ends a run; so does the start of the next. What a log repeats behind its
    ``[Summary]`` line are the lines of result_summary.txt, which may be those of earlier runs too.

    Raises
    ------
    StoragebookError
        If there are more than `MAX_RUNS`, or one has more than `MAX_PHASES`.
    """
    blocks: list[Block] = []
    block = Block(1)
    starting: str | None = None
    repeats = False

    def close(line: int) -> None:
        nonlocal block, repeats
        if block.phases or block.score is not None or block.odd:
            if len(blocks) == MAX_RUNS:
                raise _too_many(MAX_RUNS, "runs in one file", block.first_line)
            blocks.append(block)
            block = Block(line, len(blocks) + 1)
        repeats = False

    for line, text in enumerate(lines, 1):
        if not text or text[0] == "+":  # the shell's own trace
            continue
        if match := _PHASE.match(text):
            if repeats:
                _check_repeat(block, _phase_line(match, line), line)
                continue
            if block.score is not None:
                close(line)
            _take_phase(block, match, line)
        elif match := _SCORE.match(text):
            score = _score_line(match, line)
            if score is None:
                block.tell("unreadable-value", f"a score that is no number: {text}", line)
            elif match["x"]:
                block.score_x = score
            elif repeats:
                # the last one is this run's own, those before it belong to earlier runs
                block.score = score
            else:
                if block.score is not None:
                    close(line)
                block.score = score
        elif _TAGGED.match(text):
            block.tell("unreadable-value", f"a result that cannot be read: {text}", line)
        elif match := _VERSION.match(text):
            close(line)
            block.version, block.mode = _version(match["rest"].strip())
        elif _LOG_START.match(text):
            if block.phases:
                close(line)
        elif _LOG_REPEATS.match(text):
            repeats = True
        elif match := _LOG_SET.match(text):
            block.facts[match["key"]] = match["value"].strip().strip("'")
        elif match := _LOG_DATE.match(text):
            if block.score is not None:
                close(line)
            block.date = _date(match["date"])
        elif match := _LOG_STARTING.match(text):
            starting = _phase_name(match["name"])
        elif match := _LOG_EXEC.match(text):
            if starting is not None:
                block.commands[starting] = match["command"].strip()
        elif match := _LOG_FIND.match(text):
            block.found, block.total_files = whole(match["found"]), whole(match["total"])
    close(0)
    return blocks


def block_2017(lines: Iterable[str]) -> Block:
    """The run of a log of 2017, whose bandwidths are labelled MB/s and whose rates are op/s."""
    block = Block(1)
    means: dict[str, Printed] = {}
    for line, text in enumerate(lines, 1):
        if match := _PHASE_2017.match(text):
            value, seconds = number(match["value"]), number(match["seconds"])
            name = _name_2017(match["name"])
            if value is None:
                what = f"{name} has a value that is no number: {match['value']}"
                block.tell("unreadable-value", what, line)
                continue
            unit = match["unit"] or "IOPS"
            block.add(PhaseLine(name, value, unit, seconds, True, True, line))
        elif match := _SCORE_2017.match(text):
            value = number(match["value"])
            if value is not None:
                means[match["what"].strip() or "score"] = value
                if len(means) == 3:
                    block.score = ScoreLine(
                        means["bw"], means["md"], means["score"], "MB/s", False, line
                    )
        elif match := _SET_2017.match(text):
            if match["key"] == "date":
                block.date = _date(match["value"])
            else:
                block.facts[match["key"]] = match["value"]
    return block


@dataclass(slots=True)
class ResultText:
    """result.txt: sections of keys, each with its text and line; "" holds what stands before any.

    Attributes
    ----------
    comments
        The ``;`` lines: text and line.
    """

    sections: dict[str, dict[str, tuple[str, int]]]
    comments: list[tuple[str, int]]

    def get(self, section: str, key: str) -> str | None:
        """The value of a key."""
        found = self.sections.get(section, {}).get(key)
        return None if found is None else found[0]

    def head(self, key: str) -> str | None:
        """A key of the run, which stands in ``[run]`` or before any section."""
        found = self.get("run", key)
        return self.get("", key) if found is None else found

    def line(self, section: str, key: str) -> int | None:
        """The line that a key stands on, from 1."""
        found = self.sections.get(section, {}).get(key)
        return None if found is None else found[1]


def result_of(lines: Iterable[str]) -> ResultText:
    """The keys of a result.txt.

    Raises
    ------
    StoragebookError
        If it has more than `MAX_SECTIONS`.
    """
    sections: dict[str, dict[str, tuple[str, int]]] = {"": {}}
    comments: list[tuple[str, int]] = []
    current = sections[""]
    for line, text in enumerate(lines, 1):
        if text.startswith(";"):
            comments.append((text[1:].strip(), line))
        elif match := _SECTION.match(text):
            current = sections.setdefault(match["name"], {})
            if len(sections) - 1 > MAX_SECTIONS:  # beside what stands before any
                raise _too_many(MAX_SECTIONS, "sections in one result", line)
        elif "=" in text and text[0].isalpha():
            key, _, value = text.partition("=")
            current[key.rstrip()] = (value.strip(), line)
    return ResultText(sections, comments)


def options_of(lines: Iterable[str]) -> tuple[tuple[Option, ...], bool]:
    """The options of a configuration, and whether it holds comments.

    A value ends before a blank and ``#`` or ``;``; a line with either and no blank before it is
    no option.

    Raises
    ------
    StoragebookError
        If there are more than `MAX_OPTIONS`.
    """
    options: list[Option] = []
    comments = False
    section = ""
    for line, text in enumerate(lines, 1):
        stripped = text.strip()
        if not stripped:
            continue
        key, equals, value = stripped.partition("=")
        if "#" in stripped or ";" in stripped:
            comment = _COMMENT.search(value)
            comments |= comment is not None or stripped[0] in "#;"
            if comment is None:
                continue
            value = value[: comment.start()]
        if stripped[0] == "[" and (match := _SECTION.match(text)):
            section = match["name"]
        elif equals and stripped[0] not in "#;":
            if len(options) == MAX_OPTIONS:
                raise _too_many(MAX_OPTIONS, "options in one configuration", line)
            options.append(Option(section, key.strip(), value.strip(), line))
    return tuple(options), comments


def settings_of(command: str) -> Settings:
    """What the command line of a phase sets.

    >>> found = settings_of("./ior -t 16m -b 1g -F -a DFS --dfs.oclass=SX -D 300")
    >>> found.api, found.transfer_b, found.file_per_process, found.object_class, found.stonewall_s
    ('DFS', 16777216, True, 'SX', 300)
    """
    words = command.split()
    tool = next((w.rpartition("/")[2] for w in words if w.rpartition("/")[2] in _VALUED), None)
    if tool is None:
        return Settings(origin="command", command=command)
    given = _options(words, _VALUED[tool])
    stonewall = given.get("-D" if tool == "ior" else "-W")
    return Settings(
        origin="command",
        # without -a it is POSIX or MPI-IO, depending on the version: only its output tells
        api=given.get("-a"),
        **_dfs_of(given),
        transfer_b=size_b(given.get("-t")) if tool == "ior" else None,
        block_b=size_b(given.get("-b")) if tool == "ior" else None,
        file_per_process="-F" in given if tool == "ior" else None,
        direct_io=_direct(given, tool),
        segments_count=whole(given.get("-s")) if tool == "ior" else None,
        items_per_process_count=whole(given.get("-n")) if tool == "mdtest" else None,
        stonewall_s=whole(stonewall),
        command=command,
    )


def settings_from(config_get: Callable[[str, str], str | None], phase: str) -> Settings:
    """What a configuration sets for a phase; `config_get` is called with section and key.

    The section of the phase comes before that of its group, ``[global]`` last.
    """
    group = phase.rpartition("-")[0] or phase

    def first(key: str) -> str | None:
        return config_get(phase, key) or config_get(group, key)

    api = first("API") or config_get("global", "api")
    words = (api or "").split()
    given = _options(words)
    is_ior, is_hard = phase.startswith("ior"), group == "ior-hard"
    per_process = first("filePerProc")
    write = phase.endswith("write")
    return Settings(
        origin="configuration",
        api=words[0] if words else None,
        **_dfs_of(given),
        transfer_b=size_b(first("transferSize")) if is_ior else None,
        block_b=size_b(first("blockSize")) if is_ior else None,
        file_per_process=(
            False if is_hard else None if per_process is None else per_process.upper() == "TRUE"
        )
        if is_ior
        else None,
        direct_io=_direct(given, "ior") if words else None,
        segments_count=whole(first("segmentCount")) if is_ior else None,
        items_per_process_count=whole(first("n")) if phase.startswith("mdtest") else None,
        stonewall_s=whole(config_get("debug", "stonewall-time")) if write else None,
    )


@dataclass(slots=True)
class Output:
    """What IOR or mdtest printed for one phase.

    Attributes
    ----------
    rate
        MiB/s of IOR's table (what the shell script took), or op/s (mdtest).
    """

    tool: Literal["ior", "mdtest"]
    version: str | None = None
    nodes: int | None = None
    tasks: int | None = None
    tasks_per_node: int | None = None
    api: str | None = None
    command: str | None = None
    file_per_process: bool | None = None
    transfer_b: int | None = None
    block_b: int | None = None
    rate: Printed | None = None


_IOR_VERSION = re.compile(r"^IOR-(?P<version>\S+?):? ")
_MDTEST_VERSION = re.compile(
    r"^mdtest-(?P<version>\S+) was launched with (?P<tasks>\d+) total task\(s\) on (?P<nodes>\d+)"
)
_IOR_CLIENTS = re.compile(r"(?P<tasks>\d+) \((?P<per>\d+) per node\)")
_IOR_ROW = re.compile(r"^(?:write|read)\s+(?P<value>[\d.]+)\s")
_MDTEST_COMMAND = re.compile(r"^Command line used: (?P<command>.*)$")
_MDTEST_OPERATION = {
    "write": "File creation",
    "stat": "File stat",
    "read": "File read",
    "delete": "File removal",
}


def output_of(lines: Iterable[str], phase: str) -> Output | None:
    """What the output of a phase states, or None if it is neither IOR's nor mdtest's."""
    if phase.startswith("ior"):
        return _ior_output(lines)
    return _mdtest_output(lines, phase.rpartition("-")[2]) if phase.startswith("mdtest") else None


def list_rows(lines: Iterable[str]) -> Iterator[Block]:
    """The rows of a list's CSV, by the names in its header.

    Raises
    ------
    ValueError
        If the header names no score, or the CSV cannot be read.
    StoragebookError
        If there are more than `MAX_RUNS` rows.
    """
    lines = list(lines)
    separator = ";" if lines and lines[0].count(";") > lines[0].count(",") else ","
    rows = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator)
    try:
        header = [_column(name) for name in next(rows)]
    except (StopIteration, csv.Error):
        raise ValueError("no header") from None
    if not {*_LIST_COLUMNS} <= set(header):
        raise ValueError(f"no columns {', '.join(_LIST_COLUMNS)}")
    line = rows.line_num + 1
    try:
        count = 0
        for cells in rows:
            if any(cells):
                count += 1
                if count > MAX_RUNS:
                    raise _too_many(MAX_RUNS, "rows in one list", line)
                yield _list_row(dict(zip(header, cells, strict=False)), line)
            line = rows.line_num + 1  # a quoted cell may hold line ends
    except csv.Error as error:
        raise ValueError(f"line {line}: {error}") from None


def _list_row(cells: dict[str, str], line: int) -> Block:
    block = Block(line)
    given = {key: value.strip() for key, value in cells.items() if value.strip() != "NULL"}
    for column, name in _LIST_PHASES.items():
        value = number(given.get(column, ""))
        if value is not None:
            is_bandwidth = name.startswith("ior")
            unit = "GiB/s" if is_bandwidth else "kIOPS"
            scored = not name.startswith("find-")
            block.add(PhaseLine(name, value, unit, None, True, scored, line))
    means = [number(given.get(column, "")) for column in ("io500_bw", "io500_md", "io500_score")]
    if all(mean is not None for mean in means):
        bw, md, score = (mean for mean in means if mean is not None)
        block.score = ScoreLine(bw, md, score, "GiB/s", False, line)
    for column, fact in given.items():
        if column.startswith("information_") and fact:
            block.facts[column.removeprefix("information_")] = fact
    return block


def _column(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")


def _head_text(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = head[: len(head) // 2 * 2].decode("utf-16", "replace")
    else:
        text = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _phase_name(text: str) -> str:
    name = text.replace("_", "-")
    return f"find{name.removeprefix('find-mixed')}" if name.startswith("find-mixed") else name


def _name_2017(text: str) -> str:
    if not text.startswith("md-"):
        return text
    return text.replace("md-", "mdtest-", 1).replace("-create", "-write")


def _phase_line(match: re.Match[str], line: int) -> PhaseLine | None:
    value = number(match["value"])
    if value is None:
        return None
    return PhaseLine(
        name=_phase_name(match["name"]),
        value=value,
        unit=match["unit"],
        seconds=number(match["seconds"]),
        valid=match["tag"] != "RESULT-invalid" and "INVALID" not in match["flag"],
        scored=match["tag"] is not None,
        line=line,
    )


def _take_phase(block: Block, match: re.Match[str], line: int) -> None:
    phase = _phase_line(match, line)
    if phase is None:
        what = f"{_phase_name(match['name'])} has a value that is no number: {match['value']}"
        block.tell("unreadable-value", what, line)
    elif phase.name != "timestamp":
        block.add(phase)


def _check_repeat(block: Block, phase: PhaseLine | None, line: int) -> None:
    """A log's repeated line that is not one of its own run."""
    own = block.phases.get(phase.name) if phase is not None else None
    if phase is None or (own is not None and own.value.text == phase.value.text):
        return
    if not any(code == "other-run-in-log" for code, _, _ in block.odd):
        what = f"it repeats results of earlier runs as well, first {phase.name} {phase.value.text}"
        block.tell("other-run-in-log", what, line)


def _score_line(match: re.Match[str], line: int) -> ScoreLine | None:
    bw, md, score = number(match["bw"]), number(match["md"]), number(match["score"])
    if bw is None or md is None or score is None:
        return None
    invalid = match["invalid"] is not None or "INVALID" in match["flag"]
    return ScoreLine(bw, md, score, match["unit"], invalid, line)


def _version(text: str) -> tuple[str, str | None]:
    """Version and mode: ``io500-sc23_v1 (standard)``."""
    version, _, mode = text.rpartition("(")
    if mode.endswith(")") and mode[:-1].isalpha() and (text[0] == "(" or version):
        return version.rstrip(), mode[:-1]
    return text, None


def _date(text: str) -> str | None:
    match = _LOG_DATE_SHAPE.match(text)
    if match is None:
        return None
    year, month, day, *clock = match.groups()
    time = ":".join(clock) if clock[0] else ""
    return f"{year}-{month}-{day} {time}".strip()


# The options that matter here and take a value; one letter means one thing in each tool.
_VALUED = {"ior": ("-a", "-t", "-b", "-s", "-D"), "mdtest": ("-a", "-n", "-W")}


def _options(words: list[str], valued: tuple[str, ...] = ()) -> dict[str, str]:
    """Options and their values, whether written ``-t 1m``, ``-t=1m`` or ``--dfs.oclass=SX``."""
    given: dict[str, str] = {}
    for word, following in itertools.pairwise([*words, ""]):
        if word.startswith("-"):
            key, equals, value = word.partition("=")
            given[key] = following if key in valued and not equals else value
    return given


def _dfs_of(given: dict[str, str]) -> dict[str, Any]:
    chunk = given.get("--dfs.chunk_size", given.get("--chfs.chunk_size"))
    return {
        "object_class": given.get("--dfs.oclass"),
        "dir_object_class": given.get("--dfs.dir_oclass"),
        "chunk_size_b": size_b(chunk),
    }


def _direct(given: dict[str, str], tool: str) -> bool:
    odirect = given.get("--posix.odirect")
    # mdtest's -B leaves out barriers
    return (tool == "ior" and "-B" in given) or (odirect is not None and odirect.upper() != "FALSE")


def _ior_output(lines: Iterable[str]) -> Output | None:
    found = Output("ior")
    in_rows = False
    for text in lines:
        if not text:
            continue
        if text.startswith("access ") and "bw(MiB/s)" in text:
            in_rows = True
        elif in_rows and (match := _IOR_ROW.match(text)):
            if found.rate is None:
                found.rate = number(match["value"])
        elif match := _IOR_VERSION.match(text):
            found.version = match["version"]
        elif not in_rows:
            key, separator, value = text.partition(":" if ":" in text.partition("=")[0] else "=")
            if separator:
                _ior_option(found, key.strip().lower(), value.strip())
    if found.version is None:
        return None
    if found.nodes is None and found.tasks and found.tasks_per_node:
        found.nodes = -(-found.tasks // found.tasks_per_node)
    return found


def _ior_option(found: Output, key: str, value: str) -> None:
    if key == "nodes":
        found.nodes = whole(value)
    elif key == "tasks":
        found.tasks = whole(value)
    elif key == "clients per node":
        found.tasks_per_node = whole(value)
    elif key == "clients" and (match := _IOR_CLIENTS.match(value)):
        found.tasks, found.tasks_per_node = int(match["tasks"]), int(match["per"])
    elif key == "api":
        found.api = value.split(" ")[0] or None
    elif key == "access":
        found.file_per_process = value == "file-per-process"
    elif key == "xfersize":
        found.transfer_b = _exact_size(value)
    elif key == "blocksize":
        found.block_b = _exact_size(value)
    elif key in ("command line", "command line used"):
        found.command = value


def _exact_size(text: str) -> int | None:
    # "94.60 TiB" is rounded, so it is no size
    return None if "." in text else size_b(text)


def _mdtest_output(lines: Iterable[str], access: str) -> Output | None:
    found = Output("mdtest")
    wanted = _MDTEST_OPERATION.get(access)
    for text in lines:
        if match := _MDTEST_VERSION.match(text):
            found.version = match["version"]
            found.tasks, found.nodes = int(match["tasks"]), int(match["nodes"])
        elif match := _MDTEST_COMMAND.match(text):
            found.command = match["command"].replace("'", "")
        elif text.startswith("SUMMARY time"):
            break  # mdtest's second table has the same rows
        elif found.rate is None and wanted is not None and text.lstrip().startswith(wanted):
            # name of two words, a colon in old versions, then max, min, mean and deviation
            figures = text.split()[2:]
            if len(figures) >= 4:
                found.rate = number(figures[-4])
    if found.version is None:
        return None
    if found.nodes and found.tasks is not None and found.tasks % found.nodes == 0:
        found.tasks_per_node = found.tasks // found.nodes
    return found
