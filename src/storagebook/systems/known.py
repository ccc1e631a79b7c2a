"""What is known of each system: one figure a row, with all that has to be known to compare it.

A figure is read from a result file where one is at hand, else it is the source's statement, with
its row in the ledger. What nobody states is None here and "not given" on the page.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pandas as pd

from storagebook import aurora, claims, ledger, show, tables, units
from storagebook.claims import Claim
from storagebook.compare import IO500, MLPERF_STORAGE, Basis, Figure, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import membership, public, runs
from storagebook.io500.families import UNSTATED
from storagebook.mlperf import policy

NOT_GIVEN = "not given"
#: Columns that a table leaves out where they say the same in every row.
COMMON = ("what", "basis", "obtained", "scale")
#: Results of MLPerf Storage v1.0 that this page shows: a workload and an accelerator.
WORKLOAD, ACCELERATOR = "unet3d", "h100"

_V10 = "mlperf-storage-v10"
_AURORA = "Aurora (Argonne National Laboratory)"
_FLARE = "Flare (Argonne National Laboratory)"
_WORDS = re.compile(r"[^a-z0-9]+")


class Set(StrEnum):
    """Figures of one benchmark and list, or of one kind."""

    PRODUCTION = "IO500, Production list of ISC26"
    PARTS = "IO500, two more figures of Aurora's listed run"
    TEN_NODE = "IO500, 10 Node Production list of ISC26"
    RESEARCH = "IO500, Research lists"
    UNLISTED = "IO500, submissions that no source puts on a list"
    V10 = "MLPerf Storage v1.0, 3D U-Net, H100"
    V20 = "MLPerf Storage v2.0, as quoted"
    APPLICATION = "Application: HACC"
    STATED = "Limits and statements"
    MICRO = "Microbenchmarks"
    OWN = "Your own result"


#: What the matrix shows of each set: all of it, or the figures of these keys.
SHOWN: dict[Set, tuple[str, ...] | None] = {
    Set.PRODUCTION: ("aurora", "supermuc-ng-phase2-ec", "helma", "ssc-24"),
    Set.PARTS: None,
    Set.TEN_NODE: ("aurora", "joybuilder", "hrt"),
    Set.RESEARCH: ("pengcheng-cloudbrain", "aics-a", "aurora-rf0"),
    Set.UNLISTED: ("storage-scale", "beegfs", "gekkofs"),
    Set.V10: ("juicedata", "nutanix", "huawei", "ddn", "yanrongtech"),
    Set.V20: None,
    Set.APPLICATION: None,
    Set.STATED: None,
    Set.MICRO: None,
    Set.OWN: None,
}


@dataclass(frozen=True, kw_only=True)
class Known:
    """One figure of a system.

    Attributes
    ----------
    key
        Unique, of lower-case words.
    set
        Where it stands on the page.
    system, place
        File system or product, and whose installation; None where not given.
    what
        What was measured.
    figure
        For `storagebook.compare`.
    shown
        The figure with its unit, in its source's digits, a result file's in two decimals.
    source, link
        Where it stands, and the address of its row in the ledger; None for what has none.
    server_nics, server_drives, client_nics
        Network cards and drives of a server, network cards of a client node.
    """

    key: str
    set: Set
    system: str | None
    place: str | None
    what: str
    figure: Figure
    shown: str
    source: str
    link: str | None = None
    server_nics: int | None = None
    server_drives: int | None = None
    client_nics: int | None = None

    @property
    def label(self) -> str:
        """A short name, unique within its set."""
        return " · ".join(part for part in (self.system, self.place) if part) or NOT_GIVEN

    @property
    def scale(self) -> str:
        """Clients, servers and accelerators, as far as they are known."""
        figure = self.figure
        hosts = "hosts" if figure.benchmark == MLPERF_STORAGE else "client nodes"
        counts = (
            (figure.clients, hosts),
            (figure.servers, "servers"),
            (figure.accelerators, f"emulated {(figure.accelerator or 'accelerators').upper()}"),
        )
        return ", ".join(f"{n:,} {what}" for n, what in counts if n) or NOT_GIVEN


def slug(text: str) -> str:
    """Lower-case words joined by hyphens.

    >>> slug("Pengcheng CloudBrain")
    'pengcheng-cloudbrain'
    """
    return _WORDS.sub("-", text.lower()).strip("-")


def _prefix(of: Set) -> str:
    return slug(of.name)


@functools.cache
def every() -> tuple[Known, ...]:
    """All figures, set by set."""
    production = tuple(_listed("io500-production-isc26", "production", Set.PRODUCTION))
    ten_node = tuple(_listed("io500-ten-node-isc26", "ten-node-production", Set.TEN_NODE))
    return (
        *production,
        *_parts(production),
        *ten_node,
        *_research(),
        *_unlisted({str(one.figure.run) for one in (*production, *ten_node)}),
        *_v10(),
        *_v20(),
        *_hacc(),
        *_stated(),
        *_micro(),
    )


def of_matrix(*own: Known) -> tuple[Known, ...]:
    """The figures that the matrix shows, and a reader's own."""

    def chosen(one: Known) -> bool:
        keys = SHOWN[one.set]
        return keys is None or one.key.removeprefix(f"{_prefix(one.set)}-") in keys

    return (*(one for one in every() if chosen(one)), *own)


def table(of: Set, figures: Sequence[Known] | None = None) -> pd.DataFrame:
    """What is known of the systems of a set.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``place``, ``figure``, ``what``, ``basis``, ``obtained``, ``scale``, ``source``
        (linked to the ledger); "not given" where nothing is. A column of `COMMON` that says the
        same in every row is left out: `common` says it.
    """
    own = [one for one in (figures or every()) if one.set is of]
    frame = frame_of(own).drop(columns=["set", "version", "list"])
    alike = [name for name in COMMON if frame[name].nunique() == 1]
    frame.attrs["links"] = {"source": [one.link or "" for one in own]}
    return frame.drop(columns=alike)


def common(of: Set, figures: Sequence[Known] | None = None) -> str:
    """What every row of a set's table has in common, in words; empty if nothing."""
    frame = frame_of([one for one in (figures or every()) if one.set is of])
    alike = [frame[name].iloc[0] for name in COMMON if frame[name].nunique() == 1]
    return ", ".join(alike)


def frame_of(figures: Sequence[Known]) -> pd.DataFrame:
    """Figures with all companions, as text: the columns of `table`, ``set``, ``version``, ``list``.

    "not given" where nothing is.
    """
    rows = [
        {
            "set": str(one.set),
            "system": one.system,
            "place": one.place,
            "figure": one.shown,
            "what": one.what,
            "basis": str(one.figure.basis),
            "obtained": str(one.figure.obtained),
            "version": one.figure.version,
            "list": one.figure.list,
            "scale": one.scale,
            "source": one.source,
        }
        for one in figures
    ]
    return pd.DataFrame(rows).fillna(NOT_GIVEN)


# -- IO500


def _listed(name: str, of_list: str, of: Set) -> Iterator[Known]:
    printed = tables.printed(name)
    for row, number in zip(printed.to_dict("records"), tables.load(name)["rank"], strict=True):
        claim = _of_cell(f"{name}[rank={number}].score")
        filed = runs.listed_as(row["bandwidth_gib_s"], row["metadata_kiops"])
        if len(filed) == 1:
            found = _of_run(filed.submission.iloc[0], of, of_list)
        else:
            found = _quoted(
                claim,
                of,
                system=row["file_system"],
                place=_place(row["system"], row["institution"]),
                what="IO500 score",
                metric="score",
                of_list=of_list,
                release=membership.EDITION,
                clients=_whole(row.get("client_nodes_count")),
            )
        entry = dataclasses.replace(
            found,
            key=f"{_prefix(of)}-{slug(row['system'])}",
            system=row["file_system"],
            place=_place(row["system"], row["institution"]),
            figure=dataclasses.replace(
                found.figure,
                name=_name(row["file_system"], _place(row["system"], row["institution"])),
            ),
            link=ledger.anchor(claim.id),
        )
        yield entry


def _parts(listed: Sequence[Known]) -> Iterator[Known]:
    """Two more figures of Aurora's run, which are often taken for each other and for its peak."""
    entry = next(one for one in listed if one.figure.run == aurora.SUBMISSION)
    run = runs.load(aurora.SUBMISSION)
    for metric, what, claim_id in (
        ("bandwidth", "IO500 BW, mean of the IOR phases", "000-aurora-bw"),
        ("ior-easy-write", "IO500 phase ior-easy-write", "000-ior-easy-write"),
    ):
        figure = membership.figure(run, metric, entry.figure.list)
        yield dataclasses.replace(
            entry,
            key=f"parts-{metric}",
            set=Set.PARTS,
            what=what,
            figure=dataclasses.replace(figure, name=entry.figure.name),
            shown=f"{float(figure.value.mid):,.2f} {figure.unit}",
            link=ledger.anchor(claim_id),
        )


def _research() -> Iterator[Known]:
    for row in tables.printed("io500-research-isc26").to_dict("records"):
        yield _quoted(
            _of_cell(f"io500-research-isc26[rank={row['rank']}].score"),
            Set.RESEARCH,
            system=row["file_system"],
            place=_place(row["system"], row["institution"]),
            key=slug(row["system"]),
            what="IO500 score, ISC26",
            metric="score",
            of_list="research",
            release="ISC26",
        )
    yield _quoted(
        _of_id("000-k3000-score"),
        Set.RESEARCH,
        system="DAOS",
        place="K3000-NDR, HPE",
        key="k3000-ndr",
        what="IO500 score, ISC26",
        metric="score",
        of_list="research",
        release="ISC26",
    )
    unprotected = _of_run(aurora.UNPROTECTED, Set.RESEARCH, "research")
    place = "Aurora without redundancy, Argonne"
    yield dataclasses.replace(
        unprotected,
        key="research-aurora-rf0",
        place=place,
        what="IO500 score, SC23",
        figure=dataclasses.replace(unprotected.figure, name=_name(unprotected.system, place)),
    )


def _unlisted(on_lists: set[str]) -> Iterator[Known]:
    """Of each family that no list above shows: the run at hand of the highest score."""
    frame = public.counted(public.frame())
    frame = frame[frame.score.notna() & (frame.family != UNSTATED)]
    frame = frame.sort_values(["score", "label"], ascending=[False, True])
    shown = set(frame[frame.submission.isin(on_lists)].family)
    best = frame[~frame.family.isin(shown)].groupby("family").head(1)
    for row in best.sort_values("family").itertuples():
        try:
            found = _of_run(row.submission, Set.UNLISTED, None)
        except StoragebookError:
            # a submission of several runs, of which the table of runs names one
            continue
        yield dataclasses.replace(
            found,
            key=f"unlisted-{slug(row.family)}",
            system=row.family,
            figure=dataclasses.replace(found.figure, name=_name(row.family, found.place)),
            what=f"IO500 score, {row.year}",
        )


def _of_run(submission: str, of: Set, of_list: str | None) -> Known:
    run = runs.load(submission)
    figure = membership.figure(run, "score", of_list)
    family = _text(run.facts.file_system)
    place = _place(_text(run.facts.system), _text(run.facts.institution))
    hardware: dict[str, int] = {}
    if membership.installation(run) == _AURORA:
        hardware = _hardware()
    return Known(
        key=f"{_prefix(of)}-{submission}",
        set=of,
        system=family,
        place=place,
        what="IO500 score",
        figure=dataclasses.replace(figure, name=_name(family, place)),
        shown=f"{float(figure.value.mid):,.2f}",
        source=f"submission {submission}",
        **hardware,
    )


def _hardware() -> dict[str, int]:
    """Cards and drives of Aurora's servers and clients, as source 000 states them."""
    value = tables.load("aurora-configuration").set_index("quantity").value
    return {
        "server_nics": int(value["server-nics"]),
        "server_drives": int(value["server-nvme-drives"]),
        "client_nics": int(value["client-nics"]),
    }


# -- MLPerf Storage


def v10_results() -> pd.DataFrame:
    """The v1.0 results of the page: of each submitter the one with the most accelerators.

    Closed division, `WORKLOAD` on `ACCELERATOR`, passed; the columns of the derived table.
    """
    frame = tables.load(_V10)
    fits = (
        (frame.workload == WORKLOAD)
        & (frame.accelerator == ACCELERATOR)
        & (frame.division == "closed")
        & frame.passes.fillna(False).astype(bool)
    )
    order = frame[fits].sort_values(
        ["submitter", "accelerators_count", "submission_id"], ascending=[True, False, True]
    )
    return order.groupby("submitter").head(1).reset_index(drop=True)


def named(row: Any) -> policy.Named:
    """What names a v1.0 result, as MLCommons' guidelines ask."""
    return policy.Named(
        submitter=row.submitter,
        system=row.system,
        round=row.round,
        division=row.division,
        workload=row.workload,
        retrieved=tables.load("sources").set_index("id").locator["mlperf-storage-v1.0"],
        verified=True,
    )


def _v10() -> Iterator[Known]:
    for row in v10_results().itertuples():
        yield Known(
            key=f"v10-{slug(row.submitter)}",
            set=Set.V10,
            system=row.system,
            place=row.submitter,
            what="3D U-Net, mean bandwidth of its runs",
            figure=Figure(
                name=policy.title(named(row)),
                value=Interval.point(float(row.bandwidth_gib_s)),
                unit="GiB/s",
                basis=Basis.BENCHMARK_SCORE,
                obtained=Obtained.COMPUTED,
                benchmark=MLPERF_STORAGE,
                metric=f"{WORKLOAD} bandwidth",
                system=row.system,
                run=row.submission_id,
                clients=int(row.hosts_count),
                version=row.round,
                division=row.division,
                category=row.category,
                accelerator=row.accelerator,
                accelerators=int(row.accelerators_count),
                verified=True,
                submitter=row.submitter,
                source="mlperf-storage-v1.0",
            ),
            shown=f"{row.bandwidth_gib_s:,.2f} GiB/s",
            source=f"result {row.submission_id}",
            client_nics=_whole(row.nic_ports_per_host_count),
        )


def _v20() -> Iterator[Known]:
    yield _quoted(
        _of_id("001-unet3d-bandwidth"),
        Set.V20,
        key="juicefs",
        system="JuiceFS",
        place="its vendor",
        what="3D U-Net, read bandwidth",
        benchmark=MLPERF_STORAGE,
        metric=f"{WORKLOAD} bandwidth",
        version="v2.0",
        clients=_count("001-unet3d-hosts"),
        accelerator=ACCELERATOR,
        accelerators=_count("001-unet3d-accelerators"),
        submitter="JuiceFS",
    )
    common: dict[str, Any] = {
        "benchmark": MLPERF_STORAGE,
        "version": "v2.0",
        "what": "checkpoint, write throughput",
        "metric": "checkpoint write",
        "submitter": "ALCF",
    }
    yield _quoted(
        _of_id("000-6.2-daos-write"),
        Set.V20,
        key="aurora",
        system="DAOS",
        place="Aurora, Argonne",
        installation=_AURORA,
        servers=_count("000-6.2-daos-servers"),
        **common,
        **_hardware(),
    )
    least, most = (_of_id(f"000-6.2-lustre-write-{end}") for end in ("least", "most"))
    lustre = _quoted(
        least,
        Set.V20,
        key="flare",
        system="Lustre",
        place="Flare, Argonne",
        installation=_FLARE,
        **common,
    )
    yield dataclasses.replace(
        lustre,
        figure=dataclasses.replace(
            lustre.figure, value=Interval(least.reading.strict.lo, most.reading.strict.hi)
        ),
        shown=f"{least.value} to {most.value} {most.unit}",
    )


# -- applications, statements, microbenchmarks


def _hacc() -> Iterator[Known]:
    clients = _count("000-6.1-nodes")
    yield _quoted(
        _of_id("000-6.1-daos-write"),
        Set.APPLICATION,
        key="daos",
        system="DAOS",
        place="Aurora, Argonne",
        installation=_AURORA,
        what="HACC, write",
        metric="write",
        clients=clients,
        servers=_count("000-6.1-daos-servers"),
        **_hardware(),
    )
    yield _quoted(
        _of_id("000-6.1-lustre-write"),
        Set.APPLICATION,
        key="lustre",
        system="Lustre",
        place="Flare, Argonne",
        installation=_FLARE,
        what="HACC, write",
        metric="write",
        clients=clients,
    )


def _stated() -> Iterator[Known]:
    yield _quoted(
        _of_id("000-peak-bandwidth"),
        Set.STATED,
        key="aurora-peak",
        system="DAOS",
        place="Aurora, Argonne",
        installation=_AURORA,
        what="peak by design",
        servers=_count("000-servers"),
        **_hardware(),
    )
    yield _quoted(
        _of_id("000-6.1-lustre-peak"),
        Set.STATED,
        key="flare-peak",
        system="Lustre",
        place="Flare, Argonne",
        installation=_FLARE,
        what="peak by design",
    )
    yield _quoted(
        _of_id("000-5.3-throughput"),
        Set.STATED,
        key="aurora-2026",
        system="DAOS",
        place="Aurora in 2026, Argonne",
        installation=_AURORA,
        what="highest throughput, operation not given",
        clients=_count("000-5.3-clients-most"),
        servers=_count("000-5.3-servers"),
        **_hardware(),
    )
    yield _quoted(
        _of_id("001-cache-bandwidth"),
        Set.STATED,
        key="juicefs-cache",
        system="JuiceFS",
        place="cache cluster, its vendor",
        what="aggregate read of the cache",
        servers=_count("001-cache-nodes"),
    )


def _micro() -> Iterator[Known]:
    pool: dict[str, Any] = {
        "place": "Aurora, Argonne",
        "installation": _AURORA,
        "servers": _count("000-6.1-daos-servers"),
        **_hardware(),
    }
    yield _quoted(
        _of_id("000-6.1-ior"),
        Set.MICRO,
        key="aurora-ior",
        system="DAOS",
        what="IOR, highest write",
        benchmark="ior",
        metric="write",
        **pool,
    )
    servers, clients = (_count(f"000-6.4-{what}-many") for what in ("servers", "clients"))
    for key, words in (("pmem", "persistent memory"), ("md-on-ssd", "metadata on SSD")):
        yield _quoted(
            _of_id(f"000-6.4-write-{key}"),
            Set.MICRO,
            key=key,
            system="DAOS",
            place=words,
            what="IOR easy, write",
            benchmark="ior",
            metric="easy write",
            installation=f"DAOS, {words}",
            clients=clients,
            servers=servers,
        )
    pairs = _count("003-pairs")
    nodes: dict[str, Any] = {
        "system": "PixStor",
        "place": "NVMe nodes, Dell EMC",
        "installation": "PixStor",
        "clients": _count("003-nodes"),
        "servers": 2 * pairs if pairs else None,
    }
    yield _quoted(
        _of_id("003-ior-write"),
        Set.MICRO,
        key="pixstor-write",
        what="IOR to one shared file, highest write",
        benchmark="ior",
        metric="write to one shared file",
        **nodes,
    )
    yield _quoted(
        _of_id("003-random-read"),
        Set.MICRO,
        key="pixstor-random-read",
        what="IOzone, random read",
        benchmark="iozone",
        metric="random read",
        **nodes,
    )
    yield _quoted(
        _of_id("002-1108-pmem-overwrite-rate"),
        Set.MICRO,
        key="vos",
        system="DAOS",
        place="VOS on boro-49",
        what="daos_perf, update, one thread",
        benchmark="daos_perf",
        metric="update rate",
        installation="boro-49",
    )


# -- quoted figures


def _quoted(
    claim: Claim,
    of: Set,
    *,
    system: str | None,
    place: str | None,
    what: str,
    key: str = "",
    of_list: str | None = None,
    installation: str | None = None,
    server_nics: int | None = None,
    server_drives: int | None = None,
    client_nics: int | None = None,
    **more: Any,
) -> Known:
    if claim.basis is None:
        raise StoragebookError(f"claim {claim.id} has no basis")
    name = _name(system, place)
    if of_list is not None:
        more |= {"list": of_list, "benchmark": IO500, "verified": True}
    elif more.get("benchmark") == MLPERF_STORAGE:
        name = f"{more['submitter']}, MLPerf Storage {more['version']}, {system}"
        more["verified"] = False
    figure = Figure(
        name=name,
        value=claim.reading.loose,
        unit=claim.unit,
        basis=claim.basis,
        obtained=claim.obtained,
        system=installation or place or system,
        source=claim.source,
        **more,
    )
    return Known(
        key=f"{_prefix(of)}-{key}",
        set=of,
        system=system,
        place=place,
        what=what,
        figure=figure,
        shown=_shown(claim),
        source=f"source {claim.source}, line {claim.line}",
        link=ledger.anchor(claim.id),
        server_nics=server_nics,
        server_drives=server_drives,
        client_nics=client_nics,
    )


def _shown(claim: Claim) -> str:
    return ledger.said(claims.Judged(claim, claims.Verdict.NOT_RECOMPUTABLE))


@functools.cache
def _claims() -> tuple[dict[str, Claim], dict[str, Claim]]:
    """Claims by id, and by the cell that is their home."""
    found = claims.load()
    return {one.id: one for one in found}, {one.cell: one for one in found if one.cell}


def _of_id(claim_id: str) -> Claim:
    return _claims()[0][claim_id]


def _of_cell(pointer: str) -> Claim:
    return _claims()[1][pointer]


def _count(claim_id: str) -> int | None:
    one = _of_id(claim_id)
    return int(units.convert(float(one.reading.strict.mid), one.unit, "1"))


def _name(system: str | None, place: str | None) -> str:
    """What a figure is called in a sentence: "Helma (Lustre)"."""
    where = (place or "").partition(",")[0]
    return f"{where} ({system})" if where and system else where or system or NOT_GIVEN


def _place(system: str | None, institution: str | None) -> str | None:
    return ", ".join(filter(None, (system, institution))) or None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    if show.is_missing(value) or value == "":
        return None
    return int(float(str(value).replace(",", "")))
