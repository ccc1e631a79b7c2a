"""What each rank took: the CSVs of IOR's and mdtest's saveRankPerformanceDetails, and pfind's.

A phase ends with its slowest rank. How long it waits for the last one per cent is the time that an
even load would save. IOR lets the ranks wait for each other before it takes the time of a read, and
mostly of a write that is not cut by a stonewall: then all times are alike and say nothing about the
ranks.
"""

from __future__ import annotations

import csv
import itertools
import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from storagebook.errors import StoragebookError
from storagebook.readers.archive import File, Folder, lines_of, open_tree

if TYPE_CHECKING:
    import pandas as pd

#: The slow ranks: this share of all, one at least.
SLOW_SHARE = 0.01
#: Times that differ by less than this share of the longest were taken behind a barrier.
ALIKE_SHARE = 0.001

_IOR_HEAD = ("access", "rank", "runtime-with-openclose", "runtime", "throughput")
_MDTEST_HEAD = ("rank", "items")
_FIND_HEAD = ("rank", "errors", "unknown", "found", "total")
_FIND_STEALING = "time spend in job stealing in s"

#: Most columns: mdtest has some forty. Cells that a row leaves out are filled in, so a head of
#: thousands of names over a million short rows would take all memory.
MAX_COLUMNS = 200


@dataclass(frozen=True, slots=True)
class Ranks:
    """One phase, rank by rank; the tuples are in the order of `numbers`.

    Attributes
    ----------
    phase
        Name of the file without its suffix: ``ior-easy-write``.
    operation
        ``write``, ``read``, mdtest's ``File creation`` …, ``find``.
    seconds
        How long each rank worked; of find, without the time in which it looked for work.
    rates, rate_unit
        What each rank reached by itself, B/s or op/s.
    """

    phase: str
    tool: Literal["ior", "mdtest", "find"]
    operation: str
    numbers: tuple[int, ...]
    seconds: tuple[float, ...]
    rates: tuple[float, ...]
    rate_unit: Literal["B/s", "op/s"]
    file: str


@dataclass(frozen=True, slots=True)
class Spread:
    """How even the ranks of a phase were.

    Attributes
    ----------
    fastest_s, median_s, slowest_s
        Times of ranks.
    slow_count
        How many ranks are the slowest one per cent.
    done_s
        When all others were done.
    wait_s, wait_pct
        From then to the end of the slowest rank, and as a share of its time.
    idle_pct
        Share of all ranks' time that is spent waiting for the slowest.
    alike
        Whether the times were taken behind a barrier, so that they tell nothing.
    """

    ranks_count: int
    fastest_s: float
    median_s: float
    slowest_s: float
    slow_count: int
    done_s: float
    wait_s: float
    wait_pct: float
    idle_pct: float
    alike: bool


def sniff(head: bytes) -> bool:
    """Whether a file's first bytes are those of a per-rank CSV."""
    lines = head.decode("latin-1").splitlines()
    return _kind(lines) is not None


def read(source: File | str | Path) -> Ranks:
    """The ranks of one file.

    Raises
    ------
    StoragebookError
        If the file cannot be read or holds no ranks; if a rank stands twice, or has no time.
    """
    file, data = _load(source)
    lines, _ = lines_of(data)
    kind = _kind(lines)
    if kind is None:
        raise StoragebookError("no figures of ranks in it", file=file)
    phase = file.rpartition("/")[2].removesuffix(".csv")
    tool, head_line = kind
    head = [name.strip() for name in lines[head_line].split(",")]
    if len(head) > MAX_COLUMNS:
        raise StoragebookError(
            f"more than {MAX_COLUMNS} columns, which no tool writes for its ranks",
            file=file,
            line=head_line + 1,
            hint="take out the columns that are not the tool's",
        )
    rows = list(_rows(lines[head_line + 1 :], head_line + 2, head, file))
    reader = {"ior": _ior, "mdtest": _mdtest, "find": _find}[tool]
    operation, figures, unit = reader(rows, lines, file)
    if not figures:
        raise StoragebookError("no rank has a time in it", file=file)
    numbers = sorted(figures)
    return Ranks(
        phase=phase,
        tool=tool,
        operation=operation,
        numbers=tuple(numbers),
        seconds=tuple(figures[n][0] for n in numbers),
        rates=tuple(figures[n][1] for n in numbers),
        rate_unit=unit,
        file=file,
    )


def spread(ranks: Ranks) -> Spread:
    """How even the ranks were, and how long the phase waits for the slowest one per cent."""
    seconds = sorted(ranks.seconds)
    count, slowest = len(seconds), seconds[-1]
    slow = max(1, math.ceil(count * SLOW_SHARE))
    done = seconds[-slow - 1] if slow < count else slowest
    wait = slowest - done
    return Spread(
        ranks_count=count,
        fastest_s=seconds[0],
        median_s=statistics.median(seconds),
        slowest_s=slowest,
        slow_count=slow,
        done_s=done,
        wait_s=wait,
        wait_pct=wait / slowest * 100 if slowest else 0.0,
        idle_pct=100 * (1 - math.fsum(seconds) / count / slowest) if slowest else 0.0,
        alike=slowest - seconds[0] <= ALIKE_SHARE * slowest,
    )


def table(path: str | Path) -> pd.DataFrame:
    """The spread of every phase of a run: ``phase``, ``operation`` and the fields of `Spread`.

    Parameters
    ----------
    path
        A run's folder or archive; files that hold no ranks are passed over.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or a file of ranks in it is broken.
    """
    import pandas as pd

    tree = open_tree(path, keep=lambda _path, head: sniff(head), report=lambda _skipped: None)
    files = [tree] if isinstance(tree, File) else _walk(tree)
    found = [read(file) for file in files if sniff(file.head())]
    columns = ["phase", "operation", *Spread.__slots__]
    rows = [[r.phase, r.operation, *_values(spread(r))] for r in found]
    return pd.DataFrame(rows, columns=columns)


def _values(found: Spread) -> Iterator[object]:
    return (getattr(found, name) for name in Spread.__slots__)


def _walk(folder: Folder) -> Iterator[File]:
    files, folders = folder.entries()
    yield from files
    for inner in folders:
        yield from _walk(inner)


def _load(source: File | str | Path) -> tuple[str, bytes]:
    if isinstance(source, File):
        return source.path, source.read()
    tree = open_tree(source, keep=lambda _path, _head: False, report=lambda _skipped: None)
    if not isinstance(tree, File):
        raise StoragebookError("a folder, where one file is read", file=source)
    return str(source), tree.read()


def _kind(lines: list[str]) -> tuple[Literal["ior", "mdtest", "find"], int] | None:
    """Which tool wrote it, and the index of the line with the names."""
    for index, line in enumerate(lines[:2]):
        names = tuple(name.strip() for name in line.split(","))
        if names[:4] == _IOR_HEAD[:4] and "throughput" in names:
            return "ior", index
        if names[:2] == _MDTEST_HEAD:
            return "mdtest", index
        if names[:5] == _FIND_HEAD:
            return "find", index
    return None


def _rows(
    lines: list[str], first: int, head: list[str], file: str
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows by the names of their columns, with their lines."""
    for line, cells in enumerate(csv.reader(lines), first):
        if not cells:
            continue
        # mdtest leaves out the empty cells at the end of a row
        if len(cells) < len(head) and "items" not in head:
            raise StoragebookError("a row that is cut off", file=file, line=line)
        padded = itertools.chain((cell.strip() for cell in cells), itertools.repeat(""))
        yield line, dict(zip(head, padded, strict=False))


_Figures = dict[int, tuple[float, float]]
_Rows = list[tuple[int, dict[str, str]]]


def _ior(rows: _Rows, lines: list[str], file: str) -> tuple[str, _Figures, Literal["B/s", "op/s"]]:
    figures: _Figures = {}
    for line, row in rows:
        _put(figures, row["rank"], row["runtime"], row["throughput"], file, line)
    return (rows[0][1]["access"] if rows else ""), figures, "B/s"


def _mdtest(
    rows: _Rows, lines: list[str], file: str
) -> tuple[str, _Figures, Literal["B/s", "op/s"]]:
    # only the columns of what was done are filled, those of the tree in the row of all ranks
    ranks = [(line, row) for line, row in rows if row["rank"] != "all"]
    operations = sorted(
        name.removeprefix("time-")
        for name in (ranks[0][1] if ranks else ())
        if name.startswith("time-") and any(row[name] for _, row in ranks)
    )
    if len(operations) > 1:
        raise StoragebookError(f"several operations in one: {', '.join(operations)}", file=file)
    figures: _Figures = {}
    for operation in operations:
        for line, row in ranks:
            times, rates = row[f"time-{operation}"], row.get(f"rate-{operation}", "")
            _put(figures, row["rank"], times, rates, file, line)
    return next(iter(operations), ""), figures, "op/s"


def _find(rows: _Rows, lines: list[str], file: str) -> tuple[str, _Figures, Literal["B/s", "op/s"]]:
    runtime = _number(lines[0].removeprefix("runtime:").split()[0], file, 1)
    figures: _Figures = {}
    for line, row in rows:
        stealing = _number(row.get(_FIND_STEALING, "").removesuffix("s"), file, line)
        worked = max(runtime - stealing, 0.0)
        rate = _number(row["total"], file, line) / runtime if runtime else 0.0
        _put(figures, row["rank"], repr(worked), repr(rate), file, line)
    return "find", figures, "op/s"


def _put(figures: _Figures, rank: str, seconds: str, rate: str, file: str, line: int) -> None:
    if not (rank.isascii() and rank.isdecimal()):
        raise StoragebookError(f"a rank that is no number: {rank!r}", file=file, line=line)
    if int(rank) in figures:
        raise StoragebookError(f"rank {rank} stands twice", file=file, line=line)
    figures[int(rank)] = (_number(seconds, file, line), _number(rate, file, line))


def _number(text: str, file: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise StoragebookError(f"no time or rate: {text!r}", file=file, line=line)
    return value
