"""Source 000 from section 4 on, read a second time and typed here, and what binds its figures.

The mutation script (tests/mutation.py) runs these on copies with moved cells. Guards take no
fixtures and read their tables inside the function.
"""

import pytest

from storagebook import tables
from storagebook.intervals import Interval, percent_change

pytestmark = pytest.mark.guard

KNOWN = {
    "daos-magnitudes": {
        361: {"object-identifier": (128, "1"), "ttfb": (10, "µs")},
        364: {"client-processes": (10**6, "1")},
        417: {
            "server-bandwidth-goal": (100, "GB/s"),
            "server-iops-goal": (10**6, "IOP/s"),
            "server-bandwidth": (15.68, "GiB/s"),
            "server-metadata": (160, "kIOP/s"),
        },
        418: {
            "total-iops-goal": (10**9, "IOP/s"),
            "bandwidth": (10066.09, "GiB/s"),
            "bandwidth-decimal": (10.81, "TB/s"),
            "metadata": (102.8, "MIOP/s"),
            "peak-iops": (400, "MIOP/s"),
        },
        419: {
            "client-processes-goal": (10**6, "1"),
            "run-processes": (62_400, "1"),
            "client-nodes-2026": (8192, "1"),
        },
        420: {"ttfb-goal": (10, "µs"), "ttfb-website": (20, "µs")},
    },
    "daos-sensitivity": {
        428: {"providers": (20, "1"), "estimated-peak": (800, "GiB/s")},
        431: {"rpcs-in-flight": (16, "1"), "best-request": (64, "KiB")},
        432: {
            "operations-in-flight": (32, "1"),
            "request": (256, "KiB"),
            "too-many": (128, "1"),
            "too-many-request": (1, "MiB"),
        },
        433: {
            "client-nics": (8, "1"),
            "knee": (16, "1"),
            "saturation": (32, "1"),
            "saturation-per-nic": (4, "1"),
        },
        434: {"stable-chunk": (512, "KiB"), "default-chunk": (1, "MiB")},
        436: {"idle-nics": (7, "1")},
        438: {"single-node-share": (9, "%")},
        450: {
            "jlab-nodes": (127, "1"),
            "jlab-targets": (4064, "1"),
            "jlab-clients": (8, "1"),
            "dfs-bandwidth": (5, "1"),
            "dfs-iops": (190, "1"),
            "jlab-saturation": (32, "1"),
        },
    },
    "aurora-scale": {
        463: {
            "servers": (800, "1"),
            "clients-least": (2048, "1"),
            "clients-middle": (4096, "1"),
            "clients-most": (8192, "1"),
            "throughput": (30, "TB/s"),
            "servers-2023": (642, "1"),
            "clients-2023": (300, "1"),
        },
        465: {
            "report-servers": (642, "1"),
            "report-bandwidth": (10, "TiB/s"),
            "report-metadata": (10**8, "IOP/s"),
        },
        491: {"release-servers": (128, "1"), "release-planned": (1024, "1")},
    },
    "hacc": {
        473: {
            "nodes": (512, "1"),
            "ranks": (6144, "1"),
            "ranks-per-node": (12, "1"),
            "particles": (6467 * 10**8, "1"),
        },
        476: {
            "daos-servers": (128, "1"),
            "daos-write": (5_262_890, "MB/s"),
            "daos-write-rounded": (5.26, "TB/s"),
            "daos-ior": (5_723_194.84, "MB/s"),
            "daos-ior-rounded": (5.72, "TB/s"),
            "daos-of-ior": (92, "%"),
        },
        477: {
            "flare-capacity": (100, "PB"),
            "lustre-write": (597_492, "MB/s"),
            "lustre-write-rounded": (0.6, "TB/s"),
            "lustre-peak": (600_000, "MB/s"),
        },
        479: {"ratio": (8.8, "1"), "daos-of-ior-again": (92, "%")},
        481: {
            "written-2026": (85, "PB"),
            "kept-2026": (8, "PB"),
            "nodes-2026": (8100, "1"),
            "particles-2026": (13 * 10**12, "1"),
        },
    },
    "mlperf-alcf": {
        488: {
            "daos-servers": (128, "1"),
            "daos-write": (1, "TB/s"),
            "daos-read": (600, "GB/s"),
            "checkpoint": (10, "s"),
        },
        489: {
            "flare-capacity": (100, "PB"),
            "lustre-least": (400, "GB/s"),
            "lustre-most": (600, "GB/s"),
        },
    },
    "ecmwf": {
        495: {"field": (1, "MiB")},
        497: {
            "servers-least": (1, "1"),
            "servers-most": (16, "1"),
            "lustre-metadata-servers": (1, "1"),
            "clients-per-server": (2, "1"),
            "procs-low": (16, "1"),
            "procs-high": (32, "1"),
        },
        499: {"contention-loss": (50, "%"), "decline-from": (4, "1")},
        500: {"list-ratio": (2, "1")},
    },
    "md-on-ssd-quantities": {
        506: {"servers-few": (4, "1"), "clients-few": (16, "1")},
        515: {
            "servers-many": (16, "1"),
            "clients-many": (64, "1"),
            "transfer": (1, "MiB"),
            "write-pmem": (720, "GiB/s"),
            "write-md-on-ssd": (710, "GiB/s"),
            "read-pmem": (710, "GiB/s"),
            "read-md-on-ssd": (715, "GiB/s"),
            "servers-create": (16, "1"),
            "create-s1-pmem": (12_000, "kIOP/s"),
            "create-s1-md-on-ssd": (9_800, "kIOP/s"),
            "create-s1-change": (-18, "%"),
            "create-rp3-pmem": (2_600, "kIOP/s"),
            "create-rp3-md-on-ssd": (2_400, "kIOP/s"),
            "create-rp3-change": (-8, "%"),
        },
        517: {
            "cost-least": (10, "%"),
            "cost-most": (20, "%"),
            "wal-transfer": (1, "MiB"),
            "wal-first": (179, "GiB/s"),
            "wal-second": (114, "GiB/s"),
        },
    },
    "ecosystem-gains": {
        522: {
            "scan-files": (1_100_000, "1"),
            "scan-before": (291, "s"),
            "scan-after": (32, "s"),
            "scan-gain": (9, "1"),
        },
        523: {
            "dcp-size": (200, "GiB"),
            "dcp-ranks": (16, "1"),
            "dcp-rate": (38.088, "GiB/s"),
            "dcp-time": (5.299, "s"),
            "dcp-mean": (37.744, "GiB/s"),
        },
        524: {
            "rnd4k-transfer": (4, "KiB"),
            "rnd4k-read": (218.31, "GiB/s"),
            "rnd4k-reporters": (17, "1"),
            "rnd4k-rank": (1, "1"),
        },
    },
}
BOUNDS = {
    "daos-magnitudes": {
        "order-of": {
            *("ttfb", "client-processes", "server-bandwidth-goal", "server-iops-goal"),
            *("total-iops-goal", "client-processes-goal", "ttfb-goal"),
        },
        "about": {"bandwidth-decimal"},
        "less-than": {"ttfb-website"},
    },
    "daos-sensitivity": {
        "about": {"estimated-peak", "saturation", "dfs-bandwidth", "dfs-iops", "jlab-saturation"},
        "at-least": {"operations-in-flight", "request", "stable-chunk"},
    },
    "aurora-scale": {"more-than": {"report-bandwidth"}, "at-least": {"report-metadata"}},
    "hacc": {
        "about": {
            *("daos-write-rounded", "daos-ior-rounded", "lustre-write-rounded", "lustre-peak"),
            *("ratio", "kept-2026"),
        },
        "more-than": {"written-2026", "particles-2026"},
    },
    "mlperf-alcf": {
        "nearly": {"daos-write"},
        "less-than": {"checkpoint"},
        "at-least": {"lustre-least"},
        "at-most": {"lustre-most"},
    },
    "ecmwf": {"about": {"contention-loss"}},
    "md-on-ssd-quantities": {"about": {"cost-least", "cost-most"}},
    "ecosystem-gains": {"about": {"scan-gain"}},
}


@pytest.mark.parametrize("name", KNOWN)
def test_quantities(name):
    assert {
        row["quantity"]: (row["line"], row["value"], row["unit"])
        for row in tables.load(name).to_dict("records")
    } == {
        quantity: (line, value, unit)
        for line, quantities in KNOWN[name].items()
        for quantity, (value, unit) in quantities.items()
    }


@pytest.mark.parametrize("name", BOUNDS)
def test_qualifiers(name):
    found = {}
    for row in tables.load(name).to_dict("records"):
        found.setdefault(row["qualifier"], set()).add(row["quantity"])
    found.pop("plain")
    assert found == BOUNDS[name]


def test_stages():
    table = tables.load("aurora-expansion")
    assert table[["stage", "servers_count", "line"]].to_numpy().tolist() == [
        ["first", 128, 459],
        ["middle", 370, 460],
        ["final", 800, 461],
    ]


def test_without_persistent_memory():
    table = tables.load("md-on-ssd")
    columns = ["transfer_kib", "pmem_gib_s", "md_on_ssd_gib_s", "change_pct", "line"]
    assert table[columns].to_numpy().tolist() == [
        [1, 5, 4, -20, 509],
        [4, 12, 10, -17, 510],
        [16, 40, 35, -13, 511],
        [64, 178, 145, -19, 512],
        [1024, 178, 178, 0, 513],
    ]


def test_changes_are_those_between_the_media():
    for row in tables.load("md-on-ssd").to_dict("records"):
        before, after = (
            Interval.of_printed(f"{row[c]:.0f}", trailing_zeros=True)
            for c in ("pmem_gib_s", "md_on_ssd_gib_s")
        )
        printed = Interval.of_printed(f"{row['change_pct']:.0f}", trailing_zeros=True)
        assert printed.overlaps(percent_change(before, after)), row
        assert row["printed"].replace("−", "-") == f"{row['change_pct']:.0f}%"


@pytest.mark.parametrize(
    ("name", "lines"),
    [("daos-architecture", range(360, 365)), ("daos-interfaces", range(445, 449))],
)
def test_lines(name, lines):
    assert tables.load(name)["line"].tolist() == list(lines)
