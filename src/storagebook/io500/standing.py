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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from storagebook import compare, tables
from storagebook.compare import Basis, Figure, Obtained, Refused
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import lists, membership, public
from storagebook.io500.card import Card
from storagebook.io500.lists import ListedScores
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.run import Printed

#: The quoted lists: name → table, client nodes that the list asks for.
QUOTED: dict[str, tuple[str, int | None]] = {
    "production-isc26": (membership.PRODUCTION, None),
    "ten-node-isc26": (membership.TEN_NODE, membership.TEN_NODES),
}
PUBLIC = "public"
#: Two runs are of one scale if their sizes differ by no more than this.
SCALE_FACTOR = 2.0

# Means and score, and their columns in `public.frame`.
_COLUMNS = {"bandwidth": "bandwidth_gib_s", "metadata": "metadata_kiops", "score": "score"}
_UNITS = {"bandwidth": "GiB/s", "metadata": "kIOP/s", "score": ""}
_KIND = {"production-isc26": "production", "ten-node-isc26": "ten-node-production"}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What tells one row of a list from another.

    Attributes
    ----------
    rank
        As the list states it; None where it does not.
    bandwidth, metadata
        Every value that its digits allow.
    """

    label: str
    rank: int | None
    bandwidth: Interval
    metadata: Interval


@dataclass(frozen=True, kw_only=True)
class Reference:
    """What a run is held against.

    Attributes
    ----------
    name
        ``public``, the name of a quoted list, or of a file.
    list, release
        The list that it is, None where it is none or no source tells.
    scores
        What is known of the list's order; None if it is none.
    entries
        Its rows that tell bandwidth and metadata.
    runs
        Runs with their phases, as columns of `public.frame`; None where only scores are known.
    nodes
        Client nodes that the list asks for.
    asks
        What the list asks of a run, in words.
    """

    name: str
    list: str | None = None
    release: str | None = None
    scores: ListedScores | None = None
    entries: tuple[Entry, ...] = ()
    runs: pd.DataFrame | None = None
    nodes: int | None = None
    asks: str | None = None


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
    return Reference(name=PUBLIC, runs=public.counted(public.frame()))


def _of_quoted(name: str) -> Reference:
    table, nodes = QUOTED[name]
    rows, texts = tables.load(table), tables.printed(table)
    entries = tuple(
        Entry(
            label=f"{row.system} ({row.institution})",
            rank=int(row.rank),
            bandwidth=_listed(text.bandwidth_gib_s),
            metadata=_listed(text.metadata_kiops),
        )
        for row, text in zip(rows.itertuples(), texts.itertuples(), strict=True)
    )
    rules = tables.load("io500-lists")
    return Reference(
        name=name,
        list=_KIND[name],
        release=membership.EDITION,
        scores=lists.ten_node() if nodes else lists.production(),
        entries=entries,
        nodes=nodes,
        asks=rules.loc[rules.list == _KIND[name], "asks"].item(),
    )


def _listed(text: str) -> Interval:
    return Interval.of_printed(text, trailing_zeros=True)


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
    scores: dict[str, Interval] = {}
    for run in found:
        label = f"{run.system or run.institution or 'unnamed'} (line {run.place.line})"
        values = {phase.name: phase.value.value for phase in run.scored.values()}
        if run.printed is not None:
            values["bandwidth_gib_s"] = run.printed.bw.value
            values["metadata_kiops"] = run.printed.md.value
            values["score"] = run.printed.score.value
            bandwidth, metadata = _listed(run.printed.bw.text), _listed(run.printed.md.text)
            entries.append(Entry(label=label, rank=None, bandwidth=bandwidth, metadata=metadata))
            scores[label] = lists.listed_score(run.printed.score.text)
        rows.append({"label": label, "procs_count": run.procs, "nodes_count": run.nodes} | values)
    whole = {"procs_count": "Int64", "nodes_count": "Int64"}
    columns = ["label", *whole, *_COLUMNS.values(), *(p.name for p in SCORED)]
    return Reference(
        name=path.name,
        scores=_in_order(path.name, scores),
        entries=tuple(entries),
        runs=pd.DataFrame(rows, columns=columns).astype(whole),
    )


def _in_order(name: str, scores: Mapping[str, Interval]) -> ListedScores:
    """A list of which every row is known."""
    ordered = sorted(scores.items(), key=lambda item: item[1].mid, reverse=True)
    entries = (
        lists.Entry(label, score, rank, rank) for rank, (label, score) in enumerate(ordered, 1)
    )
    return ListedScores(name, tuple(entries), len(ordered))


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


def _score(card: Card) -> float | None:
    """The score of a run: recomputed where the phases give it, else as printed."""
    found = card.score()
    if found is not None:
        return found.score
    printed = card.printed.score
    usable = printed is not None and "product-not-root" not in card.findings
    return printed.value if printed is not None and usable and printed.value > 0 else None


def _why_no_place(card: Card, score: float | None, against: Reference) -> str | None:
    if score is None:
        return "the run has no score"
    if not card.valid:
        return "the run is invalid, so it has no place among results that count"
    if against.scores is None:
        return "these runs are of several lists or of none, which are not ranked together"
    return None if against.scores.entries else "no score is known to hold it against"


def _place(card: Card, score: float, against: Reference) -> Place | None:
    """The places that the known rows allow."""
    known, own = against.scores, _own_entry(card, against)
    if known is None:
        return None
    if own is not None and own.rank is not None:
        return Place(first=own.rank, last=own.rank, entries_count=known.size, entry=own)
    if own is not None:
        others = {e.name: e.score for e in known.entries if e.name != own.label}
        known = _in_order(known.name, others)
    first, last = lists.standing(score, known)
    return Place(first=first, last=last, entries_count=known.size, entry=own)


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
    card: Card, score: float | None, others: pd.DataFrame, factor: float
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


def _own(card: Card, score: float | None) -> Iterator[tuple[str, str, float]]:
    """The figures of a run, each with its unit."""
    printed = card.printed
    for name, mean in (("bandwidth", printed.bw_gib_s), ("metadata", printed.md_kiops)):
        if mean is not None:
            yield name, _UNITS[name], mean.value
    if score is not None:
        yield "score", _UNITS["score"], score
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


def _beside(card: Card, score: float | None, against: Reference) -> Iterator[str]:
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
    if score is not None and against.scores is not None:
        entry = Figure(
            name="an entry of the list",
            value=against.scores.entries[0].score,
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
