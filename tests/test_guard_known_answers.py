"""What source 000 says, read a second time and typed here: figures that no arithmetic binds.

The mutation script (tests/mutation.py) runs these on copies with moved cells. Guards take no
fixtures and read their tables inside the function.
"""

import pytest

from storagebook import tables

pytestmark = pytest.mark.guard

# Section 3.1: the configuration table, layer by layer.
AURORA = {
    202: {
        "servers": (1024, "1"),
        "server-cpus": (2, "1"),
        "server-dram": (512, "GB"),
    },
    203: {
        "server-nvme-drives": (16, "1"),
        "nvme-drive": (15.3, "TB"),
        "server-nvme": (244.8, "TB"),
        "server-pmem-modules": (16, "1"),
        "pmem-module": (512, "GB"),
        "server-pmem": (8, "TB"),
        "server-nics": (2, "1"),
    },
    204: {
        "server-engines": (2, "1"),
        "engines": (2048, "1"),
        "server-targets": (32, "1"),
    },
    205: {
        "capacity-raw": (260, "PB"),
        "ec-data-cells": (16, "1"),
        "ec-parity-cells": (2, "1"),
        "capacity-ec": (220, "PB"),
        "capacity-least": (220, "PB"),
        "capacity-most": (249, "PB"),
    },
    206: {
        "peak-bandwidth": (31, "TB/s"),
        "peak-iops": (400, "MIOP/s"),
        "capacity-user-docs": (230, "PB"),
        "bandwidth-user-docs": (25, "TB/s"),
    },
    207: {
        "daos-groups": (8, "1"),
        "client-nics": (8, "1"),
        "client-nic": (200, "Gbit/s"),
        "server-nics-again": (2, "1"),
        "server-network": (40, "GiB/s"),
    },
    208: {
        "flare-capacity": (100, "PB"),
        "flare-bandwidth": (650, "GB/s"),
        "flare-capacity-a": (91, "PB"),
        "flare-capacity-b": (100, "PB"),
        "flare-osts-a": (160, "1"),
        "flare-osts-b": (56, "1"),
        "flare-gateways-a": (48, "1"),
        "flare-gateways-b": (100, "1"),
    },
}
RUN = {
    209: {
        "client-nodes": (300, "1"),
        "procs-per-node": (208, "1"),
        "procs": (62_400, "1"),
        "mpi-tasks": (63_000, "1"),
        "servers": (642, "1"),
        "engines": (1284, "1"),
        "compute-groups": (18, "1"),
        "daos-groups": (8, "1"),
    },
    212: {
        "pool": (160, "PiB"),
        "largest-file": (8.5, "PiB"),
        "files": (177e9, "1"),  # 1770 × 10⁸
        "files-in-directory": (33e9, "1"),  # 330 × 10⁸
        "endpoints": (24_000, "1"),
    },
}
LISTS = {
    87: {"supermuc-rnd4k-read": (218.31, "GiB/s")},
    146: {"production-entries": (46, "1"), "production-daos-systems": (5, "1")},
    163: {"leonardo-client-nodes": (2000, "1"), "leonardo-score": (649, "score")},
    182: {"wolf-client-nodes": (52, "1")},
    187: {"supermuc-servers": (42, "1")},
    189: {
        "supermuc-client-nodes-sc23": (90, "1"),
        "supermuc-client-nodes-sc25": (192, "1"),
    },
    306: {
        "aurora-page-score": (32165.93, "score"),
        "aurora-list-score": (32165.90, "score"),
    },
}


@pytest.mark.parametrize(
    ("name", "known"),
    [("aurora-configuration", AURORA), ("aurora-run", RUN), ("io500-quantities", LISTS)],
)
def test_quantities(name, known):
    table = tables.load(name)
    assert {
        row["quantity"]: (row["line"], row["value"], row["unit"])
        for row in table.to_dict("records")
    } == {
        quantity: (line, value, unit)
        for line, quantities in known.items()
        for quantity, (value, unit) in quantities.items()
    }


def test_rules():
    table = tables.load("io500-rules").set_index("rule")
    assert table["line"].to_dict() == {
        "gb-per-gib": 13,
        "phases": 71,
        "groups": 71,
        "easy-hard-pairs": 71,
        "ior-hard-record": 77,
        "mdtest-easy-file": 78,
        "mdtest-hard-file": 79,
        "stonewall": 84,
        "read-elsewhere": 85,
        "rnd4k-transfer": 87,
        "bandwidth-phases": 131,
        "metadata-phases": 131,
        "mdtest-phases": 131,
        "score": 129,
        "ten-node-clients": 137,
    }
    assert table["value"].dropna().to_dict() == {
        "gb-per-gib": 1.073741824,
        "phases": 12,
        "groups": 5,
        "easy-hard-pairs": 2,
        "ior-hard-record": 47008,
        "mdtest-easy-file": 0,
        "mdtest-hard-file": 3901,
        "stonewall": 300,
        "rnd4k-transfer": 4,
        "bandwidth-phases": 4,
        "metadata-phases": 8,
        "mdtest-phases": 7,
        "ten-node-clients": 10,
    }


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("io500-groups", range(76, 81)),
        ("io500-phases", [76] * 2 + [77] * 2 + [78] * 3 + [79] * 4 + [80, 87]),
        ("io500-lists", range(136, 139)),
        ("io500-production-isc26", range(149, 158)),
        ("io500-ten-node-isc26", range(170, 176)),
        ("io500-research-isc26", [140, 140]),
        ("io500-evolution", range(182, 192)),
        ("aurora-list-ranks", [162] * 6),
        ("aurora-names", [202, 202, 203, 203, 205, 207, 208, 210, 210, 210]),
        ("aurora-phases", range(219, 231)),
        (
            "score-script",
            [
                *(246, 247, 248, 249, 253, 254, 255, 256, 257, 258, 259, 260),
                *(263, 263, 263, 265, 266, 266, 266, 281, 282, 282, 287),
                *(295, 295, 295, 296, 296, 296, 297, 297, 297, 298, 299, 300, 300, 300),
                *(301, 302, 303, 304),
            ],
        ),
        ("aurora-object-classes", range(313, 318)),
        ("aurora-redundancy", [line for line in range(322, 329) for _ in range(2)]),
        ("aurora-redundancy-change", range(322, 329)),
        ("io500-per-server", range(344, 348)),
    ],
)
def test_lines(name, lines):
    assert tables.load(name)["line"].tolist() == list(lines)


def test_ranks_on_the_production_list():
    table = tables.load("io500-production-isc26")
    assert dict(zip(table["rank"], table["system"], strict=True)) == {
        1: "Aurora",
        2: "SuperMUC-NG-Phase2-EC",
        3: "Helma",
        4: "SSC-24",
        5: "Shaheen III",
        6: "Maximus-01",
        7: "IRIS",
        15: "Lise",
        20: "CTPAI",
    }


def test_processes_on_the_ten_node_list():
    table = tables.load("io500-ten-node-isc26").set_index("system")
    assert table["procs_count"].to_dict() == {
        "Aurora": 2080,
        "SuperMUC-NG-Phase2-EC-10": 1120,
        "Maximus-01": 960,
        "JoyBuilder": 960,
        "HRT": 1600,
        "Lise": 960,
    }


def test_research_list():
    table = tables.printed("io500-research-isc26")
    columns = ["rank", "score", "bandwidth_gib_s", "metadata_kiops"]
    assert table[columns].to_numpy().tolist() == [
        ["1", "603,334.56", "", "43,903,983.64"],
        ["4", "79,110.10", "26,888.39", ""],
    ]


def test_entries_of_the_production_list_by_release():
    table = tables.load("aurora-list-ranks").set_index("release")
    assert table["entries_count"].to_dict() == {
        "SC23": 15,
        "ISC24": 21,
        "SC24": 26,
        "ISC25": 34,
        "SC25": 45,
        "ISC26": 46,
    }
    assert table["rank"].tolist() == [1] * 6


def test_submissions_of_the_redundancy_pair():
    table = tables.load("aurora-redundancy")
    assert set(zip(table["redundancy"], table["list"], table["submission"], strict=True)) == {
        ("RF0", "research", 695),
        ("RF1", "production", 688),
    }


def test_cells_of_the_erasure_code():
    table = tables.load("aurora-object-classes").set_index("part")
    assert table.loc["ior-easy", "data_cells_count"] == 16
    assert table.loc["ior-easy", "parity_cells_count"] == 1
    assert table.loc["ior-hard", "replicas_count"] == 2
