"""`storagebook compare` and `storagebook diff`."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from storagebook.errors import one_line
from storagebook.readers.commands import not_blank

if TYPE_CHECKING:
    from storagebook.io500.rules import Checked
    from storagebook.readers.archive import Skipped

_form = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How to print: for people, as one object, or one row a figure.",
)


def _finite(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is no factor.")
    return value


@click.command()
@click.argument("path", metavar="PATH", callback=not_blank)
@click.option(
    "--with",
    "against",
    metavar="LIST",
    callback=not_blank,
    default="public",
    show_default=True,
    help="public (all public runs at hand), production-isc26 or ten-node-isc26 (the rows that the "
    "source prints), or the path of a list's CSV export from io500.org.",
)
@click.option(
    "--factor",
    type=click.FloatRange(min=1),
    default=2.0,
    callback=_finite,
    show_default=True,
    help="Runs are of the same scale if processes and nodes differ by no more than this.",
)
@_form
def compare(path: str, against: str, factor: float, form: str) -> int:
    """An IO500 run against others: its percentile in each phase, its place in a list.

    PATH is a result file, a folder or archive of runs, or the number of a public submission. A
    place in a list is by the score alone and no published rank; it is an interval where only some
    rows of the list are known. Exits with 1 if something is wrong in the files of a run.
    """
    from storagebook.io500 import card, standing, standing_report

    reference = standing.reference(against)
    left_out: list[Skipped] = []
    found, wrong = [], False
    for one, checked in card.load_all(path, report=left_out.append):
        found.append(standing.stand(one, reference, factor=factor))
        wrong |= _tell_errors(checked)
    out = io.StringIO()
    standing_report.WRITERS[form](found, out)
    wrong |= _tell_left_out(left_out)
    click.echo(out.getvalue(), nl=False)
    return int(wrong)


@click.command()
@click.argument("a", metavar="A", callback=not_blank)
@click.argument("b", metavar="B", callback=not_blank)
@_form
def diff(a: str, b: str, form: str) -> int:
    """What differs between two IO500 runs, beside what changed.

    A and B are result files, folders or archives of one run each, or numbers of public submissions
    (four digits, as in data/derived/io500-runs.csv). Prints every setting and option that differs,
    and the change of each phase, by its result and by its rate at the stonewall. Exits with 1 if
    something is wrong in the files of either run.
    """
    from storagebook.io500 import card, diff_report
    from storagebook.io500.diff import diff as compared

    left_out: list[Skipped] = []
    (left, checked_a), (right, checked_b) = (card.load(x, report=left_out.append) for x in (a, b))
    out = io.StringIO()
    diff_report.WRITERS[form](compared(left, right), out)
    wrong = [_tell_errors(checked) for checked in (checked_a, checked_b)]
    wrong.append(_tell_left_out(left_out))
    click.echo(out.getvalue(), nl=False)
    return int(any(wrong))


def _tell_left_out(left_out: Iterable[Skipped]) -> bool:
    """Say on stderr what was not read; whether a run may be missing for it."""
    wrong = False
    for skipped in left_out:
        click.echo(f"storagebook: {one_line(f'left out {skipped.path}: {skipped.why}')}", err=True)
        wrong |= skipped.severity == "error"
    return wrong


def _tell_errors(checked: Checked | None) -> bool:
    """Say on stderr what is wrong in a run's files; whether there is anything."""
    from storagebook.readers.report import told

    errors = [f for f in checked.findings if f.severity == "error"] if checked else []
    for finding in errors:
        click.echo(f"storagebook: {told(finding)}", err=True)
    return bool(errors)
