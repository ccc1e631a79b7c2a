"""DAOS with its metadata on SSD: what the quoted figures show, and what their digits leave open.

Every figure is a single printed sample. A reading says whether a final zero is a digit: strictly,
40 is 39.5 to 40.5; loosely it may have been rounded to tens, and is 35 to 45.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from storagebook import compare, tables, units
from storagebook.compare import Basis, Comparison, Figure, Obtained
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence

WRITES = "md-on-ssd"
QUANTITIES = "md-on-ssd-quantities"
#: The modes, as pages name them.
PMEM, ON_SSD = "persistent memory", "metadata on SSD"

_LARGER = (
    ("write, 1 MiB", "write", None),
    ("read, 1 MiB", "read", None),
    ("create, OC_S1", "create-s1", "OC_S1"),
    ("create, RP_3G1", "create-rp3", "RP_3G1"),
)


@dataclass(frozen=True)
class Pair:
    """One test in both modes.

    Attributes
    ----------
    name
        What was tested.
    pmem, on_ssd
        The figures; `printed` holds their digits.
    printed
        The digits of both.
    said_pct
        The change as the source prints it; empty where it prints none.
    """

    name: str
    pmem: Figure
    on_ssd: Figure
    printed: tuple[str, str]
    said_pct: str

    @property
    def comparison(self) -> Comparison:
        """Metadata on SSD over persistent memory."""
        return compare.ratio(self.on_ssd, self.pmem)

    @property
    def change_pct(self) -> Interval:
        """From persistent memory to metadata on SSD, in per cent."""
        return self.comparison.change_pct

    @property
    def plain_change_pct(self) -> float:
        """The same of the printed digits taken as exact."""
        before, after = (float(text.replace(",", "")) for text in self.printed)
        return (after / before - 1) * 100


def _stated(quantity: str) -> str:
    texts = tables.printed(QUANTITIES).set_index("quantity")
    return str(texts.value[quantity])


def _count(quantity: str) -> int:
    return int(_stated(quantity))


def _pair(
    name: str,
    printed: tuple[str, str],
    said_pct: str,
    unit: str,
    final_zeros: bool,
    **known: object,
) -> Pair:
    figures = (
        Figure(
            name=f"{name}, {mode}",
            value=Interval.of_printed(text, trailing_zeros=final_zeros),
            unit=unit,
            basis=Basis.MICROBENCHMARK,
            obtained=Obtained.PROSE,
            metric=name,
            source="000",
            **known,
        )
        for mode, text in zip((PMEM, ON_SSD), printed, strict=True)
    )
    return Pair(name, *figures, printed, said_pct)


def writes(*, final_zeros: bool) -> tuple[Pair, ...]:
    """IOR's easy write by transfer size, the smallest first.

    Parameters
    ----------
    final_zeros
        Whether a printed final zero is a digit.
    """
    known = {"clients": _count("clients-few"), "servers": _count("servers-few")}
    return tuple(
        _pair(
            row.transfer,
            (row.pmem_gib_s, row.md_on_ssd_gib_s),
            row.change_pct,
            "GiB/s",
            final_zeros,
            benchmark="ior",
            **known,
        )
        for row in tables.printed(WRITES).itertuples()
    )


def larger_tests(*, final_zeros: bool) -> tuple[Pair, ...]:
    """Writing and reading large transfers, and creating files, on more servers."""
    units_of = tables.printed(QUANTITIES).set_index("quantity").unit
    found = []
    for name, quantity, object_class in _LARGER:
        creates = object_class is not None
        found.append(
            _pair(
                name,
                (_stated(f"{quantity}-pmem"), _stated(f"{quantity}-md-on-ssd")),
                _stated(f"{quantity}-change") if creates else "",
                str(units_of[f"{quantity}-pmem"]),
                final_zeros,
                benchmark="mdtest" if creates else None,
                redundancy=object_class,
                servers=_count("servers-create" if creates else "servers-many"),
                clients=None if creates else _count("clients-many"),
            )
        )
    return tuple(found)


def changes(pairs: tuple[Pair, ...]) -> pd.DataFrame:
    """What each test loses or gains, and what its digits allow.

    Returns
    -------
    pandas.DataFrame
        ``test``, ``servers``, ``pmem``, ``on_ssd`` (as printed), ``unit``, ``said_pct`` (as
        printed; missing where none is), ``change_pct``, ``least_pct``, ``most_pct``, ``agrees``
        (whether the printed change is among what the digits allow).
    """
    rows = []
    for pair in pairs:
        # no zero with a sign
        low, high = (end + 0.0 for end in pair.change_pct.floats())
        said = Interval.of_printed(pair.said_pct, trailing_zeros=True) if pair.said_pct else None
        rows.append(
            (
                pair.name,
                pair.pmem.servers,
                *pair.printed,
                pair.pmem.unit,
                pair.said_pct or None,
                pair.plain_change_pct,
                low,
                high,
                None if said is None else said.overlaps(pair.change_pct),
            )
        )
    columns = ["test", "servers", "pmem", "on_ssd", "unit", "said_pct"]
    columns += ["change_pct", "least_pct", "most_pct", "agrees"]
    return pd.DataFrame(rows, columns=columns)


def beside(pairs: tuple[Pair, ...]) -> str:
    """What has to stand beside every one of these changes."""
    return compare.shared([pair.comparison.beside() for pair in pairs])[0]


def bandwidths() -> pd.DataFrame:
    """The writes in a long form: ``transfer``, ``mode``, ``bandwidth_gib_s``."""
    table = tables.load(WRITES)
    return pd.DataFrame(
        [
            (row.transfer, mode, value)
            for row in table.itertuples()
            for mode, value in ((PMEM, row.pmem_gib_s), (ON_SSD, row.md_on_ssd_gib_s))
        ],
        columns=["transfer", "mode", "bandwidth_gib_s"],
    )


# -- whether larger costs less


def order(pairs: tuple[Pair, ...]) -> pd.DataFrame:
    """Whether the larger of two sizes loses less, for every two.

    Returns
    -------
    pandas.DataFrame
        ``smaller``, ``larger``, ``larger_loses``: ``less``, ``more`` or ``not told``.
    """
    rows = []
    for small, large in itertools.combinations(pairs, 2):
        one, other = small.change_pct, large.change_pct
        answer = "less" if other.lo > one.hi else "more" if other.hi < one.lo else "not told"
        rows.append((small.name, large.name, answer))
    return pd.DataFrame(rows, columns=["smaller", "larger", "larger_loses"])


def said_of_order(pairs: tuple[Pair, ...]) -> list[Sentence]:
    """The source's rule against what the digits tell."""
    found = order(pairs)
    count = found.larger_loses.value_counts()
    said: list[Sentence] = [
        (
            "The source concludes that the larger the block, the less the log costs. Of the "
            "{pairs} ways to take two of these sizes, the digits show it in {less}, the opposite "
            "in {more}, and neither in {open}.",
            {
                "pairs": len(found),
                "less": int(count.get("less", 0)),
                "more": int(count.get("more", 0)),
                "open": int(count.get("not told", 0)),
            },
        )
    ]
    printed = [(p.name, int(p.said_pct)) for p in pairs]
    said += [
        (
            "Its own percentages go against it: {small} loses {less} %, {large} loses {more} %.",
            {"small": small, "large": large, "less": -before, "more": -after},
        )
        for (small, before), (large, after) in itertools.pairwise(printed)
        if after < before
    ]
    return said


# -- a time for every operation


def per_operation(pairs: tuple[Pair, ...]) -> pd.DataFrame:
    """Operations per second, and the time that each takes longer with metadata on SSD.

    The time is that between two operations of the whole system: an operation's own latency is that
    times the operations in flight, whose number no source states.

    Returns
    -------
    pandas.DataFrame
        ``test``, ``pmem_kiops``, ``on_ssd_kiops`` (of the printed digits), ``extra_ns``,
        ``least_ns``, ``most_ns``.
    """
    rows = []
    for pair in pairs:
        size = _size_b(pair)
        before, after = (float(text.replace(",", "")) for text in pair.printed)
        low, high = _extra_ns(pair).floats()
        extra = _between_ns(size, Interval.point(after)) - _between_ns(size, Interval.point(before))
        rates = (float(units.convert(v, "GiB/s", "B/s")) / size / 1000 for v in (before, after))
        rows.append((pair.name, *rates, float(extra.mid), low, high))
    columns = ["test", "pmem_kiops", "on_ssd_kiops", "extra_ns", "least_ns", "most_ns"]
    return pd.DataFrame(rows, columns=columns)


def _size_b(pair: Pair) -> int:
    value, unit = pair.name.split()
    return int(units.convert(int(value), unit, "B"))


def _between_ns(size_b: int, rate_gib_s: Interval) -> Interval:
    return size_b / units.convert(rate_gib_s, "GiB/s", "B/s") * 10**9


def _extra_ns(pair: Pair) -> Interval:
    size = _size_b(pair)
    return _between_ns(size, pair.on_ssd.value) - _between_ns(size, pair.pmem.value)


def ceiling(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """The sizes at which persistent memory writes as fast as at any size."""
    most = max(pairs, key=lambda pair: pair.pmem.value.mid)
    return tuple(pair for pair in pairs if pair.pmem.value.overlaps(most.pmem.value))


def _common(pairs: tuple[Pair, ...]) -> Interval | None:
    """The extra times that all of these allow."""
    found: Interval | None = Interval.at_least(-(10**9))
    for pair in pairs:
        found = found and found.intersection(_extra_ns(pair))
    return found


def said_of_time(pairs: tuple[Pair, ...]) -> list[Sentence]:
    """Whether one extra time for every operation explains the losses."""
    below = tuple(pair for pair in pairs if pair is not pairs[-1])
    said: list[Sentence] = []
    for chosen, where in ((pairs, "all sizes"), (below, "the sizes below {largest}")):
        common = _common(chosen)
        values: dict[str, object] = {"largest": pairs[-1].name} if chosen is below else {}
        if common is None:
            said.append((f"No single extra time for each operation fits {where}.", values))
        else:
            low, high = common.floats()
            said.append(
                (
                    f"One extra time for each operation, {{low:.0f}} to {{high:.0f}} ns, fits "
                    f"{where}.",
                    values | {"low": low, "high": high},
                )
            )
    at_limit = ceiling(pairs)
    if len(at_limit) > 1:
        said.append(
            (
                "With persistent memory {sizes} reach the same {rate} GiB/s: something other than "
                "the size of an operation limits there. Where it does, a cost of the log can hide "
                "behind it, so that no loss at {largest} does not mean no cost.",
                {
                    "sizes": " and ".join(pair.name for pair in at_limit),
                    "rate": at_limit[-1].printed[0],
                    "largest": pairs[-1].name,
                },
            )
        )
    return said


def said_of_steps(pairs: tuple[Pair, ...]) -> list[Sentence]:
    """Where the rate grows faster than the size: more operations a second, and larger ones."""
    said: list[Sentence] = []
    for small, large in itertools.pairwise(pairs):
        times = Fraction(_size_b(large), _size_b(small))
        growth = [
            getattr(large, mode).value / getattr(small, mode).value for mode in ("pmem", "on_ssd")
        ]
        if all(one.lo > times for one in growth):
            said.append(
                (
                    "From {small} to {large} the size grows {times:.0f} times and the bandwidth "
                    "{pmem:.2f} times with persistent memory, {on_ssd:.2f} times without: more "
                    "operations each second, each of them larger. Size alone does not do that. "
                    "Section 4.2 sends small writes to memory and large ones to NVMe; at which "
                    "size, for these figures, the source does not say.",
                    {
                        "small": small.name,
                        "large": large.name,
                        "times": float(times),
                        "pmem": float(growth[0].mid),
                        "on_ssd": float(growth[1].mid),
                    },
                )
            )
    return said


# -- more servers


def per_server(*, final_zeros: bool) -> pd.DataFrame:
    """Large writes in both tests by server: ``test``, ``mode``, ``servers``, ``per_server_gib_s``,
    ``least_gib_s``, ``most_gib_s``."""
    small, large = writes(final_zeros=final_zeros)[-1], larger_tests(final_zeros=final_zeros)[0]
    rows = []
    for pair in (small, large):
        for mode, figure, text in zip(
            (PMEM, ON_SSD), (pair.pmem, pair.on_ssd), pair.printed, strict=True
        ):
            share = figure.per_server().value
            rows.append(
                (
                    f"{figure.servers} servers, {figure.clients} clients",
                    mode,
                    figure.servers,
                    float(text) / figure.servers,
                    *share.floats(),
                )
            )
    columns = ["test", "mode", "servers", "per_server_gib_s", "least_gib_s", "most_gib_s"]
    return pd.DataFrame(rows, columns=columns)


def said_of_cost() -> list[Sentence]:
    """The source's range for what small operations and metadata lose, against its own rows."""
    printed = {
        pair.name: -int(pair.said_pct)
        for pair in (*writes(final_zeros=True)[:-1], *larger_tests(final_zeros=True))
        if pair.said_pct
    }
    least, most = int(_stated("cost-least")), int(_stated("cost-most"))
    outside = {name: loss for name, loss in printed.items() if not least <= loss <= most}
    said: list[Sentence] = [
        (
            "The source sums up that small I/O and metadata lose about {least} to {most} %. Of the "
            "{count} losses that it prints for them, {inside} lie within.",
            {
                "least": least,
                "most": most,
                "count": len(printed),
                "inside": len(printed) - len(outside),
            },
        )
    ]
    said += [
        ("Outside is {name} with {loss} %.", {"name": name, "loss": loss})
        for name, loss in outside.items()
    ]
    return said


# -- where the log lies


def log_placement(*, final_zeros: bool) -> pd.DataFrame:
    """The two figures of the log's placement, in either order.

    Returns
    -------
    pandas.DataFrame
        ``reading``, ``own_device``, ``mixed`` (GiB/s as printed), ``change_pct`` (from mixed to a
        device of its own), ``least_pct``, ``most_pct``, ``fits`` (whether the device of its own is
        then the slower, as the sentence says).
    """
    first, second = _stated("wal-first"), _stated("wal-second")
    rows = []
    for reading, own, mixed in (
        ("figures in the order of the words", first, second),
        ("figures the other way round", second, first),
    ):
        spans = [Interval.of_printed(text, trailing_zeros=final_zeros) for text in (own, mixed)]
        change = (spans[0] / spans[1] - 1) * 100
        rows.append(
            (
                reading,
                own,
                mixed,
                (float(own) / float(mixed) - 1) * 100,
                *change.floats(),
                spans[0].hi < spans[1].lo,
            )
        )
    columns = ["reading", "own_device", "mixed", "change_pct", "least_pct", "most_pct", "fits"]
    return pd.DataFrame(rows, columns=columns)


def said_of_log(*, final_zeros: bool) -> list[Sentence]:
    """What the figures of the log's placement can and cannot mean."""
    readings = log_placement(final_zeros=final_zeros)
    in_order, other = readings.itertuples()
    said: list[Sentence] = [
        (
            "The sentence says that a device of its own for the log is clearly worse than log and "
            "data together, and prints {first} against {second} GiB/s. In the order of its words "
            "the device of its own is **faster**, by {gain:.0f} %; the other way round it is "
            "slower, by {loss:.0f} %. Words and figures cannot both stand in this order; which of "
            "them slipped, only the slides tell.",
            {
                "first": in_order.own_device,
                "second": in_order.mixed,
                "gain": in_order.change_pct,
                "loss": -other.change_pct,
            },
        )
    ]
    table = writes(final_zeros=final_zeros)[-1]
    near = Interval.of_printed(in_order.own_device, trailing_zeros=final_zeros)
    said.append(
        (
            "The larger of the two is within {gap:.1f} % of the {rate} GiB/s that the table has "
            "for {size}, so the table may come from that layout. The text does not say so, nor on "
            "how many servers the two were measured.",
            {
                "gap": abs(float(near.mid / table.on_ssd.value.mid - 1)) * 100,
                "rate": table.printed[1],
                "size": table.name,
            },
        )
    )
    return said
