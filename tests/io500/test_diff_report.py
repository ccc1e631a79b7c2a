"""`storagebook diff`: its three forms and its exit codes."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from storagebook.cli import storagebook
from storagebook.io500 import diff_report
from storagebook.io500.phases import SCORED

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "io500-small-vm"
STANDARD = ROOT / "tests" / "fixtures" / "io500" / "standard" / "2031.02.03-04.05.06"


def run(*words):
    return CliRunner().invoke(storagebook, ["diff", *map(str, words)], standalone_mode=False)


def test_for_people():
    lines = run("0683", "0772").stdout.splitlines()
    assert lines[0] == "a  submission 0683, io500-isc23, 2023-11-06 05:08:12"
    assert "processes      6,480               21,504" in lines
    assert "layout         single-shared-file  file-per-process   ior-easy" in lines
    hard = next(line for line in lines if line.startswith("ior-hard-write"))
    assert hard.split() == [
        *("ior-hard-write", "252.427284", "195.535950", "GiB/s", "-22.5", "%", "-18.2", "%"),
        *("-3.1", "%"),
    ]
    assert any("verified (SC23 production list)" in line for line in lines)


def test_for_programs():
    found = json.loads(run("0683", "0772", "--format", "json").stdout)
    assert found["a"]["run"] == "submission 0683"
    assert {
        "setting": "access",
        "phases": ["ior-easy-write", "ior-easy-read"],
        "a": "single-shared-file",
        "b": "file-per-process",
        "differs": True,
    } in found["settings"]
    easy = found["phases"]["ior-easy-write"]
    assert easy["result"]["a"] == 896.708153
    assert easy["result"]["ratio"] == pytest.approx(1.14650993)
    assert easy["stonewall"]["ratio"] == pytest.approx(1.15078729)
    assert found["options"]["scope"] == "all"
    assert {"option": "nproc", "sections": ["find"], "a": "not set", "b": "21504"} in found[
        "options"
    ]["differ"]
    assert found["score"]["ratio"] == pytest.approx(1.38319170)


def test_as_a_table_for_spreadsheets():
    rows = list(csv.DictReader(io.StringIO(run("0683", "0772", "--format", "csv").stdout)))
    assert tuple(rows[0]) == diff_report.CSV_HEAD
    by_name = {(row["what"], row["name"]): row for row in rows}
    # digits as printed
    assert by_name["result", "ior-hard-write"]["b"] == "195.535950"
    assert by_name["setting", "version"]["a"] == "io500-isc23"
    assert by_name["unknown", "tasks_per_node_count"]["a"] == ""
    assert by_name["option", "nproc"]["b"] == "21504"


def test_something_wrong_in_the_files_is_said_and_counts():
    found = run(SAMPLE, STANDARD)
    assert found.return_value == 1
    assert "marked-invalid" in found.stderr
    assert "INVALID" in found.stdout.splitlines()[0]
    assert run("0683", "0772").return_value == 0


def test_a_hostile_name_stays_on_its_line(tmp_path):
    folder = Path(shutil.copytree(SAMPLE, tmp_path / "run\x1b[31m\n<script>"))
    for form in ("table", "csv", "json"):
        shown = run(folder, STANDARD, "--format", form).stdout
        assert "\x1b" not in shown
        if form == "table":
            assert "<script>" in shown.splitlines()[0]


@pytest.mark.parametrize(
    ("phases", "words"),
    [
        ((), ""),
        (("ior-hard-write", "ior-hard-read"), "ior-hard"),
        (("ior-easy-write", "ior-easy-read", "ior-hard-write", "ior-hard-read"), "all ior"),
        (tuple(p.name for p in SCORED if p.access == "write"), "all writes"),
        (("find",), "find"),
        (("ior-easy-write",), "ior-easy-write"),
        (("ior-rnd4K-easy-read",), "ior-rnd4K-easy-read"),
    ],
)  # fmt: skip
def test_phases_are_named_in_few_words(phases, words):
    assert diff_report.where(phases) == words
