"""A maker's MLPerf Storage v2.0 figures, against the benchmark's own sizes and the public runs."""

from __future__ import annotations

import dataclasses
import itertools
from decimal import Decimal
from fractions import Fraction

from storagebook import units
from storagebook.claims import Evidence, Inputs, check
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.mlperf import demand, workloads
from storagebook.quantities import DOCUMENTS, RAW, Quantity
from storagebook.verdicts import Argument, Fact, Nature

_BOTH = RAW | DOCUMENTS
_PUBLIC = "mlperf-storage-v10"
_ROUND = "v2.0"
_ACCELERATOR = "h100"
#: Samples in each file of ResNet-50, as configured in every public result.
RESNET50_SAMPLES_PER_FILE = 1251
#: A network used to at least this share is what limits a result.
_LIMITING = Fraction(3, 4)


def _stated(inputs: Inputs, quantity: str, *, exact: bool = False) -> Quantity:
    return inputs(f"juicefs-quantities[quantity={quantity}].value", exact=exact)


def _network(inputs: Inputs, nodes: str = "nodes") -> Quantity:
    """What the network cards of the submission's nodes carry, one card a node."""
    return _stated(inputs, nodes) * _stated(inputs, "cache-node-network", exact=True)


def _shown(quantity: Quantity, unit: str) -> str:
    return f"{float(quantity.to(unit).value.mid):,.1f} {unit}"


def _nature(workload: str) -> Nature:
    """Whether the public ratios are narrow enough to tell GiB/s from GB/s."""
    ratio = demand.calibration(workload).ratio
    told_apart = ratio.hi / ratio.lo < units.factor("GiB", "GB")
    return "limit" if told_apart else "partial"


def _remark(workload: str) -> str:
    known = demand.calibration(workload)
    return (
        f"demand as configured, by the ratios of {known.results} public v1.0 results "
        f"({float(known.ratio.lo):.3f} to {float(known.ratio.hi):.3f})"
    )


@check("sample-size")
def sample_size(_inputs: Inputs, workload: str) -> Evidence:
    """The mean size of a sample in the benchmark's configuration."""
    size = workloads.WORKLOADS[workload].record_length_b
    return Evidence(
        Quantity(
            Interval.point(Decimal(str(size))),
            "B",
            f"{size:,.0f} B in the configuration of {workload}",
        )
    )


@check("reads-small-files")
def reads_small_files(_inputs: Inputs) -> Argument:
    """ResNet-50 reads a file for each of its small samples."""
    sample = workloads.WORKLOADS["resnet50"].record_length_b
    size = RESNET50_SAMPLES_PER_FILE * sample / 1e6
    return Argument(
        counter=[
            Fact(
                f"a file holds {RESNET50_SAMPLES_PER_FILE:,} samples in the configuration, "
                f"{size:.1f} MB",
                RESNET50_SAMPLES_PER_FILE > 1,
                RAW,
            )
        ]
    )


@check("workload-count")
def workload_count(inputs: Inputs) -> Evidence:
    """How many workloads the public results are of."""
    names = sorted({row["workload"] for row in inputs.rows(_PUBLIC)})
    text = f"workloads of the v1.0 results: {', '.join(names)}"
    return Evidence(Quantity(Interval.point(len(names)), "1", text, origins=RAW))


@check("threshold")
def threshold(inputs: Inputs, *names: str) -> Evidence:
    """The utilisation that the public results of workloads had to reach."""
    found = {
        figure.text: figure
        for name in names
        for figure in inputs.column(_PUBLIC, "au_threshold_pct", workload=name)
    }
    (only,) = found.values()
    exact = Interval.point(only.value.mid)
    return Evidence(dataclasses.replace(only, value=exact, text=f"threshold of {', '.join(names)}"))


@check("reaches-threshold")
def reaches_threshold(inputs: Inputs, *names: str) -> Evidence:
    """A result that stands has at least the utilisation asked for."""
    least = threshold(inputs, *names).quantity
    return Evidence(dataclasses.replace(least, value=Interval.at_least(least.value)), "limit")


@check("demanded-bandwidth")
def demanded_bandwidth(inputs: Inputs, workload: str) -> Evidence:
    """What the accelerators read at their utilisation."""
    count = _stated(inputs, f"{workload}-accelerators")
    busy = _stated(inputs, f"{workload}-au")
    found = demand.bandwidth(workload, _ACCELERATOR, count.value, busy.value)
    text = f"{count.text} × demand of {workload} × {busy.text}"
    return Evidence(
        Quantity(found, "GiB/s", text, origins=_BOTH), _nature(workload), _remark(workload)
    )


@check("demanding-accelerators")
def demanding_accelerators(inputs: Inputs, workload: str) -> Evidence:
    """How many accelerators read so much at their utilisation."""
    read, busy = _stated(inputs, f"{workload}-bandwidth"), _stated(inputs, f"{workload}-au")
    found = demand.accelerators(workload, _ACCELERATOR, read.value, busy.value)
    text = f"{read.text} / (demand of {workload} × {busy.text})"
    return Evidence(Quantity(found, "1", text, origins=_BOTH), "limit", _remark(workload))


@check("demanded-utilisation")
def demanded_utilisation(inputs: Inputs, workload: str) -> Evidence:
    """At which utilisation the accelerators read so much."""
    read = _stated(inputs, f"{workload}-bandwidth")
    count = _stated(inputs, f"{workload}-accelerators")
    full = demand.bandwidth(workload, _ACCELERATOR, count.value, 100)
    text = f"{read.text} / ({count.text} × demand of {workload})"
    return Evidence(
        Quantity(read.value / full * 100, "%", text, origins=_BOTH), "limit", _remark(workload)
    )


@check("network-utilisation")
def network_utilisation(inputs: Inputs, workload: str) -> Evidence:
    """The bandwidth over the line rate of the nodes' cards, both in one unit.

    An expectation: which cards the nodes have is told of the larger cluster only.
    """
    read, network = _stated(inputs, f"{workload}-bandwidth"), _network(inputs)
    mixed = float(read.value.mid / network.to("GB/s").value.mid * 100)
    found = (read / network).to("%")
    return Evidence(
        found,
        "expectation",
        f"{float(found.value.mid):.1f} % if every digit counts and each node has one card like "
        f"those of the larger cluster; {read.text} over {_shown(network, 'GB/s')}, units mixed or "
        f"GB/s meant, would be {mixed:.1f} %",
    )


@check("network-is-no-limit")
def network_is_no_limit(inputs: Inputs) -> Argument:
    """CosmoFlow's accelerators read far less than the network carries."""
    count, busy = _stated(inputs, "cosmoflow-accelerators"), _stated(inputs, "cosmoflow-au")
    read = demand.bandwidth("cosmoflow", _ACCELERATOR, count.value, busy.value)
    share = read / _network(inputs).to("GiB/s").value
    return Argument(
        [
            Fact(
                f"its accelerators ask for {float(share.mid):.0%} of the nodes' network",
                share.hi < _LIMITING,
                _BOTH,
            )
        ]
    )


@check("bandwidth-decides")
def bandwidth_decides(inputs: Inputs) -> Argument:
    """The network limits how many accelerators are supported, in each workload."""
    facts = []
    for name in ("unet3d", "resnet50", "cosmoflow"):
        count, busy = _stated(inputs, f"{name}-accelerators"), _stated(inputs, f"{name}-au")
        read = demand.ideal(name, _ACCELERATOR, count.value, busy.value)
        share = read / _network(inputs).to("GiB/s").value
        facts.append(
            Fact(
                f"{name} asks for most of the nodes' network, {float(share.mid):.0%}",
                share.lo >= _LIMITING,
                _BOTH,
            )
        )
    return Argument(facts)


@check("cache-alone-doubles")
def cache_alone_doubles(inputs: Inputs) -> Argument:
    """With more cache nodes alone, the same clients feed double the accelerators."""
    count, busy = _stated(inputs, "unet3d-accelerators"), _stated(inputs, "unet3d-au")
    doubled = demand.bandwidth("unet3d", _ACCELERATOR, count.value * 2, busy.value)
    clients = _network(inputs, "clients").to("GiB/s")
    return Argument(
        [
            Fact(
                "the network cards of as many clients carry what double the accelerators ask for, "
                f"{_shown(clients, 'GiB/s')} over at least {float(doubled.lo):.0f} GiB/s",
                doubled.lo <= clients.value.hi,
                _BOTH,
            )
        ]
    )


@check("faster-cards-are-used-less")
def faster_cards_are_used_less(inputs: Inputs) -> Argument:
    """In the public results the best utilisation falls as cards become faster."""
    best: dict[Interval, Quantity] = {}
    for row in inputs.rows(_PUBLIC, workload="unet3d"):
        if row["derived_of_nic_pct"]:
            where = f"{_PUBLIC}[submission_id={row['submission_id']}]"
            rate, share = inputs(f"{where}.nic_gbit_s"), inputs(f"{where}.derived_of_nic_pct")
            if rate.value not in best or share.value.mid > best[rate.value].value.mid:
                best[rate.value] = share
    rates = sorted(best, key=lambda rate: rate.mid)
    falls = all(
        best[faster].value.hi < best[slower].value.lo
        for slower, faster in itertools.pairwise(rates)
    )
    rounds = sorted({row["round"] for row in inputs.rows(_PUBLIC)})
    told = ", ".join(f"{float(r.mid):.0f} Gbit/s {float(best[r].value.mid):.1f} %" for r in rates)
    return Argument(
        [
            Fact(f"the best public unet3d result of each speed uses less ({told})", falls, RAW),
            Fact(
                f"those results are of this round ({', '.join(rounds)})",
                rounds == [_ROUND],
                RAW,
            ),
        ]
    )


@check("reached-with-fast-cards")
def reached_with_fast_cards(inputs: Inputs) -> Evidence:
    """What is called hard is no less than the best that public results reached with such cards."""
    fast = _stated(inputs, "fast-nic", exact=True).to("Gbit/s").value.lo
    best = max(
        (
            inputs(f"{_PUBLIC}[submission_id={row['submission_id']}].derived_of_nic_pct")
            for row in inputs.rows(_PUBLIC)
            if row["derived_of_nic_pct"] and Decimal(row["nic_gbit_s"]) >= fast
        ),
        key=lambda share: share.value.lo,
    )
    return Evidence(
        dataclasses.replace(best, value=Interval.at_least(best.value)),
        "limit",
        f"the best public v1.0 result with cards of {float(fast):.0f} Gbit/s or more",
    )


@check("fast-cards-fall-short")
def fast_cards_fall_short(inputs: Inputs) -> Evidence:
    """The slowest cards from which on no public result nearly has the utilisation called hard.

    What may just be called nearly that counts as reached, so that the cards found are the fewest.
    """
    least = _stated(inputs, "fast-nic-utilisation").value.lo
    best: dict[Interval, tuple[Quantity, Quantity]] = {}
    for row in inputs.rows(_PUBLIC):
        if row["derived_of_nic_pct"]:
            where = f"{_PUBLIC}[submission_id={row['submission_id']}]"
            card = inputs(f"{where}.nic_gbit_s", exact=True)
            share = inputs(f"{where}.derived_of_nic_pct")
            if card.value not in best or share.value.mid > best[card.value][1].value.mid:
                best[card.value] = card, share
    cards = [best[speed] for speed in sorted(best, key=lambda speed: speed.mid)]
    fastest = max((card.value.hi for card, share in cards if share.value.hi >= least), default=0)
    short = [card for card, _ in cards if card.value.lo > fastest]
    if not short:
        raise StoragebookError("the fastest cards have that utilisation in a public result")
    told = ", ".join(f"{card.text} {float(share.value.mid):.1f} %" for card, share in cards)
    found = dataclasses.replace(short[0], value=Interval.at_least(short[0].value), origins=_BOTH)
    return Evidence(
        found,
        "expectation",
        f"the best public v1.0 result with cards of each speed: {told}; what reaches "
        f"{float(least):g} % may be called nearly the utilisation in the text",
    )


@check("like-for-like")
def like_for_like(inputs: Inputs) -> Argument:
    """The bandwidth reached here and what others are said to have are one kind of figure."""
    kinds = [
        inputs.row("juicefs-quantities", quantity=name)["basis"]
        for name in ("cache-bandwidth", "others-network-least")
    ]
    return Argument(
        [
            Fact(
                f"both are one kind of figure (here a reached bandwidth, {kinds[0]}; there the "
                f"rate of network cards, {kinds[1]})",
                kinds[0] == kinds[1],
                DOCUMENTS,
            )
        ]
    )
