"""Curves of a sweep, and where they saturate.

A curve is what is alike in everything that the files tell but one setting: the transfer size, the
requests in flight, or the API. What differs beside that is named with the curve, never overlooked.

A level saturates a curve if it is the first one whose figure comes within a tolerance of the best.
Repetitions make that uncertain: `possible` gives every level that could be the first one if each
figure lay anywhere between the least and the greatest of its samples.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from storagebook.errors import StoragebookError
from storagebook.io500.card import LABELS, size, written
from storagebook.readers.measurements import Setting
from storagebook.sweep.points import NOISE, Point, Settings, transfer_b

Axis = Literal["transfer", "concurrency", "api"]
Value = int | str

#: Axis → what people call it.
AXES: dict[Axis, str] = {
    "transfer": "transfer size",
    "concurrency": "requests in flight",
    "api": "API",
}
#: Axis → the settings that change along it.
_FREE: dict[Axis, frozenset[str]] = {
    "transfer": frozenset({"transfer_b"}),
    "concurrency": frozenset({"tasks", "nodes", "tasks_per_node", "queue_depth", "credits"}),
    "api": frozenset({"api"}),
}
# What may differ along a curve without making it another measurement; named where it does.
_LOOSE = frozenset(
    {
        *("block_b", "segments", "size_b", "items", "items_per_task", "stonewall_s", "limit_s"),
        *("fs_size_tib", "stonewall_wear_out"),
    }
)
# Of those that make up the requests in flight, which may stay the same while another changes.
_SCALE = _FREE["concurrency"]
_NAMES = LABELS | {
    "segments": "segments",
    "size_b": "file size",
    "items": "items",
    "items_per_task": "items per task",
    "limit_s": "time limit",
    "fs_size_tib": "size of the file system (TiB)",
    "stonewall_wear_out": "wear-out",
    "tasks": "tasks",
    "nodes": "nodes",
    "tasks_per_node": "tasks per node",
    "queue_depth": "queue depth",
    "access": "layout",
    "ordering": "order of offsets",
    "pattern": "pattern",
    "direct": "direct I/O",
    "write_b": "bytes written to each file",
    "read_b": "bytes read from each file",
}


@dataclass(frozen=True)
class Level:
    """What was measured at one value of a curve's axis, over all runs that have it."""

    value: Value
    points: tuple[Point, ...]

    @property
    def low(self) -> float:
        return min(point.low for point in self.points)

    @property
    def high(self) -> float:
        return max(point.high for point in self.points)

    @property
    def mean(self) -> float:
        """Over all repetitions; a point of an unknown number counts as one."""
        weights = [point.count or 1 for point in self.points]
        return sum(w * p.mean for w, p in zip(weights, self.points, strict=True)) / sum(weights)

    @property
    def count(self) -> int | None:
        """Repetitions, None where a file does not tell them."""
        counts = [point.count for point in self.points]
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def single(self) -> bool:
        return self.count == 1


@dataclass(frozen=True)
class Curve:
    """Levels that differ in one setting.

    Attributes
    ----------
    held
        The settings that are the same at each level.
    differs
        What changes beside the axis, as text: ``block size: 1 MiB, 4 MiB``.
    label
        Tells it from the other curves of its axis and quantity.
    """

    axis: Axis
    tool: str
    operation: str
    quantity: str
    unit: str
    levels: tuple[Level, ...]
    held: Settings = field(hash=False)
    differs: tuple[str, ...] = ()
    label: str = ""

    @property
    def single(self) -> bool:
        """Whether each level is one sample."""
        return all(level.single for level in self.levels)

    def text_of(self, value: Value) -> str:
        """A value of the axis for people."""
        return size(value) if self.axis == "transfer" and isinstance(value, int) else str(value)


def value_of(point: Point, axis: Axis) -> Value | None:
    """Where a point stands on an axis; None where its file does not tell."""
    if axis == "transfer":
        return transfer_b(point.settings)
    if axis == "concurrency":
        return point.in_flight
    api = point.settings.get("api")
    return str(api) if api is not None else None


def curves(points: Iterable[Point], axis: Axis, quantity: str) -> list[Curve]:
    """The curves of an axis, those of the most levels first.

    Entries that are parts of a run are left out where their settings are alike: what ran at the
    same time is no repetition.
    """
    grouped: defaultdict[Hashable, list[Point]] = defaultdict(list)
    for point in points:
        if point.quantity == quantity and value_of(point, axis) is not None:
            grouped[_key(point, axis)].append(point)
    alike = [part for own in grouped.values() for part in _split(own, axis)]
    found = [curve for own in alike if (curve := _curve(own, axis)) is not None]
    found.sort(key=lambda curve: -len(curve.levels))
    return _labelled(found)


def _held(point: Point, axis: Axis) -> dict[str, Setting]:
    left_out = NOISE | _LOOSE | _FREE[axis]
    return {name: value for name, value in point.settings.items() if name not in left_out}


def _key(point: Point, axis: Axis) -> Hashable:
    held = tuple(sorted(_held(point, axis).items()))
    return point.tool, point.operation, point.scope, held


def _split(points: list[Point], axis: Axis) -> list[list[Point]]:
    """Points apart where those of one level differ in a setting: they are no repetitions."""
    for name in _beside(axis):
        at_level: defaultdict[Value | None, set[object]] = defaultdict(set)
        parts: defaultdict[object, list[Point]] = defaultdict(list)
        for point in points:
            at_level[value_of(point, axis)].add(_told(point, name))
            parts[_told(point, name)].append(point)
        if any(len(values) > 1 for values in at_level.values()):
            return [part for own in parts.values() for part in _split(own, axis)]
    return [points]


def _beside(axis: Axis) -> tuple[str, ...]:
    """What may differ along a curve, and along one of concurrency, which settings make it up."""
    own = ("queue_depth", "credits", "nodes", "tasks_per_node", "tasks")
    return ("version", *sorted(_LOOSE), *(own if axis == "concurrency" else ()))


def _told(point: Point, name: str) -> Setting | None:
    return (point.version or None) if name == "version" else point.settings.get(name)


def _curve(points: list[Point], axis: Axis) -> Curve | None:
    at: defaultdict[Value, list[Point]] = defaultdict(list)
    for point in points:
        value = value_of(point, axis)
        assert value is not None, "only points on the axis are grouped"
        at[value].append(point)
    kept = {
        value: own
        for value, own in at.items()
        if not (own[0].part and len({p.run for p in own}) < len(own))
    }
    if len(kept) < 2:
        return None
    first = points[0]
    levels = tuple(Level(value, tuple(kept[value])) for value in _sorted(kept))
    own = [point for level in levels for point in level.points]
    return Curve(
        axis=axis,
        tool=first.tool,
        operation=first.operation,
        quantity=first.quantity,
        unit=first.unit,
        levels=levels,
        held=_constant(own, axis),
        differs=tuple(_differs(own, axis)),
    )


def _constant(points: Sequence[Point], axis: Axis) -> dict[str, Setting]:
    """The settings that are the same all along a curve."""
    first, names = points[0], points[0].settings.keys() - NOISE
    alike = {n for n in names if len({point.settings.get(n) for point in points}) == 1}
    found = {n: first.settings[n] for n in sorted(alike) if n not in _FREE[axis] or n in _SCALE}
    if len({point.version for point in points}) == 1 and first.version:
        found["version"] = first.version
    return found


def _sorted(values: Iterable[Value]) -> list[Value]:
    return sorted(values, key=lambda value: (isinstance(value, str), value))


def _differs(points: Sequence[Point], axis: Axis) -> Iterable[str]:
    """Settings beside the axis in which the points of a curve are not alike."""
    for name in _beside(axis):
        unique = list(dict.fromkeys(_told(point, name) for point in points))
        if len(unique) > 1:
            texts = [_text(name, value) for value in unique]
            yield f"{_NAMES.get(name, name)}: {', '.join(texts)}"


def _text(name: str, value: object) -> str:
    if value is None:
        return "not told"
    return str(written(name, value) if isinstance(value, (str, int, bool)) else value)


def _labelled(found: list[Curve]) -> list[Curve]:
    """Curves named by tool and operation, and by what tells them from others of the same name."""
    by_name: defaultdict[str, list[Curve]] = defaultdict(list)
    for curve in found:
        by_name[f"{curve.tool} {curve.operation}"].append(curve)
    labels: dict[int, str] = {}
    for name, own in by_name.items():
        keys = sorted({key for curve in own for key in curve.held})
        telling = [k for k in keys if len({curve.held.get(k) for curve in own}) > 1]
        texts = [
            ", ".join([name, *(f"{_NAMES.get(k, k)} {_text(k, c.held.get(k))}" for k in telling)])
            for c in own
        ]
        for curve, text in zip(own, texts, strict=True):
            same = [c for c, other in zip(own, texts, strict=True) if other == text]
            number = next(i for i, c in enumerate(same, 1) if c is curve)
            labels[id(curve)] = text if len(same) == 1 else f"{text} ({number})"
    return [dataclasses.replace(curve, label=labels[id(curve)]) for curve in found]


# -- saturation


@dataclass(frozen=True)
class Saturation:
    """Where a curve saturates.

    Attributes
    ----------
    level, best
        Indices of levels: the first one within the tolerance of the best, and the best, by means.
    possible
        Indices of the levels that could be the first one, by the spread of the samples.
    final_share
        Mean of the last level over that of the best.
    """

    level: int
    best: int
    possible: tuple[int, ...]
    final_share: float

    def rises(self, levels: int) -> bool:
        """Whether only the last level comes near the best, so that the sweep ends too soon."""
        return self.level == levels - 1


def first_near(values: Sequence[float], share: float) -> int:
    """Index of the first value that reaches a share of the greatest one.

    Raises
    ------
    StoragebookError
        If there is no value, one is below zero, or the share is not above 0 and up to 1.

    Examples
    --------
    >>> first_near([1.0, 5.0, 9.5, 10.0, 8.0], 0.9)
    2
    """
    _check(values, share)
    least = share * max(values)
    return next(i for i, value in enumerate(values) if value >= least)


def possible(ranges: Sequence[tuple[float, float]], share: float) -> tuple[int, ...]:
    """Indices that `first_near` can give if each value lies anywhere in its range.

    Index k can be the first near one if some choice of values puts k within the share of the
    greatest and every earlier one below. The choice that helps most: k as high as it gets, the
    earlier ones as low, and the later ones as high as k still bears.

    Examples
    --------
    >>> possible([(1, 2), (8, 9.5), (9, 10)], 0.9)
    (1, 2)
    """
    lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
    _check(highs, share)
    _check(lows, share)
    found = []
    for k, high in enumerate(highs):
        bearable = high / share
        if any(low > bearable for low in (*lows[:k], *lows[k + 1 :])):
            continue
        greatest = max([high, *lows[:k], *(min(other, bearable) for other in highs[k + 1 :])])
        if all(low < share * greatest for low in lows[:k]):
            found.append(k)
    return tuple(found)


def _check(values: Sequence[float], share: float) -> None:
    if not values or min(values) < 0 or not 0 < share <= 1:
        raise StoragebookError("saturation is of values from zero up, and a share of 0 to 1")


def saturation(curve: Curve, near_pct: float) -> Saturation:
    """Where a curve first comes within so many per cent of its best."""
    share = 1 - near_pct / 100
    means = [level.mean for level in curve.levels]
    best = means.index(max(means))
    return Saturation(
        level=first_near(means, share),
        best=best,
        possible=possible([(level.low, level.high) for level in curve.levels], share),
        final_share=means[-1] / means[best] if means[best] else 1.0,
    )
