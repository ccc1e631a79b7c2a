"""`storagebook claims`."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from storagebook.errors import StoragebookError
from storagebook.printable import as_cell, as_json
from storagebook.verdicts import Verdict

if TYPE_CHECKING:
    from storagebook.claims import Judged


@click.command()
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    type=click.Choice([str(verdict) for verdict in Verdict]),
    help="Only claims with this verdict; may be given more than once.",
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="ID",
    help="Only claims of this source, as data/sources.csv names it; may be given more than once.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How to print: for people, one object a claim, or one row a claim.",
)
@click.option("--accept", is_flag=True, help="Take the present verdicts as the expected ones.")
def claims(verdicts: tuple[str, ...], sources: tuple[str, ...], form: str, accept: bool) -> int:
    """Check every claim of the ledger and print its verdict.

    Exits with 1 if a verdict is no longer the one that was accepted, whichever claims are printed;
    what moved is named on stderr.
    """
    from storagebook import claims as ledger

    judged = ledger.ledger()
    known = {one.claim.source for one in judged}
    if strange := set(sources) - known:
        raise StoragebookError(
            f"no claims of source {min(strange)!r}", hint=f"use one of {', '.join(sorted(known))}"
        )
    chosen = [
        one
        for one in judged
        if (not verdicts or one.verdict in verdicts)
        and (not sources or one.claim.source in sources)
    ]
    _PRINTERS[form](chosen)
    moved = ledger.accept() if accept else ledger.moved(judged)
    for name, before, now in moved:
        click.echo(f"{name}: {before or 'new'} → {now or 'gone'}", err=True)
    return int(bool(moved) and not accept)


def _print_table(chosen: Sequence[Judged]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("id", "claim", "recomputed", "verdict")
    for one in chosen:
        claim = one.claim
        said = f"{claim.quantity}: {claim.value} {claim.unit}" if claim.value else claim.quantity
        # Text, because brackets in a cell are no markup
        table.add_row(*map(Text, (claim.id, said, one.recomputed, str(one.verdict))))
    console = Console()
    console.print(table)
    counts = Counter(str(one.verdict) for one in chosen)
    console.print(", ".join(f"{counts[v]} {v}" for v in Verdict if counts[v]) or "no claims")


def _print_json(chosen: Sequence[Judged]) -> None:
    click.echo(as_json([one.record() for one in chosen], indent=1))


def _print_csv(chosen: Sequence[Judged]) -> None:
    from storagebook.claims import COLUMNS

    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {column: as_cell(value) for column, value in one.record().items()} for one in chosen
    )


_PRINTERS = {"table": _print_table, "json": _print_json, "csv": _print_csv}
