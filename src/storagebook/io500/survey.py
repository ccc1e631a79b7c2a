"""What the public runs at hand show together: counts, distributions, what files bear out.

Nothing here ranks: the runs are of several lists or of none, and differ in hardware, protection,
version and scale. Figures that stand in no list are this book's own and unverified.
"""

from __future__ import annotations

import functools
from typing import Any

import pandas as pd

from storagebook import tables
from storagebook.io500 import public
from storagebook.io500.families import UNSTATED
from storagebook.io500.findings import CODES
from storagebook.io500.phases import BY_NAME, SCORED, Kind
from storagebook.io500.runs import PHASES, Sentence

#: Bands of processes: the first number that is in each, smallest first.
BANDS = (1, 100, 1_000, 10_000)
#: Shown where a run does not state its processes.
NO_SCALE = "not stated"
#: Final rate as a share of the rate at the stonewall below which a phase is said to have waited.
WAITED_PCT = 90.0

_FORMATS = {
    "log-2017": "2017",
    "shell": "shell script",
    "c-2020": "C, 2020",
    "c": "C, since 2021",
}
# So many runs make a median that a title may speak of.
_SEVERAL = 5
#: How many families a chart tells apart by colour.
_COLOURED = 5


# -- what was read, and what could be reproduced


def reading(runs: pd.DataFrame) -> pd.DataFrame:
    """How many runs there are of each format, and what of them could be reproduced.

    Returns
    -------
    pandas.DataFrame
        ``what``, a column for each format that there is, in the order of years, and ``all``.
    """
    marks = {
        "runs": pd.Series(True, index=runs.index),
        "score reproduced": runs.arithmetic == "agrees",
        "score reproduced, but its digits are few": runs.arithmetic == "unverifiable",
        "score not reproduced": runs.arithmetic == "disagrees",
        "hash matches": runs.integrity == "match",
        "hash does not match": runs.integrity == "mismatch",
        "no hash printed": runs.integrity == "absent",
        "configuration matches its hash": runs.config_hash == "match",
        "configuration does not match": runs.config_hash == "mismatch",
        "configuration not kept whole": runs.config_hash == "not-kept",
        "no hash of the configuration printed": runs.config_hash == "absent",
    }
    counts = pd.DataFrame(marks).groupby(runs.format).sum().T
    counts = counts[[name for name in _FORMATS if name in counts]].rename(columns=_FORMATS)
    counts["all"] = counts.sum(axis="columns")
    return counts.rename_axis("what").rename_axis(columns=None).reset_index()


def reasons(runs: pd.DataFrame) -> pd.DataFrame:
    """Why a score or hash could not be reproduced in full: ``what``, ``runs``, ``reason``."""
    found = [
        ("score", _having(runs, "too-coarse"), "its printed digits are too few to show a change"),
        ("score", _having(runs, "product-not-root"), "it is the product of the means, as printed"),
        ("score", _having(runs, "score-missing"), "no score line is printed"),
        ("hash", int((runs.integrity == "absent").sum()), "the format of its time has none"),
        (
            "hash",
            _having(runs, "hash-leaves-out-means"),
            "it matches, but does not cover bandwidth and metadata",
        ),
        (
            "configuration",
            int((runs.config_hash == "absent").sum()),
            "the format of its time has no hash of it",
        ),
        (
            "configuration",
            int((runs.config_hash == "not-kept").sum()),
            "only the submitter's own file survived, or none",
        ),
        (
            "configuration",
            _having(runs, "config-elsewhere"),
            "its hash is that of another file than config.ini",
        ),
    ]
    return pd.DataFrame([row for row in found if row[1]], columns=["what", "runs", "reason"])


def said_of_reading(runs: pd.DataFrame) -> list[Sentence]:
    """The same in words."""
    codes = _codes(runs)
    extended = sum("extended-mode" in found for found in codes)
    wrong = sum("scorex-hash-mismatch" in found for found in codes)
    differ = int((runs.arithmetic == "disagrees").sum())
    said: list[Sentence] = [
        (
            "All {runs} runs were read. The phases give the printed score in {same} of them, as "
            "closely as the printed digits can tell; {coarse} of these print so few digits that a "
            "small change would not show. {differ} differ.",
            {
                "runs": len(runs),
                "same": len(runs) - differ,
                "coarse": int((runs.arithmetic == "unverifiable").sum()),
                "differ": differ or "None",
            },
        ),
        (
            "Where a hash is printed, it is recomputed: {same} of {printed} match, and of the "
            "configurations that survived whole {config} of {kept}.",
            {
                "same": int((runs.integrity == "match").sum()),
                "printed": int((runs.integrity != "absent").sum()),
                "config": int((runs.config_hash == "match").sum()),
                "kept": int(runs.config_hash.isin(["match", "mismatch"]).sum()),
            },
        ),
    ]
    if extended:
        said.append(
            (
                "Runs that printed the extended score as well: {extended}; its hash matches in "
                "{same} of them.",
                {"extended": extended, "same": extended - wrong},
            )
        )
    return said


def findings(runs: pd.DataFrame) -> pd.DataFrame:
    """What the files show, by code: ``code``, ``meaning``, ``about``, ``severity``, ``runs``."""
    count = pd.Series([code for found in _codes(runs) for code in found]).value_counts()
    rows = [
        (code, known.meaning, known.area, known.severity, int(count[code]))
        for code, known in CODES.items()
        if code in count
    ]
    frame = pd.DataFrame(rows, columns=["code", "meaning", "about", "severity", "runs"])
    return frame.sort_values(["runs", "code"], ascending=[False, True], ignore_index=True)


def left_out(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs whose figures count in no distribution: ``run``, ``reason``."""
    rows = runs[runs.left_out.notna()]
    return pd.DataFrame(
        [
            (row.label, _twin(row, runs) or public.LEFT_OUT[row.left_out])
            for row in rows.itertuples()
        ],
        columns=["run", "reason"],
    )


def _twin(row: Any, runs: pd.DataFrame) -> str | None:
    """Whose figures a duplicate has, where that run is among these."""
    if row.left_out != "duplicate":
        return None
    figures = ["bandwidth_gib_s", "metadata_kiops", "recomputed_score"]
    same = (runs[figures] == [getattr(row, name) for name in figures]).all(axis="columns")
    names = runs[same & (runs.label != row.label)].label
    return f"the same figures as {names.iloc[0]}" if len(names) else None


def _having(runs: pd.DataFrame, code: str) -> int:
    return sum(code in found for found in _codes(runs))


def _codes(runs: pd.DataFrame) -> list[list[str]]:
    return [found.split() if isinstance(found, str) else [] for found in runs.findings]


# -- distributions


def band(procs: object) -> str:
    """The band of a number of processes.

    >>> band(62_400), band(99), band(pd.NA)
    ('10,000 and more', '1 to 99', 'not stated')
    """
    if pd.isna(procs):
        return NO_SCALE
    place = max(i for i, first in enumerate(BANDS) if i == 0 or procs >= first)
    if place == len(BANDS) - 1:
        return f"{BANDS[place]:,} and more"
    return f"{BANDS[place]:,} to {BANDS[place + 1] - 1:,}"


def by_year(runs: pd.DataFrame) -> pd.DataFrame:
    """Scores by year: ``run``, ``year``, ``score``, earliest year first."""
    known = _scored(runs).dropna(subset=["year"]).sort_values(["year", "label"])
    return _columns(known, run="label", year="year", score="score").astype({"year": str})


def by_family(runs: pd.DataFrame) -> pd.DataFrame:
    """Scores by file system: ``run``, ``family``, ``score``; the family of most runs first."""
    known = _scored(runs)
    order = _most_first(known.family)
    known = known.sort_values(
        ["family", "label"], key=lambda c: c.map(order.index) if c.name == "family" else c
    )
    return _columns(known, run="label", family="family", score="score")


def by_scale(runs: pd.DataFrame) -> pd.DataFrame:
    """Scores by band of processes: ``run``, ``processes``, ``score``; smallest band first."""
    known = _scored(runs).sort_values(["procs_count", "label"])
    frame = _columns(known, run="label", processes="procs_count", score="score")
    return frame.assign(processes=[band(count) for count in frame.processes])


def by_phase(runs: pd.DataFrame, kind: Kind) -> pd.DataFrame:
    """Results above zero of each phase of a kind: ``run``, ``phase``, and their value.

    The value is ``bandwidth_gib_s`` or ``rate_kiops``; phases are in running order.
    """
    column = "bandwidth_gib_s" if kind == "bandwidth" else "rate_kiops"
    parts = [
        pd.DataFrame({"run": runs.label, "phase": p.name, column: runs[p.name]})
        for p in SCORED
        if p.kind == kind
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame[frame[column] > 0].reset_index(drop=True)


def against_processes(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs that state their processes: ``run``, ``processes``, ``score``, ``file_system``.

    The families of most runs keep their names, all others are one group.
    """
    known = _scored(runs)
    known = known[known.procs_count > 0].sort_values("label")
    order = [name for name in _most_first(known.family) if name != UNSTATED][:_COLOURED]
    group = known.family.where(known.family.isin(order), "all others")
    known = known.assign(group=group)
    places = [*order, "all others"]
    known = known.sort_values("group", key=lambda c: c.map(places.index), kind="stable")
    frame = _columns(
        known, run="label", processes="procs_count", score="score", file_system="group"
    )
    return frame.astype({"processes": int})


def medians(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """One row a group: the group, ``runs``, ``median``, ``least``, ``most``; in the given order."""
    groups = runs.groupby(column, sort=False).score
    frame = groups.agg(runs="size", median="median", least="min", most="max")
    return frame.reset_index()


def at_one_scale(runs: pd.DataFrame) -> pd.DataFrame:
    """File systems side by side within each band of processes.

    Returns
    -------
    pandas.DataFrame
        ``processes``, ``file_system``, ``runs``, and the medians ``bandwidth_gib_s``,
        ``metadata_kiops``, ``score``; smallest band first, families by name. Only bands that hold
        more than one family, and no run that does not state its processes.
    """
    known = _scored(runs)
    known = known[known.procs_count > 0]
    known = known.assign(processes=[band(count) for count in known.procs_count])
    order = {band(first): place for place, first in enumerate(BANDS)}
    frame = (
        known.groupby(["processes", "family"])
        .agg(
            runs=("score", "size"),
            bandwidth_gib_s=("bandwidth_gib_s", "median"),
            metadata_kiops=("metadata_kiops", "median"),
            score=("score", "median"),
        )
        .reset_index()
        .rename(columns={"family": "file_system"})
    )
    several = frame.groupby("processes").file_system.transform("size") > 1
    frame = frame[several]
    return frame.sort_values(
        ["processes", "file_system"],
        key=lambda c: c.map(order) if c.name == "processes" else c,
        ignore_index=True,
    )


def most_in_each_phase(runs: pd.DataFrame) -> pd.DataFrame:
    """The highest result of each phase: ``phase``, ``value``, ``unit``, ``run``, ``family``,
    ``median`` (of all runs); phases that no run has are left out."""
    rows = []
    for phase in SCORED:
        known = runs[runs[phase.name] > 0]
        if known.empty:
            continue
        best = known.loc[known[phase.name].idxmax()]
        rows.append(
            (
                phase.name,
                float(best[phase.name]),
                phase.unit,
                best.label,
                best.family,
                float(known[phase.name].median()),
            )
        )
    return pd.DataFrame(rows, columns=["phase", "value", "unit", "run", "family", "median"])


def rank_correlation(frame: pd.DataFrame, x: str, y: str) -> float | None:
    """Spearman's rank correlation; None for fewer than three rows, or where one is constant."""
    if len(frame) < 3 or frame[x].nunique() < 2 or frame[y].nunique() < 2:
        return None
    return float(frame[x].astype(float).rank().corr(frame[y].rank()))


# -- what the charts show, in words


def said_of_years(frame: pd.DataFrame) -> str:
    """A title for scores by year: the first and the last year of several runs."""
    found = medians(frame, "year")
    several = found[found.runs >= _SEVERAL]
    found = several if len(several) > 1 else found
    first, last = found.iloc[0], found.iloc[-1]
    if len(found) == 1:
        return f"Scores of {first.year}: the median of {first.runs} is {first['median']:,.1f}"
    return (
        f"Scores by year: the median of {first.runs} is {first['median']:,.1f} in {first.year}, "
        f"of {last.runs} in {last.year} {last['median']:,.1f}"
    )


def said_of_families(frame: pd.DataFrame) -> str:
    """A title for scores by file system."""
    found = medians(frame, "family")
    named = found[found.family != UNSTATED]
    if named.empty:
        return f"Scores of {found.runs.sum()} runs whose file system is {UNSTATED}"
    most = named.iloc[0]
    return f"Scores by file system: {most.family} is named most often, by {most.runs} runs"


def said_of_scale(frame: pd.DataFrame) -> str:
    """A title for scores by band of processes."""
    found = medians(frame[frame.processes != NO_SCALE], "processes")
    if len(found) < 2:
        return "Scores of the runs by their processes"
    first, last = found.iloc[0], found.iloc[-1]
    return (
        f"Scores by processes: the median is {first['median']:,.1f} with {first.processes} "
        f"and {last['median']:,.1f} with {last.processes}"
    )


def said_of_processes(frame: pd.DataFrame) -> str:
    """A title for score against processes."""
    found = rank_correlation(frame, "processes", "score")
    if found is None:
        return f"Score against processes, {len(frame)} runs that state them"
    return f"More processes, higher score? The rank correlation of {len(frame)} runs is {found:.2f}"


def said_of_phases(runs: pd.DataFrame, kind: Kind) -> str:
    """A title for the results of a kind of phase."""
    found = most_in_each_phase(runs)
    own = found[found.phase.map(lambda name: BY_NAME[name].kind) == kind]
    spread = own.assign(times=own.value / own["median"])
    widest = spread.loc[spread.times.idxmax()]
    times = f"{widest.times:,.0f}" if widest.times >= 10 else f"{widest.times:.1f}"
    return f"In {widest.phase} the highest result is {times} times the median"


def said_of_most(frame: pd.DataFrame) -> Sentence:
    """Which runs hold the highest results."""
    count = frame.run.value_counts().to_dict()
    order = sorted(count, key=lambda name: (-count[name], name))
    names = [f"{name} in {count[name]}" for name in order]
    return (
        "The {phases} highest results are of {runs}: {names}. They are of result files, not of a "
        "list, and each run had its own size and settings.",
        {
            "phases": len(frame),
            "runs": "one run" if len(count) == 1 else f"{len(count)} runs",
            "names": ", ".join(names),
        },
    )


# -- wear-out


@functools.cache
def _stonewalls() -> pd.DataFrame:
    phases = tables.load(PHASES)
    known = phases[
        phases.phase.isin([p.name for p in SCORED if p.access == "write"])
        & (phases.stonewall > 0)
        & (phases.value > 0)
    ]
    kept = known.value / known.stonewall * 100
    return known[["submission", "run", "phase", "unit", "stonewall", "value"]].assign(kept_pct=kept)


def wear_out(runs: pd.DataFrame) -> pd.DataFrame:
    """Final rate of the write phases as a share of the rate when the stonewall hit.

    Returns
    -------
    pandas.DataFrame
        ``run``, ``phase``, ``unit``, ``at_stonewall``, ``final``, ``kept_pct``; phases in running
        order. A share above 100 % means that the phase went faster after the stonewall than
        before it, or that its clock of the stonewall started early.
    """
    known = _stonewalls().merge(runs[["submission", "run", "label"]], on=["submission", "run"])
    order = {p.name: place for place, p in enumerate(SCORED)}
    known = known.sort_values(
        ["phase", "label"], key=lambda c: c.map(order) if c.name == "phase" else c
    )
    return _columns(
        known,
        run="label",
        phase="phase",
        unit="unit",
        at_stonewall="stonewall",
        final="value",
        kept_pct="kept_pct",
    )


def wear_out_by_phase(shares: pd.DataFrame) -> pd.DataFrame:
    """``phase``, ``runs``, ``median_pct``, ``waited`` (below `WAITED_PCT`), ``least_pct``, ``run``
    (whose least it is)."""
    rows = []
    for phase, group in shares.groupby("phase", sort=False):
        least = group.loc[group.kept_pct.idxmin()]
        below = int((group.kept_pct < WAITED_PCT).sum())
        rows.append((phase, len(group), group.kept_pct.median(), below, least.kept_pct, least.run))
    return pd.DataFrame(rows, columns=["phase", "runs", "median_pct", "waited", "least_pct", "run"])


def said_of_wear_out(shares: pd.DataFrame) -> str:
    """A title for the shares."""
    below = float((shares.kept_pct < WAITED_PCT).mean() * 100)
    return (
        f"Final rate over the rate at the stonewall: below {WAITED_PCT:.0f} % in {below:.0f} % of "
        f"{len(shares)} write phases"
    )


# -- the table of all runs


def every(runs: pd.DataFrame) -> pd.DataFrame:
    """All runs, by the name of their system, then by submission.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``submission``, ``year``, ``processes``, ``score``, ``verdicts`` (what is not
        reproduced in full, or does not count; missing where all is well). Unnamed systems stand
        last, by submission and folder.
    """
    frame = pd.DataFrame(
        {
            "system": runs.system,
            "submission": runs.submission,
            "year": runs.year,
            "processes": runs.procs_count,
            "score": runs.score,
            "verdicts": [_verdicts(row) for row in runs.itertuples()],
            "run": runs.run,
        }
    )
    ordered = frame.sort_values(
        ["system", "submission", "run"],
        key=lambda c: c.str.casefold() if c.name == "system" else c,
        ignore_index=True,
    )
    return ordered.drop(columns="run")


def _verdicts(row: Any) -> str | None:
    """What a reader of a run's score should know of it, in a few words."""
    words = {
        "score differs": row.arithmetic == "disagrees",
        "few digits": row.arithmetic == "unverifiable",
        "no hash": row.integrity == "absent",
        "hash differs": row.integrity == "mismatch",
        "invalid": not row.valid,
        "duplicate": row.left_out == "duplicate",
    }
    return ", ".join(word for word, holds in words.items() if holds) or None


def chosen(runs: pd.DataFrame, selection: public.Selection) -> list[Sentence]:
    """What this edition shows, out of what there is."""
    everything = public.frame()
    return [
        (
            "The public repository held {all} submissions when {some} of them were taken from it: "
            "those whose number leaves certain remainders, some for an old format, and those that "
            "the sources speak of. The first were not chosen by their results; the last are of "
            "systems that interested an author. Together they hold {runs} runs.",
            {
                "all": public.REPOSITORY_SUBMISSIONS,
                "some": everything.submission.nunique(),
                "runs": len(everything),
            },
        ),
        (
            "This edition shows the runs {selection}. Runs: {runs}; submissions: {submissions}; "
            "counted in the distributions: {counted}.",
            {
                "selection": str(selection),
                "runs": len(runs),
                "submissions": runs.submission.nunique(),
                "counted": len(public.counted(runs)),
            },
        ),
    ]


def _scored(runs: pd.DataFrame) -> pd.DataFrame:
    return runs[runs.score > 0]


def _most_first(names: pd.Series) -> list[str]:
    """Names by how often they stand there, then by name; those that say nothing last."""
    count = names.value_counts()
    return sorted(count.index, key=lambda name: (name == UNSTATED, -count[name], name))


def _columns(frame: pd.DataFrame, **names: str) -> pd.DataFrame:
    """Some columns under other names."""
    found = frame[list(names.values())].reset_index(drop=True)
    return found.set_axis(list(names), axis="columns")
