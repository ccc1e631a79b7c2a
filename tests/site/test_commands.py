"""`storagebook build` and `refresh` as a user runs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from storagebook.site import commands, execute, refresh, state

ROOT = Path(__file__).parents[2]


def storagebook(project, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from storagebook.cli import main; main()", *arguments],
        cwd=project.root,
        env={**os.environ, "STORAGEBOOK_ROOT": str(project.root)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def before(project) -> Path:
    """A site that was built before."""
    site = project.root / "_build" / "html"
    site.mkdir(parents=True)
    (site / "index.html").write_text("the site before")
    state.write_marker(site, "before")
    return site


def assert_told_in_one_line(done, *words: str) -> None:
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("storagebook: ")
    for word in words:
        assert word in done.stderr


def test_second_build_has_nothing_to_do(project):
    project.write("index", "%%md # One page", "n = 1", "print(n)")
    project.toc("index", "page")
    (project.root / "book" / "page.md").write_text("# Page\n\nText.\n")
    (project.root / "notebooks" / "01-next.ipynb").unlink()
    first = storagebook(project, "build")
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[-1] == "Open _build/html/index.html"
    site = project.root / "_build" / "html"
    was = site.stat().st_ino
    second = storagebook(project, "build")
    assert second.stdout == "Nothing has changed\nOpen _build/html/index.html\n"
    assert site.stat().st_ino == was
    (project.root / "data" / "small.csv").write_text("x\n2\n")
    assert not state.is_current(
        site, commands.inputs_digest(project.root, [project.root / commands.DEFAULT_PARAMETERS])
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no-such-notebook:\n  n: 1\n", ["my.yml", "no-such-notebook"]),
        ("02-units-and-bases:\n  valeu: 1.0\n", ["my.yml", "valeu", "value"]),
        ("02-units-and-bases:\n  value: much\n", ["my.yml", "value"]),
        ("02-units-and-bases:\n  value: -1.0\n", ["my.yml", "value"]),
        ("a: [", ["my.yml"]),
    ],
)
def test_bad_parameter_file_stops_the_build(project, before, text, words):
    (project.root / "my.yml").write_text(text)
    done = storagebook(project, "build", "--params", "my.yml")
    assert_told_in_one_line(done, *words)
    assert (before / "index.html").read_text() == "the site before"


def test_missing_parameter_file_is_said(project, before):
    done = storagebook(project, "build", "--params", "gone.yml")
    assert_told_in_one_line(done, "gone.yml", "no such parameter file")
    assert (before / "index.html").read_text() == "the site before"


def test_table_without_a_column_stops_the_build(project, before):
    shutil.rmtree(project.root / "data")
    shutil.copytree(ROOT / "data", project.root / "data")
    table = project.root / "data" / "quoted" / "aurora-phases.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("".join(line.rpartition(",")[0] + "\n" for line in lines), encoding="utf-8")
    project.write(
        "index", "%%md # X", "n = 1", 'from storagebook import tables\ntables.load("aurora-phases")'
    )
    done = storagebook(project, "build")
    assert_told_in_one_line(done, "index.ipynb", "cell 3", "aurora-phases.csv")
    assert (before / "index.html").read_text() == "the site before"


def test_notebook_that_raises_stops_the_build(project, before):
    project.write("index", "%%md # X", "n = 1", "{}['rate']")
    assert_told_in_one_line(storagebook(project, "build"), "index.ipynb", "cell 3", "KeyError")
    assert (before / "index.html").read_text() == "the site before"


@pytest.mark.parametrize("command", ["build", "refresh"])
def test_help_says_what_it_does(project, command):
    done = storagebook(project, command, "--help")
    assert done.returncode == 0
    assert re.match(r"Usage: .*\n\n  [A-Z](.*\n)+\nOptions:\n", done.stdout)


def test_refresh_writes_the_outputs_and_prints_what_moved(project):
    path = project.write("index", "%%md # X", "n = 1", "rate = 10.5 * n", "print(rate, 7)")
    project.toc("index")
    (project.root / "notebooks" / "01-next.ipynb").unlink()
    assert storagebook(project, "refresh").returncode == 0
    assert storagebook(project, "refresh").stdout.endswith("no numbers moved\n")
    notebook = execute.read_notebook(path)
    notebook.cells[2].source = "rate = 11.5 * n"
    execute.write_text(path, execute.to_text(notebook))
    done = storagebook(project, "refresh")
    assert done.stdout.splitlines()[-2:] == ["index cell 4: 10.5 → 11.5", "1 number moved"]
    assert execute.read_notebook(path).cells[3].outputs[0].text == "11.5 7\n"


def test_numbers_are_paired_in_their_order():
    changes = refresh.moved("t", "a 1.5 and 20,693.63 of -5", "a 1.6 and 20,693.63 of -5 and 1e-3")
    assert [str(change) for change in changes] == ["t: 1.5 → 1.6", "t: nothing → 1e-3"]
    assert list(refresh.moved("t", "ior-easy-write 3", "mdtest-hard-read 3")) == []


def test_tables_are_compared_line_by_line():
    old, new = (
        {Path("d/a.csv"): "x\n1\n2\n"},
        {Path("d/a.csv"): "x\n1\n3\n", Path("d/b.csv"): "x\n4\n"},
    )
    changes = [str(change) for change in refresh.moved_in_tables(old, new)]
    assert changes == ["a.csv:3: 2 → 3", "b.csv:2: nothing → 4"]


def test_refresh_runs_only_the_named_notebooks(project):
    path = project.write("index", "%%md # X", "n = 1", "print(n)")
    project.toc("index", "01-next")
    other = project.root / "notebooks" / "01-next.ipynb"
    untouched = other.read_bytes()
    assert storagebook(project, "refresh", "index").returncode == 0
    assert execute.read_notebook(path).cells[2].outputs[0].text == "1\n"
    assert other.read_bytes() == untouched
    assert_told_in_one_line(storagebook(project, "refresh", "indx"), "'indx'", "01-next")


def test_data_of_a_chart_in_another_order_of_keys_has_not_moved():
    def notebook(row):
        chart = {"datasets": {"d": [row]}}
        output = nbformat.v4.new_output("display_data", {refresh._DRAWING: chart})
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(id="a", outputs=[output])])

    before = notebook({"servers": 128, "rate": 5.72})
    assert refresh.moved_in_notebook("n", before, notebook({"rate": 5.72, "servers": 128})) == []
    assert (
        len(refresh.moved_in_notebook("n", before, notebook({"rate": 5.73, "servers": 128}))) == 1
    )
