"""Ratios, magnitudes and times of runs against arithmetic by hand from their result files."""

import pytest

from storagebook import architecture
from storagebook.io500 import runs


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_every_step_has_what_would_show_it():
    frame = architecture.steps()
    assert list(frame.step) == ["kernel", "lookup", "locks", "metadata", "clients"]
    assert frame.would_show.notna().all()


def test_another_file_system_is_named():
    assert architecture.said_of_file_system(runs.load("0688")) == []
    assert "another file system, Lustre" in said(
        architecture.said_of_file_system(runs.load("0736"))
    )


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        (
            "0688",
            [
                "both groups write **one shared file**",
                "class of files (EC_16P1GX, RP_2GX); transfer (16,777,216 B, 47,008 B); "
                "chunk (16,777,216 B, 470,080 B)",
            ],
        ),
        (
            "0772",
            ["gives each process **a file of its own**", "with: transfer (4,194,304 B, 47,008 B)."],
        ),
        ("0001", ["one shared file", "Not told: class of files, chunk."]),
        ("0006", ["No file of submission 0006 tells the layout", "Not told: layout"]),
    ],
)
def test_the_layout_comes_first(submission, words):
    text = said(architecture.said_of_layout(runs.load(submission)))
    for word in words:
        assert word in text


def test_ratio_tests_of_the_source():
    frame = architecture.ratio_tests(runs.load("0688")).set_index("ratio")
    # 20693.627959 / 4216.340094, 12122.872205 / 9706.548821, 225295.354188 / 230086.031462,
    # 229672.102323 / 102785.408581
    assert list(frame.times) == pytest.approx([4.907960, 1.248937, 0.979179, 2.234482], abs=1e-6)
    assert list(frame.in_source) == ["4.91", "1.25", "0.98", "2.23"]
    assert frame.also["stat, easy over hard"] == "class of directories (RP_2G32, RP_2GX)"


def test_ratio_tests_of_another_run_quote_nothing():
    frame = architecture.ratio_tests(runs.load("0772"))
    assert frame.in_source.isna().all()
    # 1028.084806 / 195.535950
    assert frame.times[0] == pytest.approx(5.257779, abs=1e-6)


def test_runs_of_one_installation():
    frame = architecture.siblings(runs.load("0688"), "ior-easy-read", "ior-hard-read")
    # 12122.872205 / 9706.548821, 1015.857421 / 441.603061, 11890.364024 / 6348.025367
    found = dict(zip(frame.submission, frame.times, strict=True))
    assert set(found) == {"0688", "0694", "0695", "0696"}
    assert found["0694"] == pytest.approx(2.300386, abs=1e-6)
    assert found["0695"] == pytest.approx(1.873081, abs=1e-6)
    assert "1.25 to 2.86" in said(architecture.said_of_siblings(runs.load("0688")))
    assert "No second public run" in said(architecture.said_of_siblings(runs.load("0736")))


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        # 102785.408581 / 1604.836213 and 10066.086553 / 438.615…
        ("0688", "metadata is 64.0 times that of Helma, bandwidth 22.9 times"),
        ("0736", "This run is that third entry"),
        ("0695", "No source puts submission 0695 on that list"),
        ("0001", "No source puts submission 0001 on that list"),
    ],
)
def test_the_third_entry(submission, words):
    assert words in said(architecture.against_third(runs.load(submission)))


def test_spreads_hold_families_with_enough_runs():
    frame = architecture.spread("mdtest-easy-stat", "mdtest-hard-stat")
    sizes = frame.groupby("family").size()
    assert (sizes >= architecture.LEAST_RUNS).all()
    assert architecture.UNSTATED not in sizes
    own = frame.set_index("run").times["Aurora (0688)"]
    assert own == pytest.approx(0.979179, abs=1e-6)
    assert list(frame.family) == sorted(frame.family)


def test_which_ratio_tells_the_families_apart():
    text = said(architecture.said_of_spreads())
    # three runs of DAOS have a stat ratio of at most 1: 0688, 0694, 0780, of 36
    assert "no slower in 8 % of the runs of DAOS" in text
    # the runs of the family Lustre at or below 1: 5 of 16
    assert "in 5 of 16 runs named Lustre they are no slower" in text
    assert "That of easy over hard is 1.46 with DAOS" in text
    # eight runs each with a file for each process
    assert "the median is 2.13 over 8 runs of DAOS and 2.80 over 8 of WekaIO" in text


def test_titles_count_and_name():
    stats = architecture.spread("mdtest-easy-stat", "mdtest-hard-stat")
    assert "3 of 36 DAOS" in architecture.said_of_stats(stats)
    writes = architecture.spread("ior-easy-write", "ior-hard-write")
    assert "1.5 with DAOS and 21.2 with Lustre" in architecture.said_of_writes(writes)


def test_reads_by_layout():
    text = said(architecture.said_of_shared_reads())
    assert "over the 23 runs of DAOS whose *ior-easy* shares one file" in text
    assert "over the 8 with a file for each process; of 5 more no file tells" in text


def test_families_go_by_the_name_of_the_file_system():
    text = said(architecture.said_of_names())
    # systems "Exascaler on GCP" and "Lustre on GCP", file systems "Lustre on GCP" and EXAScaler
    assert "in 2 runs, Exascaler on GCP (0091), Lustre on GCP (0147)" in text


def test_medians_count_machines():
    frame = architecture.medians().set_index("family")
    assert frame.runs["DAOS"] == 36
    # Presque, Aurora, RUDRA, Maximus-01, HPE-DL320-SS400, Wolf, Endeavour, Florence, Borealis,
    # SuperMUC-NG-Phase2, Lenovo-Lenox, QCT DevCloud, Frontera, ESC8000-E11, Lise
    assert frame.machines["DAOS"] == 15
    # SharedScratch, IRIS under two names of its institution, SSC-24, and two called WekaIO
    assert frame.machines["WekaIO"] == 6


def test_a_server_against_its_design():
    frame = architecture.per_server(runs.load("0688")).set_index("phase")
    # 20693.627959 GiB/s × 1.073741824 / 642, of 100 GB/s; 230086.031462 kIOP/s / 642, of 1 MIOP/s
    assert frame.share_pct["ior-easy-write"] == pytest.approx(34.60999, abs=1e-5)
    assert frame.share_pct["mdtest-hard-stat"] == pytest.approx(35.83895, abs=1e-5)
    # of the order: from 10^1.5 GB/s = 31.62, from 316,228 IOP/s
    there = set(frame.index[frame.of_the_order])
    assert there == {"ior-easy-write", "find", "mdtest-easy-stat", "mdtest-hard-stat"}


def test_magnitudes_in_words():
    run = runs.load("0688")
    text = said(architecture.said_of_magnitudes(run, architecture.per_server(run)))
    assert "4 of the 12 phases are of the order" in text
    # 102,785,408.581 of 1e9; 10066.086553 GiB/s; 62,400 of 1e6
    assert "102.8 million operations a second, 10.3 %" in text
    assert "BW is 10.81 TB/s" in text
    assert "62,400 client processes are 6.2 %" in text
    other = runs.load("0006")
    text = said(architecture.said_of_magnitudes(other, architecture.per_server(other)))
    assert "No source states how many servers submission 0006 had" in text
    assert "client processes" not in text


def test_the_time_of_an_operation():
    frame = architecture.operation_times(runs.load("0772")).set_index("phase")
    # 21,504 × 4,096 B / 218.311055 GiB/s; 21,504 / 46,968,114.658 a second
    assert frame.time_us["ior-rnd4K-easy-read"] == pytest.approx(375.754, abs=1e-3)
    assert frame.time_us["mdtest-easy-stat"] == pytest.approx(457.8425, abs=1e-3)
    assert "find" not in frame.index
    assert architecture.operation_times(runs.load("0006")).empty


def test_times_in_words():
    def text(submission):
        run = runs.load(submission)
        return said(architecture.said_of_times(run, architecture.operation_times(run)))

    # 62,400 / 230,086,031.462 a second, over 20 µs
    assert "271 µs on average (*mdtest-hard-stat*)" in text("0688")
    assert "at least 13.6 times the quoted 20 µs" in text("0688")
    assert "4 KiB" not in text("0688")
    assert "Its random reads of 4 KiB take 376 µs each" in text("0772")
    assert "off by a factor of 19" in text("0772")
    assert "No file tells how many processes" in text("0006")


def test_a_time_below_the_bound_is_told_as_such():
    run = runs.load("0772")
    frame = architecture.operation_times(run).assign(time_us=lambda f: f.time_us / 100)
    text = said(architecture.said_of_times(run, frame))
    assert "the least is no longer than the quoted 20 µs" in text
    assert "off by" not in text


def test_the_bound_stands_above_the_times():
    frame = architecture.beside_first_byte(architecture.operation_times(runs.load("0688")))
    assert list(frame.iloc[0]) == ["time to first byte", 20.0, "quoted bound"]
    assert len(frame) == 8
