"""A sweep beside two published ones: MD-on-SSD by transfer size, thresholds of the PDSW'24 paper.

Neither is of the reader's system. So shapes are laid side by side, each as a share of its own
figure at one transfer size, and `storagebook.compare` says what may stand beside what, and what
differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from storagebook import cells, compare
from storagebook.compare import Basis, Figure, Obtained
from storagebook.intervals import Interval
from storagebook.io500.card import size
from storagebook.sweep.curves import Curve, Level, saturation

TABLE, TABLE_SOURCE = "md-on-ssd", "000"
#: Column of the table → what it is called.
SERIES = {"pmem_gib_s": "persistent memory", "md_on_ssd_gib_s": "metadata on SSD"}
YOURS = "this sweep"
# What the source calls IOR easy write: each process writes a file of its own.
_EASY = "write of a file per process"
_ACCESS = {"file-per-process": _EASY, "single-shared-file": "write of one shared file"}


@dataclass(frozen=True)
class Shapes:
    """A curve beside those of the table.

    Attributes
    ----------
    curve
        The reader's.
    table
        ``transfer_b``, ``transfer``, ``mean``, ``unit``, ``samples``, and for each series its share
        of its own figure at `reference` in per cent: ``yours_pct``, ``pmem_pct``, ``md_pct`` as
        texts that show what digits and samples allow.
    shares
        The same for a chart: ``series``, ``transfer_b``, ``share_pct``, ``low_pct``, ``high_pct``.
    reference
        The transfer size that is 100 per cent.
    caveats
        What has to stand beside, by `storagebook.compare`.
    """

    curve: Curve
    table: pd.DataFrame
    shares: pd.DataFrame
    reference: str
    caveats: str


def shapes(found: Sequence[Curve]) -> Shapes | None:
    """The curve that has most of the table's transfer sizes, beside the table.

    None if no curve may stand beside it, or none has as many sizes in common as make a shape.
    """
    fitting = [(curve, _common(curve)) for curve in found if refusal(curve) is None]
    fitting = [(curve, common) for curve, common in fitting if len(common) > 1]
    if not fitting:
        return None
    curve, common = max(fitting, key=lambda pair: len(pair[1]))
    return _shapes(curve, common)


def refusal(curve: Curve) -> str | None:
    """Why a curve over transfer sizes does not stand beside the table; None if it does."""
    (row, theirs), *_ = _quoted().items()
    refused = compare.why_not(_figure(curve, curve.levels[0], row), theirs["pmem_gib_s"])
    return None if refused is None else str(refused)


def _quoted() -> dict[int, dict[str, Figure]]:
    """Transfer size in bytes → series → its figure."""
    sizes = [int(cell.text) * 1024 for cell in cells.column(TABLE, "transfer_kib", {})]
    clients, servers = (
        int(cells.cell(f"md-on-ssd-quantities[quantity={name}].value").text)
        for name in ("clients-few", "servers-few")
    )
    found: dict[int, dict[str, Figure]] = {transfer: {} for transfer in sizes}
    for series, name in SERIES.items():
        for transfer, cell in zip(sizes, cells.column(TABLE, series, {}), strict=True):
            found[transfer][series] = Figure(
                name=name,
                value=cell.quantity().value,
                unit=cell.unit,
                basis=Basis.MICROBENCHMARK,
                obtained=Obtained.PUBLISHED_TABLE,
                benchmark="ior",
                metric=_metric(_EASY, transfer),
                clients=clients,
                servers=servers,
                source=TABLE_SOURCE,
            )
    return found


def _metric(what: str, transfer: int) -> str:
    return f"{what}, {size(transfer)}"


def _figure(curve: Curve, level: Level, transfer: int) -> Figure:
    access = curve.held.get("access")
    what = _ACCESS.get(str(access)) if access is not None else None
    if curve.operation != "write":
        what = curve.operation
    nodes, version = curve.held.get("nodes"), curve.held.get("version")
    return Figure(
        name="this sweep",
        value=_interval(level),
        unit=curve.unit,
        basis=Basis.MICROBENCHMARK,
        obtained=Obtained.RAW_OUTPUT,
        benchmark=curve.tool,
        metric=_metric(what, transfer) if what else None,
        clients=nodes if isinstance(nodes, int) else None,
        version=str(version) if version is not None else None,
    )


def _interval(level: Level) -> Interval:
    """What the digits and the repetitions of a level allow."""
    own = [point.interval() for point in level.points]
    return Interval(min(i.lo for i in own), max(i.hi for i in own))


def _common(curve: Curve) -> list[int]:
    return [level.value for level in curve.levels if level.value in _quoted()]  # type: ignore[misc]


def _shapes(curve: Curve, common: Sequence[int]) -> Shapes:
    quoted, reference = _quoted(), max(common)
    levels = {int(level.value): level for level in curve.levels}
    own = {transfer: _interval(levels[transfer]) for transfer in common}
    rows, drawn, besides = [], [], []
    for transfer in common:
        mean = 100 * levels[transfer].mean / levels[reference].mean
        parts = {YOURS: (_share(own[transfer], own[reference], transfer == reference), mean)}
        for series, name in SERIES.items():
            theirs, whole = quoted[transfer][series].value, quoted[reference][series].value
            share = _share(theirs, whole, transfer == reference)
            parts[name] = (share, float(100 * theirs.mid / whole.mid))
            figure = _figure(curve, levels[transfer], transfer)
            besides.append(compare.ratio(figure, quoted[transfer][series]).beside())
        for name, (share, middle) in parts.items():
            drawn.append((name, transfer, middle, float(share.lo), float(share.hi)))
        level = levels[transfer]
        texts = [_text(share) for share, _ in parts.values()]
        rows.append((transfer, size(transfer), level.mean, curve.unit, level.count, *texts))
    common_text, alone = compare.shared(besides)
    table = pd.DataFrame(
        rows,
        columns=[
            *("transfer_b", "transfer", "mean", "unit", "samples"),
            *("yours_pct", "pmem_pct", "md_pct"),
        ],
    )
    columns = ["series", "transfer_b", "share_pct", "low_pct", "high_pct"]
    return Shapes(
        curve=curve,
        table=table.astype({"samples": "Int64"}),
        shares=pd.DataFrame(drawn, columns=columns),
        reference=size(reference),
        caveats="; ".join(part for part in (common_text, *dict.fromkeys(alone)) if part),
    )


def _share(part: Interval, whole: Interval, itself: bool) -> Interval:
    return Interval.point(100) if itself else part / whole * 100


def _text(share: Interval) -> str:
    """An interval of per cent with one place; one number where both ends print the same."""
    low, high = (f"{float(end):,.1f}" for end in (share.lo, share.hi))
    return low if low == high else f"{low}…{high}"


# -- thresholds


@dataclass(frozen=True)
class _Threshold:
    """A row of the paper that a sweep can be held against: what it is, and of which curves."""

    name: str
    quantity: str
    tool: str
    axis: str
    metric: str


_IOR = "processes of one node"
_FIO = "one process"
_THRESHOLDS = (
    _Threshold("IOR, processes of a node: grows less", "knee", "ior", "concurrency", _IOR),
    _Threshold("IOR, processes of a node: full", "saturation", "ior", "concurrency", _IOR),
    _Threshold(
        "fio, requests in flight: plateau", "operations-in-flight", "fio", "concurrency", _FIO
    ),
    _Threshold("fio, size of a request: plateau", "request", "fio", "transfer", _FIO),
)


def thresholds(found: Sequence[Curve], near_pct: float) -> pd.DataFrame:
    """The paper's thresholds, each beside every curve that sweeps the same thing with that tool.

    Parameters
    ----------
    found
        Curves of bandwidth over transfer size and over requests in flight.
    near_pct
        As `storagebook.sweep.curves.saturation`.

    Returns
    -------
    pandas.DataFrame
        ``threshold``, ``published``, ``sweep`` and ``reached_at`` (missing where the files do not
        sweep it), ``beside``.
    """
    rows: list[tuple[str, str, str | None, str | None, str]] = []
    for threshold in _THRESHOLDS:
        cell = cells.cell(f"daos-sensitivity[quantity={threshold.quantity}].value")
        published = _said(cell)
        own = [c for c in found if (c.tool, c.axis) == (threshold.tool, threshold.axis)]
        for curve in own:
            theirs = Figure(
                name="the paper",
                value=cell.quantity().value,
                unit=cell.unit,
                basis=Basis.MICROBENCHMARK,
                obtained=Obtained.PUBLISHED_TABLE,
                benchmark=threshold.tool,
                metric=f"{threshold.axis}: {threshold.metric}",
                clients=1,
                source=TABLE_SOURCE,
            )
            reached = "; ".join(_reached(curve, near_pct))
            beside = _beside(curve, theirs, near_pct)
            rows.append((threshold.name, published, curve.label, reached, beside))
        if not own:
            rows.append((threshold.name, published, None, None, "the files do not sweep it"))
    columns = ["threshold", "published", "sweep", "reached_at", "beside"]
    return pd.DataFrame(rows, columns=columns)


def _said(cell: cells.Cell) -> str:
    words = {"about": "about ", "at-least": "≥ "}
    unit = "" if cell.unit == "1" else f" {cell.unit}"
    return f"{words.get(str(cell.qualifier), '')}{cell.text}{unit}"


def _reached(curve: Curve, near_pct: float) -> Iterator[str]:
    found = saturation(curve, near_pct)
    text = curve.text_of(curve.levels[found.level].value)
    yield f"{text}, the last level" if found.rises(len(curve.levels)) else text
    if curve.single:
        yield "one sample a level"
    elif len(found.possible) > 1:
        ends = (
            curve.text_of(curve.levels[i].value) for i in (found.possible[0], found.possible[-1])
        )
        yield "samples allow " + " to ".join(ends)


def _beside(curve: Curve, theirs: Figure, near_pct: float) -> str:
    level = curve.levels[saturation(curve, near_pct).level].value
    if not isinstance(level, int):
        return ""
    nodes, version = curve.held.get("nodes"), curve.held.get("version")
    value = level / 1024 if curve.axis == "transfer" else level
    yours = Figure(
        name="this sweep",
        value=Interval.point(value),
        unit=theirs.unit,
        basis=Basis.MICROBENCHMARK,
        obtained=Obtained.COMPUTED,
        benchmark=curve.tool,
        metric=_swept(curve),
        clients=nodes if isinstance(nodes, int) else None,
        version=str(version) if version is not None else None,
    )
    refused = compare.why_not(yours, theirs)
    if refused is not None:
        return str(refused)
    return compare.ratio(yours, theirs).beside()


def _swept(curve: Curve) -> str | None:
    """What a curve sweeps, as the thresholds name it; None where its files do not tell."""
    if curve.tool == "ior":
        nodes = {point.settings.get("nodes") for level in curve.levels for point in level.points}
        if None in nodes:
            return None
        return f"{curve.axis}: {_IOR if nodes == {1} else 'processes of several nodes'}"
    tasks = {point.settings.get("tasks", 1) for level in curve.levels for point in level.points}
    return f"{curve.axis}: {_FIO if tasks == {1} else 'several processes'}"
