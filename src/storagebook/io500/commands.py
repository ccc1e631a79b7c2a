"""`storagebook diff`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from storagebook.io500.rules import Checked

_form = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How to print: for people, as one object, or one row a figure.",
)


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
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

    (left, checked_a), (right, checked_b) = card.load(a), card.load(b)
    out = io.StringIO()
    diff_report.WRITERS[form](compared(left, right), out)
    wrong = [_tell_errors(checked) for checked in (checked_a, checked_b)]
    click.echo(out.getvalue(), nl=False)
    return int(any(wrong))


def _tell_errors(checked: Checked | None) -> bool:
    """Say on stderr what is wrong in a run's files; whether there is anything."""
    from storagebook.readers.report import told

    errors = [f for f in checked.findings if f.severity == "error"] if checked else []
    for finding in errors:
        click.echo(f"storagebook: {told(finding)}", err=True)
    return bool(errors)
