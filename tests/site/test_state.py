"""A build is skipped only if nothing it depends on has changed."""

import os
import tracemalloc

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
    parameters = tmp_path / "params.yml"
    parameters.write_text(
        f"your-run:\n  path: {run.parent}\n  runs: ['{run}']\n  label: a/b\n  n: 3\n"
        f"  no: [~nobody-here/x, {'/long' * 100}, '/{'n' * 300}', http://x/y]\n"
    )
    named = state.named_in(project.root, parameters)
    assert named == [run.parent, run]
    before = state.digest(project.root, extra=named)
    run.write_text("2")
    assert state.digest(project.root, extra=named) != before


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\0",
        b"[" * 100_000,
        b"{a: " * 5_000,
        b"a: &a [*a]",
        b"a0: &a0 [/tmp]\n"
        + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b"*a%d, " % (n - 1) * 9) for n in range(1, 30)),
    ],
    ids=["empty", "binary", "deep-lists", "deep-mappings", "holds-itself", "laughs"],
)
def test_hostile_parameter_file_is_over_at_once(project, tmp_path, content):
    parameters = tmp_path / "params.yml"
    parameters.write_bytes(content)
    assert len(state.named_in(project.root, parameters)) <= 1


def test_parameter_file_that_is_none_is_not_read(project, tmp_path):
    with (tmp_path / "long.yml").open("wb") as out:
        out.truncate(2**30)
    for path in (tmp_path / "long.yml", tmp_path, tmp_path / "none"):
        assert state.named_in(project.root, path) == []


def test_large_files_are_hashed_a_piece_at_a_time(project, tmp_path):
    with (tmp_path / "large").open("wb") as out:
        out.truncate(64 * 2**20)
    tracemalloc.start()
    state.digest(project.root, extra=[tmp_path])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 2**20


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
