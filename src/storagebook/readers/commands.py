"""`storagebook score` and `storagebook ingest`."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

import click

from storagebook.errors import StoragebookError, one_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from storagebook.io500.findings import Finding
    from storagebook.readers.archive import Skipped
    from storagebook.readers.report import Result

T = TypeVar("T")

# Output up to this size waits in memory, a larger one on disk, until it is known to be whole.
_SPOOL_B = 8 * 2**20


def not_blank(_context: click.Context, _parameter: click.Parameter, value: T) -> T:
    """What was given, unless it is empty: an unset variable would mean the folder one is in."""
    if "" in (value if isinstance(value, tuple) else (value,)):
        raise click.BadParameter("an empty path.")
    return value


_paths = click.argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="PATH…",
    # text first: the path of an empty one would be the folder one is in
    callback=lambda *given: tuple(map(Path, not_blank(*given))),
)


@click.command()
@_paths
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How to print: for people, one object a run, or one row a run.",
)
def score(paths: tuple[Path, ...], form: str) -> int:
    """Recompute and check every IO500 run and MLPerf Storage result under the paths.

    A PATH is a result file, a run's folder, a tree of many, an archive of one (.tgz, .tar, .zip)
    or an IO500 list's CSV. Prints the phases, printed and recomputed scores, the hash check and
    what else the files show. Exits with 1 if something is wrong in them.
    """
    from storagebook.readers import report

    with _whole_output() as out, _Progress("results") as progress:
        report.WRITERS[form](progress.over(_results(paths, progress)), out)
    return int(progress.errors > 0)


@click.command()
@_paths
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="FILE.csv, or FILE.parquet where pyarrow is installed.",
)
def ingest(paths: tuple[Path, ...], output: Path) -> int:
    """Turn any supported output into one table of tidy measurements.

    One row is one figure, with its unit, its place in the file and the settings it was made under.
    The file appears whole or not at all.
    """
    from storagebook import readers
    from storagebook.readers import tidy

    with _Progress("results") as progress, tidy.writer(output) as table:
        for path in paths:
            found = False
            progress.start()
            for reading in progress.over(readers.readings(path, report=progress.report)):
                found = True
                progress.found()
                table.add(reading.measurements)
                progress.tell(reading.findings)
            if not found:
                raise _nothing(path, progress)
    return int(progress.errors > 0)


def _results(paths: tuple[Path, ...], progress: _Progress) -> Iterator[Result]:
    from storagebook import readers
    from storagebook.io500 import rules
    from storagebook.readers.report import is_wrong

    seen = rules.Seen()
    for path in paths:
        found = False
        progress.start()
        for result in readers.results(path, report=progress.report, seen=seen):
            found = True
            progress.found()
            progress.errors += is_wrong(result)
            yield result
        if not found:
            raise _nothing(path, progress)


def _nothing(path: Path, progress: _Progress) -> StoragebookError:
    alone = progress.waiting
    if alone is not None and alone.severity == "error":
        progress.waiting = None
        return StoragebookError(alone.why, file=_whole_path(path, alone))
    if progress.errors:
        return StoragebookError("nothing in it could be read", file=path)
    if path.is_file() and not path.stat().st_size:
        return StoragebookError("an empty file", file=path)
    return StoragebookError("no supported result in it", file=path)


def _whole_path(path: Path, skipped: Skipped) -> str:
    """Where it is, seen from here; an archive's own name begins what is said of it as a whole."""
    name, _, inner = skipped.path.partition("/")
    place = inner if name == path.name and not path.is_dir() else skipped.path
    return f"{path}/{place}" if place not in ("", ".") else str(path)


class _Progress:
    """What is being done, on stderr: a running count on a terminal, and what was left out."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.errors = 0
        #: What alone was left out of a path, before anything was found there.
        self.waiting: Skipped | None = None
        self._waits = False
        self._bar: Progress | None = None

    def __enter__(self) -> _Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn(f"{{task.completed:,}} {self._what}"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("")
            self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.found()
        if self._bar is not None:
            self._bar.stop()

    def over(self, items: Iterator[T]) -> Iterator[T]:
        for item in items:
            if self._bar is not None:
                self._bar.advance(self._task)
            yield item

    def start(self) -> None:
        """Begin a path: where nothing is found, the one thing that was left out is the error."""
        self.found()
        self._waits = True

    def found(self) -> None:
        """Say what waited."""
        self._waits = False
        if self.waiting is not None:
            self._left_out(self.waiting)
            self.waiting = None

    def report(self, skipped: Skipped) -> None:
        """Say what was left out, and count it if a result may be missing for it."""
        self.errors += skipped.severity == "error"
        if self._waits and self.waiting is None:
            self.waiting = skipped
            return
        self.found()
        self._left_out(skipped)

    def _left_out(self, skipped: Skipped) -> None:
        self.say(f"left out {skipped.path}: {skipped.why}")

    def tell(self, findings: Iterable[Finding]) -> None:
        """Say what is wrong in the data, and count the errors."""
        for item in findings:
            if item.severity != "note":
                line = f":{item.line}" if item.line is not None else ""
                self.say(f"{item.file}{line}: {item.severity}: {item.text}")
            self.errors += item.severity == "error"

    def say(self, text: str) -> None:
        line = f"storagebook: {one_line(text)}"
        if self._bar is None:
            click.echo(line, err=True)
        else:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _whole_output() -> Iterator[IO[str]]:
    """Text for stdout that is printed once it is whole, and not at all if something fails."""
    with tempfile.SpooledTemporaryFile(_SPOOL_B) as whole:
        out = io.TextIOWrapper(whole, encoding="utf-8", errors="replace", newline="")
        yield out
        out.flush()
        whole.seek(0)
        shutil.copyfileobj(whole, sys.stdout.buffer)
        sys.stdout.flush()
        out.detach()
