"""What the first source states about Aurora's DAOS, gathered from its tables."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from storagebook import tables, units
from storagebook.intervals import Interval
from storagebook.io500 import listed, runs
from storagebook.io500.runs import PublicRun, Sentence

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


def listed_row() -> pd.Series:
    """Aurora's row of the production list, as numbers."""
    return _cell("io500-production-isc26", system="Aurora")[0]


def printed_results(submission: str) -> pd.DataFrame:
    """The results of a submission that the source prints, against the raw ones.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``in_source``, ``agrees`` (the raw result rounds to the printed digits); no rows
        for a submission that the source does not take apart.
    """
    columns = ["phase", "in_source", "agrees"]
    if submission != SUBMISSION:
        return pd.DataFrame(columns=columns)
    source, raw = tables.printed("aurora-phases"), runs.load(submission).values()
    spans = [Interval.of_printed(text, trailing_zeros=True) for text in source.value]
    agrees = [s.contains(Fraction(raw[p])) for s, p in zip(spans, source.phase, strict=True)]
    return pd.DataFrame(
        {"phase": source.phase, "in_source": source.value, "agrees": agrees}, columns=columns
    )


def runs_with_the_stated_count() -> tuple[float, pd.DataFrame]:
    """The number of files that the source gives for the run, and the public runs that have it."""
    stated, text = _cell("aurora-run", quantity="files")
    span = Interval.of_printed(text["value"])
    every = tables.load(runs.RUNS)
    fits = [bool(pd.notna(n) and span.contains(int(n))) for n in every.total_files_count]
    return float(stated["value"]), every[fits]


def namespace(run: PublicRun) -> list[Sentence]:
    """How many entries find looked at, and whose count the source gives for this run."""
    said = runs.namespace(run)
    count = run.facts.total_files_count
    if run.submission != SUBMISSION or pd.isna(count):
        return said
    files, fits = runs_with_the_stated_count()
    stated, _ = _cell("aurora-run", quantity="files")
    said.append(
        (
            "The source, which cites the DAOS Foundation for it, gives {stated:.0f} billion files "
            "for this run (line {line}), {times:.2f} times its own count.",
            {
                "stated": files / 1e9,
                "line": int(stated["line"]),
                "times": files / int(count),
            },
        )
    )
    for _, other in fits.iterrows():
        said.append(
            (
                "Submission {other}, {system}, has that count: {count:,} entries, made by "
                "{procs:,} processes. The source's own table names it as the run without "
                "redundancy. The figure belongs to that run; whose slip it is, the documents do "
                "not tell.",
                {
                    "other": other.submission,
                    "system": other.system,
                    "count": int(other.total_files_count),
                    "procs": int(other.procs_count),
                },
            )
        )
    return said


def per_server(run: PublicRun) -> pd.DataFrame | None:
    """Figures per storage server, where the source states how many servers the run used.

    Returns
    -------
    pandas.DataFrame or None
        ``figure``, ``value``, ``unit``, ``servers``, ``per_server``, ``in_source``, ``agrees``.
    """
    stated, texts = tables.load("io500-per-server"), tables.printed("io500-per-server")
    own = Interval.of_printed(run.texts.score, trailing_zeros=True)
    for (_, row), (_, text) in zip(stated.iterrows(), texts.iterrows(), strict=True):
        six = listed.as_six_digits(text["score"])
        if not (listed.as_two_decimals(text["score"]).overlaps(own) or (six and six.overlaps(own))):
            continue
        found = run.score()
        figures = [
            ("score", found.score, "", text["per_server_score"]),
            ("BW", found.bw_gib_s, "GiB/s", text["per_server_bandwidth_gib_s"]),
            ("MD", found.md_kiops, "kIOP/s", text["per_server_metadata_kiops"]),
        ]
        servers = int(row["servers_count"])
        return pd.DataFrame(
            [
                (
                    name,
                    value,
                    unit,
                    servers,
                    value / servers,
                    printed,
                    Interval.of_printed(printed, trailing_zeros=True).contains(value / servers),
                )
                for name, value, unit, printed in figures
            ],
            columns=["figure", "value", "unit", "servers", "per_server", "in_source", "agrees"],
        )
    return None
