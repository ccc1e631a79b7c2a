"""What the first source states about Aurora's DAOS, gathered from its tables."""

from __future__ import annotations

import pandas as pd

from storagebook import tables, units
from storagebook.intervals import Interval

#: The submission whose twelve phases the source takes apart, and its unprotected sibling.
SUBMISSION = "0688"
UNPROTECTED = "0695"


def _cell(table: str, **where: object) -> tuple[pd.Series, pd.Series]:
    """The one row that fits, as numbers and as printed.

    Raises
    ------
    LookupError
        If no row fits, or more than one.
    """
    numbers, texts = tables.load(table), tables.printed(table)
    fits = pd.Series(True, index=numbers.index)
    for column, value in where.items():
        fits &= numbers[column] == value
    if fits.sum() != 1:
        raise LookupError(f"{fits.sum()} rows of {table} fit {where}")
    return numbers[fits].iloc[0], texts[fits].iloc[0]


def stated(quantity: str, table: str = "aurora-configuration") -> float:
    """A figure of the configuration (or, with ``aurora-run``, of the run), in its stated unit."""
    return float(_cell(table, quantity=quantity)[0]["value"])


def bandwidths() -> pd.DataFrame:
    """The figures that the source calls Aurora's bandwidth, each with its basis, in one unit.

    Returns
    -------
    pandas.DataFrame
        Columns ``figure``, ``basis``, ``printed`` (with unit), ``bandwidth_tb_s``, ``servers``
        (how many servers it is for; blank where the source does not say), from the largest down.
    """
    peak, peak_text = _cell("aurora-configuration", quantity="peak-bandwidth")
    docs, docs_text = _cell("aurora-configuration", quantity="bandwidth-user-docs")
    write, write_text = _cell("aurora-phases", phase="ior-easy-write")
    hard, hard_text = _cell("aurora-phases", phase="ior-hard-write")
    row, row_text = _cell("io500-production-isc26", system="Aurora")
    all_servers = int(stated("servers"))
    run_servers = int(stated("servers", "aurora-run"))
    network = stated("server-network") * run_servers
    rows = [
        (
            "stated peak, architecture paper",
            "theoretical-peak",
            f"≥ {peak_text['value']} {peak['unit']}",
            units.convert(peak["value"], peak["unit"], "TB/s"),
            all_servers,
        ),
        (
            "network cards of the run's servers",
            "derived",
            f"{run_servers} × {stated('server-network'):g} GiB/s",
            units.convert(network, "GiB/s", "TB/s"),
            run_servers,
        ),
        (
            "user documentation",
            "vendor-statement",
            f"> {docs_text['value']} {docs['unit']}",
            units.convert(docs["value"], docs["unit"], "TB/s"),
            None,
        ),
        (
            "ior-easy-write",
            "single-phase",
            f"{write_text['value']} {write['unit']}",
            units.convert(write["value"], write["unit"], "TB/s"),
            run_servers,
        ),
        (
            "IO500 bandwidth score",
            "benchmark-score",
            f"{row_text['bandwidth_gib_s']} GiB/s",
            units.convert(row["bandwidth_gib_s"], "GiB/s", "TB/s"),
            run_servers,
        ),
        (
            "ior-hard-write",
            "single-phase",
            f"{hard_text['value']} {hard['unit']}",
            units.convert(hard["value"], hard["unit"], "TB/s"),
            run_servers,
        ),
    ]
    frame = pd.DataFrame(rows, columns=["figure", "basis", "printed", "bandwidth_tb_s", "servers"])
    return frame.sort_values("bandwidth_tb_s", ascending=False, ignore_index=True).astype(
        {"servers": "Int64"}
    )


def headline() -> dict[str, Interval]:
    """What "more than 20 TiB/s" comes from: ior-easy-write in TiB/s and in TB/s."""
    _, text = _cell("aurora-phases", phase="ior-easy-write")
    printed = Interval.of_printed(text["value"], trailing_zeros=True)
    return {unit: units.convert(printed, "GiB/s", unit) for unit in ("TiB/s", "TB/s")}
