"""What a design is said to bring, and what results can show of it: ratios, magnitudes, times."""

from __future__ import annotations

import pandas as pd

from storagebook import aurora, compare, ledger, tables, units
from storagebook.intervals import Interval
from storagebook.io500 import families, membership, public, runs
from storagebook.io500.families import UNSTATED
from storagebook.io500.phases import BY_NAME, METADATA, SCORED
from storagebook.io500.runs import PublicRun, Sentence

#: A family of file systems with fewer public runs than this shows no spread.
LEAST_RUNS = 10
#: The unscored random read of 4 KiB, and its size.
RANDOM_READ, RANDOM_READ_B = "ior-rnd4K-easy-read", 4096
#: What at hand could show what each step of the design brings.
_WOULD_SHOW = {
    "kernel": "one workload through several interfaces",
    "lookup": "the time of a first access, timed apart; not at hand",
    "locks": "shared against private files, all else alike",
    "metadata": "one system with several numbers of servers; not at hand",
    "clients": "one system with ever more clients, all else alike; not at hand",
}
#: The source's ratio tests: name, numerator, denominator, the ledger's row.
_TESTS = (
    ("write, easy over hard", "ior-easy-write", "ior-hard-write", "000-4.3-write-ratio"),
    ("read, easy over hard", "ior-easy-read", "ior-hard-read", "000-4.3-read-ratio"),
    ("stat, easy over hard", "mdtest-easy-stat", "mdtest-hard-stat", "000-4.3-stat-ratio"),
    ("find over MD", "find", "metadata", "000-4.3-find-ratio"),
)
_IOR = {
    "access": "layout",
    "object_class": "class of files",
    "transfer_b": "transfer",
    "chunk_size_b": "chunk",
}
_MDTEST = {"object_class": "class of files", "dir_object_class": "class of directories"}
_SHARED, _PRIVATE = "single-shared-file", "file-per-process"


def steps() -> pd.DataFrame:
    """The serial steps that the design does without, and what would show their effect.

    Returns
    -------
    pandas.DataFrame
        ``step``, ``elsewhere``, ``daos``, ``effect`` (as the source says), ``would_show``.
    """
    table = tables.load("daos-architecture")
    shown = table[["step", "elsewhere", "daos", "effect"]]
    return shown.assign(would_show=table.step.map(_WOULD_SHOW))


def said_of_file_system(run: PublicRun) -> list[Sentence]:
    """That the design is not this run's, where it is not."""
    name = run.facts.file_system
    if pd.isna(name):
        return [("No file names its file system, so the design may be another.", {})]
    if families.family(str(name)) == "DAOS":
        return []
    return [
        (
            "It is a run of another file system, {name}. The design and its figures are DAOS's; "
            "the run shows what the same ratios look like elsewhere.",
            {"name": name},
        )
    ]


# -- ratios within a run


def differences(run: PublicRun, one: str, other: str) -> tuple[list[str], list[str]]:
    """What differs between the settings of two phases of a run, and what no file tells.

    Returns
    -------
    tuple
        Texts such as ``transfer (16,777,216 B, 47,008 B)``, and the names of unknown settings.
    """
    settings = run.phases.set_index("phase")
    differ, untold = [], []
    for column, name in (_IOR if one.startswith("ior") else _MDTEST).items():
        pair = [settings[column].get(phase) for phase in (one, other)]
        if any(pd.isna(value) for value in pair):
            untold.append(name)
        elif pair[0] != pair[1]:
            texts = [f"{int(v):,} B" if column.endswith("_b") else str(v) for v in pair]
            differ.append(f"{name} ({', '.join(texts)})")
    return differ, untold


def said_of_layout(run: PublicRun) -> list[Sentence]:
    """Whether the run's easy and hard phases differ in sharing, and in what else."""
    access = run.phases.set_index("phase").access
    easy = access.get("ior-easy-write")
    differ, untold = differences(run, "ior-easy-write", "ior-hard-write")
    others = [text for text in differ if not text.startswith("layout")]
    also = "; ".join(others) or "nothing that a file tells"
    said: list[Sentence] = []
    if easy == _SHARED:
        said.append(
            (
                "In submission {submission} both groups write **one shared file**. Its ratios of "
                "*ior-easy* over *ior-hard* hold no private files against a shared one. What "
                "differs is: {also}.",
                {"submission": run.submission, "also": also},
            )
        )
    elif easy == _PRIVATE:
        said.append(
            (
                "In submission {submission} *ior-easy* gives each process **a file of its own**, "
                "*ior-hard* has one for all. Its ratios take in that difference together with: "
                "{also}.",
                {"submission": run.submission, "also": also},
            )
        )
    else:
        said.append(
            (
                "No file of submission {submission} tells the layout of its *ior-easy*, so its "
                "ratios of easy over hard cannot be laid to sharing.",
                {"submission": run.submission},
            )
        )
    if untold:
        said.append(("Not told: {untold}.", {"untold": ", ".join(untold)}))
    return said


def _value(run: PublicRun, metric: str) -> float:
    return float(membership.figure(run, metric).value.mid)


def ratio_tests(run: PublicRun) -> pd.DataFrame:
    """The source's ratio tests on a run.

    Returns
    -------
    pandas.DataFrame
        ``ratio``, ``over`` and ``under`` in ``unit``, ``times``, ``in_source`` (as printed; only
        for the run that the source takes apart) and ``also`` (what else differs).
    """
    printed = {one.claim.id: one.claim.value for one in ledger.of("000", ["4.3"])}
    rows = []
    for name, over, under, claim in _TESTS:
        a, b = (membership.figure(run, metric) for metric in (over, under))
        if under in BY_NAME:
            differ, untold = differences(run, over, under)
            also = "; ".join(differ + [f"{one} not told" for one in untold]) or "nothing told"
        else:
            also = "a phase over a mean of phases, its own among them"
        times = float((a.value / b.value).mid)
        quoted = printed[claim] if run.submission == aurora.SUBMISSION else None
        rows.append((name, float(a.value.mid), float(b.value.mid), a.unit, times, quoted, also))
    columns = ["ratio", "over", "under", "unit", "times", "in_source", "also"]
    return pd.DataFrame(rows, columns=columns)


def siblings(run: PublicRun, over: str, under: str) -> pd.DataFrame:
    """The ratio of two phases in every public run of an installation: ``submission``, ``times``."""
    place, counted = membership.installation(run), public.counted(public.frame())
    complete = counted[[p.name for p in SCORED]].notna().all(axis=1)
    near = counted[(counted.institution == run.facts.institution) & complete]
    # an installation is known by more than its institution; a submission of several runs is none
    own = [runs.load(s) for s in sorted(near.submission[~near.submission.duplicated(keep=False)])]
    rows = [
        (one.submission, _value(one, over) / _value(one, under))
        for one in own
        if place is not None and membership.installation(one) == place
    ]
    return pd.DataFrame(rows, columns=["submission", "times"])


def said_of_siblings(run: PublicRun) -> list[Sentence]:
    """Whether the read ratio of a run is its installation's, or its own."""
    own = siblings(run, "ior-easy-read", "ior-hard-read")
    if len(own) < 2:
        return [("No second public run of this installation is at hand to try a ratio on.", {})]
    return [
        (
            "The public runs of this installation have {least:.2f} to {most:.2f} for reads, easy "
            "over hard ({which}). It is one design throughout: what moves the ratio is how a "
            "run was set up, and how many clients and servers it had.",
            {
                "least": own.times.min(),
                "most": own.times.max(),
                "which": ", ".join(
                    f"{row.submission}: {row.times:.2f}" for row in own.itertuples()
                ),
            },
        )
    ]


def against_third(run: PublicRun) -> list[Sentence]:
    """The run's metadata and bandwidth over the third entry of its list, as the source has it."""
    third = runs.load(_third())
    if not any(one.list == "production" for one in membership.stated(run)):
        return [
            (
                "The source also sets the metadata score against the third entry of the "
                "production list. No source puts submission {submission} on that list, so the "
                "ratio is not taken.",
                {"submission": run.submission},
            )
        ]
    if run.submission == third.submission:
        return [("This run is that third entry, against which the source sets others.", {})]
    found = {
        metric: compare.ratio(
            *(membership.figure(one, metric, "production") for one in (run, third))
        )
        for metric in ("metadata", "bandwidth")
    }
    return [
        (
            "On the production list, metadata is {metadata:.1f} times that of {third}, bandwidth "
            "{bandwidth:.1f} times. Beside both ratios: {beside}. A ratio of two installations is "
            "one of their sizes as well.",
            {
                "metadata": float(found["metadata"].ratio.mid),
                "bandwidth": float(found["bandwidth"].ratio.mid),
                "third": third.facts.system,
                "beside": found["metadata"].beside(),
            },
        )
    ]


def _third() -> str:
    row = tables.printed("io500-production-isc26").iloc[2]
    listed = runs.listed_as(row.bandwidth_gib_s, row.metadata_kiops)
    return str(listed.submission.iloc[0])


# -- the same ratios elsewhere


def spread(numerator: str, denominator: str) -> pd.DataFrame:
    """A ratio of two phases within each public run of the families with enough of them.

    Returns
    -------
    pandas.DataFrame
        ``family``, ``run`` (its label), ``times``; families by name.
    """
    counted = public.counted(public.frame())
    known = counted.dropna(subset=[numerator, denominator])
    known = known[(known.family != UNSTATED) & (known[denominator] > 0) & (known[numerator] > 0)]
    frame = pd.DataFrame(
        {
            "family": known.family,
            "run": known.label,
            "times": known[numerator] / known[denominator],
        }
    )
    many = frame.groupby("family").run.transform("size") >= LEAST_RUNS
    return frame[many].sort_values(["family", "run"], ignore_index=True)


def label(run: PublicRun) -> str | None:
    """What `spread` calls a run; None if it does not count there."""
    counted = public.counted(public.frame())
    own = counted.label[counted.submission == run.submission]
    return str(own.iloc[0]) if len(own) == 1 else None


def medians() -> pd.DataFrame:
    """The median of each ratio by family.

    Returns
    -------
    pandas.DataFrame
        ``family``, ``runs``, ``machines`` (that they were made on, by their names), then a column
        for each ratio.
    """
    columns = {name: spread(a, b) for name, a, b in runs.RATIOS[:5]}
    first = next(iter(columns.values()))
    frame = pd.DataFrame({"runs": first.groupby("family").size()})
    counted = public.counted(public.frame()).set_index("label")
    machines = {
        run: membership.machine(str(own.system), str(own.institution))
        for run, own in counted.iterrows()
    }
    frame["machines"] = first.run.map(machines).groupby(first.family).nunique()
    for name, own in columns.items():
        frame[name] = own.groupby("family").times.median()
    return frame.reset_index()


def said_of_writes(frame: pd.DataFrame) -> str:
    """A chart's title: the families with the least and the greatest median."""
    found = frame.groupby("family").times.median()
    return (
        f"Writes, easy over hard: the median is {found.min():.1f} with {found.idxmin()} and "
        f"{found.max():.1f} with {found.idxmax()}"
    )


def said_of_stats(frame: pd.DataFrame) -> str:
    """A chart's title: in how many runs of each family the shared directory is no slower."""
    counts = frame.assign(no_slower=frame.times <= 1).groupby("family").no_slower
    told = [f"{int(own.sum())} of {len(own)} {family}" for family, own in counts]
    return f"Runs that look up files no slower in the shared directory: {', '.join(told)}"


def said_of_spreads() -> list[Sentence]:
    """Which ratio tells DAOS from the file systems that have metadata servers."""
    stat = spread("mdtest-easy-stat", "mdtest-hard-stat")
    write = spread("ior-easy-write", "ior-hard-write")
    share = (stat.times <= 1).groupby(stat.family).mean() * 100
    middle = write.groupby("family").times.median()
    others = [family for family in middle.index if family != "DAOS"]
    least = min(others, key=lambda family: middle[family])
    lustre = stat[stat.family == "Lustre"]
    private = {name: _of_private_files(name) for name in ("DAOS", least)}
    at_least_as_often = [family for family in others if share[family] >= share["DAOS"]]
    return [
        (
            "*Stat does not tell them apart.* The shared directory is no slower in {daos:.0f} % of "
            "the runs of DAOS, and at least as often with {others}. So a shared directory that "
            "is no slower is no sign of a store without metadata servers. The source expects "
            "lookups in one directory of Lustre to run into its lock; in {count} of {all} runs "
            "named Lustre they are no slower there than in private directories.",
            {
                "daos": share["DAOS"],
                "others": ", ".join(at_least_as_often),
                "count": int((lustre.times <= 1).sum()),
                "all": len(lustre),
            },
        )
        if at_least_as_often
        else (
            "*Stat tells them apart*: no other family has a shared directory that is no slower as "
            "often as DAOS ({daos:.0f} % of its runs).",
            {"daos": share["DAOS"]},
        ),
        (
            "*Medians of writes tell most of them apart.* That of easy over hard is {daos:.2f} "
            "with DAOS, and {other:.2f} with {family}, the nearest of the others here. That fits a "
            "store which needs no lock on a shared file. But many runs of DAOS share the file of "
            "*ior-easy* already. With a file for each process there the median is {private:.2f} "
            "over {a} runs of DAOS and {near:.2f} over {b} of {family}: hardly apart, and "
            "hardware, years and tuning differ.",
            {
                "daos": middle["DAOS"],
                "other": middle[least],
                "family": least,
                "private": private["DAOS"].median(),
                "a": len(private["DAOS"]),
                "near": private[least].median(),
                "b": len(private[least]),
            },
        ),
    ]


def _of_private_files(family: str) -> pd.Series:
    """Writes, easy over hard, of the runs of a family whose ior-easy gives each process a file."""
    phases = tables.load(runs.PHASES)
    layouts = phases[phases.phase == "ior-easy-write"].set_index(["submission", "run"]).access
    counted = public.counted(public.frame())
    own = counted[counted.family == family].set_index(["submission", "run"])
    times = (own["ior-easy-write"] / own["ior-hard-write"]).dropna()
    return times[layouts.reindex(times.index) == _PRIVATE]


def said_of_names() -> list[Sentence]:
    """What the families are named by, and where another name of a run says otherwise."""
    counted = public.counted(public.frame())
    own = counted[counted.family.isin(set(medians().family))]
    lustre = {"EXAScaler", "Lustre"}
    other = own.assign(named=[families.family(name) for name in own.system])
    other = other[other.named.isin(lustre) & (other.named != other.family)]
    said: list[Sentence] = [
        (
            "A family is what submitters call their file system. EXAScaler is DDN's distribution "
            "of Lustre, so these two are one design under two names. And runs of one machine are "
            "no independent samples: the table counts the machines, by their names.",
            {},
        )
    ]
    if len(other):
        said.append(
            (
                "The name of the system says otherwise than that of its file system in {count} "
                "runs, {which}. They go by the file system.",
                {"count": len(other), "which": ", ".join(sorted(other.label))},
            )
        )
    return said


def said_of_shared_reads() -> list[Sentence]:
    """Whether the read ratio of DAOS runs depends on the layout of ior-easy."""
    phases = tables.load(runs.PHASES)
    layouts = phases[phases.phase == "ior-easy-write"].set_index(["submission", "run"]).access
    counted = public.counted(public.frame())
    own = counted[counted.family == "DAOS"].set_index(["submission", "run"])
    times = own["ior-easy-read"] / own["ior-hard-read"]
    times = times.dropna()
    shared, private = (times[layouts.reindex(times.index) == one] for one in (_SHARED, _PRIVATE))
    untold = len(times) - len(shared) - len(private)
    return [
        (
            "Reads, easy over hard, have a median of {shared:.2f} over the {a} runs of DAOS whose "
            "*ior-easy* shares one file, and {private:.2f} over the {b} with a file for each "
            "process; of {untold} more no file tells. Medians of runs that differ in much else do "
            "not show that sharing matters for reads, nor that it does not.",
            {
                "shared": shared.median(),
                "a": len(shared),
                "private": private.median(),
                "b": len(private),
                "untold": untold,
            },
        )
    ]


# -- orders of magnitude


def _goal(quantity: str) -> tuple[Interval, float, str]:
    rows = tables.load("daos-magnitudes").set_index("quantity")
    row = rows.loc[quantity]
    value = float(row["value"])
    return Interval.order_of_magnitude(Interval.point(int(value))), value, str(row["unit"])


def per_server(run: PublicRun) -> pd.DataFrame:
    """Each phase of a run per server, against what a server is designed for.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``per_server`` and ``goal`` in ``unit``, ``share_pct``, ``of_the_order`` (nearer
        to the goal than to any other power of ten); no rows where no source states the servers.
    """
    servers = membership.servers(run)
    columns = ["phase", "per_server", "goal", "unit", "share_pct", "of_the_order"]
    if servers is None:
        return pd.DataFrame(columns=columns)
    rows = []
    for phase in SCORED:
        kind = "bandwidth" if phase.kind == "bandwidth" else "iops"
        span, goal, unit = _goal(f"server-{kind}-goal")
        each = units.convert(_value(run, phase.name), phase.unit, unit) / servers
        rows.append((phase.name, each, goal, unit, each / goal * 100, span.contains(each)))
    return pd.DataFrame(rows, columns=columns)


def said_of_magnitudes(run: PublicRun, frame: pd.DataFrame) -> list[Sentence]:
    """What a server reached of its design, and what all of them did together."""
    said: list[Sentence] = []
    if frame.empty:
        said.append(
            (
                "No source states how many servers submission {submission} had, so nothing of it "
                "can be held against the design of a server.",
                {"submission": run.submission},
            )
        )
    else:
        there = frame[frame.of_the_order]
        said.append(
            (
                "Per server, {count} of the {all} phases are of the order that the design names"
                + (": {phases}." if len(there) else "."),
                {"count": len(there), "all": len(frame)}
                | ({"phases": ", ".join(there.phase)} if len(there) else {}),
            )
        )
    _, total, unit = _goal("total-iops-goal")
    md = units.convert(run.score().md_kiops, "kIOP/s", unit)
    said.append(
        (
            "All together, MD is {md:,.1f} million operations a second, {share:.1f} % of the order "
            "named for a system, and BW is {bw:.2f} TB/s. Both are means over phases that no phase "
            "had to reach.",
            {
                "md": md / 1e6,
                "share": md / total * 100,
                "bw": units.convert(run.score().bw_gib_s, "GiB/s", "TB/s"),
            },
        )
    )
    if pd.notna(run.facts.procs_count):
        _, procs, _ = _goal("client-processes-goal")
        said.append(
            (
                "Its {own:,} client processes are {share:.1f} % of the number named for clients.",
                {
                    "own": int(run.facts.procs_count),
                    "share": int(run.facts.procs_count) / procs * 100,
                },
            )
        )
    return said


# -- time to first byte, and time of an operation


def operation_times(run: PublicRun) -> pd.DataFrame:
    """How long an operation takes a process, on average over a phase.

    Processes over the rate: the mean latency, if each process has one operation in flight and is
    never idle. More in flight make the latency longer than this, idle processes make it shorter.

    Returns
    -------
    pandas.DataFrame
        ``phase``, ``rate_iops``, ``time_us``; the mdtest phases, and the random read of 4 KiB
        where the run has it; no rows where the number of processes is not told.
    """
    columns = ["phase", "rate_iops", "time_us"]
    if pd.isna(run.facts.procs_count):
        return pd.DataFrame(columns=columns)
    procs, values = int(run.facts.procs_count), run.values()
    rates = {
        p.name: units.convert(values[p.name], "kIOP/s", "IOP/s")
        for p in METADATA
        if p.name != "find"
    }
    random = run.phases[run.phases.phase == RANDOM_READ]
    if len(random) == 1:
        bandwidth = units.convert(float(random.value.iloc[0]), "GiB/s", "B/s")
        rates[RANDOM_READ] = bandwidth / RANDOM_READ_B
    rows = [(name, rate, procs / rate * 1e6) for name, rate in rates.items() if rate > 0]
    return pd.DataFrame(rows, columns=columns)


def first_byte_us() -> float:
    """The bound that the makers' website gives for the time to the first byte, µs."""
    rows = tables.load("daos-magnitudes").set_index("quantity")
    return float(rows.loc["ttfb-website", "value"])


def said_of_times(run: PublicRun, frame: pd.DataFrame) -> list[Sentence]:
    """The time of an operation beside the quoted time to the first byte."""
    if frame.empty:
        return [
            (
                "No file tells how many processes submission {submission} had, so the time of an "
                "operation cannot be told.",
                {"submission": run.submission},
            )
        ]
    least, most = frame.loc[frame.time_us.idxmin()], frame.loc[frame.time_us.idxmax()]
    quoted = first_byte_us()
    said: list[Sentence] = [
        (
            "In submission {submission} an operation takes a process {low:,.0f} µs on average "
            "(*{least}*) to {high:,.0f} µs (*{most}*): at least {times:,.1f} times the quoted "
            "{quoted:.0f} µs.",
            {
                "submission": run.submission,
                "low": least.time_us,
                "least": least.phase,
                "high": most.time_us,
                "most": most.phase,
                "times": least.time_us / quoted,
                "quoted": quoted,
            },
        )
        if least.time_us > quoted
        else (
            "In submission {submission} an operation takes a process {low:,.1f} µs on average "
            "(*{least}*) to {high:,.0f} µs (*{most}*); the least is no longer than the quoted "
            "{quoted:.0f} µs.",
            {
                "submission": run.submission,
                "low": least.time_us,
                "least": least.phase,
                "high": most.time_us,
                "most": most.phase,
                "quoted": quoted,
            },
        )
    ]
    if RANDOM_READ in set(frame.phase):
        read = frame.set_index("phase").time_us[RANDOM_READ]
        said.append(
            (
                "Its random reads of 4 KiB take {read:,.0f} µs each. Whoever expects {quoted:.0f} "
                "µs of such a read under load is off by a factor of {times:.0f}.",
                {"read": read, "quoted": quoted, "times": read / quoted},
            )
            if read > quoted
            else ("Its random reads of 4 KiB take {read:,.1f} µs each.", {"read": read})
        )
    return said


def beside_first_byte(frame: pd.DataFrame) -> pd.DataFrame:
    """`operation_times` for a chart, under the quoted bound: ``name``, ``time_us``, ``kind``."""
    quoted = pd.DataFrame(
        [("time to first byte", first_byte_us(), "quoted bound")],
        columns=["name", "time_us", "kind"],
    )
    own = frame.rename(columns={"phase": "name"})[["name", "time_us"]]
    return pd.concat([quoted, own.assign(kind="time of an operation")], ignore_index=True)
