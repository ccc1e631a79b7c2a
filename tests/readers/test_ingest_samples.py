"""`storagebook ingest` on every sample: one tidy table in which nothing is implicit."""

import csv
import sys
from pathlib import Path

import pytest

from storagebook import cli, paths, units

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
#: Columns that no row may leave empty.
WHOLE = ("tool", "run", "operation", "quantity", "value", "unit", "statistic", "scope", "obtained")
#: Settings that count things, which need no unit.
COUNTS = {
    *("items", "items_per_task", "iterations", "nodes", "queue_depth", "rank", "repetitions"),
    *("segments", "tasks", "tasks_per_node", "test"),
}
UNITS = ("_b", "_s", "_pct", "_tib")


def ingest(monkeypatch, folder, output):
    monkeypatch.setattr(sys, "argv", ["storagebook", "ingest", str(folder), "-o", str(output)])
    with pytest.raises(SystemExit):
        cli.main()
    with output.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture
def rows(monkeypatch, tmp_path):
    return ingest(monkeypatch, SAMPLES, tmp_path / "all.csv")


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_every_tool_and_every_output_is_in_one_table(rows):
    assert {row["tool"] for row in rows} == {"io500", "ior", "mdtest", "fio"}
    outputs = {f"outputs/{path.name}" for path in (SAMPLES / "outputs").iterdir()}
    assert outputs <= {row["file"] for row in rows}


def test_no_figure_is_without_its_companions(rows):
    for row in rows:
        assert all(row[name] for name in WHOLE), row
        assert units.canonical(row["unit"]) == row["unit"]
        # a figure of a file stands there as printed, a computed one says so
        assert bool(row["printed"]) == (row["obtained"] == "raw-output")
        assert row["file"]
        # JSON has no lines
        assert row["line"] or row["file"].endswith(".json") or row["obtained"] == "computed"


def test_what_repeats_says_which_time_it_is(rows):
    for row in rows:
        if row["tool"] in ("ior", "fio") and row["statistic"] == "single":
            assert row["iteration"] or row["scope"] == "rank", row


def test_each_setting_has_a_unit_in_its_name_or_is_a_count(rows):
    names = list(rows[0])
    for name in names[names.index("line") + 1 :]:
        values = {row[name] for row in rows} - {""}
        if all(map(is_number, values)):
            assert name.endswith(UNITS) or name in COUNTS, name


def test_the_originals_of_the_samples_give_the_same_table(rows, monkeypatch, tmp_path):
    shared = paths.shared()
    if shared is None:
        pytest.skip("the originals are not at hand")
    assert ingest(monkeypatch, shared / "data" / "samples", tmp_path / "shared.csv") == rows
