"""Where a run stands among others: percentiles by phase, and a place in a list as far as it can be.

A reader's own run is unverified, and its place in a list is arithmetic, no rank: a rank is what a
list's owner publishes. A list of which only some rows are known allows an interval of places; runs
of several lists together allow none, since results of different lists are not ranked. Runs are of
the same scale if their processes, and their client nodes where both are known, differ by no more
than a stated factor.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from storagebook import compare, tables
from storagebook.compare import Basis, Figure, Obtained, Refused
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import listed, public
from storagebook.io500.card import Card
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.run import Printed

#: The quoted lists: name → table, client nodes that the list asks for.
QUOTED: dict[str, tuple[str, int | None]] = {
    "production-isc26": ("io500-production-isc26", None),
    "ten-node-isc26": ("io500-ten-node-isc26", 10),
}
PUBLIC = "public"
#: Two runs are of one scale if their sizes differ by no more than this.
SCALE_FACTOR = 2.0

# Means and score, and their columns in `public.frame`.
_COLUMNS = {"bandwidth": "bandwidth_gib_s", "metadata": "metadata_kiops", "score": "score"}
_UNITS = {"bandwidth": "GiB/s", "metadata": "kIOP/s", "score": ""}
_KIND = {"production-isc26": "production", "ten-node-isc26": "ten-node-production"}
_RELEASE = "ISC26"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What a list tells of one row.

    Attributes
    ----------
    rank
        As the list states it; None where it does not.
    score
        Every score that its digits allow.
    """

    label: str
    rank: int | None
    score: Interval
    bandwidth: Interval
    metadata: Interval
    nodes: int | None = None
    version: str | None = None


@dataclass(frozen=True, kw_only=True)
class Reference:
    """What a run is held against.

    Attributes
    ----------
    name
        ``public``, the name of a quoted list, or of a file.
    list, release
        The list that it is, None where it is none or no source tells.
    entries
        Rows with a score; of a quoted list only those that the source prints.
    entries_count
        How many the list has; None where that is unknown.
    runs
        The same rows with their phases, as columns of `public.frame`; None where only scores are
        known.
    nodes
        Client nodes that the list asks for.
    asks
        What the list asks of a run, in words.
    """

    name: str
    list: str | None
    release: str | None
    entries: tuple[Entry, ...]
    entries_count: int | None
    runs: pd.DataFrame | None
    nodes: int | None = None
    asks: str | None = None

    @property
    def whole(self) -> bool:
        """Whether every row is known."""
        return self.entries_count == len(self.entries)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a score would stand.

    Attributes
    ----------
    first, last
        The best and the worst place that what is known allows; `last` is None without a bound.
    entries_count
        How many entries there are without the run; None where that is unknown.
    entry
        The row that has the same figures, so that the place is its rank.
    """

    first: int
    last: int | None
    entries_count: int | None
    entry: Entry | None = None

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.first} or below"
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


@dataclass(frozen=True, kw_only=True)
class FigureStanding:
    """A phase, a mean or the score among the runs of a reference.

    Attributes
    ----------
    name
        A scored phase, ``bandwidth``, ``metadata`` or ``score``.
    unit
        GiB/s, kIOP/s, or empty for the score.
    percentile, count
        Share of the runs whose result is lower, in per cent, and how many have one; None without
        any.
    same_percentile, same_count
        The same over runs of the same scale.
    """

    name: str
    unit: str
    value: float
    percentile: float | None
    count: int
    same_percentile: float | None
    same_count: int


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Which runs are of a run's scale.

    Attributes
    ----------
    procs, nodes
        Of the run; None where unknown.
    factor
        By how much another may differ.
    same_count
        Runs of the same scale.
    unknown_count
        Runs that do not state their processes, so that nobody can tell.
    nearest
        The run of the nearest number of processes, and that number; None if none states it.
    """

    procs: int | None
    nodes: int | None
    factor: float
    same_count: int
    unknown_count: int
    nearest: tuple[str, int] | None

    def __str__(self) -> str:
        if self.procs is None:
            return "the run does not state its processes, so no other is of the same scale"
        low, high = math.ceil(self.procs / self.factor), math.floor(self.procs * self.factor)
        text = f"{low:,} to {high:,} processes"
        if self.nodes is not None:
            low, high = math.ceil(self.nodes / self.factor), math.floor(self.nodes * self.factor)
            text += f", and {low:,} to {high:,} client nodes where a run states them"
        return text


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A run against a reference.

    Attributes
    ----------
    place
        None where there is none: `why_no_place` says why.
    figures
        The means and the score, then the phases; empty where the reference tells only scores.
    beside
        What has to stand beside these figures.
    """

    card: Card
    reference: Reference
    place: Place | None
    why_no_place: str | None
    figures: tuple[FigureStanding, ...]
    scale: Scale | None
    beside: tuple[str, ...]


def reference(name: str | Path) -> Reference:
    """What to hold a run against.

    Parameters
    ----------
    name
        ``public``: all public runs at hand; a key of `QUOTED`: the rows of a list that the source
        prints; or the path of a list's CSV export.

    Raises
    ------
    StoragebookError
        If it is none of these.
    """
    if str(name) == PUBLIC:
        return _of_public()
    if str(name) in QUOTED:
        return _of_quoted(str(name))
    return _of_export(Path(name))


def stand(card: Card, against: Reference, *, factor: float = SCALE_FACTOR) -> Standing:
    """A run against a reference.

    Raises
    ------
    Refused
        If the list asks for other client nodes than the run had, or a source puts the run on
        another list: results of two lists are not compared.
    """
    _refuse_other_list(card, against)
    others = _others(card, against)
    score = _score(card)
    why = _why_no_place(card, score, against)
    return Standing(
        card=card,
        reference=against,
        place=None if why or score is None else _place(card, score, against),
        why_no_place=why,
        figures=() if others is None else tuple(_figures(card, score, others, factor)),
        scale=None if others is None else _scale(card, others, factor),
        beside=tuple(_beside(card, score, against)),
    )


# -- what a run is held against


def _of_public() -> Reference:
    return Reference(
        name=PUBLIC,
        list=None,
        release=None,
        entries=(),
        entries_count=None,
        runs=public.counted(public.frame()),
    )


def _of_quoted(name: str) -> Reference:
    table, nodes = QUOTED[name]
    rows, texts = tables.load(table), tables.printed(table)
    entries = tuple(
        Entry(
            label=f"{row.system} ({row.institution})",
            rank=int(row.rank),
            score=_listed_score(text.score),
            bandwidth=_listed(text.bandwidth_gib_s),
            metadata=_listed(text.metadata_kiops),
            nodes=nodes or int(row.client_nodes_count),
        )
        for row, text in zip(rows.itertuples(), texts.itertuples(), strict=True)
    )
    lists = tables.load("io500-lists")
    return Reference(
        name=name,
        list=_KIND[name],
        release=_RELEASE,
        entries=entries,
        entries_count=_entries_count(_KIND[name]),
        runs=None,
        nodes=nodes,
        asks=lists.loc[lists.list == _KIND[name], "asks"].item(),
    )


def _listed(text: str) -> Interval:
    return Interval.of_printed(text, trailing_zeros=True)


def _listed_score(text: str) -> Interval:
    """Every score that a list prints so: its column may keep no more than six digits."""
    six, two = listed.as_six_digits(text), listed.as_two_decimals(text)
    return two if six is None else two.hull(six)


def _entries_count(kind: str) -> int | None:
    """How many entries the list of this release has, where the source says so."""
    if kind != "production":
        return None
    ranks = tables.load("aurora-list-ranks")
    return int(ranks.loc[ranks.release == _RELEASE, "entries_count"].item())


def _of_export(path: Path) -> Reference:
    from storagebook.readers import io500

    found = [run for run in io500.read(path) if run.format == "list"]
    if not found:
        raise StoragebookError(
            "no list of IO500 results in it",
            file=path,
            hint=f"name {PUBLIC}, {', '.join(QUOTED)}, or a list's CSV from io500.org",
        )
    rows, entries = [], []
    for run in found:
        name = run.system or run.institution or "unnamed"
        values = {phase.name: phase.value.value for phase in run.scored.values()}
        label = f"{name} (line {run.place.line})"
        if run.printed is not None:
            values["bandwidth_gib_s"] = run.printed.bw.value
            values["metadata_kiops"] = run.printed.md.value
            values["score"] = run.printed.score.value
        rows.append({"label": label, "procs_count": run.procs, "nodes_count": run.nodes} | values)
        if run.printed is not None and run.printed.score.value > 0:
            entries.append(
                Entry(
                    label=label,
                    rank=None,
                    score=_listed_score(run.printed.score.text),
                    bandwidth=_listed(run.printed.bw.text),
                    metadata=_listed(run.printed.md.text),
                    nodes=run.nodes,
                )
            )
    whole = {"procs_count": "Int64", "nodes_count": "Int64"}
    columns = ["label", *whole, *_COLUMNS.values(), *(p.name for p in SCORED)]
    return Reference(
        name=path.name,
        list=None,
        release=None,
        entries=tuple(entries),
        entries_count=len(entries),
        runs=pd.DataFrame(rows, columns=columns).astype(whole),
    )


# -- the place


def _refuse_other_list(card: Card, against: Reference) -> None:
    own = card.known.get("list")
    if own and against.list and against.list not in own.split(", "):
        raise Refused(
            "list",
            "IO500 messaging policy",
            f"a source puts {card.name} on the {own} list, not on the {against.list} list",
        )
    nodes = card.settings.get("nodes_count")
    if against.nodes is not None and nodes is not None and nodes != against.nodes:
        raise Refused(
            "list",
            "IO500 messaging policy",
            f"the {against.list} list asks for {against.nodes} client nodes, the run had {nodes}",
        )


def _score(card: Card) -> Interval | None:
    """The score of a run: recomputed where the phases give it, else as printed."""
    found = card.score()
    if found is not None:
        return Interval.point(found.score)
    printed = card.printed.score
    if printed is None or printed.value <= 0 or "product-not-root" in card.findings:
        return None
    return _listed(printed.text)


def _why_no_place(card: Card, score: Interval | None, against: Reference) -> str | None:
    if score is None:
        return "the run has no score"
    if not card.valid:
        return "the run is invalid, so it has no place among results that count"
    if against.name == PUBLIC:
        return "these runs are of several lists or of none, which are not ranked together"
    return None if against.entries else "no score is known to hold it against"


def _place(card: Card, score: Interval, against: Reference) -> Place:
    """The places that the known rows allow."""
    own = _own_entry(card, against)
    if own is not None and own.rank is not None:
        return Place(first=own.rank, last=own.rank, entries_count=against.entries_count, entry=own)
    entries = [entry for entry in against.entries if entry is not own]
    above = [entry for entry in entries if entry.score.lo > score.hi]
    below = [entry for entry in entries if entry.score.hi < score.lo]
    if against.whole:
        # a row whose digits allow both sides leaves the place open
        first, last = 1 + len(above), 1 + len(entries) - len(below)
        return Place(first=first, last=last, entries_count=len(entries), entry=own)
    ranks_above = [entry.rank for entry in above if entry.rank is not None]
    ranks_below = [entry.rank for entry in below if entry.rank is not None]
    count = against.entries_count
    bound = min(ranks_below, default=None if count is None else count + 1)
    return Place(first=max(ranks_above, default=0) + 1, last=bound, entries_count=count)


def _own_entry(card: Card, against: Reference) -> Entry | None:
    """The row that prints the bandwidth and metadata of the run."""
    bw, md = card.printed.bw_gib_s, card.printed.md_kiops
    if bw is None or md is None:
        return None
    same = (
        entry
        for entry in against.entries
        if entry.bandwidth.overlaps(_listed(bw.text)) and entry.metadata.overlaps(_listed(md.text))
    )
    return next(same, None)


# -- percentiles


def _others(card: Card, against: Reference) -> pd.DataFrame | None:
    """The runs of a reference other than this one."""
    runs = against.runs
    if runs is None:
        return None
    own = _own_entry(card, against)
    if own is not None:
        return runs[runs.label != own.label]
    values = pd.Series(card.values, dtype=float)
    return runs if values.empty else runs[~(runs[values.index] == values).all(axis="columns")]


def _figures(
    card: Card, score: Interval | None, others: pd.DataFrame, factor: float
) -> Iterator[FigureStanding]:
    same = others[_same_scale(card, others, factor)]
    for name, unit, value in _own(card, score):
        column = _COLUMNS.get(name, name)
        percentile, count = _percentile(value, others[column])
        same_percentile, same_count = _percentile(value, same[column])
        yield FigureStanding(
            name=name,
            unit=unit,
            value=value,
            percentile=percentile,
            count=count,
            same_percentile=same_percentile,
            same_count=same_count,
        )


def _own(card: Card, score: Interval | None) -> Iterator[tuple[str, str, float]]:
    """The figures of a run, each with its unit."""
    printed = card.printed
    for name, mean in (("bandwidth", printed.bw_gib_s), ("metadata", printed.md_kiops)):
        if mean is not None:
            yield name, _UNITS[name], mean.value
    if score is not None:
        yield "score", _UNITS["score"], float(score.mid)
    for name, value in card.values.items():
        yield name, BY_NAME[name].unit, value


def _percentile(value: float, figures: pd.Series) -> tuple[float | None, int]:
    known = figures.dropna()
    return (None, 0) if known.empty else (float((known < value).mean() * 100), len(known))


def _same_scale(card: Card, others: pd.DataFrame, factor: float) -> pd.Series:
    """Whether each run is of the run's scale."""
    procs, nodes = card.settings.get("procs_count"), card.settings.get("nodes_count")
    if not procs:
        return pd.Series(False, index=others.index)
    fits = _within(others.procs_count, int(procs), factor).fillna(False)
    if nodes:
        fits &= _within(others.nodes_count, int(nodes), factor).fillna(True)
    return fits.astype(bool)


def _within(counts: pd.Series, own: int, factor: float) -> pd.Series:
    return (counts * factor >= own) & (counts <= own * factor)


def _scale(card: Card, others: pd.DataFrame, factor: float) -> Scale:
    procs, nodes = card.settings.get("procs_count"), card.settings.get("nodes_count")
    stated = others[others.procs_count.notna() & (others.procs_count > 0)]
    nearest = None
    if procs and not stated.empty:
        apart = [abs(math.log(int(count) / int(procs))) for count in stated.procs_count]
        row = stated.iloc[apart.index(min(apart))]
        nearest = (str(row.label), int(row.procs_count))
    return Scale(
        procs=int(procs) if procs else None,
        nodes=int(nodes) if nodes else None,
        factor=factor,
        same_count=int(_same_scale(card, others, factor).sum()),
        unknown_count=len(others) - len(stated),
        nearest=nearest,
    )


def same_scale(card: Card, against: Reference, factor: float = SCALE_FACTOR) -> pd.DataFrame:
    """The other runs of a reference that are of the run's scale, largest score first."""
    others = _others(card, against)
    if others is None:
        raise StoragebookError(f"{against.name} tells no scale")
    found = others[_same_scale(card, others, factor)]
    return found.sort_values(["score", "label"], ascending=[False, True], ignore_index=True)


# -- what stands beside


def _beside(card: Card, score: Interval | None, against: Reference) -> Iterator[str]:
    own = card.figure("score", Printed("1", 1.0), "score", basis=Basis.BENCHMARK_SCORE)
    yield f"{card.name}: {own.standing()}"
    if not card.valid:
        yield "the run is invalid by its files' own marks and rules"
    if against.name == PUBLIC:
        yield (
            "public submissions at hand, a part of all; their lists are unknown unless a source "
            "states them, so no order among them is a ranking"
        )
        yield "file systems, hardware, redundancy, versions and scales differ from run to run"
        return
    if against.list is None:
        yield f"{against.name}: a list's export, whose site rounds, corrects and re-ranks"
        return
    yield f"{against.release} {against.list} list, as far as the source prints it"
    if against.asks is not None:
        yield f"the list asks of a run: {against.asks}"
    if score is not None:
        entry = Figure(
            name="an entry of the list",
            value=against.entries[0].score,
            unit="score",
            basis=Basis.BENCHMARK_SCORE,
            obtained=Obtained.PUBLISHED_TABLE,
            benchmark=compare.IO500,
            metric="score",
            list=against.list,
            release=against.release,
            verified=True,
        )
        on_this_list = dataclasses.replace(own, list=against.list if own.list else None)
        yield from (str(caveat) for caveat in compare.ratio(on_this_list, entry).caveats)
