"""A run per server, client and process, and under the roof of the hardware that a source states.

None of it is a column of a list: all is this book's arithmetic. A roof is given only where a
source states the hardware and how many servers or clients the run had.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pandas as pd

from storagebook import compare, tables, units
from storagebook.compare import Comparison
from storagebook.intervals import Interval
from storagebook.io500 import configured, listed, membership, redundancy, runs
from storagebook.io500.membership import PER_SERVER
from storagebook.io500.object_class import ObjectClass
from storagebook.io500.phases import BANDWIDTH, METADATA, SCORED
from storagebook.io500.redundancy import SUMMARY
from storagebook.io500.runs import PublicRun, Sentence

#: Classes of a sizing table.
SIZED = (
    ObjectClass(),
    *(ObjectClass(replicas=copies) for copies in (2, 3)),
    *(
        ObjectClass(data_cells=data, parity_cells=parity)
        for data, parity in ((2, 1), (4, 2), (8, 1), (16, 1), (16, 2))
    ),
)

_AURORA = "Aurora (Argonne National Laboratory)"
_CONFIGURATION = "aurora-configuration"
_SERVERS_IN_NAME = re.compile(r"\d+_?(?:srv|servers?)", re.I)
_FIGURES = {"score": "score", "bandwidth": "bandwidth_gib_s", "metadata": "metadata_kiops"}


def rates(run: PublicRun) -> pd.DataFrame:
    """Each figure and phase of a run, whole and divided.

    Returns
    -------
    pandas.DataFrame
        ``metric``, ``unit``, ``value``, ``per_server``, ``per_client``, ``per_process``; a column
        is missing values where no source or file tells how many there were.
    """
    counts = (membership.servers(run), membership.clients(run), _procs(run))
    rows = []
    for metric in (*SUMMARY, *(p.name for p in SCORED)):
        figure = membership.figure(run, metric)
        value = float(figure.value.mid)
        rows.append(
            (metric, figure.unit, value, *(value / count if count else None for count in counts))
        )
    divided = ["per_server", "per_client", "per_process"]
    frame = pd.DataFrame(rows, columns=["metric", "unit", "value", *divided])
    return frame.astype(dict.fromkeys(divided, float))


def _procs(run: PublicRun) -> int | None:
    return int(run.facts.procs_count) if pd.notna(run.facts.procs_count) else None


def scale(run: PublicRun) -> list[Sentence]:
    """How many servers, client nodes and processes a run had, and who says so."""
    servers, clients, procs = membership.servers(run), membership.clients(run), _procs(run)
    told_by_run = pd.notna(run.facts.nodes_count)
    said: list[Sentence] = []
    if servers:
        said.append(("The source states {n:,} storage servers for this run.", {"n": servers}))
    else:
        said.append(("No source at hand states how many storage servers this run had.", {}))
    if clients:
        who = "its own output" if told_by_run else "the source"
        said.append(("Client nodes: {n:,}, by {who}.", {"n": clients, "who": who}))
    else:
        said.append(("No source or file at hand tells how many client nodes it had.", {}))
    if procs:
        said.append(("Processes: {n:,}, by its result file.", {"n": procs}))
    named = [pool for pool in configured.pools(run.submission) if _SERVERS_IN_NAME.search(pool)]
    if named:
        said.append(
            (
                "Its DAOS pool is called {pools}, which may hold a number of servers; a name is no "
                "statement, so nothing is divided by it.",
                {"pools": ", ".join(named)},
            )
        )
    return said


# -- the source's table


@dataclass(frozen=True)
class Row:
    """A row of the source's table of figures per server, with its result file."""

    name: str
    run: PublicRun
    servers: int
    printed: dict[str, str]


def source_rows() -> tuple[Row, ...]:
    """The rows of the source's table whose result file is at hand."""
    numbers, texts = tables.load(PER_SERVER), tables.printed(PER_SERVER)
    found = []
    for (_, row), text in zip(numbers.iterrows(), texts.to_dict("records"), strict=True):
        submission = _by_score(text["score"], row.system)
        if submission is not None:
            printed = {m: text[f"per_server_{column}"] for m, column in _FIGURES.items()}
            name = f"{row.system}, {row.release}"
            found.append(Row(name, runs.load(submission), int(row.servers_count), printed))
    return tuple(found)


def _by_score(printed: str, system: str) -> str | None:
    rows = tables.printed(runs.RUNS)
    spans = [s for s in (listed.as_two_decimals(printed), listed.as_six_digits(printed)) if s]
    own = rows[(rows.system == system) & (rows.score != "")]
    for submission, score in zip(own.submission, own.score, strict=True):
        raw = Interval.of_printed(score, trailing_zeros=True)
        if any(span.overlaps(raw) for span in spans):
            return submission
    return None


def source_table() -> pd.DataFrame:
    """The source's figures per server, recomputed from raw results.

    Returns
    -------
    pandas.DataFrame
        ``run``, ``submission``, ``servers``, then for each of score, bandwidth and metadata what
        the source prints and what the raw figure gives (``score_printed``, ``score`` …), and
        ``agrees`` (all three round to the printed digits).
    """
    rows = []
    for row in source_rows():
        values, agrees = [], True
        for metric in _FIGURES:
            exact = membership.figure(row.run, metric).value / row.servers
            printed = Interval.of_printed(row.printed[metric], trailing_zeros=True)
            agrees &= printed.overlaps(exact)
            values += [row.printed[metric], float(exact.mid)]
        rows.append((row.name, row.run.submission, row.servers, *values, agrees))
    columns = [name for m in _FIGURES for name in (f"{m}_printed", m)]
    return pd.DataFrame(rows, columns=["run", "submission", "servers", *columns, "agrees"])


def against_first() -> pd.DataFrame:
    """Each row's score per server over that of the first row, with what differs.

    Returns
    -------
    pandas.DataFrame
        ``run``, ``over`` (the first row's name), ``times``, ``beside``.
    """
    first, *others = source_rows()
    rows = [
        (row.name, first.name, float(found.ratio.mid), found.beside())
        for row in others
        for found in [_per_server_ratio(row, first)]
    ]
    return pd.DataFrame(rows, columns=["run", "over", "times", "beside"])


def _per_server_ratio(a: Row, b: Row) -> Comparison:
    return compare.ratio(
        *(membership.figure(one.run, "score", "production").per_server() for one in (a, b))
    )


def said_of_ratios(frame: pd.DataFrame) -> list[Sentence]:
    """What stands beside each ratio of `against_first`, and beside all of them."""
    common, alone = compare.shared(list(frame.beside))
    said: list[Sentence] = [
        (
            "- *{run}* over *{over}*: **{times:.2f} times**. Beside it: {alone}.",
            {"run": row.run, "over": row.over, "times": row.times, "alone": own},
        )
        for row, own in zip(frame.itertuples(), alone, strict=True)
    ]
    return [*said, ("Beside all of these ratios: {common}.", {"common": common})]


def same_servers() -> list[Sentence]:
    """Two rows of one installation with equal servers: what the ratio moves with instead."""
    rows = source_rows()
    said: list[Sentence] = []
    for number, one in enumerate(rows):
        for other in rows[number + 1 :]:
            alike = membership.installation(one.run) == membership.installation(other.run)
            if not (alike and one.servers == other.servers):
                continue
            change = compare.study(
                *(membership.figure(r.run, "score") for r in (other, one))
            ).change_pct
            said.append(
                (
                    "{one} and {other} have the same {servers} servers, and a score per server "
                    "that differs by {change:+.1f} %. It is no property of a server.",
                    {
                        "one": one.name,
                        "other": other.name,
                        "servers": one.servers,
                        "change": float(change.mid),
                    },
                )
            )
    return said


# -- roofs


@dataclass(frozen=True)
class Hardware:
    """What a source states of an installation's servers and clients.

    Attributes
    ----------
    server_network_gib_s, client_network_gib_s
        All network cards of one server, of one client node.
    server_iops
        Operations per second of one server by the stated peak, kIOP/s.
    line
        Of source 000, where the server's network stands.
    """

    server_network_gib_s: float
    client_network_gib_s: float
    server_kiops: float
    line: int


def hardware(run: PublicRun) -> Hardware | None:
    """The stated hardware under a run; None where no source at hand states any."""
    if membership.installation(run) != _AURORA:
        return None
    rows = tables.load(_CONFIGURATION).set_index("quantity")

    def stated(quantity: str, unit: str) -> float:
        row = rows.loc[quantity]
        return units.convert(float(row["value"]), row["unit"], unit)

    cards, card = stated("client-nics", "1"), stated("client-nic", "GiB/s")
    return Hardware(
        server_network_gib_s=stated("server-network", "GiB/s"),
        client_network_gib_s=cards * card,
        server_kiops=stated("peak-iops", "kIOP/s") / stated("servers", "1"),
        line=int(rows.loc["server-network", "line"]),
    )


def on_the_wire(phase: str, found: ObjectClass | None) -> tuple[float, bool]:
    """Bytes that reach servers for a byte that clients move, and whether that is a lower bound.

    A read fetches data once. A write in whole stripes stores its redundancy; a record of
    ior-hard is far smaller than a stripe, so only the bound of
    `storagebook.io500.object_class.ObjectClass.least_small_write` is known.
    """
    if found is None or phase.endswith("read"):
        return 1.0, False
    if phase == "ior-hard-write":
        return float(found.least_small_write), found.losses > 0 and found.replicas == 1
    return float(found.write_amplification), False


def roofline(run: PublicRun) -> pd.DataFrame:
    """The bandwidth phases under the stated network, per server and per client node.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``object_class``, ``per_server_gib_s``, ``amplification``, ``at_least``
        (whether that is only a lower bound), ``server_wire_gib_s`` (per server, with redundancy),
        ``server_pct`` (of a server's network), ``per_client_gib_s``, ``client_pct`` (of a client
        node's network); no rows without stated hardware, missing values without a stated scale.
    """
    own, stated = redundancy.classes(run), hardware(run)
    columns = ["phase", "object_class", "per_server_gib_s", "amplification", "at_least"]
    columns += ["server_wire_gib_s", "server_pct", "per_client_gib_s", "client_pct"]
    if stated is None:
        return pd.DataFrame(columns=columns)
    servers, clients, values = membership.servers(run), membership.clients(run), run.values()
    rows = []
    for phase in BANDWIDTH:
        times, at_least = on_the_wire(phase.name, own.get(phase.name))
        each = values[phase.name] / servers if servers else None
        client = values[phase.name] / clients if clients else None
        wire = each * times if each is not None else None
        rows.append(
            (
                phase.name,
                str(own[phase.name]) if phase.name in own else None,
                each,
                times,
                at_least,
                wire,
                wire / stated.server_network_gib_s * 100 if wire is not None else None,
                client,
                client / stated.client_network_gib_s * 100 if client is not None else None,
            )
        )
    return pd.DataFrame(rows, columns=columns).astype(
        {c: float for c in columns if c.endswith(("gib_s", "pct"))}
    )


def operations(run: PublicRun) -> pd.DataFrame:
    """The metadata phases under the stated peak operation rate, per server.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``per_server_kiops``, ``peak_pct``; no rows without stated hardware or scale.
    """
    stated, servers = hardware(run), membership.servers(run)
    columns = ["phase", "per_server_kiops", "peak_pct"]
    if stated is None or servers is None:
        return pd.DataFrame(columns=columns)
    values = run.values()
    rows = [
        (p.name, values[p.name] / servers, values[p.name] / servers / stated.server_kiops * 100)
        for p in METADATA
    ]
    return pd.DataFrame(rows, columns=columns)


def shares(run: PublicRun) -> pd.DataFrame:
    """Every share of a stated roof that can be given: ``phase``, ``roof``, ``share_pct``.

    Phases in running order; no rows where no hardware or scale is stated.
    """
    networks = {"server_pct": "servers' network", "client_pct": "clients' network"}
    found: dict[str, list[tuple[str, float]]] = {}
    for row in roofline(run).itertuples():
        for column, name in networks.items():
            if pd.notna(getattr(row, column)):
                found.setdefault(row.phase, []).append((name, getattr(row, column)))
    for row in operations(run).itertuples():
        found.setdefault(row.phase, []).append(("peak of operations", row.peak_pct))
    rows = [(p.name, *share) for p in SCORED for share in found.get(p.name, [])]
    return pd.DataFrame(rows, columns=["phase", "roof", "share_pct"])


def sizing() -> pd.DataFrame:
    """What part of the servers' network is left for clients, if the network is the limit.

    Returns
    -------
    pandas.DataFrame
        ``object_class`` (without groups), ``losses``, ``usable_pct`` (of the media),
        ``large_write_pct`` (of the network, whole stripes), ``small_write_pct`` (less than a cell;
        at most), ``read_pct``.
    """
    rows = [
        (
            redundancy.code(one),
            one.losses,
            float(one.usable_share * 100),
            float(100 / one.write_amplification),
            100 / one.least_small_write,
            100.0,
        )
        for one in SIZED
    ]
    columns = ["object_class", "losses", "usable_pct", "large_write_pct"]
    return pd.DataFrame(rows, columns=[*columns, "small_write_pct", "read_pct"])


def said_of_roof(run: PublicRun) -> list[Sentence]:
    """What the roofs say of a run, and what cannot be said."""
    stated, roof = hardware(run), roofline(run)
    if stated is None:
        return [
            (
                "No source at hand states the network cards or drives under {installation}: no "
                "phase of this run can be put under a roof. Its figures per process stand above; "
                "how much of the hardware they use cannot be said.",
                {"installation": membership.installation(run) or "this run"},
            )
        ]
    said: list[Sentence] = [
        (
            "A server's network cards are stated with about {network:.0f} GiB/s (line {line}), a "
            "client node's add up to {client:.0f} GiB/s. No source states what a drive can move, "
            "so the roof of the media is not known.",
            {
                "network": stated.server_network_gib_s,
                "client": stated.client_network_gib_s,
                "line": stated.line,
            },
        )
    ]
    bounded = roof[roof.at_least].phase
    if not bounded.empty:
        said.append(
            (
                "What *{phase}* stores per byte, and so its share of the servers' network, is a "
                "lower bound.",
                {"phase": bounded.iloc[0]},
            )
        )
    for column, whose in (("server_pct", "servers"), ("client_pct", "client nodes")):
        known = roof.dropna(subset=column)
        if known.empty:
            said.append((f"How many {whose} the run had is not told, so their share is not.", {}))
            continue
        most, least = known.loc[known[column].idxmax()], known.loc[known[column].idxmin()]
        said.append(
            (
                f"Of the network of the {whose}, *{{most}}* takes {{high:.0f}} %, *{{least}}* "
                f"{{low:.0f}} %.",
                {
                    "most": most.phase,
                    "high": most[column],
                    "least": least.phase,
                    "low": least[column],
                },
            )
        )
    return said
