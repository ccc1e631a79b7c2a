"""PixStor's tests and results against the text's own lines, worked by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import pixstor
from storagebook.errors import StoragebookError


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


# -- command lines


def test_the_random_test_as_parsed():
    # line 50
    options = pixstor.parse(
        "IOzone", "iozone -i2 -I -c -O -w -r 4k -s $ G -t $Threads -+n -+m ./nvme_threadlist"
    )
    assert [(o.name, o.value) for o in options] == [
        ("-i", "2"),
        ("-I", ""),
        ("-c", ""),
        ("-O", ""),
        ("-w", ""),
        ("-r", "4k"),
        ("-s", "${Size}G"),
        ("-t", "$Threads"),
        ("-+n", ""),
        ("-+m", "./nvme_threadlist"),
    ]
    assert {o.name: o.bytes for o in options if o.bytes} == {"-r": 4096}


def test_the_launcher_is_told_apart():
    options = pixstor.parse(
        "mdtest", "mpirun -np $Threads --mca btl_openib_allow_ib 1 /opt/bin/mdtest -b 4 -w 4K -t"
    )
    assert [(o.program, o.name, o.value) for o in options] == [
        ("mpirun", "-np", "$Threads"),
        ("mpirun", "--mca", "btl_openib_allow_ib 1"),
        ("mdtest", "-b", "4"),
        ("mdtest", "-w", "4K"),
        ("mdtest", "-t", ""),
    ]


@pytest.mark.parametrize(
    ("tool", "line", "why"),
    [
        ("IOzone", "ior -w", "no call of IOzone"),
        ("IOzone", "iozone -Q", "'-Q' is no option of IOzone"),
        ("IOzone", "iozone -r", "'-r' of IOzone has a wrong number of values"),
        ("IOzone", "iozone -c5", "'-c5' of IOzone has a wrong number of values"),
        ("IOR", "mpirun --mca btl", "no call of IOR"),
        ("IOR", "mpirun --mca btl ior -w", "'--mca' of mpirun has a wrong number of values"),
    ],
)
def test_a_line_that_is_none_is_an_error(tool, line, why):
    with pytest.raises(StoragebookError, match=why):
        pixstor.parse(tool, line)


def test_commands_stand_side_by_side():
    frame = pixstor.commands("IOzone").set_index("option")
    assert list(frame.columns[1:]) == [
        "sequential write",
        "sequential read",
        "write before the random test",
        "random read and write",
    ]
    assert list(frame.loc["-i"].iloc[1:]) == ["0", "1", "0", "2"]
    assert list(frame.loc["-r"].iloc[1:]) == [*["8M = 8 MiB"] * 3, "4k = 4 KiB"]
    assert list(frame.loc["-I"].notna().iloc[1:]) == [False, False, True, True]
    assert "-F" not in pixstor.commands("IOR").option.tolist()
    mpi = pixstor.commands("IOR").set_index("option").loc["mpirun --mca", "sequential read"]
    assert mpi == "btl_openib_allow_ib 1; pml ^ucx"


def test_a_tool_without_commands_is_an_error():
    with pytest.raises(StoragebookError, match="no command line of fio"):
        pixstor.commands("fio")


# -- layouts


def test_the_layouts_of_the_source():
    frame = pixstor.source_layout().set_index("threads")
    assert list(frame.index) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
    # line 13: 256 GiB below 16 threads, 4,096 GiB over the threads from there on
    assert list(frame.file_gib) == [256, 256, 256, 256, 256, 128, 64, 32, 16, 8, 4]
    assert list(frame.total_gib) == [256, 512, 1024, 2048, *[4096] * 7]
    assert set(frame.node_gib) == {256}
    # line 1
    assert frame.per_node.loc[32:].to_list() == [2, 4, 8, 16, 32, 64]
    assert frame.as_printed.loc[32:].to_list() == [True] * 6
    assert frame.as_printed.loc[:16].isna().all()
    assert frame.file_over_pool[128] == 2


def test_from_where_on_files_are_small():
    text = said(pixstor.said_of_layout(pixstor.source_layout(), 128, 16))
    assert "256 GiB at most, 2 times its memory and 16 times the page pool" in text
    assert "From 128 threads on, a single file is no longer larger than 2 times" in text


@pytest.mark.parametrize(
    ("pool", "words"),
    [(1, "Each single file is larger"), (128, "No single file is larger than 2 times the page")],
)
def test_files_that_are_all_large_or_all_small(pool, words):
    frame = pixstor.layout(16, 128, pool, [1, 16, 64])
    assert words in said(pixstor.said_of_layout(frame, 128, pool))


def test_threads_that_do_not_spread_evenly():
    # 16 threads on 12 nodes of 96 GiB: two on the fullest, 2 × 96 × 12 / 16 GiB each
    row = pixstor.layout(12, 96, 8, [16]).iloc[0]
    assert (row.nodes, row.per_node, row.file_gib, row.node_gib) == (12, 2, 144, 288)


@given(st.integers(1, 5000), st.integers(1, 500), st.integers(1, 2000))
def test_all_files_are_double_the_memory_in_use(threads, nodes, memory):
    total = pixstor.file_gib(threads, nodes, memory) * threads
    assert total == 2 * memory * min(threads, nodes)


def test_sizes_are_a_line_each():
    frame = pixstor.sizes(pixstor.source_layout(), 128, 16)
    assert frame.groupby("what").size_gib.agg(["min", "max"]).T.to_dict("list") == {
        "a node's memory": [128, 128],
        "a thread's file": [4, 256],
        "all files of a node": [256, 256],
        "the page pool": [16, 16],
    }


def test_commands_with_sizes():
    frame = pixstor.filled_in(16, 128, [8, 512])
    assert list(frame.IOzone) == [
        "iozone -i 0 -c -e -w -r 8M -s 256G -t 8 -+n -+m ./threadlist",
        "iozone -i 0 -c -e -w -r 8M -s 8G -t 512 -+n -+m ./threadlist",
    ]
    assert frame.IOR[1] == "ior -a POSIX -v -i 1 -d 3 -e -k -o FILE -w -s 1 -t 8m -b 8g"


def test_a_size_that_is_no_whole_gib_holds_whole_transfers():
    # 2 × 10 × 3 / 7 GiB is 8,777.14 MiB: 1,098 transfers of 8 MiB
    assert Fraction(2 * 10 * 3, 7) * 1024 / 8 == pytest.approx(1097.14, abs=0.01)
    frame = pixstor.filled_in(3, 10, [7])
    assert "-s 8784M " in frame.IOzone[0]
    assert frame.IOR[0].endswith("-b 8784m")


def test_the_missing_table_of_directories():
    frame = pixstor.mdtest_layout().set_index("threads")
    assert frame.directories_per_thread.to_dict() == {
        1: 2048,
        2: 1024,
        4: 512,
        8: 256,
        16: 128,
        32: 64,
        64: 32,
        128: 16,
        256: 8,
        512: 4,
    }
    assert set(frame.files) == {2_097_152}
    text = said(pixstor.said_of_mdtest(pixstor.mdtest_layout()))
    # 2^21 × 4 KiB; of 16 × 128 GiB
    assert "8 GiB, 0.4 % of the memory of all clients and less than the page pool of 16 GiB" in text
    assert "2,097,152 files in 2,048 directories: from 2,048 directories of one thread to 4" in text


# -- results


def test_data_rates_in_one_unit():
    frame = pixstor.bandwidths().set_index("test")
    assert frame.bandwidth_gb_s.dropna().to_dict() == pytest.approx(
        {
            "IOR write, one file": 34.5,
            "IOR read, one file": 51.6,
            # 7.3e6 blocks of 4,096 B
            "random read": 29.9008,
        }
    )
    # line 54: more threads would write more than 5M, it seems; that is no rate that was measured
    assert frame.bandwidth_gb_s.isna().sum() == 3
    assert frame.threads.dropna().to_list() == [16, 512, 1024]


def test_metadata_beyond_its_peaks():
    frame = pixstor.metadata().set_index("operation")
    # line 76, in kIOP/s
    assert frame.peak_kiops.to_dict() == {"create": 113, "stat": 6900, "read": 705, "delete": 370}
    assert frame.plateau_kiops.to_dict() == {
        "create": 113,
        "stat": 3200,
        "read": 265,
        "delete": 265,
    }
    assert frame.kept_pct["read"] == pytest.approx(37.59, abs=0.01)
    text = said(pixstor.said_of_metadata(pixstor.metadata()))
    assert text.startswith("For create the text gives one figure")
    assert "Beyond their peaks read and delete have the same figure, 265 kIOP/s" in text


def test_metadata_without_such_figures_says_nothing():
    frame = pixstor.metadata()
    assert pixstor.said_of_metadata(frame[frame.operation == "stat"]) == []


def test_peaks_and_levels_in_two_rows():
    frame = pixstor.in_two_rows(pixstor.metadata()).set_index(["operation", "kind"]).rate_kiops
    assert frame["stat", "peak"] == 6900
    assert frame["stat", "beyond it"] == 3200


def test_operations_in_flight():
    text = said(pixstor.said_of_random())
    # 1 / 5,000 s, sixteen of it; 7.3e6 / 5,000, within 4,500 to 5,500; 1,024 / 7.3e6 s
    assert "200 µs for each, if one at a time" in text
    assert "each would take 3.2 ms" in text
    assert "1,024 threads read 1,460 times as much (1,318 to 1,633 by the printed digits)" in text
    assert "140 µs for each block" in text
    assert "more than there are threads" in text


def test_gigabits_that_are_bytes():
    frame = pixstor.by_unit()
    assert list(frame.as_bits_gb_s) == [12.75, 12, 6.45]
    assert list(frame.as_bytes_gb_s) == [102, 96, 51.6]
    assert list(frame.least_gb_s) == pytest.approx([29.9008, 50, 34.5])
    assert not frame.bits_fit.any()
    assert frame.bytes_fit.all()
    text = said(pixstor.said_of_units(frame))
    assert text.startswith("As bits none of the 3 figures fit, as bytes all.")
    # 96 / 50, 96 / 100, 51.6 / 50
    assert "1.92 times what 4 links carry one way" in text
    assert "all 8 adapters, if each has one link, of which it is 96 %" in text
    assert "103.2 % of 4 links one way: more than they carry" in text


def test_the_missing_summary():
    frame = pixstor.summary().set_index("test")
    assert len(frame) == 10
    assert frame.per_pair.dropna().to_dict() == pytest.approx(
        {
            "IOR write, one file": 17.25,
            "IOR read, one file": 25.8,
            "random read": 3650,
        }
    )
    assert frame.peak.isna().to_dict()["IOzone read, a file each"]
    assert frame.beyond["mdtest stat"] == 3200


def test_what_is_missing_stands_at_its_line():
    frame = pixstor.missing().set_index("named")
    assert frame.line.to_dict() == {
        "tests above the excerpt": 1,
        "table 2": 3,
        "figure 2": 18,
        "figure 3": 37,
        "figure 4": 52,
        "table 3": 70,
        "figure 5": 72,
        "table 4": 84,
    }
    assert frame.from_text["table 2"].startswith("16 nodes of 128 GiB of memory")


def test_a_figure_that_is_not_stated_is_an_error():
    with pytest.raises(StoragebookError, match="names 0 numbers"):
        pixstor.stated("colour")
