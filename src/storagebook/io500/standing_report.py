"""A run among others as text for people, JSON or CSV: what `storagebook compare` prints."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from storagebook import printable
from storagebook.errors import one_line
from storagebook.io500.standing import FigureStanding, Place, Standing
from storagebook.readers.report import write_columns

Writer = Callable[[Iterable[Standing], IO[str]], None]

_WIDTH = 100


def write_table(found: Iterable[Standing], out: IO[str]) -> None:
    """One run after another."""
    for number, standing in enumerate(found):
        if number:
            out.write("\n\n")
        _write_one(standing, out)


def _write_one(found: Standing, out: IO[str]) -> None:
    own = "verified" if found.card.known["verified"] else "unverified"
    out.write(f"{one_line(found.card.name)} ({own}) against {one_line(found.reference.name)}\n")
    out.write(f"{place_text(found)}\n")
    if found.figures:
        out.write("\n")
        rows = [_row(figure) for figure in found.figures]
        head = ("", "result", "", "percentile", "of runs", "same scale", "of runs")
        write_columns(head, rows, out, right=(1, 3, 4, 5, 6))
        out.write("\npercentile: share of the runs whose result is lower, in per cent\n")
    if found.scale is not None:
        scale = found.scale
        text = (
            f"same scale: {scale}; {scale.same_count} runs, "
            f"{scale.unknown_count} others do not state their processes"
        )
        if not scale.same_count and scale.nearest is not None:
            text += f"; nearest: {scale.nearest[0]} with {scale.nearest[1]:,} processes"
        out.write(textwrap.fill(one_line(text, 1_000), _WIDTH) + "\n")
    out.write("\n")
    for line in found.beside:
        out.write(textwrap.fill(one_line(line, 1_000), _WIDTH, subsequent_indent="  ") + "\n")


def place_text(found: Standing) -> str:
    """The place in words."""
    place = found.place
    if place is None:
        return f"no place: {found.why_no_place}"
    if place.entry is not None and place.entry.rank is not None:
        return f"rank {place.entry.rank}, stated for {one_line(place.entry.label)}"
    of = "" if place.entries_count is None else f", beside {place.entries_count} entries"
    return f"place {place}{of}: by its score alone, no published rank"


def _row(figure: FigureStanding) -> tuple[str, ...]:
    return (
        figure.name,
        f"{figure.value:.6f}",
        figure.unit,
        _percentile(figure.percentile),
        str(figure.count),
        _percentile(figure.same_percentile),
        str(figure.same_count),
    )


def _percentile(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def as_json(found: Standing) -> dict[str, Any]:
    """An object of `storagebook compare --format json`."""
    scale = found.scale
    return {
        "benchmark": "io500",
        "run": found.card.name,
        "with": found.reference.name,
        "list": found.reference.list,
        "release": found.reference.release,
        "verified": found.card.known["verified"],
        "valid": found.card.valid,
        "place": None if found.place is None else _place_json(found.place),
        "why_no_place": found.why_no_place,
        "figures": {
            figure.name: {
                "value": figure.value,
                "unit": figure.unit,
                "percentile": figure.percentile,
                "runs": figure.count,
                "same_scale": {"percentile": figure.same_percentile, "runs": figure.same_count},
            }
            for figure in found.figures
        },
        "same_scale": None
        if scale is None
        else {
            "factor": scale.factor,
            "procs": scale.procs,
            "nodes": scale.nodes,
            "runs": scale.same_count,
            "unknown": scale.unknown_count,
        },
        "beside": list(found.beside),
    }


def _place_json(place: Place) -> dict[str, Any]:
    return {
        "first": place.first,
        "last": place.last,
        "entries": place.entries_count,
        "stated_rank": None if place.entry is None else place.entry.rank,
    }


def write_json(found: Iterable[Standing], out: IO[str]) -> None:
    """A list with one object a run."""
    out.write(printable.as_json([as_json(one) for one in found], indent=1) + "\n")


CSV_HEAD = (
    *("run", "with", "figure", "value", "unit", "percentile", "runs_count"),
    *("same_scale_percentile", "same_scale_runs_count", "first_place", "last_place"),
)


def write_csv(found: Iterable[Standing], out: IO[str]) -> None:
    """One row a run and figure; against a list of scores alone, one row a run."""
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(CSV_HEAD)
    for standing in found:
        for row in _csv_rows(standing):
            rows.writerow(map(printable.as_cell, row))


def _csv_rows(found: Standing) -> Iterator[tuple[object, ...]]:
    who = (found.card.name, found.reference.name)
    place = (None, None) if found.place is None else (found.place.first, found.place.last)
    if not found.figures:
        yield (*who, "score", *(None,) * 6, *place)
    for figure in found.figures:
        own = place if figure.name == "score" else (None, None)
        yield (
            *who,
            figure.name,
            figure.value,
            figure.unit,
            figure.percentile,
            figure.count,
            figure.same_percentile,
            figure.same_count,
            *own,
        )


WRITERS: dict[str, Writer] = {"table": write_table, "json": write_json, "csv": write_csv}
