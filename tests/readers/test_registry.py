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


class TestFiles:
    """Outputs of single tools, found by what they say."""

    IOR = (FIXTURES / "ior" / "3.0.txt").read_text()
    MDTEST = (FIXTURES / "mdtest" / "3.3-stonewall.txt").read_text()

    @staticmethod
    def read(path):
        left_out = []
        return list(readers.readings(path, report=left_out.append)), left_out

    @pytest.mark.parametrize(
        "path",
        [p for tool in readers.FILE_READERS for p in sorted((FIXTURES / tool).iterdir())],
        ids=lambda p: f"{p.parent.name}-{p.name}",
    )
    def test_each_fixture_goes_to_its_reader(self, path):
        assert readers.sniff(path.read_bytes()[: archive.HEAD_B]) == path.parent.name

    def test_several_tools_in_one_file(self, tmp_path):
        log = tmp_path / "job.log"
        log.write_text(self.MDTEST + self.IOR)
        found, left_out = self.read(log)
        assert [reading.measurements[0].tool for reading in found] == ["mdtest", "ior"]
        assert left_out == []

    def test_one_of_several_tools_failed(self, tmp_path):
        log = tmp_path / "job.log"
        log.write_text((FIXTURES / "ior" / "error.txt").read_text() + self.MDTEST)
        found, left_out = self.read(log)
        assert [reading.measurements[0].tool for reading in found] == ["mdtest"]
        assert [(s.path, s.severity) for s in left_out] == [("job.log:16", "error")]

    def test_pages_of_noise_before_the_first_line(self, tmp_path):
        noise = "n02p010.4250ipath_wait_for_device: failed to appear\n" * 500
        (tmp_path / "ior_easy_write.txt").write_text(noise + self.IOR)
        (tmp_path / "prior.txt").write_text(noise + self.IOR)
        found, _ = self.read(tmp_path)
        assert [reading.measurements[0].file for reading in found] == ["ior_easy_write.txt"]

    def test_one_file_that_is_broken_is_one_error(self, tmp_path):
        path = tmp_path / "a.json"
        path.write_text('{\n"fio version" : "fio-3.33",\n"bw" : 1,5\n}\n')
        with pytest.raises(StoragebookError) as caught:
            self.read(path)
        assert (caught.value.file, caught.value.line) == (path, 3)

    def test_broken_file_among_others_is_left_out(self, tmp_path):
        (tmp_path / "a.txt").write_text((FIXTURES / "fio" / "text-for-people.txt").read_text())
        (tmp_path / "b.txt").write_text(self.IOR)
        found, left_out = self.read(tmp_path)
        assert len(found) == 1
        assert [s.path for s in left_out] == ["a.txt"]
        assert "--output-format=json" in left_out[0].why
