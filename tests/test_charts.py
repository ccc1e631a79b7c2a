"""The builders draw what they are given; the theme is legible in light and dark."""

import json

import pandas as pd
import pytest
import vl_convert

from storagebook import charts
from storagebook.errors import StoragebookError
from storagebook.io500.phases import SCORED

LIGHT, DARK = "#ffffff", "#14181e"
PHASES = pd.DataFrame(
    {
        "phase": [p.name for p in SCORED],
        "kind": [p.kind for p in SCORED],
        "value": [10.0 * 3**i for i in range(12)],
    }
)
LONG = pd.concat(
    [PHASES.assign(run="first"), PHASES.assign(run="second", value=PHASES["value"] * 2)]
)
START = dict(zip(PHASES["phase"], PHASES["value"], strict=True))


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", charts.PALETTE)
@pytest.mark.parametrize("background", [LIGHT, DARK])
def test_marks_stand_out_in_light_and_dark(colour, background):
    assert contrast(colour, background) >= 3


def svg(chart) -> str:
    """The drawing, 600 px wide, as the bundled Vega makes it."""
    spec = dict(chart) if isinstance(chart, dict) else chart.to_dict()
    return vl_convert.vegalite_to_svg({**spec, "width": 600}, vl_version="6.4")


def builders():
    yield charts.bars(PHASES, category="phase", value="value", axis_title="v", colour="kind")
    yield charts.bars(PHASES, category="phase", value="value", axis_title="v", log=True)
    yield charts.pairs(LONG, category="phase", value="value", series="run", axis_title="v")
    yield charts.strip(
        LONG, category="phase", value="value", name="run", axis_title="v", highlight=["second"]
    )
    yield charts.spans(
        PHASES.assign(low=PHASES.value - 1, high=PHASES.value + 2),
        category="phase",
        low="low",
        high="high",
        value="value",
        axis_title="v",
    )


@pytest.mark.parametrize("chart", list(builders()))
def test_every_phase_has_a_row(chart):
    drawing = svg(chart)
    assert all(f">{phase}</text>" in drawing for phase in PHASES["phase"])


def test_scatter_and_lines_draw_every_point():
    scatter = charts.scatter(
        PHASES, x="value", y="value", x_title="x", y_title="y", name="phase", label="kind"
    )
    assert svg(scatter).count('aria-roledescription="circle"') == len(PHASES)
    lines = charts.lines(
        LONG, x="value", y="value", series="run", x_title="x", y_title="y", log_x=True, log_y=True
    )
    assert svg(lines).count('aria-roledescription="circle"') == len(LONG)


def test_rows_keep_the_order_of_the_frame():
    drawing = svg(charts.bars(PHASES, category="phase", value="value", axis_title="v"))
    positions = [drawing.index(f">{phase}</text>") for phase in PHASES["phase"]]
    assert positions == sorted(positions)


def test_long_names_break_into_lines_and_get_the_room():
    frame = pd.DataFrame({"name": ["stated peak, architecture paper", "find"], "v": [1, 2]})
    chart = charts.bars(frame, category="name", value="v", axis_title="v")
    assert [
        f">{line}</tspan>" in svg(chart) for line in ("stated peak,", "architecture paper")
    ] == [
        True,
        True,
    ]
    assert (
        chart.height > charts.bars(frame[1:], category="name", value="v", axis_title="v").height * 2
    )


@pytest.mark.parametrize(("values", "least"), [([42, 336, 5369], 30), ([100, 9000], 100)])
def test_a_log_axis_begins_below_a_value_that_no_tick_stands_under(values, least):
    frame = pd.DataFrame({"name": [str(v) for v in values], "value": values})
    chart = charts.bars(frame, category="name", value="value", axis_title="v", log=True)
    scale = chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]
    assert scale["domain"][0] == pytest.approx(least)


def test_log_axis_refuses_zero():
    frame = PHASES.assign(value=0.0)
    with pytest.raises(StoragebookError, match="at or below 0"):
        charts.bars(frame, category="phase", value="value", axis_title="v", log=True)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (3, 40, [2, 5, 10, 20, 50]),
        (1, 10, [1, 2, 5, 10]),
        (3, 40_000, [10, 100, 1_000, 10_000]),
        (0.7, 0.7, [0.5, 1]),
    ],
)
def test_log_ticks(low, high, ticks):
    assert charts._log_ticks(low, high) == pytest.approx(ticks)


def test_known_system_keeps_its_colour_beside_any_other():
    for names in (["Aurora", "x"], ["x", "Aurora"], ["x", "y", "z", "Aurora"]):
        scale = charts.colours(names).to_dict()
        colour = dict(zip(scale["domain"], scale["range"], strict=True))
        assert colour["Aurora"] == charts.SYSTEM_COLOURS["Aurora"]
        assert len(set(colour.values())) == len(names)


def test_builders_are_deterministic():
    first, second = ([json.dumps(c.to_dict()) for c in builders()] for _ in range(2))
    assert first == second


def test_calculator_starts_at_the_score():
    drawing = svg(charts.calculator(START))
    bandwidth = [START[p.name] for p in SCORED if p.kind == "bandwidth"]
    mean = (bandwidth[0] * bandwidth[1] * bandwidth[2] * bandwidth[3]) ** 0.25
    assert f">{mean:,.2f}</text>" in drawing
    assert drawing.count(">no change</text>") == 3


def test_calculator_needs_every_phase():
    with pytest.raises(KeyError, match="find"):
        charts.calculator({k: v for k, v in START.items() if k != "find"})
