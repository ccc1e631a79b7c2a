"""Notebooks run the same way everywhere, and say clearly why one does not."""

import nbformat
import pytest

from storagebook.errors import StoragebookError
from storagebook.site import execute


def run(project, path, **parameters):
    return execute.execute_all({path: parameters}, folder=project.root)[path]


def test_two_runs_give_the_same_bytes(project):
    path = project.write("x", "%%md # X", "n = 1", "print(n); print({'a', 'b', 'c'})")
    first, second = (execute.to_text(run(project, path, n=2)) for _ in range(2))
    assert first == second
    assert "papermill" not in first
    assert "iopub" not in first
    assert str(project.root) not in first


def test_parameters_replace_the_defaults(project):
    path = project.write("x", "n = 1", "print(n + 1)")
    done = run(project, path, n=41)
    assert [cell.id for cell in done.cells] == ["cell-1", "injected-parameters", "cell-2"]
    assert done.cells[2].outputs[0].text == "42\n"
    assert execute.assigned(done, execute.INJECTED_TAG) == {"n": 41}


def test_a_parameter_at_its_default_changes_nothing(project):
    path = project.write("x", "n = 1", "print(n)")
    assert execute.to_text(run(project, path, n=1)) == execute.to_text(run(project, path))
    assert len(run(project, path, n=1.0).cells) == 3, "1.0 is not 1"


def test_kernels_start_in_the_root_with_the_projects_own_root(project):
    path = project.write(
        "x", "n = 1", "import os; print(os.getcwd() == os.environ['STORAGEBOOK_ROOT'])"
    )
    assert run(project, path).cells[1].outputs[0].text == "True\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "rows = []\nrows[0]",
            r"cell 2 \(rows = \[\]\) fails: IndexError: list index out of range",
        ),
        ("raise ValueError('two\\nlines')", r"fails: ValueError: two\\nlines$"),
        (
            "from storagebook.errors import StoragebookError\n"
            "raise StoragebookError('no rate', file='t.csv', line=3)",
            r"fails: t.csv:3: no rate$",
        ),
        ("import sys; print('careful', file=sys.stderr)", "prints to stderr: careful"),
        ("import warnings; warnings.warn('old')", "prints to stderr: .*UserWarning: old"),
        ("import os; os._exit(1)", "cannot be run: Kernel died"),
        ("x = )", "SyntaxError"),
    ],
)
def test_a_failing_cell_is_named(project, source, reason):
    path = project.write("bad", "n = 1", source)
    with pytest.raises(StoragebookError, match=reason) as caught:
        run(project, path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_unknown_parameter_stops_the_run(project):
    path = project.write("x", "n = 1\nlabel = 'a'")
    with pytest.raises(StoragebookError, match="no parameter m — it has label, n"):
        run(project, path, m=1)


def test_the_first_of_several_failures_is_told(project):
    good = project.write("good", "n = 1")
    bad = [project.write(name, "n = 1", f"raise ValueError('{name}')") for name in ("b1", "b2")]
    with pytest.raises(StoragebookError, match=r"ValueError: b[12]"):
        execute.execute_all({path: {} for path in (good, *bad)}, folder=project.root)


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"cells": 1, "nbformat": 4}'])
def test_what_is_no_notebook_is_said(project, content):
    path = project.root / "notebooks" / "broken.ipynb"
    path.write_text(content)
    with pytest.raises(StoragebookError, match="not a notebook"):
        execute.read_notebook(path)


def test_normalised_streams_are_whole(project):
    pieces = [nbformat.v4.new_output("stream", name="stdout", text=t) for t in ("a\n", "b\n")]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=pieces)])
    book.metadata["widgets"] = {"state": 1}
    done = execute.normalise(book)
    assert [output.text for output in done.cells[0].outputs] == ["a\nb\n"]
    assert done.cells[0].id == "cell-1"
    assert sorted(done.metadata) == ["kernelspec", "language_info"]


def test_writing_is_all_or_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        execute.write_text(tmp_path / "folder", "x")
    execute.write_text(tmp_path / "file", "ü\n")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "ü\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]
