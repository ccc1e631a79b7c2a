"""What DAOS asks of its clients: operations in flight, request sizes, interfaces, network cards."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from storagebook import ledger, tables, units
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import membership, public, runs
from storagebook.io500.phases import BANDWIDTH, SCORED
from storagebook.io500.runs import PublicRun, Sentence

_SENSITIVITY = "daos-sensitivity"
_WORDS = {"about": "about ", "at-least": "≥ ", "more-than": "> "}
#: Rows of the table of thresholds: how it was measured, and the quantities it gives.
_MEASURED = (
    ("network alone, one card", ("rpcs-in-flight", "best-request")),
    ("fio, one process", ("operations-in-flight", "request", "too-many", "too-many-request")),
    ("IOR, one node", ("knee", "saturation", "saturation-per-nic")),
    ("chunk of a file", ("stable-chunk", "default-chunk")),
    ("FUSE mount", ("idle-nics",)),
)
#: Rows of the ledger for what the source says of binding.
_IN_WORDS = ("000-5.1-cpus", "000-5.1-half")
#: An installation and the submissions whose scores the source sets side by side.
_TEN_NODES, _FULL = "0694", "0688"


def stated(quantity: str, unit: str = "1") -> float:
    """A figure of the studies, in a unit of its kind."""
    row = tables.load(_SENSITIVITY).set_index("quantity").loc[quantity]
    return float(units.convert(float(row["value"]), row["unit"], unit))


def _printed(quantity: str) -> str:
    row = tables.printed(_SENSITIVITY).set_index("quantity").loc[quantity]
    unit = "" if row["unit"] == "1" else f" {row['unit']}"
    return f"{_WORDS.get(row['qualifier'], '')}{row['value']}{unit}"


def _configured(quantity: str) -> tuple[float, str]:
    row = tables.load("aurora-configuration").set_index("quantity").loc[quantity]
    return float(row["value"]), str(row["unit"])


def card_gb_s() -> float:
    """Line rate of a network card of a compute node, GB/s."""
    return float(units.convert(*_configured("client-nic"), "GB/s"))


def cards() -> int:
    """Network cards of a compute node."""
    return int(_configured("client-nics")[0])


# -- the thresholds


def thresholds() -> pd.DataFrame:
    """The thresholds as quoted: ``measured``, ``threshold`` (as printed), ``what``, ``line``."""
    numbers = tables.load(_SENSITIVITY).set_index("quantity")
    rows = [
        (how, _printed(name), numbers.description[name], int(numbers.line[name]))
        for how, names in _MEASURED
        for name in names
    ]
    # two rows of the source give their figures in words
    rows += [
        ("binding", ledger.said(one), one.claim.quantity.capitalize(), one.claim.line)
        for one in ledger.of("000", ["5.1"])
        if one.claim.id in _IN_WORDS
    ]
    return pd.DataFrame(rows, columns=["measured", "threshold", "what", "line"])


# -- Little's law


@dataclass(frozen=True)
class InFlight:
    """What operations in flight make of a request size and a time.

    Attributes
    ----------
    operations
        In flight on the node.
    held_mib
        Bytes in flight.
    bandwidth_gib_s
        What they move, no more than the network carries.
    rate_kiops
        Operations finished.
    share_pct
        Of the network.
    time_us
        Of an operation: as given, or longer where the network is full.
    needed_each
        Operations in flight of each process that would fill the network in the given time.
    """

    operations: float
    held_mib: float
    bandwidth_gib_s: float
    rate_kiops: float
    share_pct: float
    time_us: float
    needed_each: float


def little(
    processes: float, each: float, request_kib: float, time_us: float, network_gb_s: float
) -> InFlight:
    """Little's law: what is in flight is what moves a second, times how long it takes.

    Parameters
    ----------
    processes
        Of the node.
    each
        Operations that each has in flight.
    request_kib
        Size of an operation.
    time_us
        How long one takes while nothing is full.
    network_gb_s
        What the node's network cards carry.

    Raises
    ------
    StoragebookError
        If any of them is not above 0.

    Examples
    --------
    >>> little(32, 1, 1024, 335.54432, 200).share_pct
    50.0
    """
    given = {
        "processes": processes,
        "each": each,
        "request_kib": request_kib,
        "time_us": time_us,
        "network_gb_s": network_gb_s,
    }
    for name, value in given.items():
        if not value > 0:
            raise StoragebookError(f"{name} is above 0, not {value}")
    request_b, network_b_s = request_kib * 1024, network_gb_s * 1e9
    operations = processes * each
    held_b = operations * request_b
    moved_b_s = min(held_b / time_us * 1e6, network_b_s)
    return InFlight(
        operations=operations,
        held_mib=held_b / 2**20,
        bandwidth_gib_s=moved_b_s / 2**30,
        rate_kiops=moved_b_s / request_b / 1000,
        share_pct=moved_b_s / network_b_s * 100,
        time_us=max(time_us, held_b / network_b_s * 1e6),
        needed_each=network_b_s * time_us / 1e6 / request_b / processes,
    )


def in_flight() -> pd.DataFrame:
    """The thresholds as bytes in flight, and the least time of an operation that follows.

    The network moves no more than its line rate, so an operation takes at least the bytes in
    flight over it, whatever the rate was that the study measured.

    Returns
    -------
    pandas.DataFrame
        ``setting``, ``operations_count``, ``request_kib``, ``held_mib``, ``cards_count``,
        ``least_us``.
    """
    settings = (
        ("network alone, no storage", "rpcs-in-flight", "best-request", 1),
        ("fio, start of the plateau", "operations-in-flight", "request", 1),
        ("fio, too many", "too-many", "too-many-request", 1),
        ("IOR, saturated node", "saturation", "default-chunk", cards()),
    )
    rows = []
    for name, operations, request, card_count in settings:
        count, size = stated(operations), stated(request, "KiB")
        held_b = count * size * 1024
        least = held_b / (card_count * card_gb_s() * 1e9) * 1e6
        rows.append((name, int(count), size, held_b / 2**20, card_count, least))
    columns = ["setting", "operations_count", "request_kib", "held_mib", "cards_count", "least_us"]
    return pd.DataFrame(rows, columns=columns)


def start() -> dict[str, float]:
    """What the calculator starts with: a saturated node, by the quoted thresholds."""
    fio = in_flight().set_index("setting").least_us["fio, start of the plateau"]
    return {
        "processes": stated("saturation"),
        "each": 1.0,
        "request_kib": stated("default-chunk", "KiB"),
        "time_us": round(float(fio), 1),
        "network_gb_s": cards() * card_gb_s(),
    }


def said_of_in_flight(frame: pd.DataFrame) -> list[Sentence]:
    """What storage adds to the time, and what too many in flight do."""
    own = frame.set_index("setting")
    alone, fio = own.loc["network alone, no storage"], own.loc["fio, start of the plateau"]
    many, node = own.loc["fio, too many"], own.loc["IOR, saturated node"]
    return [
        (
            "With storage behind the card it takes {times:.0f} times as many bytes in flight as "
            "with the network alone ({fio:.0f} against {alone:.0f} MiB). If both fill the card, so "
            "much longer does an operation take: at least {long:.0f} µs instead of {short:.0f} µs. "
            "Number and size of each line are read together here; the source gives them side by "
            "side.",
            {
                "times": fio.held_mib / alone.held_mib,
                "fio": fio.held_mib,
                "alone": alone.held_mib,
                "long": fio.least_us,
                "short": alone.least_us,
            },
        ),
        (
            "At {count} operations of {size:.0f} KiB a card holds {held:.0f} MiB, and the last one "
            "waits {wait:.1f} ms or more before anything else happens to it. A full pipe gains "
            "nothing from this but a queue; that the rate *falls* the law does not say.",
            {
                "count": int(many.operations_count),
                "size": many.request_kib,
                "held": many.held_mib,
                "wait": many.least_us / 1000,
            },
        ),
        (
            "If each of the {count} processes that saturate a node waits for one request of "
            "libdfs' default chunk, the node holds {held:.0f} MiB for {cards} cards: room for "
            "operations of {time:.0f} µs at line rate, less than fio's time. So by these figures "
            "the node does not reach the line rate of all its cards, or has more in flight.",
            {
                "count": int(node.operations_count),
                "held": node.held_mib,
                "cards": int(node.cards_count),
                "time": node.least_us,
            },
        )
        if node.least_us < fio.least_us
        else (
            "If each of the {count} processes that saturate a node waits for one request of "
            "libdfs' default chunk, that is enough to fill its {cards} cards with operations as "
            "long as fio's.",
            {"count": int(node.operations_count), "cards": int(node.cards_count)},
        ),
    ]


def test_bed() -> Sentence:
    """The estimated peak of the study's test bed, from the cards of its servers."""
    each, unit = _configured("server-network")
    providers, peak = stated("providers"), stated("estimated-peak", "GiB/s")
    node = units.convert(cards() * card_gb_s(), "GB/s", "GiB/s")
    return (
        "The test bed had {providers:.0f} providers, with an estimated peak of {printed}: "
        "{providers:.0f} times the {each:.0f} {unit} that a server's cards are stated with, if a "
        "provider is a server. The cards of a client node carry {node:.0f} GiB/s, so it takes at "
        "least {nodes} nodes to ask for all of it.",
        {
            "providers": providers,
            "printed": _printed("estimated-peak"),
            "each": each,
            "unit": unit,
            "node": node,
            "nodes": -int(-peak // node),
        },
    )


# -- interfaces


def interfaces() -> pd.DataFrame:
    """``interface``, ``code_change``, ``path``, ``performance`` (as the source ranks it)."""
    return tables.load("daos-interfaces")[["interface", "code_change", "path", "performance"]]


def _about(quantity: str) -> Interval:
    row = tables.printed(_SENSITIVITY).set_index("quantity").loc[quantity]
    return Interval.of_printed(row["value"])


def said_of_gap() -> list[Sentence]:
    """The measured gap between two interfaces, and how much of it cards can explain."""
    bandwidth, operations = _about("dfs-bandwidth"), _about("dfs-iops")
    return [
        (
            "Jefferson Lab's report has the one measured gap: IO500 from {clients:.0f} client "
            "nodes on a pool of {servers:.0f} servers, through DFS and through a FUSE mount. DFS "
            "has about {bw} times the bandwidth ({bw_lo:.1f} to {bw_hi:.1f} by the printed digit) "
            "and about {ops} times the operations ({ops_lo:.0f} to {ops_hi:.0f}). The files of "
            "these runs are not at hand.",
            {
                "clients": stated("jlab-clients"),
                "servers": stated("jlab-nodes"),
                "bw": f"{stated('dfs-bandwidth'):.0f}",
                "bw_lo": float(bandwidth.lo),
                "bw_hi": float(bandwidth.hi),
                "ops": f"{stated('dfs-iops'):.0f}",
                "ops_lo": float(operations.lo),
                "ops_hi": float(operations.hi),
            },
        ),
        (
            "On a node with {cards} cards a mount that uses one of them gives up at most a factor "
            "of {cards} in bandwidth. The gap of about {bw} is within it, if that laboratory's "
            "nodes have as many, which the source does not say. The gap of about {ops} is far "
            "beyond it: small operations fill no card, and what slows them is not a lack of cards.",
            {
                "cards": cards(),
                "bw": f"{stated('dfs-bandwidth'):.0f}",
                "ops": f"{stated('dfs-iops'):.0f}",
            },
        ),
        (
            "The same report finds about {tasks:.0f} tasks of a node enough for IOR, as the study "
            "on Aurora did. Without figures it adds that large transfers hurt reads when many are "
            "in flight, that the latency of writes grows faster than that of reads, that mdtest "
            "filled the SCM of targets, that hosts were at times unreachable, and that fio's "
            "binding to cores failed.",
            {"tasks": stated("jlab-saturation")},
        ),
    ]


# -- what to check, in order, and how a run stands


def checklist(run: PublicRun) -> pd.DataFrame:
    """What to check first, with its reason, and what the files of a run tell of it.

    What is known to cost most stands first; what has no figure of its cost follows in the order of
    the path, from the process to the request.

    Returns
    -------
    pandas.DataFrame
        ``order``, ``check``, ``threshold``, ``reason``, ``this_run``, ``standing`` (``met``,
        ``below``, ``ask`` where the answer is no number, or ``not told``).
    """
    phases = run.phases.set_index("phase")
    easy = phases.loc["ior-easy-write"]
    clients, procs = membership.clients(run), run.facts.procs_count
    per_node = int(procs) / clients if clients and pd.notna(procs) else None
    bw, ops = f"{stated('dfs-bandwidth'):.0f}", f"{stated('dfs-iops'):.0f}"
    rows = [
        (
            "interface",
            "libdfs or libpil4dfs",
            f"a FUSE mount cost about {bw} times the bandwidth, {ops} times the operations",
            *_interface(easy.api),
        ),
        (
            "network cards in use",
            f"all {cards()} of a node",
            f"one card is one {_ordinal(cards())} of what the node can move",
            None,
            "not told",
        ),
        (
            "binding of processes",
            "spread over both processors",
            "all on one processor reach the cards of one: one of two",
            None,
            "not told",
        ),
        (
            "processes of a node",
            _printed("saturation"),
            f"growth slackens at {_printed('knee')} and ends at {_printed('saturation')}",
            *_against(per_node, stated("saturation"), "{:,.0f}"),
        ),
        (
            "operations in flight for each card",
            _printed("operations-in-flight"),
            f"the plateau of one card, with requests of {_printed('request')}: larger ones need "
            f"fewer; at {_printed('too-many')} the rate falls again",
            *_for_each_card(run, per_node, stated("operations-in-flight")),
        ),
        (
            "request size",
            _printed("request"),
            "smaller ones pay the time of an operation for fewer bytes",
            *_against(easy.transfer_b, stated("request", "B"), "{:,.0f} B in ior-easy"),
        ),
        (
            "chunk size",
            _printed("stable-chunk"),
            f"rates are stable from there on; libdfs takes {_printed('default-chunk')} by itself",
            *_against(easy.chunk_size_b, stated("stable-chunk", "B"), "{:,.0f} B in ior-easy"),
        ),
    ]
    frame = pd.DataFrame(rows, columns=["check", "threshold", "reason", "this_run", "standing"])
    frame.insert(0, "order", range(1, len(frame) + 1))
    return frame


def _for_each_card(
    run: PublicRun, per_node: float | None, threshold: float
) -> tuple[str | None, str]:
    """Operations in flight for each card: a process of IOR waits for each of its own."""
    if per_node is None:
        return None, "not told"
    if membership.installation(run) == membership.installation(runs.load(_FULL)):
        each = per_node / cards()
        return f"{each:.0f}: a process waits for each", "met" if each >= threshold else "below"
    # however many cards there are, none has more than all
    standing = "below" if per_node < threshold else "ask"
    return f"{per_node:,.0f} on all cards of a node: a process waits for each", standing


def _ordinal(number: int) -> str:
    return {2: "half", 3: "third"}.get(number, f"{number}th")


def _interface(api: object) -> tuple[str | None, str]:
    if pd.isna(api):
        return None, "not told"
    if api == "DFS":
        return "DFS", "met"
    return f"{api}: ask which library or mount", "ask"


def _against(value: object, threshold: float, form: str) -> tuple[str | None, str]:
    if value is None or pd.isna(value):
        return None, "not told"
    return form.format(float(value)), "met" if float(value) >= threshold else "below"


def said_of_checklist(run: PublicRun, frame: pd.DataFrame) -> list[Sentence]:
    """How a run stands to the thresholds."""
    counts = frame.standing.value_counts()
    below = frame[frame.standing == "below"].check
    said: list[Sentence] = [
        (
            "Of these {all} checks the files of submission {submission} answer {told}: {met} met, "
            "{below} below.",
            {
                "all": len(frame),
                "submission": run.submission,
                "told": int(counts.get("met", 0) + counts.get("below", 0)),
                "met": int(counts.get("met", 0)),
                "below": int(counts.get("below", 0)),
            },
        )
    ]
    if len(below):
        said.append(
            (
                "Below is no fault: {which}. The thresholds are of one test bed and one release, "
                "and a run may have another bottleneck.",
                {"which": ", ".join(below)},
            )
        )
    if not str(run.facts.file_system).upper().startswith("DAOS"):
        said.append(
            (
                "This run is of another file system ({name}). The thresholds are of DAOS and say "
                "nothing of it; the list shows what its files tell.",
                {"name": run.facts.file_system},
            )
            if pd.notna(run.facts.file_system)
            else (
                "No file names the file system of this run. The thresholds are of DAOS.",
                {},
            )
        )
    return said


# -- what a client node gets


def per_node() -> pd.DataFrame:
    """The public runs of DAOS whose client nodes are told, per node.

    Returns
    -------
    pandas.DataFrame
        ``run``, ``installation``, ``nodes_count``, ``procs_per_node``, ``transfer_kib`` (of
        ior-easy), ``write_gib_s`` and ``read_gib_s`` (ior-easy, for each node); by run.
    """
    counted = public.counted(public.frame())
    complete = counted[[p.name for p in SCORED]].notna().all(axis=1)
    own = counted[(counted.family == "DAOS") & complete]
    rows = []
    for submission, name in zip(own.submission, own.label, strict=True):
        run = runs.load(submission)
        clients, procs = membership.clients(run), run.facts.procs_count
        if not clients or pd.isna(procs):
            continue
        values = run.values()
        transfer = run.phases.set_index("phase").transfer_b["ior-easy-write"]
        rows.append(
            (
                name,
                membership.installation(run),
                clients,
                int(procs) / clients,
                transfer / 1024 if pd.notna(transfer) else None,
                values["ior-easy-write"] / clients,
                values["ior-easy-read"] / clients,
            )
        )
    columns = ["run", "installation", "nodes_count", "procs_per_node", "transfer_kib"]
    frame = pd.DataFrame(rows, columns=[*columns, "write_gib_s", "read_gib_s"])
    return frame.sort_values("run", ignore_index=True).astype({"transfer_kib": float})


def ten_nodes() -> list[Sentence]:
    """Why ten nodes have a small share of the full score: cards in writing, waiting in metadata."""
    ten, full = runs.load(_TEN_NODES), runs.load(_FULL)
    few, many = membership.clients(ten), membership.clients(full)
    if few is None or many is None:
        raise StoragebookError("the client nodes of Aurora's two runs are not told")
    write, whole = (one.values()["ior-easy-write"] for one in (ten, full))
    node = float(units.convert(cards() * card_gb_s(), "GB/s", "GiB/s"))
    less, score = ten.score(), full.score()
    rest = [
        ten.values()[phase.name] / (few * node) * 100
        for phase in BANDWIDTH
        if phase.name != "ior-easy-write"
    ]
    waits = [
        int(one.facts.procs_count) / result.md_kiops * 1000
        for one, result in ((ten, less), (full, score))
    ]
    return [
        (
            "The source explains Aurora's ten-node score, {share:.1f} % of the full one (BW "
            "{bw:.1f} %, MD {md:.1f} %), by the weakness of clients that have too little in "
            "flight. A node of the ten runs {a:.0f} processes, one of the {many} runs {b:.0f}. "
            "Why a node of the few adds what it adds differs from phase to phase.",
            {
                "share": less.score / score.score * 100,
                "bw": less.bw_gib_s / score.bw_gib_s * 100,
                "md": less.md_kiops / score.md_kiops * 100,
                "many": many,
                "a": int(ten.facts.procs_count) / few,
                "b": int(full.facts.procs_count) / many,
            },
        ),
        (
            "In *ior-easy-write* the ten are short of network cards. All of theirs carry "
            "{cards:,.0f} GiB/s, {bound:.1f} % of what the full run writes: no tuning of these "
            "nodes can write more. They reach {reached:.0f} % of it, the nodes of the full run "
            "{other:.0f} % of theirs. In the other bandwidth phases the ten use {low:.0f} to "
            "{high:.0f} % of their cards, so there the source's reason may fit; which object "
            "class each phase has differs as well.",
            {
                "low": min(rest),
                "high": max(rest),
                "cards": few * node,
                "bound": few * node / whole * 100,
                "reached": write / (few * node) * 100,
                "other": whole / (many * node) * 100,
            },
        ),
        (
            "Metadata fills no card, and the source's reason fits it. A process waits for each "
            "of its operations; by MD it waits {sooner:.0f} µs in the run of ten nodes and "
            "{later:.0f} µs in the full one. The servers answer the few sooner, so the few do not "
            "ask enough of them. Two lists, one installation, one run each: unverified analysis, "
            "no ranking.",
            {"sooner": waits[0], "later": waits[1]},
        ),
    ]


def said_of_nodes(frame: pd.DataFrame) -> str:
    """A chart's title: the least and the greatest write bandwidth of a node."""
    most, least = frame.loc[frame.write_gib_s.idxmax()], frame.loc[frame.write_gib_s.idxmin()]
    return (
        f"A client node writes from {least.write_gib_s:.1f} GiB/s ({least.run}) to "
        f"{most.write_gib_s:.0f} GiB/s ({most.run})"
    )
