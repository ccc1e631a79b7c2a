"""`storagebook compare`: its three forms and its exit codes."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click import BadParameter
from click.testing import CliRunner

from storagebook.cli import storagebook
from storagebook.compare import Refused
from storagebook.io500 import standing_report

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "io500-small-vm"
FIXTURES = ROOT / "tests" / "fixtures" / "io500"


def run(*words):
    return CliRunner().invoke(storagebook, ["compare", *map(str, words)], standalone_mode=False)


def test_for_people():
    found = run(FIXTURES / "standard", "--with", "production-isc26")
    lines = found.stdout.splitlines()
    assert found.return_value == 0
    assert lines[0] == "standard/2031.02.03-04.05.06 (unverified) against production-isc26"
    # 823.32 is below rank 4 (826.86) and above rank 5 (797.04)
    assert lines[1] == "place 5, beside 46 entries: by its score alone, no published rank"
    assert "verified: no against yes" in lines


def test_percentiles_by_default_against_all_public_runs():
    lines = run("0688").stdout.splitlines()
    assert lines[0] == "submission 0688 (verified) against public"
    write = next(line for line in lines if line.startswith("ior-easy-write")).split()
    assert write[:4] == ["ior-easy-write", "20693.627959", "GiB/s", "99.5"]
    assert any("no order among them is a ranking" in line for line in lines)


def test_a_stated_rank_is_told_as_one():
    lines = run("0772", "--with", "production-isc26").stdout.splitlines()
    assert lines[1] == "rank 2, stated for SuperMUC-NG-Phase2-EC (LRZ)"


def test_for_programs():
    (found,) = json.loads(run("0688", "--factor", "4", "--format", "json").stdout)
    assert found["with"] == "public"
    assert found["place"] is None
    assert "several lists" in found["why_no_place"]
    assert found["same_scale"]["factor"] == 4.0
    assert found["figures"]["find"]["same_scale"]["runs"] == found["same_scale"]["runs"]


def test_every_run_under_a_path():
    found = run(FIXTURES / "shell-log", "--format", "json")
    assert len(json.loads(found.stdout)) > 1


def test_for_spreadsheets():
    text = run(FIXTURES / "standard", "--with", FIXTURES / "list.csv", "--format", "csv").stdout
    rows = {row["figure"]: row for row in csv.DictReader(io.StringIO(text))}
    assert tuple(rows["score"]) == standing_report.CSV_HEAD
    assert (rows["score"]["first_place"], rows["score"]["last_place"]) == ("1", "1")
    assert rows["find"]["percentile"] == "100.0"
    scores = run("0772", "--with", "production-isc26", "--format", "csv").stdout
    assert [row["figure"] for row in csv.DictReader(io.StringIO(scores))] == ["score"]


def test_an_invalid_run_is_said_and_counts():
    found = run(SAMPLE)
    assert found.return_value == 1
    assert "marked-invalid" in found.stderr
    assert "no place" in found.stdout
    assert "nearest: unnamed (0109/sonasad" in " ".join(found.stdout.split())


def test_a_list_with_another_rule_is_refused():
    found = run(SAMPLE, "--with", "ten-node-isc26")
    assert isinstance(found.exception, Refused)
    assert found.stdout == ""


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_a_hostile_name_stays_on_its_line(tmp_path, form):
    folder = Path(shutil.copytree(SAMPLE, tmp_path / "run\x1b[31m\n<script>"))
    shown = run(folder, "--format", form).stdout
    if form == "table":
        assert "\x1b" not in shown
        assert "<script>" in shown.splitlines()[0]
    if form == "json":
        assert json.loads(shown)[0]["run"].endswith("<script>")


def test_what_is_left_out_is_said_and_counts(tmp_path):
    shutil.copytree(FIXTURES / "standard", tmp_path / "good")
    (tmp_path / "good" / "latest").symlink_to("nowhere")
    found = run(tmp_path, "--with", "production-isc26")
    assert found.return_value == 0
    assert found.stderr == "storagebook: left out good/latest: a link, not followed\n"
    (tmp_path / "result_summary.txt").touch()
    found = run(tmp_path, "--with", "production-isc26")
    assert found.return_value == 1
    assert "left out result_summary.txt: an empty file\n" in found.stderr
    assert found.stdout.startswith("good/")


@pytest.mark.parametrize("factor", ["nan", "inf", "1e400", "0"])
def test_a_factor_that_is_none(factor):
    found = run(SAMPLE, "--factor", factor)
    assert isinstance(found.exception, BadParameter)
