"""Figures, sizes and lines as tools print them."""

import doctest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.readers import archive, printed
from storagebook.readers.printed import Collector, Reading

BANNER = printed.BANNERS["ior"]


def test_examples():
    assert doctest.testmod(printed).failed == 0


@pytest.mark.parametrize(
    ("text", "value", "problem"),
    [
        ("2104.26", 2104.26, None),
        (" 7 ", 7.0, None),
        ("1.6047097195e+08", 160470971.95, None),
        ("0.000", 0.0, None),
        ("", None, None),
        ("-", None, None),
        ("NA", None, None),
        ("nan", None, "not-a-number"),
        ("-nan", None, "not-a-number"),
        ("-nan(ind)", None, "not-a-number"),
        ("INF", None, "not-a-number"),
        ("1.#QNAN", None, "not-a-number"),
        ("1e999", None, "not-a-number"),
        ("-1", None, "below-zero"),
        ("2104,26", None, "decimal-comma"),
        ("1,234.5", None, "unreadable-figure"),
        ("1.234,5", None, "decimal-comma"),
        ("12MiB", None, "unreadable-figure"),
        ("1_000", None, "unreadable-figure"),
        ("٣", None, "unreadable-figure"),
        ("9" * 61, None, "unreadable-figure"),
    ],
)
def test_cell(text, value, problem):
    assert printed.cell(text) == (value, problem)


@given(st.text(max_size=70))
def test_cell_is_a_figure_or_none(text):
    value, problem = printed.cell(text)
    assert value is None or (value >= 0 and problem is None)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("341965", "341965.05", True),
        ("2104.26", "2104.264", True),
        ("2104.26", "2104.31", False),
        ("NA", "NA", False),
    ],
)
def test_alike(first, second, same):
    assert printed.alike(first, second) is same


class TestCollector:
    def add(self, out, printed_text, **more):
        given = {"version": "1", "run": "r", "operation": "write", "line": 3, "settings": {}}
        return out.add("bandwidth", printed_text, "MiB/s", **given, **more)

    def test_measured(self):
        out = Collector("ior", "f")
        assert self.add(out, "12.50") == 12.5
        assert out.measurements[0].printed == "12.50"

    @pytest.mark.parametrize("text", ["0.000", "NA", "-", ""])
    def test_not_measured_has_no_row_and_no_finding(self, text):
        out = Collector("ior", "f")
        assert self.add(out, text) is None
        assert (out.measurements, out.findings) == ([], [])

    def test_zero_of_something_measured(self):
        out = Collector("ior", "f")
        assert self.add(out, "0.00", zero_is_measured=True) == 0

    @pytest.mark.parametrize("text", ["nan", "-3", "1,5", "abc"])
    def test_bad_figure_is_one_finding_with_its_line(self, text):
        out = Collector("ior", "f")
        assert self.add(out, text) is None
        (finding,) = out.findings
        assert (finding.severity, finding.file, finding.line) == ("error", "f", 3)
        assert repr(text) in finding.text

    def test_settings_are_copied(self):
        out, settings = Collector("ior", "f"), {"tasks": 1}
        out.add("rate", "1", "IOP/s", version="", run="", operation="", line=1, settings=settings)
        settings["tasks"] = 2
        assert out.measurements[0].settings == {"tasks": 1}

    def test_findings_are_bounded_and_the_rest_is_counted(self):
        out = Collector("ior", "f")
        self.add(out, "1")
        for line in range(1000):
            out.find("broken-row", "a row", line)
        found = out.reading().findings
        assert len(found) == printed.MAX_REPEATED + 1
        assert found[-1].text == f"{1000 - printed.MAX_REPEATED} more of broken-row"

    def test_once(self):
        out = Collector("ior", "f")
        for text in ("a", "a", "b"):
            out.find("noise", text, once=True)
        assert [f.text for f in out.findings] == ["a", "b"]

    def test_hostile_text_is_one_printable_line(self):
        out = Collector("ior", "f")
        out.find("tool-error", "a\x1b[31m\nb" + "x" * 9_000)
        assert out.findings[0].text.isprintable()
        assert len(out.findings[0].text) <= 500

    def test_nothing_at_all(self):
        with pytest.raises(StoragebookError, match=r"^f: no result of ior in it$"):
            Collector("ior", "f").reading()

    def test_nothing_but_an_error(self):
        out = Collector("ior", "f")
        out.find("noise", "first", 1)
        out.find("tool-error", "No space left on device", 7)
        with pytest.raises(StoragebookError, match=r"^f:7: no result of ior in it: No space left"):
            out.reading()


class TestRead:
    def parse(self, data, file):
        if data == b"bad":
            raise StoragebookError("broken", file=file, line=2)
        return Reading((), (file, data))

    def test_path_gives_its_name(self, tmp_path):
        (tmp_path / "a.txt").write_bytes(b"x")
        assert printed.read(tmp_path / "a.txt", self.parse).findings == ("a.txt", b"x")

    def test_file_of_a_tree_keeps_its_path(self, tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "b.txt").write_bytes(b"x")
        tree = archive.open_tree(tmp_path, keep=lambda *_: True, report=print)
        (file,) = tree.entries()[1][0].entries()[0]
        assert printed.read(file, self.parse).findings == ("a/b.txt", b"x")

    def test_error_names_the_path_as_given(self, tmp_path):
        path = tmp_path / "a.txt"
        path.write_bytes(b"bad")
        with pytest.raises(StoragebookError) as caught:
            printed.read(str(path), self.parse)
        assert str(caught.value) == f"{path}:2: broken"

    def test_missing(self, tmp_path):
        with pytest.raises(StoragebookError, match="no such file"):
            printed.read(tmp_path / "none", self.parse)

    def test_folder(self, tmp_path):
        with pytest.raises(StoragebookError, match="where one file is read"):
            printed.read(Path(tmp_path), self.parse)


class TestLines:
    @pytest.mark.parametrize(
        ("prefix", "other"),
        [("", ""), ("0: ", "12: "), ("[1,0]<stdout>:", "[1,3]<stderr>:"), ("node01: ", "node01: ")],
    )
    def test_launcher_prefix(self, prefix, other):
        lines = [
            f"{prefix}IOR-4.1.0: MPI Coordinated Test of Parallel I/O",
            f"{other}Machine: Linux node01",
            "3: stonewalling pairs accessed: 7" if not prefix else f"{prefix}rest",
            other,
        ]
        found = printed.text_lines("\n".join(lines).encode(), Collector("ior", "f"), BANNER)
        assert found[0].startswith("IOR-4.1.0")
        assert found[1] == "Machine: Linux node01"
        # without a prefix on the banner, a number in front is IOR's own
        assert found[2] == ("rest" if prefix else "3: stonewalling pairs accessed: 7")
        assert found[3:] in ([""], [])

    def test_colours_and_windows_line_ends(self):
        data = b"\x1b[1mIOR-4.1.0: MPI\x1b[0m\r\nnext  \r\n"
        assert printed.text_lines(data, Collector("ior", "f"), BANNER) == ["IOR-4.1.0: MPI", "next"]

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"a\0b\n", "nul-bytes"),
            (b"\xff\n", "not-utf8"),
            ("a\n".encode("utf-16"), "utf16"),
            (b"x" * (archive.MAX_LINE_B + 1), "long-line"),
        ],
    )
    def test_oddities_are_said(self, data, code):
        out = Collector("ior", "f")
        lines = printed.text_lines(data, out, BANNER)
        assert [f.code for f in out.findings] == [code]
        assert max(map(len, lines)) <= printed.MAX_SHOWN

    def test_parts_of_other_tools_are_said_and_left_out(self):
        ior = "IOR-4.1.0: MPI Coordinated Test of Parallel I/O"
        mdtest = "mdtest-4.1.0 was launched with 2 total task(s) on 1 node(s)"
        out = Collector("ior", "f")
        parts = list(printed.runs_of(["head", ior, "a", mdtest, "b", ior, "c"], "ior", out))
        assert parts == [(0, ["head"]), (1, [ior, "a"]), (5, [ior, "c"])]
        assert [(f.code, f.line) for f in out.findings] == [("other-tool", 4)]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("47008", 47008),
        ("16m", 16 << 20),
        ("1G", 1 << 30),
        ("-C", None),
        (None, None),
        ("1.5m", None),
    ],
)
def test_argument_size(text, size):
    assert printed.argument_size(text) == size


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/b.c/ior.txt", "a/b.c/ior"), ("ior", "ior"), (".txt", ".txt"), ("a.b/ior", "a.b/ior")],
)
def test_run_name(path, name):
    assert printed.run_name(path) == name


@pytest.mark.parametrize(
    "line",
    [
        "slurmstepd: error: *** JOB 1 ON n CANCELLED AT 2023-09-11T10:00:20 DUE TO TIME LIMIT ***",
        "MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD",
        "[node01:1] Segmentation fault (11)",
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
        "Killed",
    ],
)
def test_stopped(line):
    assert printed.stopped(line)


def test_not_stopped():
    assert not printed.stopped("Killed processes: 0")
