"""The public v1.0 results, and a reader's own beside them, as the chapter shows them.

A result is the number of accelerators that a storage keeps busy; bandwidth follows from it. Figures
per host, per port of a host and per accelerator are this book's own. Nothing is ranked: results
stand by kind of network, since hosts on Ethernet and on InfiniBand were bought for other ends.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import pandas as pd

from storagebook import paths, tables
from storagebook.errors import one_line
from storagebook.io500.runs import Sentence
from storagebook.mlperf import demand, policy, rules, workloads
from storagebook.mlperf.demand import TABLE
from storagebook.mlperf.results import ResultSet
from storagebook.readers import mlperf_storage, mlperf_system
from storagebook.units import convert, factor

ROUND = "v1.0"
RETRIEVED = "github.com/mlcommons/storage_results_v1.0, commit 64c2ce4"
#: What a reader's result is called in the charts, whatever its folders are called.
THIS_RESULT = "this result"
LOCAL = "drives of the host"
NOT_DESCRIBED = "not described"
#: Least utilisation within so many points of what is asked for is near it.
NEAR_POINTS = 3.0
#: More results than that are counted, not told one by one.
MOST_TOLD = 6

#: The order in which kinds of network stand; others, as described, follow.
_KINDS = (
    mlperf_system.ETHERNET,
    mlperf_system.ETHERNET_RDMA,
    mlperf_system.ROCE,
    mlperf_system.INFINIBAND,
    LOCAL,
    NOT_DESCRIBED,
)
#: Numbers of a table of results, and those of them that are counts.
_NUMBERS = (
    "accelerators_count",
    "hosts_count",
    "au_min_pct",
    "bandwidth_gib_s",
    "derived_per_host_gib_s",
    "derived_per_nic_gib_s",
    "derived_per_accelerator_gib_s",
    "derived_of_nic_pct",
    "nic_ports_per_host_count",
    "nic_gbit_s",
)
_SHOWN = ("submitter", "network", "accelerator", *_NUMBERS, "division", "system")


# -- what is at hand


@functools.cache
def _public() -> pd.DataFrame:
    table = tables.load(TABLE)
    kind = table["network"].astype(object).where(table["network"].notna(), NOT_DESCRIBED)
    return table.assign(
        network=kind.mask(table["category"] == "local", LOCAL),
        result=table["submitter"] + ", " + table["system"],
        own=False,
    )


def own(result: str) -> tuple[ResultSet, ...]:
    """A reader's results under a path from the project's root; none for an empty text.

    Raises
    ------
    StoragebookError
        If nothing is there, or it holds no result.
    """
    return tuple(mlperf_storage.read(paths.resolve(result))) if result else ()


def named(result: ResultSet, *, number: int = 1) -> policy.Named:
    """What names a reader's result; what its folders do not say is said to be so."""
    return policy.Named(
        submitter=result.submitter or "Submitter not named",
        system=result.system or f"system not named (result {number})",
        round=result.round,
        division=result.division,
        workload=result.workload or "a workload that the files do not name",
        retrieved="a reader's own files",
    )


def named_public() -> list[policy.Named]:
    """What names the public results: one for each division and workload."""
    rows = _public().drop_duplicates(["division", "workload"])
    return [
        policy.Named(
            submitter=row.submitter,
            system=row.system,
            round=row.round,
            division=row.division,
            workload=row.workload,
            retrieved=RETRIEVED,
            verified=True,
        )
        for row in rows.itertuples()
    ]


def comparable(results: Sequence[ResultSet]) -> list[ResultSet]:
    """Those of a reader's results that may stand in a table of v1.0 results."""
    known = set(_public()["workload"])
    return [
        result
        for result in results
        if result.round == ROUND
        and result.workload in known
        and result.gib_s
        and not result.is_checkpoint
    ]


def row_of(result: ResultSet) -> dict[str, object]:
    """A reader's result under the columns of the public ones; None where its files do not tell."""
    described = result.description
    rate, ports = (described.nic_gbit_s, described.nic_ports) if described else (None, None)
    network = described.network if described else None
    bandwidth, hosts, count = result.gib_s, result.hosts, result.accelerators
    per_nic = bandwidth / hosts / ports if bandwidth and hosts and ports else None
    asked = workloads.DEMANDS.get((result.workload or "", result.accelerator or ""))
    busy = result.au_mean_pct
    predicted = count * asked.gib_s * busy / 100 if asked and count and busy else None
    return {
        "submitter": one_line(f"{THIS_RESULT}, not verified: {result.submitter or 'unnamed'}"),
        "system": one_line(f"{result.system or 'unnamed'}. {policy.UNVERIFIED}"),
        "result": THIS_RESULT,
        "own": True,
        "workload": result.workload,
        "network": network or NOT_DESCRIBED,
        "division": result.division,
        "accelerator": result.accelerator,
        "hosts_count": hosts,
        "accelerators_count": count,
        "au_threshold_pct": result.threshold_pct,
        "au_min_pct": result.au_min_pct,
        "bandwidth_gib_s": bandwidth,
        "derived_per_host_gib_s": bandwidth / hosts if bandwidth and hosts else None,
        "derived_per_accelerator_gib_s": bandwidth / count if bandwidth and count else None,
        "derived_of_demand_ratio": bandwidth / predicted if bandwidth and predicted else None,
        "nic_ports_per_host_count": ports,
        "nic_gbit_s": rate,
        "derived_per_nic_gib_s": per_nic,
        "derived_of_nic_pct": (
            convert(per_nic, "GiB/s", "Gbit/s") / rate * 100 if per_nic and rate else None
        ),
    }


def everything(results: Sequence[ResultSet] = ()) -> pd.DataFrame:
    """The public results and those of a reader that may stand beside them, by kind of network.

    Returns
    -------
    pandas.DataFrame
        The columns of ``mlperf-storage-v10`` with ``result`` (what names it) and ``own``; a
        reader's results first.
    """
    mine = pd.DataFrame([row_of(result) for result in comparable(results)])
    public = _public()
    order = {kind: number for number, kind in enumerate(_KINDS)}
    public = public.assign(order=public["network"].map(lambda kind: order.get(kind, len(order))))
    public = public.sort_values(
        ["order", "accelerator", "result", "accelerators_count"], kind="stable"
    ).drop(columns="order")
    if mine.empty:
        return public.reset_index(drop=True)
    return pd.concat([mine.reindex(columns=public.columns).astype(object), public.astype(object)])


# -- tables


def demands() -> pd.DataFrame:
    """What one accelerator asks for at full utilisation.

    Returns
    -------
    pandas.DataFrame
        ``workload``, ``accelerator``, ``rounds``, ``batch``, ``sample_b``, ``computation_s``,
        ``demand_gib_s``, ``threshold_pct``.
    """
    return pd.DataFrame(
        {
            "workload": policy.workload_name(one.workload.name),
            "accelerator": one.accelerator.upper(),
            "rounds": ", ".join(one.rounds),
            "batch": one.batch,
            "sample_b": float(one.workload.record_length_b),
            "computation_s": one.computation_s,
            "demand_gib_s": one.gib_s,
            "threshold_pct": float(one.workload.threshold_pct),
        }
        for one in workloads.DEMANDS.values()
    )


def spans() -> pd.DataFrame:
    """The public results of a workload, accelerator and kind of network, from least to most.

    Returns
    -------
    pandas.DataFrame
        ``workload``, ``network``, ``results``, and ranges as text: ``accelerators`` (with their
        kind), ``gib_s``, ``per_host_gib_s``, ``of_nic_pct``.
    """
    found = everything()
    rows = []
    for name in workloads.WORKLOADS:
        own = found[found["workload"] == name]
        for (network, accelerator), group in own.groupby(["network", "accelerator"], sort=False):
            rows.append(
                {
                    "workload": policy.workload_name(name),
                    "network": network,
                    "results": len(group),
                    "accelerators": f"{_span(group['accelerators_count'], ',.0f')} "
                    f"{str(accelerator).upper()}",
                    "gib_s": _span(group["bandwidth_gib_s"], ",.1f"),
                    "per_host_gib_s": _span(group["derived_per_host_gib_s"], ",.1f"),
                    "of_nic_pct": _span(group["derived_of_nic_pct"].dropna(), ".0f"),
                }
            )
    return pd.DataFrame(rows)


def _span(values: pd.Series, spec: str) -> str | None:
    if values.empty:
        return None
    low, high = (format(float(end), spec) for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def of_workload(workload: str, results: Sequence[ResultSet] = ()) -> pd.DataFrame:
    """Every result of a workload at hand, and a reader's of v1.0 first.

    Returns
    -------
    pandas.DataFrame
        ``submitter``, ``network``, ``accelerator``, ``accelerators_count``, ``hosts_count``,
        ``au_min_pct``, ``bandwidth_gib_s``; figures of this book's own: per host, per port of a
        host, per accelerator, share of the ports' rate; the ports, ``division`` and ``system``.
    """
    found = everything(results)
    found = found[found["workload"] == workload][list(_SHOWN)]
    kinds = {name: "Int64" if name.endswith("_count") else float for name in _NUMBERS}
    return (
        found.assign(accelerator=found["accelerator"].astype("string").str.upper())
        .astype(kinds)
        .reset_index(drop=True)
    )


def margins(results: Sequence[ResultSet] = ()) -> pd.DataFrame:
    """How far the least run of each result lies above the utilisation asked for.

    Returns
    -------
    pandas.DataFrame
        ``what`` (workload and accelerator), ``result`` (a reader's is `THIS_RESULT`) and
        ``above_points``.
    """
    found = everything(results)
    found = found[found["au_min_pct"].notna() & found["accelerator"].notna()]
    frame = pd.DataFrame(
        {
            "what": _what(found),
            "result": _who(found),
            "above_points": (found["au_min_pct"] - found["au_threshold_pct"]).astype(float),
        }
    )
    return frame.sort_values("what", kind="stable", key=_order).reset_index(drop=True)


def ratios(results: Sequence[ResultSet] = ()) -> pd.DataFrame:
    """Measured over predicted bandwidth of each result.

    Returns
    -------
    pandas.DataFrame
        ``what``, ``workload``, ``result``, ``ratio``, and ``below_pct``: how far the measured one
        lies below the predicted, in per cent of it.
    """
    found = everything(results)
    found = found[found["derived_of_demand_ratio"].notna()]
    ratio = found["derived_of_demand_ratio"].astype(float)
    frame = pd.DataFrame(
        {
            "what": _what(found),
            "workload": found["workload"],
            "result": _who(found),
            "ratio": ratio,
            "below_pct": (1 - ratio) * 100,
        }
    )
    return frame.sort_values("what", kind="stable", key=_order).reset_index(drop=True)


def port_use(workload: str = "unet3d", results: Sequence[ResultSet] = ()) -> pd.DataFrame:
    """Share of the rate of the hosts' ports, by kind and rate: ``ports``, ``result``, ``pct``."""
    found = everything(results)
    found = found[(found["workload"] == workload) & found["derived_of_nic_pct"].notna()]
    found = found.sort_values("nic_gbit_s", kind="stable")
    labels = [
        f"{rate:g} Gbit/s, {kind}"
        for kind, rate in zip(found["network"], found["nic_gbit_s"], strict=True)
    ]
    return pd.DataFrame(
        {
            "ports": labels,
            "result": _who(found),
            "pct": found["derived_of_nic_pct"].astype(float),
        }
    ).reset_index(drop=True)


def _what(found: pd.DataFrame) -> list[str]:
    return [
        f"{policy.workload_name(workload)}, {accelerator.upper()}"
        for workload, accelerator in zip(found["workload"], found["accelerator"], strict=True)
    ]


def _who(found: pd.DataFrame) -> list[str]:
    return [
        THIS_RESULT if mine else f"{name} ({count} accelerators)"
        for name, mine, count in zip(
            found["result"], found["own"], found["accelerators_count"], strict=True
        )
    ]


def _order(names: pd.Series) -> pd.Series:
    known = [policy.workload_name(name) for name in workloads.WORKLOADS]
    places = {name: number for number, name in enumerate(known)}
    return names.map(lambda what: (places.get(what.partition(",")[0], len(places)), what))


# -- sentences


def calibrations() -> list[demand.Calibration]:
    """The public ratios of each workload."""
    known = set(_public()["workload"])
    return [demand.calibration(name) for name in workloads.WORKLOADS if name in known]


def ratios_title() -> str:
    """The finding of `ratios`, of the public results."""
    told = "; ".join(
        f"{policy.workload_name(one.workload)} {float(one.ratio.lo):.1%} to "
        f"{float(one.ratio.hi):.1%}".replace("%", " %")
        for one in calibrations()
    )
    return f"What is read, of accelerators × demand × AU: {told}"


def said_of_ratios() -> list[Sentence]:
    """How wide the ratios are, against the distance of GiB/s and GB/s."""
    names = _public().set_index("submission_id")["result"]
    apart = float(factor("GiB/s", "GB/s"))
    wide = [one for one in calibrations() if one.ratio.hi / one.ratio.lo > apart]
    narrow = [one for one in calibrations() if one not in wide]
    said: list[Sentence] = []
    for one in wide:
        said.append(
            (
                "For {workload} the {results} ratios spread over {width:.1f} %, more than the "
                "{apart:.1f} % between GiB/s and GB/s; the least is that of {lowest}, half lie "
                "above {median:.1f} %. So a bandwidth of that workload may fit both units.",
                {
                    "workload": policy.workload_name(one.workload),
                    "results": one.results,
                    "width": float(one.ratio.hi / one.ratio.lo - 1) * 100,
                    "apart": (apart - 1) * 100,
                    "lowest": names[one.lowest],
                    "median": one.median * 100,
                },
            )
        )
    if narrow:
        told = "; ".join(
            f"{policy.workload_name(one.workload)}, {one.results} results, "
            f"{float(one.ratio.hi / one.ratio.lo - 1) * 100:.1f} %"
            for one in narrow
        )
        said.append(
            (
                "Narrower than the {apart:.1f} % between GiB/s and GB/s are the ratios of "
                "{told}: there the units can be told apart.",
                {"told": told, "apart": (apart - 1) * 100},
            )
        )
    return said


def said_of_results() -> list[Sentence]:
    """How many results there are of whom, and what their descriptions say of the network."""
    found = _public()
    kinds = found["network"].value_counts()
    listed = [f"{kind} {kinds[kind]}" for kind in _KINDS if kind in kinds]
    said: list[Sentence] = [
        (
            "At hand are {results} of the round's results, of {submitters} submitters, whole "
            "submissions only: {open} in the open division, the others in the closed one. All have "
            "{runs} runs; {passing} pass. By kind of the hosts' network, as their descriptions "
            "tell: {kinds}.",
            {
                "results": len(found),
                "submitters": found["submitter"].nunique(),
                "open": int((found["division"] == "open").sum()),
                "runs": workloads.RUNS_TO_PASS,
                "passing": int(found["passes"].sum()),
                "kinds": ", ".join(listed),
            },
        )
    ]
    if mlperf_system.ROCE not in kinds and mlperf_system.ETHERNET_RDMA in kinds:
        said.append(
            (
                "None of the descriptions says RoCE. {count} says Ethernet with RDMA, which may be "
                "RoCE or iWARP, so it stands apart from both.",
                {"count": int(kinds[mlperf_system.ETHERNET_RDMA])},
            )
        )
    odd = found[~found["report_agrees"]]
    for row in odd.itertuples():
        said.append(
            (
                "The report submitted with {result} ({workload}, {count} accelerator) does not "
                "agree with its own runs; the tables show what the runs give.",
                {
                    "result": row.result,
                    "workload": policy.workload_name(row.workload),
                    "count": row.accelerators_count,
                },
            )
        )
    return said


def said_of_margins() -> list[Sentence]:
    """How near to the threshold results are made."""
    above = _public()["au_min_pct"] - _public()["au_threshold_pct"]
    return [
        (
            "In {near} of the {all} results the least run lies within {points:.0f} points of the "
            "utilisation asked for. The benchmark asks for as many accelerators as the threshold "
            "allows, so results gather just above it. A utilisation alone says little about a "
            "storage; the number of accelerators beside it does.",
            {"near": int((above < NEAR_POINTS).sum()), "all": len(above), "points": NEAR_POINTS},
        )
    ]


def margins_title() -> str:
    """The finding of `margins`, of the public results."""
    above = _public()["au_min_pct"] - _public()["au_threshold_pct"]
    near = int((above < NEAR_POINTS).sum())
    return (
        f"{near} of {len(above)} public results end within {NEAR_POINTS:.0f} points of the "
        "utilisation asked for"
    )


def ports_title(workload: str = "unet3d") -> str:
    """The finding of `port_use`, of the public results."""
    best = _best_by_rate(workload)["derived_of_nic_pct"]
    told = ", ".join(f"{share:.1f} % at {rate:g} Gbit/s" for rate, share in best.items())
    name = policy.workload_name(workload)
    return f"{name}, closed: the most that hosts use of their ports is {told}"


def _best_by_rate(workload: str) -> pd.DataFrame:
    """The closed result with the most used ports at each rate, by rate."""
    found = _public()
    found = found[found["division"] == "closed"]
    found = found[(found["workload"] == workload) & found["derived_of_nic_pct"].notna()]
    best = found.loc[found.groupby("nic_gbit_s")["derived_of_nic_pct"].idxmax()]
    return best.set_index("nic_gbit_s")


def said_of_ports(workload: str = "unet3d") -> list[Sentence]:
    """Whether faster ports are used less, as source 001 says of the next round."""
    best = _best_by_rate(workload)
    falls = best["derived_of_nic_pct"].is_monotonic_decreasing
    text = (
        "Source 001 says that the faster a network card is, the harder it is to use it well. Of "
        "these results the most used at each rate, in the closed division, are: {told}. "
    )
    text += (
        "They fall as the rate rises. "
        if falls
        else "They do not fall with every step, and one or few submitters stand behind each: the "
        "results at hand neither show it nor refute it. "
    )
    text += (
        "They are of another round than the one that the source speaks of, and "
        "the ports are those of the hosts, not of the storage."
    )
    told = ", ".join(
        f"{rate:g} Gbit/s {row.derived_of_nic_pct:.1f} % ({row.submitter})"
        for rate, row in best.iterrows()
    )
    return [(text, {"told": told})]


# -- a reader's own


def said_of_own(results: Sequence[ResultSet]) -> list[Sentence]:
    """What was read of a reader's results, how each is named, and what it may stand beside."""
    if not results:
        return [
            (
                "This edition was built without a reader's result. Give the parameter `result` the "
                "path of a submission's tree, of any folder in it, or of an archive: it then "
                "stands in the tables and charts of this page, marked as not verified.",
                {},
            )
        ]
    if len(results) > MOST_TOLD:
        return [
            (
                "The path that was given holds {results} results; {beside} of them stand first in "
                "the tables above. {unverified}",
                {
                    "results": len(results),
                    "beside": len(comparable(results)),
                    "unverified": policy.UNVERIFIED,
                },
            )
        ]
    return [said for n, result in enumerate(results, 1) for said in _said_of_one(result, n)]


def _said_of_one(result: ResultSet, number: int) -> Iterator[Sentence]:
    yield ("**{title}**", {"title": policy.title(named(result, number=number))})
    division = f"{result.division} division" if result.division else "division not stated"
    workload = policy.workload_name(result.workload or "a workload that the files do not name")
    if result.is_checkpoint:
        yield (
            "It is read as a checkpoint of {model}, round {round}. Checkpoints have no utilisation "
            "and are in none of the tables of training above.",
            {"model": workload, "round": result.round},
        )
        return
    yield (
        "It is read as {workload} on {accelerator}, round {round}, {division}: {accelerators} on "
        "{hosts}, {runs}. By the round's rules it {passes}.",
        {
            "workload": workload,
            "accelerator": (result.accelerator or "unnamed accelerators").upper(),
            "round": result.round,
            "division": division,
            "accelerators": _count(result.accelerators, "accelerator"),
            "hosts": _count(result.hosts, "host"),
            "runs": _count(len(result.runs), "run"),
            "passes": {True: "passes", False: "does not pass", None: "cannot be judged"}[
                result.passes
            ],
        },
    )
    if result in comparable([result]):
        beside = _public()
        beside = beside[
            (beside["workload"] == result.workload) & (beside["accelerator"] == result.accelerator)
        ]
        yield (
            "It stands first in the table of {workload}, where {beside} public results have the "
            "same accelerator. What differs is in the columns beside; nothing here is a rank.",
            {"workload": workload, "beside": len(beside)},
        )
    else:
        yield (
            "It is in none of the tables above: they hold trainings of round {public} that give a "
            "bandwidth, and rounds are not assumed compatible.",
            {"public": ROUND},
        )


def _count(number: int | None, thing: str) -> str:
    if number is None:
        return f"an unknown number of {thing}s"
    return f"{number:,} {thing}{'s' * (number != 1)}"


def own_table(results: Sequence[ResultSet]) -> pd.DataFrame:
    """A reader's results of any round.

    Returns
    -------
    pandas.DataFrame
        ``workload``, ``round``, ``accelerator``, ``accelerators``, ``hosts``, ``au_min_pct``,
        ``au_threshold_pct``, ``bandwidth_gib_s``, ``report_agrees``, ``folder``; no rows without a
        result.
    """
    rows = [
        {
            "workload": policy.workload_name(result.workload or "unnamed"),
            "round": result.round,
            "accelerator": (result.accelerator or "").upper() or None,
            "accelerators": result.accelerators,
            "hosts": result.hosts,
            "au_min_pct": result.au_min_pct,
            "au_threshold_pct": result.threshold_pct,
            "bandwidth_gib_s": result.gib_s,
            "report_agrees": rules.report_agrees(result),
            "folder": result.run,
        }
        for result in results
    ]
    frame = pd.DataFrame(rows)
    if frame.empty:
        return frame
    counts = dict.fromkeys(("accelerators", "hosts"), "Int64")
    numbers = dict.fromkeys(("au_min_pct", "au_threshold_pct", "bandwidth_gib_s"), float)
    return frame.astype(counts | numbers)


def own_findings(results: Sequence[ResultSet]) -> pd.DataFrame:
    """What a reader's files show: ``severity``, ``finding``, ``file``; errors first."""
    order = ("error", "warning", "note")
    rows = [
        (f.severity, f"{f.text} [{f.code}]", f.file) for result in results for f in result.findings
    ]
    rows.sort(key=lambda row: order.index(row[0]))
    return pd.DataFrame(list(dict.fromkeys(rows)), columns=["severity", "finding", "file"])
