"""Inferences about protection, ratios of phases and scale, weighed on every public run that can."""

from __future__ import annotations

import datetime
import functools

from storagebook.checks import raw
from storagebook.claims import Inputs, check
from storagebook.intervals import Interval
from storagebook.io500 import lists, redundancy
from storagebook.io500.phases import METADATA, SCORED
from storagebook.io500.redundancy import Pair
from storagebook.quantities import DOCUMENTS, RAW, Quantity
from storagebook.verdicts import Argument, Fact

_BOTH = RAW | DOCUMENTS

HELMA, SHAHEEN = "0736", "0691"
#: Runs on Lustre, EXAScaler among them, with more than ten thousand processes.
LUSTRE_RUNS = (HELMA, SHAHEEN, "0645", "0726")
#: Aurora's four public runs: full and on ten nodes, protected and not.
AURORA_RUNS = (
    raw.AURORA,
    raw.AURORA_UNPROTECTED,
    raw.AURORA_TEN_NODES,
    "0696",
)
# The settings that protection is.
_CLASSES = ("object_class", "dir_object_class")
_READS = ("ior-easy-read", "ior-hard-read", "mdtest-hard-read")
#: A fall within so many per cent is none that one sample can show.
_MARGIN_PCT = 1
#: How far apart two rates are that "hardly" differ.
_HARDLY = 1.3


def _change(pair: Pair, metric: str) -> Interval:
    return _change_of(pair.protected.submission, pair.unprotected.submission, metric)


@functools.cache
def _change_of(protected: str, unprotected: str, metric: str) -> Interval:
    return redundancy.comparison(redundancy.pair(protected, unprotected), metric).change_pct


def _controlled() -> list[Pair]:
    return [pair for pair in redundancy.pairs() if redundancy.is_controlled(pair)]


def _told(pairs: list[Pair], metric: str) -> str:
    return ", ".join(f"{p.name} {float(_change(p, metric).mid):+.1f} %" for p in pairs)


@check("sequential-writes-unharmed")
def sequential_writes_unharmed(inputs: Inputs) -> Argument:
    """Large sequential writes lose hardly anything to an erasure code."""
    beyond = [pair for pair in _controlled() if _loses_more_than_parity(pair)]
    sizes = sorted({_transfer_mib(inputs, pair.protected.submission) for pair in beyond})
    return Argument(
        [raw.nothing_else(inputs, raw.AURORA, raw.AURORA_UNPROTECTED, but=_CLASSES)],
        [
            Fact(
                "pairs that differ in object classes alone lose more than the stored parity takes "
                f"({_told(beyond, 'ior-easy-write') or 'none'}), with transfers of "
                f"{', '.join(map(str, sizes)) or 'no'} MiB, here "
                f"{_transfer_mib(inputs, raw.AURORA)} MiB",
                bool(beyond),
                RAW,
            )
        ],
    )


def _transfer_mib(inputs: Inputs, submission: str) -> int:
    return int(raw.settings(inputs, submission, "ior-easy-write")["transfer_b"]) // 2**20


def _loses_more_than_parity(pair: Pair) -> bool:
    code = redundancy.code(redundancy.classes(pair.protected)["ior-easy-write"])
    return bool(_change(pair, "ior-easy-write").hi < redundancy.overhead_pct(code))


@check("hardest-hit")
def hardest_hit(inputs: Inputs) -> Argument:
    """No phase loses more to protection than small writes to a shared file."""
    own = _loss(inputs, "ior-hard-write")
    worse = [p.name for p in SCORED if _loss(inputs, p.name).value.hi < own.value.lo]
    told = ", ".join(f"{name} {float(_loss(inputs, name).value.mid):+.1f} %" for name in worse)
    return Argument(
        counter=[
            Fact(
                f"in the same pair other phases lose more than its "
                f"{float(own.value.mid):+.1f} % ({told or 'none'})",
                bool(worse),
                RAW,
            )
        ]
    )


def _loss(inputs: Inputs, what: str) -> Quantity:
    before = raw.figure(inputs, raw.AURORA_UNPROTECTED, what)
    return raw.figure(inputs, raw.AURORA, what).change_from(before)


@check("reads-unharmed")
def reads_unharmed(inputs: Inputs) -> Argument:
    """Protection costs no reading phase anything, in Aurora's pair nor in controlled ones."""
    facts = [raw.nothing_else(inputs, raw.AURORA, raw.AURORA_UNPROTECTED, but=_CLASSES)]
    for phase in _READS:
        change = _loss(inputs, phase).value
        facts.append(
            Fact(f"{phase} does not fall ({float(change.mid):+.1f} %)", change.lo >= 0, RAW)
        )
    for phase in _READS:
        least = min(_change(pair, phase).lo for pair in _controlled())
        facts.append(
            Fact(
                f"{phase} does not fall by more than {_MARGIN_PCT} % in pairs that differ in "
                f"object classes alone ({_told(_controlled(), phase)})",
                least >= -_MARGIN_PCT,
                RAW,
            )
        )
    return Argument(facts)


@check("reads-mixed")
def reads_mixed(inputs: Inputs) -> Argument:
    """The faster reads of the pair cannot be put down to protection."""
    known, _ = raw.differences(inputs, raw.AURORA, raw.AURORA_UNPROTECTED, but=_CLASSES)
    faster = [pair for pair in _controlled() if _change(pair, "ior-hard-read").lo > 0]
    return Argument(
        [
            Fact(f"other settings differ as well ({raw.examples(known)})", bool(known), RAW),
            Fact(
                "no pair that differs in object classes alone is faster in ior-hard-read with "
                "protection "
                f"({_told(_controlled(), 'ior-hard-read')})",
                not faster,
                RAW,
            ),
        ]
    )


@check("every-operation-pays")
def every_operation_pays(inputs: Inputs) -> Argument:
    """Creating, looking up and deleting each pay for protection."""
    names = [p.name for p in METADATA if p.access in ("write", "stat", "delete")]
    free = [name for name in names if _loss(inputs, name).value.lo >= 0]
    told = ", ".join(f"{name} {float(_loss(inputs, name).value.mid):+.1f} %" for name in free)
    rising = [
        f"{pair.name} {name} {float(_change(pair, name).mid):+.1f} %"
        for pair in _controlled()
        for name in names
        if _change(pair, name).lo > 0
    ]
    return Argument(
        counter=[
            Fact(f"some of them lose nothing in this pair ({told or 'none'})", bool(free), RAW),
            Fact(
                "nor in pairs that differ in object classes alone "
                f"({raw.examples(rising) or 'none'})",
                bool(rising),
                RAW,
            ),
        ]
    )


@check("unprotected-is-the-limit")
def unprotected_is_the_limit(inputs: Inputs) -> Argument:
    """The run without redundancy shows what the hardware can do at most."""
    beaten = [p.name for p in SCORED if _loss(inputs, p.name).value.lo > 0]
    return Argument(
        counter=[
            Fact(
                f"the protected run is faster in {', '.join(beaten) or 'no phase'}",
                bool(beaten),
                RAW,
            )
        ]
    )


@check("protected-only")
def protected_only(inputs: Inputs) -> Argument:
    """The production list takes the protected result, not the other."""
    asks = inputs.row("io500-lists", list="production")["asks"]
    lists_of = {
        row["redundancy"]: row["list"] for row in inputs.rows("aurora-redundancy", metric="score")
    }
    return Argument(
        [
            Fact("the production list asks for redundancy", "redundancy is on" in asks, DOCUMENTS),
            Fact(
                f"the protected result stands on the {lists_of['RF1']} list, the other on the "
                f"{lists_of['RF0']} list",
                (lists_of["RF1"], lists_of["RF0"]) == ("production", "research"),
                DOCUMENTS,
            ),
        ]
    )


@check("not-a-controlled-experiment")
def not_a_controlled_experiment(inputs: Inputs) -> Argument:
    """Entries that are compared per server differ in more than their servers."""
    rows = inputs.rows("io500-per-server")
    counts = {row["client_nodes_count"] for row in rows if row["client_nodes_count"]}
    classes = {
        raw.settings(inputs, submission, "ior-hard-write")["object_class"]
        for submission in (raw.AURORA, raw.SUPERMUC_2023, raw.SUPERMUC_2025)
    }
    return Argument(
        [
            Fact(f"clients differ ({', '.join(sorted(counts))})", len(counts) > 1, DOCUMENTS),
            Fact(f"protection differs ({', '.join(sorted(classes))})", len(classes) > 1, RAW),
        ]
    )


@check("largest-easy-over-hard")
def largest_easy_over_hard(inputs: Inputs) -> Argument:
    """Small writes to a shared file are the hardest path: no easy-over-hard ratio is larger."""
    pairs = [
        (p.name, p.name.replace("-easy", "-hard"))
        for p in SCORED
        if p.group in ("ior-easy", "mdtest-easy")
    ]
    ratios = {
        hard: (raw.figure(inputs, raw.AURORA, easy) / raw.figure(inputs, raw.AURORA, hard)).value
        for easy, hard in pairs
    }
    own = ratios.pop("ior-hard-write")
    told = ", ".join(f"{name} {float(value.mid):.2f}" for name, value in ratios.items())
    return Argument(
        [
            Fact(
                f"easy over hard is {float(own.mid):.2f} for it and less for the others ({told})",
                all(value.hi < own.lo for value in ratios.values()),
                RAW,
            )
        ]
    )


@check("reads-hardly-affected")
def reads_hardly_affected(inputs: Inputs) -> Argument:
    """A shared file hardly slows reads on this machine, as lock-free reads would have it."""
    ratios = {
        submission: raw.figure(inputs, submission, "ior-easy-read")
        / raw.figure(inputs, submission, "ior-hard-read")
        for submission in AURORA_RUNS
    }

    def access(submission: str) -> str:
        phases = ("ior-easy-read", "ior-hard-read")
        used = {raw.settings(inputs, submission, phase)["access"] for phase in phases}
        return "both one shared file" if used == {"single-shared-file"} else " and ".join(used)

    return Argument(
        [
            Fact(
                f"easy over hard, {access(submission)}, is {float(ratio.value.mid):.2f} in "
                f"submission {submission}",
                ratio.value.hi <= _HARDLY,
                RAW,
            )
            for submission, ratio in ratios.items()
        ]
    )


def _stat_ratio(inputs: Inputs, submission: str) -> Quantity:
    hard = raw.figure(inputs, submission, "mdtest-hard-stat")
    return hard / raw.figure(inputs, submission, "mdtest-easy-stat")


@check("no-hot-directory")
def no_hot_directory(inputs: Inputs) -> Argument:
    """A shared directory is no hot spot here because there is no central metadata server."""
    own, other = (_stat_ratio(inputs, submission) for submission in (raw.AURORA, SHAHEEN))
    return Argument(
        [
            Fact(
                f"lookups in the shared directory are no slower ({float(own.value.mid):.2f})",
                own.value.lo >= 1,
                RAW,
            ),
            Fact(
                "on a file system with metadata servers they are slower (Shaheen III, Lustre: "
                f"{float(other.value.mid):.2f})",
                other.value.hi < 1,
                RAW,
            ),
        ]
    )


@check("shared-directory-slower")
def shared_directory_slower(inputs: Inputs) -> Argument:
    """On Lustre, many processes that look up files of one directory are slowed by its lock."""
    facts = []
    for submission in LUSTRE_RUNS:
        ratio, procs = _stat_ratio(inputs, submission), raw.figure(inputs, submission, "procs")
        run = inputs.row(raw.RUNS, submission=submission)
        facts.append(
            Fact(
                f"{run['system']} ({run['file_system']}, {procs.text} processes) looks up files of "
                f"the shared directory slower, hard over easy {float(ratio.value.mid):.2f}",
                ratio.value.hi < 1,
                RAW,
            )
        )
    # a lock need not be the slowest thing, nor a slow directory a locked one
    return Argument([*facts, Fact("what the lookups wait for was measured", None)])


@check("scan-no-bottleneck")
def scan_no_bottleneck(inputs: Inputs) -> Argument:
    """The walk through the namespace holds nothing up, even with the quoted number of files."""
    find = raw.figure(inputs, raw.AURORA, "find")
    quoted = inputs("aurora-run[quantity=files].value")
    counted = raw.figure(inputs, raw.AURORA, "total-files")
    share = find / raw.figure(inputs, raw.AURORA, "metadata")
    return Argument(
        [
            Fact(
                f"find is above the mean of the metadata phases ({float(share.value.mid):.2f})",
                share.value.lo > 1,
                RAW,
            ),
            Fact(
                f"this run's find walked so many files ({counted.text} by its own count)",
                quoted.value.contains(counted.value),
                _BOTH,
            ),
        ]
    )


@check("metadata-gap")
def metadata_gap(inputs: Inputs) -> Argument:
    """Aurora's distance to the third entry is largest in metadata."""

    def gap(what: str) -> Interval:
        return (raw.figure(inputs, raw.AURORA, what) / raw.figure(inputs, HELMA, what)).value

    phases = {p: gap(p.name) for p in SCORED}
    widest = max(phases, key=lambda phase: phases[phase].lo)
    return Argument(
        [
            Fact(
                f"{float(gap('metadata').mid):.1f} times in metadata, "
                f"{float(gap('bandwidth').mid):.1f} times in bandwidth",
                gap("metadata").lo > gap("bandwidth").hi,
                RAW,
            ),
            Fact(
                f"of single phases it is largest in {widest.name}, "
                f"{float(phases[widest].mid):.1f} times",
                widest.kind == "metadata",
                RAW,
            ),
        ]
    )


@check("unbeaten")
def unbeaten(inputs: Inputs) -> Argument:
    """First at every release for three years."""
    ranks = inputs.rows("aurora-list-ranks")
    releases = [row["release"] for row in ranks if row["rank"] == "1"]
    started = inputs.row(raw.RUNS, submission=raw.AURORA)["started"]
    written = inputs.row("sources", id="000")["date"].replace(".", "-")
    first, last = (datetime.date.fromisoformat(text[:10]) for text in (started, written))
    years = (last - first).days / 365.25
    return Argument(
        [
            Fact(
                f"first at each listed release without a gap ({', '.join(releases)})",
                len(releases) == len(ranks) and lists.consecutive(releases),
                DOCUMENTS,
            ),
            Fact(
                f"from the run to the text are {years:.1f} years ({first} to {last})",
                years >= 3,
                _BOTH,
            ),
        ]
    )


@check("causes-shown")
def causes_shown(_inputs: Inputs) -> Argument:
    """The lead comes from the named parts of the architecture."""
    return Argument([Fact("a run with and one without any of the named parts are at hand", None)])


@check("scales-linearly")
def scales_linearly(_inputs: Inputs) -> Argument:
    """Bandwidth and metadata grow in proportion to the servers of one system.

    More clients of the same servers, as in the run of ten nodes, are no test of it.
    """
    return Argument([Fact("results of one system with two numbers of servers are at hand", None)])


@check("all-conditions-needed")
def all_conditions_needed(_inputs: Inputs) -> Argument:
    """Each named condition is needed: without it the figures fall."""
    return Argument([Fact("runs that differ in one of the conditions alone are at hand", None)])
