"""What redundancy costs: runs of one installation with and without it, side by side.

Which run of a pair is protected follows from its object classes, whatever the order in which the
two are named. A pair is *controlled* if nothing is known to differ but the object classes; where
more differs, the change cannot be put down to them. Every change is a study in the sense of
`storagebook.compare`: it ranks nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from storagebook import compare, tables
from storagebook.compare import Comparison
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import configured, listed, membership, object_class, runs
from storagebook.io500.configured import Setting
from storagebook.io500.membership import AT_STONEWALL
from storagebook.io500.object_class import ObjectClass, Protection
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.runs import PublicRun, Sentence

#: Every pair at hand: two submissions of one installation and year, one of them protected.
PAIRS = (
    ("0688", "0695"),
    ("0694", "0696"),
    ("0668", "0670"),
    ("0669", "0671"),
    ("0683", "0684"),
    ("0772", "0773"),
    ("0774", "0775"),
    ("0776", "0770"),
)

#: The figures of a list row, and the phases.
SUMMARY = ("bandwidth", "metadata", "score")
#: What a change is taken of: the rate that is scored, or the rate when the stonewall hit.
SCORED_RATE, STONEWALL_RATE = "scored", "stonewall"


@dataclass(frozen=True)
class Pair:
    """Two public runs of one installation, one of which is protected.

    Attributes
    ----------
    protected, unprotected
        By their object classes.
    installation
        Machine and institution.
    """

    protected: PublicRun
    unprotected: PublicRun
    installation: str

    @property
    def name(self) -> str:
        """Both submissions, the protected first: ``0688/0695``."""
        return f"{self.protected.submission}/{self.unprotected.submission}"


def classes(run: PublicRun) -> dict[str, ObjectClass]:
    """Scored phase → object class of its files, for the phases whose files name one.

    Raises
    ------
    StoragebookError
        If a name is no class.
    """
    named = run.phases.set_index("phase").object_class.dropna()
    return {p.name: object_class.parse(named[p.name]) for p in SCORED if p.name in named}


def is_protected(run: PublicRun) -> bool | None:
    """Whether the files and directories of all phases outlive the loss of a target.

    None if no class is known, or only some are protected.
    """
    directories = run.phases[run.phases.phase.isin(list(BY_NAME))].dir_object_class.dropna()
    every = [*classes(run).values(), *map(object_class.parse, directories)]
    answers = {one.protection is not Protection.NONE for one in every}
    return answers.pop() if len(answers) == 1 else None


@functools.cache
def pair(one: str, other: str) -> Pair:
    """The pair that two submissions make, in either order.

    Parameters
    ----------
    one, other
        Submissions, four digits each.

    Raises
    ------
    StoragebookError
        If a submission is not at hand, they are not of one installation, or not exactly one of
        them is protected.
    """
    both = (runs.load(one), runs.load(other))
    places = [membership.installation(run) for run in both]
    if places[0] is None or places[0] != places[1]:
        raise StoragebookError(
            f"submissions {one} and {other} are not of one installation: "
            f"{places[0] or 'unknown'} and {places[1] or 'unknown'}",
            hint=_hint(),
        )
    by_answer = {is_protected(run): run for run in both}
    if by_answer.keys() != {True, False}:
        words = {True: "protected", False: "not protected", None: "not known to be either"}
        said = " and ".join(f"{run.submission} is {words[is_protected(run)]}" for run in both)
        raise StoragebookError(
            f"one run has to be protected and the other not: {said}", hint=_hint()
        )
    return Pair(by_answer[True], by_answer[False], places[0])


def _hint() -> str:
    return f"pairs at hand are {', '.join('/'.join(names) for names in PAIRS)}"


def pairs() -> tuple[Pair, ...]:
    """Every pair at hand."""
    return tuple(pair(*names) for names in PAIRS)


# -- what else differs


def settings(pair: Pair) -> tuple[Setting, ...]:
    """What is not known to be alike in how the two were run, from unprotected to protected."""
    return configured.differences(pair.unprotected.submission, pair.protected.submission)


def confounders(pair: Pair) -> tuple[Setting, ...]:
    """What is known to differ beside the object classes."""
    return tuple(one for one in settings(pair) if one.known and not one.of_class)


def is_controlled(pair: Pair) -> bool:
    """Whether, of all that the files tell, only the object classes differ."""
    return not confounders(pair) and configured.whole(*_submissions(pair))


def _submissions(pair: Pair) -> tuple[str, str]:
    return pair.unprotected.submission, pair.protected.submission


# -- what changes


def comparison(pair: Pair, metric: str) -> Comparison:
    """A figure of the protected run over that of the unprotected one.

    Raises
    ------
    storagebook.compare.Refused
        If the two may not be compared.
    StoragebookError
        If a run has no such figure.
    """
    return compare.study(
        membership.figure(pair.protected, metric), membership.figure(pair.unprotected, metric)
    )


def changes(pair: Pair) -> pd.DataFrame:
    """What the protected run loses or gains in each phase and figure of the list.

    Returns
    -------
    pandas.DataFrame
        ``metric``, ``unit``, ``object_class`` (of the protected run's files), ``unprotected``,
        ``protected``, ``change_pct``, ``unprotected_at_stonewall``, ``protected_at_stonewall``,
        ``change_at_stonewall_pct`` (missing where no file tells the rate at the stonewall);
        phases in running order, then bandwidth, metadata and score.
    """
    own = classes(pair.protected)
    rows = []
    for metric in (*(p.name for p in SCORED), *SUMMARY):
        found = comparison(pair, metric)
        wall = _at_stonewall(pair, metric)
        rows.append(
            (
                metric,
                found.a.unit,
                str(own[metric]) if metric in own else None,
                *_numbers(found),
                *(_numbers(wall) if wall else (None, None, None)),
            )
        )
    columns = ["unprotected", "protected", "change_pct"]
    walls = ["unprotected_at_stonewall", "protected_at_stonewall", "change_at_stonewall_pct"]
    frame = pd.DataFrame(rows, columns=["metric", "unit", "object_class", *columns, *walls])
    return frame.astype(dict.fromkeys(walls, float))


def _at_stonewall(pair: Pair, metric: str) -> Comparison | None:
    if metric not in BY_NAME or BY_NAME[metric].access != "write":
        return None
    both = (pair.protected, pair.unprotected)
    if any(pd.isna(run.phases.set_index("phase").stonewall[metric]) for run in both):
        return None
    return comparison(pair, metric + AT_STONEWALL)


def _numbers(found: Comparison) -> tuple[float, float, float]:
    return tuple(float(v.mid) for v in (found.b.value, found.a.value, found.change_pct))


def beside(pair: Pair) -> str:
    """What has to stand beside the changes of a pair, whichever figure they are of."""
    return comparison(pair, "score").beside()


def all_changes(pairs: Iterable[Pair], rate: str = SCORED_RATE) -> pd.DataFrame:
    """The change of each phase and figure in each pair.

    Parameters
    ----------
    rate
        `SCORED_RATE` or `STONEWALL_RATE`.

    Returns
    -------
    pandas.DataFrame
        ``pair``, ``installation``, ``controlled``, ``metric``, ``code`` (how the phase's files are
        protected, without groups: ``EC_16P1``, ``RP_2``), ``change_pct``; only what is known.
    """
    column = "change_pct" if rate == SCORED_RATE else "change_at_stonewall_pct"
    rows = []
    for one in pairs:
        codes = {phase: code(found) for phase, found in classes(one.protected).items()}
        # find walks what mdtest made, and has no class of its own
        codes.setdefault("find", codes["mdtest-easy-write"])
        for row in changes(one).itertuples():
            change = getattr(row, column)
            if pd.notna(change):
                rows.append(
                    (
                        one.name,
                        one.installation,
                        is_controlled(one),
                        row.metric,
                        codes.get(row.metric),
                        change,
                    )
                )
    return pd.DataFrame(
        rows, columns=["pair", "installation", "controlled", "metric", "code", "change_pct"]
    )


def code(found: ObjectClass) -> str:
    """How a class protects, without its groups.

    >>> code(object_class.parse("EC_16P1GX")), code(object_class.parse("RP_2G1"))
    ('EC_16P1', 'RP_2')
    """
    return str(found).rpartition("G")[0] or "none"


def ranges(changes: pd.DataFrame) -> pd.DataFrame:
    """From which to which change the pairs reach, for each phase and kind of protection.

    Parameters
    ----------
    changes
        As `all_changes` gives it.

    Returns
    -------
    pandas.DataFrame
        ``metric``, ``code``, ``pairs``, ``least_pct`` (the change furthest down), ``most_pct``,
        ``controlled`` (how many of the pairs), ``controlled_least_pct``, ``controlled_most_pct``,
        ``overhead_pct`` (the loss that the stored redundancy alone explains, if the servers'
        network or media are the limit); phases in running order.
    """
    rows = []
    for metric in (p.name for p in SCORED):
        own = changes[changes.metric == metric]
        for kind, group in own.groupby("code", sort=True):
            only = group[group.controlled].change_pct
            rows.append(
                (
                    metric,
                    kind,
                    len(group),
                    group.change_pct.min(),
                    group.change_pct.max(),
                    len(only),
                    only.min(),
                    only.max(),
                    overhead_pct(kind) if BY_NAME[metric].access == "write" else None,
                )
            )
    columns = ["metric", "code", "pairs", "least_pct", "most_pct", "controlled"]
    columns += ["controlled_least_pct", "controlled_most_pct", "overhead_pct"]
    return pd.DataFrame(rows, columns=columns).astype({"overhead_pct": float})


def overhead_pct(code: str) -> float:
    """The change of a rate whose every byte is stored with its redundancy: never above zero.

    >>> overhead_pct("RP_2"), round(overhead_pct("EC_16P1"), 4)
    (-50.0, -5.8824)
    """
    return float(object_class.parse(f"{code}GX").usable_share - 1) * 100


# -- what the source concludes


@dataclass(frozen=True)
class Statement:
    """A conclusion of the source about one pair, put so that it can be tried on any.

    Attributes
    ----------
    line
        Of source 000.
    text
        What it says of protection.
    holds
        Whether it is so, given the changes in per cent by metric, and how ior-easy's files are
        protected (``EC_16P1``).
    """

    line: int
    text: str
    holds: Callable[[Mapping[str, float], str], bool]


_SMALL_OPERATIONS = tuple(
    p.name for p in SCORED if p.kind == "metadata" and p.access in ("write", "stat", "delete")
)
STATEMENTS = (
    Statement(
        332,
        "large sequential writes lose no more than the stored parity takes",
        lambda change, easy: change["ior-easy-write"] >= overhead_pct(easy),
    ),
    Statement(
        333,
        "small writes to a shared file lose more than half",
        lambda change, _: change["ior-hard-write"] < -50,
    ),
    Statement(
        333,
        "no phase loses more than small writes to a shared file",
        lambda change, _: change["ior-hard-write"] <= min(change[p.name] for p in SCORED),
    ),
    Statement(
        334, "reads of the shared file get faster", lambda change, _: change["ior-hard-read"] > 0
    ),
    Statement(
        334,
        "neither kind of large read gets slower",
        lambda change, _: min(change["ior-easy-read"], change["ior-hard-read"]) >= 0,
    ),
    Statement(
        335,
        "metadata loses more than bandwidth",
        lambda change, _: change["metadata"] < change["bandwidth"],
    ),
    Statement(
        335,
        "creating, looking up and deleting all lose",
        lambda change, _: max(change[name] for name in _SMALL_OPERATIONS) < 0,
    ),
)


def weigh(changes: pd.DataFrame) -> pd.DataFrame:
    """In how many pairs each of `STATEMENTS` is so.

    Parameters
    ----------
    changes
        As `all_changes` gives it, by the scored rate.

    Returns
    -------
    pandas.DataFrame
        ``statement``, ``line``, ``holds`` and ``pairs``, ``controlled_holds`` and ``controlled``
        (the same of the controlled pairs), ``fails`` (names of the pairs where it is not so).
    """
    rows = []
    by_pair = dict(iter(changes.groupby("pair", sort=False)))
    for statement in STATEMENTS:
        answers = {name: _holds(statement, group) for name, group in by_pair.items()}
        only = [answers[name] for name, group in by_pair.items() if group.controlled.all()]
        failing = [name for name, answer in answers.items() if not answer]
        rows.append(
            (
                statement.text,
                statement.line,
                sum(answers.values()),
                len(answers),
                sum(only),
                len(only),
                ", ".join(failing) or None,
            )
        )
    columns = ["statement", "line", "holds", "pairs", "controlled_holds", "controlled", "fails"]
    return pd.DataFrame(rows, columns=columns)


def _holds(statement: Statement, group: pd.DataFrame) -> bool:
    by_metric = dict(zip(group.metric, group.change_pct, strict=True))
    easy = group.loc[group.metric == "ior-easy-write", "code"].iloc[0]
    return statement.holds(by_metric, easy)


# -- in words


def who(pair: Pair) -> list[Sentence]:
    """Which run is which, by its object classes, and on which list each stands."""
    said: list[Sentence] = [
        (
            "Submissions {protected} and {unprotected} are of one installation, {installation}. "
            "By the object classes in their configurations, {protected} is protected and "
            "{unprotected} is not.",
            {
                "protected": pair.protected.submission,
                "unprotected": pair.unprotected.submission,
                "installation": pair.installation,
            },
        )
    ]
    for run in (pair.protected, pair.unprotected):
        places = membership.stated(run)
        if places:
            said.append(
                (
                    "The source puts submission {submission} on a list: {places} (line {line}).",
                    {
                        "submission": run.submission,
                        "places": "; ".join(map(str, places)),
                        "line": ", ".join(str(one.line) for one in places),
                    },
                )
            )
        else:
            said.append(
                (
                    "No source at hand says which list submission {submission} was submitted to.",
                    {"submission": run.submission},
                )
            )
    return said


def control(pair: Pair) -> list[Sentence]:
    """Whether the pair is controlled, and if not, by what it is confounded."""
    unknown = [one.name for one in settings(pair) if not one.known]
    said: list[Sentence] = []
    if is_controlled(pair):
        said.append(
            (
                "Pair {pair} is *controlled*: of all that the two configurations set, paths and "
                "names of pools and containers aside, only the object classes differ.",
                {"pair": pair.name},
            )
        )
    else:
        known = [str(one) for one in confounders(pair)]
        said.append(
            (
                "Pair {pair} is *confounded*: not only the object classes differ, but also "
                "(unprotected against protected) {known}. A change between the two cannot be put "
                "down to redundancy alone.",
                {"pair": pair.name, "known": "; ".join(known)},
            )
            if known
            else (
                "Pair {pair} is not known to be controlled: a configuration is missing.",
                {"pair": pair.name},
            )
        )
    if unknown:
        said.append(
            (
                "Not told by the files of one or both: {unknown}.",
                {"unknown": ", ".join(dict.fromkeys(unknown))},
            )
        )
    return said


def outcome(pair: Pair) -> list[Sentence]:
    """The largest loss and what the stonewall shows of it, for any pair."""
    frame = changes(pair)
    phases = frame[frame.metric.isin(list(BY_NAME))]
    lowest, highest = (
        phases.loc[i] for i in (phases.change_pct.idxmin(), phases.change_pct.idxmax())
    )
    score = frame.set_index("metric").change_pct["score"]
    said: list[Sentence] = [
        (
            "From the unprotected to the protected run the score changes by {score:+.1f} %. The "
            "phases change by between {low:+.1f} % (*{lowest}*) and {high:+.1f} % (*{highest}*).",
            {
                "score": score,
                "low": lowest.change_pct,
                "lowest": lowest.metric,
                "high": highest.change_pct,
                "highest": highest.metric,
            },
        )
    ]
    walls = phases.dropna(subset="change_at_stonewall_pct")
    if not walls.empty:
        gap = (walls.change_at_stonewall_pct - walls.change_pct).abs()
        most = walls.loc[gap.idxmax()]
        said.append(
            (
                "At the stonewall, before slow processes catch up, the picture of a write phase "
                "can differ: *{phase}* changes by {wall:+.1f} % there and by {scored:+.1f} % in "
                "the rate that counts.",
                {
                    "phase": most.metric,
                    "wall": most.change_at_stonewall_pct,
                    "scored": most.change_pct,
                },
            )
        )
    return said


def capacity(pair: Pair) -> pd.DataFrame:
    """What the protected run's object classes take, beside what their phases lose.

    Returns
    -------
    pandas.DataFrame
        ``object_class``, ``used_for`` (phases or groups), ``losses``, ``usable_pct``,
        ``write_amplification``, ``least_small_write``, and the change of each write phase that
        uses it in words (``write_changes``).
    """
    change = changes(pair).set_index("metric").change_pct
    uses: dict[ObjectClass, list[str]] = {}
    for phase, found in classes(pair.protected).items():
        uses.setdefault(found, []).append(phase)
    rows = [
        (
            str(found),
            configured.groups(phases),
            found.losses,
            float(found.usable_share * 100),
            float(found.write_amplification),
            found.least_small_write,
            ", ".join(f"{p} {change[p]:+.1f} %" for p in phases if BY_NAME[p].access == "write"),
        )
        for found, phases in uses.items()
    ]
    columns = ["object_class", "used_for", "losses", "usable_pct", "write_amplification"]
    return pd.DataFrame(rows, columns=[*columns, "least_small_write", "write_changes"])


def overview(pairs: Iterable[Pair]) -> pd.DataFrame:
    """Each pair in a row: what differs beside the classes, and what the summary figures lose.

    Returns
    -------
    pandas.DataFrame
        ``pair``, ``installation``, ``lists`` (of the protected and the unprotected run),
        ``controlled``, ``also_differs``, ``bandwidth_pct``, ``metadata_pct``, ``score_pct``,
        ``beside``.
    """
    rows = []
    for one in pairs:
        change = {m: float(comparison(one, m).change_pct.mid) for m in SUMMARY}
        lists = [membership.lists(run) or "unknown" for run in (one.protected, one.unprotected)]
        rows.append(
            (
                one.name,
                one.installation,
                " / ".join(lists),
                "controlled" if is_controlled(one) else "confounded",
                "; ".join(map(str, confounders(one))) or "nothing",
                *(change[m] for m in SUMMARY),
                beside(one),
            )
        )
    columns = ["pair", "installation", "lists", "control", "also_differs"]
    return pd.DataFrame(rows, columns=[*columns, *(f"{m}_pct" for m in SUMMARY), "beside"])


def said_of_overview(frame: pd.DataFrame) -> list[Sentence]:
    """For each row of `overview`, what else differs and what stands beside its changes."""
    common, alone = compare.shared(list(frame.beside))
    said: list[Sentence] = [
        (
            "- *{pair}*, {control}: what else is known to differ (unprotected against protected) "
            "is {also}. Beside its changes: {alone}.",
            {"pair": row.pair, "control": row.control, "also": row.also_differs, "alone": own},
        )
        for row, own in zip(frame.itertuples(), alone, strict=True)
    ]
    return [*said, ("Beside all of these changes: {common}.", {"common": common})]


def both_rates(pair: Pair) -> pd.DataFrame:
    """The changes of the phases, one row a rate: ``phase``, ``rate``, ``change_pct``."""
    frame = changes(pair)
    frame = frame[frame.metric.isin(list(BY_NAME))]
    columns = {"scored rate": "change_pct", "rate at the stonewall": "change_at_stonewall_pct"}
    rows = [
        (row.metric, rate, getattr(row, column))
        for row in frame.itertuples()
        for rate, column in columns.items()
        if pd.notna(getattr(row, column))
    ]
    return pd.DataFrame(rows, columns=["phase", "rate", "change_pct"])


def choosing(ranges: pd.DataFrame) -> list[Sentence]:
    """Phases for which pairs with copies and pairs with a code are at hand, side by side."""
    said: list[Sentence] = []
    for metric, group in ranges.groupby("metric", sort=False):
        copies = group[group.code.str.startswith("RP_")]
        codes = group[group.code.str.startswith("EC_")]
        for one in copies.itertuples():
            for other in codes.itertuples():
                overlap = one.least_pct <= other.most_pct and other.least_pct <= one.most_pct
                said.append(
                    (
                        "*{metric}*: {n} pairs with {a} change by {a_least:+.1f} to {a_most:+.1f} "
                        "%, {m} with {b} by {b_least:+.1f} to {b_most:+.1f} %; the two ranges "
                        "{overlap}.",
                        {
                            "metric": metric,
                            "n": one.pairs,
                            "a": one.code,
                            "a_least": one.least_pct,
                            "a_most": one.most_pct,
                            "m": other.pairs,
                            "b": other.code,
                            "b_least": other.least_pct,
                            "b_most": other.most_pct,
                            "overlap": "overlap" if overlap else "do not overlap",
                        },
                    )
                )
    return said


def said_of_weighing(weighed: pd.DataFrame) -> list[Sentence]:
    """Which conclusions every pair bears out, and which no controlled pair does."""
    always = weighed[weighed.holds == weighed.pairs]
    never = weighed[weighed.controlled_holds == 0]
    return [
        (
            "So in every pair: {always}. So in none of the controlled pairs: {never}.",
            {
                "always": "; ".join(always.statement) or "none of them",
                "never": "; ".join(never.statement) or "none of them",
            },
        )
    ]


# -- the source's own table


def source_table() -> pd.DataFrame:
    """The source's RF0 and RF1 figures and changes, against the raw results.

    Returns
    -------
    pandas.DataFrame
        ``metric``, ``unit``, ``rf0``, ``rf1``, ``change`` (as the source prints them),
        ``raw_change_pct``, ``agrees`` (both figures and the change round to what is printed).
    """
    quoted = tables.printed("aurora-redundancy").set_index(["metric", "redundancy"])
    printed_changes = tables.printed("aurora-redundancy-change")
    pairs_of = tables.load("aurora-redundancy").drop_duplicates("redundancy")
    names = dict(zip(pairs_of.redundancy, pairs_of.submission, strict=True))
    own = pair(*(f"{int(names[kind]):04d}" for kind in ("RF1", "RF0")))
    rows = []
    for metric, change in zip(printed_changes.metric, printed_changes.change_pct, strict=True):
        found = comparison(own, metric)
        rf0, rf1 = (quoted.loc[(metric, kind), "value"] for kind in ("RF0", "RF1"))
        agrees = (
            _prints(rf0, found.b.value)
            and _prints(rf1, found.a.value)
            and Interval.of_printed(change, trailing_zeros=True).overlaps(found.change_pct)
        )
        raw = float(found.change_pct.mid)
        rows.append((metric, found.a.unit, rf0, rf1, f"{change} %", raw, agrees))
    columns = ["metric", "unit", "rf0", "rf1", "change", "raw_change_pct", "agrees"]
    return pd.DataFrame(rows, columns=columns)


def _prints(printed: str, raw: Interval) -> bool:
    spans = (listed.as_two_decimals(printed), listed.as_six_digits(printed))
    return any(span is not None and span.overlaps(raw) for span in spans)


def source_classes() -> pd.DataFrame:
    """The object classes that the source quotes for the protected run, and those of its files.

    Returns
    -------
    pandas.DataFrame
        ``part``, ``quoted``, ``used``, ``agrees``.
    """
    phases = runs.load("0688").phases.set_index("phase")
    where = {
        "ior-easy": ("ior-easy-write", "object_class"),
        "ior-hard": ("ior-hard-write", "object_class"),
        "mdtest files": ("mdtest-easy-write", "object_class"),
        "mdtest-hard directory": ("mdtest-hard-write", "dir_object_class"),
        "mdtest-easy directories": ("mdtest-easy-write", "dir_object_class"),
    }
    quoted = tables.printed("aurora-object-classes")
    rows = [
        (part, name, used, name == used)
        for part, name in zip(quoted.part, quoted.object_class, strict=True)
        for used in [phases.loc[where[part][0], where[part][1]]]
    ]
    return pd.DataFrame(rows, columns=["part", "quoted", "used", "agrees"])
