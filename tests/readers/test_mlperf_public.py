"""The 84 public v1.0 results at hand, in the trees that their submitters made."""

import csv
import functools
import json
import shutil
import statistics

import pytest

from storagebook import paths
from storagebook.mlperf import derive, rules
from storagebook.readers import mlperf_storage

# System and set → workload, accelerator, hosts, accelerators, MiB/s of the submitted report, and
# the least utilisation of the five summaries, typed from the files.
KNOWN = {
    "Closed/DDN/results/AI400X2T_24x14TiB_nvme_8xNDR200_16clients/cosmoflow-h100": (
        "cosmoflow",
        "h100",
        16,
        64,
        33867.86398,
        70.16336,
    ),
    "Closed/Micron/results/Micron_9550_Gen5_Performance_NVMe/unet3d/a100": (
        "unet3d",
        "a100",
        1,
        8,
        9257.867515,
        90.07328,
    ),
    "Closed/Huawei/results/OceanStor_A800_51_hosts/unet3d-h100": (
        "unet3d",
        "h100",
        51,
        255,
        695480.2768,
        91.23919,
    ),
    "Open/Volumez/results/File-Direct/unet3d/h100": (
        "unet3d",
        "h100",
        137,
        411,
        1079091.387,
        91.52768,
    ),
    "Closed/Juicedata/results/JuiceFS-cloud-nvme-distributed-cache/cosmoflow-1acc": (
        "cosmoflow",
        "h100",
        1,
        1,
        621.8806822,
        80.61091,
    ),
    "Closed/Nutanix/results/Nutanix-Unified-Storage-32-Nodes-66-Hosts-resnet50-h100": (
        "resnet50",
        "h100",
        66,
        1056,
        191043.6013,
        92.70076,
    ),
    "Closed/Hammerspace/results/Hammerspace_unet3d_5Client_A100": (
        "unet3d",
        "a100",
        5,
        35,
        49145.53353,
        91.21688,
    ),
}
SUBMITTERS = (
    *(f"Closed/{name}" for name in ("DDN", "Hammerspace", "Huawei", "Juicedata", "Micron")),
    *("Closed/Nutanix", "Closed/YanRongTech", "Open/Volumez"),
)
# its report is another result's, so: mean of the five summaries' MiB/s, by hand
WRONG_REPORT = (
    "Closed/YanRongTech/results/F8000X_8x7000GiB_nvme_2xHDR200_Nclient1/unet3d-h100/unet3d_1acc"
)
WRONG_REPORT_MIB_S = (2970.006838 + 2969.306271 + 2970.286897 + 2969.785508 + 2967.441055) / 5


def folder():
    shared = paths.shared()
    if shared is None or not (shared / derive.FOLDER).is_dir():
        pytest.skip("the public results are not at hand")
    return shared / derive.FOLDER


@functools.cache
def public():
    return {r.run: r for r in mlperf_storage.read_files(derive.public_files(folder()))}


def test_all_84_are_read_as_they_stood():
    with (folder() / "index.csv").open(newline="") as lines:
        index = {row["source_path"] for row in csv.DictReader(lines)}
    found = public()
    assert set(found) == index
    assert len(found) == 84
    assert {(r.round, len(r.runs), len(r.measured), r.passes) for r in found.values()} == {
        ("v1.0", 5, 5, True)
    }
    assert all(r.description is not None for r in found.values())


@pytest.mark.parametrize("run", KNOWN)
def test_known_answers(run):
    workload, accelerator, hosts, accelerators, mib_s, au_min = KNOWN[run]
    found = public()[run]
    assert (found.workload, found.accelerator) == (workload, accelerator)
    assert (found.hosts, found.accelerators) == (hosts, accelerators)
    assert found.mib_s == pytest.approx(mib_s, rel=1e-8)
    assert found.gib_s == pytest.approx(mib_s / 1024, rel=1e-8)
    assert found.au_min_pct == pytest.approx(au_min, abs=5e-6)
    assert (found.submitter, found.system) == tuple(run.split("/")[i] for i in (1, 3))
    assert rules.report_agrees(found) is True


def test_means_are_those_of_the_reports_or_the_difference_is_told():
    for run, found in public().items():
        differs = {f.code for f in found.findings} & {"report-differs", "report-runs"}
        assert bool(differs) == (run == WRONG_REPORT)
        report = json.loads((folder() / _copies()[found.report.file]).read_text())["overall"]
        stated = report["train_throughput_mean_MB_per_second"]
        assert (found.mib_s == pytest.approx(stated, rel=1e-9)) == (run != WRONG_REPORT)


def test_a_report_that_is_another_results_is_told_apart():
    found = public()[WRONG_REPORT]
    assert found.mib_s == pytest.approx(WRONG_REPORT_MIB_S, rel=1e-9)
    texts = [f.text for f in found.findings if f.code.startswith("report-")]
    assert "the report's number of accelerators is 12, its runs give 1" in texts
    assert texts[-1].endswith("2xHDR200_Nclient3/unet3d-h100/unet3d_12acc")


def test_what_is_wrong_in_the_public_files():
    errors = [f.code for r in public().values() for f in r.findings if f.severity == "error"]
    assert errors == ["report-differs"] * 3 + ["report-runs"]
    warned = [f for r in public().values() for f in r.findings if f.severity == "warning"]
    hosts = {f.file.split("/")[1] for f in warned if f.code == "system-hosts"}
    memory = {f.file.split("/")[1] for f in warned if f.code == "system-memory-unit"}
    broken = {f.file.split("/")[1] for f in warned if f.code == "json-repaired"}
    assert (hosts, memory, broken) == (
        {"Hammerspace"},
        {"Hammerspace", "Micron"},
        {"Juicedata", "Micron", "YanRongTech"},
    )


def test_memory_that_is_listed_as_zero_was_added_to_others():
    found = public()[
        "Closed/Nutanix/results/Nutanix-Unified-Storage-7-Nodes-10-Hosts-resnet50-a100"
    ]
    memory = found.runs[0].parts[0].memory_gib
    assert memory.count(0.0) == 9
    # described as 524,288 MiB a host
    assert statistics.fmean(memory) == pytest.approx(512, rel=0.02)


@functools.cache
def _copies():
    with (folder() / "files.csv").open(newline="") as lines:
        return {row["source_path"]: row["path"] for row in csv.DictReader(lines)}


@pytest.mark.parametrize("submitter", SUBMITTERS)
def test_trees_on_disk_give_the_same(tmp_path, submitter):
    for source, copy in _tree(submitter):
        target = tmp_path / source
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copy, target)
    found = {r.run: mlperf_storage.as_json(r) for r in mlperf_storage.read(tmp_path)}
    expected = {run: mlperf_storage.as_json(r) for run, r in public().items() if submitter in run}
    assert found == expected


def _tree(submitter):
    root = folder()
    return [(s, root / path) for s, path in _copies().items() if s.startswith(submitter + "/")]


def test_one_result_from_inside_its_tree(tmp_path):
    for source, copy in _tree("Closed/Huawei"):
        target = tmp_path / source
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(copy, target)
    run = "Closed/Huawei/results/OceanStor_A800_51_hosts/unet3d-h100"
    (found,) = mlperf_storage.read(tmp_path / run)
    assert (found.run, found.submitter, found.gib_s) == (run, "Huawei", public()[run].gib_s)
    assert found.description.network == "Ethernet with RDMA"


def test_the_one_layout_at_hand_is_read_too():
    found = mlperf_storage.read(folder() / "files")
    assert sorted(r.gib_s for r in found) == sorted(r.gib_s for r in public().values())
    assert {r.submitter for r in found} == {None}


@pytest.mark.parametrize(("sample", "rate"), [("v0.5/mlperf_storage_report.json", 93.26028403117)])
def test_samples_of_other_rounds(sample, rate):
    (found,) = mlperf_storage.read(folder() / "format_samples" / sample)
    assert (found.round, found.hosts, found.accelerators) == ("v0.5", 8, 32)
    assert found.samples_s == pytest.approx(rate)


@pytest.mark.parametrize(
    ("kind", "model"), [("training", "unet3d"), ("checkpointing", "llama3-70b")]
)
def test_v30_samples_in_their_layout(tmp_path, kind, model):
    samples = folder() / "format_samples" / "v3.0"
    run = tmp_path / f"closed/Org/results/Sys/{kind}/{model}/run/20260704_050040"
    run.mkdir(parents=True)
    shutil.copyfile(samples / f"{kind}_summary.json", run / "summary.json")
    metadata = run / f"{kind}_20260704_050040_metadata.json"
    if kind == "training":
        shutil.copyfile(samples / "training_metadata.json", metadata)
    else:
        metadata.write_text(json.dumps({"benchmark_type": kind, "model": model}))
    (found,) = mlperf_storage.read(tmp_path)
    assert (found.round, found.workload) == ("v3.0", model)
    if kind == "training":
        assert (found.hosts, found.accelerators) == (8, 8)
        assert found.gib_s == pytest.approx(44324.16936323841 / 1024)
        assert found.au_mean_pct == pytest.approx(91.78712010620147)
        assert found.passes is False  # one run
    else:
        (run_,) = found.runs
        assert run_.parts[0].checkpoint["write_gib_s"].value == pytest.approx(34.494582339203355)
        assert "checkpoint-size" not in {f.code for f in found.findings}
