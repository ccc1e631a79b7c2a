"""What is said of a sweep: sentences and tables for any files, whatever they sweep."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from storagebook.io500.card import size
from storagebook.io500.runs import Sentence
from storagebook.sweep import points, published
from storagebook.sweep.curves import AXES, Axis, Curve, Level, Saturation, saturation
from storagebook.sweep.points import QUANTITIES, Point, Sweep

#: Most rows of a table on the page, most curves in a chart; more are read by no one.
MOST_ROWS = 100
MOST_CURVES = 6
_SMALLER = {"GiB/s": ("MiB/s", 1024.0), "kIOP/s": ("IOP/s", 1000.0)}
# How a command of IOR asks for direct I/O.
_DIRECT = re.compile(r"(?:^|\s)-B\b|odirect|useO_DIRECT=1", re.IGNORECASE)
# Below this a figure would print as zeros.
_LEAST = 0.01
_HOW = {
    "transfer": "Run the tool again with another transfer size and everything else as it is.",
    "concurrency": "Run the tool again with other numbers of tasks, or another queue depth, and "
    "everything else as it is.",
    "api": "Run the tool again through another API, with everything else as it is.",
}


def unit_for(values: Iterable[float], unit: str) -> tuple[str, float]:
    """The unit in which figures are shown, and what to multiply with: the smaller for small ones.

    >>> unit_for([0.5, 2.0], "GiB/s"), unit_for([0.001, 2.0], "GiB/s")
    (('GiB/s', 1.0), ('MiB/s', 1024.0))
    """
    positive = [value for value in values if value > 0]
    return _SMALLER[unit] if positive and min(positive) < _LEAST else (unit, 1.0)


# -- what was read


def read(sweep: Sweep) -> list[Sentence]:
    """How much was found, how often it was repeated, and what was counted once or left."""
    said: list[Sentence] = [_found(sweep.points), *_repeated(sweep.points)]
    for copy, original in sweep.copies:
        text = "{copy} prints the same figures as {original}: one run, counted once."
        said.append((text, {"copy": copy, "original": original}))
    if sweep.left_to_io500:
        said.append(
            (
                "Outputs of phases beside an IO500 result, whose figures the result states itself: "
                "{count}. They are not counted again.",
                {"count": len(sweep.left_to_io500)},
            )
        )
    if sweep.others:
        text = "Also under the path, but no bandwidth or rate of storage: {tools}."
        said.append((text, {"tools": ", ".join(sweep.others)}))
    return said


def _found(found: Sequence[Point]) -> Sentence:
    if not found:
        return ("The files hold no bandwidth and no rate, so there is nothing to sweep.", {})
    tools = Counter(point.tool for point in found)
    return (
        "Bandwidths and rates found: {points}, in files: {files}. By tool: {tools}.",
        {
            "points": len(found),
            "files": len({point.file for point in found}),
            "tools": ", ".join(f"{tool} {count}" for tool, count in sorted(tools.items())),
        },
    )


def _repeated(found: Sequence[Point]) -> Iterator[Sentence]:
    singles = sum(point.single for point in found)
    if found and singles == len(found):
        yield (
            "Each is **one sample**: its run was not repeated, so nothing tells a difference "
            "between two of them from chance.",
            {},
        )
    elif singles:
        yield (
            "Of these, {singles} are **one sample**, which has no spread; the others were "
            "repeated, and the table shows how far their samples lie apart.",
            {"singles": singles},
        )
    elif found:
        yield ("Each was repeated; the table shows how far its samples lie apart.", {})


def findings(sweep: Sweep) -> pd.DataFrame:
    """What the readers say: ``severity``, ``finding``; errors first, what was left out with them.

    At most `MOST_ROWS` rows.
    """
    order = ("error", "warning", "note")
    rows = [
        (one.severity, f"{_place(one.file, one.line)}: {one.text} [{one.code}]")
        for one in sweep.findings
    ]
    rows += [(one.severity, f"{one.path}: {one.why}") for one in sweep.skipped]
    rows.sort(key=lambda row: order.index(row[0]))
    return pd.DataFrame(rows[:MOST_ROWS], columns=["severity", "finding"])


def _place(file: str, line: int | None) -> str:
    return file if line is None else f"{file}:{line}"


def table(sweep: Sweep, quantity: str) -> tuple[pd.DataFrame, str]:
    """The points of a quantity as the page shows them, at most `MOST_ROWS`, and their unit.

    Columns ``tool``, ``operation``, ``transfer`` … as `points.frame`, without those that no row has
    a value of; by tool and operation, then by what sweeps change.
    """
    own = sorted((p for p in sweep.points if p.quantity == quantity), key=_place_of)
    unit, times = unit_for([point.low for point in own], QUANTITIES[quantity])
    frame = points.frame(own[:MOST_ROWS])
    for column in ("mean", "least", "greatest"):
        frame[column] = frame[column].astype(float) * times
    sizes = [None if pd.isna(value) else size(int(value)) for value in frame.transfer_b]
    frame = frame.assign(transfer_b=sizes).rename(columns={"transfer_b": "transfer"})
    frame = frame.drop(columns=["figure", "run", "unit", "spread_pct"])
    return frame.drop(columns=[column for column in frame if frame[column].isna().all()]), unit


def _place_of(point: Point) -> tuple[str, str, int, int, str]:
    transfer = points.transfer_b(point.settings) or 0
    flying = point.in_flight or 0
    return point.tool, point.operation, transfer, flying, str(point.settings.get("api", ""))


def rest(sweep: Sweep, quantity: str) -> list[Sentence]:
    """What the table leaves out, if anything."""
    count = sum(point.quantity == quantity for point in sweep.points)
    if count <= MOST_ROWS:
        return []
    return [
        (
            "The table shows the first {shown} of {count:,} points; `storagebook ingest` writes "
            "them all.",
            {"shown": MOST_ROWS, "count": count},
        )
    ]


# -- curves


def drawn(found: Sequence[Curve]) -> tuple[pd.DataFrame, str]:
    """The first `MOST_CURVES` curves for a chart, and the unit of their values.

    Columns ``series``, ``level``, ``value``, ``low`` and ``high``.
    """
    own = found[:MOST_CURVES]
    unit, times = unit_for([level.low for c in own for level in c.levels], own[0].unit)
    rows = [
        (curve.label, level.value, *(times * v for v in (level.mean, level.low, level.high)))
        for curve in own
        for level in curve.levels
    ]
    return pd.DataFrame(rows, columns=["series", "level", "value", "low", "high"]), unit


def title(found: Sequence[Curve], near_pct: float) -> str:
    """A chart's title: what the first of its curves shows."""
    curve = found[0]
    if _falls_by_itself(curve):
        return _strip(_ends(curve))
    where = saturation(curve, near_pct)
    level = curve.text_of(curve.levels[where.level].value)
    what = f"{curve.quantity.capitalize()} of {curve.label}"
    if where.level != where.best:
        return f"{what} comes within {near_pct:g} % of its best at {level}"
    if where.rises(len(curve.levels)):
        return f"{what} has not saturated at {level}, the last level"
    return f"{what} is best at {level}"


def _falls_by_itself(curve: Curve) -> bool:
    """Whether a curve is of requests per second over their size, which no saturation ends."""
    return (curve.axis, curve.quantity) == ("transfer", "rate")


def _strip(sentence: Sentence) -> str:
    """A sentence as a chart's title: no mark of a list, no full stop."""
    text, values = sentence
    return text.replace("*", "").removeprefix("- ").removesuffix(".").format(**values)


def _ends(curve: Curve) -> Sentence:
    """A curve's mean at both ends."""
    unit, times = unit_for([level.low for level in curve.levels], curve.unit)
    first, last = curve.levels[0], curve.levels[-1]
    return (
        "- *{label}*: {start:,.3f} {unit} at {first}, {end:,.3f} {unit} at {last}.",
        {
            "label": curve.label,
            "start": times * first.mean,
            "end": times * last.mean,
            "unit": unit,
            "first": curve.text_of(first.value),
            "last": curve.text_of(last.value),
        },
    )


def said_of_curves(found: Sequence[Curve], near_pct: float) -> list[Sentence]:
    """Where each curve saturates, and how sure its repetitions make that."""
    return [
        _ends(curve) if _falls_by_itself(curve) else _said(curve, near_pct)
        for curve in found[:MOST_CURVES]
    ]


def _said(curve: Curve, near_pct: float) -> Sentence:
    where = saturation(curve, near_pct)
    best, first = curve.levels[where.best], curve.levels[where.level]
    unit, times = unit_for([level.low for level in curve.levels], curve.unit)
    figure = "figure" if curve.single else "mean"
    text = f"- *{{label}}*: the best {figure}, {{mean:,.3f}} {{unit}}, comes at {{best}}"
    if where.rises(len(curve.levels)):
        text += (
            ", the last level, and no earlier one is within {near:g} % of it: the sweep ends "
            "before it shows saturation."
        )
    elif where.level == where.best:
        text += ", and no earlier level is within {near:g} % of it."
    else:
        text += "; {first} is the first level within {near:g} % of it."
    if where.final_share < 1 - near_pct / 100:
        text += " At {last} it is back to {share:.0f} % of the best."
    text += f" {_sure(curve, where)}"
    if curve.differs:
        text += " Not alike along the way: {differs}."
    values = {
        "label": curve.label,
        "mean": times * best.mean,
        "unit": unit,
        "best": curve.text_of(best.value),
        "near": near_pct,
        "first": curve.text_of(first.value),
        "last": curve.text_of(curve.levels[-1].value),
        "share": where.final_share * 100,
        "low": curve.text_of(curve.levels[where.possible[0]].value),
        "high": curve.text_of(curve.levels[where.possible[-1]].value),
        "counts": _counts(curve),
        **_jobs(curve),
        "differs": "; ".join(curve.differs),
    }
    return text, _asked(text, values)


def _asked(text: str, values: Mapping[str, object]) -> dict[str, object]:
    """The values that a sentence has a place for."""
    return {k: v for k, v in values.items() if f"{{{k}}}" in text or f"{{{k}:" in text}


def said_of_apis(found: Sequence[Curve]) -> list[Sentence]:
    """For each curve over APIs, which is ahead, and whether the samples of the two best overlap."""
    said: list[Sentence] = []
    for curve in found[:MOST_CURVES]:
        first, second = sorted(curve.levels, key=lambda level: -level.mean)[:2]
        text = "- *{label}* ({quantity}): {first} has the higher mean, {second} follows. "
        if first.single or second.single:
            text += "One of them is one sample, so the files do not tell whether that is chance."
        elif first.low > second.high:
            text += "Each sample of the one is above each of the other."
        else:
            text += "Their samples overlap, so the order may be chance."
        if curve.differs:
            text += " Not alike besides: {differs}."
        values = {
            "label": curve.label,
            "quantity": curve.quantity,
            "first": str(first.value),
            "second": str(second.value),
            "differs": "; ".join(curve.differs),
        }
        said.append((text, _asked(text, values)))
    return said


def _sure(curve: Curve, where: Saturation) -> str:
    if curve.single:
        return "Each level is one sample, so how sure that is, the files do not tell."
    samples = f"Samples a level: {{counts}}{_apart(curve)}. "
    if len(where.possible) > 1:
        return samples + (
            "If each level lay anywhere between its least and its greatest sample, the first such "
            "level could be any from {low} to {high}."
        )
    return samples + (
        "Wherever each level lies between its least and its greatest sample, that stays so."
    )


def _apart(curve: Curve) -> str:
    return (
        ", of {jobs} runs whose own means lie up to {apart:.0f} % apart (at {widest})"
        if _jobs(curve)
        else ""
    )


def _jobs(curve: Curve) -> dict[str, object]:
    """How many runs a level gathers, and how far their means lie apart; empty where it is one."""
    if not (gathered := [level for level in curve.levels if len(level.points) > 1]):
        return {}

    def apart(level: Level) -> float:
        means = [point.mean for point in level.points]
        return (1 - min(means) / max(means)) * 100 if max(means) else 0.0

    widest = max(gathered, key=apart)
    counts = sorted({len(level.points) for level in curve.levels})
    return {
        "jobs": " to ".join(str(n) for n in dict.fromkeys((counts[0], counts[-1]))),
        "apart": apart(widest),
        "widest": curve.text_of(widest.value),
    }


def from_memory(found: Sequence[Curve]) -> list[Sentence]:
    """Reads that the page cache of the node that wrote may have served, with their writes."""
    writes = {_as_held(curve): curve for curve in found if curve.operation == "write"}
    said: list[Sentence] = []
    for curve in found[:MOST_CURVES]:
        if "read" not in curve.operation or not _may_be_cached(curve):
            continue
        text = (
            "*{label}* may be the rate of memory: one node wrote the files and read them again, "
            "through the kernel and without direct I/O."
        )
        values: dict[str, object] = {"label": curve.label}
        last, write = curve.levels[-1], writes.get(_as_held(curve))
        written = write.levels[-1] if write else None
        if write and written and written.value == last.value and written.mean:
            text += " It is {times:.1f} times *{write}* at {at}."
            values |= {
                "times": last.mean / written.mean,
                "write": write.label,
                "at": curve.text_of(last.value),
            }
        text += (
            " Do not quote it for the storage before a run with direct I/O, with files larger than "
            "memory, or with a second node that reads, shows the same."
        )
        said.append((text, values))
    return said


def _as_held(curve: Curve) -> frozenset[tuple[str, object]]:
    return frozenset(curve.held.items())


def _may_be_cached(curve: Curve) -> bool:
    every = [point for level in curve.levels for point in level.points]
    return all(
        point.settings.get("nodes") == 1
        and point.settings.get("api") == "POSIX"
        and not _DIRECT.search(str(point.settings.get("command", "")))
        for point in every
    )


def _counts(curve: Curve) -> str:
    counts = [level.count for level in curve.levels]
    if None in counts:
        return "not all told"
    known = sorted({count for count in counts if count is not None})
    return str(known[0]) if len(known) == 1 else f"{known[0]} to {known[-1]}"


def nothing(axis: Axis) -> Sentence:
    """What is said where no curve of an axis was found."""
    return (
        "No points of these files differ in their {axis} and are alike in everything else that "
        "the files tell. {how}",
        {"axis": AXES[axis], "how": _HOW[axis]},
    )


def more(found: Sequence[Curve]) -> list[Sentence]:
    """How many curves are not drawn, if any."""
    if len(found) <= MOST_CURVES:
        return []
    return [
        (
            "The chart shows the {drawn} curves of most levels; there are {count}.",
            {"drawn": MOST_CURVES, "count": len(found)},
        )
    ]


def levels(found: Sequence[Curve]) -> pd.DataFrame:
    """The levels of the curves: ``sweep``, ``level``, ``mean``, ``least``, ``greatest``, ``unit``,
    ``samples``, ``runs``; in one unit, at most `MOST_ROWS`."""
    lows = [level.low for curve in found for level in curve.levels]
    unit, times = unit_for(lows, found[0].unit)
    rows = []
    for curve in found:
        for level in curve.levels:
            several = not level.single
            runs = len({(point.file, point.run) for point in level.points})
            rows.append(
                (
                    curve.label,
                    curve.text_of(level.value),
                    times * level.mean,
                    times * level.low if several else None,
                    times * level.high if several else None,
                    unit,
                    points.samples_text(level.count),
                    runs,
                )
            )
    columns = ["sweep", "level", "mean", "least", "greatest", "unit", "samples", "runs"]
    frame = pd.DataFrame(rows[:MOST_ROWS], columns=columns)
    return frame.astype({"least": float, "greatest": float})


# -- beside published tables


def beside(found: Sequence[Curve], shapes: published.Shapes | None) -> list[Sentence]:
    """What stands beside the MD-on-SSD table, or why nothing does."""
    if shapes is not None:
        return [
            (
                "Beside it stands *{label}*. Each column is a share of its own figure at "
                "{reference}, so that only the shapes are laid side by side. What differs between "
                "the two, or is unknown: {caveats}. The system is another one as well.",
                {
                    "label": shapes.curve.label,
                    "reference": shapes.reference,
                    "caveats": shapes.caveats,
                },
            )
        ]
    refused = [(curve, why) for curve in found if (why := published.refusal(curve)) is not None]
    said: list[Sentence] = [
        (
            "Nothing here stands beside it: no sweep of IOR, writing a file per process, has "
            "transfer sizes of the table.",
            {},
        )
    ]
    said += [
        ("- *{label}* — {why}", {"label": curve.label, "why": why})
        for curve, why in refused[:MOST_CURVES]
    ]
    return said


def shape_title(shapes: published.Shapes) -> str:
    """The chart's title: how much of its own figure each keeps at the smallest size."""
    smallest = shapes.shares[shapes.shares.transfer_b == shapes.shares.transfer_b.min()]
    shares = {row.series: row.share_pct for row in smallest.itertuples()}
    size = shapes.table.transfer.iloc[0]
    theirs = min(shares[name] for name in published.SERIES.values())
    other = max(shares[name] for name in published.SERIES.values())
    return (
        f"At {size} this sweep keeps {shares[published.YOURS]:.0f} % of its figure at "
        f"{shapes.reference}, the published ones {theirs:.0f} to {other:.0f} %"
    )
