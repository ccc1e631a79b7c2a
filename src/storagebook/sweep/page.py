"""A sweep on a page: its tables, charts and sentences, whatever the files hold."""

from __future__ import annotations

from collections.abc import Iterable

from storagebook import charts, show
from storagebook.io500.runs import Sentence
from storagebook.sweep import curves, published, told
from storagebook.sweep.curves import AXES, Axis, Curve
from storagebook.sweep.points import QUANTITIES, Sweep

_FIGURES = dict.fromkeys(["mean", "least", "greatest"], "{:,.3f}")
_FORMATS = {**_FIGURES, "in_flight": "{:,d}"}
_HEADINGS = {"in_flight": "in flight", "api": "API"}


def say(sentences: Iterable[Sentence]) -> None:
    """Show sentences, in their order."""
    for template, values in sentences:
        show.say(template, **values)


def points(sweep: Sweep) -> None:
    """Show the points of each quantity, or that there are none."""
    for quantity in QUANTITIES:
        if not any(point.quantity == quantity for point in sweep.points):
            show.say("The files hold no {quantity}.", quantity=quantity)
            continue
        frame, unit = told.table(sweep, quantity)
        show.table(
            frame,
            caption=f"Every {quantity}, in {unit}: mean, least and greatest of its samples",
            headings={name: text for name, text in _HEADINGS.items() if name in frame},
            formats={name: text for name, text in _FORMATS.items() if name in frame},
            csv=f"points-{quantity}",
        )
        say(told.rest(sweep, quantity))


def over(sweep: Sweep, axis: Axis, near_pct: float) -> None:
    """Show charts and saturation of the curves over an axis, or say how to make some."""
    drawn = False
    for quantity in QUANTITIES:
        found = curves.curves(sweep.points, axis, quantity)
        if found:
            _over(found, near_pct)
            drawn = True
    if not drawn:
        say([told.nothing(axis)])


def _over(found: list[Curve], near_pct: float) -> None:
    axis, quantity = found[0].axis, found[0].quantity
    frame, unit = told.drawn(found)
    show.chart(
        charts.lines(
            frame,
            x="level",
            y="value",
            series="series",
            x_title=AXES[axis],
            y_title=unit,
            log_x=True,
            log_y=True,
            spread=("low", "high"),
            bytes_x=axis == "transfer",
        ),
        title=told.title(found, near_pct),
        description=f"One line a sweep: {quantity} over {AXES[axis]}, a dot at the mean of each "
        "level, a bar from its least to its greatest sample; both axes logarithmic.",
        name=f"{quantity}-over-{axis}",
    )
    say(told.more(found))
    say(told.said_of_curves(found, near_pct))
    if quantity == "bandwidth":
        say(told.from_memory(found))


def apis(sweep: Sweep) -> None:
    """Show what the same work gave through each API, or say how to find out."""
    drawn = False
    for quantity in QUANTITIES:
        found = curves.curves(sweep.points, "api", quantity)
        if not found:
            continue
        drawn = True
        show.table(
            told.levels(found),
            caption=f"The {quantity} through each API, all else alike",
            headings={"level": "API"},
            formats=_FIGURES,
            csv=f"{quantity}-by-api",
        )
        say(told.said_of_apis(found))
    if not drawn:
        say([told.nothing("api")])


def shapes(found: published.Shapes) -> None:
    """Show a sweep beside the MD-on-SSD table."""
    show.table(
        found.table.drop(columns="transfer_b"),
        caption=f"Each in per cent of its own figure at {found.reference}: what digits and "
        "samples allow",
        headings={
            "mean": "this sweep",
            "yours_pct": "this sweep (%)",
            "pmem_pct": "persistent memory (%)",
            "md_pct": "metadata on SSD (%)",
        },
        formats={"mean": "{:,.3f}"},
        csv="beside-md-on-ssd",
    )
    show.chart(
        charts.lines(
            found.shares,
            x="transfer_b",
            y="share_pct",
            series="series",
            x_title="transfer size",
            y_title=f"% of the figure at {found.reference}",
            log_x=True,
            spread=("low_pct", "high_pct"),
            bytes_x=True,
        ),
        title=told.shape_title(found),
        description="Three lines over the transfer size: this sweep and the two published ones, "
        f"each in per cent of its own figure at {found.reference}; bars show what samples and "
        "printed digits allow.",
        name="shapes",
    )
