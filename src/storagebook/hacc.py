"""HACC on Aurora: what an application wrote, and what its rates can be held against."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pandas as pd

from storagebook import cells, compare, units
from storagebook.compare import Basis, Figure
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.quantities import Quantity

#: The source that reports the runs.
SOURCE = "000"
_HOUR_S, _MINUTE_S = 3_600, 60
_PEAKS = ("Lustre's peak, section 6.1", "Lustre's peak, section 3.1")


def stated(quantity: str, table: str = "hacc", *, exact: bool = True) -> Quantity:
    """A figure of the source: its printed digits, or with `exact` off all that they allow.

    Raises
    ------
    StoragebookError
        If the table has no such figure.
    """
    return cells.cell(f"{table}[quantity={quantity}].value").quantity(exact=exact)


def _server_network(*, exact: bool = True) -> Quantity:
    return stated("server-network", "aurora-configuration", exact=exact)


def _line_rate() -> Quantity:
    """What a storage server's cards carry if each is like a compute node's."""
    nic = stated("client-nic", "aurora-configuration")
    return stated("server-nics", "aurora-configuration") * nic


def _tb_s(quantity: Quantity) -> float:
    return float(quantity.to("TB/s").value.mid)


def _gb_s(quantity: Quantity) -> float:
    return float(quantity.to("GB/s").value.mid)


def rates() -> pd.DataFrame:
    """What was written to either system, and the limits that the source states for them.

    Returns
    -------
    pandas.DataFrame
        Columns ``figure``, ``system``, ``basis``, ``stated`` (as printed, or the arithmetic),
        ``bandwidth_tb_s`` and ``line`` of the source.
    """
    servers = stated("daos-servers")
    pool = f"DAOS, {servers.text} servers"
    network = servers * _server_network()
    rows = [
        ("HACC on DAOS", pool, "hacc", "daos-write"),
        ("IOR on DAOS", pool, "hacc", "daos-ior"),
        ("HACC on Lustre", "Lustre", "hacc", "lustre-write"),
        (_PEAKS[0], "Lustre", "hacc", "lustre-peak"),
        (_PEAKS[1], "Lustre", "aurora-configuration", "flare-bandwidth"),
    ]
    found = []
    for name, system, table, quantity in rows:
        one = cells.cell(f"{table}[quantity={quantity}].value")
        about = "about " if one.quantity().approximate else ""
        text = f"{about}{one.text} {one.unit}"
        found.append((name, system, str(one.basis), text, _tb_s(stated(quantity, table)), one.line))
    carried = (
        "network cards of the DAOS servers",
        pool,
        str(Basis.DERIVED),
        network.text,
        _tb_s(network),
        cells.cell("aurora-configuration[quantity=server-network].value").line,
    )
    found.insert(2, carried)
    columns = ["figure", "system", "basis", "stated", "bandwidth_tb_s", "line"]
    return pd.DataFrame(found, columns=columns)


@dataclass(frozen=True)
class _Side:
    """One side of a ratio: the figure with what has to be known of it, and its printed digits."""

    figure: Figure
    exact: Quantity


def _side(name: str, quantity: str, table: str = "hacc", **more: Any) -> _Side:
    one = cells.cell(f"{table}[quantity={quantity}].value")
    figure = Figure(
        name=name,
        value=one.quantity().value,
        unit=one.unit,
        basis=one.basis or Basis.DERIVED,
        obtained=one.obtained,
        source=SOURCE,
        **more,
    )
    return _Side(figure, one.quantity(exact=True))


def _sides_above() -> tuple[_Side, ...]:
    clients, servers = (int(stated(name).value.mid) for name in ("nodes", "daos-servers"))
    on_pool: dict[str, Any] = {"system": "DAOS", "metric": "write", "servers": servers}
    return (
        _side("HACC on DAOS", "daos-write", clients=clients, **on_pool),
        _side("IOR on DAOS", "daos-ior", benchmark="ior", **on_pool),
    )


def _sides_below() -> tuple[_Side, ...]:
    clients = int(stated("nodes").value.mid)
    return (
        _side("HACC on Lustre", "lustre-write", system="Lustre", metric="write", clients=clients),
        _side(_PEAKS[0], "lustre-peak", system="Lustre"),
        _side(_PEAKS[1], "flare-bandwidth", "aurora-configuration", system="Lustre"),
    )


def over_lustre() -> tuple[str, pd.DataFrame]:
    """DAOS over Lustre, for each figure that could be meant by either.

    Returns
    -------
    str
        What stands beside every one of the ratios.
    pandas.DataFrame
        Columns ``above``, ``below``, ``ratio`` (of the printed digits), ``least`` and ``most``
        (what the print allows; a peak that is "about" so much allows more), ``as_quoted`` (whether
        the ratio prints as the source's does) and ``differs`` (what else differs between the two).
    """
    one = cells.cell("hacc[quantity=ratio].value")
    quoted = Interval.of_printed(one.text)
    rows, besides = [], []
    for above, below in itertools.product(_sides_above(), _sides_below()):
        made = compare.ratio(above.figure, below.figure)
        point = (above.exact / below.exact).value.mid
        least, most = made.ratio.floats()
        names = (above.figure.name, below.figure.name)
        rows.append((*names, float(point), least, most, quoted.contains(point)))
        besides.append(made.beside())
    common, alone = compare.shared(besides)
    columns = ["above", "below", "ratio", "least", "most", "as_quoted"]
    return common, pd.DataFrame(rows, columns=columns).assign(differs=alone)


def said_of_ratios(ratios: pd.DataFrame) -> list[Sentence]:
    """Which of `over_lustre` print as the source's ratio, and what the two systems hold."""
    alike = ratios[ratios.as_quoted]
    names = [f"{row.above} over {row.below}" for row in alike.itertuples()]
    pool = stated("daos-servers") * stated("server-nvme", "aurora-configuration")
    return [
        (
            "{alike} of these {all} print as {quoted}: {names}. The source gives the ratio twice, "
            "in section 6.1 of the two HACC runs and in section 9 of HACC on DAOS and Lustre's "
            "peak; over the peak of section 3.1 the second is {other:.1f}.",
            {
                "alike": len(alike),
                "all": len(ratios),
                "quoted": cells.cell("hacc[quantity=ratio].value").text,
                "names": "; ".join(names),
                "other": float(
                    ratios.ratio[
                        (ratios.above == "HACC on DAOS") & (ratios.below == _PEAKS[1])
                    ].iloc[0]
                ),
            },
        ),
        (
            "A pool is held against a whole system here: {servers} servers with {pool:.1f} PB of "
            "NVMe, before any redundancy, against Lustre's {lustre}. What media Lustre has, and "
            "how many servers, is not told with these runs; section 3.1 quotes documents that "
            "differ on its targets and gateways. So there is no ratio per server.",
            {
                "servers": int(stated("daos-servers").value.mid),
                "pool": float(pool.to("PB").value.mid),
                "lustre": f"about {stated('flare-capacity').text}",
            },
        ),
    ]


def said_of_limits(limits: pd.DataFrame) -> list[Sentence]:
    """What the quoted share is of, and which limits the run was above."""
    quoted = cells.cell("hacc[quantity=daos-of-ior].value")
    above = limits[limits.share_pct > 100]
    return [
        (
            "The source's {quoted} holds for {base} alone: {least:.4f} to {most:.4f} % by the "
            "printed digits. {above} of the {all} bases {verb} below what HACC wrote: they are no "
            "peak of this pool.",
            {
                "quoted": f"{quoted.text} {quoted.unit}",
                "base": " and ".join(limits.base[limits.as_quoted]),
                "least": share_quoted().floats()[0],
                "most": share_quoted().floats()[1],
                "above": len(above),
                "all": len(limits),
                "verb": "lies" if len(above) == 1 else "lie",
            },
        )
    ]


def of_limits() -> pd.DataFrame:
    """HACC on DAOS as a share of each figure that could be called the pool's peak.

    The stated peak of all servers and the throughput of 2026 are divided by their servers and
    multiplied by the pool's, which is this book's arithmetic.

    Returns
    -------
    pandas.DataFrame
        Columns ``base``, ``basis``, ``arithmetic``, ``base_tb_s``, ``share_pct`` and ``as_quoted``
        (whether the share prints as the source's does).
    """
    written, pool = stated("daos-write"), stated("daos-servers")
    everything = stated("servers", "aurora-configuration")
    scaled = stated("servers", "aurora-scale")
    bases = [
        ("IOR on the same pool", Basis.MICROBENCHMARK, stated("daos-ior")),
        ("its servers' network cards, as stated", Basis.DERIVED, pool * _server_network()),
        ("the same, at the rate of a compute node's card", Basis.DERIVED, pool * _line_rate()),
        (
            "its part of the stated peak of all servers",
            Basis.DERIVED,
            stated("peak-bandwidth", "aurora-configuration") / everything * pool,
        ),
        (
            "its part of the throughput of 2026",
            Basis.DERIVED,
            stated("throughput", "aurora-scale") / scaled * pool,
        ),
    ]
    quoted = Interval.of_printed(cells.cell("hacc[quantity=daos-of-ior].value").text)
    rows = []
    for name, basis, base in bases:
        share = (written / base).value.mid * 100
        rows.append(
            (name, str(basis), base.text, _tb_s(base), float(share), quoted.contains(share))
        )
    columns = ["base", "basis", "arithmetic", "base_tb_s", "share_pct", "as_quoted"]
    return pd.DataFrame(rows, columns=columns)


def by_unit() -> pd.DataFrame:
    """The share of IOR's rate if a tool's MB/s means MiB/s, as IOR's does.

    Returns
    -------
    pandas.DataFrame
        Columns ``hacc_unit``, ``ior_unit``, ``hacc_tb_s``, ``ior_tb_s`` and ``share_pct``.
    """
    written, peak = stated("daos-write"), stated("daos-ior")
    rows = []
    for own, other in itertools.product(("MB/s", "MiB/s"), repeat=2):
        above = float(units.convert(written.value.mid, own, "TB/s"))
        below = float(units.convert(peak.value.mid, other, "TB/s"))
        rows.append((own, other, above, below, above / below * 100))
    columns = ["hacc_unit", "ior_unit", "hacc_tb_s", "ior_tb_s", "share_pct"]
    return pd.DataFrame(rows, columns=columns)


def per_server() -> pd.DataFrame:
    """The rates of Aurora's DAOS that have a known number of servers, for each of them.

    Returns
    -------
    pandas.DataFrame
        Columns ``figure``, ``basis``, ``servers``, ``bandwidth_tb_s``, ``per_server_gb_s``,
        ``of_network_pct`` (of a server's network cards as stated) and ``of_line_rate_pct`` (if
        each card is like a compute node's), from the largest down.
    """
    pool = stated("daos-servers")
    rows = [
        ("IOR on the pool", Basis.MICROBENCHMARK, stated("daos-ior"), pool),
        ("HACC on the pool", Basis.APPLICATION, stated("daos-write"), pool),
        (
            "throughput of 2026",
            Basis.VENDOR_STATEMENT,
            stated("throughput", "aurora-scale"),
            stated("servers", "aurora-scale"),
        ),
        (
            "ior-easy-write, submission 0688",
            Basis.SINGLE_PHASE,
            cells.cell("aurora-phases[phase=ior-easy-write].value").quantity(exact=True),
            stated("servers", "aurora-run"),
        ),
        (
            "stated peak of all servers (≥)",
            Basis.THEORETICAL_PEAK,
            stated("peak-bandwidth", "aurora-configuration"),
            stated("servers", "aurora-configuration"),
        ),
    ]
    found = []
    for name, basis, rate, servers in rows:
        each = rate / servers
        shares = (each / limit for limit in (_server_network(), _line_rate()))
        count = int(servers.value.mid)
        found.append(
            (
                name,
                str(basis),
                count,
                _tb_s(rate),
                _gb_s(each),
                *(float(one.value.mid) * 100 for one in shares),
            )
        )
    columns = ["figure", "basis", "servers", "bandwidth_tb_s", "per_server_gb_s"]
    columns += ["of_network_pct", "of_line_rate_pct"]
    frame = pd.DataFrame(found, columns=columns)
    return frame.sort_values("per_server_gb_s", ascending=False, ignore_index=True)


def setup() -> list[Sentence]:
    """How large the runs were."""
    nodes, ranks, each = (stated(q) for q in ("nodes", "ranks", "ranks-per-node"))
    particles = stated("particles")
    return [
        (
            "{nodes:,} client nodes of {each} ranks make {ranks:,} ranks, as the source says; "
            "{particles:,.1f} billion particles are {per_rank:,.0f} million for each "
            "rank. How much was written, in how many files and how often is not told.",
            {
                "nodes": int(nodes.value.mid),
                "each": int(each.value.mid),
                "ranks": int((nodes * each).value.mid),
                "particles": float(particles.value.mid) / 1e9,
                "per_rank": float((particles / ranks).value.mid) / 1e6,
            },
        )
    ]


def against_network() -> list[Sentence]:
    """What IOR's rate says of the servers' network cards."""
    each = stated("daos-ior") / stated("daos-servers")
    network, line = _server_network(), _line_rate()
    loosely = _server_network(exact=False).value
    fits = loosely.overlaps(each.to("GiB/s").value)
    above = each.value.mid > network.to(each.unit).value.mid
    within = (
        "which the source's “about” allows"
        if fits
        else "which not even the source's “about” allows"
    )
    cards = stated("server-nics", "aurora-configuration")
    return [
        (
            "IOR wrote {each:.2f} GB/s to each server, {of_network:.1f} % of the {network} that "
            "the source states for its {cards} network cards"
            + (f", {within}" if above else "")
            + ". Were each card like a compute node's ({card}), the {cards} would carry "
            "{line:.0f} GB/s, and IOR would use {of_line:.1f} % of that.",
            {
                "each": _gb_s(each),
                "of_network": float((each / network).value.mid) * 100,
                "network": network.text,
                "cards": int(cards.value.mid),
                "card": stated("client-nic", "aurora-configuration").text,
                "line": _gb_s(line),
                "of_line": float((each / line).value.mid) * 100,
            },
        )
    ]


def room_left() -> list[Sentence]:
    """Whether Lustre is full and DAOS is not, each by the same kind of measure."""
    lustre = stated("lustre-write")
    near = lustre / stated("lustre-peak")
    other = lustre / stated("flare-bandwidth", "aurora-configuration")
    daos = stated("daos-write") / stated("daos-ior")
    return [
        (
            "Of the peak named beside it, HACC on Lustre takes {near:.1f} %; of the peak that "
            "section 3.1 states for the same system, {other:.1f} %. HACC on DAOS takes {daos:.1f} "
            "% of what IOR reached. The first two are held against a limit by design, the third "
            "against a measurement, and no IOR rate of Lustre is told. That one side is full and "
            "the other has room left does not follow.",
            {
                "near": float(near.value.mid) * 100,
                "other": float(other.value.mid) * 100,
                "daos": float(daos.value.mid) * 100,
            },
        )
    ]


def production() -> list[Sentence]:
    """What the runs of 2026 wrote, kept and held, and the least time that writing it takes."""
    written, kept = stated("written-2026"), stated("kept-2026")
    nodes, particles = stated("nodes-2026"), stated("particles-2026")
    before = stated("particles") / stated("nodes")
    now = particles / nodes
    rate, throughput = stated("daos-write"), stated("throughput", "aurora-scale")
    return [
        (
            "The two runs of 2026 wrote more than {written}, of which about {kept} was kept: "
            "{share:.1f} %. Each had more than {particles:,.0f} trillion particles on "
            "{nodes:,} nodes, at least {now:,.0f} million a node; the run above had {before:,.0f} "
            "million.",
            {
                "written": written.text,
                "kept": kept.text,
                "share": float((kept / written).value.mid) * 100,
                "particles": float(particles.value.mid) / 1e12,
                "nodes": int(nodes.value.mid),
                "now": float(now.value.mid) / 1e6,
                "before": float(before.value.mid) / 1e6,
            },
        ),
        (
            "No duration is told, so there is no rate. At HACC's rate above, {written} take "
            "{hours:.1f} hours, and at the {throughput} of 2026 {minutes:.0f} minutes: the least "
            "of the runs' time that writing can have taken at these rates.",
            {
                "written": written.text,
                "hours": float(written.seconds_at(rate).value.mid) / _HOUR_S,
                "throughput": throughput.text,
                "minutes": float(written.seconds_at(throughput).value.mid) / _MINUTE_S,
            },
        ),
    ]


def at_scale() -> list[Sentence]:
    """The throughput of 2026 beside the pool's."""
    throughput, servers = stated("throughput", "aurora-scale"), stated("servers", "aurora-scale")
    pool = stated("daos-servers")
    ior = stated("daos-ior") / pool
    each = throughput / servers
    clients = stated("clients-most", "aurora-scale")
    whole = stated("servers", "aurora-configuration")
    return [
        (
            "{throughput} from {servers:,} servers is {each:.1f} GB/s a server, {share:.0f} % of "
            "what IOR wrote to each server of the pool. The text does not say whether {throughput} "
            "was written or read, nor which of its client counts, up to {clients:,}, reached it: "
            "at most {ratio:.1f} clients to a server, against {before:.1f} in the run above.",
            {
                "throughput": throughput.text,
                "servers": int(servers.value.mid),
                "each": _gb_s(each),
                "share": float((each / ior).value.mid) * 100,
                "clients": int(clients.value.mid),
                "ratio": float((clients / servers).value.mid),
                "before": float((stated("nodes") / pool).value.mid),
            },
        ),
        (
            "If all {whole:,} servers that section 3.1 counts wrote like the pool, they would "
            "reach {all:.1f} TB/s, more than the {peak} that section 7 calls the peak. Section 3.1 "
            "gives the same figure as a lower bound, which holds.",
            {
                "whole": int(whole.value.mid),
                "all": _tb_s(ior * whole),
                "peak": stated("peak-bandwidth", "aurora-configuration").text,
            },
        ),
    ]


def share_quoted() -> Interval:
    """HACC over IOR on the same pool, in per cent, as much as the printed digits allow."""
    rate, peak = stated("daos-write", exact=False), stated("daos-ior", exact=False)
    return (rate / peak).to("%").value
