"""IOR's text of every release, JSON and CSV; known answers typed from the files."""

import pytest

from outputs import FIXTURES, SAMPLES, codes, edited, errors, one, rows, text_of
from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.readers import ior

SHARED = paths.shared()
FILES = sorted((FIXTURES / "ior").iterdir())


def fixture(name):
    return ior.read(FIXTURES / "ior" / name)


def parsed(name, *changes):
    return ior.parse(edited(text_of("ior", name), *changes), name)


def figures(reading, **wanted):
    return [(m.value, m.unit) for m in rows(reading, **wanted)]


def figures_of(reading):
    return sorted((m.operation, m.quantity, m.statistic, m.printed) for m in reading.measurements)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_sniffs_its_own(path):
    assert ior.sniff(path.read_bytes()[:4096])


@pytest.mark.parametrize("tool", ["mdtest", "fio", "daos_perf", "iozone"])
def test_leaves_others_alone(tool):
    assert not any(ior.sniff(p.read_bytes()[:4096]) for p in (FIXTURES / tool).iterdir())


class TestText2:
    """2.10: blanks in the summary's headings, a marker between them, more columns than headings."""

    def test_summary(self):
        found = fixture("2.10-summary.txt")
        assert codes(found) == []
        assert {m.version for m in found.measurements} == {"2.10.3"}
        assert figures(found, operation="write", quantity="bandwidth") == [
            (246.35, "MiB/s"),
            (217.07, "MiB/s"),
            (229.17, "MiB/s"),
            (12.48, "MiB/s"),
        ]
        read = one(found, operation="read", quantity="time_total")
        assert (read.value, read.unit, read.statistic, read.line) == (0.64395, "s", "mean", 24)

    def test_two_deviations_are_told_apart(self):
        found = parsed(
            "2.10-summary.txt",
            (
                "246.35     217.07      229.17     12.48   2.24033",
                "246.35     217.07      229.17     9.99   2.24033",
            ),
        )
        deviations = rows(found, operation="write", statistic="stddev")
        assert [(m.quantity, m.value) for m in deviations] == [("bandwidth", 12.48), ("rate", 9.99)]

    def test_settings(self):
        settings = fixture("2.10-summary.txt").measurements[0].settings
        assert settings["tasks"] == 8
        assert settings["tasks_per_node"] == 4
        assert settings["repetitions"] == 3
        assert settings["transfer_b"] == 2**20
        assert settings["block_b"] == 2**26
        assert settings["aggregate_b"] == 2**29
        assert settings["access"] == "single-shared-file"
        assert "nodes" not in settings

    def test_rows(self):
        found = fixture("2.10-rows.txt")
        assert codes(found) == []
        bandwidths = rows(found, quantity="bandwidth")
        assert [(m.operation, m.iteration, m.value) for m in bandwidths] == [
            ("write", 0, 250.0),
            ("read", 0, 800.0),
            ("write", 1, 256.0),
            ("read", 1, 812.7),
        ]
        assert one(found, operation="remove", iteration=1).quantity == "time_total"


class TestText3:
    def test_3_0(self):
        found = fixture("3.0.txt")
        assert [(f.code, f.line) for f in found.findings] == [("tool-warning", 3)]
        write = one(found, operation="write", quantity="bandwidth")
        assert (write.value, write.statistic, write.iteration, write.line) == (
            71.73,
            "single",
            0,
            23,
        )
        settings = write.settings
        assert (settings["api"], settings["api_version"]) == ("MPIIO", "version=2, subversion=2")
        assert (settings["segments"], settings["transfer_b"]) == (1000, 47008)
        assert settings["aggregate_b"] == 752_128_000
        assert settings["ordering"] == "sequential"

    def test_3_0_without_its_summary(self):
        text = text_of("ior", "3.0.txt")
        text = text[: text.index("Summary of all tests")]
        changes = (
            ("clients            = 16 (8 per node)", "clients            = 3 (3 per node)"),
            ("blocksize          = 47008 bytes", "blocksize          = 940160 bytes"),
            ("717.29 MiB", "2.69 MiB"),
        )
        settings = ior.parse(edited(text, *changes), "f.txt").measurements[0].settings
        # one segment gives what is printed rounded, so that is every byte of it
        assert settings["aggregate_b"] == 3 * 940160
        assert "segments" not in settings

    def test_3_3_stonewall(self):
        found = fixture("3.3-stonewall.txt")
        assert codes(found) == []
        assert figures(found, quantity="bandwidth") == [(1250.0, "MiB/s")]
        assert figures(found, quantity="rate_io") == [(625.2, "IOP/s")]
        assert figures(found, quantity="rate") == [(625.0, "IOP/s")]
        assert figures(found, quantity="stonewall_transfers", statistic="min") == [(20000.0, "1")]
        assert figures(found, quantity="stonewall_transfers", statistic="max") == [(25000.0, "1")]
        assert figures(found, quantity="stonewall_data", statistic="min") == [(39.1, "GiB")]
        assert figures(found, quantity="stonewall_data", statistic="mean") == [(44.9, "GiB")]
        assert figures(found, quantity="time_stonewall") == [(300.0, "s")]
        assert figures(found, quantity="data_moved") == [(419_430_400_000.0, "B")]

    def test_3_3_settings(self):
        settings = fixture("3.3-stonewall.txt").measurements[0].settings
        assert settings["access"] == "file-per-process"
        assert (settings["nodes"], settings["tasks"], settings["tasks_per_node"]) == (4, 8, 2)
        # 9.46 TiB is rounded; the command line and the summary have every byte
        assert settings["block_b"] == 9_920_000 * 2**20
        assert settings["transfer_b"] == 2 * 2**20
        assert settings["segments"] == 1
        assert settings["aggregate_b"] == 8 * 9_920_000 * 2**20
        assert (settings["stonewall_s"], settings["stonewall_wear_out"]) == (300, True)
        assert (settings["fs_size_tib"], settings["fs_used_pct"]) == (28.7, 41.9)


class TestText4:
    def test_two_tests(self):
        found = fixture("4.0-two-tests.txt")
        assert {m.run for m in found.measurements} == {"4.0-two-tests#1", "4.0-two-tests#2"}
        first, second = (rows(found, run=f"4.0-two-tests#{n}") for n in (1, 2))
        assert {m.settings["api"] for m in first} == {"POSIX"}
        assert {m.settings["api"] for m in second} == {"MPIIO"}
        assert {m.operation for m in first} == {"write"}
        assert {(m.operation, m.settings["ordering"]) for m in second} == {("read", "random")}
        assert {m.settings["collective"] for m in second} == {True}
        assert figures(found, operation="write", quantity="bandwidth", statistic="mean") == [
            (900.0, "MiB/s")
        ]

    def test_one_repetition_is_one_sample(self):
        read = rows(fixture("4.0-two-tests.txt"), operation="read", quantity="bandwidth")
        assert [(m.statistic, m.iteration, m.value) for m in read] == [("single", 0, 500.0)]

    def test_sample_16k(self):
        found = ior.read(SAMPLES / "outputs" / "ior-16k.txt")
        assert codes(found) == []
        writes = rows(found, operation="write", quantity="bandwidth", statistic="single")
        assert [m.printed for m in writes] == ["1939.54", "2104.26", "2063.99"]
        assert [m.line for m in writes] == [35, 37, 39]
        top = one(found, operation="read", quantity="bandwidth", statistic="max")
        assert (top.printed, top.line) == ("17246.09", 45)
        latency = rows(found, operation="write", quantity="latency")
        assert [(m.printed, m.statistic, m.unit) for m in latency][:1] == [
            ("0.000016", "mean", "s")
        ]
        assert latency[0].settings["transfer_b"] == 16384

    @pytest.mark.parametrize("path", sorted(SAMPLES.glob("**/ior*.txt")), ids=lambda p: p.name)
    def test_samples(self, path):
        found = ior.read(path)
        assert codes(found) == []
        assert {m.version for m in found.measurements} == {"4.1.0+dev"}


class TestJson:
    @pytest.mark.parametrize(
        "path", sorted(SAMPLES.glob("outputs/ior*.json")), ids=lambda p: p.name
    )
    def test_samples(self, path):
        found = ior.read(path)
        assert codes(found) == []
        assert len(rows(found, quantity="bandwidth", statistic="single")) == 6
        assert {m.line for m in found.measurements} == {None}

    def test_sample_1m(self):
        found = ior.read(SAMPLES / "outputs" / "ior-1m.json")
        write = rows(found, operation="write", quantity="bandwidth", statistic="single")
        assert [m.printed for m in write] == ["2841.2934", "2725.4959", "2743.7709"]
        # "xsizeMiB" is the size of all files, in spite of its name
        assert write[0].settings["aggregate_b"] == 128 * 2**20
        assert write[0].settings["transfer_b"] == 2**20

    def test_says_what_the_text_of_the_same_run_says(self):
        text, json = fixture("4.1-same-run.txt"), fixture("4.1-same-run.json")
        assert codes(text) == codes(json) == []

        def by_key(reading):
            return {
                (m.operation, m.quantity, m.statistic, m.scope, m.iteration): m
                for m in reading.measurements
            }

        texts, jsons = by_key(text), by_key(json)
        assert len(texts) == len(text.measurements)
        assert len(jsons) == len(json.measurements)
        assert texts.keys() == jsons.keys()
        for key, row in texts.items():
            other = jsons[key]
            assert (row.unit, row.version, row.run) == (other.unit, other.version, other.run)
            assert row.settings == other.settings
            both = [Interval.of_printed(m.printed, trailing_zeros=True) for m in (row, other)]
            assert both[0].overlaps(both[1]), key

    def test_nested_results_of_3_2(self):
        found = fixture("3.2-nested.json")
        assert codes(found) == []
        assert [
            (m.iteration, m.value) for m in rows(found, quantity="bandwidth", statistic="single")
        ] == [
            (0, 400.0),
            (1, 320.0),
        ]
        assert figures(found, quantity="bandwidth", statistic="stddev") == [(40.0, "MiB/s")]

    def test_killed_in_the_middle(self):
        text = text_of("ior", "4.1-same-run.json")
        cut = text[: text.index('"bwMiB": 800')].encode()
        found = ior.parse(cut, "f.json")
        assert [m.value for m in rows(found, quantity="bandwidth")] == [128.0, 640.0, 160.0]
        assert set(errors(found)) == {"interrupted"}

    def test_messages_between_its_lines(self):
        found = parsed(
            "4.1-same-run.json",
            (
                '    "Results": [\n',
                '    "Results": [\nior WARNING: inconsistent file size\nsomething else\n',
            ),
        )
        assert found.measurements == tuple(
            m.__class__(**{**m.__dict__, "file": "4.1-same-run.json"})
            for m in fixture("4.1-same-run.json").measurements
        )
        assert [f.code for f in found.findings] == ["tool-warning", "tool-warning"]


class TestCsv:
    def test_sample(self):
        found = ior.read(SAMPLES / "outputs" / "ior-1m.csv")
        write = rows(found, operation="write", quantity="bandwidth")
        assert [(m.printed, m.iteration, m.line) for m in write] == [
            ("2529.8920", 0, 2),
            ("2475.2458", 1, 4),
        ]
        assert write[0].settings == {"tasks": 2, "transfer_b": 2**20, "block_b": 2**26}
        # no version, so nobody can say what Latency is; the reader says that
        assert codes(found) == ["unknown-meaning"]
        assert rows(found, quantity="latency") == []

    def test_columns_of_3_2(self):
        found = fixture("3.2.csv")
        assert codes(found) == []
        # 45.9062 KiB is 47008 B and no other whole number of bytes
        assert found.measurements[0].settings["transfer_b"] == 47008

    def test_messages_around_it(self):
        text = "ior WARNING: fsync() only available in POSIX.\n" + text_of("ior", "3.2.csv")
        found = ior.parse((text + "write,1000.0\nior ERROR: write() failed\n").encode(), "f.csv")
        assert figures(found, quantity="bandwidth") == [(1000.0, "MiB/s")]
        assert [(f.code, f.line) for f in found.findings] == [
            ("broken-row", 4),
            ("tool-warning", 1),
            ("tool-error", 5),
        ]

    def test_ranks(self):
        found = ior.read(SAMPLES / "io500-small-vm" / "ior-easy-write.csv")
        assert {m.scope for m in found.measurements} == {"rank"}
        rate = one(found, quantity="bandwidth", rank=1)
        assert (rate.printed, rate.unit) == ("1.6047070475e+08", "B/s")
        assert one(found, quantity="time_io", rank=0).printed == "1.1454656839e+01"
        io = one(found, quantity="bandwidth_io", rank=1)
        assert (io.value, io.unit) == (218346918.27, "B/s")


class TestRules:
    """The rules of readers.md, in their order."""

    def test_1_unit_comes_from_the_column_and_an_unknown_one_is_refused(self):
        found = parsed("3.0.txt", ("bw(MiB/s)", "bw(GiB/s)"))
        assert "unknown-column" in errors(found)
        assert rows(found, quantity="bandwidth", line=23) == []

    @pytest.mark.parametrize(
        ("version", "stonewalled", "quantity"),
        [
            ("3.3.0", True, "time_per_requested_transfer"),
            ("3.4.0+dev", True, "time_per_requested_transfer"),
            ("4.0.0", True, None),
            ("4.1.0+dev", True, "latency"),
            ("3.3.0", False, "latency"),
        ],
    )
    def test_2_latency_by_version(self, version, stonewalled, quantity):
        name = "3.3-stonewall.txt" if stonewalled else "4.1-same-run.txt"
        old = "3.3.0" if stonewalled else "4.1.0"
        found = parsed(name, (f"IOR-{old}:", f"IOR-{version}:"))
        quantities = {m.quantity for m in found.measurements} & {
            "latency",
            "time_per_requested_transfer",
        }
        assert quantities == ({quantity} if quantity else set())
        untold = [f for f in found.findings if "Latency" in f.text]
        assert [f.code for f in untold] == ([] if quantity else ["unknown-meaning"])

    def test_2_segments_make_latency_of_3_3_none(self):
        found = parsed(
            "4.1-same-run.txt",
            ("IOR-4.1.0:", "IOR-3.3.0:"),
            ("segments            : 1", "segments            : 4"),
        )
        assert rows(found, quantity="latency") == []

    @pytest.mark.parametrize(
        ("version", "scope", "statistic"),
        [("3.3.0", "all", "single"), ("4.0.0", "rank", "mean"), ("4.1.0+dev", "rank", "mean")],
    )
    def test_2_stonewall_rate_by_version(self, version, scope, statistic):
        found = parsed("3.3-stonewall.txt", ("IOR-3.3.0:", f"IOR-{version}:"))
        rate = one(found, quantity="bandwidth_stonewall")
        assert (rate.value, rate.unit, rate.scope, rate.statistic) == (
            1226.07,
            "MiB/s",
            scope,
            statistic,
        )

    def test_2_stonewall_rate_between_releases_is_not_guessed(self):
        found = parsed("3.3-stonewall.txt", ("IOR-3.3.0:", "IOR-3.4.0+dev:"))
        assert rows(found, quantity="bandwidth_stonewall") == []
        assert "unknown-meaning" in codes(found)

    def test_2_version_stays_with_every_row(self):
        text = text_of("ior", "3.0.txt") + text_of("ior", "4.0-two-tests.txt")
        found = ior.parse(text.encode(), "log.txt")
        assert {(m.run, m.version) for m in found.measurements} == {
            ("log#1", "3.0.1"),
            ("log#2", "4.0.0"),
            ("log#3", "4.0.0"),
        }

    def test_3_columns_by_heading(self):
        text = text_of("ior", "4.1-same-run.txt")
        start, end = text.index("access    bw"), text.index("Summary of all")

        def swapped(line):
            words = line.split()
            if len(words) == 11:
                words[1], words[-2] = words[-2], words[1]
            return "  ".join(words)

        table = "\n".join(map(swapped, text[start:end].split("\n")))
        found = ior.parse((text[:start] + table + text[end:]).encode(), "4.1-same-run.txt")
        assert codes(found) == []

        assert figures_of(found) == figures_of(fixture("4.1-same-run.txt"))

    def test_3_verbose_lines_are_no_results(self):
        found = parsed(
            "4.1-same-run.txt",
            (
                "Results: \n",
                "Results: \nwrite 3 tasks to /scratch\nread phase begins\nwrite     1 2\n",
            ),
        )
        assert figures_of(found) == figures_of(fixture("4.1-same-run.txt"))

    def test_4_not_measured_gives_no_row(self):
        found = parsed("3.3-stonewall.txt", ("300.00       1226.07", "    NA            NA"))
        assert rows(found, quantity="bandwidth_stonewall") == []
        assert codes(found) == []

    @pytest.mark.parametrize(
        ("text", "code"),
        [("nan", "not-a-number"), ("-inf", "not-a-number"), ("-1", "below-zero")],
    )
    def test_4_no_number_is_one_finding(self, text, code):
        found = parsed("4.1-killed.txt", ("read      1024.00 ", f"read      {text} "))
        assert codes(found).count(code) == 1
        assert rows(found, operation="read", quantity="bandwidth") == []

    def test_4_bandwidth_of_zero(self):
        found = parsed("4.1-killed.txt", ("read      1024.00 ", "read      0.00 "))
        assert "nothing-measured" in codes(found)
        assert rows(found, operation="read", quantity="bandwidth") == []

    def test_4_file_system_that_tells_nothing(self):
        settings = fixture("4.1-killed.txt").measurements[0].settings
        assert not {"fs_size_tib", "fs_used_pct"} & set(settings)

    def test_5_summary_that_is_not_that_of_its_rows(self):
        found = parsed("4.1-same-run.txt", ("write         160.00", "write         170.00"))
        assert [(f.code, f.line) for f in found.findings] == [("contradiction", 41)]
        write = rows(found, operation="write", quantity="bandwidth")
        assert {m.value for m in write} >= {128.0, 160.0, 170.0}

    def test_5_one_repetition_and_two_answers(self):
        found = parsed(
            "3.0.txt", ("write          71.73      71.73", "write          81.73      71.73")
        )
        assert "contradiction" in errors(found)
        values = {m.value for m in rows(found, operation="write", quantity="bandwidth")}
        assert values == {71.73, 81.73}

    def test_5_bandwidth_time_and_data(self):
        found = parsed(
            "3.3-stonewall.txt", ("319.90     0.002000   320.00", "319.90     0.002000   220.00")
        )
        assert "contradiction" in errors(found)

    def test_5_max_write_in_two_units(self):
        found = parsed("2.10-rows.txt", ("(268.44 MB/sec)", "(256.00 MB/sec)"))
        assert errors(found) == ["contradiction"]

    def test_5_options_against_summary(self):
        found = parsed("4.1-same-run.txt", ("tasks               : 2", "tasks               : 4"))
        assert "contradiction" in errors(found)

    def test_6_ranks_are_not_the_whole(self):
        found = fixture("3.3-stonewall.txt")
        assert {m.scope for m in rows(found, quantity="stonewall_data")} == {"rank"}
        assert {m.obtained for m in found.measurements} == {"raw-output"}

    def test_7_noise_around_and_between(self):
        noise = "n02p010.4250ipath_wait_for_device: failed to appear\n" * 200
        text = noise + text_of("ior", "4.1-same-run.txt").replace(
            "Results: \n", f"Results: \n{noise}"
        )
        found = ior.parse(text.encode(), "4.1-same-run.txt")
        strip = [(m.quantity, m.printed, m.settings) for m in found.measurements]
        clean = fixture("4.1-same-run.txt").measurements
        assert strip == [(m.quantity, m.printed, m.settings) for m in clean]
        assert codes(found) == ["noise", "noise"]

    def test_7_another_tool_in_the_same_log(self):
        text = text_of("ior", "4.1-same-run.txt") + text_of("mdtest", "3.3-stonewall.txt")
        found = ior.parse(text.encode(), "job.log")
        assert {m.tool for m in found.measurements} == {"ior"}
        assert "other-tool" in codes(found)

    def test_7_launcher_prefix(self):
        text = text_of("ior", "4.1-same-run.txt")
        tagged = "".join(f"[1,0]<stdout>:{line}\n" for line in text.splitlines())
        found = ior.parse(tagged.encode(), "4.1-same-run.txt")
        assert found.measurements == fixture("4.1-same-run.txt").measurements

    def test_8_killed_run_gives_its_good_rows(self):
        found = fixture("4.1-killed.txt")
        assert [(m.operation, m.value) for m in rows(found, quantity="bandwidth")] == [
            ("write", 512.0),
            ("read", 1024.0),
        ]
        assert errors(found) == ["broken-row", "tool-error", "interrupted", "interrupted"]
        assert {f.line for f in found.findings if f.code == "interrupted"} == {37}

    def test_8_operation_that_never_came(self):
        text = text_of("ior", "4.1-killed.txt")
        start = text.index("read      1024.00")
        found = ior.parse(text[:start].encode(), "f.txt")
        stops = [f.text for f in found.findings if f.code == "interrupted"]
        assert stops == [
            "read stops after 0 of 3 repetitions",
            "write stops after 1 of 3 repetitions",
        ]

    def test_8_error_is_one_line(self):
        with pytest.raises(StoragebookError) as caught:
            fixture("error.txt")
        assert "\n" not in str(caught.value)
        assert caught.value.line == 16
        assert "No such file or directory" in str(caught.value)

    def test_8_second_test_that_stops(self):
        text = text_of("ior", "4.0-two-tests.txt")
        found = ior.parse(text[: text.index("read      500.00")].encode(), "f.txt")
        assert "interrupted" in errors(found)
        assert {m.operation for m in found.measurements} == {"write"}

    def test_8_nothing_in_it(self):
        with pytest.raises(StoragebookError, match="no result of ior"):
            ior.parse(text_of("ior", "4.1-killed.txt")[:400].encode(), "f.txt")

    def test_10_wrong_data_is_an_error(self):
        found = parsed(
            "4.1-same-run.txt",
            (
                "read      640.00",
                "ior WARNING: Incorrect data on read (3 errors found).\nread      640.00",
            ),
        )
        assert errors(found) == ["bad-data"]

    @pytest.mark.parametrize(
        "misspelt", ["IOR-4.1.0: MPI Coordinated Test of Parallel I/0", "Iometer 4.1"]
    )
    def test_10_misspelt_banner_gives_rows_without_version(self, misspelt):
        found = parsed(
            "4.1-same-run.txt", ("IOR-4.1.0: MPI Coordinated Test of Parallel I/O", misspelt)
        )
        assert {m.version for m in found.measurements} == {""}


class TestBad:
    def test_decimal_comma_in_text(self):
        found = parsed("4.1-killed.txt", ("read      1024.00", "read      1024,00"))
        assert codes(found).count("decimal-comma") == 1
        assert rows(found, operation="read", quantity="bandwidth") == []

    def test_decimal_comma_everywhere(self):
        text = text_of("ior", "4.1-same-run.txt").replace(".", ",")
        found = ior.parse(text.encode(), "f.txt")
        assert "decimal-comma" in errors(found)
        assert rows(found, quantity="bandwidth") == []

    def test_decimal_comma_in_json(self):
        with pytest.raises(StoragebookError, match="decimal comma") as caught:
            parsed("4.1-same-run.json", ('"bwMiB": 128.0000', '"bwMiB": 128,0000'))
        assert caught.value.line == 42

    def test_nan_in_json(self):
        found = parsed("4.1-same-run.json", ('"bwMiB": 128.0000', '"bwMiB": -nan'))
        assert "not-a-number" in errors(found)
        assert len(rows(found, quantity="bandwidth", statistic="single")) == 3

    def test_no_repetition(self):
        text = text_of("ior", "4.1-killed.txt").replace(
            "repetitions         : 3", "repetitions         : 0"
        )
        text = text[: text.index("write     512.00")]
        with pytest.raises(StoragebookError, match="stops before its first result"):
            ior.parse(text.encode(), "f.txt")

    def test_row_without_all_its_figures(self):
        found = parsed("4.1-same-run.txt", ("640.00     10343  ", "640.00  "))
        assert "broken-row" in errors(found)
        assert len(rows(found, operation="read", quantity="bandwidth", statistic="single")) == 1

    @pytest.mark.parametrize("data", [b"", b"\0" * 100, b"\xff\xfe", b"access,bw(MiB/s)", b"{"])
    def test_nothing(self, data):
        with pytest.raises(StoragebookError):
            ior.parse(data, "f")


@pytest.mark.skipif(SHARED is None, reason="other people's files are not at hand")
class TestPublicRuns:
    """Per-phase files of public IO500 submissions."""

    @staticmethod
    def read(name):
        return ior.read(SHARED / "data" / "io500" / name)

    def all_files(self):
        folder = SHARED / "data" / "io500"
        found = [
            p
            for pattern in ("ior[-_]*.txt", "ior-*.csv")
            for p in folder.rglob(pattern)
            if not p.name.endswith("results.txt")
        ]
        return sorted(found)

    def test_all_are_read_without_an_error(self):
        files = self.all_files()
        assert len(files) > 100
        for path in files:
            found = ior.read(path)
            assert errors(found) == [], path
            assert rows(found, quantity="bandwidth"), path

    def test_aurora(self):
        found = self.read("submission-0688/2023.11.07-03.43.32/ior-easy-write.txt")
        settings = found.measurements[0].settings
        assert settings["access"] == "single-shared-file"
        assert (settings["nodes"], settings["tasks"], settings["tasks_per_node"]) == (
            300,
            62400,
            208,
        )
        assert (settings["transfer_b"], settings["segments"]) == (16 << 20, 1)
        assert settings["block_b"] == 101_580_800_000 * 1024 // 1024 * 1024
        assert (settings["fs_size_tib"], settings["fs_used_pct"]) == (148161.7, 0.1)
        assert figures(found, quantity="bandwidth") == [(21190275.0, "MiB/s")]
        assert figures(found, quantity="data_moved") == [(7_129_377_275_904_000.0, "B")]
        assert [m.value for m in rows(found, quantity="stonewall_transfers")] == [6238.0, 6810.0]
        assert [m.value for m in rows(found, quantity="stonewall_data")] == [97.5, 100.0]
        assert figures(found, quantity="time_per_requested_transfer") == [(0.000051, "s")]

    def test_stonewall_rate_of_3_3_is_that_of_all_tasks(self):
        found = self.read("submission-0001/ior_easy_write.txt")
        rate = one(found, quantity="bandwidth_stonewall")
        mean = one(found, quantity="stonewall_data", statistic="mean")
        seconds = one(found, quantity="time_stonewall")
        tasks = rate.settings["tasks"]
        assert rate.value == pytest.approx(tasks * mean.value * 1024 / seconds.value, rel=2e-3)
