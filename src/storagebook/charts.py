"""Chart builders and their one theme.

Each builder takes a tidy frame whose column names hold units, and returns a chart as wide as the
page, legible from 390 px up, in light and dark. `storagebook.show.chart` shows it.

The site recolours INK, MUTED and GRID by style sheet in dark mode; every other colour holds a
contrast of at least 3 : 1 on both backgrounds.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import pandas as pd

from storagebook.errors import StoragebookError
from storagebook.io500.phases import BANDWIDTH, METADATA, SCORED

#: The newest Vega-Lite type that JupyterLab draws and nbformat accepts.
MIME = "application/vnd.vegalite.v5+json"

#: What `storagebook.show.chart` shows: an altair chart or a Vega-Lite specification.
Figure = alt.TopLevelMixin | dict[str, Any]

INK = "#2b323b"
MUTED = "#5f6873"
GRID = "#e3e7eb"

# Okabe and Ito's colours, those that hold on white and on near-black, two of them darkened.
BLUE = "#0072b2"
VERMILLION = "#d55e00"
GREEN = "#009e73"
PURPLE = "#bd6496"
OCHRE = "#a6761d"
GREY = "#7a7f87"
PALETTE = (BLUE, VERMILLION, GREEN, PURPLE, OCHRE, GREY)

#: A system keeps its colour on every page.
SYSTEM_COLOURS = {"Aurora": BLUE}

FONT = '"Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, sans-serif'
THEME: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "title": {"anchor": "start", "color": INK, "fontSize": 14, "fontWeight": 600, "offset": 12},
    "axis": {
        "domain": False,
        "gridColor": GRID,
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 150,
        "labelPadding": 6,
        "tickColor": GRID,
        "ticks": False,
        "titleColor": MUTED,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 10,
    },
    "axisY": {
        "titleAlign": "left",
        "titleAngle": 0,
        "titleBaseline": "bottom",
        "titleX": 0,
        "titleY": -8,
    },
    "legend": {
        "columns": {"expr": "width < 420 ? 2 : 4"},
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 160,
        "offset": 26,
        "orient": "top",
        "symbolSize": 90,
        "symbolStrokeWidth": 0,
        "title": None,
    },
    "text": {"color": INK, "fontSize": 12},
    "range": {"category": list(PALETTE)},
}

_LINE_PX, _GAP_PX, _LINE_CHARACTERS = 14, 12, 22
_BROKEN_LABEL = (
    f"split(slice(replace(datum.label, regexp('(.{{1,{_LINE_CHARACTERS}}})(?: +|$)', 'g'), "
    r"'$1\n'), 0, -1), '\n')"
)
_SHORT_SIZE = (
    "datum.value < 1024 ? datum.value + ' B' : datum.value < 1048576 ?"
    " format(datum.value / 1024, ',.3~g') + ' KiB' :"
    " format(datum.value / 1048576, ',.3~g') + ' MiB'"
)
_SHORT_NUMBER = "format(datum.value, datum.value < 10000 ? ',~g' : '.3~s')"


def colours(names: Iterable[str]) -> alt.Scale:
    """One colour for each name, in the order given; a known system keeps its own."""
    domain = list(dict.fromkeys(names))
    free = [c for c in PALETTE if c not in {SYSTEM_COLOURS.get(name) for name in domain}]
    fill = iter(free * (len(domain) // max(len(free), 1) + 1))
    return alt.Scale(
        domain=domain, range=[SYSTEM_COLOURS.get(name) or next(fill) for name in domain]
    )


def _rows(data: pd.DataFrame, category: str) -> alt.Y:
    """One row a category, in the frame's order; long names break into lines."""
    axis = alt.Axis(grid=False, labelExpr=_BROKEN_LABEL, labelLimit=180)
    return alt.Y(f"{category}:N", title=None, sort=None, axis=axis)


def _height(data: pd.DataFrame, category: str) -> int:
    """Pixels for one row a category."""
    names = data[category].astype(str).unique()
    lines = max(len(textwrap.wrap(name, _LINE_CHARACTERS)) for name in names)
    return len(names) * (max(lines, 1) * _LINE_PX + _GAP_PX)


#: How far below its least value a logarithmic axis begins where no tick stands there.
_EDGE = 1.4


def _log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5 × 10ⁿ, or powers of ten alone over more than two decades, around low and high."""
    exponents = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ticks = [m * 10.0**n for n in exponents for m in (1, 2, 5)]
    first = max(t for t in ticks if t <= low)
    last = min(t for t in ticks if t >= high)
    if last / first > 100:
        ticks = [t for t in ticks if math.log10(t).is_integer()]
    return [t for t in ticks if first <= t <= last]


def _value_axis(values: pd.Series, title: str, log: bool) -> dict[str, Any]:
    """Keyword arguments of a position channel for numbers, all above 0 if logarithmic."""
    if not log:
        scale = alt.Scale(zero=True, nice=True)
        return {"title": title, "axis": alt.Axis(tickCount=5), "scale": scale}
    values = values.dropna()
    if not (values > 0).all():
        raise StoragebookError(f"{title!r} holds values at or below 0", hint="draw it with log off")
    low, high = float(values.min()), float(values.max())
    ticks = _log_ticks(low, high)
    # a dot beyond the last tick keeps off the edge, where the names of rows begin
    ends = [ticks[0] if ticks[0] <= low else low / _EDGE, max(ticks[-1], high)]
    scale = alt.Scale(type="log", domain=ends, nice=False)
    axis = alt.Axis(values=ticks, labelOverlap="greedy", labelSeparation=6, labelExpr=_SHORT_NUMBER)
    return {"title": title, "axis": axis, "scale": scale}


def _sized(chart: alt.LayerChart, height: int = 320) -> alt.LayerChart:
    return chart.properties(width="container", height=height)


def bars(
    data: pd.DataFrame,
    *,
    category: str,
    value: str,
    axis_title: str,
    value_format: str = ",.0f",
    log: bool = False,
    colour: str | None = None,
) -> alt.LayerChart:
    """One horizontal bar a row, its value written beside it.

    Parameters
    ----------
    data
        One row a category, drawn from the top in this order.
    category, value
        Columns: text, number.
    axis_title
        What the number is, with its unit.
    value_format
        d3 format of the written values.
    log
        Dots on a logarithmic axis instead of bars, whose length would then mean nothing.
    colour
        Column of groups; every group gets a colour and a legend entry.
    """
    base = alt.Chart(data).encode(
        y=_rows(data, category), x=alt.X(f"{value}:Q", **_value_axis(data[value], axis_title, log))
    )
    paint = (
        {"color": alt.Color(f"{colour}:N", scale=colours(data[colour].astype(str)))}
        if colour
        else {"color": alt.value(BLUE)}
    )
    tooltip = [
        alt.Tooltip(f"{category}:N", title=" "),
        alt.Tooltip(f"{value}:Q", title=axis_title, format=value_format),
    ]
    mark = (
        base.mark_circle(size=110, opacity=1)
        if log
        else base.mark_bar(height={"band": 0.62}, cornerRadiusEnd=2)
    )
    labels = base.mark_text(align="left", dx=8 if log else 5).encode(
        text=alt.Text(f"{value}:Q", format=value_format)
    )
    return _sized(alt.layer(mark.encode(**paint, tooltip=tooltip), labels), _height(data, category))


def pairs(
    data: pd.DataFrame,
    *,
    category: str,
    value: str,
    series: str,
    axis_title: str,
    value_format: str = ",.2f",
    log: bool = False,
) -> alt.LayerChart:
    """A dot for each series in each category, joined by a line: how far apart they are.

    Parameters
    ----------
    data
        One row for each category and series; categories are drawn in the frame's order.
    category, value, series
        Columns: text, number, text.
    axis_title, value_format, log
        As for `bars`.
    """
    x = alt.X(f"{value}:Q", **_value_axis(data[value], axis_title, log))
    base = alt.Chart(data).encode(y=_rows(data, category))
    span = base.mark_line(color=GREY, opacity=0.55, strokeWidth=2).encode(
        x=x, detail=f"{category}:N"
    )
    dots = base.mark_circle(size=110, opacity=1).encode(
        x=x,
        color=alt.Color(f"{series}:N", scale=colours(data[series].astype(str))),
        tooltip=[
            alt.Tooltip(f"{category}:N", title=" "),
            alt.Tooltip(f"{series}:N", title="  "),
            alt.Tooltip(f"{value}:Q", title=axis_title, format=value_format),
        ],
    )
    return _sized(alt.layer(span, dots), _height(data, category))


def spans(
    data: pd.DataFrame,
    *,
    category: str,
    low: str,
    high: str,
    value: str,
    axis_title: str,
    value_format: str = "+.1f",
) -> alt.LayerChart:
    """One bar a row from the least to the most that a figure can be, a dot at the figure.

    Parameters
    ----------
    data
        One row a category, drawn from the top in this order.
    category, low, high, value
        Columns: text, numbers.
    axis_title, value_format
        As for `bars`; the written value is the figure's.
    """
    both = pd.concat([data[low], data[high], pd.Series([0.0])])
    axis = _value_axis(both, axis_title, log=False)
    base = alt.Chart(data).encode(
        y=_rows(data, category),
        tooltip=[
            alt.Tooltip(f"{category}:N", title=" "),
            *(alt.Tooltip(f"{c}:Q", format=value_format) for c in (low, value, high)),
        ],
    )
    reach = base.mark_bar(height={"band": 0.36}, color=BLUE, opacity=0.45, cornerRadius=2).encode(
        x=alt.X(f"{low}:Q", **axis), x2=f"{high}:Q"
    )
    dots = base.mark_circle(size=90, color=BLUE, opacity=1).encode(x=alt.X(f"{value}:Q", **axis))
    # beside the bar, where the dot's own bar cannot run through it
    labels = base.mark_text(align="left", dx=6).encode(
        x=alt.X(f"{high}:Q", **axis), text=alt.Text(f"{value}:Q", format=value_format)
    )
    return _sized(alt.layer(reach, dots, labels), _height(data, category))


def scatter(
    data: pd.DataFrame,
    *,
    x: str,
    y: str,
    x_title: str,
    y_title: str,
    name: str,
    colour: str | None = None,
    label: str | None = None,
    log_x: bool = True,
    log_y: bool = True,
) -> alt.LayerChart:
    """A dot a row, on logarithmic axes unless told otherwise.

    Parameters
    ----------
    data
        At most 5,000 rows; aggregate more.
    x, y
        Columns of numbers, above 0 where the axis is logarithmic.
    x_title, y_title
        What they are, with units.
    name
        Column that names a row when pointed at.
    colour
        Column of groups.
    label
        Column of texts written beside the dot; empty or None writes nothing.
    """
    base = alt.Chart(data).encode(
        x=alt.X(f"{x}:Q", **_value_axis(data[x], x_title, log_x)),
        y=alt.Y(f"{y}:Q", **_value_axis(data[y], y_title, log_y)),
    )
    paint = (
        {"color": alt.Color(f"{colour}:N", scale=colours(data[colour].astype(str)))}
        if colour
        else {"color": alt.value(BLUE)}
    )
    dots = base.mark_circle(size=70, opacity=0.75).encode(
        **paint,
        tooltip=[
            alt.Tooltip(f"{name}:N", title=" "),
            alt.Tooltip(f"{x}:Q", title=x_title, format=",.4~g"),
            alt.Tooltip(f"{y}:Q", title=y_title, format=",.4~g"),
        ],
    )
    layers = [dots]
    if label:
        layers.append(
            base.transform_filter(f"isValid(datum[{json.dumps(label)}])")
            .mark_text(align="left", dx=8, limit=140)
            .encode(text=f"{label}:N")
        )
    return _sized(alt.layer(*layers))


def strip(
    data: pd.DataFrame,
    *,
    category: str,
    value: str,
    name: str,
    axis_title: str,
    highlight: Iterable[str] = (),
    value_format: str = ",.2f",
    log: bool = True,
) -> alt.LayerChart:
    """Every value of a category as a tick on one line, some of them marked.

    Parameters
    ----------
    data
        One row for each category and name.
    category, value, name
        Columns: text, number, text.
    axis_title, value_format, log
        As for `bars`.
    highlight
        The names to mark, each with a colour.
    """
    marked = list(dict.fromkeys(highlight))
    base = alt.Chart(data).encode(
        y=_rows(data, category), x=alt.X(f"{value}:Q", **_value_axis(data[value], axis_title, log))
    )
    tooltip = [
        alt.Tooltip(f"{name}:N", title=" "),
        alt.Tooltip(f"{value}:Q", title=axis_title, format=value_format),
    ]
    ticks = base.mark_tick(color=GREY, opacity=0.45, thickness=1.5, height={"band": 0.6}).encode(
        tooltip=tooltip
    )
    if not marked:
        return _sized(alt.layer(ticks), _height(data, category))
    points = (
        base.transform_filter(alt.FieldOneOfPredicate(field=name, oneOf=marked))
        .mark_point(shape="diamond", filled=True, size=130, opacity=1)
        .encode(color=alt.Color(f"{name}:N", scale=colours(marked)), tooltip=tooltip)
    )
    return _sized(alt.layer(ticks, points), _height(data, category))


def lines(
    data: pd.DataFrame,
    *,
    x: str,
    y: str,
    series: str,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    spread: tuple[str, str] | None = None,
    bytes_x: bool = False,
) -> alt.LayerChart:
    """A line with its measured points for each series: a sweep.

    Parameters
    ----------
    data
        One row for each point of each series.
    x, y, series
        Columns: number, number, text.
    x_title, y_title
        What they are, with units.
    log_x, log_y
        Logarithmic axes; x then counts in powers of two, as sweeps do.
    spread
        Columns of the least and the greatest sample of each point, drawn as a bar through it.
    bytes_x
        Whether x is in bytes, so that its labels read KiB and MiB.
    """
    x_axis = _value_axis(data[x], x_title, log_x)
    if log_x:
        x_axis["scale"] = alt.Scale(type="log", base=2, nice=False)
        x_axis["axis"] = alt.Axis(
            values=sorted(data[x].unique().tolist()),
            labelOverlap="greedy",
            labelSeparation=6,
            labelExpr=_SHORT_SIZE if bytes_x else _SHORT_NUMBER,
        )
    ends = pd.concat([data[y], *(data[column] for column in spread or ())])
    base = alt.Chart(data).encode(
        x=alt.X(f"{x}:Q", **x_axis),
        y=alt.Y(f"{y}:Q", **_value_axis(ends, y_title, log_y)),
        color=alt.Color(f"{series}:N", scale=colours(data[series].astype(str))),
    )
    points = base.mark_circle(size=60, opacity=1).encode(
        tooltip=[
            alt.Tooltip(f"{series}:N", title=" "),
            alt.Tooltip(f"{x}:Q", title=x_title, format=",.4~g"),
            alt.Tooltip(f"{y}:Q", title=y_title, format=",.4~g"),
        ]
    )
    layers = [base.mark_line(strokeWidth=2), points]
    if spread is not None:
        low, high = spread
        bar = base.mark_rule(strokeWidth=1.5)
        layers.insert(0, bar.encode(y=f"{low}:Q", y2=f"{high}:Q"))
    return _sized(alt.layer(*layers))


def _mean(values: Iterable[object]) -> str:
    """Vega expression: geometric mean of the values above 0, or 0 if there is none."""
    numbers = [f"toNumber({value})" for value in values]
    count = " + ".join(f"({n} > 0)" for n in numbers)
    logs = " + ".join(f"({n} > 0 ? log({n}) : 0)" for n in numbers)
    return f"({count}) ? exp(({logs}) / ({count})) : 0"


def _means(prefix: str, bandwidth: Iterable[object], metadata: Iterable[object]) -> list[dict]:
    return [
        {"name": f"{prefix}bw_gib_s", "expr": _mean(bandwidth)},
        {"name": f"{prefix}md_kiops", "expr": _mean(metadata)},
        {"name": f"{prefix}score", "expr": f"sqrt({prefix}bw_gib_s * {prefix}md_kiops)"},
    ]


def calculator(start: Mapping[str, float]) -> dict[str, Any]:
    """The IO500 what-if calculator: twelve inputs; bandwidth, metadata and score beside the start.

    A phase at or below 0, or left empty, is left out of its mean, as by the official program since
    August 2021; a mean without a phase is shown as a dash.

    Parameters
    ----------
    start
        Phase name → value, all twelve: GiB/s for ior phases, kIOP/s for the others.

    Returns
    -------
    dict
        A Vega-Lite specification; its inputs are parameters named like `Phase.column`, its results
        the parameters ``bw_gib_s``, ``md_kiops`` and ``score``.

    Raises
    ------
    KeyError
        If a phase is missing.
    """
    inputs = [
        {
            "name": phase.column,
            "value": float(f"{start[phase.name]:.10g}"),
            "bind": {
                "input": "number",
                "name": phase.name,
                "min": 0,
                "step": "any",
                "inputmode": "decimal",
                "aria-label": f"{phase.name}, {phase.unit}",
            },
        }
        for phase in (*BANDWIDTH, *METADATA)
    ]
    value = {param["name"]: param["value"] for param in inputs}
    bandwidth, metadata = [p.column for p in BANDWIDTH], [p.column for p in METADATA]
    results = [
        *_means("", bandwidth, metadata),
        *_means("start_", [value[c] for c in bandwidth], [value[c] for c in metadata]),
    ]
    tiles = [
        {"key": "bw_gib_s", "heading": "Bandwidth, GiB/s"},
        {"key": "md_kiops", "heading": "Metadata, kIOP/s"},
        {"key": "score", "heading": "Score"},
    ]

    def pick(prefix: str) -> str:
        keys = [f"{prefix}{tile['key']}" for tile in tiles]
        return f"datum.key == 'score' ? {keys[2]} : datum.key == 'md_kiops' ? {keys[1]} : {keys[0]}"

    def text(y: int, content: dict[str, Any], size: int, narrow: int, **mark: Any) -> dict:
        mark |= {"fontSize": {"expr": f"width < 520 ? {narrow} : {size}"}}
        return {
            "mark": {"type": "text", "align": "left", "y": y, **mark},
            "encoding": {"x": x, "text": content},
        }

    x = {
        "field": "key",
        "type": "nominal",
        "sort": None,
        "axis": None,
        "scale": {"type": "band", "padding": 0},
        "bandPosition": 0,
    }
    change = text(80, {"field": "change_text", "type": "nominal"}, 14, 13, fontWeight=600)
    change["encoding"]["color"] = {
        "condition": [
            {"test": "datum.change > 0", "value": GREEN},
            {"test": "datum.change < 0", "value": VERMILLION},
        ],
        "value": MUTED,
    }
    return {
        "$schema": alt.SCHEMA_URL,
        "usermeta": {"kind": "calculator"},
        "width": "container",
        "height": 110,
        "padding": 0,
        "params": inputs + results,
        "data": {"values": tiles},
        "datasets": {
            "start": [
                {"phase": p.name, "unit": p.unit, "start_value": value[p.column]} for p in SCORED
            ]
        },
        "transform": [
            {"calculate": pick(""), "as": "now"},
            {"calculate": pick("start_"), "as": "start"},
            {"calculate": "datum.start > 0 ? datum.now / datum.start - 1 : 0", "as": "change"},
            {"calculate": "datum.now > 0 ? format(datum.now, ',.2f') : '–'", "as": "now_text"},
            {"calculate": "'start ' + format(datum.start, ',.2f')", "as": "start_text"},
            {
                "calculate": "datum.now == 0 ? 'no phase left' : datum.change == 0 ? 'no change' : "
                "(datum.change > 0 ? '+' : '−') + format(abs(datum.change) * 100, ',.2f') + ' %'",
                "as": "change_text",
            },
        ],
        "layer": [
            text(8, {"field": "heading", "type": "nominal"}, 13, 12, color=MUTED),
            text(42, {"field": "now_text", "type": "nominal"}, 30, 19, fontWeight=600),
            change,
            text(102, {"field": "start_text", "type": "nominal"}, 13, 12, color=MUTED),
        ],
    }
