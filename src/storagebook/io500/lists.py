"""The lists as source 000 prints them: what raw files bear out, and where a score would stand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from storagebook import compare, tables, units
from storagebook.compare import IO500, Basis, Comparison, Figure, Obtained, Refused
from storagebook.intervals import Interval
from storagebook.io500 import configured, listed, membership, runs
from storagebook.io500.configured import Setting
from storagebook.io500.membership import EDITION, PRODUCTION, RESEARCH, TEN_NODE
from storagebook.io500.phases import SCORED
from storagebook.io500.redundancy import SUMMARY
from storagebook.io500.runs import Sentence

AURORA, AURORA_TEN_NODES = "0688", "0694"
SUPERMUC_2023, SUPERMUC_2025 = "0683", "0772"

#: Runs of one installation with fewer and with more clients, equally protected.
SCALED = (
    (AURORA_TEN_NODES, AURORA),
    ("0696", "0695"),
    (SUPERMUC_2023, SUPERMUC_2025),
    ("0774", SUPERMUC_2025),
    ("0775", "0773"),
    ("0669", "0668"),
    ("0671", "0670"),
)

# Settings that say how many clients there are.
_CLIENTS = frozenset({"processes", "client nodes", "processes per node", "option nproc of find"})
_RANKS = "aurora-list-ranks"
_QUANTITIES = "io500-quantities"


# -- rows and their evidence


def evidence(table: str) -> pd.DataFrame:
    """The rows of a quoted list, each with what its result file bears out.

    Parameters
    ----------
    table
        `PRODUCTION`, `TEN_NODE`, `RESEARCH` or `EVOLUTION`.

    Returns
    -------
    pandas.DataFrame
        ``rank`` or ``release`` and ``list``, ``system``, ``file_system`` and the figures as
        printed, as far as the table has them; ``submission`` (its result file; missing where
        none is at hand), ``borne_out`` (how many of the printed figures the file confirms:
        ``5 of 5``) and ``not_borne_out`` (names of those that it does not).
    """
    texts = tables.printed(table)
    found = [_borne_out(row) for row in texts.to_dict("records")]
    added = ["submission", "borne_out", "not_borne_out"]
    frame = pd.concat([texts, pd.DataFrame(found, columns=added, index=texts.index)], axis=1)
    first = ["rank"] if "rank" in texts else ["release", "list"]
    columns = [*first, "system", "score", "bandwidth_gib_s", "metadata_kiops", *added]
    columns += ["file_system", "client_nodes_count", "procs_count"]
    columns += ["release"] if "rank" in texts else []
    return frame[[c for c in columns if c in frame]].replace("", None)


def _borne_out(row: dict[str, str]) -> tuple[str | None, str | None, str | None]:
    bw, md = row.get("bandwidth_gib_s"), row.get("metadata_kiops")
    filed = runs.listed_as(bw, md) if bw and md else pd.DataFrame()
    if len(filed) != 1:
        return None, None, None
    raw = filed.iloc[0]
    # the row was found by bandwidth and metadata; what else it prints is checked
    answers = {"BW": True, "MD": True, "score": _same_score(row["score"], raw.score)}
    for name, column in (("processes", "procs_count"), ("client nodes", "nodes_count")):
        printed = row.get(column) or row.get(f"client_{column}")
        if printed and raw[column]:
            answers[name] = int(printed.replace(",", "")) == int(raw[column])
    wrong = [name for name, answer in answers.items() if not answer]
    counted = f"{len(answers) - len(wrong)} of {len(answers)}"
    return raw.submission, counted, ", ".join(wrong) or None


def _same_score(printed: str, raw: str) -> bool:
    span = Interval.of_printed(raw, trailing_zeros=True)
    readings = (listed.as_two_decimals(printed), listed.as_six_digits(printed))
    return any(reading is not None and reading.overlaps(span) for reading in readings)


def said_of_evidence(frame: pd.DataFrame) -> list[Sentence]:
    """How many rows have a result file, and whether any figure is not borne out."""
    with_file = frame.submission.notna()
    wrong = frame[frame.not_borne_out.notna()]
    said: list[Sentence] = [
        (
            "Of {rows} rows, {files} have their result file at hand; it bears out every printed "
            "figure in {right} of them.",
            {
                "rows": len(frame),
                "files": int(with_file.sum()),
                "right": int(with_file.sum()) - len(wrong),
            },
        )
    ]
    said += [
        (
            "Not borne out for {system}: {what}.",
            {"system": row.system, "what": row.not_borne_out},
        )
        for row in wrong.itertuples()
    ]
    return said


# -- where a score would stand


@dataclass(frozen=True)
class Entry:
    """An entry of a list and the ranks that it can have.

    Attributes
    ----------
    score
        Every score that prints as the list prints it.
    least, most
        The ranks that what is stated allows, both inclusive; the same where a source states it.
    """

    name: str
    score: Interval
    least: int
    most: int


@dataclass(frozen=True)
class ListedScores:
    """What is known of a list.

    Attributes
    ----------
    name
        Release and list.
    entries
        Those that are printed, from the first down.
    size
        How many entries there are; None where no source says.
    """

    name: str
    entries: tuple[Entry, ...]
    size: int | None


def production() -> ListedScores:
    """The production list: ranked rows, and Leonardo, whose score alone is told."""
    entries = _ranked(PRODUCTION)
    quantities = tables.printed(_QUANTITIES).set_index("quantity").value
    score = listed.as_two_decimals(quantities["leonardo-score"])
    above = [e for e in entries if e.score.lo > score.hi]
    below = [e for e in entries if e.score.hi < score.lo]
    leonardo = Entry(
        "Leonardo", score, max(e.least for e in above) + 1, min(e.most for e in below) - 1
    )
    ordered = sorted((*entries, leonardo), key=lambda e: e.score.mid, reverse=True)
    size = int(quantities["production-entries"])
    return ListedScores(f"{EDITION} production", tuple(ordered), size)


def ten_node() -> ListedScores:
    """The ten-node production list, of which the source prints the first rows."""
    return ListedScores(f"{EDITION} 10 Node Production", _ranked(TEN_NODE), None)


def _ranked(table: str) -> tuple[Entry, ...]:
    numbers, texts = tables.load(table), tables.printed(table)
    return tuple(
        Entry(row.system, listed_score(text), int(row.rank), int(row.rank))
        for row, text in zip(numbers.itertuples(), texts.score, strict=True)
    )


def listed_score(text: str) -> Interval:
    """Every score that a list prints so, whichever way its column rounds."""
    two, six = listed.as_two_decimals(text), listed.as_six_digits(text)
    return two if six is None else two.hull(six)


def standing(score: float, on: ListedScores) -> tuple[int, int | None]:
    """The ranks that a score could take if it were added to a list.

    Entries whose printed score is the same are neither above nor below.

    Returns
    -------
    tuple of int
        First and last possible rank; the last is None where nothing printed stands below and no
        source says how long the list is.
    """
    above = [e for e in on.entries if score < e.score.lo]
    below = [e for e in on.entries if score > e.score.hi]
    first = 1 + max([len(above), *(e.least for e in above)])
    limits = [e.most for e in below]
    if on.size is not None:
        limits.append(on.size + 1 - len(below))
    return first, min(limits) if limits else None


def said_of_standing(score: float, on: ListedScores) -> Sentence:
    """The same as a sentence, true of any score, whether it is an entry's own or not."""
    first, last = standing(score, on)
    values = {"score": score, "list": on.name, "first": first}
    if last is None:
        text = "at rank {first} or below"
    elif last == first:
        text = "at rank {first}"
    else:
        text, values = "between ranks {first} and {last}", values | {"last": last}
    return (
        f"Added to the printed rows of the {{list}} list, a score of {{score:,.2f}} would stand "
        f"{text}. As a what-if it is *unverified*.",
        values,
    )


# -- figures compared


@dataclass(frozen=True)
class Compared:
    """A ratio that the source states, and the comparison that gives it.

    Attributes
    ----------
    what
        In words.
    line
        Of source 000.
    said
        The source's figure as printed.
    shown
        The same from raw output.
    comparison
        With its caveats; None if it is refused.
    refusal
        Why it is, if it is.
    """

    what: str
    line: int
    said: str
    shown: str
    comparison: Comparison | None = None
    refusal: str | None = None

    @property
    def beside(self) -> str:
        """What stands beside the ratio, or instead of it."""
        return self.refusal or (self.comparison.beside() if self.comparison else "")


def _claim(id: str) -> tuple[str, int]:
    """A claim's words and their line, from the ledger's own table."""
    rows = tables.printed("claims").set_index("id")
    return rows.loc[id, "printed"], int(rows.loc[id, "line"])


def stated_ratios() -> tuple[Compared, ...]:
    """The ratios between entries that the source states, each from raw output or refused."""
    aurora, helma = runs.load(AURORA), runs.load("0736")
    found = []
    for claim, what, metric in (
        ("000-md-over-helma", "MD, Aurora over Helma", "metadata"),
        ("000-bw-over-third", "BW, Aurora over Helma", "bandwidth"),
    ):
        said, line = _claim(claim)
        one = compare.ratio(*(membership.figure(r, metric, "production") for r in (aurora, helma)))
        found.append(Compared(what, line, said, f"{float(one.ratio.mid):.2f} times", one))
    share = _study(AURORA_TEN_NODES, AURORA)
    said, line = _claim("000-ten-node-share")
    percent = f"{float(share.ratio.mid) * 100:.2f} %"
    found.append(Compared("score, Aurora on ten nodes over all", line, said, percent, share))
    gain = _study(SUPERMUC_2025, SUPERMUC_2023)
    said, line = _claim("000-supermuc-gain")
    percent = f"{float(gain.change_pct.mid):+.2f} %"
    found.append(Compared("score, SuperMUC-NG at SC25 over SC23", line, said, percent, gain))
    said, line = _claim("000-research-over-production")
    refused = _refusal(_research_leader(), membership.figure(aurora, "score", "production"))
    found.append(
        Compared(
            "score, research list over production list", line, said, "not compared", None, refused
        )
    )
    return tuple(found)


def _study(a: str, b: str, metric: str = "score") -> Comparison:
    return compare.study(*(membership.figure(runs.load(s), metric) for s in (a, b)))


def _research_leader() -> Figure:
    row = tables.printed(RESEARCH).iloc[0]
    return Figure(
        name=f"score of {row.system}",
        value=listed.as_two_decimals(row.score),
        unit="score",
        basis=Basis.BENCHMARK_SCORE,
        obtained=Obtained.PROSE,
        benchmark=IO500,
        metric="score",
        system=row.system,
        list="research",
        release=EDITION,
        verified=True,
        source="000",
    )


def _refusal(a: Figure, b: Figure) -> str | None:
    refusal = compare.why_not(a, b)
    return str(refusal) if isinstance(refusal, Refused) else None


def said_of_ratios(ratios: Iterable[Compared]) -> list[Sentence]:
    """Each ratio with what the source says and with what stands beside it."""
    return [
        (
            "- *{what}*: **{raw}** (source 000, line {line}: {said}). Beside it: {beside}.",
            {
                "what": one.what,
                "raw": one.shown,
                "line": one.line,
                "said": one.said,
                "beside": one.beside,
            },
        )
        for one in ratios
    ]


def leads() -> pd.DataFrame:
    """How many times the first production entry's bandwidth and metadata are each other row's.

    Returns
    -------
    pandas.DataFrame
        ``rank``, ``system``, ``file_system``, ``bandwidth_times``, ``metadata_times``, ``beside``
        (of either ratio); the printed rows below the first.
    """
    numbers, texts = tables.load(PRODUCTION), tables.printed(PRODUCTION)
    rows = []
    for (_, row), (_, text) in zip(numbers.iterrows(), texts.iterrows(), strict=True):
        if row["rank"] == 1:
            first = (row, text)
            continue
        found = [
            compare.ratio(_row_figure(*first, metric), _row_figure(row, text, metric))
            for metric in ("bandwidth_gib_s", "metadata_kiops")
        ]
        beside = dict.fromkeys(part for one in found for part in one.beside().split("; "))
        rows.append(
            (
                int(row["rank"]),
                row.system,
                row.file_system,
                *(float(one.ratio.mid) for one in found),
                "; ".join(beside),
            )
        )
    columns = ["rank", "system", "file_system", "bandwidth_times", "metadata_times", "beside"]
    return pd.DataFrame(rows, columns=columns)


def _row_figure(row: pd.Series, text: pd.Series, column: str) -> Figure:
    return Figure(
        name="each entry",
        value=listed.as_two_decimals(text[column]),
        unit=units.unit_of_column(column),
        basis=Basis.BENCHMARK_SCORE,
        obtained=Obtained.PUBLISHED_TABLE,
        benchmark=IO500,
        metric=column.partition("_")[0],
        system=row.system,
        list="production",
        release=EDITION,
        clients=int(row.client_nodes_count),
        verified=True,
        source="000",
    )


# -- first in every phase


def phase_places(submission: str = AURORA) -> pd.DataFrame:
    """How a listed run stands in each phase among the production entries whose files are at hand.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``unit``, ``value``, ``next`` (the best of the others), ``next_value``,
        ``times``, ``at_hand`` (its place among those at hand), ``ranks`` (those that leaves on
        the whole list: ``1 to 39``), ``stated`` (the source's rank); in running order.
    """
    own = runs.load(submission)
    rows = evidence(PRODUCTION)
    others = rows[rows.submission.notna() & (rows.submission != submission)]
    loaded = {row.system: runs.load(row.submission).values() for row in others.itertuples()}
    size = production().size or len(rows)
    stated = tables.load("aurora-phases").set_index("phase")["rank"]
    found = []
    for phase in SCORED:
        value = own.values()[phase.name]
        best = max(loaded, key=lambda name: loaded[name][phase.name])
        ahead = sum(values[phase.name] > value for values in loaded.values())
        found.append(
            (
                phase.name,
                phase.unit,
                value,
                best,
                loaded[best][phase.name],
                value / loaded[best][phase.name],
                ahead + 1,
                f"{ahead + 1} to {size - (len(loaded) - ahead)}",
                int(stated[phase.name]) if submission == AURORA else None,
            )
        )
    columns = ["phase", "unit", "value", "next", "next_value", "times", "at_hand"]
    return pd.DataFrame(found, columns=[*columns, "ranks", "stated"])


# -- clients


def clients_and_scores() -> pd.DataFrame:
    """The printed production rows: ``system``, ``file_system``, ``clients``, ``procs``, ``score``.

    One row an entry, from the first down; Leonardo, of which the source tells nodes and score,
    has no number of processes.
    """
    rows = tables.load(PRODUCTION)
    quantities = tables.load(_QUANTITIES).set_index("quantity").value
    found = [
        (r.system, r.file_system, int(r.client_nodes_count), int(r.procs_count), r.score)
        for r in rows.itertuples()
    ]
    nodes, score = quantities["leonardo-client-nodes"], quantities["leonardo-score"]
    found.append(("Leonardo", None, int(nodes), None, score))
    frame = pd.DataFrame(found, columns=["system", "file_system", "clients", "procs", "score"])
    return frame.sort_values("score", ascending=False, ignore_index=True).astype({"procs": "Int64"})


def concordance(frame: pd.DataFrame) -> tuple[int, int]:
    """Pairs of entries in which the one with more clients scores more, and all pairs that differ.

    >>> concordance(pd.DataFrame({"clients": [1, 2, 3, 3], "score": [5, 7, 6, 1]}))
    (2, 5)
    """
    both = list(zip(frame.clients, frame.score, strict=True))
    differing = [
        (a, b) for a, b in itertools.combinations(both, 2) if a[0] != b[0] and a[1] != b[1]
    ]
    return sum((a[0] > b[0]) == (a[1] > b[1]) for a, b in differing), len(differing)


def scaled() -> pd.DataFrame:
    """Runs of one installation with fewer and more client processes.

    Returns
    -------
    pandas.DataFrame
        ``few``, ``many`` (submissions), ``installation``, ``procs_times``, ``score_times``,
        ``also_differs`` (what else is known to differ), ``beside``.
    """
    rows = []
    for few, many in SCALED:
        one, other = runs.load(few), runs.load(many)
        score = _study(many, few)
        rows.append(
            (
                few,
                many,
                membership.installation(one),
                float(other.facts.procs_count / one.facts.procs_count),
                float(score.ratio.mid),
                "; ".join(map(str, also_differs(few, many))) or "nothing",
                score.beside(),
            )
        )
    columns = ["few", "many", "installation", "procs_times", "score_times", "also_differs"]
    return pd.DataFrame(rows, columns=[*columns, "beside"])


def said_of_scaled(frame: pd.DataFrame) -> list[Sentence]:
    """What else differs between the runs of each row of `scaled`, and what stands beside it."""
    common, alone = compare.shared(list(frame.beside))
    said: list[Sentence] = [
        (
            "- *{few} and {many}*: what else is known to differ is {also}. Beside the ratio: "
            "{alone}.",
            {"few": row.few, "many": row.many, "also": row.also_differs, "alone": own},
        )
        for row, own in zip(frame.itertuples(), alone, strict=True)
    ]
    return [*said, ("Beside all of these ratios: {common}.", {"common": common})]


def also_differs(few: str, many: str) -> tuple[Setting, ...]:
    """What is known to differ between two runs beside the number of clients."""
    return tuple(
        one for one in configured.differences(few, many) if one.known and one.name not in _CLIENTS
    )


def scaling(few: str, many: str) -> pd.DataFrame:
    """Each phase and figure with fewer and with more clients of one installation.

    Returns
    -------
    pandas.DataFrame
        ``metric``, ``unit``, ``few``, ``many``, ``times``, and ``per_client_pct`` (what each
        client node still gets, in per cent; missing where their number is not known).
    """
    one, other = runs.load(few), runs.load(many)
    nodes = [membership.clients(run) for run in (one, other)]
    grown = nodes[1] / nodes[0] if all(nodes) else None
    rows = []
    for metric in (*(p.name for p in SCORED), *SUMMARY):
        found = _study(many, few, metric)
        times = float(found.ratio.mid)
        rows.append(
            (
                metric,
                found.a.unit,
                float(found.b.value.mid),
                float(found.a.value.mid),
                times,
                times / grown * 100 if grown else None,
            )
        )
    columns = ["metric", "unit", "few", "many", "times", "per_client_pct"]
    return pd.DataFrame(rows, columns=columns).astype({"per_client_pct": float})


# -- one release after another


def consecutive(releases: Sequence[str]) -> bool:
    """Whether releases follow each other without a gap: ISC, then SC, of one year, and so on.

    >>> consecutive(["SC23", "ISC24", "SC24"]), consecutive(["SC23", "SC24"])
    (True, False)
    """
    places = [2 * int(name[-2:]) + (0 if name.startswith("ISC") else 1) for name in releases]
    return all(b - a == 1 for a, b in itertools.pairwise(places))


def first_places() -> list[Sentence]:
    """How often, and whether without a gap, the source lists Aurora first."""
    ranks = tables.load(_RANKS)
    first = ranks[ranks["rank"] == 1]
    gap = "without a gap" if consecutive(list(first.release)) else "with a gap"
    return [
        (
            "The source lists Aurora at the first place of {count} releases, from {start} to "
            "{end}, {gap}; the list grew from {least} to {most} entries meanwhile. The entry of "
            "{end} is still the result of {result}.",
            {
                "count": len(first),
                "start": first.release.iloc[0],
                "end": first.release.iloc[-1],
                "gap": gap,
                "least": int(first.entries_count.iloc[0]),
                "most": int(first.entries_count.iloc[-1]),
                "result": tables.load(PRODUCTION).set_index("rank").release[1],
            },
        )
    ]
