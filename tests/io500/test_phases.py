"""The twelve phases, as the official program runs and prints them."""

from storagebook.io500 import phases


def test_the_order_is_that_of_the_program():
    # result_summary.txt of submission 688, timestamp line left out
    assert list(phases.table().phase) == [
        "ior-easy-write",
        "mdtest-easy-write",
        "ior-hard-write",
        "mdtest-hard-write",
        "find",
        "ior-easy-read",
        "mdtest-easy-stat",
        "ior-hard-read",
        "mdtest-hard-stat",
        "mdtest-easy-delete",
        "mdtest-hard-read",
        "mdtest-hard-delete",
    ]


def test_four_count_bytes_and_eight_count_operations():
    assert phases.table().unit.value_counts().to_dict() == {"kIOP/s": 8, "GiB/s": 4}


def test_the_hard_sizes_are_aligned_to_nothing():
    assert phases.IOR_HARD_RECORD_B == 47_008
    assert phases.MDTEST_HARD_FILE_B == 3_901
    assert all(size % 512 for size in (phases.IOR_HARD_RECORD_B, phases.MDTEST_HARD_FILE_B))
