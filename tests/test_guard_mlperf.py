"""What binds the figures of the MLPerf Storage table to one another, and to the result files.

Written from the benchmark's parameters and the raw files, without the code that derives the table.
Guards take no fixtures.
"""

import csv
import json
import statistics

import pandas as pd
import pytest

from storagebook import paths, tables

pytestmark = pytest.mark.guard

TABLE = "mlperf-storage-v10"
RUNS = range(1, 6)
#: Bytes of a sample, and utilisation to reach in per cent.
SAMPLE_B = {"unet3d": 146_600_628, "resnet50": 114_660.07, "cosmoflow": 2_828_486}
THRESHOLD_PCT = {"unet3d": 90, "resnet50": 90, "cosmoflow": 70}
#: Samples a second that one accelerator takes at full utilisation: batch over computation time.
SAMPLES_S = {
    ("unet3d", "a100"): 7 / 0.636,
    ("unet3d", "h100"): 7 / 0.323,
    ("resnet50", "a100"): 400 / 0.435,
    ("resnet50", "h100"): 400 / 0.224,
    ("cosmoflow", "a100"): 1 / 0.00551,
    ("cosmoflow", "h100"): 1 / 0.0035,
}
#: Files of a result: report and description, and three of each run.
FILES = 2 + 3 * 5
GBIT_PER_GIB = 8 * 2**30 / 1e9


def rows():
    return tables.load(TABLE).to_dict("records")


def close(value):
    return pytest.approx(value, rel=1e-8)


def test_samples_times_their_length_are_the_bandwidth():
    for row in rows():
        bandwidth = row["rate_samples_s"] * SAMPLE_B[row["workload"]] / 2**30
        assert row["bandwidth_gib_s"] == close(bandwidth), row["submission_id"]


def test_mean_and_least_utilisation_are_those_of_the_runs():
    for row in rows():
        runs = [row[f"au_run_{n}_pct"] for n in RUNS]
        assert row["au_mean_pct"] == close(sum(runs) / 5), row["submission_id"]
        assert row["au_min_pct"] == min(runs), row["submission_id"]


def test_what_passes_has_five_runs_at_or_above_the_threshold():
    for row in rows():
        assert row["au_threshold_pct"] == THRESHOLD_PCT[row["workload"]]
        enough = row["au_min_pct"] >= row["au_threshold_pct"]
        assert row["passes"] == (row["runs_count"] == 5 and enough), row["submission_id"]
        assert row["runs_count"] == 5
        assert row["files_count"] == FILES


def test_shares_of_hosts_accelerators_and_ports_add_up():
    for row in rows():
        bandwidth, hosts = row["bandwidth_gib_s"], row["hosts_count"]
        assert row["derived_per_host_gib_s"] * hosts == close(bandwidth), row["submission_id"]
        accelerators = row["derived_per_accelerator_gib_s"] * row["accelerators_count"]
        assert accelerators == close(bandwidth), row["submission_id"]
        if row["network"] in ("Ethernet", "Ethernet with RDMA", "InfiniBand"):
            ports = row["nic_ports_per_host_count"] * hosts
            assert row["derived_per_nic_gib_s"] * ports == close(bandwidth), row["submission_id"]
            used = row["derived_of_nic_pct"] / 100 * row["nic_gbit_s"]
            assert row["derived_per_nic_gib_s"] * GBIT_PER_GIB == close(used), row["submission_id"]


def test_bandwidth_over_what_the_accelerators_ask_for():
    for row in rows():
        asked = row["accelerators_count"] * SAMPLES_S[row["workload"], row["accelerator"]]
        share = row["rate_samples_s"] / (asked * row["au_mean_pct"] / 100)
        assert row["derived_of_demand_ratio"] == close(share), row["submission_id"]
        # the start of an epoch costs samples, never gives any
        assert row["derived_of_demand_ratio"] <= 1


def test_every_figure_stands_in_the_result_files():
    shared = paths.shared()
    folder = shared and shared / "data" / "mlperf_storage"
    if not folder or not folder.is_dir():
        pytest.skip("the result files are not at hand")
    with (folder / "index.csv").open(newline="") as lines:
        index = {row["submission_id"]: row for row in csv.DictReader(lines)}
    found = rows()
    assert {row["submission_id"] for row in found} == set(index)
    for row in found:
        files = folder / index[row["submission_id"]]["files_dir"]
        runs = [json.loads((files / f"run{n}" / "summary.json").read_text()) for n in RUNS]
        metrics = [run["metric"] for run in runs]
        assert {run["num_hosts"] for run in runs} == {row["hosts_count"]}
        assert {run["num_accelerators"] for run in runs} == {row["accelerators_count"]}
        for n, metric in zip(RUNS, metrics, strict=True):
            assert row[f"au_run_{n}_pct"] == close(metric["train_au_mean_percentage"])
        samples = [m["train_throughput_mean_samples_per_second"] for m in metrics]
        assert row["rate_samples_s"] == close(statistics.fmean(samples))
        mib = statistics.fmean(m["train_io_mean_MB_per_second"] for m in metrics)
        assert row["bandwidth_gib_s"] == close(mib / 1024)


# Typed from the supplement: result, accelerators, value, unit, utilisation where it is stated.
STATEMENTS = {
    "v10-ddn-02": (72, 100, "GB/s", None),
    "v10-ddn-03": (36, 100, "GB/s", None),
    "v10-huawei-01": (255, 679, "GB/s", None),
    "v10-nutanix-04": (1056, 191_043, "MB/s", None),
    "v10-volumez-01": (411, 1.14, "TB/s", 97.82),
    "v10-volumez-02": (411, 1.079, "TB/s", 92.21),
    "v10-yanrongtech-20": (60, 34, "GB/s", None),
    "v10-yanrongtech-21": (188, 37, "GB/s", None),
    "v10-yanrongtech-24": (20, 58, "GB/s", None),
    "v10-yanrongtech-25": (120, 72, "GB/s", None),
    "v10-yanrongtech-28": (540, 103, "GB/s", None),
    "v10-yanrongtech-30": (60, 169, "GB/s", None),
}


def test_what_submitters_printed():
    table = tables.load("mlperf-storage-statements")
    assert {
        row["submission_id"]: (
            row["accelerators_count"],
            row["value"],
            row["unit"],
            None if pd.isna(row["au_pct"]) else row["au_pct"],
        )
        for row in table.to_dict("records")
    } == STATEMENTS
