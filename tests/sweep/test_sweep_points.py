"""Points: repetitions stay apart, parts are no repetitions, copies count once."""

import shutil
from pathlib import Path

import pytest

from storagebook.errors import StoragebookError
from storagebook.sweep import points
from sweep_rows import row

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
SAMPLES = ROOT / "data" / "samples"


def only(rows):
    (point,) = points.sweep_of(rows).points
    return point


def test_repetitions_become_samples():
    point = only([row(1024.0), row(2048.0, iteration=1, line=2)])
    assert (point.samples, point.mean, point.count) == ((1.0, 2.0), 1.5, 2)
    assert (point.unit, point.where, point.single) == ("GiB/s", "a.txt:1", False)


def test_statistics_stand_in_for_samples_that_are_not_printed():
    texts = {"max": 4096.0, "min": 1024.0, "mean": 2048.0, "stddev": 900.0}
    settings = {"repetitions": 5, "tasks": 2}
    rows = [
        row(value, statistic=name, iteration=None, settings=settings)
        for name, value in texts.items()
    ]
    point = only(rows)
    assert (point.low, point.mean, point.high, point.count) == (1.0, 2.0, 4.0, 5)


def test_samples_come_before_statistics_of_them():
    rows = [row(1024.0), row(2048.0, iteration=1), row(9.0, statistic="mean", iteration=None)]
    assert only(rows).mean == 1.5


def test_statistics_over_tasks_are_one_sample():
    rows = [row(v, statistic=name) for name, v in (("max", 3072.0), ("min", 1.0), ("mean", 2048.0))]
    point = only(rows)
    assert (point.samples, point.count) == ((2.0,), 1)


def test_of_an_unknown_number_of_repetitions():
    rows = [row(v, statistic=n, iteration=None) for n, v in (("max", 3.0), ("mean", 2.0))]
    assert only(rows).count is None


def test_a_rate_is_in_kiops():
    point = only([row(2500.0, quantity="rate", unit="IOP/s")])
    assert (point.mean, point.unit) == (2.5, "kIOP/s")


def test_alike_entries_of_one_run_are_parts():
    rows = [row(1024.0, tool="fio", scope="job", settings={"job": name}) for name in "ab"]
    found = points.sweep_of(rows).points
    assert [point.part for point in found] == [True, True]
    assert [point.count for point in found] == [1, 1]


def test_a_whole_takes_the_place_of_its_parts():
    parts = [row(1.0, tool="fio", scope="job", settings={"job": name}) for name in "ab"]
    point = only([*parts, row(2.0, tool="fio", scope="group")])
    assert (point.scope, point.part) == ("group", False)


def test_what_no_tool_printed_is_no_point():
    assert points.sweep_of([row(1.0, obtained="computed"), row(1.0, scope="rank")]).points == ()


def test_other_tools_are_named():
    sweep = points.sweep_of([row(1.0, tool="mlperf-storage")])
    assert (sweep.points, sweep.others) == ((), ("mlperf-storage",))


def test_text_and_json_of_one_run_count_once():
    sweep = points.load(FIXTURES / "ior")
    assert sweep.copies == (("4.1-same-run.txt", "4.1-same-run.json"),)


@pytest.mark.parametrize(
    "changed", [{"value": 1025.0, "printed": "1025.00"}, {"settings": {"tasks": 4}}]
)
def test_a_run_like_another_is_no_copy(changed):
    other = {"file": "b.txt", "run": "b"}
    assert points.sweep_of([row(1024.0), row(**({"value": 1024.0} | other))]).copies
    assert not points.sweep_of([row(1024.0), row(**({"value": 1024.0} | other | changed))]).copies


def test_phases_of_an_io500_run_count_once(tmp_path):
    run = FIXTURES / "io500" / "standard" / "2031.02.03-04.05.06"
    for path in (run, run.parent):
        sweep = points.load(path)
        assert {point.tool for point in sweep.points} == {"io500"}
        assert len(sweep.left_to_io500) == 2
    shutil.copytree(run, tmp_path / "run")
    shutil.copy(SAMPLES / "outputs" / "ior-1k.txt", tmp_path / "run" / "ior-1k.txt")
    assert {point.tool for point in points.load(tmp_path).points} == {"io500", "ior"}


def test_own_samples():
    sweep = points.load(SAMPLES / "outputs")
    # 5 sizes, text and JSON, write and read; the CSV; 4 fio files, one of them both ways
    bandwidths = [point for point in sweep.points if point.quantity == "bandwidth"]
    assert len(bandwidths) == 5 * 2 * 2 + 2 + 5
    (point,) = [p for p in bandwidths if p.where == "ior-16k.txt:35"]
    # from the file's rows: 1939.54, 2104.26, 2063.99 MiB/s
    assert [value * 1024 for value in point.samples] == pytest.approx([1939.54, 2104.26, 2063.99])
    assert point.single is False


def test_nothing_to_read(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing here\n")
    with pytest.raises(StoragebookError, match="no supported result"):
        points.load(tmp_path)


@pytest.mark.parametrize(
    ("tool", "scope", "settings", "count"),
    [
        ("ior", "all", {"tasks": 64}, 64),
        ("ior", "all", {}, None),
        ("fio", "group", {"tasks": 4, "queue_depth": 8, "api": "libaio"}, 32),
        ("fio", "group", {"tasks": 4, "queue_depth": 8, "api": "psync"}, 4),
        ("fio", "job", {}, 1),
        ("fio", "all", {"tasks": 4}, None),
        ("daos_perf", "all", {"tasks": 4, "credits": 8}, 32),
        ("daos_perf", "all", {"tasks": 4, "credits": 0}, 4),
        ("daos_perf", "all", {"tasks": 4}, None),
    ],
)
def test_in_flight(tool, scope, settings, count):
    assert points.in_flight(tool, settings, scope) == count


def test_one_sample_is_called_one_sample():
    frame = points.frame([only([row(1024.0)])])
    assert frame.samples.tolist() == ["one sample"]
    assert frame[["least", "greatest", "spread_pct"]].isna().all(axis=None)


def test_spread_is_of_the_mean():
    frame = points.frame([only([row(1024.0), row(3072.0, iteration=1)])])
    assert (frame.spread_pct.item(), frame.samples.item()) == (100.0, "2")
