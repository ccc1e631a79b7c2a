"""What redundancy costs, against figures copied by hand from the result files.

Changes were worked out with bc from the two numbers beside them.
"""

import itertools

import pandas as pd
import pytest

from storagebook import tables
from storagebook.errors import StoragebookError
from storagebook.io500 import membership, redundancy, runs
from storagebook.io500.object_class import parse

#: Pair → metric → protected, unprotected, change in per cent; [RESULT] and [SCORE ] lines of both
#: result_summary.txt, "wall" from throughput-stonewall and rate-stonewall of result.txt.
KNOWN = {
    ("0668", "0670"): {
        "ior-easy-write": (344.813450, 438.813471, -21.4214073205),
        "ior-hard-write": (166.303533, 362.562395, -54.1310584624),
        "ior-hard-read": (285.479703, 285.534824, -0.0193044755),
        "mdtest-easy-write": (3523.020031, 15459.987700, -77.2120127172),
        "find": (8477.259163, 19221.771640, -55.8976179628),
        "bandwidth": (336.354114, 433.050081, -22.3290494),
        "metadata": (5714.628726, 10291.120144, -44.4702943),
        "score": (1386.412234, 2111.059073, -34.3262226),
        "ior-easy-write wall": (344.84, 438.61, -21.37890),
        "mdtest-easy-write wall": (3533.699747, 16052.189385, -77.98618),
    },
    ("0683", "0684"): {
        "ior-easy-write": (896.708153, 1081.065152, -17.0532736773),
        "ior-hard-write": (252.427284, 854.092711, -70.4449785429),
        "ior-hard-read": (718.806938, 722.621314, -0.5278526839),
        "mdtest-easy-write": (6324.788102, 28285.010669, -77.6390817879),
        "find": (12733.442991, 21144.493586, -39.7789171956),
        "score": (2508.846865, 4585.683783, -45.2895801),
    },
    ("0772", "0773"): {
        "ior-easy-write": (1028.084806, 1130.084774, -9.0258687089),
        "ior-hard-write": (195.535950, 981.241225, -80.0725912225),
        "ior-hard-read": (1490.144590, 1456.731978, 2.2936691515),
        "mdtest-easy-write": (11128.689155, 46279.405319, -75.9532580891),
        "score": (3470.216148, 6308.868477, -44.9946349),
    },
    ("0776", "0770"): {
        "ior-easy-write": (63.418415, 99.711478, -36.3980794669),
        "ior-hard-read": (100.204773, 103.254146, -2.9532693051),
        "find": (580.632722, 2465.889011, -76.4534121605),
    },
    ("0688", "0695"): {
        "ior-hard-read": (9706.548821, 6348.025367, 52.906585),
        "mdtest-hard-write": (33827.190274, 100519.037093, -66.347479),
        "score": (32165.926368, 43218.791092, -25.574211),
        "ior-easy-write wall": (20790.81, 22035.73, -5.649552),
    },
}
ROWS = [(names, metric) for names, metrics in KNOWN.items() for metric in metrics]


@pytest.fixture(scope="module")
def changes():
    return redundancy.all_changes(redundancy.pairs())


@pytest.mark.parametrize(("names", "metric"), ROWS)
def test_a_change_is_that_of_the_raw_files(names, metric):
    protected, unprotected, change = KNOWN[names][metric]
    row = redundancy.changes(redundancy.pair(*names)).set_index("metric")
    row = row.loc[metric.removesuffix(" wall")]
    wall = "_at_stonewall" if metric.endswith("wall") else ""
    assert row[f"protected{wall}"] == pytest.approx(protected, abs=1e-9)
    assert row[f"unprotected{wall}"] == pytest.approx(unprotected, abs=1e-9)
    assert row[f"change{wall}_pct"] == pytest.approx(change, abs=2e-5)


@pytest.mark.parametrize("names", redundancy.PAIRS, ids="/".join)
def test_a_pair_is_the_same_in_either_order(names):
    there, back = redundancy.pair(*names), redundancy.pair(*reversed(names))
    assert there.name == back.name == "/".join(names)
    for say in (redundancy.who, redundancy.control, redundancy.outcome):
        assert say(there) == say(back)
    pd.testing.assert_frame_equal(redundancy.changes(there), redundancy.changes(back))


def test_controlled_are_the_pairs_whose_dumps_differ_in_classes_alone():
    # config.ini of each pair compared by eye
    found = {one.name: redundancy.is_controlled(one) for one in redundancy.pairs()}
    assert [name for name, controlled in found.items() if controlled] == [
        "0668/0670",
        "0669/0671",
        "0683/0684",
    ]


@pytest.mark.parametrize(
    ("names", "confounders"),
    [
        (("0668", "0670"), set()),
        (("0688", "0695"), {"processes", "chunk size", "transfer size", "option nproc of find"}),
        (("0694", "0696"), {"chunk size", "transfer size"}),
        (("0772", "0773"), {"chunk size", "transfer size"}),
        (("0774", "0775"), {"chunk size", "transfer size"}),
        (("0776", "0770"), {"items per process", "option pfind-queue-length of find"}),
    ],
)
def test_confounded_pairs_say_by_what(names, confounders):
    pair = redundancy.pair(*names)
    assert {one.name for one in redundancy.confounders(pair)} == confounders
    said = " ".join(t.format(**v) for t, v in redundancy.control(pair))
    assert ("is *controlled*" in said) == (not confounders)
    assert all(str(one) in said for one in redundancy.confounders(pair))


def test_no_pair_at_hand_is_left_out():
    every = tables.printed(runs.RUNS)
    single = every.groupby("submission").submission.transform("size") == 1
    named = {}
    for submission in every[single].submission:
        try:
            run = runs.load(submission)
        except StoragebookError:
            continue
        if run.phases.object_class.notna().any() and membership.installation(run):
            named[submission] = run
    paired = set(itertools.chain(*redundancy.PAIRS))
    for one, other in itertools.combinations(named, 2):
        left, right = named[one], named[other]
        same = membership.installation(left) == membership.installation(right)
        same_year = left.facts.year == right.facts.year
        answers = {redundancy.is_protected(left), redundancy.is_protected(right)}
        if same and same_year and answers == {True, False}:
            assert {one, other} <= paired, f"{one} and {other} make a pair"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("0688", "0684"), "not of one installation: Aurora .* and SuperMUC-NG-Phase2"),
        (("0688", "0694"), "0688 is protected and 0694 is protected"),
        (("0670", "0684"), "0670 is not protected and 0684 is not protected"),
        (("0688", "0688"), "0688 is protected and 0688 is protected"),
        (("0688", "9999"), "0 runs of submission 9999"),
        (("0691", "0691"), "not known to be either"),
    ],
)
def test_what_is_no_pair_is_refused_with_the_pairs_at_hand(names, reason):
    with pytest.raises(StoragebookError, match=reason) as caught:
        redundancy.pair(*names)
    assert "\n" not in str(caught.value)


def test_a_run_is_protected_if_all_of_it_is():
    run = runs.load("0688")
    assert redundancy.is_protected(run) is True
    partly = runs.PublicRun(run.submission, run.facts, run.texts, run.phases.copy())
    partly.phases.loc[partly.phases.phase == "ior-easy-write", "dir_object_class"] = "S1"
    assert redundancy.is_protected(partly) is None


def test_a_study_names_its_lists_and_what_is_unknown():
    beside = redundancy.beside(redundancy.pair("0695", "0688"))
    assert beside.startswith("unverified analysis of one installation's published files; no rank")
    for caveat in (
        "list: production against research",
        "EC_16P1GX, RP_2G1, RP_2GX, RP_2G32 against SX, S1",
    ):
        assert caveat in beside
    assert "list unknown on both sides" in redundancy.beside(redundancy.pair("0668", "0670"))


def test_ranges_reach_over_the_pairs_of_one_protection(changes):
    ranges = redundancy.ranges(changes).set_index(["metric", "code"])
    # by hand from the changes of the seven pairs with EC_16P1: -1.60 (0688) to -21.42 (0668)
    easy = ranges.loc[("ior-easy-write", "EC_16P1")]
    assert (easy.pairs, easy.controlled) == (7, 3)
    assert easy.least_pct == pytest.approx(-21.4214, abs=1e-4)
    assert easy.most_pct == pytest.approx(-1.5988, abs=1e-4)
    assert easy.controlled_most_pct == pytest.approx(-8.8194, abs=1e-4)
    assert easy.overhead_pct == pytest.approx(-100 / 17)
    hard = ranges.loc[("ior-hard-write", "RP_2")]
    assert (hard.pairs, hard.controlled) == (5, 3)
    assert (hard.least_pct, hard.overhead_pct) == pytest.approx((-70.445, -50), abs=1e-3)
    assert ranges.loc[("ior-hard-write", "EC_16P1")].pairs == 3
    assert ranges.loc[("ior-easy-write", "EC_2P1")].pairs == 1
    assert pd.isna(ranges.loc[("ior-hard-read", "RP_2")].overhead_pct)


def test_the_stonewall_gives_ranges_of_its_own():
    by_wall = redundancy.all_changes(redundancy.pairs(), redundancy.STONEWALL_RATE)
    assert set(by_wall.metric) == {
        "ior-easy-write",
        "mdtest-easy-write",
        "ior-hard-write",
        "mdtest-hard-write",
    }


def test_conclusions_of_the_source_are_tried_on_every_pair(changes):
    found = redundancy.weigh(changes).set_index("statement")
    answers = {text: (row.holds, row.controlled_holds) for text, row in found.iterrows()}
    # counted by hand from a table of the changes
    assert answers == {
        "large sequential writes lose no more than the stored parity takes": (2, 0),
        "small writes to a shared file lose more than half": (7, 3),
        "no phase loses more than small writes to a shared file": (1, 0),
        "reads of the shared file get faster": (3, 0),
        "neither kind of large read gets slower": (3, 0),
        "metadata loses more than bandwidth": (8, 3),
        "creating, looking up and deleting all lose": (3, 1),
    }
    assert (found.pairs == 8).all()
    assert (found.controlled == 3).all()
    assert found.fails["small writes to a shared file lose more than half"] == "0694/0696"


def test_capacity_stands_beside_the_loss():
    frame = redundancy.capacity(redundancy.pair("0688", "0695")).set_index("object_class")
    assert list(frame.index) == ["EC_16P1GX", "RP_2G1", "RP_2GX"]
    assert frame.usable_pct["EC_16P1GX"] == pytest.approx(94.117647)
    assert frame.used_for["RP_2G1"] == "mdtest-easy, mdtest-hard"
    assert frame.write_changes["RP_2GX"] == "ior-hard-write -59.8 %"


def test_the_overview_has_a_row_and_its_caveats_for_each_pair():
    frame = redundancy.overview(redundancy.pairs())
    assert list(frame.pair) == ["/".join(names) for names in redundancy.PAIRS]
    assert frame.beside.str.startswith("unverified analysis").all()
    assert frame.set_index("pair").lists["0688/0695"] == "production / research"
    assert frame.set_index("pair").lists["0668/0670"] == "unknown / unknown"
    said = [t.format(**v) for t, v in redundancy.said_of_overview(frame)]
    assert "0668/0670*, controlled: what else is known to differ" in said[2]
    assert "list unknown on both sides" in said[2]
    assert said[-1].startswith("Beside all of these changes: unverified analysis of one install")


@pytest.mark.parametrize(
    ("name", "code"),
    [("EC_16P1GX", "EC_16P1"), ("RP_2G32", "RP_2"), ("S1", "none"), ("SX", "none")],
)
def test_code_of_a_class(name, code):
    assert redundancy.code(parse(name)) == code


def test_both_rates_stand_beside_each_other():
    frame = redundancy.both_rates(redundancy.pair("0688", "0695"))
    # twelve scored rates; four write phases have a rate at the stonewall
    assert len(frame) == 16
    wall = frame[(frame.phase == "ior-easy-write") & (frame.rate == "rate at the stonewall")]
    assert wall.change_pct.item() == pytest.approx(-5.649552, abs=1e-5)


def test_copies_and_code_are_set_side_by_side(changes):
    said = [t.format(**v) for t, v in redundancy.choosing(redundancy.ranges(changes))]
    assert said == [
        "*ior-hard-write*: 5 pairs with RP_2 change by -70.4 to -51.5 %, 3 with EC_16P1 by -80.1 "
        "to -43.3 %; the two ranges overlap.",
        "*ior-hard-read*: 5 pairs with RP_2 change by -3.0 to +52.9 %, 3 with EC_16P1 by -3.1 to "
        "+2.3 %; the two ranges overlap.",
    ]


def test_ranges_that_do_not_overlap_are_said_so():
    row = {"metric": "ior-hard-write", "pairs": 2, "controlled": 0}
    ranges = pd.DataFrame(
        [
            row | {"code": "EC_4P1", "least_pct": -20.0, "most_pct": -10.0},
            row | {"code": "RP_2", "least_pct": -60.0, "most_pct": -50.0},
        ]
    )
    ((template, values),) = redundancy.choosing(ranges)
    assert template.format(**values).endswith("the two ranges do not overlap.")


def test_conclusions_in_words(changes):
    ((template, values),) = redundancy.said_of_weighing(redundancy.weigh(changes))
    said = template.format(**values)
    assert said.startswith("So in every pair: metadata loses more than bandwidth. ")
    assert "reads of the shared file get faster" in said.partition("controlled pairs: ")[2]


def test_the_sources_table_is_borne_out():
    table = redundancy.source_table().set_index("metric")
    assert table.agrees.all()
    assert table.raw_change_pct["ior-hard-read"] == pytest.approx(52.906585, abs=1e-5)
    assert table.change["score"] == "-25.6 %"


def test_a_moved_figure_of_the_sources_table_is_noticed(monkeypatch):
    texts = tables.printed("aurora-redundancy")
    texts.loc[0, "value"] = "21,129.85"
    original = tables.printed
    monkeypatch.setattr(
        redundancy.tables,
        "printed",
        lambda name: texts if name == "aurora-redundancy" else original(name),
    )
    found = redundancy.source_table().set_index("metric").agrees
    assert not found["ior-easy-write"]
    assert found.sum() == len(found) - 1


def test_the_sources_object_classes_are_those_of_the_run():
    classes = redundancy.source_classes()
    assert classes.agrees.all()
    assert len(classes) == 5


def test_protected_runs_make_fewer_files():
    # the chapter says so of every pair
    for one in redundancy.pairs():
        counts = [run.facts.total_files_count for run in (one.protected, one.unprotected)]
        assert counts[0] < counts[1], one.name
