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
            for reading in progress.over(readers.readings(path, report=progress.report)):
                found = True
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
        for result in readers.results(path, report=progress.report, seen=seen):
            found = True
            progress.errors += is_wrong(result)
            yield result
        if not found:
            raise _nothing(path, progress)


def _nothing(path: Path, progress: _Progress) -> StoragebookError:
    if progress.errors:
        return StoragebookError("nothing in it could be read", file=path)
    if path.is_file() and not path.stat().st_size:
        return StoragebookError("an empty file", file=path)
    return StoragebookError("no supported result in it", file=path)


class _Progress:
    """What is being done, on stderr: a running count on a terminal, and what was left out."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.errors = 0
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
        if self._bar is not None:
            self._bar.stop()

    def over(self, items: Iterator[T]) -> Iterator[T]:
        for item in items:
            if self._bar is not None:
                self._bar.advance(self._task)
            yield item

    def report(self, skipped: Skipped) -> None:
        """Say what was left out, and count it if a result may be missing for it."""
        self.errors += skipped.severity == "error"
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
