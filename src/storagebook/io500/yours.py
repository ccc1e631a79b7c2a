"""A reader's own run: what its files bear out, where it stands, what would raise its score.

Everything is said of one run, read from its files or taken from the tables of public submissions. A
result that stands on no list is *unverified* in the sense of IO500's rules, whatever its files bear
out, and what deviates from the official execution is stated with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from storagebook.compare import Refused
from storagebook.errors import StoragebookError
from storagebook.io500 import public
from storagebook.io500.card import Card, in_order
from storagebook.io500.changed import described
from storagebook.io500.findings import CODES, Finding
from storagebook.io500.phases import BY_NAME, SCORED, STONEWALL_S, STONEWALL_STUDENT_S, Kind
from storagebook.io500.rules import Checked
from storagebook.io500.runs import RATIOS, Sentence
from storagebook.io500.score import elasticity, gain
from storagebook.io500.standing import (
    QUOTED,
    FigureStanding,
    Reference,
    Standing,
    reference,
    same_scale,
    stand,
)
from storagebook.io500.standing_report import place_text

#: What a run is called in the charts, whatever its folder is called.
THIS_RUN = "this run"
#: So many runs of the same scale make a median that is worth aiming at.
LEAST_PEERS = 5
#: Reads this many times as fast as the writes of the same files are worth a question.
_FAST_READ = 3.0

_ARITHMETIC = {
    "agrees": "The phases give the printed score: its digits allow the recomputed figures.",
    "unverifiable": (
        "The phases give the printed score as far as its digits go, but these are too few to show "
        "a small change."
    ),
    "disagrees": "The phases do **not** give the printed score: see the findings below.",
    "absent": "There is no score line that the phases could be held against.",
}
_INTEGRITY = {
    "match": (
        "The hash that the program printed is that of the printed figures: the text was not edited "
        "after the run. It says nothing about how the run was made."
    ),
    "mismatch": (
        "Copies of the figures, or the hash and the figures, do **not** fit each other: see the "
        "findings below."
    ),
    "absent": "No hash is printed, so nothing tells whether the text was edited after the run.",
}


# -- what the files bear out


def verdict(card: Card, checked: Checked | None) -> list[Sentence]:
    """Whether score, hash and rules hold, and how the result has to be called."""
    said: list[Sentence] = [
        ("This edition reads {name}: {described}.", _named(card)),
        *((text, {}) for text in _verdicts(card, checked)),
    ]
    if card.valid:
        said.append(("By the files' own marks and the benchmark's rules, the run counts.", {}))
    else:
        said.append(
            ("By the files' own marks and the benchmark's rules, the run does **not** count.", {})
        )
    return [*said, _called(card)]


def _named(card: Card) -> dict[str, object]:
    return {"name": card.name, "described": described(card)}


def _verdicts(card: Card, checked: Checked | None) -> tuple[str, str]:
    if checked is not None:
        return _ARITHMETIC[checked.verdicts.arithmetic], _INTEGRITY[checked.verdicts.integrity]
    rows = public.frame()
    row = rows[rows.submission + "/" + rows.run == card.key.removeprefix("submission-")].iloc[0]
    return _ARITHMETIC[row.arithmetic], _INTEGRITY[row.integrity]


def _called(card: Card) -> Sentence:
    """How IO500's rules want the result to be called, with its deviations."""
    if card.known["verified"]:
        return (
            "A source puts this result on the {lists} list ({release}), so its list columns may be "
            "called *verified* there; what is derived from them here is *unverified*.",
            {"lists": card.known["list"], "release": card.known["release"]},
        )
    deviations = list(_deviations(card))
    if not deviations:
        return ("The result is **unverified**: no source at hand puts it on a list.", {})
    return (
        "The result is **unverified**: no source at hand puts it on a list. It deviates from the "
        "official execution: {deviations}.",
        {"deviations": "; ".join(deviations)},
    )


def _deviations(card: Card) -> Iterator[str]:
    """Where a run is known to differ from what the rules ask."""
    for code in card.findings:
        if code in (
            *("phase-missing", "phase-zero", "write-too-short", "stonewall-differs"),
            *("student-mode", "not-a-release", "marked-invalid"),
        ):
            yield CODES[code].meaning


def score_table(card: Card, checked: Checked | None) -> pd.DataFrame:
    """BW, MD and score: ``figure``, ``printed``, ``recomputed``, ``unit``; missing where there is
    none."""
    found = checked.recomputed if checked is not None else card.score()
    rows = []
    for name, part, unit in (
        ("BW", "bw_gib_s", "GiB/s"),
        ("MD", "md_kiops", "kIOP/s"),
        ("score", "score", ""),
    ):
        printed = getattr(card.printed, part)
        recomputed = None if found is None else getattr(found, part)
        rows.append((name, printed.text if printed else None, recomputed, unit))
    frame = pd.DataFrame(rows, columns=["figure", "printed", "recomputed", "unit"])
    return frame.astype({"recomputed": float})


def results(card: Card) -> pd.DataFrame:
    """The phases in running order, then the others: ``phase``, ``printed``, ``unit``,
    ``duration_s``, ``counts`` (``yes``, ``marked invalid``, ``not scored``)."""
    rows = []
    for name in in_order(card.phases):
        phase = card.phases[name]
        counts = "yes" if phase.valid and phase.name in BY_NAME else "not scored"
        rows.append(
            (
                name,
                phase.value.text,
                phase.unit,
                phase.seconds.value if phase.seconds else None,
                counts if phase.valid else "marked invalid",
            )
        )
    columns = ["phase", "printed", "unit", "duration_s", "counts"]
    return pd.DataFrame(rows, columns=columns).astype({"duration_s": float})


def findings(card: Card, checked: Checked | None) -> pd.DataFrame:
    """What the files show: ``severity``, ``finding``; errors first.

    A finding names file and line within the run's folder, and its code; for a run of the tables
    only the code is known.
    """
    order = ("error", "warning", "note")
    if checked is not None:
        rows = [(f.severity, f"{_where(f, card)}: {f.text} [{f.code}]") for f in checked.findings]
    else:
        rows = [(CODES[c].severity, f"{CODES[c].meaning} [{c}]") for c in card.findings]
    rows.sort(key=lambda row: order.index(row[0]))
    return pd.DataFrame(rows, columns=["severity", "finding"])


def _where(found: Finding, card: Card) -> str:
    file = found.file.removeprefix(f"{card.name}/")
    return f"{file}:{found.line}" if found.line else file


def in_plain_words(card: Card) -> list[Sentence]:
    """What a reader should know before quoting a figure of this run."""
    said = [*_short_writes(card), *_cached_reads(card)]
    unscored = [name for name in in_order(card.phases) if name not in BY_NAME]
    if unscored:
        said.append(
            ("- **Beside the score.** Not part of it: {phases}.", {"phases": ", ".join(unscored)})
        )
    if card.settings.get("find_external"):
        text = "- **Another find.** The find phase ran a script, not the program's own search."
        said.append((text, {}))
    return said or [("Nothing in the files asks for a word of warning.", {})]


def _short_writes(card: Card) -> Iterator[Sentence]:
    least = STONEWALL_STUDENT_S if card.settings.get("student_cluster") else STONEWALL_S
    short = [
        f"{name} {phase.seconds.value:,.1f} s"
        for name, phase in card.phases.items()
        if name in BY_NAME
        and BY_NAME[name].access == "write"
        and phase.seconds is not None
        and phase.seconds.value < least
    ]
    if short:
        yield (
            "- **Write phases too short to count.** The rules ask for {least} s: {phases}. A short "
            "write can fit into caches that a full one would overflow.",
            {"least": least, "phases": ", ".join(short)},
        )


def _cached_reads(card: Card) -> Iterator[Sentence]:
    """Reads that may not have come from the storage."""
    values = card.values
    fast = [
        (group, values[f"{group}-read"] / values[f"{group}-write"])
        for group in ("ior-easy", "ior-hard")
        if values.get(f"{group}-write", 0) > 0 and f"{group}-read" in values
    ]
    times = ", ".join(f"{group} {ratio:.1f}" for group, ratio in fast)
    direct = card.phases["ior-easy-read"].settings.get("direct_io") if fast else None
    if card.settings.get("nodes_count") == 1 and fast and direct is not True:
        yield (
            "- **Reads may come from the page cache.** The benchmark lets a process read what a "
            "process on another node wrote. With one client node there is no other, so its own "
            "memory can answer. Reads over writes: {times}.",
            {"times": times},
        )
    elif any(ratio > _FAST_READ for _, ratio in fast):
        yield (
            "- **Reads far above writes.** Reads over writes: {times}. Caches can do that, and so "
            "can protection that costs writes only; the files do not say which.",
            {"times": times},
        )
    if "short-read" in card.findings:
        yield (
            "- **Short reads.** A read phase is so short that caches may have served it; the "
            "findings name it.",
            {},
        )


# -- where it stands


def among(card: Card, reference: Reference, kind: Kind) -> pd.DataFrame:
    """The results of each phase of a kind among those of the public runs, and this run's.

    Returns
    -------
    pandas.DataFrame
        ``run``, ``phase``, and ``bandwidth_gib_s`` or ``rate_kiops``; results above zero, phases
        in running order.
    """
    column = "bandwidth_gib_s" if kind == "bandwidth" else "rate_kiops"
    parts = []
    for phase in SCORED:
        if phase.kind != kind or reference.runs is None:
            continue
        # the run may be one of them: it is drawn once
        others = reference.runs[reference.runs.label != _label(card, reference)]
        rows = [(row, value) for row, value in zip(others.label, others[phase.name], strict=True)]
        if phase.name in card.values:
            rows.append((THIS_RUN, card.values[phase.name]))
        parts.append(pd.DataFrame(rows, columns=["run", column]).assign(phase=phase.name))
    frame = pd.concat(parts, ignore_index=True)
    return frame[frame[column] > 0].reset_index(drop=True)[["run", "phase", column]]


def _label(card: Card, reference: Reference) -> str | None:
    """What the run is called among the public runs, if it is one."""
    if reference.runs is None or "submission" not in reference.runs:
        return None
    rows = reference.runs
    own = rows[rows.submission + "/" + rows.run == card.key.removeprefix("submission-")]
    return None if own.empty else str(own.iloc[0].label)


def percentiles(found: Standing) -> pd.DataFrame:
    """``figure``, ``result``, ``unit``, ``percentile``, ``runs``, and where any run is of the same
    scale ``same_percentile``, ``same_runs``."""
    rows = [
        (f.name, f.value, f.unit, f.percentile, f.count, f.same_percentile, f.same_count)
        for f in found.figures
    ]
    columns = ["figure", "result", "unit", "percentile", "runs", "same_percentile", "same_runs"]
    frame = pd.DataFrame(rows, columns=columns)
    frame = frame.astype({"percentile": float, "same_percentile": float})
    return frame if frame.same_runs.any() else frame[columns[:-2]]


def standing_title(found: Standing, kind: Kind) -> str:
    """A title for a run among others, by kind of phase."""
    own = [
        f
        for f in found.figures
        if f.name in BY_NAME and BY_NAME[f.name].kind == kind and f.percentile is not None
    ]
    if not own:
        return f"The {kind} phases of the public runs"
    low, high = (pick(own, key=lambda f: f.percentile) for pick in (min, max))
    if low.percentile == high.percentile:
        return f"In {low.name} this run is above {_share(low)} of the public runs"
    return (
        f"This run is above {_share(low)} of the public runs in {low.name}, "
        f"above {_share(high)} in {high.name}"
    )


def _share(figure: FigureStanding) -> str:
    """A percentile as text, with a decimal where whole ones would say none or all."""
    value = figure.percentile or 0.0
    return f"{value:.1f} %" if 0 < value < 1 or 99 < value < 100 else f"{value:.0f} %"


def said_of_scale(found: Standing) -> list[Sentence]:
    """Which public runs are of the same scale, or that none is."""
    scale = found.scale
    if scale is None or scale.procs is None:
        return [("The files do not tell how many processes ran, so no scale can be compared.", {})]
    said: list[Sentence] = [
        (
            "Of the same scale are runs within a factor of {factor:.1f}: {scale}. {unknown} public "
            "runs do not state their processes and are left out.",
            {"factor": scale.factor, "scale": str(scale), "unknown": scale.unknown_count},
        )
    ]
    if scale.same_count:
        said.append(("Public runs at hand of the same scale: {same}.", {"same": scale.same_count}))
    elif scale.nearest is not None:
        said.append(
            (
                "No public run at hand is of the same scale. The nearest is {run}, with {procs:,} "
                "processes.",
                {"run": scale.nearest[0], "procs": scale.nearest[1]},
            )
        )
    return said


def neighbours(card: Card, reference: Reference, factor: float) -> pd.DataFrame:
    """The public runs of the same scale, in the order of their names: ``run``, ``file_system``,
    ``year``, ``processes``, ``bandwidth_gib_s``, ``metadata_kiops``, ``score``."""
    rows = same_scale(card, reference, factor).sort_values("label", ignore_index=True)
    frame = rows[
        ["label", "family", "year", "procs_count", "bandwidth_gib_s", "metadata_kiops", "score"]
    ]
    return frame.rename(
        columns={"label": "run", "family": "file_system", "procs_count": "processes"}
    )


def said_of_lists(card: Card) -> list[Sentence]:
    """Where the run would stand in the lists that the source prints, or why nowhere."""
    said: list[Sentence] = []
    for name in QUOTED:
        against = reference(name)
        try:
            told = place_text(stand(card, against))
        except Refused as refusal:
            told = str(refusal)
        name = against.name if against.scores is None else against.scores.name
        said.append(("- **{list} list** — {told}.", {"list": name, "told": told}))
    return said


# -- ratios, and what would raise the score


def ratios(card: Card, reference: Reference) -> pd.DataFrame:
    """Pairs of phases of the run, beside the same pairs of the public runs.

    Returns
    -------
    pandas.DataFrame
        ``ratio``, ``numerator``, ``denominator``, ``times``, ``median`` (of the public runs) and
        ``percentile`` (share of them whose ratio is lower).
    """
    rows = []
    for name, over, under in RATIOS:
        values = card.values
        if values.get(under, 0) <= 0 or values.get(over, 0) <= 0:
            continue
        times = values[over] / values[under]
        others = _public_ratio(reference, over, under)
        lower = float((others < times).mean() * 100) if len(others) else None
        median = float(others.median()) if len(others) else None
        rows.append((name, over, under, times, median, lower))
    columns = ["ratio", "numerator", "denominator", "times", "median", "percentile"]
    return pd.DataFrame(rows, columns=columns).astype({"median": float, "percentile": float})


def _public_ratio(reference: Reference, over: str, under: str) -> pd.Series:
    if reference.runs is None:
        return pd.Series(dtype=float)
    known = reference.runs[(reference.runs[over] > 0) & (reference.runs[under] > 0)]
    return known[over] / known[under]


def beside_the_public(table: pd.DataFrame) -> pd.DataFrame:
    """`ratios` for the chart: ``ratio``, ``times``, ``of`` (this run, median of the public)."""
    own = table[["ratio", "times"]].assign(of=THIS_RUN)
    others = table[["ratio", "median"]].rename(columns={"median": "times"})
    frame = pd.concat([own, others.assign(of="median of the public runs")])
    order = {name: place for place, name in enumerate(table.ratio)}
    return frame.sort_values("ratio", key=lambda c: c.map(order), kind="stable", ignore_index=True)


def ratio_title(table: pd.DataFrame) -> str:
    """A title for the ratios: the one that is furthest from the median of the public runs."""
    apart = table.assign(apart=(table.times / table["median"]).map(lambda x: max(x, 1 / x)))
    most = apart.loc[apart.apart.idxmax()]
    return (
        f"Furthest from the public runs: {most.ratio}, {most.times:.2f} here, "
        f"{most['median']:.2f} in their median"
    )


@dataclass(frozen=True)
class Peers:
    """The runs whose medians a run is held against.

    Attributes
    ----------
    runs
        Those of the same scale if there are `LEAST_PEERS` of them, else all public runs at hand.
    """

    runs: pd.DataFrame
    of_same_scale: bool

    def __str__(self) -> str:
        scale = " of the same scale" if self.of_same_scale else ""
        return f"the {len(self.runs)} public runs{scale}"


def peers(card: Card, reference: Reference, factor: float) -> Peers:
    """The runs to aim at.

    Raises
    ------
    StoragebookError
        If the reference tells no phases.
    """
    close = same_scale(card, reference, factor)
    if len(close) >= LEAST_PEERS or reference.runs is None:
        return Peers(close, of_same_scale=True)
    return Peers(reference.runs, of_same_scale=False)


def levers(card: Card, others: Peers) -> pd.DataFrame:
    """What each phase is worth in the score, and what it would bring at the median of its peers.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``value``, ``unit``, ``elasticity`` (per cent of the score for one per cent of
        the phase), ``median``, ``at_median_pct`` (more score if the phase alone reached the
        median; missing where it is above it), the largest gain first.

    Raises
    ------
    StoragebookError
        If the run has no score to raise.
    """
    values = card.values
    if not card.complete:
        raise StoragebookError(f"{card.name} has no score to raise")
    rows = []
    for phase in SCORED:
        median = float(others.runs[phase.name].median())
        factor = median / values[phase.name]
        rows.append(
            (
                phase.name,
                values[phase.name],
                phase.unit,
                float(elasticity(phase.name, values)),
                median,
                (gain(phase.name, factor, values) - 1) * 100 if factor > 1 else None,
            )
        )
    columns = ["phase", "value", "unit", "elasticity", "median", "at_median_pct"]
    frame = pd.DataFrame(rows, columns=columns).astype({"at_median_pct": float})
    return frame.sort_values("at_median_pct", ascending=False, ignore_index=True, kind="stable")


def said_of_levers(frame: pd.DataFrame, others: Peers) -> Sentence:
    """The phase whose rise to the median of its peers would raise the score most."""
    below = frame[frame.at_median_pct.notna()]
    if below.empty:
        return (
            "Each phase is at or above the median of {peers}. What is left is the weight: the same "
            "gain in per cent brings twice as much in an IOR phase as in any other.",
            {"peers": str(others)},
        )
    most = below.iloc[0]
    return (
        "The largest gain: *{phase}*. At the median of {peers} ({median:,.2f} {unit}, here "
        "{value:,.2f}) it alone would raise the score by {gain:,.1f} %.",
        {
            "phase": most.phase,
            "peers": str(others),
            "median": most["median"],
            "unit": most.unit,
            "value": most.value,
            "gain": most.at_median_pct,
        },
    )


# -- stragglers


def stragglers(path: Path | None) -> pd.DataFrame:
    """How long each phase waited for its slow ranks, where the files of the ranks are there.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``ranks``, ``fastest_s``, ``median_s``, ``slowest_s``, ``wait_s`` (for the
        slowest one per cent of the ranks, one at least), ``wait_pct`` of the phase, ``idle_pct``
        of all ranks' time; phases in running order. Phases whose times were taken behind a barrier
        are left out: they tell nothing.
    """
    from storagebook.readers import ranks

    columns = ["phase", "ranks", "fastest_s", "median_s", "slowest_s", "wait_s", "wait_pct"]
    columns.append("idle_pct")
    if path is None:
        return pd.DataFrame(columns=columns)
    found = ranks.table(path)
    found = found[~found.alike.astype(bool)].rename(columns={"ranks_count": "ranks"})
    order = in_order(found.phase)
    found = found.sort_values("phase", key=lambda c: c.map(order.index), ignore_index=True)
    return found[columns]


def said_of_stragglers(frame: pd.DataFrame) -> Sentence:
    """Which phase waited longest."""
    if frame.empty:
        return (
            "No file tells what each rank did, or all were timed behind a barrier. IOR and mdtest "
            "write such files if the configuration asks for them (saveRankPerformanceDetails).",
            {},
        )
    most = frame.loc[frame.wait_s.idxmax()]
    return (
        "Longest waited *{phase}*: {wait:.2f} s of {slowest:.2f} s, or {pct:.1f} %, for the "
        "slowest of its {ranks} ranks.",
        {
            "phase": most.phase,
            "wait": most.wait_s,
            "slowest": most.slowest_s,
            "pct": most.wait_pct,
            "ranks": int(most.ranks),
        },
    )
