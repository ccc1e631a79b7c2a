"""Aurora's DAOS at each number of servers that the first source names: rates, roofs, capacity."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from storagebook import aurora, charts, tables, units
from storagebook.intervals import Interval
from storagebook.io500 import membership, redundancy, runs
from storagebook.io500.object_class import ObjectClass, parse
from storagebook.io500.phases import IOR_HARD_RECORD_B
from storagebook.io500.runs import PublicRun, Sentence

#: The class that the source's capacity is stated under.
RECOMMENDED = "EC_16P2GX"
_CONFIGURATION, _RUN, _SCALE, _HACC = "aurora-configuration", "aurora-run", "aurora-scale", "hacc"
#: A unit of allocation to try on the fill; no source states that of DAOS.
SUPPOSED_BLOCK_B = 4096
#: The write phases whose bytes IOR counts, and the write phase that follows each.
_NEXT = {"ior-easy-write": "mdtest-easy-write", "ior-hard-write": "mdtest-hard-write"}


def stated(table: str, quantity: str, unit: str) -> Interval:
    """A figure of a quoted table, as every number that prints so, in another unit.

    A count, whose digits are all its own, is that number alone.
    """
    row, text = _row(table, quantity)
    printed = Interval.of_printed(text["value"]) if row["unit"] != "1" else None
    exact = Interval.point(int(row["value"])) if printed is None else printed
    return units.convert(exact, row["unit"], unit)


def _row(table: str, quantity: str) -> tuple[pd.Series, pd.Series]:
    numbers, texts = tables.load(table), tables.printed(table)
    at = numbers.index[numbers.quantity == quantity]
    if len(at) != 1:
        raise LookupError(f"{len(at)} rows of {table} are {quantity}")
    return numbers.loc[at[0]], texts.loc[at[0]]


def _printed(table: str, quantity: str) -> str:
    """A figure as the source prints it, with how far it commits itself."""
    row, text = _row(table, quantity)
    words = {"about": "about ", "at-least": "≥ ", "more-than": "> ", "at-most": "≤ "}
    unit = "" if row["unit"] == "1" else f" {row['unit']}"
    return f"{words.get(row['qualifier'], '')}{text['value']}{unit}"


def _mid(value: Interval) -> float:
    return float(value.mid)


# -- bandwidth at each scale


def server_network() -> Interval:
    """Stated bandwidth of a server's network cards, GB/s."""
    return stated(_CONFIGURATION, "server-network", "GB/s")


def server_line_rate() -> Interval:
    """Line rate of a server's cards, GB/s: as many as stated, each as fast as a client's card."""
    cards = stated(_CONFIGURATION, "server-nics", "1")
    # 200 Gbit/s is the name of a link, not a rounded measurement
    row, _ = _row(_CONFIGURATION, "client-nic")
    card = Interval.point(int(row["value"]))
    return units.convert(card, row["unit"], "GB/s") * cards


def rates() -> pd.DataFrame:
    """Every bandwidth that the source ties to a number of servers.

    Returns
    -------
    pandas.DataFrame
        ``figure``, ``servers_count``, ``bandwidth_tb_s``, ``per_server_gb_s``, ``network_pct``
        (of the stated network), ``line_rate_pct`` (of its line rate), ``basis``, ``printed``,
        ``clients_count`` (blank where not told), ``line``; from few servers to many.
    """
    aurora_run = runs.load(aurora.SUBMISSION)
    few = ("hacc", "daos-servers")
    rows: list[tuple[Any, ...]] = [
        _rate("IOR, highest write", _HACC, "daos-ior", few, None),
        _rate("HACC, write", _HACC, "daos-write", few, ("hacc", "nodes")),
        *(_phase(aurora_run, metric) for metric in ("ior-easy-write", "ior-easy-read")),
        _phase(aurora_run, "bandwidth"),
        _rate("highest of 2026", _SCALE, "throughput", (_SCALE, "servers"), None),
        _rate("stated peak", _CONFIGURATION, "peak-bandwidth", (_CONFIGURATION, "servers"), None),
    ]
    columns = ["figure", "basis", "servers_count", "clients_count", "printed", "bandwidth_tb_s"]
    frame = pd.DataFrame(rows, columns=[*columns, "line"])
    frame["per_server_gb_s"] = frame.bandwidth_tb_s / frame.servers_count * 1000
    frame["network_pct"] = frame.per_server_gb_s / _mid(server_network()) * 100
    frame["line_rate_pct"] = frame.per_server_gb_s / _mid(server_line_rate()) * 100
    order = ["figure", "servers_count", "bandwidth_tb_s", "per_server_gb_s", "network_pct"]
    order += ["line_rate_pct", "basis", "printed", "clients_count", "line"]
    return frame[order].astype({"clients_count": "Int64"})


def _rate(
    name: str,
    table: str,
    quantity: str,
    servers: tuple[str, str],
    clients: tuple[str, str] | None,
) -> tuple[Any, ...]:
    row, _ = _row(table, quantity)
    return (
        name,
        row["basis"],
        int(_mid(stated(*servers, "1"))),
        int(_mid(stated(*clients, "1"))) if clients else None,
        _printed(table, quantity),
        _mid(stated(table, quantity, "TB/s")),
        int(row["line"]),
    )


def _phase(run: PublicRun, metric: str) -> tuple[Any, ...]:
    found = membership.figure(run, metric)
    where = int(_row(_RUN, "servers")[0]["line"])
    servers = int(_mid(stated(_RUN, "servers", "1")))
    value = units.convert(_mid(found.value), found.unit, "TB/s")
    text = f"{_mid(found.value):,.2f} {found.unit}"
    name = "IO500 BW" if metric == "bandwidth" else metric
    return name, str(found.basis), servers, membership.clients(run), text, value, where


def scale_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """Bandwidth against servers, a dot a row of `rates`, under what the servers' cards carry."""
    most = int(frame.servers_count.max())
    roofs = pd.DataFrame(
        [
            (name, servers, servers * _mid(each) / 1000)
            for name, each in (
                ("stated network", server_network()),
                ("line rate", server_line_rate()),
            )
            for servers in (0, most // 3, most)
        ],
        columns=["roof", "servers_count", "bandwidth_tb_s"],
    )
    x = alt.X(
        "servers_count:Q",
        title="storage servers",
        axis=alt.Axis(values=sorted({int(n) for n in frame.servers_count}), grid=False),
        scale=alt.Scale(domain=[0, most * 1.08], nice=False),
    )
    y = alt.Y("bandwidth_tb_s:Q", title="TB/s", axis=alt.Axis(tickCount=5))
    base = alt.Chart(roofs).encode(x=x, y=y, detail="roof:N")
    lines = base.mark_line(color=charts.GREY, strokeWidth=1.5)
    middle = base.transform_filter(f"datum.servers_count == {most // 3}").encode(text="roof:N")
    # the steeper line is named on its left, the other on its right
    steeper = middle.transform_filter("datum.roof == 'line rate'").mark_text(
        align="right", dx=-8, dy=-8, color=charts.MUTED
    )
    other = middle.transform_filter("datum.roof != 'line rate'").mark_text(
        align="left", dx=8, dy=10, color=charts.MUTED
    )
    dots = (
        alt.Chart(frame)
        .mark_circle(size=110, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("basis:N", scale=charts.colours(frame.basis)),
            tooltip=[
                alt.Tooltip("figure:N", title=" "),
                alt.Tooltip("servers_count:Q", title="servers"),
                alt.Tooltip("bandwidth_tb_s:Q", title="TB/s", format=",.2f"),
            ],
        )
    )
    return alt.layer(lines, steeper, other, dots).properties(width="container", height=320)


def per_server(frame: pd.DataFrame) -> pd.DataFrame:
    """`rates` with a name that holds the number of servers, for a chart."""
    names = [f"{row.servers_count:,}: {row.figure}" for row in frame.itertuples()]
    return frame.assign(name=names)[["name", "basis", "per_server_gb_s", "network_pct"]]


def said_of_rates(frame: pd.DataFrame) -> list[Sentence]:
    """The stated peak and network against what some of the servers did."""
    by_name = frame.set_index("figure")
    ior, peak = by_name.loc["IOR, highest write"], by_name.loc["stated peak"]
    latest = by_name.loc["highest of 2026"]
    network, line_rate = _mid(server_network()), _mid(server_line_rate())
    mib = units.convert(stated(_HACC, "daos-ior", "MB/s"), "MiB/s", "GB/s") / int(ior.servers_count)
    above = frame[(frame.per_server_gb_s > peak.per_server_gb_s) & (frame.figure != peak.name)]
    return [
        (
            "The stated peak, {printed}, is {peak:.1f} GB/s for each of {servers:,} servers. "
            "{above} of the other figures are higher per server; at the rate of IOR on "
            "{few} servers, all would write {scaled:.1f} TB/s. So the peak is a lower bound, as "
            "its sign says, and no ceiling that measured rates may be divided by.",
            {
                "printed": peak.printed,
                "peak": peak.per_server_gb_s,
                "servers": int(peak.servers_count),
                "above": len(above),
                "few": int(ior.servers_count),
                "scaled": ior.per_server_gb_s * peak.servers_count / 1000,
            },
        ),
        (
            "The network is a firmer roof, but not as stated: IOR on {few} servers moves "
            "{ior:.2f} GB/s a server, {share:.0f} % of the stated {network:.2f} GB/s "
            "({printed}). It is below the line rate of the cards, {line_rate:.0f} GB/s, and stays "
            "so ({mib:.2f} GB/s) if the printed MB/s are the MiB/s that IOR prints. "
            "*About* is the word that resolves it: the stated figure is no ceiling either.",
            {
                "few": int(ior.servers_count),
                "ior": ior.per_server_gb_s,
                "share": ior.network_pct,
                "network": network,
                "printed": _printed(_CONFIGURATION, "server-network"),
                "line_rate": line_rate,
                "mib": _mid(mib),
            },
        ),
        (
            "The highest throughput of 2026 is {share:.0f} % of the stated network of its "
            "{servers} servers, so it is possible. Whether it was written or read, and which of "
            "the client scales had it, the source does not say.",
            {"share": latest.network_pct, "servers": int(latest.servers_count)},
        ),
    ]


def said_of_growth(frame: pd.DataFrame) -> list[Sentence]:
    """What more servers brought, why it is no scaling test, and what the run of 2023 left."""
    by_name = frame.set_index("figure")
    before, after = by_name.loc["ior-easy-write"], by_name.loc["highest of 2026"]
    ior = by_name.loc["IOR, highest write"]
    span = stated(_SCALE, "throughput", "GB/s") / int(after.servers_count)
    more = (span / Interval.point(before.per_server_gb_s) - 1) * 100
    least, most = more.floats()
    run, unprotected = (runs.load(one) for one in (aurora.SUBMISSION, aurora.UNPROTECTED))
    classes = redundancy.classes(run)
    own, hard = classes["ior-easy-write"], membership.figure(run, "ior-hard-write")
    moved = before.per_server_gb_s * float(own.write_amplification)
    return [
        (
            "From {a} servers in 2023 to {b} in 2026 servers grow by {servers:.1f} %, the highest "
            "bandwidth told by {rate:.1f} %: *ior-easy-write* then, the throughput of the later "
            "test now. Per server the printed digits allow a change of {least:+.1f} to "
            "{most:+.1f} %. Beside it stand another way of measuring, {clients} client nodes "
            "against at least {more:,}, and a protection that only the first tells.",
            {
                "a": int(before.servers_count),
                "b": int(after.servers_count),
                "servers": (after.servers_count / before.servers_count - 1) * 100,
                "rate": (after.bandwidth_tb_s / before.bandwidth_tb_s - 1) * 100,
                "least": least,
                "most": most,
                "clients": int(before.clients_count),
                "more": int(_mid(stated(_SCALE, "clients-least", "1"))),
            },
        ),
        (
            "The source concludes that the run of 2023 was not the limit of the hardware. Its "
            "round figure of 2026 alone leaves that open. On the same servers and clients, "
            "submission {bare} wrote {hard:,.0f} GiB/s in *ior-hard-write* without redundancy, "
            "where the run moved {stored:,.0f} with its copies. For large writes, IOR on {few} "
            "servers bears it out, if a server of theirs is like one of the {all}: "
            "{ior:.1f} GB/s a server, where *ior-easy-write* has {run:.1f}, or {moved:.1f} with "
            "the parity that {name} adds. How the pool of the {few} servers was protected no "
            "source tells; protection of its own could only add to what its servers moved. So it "
            "is {least:.0f} % more at least.",
            {
                "bare": aurora.UNPROTECTED,
                "hard": float(membership.figure(unprotected, "ior-hard-write").value.mid),
                "stored": float(hard.value.mid)
                * float(classes["ior-hard-write"].write_amplification),
                "all": int(before.servers_count),
                "few": int(ior.servers_count),
                "ior": ior.per_server_gb_s,
                "run": before.per_server_gb_s,
                "moved": moved,
                "name": str(own),
                "least": (ior.per_server_gb_s / moved - 1) * 100,
            },
        ),
    ]


def said_of_clients(frame: pd.DataFrame) -> Sentence:
    """How much more the cards of clients carry, over all scales of `clients_against_servers`."""
    return (
        "At these scales the cards of the clients carry {least:.1f} to {most:.0f} times what the "
        "servers' carry. If a run used all cards of its clients and the fabric carries them, the "
        "clients' network is the limit of none of these, and what further clients bring is "
        "concurrency.",
        {"least": frame.times.min(), "most": frame.times.max()},
    )


def clients_against_servers() -> pd.DataFrame:
    """What the cards of clients and of servers carry, for each scale whose clients are told.

    Returns
    -------
    pandas.DataFrame
        ``clients_count``, ``servers_count``, ``clients_tb_s`` and ``servers_tb_s`` (line rates),
        ``times`` (clients over servers), ``line``.
    """
    cards = int(_mid(stated(_CONFIGURATION, "client-nics", "1")))
    card = _mid(server_line_rate()) / int(_mid(stated(_CONFIGURATION, "server-nics", "1")))
    pairs = [
        ((_HACC, "nodes"), (_HACC, "daos-servers")),
        ((_SCALE, "clients-2023"), (_SCALE, "servers-2023")),
        *(
            ((_SCALE, f"clients-{size}"), (_SCALE, "servers"))
            for size in ("least", "middle", "most")
        ),
    ]
    rows = []
    for client, server in pairs:
        clients, servers = (int(_mid(stated(*one, "1"))) for one in (client, server))
        have, take = clients * cards * card / 1000, servers * _mid(server_line_rate()) / 1000
        rows.append((clients, servers, have, take, have / take, int(_row(*client)[0]["line"])))
    columns = ["clients_count", "servers_count", "clients_tb_s", "servers_tb_s", "times", "line"]
    return pd.DataFrame(rows, columns=columns)


# -- capacity


def drives() -> Interval:
    """NVMe of one server, TB: the stated number of drives times the stated drive."""
    return stated(_CONFIGURATION, "server-nvme-drives", "1") * stated(
        _CONFIGURATION, "nvme-drive", "TB"
    )


def media() -> Interval:
    """NVMe and persistent memory of one server, TB."""
    modules = stated(_CONFIGURATION, "server-pmem-modules", "1")
    return drives() + modules * stated(_CONFIGURATION, "pmem-module", "TB")


def _all_servers() -> int:
    return int(_mid(stated(_CONFIGURATION, "servers", "1")))


def at_each_scale(protection: ObjectClass) -> pd.DataFrame:
    """Network and capacity of each number of servers that the source names.

    Returns
    -------
    pandas.DataFrame
        ``servers_count``, ``named_as``, ``network_tb_s`` (stated), ``line_rate_tb_s``,
        ``drives_pb``, ``usable_pb`` (of the drives, under the protection), ``media_pb`` (drives
        and persistent memory), ``media_pib``.
    """
    stages = tables.load("aurora-expansion")
    named = {
        int(row.servers_count): f"{row.stage} stage (line {row.line})"
        for row in stages.itertuples()
    }
    row, _ = _row(_RUN, "servers")
    named[int(row["value"])] = f"IO500 run of 2023 (line {int(row['line'])})"
    row, _ = _row(_CONFIGURATION, "servers")
    named[int(row["value"])] = f"whole system (line {int(row['line'])})"
    rows = []
    for servers, name in sorted(named.items()):
        own, raw = servers * drives(), servers * media()
        rows.append(
            (
                servers,
                name,
                servers * _mid(server_network()) / 1000,
                servers * _mid(server_line_rate()) / 1000,
                _mid(own) / 1000,
                _mid(own * protection.usable_share) / 1000,
                _mid(raw) / 1000,
                units.convert(_mid(raw), "TB", "PiB"),
            )
        )
    columns = ["servers_count", "named_as", "network_tb_s", "line_rate_tb_s", "drives_pb"]
    return pd.DataFrame(rows, columns=[*columns, "usable_pb", "media_pb", "media_pib"])


def capacities() -> pd.DataFrame:
    """Each stated capacity of the whole system, and the readings that the configuration allows.

    Returns
    -------
    pandas.DataFrame
        ``stated`` (what it is), ``printed``, ``reading`` (in words), ``computed_pb`` (in PiB where
        the reading says so), ``gap_pct`` (stated over computed − 1), ``fits`` (some number that
        prints as stated is one that the configuration allows), ``line``.
    """
    servers, code = _all_servers(), parse(RECOMMENDED)
    all_drives, all_media = servers * drives() / 1000, servers * media() / 1000
    raw = stated(_CONFIGURATION, "capacity-raw", "PB")
    in_pib = units.convert(all_media, "PB", "PiB")
    readings = {
        "capacity-raw": [
            ("drives", all_drives),
            ("drives and persistent memory", all_media),
        ],
        "capacity-ec": [
            (f"drives under {RECOMMENDED}", all_drives * code.usable_share),
            (f"stated raw capacity under {RECOMMENDED}", raw * code.usable_share),
        ],
        "capacity-most": [("drives", all_drives), ("drives and persistent memory", all_media)],
        "capacity-user-docs": [
            (f"drives under {RECOMMENDED}", all_drives * code.usable_share),
            (f"stated raw capacity under {RECOMMENDED}", raw * code.usable_share),
            ("drives and persistent memory, in PiB", in_pib),
        ],
    }
    rows = []
    for quantity, some in readings.items():
        row, _ = _row(_CONFIGURATION, quantity)
        figure = stated(_CONFIGURATION, quantity, "PB")
        for words, value in some:
            gap = (float(row["value"]) / _mid(value) - 1) * 100
            rows.append(
                (
                    row["description"],
                    _printed(_CONFIGURATION, quantity),
                    words,
                    _mid(value),
                    gap,
                    figure.overlaps(value),
                    int(row["line"]),
                )
            )
    columns = ["stated", "printed", "reading", "computed_pb", "gap_pct", "fits", "line"]
    return pd.DataFrame(rows, columns=columns)


def usable(
    names: tuple[str, ...] = ("SX", "EC_16P1GX", RECOMMENDED, "RP_2GX", "RP_3GX"),
) -> pd.DataFrame:
    """What object classes leave of all drives: ``object_class``, ``losses``, ``usable_pb``."""
    everything = _all_servers() * drives() / 1000
    rows = [
        (name, one.losses, _mid(everything * one.usable_share))
        for name in names
        for one in [parse(name)]
    ]
    return pd.DataFrame(rows, columns=["object_class", "losses", "usable_pb"])


def said_of_capacity(frame: pd.DataFrame) -> list[Sentence]:
    """Which reading of each stated capacity fits."""
    said: list[Sentence] = []
    for name, own in frame.groupby("stated", sort=False):
        fits = list(own[own.fits].reading)
        values: dict[str, object] = {"name": name, "printed": own.printed.iloc[0]}
        if len(fits) == 1:
            text = "- *{name}*, {printed}: fits one reading, {reading}."
            values["reading"] = fits[0]
        elif fits:
            text = (
                "- *{name}*, {printed}: fits {number} readings, {readings}. Which is meant is open."
            )
            values |= {"number": len(fits), "readings": "; ".join(fits)}
        else:
            near = own.loc[own.gap_pct.abs().idxmin()]
            text = "- *{name}*, {printed}: fits none. Nearest are the {reading}, {gap:+.1f} % away."
            values |= {"reading": near.reading, "gap": near.gap_pct}
        said.append((text, values))
    classes = usable().set_index("object_class")
    row, _ = _row(_CONFIGURATION, "capacity-least")
    below = classes[classes.usable_pb < float(row["value"]) * 0.95]
    said.append(
        (
            "The stated range over the levels of redundancy ends at {least:.0f} {unit}. It leaves "
            "out copies: {names} would leave {figures} PB. The run of 2023 keeps its "
            "metadata and its small files in copies.",
            {
                "least": float(row["value"]),
                "unit": row["unit"],
                "names": " and ".join(below.index),
                "figures": " and ".join(f"{value:.0f}" for value in below.usable_pb),
            },
        )
    )
    return said


# -- the pool


def pool() -> list[Sentence]:
    """The stated pool against the media of the run's servers and the run's own output."""
    outputs = tables.load(runs.OUTPUTS)
    own = outputs[outputs.submission == aurora.SUBMISSION]
    size = Interval.of_printed(f"{own.file_system_tib.iloc[0]}", trailing_zeros=True)
    size_pb = units.convert(size, "TiB", "PB")
    servers = int(_mid(stated(_RUN, "servers", "1")))
    has = servers * media() / 1000
    row, _ = _row(_RUN, "pool")
    said_pb = units.convert(float(row["value"]), row["unit"], "PB")
    each = (size_pb * 1000 / servers - (media() - drives())) / stated(
        _CONFIGURATION, "server-nvme-drives", "1"
    )
    return [
        (
            "The source gives the largest pool as {printed} (line {line}), {said:.1f} PB. The "
            "drives and persistent memory of {servers} servers hold {has:.1f} PB, so it cannot be: "
            "it would take {needed} servers. IOR and mdtest of submission {submission} print the "
            "size of the file system they wrote to: {tib:,.1f} TiB, {pb:.1f} PB or {pib:.1f} PiB. "
            "So the number fits as a rounded one of *PB*, and not as PiB.",
            {
                "printed": _printed(_RUN, "pool"),
                "line": int(row["line"]),
                "said": said_pb,
                "servers": servers,
                "has": _mid(has),
                "needed": -int(-said_pb * 1000 // _mid(media())),
                "submission": aurora.SUBMISSION,
                "tib": _mid(size),
                "pb": _mid(size_pb),
                "pib": _mid(units.convert(size_pb, "PB", "PiB")),
            },
        ),
        (
            "If that file system takes in all media of all {servers} servers, a drive gives it "
            "{drive:.2f} TB, against a printed {printed}: one configuration bears out the other.",
            {
                "servers": servers,
                "drive": _mid(each),
                "printed": _printed(_CONFIGURATION, "nvme-drive"),
            },
        ),
    ]


def filling() -> pd.DataFrame:
    """How much fuller the file system was after IOR had written, by its own measure.

    Only runs whose outputs tell the bytes moved, and one size of the file system throughout, with
    a change that the printed digit can show.

    Returns
    -------
    pandas.DataFrame
        ``submission``, ``file_system``, ``phase``, ``object_class`` (blank where no file tells),
        ``moved_tib``, ``size_tib``, ``filled_points`` (percentage points, as printed),
        ``least`` and ``most`` (bytes filled per byte moved, from the printed digits),
        ``whole_stripes`` (what the class stores per byte of a whole stripe) and ``small`` (the
        least that it stores for writes smaller than a cell).
    """
    outputs = tables.load(runs.OUTPUTS).set_index(["submission", "run", "phase"])
    every = tables.load(runs.RUNS).set_index(["submission", "run"])
    rows = []
    for (submission, name, phase), row in outputs.iterrows():
        after = outputs.loc[(submission, name, _NEXT[phase])] if phase in _NEXT else None
        if after is None or pd.isna([row.moved_b, row.used_pct, after.used_pct]).any():
            continue
        before, then = (
            Interval.of_printed(f"{used:.1f}", trailing_zeros=True)
            for used in (row.used_pct, after.used_pct)
        )
        filled = then - before
        if row.file_system_tib != after.file_system_tib or filled.lo <= filled.width:
            continue
        moved = units.convert(Interval.point(int(row.moved_b)), "B", "TiB")
        size = Interval.of_printed(f"{row.file_system_tib:.1f}", trailing_zeros=True)
        per_byte = size * filled / 100 / moved
        own = redundancy.classes(runs.load(submission)).get(phase)
        rows.append(
            (
                submission,
                every.loc[(submission, name), "file_system"],
                phase,
                str(own) if own else None,
                _mid(moved),
                _mid(size),
                _mid(filled),
                *per_byte.floats(),
                float(own.write_amplification) if own else None,
                own.least_small_write if own else None,
            )
        )
    columns = ["submission", "file_system", "phase", "object_class", "moved_tib", "size_tib"]
    columns += ["filled_points", "least", "most", "whole_stripes", "small"]
    return pd.DataFrame(rows, columns=columns).astype({"small": "Int64"})


def filled_beside_stored(frame: pd.DataFrame) -> pd.DataFrame:
    """`filling` for a chart: ``name``, ``series``, ``times`` (bytes per byte moved)."""
    known = frame.dropna(subset="object_class")
    rows = [
        (f"{row.submission} {row.phase} {row.object_class}", series, value)
        for row in known.itertuples()
        for series, value in (
            ("filled", (row.least + row.most) / 2),
            ("whole stripes", row.whole_stripes),
        )
    ]
    return pd.DataFrame(rows, columns=["name", "series", "times"])


def dearest(frame: pd.DataFrame) -> pd.Series:
    """The row of `filling` that takes most beyond what whole stripes of its class store."""
    known = frame.dropna(subset="object_class")
    return known.loc[(known.least / known.whole_stripes).idxmax()]


def said_of_filling(frame: pd.DataFrame, submission: str) -> list[Sentence]:
    """What the fill of a run's file system says of its protection."""
    own = frame[frame.submission == submission]
    if own.empty:
        return [
            (
                "The outputs of submission {submission} do not tell by how much its writes filled "
                "the file system.",
                {"submission": submission},
            )
        ]
    said: list[Sentence] = []
    for row in own.itertuples():
        values: dict[str, object] = {
            "phase": row.phase,
            "submission": submission,
            "least": row.least,
            "most": row.most,
            "points": row.filled_points,
        }
        if pd.isna(row.object_class):
            text = "No file names an object class for it."
        elif row.phase == "ior-hard-write" and row.small > row.whole_stripes:
            text = (
                "Whole stripes of {name} would take {whole:.5g}, records smaller than a cell at "
                "least {small}: " + _verdict(row.least, row.most, row.small, "small")
            )
            values |= {"name": row.object_class, "whole": row.whole_stripes, "small": row.small}
        else:
            text = "{name} stores {whole:.5g}: " + _verdict(
                row.least, row.most, row.whole_stripes, "whole"
            )
            values |= {"name": row.object_class, "whole": row.whole_stripes}
        text += _padded(row, values)
        said.append(
            (
                "*{phase}* of submission {submission} filled {points:.1f} percentage points, "
                f"{{least:.3f}} to {{most:.3f}} bytes for each byte that IOR moved. {text}",
                values,
            )
        )
    return said


def _verdict(least: float, most: float, expected: float, kind: str) -> str:
    if kind == "small":
        return (
            "the fill shows the dearer of the two."
            if least >= expected
            else "the fill allows either."
            if most >= expected
            else "the fill is below that bound, so records were stored together."
        )
    if least <= expected <= most:
        return "what the file system shows."
    return "the fill shows more than the data." if least > expected else "the fill shows less."


def _padded(row: Any, values: dict[str, object]) -> str:
    """What records of *ior-hard* would take if each filled whole blocks, and if the fill fits."""
    if row.phase != "ior-hard-write" or pd.isna(row.small):
        return ""
    padded = row.small * -(-IOR_HARD_RECORD_B // SUPPOSED_BLOCK_B) * SUPPOSED_BLOCK_B
    share = padded / IOR_HARD_RECORD_B
    values |= {"record": IOR_HARD_RECORD_B, "block": SUPPOSED_BLOCK_B // 1024, "padded": share}
    fits = "allows" if row.least <= share <= row.most else "excludes"
    return (
        " Were each record of {record:,} bytes padded to blocks of {block} KiB, it would be "
        "{padded:.3f}, which the fill " + fits + "; no source tells what the blocks are."
    )


# -- what disagrees


def discrepancies() -> pd.DataFrame:
    """Figures on scale and capacity that do not go together, and where that leaves them.

    Returns
    -------
    pandas.DataFrame
        ``figure``, ``against``, ``standing`` (``resolved`` or ``open``), ``why``.
    """
    stages = tables.load("aurora-expansion").set_index("stage").servers_count.astype(int)
    run_servers, everything = int(_mid(stated(_RUN, "servers", "1"))), _all_servers()
    planned = _row(_SCALE, "release-planned")[0]
    rate = rates().set_index("figure")
    ior, peak = rate.loc["IOR, highest write"], rate.loc["stated peak"]
    bw = runs.load(aurora.SUBMISSION).score().bw_gib_s
    report, _ = _row(_SCALE, "report-bandwidth")
    share = {n: stages["first"] / n * 100 for n in (everything, stages["middle"])}
    documents = {
        name: " against ".join(_printed(_CONFIGURATION, f"{name}-{part}") for part in "ab")
        for name in ("flare-capacity", "flare-osts", "flare-gateways")
    }
    rows = [
        (
            f"final stage: {stages['final']} servers",
            f"whole system: {everything:,}",
            "open",
            f"Line {int(planned['line'])} calls {everything:,} the planned number. Whether "
            f"{stages['final']} is a part in service or a smaller final system, no line says.",
        ),
        (
            f"middle stage: {stages['middle']} servers",
            f"{run_servers} already in 2023",
            "open",
            "The first stages have no date. They may count servers of user pools and the run all "
            "that were installed; no line says so.",
        ),
        (
            f"share of {stages['first']} servers",
            f"{share[everything]:.1f} % or {share[stages['middle']]:.1f} %",
            "resolved",
            "The first is of all planned, the second of the middle stage: two denominators.",
        ),
        (
            f"stated peak: {peak.per_server_gb_s:.1f} GB/s a server",
            f"IOR: {ior.per_server_gb_s:.1f} GB/s a server",
            "open",
            "The peak is stated as a lower bound, so it is no ceiling; which peak is meant, of "
            "what, no line says.",
        ),
        (
            f"stated network: {_mid(server_network()):.1f} GB/s a server",
            f"IOR: {ior.per_server_gb_s:.1f} GB/s a server",
            "resolved",
            f"The line rate is {_mid(server_line_rate()):.0f} GB/s; the stated figure is below it, "
            "and *about* says that it is no ceiling.",
        ),
        (
            f"report: {_printed(_SCALE, 'report-bandwidth')}",
            f"BW: {units.convert(bw, 'GiB/s', 'TiB/s'):.2f} TiB/s",
            "open",
            f"BW is {units.convert(bw, 'GiB/s', 'TB/s'):.2f} TB/s: true in TB/s, not in "
            f"{report['unit']}, though the source calls the two an exact match. The report does "
            "not say that it means BW; both phases of ior-easy alone are above its figure.",
        ),
        (
            f"pool: {_printed(_RUN, 'pool')}",
            f"media of the run: {run_servers * _mid(media()) / 1000:.1f} PB",
            "resolved",
            "The run's outputs print the size: the unit is PB.",
        ),
        (
            f"largest file: {_printed(_RUN, 'largest-file')}",
            f"{_moved(aurora.SUBMISSION):.1f} PiB moved",
            "resolved",
            f"Submission {aurora.UNPROTECTED} moved {_moved(aurora.UNPROTECTED):.1f} PiB: the "
            "figure is of the unprotected run, as are the numbers of files.",
        ),
        (
            f"Flare: {documents['flare-capacity']}",
            f"OSTs: {documents['flare-osts']}; gateways: {documents['flare-gateways']}",
            "open",
            "Two documents of one site, perhaps of two times. The source names the difference "
            "itself.",
        ),
    ]
    return pd.DataFrame(rows, columns=["figure", "against", "standing", "why"])


def _moved(submission: str) -> float:
    """PiB that ior-easy-write of a submission moved."""
    made = runs.written(runs.load(submission))
    return float(made.set_index("phase").moved_pib["ior-easy-write"])
