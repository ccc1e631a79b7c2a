"""`storagebook score` and `ingest` on MLPerf Storage results."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from storagebook.errors import StoragebookError
from storagebook.readers import commands

FIXTURES = Path(__file__).parents[1] / "fixtures" / "mlperf_storage"


def score(*arguments):
    return CliRunner().invoke(commands.score, [str(a) for a in arguments], standalone_mode=False)


def test_score_as_json_is_the_contract():
    done = score(FIXTURES / "v1.0", "--format", "json")
    (found,) = json.loads(done.stdout)
    assert done.return_value == 0
    assert (found["benchmark"], found["hosts"], found["accelerators"]) == ("mlperf-storage", 5, 15)
    assert (found["passes"], found["report_agrees"]) == (True, True)


def test_score_as_csv_has_units_in_its_columns():
    rows = list(csv.DictReader(io.StringIO(score(FIXTURES, "--format", "csv").stdout)))
    assert [row["round"] for row in rows] == ["v0.5", "v1.0", "v2.0", "v3.0", "v3.0"]
    assert rows[1]["bandwidth_gib_s"].startswith("40.0176")
    assert (rows[1]["passes"], rows[2]["passes"], rows[3]["report_agrees"]) == ("true", "", "")


def test_score_for_people_shows_each_run_of_one_result():
    text = score(FIXTURES / "v1.0").stdout
    assert "run-3  91.20     293.10  40,978.09" in text
    assert "mean   91.19     293.10  40,978.09" in text
    assert "bandwidth      40.02 GiB/s" in text
    assert "passes         yes" in text
    text = score(FIXTURES / "v3.0/closed/Example/results/NewFS/checkpointing").stdout
    assert "20260708_075020        34.50    26.40" in text
    assert "bandwidth" not in text


def test_something_wrong_in_the_data_exits_with_1(tmp_path):
    shutil.copytree(FIXTURES / "v1.0", tmp_path / "v1.0")
    shutil.rmtree(next(tmp_path.rglob("run-5")))
    done = score(tmp_path, "--format", "json")
    assert done.return_value == 1
    (found,) = json.loads(done.stdout)
    assert found["passes"] is False


def test_what_cannot_be_told_gives_no_output(tmp_path):
    (tmp_path / "run1").mkdir()
    (tmp_path / "run1" / "summary.json").write_text('{"metric": oops')
    done = score(tmp_path, "--format", "json")
    assert isinstance(done.exception, StoragebookError)
    assert done.stdout == ""
    assert "run1/summary.json: line 1: not JSON" in str(done.exception)


def test_runs_of_two_benchmarks_do_not_share_a_csv(tmp_path):
    log = "[RESULT] ior-easy-write 1.0 GiB/s : time 300.0 seconds\n"
    log += "[SCORE ] Bandwidth 1.0 GiB/s : IOPS 1.0 kiops : TOTAL 1.0\n"
    (tmp_path / "result_summary.txt").write_text(log)
    done = score(tmp_path, FIXTURES / "v1.0", "--format", "csv")
    assert isinstance(done.exception, StoragebookError)
    assert done.stdout == ""


def test_ingest(tmp_path):
    arguments = [str(FIXTURES), "-o", str(tmp_path / "out.csv")]
    done = CliRunner().invoke(commands.ingest, arguments, standalone_mode=False)
    assert done.return_value == 0
    with (tmp_path / "out.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["tool"] for row in rows} == {"mlperf-storage"}
    assert {row["version"] for row in rows} == {"v0.5", "v1.0", "v2.0", "v3.0"}
    assert {row["unit"] for row in rows} == {"%", "sample/s", "MiB/s", "GiB/s", "GiB", "s"}


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_hostile_names_stay_on_their_line(tmp_path, form):
    folder = tmp_path / "Closed/E\x1b[31m\nvil/results/S/unet3d-h100"
    shutil.copytree(FIXTURES / "v1.0/Closed/Example/results/FastFS-5hosts/unet3d-h100", folder)
    text = score(tmp_path, "--format", form).stdout
    assert "\x1b" not in text
    assert "\nvil" not in text
