"""The printed lists, against rows and result files read by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.intervals import Interval
from storagebook.io500 import lists, membership
from storagebook.io500.lists import Entry, ListedScores, standing

PRODUCTION = lists.production()


def test_rows_are_borne_out_by_their_files():
    rows = lists.evidence(membership.PRODUCTION).set_index("system")
    # index.csv: institution, system and year of each submission
    assert rows.submission.dropna().to_dict() == {
        "Aurora": "0688",
        "SuperMUC-NG-Phase2-EC": "0772",
        "Helma": "0736",
        "SSC-24": "0748",
        "Shaheen III": "0691",
        "Maximus-01": "0781",
        "IRIS": "0719",
        "Lise": "0703",
    }
    # BW, MD, score, processes, client nodes; the last only where the run's output tells them
    assert rows.borne_out["Aurora"] == "5 of 5"
    assert rows.borne_out["IRIS"] == "4 of 4"
    assert rows.not_borne_out.isna().all()
    said = [t.format(**v) for t, v in lists.said_of_evidence(rows.reset_index())]
    assert said == [
        "Of 9 rows, 8 have their result file at hand; it bears out every printed figure in 8 of "
        "them."
    ]


def test_a_row_that_is_not_borne_out_says_so(monkeypatch):
    printed = lists.tables.printed(membership.PRODUCTION)
    printed.loc[0, "score"] = "32,165.00"
    printed.loc[0, "client_nodes_count"] = "301"
    monkeypatch.setattr(lists.tables, "printed", _instead(lists.tables.printed, printed))
    rows = lists.evidence(membership.PRODUCTION)
    assert rows.not_borne_out[0] == "score, client nodes"
    assert rows.borne_out[0] == "3 of 5"
    assert "Not borne out for Aurora: score, client nodes." in [
        t.format(**v) for t, v in lists.said_of_evidence(rows)
    ]


def _instead(original, frame):
    return lambda name: frame if name == membership.PRODUCTION else original(name)


@pytest.mark.parametrize("table", [membership.TEN_NODE, membership.EVOLUTION, membership.RESEARCH])
def test_every_quoted_list_has_its_evidence(table):
    rows = lists.evidence(table)
    at_hand = {membership.TEN_NODE: 6, membership.EVOLUTION: 8, membership.RESEARCH: 0}
    assert rows.submission.notna().sum() == at_hand[table]
    assert rows.not_borne_out.isna().all()


@pytest.mark.parametrize(
    ("score", "first", "last"),
    [
        # printed: 1 Aurora 32,165.90; 2 3,470.22; 7 IRIS 665.49; 15 Lise 324.54; 20 CTPAI 187.84;
        # Leonardo, 649, stands somewhere from 8 to 14; 46 entries in all
        (40_000, 1, 1),
        (32_165.90, 1, 2),
        (5_000, 2, 2),
        (666, 7, 7),
        (660, 8, 14),
        (649.2, 8, 15),
        (640, 9, 15),
        (200, 16, 20),
        (10, 21, 47),
    ],
)
def test_where_a_score_would_stand_on_the_production_list(score, first, last):
    assert standing(score, PRODUCTION) == (first, last)


@pytest.mark.parametrize(
    ("score", "first", "last"),
    [(3000, 1, 1), (500, 4, 4), (350, 5, 5), (324.54, 6, None), (9, 7, None)],
)
def test_where_a_score_would_stand_on_the_ten_node_list(score, first, last):
    # printed: 2,885.57; 1,253.56; 666.70; 405.50; 348.08; 324.54, and nobody says how many follow
    assert standing(score, lists.ten_node()) == (first, last)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (5_000, "at rank 2."),
        (640, "between ranks 9 and 15."),
        (40_000, "at rank 1."),
    ],
)
def test_standing_in_words_is_unverified(score, words):
    template, values = lists.said_of_standing(score, PRODUCTION)
    said = template.format(**values)
    assert words in said
    assert "*unverified*" in said
    assert "ISC26 production" in said
    open_end, values = lists.said_of_standing(1, lists.ten_node())
    assert "at rank 7 or below" in open_end.format(**values)


@given(
    scores=st.lists(st.integers(1, 10**6), min_size=1, max_size=30, unique=True),
    known=st.data(),
    score=st.integers(0, 10**6 + 1),
)
def test_the_true_rank_lies_within(scores, known, score):
    ordered = sorted(scores, reverse=True)
    shown = known.draw(st.sets(st.sampled_from(ordered)))
    entries = tuple(
        Entry(str(s), Interval.point(s), rank, rank)
        for rank, s in enumerate(ordered, 1)
        if s in shown
    )
    first, last = standing(score, ListedScores("x", entries, len(ordered)))
    better = sum(s > score for s in ordered)
    equal = score in ordered
    assert first <= better + 1
    assert better + 1 <= last
    if len(shown) == len(ordered) and not equal:
        assert first == last == better + 1


def test_ratios_of_the_source_come_from_raw_output_with_their_caveats():
    found = {one.what: one for one in lists.stated_ratios()}
    # 102785.408581 / 1604.836213, 10066.086553 / 438.617055, 2885.570524 / 32165.926368,
    # 3470.216148 / 2508.846865 − 1, by bc
    assert found["MD, Aurora over Helma"].shown == "64.05 times"
    assert found["BW, Aurora over Helma"].shown == "22.95 times"
    assert found["score, Aurora on ten nodes over all"].shown == "8.97 %"
    assert found["score, SuperMUC-NG at SC25 over SC23"].shown == "+38.32 %"
    assert "list: ten-node-production against production" in (
        found["score, Aurora on ten nodes over all"].beside
    )
    assert "clients: 192 against 90" in found["score, SuperMUC-NG at SC25 over SC23"].beside


def test_the_ratio_across_lists_is_quoted_and_refused():
    (refused,) = [one for one in lists.stated_ratios() if one.comparison is None]
    assert refused.said == "近 19 倍"
    assert refused.shown == "not compared"
    assert "IO500 messaging policy" in refused.beside


def test_leads_over_each_printed_entry():
    leads = lists.leads().set_index("system")
    # 10,066.09 / 861.22 and 102,785.41 / 13,982.88; / 438.62 and / 1,604.84
    assert leads.bandwidth_times["SuperMUC-NG-Phase2-EC"] == pytest.approx(11.688175, abs=1e-5)
    assert leads.metadata_times["SuperMUC-NG-Phase2-EC"] == pytest.approx(7.350804, abs=1e-5)
    assert leads.metadata_times["Helma"] == pytest.approx(64.047139, abs=1e-5)
    assert leads.beside.str.contains("clients: 300 against").all()
    assert leads.beside.str.startswith("each entry: verified (ISC26 production list); ").all()
    assert "Aurora" not in leads.index


def test_places_in_each_phase_leave_a_range_of_ranks():
    places = lists.phase_places().set_index("phase")
    assert (places.at_hand == 1).all()
    # 46 entries, seven of the others at hand and all behind
    assert (places.ranks == "1 to 39").all()
    assert places.next["ior-easy-write"] == "Shaheen III"
    # 20693.627959 / 2340.314883
    assert places.times["ior-easy-write"] == pytest.approx(8.842241, abs=1e-6)
    other = lists.phase_places("0736").set_index("phase")
    # ahead of Helma's 811.33 are 20,693.63, 2,340.31, 1,028.08 and 977.73; three are behind
    assert other.ranks["ior-easy-write"] == "5 to 43"
    assert other.stated.isna().all()


def test_clients_against_scores():
    frame = lists.clients_and_scores()
    assert list(frame.system[:2]) == ["Aurora", "SuperMUC-NG-Phase2-EC"]
    assert frame.set_index("system").clients["Leonardo"] == 2000
    # counted by hand on the ten rows; three have ten client nodes each
    assert lists.concordance(frame) == (27, 42)


def test_more_clients_on_one_installation():
    rows = lists.scaled().set_index(["few", "many"])
    aurora = rows.loc[("0694", "0688")]
    assert (aurora.procs_times, aurora.score_times) == pytest.approx((30, 11.147163), abs=1e-6)
    assert aurora.also_differs.startswith("object class of ior-hard: EC_16P1GX against RP_2GX")
    supermuc = rows.loc[("0683", "0772")]
    for changed in ("version", "layout of ior-easy", "DAOS release", "object class of ior-hard"):
        assert changed in supermuc.also_differs
    # the pools' names hold numbers of servers
    assert "lrz_32srv against lrz_18srv" in rows.loc[("0669", "0668")].also_differs
    assert (rows.score_times > 1).all()
    assert rows.beside.str.startswith("unverified analysis").all()
    said = [t.format(**v) for t, v in lists.said_of_scaled(rows.reset_index())]
    assert len(said) == len(rows) + 1
    assert said[-1].startswith("Beside all of these ratios: unverified analysis of one install")
    assert "Beside the ratio: " in said[0]
    assert "clients: 300 against 10" in said[0]


def test_ratios_in_words_keep_their_caveats():
    ratios = lists.stated_ratios()
    for one, (template, values) in zip(ratios, lists.said_of_ratios(ratios), strict=True):
        said = template.format(**values)
        assert one.beside in said
        assert one.said in said


def test_scaling_of_each_phase():
    frame = lists.scaling("0694", "0688").set_index("metric")
    # 20693.627959 / 1313.924246, over 300 / 10 client nodes
    assert frame.times["ior-easy-write"] == pytest.approx(15.749483, abs=1e-6)
    assert frame.per_client_pct["ior-easy-write"] == pytest.approx(52.498278, abs=1e-5)
    assert lists.scaling("0775", "0773").per_client_pct.isna().all()


def test_six_places_without_a_gap():
    ((template, values),) = lists.first_places()
    assert (values["count"], values["start"], values["end"]) == (6, "SC23", "ISC26")
    assert values["gap"] == "without a gap"
    assert (values["least"], values["most"], values["result"]) == (15, 46, "SC23")
    assert template.format(**values)


@pytest.mark.parametrize(
    ("releases", "answer"),
    [
        (["SC23", "ISC24", "SC24", "ISC25", "SC25", "ISC26"], True),
        (["SC23", "ISC24", "ISC25"], False),
        (["SC24", "SC23"], False),
        (["SC24"], True),
    ],
)
def test_consecutive_releases(releases, answer):
    assert lists.consecutive(releases) is answer
