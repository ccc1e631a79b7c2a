"""Public MLPerf Storage v1.0 results and statements of them → tables of data/derived/.

The result files lie in one layout here; they are read under the paths that they have in the public
repository. Means are taken over the runs by this package; what a submission's report states about
the same runs is compared, not used.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from storagebook import columns, paths, tables, units
from storagebook.errors import StoragebookError
from storagebook.mlperf import rules, statements, workloads
from storagebook.mlperf.demand import TABLE
from storagebook.mlperf.results import ResultSet
from storagebook.readers import mlperf_storage
from storagebook.readers.archive import File

#: Where the result files lie below the folder of other people's files.
FOLDER = Path("data") / "mlperf_storage"

_RUNS = range(1, workloads.RUNS_TO_PASS + 1)
_SIGNIFICANT = 10
_DERIVED = {"basis": "derived", "obtained": "computed"}
_CONFIGURED = {"basis": "configuration", "obtained": "published-table"}

FIELDS = [
    columns.text("submission_id", "This book's number of the result.", required=True),
    columns.text("round", "Round of the benchmark.", required=True),
    columns.text("division", "closed or open.", required=True),
    columns.text("category", "How hosts reach the storage.", required=True),
    columns.text("submitter", "Who submitted it.", required=True),
    columns.text("system", "The system's folder in the submission.", required=True),
    columns.text("workload", "Model whose training is emulated.", required=True),
    columns.text("accelerator", "What is emulated.", required=True),
    columns.count("hosts_count", "Hosts of a run."),
    columns.count("accelerators_count", "Emulated accelerators of a run."),
    columns.count("runs_count", "Runs of the result."),
    columns.number(
        "au_threshold_pct", "%", "Utilisation that every run has to reach.", basis="configuration"
    ),
    *(
        columns.number(f"au_run_{n}_pct", "%", f"Accelerator utilisation of run {n}.")
        for n in _RUNS
    ),
    columns.number("au_mean_pct", "%", "Mean utilisation over the runs.", obtained="computed"),
    columns.number("au_min_pct", "%", "Utilisation of the lowest run.", obtained="computed"),
    columns.number("rate_samples_s", "sample/s", "Mean over the runs.", obtained="computed"),
    columns.number("bandwidth_gib_s", "GiB/s", "Mean over the runs.", obtained="computed"),
    columns.number(
        "derived_per_host_gib_s", "GiB/s", "Bandwidth over hosts; no official metric.", **_DERIVED
    ),
    columns.number(
        "derived_per_accelerator_gib_s",
        "GiB/s",
        "Bandwidth over accelerators; no official metric.",
        **_DERIVED,
    ),
    columns.number(
        "derived_of_demand_ratio",
        "1",
        "Bandwidth over accelerators x demand x mean utilisation; no official metric.",
        **_DERIVED,
    ),
    columns.flag("passes", "Exactly five runs, each at or above the threshold.", required=True),
    columns.flag("report_agrees", "Whether the submitted report says the same.", required=True),
    columns.text(
        "network",
        "Kind of network of the hosts, as described; blank where none is. Ethernet with RDMA is "
        "so described: RoCE or iWARP.",
    ),
    columns.number("nic_gbit_s", "Gbit/s", "Rate of a host's port, as described.", **_CONFIGURED),
    columns.count("nic_ports_per_host_count", "Ports of a host, as described."),
    columns.number(
        "derived_per_nic_gib_s",
        "GiB/s",
        "Bandwidth over all ports; no official metric.",
        **_DERIVED,
    ),
    columns.number("derived_of_nic_pct", "%", "Bandwidth over the rate of all ports.", **_DERIVED),
    columns.text("findings", "Codes of what the files show, joined by spaces."),
    columns.count("files_count", "Files behind the row."),
    columns.text(
        "sha256",
        "SHA-256 of lines '<sha256 of a file>  <its path in the repository>', sorted by path.",
        required=True,
    ),
]


def write(shared: Path | None = None) -> list[str]:
    """Rebuild the tables from the raw files.

    Parameters
    ----------
    shared
        The folder of other people's files; by default the one beside the checkout.

    Returns
    -------
    list of str
        The tables that changed.

    Raises
    ------
    StoragebookError
        If there is no such folder, or a file in it cannot be read.
    """
    shared = shared or paths.shared()
    if shared is None or not (shared / FOLDER).is_dir():
        raise StoragebookError(
            "no raw result files to derive from", hint="put shared/ beside the checkout"
        )
    described = columns.write_derived(
        TABLE,
        FIELDS,
        list(_rows(shared / FOLDER)),
        key=["submission_id"],
        title="Public MLPerf Storage v1.0 results",
        description="One row a result: five runs of one workload on one system. Whole submitters, "
        "84 of the round's 132 results.",
        sources=[{**statements.SOURCE, "locator": "the files that each row's sha256 covers"}],
        licenses=[statements.LICENCE],
        basis="application",
        obtained="raw-output",
    )
    changed = tables.write_package(described)
    return [*changed, *statements.write(shared)]


def public_files(root: Path) -> dict[str, File]:
    """Path in the public repository → the file's copy."""
    return {row["source_path"]: _file(root / row["path"]) for row in _csv(root / "files.csv")}


def _file(path: Path) -> File:
    return File(path.name, path.stat().st_size, lambda: path.open("rb"))


def _csv(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _rows(root: Path) -> Iterator[list[Any]]:
    files = public_files(root)
    results = {result.run: result for result in mlperf_storage.read_files(files)}
    for row in sorted(_csv(root / "index.csv"), key=lambda row: row["submission_id"]):
        result = results.get(row["source_path"])
        if result is None:
            raise StoragebookError(f"no result at {row['source_path']}", file="index.csv")
        yield _row(row, result, files)


def _row(index: Mapping[str, str], result: ResultSet, files: Mapping[str, File]) -> list[Any]:
    bandwidth, hosts, count = result.gib_s, result.hosts, result.accelerators
    au, workload, accelerator = result.au_mean_pct, result.workload, result.accelerator
    if bandwidth is None or hosts is None or count is None or au is None:
        raise StoragebookError(f"a figure is missing in {result.run}")
    if workload is None or accelerator is None:
        raise StoragebookError(f"no workload or accelerator in {result.run}")
    demand = workloads.demand(workload, accelerator)
    system = result.description
    network = system.network if system else None
    rate, ports = (system.nic_gbit_s, system.nic_ports) if system else (None, None)
    per_nic = bandwidth / hosts / ports if ports else None
    return [
        index["submission_id"],
        result.round,
        result.division,
        index["access_class"].replace("_", "-"),
        result.submitter,
        result.system,
        workload,
        accelerator,
        hosts,
        count,
        len(result.runs),
        f"{result.threshold_pct:g}",
        *(_shown(run.au_pct) for run in result.runs),
        _shown(au),
        _shown(result.au_min_pct),
        _shown(result.samples_s),
        _shown(bandwidth),
        _shown(bandwidth / hosts),
        _shown(bandwidth / count),
        _shown(bandwidth / (count * demand.gib_s * au / 100)),
        result.passes,
        rules.report_agrees(result),
        network,
        None if rate is None else f"{rate:g}",
        ports,
        _shown(per_nic),
        _shown(
            units.convert(per_nic, "GiB/s", "Gbit/s") / rate * 100 if per_nic and rate else None
        ),
        " ".join(sorted({finding.code for finding in result.findings})),
        len(result.files),
        _digest(result, files),
    ]


def _digest(result: ResultSet, files: Mapping[str, File]) -> str:
    lines = (f"{hashlib.sha256(files[path].read()).hexdigest()}  {path}\n" for path in result.files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _shown(value: float | None) -> str | None:
    """In plain digits, ten of them: more than any relation between columns needs."""
    if value is None:
        return None
    whole = len(f"{abs(value):f}".partition(".")[0].lstrip("0"))
    return f"{value:.{max(_SIGNIFICANT - whole, 0)}f}"
