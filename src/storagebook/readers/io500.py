"""IO500 runs from a file, a folder, a tree of many or an archive.

A run is the folder that holds its result.txt; without one, what its result_summary.txt, shell log
or list row tells. What is safe to read stands in `archive`, what a folder holds in `io500_folder`,
the formats in `io500_text`, how a run is put together in `io500_assembled`, and what its figures
are worth in `storagebook.io500.rules`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from storagebook.errors import StoragebookError
from storagebook.io500.findings import Finding, finding
from storagebook.io500.run import Run
from storagebook.readers import io500_text as text
from storagebook.readers.archive import File, Folder, Report, Skipped, open_tree
from storagebook.readers.io500_assembled import assemble
from storagebook.readers.io500_folder import (
    KNOWN_NAMES,
    OUTPUT_NAME,
    Contents,
    Labels,
    contents_of,
    document_of,
)


def sniff(head: bytes) -> bool:
    """Whether a file's first bytes look like an IO500 result in one of its formats."""
    return text.kind_of(head) is not None


def read(path: str | Path, *, report: Report | None = None) -> list[Run]:
    """Every run under a path, sorted by folder.

    Parameters
    ----------
    path
        A result file, a run's folder, a tree of many, a .tar, .tgz or .zip of one, a list's CSV.
    report
        Called with each thing that is left out, if there is a run beside it; where there is none,
        the first that is left out with an ``error`` is raised.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or holds no run.
    """
    left_out: list[Skipped] = []
    runs = list(iter_runs(path, report=left_out.append))
    if not runs:
        reasons = [s for s in left_out if s.severity == "error"]
        if reasons:
            raise StoragebookError(reasons[0].why, file=Path(path) / reasons[0].path)
        raise StoragebookError("no IO500 result in it", file=path)
    for skipped in left_out if report is not None else ():
        report(skipped)
    return runs


def iter_runs(path: str | Path, *, report: Report) -> Iterator[Run]:
    """As `read`, one run at a time, so that memory does not grow with their number.

    Raises
    ------
    StoragebookError
        If the path cannot be read.
    """
    path = Path(path)
    tree = open_tree(path, keep=_keep, report=report)
    labels = Labels(path)
    if isinstance(tree, File):
        yield from _file_runs(tree, labels)
    else:
        yield from _folder_runs(tree, labels, report)


def _keep(path: str, head: bytes) -> bool:
    name = path.rpartition("/")[2]
    if name.startswith("._"):
        return False
    return (
        name in KNOWN_NAMES
        or name.endswith(".ini")
        or OUTPUT_NAME.fullmatch(name) is not None
        or sniff(head)
    )


def _folder_runs(folder: Folder, labels: Labels, report: Report) -> Iterator[Run]:
    files, folders = folder.entries()
    contents = contents_of(folder.path, files, labels, report)
    own = list(assemble(contents))
    below = itertools.chain.from_iterable(_folder_runs(f, labels, report) for f in folders)
    if not own or contents.results or contents.lists:
        yield from own
        yield from below
        return
    # A summary above the folders of runs is a copy of one of theirs, or a run of its own.
    first_two = list(itertools.islice(below, 2))
    unmatched = {run.fingerprint: run for run in own}
    if len(first_two) == 1 and first_two[0].hashed is not None:
        run = first_two[0]
        unmatched.pop(run.fingerprint, None)
        copies = tuple(_other_summary(run, other) for other in unmatched.values())
        yield replace(run, findings=run.findings + copies)
        return
    for run in itertools.chain(first_two, below):
        unmatched.pop(run.fingerprint, None)
        yield run
    yield from unmatched.values()


def _other_summary(run: Run, other: Run) -> Finding:
    own = run.printed.score.text if run.printed else "none"
    there = other.printed.score.text if other.printed else "none"
    what = f"the summary above this run's folder is another run's: score {there} beside {own}"
    return finding("other-summary", what, other.place)


def _file_runs(file: File, labels: Labels) -> Iterator[Run]:
    head = file.head()
    kind = text.kind_of(head)
    if kind is None:
        what = "an empty file" if not head else "no IO500 result in it"
        raise StoragebookError(what, file=labels.path)
    # the file's own name is part of no folder
    labels = Labels(labels.path.parent)
    document = document_of(file, file.read(), kind, labels)
    contents = Contents(labels.folder(""), files=[document.role])
    place = {"result": contents.results, "list": contents.lists}.get(kind, contents.texts)
    place.append(document)
    yield from assemble(contents)
