"""A build is skipped only if nothing it depends on has changed."""

import os

import pytest

from storagebook.site import state


@pytest.mark.parametrize(
    "changed",
    [
        "book/_toc.yml",
        "book/_static/storagebook.css",
        "data/small.csv",
        "notebooks/01-next.ipynb",
        "requirements.lock",
    ],
)
def test_every_input_counts(project, changed):
    before = state.digest(project.root)
    file = project.root / changed
    file.write_text((file.read_text() if file.exists() else "") + "\n")
    assert state.digest(project.root) != before


def test_the_package_that_runs_counts(project, tmp_path, monkeypatch):
    before = state.digest(project.root)
    monkeypatch.setattr(state, "PACKAGE", tmp_path)
    assert state.digest(project.root) != before


def test_what_is_no_input_does_not_count(project):
    before = state.digest(project.root)
    cache = project.root / "book" / "__pycache__"
    cache.mkdir()
    (cache / "x.pyc").write_bytes(b"x")
    (project.root / "README.md").write_text("x")
    os.utime(project.root / "data" / "small.csv", (1, 1))
    assert state.digest(project.root) == before


def test_renaming_counts(project):
    before = state.digest(project.root)
    (project.root / "data" / "small.csv").rename(project.root / "data" / "other.csv")
    assert state.digest(project.root) != before


def test_a_copy_elsewhere_has_the_same_digest(project, tmp_path):
    before = state.digest(project.root)
    assert state.digest(project.root.rename(tmp_path / "moved")) == before


def test_files_that_parameters_name_count(project, tmp_path):
    run = tmp_path / "my run" / "result.txt"
    run.parent.mkdir()
    run.write_text("1")
    values = {"your-run": {"path": str(run.parent), "runs": [str(run)], "label": "a/b", "n": 3}}
    named = state.named_paths(project.root, values)
    assert named == [run.parent, run]
    before = state.digest(project.root, extra=named)
    run.write_text("2")
    assert state.digest(project.root, extra=named) != before


def test_site_is_current_until_a_page_is_gone(tmp_path):
    (tmp_path / "index.html").write_text("x")
    assert not state.is_current(tmp_path, "a")
    state.write_marker(tmp_path, "a")
    assert state.is_current(tmp_path, "a")
    assert not state.is_current(tmp_path, "b")
    (tmp_path / "index.html").unlink()
    assert not state.is_current(tmp_path, "a")


def test_only_our_own_folders_are_replaced(tmp_path):
    assert state.is_replaceable(tmp_path / "new")
    assert state.is_replaceable(tmp_path)
    (tmp_path / "thesis.tex").write_text("x")
    assert not state.is_replaceable(tmp_path)
    assert not state.is_replaceable(tmp_path / "thesis.tex")
    state.write_marker(tmp_path, "a")
    assert state.is_replaceable(tmp_path)
