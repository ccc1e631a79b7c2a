"""daos_perf's text, one below the other and in the columns of a table."""

import pytest

from outputs import FIXTURES, codes, edited, errors, one, rows, text_of
from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.readers import daos_perf

SHARED = paths.shared()
FILES = sorted((FIXTURES / "daos_perf").iterdir())


def fixture(name):
    return daos_perf.read(FIXTURES / "daos_perf" / name)


def parsed(name, *changes):
    return daos_perf.parse(edited(text_of("daos_perf", name), *changes), name)


def figures(reading, **wanted):
    return [(m.value, m.unit) for m in rows(reading, **wanted)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_sniffs_its_own(path):
    assert daos_perf.sniff(path.read_bytes()[:4096])


@pytest.mark.parametrize("tool", ["ior", "mdtest", "fio", "iozone"])
def test_leaves_others_alone(tool):
    assert not any(daos_perf.sniff(p.read_bytes()[:4096]) for p in (FIXTURES / tool).iterdir())


class TestText:
    def test_two_tests_of_2018(self):
        found = fixture("vos-2018.txt")
        assert codes(found) == []
        assert [(m.run, m.operation, m.value) for m in rows(found, quantity="bandwidth")] == [
            ("vos-2018#1", "update", 16000.0),
            ("vos-2018#2", "fetch", 20000.0),
        ]
        update = rows(found, operation="update")
        assert [(m.quantity, m.value, m.unit) for m in update] == [
            ("time", 6.25, "s"),
            ("bandwidth", 16000.0, "MiB/s"),
            ("rate", 16000.0, "IOP/s"),
            ("latency", 62.5, "µs"),
        ]
        assert update[0].settings == {
            "test": "VOS (storage only)",
            "pool_b": 120 * 2**30,
            "credits": 0,
            "objects": 1,
            "tasks": 1,
            "dkeys_per_object": 1,
            "akeys_per_dkey": 200,
            "records_per_akey": 500,
            "value_type": "single",
            "transfer_b": 2**20,
            "zero_copy": "yes",
            "overwrite": "yes",
            "verify_fetch": "no",
            "vos_file": "/mnt/daos/vos_perf.pmem",
        }

    def test_2022(self):
        found = fixture("daos-2022.txt")
        assert figures(found, quantity="bandwidth") == [(512.0, "MiB/s")]
        ranks = rows(found, quantity="time", scope="rank")
        assert [(m.statistic, m.value) for m in ranks] == [
            ("max", 2.0),
            ("min", 1.9),
            ("mean", 1.95),
        ]
        settings = found.measurements[0].settings
        assert (settings["objects"], settings["tasks"], settings["transfer_b"]) == (4, 4, 4096)
        assert (settings["scm_b"], settings["nvme_b"]) == (2 << 30, 8 << 30)
        assert settings["command"].startswith("mpirun -np 4 daos_perf -P 2G")

    def test_table(self):
        found = fixture("table.txt")
        assert codes(found) == []
        assert [(m.run, m.value, m.line) for m in rows(found, quantity="rate")] == [
            ("table#1", 12500.0, 11),
            ("table#2", 2000.0, 11),
        ]
        # the page does not say whether it updates or fetches
        assert {m.operation for m in found.measurements} == {"unstated"}

    @pytest.mark.skipif(SHARED is None, reason="the sources are not at hand")
    def test_source_002(self):
        (path,) = (SHARED / "sources").glob("002_*.txt")
        found = daos_perf.read(path)
        assert codes(found) == []
        rates = [m.value for m in rows(found, quantity="rate")]
        assert len(rates) == 16
        assert rates[:4] == [15729.73, 1794.63, 1820.77, 1844.01]
        assert rates[-1] == 1834.21
        assert [m.printed for m in rows(found, quantity="latency")][:2] == ["63.574", "557.219"]


class TestRules:
    """The rules of readers.md, in their order."""

    def test_1_mb_is_2_to_the_20(self):
        rate = one(fixture("vos-2018.txt"), operation="update", quantity="rate")
        bandwidth = one(fixture("vos-2018.txt"), operation="update", quantity="bandwidth")
        assert bandwidth.unit == "MiB/s"
        assert rate.value * rate.settings["transfer_b"] == bandwidth.value * 2**20

    @pytest.mark.parametrize(
        "change",
        [
            ("16000.000  MB/sec", "15.625  GB/sec"),
            ("62.500     us", "0.0625     ms"),
            ("6.250000   sec", "6250   msec"),
        ],
    )
    def test_1_unknown_unit(self, change):
        found = parsed("vos-2018.txt", change)
        assert errors(found) == ["unknown-unit"]
        assert len(found.measurements) == 7

    def test_2_latency_with_credits_is_none(self):
        found = fixture("daos-2022.txt")
        assert rows(found, quantity="latency") == []
        assert "unknown-meaning" in codes(found)

    def test_3_both_spellings(self):
        found = parsed("vos-2018.txt", ("bandwith :", "bandwidth:"))
        assert figures(found, operation="update", quantity="bandwidth") == [(16000.0, "MiB/s")]

    @pytest.mark.parametrize(
        ("text", "code"), [("nan", "not-a-number"), ("inf", "not-a-number"), ("-1.0", "below-zero")]
    )
    def test_4_no_number(self, text, code):
        found = parsed("vos-2018.txt", ("16000.00   IO/sec", f"{text}   IO/sec"))
        assert errors(found) == [code]
        assert rows(found, operation="update", quantity="rate") == []

    def test_4_nothing_done(self):
        text = "\n".join(
            line for line in text_of("daos_perf", "table.txt").split("\n") if "duration" not in line
        )
        text += "duration : 0.000000 sec bandwith : 0.000 MB/sec rate : 0.00 IO/sec |\n"
        with pytest.raises(StoragebookError, match="no result of daos_perf"):
            daos_perf.parse(text.encode(), "f")

    def test_5_rate_size_and_bandwidth(self):
        found = parsed("vos-2018.txt", ("16000.000  MB/sec", "17000.000  MB/sec"))
        assert errors(found) == ["contradiction"]
        assert figures(found, operation="update", quantity="rate") == [(16000.0, "IOP/s")]
        assert figures(found, operation="update", quantity="bandwidth") == [(17000.0, "MiB/s")]

    def test_6_times_of_processes_are_their_own(self):
        found = fixture("daos-2022.txt")
        assert [m.value for m in rows(found, quantity="time", scope="all")] == [2.0]

    def test_7_settings_stay_with_their_test(self):
        text = text_of("daos_perf", "daos-2022.txt") + text_of("daos_perf", "vos-2018.txt")
        found = daos_perf.parse(text.encode(), "f.txt")
        assert {(m.run, m.settings["transfer_b"]) for m in found.measurements} == {
            ("f#1", 4096),
            ("f#2", 2**20),
            ("f#3", 2**20),
        }
        assert {m.settings.get("nvme_b") for m in rows(found, run="f#2")} == {None}

    def test_8_test_that_failed(self):
        found = fixture("daos-2022.txt")
        assert {m.operation for m in found.measurements} == {"update"}
        failed = [(f.code, f.line) for f in found.findings if f.severity == "error"]
        assert ("tool-error", 30) in failed
        assert "interrupted" in [code for code, _ in failed]

    def test_8_last_figure_without_its_end(self):
        text = text_of("daos_perf", "vos-2018.txt")
        cut = text[: text.index("20000.00   IO/sec") + 3]
        found = daos_perf.parse(cut.encode(), "f.txt")
        assert rows(found, operation="fetch", quantity="rate") == []
        assert figures(found, operation="fetch", quantity="bandwidth") == [(20000.0, "MiB/s")]

    def test_8_nothing_but_an_error(self):
        text = text_of("daos_perf", "daos-2022.txt")
        text = text[: text.index("Running test=UPDATE")] + "failed: DER_NOSPACE(-1007)\n"
        with pytest.raises(StoragebookError, match="DER_NOSPACE"):
            daos_perf.parse(text.encode(), "f")


class TestBad:
    def test_decimal_comma(self):
        found = parsed("vos-2018.txt", ("16000.00   IO/sec", "16000,00   IO/sec"))
        assert errors(found) == ["decimal-comma"]

    @pytest.mark.parametrize(
        "data", [b"", b"\0", b"duration : sec", b"obj_per_cont : 1 x 1 (procs)"]
    )
    def test_nothing(self, data):
        with pytest.raises(StoragebookError):
            daos_perf.parse(data, "f")
