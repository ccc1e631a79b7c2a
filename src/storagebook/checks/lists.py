"""Statements about the IO500 lists, of which the documents print a part."""

from __future__ import annotations

import math
from collections import Counter

from storagebook.checks import raw
from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
from storagebook.io500.phases import SCORED
from storagebook.quantities import DOCUMENTS, RAW, Quantity
from storagebook.verdicts import Argument, Fact

PRODUCTION = "io500-production-isc26"
TEN_NODE = "io500-ten-node-isc26"

#: Raw files of entries that the documents place on the production list, Aurora's aside.
_PRODUCTION_RUNS = ("0772", "0736", "0748", "0691", "0781", "0719", "0703")


@check("daos-entries")
def daos_entries(inputs: Inputs) -> Evidence:
    """At least the DAOS systems among the printed rows."""
    found = sum("DAOS" in row["file_system"] for row in inputs.rows(PRODUCTION))
    rows = Quantity(
        Interval.at_least(found), "1", f"{found} printed rows are DAOS", origins=DOCUMENTS
    )
    return Evidence(rows, "limit")


@check("place-in-list")
def place_in_list(inputs: Inputs, table: str, rank: str) -> Evidence:
    """An entry stands behind every printed entry with a higher score."""
    own = inputs(f"{table}[rank={rank}].score")
    ahead = sum(score.value.lo > own.value.hi for score in inputs.column(table, "score"))
    place = Quantity(
        Interval.at_least(ahead + 1),
        "1",
        f"1 + {ahead} printed entries with a higher score",
        origins=DOCUMENTS,
    )
    return Evidence(place, "limit")


def _release(name: str) -> int:
    """The place of a release in time: ISC in summer, SC in autumn, each once a year."""
    kind, year = name[:-2], int(name[-2:])
    return 2 * year + {"ISC": 0, "SC": 1}[kind]


@check("one-entry-a-system")
def one_entry_a_system(inputs: Inputs) -> Evidence:
    """A system has at least as many entries as printed rows."""
    system, most = Counter(row["system"] for row in inputs.rows(PRODUCTION)).most_common(1)[0]
    counted = Quantity(
        Interval.at_least(most),
        "1",
        f"none has more printed rows than {system}, {most}",
        origins=DOCUMENTS,
    )
    return Evidence(counted, "limit")


@check("place-at-release")
def place_at_release(inputs: Inputs, release: str, submission: str) -> Evidence:
    """A result stands behind every printed one of then or before that has a higher score."""
    own = raw.figure(inputs, submission, "score")
    ahead = [
        row["system"]
        for row in inputs.rows(PRODUCTION)
        if _release(row["release"]) <= _release(release)
        and inputs(f"{PRODUCTION}[rank={row['rank']}].score").value.lo > own.value.hi
    ]
    place = Quantity(
        Interval.at_least(len(ahead) + 1),
        "1",
        f"1 + {len(ahead)} printed entries of then or before with more than {own.text} "
        f"({', '.join(ahead) or 'none'})",
        origins=RAW | DOCUMENTS,
    )
    return Evidence(place, "limit")


@check("first-since")
def first_since(inputs: Inputs, release: str) -> Evidence:
    """First at a release, if that is among the last so many that Aurora is said to lead."""
    said = inputs("claims[id=000-9-releases].value")
    back = _release("ISC26") - _release(release) + 1
    reached = said.value.lo >= back
    place = Quantity(
        Interval.point(1) if reached else Interval.at_least(1),
        "1",
        f"first at the last {said.text} releases, of which {release} is number {back} counted back",
        origins=DOCUMENTS,
    )
    return Evidence(place, "digits" if reached else "limit")


@check("entries-between")
def entries_between(inputs: Inputs, release: str) -> Evidence:
    """A list that keeps the best result of every system should only grow."""
    table = "aurora-list-ranks"
    names = sorted((row["release"] for row in inputs.rows(table)), key=_release)
    own = names.index(release)
    before, after = (
        inputs(f"{table}[release={names[other]}].entries_count")
        if 0 <= other < len(names)
        else None
        for other in (own - 1, own + 1)
    )
    told = [
        f"{entries.text} entries {when}"
        for entries, when in ((before, "before"), (after, "after"))
        if entries
    ]
    bounds = Interval(
        before.value.lo if before else -math.inf, after.value.hi if after else math.inf
    )
    return Evidence(Quantity(bounds, "1", ", ".join(told), origins=DOCUMENTS), "expectation")


@check("place-in-phase")
def place_in_phase(inputs: Inputs, phase: str) -> Evidence:
    """Aurora stands behind every entry at hand that is faster in a phase."""
    own = raw.figure(inputs, raw.AURORA, phase)
    ahead = sum(
        raw.figure(inputs, submission, phase).value.lo > own.value.hi
        for submission in _PRODUCTION_RUNS
    )
    place = Quantity(
        Interval.at_least(ahead + 1),
        "1",
        f"1 + {ahead} of {len(_PRODUCTION_RUNS)} other entries at hand that are faster",
        origins=RAW,
    )
    return Evidence(place, "limit")


@check("first-places")
def first_places(inputs: Inputs) -> Evidence:
    """The releases at which Aurora is first, by the ranks that the source lists."""
    ranks = [row["rank"] for row in inputs.rows("aurora-list-ranks")]
    found = Quantity(
        Interval.point(ranks.count("1")),
        "1",
        f"first in {ranks.count('1')} of {len(ranks)} listed releases",
        origins=DOCUMENTS,
    )
    return Evidence(found)


@check("clients-buy-no-score")
def clients_buy_no_score(inputs: Inputs) -> Argument:
    """More clients do not raise a score."""
    pairs = {
        "Aurora": (inputs(f"{TEN_NODE}[rank=1].score"), inputs(f"{PRODUCTION}[rank=1].score")),
        "SuperMUC-NG": (
            inputs("io500-evolution[release=SC23;system=SuperMUC-NG-Phase2-EC].score"),
            inputs(f"{PRODUCTION}[rank=2].score"),
        ),
    }
    # no counter-proof either: between the runs of a pair more than the clients differs
    return Argument(
        [
            Fact(
                f"{system} does not score more with more clients ({few.text} to {many.text})",
                many.value.lo <= few.value.hi,
                DOCUMENTS,
            )
            for system, (few, many) in pairs.items()
        ]
    )


@check("only-two-use-more-clients")
def only_two_use_more_clients(inputs: Inputs) -> Argument:
    """No entry but the two named uses far more client nodes than Aurora."""
    nodes = inputs.column(PRODUCTION, "client_nodes_count")
    entries = inputs("io500-quantities[quantity=production-entries].value").value
    return Argument(
        [
            Fact(
                f"the client nodes of every entry are known ({len(nodes)} of {entries})",
                entries.contains(len(nodes)),
                DOCUMENTS,
            )
        ]
    )


@check("lead-is-metadata")
def lead_is_metadata(inputs: Inputs) -> Argument:
    """Aurora's lead over the best system that is not DAOS is larger in metadata."""
    others = [row["rank"] for row in inputs.rows(PRODUCTION) if "DAOS" not in row["file_system"]]

    def lead(column: str) -> Interval:
        mine = inputs(f"{PRODUCTION}[rank=1].{column}").value
        best = max(
            (inputs(f"{PRODUCTION}[rank={rank}].{column}").value for rank in others),
            key=lambda value: value.lo,
        )
        return mine / best

    metadata, bandwidth = lead("metadata_kiops"), lead("bandwidth_gib_s")
    return Argument(
        [
            Fact(
                f"Aurora has {metadata} times the best printed metadata value that is not DAOS, "
                f"{bandwidth} times the best bandwidth",
                metadata.lo > bandwidth.hi,
                DOCUMENTS,
            )
        ]
    )


@check("all-daos")
def all_daos(inputs: Inputs, table: str, *ranks: str) -> Argument:
    """The named ranks of a list are DAOS."""
    facts = []
    for rank in ranks:
        name = inputs.row(table, rank=rank)["file_system"]
        facts.append(Fact(f"rank {rank} runs {name}", "DAOS" in name, DOCUMENTS))
    return Argument(facts)


@check("first-in-all-twelve")
def first_in_all_twelve(inputs: Inputs) -> Argument:
    """No entry of the list beats Aurora in any phase."""
    ahead = [
        f"{submission} in {phase.name}"
        for submission in _PRODUCTION_RUNS
        for phase in SCORED
        if raw.figure(inputs, submission, phase.name).value.lo
        > raw.figure(inputs, raw.AURORA, phase.name).value.hi
    ]
    known = len(_PRODUCTION_RUNS)
    others = inputs("io500-quantities[quantity=production-entries].value").value.mid - 1
    return Argument(
        [
            Fact(
                f"the results of all other entries are at hand ({known} of {others}, all behind)",
                known == others,
                DOCUMENTS,
            )
        ],
        [Fact(f"one of them is ahead ({', '.join(ahead) or 'none'})", bool(ahead), RAW)],
    )


@check("phases-taken-apart")
def phases_taken_apart(inputs: Inputs, system: str) -> Argument:
    """The text prints the scored phases of a system."""
    said = [row["quantity"] for row in inputs.rows("claims", system=system)]
    named = [p.name for p in SCORED if any(p.name in quantity for quantity in said)]
    return Argument(
        counter=[
            Fact(
                f"of the {len(SCORED)} scored phases of {system} the text prints {len(named)} "
                f"({', '.join(named) or 'none'})",
                len(named) < len(SCORED),
                DOCUMENTS,
            )
        ]
    )


@check("only-clients-changed")
def only_clients_changed(inputs: Inputs) -> Argument:
    """Between the two results of SuperMUC-NG only the number of clients changed."""
    changed, _ = raw.differences(inputs, raw.SUPERMUC_2023, raw.SUPERMUC_2025, but=("procs_count",))
    before, after = (
        raw.figure(inputs, submission, "procs")
        / inputs(f"io500-quantities[quantity=supermuc-client-nodes-{release}].value")
        for submission, release in (
            (raw.SUPERMUC_2023, "sc23"),
            (raw.SUPERMUC_2025, "sc25"),
        )
    )
    return Argument(
        counter=[
            Fact(f"other settings changed: {raw.examples(changed)}", bool(changed), RAW),
            Fact(
                f"the processes a node changed: {before.text} = {before.value} and "
                f"{after.text} = {after.value}",
                not before.value.overlaps(after.value),
                before.origins | after.origins,
            ),
        ]
    )


@check("clients-are-the-limit")
def clients_are_the_limit(inputs: Inputs) -> Argument:
    """The score rose because clients, not servers, had been the limit."""
    fell = []
    for phase in SCORED:
        change = raw.figure(inputs, raw.SUPERMUC_2025, phase.name).change_from(
            raw.figure(inputs, raw.SUPERMUC_2023, phase.name)
        )
        if change.value.hi < 0:
            fell.append(f"{phase.name} {float(change.value.mid):+.1f} %")
    return Argument(
        [
            raw.nothing_else(inputs, raw.SUPERMUC_2023, raw.SUPERMUC_2025, but=("procs_count",)),
            Fact(f"no phase fell with more clients ({', '.join(fell) or 'none'})", not fell, RAW),
        ]
    )


@check("none-as-efficient")
def none_as_efficient(inputs: Inputs, system: str) -> Argument:
    """No other parallel file system comes near a score per server."""
    table = "io500-per-server"
    others = [row["system"] for row in inputs.rows(table) if row["file_system"] != "DAOS"]
    mine = inputs.column(table, "per_server_score", system=system)[0].value
    behind = all(
        other.value.hi < mine.lo / 2
        for name in others
        for other in inputs.column(table, "per_server_score", system=name)
    )
    entries = inputs("io500-quantities[quantity=production-entries].value").value
    return Argument(
        [
            Fact(f"{', '.join(others)} has less than half the score a server", behind, DOCUMENTS),
            Fact(
                f"the servers of every entry are known ({len(others)} other of {entries})",
                entries.contains(len(others) + 1),
                DOCUMENTS,
            ),
        ]
    )
