"""What applications got: HACC, checkpoints, and DAOS without persistent memory."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from storagebook.claims import Evidence, Inputs, check
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.mlperf import workloads
from storagebook.quantities import DOCUMENTS, Quantity
from storagebook.verdicts import NEARLY_PCT, Argument, Fact

#: A change within so many per cent is "nearly nothing".
_NEARLY_NOTHING_PCT = 2
#: What is at least so much of a peak is "near" it, or "all but full".
_NEAR = Fraction(9, 10)
#: An order of magnitude.
_TENFOLD = 10


def _stated(inputs: Inputs, table: str, quantity: str, *, exact: bool = False) -> Quantity:
    return inputs(f"{table}[quantity={quantity}].value", exact=exact)


def _per_cent(ratio: Quantity) -> str:
    return f"{float(ratio.value.mid) * 100:.1f} %"


def _nearly(inputs: Inputs, table: str, quantity: str) -> Quantity:
    """What "nearly x" reaches at least, and x."""
    found = _stated(inputs, table, quantity, exact=True)
    within = Interval(1 - Fraction(2 * NEARLY_PCT, 100), 1)
    return dataclasses.replace(found, value=found.value * within, approximate=True)


# -- HACC


@check("lustre-full-daos-not")
def lustre_full_daos_not(inputs: Inputs) -> Argument:
    """Lustre writes at its limit, DAOS below its own, by one and the same measure."""
    lustre = _stated(inputs, "hacc", "lustre-write")
    near = lustre / _stated(inputs, "hacc", "lustre-peak", exact=True)
    stated = lustre / _stated(inputs, "aurora-configuration", "flare-bandwidth", exact=True)
    daos = _stated(inputs, "hacc", "daos-write") / _stated(inputs, "hacc", "daos-ior")
    kinds = [inputs.row("hacc", quantity=name)["basis"] for name in ("lustre-peak", "daos-ior")]
    return Argument(
        [
            Fact(
                f"Lustre writes at {_per_cent(near)} of the peak named here",
                near.value.mid >= _NEAR,
                DOCUMENTS,
            ),
            Fact(
                f"it is nearer to the peak of section 3.1, {_per_cent(stated)}, than DAOS to IOR's "
                f"result, {_per_cent(daos)}",
                stated.value.mid > daos.value.mid,
                DOCUMENTS,
            ),
            Fact(
                f"both are held against one kind of limit (Lustre {kinds[0]}, DAOS {kinds[1]})",
                kinds[0] == kinds[1],
                DOCUMENTS,
            ),
        ]
    )


@check("storage-is-full")
def storage_is_full(inputs: Inputs) -> Argument:
    """The application writes nearly as fast as the pool can, of which IOR is one measurement."""
    share = _stated(inputs, "hacc", "daos-write") / _stated(inputs, "hacc", "daos-ior")
    return Argument(
        [
            Fact(
                f"HACC writes at {_per_cent(share)} of IOR's rate",
                share.value.lo >= _NEAR,
                DOCUMENTS,
            ),
            Fact("IOR's rate is all that the pool can write", None, DOCUMENTS),
        ]
    )


# -- MLPerf Storage v2.0, as an article quotes it


def _checkpoint() -> Quantity:
    size = workloads.CHECKPOINTS["llama3-405b"].total_gib
    return Quantity(
        Interval.of_printed(str(round(size)), trailing_zeros=True),
        "GiB",
        f"{size:,.0f} GiB of checkpoint",
    )


@check("checkpoint-rate")
def checkpoint_rate(inputs: Inputs) -> Evidence:
    """Who takes so long at most for a checkpoint is at least so fast."""
    longest = _stated(inputs, "mlperf-alcf", "checkpoint")
    bound = dataclasses.replace(longest, value=Interval.point(longest.value.hi))
    found = _checkpoint().per_second_over(bound)
    return Evidence(dataclasses.replace(found, value=Interval.at_least(found.value)), "limit")


@check("checkpoint-duration")
def checkpoint_duration(inputs: Inputs) -> Evidence:
    """The checkpoint's size over the write rate."""
    return Evidence(_checkpoint().seconds_at(_nearly(inputs, "mlperf-alcf", "daos-write")))


@check("part-beats-whole")
def part_beats_whole(inputs: Inputs) -> Argument:
    """A part of DAOS is faster than all of Lustre, writing and reading."""
    lustre = _stated(inputs, "mlperf-alcf", "lustre-most")
    most = lustre.value.hi
    measured = {
        "write": _nearly(inputs, "mlperf-alcf", "daos-write"),
        "read": _stated(inputs, "mlperf-alcf", "daos-read", exact=True),
    }
    facts = []
    for direction, daos in measured.items():
        facts.append(
            Fact(
                f"{direction}: {daos.text} is more than Lustre's {lustre.text}",
                daos.to(lustre.unit).value.lo > most,
                DOCUMENTS,
            )
        )
    return Argument(facts)


@check("near-its-peak")
def near_its_peak(inputs: Inputs) -> Argument:
    """All that Lustre reached is near its peak."""
    least = _stated(inputs, "mlperf-alcf", "lustre-least")
    share = least.value.lo / _stated(inputs, "aurora-configuration", "flare-bandwidth").value.mid
    return Argument(
        [
            Fact(
                f"its lower end, {least.text}, is {float(share):.0%} of the peak of section 3.1",
                share >= _NEAR,
                DOCUMENTS,
            )
        ]
    )


# -- DAOS without persistent memory

_SMALL = ("1 KiB", "4 KiB", "16 KiB", "64 KiB")


def _printed_changes(inputs: Inputs) -> dict[str, Quantity]:
    """What the section prints of small I/O and of creating files, by name."""
    changes = {size: inputs(f"md-on-ssd[transfer={size}].change_pct") for size in _SMALL}
    return changes | {
        f"create {kind}": _stated(inputs, "md-on-ssd-quantities", f"create-{kind}-change")
        for kind in ("s1", "rp3")
    }


@check("cost-of-small-io")
def cost_of_small_io(inputs: Inputs, end: str) -> Evidence:
    """The ``least`` or the ``most`` that small I/O and metadata lose, as printed elsewhere."""
    changes = _printed_changes(inputs)
    pick = max if end == "least" else min
    name = pick(changes, key=lambda size: changes[size].value.mid)
    found = changes[name]
    return Evidence(
        dataclasses.replace(found, value=-found.value, text=f"the {end} loss, of {name}")
    )


@check("larger-costs-less")
def larger_costs_less(inputs: Inputs) -> Argument:
    """No larger transfer loses more than a smaller one."""
    changes = [inputs(f"md-on-ssd[transfer={size}].change_pct") for size in (*_SMALL, "1 MiB")]
    names = (*_SMALL, "1 MiB")
    worse = [
        f"{names[i]} ({changes[i].text}) loses more than {names[i - 1]} ({changes[i - 1].text})"
        for i in range(1, len(names))
        if changes[i].value.hi < changes[i - 1].value.lo
    ]
    return Argument(counter=[Fact("; ".join(worse) or "none loses more", bool(worse), DOCUMENTS)])


@check("large-costs-nothing")
def large_costs_nothing(inputs: Inputs) -> Argument:
    """Large transfers are hardly slower without persistent memory."""
    facts = []
    for what in ("write", "read"):
        before, after = (
            _stated(inputs, "md-on-ssd-quantities", f"{what}-{media}")
            for media in ("pmem", "md-on-ssd")
        )
        change = (after.value.mid / before.value.mid - 1) * 100
        facts.append(
            Fact(
                f"a {what} of 1 MiB changes by {float(change):+.1f} %",
                abs(change) <= _NEARLY_NOTHING_PCT,
                DOCUMENTS,
            )
        )
    return Argument(facts)


@check("no-slower")
def no_slower(inputs: Inputs, smaller: str) -> Evidence:
    """A large transfer should be no slower than a smaller one."""
    found = inputs(smaller)
    return Evidence(dataclasses.replace(found, value=Interval.at_least(found.value)), "expectation")


@check("level-with")
def level_with(inputs: Inputs, figure: str) -> Evidence:
    """The other of two figures that the text calls level."""
    return Evidence(inputs(figure) * _level_factor())


def _level_factor() -> Quantity:
    share = Fraction(_NEARLY_NOTHING_PCT, 100)
    text = f"(1 ± {_NEARLY_NOTHING_PCT} %)"
    return Quantity(Interval(1 - share, 1 + share), "1", text, approximate=True)


def _size_of(inputs: Inputs, scale: Quantity, rates: dict[str, Quantity]) -> Evidence:
    """The transfer sizes whose rows of the table, times `scale`, are level with all rates."""
    fitting = []
    for size in (*_SMALL, "1 MiB"):
        where = f"md-on-ssd[transfer={size}]"
        row = {column: inputs(f"{where}.{column}") * scale for column in rates}
        if all(row[c].value.overlaps((rates[c] * _level_factor()).value) for c in rates):
            fitting.append(inputs(f"{where}.transfer_kib", exact=True))
    if not fitting:
        raise StoragebookError("no transfer size of the table gives such rates")
    sizes = Interval(fitting[0].value.lo, fitting[-1].value.hi)
    told = " and ".join(rate.text for rate in rates.values())
    grown = "" if scale.value == Interval.point(1) else f" × {scale.text}"
    text = f"(the size whose row{grown} is within {_NEARLY_NOTHING_PCT} % of {told})"
    return Evidence(dataclasses.replace(fitting[0], value=sizes, text=text), "expectation")


@check("transfer-of-larger-test")
def transfer_of_larger_test(inputs: Inputs) -> Evidence:
    """The size whose rates grow to those of the larger test as the servers do."""
    servers = _stated(inputs, "md-on-ssd-quantities", "servers-many") / _stated(
        inputs, "md-on-ssd-quantities", "servers-few"
    )
    rates = {
        f"{media.replace('-', '_')}_gib_s": _stated(
            inputs, "md-on-ssd-quantities", f"write-{media}"
        )
        for media in ("pmem", "md-on-ssd")
    }
    return _size_of(inputs, servers, rates)


@check("transfer-of-log-layout")
def transfer_of_log_layout(inputs: Inputs) -> Evidence:
    """The size at which the table has the rate of a layout of the log."""
    rate = _stated(inputs, "md-on-ssd-quantities", "wal-first")
    return _size_of(inputs, Quantity.count(1), {"md_on_ssd_gib_s": rate})


@check("better-of-two-layouts")
def better_of_two_layouts(inputs: Inputs) -> Evidence:
    """The words call the layout named first the worse one: the second should not be below it."""
    found = _stated(inputs, "md-on-ssd-quantities", "wal-first")
    return Evidence(
        dataclasses.replace(found, value=Interval.at_least(found.value)),
        "expectation",
        "if the figures stand in the order of the words",
    )


@check("same-clients-per-server")
def same_clients_per_server(inputs: Inputs, wanted: str) -> Evidence:
    """Both sizes of the test should have as many clients a server."""
    kind, size = wanted.split("-")
    other_kind = {"servers": "clients", "clients": "servers"}[kind]
    other_size = {"few": "many", "many": "few"}[size]
    there, here, beside = (
        _stated(inputs, "md-on-ssd-quantities", name)
        for name in (
            f"{kind}-{other_size}",
            f"{other_kind}-{size}",
            f"{other_kind}-{other_size}",
        )
    )
    return Evidence(there * here / beside, "expectation")


@check("own-device-is-slower")
def own_device_is_slower(inputs: Inputs) -> Argument:
    """The layout named first has the lower figure, if both stand in the order of the words."""
    first, second = (
        _stated(inputs, "md-on-ssd-quantities", f"wal-{place}") for place in ("first", "second")
    )
    return Argument(
        [
            Fact(
                f"of the figures in the order of the words, {first.text} and {second.text}, the "
                "first is lower",
                first.value.hi < second.value.lo,
                DOCUMENTS,
            )
        ]
    )


# -- around DAOS


@check("order-of-magnitude-gains")
def order_of_magnitude_gains(inputs: Inputs) -> Argument:
    """A row of the table gains an order of magnitude by what was done, and by nothing else."""
    gain = _stated(inputs, "ecosystem-gains", "scan-before") / _stated(
        inputs, "ecosystem-gains", "scan-after"
    )
    return Argument(
        [
            Fact(
                f"the scan gains an order of magnitude, {float(gain.value.mid):.1f} times",
                Interval.order_of_magnitude(_TENFOLD).contains(gain.value),
                DOCUMENTS,
            ),
            Fact("caches and servers were alike in both scans", None, DOCUMENTS),
        ]
    )
