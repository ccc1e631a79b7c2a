"""Which files make up a result, by their paths: every spelling that submitters came up with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.readers import mlperf_layout as layout

RUNS = range(1, 6)


def tree(*patterns, runs=RUNS):
    """Paths of summaries (and of what else is named), one for each run."""
    return [pattern.format(n=n, time=f"2026070{n}_120000") for pattern in patterns for n in runs]


@pytest.mark.parametrize(
    ("pattern", "folder"),
    [
        ("Closed/O/results/S/run{n}/summary.json", "Closed/O/results/S"),
        ("Closed/O/results/S/unet3d/run_{n}/summary.json", "Closed/O/results/S/unet3d"),
        ("Closed/O/results/S/w/h100/run-{n}/summary.json", "Closed/O/results/S/w/h100"),
        ("Closed/O/results/S/w/runs/run{n}/c002/summary.json", "Closed/O/results/S/w"),
        ("Closed/O/results/S/w/run/Run {n}/summary.JSON", "Closed/O/results/S/w"),
        ("Closed/O/results/S/w/runs/{n}/summary.json", "Closed/O/results/S/w"),
        ("Closed/O/results/S/w/run{n}/2024-08-29-14-30-22/summary.json", "Closed/O/results/S/w"),
        ("Closed/O/results/S/w/run{n}/run1/summary.json", "Closed/O/results/S/w"),
        ("Closed/O/results/S/w/run_{n}_20240829/summary.json", "Closed/O/results/S/w"),
        ("closed/O/results/S/training/w/run/{time}/summary.json", "closed/O/results/S/training/w"),
        ("run{n}/summary.json", ""),
        ("run3/w/run{n}/summary.json", "run3/w"),
        ("run3/w/{time}/summary.json", "run3/w"),
    ],
)
def test_runs_are_found_in_every_spelling(pattern, folder):
    (found,) = layout.sets(tree(pattern))
    assert found.path == folder
    assert len(found.runs) == 5
    assert all(len(run.files("summary")) == 1 for run in found.runs)


def test_hosts_of_one_run_stay_together():
    paths = [f"results/S/unet3d/run{n}/{host}/summary.json" for n in RUNS for host in range(1, 9)]
    (found,) = layout.sets(paths)
    assert [run.name for run in found.runs] == [f"run{n}" for n in RUNS]
    assert {len(run.files("summary")) for run in found.runs} == {8}


def test_runs_are_in_the_order_of_their_numbers():
    (found,) = layout.sets(tree("run{n}/summary.json", runs=(10, 9, 1, 2)))
    assert [run.name for run in found.runs] == ["run1", "run2", "run9", "run10"]


def test_results_side_by_side_are_told_apart():
    paths = tree("S/unet3d_1acc/run{n}/summary.json", "S/unet3d_8acc/run{n}/summary.json")
    assert [item.path for item in layout.sets(paths)] == ["S/unet3d_1acc", "S/unet3d_8acc"]
    paths = tree("S/unet3d-run{n}/summary.json", "S/cosmoflow-run{n}/summary.json")
    assert [(item.label, len(item.runs)) for item in layout.sets(paths)] == [
        ("cosmoflow", 5),
        ("unet3d", 5),
    ]


def test_without_names_that_tell_a_report_says_where_the_runs_are():
    paths = [f"S/{word}/host1/summary.json" for word in ("first", "second", "third")]
    (found,) = layout.sets([*paths, "S/mlperf_storage_report.json"])
    assert (found.path, [run.name for run in found.runs]) == ("S", ["first", "second", "third"])


def test_a_run_that_left_no_summary_is_still_a_run():
    paths = tree("S/run{n}/configs/overrides.yaml") + tree("S/run{n}/summary.json", runs=(1, 2))
    (found,) = layout.sets(paths)
    assert len(found.runs) == 5
    assert sum(bool(run.files("summary")) for run in found.runs) == 2


def test_configuration_of_the_run_serves_its_hosts():
    (found,) = layout.sets(["r/run1/h1/summary.json", "r/run1/configs/overrides.yaml"])
    (run,) = found.runs
    host = next(part for part in run.parts if part.files.get("summary"))
    assert run.beside(host, "overrides") == "r/run1/configs/overrides.yaml"


@pytest.mark.parametrize(
    ("report", "runs"),
    [
        ("Closed/O/results/S/w/mlperf_storage_report.json", "Closed/O/results/S/w/run{n}"),
        (
            "Closed/O/results/S/w/runs/mlperf_storage_report.json",
            "Closed/O/results/S/w/runs/run{n}",
        ),
        ("Closed/O/results/S/mlperf_storage_report.json", "Closed/O/results/S/w/run{n}/host1"),
        ("Closed/O/results/S/w/report/mlperf_storage_report.json", "Closed/O/results/S/w/run{n}"),
        ("w/MLPERF_STORAGE_REPORT.JSON", "w/run{n}"),
    ],
)
def test_the_report_is_found_where_submitters_put_it(report, runs):
    (found,) = layout.sets([report, *tree(runs + "/summary.json")])
    assert found.reports == (report,)


def test_a_report_of_another_system_is_not_taken():
    paths = tree("Closed/O/results/S/run{n}/summary.json")
    found = layout.sets([*paths, "Closed/O/results/T/mlperf_storage_report.json"])
    assert [(item.path, item.reports != (), len(item.runs)) for item in found] == [
        ("Closed/O/results/S", False, 5),
        ("Closed/O/results/T", True, 0),
    ]


def test_a_report_above_the_system_is_not_its_own():
    paths = tree("Closed/O/results/S/w/run{n}/summary.json")
    for report in ("Closed/O/results/mlperf_storage_report.json", "mlperf_storage_report.json"):
        assert layout.sets([report, *paths])[-1].reports == ()
    # without a folder of that name, two levels up are near enough
    paths = tree("a/b/c/run{n}/summary.json")
    assert layout.sets(["a/b/mlperf_storage_report.json", *paths])[0].reports
    assert not layout.sets(["a/mlperf_storage_report.json", *paths])[-1].reports


def test_side_cars_generated_data_and_other_tools_are_left_alone():
    paths = [
        "S/run1/._summary.json",
        "__MACOSX/S/run1/summary.json",
        "S/training/unet3d/datagen/20260704_050040/dlio_config/config.yaml",
        "S/training/unet3d/datagen/20260704_050040/summary.json",
        "tool/config.yaml",
        "tool/settings/config.yaml",
    ]
    assert layout.sets(paths) == []
    assert layout.role("S/run1/._summary.json") == "side-car"


@pytest.mark.parametrize(
    ("path", "division", "submitter", "system", "round_"),
    [
        ("Closed/Org/results/Sys/w", "closed", "Org", "Sys", None),
        ("storage_results_v1.0-main/OPEN/Org/Results/Sys/w/h100", "open", "Org", "Sys", "v1.0"),
        ("v3.0/closed/Org/results/Sys/training/w", "closed", "Org", "Sys", "v3.0"),
        ("results/Sys/unet3d", None, None, "Sys", None),
        ("results/unet3d", None, None, None, None),
        ("mine/unet3d", None, None, None, None),
        ("Closed/Org/results/FS_v2.0/w", "closed", "Org", "FS_v2.0", None),
    ],
)
def test_place(path, division, submitter, system, round_):
    place = layout.place(tuple(path.split("/")))
    assert (place.division, place.submitter, place.system, place.round) == (
        division,
        submitter,
        system,
        round_,
    )


def test_a_folder_called_open_above_what_is_read_means_nothing():
    assert layout.place(("unet3d",), ("data", "open", "mine")).division is None
    assert layout.place(("w",), ("x", "Open", "Org", "results", "Sys")).division == "open"


@given(
    st.lists(
        st.lists(
            st.sampled_from(["run1", "run2", "runs", "1", "x", "results", "Closed", "._a"]),
            max_size=5,
        ).flatmap(
            lambda folders: st.sampled_from(
                ["summary.json", "mlperf_storage_report.json", "configs/overrides.yaml", "y"]
            ).map(lambda name: "/".join([*folders, name]))
        ),
        max_size=12,
        unique=True,
    )
)
def test_every_summary_is_in_exactly_one_run(paths):
    wanted = sorted(path for path in paths if layout.role(path) == "summary")
    found = sorted(
        file for item in layout.sets(paths) for run in item.runs for file in run.files("summary")
    )
    assert found == wanted
