"""What submitters printed of their own v1.0 results, and in which unit it must have been.

The results are public, so that a statement can be held against the run it is about: the run
decides what the printed unit stood for. The demand model is asked the same question without the
run, which shows how far it can be trusted where no run is at hand.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from storagebook import columns, tables
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.mlperf import demand, policy
from storagebook.units import factor

TABLE = "mlperf-storage-statements"
#: Where the statements lie below the folder of other people's files.
FILE = Path("data") / "mlperf_storage" / "public_claims.csv"

_ROUND = "v1.0"
#: A utilisation is printed with two decimals at most.
_SAME_AU_PCT = 0.05

SOURCE = {"title": "MLPerf Storage v1.0 results repository", "id": "mlperf-storage-v1.0"}
LICENCE = {"name": "Apache-2.0", "title": "Apache License 2.0"}
FIELDS = [
    columns.text("submission_id", "The result that it is about.", required=True),
    columns.text("submitter", "Who states it.", required=True),
    columns.text("workload", "Model whose training is emulated.", required=True),
    columns.text("accelerator", "What is emulated.", required=True),
    columns.count("accelerators_count", "Emulated accelerators, as stated.", required=True),
    columns.number("value", "", "Bandwidth as printed.", unitColumn="unit", required=True),
    columns.text("unit", "Unit as printed.", required=True),
    columns.number("au_pct", "%", "Accelerator utilisation, where it is stated."),
    columns.text("stated_division", "Division, where it is stated."),
]


# -- the table


def rows(statements: Path, results: pd.DataFrame) -> Iterator[list[Any]]:
    """The v1.0 statements of a bandwidth, each with the result that it is about.

    Parameters
    ----------
    statements
        A CSV file of printed figures.
    results
        The public results, as ``mlperf-storage-v10`` has them.

    Raises
    ------
    StoragebookError
        If the file is missing, or a statement fits no result or several.
    """
    if not statements.is_file():
        raise StoragebookError("no such file of statements", file=statements)
    with statements.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), 2):
            if row["round"] != _ROUND or not row["value"]:
                continue
            found = _about(row, results)
            if len(found) != 1:
                raise StoragebookError(
                    f"the statement fits {len(found)} results, not one",
                    file=statements,
                    line=number,
                )
            yield [
                found[0],
                row["submitter"],
                row["workload"],
                row["accelerator"],
                row["num_accelerators"],
                row["value"],
                row["unit_as_printed"],
                row["au_pct"] or None,
                row["note"].removeprefix("stated as ").lower() or None,
            ]


def _about(row: Mapping[str, str], results: pd.DataFrame) -> list[str]:
    same = (
        (results["submitter"] == row["submitter"])
        & (results["workload"] == row["workload"])
        & (results["accelerator"] == row["accelerator"])
        & (results["accelerators_count"] == int(row["num_accelerators"]))
    )
    if row["num_hosts"]:
        same &= results["hosts_count"] == int(row["num_hosts"])
    if row["au_pct"]:
        same &= (results["au_mean_pct"] - float(row["au_pct"])).abs() < _SAME_AU_PCT
    return results.loc[same, "submission_id"].tolist()


def write(shared: Path) -> list[str]:
    """Rebuild the table; ``mlperf-storage-v10`` has to be there.

    Returns
    -------
    list of str
        The table, if it changed.
    """
    described = columns.write_derived(
        TABLE,
        FIELDS,
        list(rows(shared / FILE, tables.load(demand.TABLE))),
        key=["submission_id"],
        title="What submitters printed of their MLPerf Storage v1.0 results",
        description="Bandwidths of the supplement to the v1.0 results, units as printed, each with "
        "the result that it is about.",
        sources=[{**SOURCE, "locator": "MLPerf Storage v1.0 Supplementals.txt"}],
        licenses=[LICENCE],
        basis="vendor-statement",
        obtained="prose",
    )
    return tables.write_package(described)


# -- what the units stood for


def units_told() -> pd.DataFrame:
    """What the unit of each statement stood for, told by the run, and by the model alone.

    Returns
    -------
    pandas.DataFrame
        ``submitter``, ``printed``, ``measured_gib_s``, ``measured_gb_s``, ``by_run`` and
        ``by_model`` (each one of `storagebook.mlperf.demand.MEANINGS`, ``undecided`` or
        ``neither``), ``workload``, ``accelerators`` (with their kind) and ``system``.
    """
    results = tables.load(demand.TABLE).set_index("submission_id")
    texts = tables.printed(TABLE)
    told = []
    for row, text in zip(tables.load(TABLE).to_dict("records"), texts["value"], strict=True):
        run = results.loc[row["submission_id"]]
        # some cut digits off where others round them; a final zero may be neither
        printed = Interval.of_printed(text, mode="unknown") * factor(row["unit"], "GB/s")
        by_model = demand.which_unit(
            printed,
            row["workload"],
            row["accelerator"],
            row["accelerators_count"],
            run["au_mean_pct"],
            units=tuple(demand.MEANINGS),
        )
        told.append(
            {
                "submitter": row["submitter"],
                "printed": f"{text} {row['unit']}",
                "measured_gib_s": run["bandwidth_gib_s"],
                "measured_gb_s": run["bandwidth_gib_s"] * factor("GiB/s", "GB/s"),
                "by_run": demand.which_meaning(printed, run["bandwidth_gib_s"]),
                "by_model": by_model.answer,
                "workload": policy.workload_name(row["workload"]),
                "accelerators": f"{row['accelerators_count']:,} {row['accelerator'].upper()}",
                "system": run["system"],
            }
        )
    frame = pd.DataFrame(told)
    return frame.astype({"measured_gib_s": float, "measured_gb_s": float})


def said_of_units(told: pd.DataFrame) -> list[Sentence]:
    """What the units stood for, which statements stay open, and how far the model alone gets."""
    known = told.by_run.isin(list(demand.MEANINGS))
    decided = told[known]
    counts = decided.by_run.value_counts()
    bold = decided[decided.by_model.isin(list(demand.MEANINGS))]
    said: list[Sentence] = [
        (
            "The runs decide {decided} of {all} statements. Their units, all printed as decimal "
            "ones, stood for {meanings}.",
            {
                "decided": len(decided),
                "all": len(told),
                "meanings": ", ".join(
                    f"{name} ({counts[name]})" for name in demand.MEANINGS if name in counts
                ),
            },
        )
    ]
    why = {
        "undecided": "the printed digits fit more than one reading",
        "neither": "no reading fits the public run",
    }
    for answer, reason in why.items():
        listed = [f"{r.submitter}, {r.printed}" for r in told[told.by_run == answer].itertuples()]
        if listed:
            values = {"answer": answer, "reason": reason, "listed": "; ".join(listed)}
            said.append(("The answer is *{answer}* where {reason}: {listed}.", values))
    said.append(
        (
            "The model alone, without the run, commits itself for {bold} of the {decided} that the "
            "runs decide, and names the unit that the run shows for {right} of them.",
            {
                "bold": len(bold),
                "decided": len(decided),
                "right": int((bold.by_model == bold.by_run).sum()),
            },
        )
    )
    return said


def said_of_divisions() -> list[Sentence]:
    """Statements that name another division than the one under which the files stand."""
    stated = tables.load(TABLE).merge(
        tables.load(demand.TABLE)[["submission_id", "division"]], on="submission_id"
    )
    other = stated[stated.stated_division.notna() & (stated.stated_division != stated.division)]
    return [
        (
            "One more difference: for {value} {unit}, {submitter} states the {stated} division, "
            "while the files of that result stand in the {division} one.",
            {
                "value": f"{row.value:g}",
                "unit": row.unit,
                "submitter": row.submitter,
                "stated": row.stated_division,
                "division": row.division,
            },
        )
        for row in other.itertuples()
    ]
