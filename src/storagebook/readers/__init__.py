"""Readers: whatever a benchmark wrote, as tidy measurements.

There are two kinds. A reader of *sets* finds results that are spread over folders (IO500, MLPerf
Storage) and takes the whole path. A reader of *files* has ``sniff(head)``, which tells from the
first bytes of a file whether it is one of its tool's, and ``read(file)``, which gives a `Reading`.
To add one of these, name its module in `FILE_READERS`; of two that would take a file, the earlier
one does.

Every reader follows the rules of `measurements` and opens files through `archive` only.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from storagebook.errors import StoragebookError
from storagebook.readers.archive import HEAD_B, File, Folder, Report, Skipped, open_tree

if TYPE_CHECKING:
    import pandas as pd

    from storagebook.io500 import rules
    from storagebook.io500.rules import Checked
    from storagebook.mlperf.results import ResultSet
    from storagebook.readers.printed import Reading

#: Modules that read single files, by tool.
FILE_READERS = ("ior", "mdtest", "fio", "iozone", "daos_perf")

# a file whose name says whose it is gets a longer look
_NAMED = re.compile(rf"(?<![a-z])(?:{'|'.join(FILE_READERS)})(?![a-z])")
_NOISE_B = 2**20


class FileReader(Protocol):
    """What a module of `FILE_READERS` has."""

    def sniff(self, first: bytes) -> bool: ...

    def read(self, source: File | str | Path) -> Reading: ...


def sniff(head: bytes) -> str | None:
    """The tool whose output a file's first `archive.HEAD_B` bytes look like, or None."""
    from storagebook.readers import io500, mlperf_storage

    if io500.sniff(head):
        return "io500"
    if mlperf_storage.sniff(head):
        return mlperf_storage.TOOL
    return _file_reader(head[:HEAD_B])


def readings(path: str | Path, *, report: Report) -> Iterator[Reading]:
    """Everything that any reader finds under a path: results in sets first, then file by file.

    Parameters
    ----------
    path
        A file, a folder, or an archive of one.
    report
        Called once with each thing that is left out.

    Raises
    ------
    StoragebookError
        If the path cannot be read.
    """
    from storagebook.io500.rules import Checked
    from storagebook.readers import io500_tidy, mlperf_storage
    from storagebook.readers.printed import Reading

    report = _once(report)
    for result in results(path, report=report):
        rows = (
            io500_tidy.measurements(result)
            if isinstance(result, Checked)
            else mlperf_storage.to_measurements(result)
        )
        yield Reading(tuple(rows), result.findings)
    yield from _files(path, report)


def results(
    path: str | Path, *, report: Report, seen: rules.Seen | None = None
) -> Iterator[Checked | ResultSet]:
    """The results in sets under a path: checked IO500 runs, then MLPerf Storage.

    Parameters
    ----------
    path, report
        As `readings`.
    seen
        IO500 runs of earlier paths, so that one that is filed twice is noticed.

    Raises
    ------
    StoragebookError
        If the path cannot be read.
    """
    from storagebook.io500 import rules
    from storagebook.readers import io500, mlperf_storage

    report = _once(report)
    tree = open_tree(path, keep=lambda _path, _head: False, report=lambda _skipped: None)
    if not isinstance(tree, File) or io500.sniff(tree.head()):
        seen = seen or rules.Seen()
        for run in io500.iter_runs(path, report=report):
            yield rules.check(run, seen)
    # there may be none of these; whatever else is in the way has been reported
    with suppress(StoragebookError):
        yield from mlperf_storage.read(path, report=report)


def read(path: str | Path, *, report: Report | None = None) -> pd.DataFrame:
    """Everything under a path as one table of tidy measurements.

    Returns
    -------
    pandas.DataFrame
        See `measurements.frame`.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or holds nothing that a reader knows.
    """
    from storagebook.readers.measurements import frame

    left_out: list[Skipped] = []
    found = list(readings(path, report=report or left_out.append))
    if not found:
        errors = [skipped for skipped in left_out if skipped.severity == "error"]
        raise StoragebookError(errors[0].why if errors else "no supported result in it", file=path)
    return frame(row for reading in found for row in reading.measurements)


def _once(report: Report) -> Report:
    """Several readers walk one path; what they all leave out is reported once."""
    told: set[Skipped] = set()

    def once(skipped: Skipped) -> None:
        if skipped not in told:
            told.add(skipped)
            report(skipped)

    return once


def _files(path: str | Path, report: Report) -> Iterator[Reading]:
    tree = open_tree(path, keep=_keep, report=report)
    if isinstance(tree, File):
        yield from _file(tree, report, alone=path)
        return
    for file in _walk(tree):
        yield from _file(file, report)


def _file(file: File, report: Report, *, alone: str | Path | None = None) -> Iterator[Reading]:
    """What each tool left in one file; where it was asked for alone, an error is raised."""
    errors: list[StoragebookError] = []
    found = False
    try:
        tools = _tools_in(file)
    except StoragebookError as error:
        tools, errors = [], [error]
    for tool in tools:
        try:
            yield _module(tool).read(file)
            found = True
        except StoragebookError as error:
            errors.append(error)
    if errors and alone is not None and not found:
        first = errors[0]
        raise StoragebookError(first.what, file=alone, line=first.line, hint=first.hint)
    for failed in errors:
        report(Skipped.by(failed, file.path))


def _tools_in(file: File) -> list[str]:
    """The tools whose output a file holds: as it begins, and what else starts further down."""
    from storagebook.readers.printed import tools_in

    named = _NAMED.search(file.name.lower()) is not None
    first = _file_reader(file.head())
    if first is None and not named:
        return []
    data = file.read()
    # pages of a launcher's messages may stand before the tool's first line
    first = first or _file_reader(data[:_NOISE_B])
    return list(dict.fromkeys([*tools_in(data), *([first] if first else [])]))


def _keep(path: str, head: bytes) -> bool:
    name = path.rpartition("/")[2].lower()
    return _file_reader(head[:HEAD_B]) is not None or _NAMED.search(name) is not None


def _walk(folder: Folder) -> Iterator[File]:
    files, folders = folder.entries()
    yield from files
    for inner in folders:
        yield from _walk(inner)


def _file_reader(head: bytes) -> str | None:
    return next((name for name in FILE_READERS if _module(name).sniff(head)), None)


def _module(name: str) -> FileReader:
    return cast(FileReader, importlib.import_module(f"storagebook.readers.{name}"))
