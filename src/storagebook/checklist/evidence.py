"""Lines of result files that speak of a thing: found by what they say, quoted with their place.

What a line means is for the reader to judge; that it stands there is a fact. Comments are left out,
because files are shipped with options that were never used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from storagebook.errors import StoragebookError, one_line
from storagebook.readers import archive
from storagebook.readers.archive import File, Folder

#: What is looked for.
MARKS: dict[str, re.Pattern[str]] = {
    "object_class": re.compile(r"\boclass\b", re.I),
    "dir_object_class": re.compile(r"\bdir_oclass\b", re.I),
    "command": re.compile(r"^\s*exe\s*=\s*\S|^\[Exec\]|^Command line"),
    "transfer": re.compile(
        r"\bxfersize\s*:|\btransferSize\s*=\s*\S|(?:^|\s)'?-t'?\s+'?\d+\w*"
        r"|\"(?:xfersize|transferSize|bs)\"\s*:"
    ),
    "depth": re.compile(r"\"iodepth\"\s*:"),
    "factor": re.compile(r"\brd_fac\b", re.I),
    "procs": re.compile(
        r"^\s*procs\s*=\s*\d+|^\s*(?:tasks|clients)\s*:\s*\d+|\b\d+ total task"
        r"|\"(?:numjobs|tasks|numTasks)\"\s*:\s*\"?\d+|\s-np\s+\d+"
    ),
    "nodes": re.compile(r"^\s*nodes\s*:\s*\d+|\bon \d+ node|\"nodes\"\s*:\s*\d+"),
    "each": re.compile(
        r"^\s*(?:clients|tasks) per node\s*:\s*\d+|\(\d+ per node\)|\"clientsPerNode\"\s*:\s*\d+"
        r"|\"clients per node\"\s*:\s*\d+"
    ),
    "interface": re.compile(r"LD_PRELOAD|libpil4dfs|libioil|\bdfuse\b"),
    "api": re.compile(
        r"^\s*api\s*:|^\s*API\s*=\s*\S|(?:^|\s)'?-a'?\s+'?[A-Z]{3,}|\"ioengine\"|\"api\"\s*:"
    ),
    "binding": re.compile(
        r"--bind-to\b|--map-by\b|--rank-by\b|--cpu[-_]bind\b|\bnumactl\b|\btaskset\b"
        r"|\bI_MPI_PIN\w*|-bind-to\b|--cpu-list\b|\bcpus_allowed\w*|\bnuma_cpu_nodes\b"
        r"|\bOMP_PLACES\b|\bOMP_PROC_BIND\b"
    ),
    "cards": re.compile(
        r"\bOFI_(?:INTERFACE|DOMAIN)\b|\bD_(?:INTERFACE|DOMAIN)\b|\bUCX_NET_DEVICES\b"
        r"|\bPSM2_MULTIRAIL\b"
    ),
    "applications": re.compile(r"\b(?:hacc(?:-?io)?|genericio|dlio\w*|fdb-hammer)\b", re.I),
    "rebuild": re.compile(r"\brebuild(?:ing|s)?\b", re.I),
    "scm": re.compile(r"\bSCM\b"),
    "network": re.compile(r"\bNA_HOSTUNREACH\b|\bDER_(?:UNREACH|HG|TIMEDOUT)\b|No route to host"),
}
# Options and programs of the find phase, which say nothing of the others.
_OF_FIND = re.compile(r"\bexternal-\w+|\b[dp]find\b|\bmmfind\b|\blfs find\b")
#: Most lines that are kept of one mark.
MOST_LINES = 200
_COMMENT = re.compile(r"\s*[#;]")
_AROUND = 60


@dataclass(frozen=True)
class Line:
    """A line that a mark was found on.

    Attributes
    ----------
    found
        What matched.
    text
        The line, or what stands around the match.
    of_find
        Whether it is of IO500's find phase alone.
    """

    file: str
    number: int
    found: str
    text: str
    of_find: bool

    @property
    def where(self) -> str:
        return f"{self.file}:{self.number}"


@dataclass(frozen=True)
class Evidence:
    """What a path's text files say of each of `MARKS`.

    Attributes
    ----------
    files
        The text files that were read.
    lines
        Mark → lines, in the order of files.
    """

    files: tuple[str, ...]
    lines: dict[str, tuple[Line, ...]]

    def of(self, mark: str) -> tuple[Line, ...]:
        return self.lines.get(mark, ())


def search(path: str | Path) -> Evidence:
    """Look for every mark in the text files under a path.

    Raises
    ------
    StoragebookError
        If the path cannot be read.
    """
    tree = archive.open_tree(path, keep=lambda _, head: _is_text(head), report=lambda _: None)
    files: list[str] = []
    lines: dict[str, list[Line]] = {mark: [] for mark in MARKS}
    for file in [tree] if isinstance(tree, File) else _walk(tree):
        try:
            if not _is_text(file.head()):
                continue
            text, _ = archive.lines_of(file.read())
        except StoragebookError:
            # the readers tell what they could not read
            continue
        files.append(file.path)
        for number, line in enumerate(text, 1):
            _look(file.path, number, line, lines)
    return Evidence(tuple(files), {mark: tuple(own) for mark, own in lines.items()})


def _walk(folder: Folder) -> Iterator[File]:
    files, folders = folder.entries()
    yield from files
    for inner in folders:
        yield from _walk(inner)


def _is_text(head: bytes) -> bool:
    return b"\0" not in head or head[:2] in (b"\xff\xfe", b"\xfe\xff")


def _look(file: str, number: int, line: str, lines: dict[str, list[Line]]) -> None:
    if _COMMENT.match(line):
        return
    for mark, pattern in MARKS.items():
        if len(lines[mark]) < MOST_LINES and (match := pattern.search(line)):
            found, of_find = match.group().strip(), _OF_FIND.search(line) is not None
            lines[mark].append(Line(file, number, found, _around(line, match), of_find))


def _around(line: str, match: re.Match[str]) -> str:
    start, end = max(0, match.start() - _AROUND), match.end() + _AROUND
    text = " ".join(line[start:end].split())
    return one_line(f"{'…' if start else ''}{text}{'…' if end < len(line) else ''}")
