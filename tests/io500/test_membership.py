"""What source 000 states about the lists that a run stands on, read by hand from its tables."""

from fractions import Fraction

import pytest

from storagebook.compare import Basis, Obtained
from storagebook.errors import StoragebookError
from storagebook.io500 import membership, runs

# submission: list, release, rank, line of source 000; lines 149–157, 170–175, 185–187
STATED = {
    "0688": [("production", "ISC26", 1, 149), ("production", "SC23", None, 186)],
    "0695": [("research", "SC23", None, 185)],
    "0694": [("ten-node-production", "ISC26", 1, 170)],
    "0683": [("production", "SC23", None, 187)],
    "0772": [("production", "ISC26", 2, 150)],
    "0774": [("ten-node-production", "ISC26", 2, 171)],
    "0703": [("production", "ISC26", 15, 156), ("ten-node-production", "ISC26", 6, 175)],
    # the source prints no row for these
    "0696": [],
    "0668": [],
    "0670": [],
    "0669": [],
    "0671": [],
    "0684": [],
    "0773": [],
    "0775": [],
}


@pytest.mark.parametrize(("submission", "places"), STATED.items(), ids=STATED)
def test_lists_are_those_that_the_source_states(submission, places):
    run = runs.load(submission)
    found = membership.stated(run)
    assert [(one.list, one.release, one.rank, one.line) for one in found] == places
    names = ", ".join(dict.fromkeys(place[0] for place in places))
    assert membership.lists(run) == (names or None)


@pytest.mark.parametrize(
    ("submission", "installation", "clients", "servers"),
    [
        ("0688", "Aurora (Argonne National Laboratory)", 300, 642),
        ("0695", "Aurora (Argonne National Laboratory)", 300, None),
        ("0694", "Aurora (Argonne National Laboratory)", 10, None),
        ("0683", "SuperMUC-NG-Phase2 (LRZ)", 90, 42),
        ("0772", "SuperMUC-NG-Phase2 (LRZ)", 192, 42),
        ("0774", "SuperMUC-NG-Phase2 (LRZ)", 10, None),
        ("0669", "SuperMUC-NG-Phase2 (LRZ)", None, None),
        ("0719", "IRIS (MSKCC)", 261, 54),
    ],
)
def test_scale_is_what_files_and_source_state(submission, installation, clients, servers):
    run = runs.load(submission)
    assert membership.installation(run) == installation
    assert membership.clients(run) == clients
    assert membership.servers(run) == servers


def test_a_run_of_no_known_system_has_no_installation():
    run = runs.load("0688")
    unknown = runs.PublicRun(run.submission, run.facts.copy(), run.texts, run.phases)
    unknown.facts["institution"] = None
    assert membership.installation(unknown) is None


def test_a_run_that_nearly_prints_like_a_row_is_not_it():
    raw = ("10066.086553", "102785.408581")
    assert membership.prints_so(*raw, "10,066.09", "102,785.41")
    assert not membership.prints_so(*raw, "10,066.08", "102,785.41")
    assert not membership.prints_so(*raw, "10,066.09", "102,785.40")
    assert not membership.prints_so("", raw[1], "10,066.09", "102,785.41")
    assert not membership.prints_so(*raw, "10,066.09", "")


def test_a_figure_carries_what_a_comparison_asks_for():
    run = runs.load("0688")
    score = membership.figure(run, "score")
    assert score.value.contains(Fraction("32165.926368"))
    assert (score.basis, score.obtained) == (Basis.BENCHMARK_SCORE, Obtained.RAW_OUTPUT)
    assert score.standing() == "verified (ISC26 production list)"
    assert score.redundancy == "EC_16P1GX, RP_2G1, RP_2GX, RP_2G32"
    phase = membership.figure(run, "find")
    assert (phase.unit, phase.basis) == ("kIOP/s", Basis.SINGLE_PHASE)
    wall = membership.figure(run, "ior-easy-write at the stonewall")
    assert wall.value.contains(Fraction("20790.81"))
    assert wall.standing() == "unverified", "no list has such a column"
    assert membership.figure(runs.load("0670"), "score").standing() == "unverified"


def test_a_list_is_chosen_where_a_run_stands_on_two():
    run = runs.load("0781")
    assert membership.figure(run, "score").list == "production, ten-node-production"
    assert membership.figure(run, "score", "ten-node-production").standing() == (
        "verified (ISC26 ten-node-production list)"
    )
    with pytest.raises(StoragebookError, match="no source puts submission 0781 on the research"):
        membership.figure(run, "score", "research")


@pytest.mark.parametrize("metric", ["iops", "find at the stonewall", "ior-rnd4K-easy-read"])
def test_no_such_figure(metric):
    with pytest.raises(StoragebookError):
        membership.figure(runs.load("0688"), metric)
