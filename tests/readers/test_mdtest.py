"""mdtest's text of every release and the CSV of ranks; known answers typed from the files."""

import pytest

from outputs import FIXTURES, SAMPLES, codes, edited, errors, one, rows, text_of
from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.readers import mdtest

SHARED = paths.shared()
FILES = sorted((FIXTURES / "mdtest").iterdir())


def fixture(name):
    return mdtest.read(FIXTURES / "mdtest" / name)


def parsed(name, *changes):
    return mdtest.parse(edited(text_of("mdtest", name), *changes), name)


def figures(reading, **wanted):
    return [(m.value, m.unit) for m in rows(reading, **wanted)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_sniffs_its_own(path):
    assert mdtest.sniff(path.read_bytes()[:4096])


@pytest.mark.parametrize("tool", ["ior", "fio", "daos_perf", "iozone"])
def test_leaves_others_alone(tool):
    assert not any(mdtest.sniff(p.read_bytes()[:4096]) for p in (FIXTURES / tool).iterdir())


class TestText:
    def test_1_8_files_and_directories(self):
        found = fixture("1.8-files-and-directories.txt")
        assert codes(found) == []
        assert {m.version for m in found.measurements} == {"1.8.3"}
        creation = rows(found, operation="directory creation")
        assert [(m.statistic, m.value) for m in creation] == [
            ("max", 10404.263),
            ("min", 9404.263),
            ("mean", 9904.263),
            ("stddev", 408.248),
        ]
        assert one(found, operation="tree removal", statistic="mean").value == 154.263
        settings = creation[0].settings
        assert (settings["tasks"], settings["nodes"], settings["iterations"]) == (4, 2, 3)
        assert (settings["items"], settings["items_are"]) == (1000, "files/directories")
        assert settings["items_per_task"] == 250
        assert (settings["fs_size_tib"], settings["fs_used_pct"]) == (15.6, 0.5)

    def test_1_9_verbose_lines_are_the_iterations(self):
        found = fixture("1.9-verbose.txt")
        assert codes(found) == []
        single = rows(found, operation="file creation", quantity="rate", statistic="single")
        assert [(m.iteration, m.value) for m in single] == [(0, 2000.0), (1, 2500.0)]
        assert figures(found, operation="file creation", quantity="time", iteration=1) == [
            (1.6, "s")
        ]
        assert figures(found, operation="file creation", statistic="mean") == [(2250.0, "IOP/s")]
        assert rows(found, operation="file stat") == []

    def test_verbose_lines_before_1_9(self):
        text = text_of("mdtest", "1.9-verbose.txt").replace("V-1: main:", "").replace("V-1:", "")
        found = mdtest.parse(text.encode(), "1.9-verbose.txt")
        assert found.measurements == fixture("1.9-verbose.txt").measurements

    def test_3_3_stonewall(self):
        found = fixture("3.3-stonewall.txt")
        assert codes(found) == []
        rate = rows(found, operation="file creation", quantity="rate")
        assert [(m.statistic, m.value, m.iteration) for m in rate] == [
            ("max", 31.349, 0),
            ("min", 31.253, 0),
            ("mean", 31.299, 0),
            ("stddev", 0.044, 0),
        ]
        # one iteration, so the spread is that of the tasks' clocks
        assert {m.settings["statistics_over"] for m in rate} == {"tasks"}
        assert figures(found, quantity="rate_stonewall") == [(30.005, "IOP/s")]
        assert figures(found, quantity="time_stonewall") == [(300.0, "s")]
        items = rows(found, quantity="stonewall_items")
        assert [(m.statistic, m.value, m.scope) for m in items] == [
            ("min", 2000.0, "rank"),
            ("max", 2500.0, "rank"),
            ("mean", 2250.4, "rank"),
        ]
        settings = rate[0].settings
        assert (settings["api"], settings["stonewall_s"]) == ("DFS", 300)
        assert (settings["write_b"], settings["read_b"]) == (3901, 3901)
        assert settings["items"] == 40000

    def test_4_1_sample(self):
        found = mdtest.read(SAMPLES / "outputs" / "mdtest-files.txt")
        assert codes(found) == []
        mean = one(found, operation="file read", statistic="mean")
        assert (mean.printed, mean.unit, mean.line) == ("152861.291", "IOP/s", 15)
        assert mean.settings["statistics_over"] == "iterations"
        assert (mean.settings["items"], mean.settings["iterations"]) == (4000, 3)

    def test_samples(self):
        files = sorted(SAMPLES.glob("**/mdtest*"))
        assert len(files) > 15
        for path in files:
            assert errors(mdtest.read(path)) == [], path

    def test_text_and_ranks_of_one_run(self):
        text = mdtest.read(SAMPLES / "io500-small-vm" / "mdtest-easy-write.txt")
        ranks = mdtest.read(SAMPLES / "io500-small-vm" / "mdtest-easy-write.csv")
        whole = one(ranks, operation="file creation", quantity="rate", scope="all")
        assert whole.printed == "3.7849579283e+04"
        assert one(text, operation="file creation", quantity="rate").value == round(whole.value, 3)
        first = one(ranks, operation="file creation", quantity="rate", scope="rank", rank=0)
        assert first.value == pytest.approx(18973.701216)


def test_ranks():
    found = fixture("ranks.csv")
    assert codes(found) == []
    assert [(m.scope, m.value, m.settings.get("rank")) for m in rows(found, quantity="rate")] == [
        ("all", 1000.0, None),
        ("all", 800.0, None),
        ("rank", 500.0, 0),
        ("rank", 625.0, 1),
    ]
    assert one(found, operation="tree creation", quantity="time").unit == "s"


class TestRules:
    """The rules of readers.md, in their order."""

    @pytest.mark.parametrize("unit", ["kops/sec", "ms/op"])
    def test_1_unknown_unit_of_rates(self, unit):
        found = parsed("4.1-ms-per-op.txt", ("rate (in ops/sec)", f"rate (in {unit})"))
        assert errors(found) == ["unknown-unit"]
        assert rows(found, quantity="rate") == []

    def test_1_unknown_unit_of_times(self):
        found = parsed("4.1-ms-per-op.txt", ("(in ms/op)", "(in us/op)"))
        assert errors(found) == ["unknown-unit"]
        assert {m.quantity for m in found.measurements} == {"rate"}

    def test_2_ms_per_op_of_4_1_is_seconds(self):
        found = fixture("4.1-ms-per-op.txt")
        assert codes(found) == []
        rate = one(found, operation="file read", quantity="rate")
        time = one(found, operation="file read", quantity="time")
        assert (time.value, time.unit) == (4.0, "s")
        assert rate.value * time.value == time.settings["items"]

    def test_2_ms_per_op_of_another_release_is_not_guessed(self):
        found = parsed("4.1-ms-per-op.txt", ("mdtest-4.1.0", "mdtest-4.2.0"))
        assert errors(found) == ["unknown-unit"]
        assert rows(found, quantity="time") == []

    @pytest.mark.parametrize(
        ("version", "over"),
        [("1.8.3", None), ("3.3.0", "tasks and iterations"), ("3.4.0", "iterations")],
    )
    def test_2_what_statistics_go_over(self, version, over):
        found = parsed("1.8-files-and-directories.txt", ("mdtest-1.8.3", f"mdtest-{version}"))
        assert found.measurements[0].settings.get("statistics_over") == over
        assert {m.version for m in found.measurements} == {version}

    def test_3_columns_by_heading(self):
        found = parsed(
            "1.8-files-and-directories.txt",
            ("Max        Min       Mean    Std Dev", "Min        Max       Std Dev    Mean"),
        )
        assert [(m.statistic, m.value) for m in rows(found, operation="file stat")] == [
            ("min", 40404.1),
            ("max", 30404.1),
            ("stddev", 35404.1),
            ("mean", 4082.483),
        ]

    def test_3_same_name_in_two_tables_and_verbose_lines(self):
        found = fixture("3.3-stonewall.txt")
        tree = rows(found, operation="tree creation")
        assert [(m.quantity, m.value) for m in tree] == [("rate", 5.722), ("time", 0.175)]

    @pytest.mark.parametrize("text", ["0.000", "NA", "-"])
    def test_4_not_measured(self, text):
        found = parsed(
            "4.1-ms-per-op.txt",
            ("100000.000     100000.000     100000.000", f"{text} {text} {text}"),
        )
        assert rows(found, operation="file read", quantity="rate") == []
        # a rate of 0 in 4 s is another matter than no rate
        assert codes(found) == (["contradiction"] if text == "0.000" else [])

    def test_4_time_too_short_to_print(self):
        assert rows(fixture("4.1-ms-per-op.txt"), operation="tree creation", quantity="time") == []

    @pytest.mark.parametrize(
        ("text", "code"), [("nan", "not-a-number"), ("inf", "not-a-number"), ("-1.0", "below-zero")]
    )
    def test_4_no_number(self, text, code):
        found = parsed(
            "1.8-files-and-directories.txt", ("75404.100   4082.483", f"{text}   4082.483")
        )
        assert errors(found) == [code]
        assert [m.statistic for m in rows(found, operation="directory stat")] == [
            "max",
            "min",
            "stddev",
        ]

    def test_5_mean_outside_its_extremes(self):
        found = parsed("1.8-files-and-directories.txt", ("75404.100", "95404.100"))
        assert errors(found) == ["contradiction"]
        assert len(rows(found, operation="directory stat")) == 4

    @pytest.mark.parametrize(
        ("rate", "expected"), [("18827.741", []), ("2000.000", []), ("1000.000", ["contradiction"])]
    )
    def test_5_verbose_line_against_the_summary_of_one_iteration(self, rate, expected):
        summary = "18827.823" if rate.startswith("188") else "2000.000"
        text = text_of("mdtest", "1.9-verbose.txt")
        start, end = text.index("V-1: main: * iteration 2"), text.index("V-1: Entering summarize")
        text = text[:start] + text[end:]
        found = mdtest.parse(
            edited(
                text,
                ("(of 2 iterations)", "(of 1 iterations)"),
                (
                    "2500.000       2000.000       2250.000        250.000",
                    f"{summary} {summary} {summary} 0.000",
                ),
                ("      2000.000 ops/sec", f"      {rate} ops/sec"),
            ),
            "f.txt",
        )
        assert errors(found)[:1] == expected
        rates = rows(found, operation="file creation", quantity="rate")
        assert [m.printed for m in rates if m.printed == summary] == [summary]

    def test_6_ranks_beside_all(self):
        assert {m.scope for m in fixture("ranks.csv").measurements} == {"all", "rank"}

    def test_7_two_runs_and_noise(self):
        text = "Loading module openmpi/4.1\n" * 300 + text_of(
            "mdtest", "1.8-files-and-directories.txt"
        )
        text += text_of("mdtest", "3.3-stonewall.txt")
        found = mdtest.parse(text.encode(), "log.txt")
        assert {(m.run, m.version) for m in found.measurements} == {
            ("log#1", "1.8.3"),
            ("log#2", "3.3.0"),
        }
        assert {m.settings["nodes"] for m in rows(found, run="log#2")} == {2}
        assert codes(found) == ["noise"]

    def test_7_another_tool(self):
        text = text_of("mdtest", "3.3-stonewall.txt") + text_of("ior", "3.0.txt")
        found = mdtest.parse(text.encode(), "log.txt")
        assert "other-tool" in codes(found)
        assert {m.tool for m in found.measurements} == {"mdtest"}

    def test_8_stops_after_the_first_table(self):
        text = text_of("mdtest", "3.3-stonewall.txt")
        found = mdtest.parse(text[: text.index("SUMMARY time")].encode(), "f.txt")
        assert errors(found) == ["interrupted"]
        assert {m.quantity for m in found.measurements} >= {"rate", "rate_stonewall"}

    def test_8_stops_between_iterations(self):
        text = text_of("mdtest", "1.9-verbose.txt")
        text = text[: text.index("V-1: main: * iteration 2")]
        found = mdtest.parse(f"{text}slurmstepd: error: *** CANCELLED AT ***\n".encode(), "f.txt")
        assert errors(found) == ["tool-error", "interrupted"]
        assert figures(found, quantity="rate") == [(2000.0, "IOP/s")]

    def test_8_last_row_without_its_end(self):
        text = text_of("mdtest", "1.8-files-and-directories.txt")
        cut = text[: text.index("4904.263    408.248") + len("4904.263    40")]
        found = mdtest.parse(cut.encode(), "f.txt")
        assert rows(found, operation="file creation") == []
        assert "interrupted" in errors(found)
        assert len(rows(found, operation="directory removal")) == 4

    @pytest.mark.parametrize(
        "message",
        [
            "ERROR: could not create directory, errno 28",
            "Process 3: FAILED in create_file, unable to open",
        ],
    )
    def test_8_error_of_the_tool(self, message):
        text = text_of("mdtest", "3.3-stonewall.txt")
        text = text[: text.index("SUMMARY rate")] + message + "\n"
        text = "\n".join(line for line in text.split("\n") if "stonewall hit" not in line)
        with pytest.raises(StoragebookError) as caught:
            mdtest.parse(text.encode(), "f.txt")
        assert message[:20] in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_10_warning(self):
        found = mdtest.read(SAMPLES / "outputs" / "mdtest-dirs-and-files.txt")
        assert codes(found) == ["tool-warning"]
        assert found.findings[0].line == 5

    def test_10_misspelt_operation_is_still_of_its_table(self):
        found = parsed("4.1-ms-per-op.txt", ("File read     ", "Item reading  "))
        assert len(rows(found, operation="item reading")) == 2


class TestBad:
    def test_decimal_comma(self):
        found = parsed("1.8-files-and-directories.txt", ("75404.100", "75404,100"))
        assert errors(found) == ["decimal-comma"]

    def test_no_iteration(self):
        text = text_of("mdtest", "4.1-ms-per-op.txt").replace(
            "(of 1 iterations)", "(of 0 iterations)"
        )
        text = "\n".join(
            line
            if not line.startswith("   ") or "Operation" in line or "---" in line
            else "   File read  -nan -nan -nan -nan"
            for line in text.split("\n")
        )
        with pytest.raises(StoragebookError, match="0 iterations"):
            mdtest.parse(text.encode(), "f.txt")

    def test_row_without_all_its_figures(self):
        found = parsed("1.8-files-and-directories.txt", ("75404.100   4082.483", "75404.100"))
        assert errors(found) == ["broken-row"]
        assert rows(found, operation="directory stat") == []

    def test_short_row_of_a_rank(self):
        found = parsed("ranks.csv", ("1,,,,6.2500000000e+02,4.0000000000e+00", "1,,,6.25e+02,4.0"))
        assert errors(found) == ["broken-row"]
        assert rows(found, rank=1) == []

    @pytest.mark.parametrize(
        "data", [b"", b"\0" * 100, b"rank,items,", b"SUMMARY: (of 1 iterations)"]
    )
    def test_nothing(self, data):
        with pytest.raises(StoragebookError):
            mdtest.parse(data, "f")


@pytest.mark.skipif(SHARED is None, reason="other people's files are not at hand")
class TestPublicRuns:
    """Per-phase files of public IO500 submissions."""

    def test_all_are_read_without_an_error(self):
        folder = SHARED / "data" / "io500"
        files = sorted(
            p for pattern in ("mdtest[-_]*.txt", "mdtest-*.csv") for p in folder.rglob(pattern)
        )
        assert len(files) > 150
        for path in files:
            found = mdtest.read(path)
            assert errors(found) == [], path
            assert rows(found, quantity="rate") or codes(found) == ["contradiction"] * 2, path

    def test_time_without_a_rate(self):
        name = "submission-0695/2023.11.06-19.51.04/mdtest-easy-stat.txt"
        found = mdtest.read(SHARED / "data" / "io500" / name)
        # the table of times even holds the phase before
        assert [f.text for f in found.findings] == [
            "file creation: 976.115 s of it, at a rate of 0.000",
            "file stat: 625.595 s of it, at a rate of 0.000",
        ]
        assert figures(found, operation="file stat") == [(625.595, "s")]

    def test_aurora(self):
        found = mdtest.read(
            SHARED / "data" / "io500" / "submission-0688/2023.11.07-03.43.32/mdtest-hard-stat.txt"
        )
        stat = one(found, operation="file stat", quantity="rate")
        assert (stat.value, stat.unit, stat.statistic) == (230086031.462, "IOP/s", "single")
        assert one(found, operation="file stat", quantity="time").value == 62.443
        assert (stat.settings["nodes"], stat.settings["tasks"]) == (300, 62400)
        assert stat.settings["fs_size_tib"] == 148161.7

    def test_rate_too_low_to_print(self):
        # one tree in 4367 s is 0.0002 trees/s
        found = mdtest.read(SHARED / "data" / "io500" / "submission-0001/mdtest_hard_delete.txt")
        assert codes(found) == []
        assert figures(found, operation="tree removal") == [(4367.272, "s")]

    def test_stonewall(self):
        found = mdtest.read(SHARED / "data" / "io500" / "submission-0001/mdtest_easy_write.txt")
        items = rows(found, quantity="stonewall_items")
        assert [m.value for m in items] == [2154653.0, 2410006.0, 2310642.4]
        assert items[0].settings["items"] == 16_640_000_000
