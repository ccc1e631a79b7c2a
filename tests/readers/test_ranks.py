"""Spread across ranks, and the time a phase waits for the slowest of them."""

import shutil
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storagebook import paths
from storagebook.errors import StoragebookError
from storagebook.readers import ranks

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "io500-small-vm"
IOR = "access,rank,runtime-with-openclose,runtime,throughput-withopenclose,throughput\n"
MDTEST = "rank,items,rate-File creation,time-File creation,rate-Tree creation,time-Tree creation\n"
FIND = (
    "runtime: 10.000000 rate: 300.000000\n"
    "rank, errors, unknown, found, total, checked, time spend in job stealing in s, tokens\n"
)


def read(tmp_path, text, name="ior-easy-write.csv"):
    path = tmp_path / name
    path.write_text(text)
    return ranks.read(path)


def of(*seconds):
    return ranks.Ranks(
        "p", "ior", "write", tuple(range(len(seconds))), seconds, seconds, "B/s", "f"
    )


class TestRead:
    def test_ior(self, tmp_path):
        found = read(
            tmp_path, IOR + "write,1,11.5,8.4,1.6e8,2.1e8\nwrite,0,11.5,11.4,1.6e8,1.7e8\n"
        )
        assert (found.phase, found.tool, found.operation) == ("ior-easy-write", "ior", "write")
        assert found.numbers == (0, 1)
        assert found.seconds == (11.4, 8.4)
        assert (found.rates, found.rate_unit) == ((1.7e8, 2.1e8), "B/s")

    def test_mdtest_leaves_out_the_row_of_all(self, tmp_path):
        text = MDTEST + "all,50,9.0e3,5.5,1.8e4,1.0e-4\n0,,4.0e3,5.5\n1,,5.0e3,4.5\n"
        found = read(tmp_path, text, "mdtest-hard-write.csv")
        assert (found.tool, found.operation) == ("mdtest", "File creation")
        assert (found.seconds, found.rates, found.rate_unit) == ((5.5, 4.5), (4e3, 5e3), "op/s")

    def test_find_works_while_it_does_not_look_for_work(self, tmp_path):
        found = read(
            tmp_path,
            FIND + "0, 0, 0, 3, 20, 5, 2.500s, 4\n1, 0, 0, 1, 10, 5, 9.000s, 4\n",
            "find.csv",
        )
        assert (found.operation, found.seconds, found.rates) == ("find", (7.5, 1.0), (2.0, 1.0))

    @pytest.mark.parametrize(
        ("text", "message", "line"),
        [
            ("", "no figures of ranks", None),
            ("a,b\n", "no figures of ranks", None),
            (IOR, "no rank has a time", None),
            (MDTEST + "all,50,9.0e3,5.5,,\n", "no rank has a time", None),
            (IOR + "write,0,11.5,8.4\n", "cut off", 2),
            (IOR + "write,x,1,1,1,1\n", "no number", 2),
            (IOR + "write,0,1,nan,1,1\n", "no time", 2),
            (IOR + "write,0,1,-1,1,1\n", "no time", 2),
            (IOR + "write,0,1,1,1,1\nwrite,0,1,1,1,1\n", "twice", 3),
            (MDTEST + "0,,4.0e3,5.5\n1,,,\n", "no time", 3),
            (MDTEST + "0,,4.0e3,5.5,1,2\n", "several operations", None),
            (FIND + "0, 0, 0, 3, x, 5, 2.5s, 4\n", "no time", 3),
        ],
    )
    def test_one_clear_error(self, tmp_path, text, message, line):
        with pytest.raises(StoragebookError, match=message) as caught:
            read(tmp_path, text)
        assert caught.value.line == line

    @given(st.text(max_size=200))
    def test_any_text(self, tmp_path_factory, text):
        path = tmp_path_factory.mktemp("any") / "x.csv"
        for head in (IOR, MDTEST, FIND, ""):
            path.write_text(head + text)
            try:
                assert ranks.read(path).seconds
            except StoragebookError:
                continue


class TestSpread:
    def test_by_hand(self):
        found = ranks.spread(of(*[10.0] * 99, 20.0))
        assert (found.ranks_count, found.slow_count) == (100, 1)
        assert (found.fastest_s, found.median_s, found.slowest_s) == (10.0, 10.0, 20.0)
        assert (found.done_s, found.wait_s, found.wait_pct) == (10.0, 10.0, 50.0)
        # ninety-nine ranks idle for half of the time
        assert found.idle_pct == pytest.approx(49.5)
        assert not found.alike

    def test_one_per_cent_is_rounded_up(self):
        assert ranks.spread(of(*[1.0] * 101)).slow_count == 2
        assert ranks.spread(of(1.0, 2.0)).done_s == 1.0

    def test_one_rank_waits_for_nobody(self):
        found = ranks.spread(of(5.0))
        assert (found.wait_s, found.idle_pct, found.alike) == (0.0, 0.0, True)

    def test_no_time_at_all(self):
        assert ranks.spread(of(0.0, 0.0)).wait_pct == 0.0

    def test_times_behind_a_barrier(self):
        assert ranks.spread(of(226.886, 226.8859, 226.88)).alike

    @given(st.lists(st.floats(0, 1e6), min_size=1, max_size=300))
    @example([0.0, 3.6137937363023028e-202])
    def test_bounds(self, seconds):
        found = ranks.spread(of(*seconds))
        assert found.fastest_s <= found.done_s <= found.slowest_s
        assert 0 <= found.wait_pct <= 100
        assert -1e-9 <= found.idle_pct <= 100
        assert found.wait_s == found.slowest_s - found.done_s


class TestTable:
    def test_own_sample(self):
        found = ranks.table(SAMPLE).set_index("phase")
        assert len(found) == 13
        write = found.loc["ior-easy-write"]
        # ior-easy-write.csv: 1.1454656839e+01 and 8.4185009003e+00
        assert (write.slowest_s, write.done_s) == (11.454656839, 8.4185009003)
        assert found.loc["mdtest-hard-read", "operation"] == "File read"
        assert list(found[found.alike].index) == ["ior-easy-read", "ior-hard-read"]

    def test_folder_without_ranks(self, tmp_path):
        (tmp_path / "notes.csv").write_text("a,b\n")
        assert len(ranks.table(tmp_path)) == 0

    def test_one_broken_file_is_named(self, tmp_path):
        shutil.copytree(SAMPLE, tmp_path / "run")
        (tmp_path / "run" / "ior-easy-read.csv").write_text(IOR + "read,0,1\n")
        with pytest.raises(StoragebookError, match=r"ior-easy-read\.csv:2"):
            ranks.table(tmp_path / "run")


@pytest.mark.skipif(paths.shared() is None, reason="the public submissions are not at hand")
def test_one_rank_that_half_a_phase_waits_for():
    folder = paths.shared() / "data" / "io500" / "submission-0642"
    found = ranks.table(folder).set_index("phase").loc["mdtest-hard-read"]
    # mdtest-hard-read.csv of that submission: all but two of 160 ranks are done after 113.66 s
    assert (found.ranks_count, found.slow_count) == (160, 2)
    assert found.done_s == pytest.approx(113.66, abs=0.01)
    assert found.slowest_s == pytest.approx(232.30, abs=0.01)


@pytest.mark.parametrize("more", [0, 1])
def test_more_columns_than_any_tool_writes(tmp_path, more):
    path = tmp_path / "mdtest-easy-write.csv"
    spare = [f"c{n}" for n in range(ranks.MAX_COLUMNS - 4 + more)]
    head = ["rank", "items", "time-file-create", "rate-file-create", *spare]
    path.write_text(f"{','.join(head)}\n0,1,2.5,1\n")
    if not more:
        assert ranks.read(path).seconds == (2.5,)
        return
    with pytest.raises(StoragebookError) as error:
        ranks.read(path)
    assert f"{path}:1: more than 200 columns" in str(error.value)
    assert "take out the columns" in str(error.value)
