"""IOR's outputs as what they hold: runs, tests, rows and summaries; nothing is judged here.

Cells stay texts under IOR's own headings, whether they come from text, CSV or JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from storagebook.errors import StoragebookError
from storagebook.readers import printed, tool_json
from storagebook.readers.printed import Collector, whole

#: Line that starts a run, and the first line of the two kinds of CSV.
BANNER = printed.BANNERS["ior"]
CSV_HEAD, RANKS_HEAD = "access,bw(", "access,rank,"

_TEST = re.compile(r"\s*(?:TestID\s*:\s*(?P<id>\d+)|Test (?P<old>\d+) started:)")
_COMMAND = re.compile(r"\s*Command line(?: used)?\s*:\s?(?P<command>.*)$")
_OPTION = re.compile(
    r"\s*(?P<key>api|apiVersion|test filename|access|type|pattern|segments|ordering in a file"
    r"|ordering inter file|task offset|nodes|tasks|clients per node|clients|repetitions|xfersize"
    r"|blocksize|aggregate filesize|stonewallingTime|stoneWallingWearOut|memoryBuffer|dataAccess"
    r"|GPUDirect|Path)\s*[:=]\s?(?P<value>.*)$"
)
_FILE_SYSTEM = re.compile(r"\s*FS\s*:\s*(?P<size>-?\S+ [KMGTPE]?i?B)\s+Used FS:\s*(?P<used>\S+?)%")
_ROWS = re.compile(r"\s*access\s.*\bbw\(")
_RULE = re.compile(r"\s*---[\s-]*$")
_SUMMARY = re.compile(r"\s*Operation\s+Max ?\(")
_OPERATIONS = ("write", "read", "remove")
_WORD = re.compile(rf"\s*(?P<operation>{'|'.join(_OPERATIONS)})\s+(?P<rest>\S.*)$")
_PEAK = re.compile(
    r"\s*Max (?P<operation>Write|Read):\s+(?P<mib>\S+) MiB/sec(?:\s+\((?P<mb>\S+) MB/sec\))?"
)
_STONEWALL = re.compile(
    r".*stonewalling pairs accessed min: (?P<fewest>\d+) max: (?P<most>\d+)"
    r"(?: -- min data: (?P<least>\S+) GiB mean data: (?P<mean>\S+) GiB time: (?P<time>\S+?)s)?\s*$"
)
_BYTES = re.compile(
    r".*WARNING: (?P<what>Expected aggregate file size|Stat\(\) of aggregate file size"
    r"|Using actual aggregate bytes moved)\s+= (?P<bytes>\d+)\.?\s*$"
)
_ERROR = re.compile(r"\s*(?:\S+ )?(?:\*\* error \*\*|(?:ior )?ERROR\b)")
_WARNING = re.compile(r"\s*(?:ior )?WARNING:\s*(?P<what>.*)$")
_BAD_DATA = re.compile(r"FAILED comparison|[Ii]ncorrect data|[1-9]\d* errors? found")
# what IOR prints beside its results, at some verbosity or other
_KNOWN = re.compile(
    r"\s*$|.*stonewalling pairs accessed: \d|.*WARNING: [Mm]aybe caused by deadlineForStonewalling"
    r"|\s*(?:Began|Run began|Finished|Run finished|Machine|StartTime|Participating tasks"
    r"|Start time skew|Using |Commencing|delaying|Options: *$|Results: *$"
    r"|Summary: *$|Summary of all tests|Inodes|Pairs deadlineForStonewalling|Remove|task offset)"
    r"|.*\bXXCEL\b"
)

#: Headings of the rows under which figures stand.
FIGURES = (
    "bw(MiB/s)",
    "IOPS",
    "Latency(s)",
    "open(s)",
    "wr/rd(s)",
    "close(s)",
    "total(s)",
)
_ROW_SETTINGS = ("block(KiB)", "xfer(KiB)", "numTasks", "iter")
_JSON_ROW = {
    "bwMiB": "bw(MiB/s)",
    "blockKiB": "block(KiB)",
    "xferKiB": "xfer(KiB)",
    "iops": "IOPS",
    "latency": "Latency(s)",
    "openTime": "open(s)",
    "wrRdTime": "wr/rd(s)",
    "closeTime": "close(s)",
    "totalTime": "total(s)",
}
_JSON_SUMMARY = {
    "bwMaxMIB": "Max(MiB)",
    "bwMinMIB": "Min(MiB)",
    "bwMeanMIB": "Mean(MiB)",
    "bwStdMIB": "StdDev(MiB)",
    "OPsMax": "Max(OPs)",
    "OPsMin": "Min(OPs)",
    "OPsMean": "Mean(OPs)",
    "OPsSD": "StdDev(OPs)",
    "MeanTime": "Mean(s)",
    "StoneWallTime": "Stonewall(s)",
    "StoneWallbwMeanMIB": "Stonewall(MiB)",
    "numTasks": "#Tasks",
    "tasksPerNode": "tPN",
    "repetitions": "reps",
    "segmentCount": "segcnt",
    "blockSize": "blksiz",
    "transferSize": "xsize",
    "API": "API",
}


# -- what a file holds


@dataclass
class Row:
    """One repetition of one operation: cells by heading, and what was printed above it.

    Attributes
    ----------
    moved
        Text and line of the bytes that were ``Expected``, that ``Stat()`` saw, that IOR counts
        as moved (``Using``).
    """

    operation: str
    cells: dict[str, str]
    line: int | None
    iteration: int | None
    stonewall: re.Match[str] | None = None
    stonewall_line: int | None = None
    moved: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass
class Summary:
    """One line of the summary of all tests: cells by heading, the two StdDev told apart."""

    operation: str
    cells: dict[str, str]
    line: int | None


@dataclass
class Test:
    """What stands under one TestID.

    Attributes
    ----------
    file_system
        Size and used share, as printed.
    peaks
        The ``Max Write`` and ``Max Read`` lines.
    """

    options: dict[str, str] = field(default_factory=dict)
    file_system: tuple[str, str] | None = None
    rows: list[Row] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    peaks: list[tuple[re.Match[str], int]] = field(default_factory=list)
    number: str | None = None
    line: int | None = None
    last_line: int | None = None


@dataclass
class Run:
    """One call of IOR."""

    version: str
    command: str
    tests: list[Test] = field(default_factory=list)


# -- text


def text_run(start: int, lines: list[str], out: Collector) -> Run:
    """A run of the text, whose first line is line `start` of the file, counted from 0."""
    banner = BANNER.match(lines[0])
    run = Run(banner["version"] if banner else "", "")
    test = Test(line=start + 1)
    run.tests.append(test)
    row_columns: list[str] = []
    summary_columns: list[str] = []
    above: dict[str, Any] = {}
    noise: list[int] = []
    for line, text in enumerate(lines, start + 1):
        test.last_line = line if text.strip() else test.last_line
        if _ROWS.match(text):
            row_columns, summary_columns = _columns(text.split()[1:], line, out), []
        elif _SUMMARY.match(text):
            summary_columns, row_columns = _summary_columns(text), []
        elif (word := _WORD.match(text)) and _is_row(word, row_columns or summary_columns):
            if summary_columns:
                _take_summary(run, test, word, summary_columns, line, out)
            else:
                _take_row(test, word, row_columns, line, above, out)
                above = {}
        elif match := _STONEWALL.match(text):
            above |= {"stonewall": match, "stonewall_line": line}
        elif match := _BYTES.match(text):
            above.setdefault("moved", {})[match["what"].split()[0]] = (match["bytes"], line)
        elif match := _TEST.match(text):
            if test.rows or test.options:
                test = Test(line=line)
                run.tests.append(test)
            test.number = match["id"] or match["old"]
        elif match := _PEAK.match(text):
            test.peaks.append((match, line))
        elif match := _COMMAND.match(text):
            run.command = match["command"].strip()
        elif match := _FILE_SYSTEM.match(text):
            test.file_system = (match["size"], match["used"])
        elif match := _OPTION.match(text):
            test.options[match["key"]] = match["value"].strip()
        elif _BAD_DATA.search(text):
            out.find("bad-data", text.strip(), line)
        elif _ERROR.match(text) or printed.stopped(text):
            out.find("tool-error", text.strip(), line)
        elif not _is_known(text) and (match := _WARNING.match(text)):
            out.find("tool-warning", match["what"].strip(), line)
        elif not (_is_known(text) or _RULE.match(text) or BANNER.match(text)):
            noise.append(line)
    printed.report_noise(out, noise)
    return run


def _is_known(text: str) -> bool:
    return _KNOWN.match(text) is not None


def _is_row(word: re.Match[str], columns: list[str]) -> bool:
    return bool(columns) and printed.looks_like_figure(word["rest"].split()[0])


def _columns(names: list[str], line: int, out: Collector) -> list[str]:
    names = ["Latency(s)" if name == "Latency" else name for name in names]
    for name in names:
        if name not in FIGURES and name not in _ROW_SETTINGS:
            text = f"a column {name!r} that no known version of IOR prints; not read"
            out.find("unknown-column", text, line)
    return names


def _summary_columns(text: str) -> list[str]:
    # 2.x puts a blank into its headings, and a marker for grep between them
    for spaced, joined in (("Max (", "Max("), ("Min (", "Min("), ("Mean (", "Mean(")):
        text = text.replace(spaced, joined)
    names = text.replace("Std Dev", "StdDev").replace("Op grep", "").split()[1:]
    kinds = iter(("StdDev(MiB)", "StdDev(OPs)"))
    return [next(kinds, name) if name == "StdDev" else name for name in names]


def _take_row(
    test: Test,
    word: re.Match[str],
    columns: list[str],
    line: int,
    above: Mapping[str, Any],
    out: Collector,
) -> None:
    words = word["rest"].split()
    while words and words[-1].endswith("XCEL"):  # a marker of 2.x
        words.pop()
    if len(words) != len(columns):
        text = f"a row of {len(words)} figures under {len(columns)} headings; not read"
        out.find("broken-row", text, line)
        return
    cells = dict(zip(columns, words, strict=True))
    test.rows.append(Row(word["operation"], cells, line, whole(cells.get("iter", "")), **above))


def _take_summary(
    run: Run,
    test: Test,
    word: re.Match[str],
    columns: list[str],
    line: int,
    out: Collector,
) -> None:
    words = word["rest"].split()
    if words[-1] == "EXCEL":  # 2.x ends its lines in more than its headings name
        words = words[: len(columns)]
    if len(words) != len(columns):
        text = f"a summary of {len(words)} figures under {len(columns)} headings; not read"
        out.find("broken-row", text, line)
        return
    cells = dict(zip(columns, words, strict=True))
    number = cells.get("Test#")
    home = next((t for t in run.tests if number is not None and t.number == number), test)
    home.summaries.append(Summary(word["operation"], cells, line))


# -- CSV


def csv_test(lines: list[str], out: Collector) -> Test:
    """The rows of the CSV summary."""
    test = Test(line=1)
    columns: list[str] = []
    messages: list[tuple[int, str]] = []
    for line, text in enumerate(lines, 1):
        cells = [part.strip() for part in text.split(",")]
        if text.strip().startswith(CSV_HEAD):
            columns = _columns(cells[1:], line, out)
        elif cells[0] not in _OPERATIONS:
            messages.append((line, text))
        elif len(cells) != len(columns) + 1:
            text = f"a row of {len(cells)} cells under {len(columns) + 1} headings; not read"
            out.find("broken-row", text, line)
        else:
            row = dict(zip(columns, cells[1:], strict=True))
            test.rows.append(Row(cells[0], row, line, whole(row.get("iter", ""))))
    _report_messages(messages, out)
    return test


# -- JSON


def json_runs(lines: list[str], out: Collector) -> list[Run]:
    """The runs of the JSON documents.

    Raises
    ------
    StoragebookError
        If a document is broken.
    """
    try:
        documents = tool_json.documents(lines)
    except StoragebookError as error:
        raise StoragebookError(error.what, file=out.file, line=error.line) from None
    _report_messages(documents.noise, out)
    runs = []
    for document in documents.found:
        if document.cut is not None:
            text = "the file ends before its document does; what stands complete is read"
            out.find("interrupted", text, document.cut)
        runs.append(_json_run(document))
    return runs


def _report_messages(messages: list[tuple[int, str]], out: Collector) -> None:
    """What IOR says around its JSON or CSV."""
    for line, text in messages:
        if _BAD_DATA.search(text):
            out.find("bad-data", text.strip(), line)
        elif _ERROR.match(text) or printed.stopped(text):
            out.find("tool-error", text.strip(), line)
        elif not _is_known(text) and not _STONEWALL.match(text) and not _BYTES.match(text):
            out.find("tool-warning", text.strip(), line)


def _json_run(document: tool_json.Document) -> Run:
    value = document.value
    run = Run(_text(value.get("Version")), _text(value.get("Command line")))
    for entry in _objects(value.get("tests")):
        options = {key: _text(item) for key, item in _dict(entry.get("Options")).items()}
        options |= {"Path": _text(entry.get("Path"))} if "Path" in entry else {}
        test = Test(options, number=_text(entry.get("TestID")), line=document.line)
        if "Capacity" in entry:
            used = _text(entry.get("Used Capacity")).rstrip("%")
            test.file_system = (_text(entry["Capacity"]), used)
        seen: Counter[str] = Counter()
        for row in _objects(entry.get("Results")):
            operation = _text(row.get("access"))
            cells = {name: _text(row[key]) for key, name in _JSON_ROW.items() if key in row}
            test.rows.append(Row(operation, cells, None, seen[operation]))
            seen[operation] += 1
        run.tests.append(test)
    for entry in _objects(value.get("summary")):
        cells = {name: _text(entry[key]) for key, name in _JSON_SUMMARY.items() if key in entry}
        number = _text(entry.get("TestID"))
        home = next((t for t in run.tests if t.number == number), None)
        if home is None:
            home = Test(number=number, line=document.line)
            run.tests.append(home)
        home.summaries.append(Summary(_text(entry.get("operation")), cells, None))
    return run


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of an array, which 3.2 nests once more."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item
        elif isinstance(item, list):
            yield from (inner for inner in item if isinstance(inner, dict))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    if isinstance(value, (dict, list)) or value is None:
        return ""
    return getattr(value, "text", None) or str(value)
