"""IOzone: throughput mode, its report, the table of one process and its reports."""

import pytest

from outputs import FIXTURES, codes, edited, errors, one, rows, text_of
from storagebook.errors import StoragebookError
from storagebook.readers import iozone

FILES = sorted((FIXTURES / "iozone").iterdir())


def fixture(name):
    return iozone.read(FIXTURES / "iozone" / name)


def parsed(name, *changes):
    return iozone.parse(edited(text_of("iozone", name), *changes), name)


def figures(reading, **wanted):
    return [(m.value, m.unit) for m in rows(reading, **wanted)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_sniffs_its_own(path):
    assert iozone.sniff(path.read_bytes()[:4096])


@pytest.mark.parametrize("tool", ["ior", "mdtest", "fio", "daos_perf"])
def test_leaves_others_alone(tool):
    assert not any(iozone.sniff(p.read_bytes()[:4096]) for p in (FIXTURES / tool).iterdir())


class TestThroughput:
    def test_figures(self):
        found = fixture("3.487-throughput.txt")
        assert codes(found) == []
        assert {m.version for m in found.measurements} == {"3.487"}
        assert figures(found, operation="write", quantity="bandwidth_sum") == [(1600000.0, "KiB/s")]
        assert figures(found, operation="read", quantity="bandwidth", scope="all") == [
            (3100000.0, "KiB/s")
        ]
        ranks = rows(found, operation="write", quantity="bandwidth", scope="rank")
        assert [(m.statistic, m.value) for m in ranks] == [
            ("min", 90000.0),
            ("max", 110000.0),
            ("mean", 100000.0),
        ]
        moved = one(found, operation="read", quantity="data_moved")
        assert (moved.value, moved.unit, moved.statistic, moved.line) == (
            242870000.0,
            "KiB",
            "min",
            39,
        )

    def test_settings(self):
        assert fixture("3.487-throughput.txt").measurements[0].settings == {
            "command": "iozone -i0 -i1 -c -e -w -r 8M -s 256G -t 16 -+n -+m ./threadlist",
            "include_close": True,
            "include_fsync": True,
            "no_retest": True,
            "distributed": True,
            "transfer_b": 8 * 2**20,
            "size_b": 256 * 2**30,
            "tasks": 16,
        }

    def test_numbers_of_processes_stay_apart(self):
        found = fixture("3.283-report.txt")
        assert codes(found) == []
        assert [(m.settings["tasks"], m.value) for m in rows(found, quantity="bandwidth_sum")] == [
            (1, 100000.0),
            (2, 180000.0),
        ]

    def test_a_test_twice_is_two_iterations(self):
        text = text_of("iozone", "3.487-throughput.txt")
        start, end = (
            text.index("	Test running:"),
            text.index("	Children see throughput for 16 readers"),
        )
        block = text[start:end]
        found = iozone.parse(edited(text, (block, block + block)), "f.txt")
        sums = rows(found, operation="write", quantity="bandwidth_sum")
        assert [m.iteration for m in sums] == [0, 1]


class TestReports:
    def test_alone(self):
        found = fixture("report-alone.txt")
        assert figures(found, operation="random read") == [(73000.0, "IOP/s")]
        assert one(found, operation="random write").quantity == "rate_sum"
        assert found.measurements[0].settings == {"transfer_b": 4096, "column": 1}

    def test_table_of_one_process(self):
        found = fixture("3.489-table.txt")
        # columns of -i 0 and -i 2: the row has four figures under thirteen headings
        first = rows(found, size_b=64 << 10, transfer_b=4 << 10)
        assert [(m.operation, m.value) for m in first] == [
            ("write", 100000.0),
            ("rewrite", 200000.0),
            ("random read", 300000.0),
            ("random write", 150000.0),
        ]
        assert {m.unit for m in found.measurements} == {"KiB/s"}

    def test_all_columns(self):
        figures_ = " ".join(str(n) for n in range(1, 14))
        found = parsed(
            "3.489-table.txt",
            (
                "64       4   100000     200000                        300000    150000",
                f"64  4  {figures_}",
            ),
            ('"64"   ', '"65"   '),
        )
        row = rows(found, size_b=64 << 10, transfer_b=4 << 10)
        assert [m.operation for m in row] == [
            "write",
            "rewrite",
            "read",
            "reread",
            "random read",
            "random write",
            "backward read",
            "record rewrite",
            "stride read",
            "fwrite",
            "frewrite",
            "fread",
            "freread",
        ]
        assert [m.value for m in row] == list(range(1, 14))

    def test_grid_alone(self):
        text = text_of("iozone", "3.489-table.txt")
        found = iozone.parse(text[text.index('"Writer report"') :].encode(), "f.txt")
        assert [
            (m.settings["size_b"], m.settings["transfer_b"], m.value)
            for m in rows(found, operation="write")
        ] == [(65536, 4096, 100000.0), (65536, 8192, 110000.0), (131072, 4096, 120000.0)]


class TestRules:
    """The rules of readers.md, in their order."""

    @pytest.mark.parametrize("label", ["kB/sec", "KB/sec", "Kbytes/sec"])
    def test_1_k_is_1024_in_every_spelling(self, label):
        found = parsed("3.487-throughput.txt", ("kB/sec", label))
        assert figures(found, operation="write", quantity="bandwidth_sum") == [(1600000.0, "KiB/s")]

    def test_1_unit_of_each_figure(self):
        found = parsed("3.487-throughput.txt", ("1500000.00 kB/sec", "1500.00 MB/sec"))
        assert errors(found) == ["unknown-unit"]
        assert rows(found, operation="write", quantity="bandwidth", scope="all") == []

    def test_1_unit_of_a_report(self):
        found = fixture("3.489-table.txt")
        assert found.measurements[0].unit == "KiB/s"
        text = edited(
            text_of("iozone", "3.489-table.txt"),
            ("Output is in kBytes/sec", "Output is in furlongs/sec"),
        )
        with pytest.raises(StoragebookError, match="furlongs/sec"):
            iozone.parse(text, "f")

    def test_2_children_and_parent_are_two_things(self):
        found = fixture("3.487-throughput.txt")
        assert {m.quantity for m in rows(found, operation="write", scope="all")} == {
            "bandwidth_sum",
            "bandwidth",
        }

    def test_2_operations_instead_of_bytes(self):
        found = fixture("interrupted.txt")
        assert {(m.quantity, m.unit) for m in found.measurements} == {
            ("rate_sum", "IOP/s"),
            ("rate", "IOP/s"),
            ("operations", "1"),
        }

    def test_3_unknown_table(self):
        found = parsed(
            "3.489-table.txt",
            ("fwrite  frewrite     fread   freread", "pwrite  repwrite     pread   repread"),
        )
        assert "unknown-column" in errors(found)
        # the reports below the table are read all the same
        assert len(rows(found, operation="write")) == 3

    def test_3_columns_that_nothing_tells(self):
        found = parsed("3.489-table.txt", ("-a -i 0 -i 2", "-a -i 0"))
        assert errors(found) == ["broken-row"] * 3

    @pytest.mark.parametrize(
        ("text", "code"),
        [("nan", "not-a-number"), ("inf", "not-a-number"), ("-1.00", "below-zero")],
    )
    def test_4_no_number(self, text, code):
        found = parsed("3.487-throughput.txt", ("1600000.00 kB", f"{text} kB"))
        assert errors(found) == [code]
        assert rows(found, operation="write", quantity="bandwidth_sum") == []

    def test_4_zero(self):
        found = parsed("3.487-throughput.txt", ("= 219628000.00 kB", "= 0.00 kB"))
        assert rows(found, operation="write", quantity="data_moved") == []
        assert codes(found) == []

    def test_5_report_against_text(self):
        found = parsed("3.283-report.txt", ("100000.00  180000.00 ", "100000.00  190000.00 "))
        assert errors(found) == ["contradiction"]
        sums = rows(found, quantity="bandwidth_sum", tasks=2)
        assert [m.value for m in sums] == [180000.0, 190000.0]

    def test_5_report_against_table(self):
        found = fixture("3.489-table.txt")
        assert [(f.code, f.line) for f in found.findings] == [("contradiction", 39)]
        assert [m.value for m in rows(found, operation="random write", size_b=128 << 10)] == [
            170000.0,
            170100.0,
        ]

    def test_6_processes_are_ranks(self):
        found = fixture("3.487-throughput.txt")
        assert {m.scope for m in found.measurements if m.statistic != "single"} == {"rank"}

    def test_7_two_runs(self):
        text = text_of("iozone", "3.487-throughput.txt") + text_of("iozone", "3.283-report.txt")
        found = iozone.parse(text.encode(), "f.txt")
        assert {(m.run, m.version) for m in found.measurements} == {
            ("f#1", "3.487"),
            ("f#2", "3.283"),
        }
        assert all("include_close" not in m.settings for m in rows(found, run="f#2"))

    def test_7_another_tool(self):
        text = text_of("iozone", "3.487-throughput.txt") + text_of("ior", "3.0.txt")
        found = iozone.parse(text.encode(), "f.txt")
        assert codes(found) == ["other-tool"]

    def test_8_interrupted_gives_its_good_rows(self):
        found = fixture("interrupted.txt")
        assert len(found.measurements) == 6
        assert errors(found) == ["tool-error", "tool-error", "interrupted"]

    def test_8_stops_before_the_second_test(self):
        text = text_of("iozone", "3.487-throughput.txt")
        found = iozone.parse(
            text[: text.index("	Children see throughput for 16 readers")].encode(), "f"
        )
        assert {m.operation for m in found.measurements} == {"write"}
        assert errors(found) == ["interrupted"]

    def test_8_error_is_one_line(self):
        text = text_of("iozone", "3.487-throughput.txt")
        text = (
            text[: text.index("	Test running:")]
            + "Can't open temp file: iozone.tmp\nopen: Permission denied\n"
        )
        with pytest.raises(StoragebookError, match="Can't open temp file") as caught:
            iozone.parse(text.encode(), "f")
        assert "\n" not in str(caught.value)


class TestBad:
    def test_decimal_comma(self):
        found = parsed("3.487-throughput.txt", ("1600000.00 kB", "1600000,00 kB"))
        assert errors(found) == ["decimal-comma"]

    def test_figure_without_its_unit(self):
        found = parsed("3.487-throughput.txt", ("= 1600000.00 kB/sec", "= 1600000.00"))
        assert errors(found) == ["broken-row"]

    def test_binary_spreadsheet(self):
        with pytest.raises(StoragebookError, match="iozone -R"):
            iozone.parse(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "f.xls")

    def test_more_figures_than_numbers_of_processes(self):
        found = parsed("3.283-report.txt", ("100000.00  180000.00 ", "100000.00  180000.00 1.00"))
        assert errors(found) == ["broken-row"]

    @pytest.mark.parametrize("data", [b"", b"\0", b'"Writer report"', b"iozone test complete."])
    def test_nothing(self, data):
        with pytest.raises(StoragebookError):
            iozone.parse(data, "f")
