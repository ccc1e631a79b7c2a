"""Thresholds, Little's law and client nodes, against arithmetic by hand from lines 428 to 450."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import concurrency
from storagebook.errors import StoragebookError
from storagebook.io500 import runs


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_thresholds_are_as_printed():
    frame = concurrency.thresholds()
    assert list(frame.threshold) == [
        "16", "64 KiB", "≥ 32", "≥ 256 KiB", "128", "1 MiB", "16", "about 32", "4",
        "≥ 512 KiB", "1 MiB", "7", "2", "50 %",
    ]  # fmt: skip
    assert set(frame.line) == {431, 432, 433, 434, 435, 436}


def test_bytes_in_flight_and_the_least_time():
    frame = concurrency.in_flight()
    # 16 × 64 KiB, 32 × 256 KiB, 128 × 1 MiB, 32 × 1 MiB
    assert list(frame.held_mib) == [1, 8, 128, 32]
    # over 25 GB/s, and over 8 × 25 GB/s: 1,048,576 / 25e9 s …
    assert list(frame.least_us) == pytest.approx([41.94304, 335.54432, 5368.70912, 167.77216])


def test_in_flight_in_words():
    text = said(concurrency.said_of_in_flight(concurrency.in_flight()))
    assert "it takes 8 times as many bytes in flight" in text
    assert "at least 336 µs instead of 42 µs" in text
    assert "a card holds 128 MiB, and the last one waits 5.4 ms" in text
    assert "does not reach the line rate of all its cards" in text


def test_a_long_enough_node_is_told_as_such():
    frame = concurrency.in_flight()
    frame.loc[frame.setting == "IOR, saturated node", "least_us"] = 400.0
    assert "enough to fill its 8 cards" in said(concurrency.said_of_in_flight(frame))


def test_the_start_is_half_full():
    found = concurrency.little(**concurrency.start())
    # 32 MiB / 335.5 µs against 200 GB/s
    assert found.held_mib == 32
    assert found.share_pct == pytest.approx(50.0066, abs=1e-4)
    assert found.needed_each == pytest.approx(1.99974, abs=1e-5)


def test_little_by_hand():
    # 4 × 8 operations of 256 KiB, 1 ms each: 32,000 a second, 8,388,608,000 B/s of 25e9
    found = concurrency.little(4, 8, 256, 1000, 25)
    assert found.operations == 32
    assert found.rate_kiops == pytest.approx(32)
    assert found.bandwidth_gib_s == pytest.approx(7.8125)
    assert found.share_pct == pytest.approx(33.554432)
    assert found.time_us == 1000
    # 25e9 × 1 ms / 262,144 / 4
    assert found.needed_each == pytest.approx(23.841858, abs=1e-6)


def test_a_full_network_makes_operations_wait():
    # 128 MiB on 25 GB/s
    found = concurrency.little(1, 128, 1024, 336, 25)
    assert found.share_pct == pytest.approx(100)
    assert found.time_us == pytest.approx(5368.70912)


positive = st.floats(1e-3, 1e6)


@given(positive, positive, positive, positive, positive)
def test_in_flight_is_rate_times_time(processes, each, request, time, network):
    found = concurrency.little(processes, each, request, time, network)
    assert found.rate_kiops * 1000 * found.time_us / 1e6 == pytest.approx(processes * each)
    assert 0 < found.share_pct <= 100 * (1 + 1e-12)


@pytest.mark.parametrize("bad", [0, -1, float("nan")])
def test_nothing_in_flight_is_an_error(bad):
    with pytest.raises(StoragebookError, match="each is above 0"):
        concurrency.little(1, bad, 1, 1, 1)


def test_the_test_bed():
    # 800 / (8 × 25 GB/s = 186.26 GiB/s) = 4.3 nodes
    text = said([concurrency.test_bed()])
    assert "20 times the 40 GiB/s" in text
    assert "186 GiB/s, so it takes at least 5 nodes" in text


def test_the_gap_between_interfaces():
    text = said(concurrency.said_of_gap())
    assert "about 5 times the bandwidth (4.5 to 5.5 by the printed digit)" in text
    assert "about 190 times the operations (185 to 195)" in text
    assert "at most a factor of 8 in bandwidth" in text


def test_ten_nodes_lack_cards_to_write_and_requests_for_metadata():
    text = said(concurrency.ten_nodes())
    # 2885.570524 / 32165.926368; 1313.924246 / 10; 20693.627959 / 300
    # 734.497 / 10066.087; 11336.3 / 102785.4
    assert "9.0 % of the full one (BW 7.3 %, MD 11.0 %)" in text
    assert "runs 208 processes, one of the 300 runs 208" in text
    # 1015.86, 495.1 and 441.6 GiB/s of 1862.645, read and written
    assert "the ten use 24 to 55 % of their cards" in text
    # 2080 / 11.336e6 and 62400 / 102.785e6 s
    assert "waits 183 µs in the run of ten nodes and 607 µs in the full one" in text
    # 10 × 186.264515; / 20693.627959; 1313.924246 / 1862.645; 68.97876 / 186.264515
    assert "carry 1,863 GiB/s, 9.0 % of what the full run writes" in text
    assert "reach 71 % of it, the nodes of the full run 37 %" in text


def standing(submission):
    frame = concurrency.checklist(runs.load(submission))
    return dict(zip(frame.check, frame.standing, strict=True))


def test_a_run_against_the_thresholds():
    assert list(standing("0688").values()) == [
        "met", "not told", "not told", "met", "below", "met", "met",
    ]  # fmt: skip
    # 131,072 B in ior-easy, 1,664 processes on 52 nodes
    assert standing("0001")["request size"] == "below"
    assert standing("0001")["processes of a node"] == "met"
    assert standing("0736")["interface"] == "ask"
    assert set(standing("0006").values()) == {"not told"}


def test_cards_are_counted_only_where_they_are_known():
    def in_flight(submission):
        frame = concurrency.checklist(runs.load(submission)).set_index("check")
        return frame.this_run["operations in flight for each card"]

    # 208 / 8; 21,504 / 192
    assert in_flight("0688") == "26: a process waits for each"
    assert in_flight("0772").startswith("112 on all cards of a node")


@pytest.mark.parametrize(
    ("submission", "words", "absent"),
    [
        ("0688", "answer 5: 4 met, 1 below", "another file system"),
        ("0001", "Below is no fault: request size", "another file system"),
        ("0736", "another file system (Lustre)", "Below is no fault"),
    ],
)
def test_a_run_in_words(submission, words, absent):
    run = runs.load(submission)
    text = said(concurrency.said_of_checklist(run, concurrency.checklist(run)))
    assert words in text
    assert absent not in text


def test_what_a_node_gets():
    frame = concurrency.per_node().set_index("run")
    # 243.638 / 52 and 1313.924246 / 10 GiB/s; 131,072 B
    assert frame.write_gib_s["Wolf (0001)"] == pytest.approx(4.685346, abs=1e-6)
    assert frame.write_gib_s["Aurora (0694)"] == pytest.approx(131.392425, abs=1e-6)
    assert frame.transfer_kib["Wolf (0001)"] == 128
    title = concurrency.said_of_nodes(frame.reset_index())
    assert title.startswith("A client node writes from 4.7 GiB/s (Wolf (0001)) to 131 GiB/s")
