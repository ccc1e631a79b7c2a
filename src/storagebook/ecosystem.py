"""What was won around DAOS: a scan, a copy, and random reads, each with what it compares."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from storagebook import cells, compare, tables, units
from storagebook.compare import IO500, Basis, Comparison, Figure, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import runs
from storagebook.io500.phases import STONEWALL_S
from storagebook.io500.runs import PublicRun, Sentence

TABLE = "ecosystem-gains"
#: IO500's random reads, which no score counts.
RANDOM_READ = "ior-rnd4K-easy-read"
SEQUENTIAL_READ = "ior-easy-read"


def _cell(quantity: str) -> cells.Cell:
    return cells.cell(f"{TABLE}[quantity={quantity}].value")


def _span(quantity: str) -> Interval:
    return _cell(quantity).quantity().value


def _plain(quantity: str) -> float:
    return float(_cell(quantity).text.replace(",", ""))


def what_each_compares() -> pd.DataFrame:
    """The rows of the source's table.

    Returns
    -------
    pandas.DataFrame
        ``row``, ``before``, ``after``, ``basis``, ``a_gain`` (whether it tells what was before).
    """
    described = {
        "scan": ("PyTorch lists its files", "scan-after"),
        "dcp": ("dcp copies", "dcp-mean"),
        "rnd4k": ("IO500 reads at random", "rnd4k-read"),
    }
    rows = []
    for row, (name, after) in described.items():
        before = cells.rows(TABLE, {"quantity": f"{row}-before"})
        found = _cell(after)
        rows.append(
            (
                name,
                f"{before[0][1]['value']} {before[0][1]['unit']}" if before else None,
                f"{found.text} {found.unit}",
                str(found.basis),
                bool(before),
            )
        )
    return pd.DataFrame(rows, columns=["row", "before", "after", "basis", "a_gain"])


# -- the scan


def scan_gain() -> Interval:
    """How many times as long the scan took before."""
    return _span("scan-before") / _span("scan-after")


def scan_rates() -> pd.DataFrame:
    """``when``, ``duration_s``, ``files_per_s``, ``least_per_s``, ``most_per_s``.

    The number of files is printed in two digits; its interval counts.
    """
    count = Interval.of_printed(_cell("scan-files").text)
    rows = []
    for when in ("before", "after"):
        rate = count / _span(f"scan-{when}")
        exact = _plain("scan-files") / _plain(f"scan-{when}")
        rows.append((when, _cell(f"scan-{when}").text, exact, *rate.floats()))
    columns = ["when", "duration_s", "files_per_s", "least_per_s", "most_per_s"]
    return pd.DataFrame(rows, columns=columns)


def said_of_scan() -> list[Sentence]:
    """The gain, and what is not told of it."""
    gain = scan_gain()
    low, high = gain.floats()
    before, after = scan_rates().itertuples()
    return [
        (
            "A scan of {files:,} files took {before} s and takes {after} s: {gain:.1f} times as "
            "fast, {low:.2f} to {high:.2f} by the printed digits. That is {slow:,.0f} and then "
            "{fast:,.0f} files a second. It is the one row of the table that has a before and an "
            "after.",
            {
                "files": int(_plain("scan-files")),
                "before": before.duration_s,
                "after": after.duration_s,
                "gain": float(gain.mid),
                "low": low,
                "high": high,
                "slow": before.files_per_s,
                "fast": after.files_per_s,
            },
        ),
        (
            "The source names the anchor interface of DAOS's file layer and a scan in parallel. So "
            "two things change at once, how a directory is read and how many do it at a time; how "
            "many, on which servers, and whether a second scan found warm caches, it does not say. "
            "One sample each.",
            {},
        ),
    ]


# -- the copy


def copy_figures() -> pd.DataFrame:
    """The copy's figures against one another.

    Returns
    -------
    pandas.DataFrame
        ``figure``, ``printed``, ``unit``, ``recomputed`` (its interval from the others as text),
        ``agrees``; the rate that the source does not explain has neither.
    """
    size = Interval.point(_plain("dcp-size"))
    duration, mean = _span("dcp-time"), _span("dcp-mean")
    found = {
        "dcp-size": ("copied", mean * duration),
        "dcp-time": ("whole time", size / mean),
        "dcp-mean": ("mean rate", size / duration),
        "dcp-rate": ("rate", None),
    }
    rows = []
    for quantity, (name, span) in found.items():
        cell = _cell(quantity)
        own = Interval.of_printed(cell.text)
        rows.append(
            (
                name,
                cell.text,
                cell.unit,
                None if span is None else str(span),
                None if span is None else span.overlaps(own),
            )
        )
    return pd.DataFrame(rows, columns=["figure", "printed", "unit", "recomputed", "agrees"])


def said_of_copy() -> list[Sentence]:
    """Three of its figures make each other; the fourth is of something else."""
    size = _plain("dcp-size")
    rest = _span("dcp-time") - size / _span("dcp-rate")
    share = rest / _span("dcp-time") * 100
    ranks = int(_plain("dcp-ranks"))
    low, high = (end * 1000 for end in rest.floats())
    return [
        (
            "Size, whole time and mean rate make each other. The other rate, {rate} GiB/s, does "
            "not: at it, {size:.0f} GiB would take {low:.0f} to {high:.0f} ms less than the whole, "
            "{share:.1f} %. It may leave out starting and ending, or be the best moment; the "
            "source does not say. Quote the mean, {mean} GiB/s.",
            {
                "rate": _cell("dcp-rate").text,
                "size": size,
                "low": low,
                "high": high,
                "share": float(share.mid),
                "mean": _cell("dcp-mean").text,
            },
        ),
        (
            "Each of the {ranks} ranks moves {each:.2f} GiB/s on average. A copy reads as much as "
            "it writes; whether both ends lie on DAOS, how many files it copies, and what another "
            "interface would have reached, is not told. Without that it is a rate, not a gain, and "
            "{seconds} s are a short time to measure it in.",
            {
                "ranks": ranks,
                "each": _plain("dcp-mean") / ranks,
                "seconds": _cell("dcp-time").text,
            },
        ),
    ]


# -- random reads


@dataclass(frozen=True)
class RandomRead:
    """The unscored random reads of one public run.

    Attributes
    ----------
    run
        The run.
    rate, sequential
        Its random reads, and its ior-easy-read.
    transfer_b, duration_s
        Of the random reads.
    api
        The interface that IOR used.
    """

    run: PublicRun
    rate: Figure
    sequential: Figure
    transfer_b: int
    duration_s: float
    api: str

    @property
    def reads_per_s(self) -> float:
        """Operations a second."""
        return float(units.convert(self.rate.value.mid, "GiB/s", "B/s")) / self.transfer_b

    @property
    def read_us(self) -> float | None:
        """Mean time of a read if each process has one in flight, as IOR does; None where the number
        of processes is unknown."""
        procs = self.run.facts.procs_count
        return None if pd.isna(procs) else int(procs) / self.reads_per_s * 1e6

    @property
    def comparison(self) -> Comparison:
        """Random over sequential reads of the same run."""
        return compare.within_run(self.rate, self.sequential)

    @property
    def share_pct(self) -> float:
        """Random reads as a share of the run's own ior-easy-read."""
        return float(self.comparison.ratio.mid) * 100

    @property
    def lasted(self) -> bool:
        """Whether it read for as long as a write phase has to run."""
        return self.duration_s >= STONEWALL_S

    @property
    def read_gib(self) -> float:
        """How much was read."""
        return float(self.rate.value.mid) * self.duration_s


def random_read(run: PublicRun) -> RandomRead | None:
    """The random reads of a run; None if it reports none."""
    rows = run.phases.set_index("phase")
    if RANDOM_READ not in rows.index:
        return None
    own = rows.loc[RANDOM_READ]
    rate, sequential = (
        Figure(
            name=f"{run.submission}, {phase}",
            value=Interval.of_printed(rows.printed[phase], trailing_zeros=True),
            unit="GiB/s",
            basis=Basis.SINGLE_PHASE,
            obtained=Obtained.RAW_OUTPUT,
            benchmark=IO500,
            metric=phase,
            run=run.submission,
            verified=False,
        )
        for phase in (RANDOM_READ, SEQUENTIAL_READ)
    )
    return RandomRead(
        run, rate, sequential, int(own.transfer_b), float(own.duration_s), str(own.api)
    )


def random_reads() -> tuple[RandomRead, ...]:
    """Every public run at hand that reports random reads, by submission."""
    phases = tables.load(runs.PHASES)
    submissions = sorted(set(phases[phases.phase == RANDOM_READ].submission))
    found = (random_read(runs.load(one)) for one in submissions)
    return tuple(one for one in found if one is not None)


def random_table(every: tuple[RandomRead, ...]) -> pd.DataFrame:
    """One row a run.

    Returns
    -------
    pandas.DataFrame
        ``submission``, ``file_system``, ``api``, ``procs``, ``bandwidth_gib_s``, ``duration_s``,
        ``share_pct`` (of the run's own ior-easy-read), ``read_us``, ``kind``: whether it lasted as
        long as a write phase has to.
    """
    rows = [
        (
            one.run.submission,
            one.run.facts.file_system,
            one.api,
            one.run.facts.procs_count,
            float(one.rate.value.mid),
            one.duration_s,
            one.share_pct,
            one.read_us,
            _kind(one.lasted),
        )
        for one in every
    ]
    columns = ["submission", "file_system", "api", "procs", "bandwidth_gib_s", "duration_s"]
    columns += ["share_pct", "read_us", "kind"]
    return pd.DataFrame(rows, columns=columns).astype({"procs": "Int64", "read_us": float})


def _kind(lasted: bool) -> str:
    return f"{STONEWALL_S} s or more" if lasted else f"less than {STONEWALL_S} s"


def said_of_random(run: PublicRun) -> list[Sentence]:
    """What a run's random reads are, in other units and against its own sequential ones."""
    own = random_read(run)
    if own is None:
        return [
            (
                "Submission {submission} reports no random reads. The parameter `submission` takes "
                "one of those that do; the table lists them.",
                {"submission": run.submission},
            )
        ]
    said: list[Sentence] = [
        (
            "Submission {submission}, {described}, reads {size} KiB at random with {rate:,.2f} "
            "GiB/s, for {seconds:,.0f} s. That is {reads:,.2f} million reads a second, and "
            "{share:.1f} % of the bandwidth of its own *ior-easy-read*. The phase is not scored, "
            "and the figures are this book's own, *unverified*.",
            {
                "submission": run.submission,
                "described": run.describe(),
                "size": own.transfer_b // 1024,
                "rate": float(own.rate.value.mid),
                "seconds": own.duration_s,
                "reads": own.reads_per_s / 1e6,
                "share": own.share_pct,
            },
        )
    ]
    if own.read_us is not None:
        said.append(
            (
                "With one read in flight in each of its {procs:,} processes, a read takes "
                "{time:,.0f} µs on average: the rate is what all of them make together, not what "
                "one waits for.",
                {"procs": int(run.facts.procs_count), "time": own.read_us},
            )
        )
    return said


def said_of_place(every: tuple[RandomRead, ...]) -> list[Sentence]:
    """Where the source puts its run, and what the files at hand say of such a place."""
    stated = (int(_plain("rnd4k-rank")), int(_plain("rnd4k-reporters")))
    long = [one for one in every if one.lasted]
    short = [one for one in every if not one.lasted]
    faster = [one for one in every if one.comparison.ratio.lo > 1]
    said: list[Sentence] = [
        (
            "The source puts its run at place {place} of {reporters} that report such reads, and "
            "does not say of which list. At hand are {all} submissions that do, of different lists "
            "or of none, so no place follows from them. {long} of them read for at least {wall} s.",
            {
                "place": stated[0],
                "reporters": stated[1],
                "all": len(every),
                "long": len(long),
                "wall": STONEWALL_S,
            },
        )
    ]
    if faster:
        said.append(
            (
                "In {faster}, random reads of {size} KiB are faster than the same run's large "
                "sequential ones, by {least:.1f} to {most:.1f} times, and took {first:.0f} to "
                "{last:.0f} s. Small random reads that outrun large sequential ones point to "
                "memory, the clients' or the servers', more than to drives; the files do not say "
                "where the data came from.",
                {
                    "faster": ", ".join(one.run.submission for one in faster),
                    "size": faster[0].transfer_b // 1024,
                    "least": min(one.share_pct for one in faster) / 100,
                    "most": max(one.share_pct for one in faster) / 100,
                    "first": min(one.duration_s for one in faster),
                    "last": max(one.duration_s for one in faster),
                },
            )
        )
    quoted = source_run()
    (own,) = (one for one in every if one.run.submission == quoted)
    ahead = [one for one in every if one.rate.value.lo > own.rate.value.hi]
    said.append(
        (
            "The source's run is {submission}. Of all at hand {ahead} print a higher rate; of "
            "those that read for at least {wall} s, {ahead_long}. That fits the source, if its "
            "reporters leave the short ones out, and ranks nothing.",
            {
                "submission": quoted,
                "ahead": len(ahead) or "none",
                "wall": STONEWALL_S,
                "ahead_long": sum(one.lasted for one in ahead) or "none",
            },
        )
    )
    if len(short) > len(faster):
        said.append(
            (
                "The other {others} that read for a shorter time stay below their own "
                "*ior-easy-read*.",
                {"others": len(short) - len(faster)},
            )
        )
    return said


def source_run() -> str:
    """The submission whose random reads the source quotes, by its figure.

    Raises
    ------
    StoragebookError
        If not exactly one run at hand prints so.
    """
    own = Interval.of_printed(_cell("rnd4k-read").text, trailing_zeros=True)
    fits = [one.run.submission for one in random_reads() if own.contains(one.rate.value)]
    if len(fits) != 1:
        raise StoragebookError(f"{len(fits)} runs print the quoted random reads, not one")
    return fits[0]
