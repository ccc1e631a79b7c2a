"""Calculators that run in the page: Vega-Lite specifications whose parameters do the arithmetic.

Each agrees with the library, which a browser test holds it to. What a reader types is nobody's
published result: the words beside it say *unverified*.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from storagebook import charts
from storagebook.charts import BLUE, GREY, INK, MUTED, VERMILLION
from storagebook.io500.lists import ListedScores
from storagebook.io500.object_class import ObjectClass, Protection
from storagebook.io500.phases import SCORED
from storagebook.mlperf import demand, policy
from storagebook.mlperf.workloads import DEMANDS
from storagebook.units import factor

Spec = dict[str, Any]

#: What the calculator of object classes starts with.
START_CLASS = ObjectClass(data_cells=16, parity_cells=1)
START_RAW_TB = 1000.0

#: The round whose public results calibrate the calculator of accelerators.
_CALIBRATING = "v1.0"

_SCHEMES = (Protection.ERASURE_CODE, Protection.REPLICATION, Protection.NONE)
_ROW_PX = 25
_TILES_PX = 110
_LABELS_PX = 132


def _two_colours(field: str, first: str, second: str) -> Spec:
    """The colour of each of two groups, named below the drawing."""
    return {
        "field": field,
        "type": "nominal",
        "title": None,
        "legend": {"orient": "bottom", "offset": 8},
        "scale": {"domain": [first, second], "range": [BLUE, VERMILLION]},
    }


# -- where a score would stand


def standing(start: Mapping[str, float], *on: ListedScores) -> Spec:
    """The what-if calculator of `storagebook.charts`, and where its score would stand on lists.

    Parameters
    ----------
    start
        Phase name → value, all twelve.
    on
        Lists, each with its printed entries.

    Returns
    -------
    dict
        A Vega-Lite specification. Beside the parameters of `storagebook.charts.calculator` it has
        ``first_1``, ``last_1`` … for each list: the ranks that `storagebook.io500.lists.standing`
        gives, ``last_n`` being 0 where the end of the list is not known.

    Raises
    ------
    KeyError
        If a phase is missing.
    """
    spec = charts.calculator(start)
    tiles = {"data": spec.pop("data"), "transform": spec.pop("transform"), "layer": spec["layer"]}
    heights = [_TILES_PX + 34 + 74 * number for number in range(len(on))]
    lows = [float(entry.score.mid) for one in on for entry in one.entries]
    scale = {"type": "log", "domain": [min(lows) / 2, max(lows) * 2], "clamp": True}
    listed = [
        {
            "list": one.name,
            "system": entry.name,
            "listed_score": float(entry.score.mid),
            "rank": str(entry.least)
            if entry.least == entry.most
            else f"{entry.least} to {entry.most}",
        }
        for one in on
        for entry in one.entries
    ]
    spec["params"] += [p for n, one in enumerate(on, 1) for p in _ranks(n, one)]
    spec["datasets"] = {"listed": listed, **spec["datasets"]}
    spec["height"] = _TILES_PX + 74 * len(on)
    spec["layer"] = [
        tiles,
        *(
            _line(n, one, y, scale, with_axis=n == len(on))
            for n, (one, y) in enumerate(zip(on, heights, strict=True), 1)
        ),
    ]
    spec["resolve"] = {"scale": {"x": "independent"}, "axis": {"x": "independent"}}
    return spec


def _ranks(number: int, one: ListedScores) -> list[Spec]:
    above = [f"(score < {_exact(e.score.lo)})" for e in one.entries]
    below = [f"(score > {_exact(e.score.hi)})" for e in one.entries]
    firsts = [f"{a} * {e.least}" for a, e in zip(above, one.entries, strict=True)]
    none = float("inf")
    lasts = [f"({b} ? {e.most} : 1e9)" for b, e in zip(below, one.entries, strict=True)]
    if one.size is not None:
        none = one.size + 1
        lasts.append(f"{none} - ({' + '.join(below)})")
    last = f"min({', '.join(lasts)})"
    return [
        {"name": f"first_{number}", "expr": f"1 + max({' + '.join(above)}, {', '.join(firsts)})"},
        {"name": f"last_{number}", "expr": f"{last} > 1e8 ? 0 : {last}"},
    ]


def _exact(value: Any) -> str:
    return repr(float(value))


def _line(number: int, one: ListedScores, y: int, scale: Spec, *, with_axis: bool) -> Spec:
    """A list's scores as ticks, the reader's as a diamond, and in words where it would stand."""
    first, last = f"first_{number}", f"last_{number}"
    words = (
        f"'{one.name}: ' + (score <= 0 ? 'no score' : "
        f"{last} == 0 ? 'rank ' + {first} + ' or below' : "
        f"{first} == {last} ? 'rank ' + {first} : 'rank ' + {first} + ' to ' + {last})"
        " + ', unverified'"
    )
    own = {"name": f"own_{number}", "values": [{"list": one.name}]}
    low, high = scale["domain"]
    decades = [10**n for n in range(12) if low <= 10**n <= high]
    axis = {"title": "score", "values": decades, "format": "~s"}
    x: Spec = {"type": "quantitative", "scale": scale, "axis": axis if with_axis else None}
    return {
        "layer": [
            {
                "data": own,
                "mark": {
                    "type": "text",
                    "align": "left",
                    "x": 0,
                    "y": y,
                    "fontSize": 14,
                    "fontWeight": 600,
                    "text": {"expr": words},
                },
            },
            {
                "data": {"name": "listed"},
                "transform": [{"filter": f"datum.list == '{one.name}'"}],
                "mark": {"type": "tick", "y": y + 26, "height": 18, "thickness": 2, "color": GREY},
                "encoding": {
                    "x": {"field": "listed_score", **x},
                    "tooltip": [
                        {"field": "system", "type": "nominal", "title": " "},
                        {"field": "rank", "type": "nominal"},
                        {
                            "field": "listed_score",
                            "type": "quantitative",
                            "title": "score",
                            "format": ",.2f",
                        },
                    ],
                },
            },
            {
                "data": own,
                "transform": [{"calculate": "score", "as": "own_score"}, {"filter": "score > 0"}],
                "mark": {
                    "type": "point",
                    "shape": "diamond",
                    "filled": True,
                    "size": 140,
                    "opacity": 1,
                    "color": BLUE,
                    "y": y + 26,
                },
                "encoding": {"x": {"field": "own_score", **x}},
            },
        ]
    }


# -- what an object class takes, and what it may cost


def object_class(
    changes: pd.DataFrame, start: ObjectClass = START_CLASS, raw_tb: float = START_RAW_TB
) -> Spec:
    """A calculator of an object class: usable capacity, write amplification, cost in each phase.

    A number that is left empty or below one counts as one; an erasure code has at least one cell
    of each kind.

    Parameters
    ----------
    changes
        As `storagebook.io500.redundancy.all_changes` gives it.
    start
        The class that it starts with.
    raw_tb
        Raw capacity that it starts with, TB.

    Returns
    -------
    dict
        A Vega-Lite specification; its inputs are the parameters ``protection``, ``data_cells``,
        ``parity_cells``, ``replicas``, ``raw_tb``, its results ``write_amplification``,
        ``usable_tb``, ``usable_pct``, ``losses``, ``least_small_write`` and ``code``.
    """
    evidence = changes[changes.metric.isin([p.name for p in SCORED])]
    known = {p.name: set(evidence[evidence.metric == p.name].code) for p in SCORED}
    phases = [
        {"phase": p.name, "codes": "|" + "|".join(sorted(known[p.name])) + "|", "access": p.access}
        for p in SCORED
    ]
    pairs = [
        {
            "phase": row.metric,
            "code": row.code,
            "pair": row.pair,
            "control": "controlled pair" if row.controlled else "confounded pair",
            "change_pct": float(row.change_pct),
        }
        for row in evidence.itertuples()
    ]
    low = min(evidence.change_pct.min(), -100.0)
    high = max(evidence.change_pct.max(), 0.0)
    return {
        "$schema": alt.SCHEMA_URL,
        "usermeta": {"kind": "calculator capacity"},
        "width": "container",
        "height": _TILES_PX + _ROW_PX * len(phases),
        "padding": 0,
        "params": [*_class_inputs(start, raw_tb), *_class_results()],
        "datasets": {"pairs": pairs, "phases": phases},
        "layer": [_class_tiles(), _evidence(low, high)],
        "resolve": {"scale": {"x": "independent"}, "axis": {"x": "independent"}},
    }


def _class_inputs(start: ObjectClass, raw_tb: float) -> list[Spec]:
    number = {"input": "number", "step": 1, "min": 1, "inputmode": "numeric"}
    scheme = start.protection
    counts = {
        "data_cells": ("data cells", start.data_cells if start.parity_cells else 16),
        "parity_cells": ("parity cells", start.parity_cells or 1),
        "replicas": ("copies", start.replicas if start.replicas > 1 else 2),
    }
    return [
        {
            "name": "protection",
            "value": str(scheme),
            "bind": {
                "input": "select",
                "name": "protection",
                "options": [str(one) for one in _SCHEMES],
                "aria-label": "protection",
            },
        },
        *(
            {
                "name": name,
                "value": value,
                "bind": {**number, "name": label, "aria-label": f"number of {label}"},
            }
            for name, (label, value) in counts.items()
        ),
        {
            "name": "raw_tb",
            "value": raw_tb,
            "bind": {
                "input": "number",
                "step": "any",
                "min": 0,
                "inputmode": "decimal",
                "name": "raw capacity, TB",
                "aria-label": "raw capacity, TB",
            },
        },
    ]


def _class_results() -> list[Spec]:
    def whole(name: str) -> str:
        return f"max(1, floor(toNumber({name})))"

    coded, copied = (f"(protection == '{one}')" for one in _SCHEMES[:2])
    results = {
        "k": whole("data_cells"),
        "m": whole("parity_cells"),
        "r": whole("replicas"),
        "write_amplification": f"{coded} ? (k + m) / k : {copied} ? r : 1",
        "usable_pct": "100 / write_amplification",
        "usable_tb": "max(0, toNumber(raw_tb)) / write_amplification",
        "losses": f"{coded} ? m : {copied} ? r - 1 : 0",
        "least_small_write": "losses + 1",
        "code": f"{coded} ? 'EC_' + k + 'P' + m : {copied} && r > 1 ? 'RP_' + r : 'none'",
    }
    return [{"name": name, "expr": expression} for name, expression in results.items()]


def _class_tiles() -> Spec:
    tiles = [
        {"key": 0, "heading": "Usable, TB"},
        {"key": 1, "heading": "Stored per byte"},
        {"key": 2, "heading": "Places per small write"},
    ]

    def chosen(*expressions: str) -> str:
        first, second, third = expressions
        return f"datum.key == 0 ? {first} : datum.key == 1 ? {second} : {third}"

    value = chosen(
        "format(usable_tb, ',.1f')",
        "format(write_amplification, '.4~f')",
        "'≥ ' + least_small_write",
    )
    note = chosen(
        "format(usable_pct, '.1f') + ' % of raw'",
        "'in whole stripes'",
        "'survives ' + losses + (losses == 1 ? ' loss' : ' losses')",
    )
    # from the left edge of the drawing, over the labels of the rows below
    return _tiles(tiles, value, note, from_px=-_LABELS_PX)


def _tiles(tiles: list[Spec], value: str, note: str, *, from_px: int = 0) -> Spec:
    """Headings side by side, each with a large value and a note below: expressions of its row."""
    x = {
        "field": "key",
        "type": "nominal",
        "sort": None,
        "axis": None,
        "scale": {"type": "band", "padding": 0, "range": [from_px, {"expr": "width"}]},
        "bandPosition": 0,
    }

    def text(y: int, field: str, size: int, narrow: int, **mark: Any) -> Spec:
        size_by_width = {"expr": f"width < 520 ? {narrow} : {size}"}
        return {
            "mark": {"type": "text", "align": "left", "y": y, "fontSize": size_by_width, **mark},
            "encoding": {"x": x, "text": {"field": field, "type": "nominal"}},
        }

    return {
        "data": {"values": tiles},
        "transform": [{"calculate": value, "as": "shown"}, {"calculate": note, "as": "note"}],
        "layer": [
            text(8, "heading", 13, 12, color=MUTED),
            text(42, "shown", 30, 19, fontWeight=600),
            text(74, "note", 13, 12, color=MUTED),
        ],
    }


def _evidence(low: float, high: float) -> Spec:
    """What the pairs with the same protection show for each phase."""
    top = _TILES_PX
    y: Spec = {
        "field": "phase",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"grid": False},
        "scale": {
            "domain": [p.name for p in SCORED],
            "range": [top, top + _ROW_PX * len(SCORED)],
        },
    }
    x: Spec = {
        "type": "quantitative",
        "title": "change of the phase with this protection, %",
        "scale": {"domain": [low, high], "nice": True},
        "axis": {"tickCount": 5},
    }
    same = {"filter": "datum.code == code"}
    span = [
        same,
        {
            "aggregate": [
                {"op": "min", "field": "change_pct", "as": "least"},
                {"op": "max", "field": "change_pct", "as": "most"},
                {"op": "count", "as": "pairs"},
            ],
            "groupby": ["phase"],
        },
        {
            "calculate": "format(datum.least, '+.1f') + (datum.pairs > 1 ? ' to ' + "
            "format(datum.most, '+.1f') : '') + ' %, ' + datum.pairs + (datum.pairs > 1 ? "
            "' pairs' : ' pair')",
            "as": "words",
        },
    ]
    at_right = {"type": "text", "align": "right", "x": {"expr": "width"}, "fontSize": 12}
    return {
        "encoding": {"y": y},
        "layer": [
            {
                "data": {"name": "phases"},
                "transform": [
                    {"filter": "datum.access == 'write' && write_amplification > 1"},
                    {"calculate": "usable_pct - 100", "as": "stored"},
                ],
                "mark": {"type": "tick", "color": INK, "thickness": 1.5, "height": 16},
                "encoding": {"x": {"field": "stored", **x}},
            },
            {
                "data": {"name": "pairs"},
                "transform": span,
                "mark": {"type": "rule", "color": GREY, "strokeWidth": 2, "opacity": 0.6},
                "encoding": {"x": {"field": "least", **x}, "x2": {"field": "most"}},
            },
            {
                "data": {"name": "pairs"},
                "transform": [same],
                "mark": {"type": "circle", "size": 70, "opacity": 1},
                "encoding": {
                    "x": {"field": "change_pct", **x},
                    "color": _two_colours("control", "controlled pair", "confounded pair"),
                    "tooltip": [
                        {"field": "pair", "type": "nominal"},
                        {"field": "phase", "type": "nominal", "title": " "},
                        {
                            "field": "change_pct",
                            "type": "quantitative",
                            "title": "change, %",
                            "format": "+.1f",
                        },
                    ],
                },
            },
            {
                "data": {"name": "pairs"},
                "transform": span,
                "mark": {**at_right, "opacity": {"expr": "width < 420 ? 0 : 1"}, "color": INK},
                "encoding": {"text": {"field": "words", "type": "nominal"}},
            },
            {
                "data": {"name": "phases"},
                "transform": [{"filter": "indexof(datum.codes, '|' + code + '|') < 0"}],
                "mark": {**at_right, "color": MUTED, "text": "no pair at hand"},
            },
        ],
    }


# -- accelerators and the bandwidth that they read


def accelerators(
    ratios: pd.DataFrame, start: tuple[str, str], count: int, au_pct: float, bandwidth: float
) -> Spec:
    """A calculator of accelerators and bandwidth, and of which unit a bandwidth must be in.

    A number of accelerators that is left empty or below one counts as one, a utilisation outside 1
    to 100 % as the nearer end, a bandwidth below zero as zero.

    Parameters
    ----------
    ratios
        Measured over predicted bandwidth of public results: columns ``workload``, ``result`` and
        ``ratio``.
    start
        Workload and accelerator that it starts with.
    count, au_pct, bandwidth
        How many, how busy, and the bandwidth in GiB/s that it starts with.

    Returns
    -------
    dict
        A Vega-Lite specification; its inputs are the parameters ``pair``, ``accelerators``,
        ``au_pct``, ``bandwidth`` and ``unit``; its results ``least_gib_s`` and ``most_gib_s`` (what
        so many read), ``least_accelerators`` and ``most_accelerators`` (how many the bandwidth
        keeps at that utilisation), ``ratio_gib``, ``ratio_gb`` and ``answer`` (which unit fits).
    """
    pairs = {
        f"{policy.workload_name(workload)} on {name.upper()}": (workload, one)
        for (workload, name), one in DEMANDS.items()
        if _CALIBRATING in one.rounds
    }
    first = next(text for text, (_, one) in pairs.items() if one is DEMANDS[start])
    known = {
        workload: demand.calibration(workload).ratio.floats() for workload, _ in pairs.values()
    }
    public = [
        {"workload": row.workload, "result": row.result, "ratio": float(row.ratio)}
        for row in ratios.itertuples()
    ]

    def chosen(values: Mapping[str, object]) -> str:
        """The value that belongs to the chosen pair."""
        *others, (_, last) = values.items()
        return "".join(f"pair == '{text}' ? {value} : " for text, value in others) + f"{last}"

    results = {
        "workload": chosen({text: f"'{workload}'" for text, (workload, _) in pairs.items()}),
        "demand_gib_s": chosen({text: repr(one.gib_s) for text, (_, one) in pairs.items()}),
        "least_ratio": chosen({text: repr(known[w][0]) for text, (w, _) in pairs.items()}),
        "most_ratio": chosen({text: repr(known[w][1]) for text, (w, _) in pairs.items()}),
        "count": "max(1, floor(toNumber(accelerators)))",
        "busy": "min(100, max(1, toNumber(au_pct))) / 100",
        "ideal_gib_s": "count * demand_gib_s * busy",
        "least_gib_s": "ideal_gib_s * least_ratio",
        "most_gib_s": "ideal_gib_s * most_ratio",
        "offered": "max(0, toNumber(bandwidth))",
        "offered_gib_s": f"offered * (unit == 'GB/s' ? {float(factor('GB/s', 'GiB/s'))!r} : 1)",
        "least_accelerators": "offered_gib_s / (demand_gib_s * busy * most_ratio)",
        "most_accelerators": "offered_gib_s / (demand_gib_s * busy * least_ratio)",
        "ratio_gib": "offered / ideal_gib_s",
        "ratio_gb": f"ratio_gib * {float(factor('GB/s', 'GiB/s'))!r}",
        "fits_gib": "ratio_gib >= least_ratio && ratio_gib <= most_ratio",
        "fits_gb": "ratio_gb >= least_ratio && ratio_gb <= most_ratio",
        "answer": "fits_gib && fits_gb ? 'undecided' : fits_gib ? 'GiB/s' : "
        "fits_gb ? 'GB/s' : 'neither'",
    }
    return {
        "$schema": alt.SCHEMA_URL,
        "usermeta": {"kind": "calculator capacity"},
        "width": "container",
        "height": _TILES_PX + 74,
        "padding": 0,
        "params": [
            *_demand_inputs(list(pairs), first, count, au_pct, bandwidth),
            *({"name": name, "expr": expression} for name, expression in results.items()),
        ],
        "datasets": {"public": public},
        "layer": [_demand_tiles(), {"layer": _readings()}],
        "resolve": {"scale": {"x": "independent"}, "axis": {"x": "independent"}},
    }


def _demand_inputs(
    pairs: list[str], start: str, count: int, au_pct: float, bandwidth: float
) -> list[Spec]:
    def select(name: str, value: str, label: str, options: list[str]) -> Spec:
        bind = {"input": "select", "name": label, "options": options, "aria-label": label}
        return {"name": name, "value": value, "bind": bind}

    def number(name: str, value: float, label: str, **more: Any) -> Spec:
        bind = {"input": "number", "name": label, "inputmode": "decimal", "aria-label": label}
        return {"name": name, "value": value, "bind": {**bind, "step": "any", **more}}

    return [
        select("pair", start, "workload", pairs),
        number("accelerators", count, "accelerators", step=1, min=1),
        number("au_pct", au_pct, "utilisation, %", min=1, max=100),
        number("bandwidth", bandwidth, "a bandwidth", min=0),
        select("unit", "GiB/s", "in", list(demand.UNITS)),
    ]


def _demand_tiles() -> Spec:
    tiles = [
        {"key": 0, "heading": "They read, GiB/s"},
        {"key": 1, "heading": "It keeps busy"},
        {"key": 2, "heading": "Its unit"},
    ]

    def span(least: str, most: str, form: str) -> str:
        return f"format({least}, {form}) + '–' + format({most}, {form})"

    gbit = float(factor("GiB/s", "Gbit/s"))
    # three tiles have to fit beside one another on a phone
    read = span("least_gib_s", "most_gib_s", "most_gib_s < 200 ? ',.1f' : ',.0f'")
    kept = span("floor(least_accelerators)", "floor(most_accelerators)", "',.0f'")
    line = span(f"least_gib_s * {gbit!r}", f"most_gib_s * {gbit!r}", "',.0f'")
    value = f"datum.key == 0 ? {read} : datum.key == 1 ? {kept} : answer"
    note = (
        f"datum.key == 0 ? {line} + ' Gbit/s' : datum.key == 1 ? 'accelerators' : "
        "'by the public ratios'"
    )
    return _tiles(tiles, value, note)


def _readings() -> list[Spec]:
    """The public ratios as ticks, and the bandwidth under both units as diamonds."""
    y = _TILES_PX + 30
    x: Spec = {
        "type": "quantitative",
        "title": "read over accelerators × demand × utilisation",
        "scale": {"domain": [0.6, 1.2], "clamp": True},
        "axis": {"tickCount": 5, "format": ".1f"},
    }
    own = [{"reading": "in GiB/s", "key": 0}, {"reading": "in GB/s", "key": 1}]
    return [
        {
            "data": {"name": "public"},
            "transform": [{"filter": "datum.workload == workload"}],
            "mark": {"type": "tick", "y": y, "height": 26, "thickness": 2, "color": GREY},
            "encoding": {
                "x": {"field": "ratio", **x},
                "tooltip": [
                    {"field": "result", "type": "nominal", "title": " "},
                    {"field": "ratio", "type": "quantitative", "format": ".3f"},
                ],
            },
        },
        {
            "data": {"values": own},
            "transform": [{"calculate": "datum.key == 0 ? ratio_gib : ratio_gb", "as": "read"}],
            "mark": {
                "type": "point",
                "shape": "diamond",
                "filled": True,
                "size": 150,
                "opacity": 1,
                "y": y,
            },
            "encoding": {
                "x": {"field": "read", **x},
                "color": _two_colours("reading", "in GiB/s", "in GB/s"),
                "tooltip": [
                    {"field": "reading", "type": "nominal", "title": " "},
                    {"field": "read", "type": "quantitative", "title": "ratio", "format": ".3f"},
                ],
            },
        },
    ]


# -- what is in flight, and what it moves


def in_flight(start: Mapping[str, float]) -> Spec:
    """A calculator of Little's law for one client node.

    Parameters
    ----------
    start
        ``processes``, ``each``, ``request_kib``, ``time_us`` and ``network_gb_s``, as
        `storagebook.concurrency.little` takes them.

    Returns
    -------
    dict
        A Vega-Lite specification; its inputs are the parameters named as in `start`, its results
        the parameters named like the attributes of `storagebook.concurrency.InFlight`, with
        ``full_us`` for its time. Where an input is empty or not above 0, all are 0.

    Raises
    ------
    KeyError
        If `start` lacks one of them.
    """
    labels = {
        "processes": "processes of a node",
        "each": "in flight, each",
        "request_kib": "request, KiB",
        "time_us": "time of one, µs",
        "network_gb_s": "network, GB/s",
    }
    inputs = [
        {
            "name": name,
            "value": start[name],
            "bind": {
                "input": "number",
                "step": "any",
                "min": 0,
                "inputmode": "decimal",
                "name": words,
                "aria-label": words,
            },
        }
        for name, words in labels.items()
    ]
    valid = " && ".join(f"toNumber({name}) > 0" for name in labels)
    request_b, network_b_s = "(toNumber(request_kib) * 1024)", "(toNumber(network_gb_s) * 1e9)"
    held_b = f"(operations * {request_b})"
    results = {
        "given": valid,
        "operations": "given ? toNumber(processes) * toNumber(each) : 0",
        "held_mib": f"given ? {held_b} / 1048576 : 0",
        "moved_b_s": f"given ? min({held_b} / toNumber(time_us) * 1e6, {network_b_s}) : 0",
        "bandwidth_gib_s": "moved_b_s / 1073741824",
        "rate_kiops": f"given ? moved_b_s / {request_b} / 1000 : 0",
        "share_pct": f"given ? moved_b_s / {network_b_s} * 100 : 0",
        "full_us": f"given ? max(toNumber(time_us), {held_b} / {network_b_s} * 1e6) : 0",
        "needed_each": (
            f"given ? {network_b_s} * toNumber(time_us) / 1e6 / {request_b} / toNumber(processes)"
            " : 0"
        ),
    }
    return {
        "$schema": alt.SCHEMA_URL,
        "usermeta": {"kind": "calculator capacity"},
        "width": "container",
        "height": _TILES_PX,
        "padding": 0,
        "params": [*inputs, *({"name": n, "expr": e} for n, e in results.items())],
        "datasets": {
            "start": [
                {"input": words, "start_value": start[name]} for name, words in labels.items()
            ]
        },
        **_in_flight_tiles(),
    }


def _in_flight_tiles() -> Spec:
    value = [
        "format(bandwidth_gib_s, ',.1f')",
        "format(held_mib, ',.1f')",
        "format(needed_each, ',.2f')",
    ]
    note = [
        "format(share_pct, '.1f') + ' % of network'",
        "format(operations, ',.0f') + ' operations'",
        "'one takes ' + format(full_us, ',.0f') + ' µs'",
    ]
    tiles = [
        {"key": 0, "heading": "Moves, GiB/s"},
        {"key": 1, "heading": "In flight, MiB"},
        {"key": 2, "heading": "Each, to fill it"},
    ]
    x = {
        "field": "key",
        "type": "nominal",
        "sort": None,
        "axis": None,
        "scale": {"type": "band", "padding": 0},
        "bandPosition": 0,
    }

    def chosen(first: str, second: str, third: str) -> str:
        words = f"datum.key == 0 ? {first} : datum.key == 1 ? {second} : {third}"
        return f"given ? ({words}) : '–'"

    def text(y: int, field: str, size: int, narrow: int, **mark: Any) -> Spec:
        size_by_width = {"expr": f"width < 520 ? {narrow} : {size}"}
        return {
            "mark": {"type": "text", "align": "left", "y": y, "fontSize": size_by_width, **mark},
            "encoding": {"x": x, "text": {"field": field, "type": "nominal"}},
        }

    return {
        "data": {"values": tiles},
        "transform": [
            {"calculate": chosen(*value), "as": "shown"},
            {"calculate": chosen(*note), "as": "note"},
        ],
        "layer": [
            text(8, "heading", 13, 12, color=MUTED),
            text(42, "shown", 30, 19, fontWeight=600),
            text(74, "note", 13, 11, color=MUTED),
        ],
    }
