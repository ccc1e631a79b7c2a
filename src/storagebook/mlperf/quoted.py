"""What two articles quote of v2.0 results, each figure in consistent units.

A maker of JuiceFS tells of its own results (source 001), an article about DAOS of those of ALCF
(source 000, section 6.2). Nothing of it is published by MLCommons at hand, so it stays what the
articles say; what follows from their figures is this book's arithmetic.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import pandas as pd

from storagebook import cells
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.mlperf import demand, policy, workloads
from storagebook.quantities import Quantity
from storagebook.units import convert, factor
from storagebook.verdicts import NEARLY_PCT, Qualifier, reading

ROUND = "v2.0"
JUICEFS = "juicefs-quantities"
ALCF = "mlperf-alcf"
SHOWN_CHECKPOINT = "llama3-405b"

_ACCELERATOR = "h100"
_WORKLOADS = ("unet3d", "resnet50", "cosmoflow")


def _cell(table: str, quantity: str) -> cells.Cell:
    return cells.cell(f"{table}[quantity={quantity}].value")


def _found(table: str, quantity: str) -> Quantity:
    """A figure, as much as its print allows."""
    return _cell(table, quantity).quantity()


def _has(table: str, quantity: str) -> bool:
    return bool(cells.column(table, "value", {"quantity": quantity}))


def _line_rate() -> Quantity:
    """What the cards of the submission's nodes carry, one card a node."""
    cards = Quantity.count(int(_cell(JUICEFS, "nodes").text))
    return cards * _cell(JUICEFS, "cache-node-network").quantity(exact=True)


def span(value: Interval, spec: str = ",.1f") -> str:
    """An interval in words, its ends rounded outwards in the last place: ``91.2 to 109.5``."""
    places = int(spec.partition(".")[2][:-1])
    step = Fraction(1, 10**places)
    low = (value.lo // step) * step
    high = -((-value.hi) // step) * step
    ends = [format(float(end), spec) for end in (low, high)]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


# -- JuiceFS


def example() -> dict[str, float]:
    """What the calculator starts with: ``count``, ``au_pct`` and ``bandwidth`` (GiB/s)."""
    return {
        "count": int(_cell(JUICEFS, "unet3d-accelerators").text),
        "au_pct": float(_cell(JUICEFS, "unet3d-au").text),
        "bandwidth": float(_cell(JUICEFS, "unet3d-bandwidth").text),
    }


def statements() -> pd.DataFrame:
    """What source 001 states of each workload, and what its accelerators must have read.

    Returns
    -------
    pandas.DataFrame
        ``workload``, ``accelerators``, ``au_pct``, ``printed`` (bandwidth; missing where the
        article has none), ``gb_s`` and ``per_host_gib_s`` of it as printed, ``predicted_gib_s``
        (by the model), ``per_accelerator_gib_s``, and ``unit`` (which one fits).
    """
    rows = []
    for name in _WORKLOADS:
        count, busy = (_found(JUICEFS, f"{name}-{what}") for what in ("accelerators", "au"))
        predicted = demand.bandwidth(name, _ACCELERATOR, count.value.mid, busy.value)
        row: dict[str, object] = {
            "workload": policy.workload_name(name),
            "accelerators": int(count.value.mid),
            "au_pct": busy.text.removesuffix(" %"),
            "predicted_gib_s": span(predicted),
        }
        if _has(JUICEFS, f"{name}-bandwidth"):
            read = _found(JUICEFS, f"{name}-bandwidth")
            hosts = Fraction(_cell(JUICEFS, "nodes").text)
            told = demand.which_unit(read.value, name, _ACCELERATOR, count.value.mid, busy.value)
            row |= {
                "printed": read.text,
                "gb_s": float(read.to("GB/s").value.mid),
                "per_host_gib_s": float(read.value.mid / hosts),
                "per_accelerator_gib_s": float(read.value.mid / count.value.mid),
                "unit": told.answer,
            }
        rows.append(row)
    columns = ["workload", "accelerators", "au_pct", "printed", "gb_s", "predicted_gib_s", "unit"]
    columns += ["per_host_gib_s", "per_accelerator_gib_s"]
    return pd.DataFrame(rows)[columns]


def said_of_statements() -> list[Sentence]:
    """Which of the printed figures bear one another out, and which do not."""
    rows = statements()
    printed = rows[rows.printed.notna()]
    fitting = printed[printed.unit != "neither"].workload
    bare = rows[rows.printed.isna()]
    said: list[Sentence] = [
        (
            "The article prints accelerators, utilisation and bandwidth for {printed}. They bear "
            "one another out for {fitting}: so many accelerators, so busy, read what is printed, "
            "as far as the public results of {round} tell.",
            {
                "printed": ", ".join(printed.workload),
                "fitting": ", ".join(fitting) or "none of them",
                "round": "v1.0",
            },
        )
    ]
    line = _line_rate().to("GiB/s").value
    for row in bare.itertuples():
        name = next(n for n in _WORKLOADS if policy.workload_name(n) == row.workload)
        busy = _found(JUICEFS, f"{name}-au").value
        asked = demand.bandwidth(name, _ACCELERATOR, row.accelerators, busy)
        said.append(
            (
                "For {workload} no bandwidth is printed. Its accelerators ask for {asked} GiB/s, "
                "{share} % of what the nodes' cards carry, which fits the article's remark that "
                "bandwidth is not the limit there.",
                {
                    "workload": row.workload,
                    "asked": row.predicted_gib_s,
                    "share": span(asked / line * 100, ".0f"),
                },
            )
        )
    return [*said, _said_of_more_cache_nodes(line)]


def _said_of_more_cache_nodes(line: Interval) -> Sentence:
    count, busy = (_found(JUICEFS, f"unet3d-{what}").value for what in ("accelerators", "au"))
    asked = demand.bandwidth("unet3d", _ACCELERATOR, count * 2, busy)
    verdict = (
        "more than the cards of the clients carry, {line:.0f} GiB/s, if each has one like the "
        "nodes of the larger cluster: then clients have to be added too"
        if asked.lo > line.hi
        else "no more than the cards of the clients may carry, {line:.0f} GiB/s"
    )
    return (
        "The article also says that for double the accelerators only cache nodes have to be added. "
        "{count} H100 ask for at least {asked:.0f} GiB/s, " + verdict + ".",
        {"count": int(count.mid * 2), "asked": float(asked.lo), "line": float(line.mid)},
    )


def network() -> pd.DataFrame:
    """The network utilisations of source 001: as printed, in one unit, and in mixed units.

    Returns
    -------
    pandas.DataFrame
        ``workload``, ``bandwidth`` and ``printed_pct`` as printed, ``in_one_unit_pct`` and
        ``mixed_pct`` as ranges, ``mixed_fits`` and ``one_unit_fits``.
    """
    rows = []
    for name in _WORKLOADS:
        if not _has(JUICEFS, f"{name}-bandwidth"):
            continue
        read, share = (_found(JUICEFS, f"{name}-{what}") for what in ("bandwidth", "network"))
        in_one_unit = (read / _line_rate()).to("%").value
        # GiB/s divided by GB/s as if both were one
        mixed = read.value / _line_rate().to("GB/s").value * 100
        rows.append(
            {
                "workload": policy.workload_name(name),
                "bandwidth": read.text,
                "printed_pct": share.text,
                "in_one_unit_pct": span(in_one_unit),
                "mixed_pct": span(mixed),
                "one_unit_fits": share.value.overlaps(in_one_unit),
                "mixed_fits": share.value.overlaps(mixed),
            }
        )
    return pd.DataFrame(rows)


def said_of_network() -> list[Sentence]:
    """What the printed network utilisations can mean, and which reading the accelerators leave."""
    shares, line = network(), _line_rate()
    rate = _cell(JUICEFS, "cache-node-network")
    values: dict[str, object] = {
        "nodes": int(_cell(JUICEFS, "nodes").text),
        "gib": float(line.to("GiB/s").value.mid),
        "gb": float(line.to("GB/s").value.mid),
        "card": f"{rate.text} {rate.unit}",
        "fits": int(shares.one_unit_fits.sum()),
        "mixed": int(shares.mixed_fits.sum()),
        "all": len(shares),
    }
    first = (
        "The network cards of {nodes} nodes carry {gib:.1f} GiB/s, or {gb:.0f} GB/s, if each node "
        "has one of {card}, as those of the article's larger cluster have. Printed shares that fit "
        "the printed bandwidth in one unit: {fits} of {all}. Shares that fit GiB/s divided by GB/s "
        "as if they were one: {mixed} of {all}.",
        values,
    )
    return [first, _which_is_wrong()]


def _which_is_wrong() -> Sentence:
    """Whether the unit of the bandwidth or the share is mistaken: accelerators can tell."""
    answers = {
        name: demand.which_unit(
            _found(JUICEFS, f"{name}-bandwidth").value,
            name,
            _ACCELERATOR,
            _found(JUICEFS, f"{name}-accelerators").value.mid,
            _found(JUICEFS, f"{name}-au").value,
        ).answer
        for name in _WORKLOADS
        if _has(JUICEFS, f"{name}-bandwidth")
    }
    decided = {name: answer for name, answer in answers.items() if answer in demand.UNITS}
    text = "Either the bandwidths are in GB/s, or the shares mix units. The accelerators "
    if not decided:
        return (f"{text}cannot tell: every unit fits.", {})
    return (
        text + "decide it for {decided}: so many, so busy, read as many {unit} as are printed. "
        "For {open} the answer is *undecided*, because the public results of that workload spread "
        "over more than the distance between the units.",
        {
            "decided": ", ".join(map(policy.workload_name, decided)),
            "unit": ", ".join(dict.fromkeys(decided.values())),
            "open": ", ".join(policy.workload_name(n) for n in answers if n not in decided)
            or "no other workload",
        },
    )


def cluster() -> pd.DataFrame:
    """The larger cache cluster's bandwidth under each reading of its unit.

    Returns
    -------
    pandas.DataFrame
        ``read_as``, ``gib_s``, ``gb_s``, ``per_node_gbit_s``, ``of_card_pct`` (a range) and
        ``possible``: whether any value that prints so stays within the cards' rate.
    """
    cell = _cell(JUICEFS, "cache-bandwidth")
    printed = reading(cell.text, cell.qualifier).strict
    nodes = Fraction(_cell(JUICEFS, "cache-nodes").text)
    card = Fraction(_cell(JUICEFS, "cache-node-network").text)
    rows = []
    for unit in ("TB/s", "TiB/s"):
        per_node = convert(printed, unit, "Gbit/s") / nodes
        rows.append(
            {
                "read_as": f"{cell.text} {unit}",
                "gib_s": float(convert(printed, unit, "GiB/s").mid),
                "gb_s": float(convert(printed, unit, "GB/s").mid),
                "per_node_gbit_s": float(per_node.mid),
                "of_card_pct": span(per_node / card * 100),
                "possible": per_node.lo <= card,
            }
        )
    return pd.DataFrame(rows)


def said_of_cluster() -> list[Sentence]:
    """Which reading of the larger cluster's bandwidth is possible."""
    rows = cluster()
    possible = rows[rows.possible]
    card = _cell(JUICEFS, "cache-node-network")
    values: dict[str, object] = {
        "nodes": int(_cell(JUICEFS, "cache-nodes").text),
        "card": f"{card.text} {card.unit}",
        "possible": ", ".join(possible.read_as),
        "other": ", ".join(rows[~rows.possible].read_as) or "no reading",
    }
    return [
        (
            "The larger cluster has {nodes} nodes of {card}. {possible} stays within that; {other} "
            "would be more than the cards carry, whatever the digits hide. So this figure is "
            "decimal, while the article prints its others in binary units. It is no MLPerf result: "
            "the article names no workload, no size of the reads and no number of clients for it.",
            values,
        ),
        _said_of_other_networks(),
    ]


def _said_of_other_networks() -> Sentence:
    least, most = (_cell(JUICEFS, f"others-network-{end}") for end in ("least", "most"))
    cards = Fraction(_cell(JUICEFS, "cache-nodes").text) * Fraction(
        _cell(JUICEFS, "cache-node-network").text
    )
    return (
        "The article sets it beside the networks of other systems, about {least} to more than "
        "{most} {unit}. Those are rates of cards, and this is a bandwidth that was reached: two "
        "kinds of figure. By the same measure the cluster's own cards carry {cards:,.0f} {unit}.",
        {
            "least": least.text,
            "most": most.text,
            "unit": least.unit,
            "cards": float(convert(cards, "Gbit/s", least.unit)),
        },
    )


def history() -> pd.DataFrame:
    """The V100 of the first round, in the units of today.

    Returns
    -------
    pandas.DataFrame
        ``accelerator``, ``demand_gib_s`` at full utilisation, ``accelerators`` (for the same
        bandwidth at the same utilisation) and ``asked_gib_s`` as ranges.
    """
    count = _found(JUICEFS, "v100-accelerators").value
    busy = _found(JUICEFS, "v100-threshold").value.mid
    asked = demand.ideal("unet3d", "v100", count, busy)
    rows = []
    for name in ("v100", "a100", "h100"):
        one = demand.ideal("unet3d", name, 1, busy)
        rows.append(
            {
                "accelerator": name.upper(),
                "demand_gib_s": workloads.demand("unet3d", name).gib_s,
                "accelerators": span(asked / one, ",.0f"),
                "asked_gib_s": span(asked),
            }
        )
    return pd.DataFrame(rows)


def said_of_history() -> list[Sentence]:
    """What the V100 of the first round asked for."""
    cell = _cell(JUICEFS, "v100-accelerators")
    busy = _cell(JUICEFS, "v100-threshold")
    asked = demand.ideal(
        "unet3d",
        "v100",
        reading(cell.text, cell.qualifier).strict,
        reading(busy.text, busy.qualifier).strict.mid,
    )
    ratio = workloads.demand("unet3d", "h100").gib_s / workloads.demand("unet3d", "v100").gib_s
    return [
        (
            "Source 001 looks back on its own tests of round v0.5: utilisation near {flat} % over "
            "a long range of V100, falling to about {falling} %, then steeply; about {count} V100 "
            "at {busy} %. All of that is of a picture that the text does not hold. What follows "
            "from the benchmark's settings is that so many V100 ask for {asked} GiB/s, or {gbit} "
            "Gbit/s, if the count is right within what *about* allows. An H100 of the later rounds "
            "asks for {ratio:.1f} times as much as a V100, so counts of accelerators say nothing "
            "across rounds.",
            {
                "flat": _cell(JUICEFS, "v100-flat-au").text,
                "falling": _cell(JUICEFS, "v100-falling-au").text,
                "count": cell.text,
                "busy": busy.text,
                "asked": span(asked),
                "gbit": span(convert(asked, "GiB/s", "Gbit/s"), ",.0f"),
                "ratio": ratio,
            },
        )
    ]


def samples() -> pd.DataFrame:
    """Sizes of a sample as the article prints them and as the benchmark configures them.

    Returns
    -------
    pandas.DataFrame
        ``workload``, ``printed``, ``configured_b`` and ``fits``.
    """
    rows = []
    for name in _WORKLOADS:
        cell = _cell(JUICEFS, f"{name}-sample")
        size = workloads.WORKLOADS[name].record_length_b
        allowed = reading(cell.text, cell.qualifier).loose * factor(cell.unit, "B")
        rows.append(
            {
                "workload": policy.workload_name(name),
                "printed": f"{cell.text} {cell.unit}",
                "configured_b": float(size),
                "fits": allowed.contains(size),
            }
        )
    return pd.DataFrame(rows)


# -- ALCF


@dataclasses.dataclass(frozen=True)
class Rate:
    """A quoted throughput: its name, its cell, and what it allows in GB/s."""

    name: str
    cell: cells.Cell

    @property
    def gb_s(self) -> Interval:
        """What the words allow: "nearly" is not reached; the ends of a range are figures."""
        if self.cell.qualifier == Qualifier.NEARLY:
            value = Fraction(self.cell.text) * Interval(1 - Fraction(2 * NEARLY_PCT, 100), 1)
        else:
            value = reading(self.cell.text, Qualifier.PLAIN).strict
        return value * factor(self.cell.unit, "GB/s")

    @property
    def printed(self) -> str:
        """As the article prints it."""
        words = {"nearly": "nearly ", "at-least": "from ", "at-most": "to "}
        return f"{words.get(self.cell.qualifier, '')}{self.cell.text} {self.cell.unit}"


def rates() -> list[Rate]:
    """The throughputs of section 6.2."""
    return [
        Rate(name, _cell(ALCF, quantity))
        for name, quantity in (
            ("DAOS writing", "daos-write"),
            ("DAOS reading", "daos-read"),
            ("Lustre lower end", "lustre-least"),
            ("Lustre upper end", "lustre-most"),
        )
    ]


def checkpoint_times(model: str = SHOWN_CHECKPOINT) -> pd.DataFrame:
    """How long a model's whole checkpoint takes at each quoted throughput.

    Returns
    -------
    pandas.DataFrame
        ``rate``, ``printed``, ``gib_s`` (a range), ``seconds`` (a range) and ``within``: whether
        it is less than the printed time for every value that the print allows, for some or none.
    """
    size = workloads.CHECKPOINTS[model].total_gib
    limit = Fraction(_cell(ALCF, "checkpoint").text)
    rows = []
    for rate in rates():
        gib_s = convert(rate.gb_s, "GB/s", "GiB/s")
        seconds = Interval.point(size) / gib_s
        within = "yes" if seconds.hi < limit else "no" if seconds.lo >= limit else "either"
        rows.append(
            {
                "rate": rate.name,
                "printed": rate.printed,
                "gib_s": span(gib_s, ",.0f"),
                "seconds": span(seconds),
                "within": within,
            }
        )
    return pd.DataFrame(rows)


def checkpoint_sizes() -> pd.DataFrame:
    """Seconds for each model's checkpoint at each quoted throughput, as printed.

    Returns
    -------
    pandas.DataFrame
        ``model`` (with its size), ``rate`` (with the systems it is quoted for), ``duration_s``.
    """
    # rates that are alike would lie on one another
    alike: dict[Fraction, list[str]] = {}
    for rate in rates():
        printed = Fraction(rate.cell.text) * factor(rate.cell.unit, "GB/s")
        alike.setdefault(printed, []).append(rate.name.split()[0])
    rows = [
        {
            "model": f"{model.model}, {model.total_gib:,.0f} GiB",
            "rate": ", ".join([f"{float(printed):,.0f} GB/s", *systems]),
            "duration_s": float(convert(model.total_gib, "GiB/s", "GB/s")) / float(printed),
        }
        for model in workloads.CHECKPOINTS.values()
        for printed, systems in alike.items()
    ]
    return pd.DataFrame(rows)


def checkpoints_title() -> str:
    """The finding of `checkpoint_sizes`."""
    found = checkpoint_sizes()
    own = found[found.model.str.startswith(SHOWN_CHECKPOINT)].duration_s
    return (
        f"At the quoted rates a checkpoint of {SHOWN_CHECKPOINT} takes {own.min():.1f} to "
        f"{own.max():.1f} s"
    )


def said_of_checkpoints() -> list[Sentence]:
    """What the quoted time asks for, and which of the quoted throughputs meet it."""
    size = workloads.CHECKPOINTS[SHOWN_CHECKPOINT].total_gib
    limit = _cell(ALCF, "checkpoint").text
    times = checkpoint_times()
    least = convert(size, "GiB/s", "GB/s") / float(limit)
    met = times[times.within == "yes"].rate
    other = times[times.within != "yes"].rate
    text = (
        "A checkpoint of {model} has {gib:,.0f} GiB, or {gb:,.0f} GB, in the benchmark's own "
        "configuration. Less than {limit} s asks for more than {least:,.0f} GB/s. By arithmetic "
        "that is met by {met}; it is not by {other}. "
    )
    if met.str.startswith("Lustre").any():
        text += (
            "So the effect that the table prints beside DAOS follows from a rate that it prints "
            "for Lustre as well."
        )
    return [
        (
            text,
            {
                "model": SHOWN_CHECKPOINT,
                "gib": size,
                "gb": float(convert(size, "GiB/s", "GB/s")),
                "limit": limit,
                "least": float(least),
                "met": "; ".join(met),
                "other": "; ".join(other) or "none",
            },
        ),
        *_said_of_parts(),
    ]


def _said_of_parts() -> Iterator[Sentence]:
    by_name = {rate.name: rate for rate in rates()}
    most = by_name["Lustre upper end"].gb_s.mid
    write, read = by_name["DAOS writing"].gb_s, by_name["DAOS reading"].gb_s
    yield (
        "The source concludes that a part of DAOS exceeds all of Lustre. Writing it {verdict}: "
        "{write} GB/s against {most:.0f} GB/s at most. Reading, DAOS has {read:.0f} GB/s and "
        "Lustre at most {most:.0f} GB/s, which is {relation}.",
        {
            "verdict": "does" if write.lo > most else "need not",
            "write": span(write, ",.0f"),
            "most": float(most),
            "read": float(read.mid),
            "relation": "the same" if read.mid == most else "not the same",
        },
    )
    peak = cells.cell("aurora-configuration[quantity=flare-bandwidth].value").quantity(exact=True)
    least = by_name["Lustre lower end"].gb_s.mid
    share = least / peak.to("GB/s").value.mid * 100
    yield (
        "It also calls Lustre's figures near its peak. The lower end is {share:.0f} % of the "
        "{peak} that section 3.1 prints as the peak: the range is too wide for *near*.",
        {"share": float(share), "peak": peak.text},
    )


def shares_of_servers() -> pd.DataFrame:
    """The servers of the v2.0 result over each total that the source names.

    Returns
    -------
    pandas.DataFrame
        ``of``, ``servers``, ``share_pct``.
    """
    used = Fraction(_cell(ALCF, "daos-servers").text)
    totals = {
        "planned": cells.cell("aurora-configuration[quantity=servers].value"),
        "deployed on the way": cells.cell("aurora-expansion[stage=middle].servers_count"),
        "deployed in the end": cells.cell("aurora-expansion[stage=final].servers_count"),
    }
    return pd.DataFrame(
        [
            {
                "of": name,
                "servers": int(cell.text.replace(",", "")),
                "share_pct": float(used / int(cell.text.replace(",", "")) * 100),
            }
            for name, cell in totals.items()
        ]
    )


# -- how they are named


def named() -> list[policy.Named]:
    """What names the quoted results; none is at hand as MLCommons published it."""
    juicefs = [
        policy.Named(
            submitter="JuiceFS",
            system="cache cluster on GCP",
            round=ROUND,
            division=None,
            workload=name,
            retrieved="source 001",
        )
        for name in _WORKLOADS
    ]
    alcf = [
        policy.Named(
            submitter="ALCF",
            system=system,
            round=ROUND,
            division=None,
            workload="checkpointing",
            retrieved="source 000, section 6.2",
        )
        for system in ("DAOS on Aurora", "Flare (Lustre)")
    ]
    return [*juicefs, *alcf]
