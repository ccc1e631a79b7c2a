"""What DAOS is designed for, what clients it asks for, and how Aurora's servers grew."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from storagebook.checks import raw
from storagebook.claims import Evidence, Inputs, check
from storagebook.intervals import Interval
from storagebook.io500 import object_class
from storagebook.quantities import DOCUMENTS, RAW, Quantity
from storagebook.verdicts import Argument, Fact

#: A client-to-server ratio within this share of another is the same ratio.
_SAME_RATIO = Fraction(1, 10)


def _stated(inputs: Inputs, table: str, quantity: str) -> Quantity:
    return inputs(f"{table}[quantity={quantity}].value")


def _shown(quantity: Quantity, unit: str) -> str:
    return f"{float(quantity.to(unit).value.mid):,.2f} {unit}"


@check("peak-below-measured")
def peak_below_measured(inputs: Inputs) -> Evidence:
    """A peak of all servers should be no less than what some of them did, times their share."""
    some = _stated(inputs, "hacc", "daos-servers")
    everything = _stated(inputs, "aurora-configuration", "servers")
    measured = _stated(inputs, "hacc", "daos-ior") * (everything / some)
    return Evidence(
        dataclasses.replace(measured, value=Interval.at_least(measured.value)),
        "expectation",
        f"if bandwidth grows with the servers: {some.text} wrote as much as "
        f"{_shown(measured, 'TB/s')} from all would be",
    )


@check("unprotected-peak-higher")
def unprotected_peak_higher(inputs: Inputs) -> Argument:
    """The best IOR phase is faster without redundancy."""
    best = {
        submission: max(
            (
                raw.figure(inputs, submission, phase)
                for phase in ("ior-easy-write", "ior-easy-read")
            ),
            key=lambda figure: figure.value.lo,
        )
        for submission in (raw.AURORA, raw.AURORA_UNPROTECTED)
    }
    with_, without = best[raw.AURORA], best[raw.AURORA_UNPROTECTED]
    return Argument(
        [
            Fact(
                f"the best phase of submission {raw.AURORA_UNPROTECTED} is faster, "
                f"{without.text} over {with_.text}",
                without.value.lo > with_.value.hi,
                RAW,
            )
        ]
    )


@check("protection-explains-servers")
def protection_explains_servers(inputs: Inputs) -> Argument:
    """A server does more without protection, and with more clients for each."""
    servers = _stated(inputs, "aurora-run", "servers")
    with_, without = (
        raw.figure(inputs, submission, "bandwidth") / servers
        for submission in (raw.AURORA, raw.AURORA_UNPROTECTED)
    )
    return Argument(
        [
            Fact(
                f"without protection BW per server is higher, {_shown(without, 'GB/s')} over "
                f"{_shown(with_, 'GB/s')}",
                without.value.lo > with_.value.hi,
                RAW | DOCUMENTS,
            ),
            Fact("a run with more clients for each server is at hand", None, DOCUMENTS),
        ]
    )


@check("metadata-scales")
def metadata_scales(inputs: Inputs) -> Argument:
    """Metadata rates grow as the number of servers does."""
    table = "io500-per-server"
    rows = {
        f"{row['system']} {row['release']}": inputs(
            f"{table}[system={row['system']};release={row['release']}].per_server_metadata_kiops"
        )
        for row in inputs.rows(table)
        if row["file_system"] == "DAOS"
    }
    told = ", ".join(f"{name}: {figure.text}" for name, figure in rows.items())
    first, *others = rows.values()
    same = all(figure.value.overlaps(first.value) for figure in others)
    return Argument(
        [
            Fact(
                f"the rate per server is the same whatever their number ({told})", same, DOCUMENTS
            ),
            Fact("one system was measured with several numbers of servers", None, DOCUMENTS),
        ]
    )


@check("first-byte-is-no-latency")
def first_byte_is_no_latency(inputs: Inputs) -> Argument:
    """A whole small read takes longer than the quoted time to the first byte."""
    submission = raw.SUPERMUC_2025
    procs = raw.figure(inputs, submission, "procs")
    size = raw.figure(inputs, submission, "ior-rnd4K-easy-read.transfer_b")
    rate = raw.figure(inputs, submission, "ior-rnd4K-easy-read")
    # as many reads in flight as there are processes, at least
    least = (procs * size).seconds_at(rate.to("B/s"))
    first_byte = _stated(inputs, "daos-magnitudes", "ttfb-website")
    return Argument(
        [
            Fact(
                f"under full load a 4 KiB read of submission {submission} takes on average at "
                f"least {float(least.to('µs').value.mid):,.0f} µs, more than {first_byte.text}",
                least.to("µs").value.lo > first_byte.value.hi,
                RAW | DOCUMENTS,
            )
        ]
    )


@check("concurrency-explains-processes")
def concurrency_explains_processes(inputs: Inputs) -> Argument:
    """A node runs as many processes as it takes to saturate it."""
    used = raw.figure(inputs, raw.AURORA, "procs") / raw.figure(inputs, raw.AURORA, "nodes")
    enough = _stated(inputs, "daos-sensitivity", "saturation")
    return Argument(
        [
            Fact(
                f"a node of the run has about the processes that saturate it: {used.value} "
                f"against {enough.text}",
                enough.value.overlaps(used.value),
                RAW | DOCUMENTS,
            )
        ]
    )


@check("concurrency-explains-ten-nodes")
def concurrency_explains_ten_nodes(inputs: Inputs) -> Argument:
    """The ten-node result is low because its clients have too little in flight."""
    ten = inputs("io500-rules[rule=ten-node-clients].value")
    cards = _stated(inputs, "aurora-configuration", "client-nics") * _stated(
        inputs, "aurora-configuration", "client-nic"
    )
    carried = ten * cards
    write = raw.figure(inputs, raw.AURORA, "ior-easy-write")
    few, many = (
        raw.figure(inputs, run, "procs").value
        / raw.figure(inputs, run, "metadata").to("IOP/s").value
        * 1_000_000
        for run in (raw.AURORA_TEN_NODES, raw.AURORA)
    )
    return Argument(
        [
            Fact(
                f"by MD a process waits less in the run of ten nodes, {float(few.mid):.0f} against "
                f"{float(many.mid):.0f} µs, so servers could be asked for more",
                few.hi < many.lo,
                RAW,
            ),
            Fact(
                "the ten nodes' network cards carry what the full run writes in ior-easy: "
                f"{_shown(carried, 'GiB/s')} against {_shown(write, 'GiB/s')}",
                carried.to(write.unit).value.lo >= write.value.hi,
                RAW | DOCUMENTS,
            ),
        ]
    )


@check("staged-growth")
def staged_growth(inputs: Inputs) -> Argument:
    """The stages are how many servers there were."""
    before = _stated(inputs, "aurora-run", "servers")
    stages = inputs.column("aurora-expansion", "servers_count")
    first, middle = stages[:2]
    return Argument(
        [
            Fact(
                f"the run of 2023 used no more servers than the first stage has: {before.text} "
                f"against {first.text}, then {middle.text}",
                before.value.hi <= first.value.lo,
                DOCUMENTS,
            )
        ]
    )


@check("not-the-hardware-limit")
def not_the_hardware_limit(inputs: Inputs) -> Argument:
    """The same servers, and some others, wrote more than the run did with its protection counted.

    The round figure of 2026 cannot show it: from its lower end a server does less than in the run.
    """
    some = _stated(inputs, "hacc", "daos-ior") / _stated(inputs, "hacc", "daos-servers")
    run = raw.figure(inputs, raw.AURORA, "ior-easy-write") / _stated(
        inputs, "aurora-run", "servers"
    )
    used = raw.settings(inputs, raw.AURORA, "ior-easy-write")["object_class"]
    amplification = object_class.parse(used).write_amplification
    moved = dataclasses.replace(run, value=run.value * Interval.point(amplification))
    hard, bare = (
        raw.figure(inputs, submission, "ior-hard-write")
        for submission in (raw.AURORA, raw.AURORA_UNPROTECTED)
    )
    copies = object_class.parse(raw.settings(inputs, raw.AURORA, "ior-hard-write")["object_class"])
    stored = dataclasses.replace(
        hard, value=hard.value * Interval.point(copies.write_amplification)
    )
    return Argument(
        [
            Fact(
                f"without redundancy the same servers wrote {_shown(bare, 'GiB/s')} in "
                f"ior-hard-write, the run with its copies counted {_shown(stored, 'GiB/s')}",
                bare.value.lo > stored.value.hi,
                RAW,
            ),
            Fact(
                f"IOR on other servers wrote {_shown(some, 'GB/s')} a server, before any "
                f"protection of its own; ior-easy-write of the run {_shown(run, 'GB/s')}, "
                f"{_shown(moved, 'GB/s')} with the parity of {used}",
                some.value.lo > moved.to(some.unit).value.hi,
                RAW | DOCUMENTS,
            ),
        ]
    )


@check("report-agrees")
def report_agrees(inputs: Inputs) -> Argument:
    """The bandwidth of the report is the run's."""
    stated = _stated(inputs, "aurora-scale", "report-bandwidth")
    found = raw.figure(inputs, raw.AURORA, "bandwidth")
    fits = stated.value.contains(found.to(stated.unit).value)
    decimal = Interval.at_least(stated.value.lo).contains(found.to("TB/s").value)
    return Argument(
        [
            Fact(
                f"BW, {found.text} or {_shown(found, 'TiB/s')}, is more than {stated.text}",
                fits,
                RAW | DOCUMENTS,
            )
        ],
        [
            Fact(
                f"it is more than the same number of TB/s only ({_shown(found, 'TB/s')})",
                decimal and not fits,
                RAW | DOCUMENTS,
            )
        ],
    )


@check("node-ratio-is-no-rule")
def node_ratio_is_no_rule(inputs: Inputs) -> Argument:
    """Aurora's run does without the ratio of clients to servers that another system needed."""
    clients = raw.figure(inputs, raw.AURORA, "nodes") * _stated(
        inputs, "aurora-configuration", "client-nics"
    )
    servers = _stated(inputs, "aurora-run", "servers") * _stated(
        inputs, "aurora-configuration", "server-nics"
    )
    rule = _stated(inputs, "ecmwf", "clients-per-server")
    ratio = clients / servers
    apart = abs(ratio.value.mid / rule.value.mid - 1) > _SAME_RATIO
    return Argument(
        [
            Fact(
                "its clients and servers have network cards in another ratio, "
                f"{float(ratio.value.mid):.2f} ({ratio.text}), than {rule.text}",
                apart,
                RAW | DOCUMENTS,
            )
        ]
    )


@check("gap-of-every-interface")
def gap_of_every_interface(inputs: Inputs) -> Argument:
    """The gap between interfaces was measured, and hardware makes a smaller one."""
    gaps = inputs.column("daos-sensitivity", "value", quantity="dfs-bandwidth")
    interfaces = [row["interface"] for row in inputs.rows("daos-interfaces")]
    return Argument(
        [
            Fact(
                f"the interfaces are measured against one another ({len(gaps)} gap of bandwidth "
                f"between {len(interfaces)} interfaces)",
                len(gaps) >= len(interfaces) - 1,
                DOCUMENTS,
            ),
            Fact("what other hardware changes was measured beside it", None, DOCUMENTS),
        ]
    )


@check("lowest-phase")
def lowest_phase(inputs: Inputs, phase: str) -> Argument:
    """A phase is the lowest of the bandwidth phases, so the mean lies above it."""
    others = ("ior-easy-write", "ior-easy-read", "ior-hard-write", "ior-hard-read")
    own = raw.figure(inputs, raw.AURORA, phase)
    lowest = all(
        raw.figure(inputs, raw.AURORA, other).value.lo > own.value.hi
        for other in others
        if other != phase
    )
    return Argument([Fact(f"{phase}, {own.text}, is the lowest of the four", lowest, RAW)])


@check("submitted-on")
def submitted_on(inputs: Inputs, day: str) -> Argument:
    """The run had ended when it was submitted."""
    started = inputs.row(raw.RUNS, submission=raw.AURORA)["started"]
    after = started[:10] > day
    return Argument(
        [
            Fact(
                f"the run, started {started} by its own clock, is no later than {day} where it "
                "was submitted",
                None if after else True,
                RAW,
            )
        ]
    )


@check("reporters")
def reporters(inputs: Inputs, phase: str) -> Evidence:
    """How many submissions at hand report a phase; which of them are meant is not said."""
    found = len({row["submission"] for row in inputs.rows(raw.PHASES, phase=phase)})
    counted = Quantity(Interval.point(found), "1", f"submissions at hand with {phase}", origins=RAW)
    return Evidence(counted, "expectation")


@check("rank-among-reporters")
def rank_among_reporters(inputs: Inputs, submission: str, phase: str) -> Evidence:
    """The place of a submission among those at hand; which of them are meant is not said."""
    own = raw.figure(inputs, submission, phase)
    others = [row["submission"] for row in inputs.rows(raw.PHASES, phase=phase)]
    ahead = sorted(
        other for other in others if raw.figure(inputs, other, phase).value.lo > own.value.hi
    )
    place = Quantity(
        Interval(1, len(ahead) + 1),
        "1",
        f"1, or one more for each of {len(ahead)} submissions at hand that are ahead "
        f"({', '.join(ahead) or 'none'}) and may be meant",
        origins=RAW,
    )
    return Evidence(place, "partial")
