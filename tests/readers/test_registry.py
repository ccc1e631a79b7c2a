"""One way in for every tool's output."""

import shutil
from pathlib import Path

import pytest

from storagebook import readers, units
from storagebook.errors import StoragebookError
from storagebook.readers import archive

FIXTURES = Path(__file__).parents[1] / "fixtures"
STANDARD = FIXTURES / "io500" / "standard"
SAMPLES = Path(__file__).parents[2] / "data" / "samples"


@pytest.mark.parametrize("name", readers.FILE_READERS)
def test_file_readers_keep_to_the_protocol(name):
    module = readers._module(name)
    assert module.sniff(b"") is False
    with pytest.raises(StoragebookError):
        module.read(SAMPLES / "README.md")


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        (STANDARD / "2031.02.03-04.05.06" / "result.txt", "io500"),
        (STANDARD / "2031.02.03-04.05.06" / "result_summary.txt", "io500"),
        (STANDARD / "2031.02.03-04.05.06" / "ior-easy-write.txt", "ior"),
        (STANDARD / "2031.02.03-04.05.06" / "mdtest-easy-write.txt", "mdtest"),
        (STANDARD / "2031.02.03-04.05.06" / "config.ini", None),
        (SAMPLES / "README.md", None),
    ],
)
def test_sniff(path, tool):
    assert readers.sniff(path.read_bytes()[: archive.HEAD_B]) == tool


def test_table_of_everything():
    table = readers.read(STANDARD)
    assert set(table.tool) == {"io500", "ior", "mdtest"}
    assert table.unit.notna().all()
    assert all(units.canonical(unit) == unit for unit in set(table.unit))
    score = table[(table.tool == "io500") & (table.quantity == "score")]
    assert list(score.obtained) == ["raw-output", "computed"]
    assert score.value.tolist() == pytest.approx([823.320611, 823.320611], abs=1e-6)
    write = table[(table.operation == "ior-easy-write") & (table.quantity == "bandwidth_stonewall")]
    assert (write.value.item(), write.printed.item()) == (430.11, "430.11")


def test_one_figure_of_one_phase_has_all_its_companions():
    table = readers.read(STANDARD)
    row = table[(table.operation == "mdtest-hard-write") & (table.quantity == "rate")].iloc[0]
    assert (row.value, row.unit, row.printed) == (940.117305, "kIOP/s", "940.117305")
    assert (row.version, row.tasks, row.items_per_task) == ("io500-sc30_v1", 640, 4000000)
    assert (row.file.rpartition("/")[2], row.line) == ("result_summary.txt", 6)
    assert row.valid


def test_own_samples():
    table = readers.read(SAMPLES / "io500-small-vm")
    assert {"io500", "ior", "mdtest"} <= set(table.tool)
    runs = table[table.tool == "io500"]
    assert not runs[runs.operation == "ior-easy-write"].valid.any()


def test_whatever_stands_in_the_way_is_reported_once(tmp_path):
    shutil.copytree(STANDARD, tmp_path / "good")
    (tmp_path / "link").symlink_to("good")
    (tmp_path / "result.txt").touch()
    left_out = []
    assert list(readers.readings(tmp_path, report=left_out.append))
    assert sorted((s.path, s.severity) for s in left_out) == [
        ("link", "note"),
        ("result.txt", "error"),
    ]


def test_nothing_is_an_error(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing here\n")
    for path in (tmp_path, tmp_path / "notes.txt", tmp_path / "none"):
        with pytest.raises(StoragebookError):
            readers.read(path)
    (tmp_path / "result.txt").touch()
    with pytest.raises(StoragebookError, match="an empty file"):
        readers.read(tmp_path)
