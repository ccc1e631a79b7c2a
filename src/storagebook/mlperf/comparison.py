"""Which figures of the MLPerf Storage chapter may be put in a ratio, and what has to stand beside.

Each pair is handed to `storagebook.compare`, which refuses it or names every difference; no ratio
is shown, because none is needed to see which would stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from storagebook import cells, compare
from storagebook.compare import MLPERF_STORAGE, Basis, Figure, Obtained, Refused
from storagebook.errors import one_line
from storagebook.intervals import Interval
from storagebook.mlperf import public, quoted
from storagebook.mlperf.results import ResultSet

#: Phase of an IO500 result that also is a bandwidth.
_IO500 = "aurora-phases[phase=ior-easy-read].value"


def figure(row: pd.Series) -> Figure:
    """A public v1.0 result as a figure that can be compared."""
    return Figure(
        name=f"{row.submitter}, {row.accelerators_count} {str(row.accelerator).upper()}",
        value=Interval.point(float(row.bandwidth_gib_s)),
        unit="GiB/s",
        basis=Basis.APPLICATION,
        obtained=Obtained.RAW_OUTPUT,
        benchmark=MLPERF_STORAGE,
        metric=row.workload,
        system=row.system,
        clients=int(row.hosts_count),
        version=row["round"],
        division=row.division,
        # source 001 asks that kinds of network be held apart
        category=f"{row.category} over {row.network}",
        accelerator=row.accelerator,
        accelerators=int(row.accelerators_count),
        verified=True,
        submitter=row.submitter,
    )


def figure_of(result: ResultSet) -> Figure:
    """A reader's result as a figure; it has to give a bandwidth."""
    return Figure(
        name=one_line(f"{public.THIS_RESULT}, {result.submitter or 'no submitter'}", 80),
        value=Interval.point(float(result.gib_s or 0)),
        unit="GiB/s",
        basis=Basis.APPLICATION,
        obtained=Obtained.RAW_OUTPUT,
        benchmark=MLPERF_STORAGE,
        metric=result.workload,
        clients=result.hosts,
        version=result.round,
        division=result.division,
        accelerator=result.accelerator,
        accelerators=result.accelerators,
        verified=False,
        submitter=result.submitter,
    )


def _public(submission: str) -> Figure:
    table = public.everything()
    return figure(table[table["submission_id"] == submission].iloc[0])


def _quoted(pointer: str, name: str, metric: str, **more: object) -> Figure:
    cell = cells.cell(pointer)
    return Figure(
        name=name,
        value=cell.quantity(exact=True).value,
        unit=cell.unit,
        basis=cell.basis or Basis.VENDOR_STATEMENT,
        obtained=cell.obtained,
        metric=metric,
        **more,  # type: ignore[arg-type]
    )


def _of_v20(table: str, quantity: str, name: str, metric: str) -> Figure:
    return _quoted(
        f"{table}[quantity={quantity}].value",
        name,
        metric,
        benchmark=MLPERF_STORAGE,
        version=quoted.ROUND,
        verified=False,
    )


def pairs(results: Sequence[ResultSet] = ()) -> list[tuple[str, Figure, Figure]]:
    """What is asked, and the two figures: pairs that a reader of the chapter may think of."""
    juicefs = _of_v20(quoted.JUICEFS, "unet3d-bandwidth", "JuiceFS, 3D U-Net", "unet3d")
    daos = _of_v20(quoted.ALCF, "daos-write", "DAOS writing", "checkpoint write")
    lustre = _of_v20(quoted.ALCF, "lustre-most", "Lustre upper end", "checkpoint write")
    cluster = _quoted(
        f"{quoted.JUICEFS}[quantity=cache-bandwidth].value",
        "JuiceFS, larger cluster",
        "cache read",
    )
    io500 = _quoted(_IO500, "Aurora, ior-easy-read", "ior-easy-read", benchmark=compare.IO500)
    found = [
        ("Ethernet beside InfiniBand", _public("v10-nutanix-02"), _public("v10-ddn-03")),
        ("open beside closed division", _public("v10-volumez-02"), _public("v10-nutanix-02")),
        ("H100 beside A100", _public("v10-ddn-03"), _public("v10-ddn-02")),
        ("two workloads", _public("v10-ddn-03"), _public("v10-ddn-06")),
        ("two rounds", juicefs, _public("v10-juicedata-06")),
        ("DAOS beside Lustre", daos, lustre),
        ("training beside checkpoint", juicefs, daos),
        ("a result beside a figure of no benchmark", juicefs, cluster),
        ("MLPerf Storage beside IO500", juicefs, io500),
    ]
    mine = [result for result in results if result.gib_s][: public.MOST_TOLD]
    beside = found[0][2]
    return found + [("your result beside a public one", figure_of(r), beside) for r in mine]


def table(results: Sequence[ResultSet] = ()) -> pd.DataFrame:
    """Each pair, whether a ratio of it stands, and what has to stand beside it or refuses it.

    Returns
    -------
    pandas.DataFrame
        ``pair``, ``figures``, ``ratio`` (``stands, differences named`` or ``refused``) and
        ``because``.
    """
    rows = []
    for asked, a, b in pairs(results):
        try:
            verdict, why = "stands, differences named", compare.ratio(a, b).beside()
            why = why.replace(".;", ";")
        except Refused as refusal:
            verdict, why = "refused", f"{refusal.what} ({refusal.policy})"
        rows.append((asked, f"{a.name} – {b.name}", verdict, why))
    return pd.DataFrame(rows, columns=["pair", "figures", "ratio", "because"])


def said(compared: pd.DataFrame) -> list[tuple[str, dict[str, object]]]:
    """How many of the pairs stand."""
    refused = int((compared.ratio == "refused").sum())
    return [
        (
            "Of these {all} pairs {stand} may be put in a ratio, each only together with the "
            "differences that the table names; {refused} are refused.",
            {"all": len(compared), "stand": len(compared) - refused, "refused": refused},
        )
    ]
