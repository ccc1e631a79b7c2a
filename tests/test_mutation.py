"""The mutation script finds what no guard binds, and only that."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from storagebook import tables

SCRIPT = Path(__file__).with_name("mutation.py")


@pytest.fixture(scope="module")
def mutation():
    spec = importlib.util.spec_from_file_location("mutation", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "whole", "up", "after"),
    [
        ("20,693.63", False, True, "20,900.5663"),
        ("20693.63", False, False, "20486.6937"),
        ("0.98", False, True, "0.9898"),
        ("-59.8", False, True, "-59.202"),
        ("+0.03", False, True, "+0.0303"),
        ("0.00", False, True, "0.01"),
        ("-0.00", False, False, "-0.01"),
        ("62,400", True, True, "63,024"),
        ("1284", True, False, "1271"),
        ("1", True, True, "2"),
        ("1", True, False, "0"),
    ],
)
def test_a_cell_moves_by_one_per_cent_or_by_one(mutation, text, whole, up, after):
    assert mutation.moved(text, whole=whole, up=up) == after


GUARD = """
import pytest
from storagebook import tables
pytestmark = pytest.mark.guard
def test_sum():
    table = tables.load("sums")
    assert (table["first_s"] + table["second_s"] == table["sum_s"]).all()
"""


def run(root, folder):
    return subprocess.run(
        [sys.executable, str(SCRIPT), "--tests", str(folder)],
        env={**os.environ, "STORAGEBOOK_ROOT": str(root)},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "datapackage.json").write_text('{"resources": []}')
    (tmp_path / "data" / "sums.csv").write_text(
        "first_s,second_s,sum_s,free_s\n1,2.5,3.5,7\n2,1,3,\n"
    )
    (tmp_path / "test_guard_sums.py").write_text(GUARD)
    monkeypatch.setenv("STORAGEBOOK_ROOT", str(tmp_path))
    seconds = {"type": "number", "unit": "s"}
    fields = [{"name": n, **seconds} for n in ("first_s", "second_s", "sum_s", "free_s")]
    tables.write_package({"name": "sums", "path": "sums.csv", "schema": {"fields": fields}})
    return tmp_path


def test_survivors_are_told_and_fail_the_script(project):
    before = (project / "data" / "sums.csv").read_bytes()
    done = run(project, project)
    assert [line for line in done.stdout.splitlines() if line.startswith("survived:")] == [
        "survived: sums:2 free_s: 7 -> 7.07 (UNEXPLAINED)",
        "survived: sums:2 free_s: 7 -> 6.93 (UNEXPLAINED)",
    ]
    (counts,) = [line.split() for line in done.stdout.splitlines() if line.startswith("sums ")]
    assert counts[1:5] == ["14", "12", "0", "2"]
    assert done.returncode == 1
    assert (project / "data" / "sums.csv").read_bytes() == before


def test_a_guard_that_fails_on_unmoved_data_ends_the_script(project):
    guard = project / "test_guard_sums.py"
    guard.write_text(guard.read_text().replace("==", "!="))
    done = run(project, project)
    assert done.returncode == 2
    assert "fails on unmoved data" in done.stderr


def test_guards_may_share_a_fixture(project):
    guard = project / "test_guard_sums.py"
    shared = """
@pytest.fixture(scope="module")
def table():
    return tables.load("sums")
def test_anything(table):
    assert len(table)
def test_free(table):
    assert table["free_s"].dropna().tolist() == [7]
"""
    guard.write_text(guard.read_text() + shared)
    done = run(project, project)
    assert done.returncode == 0, done.stdout + done.stderr
