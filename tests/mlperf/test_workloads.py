"""Workloads and their demand, against the published parameters."""

import csv

import pytest

from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.mlperf.workloads import CHECKPOINTS, DEMANDS, WORKLOADS, demand


@pytest.mark.parametrize(
    ("workload", "accelerator", "gib_s"),
    # by hand: 7 x 146,600,628 / 0.323 / 2**30, 400 x 114,660.07 / 0.224 / 2**30 …
    [
        ("unet3d", "h100", 2.95891),
        ("resnet50", "h100", 0.19069),
        ("cosmoflow", "h100", 0.75264),
        ("unet3d", "a100", 1.50272),
        ("resnet50", "a100", 0.09819),
        ("cosmoflow", "a100", 0.47808),
        ("unet3d", "v100", 0.40145),
        ("unet3d", "b200", 5.89955),
    ],
)
def test_demand_at_full_utilisation(workload, accelerator, gib_s):
    assert demand(workload, accelerator).gib_s == pytest.approx(gib_s, abs=5e-6)
    assert demand(workload.upper(), accelerator.upper()).gib_s > 0


def test_thresholds():
    found = {name: workload.threshold_pct for name, workload in WORKLOADS.items()}
    assert found == {"unet3d": 90, "resnet50": 90, "cosmoflow": 70, "bert": 90}


def test_unknown_pairs_list_the_known_ones():
    with pytest.raises(StoragebookError, match="unet3d on h100"):
        demand("unet3d", "mi300")


def test_checkpoint_of_405b():
    assert CHECKPOINTS["llama3-405b"].total_gib == 5288


def published(name):
    folder = paths.shared()
    file = folder and folder / "data" / "mlperf_storage" / name
    if not file or not file.is_file():
        pytest.skip("the published parameters are not at hand")
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_published_parameter():
    rows = published("workload_params.csv")
    assert {(row["workload"], row["accelerator"]) for row in rows} == set(DEMANDS)
    for row in rows:
        one = DEMANDS[row["workload"], row["accelerator"]]
        assert one.batch == int(row["batch_size"])
        assert one.computation_s == float(row["computation_time_s"])
        assert one.workload.record_length_b == float(row["record_length_bytes"])
        assert one.workload.threshold_pct == float(row["au_threshold_pct"])
        assert one.rounds == tuple(row["rounds"].split(";"))
        assert one.samples_s == pytest.approx(
            float(row["nominal_samples_per_s_per_accelerator"]), abs=5e-5
        )


def test_every_published_checkpoint():
    rows = published("checkpoint_models.csv")
    assert {row["model"] for row in rows} == set(CHECKPOINTS)
    for row in rows:
        one = CHECKPOINTS[row["model"]]
        assert (one.weights_gib, one.optimiser_gib) == (
            float(row["model_gib"]),
            float(row["optimizer_gib"]),
        )
        assert one.total_gib == float(row["total_gib"])
