"""fio's JSON of 2.x and 3.x; known answers typed from the files."""

import json

import pytest

from outputs import FIXTURES, SAMPLES, codes, edited, errors, one, rows, text_of
from storagebook.errors import StoragebookError
from storagebook.readers import fio

FILES = sorted((FIXTURES / "fio").iterdir())


def fixture(name):
    return fio.read(FIXTURES / "fio" / name)


def parsed(name, *changes):
    return fio.parse(edited(text_of("fio", name), *changes), name)


def figures(reading, **wanted):
    return [(m.value, m.unit) for m in rows(reading, **wanted)]


def document(version="fio-3.33", **figures_of_write):
    """One job that wrote, as JSON."""
    write = {
        "io_bytes": 10_485_760,
        "bw_bytes": 1_048_576,
        "bw": 1024,
        "iops": 256.0,
        "runtime": 10_000,
        "total_ios": 2560,
    } | figures_of_write
    job = {"jobname": "w", "groupid": 0, "error": 0, "elapsed": 10, "write": write}
    return {"fio version": version, "timestamp": 1_700_000_010, "jobs": [job]}


def read(value):
    return fio.parse(json.dumps(value, indent=1).encode(), "f.json")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_sniffs_its_own(path):
    assert fio.sniff(path.read_bytes()[:4096])


@pytest.mark.parametrize("tool", ["ior", "mdtest", "daos_perf", "iozone"])
def test_leaves_others_alone(tool):
    assert not any(fio.sniff(p.read_bytes()[:4096]) for p in (FIXTURES / tool).iterdir())


class TestSamples:
    @pytest.mark.parametrize("path", sorted(SAMPLES.glob("outputs/fio*")), ids=lambda p: p.name)
    def test_all(self, path):
        found = fio.read(path)
        assert codes(found) == []
        assert {(m.version, m.scope) for m in found.measurements} == {("3.33", "group")}

    def test_mixed(self):
        found = fio.read(SAMPLES / "outputs" / "fio-randrw.json")
        assert figures(found, operation="read", quantity="bandwidth") == [(110610018.0, "B/s")]
        assert figures(found, operation="write", quantity="bandwidth") == [(110640323.0, "B/s")]
        rate = one(found, operation="read", quantity="rate")
        assert (rate.printed, rate.unit) == ("27004.399120", "IOP/s")
        p99 = one(found, operation="write", quantity="latency_completion", statistic="p99")
        assert (p99.value, p99.unit) == (659456.0, "ns")
        assert rate.settings == {
            "job": "randrw",
            "pattern": "randrw",
            "api": "libaio",
            "queue_depth": 8,
            "tasks": 2,
            "transfer_b": 4096,
            "size_b": 128 * 2**20,
            "limit_s": 5,
        }
        assert rows(found, operation="trim") == []


class TestVersion2:
    def test_units(self):
        found = fixture("2.1-mixed.json")
        assert codes(found) == []
        assert figures(found, operation="read", quantity="bandwidth") == [(104857.0, "KiB/s")]
        assert figures(found, operation="read", quantity="data_moved") == [(1048576.0, "KiB")]
        latency = one(found, operation="write", quantity="latency", statistic="mean")
        assert (latency.value, latency.unit) == (254.0, "µs")
        assert figures(found, operation="read", quantity="time") == [(10000.0, "ms")]

    def test_percentiles_without_the_filling(self):
        found = fixture("2.1-mixed.json")
        percentiles = {
            m.statistic: m.value
            for m in rows(found, operation="read", quantity="latency_completion")
            if m.statistic.startswith("p")
        }
        assert percentiles == {"p1": 90.0, "p50": 149.0, "p99": 210.0, "p99.99": 1032.0}

    def test_latency_of_nothing(self):
        assert (
            rows(fixture("2.1-mixed.json"), operation="read", quantity="latency_submission") == []
        )


class TestVersion3:
    def test_two_jobs(self):
        found = fixture("3.1-two-jobs-plus.json")
        reader, writer = rows(found, job="reader"), rows(found, job="writer")
        assert {(m.operation, m.scope) for m in reader} == {("read", "job")}
        assert {(m.operation, m.scope) for m in writer} == {("write", "group")}
        assert reader[0].settings == {
            "job": "reader",
            "pattern": "randread",
            "api": "psync",
            "direct": True,
            "transfer_b": 4096,
            "limit_s": 10,
        }
        assert (writer[0].settings["transfer_b"], writer[0].settings["tasks"]) == (65536, 4)
        assert (writer[0].settings["api"], writer[0].settings["queue_depth"]) == ("io_uring", 32)

    def test_histogram_does_not_disturb(self):
        latency = rows(
            fixture("3.1-two-jobs-plus.json"), job="reader", quantity="latency_completion"
        )
        assert {m.statistic: m.value for m in latency} == {
            "min": 80000.0,
            "max": 9000000.0,
            "mean": 990000.5,
            "stddev": 1000.25,
            "p50": 989184.0,
            "p99.9": 8978432.0,
        }

    def test_sync_latency(self):
        value = document()
        value["jobs"][0]["sync"] = {
            "total_ios": 5,
            "lat_ns": {"min": 1, "max": 9, "mean": 5.0, "stddev": 2.5, "N": 5},
        }
        found = read(value)
        assert figures(found, operation="sync", quantity="latency", statistic="mean") == [
            (5.0, "ns")
        ]
        assert {m.quantity for m in rows(found, operation="sync")} == {"latency"}


class TestRules:
    """The rules of readers.md, in their order."""

    @pytest.mark.parametrize(
        ("version", "unit"),
        [("fio-2.1.10", "KiB"), ("fio-2.21", "KiB"), ("fio-2.99", "B"), ("fio-3.33", "B")],
    )
    def test_1_unit_of_io_bytes_by_version(self, version, unit):
        moved = 10_240 if unit == "KiB" else 10_485_760
        found = read(document(version, io_bytes=moved))
        assert codes(found) == []
        assert figures(found, quantity="data_moved") == [(float(moved), unit)]

    def test_1_no_version_no_unit(self):
        value = document()
        del value["fio version"]
        found = read(value)
        assert rows(found, quantity="data_moved") == []
        assert codes(found) == ["unknown-meaning"]
        assert figures(found, quantity="bandwidth") == [(1048576.0, "B/s")]

    @pytest.mark.parametrize(("version", "field"), [("fio-3.1", "lat"), ("fio-2.1", "lat_ns")])
    def test_1_field_of_the_other_version_is_refused(self, version, field):
        moved = 10_240 if version == "fio-2.1" else 10_485_760
        latency = {"min": 1, "max": 9, "mean": 5.0, "stddev": 2.5}
        found = read(document(version, io_bytes=moved, **{field: latency}))
        assert errors(found) == ["unknown-column"]
        assert rows(found, quantity="latency") == []

    def test_2_version_with_every_row(self):
        text = text_of("fio", "2.1-mixed.json") + text_of("fio", "3.28-clients.json")
        found = fio.parse(text.encode(), "f.json")
        assert {(m.run, m.version) for m in found.measurements} == {
            ("f#1", "2.1.10"),
            ("f#2", "3.28"),
        }

    def test_4_nothing_done_has_no_rows(self):
        found = fixture("3.1-two-jobs-plus.json")
        assert {m.operation for m in rows(found, job="reader")} == {"read"}

    @pytest.mark.parametrize("word", ["nan", "-nan", "inf"])
    def test_4_no_number(self, word):
        found = parsed("3.1-two-jobs-plus.json", ('"iops" : 1000.000000', f'"iops" : {word}'))
        assert errors(found) == ["not-a-number"]
        assert rows(found, job="reader", quantity="rate") == []

    def test_5_two_bandwidths_that_differ_are_both_kept(self):
        found = parsed("3.1-two-jobs-plus.json", ('"bw" : 4000', '"bw" : 5000'))
        assert errors(found) == ["contradiction"]
        assert figures(found, job="reader", quantity="bandwidth") == [
            (4096000.0, "B/s"),
            (5000.0, "KiB/s"),
        ]

    def test_5_two_bandwidths_that_agree_are_one_row(self):
        assert figures(fixture("3.1-two-jobs-plus.json"), job="reader", quantity="bandwidth") == [
            (4096000.0, "B/s")
        ]

    def test_5_data_over_time_is_not_the_bandwidth(self):
        found = read(document(io_bytes=20_000_000))
        assert errors(found) == ["contradiction"]
        assert figures(found, quantity="data_moved") == [(20_000_000.0, "B")]

    @pytest.mark.parametrize(("version", "moved"), [("fio-3.33", 10_240), ("fio-2.21", 10_485_760)])
    def test_5_data_in_the_other_version_s_unit_is_not_read(self, version, moved):
        found = read(document(version, io_bytes=moved))
        assert errors(found) == ["contradiction"]
        assert rows(found, quantity="data_moved") == []

    def test_6_clients_and_all_of_them(self):
        found = fixture("3.28-clients.json")
        assert [
            (m.scope, m.settings.get("host"), m.value) for m in rows(found, quantity="rate")
        ] == [
            ("host", "node01", 1024.0),
            ("host", "node02", 1024.0),
            ("all", None, 1536.0),
        ]
        assert {m.obtained for m in found.measurements} == {"raw-output"}

    def test_6_states_of_one_run_are_one_run(self):
        found = fixture("status-interval.json")
        # the first two documents are one run, the third started 85 s later
        assert [(m.run, m.value) for m in rows(found, quantity="rate")] == [
            ("status-interval#1", 512.0),
            ("status-interval#2", 768.0),
        ]
        assert "snapshots" in codes(found)

    def test_6_jobs_of_one_group_without_group_reporting(self):
        value = document()
        value["jobs"] = [
            value["jobs"][0] | {"job options": {"numjobs": "2"}},
            value["jobs"][0] | {"job options": {"numjobs": "2"}},
        ]
        assert {m.scope for m in read(value).measurements} == {"job"}

    def test_7_noise_before_and_behind(self):
        text = "some banner\n" + text_of("fio", "3.28-clients.json") + "bye\n"
        found = fio.parse(text.encode(), "3.28-clients.json")
        assert found.measurements == fixture("3.28-clients.json").measurements
        assert [(f.code, f.line) for f in found.findings if f.code == "noise"] == [("noise", 1)]

    def test_7_warnings_are_told(self):
        found = fixture("3.1-two-jobs-plus.json")
        assert [(f.code, f.line) for f in found.findings][:2] == [
            ("tool-warning", 1),
            ("tool-warning", 2),
        ]

    def test_7_another_document(self):
        text = text_of("ior", "3.2-nested.json") + text_of("fio", "2.1-mixed.json")
        found = fio.parse(text.encode(), "f.json")
        assert codes(found) == ["noise"]
        assert {m.tool for m in found.measurements} == {"fio"}

    def test_8_ended_by_a_signal(self):
        assert "interrupted" in errors(fixture("status-interval.json"))

    def test_8_cut_document_gives_its_complete_jobs(self):
        text = text_of("fio", "3.1-two-jobs-plus.json")
        found = fio.parse(text[: text.index('"bw_bytes" : 655360000')].encode(), "f.json")
        assert {m.settings["job"] for m in found.measurements} == {"reader"}
        assert errors(found) == ["interrupted"]

    def test_8_failed_job_is_marked(self):
        found = fixture("3.28-clients.json")
        assert {m.settings.get("host"): m.valid for m in found.measurements} == {
            "node01": None,
            "node02": False,
            None: None,
        }
        assert errors(found) == ["tool-error"]

    def test_8_error_before_any_result(self):
        with pytest.raises(StoragebookError, match="No space left on device") as caught:
            fio.parse(
                b"fio: pid=0, err=28/file:filesetup.c:240, error=No space left on device\n", "f"
            )
        assert "\n" not in str(caught.value)

    def test_10_short_ios(self):
        found = fixture("3.1-two-jobs-plus.json")
        assert any("2 short_ios in job 'writer'" in f.text for f in found.findings)


class TestBad:
    def test_text_for_people(self):
        with pytest.raises(StoragebookError, match="--output-format=json"):
            fixture("text-for-people.txt")

    def test_decimal_comma(self):
        with pytest.raises(StoragebookError, match="decimal comma") as caught:
            parsed("3.1-two-jobs-plus.json", ('"iops" : 1000.000000', '"iops" : 1000,000000'))
        assert caught.value.line == 27

    def test_no_jobs(self):
        with pytest.raises(StoragebookError, match="without jobs"):
            fio.parse(b'{"fio version" : "fio-3.33", "jobs" : []}', "f")

    def test_nothing_done_at_all(self):
        with pytest.raises(StoragebookError, match="no result of fio"):
            read(document(io_bytes=0, bw_bytes=0, bw=0, iops=0.0, runtime=0, total_ios=0))

    @pytest.mark.parametrize(
        "value",
        [
            {"jobs": "none"},
            {"jobs": [1, None, []]},
            {"jobs": [{"write": []}]},
            {"jobs": [{"write": {"lat_ns": [1]}}]},
            {"jobs": [{"job options": 3, "error": [], "write": {"bw": {}}}]},
            {"jobs": [{"error": 1e300, "write": {"runtime": "x", "total_ios": None}}]},
        ],
    )
    def test_odd_types(self, value):
        with pytest.raises(StoragebookError):
            read({"fio version": "fio-3.33"} | value)

    @pytest.mark.parametrize("data", [b"", b"{", b'{"fio version"', b"\0", b"[]"])
    def test_nothing(self, data):
        with pytest.raises(StoragebookError):
            fio.parse(data, "f")


@pytest.mark.parametrize(
    ("text", "thousand", "size"),
    [
        ("4k", 1024, 4096),
        ("4k", 1000, 4000),
        ("4ki", 1000, 4096),
        ("1M", 1024, 1 << 20),
        ("512", 1024, 512),
        ("2GiB", 1024, 2 << 30),
        ("20%", 1024, None),
        ("", 1024, None),
    ],
)
def test_size_b(text, thousand, size):
    assert fio.size_b(text, thousand) == size
