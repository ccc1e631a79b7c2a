"""Sources 001 to 004, read a second time and typed here, and what binds their figures.

The mutation script (tests/mutation.py) runs these on copies with moved cells. Guards take no
fixtures and read their tables inside the function.
"""

import pytest

from storagebook import tables
from storagebook.intervals import Interval

pytestmark = pytest.mark.guard

KNOWN = {
    "juicefs-quantities": {
        11: {"workloads": (3, "1")},
        13: {"unet3d-sample": (146, "MB")},
        15: {"resnet50-sample": (150, "kB")},
        17: {"cosmoflow-sample": (2, "MB")},
        33: {"unet3d-resnet50-threshold": (90, "%"), "cosmoflow-threshold": (70, "%")},
        39: {
            "unet3d-bandwidth": (108, "GiB/s"),
            "unet3d-hosts": (10, "1"),
            "unet3d-accelerators": (40, "1"),
            "unet3d-network": (86.6, "%"),
            "unet3d-au": (92.7, "%"),
        },
        41: {
            "cosmoflow-hosts": (10, "1"),
            "cosmoflow-accelerators": (100, "1"),
            "cosmoflow-au": (75, "%"),
        },
        43: {
            "resnet50-bandwidth": (90, "GiB/s"),
            "resnet50-network": (72, "%"),
            "resnet50-au": (95, "%"),
        },
        45: {"nodes": (10, "1")},
        51: {
            "v100-flat-au": (99, "%"),
            "v100-falling-au": (98, "%"),
            "v100-threshold": (90, "%"),
            "v100-accelerators": (110, "1"),
        },
        59: {
            "others-network-least": (400, "GiB/s"),
            "others-network-most": (1500, "GiB/s"),
            "cache-nodes": (100, "1"),
            "cache-node-network": (100, "Gbit/s"),
            "cache-bandwidth": (1.2, "TB/s"),
        },
        61: {"fast-nic": (400, "Gbit/s"), "fast-nic-utilisation": (80, "%")},
        75: {"resnet50-accelerators": (500, "1"), "others-resnet50-network": (40, "%")},
        81: {"clients": (10, "1")},
        82: {"cache-nodes-submission": (10, "1")},
    },
    "vos-parameters": {
        3: {"device": (375, "GB")},
        4: {"block": (512, "B"), "block-metadata": (0, "B")},
        6: {
            "option-pool": (120, "GiB"),
            "option-dkeys": (1, "1"),
            "option-akeys": (200, "1"),
            "option-records": (500, "1"),
            "option-value": (1, "MiB"),
            "option-credits": (0, "1"),
        },
        12: {"pool": (122880, "MB")},
        13: {"credits": (0, "1")},
        14: {"objects": (1, "1"), "procs": (1, "1")},
        15: {"dkeys": (1, "1")},
        16: {"akeys": (200, "1")},
        17: {"records": (500, "1")},
        19: {"value": (1048576, "B")},
        27: {"akeys-no-overwrite": (100, "1"), "records-no-overwrite": (200, "1")},
    },
    "pixstor-quantities": {
        1: {"nodes": (16, "1"), "threads-most": (1024, "1")},
        7: {"sequential-threads-most": (1024, "1")},
        9: {
            "page-pool": (16, "GiB"),
            "old-block": (1, "MiB"),
            "block": (8, "MiB"),
            "subblocks": (256, "1"),
            "subblock": (32, "KiB"),
        },
        11: {
            "sequential-threads-first": (1, "1"),
            "sequential-threads-last": (512, "1"),
            "sequential-nodes": (16, "1"),
        },
        13: {
            "client-memory": (128, "GiB"),
            "many-threads": (16, "1"),
            "total-size": (4096, "GiB"),
            "few-threads": (16, "1"),
            "file-size": (256, "GiB"),
        },
        22: {
            "nvme-peak": (102, "Gbit/s"),
            "edr-links": (4, "1"),
            "edr-bandwidth": (96, "Gbit/s"),
        },
        43: {"random-threads-most": (1024, "1")},
        45: {
            "queue-depth": (16, "1"),
            "random-block": (4, "KiB"),
            "random-threads-last": (512, "1"),
        },
        60: {"metadata-arrays": (1, "1"), "metadata-arrays-specified": (2, "1")},
        68: {
            "mdtest-files": (2097152, "1"),
            "mdtest-files-as-size": (2, "MiB"),
            "mdtest-files-per-directory": (1024, "1"),
        },
        84: {"pairs": (2, "1")},
    },
    "weather-fields": {
        5: {"field": (1, "MiB")},
        17: {"object-identifier": (128, "1"), "object-identifier-user": (96, "1")},
        31: {"writing-share": (50, "%"), "reading-share": (50, "%")},
        33: {"writers": (250, "1"), "readers": (250, "1")},
        55: {"applicable-least": (1, "MiB"), "applicable-most": (10, "MiB")},
    },
}
BOUNDS = {
    "juicefs-quantities": {
        "about": {
            *("unet3d-sample", "v100-flat-au", "v100-falling-au", "v100-accelerators"),
            *("others-network-least", "others-resnet50-network"),
        },
        "more-than": {"others-network-most"},
        "at-least": {"fast-nic"},
        "nearly": {"fast-nic-utilisation"},
    },
    "vos-parameters": {},
    "pixstor-quantities": {"about": {"nvme-peak", "edr-bandwidth"}},
    "weather-fields": {
        "order-of": {"field", "applicable-least", "applicable-most"},
        "about": {"writers", "readers"},
    },
}
# Benchmark, operation, point of the curve: value, unit, qualifier, threads.
PEAKS = {
    20: {
        ("IOzone sequential", "write", "plateau"): (None, None, "about", 64),
        ("IOzone sequential", "read", "plateau"): (None, None, "about", 128),
        ("IOzone sequential", "write", "decline"): (10, "%", "about", 1024),
    },
    39: {
        ("IOR", "read", "peak"): (51.6, "Gbit/s", "plain", 512),
        ("IOR", "read", "plateau"): (None, None, "about", 64),
        ("IOR", "write", "peak"): (34.5, "GB/s", "plain", 16),
    },
    54: {
        ("IOzone random", "write", "start"): (6e3, "IOP/s", "plain", 1),
        ("IOzone random", "write", "plateau"): (5e6, "IOP/s", "more-than", None),
        ("IOzone random", "read", "start"): (5e3, "IOP/s", "plain", 1),
        ("IOzone random", "read", "peak"): (7.3e6, "IOP/s", "plain", 1024),
    },
    76: {
        ("mdtest", "stat", "peak"): (6.9e6, "IOP/s", "about", 64),
        ("mdtest", "stat", "plateau"): (3.2e6, "IOP/s", "at-least", None),
        ("mdtest", "create", "peak"): (113e3, "IOP/s", "plain", 512),
        ("mdtest", "create", "plateau"): (113e3, "IOP/s", "plain", None),
        ("mdtest", "read", "peak"): (705e3, "IOP/s", "about", 128),
        ("mdtest", "read", "plateau"): (265e3, "IOP/s", "more-than", None),
        ("mdtest", "delete", "peak"): (370e3, "IOP/s", "plain", 128),
        ("mdtest", "delete", "plateau"): (265e3, "IOP/s", "plain", None),
    },
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
    found.pop("plain", None)
    assert found == BOUNDS[name]


def test_peaks():
    table = tables.load("pixstor-peaks").astype(object)
    rows = table.where(table.notna(), None).to_dict("records")
    assert {
        (row["line"], row["benchmark"], row["operation"], row["kind"]): (
            *(row["value"], row["unit"], row["qualifier"], row["threads_count"]),
        )
        for row in rows
    } == {(line, *key): point for line, points in PEAKS.items() for key, point in points.items()}


def test_threads_are_spread_over_the_nodes():
    table = tables.load("pixstor-threads")
    nodes = tables.load("pixstor-quantities").set_index("quantity")["value"]["nodes"]
    assert table["threads_count"].tolist() == [32, 64, 128, 256, 512, 1024]
    assert (table["per_node_count"] * nodes == table["threads_count"]).all()


def test_command_lines_ask_for_what_is_noted():
    table = tables.load("pixstor-commands")
    assert table["line"].tolist() == [15, 16, 33, 35, 49, 50, 66]
    asked = {"-r 8M": 8192, "-t 8m": 8192, "-r 4k": 4, "-w 4K": 4}
    for row in table.to_dict("records"):
        (option,) = [o for o in asked if o in row["printed"]]
        assert row["transfer_kib"] == asked[option]


# -- daos_perf


def vos():
    return tables.printed("vos-daos-perf").to_dict("records")


def strictly(printed):
    return Interval.of_printed(printed, trailing_zeros=True)


def test_builds():
    assert [(row["build"], row["line"]) for row in vos()] == [
        (build, line)
        for build, line in (
            *(("DAOS-1108", "28"), ("DAOS-879", "33")),
            *(("DAOS-1078", "40"), ("DAOS-1079", "45")),
        )
        for _ in range(4)
    ]
    assert [(row["media"], row["mode"]) for row in vos()] == [
        *(("PMem", "overwrite"), ("PMem", "no overwrite")),
        *(("NVMe", "overwrite"), ("NVMe", "no overwrite")),
    ] * 4


def test_each_run_makes_as_many_updates_as_asked_for():
    asked = tables.load("vos-parameters").set_index("quantity")["value"]
    for row in vos():
        fewer = (row["media"], row["mode"]) == ("PMem", "no overwrite")
        part = "-no-overwrite" if fewer else ""
        updates = asked[f"akeys{part}"] * asked[f"records{part}"]
        assert (strictly(row["duration_s"]) * strictly(row["rate_iops"])).contains(updates), row
        assert (strictly(row["duration_s"]) * 10**6 / updates).overlaps(
            strictly(row["latency_us"])
        ), row


def test_a_printed_megabyte_is_one_value():
    assert tables.load("vos-parameters").set_index("quantity")["value"]["value"] == 2**20
    for row in vos():
        assert strictly(row["bandwidth_mb_s"]).overlaps(strictly(row["rate_iops"])), row


def test_the_steps_of_a_field():
    table = tables.load("weather-steps")
    found = table.groupby(["operation", "line"])["step"].agg("".join).to_dict()
    assert found == {("write", 39): "abc", ("read", 41): "abcde"}
