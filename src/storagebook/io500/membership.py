"""Which list a public run stands on, as far as a source states it, and its figures to compare.

A run is a listed entry if the bandwidth and metadata that its result file prints are those that
the source prints beside the list's name. Nothing else is taken for membership.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from storagebook import tables
from storagebook.compare import IO500, Basis, Figure, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import listed
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.runs import PublicRun, Sentence

PRODUCTION = "io500-production-isc26"
TEN_NODE = "io500-ten-node-isc26"
EVOLUTION = "io500-evolution"
RESEARCH = "io500-research-isc26"
PER_SERVER = "io500-per-server"
_TITLES = {
    "production": "Production",
    "ten-node-production": "10 Node Production",
    "research": "Research",
}

#: The edition of the lists that the source prints.
EDITION = "ISC26"
#: Client nodes of a ten-node entry, by the list's rule.
TEN_NODES = 10

#: Mark of a figure that was read when the stonewall hit.
AT_STONEWALL = " at the stonewall"

_LISTS = {PRODUCTION: "production", TEN_NODE: "ten-node-production"}
_SUMMARY = {
    "bandwidth": ("bandwidth_gib_s", "GiB/s"),
    "metadata": ("metadata_kiops", "kIOP/s"),
    "score": ("score", "score"),
}
#: Endings that tell one submitted configuration of an installation from another.
_CONFIGURATION = re.compile(r"(?:-EC)?(?:-10)?$")


@dataclass(frozen=True)
class Listing:
    """Where a source states that a result stands.

    Attributes
    ----------
    list
        ``production``, ``ten-node-production`` or ``research``.
    release
        Of the list, e.g. ``ISC26``.
    rank
        As stated; None where it is not.
    line
        Of source 000.
    clients
        Client nodes as stated; None where they are not.
    """

    list: str
    release: str
    rank: int | None
    line: int
    clients: int | None = None

    def __str__(self) -> str:
        rank = f", rank {self.rank}" if self.rank else ""
        return f"{self.release} {self.list}{rank}"


def installation(run: PublicRun) -> str | None:
    """The machine that a run was made on: system and institution, without the entry's endings.

    >>> from storagebook.io500 import runs
    >>> installation(runs.load("0774"))
    'SuperMUC-NG-Phase2 (LRZ)'
    """
    known = run.facts
    if pd.isna(known.system) or pd.isna(known.institution):
        return None
    return machine(known.system, known.institution)


def machine(system: str, institution: str) -> str:
    """A machine by the names of an entry: one entry of it may end in ``-EC``, ``-10`` or both.

    >>> machine("SuperMUC-NG-Phase2-EC-10", "LRZ")
    'SuperMUC-NG-Phase2 (LRZ)'
    """
    return f"{_CONFIGURATION.sub('', system)} ({institution})"


def prints_so(raw_bw: str, raw_md: str, bw_gib_s: str, md_kiops: str) -> bool:
    """Whether a raw bandwidth and metadata print with two decimals as a list prints them.

    >>> prints_so("10066.086553", "102785.408581", "10,066.09", "102,785.41")
    True
    """
    return all(
        bool(raw and printed)
        and Interval.of_printed(printed, trailing_zeros=True).contains(Fraction(raw))
        for raw, printed in ((raw_bw, bw_gib_s), (raw_md, md_kiops))
    )


def stated(run: PublicRun) -> tuple[Listing, ...]:
    """Every list that the source puts a run on, the current edition first."""
    return _stated(run.texts.bandwidth_gib_s, run.texts.metadata_kiops)


@functools.cache
def _stated(raw_bw: str, raw_md: str) -> tuple[Listing, ...]:
    found = []
    for table, name in _LISTS.items():
        for row in _rows(table, raw_bw, raw_md).itertuples():
            clients = TEN_NODES if table == TEN_NODE else int(row.client_nodes_count)
            found.append(Listing(name, EDITION, int(row.rank), int(row.line), clients))
    for row in _rows(EVOLUTION, raw_bw, raw_md).itertuples():
        if row.list != "unknown":
            found.append(Listing(row.list, row.release, None, int(row.line)))
    return tuple(found)


def _rows(table: str, raw_bw: str, raw_md: str) -> pd.DataFrame:
    """The rows of a table that print a raw bandwidth and metadata, as numbers."""
    texts = tables.printed(table)
    pairs = zip(texts.bandwidth_gib_s, texts.metadata_kiops, strict=True)
    return tables.load(table)[[prints_so(raw_bw, raw_md, bw, md) for bw, md in pairs]]


def lists(run: PublicRun) -> str | None:
    """The names of the lists that a source puts a run on; None if none does."""
    return ", ".join(dict.fromkeys(one.list for one in stated(run))) or None


def said(run: PublicRun) -> Sentence:
    """Whether a run is verified, and by which lists, in the words of IO500's messaging policy."""
    listings = stated(run)
    if not listings:
        return ("No source at hand states a list for it: it is *unverified* here.", {})
    words = " and ".join(f"{{list{i}}} list of {{release{i}}}" for i in range(len(listings)))
    return (
        f"It is a *verified* result: source 000 gives it on the {words}.",
        {f"list{i}": _TITLES[one.list] for i, one in enumerate(listings)}
        | {f"release{i}": one.release for i, one in enumerate(listings)},
    )


def clients(run: PublicRun) -> int | None:
    """Client nodes: as the run's own output tells, else as the source states."""
    if pd.notna(run.facts.nodes_count):
        return int(run.facts.nodes_count)
    told = [one.clients for one in stated(run)] + [_scale(run.texts.score)[0]]
    return next((count for count in told if count), None)


def servers(run: PublicRun) -> int | None:
    """Storage servers of a run, where the source states them for it."""
    return _scale(run.texts.score)[1]


@functools.cache
def _scale(raw_score: str) -> tuple[int | None, int | None]:
    """Client nodes and servers that the source states beside a score."""
    numbers, raw = tables.load(PER_SERVER), Interval.of_printed(raw_score, trailing_zeros=True)
    for printed, row in zip(tables.printed(PER_SERVER).score, numbers.itertuples(), strict=True):
        spans = (listed.as_two_decimals(printed), listed.as_six_digits(printed))
        if any(span is not None and span.overlaps(raw) for span in spans):
            clients = row.client_nodes_count
            return (None if pd.isna(clients) else int(clients)), int(row.servers_count)
    return None, None


def redundancy(run: PublicRun) -> str | None:
    """The object classes of a run's files, in the order in which its phases use them, then those
    that only its directories have."""
    phases = run.phases.set_index("phase").reindex([p.name for p in SCORED])
    classes = [*phases.object_class.dropna(), *phases.dir_object_class.dropna()]
    return ", ".join(dict.fromkeys(classes)) or None


def figure(run: PublicRun, metric: str, of_list: str | None = None) -> Figure:
    """A result of a run, with all that has to be known before it is compared.

    Parameters
    ----------
    metric
        ``bandwidth``, ``metadata``, ``score``, a scored phase, or a phase and `AT_STONEWALL`.
    of_list
        The list to speak of, where a run stands on several.

    Raises
    ------
    StoragebookError
        If the run has no such figure, or does not stand on that list.
    """
    value, unit = _value(run, metric)
    places = stated(run)
    if of_list is not None:
        places = tuple(one for one in places if one.list == of_list)
        if not places:
            raise StoragebookError(
                f"no source puts submission {run.submission} on the {of_list} list"
            )
    # a rate at the stonewall is no column of any list
    verified = bool(places) and not metric.endswith(AT_STONEWALL)
    return Figure(
        name=f"submission {run.submission}",
        value=value,
        unit=unit,
        basis=Basis.BENCHMARK_SCORE if metric in _SUMMARY else Basis.SINGLE_PHASE,
        obtained=Obtained.RAW_OUTPUT,
        benchmark=IO500,
        metric=metric,
        system=installation(run),
        run=run.submission,
        list=of_list or lists(run),
        release=places[0].release if places else None,
        redundancy=redundancy(run),
        clients=clients(run),
        servers=servers(run),
        version=run.facts.version if pd.notna(run.facts.version) else None,
        verified=verified,
        source="io500-data",
    )


def _value(run: PublicRun, metric: str) -> tuple[Interval, str]:
    if metric in _SUMMARY:
        column, unit = _SUMMARY[metric]
        return Interval.of_printed(run.texts[column], trailing_zeros=True), unit
    phase = metric.removesuffix(AT_STONEWALL)
    if phase not in BY_NAME:
        raise StoragebookError(f"{metric!r} is no figure of an IO500 run")
    row = run.phases.loc[run.phases.phase == phase].iloc[0]
    if phase == metric:
        return Interval.of_printed(row.printed, trailing_zeros=True), BY_NAME[phase].unit
    if pd.isna(row.stonewall):
        raise StoragebookError(f"no file tells {metric} of submission {run.submission}")
    return Interval.point(Fraction(str(row.stonewall))), BY_NAME[phase].unit
