"""daos_perf on VOS over several builds: recomputed, and what one sample of each can show."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from storagebook import compare, tables, units
from storagebook.compare import Basis, Comparison, Figure, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500.runs import Sentence
from storagebook.readers import daos_perf

TABLE = "vos-daos-perf"
PARAMETERS = "vos-parameters"
MEMORY, NVME = "PMem", "NVMe"
OVERWRITE, NO_OVERWRITE = "overwrite", "no overwrite"

#: The builds in the document's order, and what each brings, in this book's words.
BUILDS = {
    "DAOS-1108": "master, before the changes",
    "DAOS-879": "metadata of NVMe devices kept by each server",
    "DAOS-1078": "those metadata used by the I/O path",
    "DAOS-1079": "deletion of SPDK blobs",
}
_FIGURES = {
    "duration_s": ("time", "s"),
    "bandwidth_mb_s": ("bandwidth", "MiB/s"),
    "rate_iops": ("rate", "IOP/s"),
    "latency_us": ("latency", "µs"),
}


@dataclass(frozen=True)
class Run:
    """One test of one build: a single sample.

    Attributes
    ----------
    build, media, mode
        What was tested.
    texts
        Column of the table → printed digits.
    printed
        The line as the tool wrote it.
    """

    build: str
    media: str
    mode: str
    texts: dict[str, str]
    printed: str

    @property
    def column(self) -> str:
        """The column of the document: media and mode."""
        return f"{self.media}, {self.mode}"

    def span(self, column: str) -> Interval:
        """Every value that prints so; the tool always prints as many places."""
        return Interval.of_printed(self.texts[column], trailing_zeros=True)

    @functools.cached_property
    def operations(self) -> int:
        """How many values were written: the one whole number that rate and duration allow.

        Raises
        ------
        StoragebookError
            If they allow none, or several.
        """
        found = self.span("rate_iops") * self.span("duration_s")
        first, last = math.ceil(found.lo), math.floor(found.hi)
        if first != last:
            raise StoragebookError(
                f"{self.build}, {self.column}: rate and duration allow {found} operations"
            )
        return first

    @property
    def bandwidth_mib_s(self) -> Interval:
        """Values times their size over the duration."""
        return self.operations * value_b() / self.span("duration_s") / 2**20

    @property
    def latency_us(self) -> Interval:
        """The duration over the values: one is written after the other."""
        return self.span("duration_s") / self.operations * 10**6

    def figure(self) -> Figure:
        """The rate, to be compared: one process writes to one store of its own machine."""
        return Figure(
            name=f"{self.build}, {self.column}",
            value=self.bandwidth_mib_s,
            unit="MiB/s",
            basis=Basis.MICROBENCHMARK,
            obtained=Obtained.PUBLISHED_TABLE,
            benchmark="daos_perf",
            metric=self.column,
            run=self.build,
            redundancy="none",
            clients=1,
            servers=1,
            version=self.build,
            source="002",
        )


def parameter(quantity: str) -> int:
    """A setting of the runs as the tool prints it."""
    texts = tables.printed(PARAMETERS).set_index("quantity").value
    return int(str(texts[quantity]).replace(",", ""))


def value_b() -> int:
    """The size of a value."""
    return parameter("value")


@functools.cache
def all_runs() -> tuple[Run, ...]:
    """Every run, build by build in the document's order."""
    return tuple(
        Run(
            row.build,
            row.media,
            row.mode,
            {column: getattr(row, column) for column in _FIGURES},
            row.printed,
        )
        for row in tables.printed(TABLE).itertuples()
    )


def columns() -> tuple[str, ...]:
    """The columns of the document, in its order."""
    return tuple(dict.fromkeys(run.column for run in all_runs()))


def run(build: str, column: str) -> Run:
    """The run of a build in a column."""
    return next(one for one in all_runs() if (one.build, one.column) == (build, column))


def of_column(column: str) -> tuple[Run, ...]:
    """The runs of a column, one a build."""
    return tuple(one for one in all_runs() if one.column == column)


def builds() -> pd.DataFrame:
    """``build``, ``brings``."""
    return pd.DataFrame(list(BUILDS.items()), columns=["build", "brings"])


# -- the text and the table


def parsed(one: Run) -> bool:
    """Whether the reader of daos_perf finds in the printed line what the table holds.

    The tool's ``MB`` is read as the MiB that it counts.
    """
    reading = daos_perf.parse(f"{one.printed}\n".encode(), one.build)
    found = {(m.quantity, m.unit): m.printed for m in reading.measurements}
    return set(one.texts.values()) == set(found.values()) and len(found) == len(_FIGURES)


def said_of_parsing() -> Sentence:
    """How many printed lines the reader takes for what the table says."""
    every = all_runs()
    return (
        "The page shows {runs} outputs, each of a single run. The book's reader of daos_perf finds "
        "the table's figures in {same} of them, {figures} in each.",
        {
            "runs": len(every),
            "same": sum(parsed(one) for one in every),
            "figures": len(_FIGURES),
        },
    )


# -- recomputed


def recomputed() -> pd.DataFrame:
    """Every run from its duration and its operations.

    Returns
    -------
    pandas.DataFrame
        ``build``, ``column``, ``duration_s`` (as printed), ``operations``, ``mib_s``, ``mb_s`` (of
        10**6 bytes), ``printed_mb_s``, ``latency_us``, ``printed_latency_us``, ``agrees`` (rate,
        bandwidth taken as MiB/s, and latency are among what operations and duration allow).
    """
    rows = []
    for one in all_runs():
        rate = one.operations / one.span("duration_s")
        agrees = (
            rate.overlaps(one.span("rate_iops"))
            and one.bandwidth_mib_s.overlaps(one.span("bandwidth_mb_s"))
            and one.latency_us.overlaps(one.span("latency_us"))
        )
        rows.append(
            (
                one.build,
                one.column,
                one.texts["duration_s"],
                one.operations,
                float(one.bandwidth_mib_s.mid),
                float(units.convert(one.bandwidth_mib_s, "MiB/s", "MB/s").mid),
                one.texts["bandwidth_mb_s"],
                float(one.latency_us.mid),
                one.texts["latency_us"],
                agrees,
            )
        )
    names = ["build", "column", "duration_s", "operations", "mib_s", "mb_s", "printed_mb_s"]
    return pd.DataFrame(rows, columns=[*names, "latency_us", "printed_latency_us", "agrees"])


def said_of_units() -> Sentence:
    """What the tool's MB is."""
    every = all_runs()
    decimal = [
        units.convert(one.bandwidth_mib_s, "MiB/s", "MB/s").overlaps(one.span("bandwidth_mb_s"))
        for one in every
    ]
    return (
        "From operations and duration, all figures of {agree} of {runs} runs follow, if *MB/sec* "
        "is read as MiB/s. As MB of a million bytes it fits {decimal}. The pool says the same: "
        "{asked} GiB were asked for, and the tool prints {pool:,} *MB*, which is {asked} × 1024.",
        {
            "agree": int(recomputed().agrees.sum()),
            "runs": len(every),
            "decimal": sum(decimal) or "none",
            "asked": parameter("option-pool"),
            "pool": parameter("pool"),
        },
    )


# -- unequal counts


def said_of_operations() -> list[Sentence]:
    """How many operations the columns count, and what was asked for."""
    counts = {column: {one.operations for one in of_column(column)} for column in columns()}
    asked = parameter("akeys") * parameter("records")
    fewer = parameter("akeys-no-overwrite") * parameter("records-no-overwrite")
    said: list[Sentence] = [
        (
            "The command asks for {akeys} × {records} = {asked:,} values of {size:.0f} MiB. "
            "Rate times duration leaves room for one whole number of operations in each run: "
            "{asked:,} in {many} of {columns} columns.",
            {
                "akeys": parameter("akeys"),
                "records": parameter("records"),
                "asked": asked,
                "size": value_b() / 2**20,
                "many": sum(found == {asked} for found in counts.values()),
                "columns": len(counts),
            },
        )
    ]
    said += [
        (
            "*{column}* has {count:,}, as its heading says ({akeys} × {records}): {gib:.1f} GiB "
            "where the others write {all_gib:.1f} GiB. Why, the page does not say.",
            {
                "column": column,
                "count": fewer,
                "akeys": parameter("akeys-no-overwrite"),
                "records": parameter("records-no-overwrite"),
                "gib": fewer * value_b() / 2**30,
                "all_gib": asked * value_b() / 2**30,
            },
        )
        for column, found in counts.items()
        if found == {fewer}
    ]
    return said


def fixed_time_s(build: str) -> tuple[float, float]:
    """What is left of the shorter test if its operations were as fast as overwriting ones.

    Returns
    -------
    tuple of float
        Seconds left over, and MiB/s that the test would then print for the full count.
    """
    slow, fast = run(build, f"{MEMORY}, {NO_OVERWRITE}"), run(build, f"{MEMORY}, {OVERWRITE}")
    left = slow.span("duration_s") - slow.operations * fast.latency_us / 10**6
    full = left + fast.operations * fast.latency_us / 10**6
    return float(left.mid), float((fast.operations * value_b() / full / 2**20).mid)


def said_of_counts(build: str) -> list[Sentence]:
    """Why runs of unequal counts do not compare."""
    slow, fast = run(build, f"{MEMORY}, {NO_OVERWRITE}"), run(build, f"{MEMORY}, {OVERWRITE}")
    left, full = fixed_time_s(build)
    ahead = sum(
        run(name, f"{NVME}, {NO_OVERWRITE}").bandwidth_mib_s.lo
        > run(name, f"{MEMORY}, {NO_OVERWRITE}").bandwidth_mib_s.hi
        for name in BUILDS
    )
    return [
        (
            "In {build}, a value takes {slow:.1f} µs on memory without overwriting and {fast:.1f} "
            "µs with. The first is over {few:,} operations, the second over {many:,}. Were every "
            "operation as fast as an overwriting one, {left:.2f} s would be left: a time that is "
            "paid once explains the figure as well as slower operations do, and with equal counts "
            "the same test could print anything from {low:,.0f} to {high:,.0f} MiB/s. One count "
            "cannot tell the two apart.",
            {
                "build": build,
                "slow": float(slow.latency_us.mid),
                "fast": float(fast.latency_us.mid),
                "few": slow.operations,
                "many": fast.operations,
                "left": left,
                "low": float(slow.bandwidth_mib_s.mid),
                "high": full,
            },
        ),
        (
            "So it means little that NVMe prints a higher rate than memory without overwriting in "
            "{ahead} of {builds} builds: there too the counts differ.",
            {"ahead": ahead, "builds": len(BUILDS)},
        ),
    ]


def media(build: str) -> Comparison:
    """Overwriting on memory over overwriting on NVMe, in one build: equal counts."""
    return compare.within_run(
        run(build, f"{MEMORY}, {OVERWRITE}").figure(), run(build, f"{NVME}, {OVERWRITE}").figure()
    )


def said_of_media(build: str) -> Sentence:
    """What equal counts let one compare."""
    found = media(build)
    mode = compare.within_run(
        run(build, f"{NVME}, {NO_OVERWRITE}").figure(), run(build, f"{NVME}, {OVERWRITE}").figure()
    )
    return (
        "Equal counts do compare, within a build: overwriting on memory is {times:.2f} times as "
        "fast as on NVMe in {build}, and on NVMe not overwriting changes the rate by {mode:+.1f} "
        "%.",
        {
            "times": float(found.ratio.mid),
            "build": build,
            "mode": float(mode.change_pct.mid),
        },
    )


# -- builds


def changes(reference: str) -> pd.DataFrame:
    """What each other build changes in each column.

    Returns
    -------
    pandas.DataFrame
        ``build``, ``column``, ``change_pct`` (of the rate, from the reference).
    """
    rows = [
        (one.build, one.column, float(change(one, reference).change_pct.mid))
        for one in all_runs()
        if one.build != reference
    ]
    return pd.DataFrame(rows, columns=["build", "column", "change_pct"])


def change(one: Run, reference: str) -> Comparison:
    """A run over that of another build in its column."""
    return compare.ratio(one.figure(), run(reference, one.column).figure())


def change_table(reference: str) -> pd.DataFrame:
    """`changes` with a row a build and a column a column of the document."""
    wide = changes(reference).pivot(index="build", columns="column", values="change_pct")
    order = [name for name in BUILDS if name != reference]
    return wide.loc[order, list(columns())].rename_axis(columns=None).reset_index()


def deviations() -> pd.DataFrame:
    """Each run from the best of its column: ``column``, ``build``, ``deviation_pct``."""
    frame = recomputed()[["build", "column", "mib_s"]]
    best = frame.groupby("column").mib_s.transform("max")
    return frame.assign(deviation_pct=(frame.mib_s / best - 1) * 100)[
        ["column", "build", "deviation_pct"]
    ]


def spread() -> pd.DataFrame:
    """How far the builds lie apart in each column.

    Returns
    -------
    pandas.DataFrame
        ``column``, ``least_mib_s``, ``most_mib_s``, ``range_pct`` (by how much of the
        most the least is behind), ``without_slowest_pct`` (the same of the other builds),
        ``order`` (fastest build first).
    """
    rows = []
    for column in columns():
        ranked = _ranked(column)
        rates = [float(one.bandwidth_mib_s.mid) for one in ranked]
        rows.append(
            (
                column,
                rates[-1],
                rates[0],
                (1 - rates[-1] / rates[0]) * 100,
                (1 - rates[-2] / rates[0]) * 100,
                " ".join(one.build.removeprefix("DAOS-") for one in ranked),
            )
        )
    names = ["column", "least_mib_s", "most_mib_s", "range_pct", "without_slowest_pct", "order"]
    return pd.DataFrame(rows, columns=names)


def _ranked(column: str) -> list[Run]:
    return sorted(of_column(column), key=lambda one: one.bandwidth_mib_s.mid, reverse=True)


def yardstick_pct() -> float:
    """The most that the builds differ where no NVMe device is used."""
    table = spread()
    return float(table[table.column.str.startswith(MEMORY)].range_pct.max())


def said_of_spread() -> list[Sentence]:
    """The columns without NVMe as a measure for those with it."""
    table = spread()
    measure = yardstick_pct()
    widest = table.loc[table.range_pct.idxmax()]
    slowest = _ranked(widest.column)[-1]
    after = list(BUILDS)[list(BUILDS).index(slowest.build) + 1 :]
    said: list[Sentence] = [
        (
            "All changes concern NVMe. Where no NVMe device is used they differ by up to "
            "{measure:.2f} %: so much moves without a reason that the page names. It is the least "
            "that a change on NVMe has to exceed, and it comes from one run of each, so the true "
            "spread may be larger.",
            {"measure": measure},
        ),
        (
            "One run stands out: *{column}* of {build} is {range:.1f} % behind the best of its "
            "column, {times:.0f} times that measure; the others of its column lie within "
            "{rest:.2f} %.",
            {
                "column": widest.column,
                "build": slowest.build,
                "range": widest.range_pct,
                "times": widest.range_pct / measure,
                "rest": widest.without_slowest_pct,
            },
        ),
    ]
    if after:
        back = change(run(after[0], widest.column), next(iter(BUILDS))).change_pct
        said.append(
            (
                "The next build, {next}, is {back:+.2f} % from {first} again. A build that was "
                "slow and then mended, and a run that was disturbed, look alike in one sample.",
                {
                    "next": after[0],
                    "back": float(back.mid),
                    "first": next(iter(BUILDS)),
                },
            )
        )
    return said


def _leads(names: Sequence[str]) -> dict[str, float]:
    """By how much of its rate the best run of each column is ahead of the next, per cent."""
    ahead = []
    for column in names:
        first, second = (float(one.bandwidth_mib_s.mid) for one in _ranked(column)[:2])
        ahead.append((1 - second / first) * 100)
    return {"least": min(ahead), "most": max(ahead)}


def said_of_orders() -> list[Sentence]:
    """Whether the columns put the builds in one order."""
    orders = {column: tuple(one.build for one in _ranked(column)) for column in columns()}
    same = [(a, b) for a, b in itertools.combinations(orders, 2) if orders[a] == orders[b]]
    chance = math.factorial(len(BUILDS))
    said: list[Sentence] = [
        (
            "*{a}* and *{b}* put the builds in the same order. By chance alone two given columns "
            "do so once in {chance} times, and there are {pairs} pairs of columns to look at: a "
            "hint, no more, that what moved both belongs to the build or to the day and not to the "
            "single run.",
            {
                "a": a,
                "b": b,
                "chance": chance,
                "pairs": math.comb(len(orders), 2),
            },
        )
        for a, b in same
    ]
    on_nvme = [column for column in orders if column.startswith(NVME)]
    slowest = {column: orders[column][-1] for column in on_nvme}
    best = {orders[column][0] for column in on_nvme}
    if len(best) == 1:
        said.append(
            (
                "All columns on NVMe have {build} first, ahead of the next by {least:.2f} to "
                "{most:.2f} %; the measure above is {measure:.2f} %.",
                {"build": best.pop(), "measure": yardstick_pct()} | _leads(on_nvme),
            )
        )
    if len(set(slowest.values())) > 1:
        said.append(
            (
                "The columns on NVMe do not agree on which build is the slowest: "
                + " and ".join(f"{{b{i}}} in *{{c{i}}}*" for i in range(len(slowest)))
                + ".",
                {f"b{i}": build for i, build in enumerate(slowest.values())}
                | {f"c{i}": column for i, column in enumerate(slowest)},
            )
        )
    return said


# -- what a few runs can show


def least_chance(runs: int) -> Fraction:
    """The smallest two-sided chance that so many runs of each of two builds can reach.

    If nothing but chance tells the builds apart, every way to deal the runs to the two is as
    likely; the clearest outcome, all of one above all of the other, is two of these ways.

    Examples
    --------
    >>> str(least_chance(1)), str(least_chance(4))
    ('1', '1/35')
    """
    return Fraction(2, math.comb(2 * runs, runs))


def runs_needed(level: float) -> int:
    """The fewest runs of each build with which a difference can be told from chance at all."""
    return next(n for n in itertools.count(1) if least_chance(n) <= level)


def chances(level: float) -> pd.DataFrame:
    """``runs`` of each build, ``ways`` to deal them, ``least_chance_pct``, ``enough``."""
    rows = [
        (n, math.comb(2 * n, n), float(least_chance(n)) * 100, least_chance(n) <= level)
        for n in range(1, runs_needed(level) + 2)
    ]
    return pd.DataFrame(rows, columns=["runs", "ways", "least_chance_pct", "enough"])


def said_of_chances(level: float) -> Sentence:
    """What one run of each can show, and how many it would take."""
    return (
        "With one run of each of two builds one is ahead of the other, in {one:.0f} % of cases, "
        "even if the builds are alike. At a level of {level:g} % it takes at least {needed} runs "
        "of each, all of one ahead of all of the other, before any difference can be told from "
        "chance.",
        {
            "one": float(least_chance(1)) * 100,
            "level": level * 100,
            "needed": runs_needed(level),
        },
    )
