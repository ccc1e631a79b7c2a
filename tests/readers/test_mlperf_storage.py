"""MLPerf Storage results from hand-written trees of each round, and from broken ones."""

import json
import math
import random
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.mlperf import rules
from storagebook.readers import archive, mlperf_storage
from storagebook.readers.measurements import frame

FIXTURES = Path(__file__).parents[1] / "fixtures" / "mlperf_storage"
SET_V10 = "Closed/Example/results/FastFS-5hosts/unet3d-h100"
CONTRACT = ["benchmark", "run", "round", "division", "submitter", "system", "workload"]
CONTRACT += ["accelerator", "hosts", "accelerators", "runs", "au_pct", "samples_per_s"]
CONTRACT += ["gib_per_s", "passes", "report_agrees", "findings"]


# writing a tree is slow: a third of the usual examples
FUZZED = settings(
    max_examples=settings.default.max_examples // 3,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def read_one(path):
    (found,) = mlperf_storage.read(path)
    return found


def results_or_error(path):
    try:
        return mlperf_storage.read(path), ""
    except StoragebookError as error:
        return [], str(error)


def codes(result, severity=None):
    return {f.code for f in result.findings if severity in (None, f.severity)}


@pytest.fixture
def v10(tmp_path):
    """A copy of the v1.0 tree, to be broken; the folder of its result."""
    shutil.copytree(FIXTURES / "v1.0", tmp_path / "v")
    return tmp_path / "v" / SET_V10


@pytest.fixture
def v05(tmp_path):
    shutil.copytree(FIXTURES / "v0.5", tmp_path / "v")
    return tmp_path / "v/closed/Example/results/OldFS/unet3d"


def summary_file(folder, run=1):
    return folder / f"run-{run}" / "host-1" / "summary.json"


def edit(file, change):
    content = json.loads(file.read_text())
    change(content)
    file.write_text(json.dumps(content))


def metric(**figures):
    return lambda content: content["metric"].update(figures)


def write_tree(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


# -- known answers


def test_the_example_of_the_contract():
    # 15 H100 on 5 hosts, by hand: (292.9+293.0+293.1+293.2+293.3)/5 = 293.1 samples/s,
    # x 146,600,628 B / 2**30 = 40.02 GiB/s; AU (91.0+91.1+91.2+91.3+91.35)/5 = 91.19 %
    found = mlperf_storage.as_json(read_one(FIXTURES / "v1.0"))
    assert list(found) == CONTRACT
    findings = found.pop("findings")
    au = found.pop("au_pct")
    assert (round(au["mean"], 2), au["min"], au["threshold"]) == (91.19, 91.0, 90)
    assert (round(found.pop("samples_per_s"), 3), round(found.pop("gib_per_s"), 2)) == (
        293.1,
        40.02,
    )
    assert found == {
        "benchmark": "mlperf-storage",
        "run": SET_V10,
        "round": "v1.0",
        "division": "closed",
        "submitter": "Example",
        "system": "FastFS-5hosts",
        "workload": "unet3d",
        "accelerator": "h100",
        "hosts": 5,
        "accelerators": 15,
        "runs": 5,
        "passes": True,
        "report_agrees": True,
    }
    assert [(f["code"], f["severity"]) for f in findings] == [
        ("json-repaired", "warning"),
        ("json-repaired", "warning"),
        ("system-memory-unit", "warning"),
        ("memory-zeros", "note"),
    ]
    assert all(set(f) == {"code", "severity", "text", "file", "line"} for f in findings)
    json.dumps(found, allow_nan=False)


def test_v05_sums_the_hosts():
    # two hosts of 4 V100: 11.1 + 11.2 samples/s; AU 99.11 … 99.25, per host
    found = read_one(FIXTURES / "v0.5")
    assert (found.round, found.workload, found.accelerator) == ("v0.5", "unet3d", "v100")
    assert (found.hosts, found.accelerators, len(found.runs)) == (2, 8, 5)
    assert found.samples_s == pytest.approx(22.3)
    assert found.gib_s == pytest.approx(22.3 * 146_600_628 / 2**30)
    assert found.au_min_pct == 99.11
    assert found.au_mean_pct == pytest.approx(99.18)
    assert found.passes is True
    assert found.findings == ()


def test_v30_training_and_checkpoint():
    checkpoint, training = mlperf_storage.read(FIXTURES / "v3.0")
    assert (training.round, training.workload, training.accelerator) == ("v3.0", "unet3d", "b200")
    assert (training.hosts, training.accelerators, training.passes) == (8, 8, True)
    assert training.samples_s == 318.0
    assert training.gib_s == pytest.approx(43.417327)
    assert (training.description.network, training.description.nic_gbit_s) == ("InfiniBand", 400)
    assert (checkpoint.workload, checkpoint.accelerators, checkpoint.hosts) == ("llama3-70b", 64, 4)
    found = mlperf_storage.as_json(checkpoint)
    assert list(found) == [*CONTRACT, "checkpoint"]
    assert found["checkpoint"] == {
        "write_gib_s": 34.5,
        "write_s": 26.4,
        "read_gib_s": 45.5,
        "read_s": 20.0,
        "size_gib": 911.25,
    }
    assert (checkpoint.passes, checkpoint.gib_s) == (None, None)


def test_v20_where_accelerator_and_workload_tell_it():
    found = read_one(FIXTURES / "v2.0")
    assert (found.round, found.workload, found.accelerator) == ("v2.0", "resnet50", "h100")
    # six runs: one may be the warm-up that this round allows
    assert (len(found.runs), found.passes) == (6, None)
    assert codes(found) == {"warm-up"}


def test_measurements_name_run_file_and_what_was_computed():
    rows = frame(mlperf_storage.to_measurements(read_one(FIXTURES / "v1.0")))
    raw = rows[rows["obtained"] == "raw-output"]
    assert len(raw) == 15
    first = raw.iloc[0]
    assert (first["quantity"], first["printed"], first["unit"]) == (
        "accelerator_utilisation",
        "91.0",
        "%",
    )
    assert first["file"] == f"{SET_V10}/run-1/host-1/summary.json"
    assert set(raw["iteration"]) == {0, 1, 2, 3, 4}
    means = rows[rows["statistic"] == "mean"]
    assert set(means["obtained"]) == {"computed"}
    assert dict(zip(means["unit"], means["value"], strict=True))["sample/s"] == pytest.approx(293.1)
    assert set(rows["version"]) == {"v1.0"}
    assert set(rows["accelerators_count"]) == {15}


def test_measurements_of_several_hosts_keep_hosts_and_sums_apart():
    rows = frame(mlperf_storage.to_measurements(read_one(FIXTURES / "v0.5")))
    rates = rows[(rows["quantity"] == "rate") & (rows["statistic"] == "single")]
    hosts = rates[rates["scope"] == "host"]
    sums = rates[rates["scope"] == "all"]
    assert (len(hosts), set(hosts["obtained"])) == (10, {"raw-output"})
    assert (len(sums), set(sums["obtained"])) == (5, {"computed"})
    assert hosts["value"].sum() == pytest.approx(sums["value"].sum())


def test_measurements_of_a_checkpoint_have_their_units():
    (checkpoint,) = [r for r in mlperf_storage.read(FIXTURES / "v3.0") if r.is_checkpoint]
    rows = frame(mlperf_storage.to_measurements(checkpoint))
    assert set(zip(rows["operation"], rows["quantity"], rows["unit"], strict=True)) == {
        ("checkpoint-write", "bandwidth", "GiB/s"),
        ("checkpoint-write", "duration", "s"),
        ("checkpoint-read", "bandwidth", "GiB/s"),
        ("checkpoint-read", "duration", "s"),
        ("checkpoint", "size", "GiB"),
    }


# -- rules of reading: units, versions, places


def test_mb_is_mib_whatever_the_label(v10):
    found = read_one(v10)
    assert found.mib_s == pytest.approx(found.samples_s * 146_600_628 / 2**20)
    assert found.gib_s == found.mib_s / 1024


def test_one_key_counts_a_host_in_v05_and_all_hosts_in_v10():
    old, new = read_one(FIXTURES / "v0.5"), read_one(FIXTURES / "v1.0")
    assert (old.runs[0].parts[0].accelerators, old.accelerators) == (4, 8)
    assert (new.runs[0].parts[0].accelerators, new.accelerators) == (15, 15)


def test_order_of_keys_and_more_of_them_change_nothing(v10):
    expected = read_one(v10).gib_s
    for run in range(1, 6):
        file = summary_file(v10, run)
        content = json.loads(file.read_text())
        content["train_io_mean_MB_per_second"] = 1.0
        content["before"] = {"metric": {"train_io_mean_MB_per_second": 2.0}}
        file.write_text(json.dumps(dict(reversed(content.items()))))
    assert read_one(v10).gib_s == expected


@pytest.mark.parametrize("value", [0, 0.0, -1, "-", "NA", None, math.nan, math.inf, True, [], {}])
@pytest.mark.parametrize(
    "key", ["train_throughput_mean_samples_per_second", "train_io_mean_MB_per_second"]
)
def test_what_was_not_measured_does_not_become_a_number(v10, key, value):
    edit(summary_file(v10), metric(**{key: value, "train_throughput_samples_per_second": []}))
    found = read_one(v10)
    assert "not-measured" in codes(found, "error")
    numbers = [row.value for row in mlperf_storage.to_measurements(found)]
    assert all(math.isfinite(number) and number > 0 for number in numbers)


def test_a_missing_utilisation_fails_the_result(v10):
    def remove(content):
        del content["metric"]["train_au_mean_percentage"], content["metric"]["train_au_percentage"]

    edit(summary_file(v10), remove)
    found = read_one(v10)
    assert "not-measured" in codes(found)
    assert (len(found.runs), len(found.measured), found.passes) == (5, 4, False)
    assert found.samples_s == pytest.approx((293.0 + 293.1 + 293.2 + 293.3) / 4)


def test_a_missing_mean_is_computed_and_marked(v10):
    edit(summary_file(v10), metric(train_io_mean_MB_per_second=None))
    found = read_one(v10)
    assert found.gib_s == pytest.approx(40.017668)
    (row,) = [
        r
        for r in mlperf_storage.to_measurements(found)
        if r.unit == "MiB/s" and r.obtained == "computed" and r.statistic == "single"
    ]
    assert (row.printed, row.iteration) == ("", 0)


# -- figures that are stated twice


def test_mean_against_epochs(v10):
    edit(summary_file(v10), metric(train_au_mean_percentage=92.0))
    assert "mean-differs" in codes(read_one(v10), "error")


def test_samples_against_bandwidth(v10):
    edit(summary_file(v10), metric(train_io_mean_MB_per_second=293.1 * 146_600_628 / 1e6))
    found = read_one(v10)
    assert "arithmetic" in codes(found, "error")
    # arithmetic is one verdict, the pass rule another
    assert found.passes is True


def test_report_against_its_runs(v10):
    edit(summary_file(v10), metric(train_throughput_mean_samples_per_second=300.0))
    found = read_one(v10)
    assert rules.report_agrees(found) is False
    assert {"report-differs", "report-runs"} <= codes(found, "error")
    texts = " ".join(f.text for f in found.findings)
    assert "293.1" in texts
    assert "294.52" in texts


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("train_num_accelerators", "12", "number of accelerators"),
        ("model", "resnet50", "workload"),
        ("accelerator", "a100", "accelerator"),
        ("train_throughput_stdev_samples_per_second", 0.158114, "the sample's"),
        ("train_throughput_mean_MB_per_second", 42968.6, "mean MiB/s"),
    ],
)
def test_each_figure_of_the_report(v10, key, value, what):
    edit(
        v10 / "mlperf_storage_report.json", lambda content: content["overall"].update({key: value})
    )
    found = read_one(v10)
    assert rules.report_agrees(found) is False
    assert any(what in f.text for f in found.findings if f.code == "report-differs")


def test_a_report_that_is_another_results_file(v10):
    other = v10.parent / "unet3d-h100-again"
    shutil.copytree(v10, other)
    for run in range(1, 6):
        edit(summary_file(other, run), lambda content: content.update(num_accelerators=12))
    results = mlperf_storage.read(v10.parent)
    assert [rules.report_agrees(result) for result in results] == [True, False]
    (copied,) = [f for f in results[1].findings if f.code == "report-copied"]
    assert copied.text.endswith(SET_V10)


def test_a_report_above_several_results_is_taken_by_the_one_it_is_about(v10):
    other = v10.parent / "unet3d-h100-small"
    shutil.copytree(v10, other)
    for run in range(1, 6):
        edit(summary_file(other, run), lambda content: content.update(num_accelerators=3))
    (other / "mlperf_storage_report.json").unlink()
    (v10 / "mlperf_storage_report.json").rename(v10.parent / "mlperf_storage_report.json")
    results = mlperf_storage.read(v10.parent)
    assert [(r.accelerators, rules.report_agrees(r)) for r in results] == [(15, True), (3, None)]


def test_overrides_configuration_and_folder_have_to_name_one_workload(v10):
    for run in range(1, 6):
        file = v10 / f"run-{run}/host-1/configs/overrides.yaml"
        file.write_text(file.read_text().replace("unet3d_h100", "unet3d_a100"))
    found = read_one(v10)
    assert found.accelerator == "a100"
    assert [f.text for f in found.findings if f.code == "workload-differs"][-1] == (
        "the folder's name says h100, its files say a100"
    )
    assert "settings-differ" in codes(found, "warning")


def test_settings_that_the_round_fixes(v10):
    for run in range(1, 6):
        file = v10 / f"run-{run}/host-1/configs/config.yaml"
        file.write_text(file.read_text().replace("0.323", "0.5").replace("au: 0.9", "au: 0.5"))
    found = read_one(v10)
    texts = [f.text for f in found.findings if f.code == "settings-differ"]
    assert texts == [
        "computation time is 0.5, where unet3d on h100 has 0.323",
        "utilisation to reach is 50, where unet3d on h100 has 90",
    ]
    # the rules' threshold counts, not the file's
    assert found.threshold_pct == 90


# -- the pass rule


@pytest.mark.parametrize(
    ("au", "passes"), [(90.0, True), (89.999999, False), (90.000001, True), (100.0, True)]
)
def test_every_run_has_to_reach_the_threshold_unrounded(v10, au, passes):
    edit(summary_file(v10), metric(train_au_mean_percentage=au, train_au_percentage=[au]))
    found = read_one(v10)
    assert found.passes is passes
    assert ("au-below" in codes(found, "error")) is not passes


def test_a_verdict_of_the_file_that_is_not_so(v10):
    edit(summary_file(v10), metric(train_au_mean_percentage=89.0, train_au_percentage=[89.0]))
    assert {"au-below", "au-verdict"} <= codes(read_one(v10), "error")


@pytest.mark.parametrize("count", [1, 4, 6])
def test_a_result_is_exactly_five_runs(v10, count):
    for run in range(count + 1, 6):
        shutil.rmtree(v10 / f"run-{run}")
    for run in range(6, count + 1):
        shutil.copytree(v10 / "run-5", v10 / f"run-{run}")
    found = read_one(v10)
    assert (len(found.runs), found.passes) == (count, False)
    assert "runs-count" in codes(found, "error")


def test_cosmoflow_has_its_own_threshold(v10):
    def change(content):
        samples = content["metric"]["train_throughput_mean_samples_per_second"]
        content["metric"].update(
            train_au_mean_percentage=70.5,
            train_au_percentage=[70.5],
            train_io_mean_MB_per_second=samples * 2_828_486 / 2**20,
        )

    for run in range(1, 6):
        edit(summary_file(v10, run), change)
        shutil.rmtree(v10 / f"run-{run}/host-1/configs")
        write_tree(v10, {f"run-{run}/host-1/configs/overrides.yaml": "- workload=cosmoflow_h100\n"})
    found = read_one(v10)
    assert (found.workload, found.threshold_pct, found.passes) == ("cosmoflow", 70, True)


def test_in_v05_every_host_has_to_reach_it(v05):
    edit(v05 / "run2/host-1/summary.json", metric(train_au_mean_percentage=89.0))
    found = read_one(v05)
    assert found.runs[1].au_pct > 90
    assert (found.au_min_pct, found.passes) == (89.0, False)


def test_v05_with_its_configuration_is_still_v05(v05):
    config = "workload:\n  model: unet3d\n  train:\n    computation_time: 1.3604\n"
    for folder in v05.glob("run*/host-*"):
        write_tree(folder, {"configs/overrides.yaml": "- workload=unet3d\n"})
        write_tree(folder, {"configs/config.yaml": config})
    found = read_one(v05)
    assert (found.round, found.accelerator, found.accelerators) == ("v0.5", "v100", 8)
    assert found.findings == ()


@pytest.mark.parametrize(("second", "apart"), [(11, False), (12, True)])
def test_in_v05_hosts_start_within_ten_seconds(v05, second, apart):
    edit(
        v05 / "run1/host-2/summary.json",
        lambda content: content.update(start=f"2023-08-04T11:00:{second}"),
    )
    assert ("starts-apart" in codes(read_one(v05), "error")) is apart


def test_runs_of_different_size(v10):
    edit(summary_file(v10), lambda content: content.update(num_accelerators=14, num_hosts=4))
    found = read_one(v10)
    assert (found.accelerators, found.hosts) == (None, None)
    assert "runs-differ" in codes(found, "error")


def test_one_summary_in_two_runs(v10):
    shutil.copyfile(summary_file(v10, 1), summary_file(v10, 2))
    assert "runs-same" in codes(read_one(v10), "error")


def test_a_workload_whose_rules_are_not_known(v10):
    shutil.rmtree(v10.parents[2] / "systems")
    for run in range(1, 6):
        (v10 / f"run-{run}/host-1/configs/config.yaml").unlink()
        file = v10 / f"run-{run}/host-1/configs/overrides.yaml"
        file.write_text("- workload=dlrm_h100\n")
    found = read_one(v10)
    assert (found.workload, found.threshold_pct, found.passes) == ("dlrm", None, None)
    assert "workload-unknown" in codes(found, "warning")


# -- several things in one place


def test_a_tree_of_every_round():
    found = mlperf_storage.read(FIXTURES)
    assert [(r.round, r.workload) for r in found] == [
        ("v0.5", "unet3d"),
        ("v1.0", "unet3d"),
        ("v2.0", "resnet50"),
        ("v3.0", "llama3-70b"),
        ("v3.0", "unet3d"),
    ]


def test_runs_of_two_workloads_in_one_folder_are_two_results(v10):
    for run in (4, 5):
        folder = v10 / f"run-{run}/host-1/configs"
        (folder / "config.yaml").unlink()
        (folder / "overrides.yaml").write_text("- workload=resnet50_h100\n")
    results = mlperf_storage.read(v10)
    assert [(r.workload, len(r.runs), r.passes) for r in results] == [
        ("unet3d", 3, False),
        ("resnet50", 2, False),
    ]
    assert all("workload-differs" in codes(r, "error") for r in results)
    assert results[0].run != results[1].run


def test_a_run_that_names_no_accelerator_belongs_to_the_others(v10):
    shutil.rmtree(v10 / "run-4/host-1/configs")
    write_tree(v10, {"run-4/host-1/configs/overrides.yaml": "- workload=unet3d\n"})
    found = read_one(v10)
    assert (found.accelerator, len(found.runs), found.passes) == ("h100", 5, True)


def test_a_run_of_which_nothing_is_known_is_not_lost(v10):
    shutil.rmtree(v10 / "run-1/host-1/configs")
    folder = v10 / "run-5/host-1/configs"
    (folder / "config.yaml").unlink()
    (folder / "overrides.yaml").write_text("- workload=resnet50_h100\n")
    results = mlperf_storage.read(v10)
    assert [(r.workload, len(r.runs)) for r in results] == [("unet3d", 4), ("resnet50", 1)]


def test_metadata_of_another_size(tmp_path):
    shutil.copytree(FIXTURES / "v3.0", tmp_path / "v3.0")
    for file in tmp_path.rglob("training_*_metadata.json"):
        edit(file, lambda content: content.update(num_processes=16))
    (training,) = [r for r in mlperf_storage.read(tmp_path) if not r.is_checkpoint]
    assert "metadata-differs" in codes(training, "warning")


def test_summaries_of_one_run_that_differ_do_not_count(v10):
    other = v10 / "run-1/host-2"
    shutil.copytree(v10 / "run-1/host-1", other)
    edit(other / "summary.json", metric(train_au_mean_percentage=95.0))
    found = read_one(v10)
    assert "several-summaries" in codes(found, "error")
    assert (len(found.runs), len(found.measured), found.passes) == (5, 4, False)


def test_the_same_summary_on_every_host_counts_once(v10):
    shutil.copytree(v10 / "run-1/host-1", v10 / "run-1/host-2")
    found = read_one(v10)
    assert "same-summary" in codes(found, "note")
    assert (found.passes, found.accelerators) == (True, 15)


def test_side_cars_are_left_out_and_counted(v10):
    write_tree(v10, {"run-1/host-1/._summary.json": b"\x00\x05\x16\x07", "._run-1": "x"})
    found = read_one(v10)
    assert "2 side-car files" in next(f.text for f in found.findings if f.code == "left-out")
    assert found.passes is True


def test_another_tools_summary_is_no_run(v10):
    write_tree(v10, {"run-9/summary.json": '{"tests": 12, "passed": 12}'})
    assert len(read_one(v10).runs) == 5


# -- what is missing


def test_a_run_that_did_not_finish(v10):
    summary_file(v10, 3).unlink()
    found = read_one(v10)
    assert "no-summary" in codes(found, "error")
    assert (len(found.runs), len(found.measured), found.passes) == (5, 4, False)


def test_without_overrides_the_configuration_tells(v10):
    for run in range(1, 6):
        (v10 / f"run-{run}/host-1/configs/overrides.yaml").unlink()
    found = read_one(v10)
    assert (found.workload, found.accelerator, found.round) == ("unet3d", "h100", "v1.0")


def test_without_configuration_report_and_folder_tell(v10):
    for run in range(1, 6):
        shutil.rmtree(v10 / f"run-{run}/host-1/configs")
    found = read_one(v10)
    assert (found.workload, found.accelerator, found.round) == ("unet3d", "h100", "v1.0")
    assert "workload-from" in codes(found, "note")
    (v10 / "mlperf_storage_report.json").unlink()
    found = read_one(v10)
    assert (found.workload, found.accelerator, found.round) == ("unet3d", "h100", "v1.0")
    assert {"workload-from", "round-from"} <= codes(found, "note")


def test_summaries_alone_tell_no_round(tmp_path, v10):
    alone = tmp_path / "alone.json"
    shutil.copyfile(summary_file(v10), alone)
    with pytest.raises(StoragebookError, match="which round"):
        mlperf_storage.read(alone)


def test_a_report_alone(tmp_path):
    shutil.copyfile(FIXTURES / "v1.0" / SET_V10 / "mlperf_storage_report.json", tmp_path / "r.json")
    found = read_one(tmp_path / "r.json")
    assert (found.round, found.accelerators, len(found.runs)) == ("v1.0", 15, 5)
    assert (found.gib_s, found.au_mean_pct, found.passes) == (pytest.approx(40.017668), None, None)
    assert "report-only" in codes(found, "warning")
    assert rules.report_agrees(found) is None


def test_without_report_there_is_nothing_to_agree_with(v10):
    (v10 / "mlperf_storage_report.json").unlink()
    assert mlperf_storage.as_json(read_one(v10))["report_agrees"] is None


def test_the_layout_of_v20_and_v30_is_refused_where_nothing_tells_them_apart(tmp_path):
    tree = tmp_path / "closed/Example/results/S/checkpointing/llama3-70b"
    source = FIXTURES / "v3.0/closed/Example/results/NewFS/checkpointing/llama3-70b"
    shutil.copytree(source, tree)
    for file in tree.rglob("summary.json"):
        edit(file, lambda content: content.pop("start"))
    with pytest.raises(StoragebookError, match=r"v2\.0 and v3\.0 share this layout"):
        mlperf_storage.read(tmp_path)
    named = tmp_path / "storage_results_v2.0"
    named.mkdir()
    shutil.move(tmp_path / "closed", named / "closed")
    assert read_one(tmp_path).round == "v2.0"


@pytest.mark.parametrize(
    ("start", "round_"), [("2025-06-01T00:00:00", "v2.0"), ("2026-01-01T00:00:00", "v3.0")]
)
def test_the_start_tells_v20_from_v30_with_a_note(tmp_path, start, round_):
    source = FIXTURES / "v3.0/closed/Example/results/NewFS/checkpointing/llama3-70b"
    shutil.copytree(source, tmp_path / "checkpointing")
    for file in tmp_path.rglob("summary.json"):
        edit(file, lambda content: content.update(start=start))
    found = read_one(tmp_path)
    assert found.round == round_
    assert "round-from" in codes(found, "note")


def test_an_accelerator_that_v20_does_not_emulate_is_v30s(tmp_path):
    source = FIXTURES / "v3.0/closed/Example/results/NewFS/training"
    shutil.copytree(source, tmp_path / "training")
    for file in tmp_path.rglob("*_metadata.json"):
        edit(file, lambda content: content.update(accelerator="mi355"))
    for file in tmp_path.rglob("summary.json"):
        edit(file, lambda content: content.pop("start"))
    found = read_one(tmp_path)
    assert (found.round, found.accelerator) == ("v3.0", "mi355")


def test_a_checkpoint_of_another_size(tmp_path):
    source = FIXTURES / "v3.0"
    shutil.copytree(source, tmp_path / "v3.0")
    for file in tmp_path.rglob("checkpointing/*/*/summary.json"):
        edit(file, metric(checkpoint_size_GB=105.0))
    (found,) = [r for r in mlperf_storage.read(tmp_path) if r.is_checkpoint]
    assert "checkpoint-size" in codes(found, "error")


# -- descriptions of the system


def test_a_broken_description_is_read_with_a_finding(v10):
    found = read_one(v10)
    assert (found.description.network, found.description.nic_gbit_s) == ("Ethernet", 200)
    assert [(f.code, f.line) for f in found.findings if f.code == "json-repaired"] == [
        ("json-repaired", 4),
        ("json-repaired", 24),
    ]


def test_a_hopeless_description_costs_nothing_else(v10):
    (v10.parents[2] / "systems/FastFS-5hosts.json").write_text("see the PDF")
    found = read_one(v10)
    assert found.description is None
    assert "system-unreadable" in codes(found, "warning")
    assert found.passes is True


def test_a_description_of_other_hosts_accelerators_and_memory(v10):
    file = v10.parents[2] / "systems/FastFS-5hosts.json"
    text = file.read_text().replace('"count_of_this_type": 3}]', '"count_of_this_type": 4}]')
    file.write_text(text.replace('{"node_name": "s", "node_type_name": "server"}', ""))
    found = read_one(v10)
    assert {"system-hosts", "system-accelerators", "system-memory-unit"} <= codes(found, "warning")


@pytest.mark.parametrize(
    ("names", "chosen", "exact"),
    [
        (["FastFS-5hosts.json", "FastFS-6hosts.json"], "FastFS-5hosts.json", True),
        (["FastFS-5hosts.JSON"], "FastFS-5hosts.JSON", True),
        (
            ["FastFS-5hosts.json", "FastFS-5hosts_UNet3D_H100.json"],
            "FastFS-5hosts_UNet3D_H100.json",
            True,
        ),
        (["FastFS-5host.json", "SlowFS.json"], "FastFS-5host.json", False),
        (["fast.json"], "fast.json", False),
        (["A.json", "B.json"], None, True),
    ],
)
def test_which_description_is_the_systems(v10, names, chosen, exact):
    folder = v10.parents[2] / "systems"
    (folder / "FastFS-5hosts.json").unlink()
    write_tree(folder, dict.fromkeys(names, "{}"))
    found = read_one(v10.parents[4])
    assert (found.description and Path(found.description.file).name) == chosen
    assert ("system-from" not in codes(found)) is exact


def test_a_description_within_the_systems_folder_is_its_own_whatever_its_name(v10):
    systems = v10.parents[2] / "systems"
    inner = v10.parents[0] / "systems"
    inner.mkdir()
    (systems / "FastFS-5hosts.json").rename(inner / "direct.json")
    found = read_one(v10.parents[4])
    assert found.description.file.endswith("FastFS-5hosts/systems/direct.json")
    assert "system-from" not in codes(found)


def test_place_and_description_are_found_from_inside_the_tree(v10):
    found = read_one(v10)
    assert (found.run, found.submitter, found.system) == (SET_V10, "Example", "FastFS-5hosts")
    assert found.description.file == "../../../systems/FastFS-5hosts.json"
    one = read_one(v10 / "run-1")
    assert (one.submitter, one.system, len(one.runs), one.passes) == (
        "Example",
        "FastFS-5hosts",
        1,
        False,
    )


# -- broken and hostile input


def test_a_truncated_summary_is_told_with_its_line(v10):
    file = summary_file(v10)
    text = file.read_text()
    file.write_text(text[: text.index('"train_io_mean')])
    found = read_one(v10)
    assert {"truncated", "not-measured"} <= codes(found, "error")
    (cut,) = [f for f in found.findings if f.code == "truncated"]
    assert cut.file.endswith("run-1/host-1/summary.json")
    assert cut.line == text[: text.index('"train_io_mean')].count("\n") + 1
    # what stood before the cut is still read
    assert found.runs[0].au_pct == 91.0


@pytest.mark.parametrize(
    "text", [b"", b"\x00" * 64, b"killed", b'{"metric": {"train_io": 1234,56}}']
)
def test_an_unreadable_summary_costs_that_run(v10, text):
    summary_file(v10).write_bytes(text)
    found = read_one(v10)
    assert "unreadable" in codes(found, "error")
    assert (len(found.runs), len(found.measured), found.passes) == (5, 4, False)


def test_nothing_readable_is_one_error_naming_the_file(v10):
    for run in range(1, 6):
        summary_file(v10, run).write_text('{"metric": oops')
    with pytest.raises(StoragebookError, match=r"run-1/host-1/summary\.json") as caught:
        mlperf_storage.read(v10)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"notes.txt": "x"},
        {"summary.json": "[1, 2]"},
        {"summary.json": '{"passed": 3}'},
        {"run1/summary.json": ""},
        {"mlperf_storage_report.json": "{}"},
        {"mlperf_storage_report.json": '{"overall": {"model": "unet3d"}}'},
        {"systems/x.json": "{}"},
    ],
)
def test_what_holds_no_result_is_one_error(tmp_path, files):
    with pytest.raises(StoragebookError) as caught:
        mlperf_storage.read(write_tree(tmp_path, files))
    assert "\n" not in str(caught.value)


def test_hostile_names_and_texts_are_made_printable(v10):
    evil = "x\x1b[31m\n<script>"
    edit(summary_file(v10), lambda content: content.update(start=evil, hostname=evil))
    folder = v10.parents[2] / "systems"
    folder.joinpath("FastFS-5hosts.json").write_text(
        json.dumps({"nodes": [], "benchmark_hosts": [{"node_type_name": evil}]})
    )
    (v10 / "run-2/host-1").rename(v10 / "run-2/h\x1b[31m\n1")
    found = mlperf_storage.as_json(read_one(v10))
    for finding in found["findings"]:
        assert finding["text"].isprintable()
        assert finding["file"].isprintable()


def test_a_huge_summary_is_refused(v10, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILE_B", 4096)
    summary_file(v10).write_bytes(b" " * 5000)
    found = read_one(v10)
    (huge,) = [f for f in found.findings if f.code == "unreadable" and "summary" in f.file]
    assert "larger than" in huge.text


@pytest.mark.parametrize("kind", ["tgz", "zip"])
def test_archives_are_read_as_they_are(tmp_path, kind):
    packed = tmp_path / f"storage_results_v1.0.{kind}"
    files = [f for f in (FIXTURES / "v1.0").rglob("*") if f.is_file()]
    if kind == "zip":
        with zipfile.ZipFile(packed, "w") as out:
            for file in files:
                out.write(file, file.relative_to(FIXTURES / "v1.0"))
    else:
        with tarfile.open(packed, "w:gz") as out:
            out.add(FIXTURES / "v1.0", ".")
    found = mlperf_storage.as_json(read_one(packed))
    assert found == mlperf_storage.as_json(read_one(FIXTURES / "v1.0"))


def test_a_vanishing_or_forbidden_path_is_one_error(tmp_path):
    with pytest.raises(StoragebookError, match="no such file"):
        mlperf_storage.read(tmp_path / "absent")


def test_what_is_refused_is_reported_where_something_else_is_found(tmp_path):
    shutil.copytree(FIXTURES / "v1.0", tmp_path / "v1.0")
    write_tree(tmp_path, {"x/run1/summary.json": '{"num_accelerators": 1, "metric": {}}'})
    skipped = []
    assert len(mlperf_storage.read(tmp_path, report=skipped.append)) == 1
    assert [(s.severity, "round" in s.why) for s in skipped] == [("error", True)]


def test_sniff():
    head = (FIXTURES / "v1.0" / SET_V10 / "run-1/host-1/summary.json").read_bytes()[:4096]
    assert mlperf_storage.sniff(head)
    assert not mlperf_storage.sniff(b'{"fio version": "fio-3.36", "jobs": []}')
    assert not mlperf_storage.sniff(b"[RESULT] ior-easy-write 1.0 GiB/s")


# -- fuzzing


def _mutated(data, random_):
    data = bytearray(data)
    for _ in range(random_.randint(1, 6)):
        at = random_.randrange(len(data) + 1)
        act = random_.randrange(4)
        if act == 0:
            data[at:at] = bytes(random_.randrange(256) for _ in range(random_.randint(1, 8)))
        elif act == 1:
            del data[at : at + random_.randint(1, 40)]
        elif act == 2:
            other = random_.randrange(len(data) + 1)
            data[at:at] = data[other : other + 30]
        else:
            del data[at:]
    return bytes(data)


@FUZZED
@given(seed=st.integers(0, 2**32 - 1))
def test_mutated_files_give_a_result_or_one_error(tmp_path, seed):
    random_ = random.Random(seed)
    tree = tmp_path / "v"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(FIXTURES / random_.choice(["v0.5", "v1.0", "v2.0", "v3.0"]), tree)
    files = sorted(file for file in tree.rglob("*") if file.is_file())
    for file in random_.sample(files, 3):
        file.write_bytes(_mutated(file.read_bytes(), random_))
    results, error = results_or_error(tree)
    assert "\n" not in error
    for result in results:
        text = json.dumps(mlperf_storage.as_json(result), allow_nan=False)
        assert json.loads(text)["benchmark"] == "mlperf-storage"
        frame(mlperf_storage.to_measurements(result))
        assert all(finding.text.isprintable() for finding in result.findings)


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@FUZZED
@given(
    metric=st.dictionaries(
        st.sampled_from(
            [
                "train_au_mean_percentage",
                "train_au_percentage",
                "train_au_meet_expectation",
                "train_throughput_mean_samples_per_second",
                "train_io_mean_MB_per_second",
                "checkpoint_size_GB",
            ]
        ),
        JSONS,
    ),
    rest=st.dictionaries(
        st.sampled_from(["num_accelerators", "num_hosts", "host_memory_GB", "start", "model"]),
        JSONS,
    ),
)
def test_any_value_in_any_place_gives_a_result_or_one_error(tmp_path, metric, rest):
    files = {"run1/summary.json": json.dumps({"metric": metric, **rest})}
    files["run1/configs/overrides.yaml"] = "- workload=unet3d_h100\n"
    tree = tmp_path / "v"
    shutil.rmtree(tree, ignore_errors=True)
    results, error = results_or_error(write_tree(tree, files))
    assert "\n" not in error
    for result in results:
        json.dumps(mlperf_storage.as_json(result), allow_nan=False)
        frame(mlperf_storage.to_measurements(result))
        assert result.passes is not True
