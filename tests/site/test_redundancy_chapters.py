"""The chapters on lists, redundancy, efficiency: true for other runs, caveats in their place."""

from __future__ import annotations

import functools
import html
import re
from pathlib import Path

import pytest

from storagebook.errors import StoragebookError
from storagebook.io500 import efficiency, lists, redundancy
from storagebook.site import execute

ROOT = Path(__file__).parents[2]
LISTS, COST, EFFICIENCY = "11-the-lists", "12-redundancy-cost", "13-efficiency"


@functools.cache
def outputs(chapter, **parameters):
    """What each code cell of a chapter shows, run with these parameters."""
    path = ROOT / "notebooks" / f"{chapter}.ipynb"
    done = execute.execute_all({path: parameters}, folder=ROOT)[path]
    return [cell.outputs for cell in done.cells if cell.cell_type == "code"]


def words(shown):
    return "\n".join(o.data["text/plain"] for cell in shown for o in cell)


# --- other runs ---------------------------------------------------------------------------------


def test_a_swapped_pair_changes_nothing():
    published = execute.read_notebook(ROOT / "notebooks" / f"{COST}.ipynb")
    before = [cell.outputs for cell in published.cells if cell.cell_type == "code"]
    # the parameters cell shows nothing; all else is the same, drawings included
    swapped = outputs(COST, protected="0695", unprotected="0688")
    assert words(before) == words(swapped)
    assert [[o.data for o in cell] for cell in before if cell] == [
        [o.data for o in cell] for cell in swapped if cell
    ]


@pytest.mark.parametrize(
    ("protected", "unprotected", "said"),
    [
        # from both result_summary.txt by bc; swapped, so that the roles come from the classes
        (
            "0684",
            "0683",
            [
                "0683 is protected and 0684 is not",
                "Pair 0683/0684 is *controlled*",
                "the score changes by -45.3 %",
                "between -79.8 % (*mdtest-hard-delete*) and +0.9 % (*ior-easy-read*)",
                "Pair 0683/0684: mdtest-hard-delete changes most downwards, by -79.8 %",
                "a list: SC23 production (line 187)",
                "No source at hand says which list submission 0684 was submitted to.",
            ],
        ),
        (
            "0774",
            "0775",
            [
                "0774 is protected and 0775 is not",
                "Pair 0774/0775 is *confounded*",
                "chunk size of ior-easy, ior-hard: not set against 2 MiB",
                "the score changes by -37.2 %",
                "between -78.5 % (*mdtest-easy-write*) and +4.3 % (*mdtest-easy-stat*)",
                "a list: ISC26 ten-node-production, rank 2 (line 171)",
            ],
        ),
    ],
)
def test_another_pair_leaves_every_sentence_true(protected, unprotected, said):
    text = words(outputs(COST, protected=protected, unprotected=unprotected))
    for sentence in said:
        assert sentence in text
    # nothing of the published pair is said where this pair is meant
    assert "Pair 0688/0695:" not in text
    assert "nan" not in text


def test_what_is_no_pair_stops_the_chapter_and_names_the_pairs():
    with pytest.raises(StoragebookError, match="not of one installation"):
        outputs(COST, protected="0688", unprotected="0772")


@pytest.mark.parametrize(
    ("submission", "said", "unsaid"),
    [
        # neither servers, clients nor hardware are stated
        (
            "0668",
            ["No source at hand states how many storage servers", "called lrz_18srv", "no phase"],
            ["per server  ", "comes nearest to a stated roof"],
        ),
        # clients only
        (
            "0694",
            [
                "Client nodes: 10, by the source.",
                "ior-easy-write comes nearest to a stated roof: 71 % of the clients' network",
                "What *ior-hard-write* stores per byte",
            ],
            ["servers' network, *"],
        ),
        # another file system, without object classes
        ("0719", ["The source states 54 storage servers", "No source at hand states the net"], []),
    ],
)
def test_efficiency_says_what_cannot_be_said(submission, said, unsaid):
    text = words(outputs(EFFICIENCY, submission=submission))
    for sentence in said:
        assert sentence in text
    for sentence in unsaid:
        assert sentence not in text
    assert "nan" not in text


def test_a_submission_on_no_list_starts_the_what_if():
    text = words(outputs(LISTS, submission="0696"))
    # score 3748.847814: below Aurora, above 3,470.22
    assert "a score of 3,748.85 would stand at rank 2." in text
    assert "What if? Start values: submission 0696" in text


# --- caveats ------------------------------------------------------------------------------------


@functools.cache
def blocks(file):
    """List items, table rows and paragraphs of a page, as text, in their order."""
    page = file.read_text(encoding="utf-8")
    found = re.findall(r"<(li|tr|p)\b[^>]*>(.*?)</\1>", page, re.S)
    texts = (html.unescape(re.sub(r"<[^>]+>", " ", inner)) for _, inner in found)
    return [" ".join(text.replace("’", "'").split()) for text in texts]


def beside(file, what, then):
    """The first block that holds all of `what`, and the first from there on that holds `then`."""
    texts = blocks(file)
    start = next(i for i, text in enumerate(texts) if all(word in text for word in what))
    end = next(i for i, text in enumerate(texts) if i >= start and then in text)
    return texts[start], texts[end]


def assert_held(caveats, *texts):
    for caveat in caveats.split("; "):
        assert any(caveat in text for text in texts), caveat


@pytest.mark.parametrize("number", range(5))
def test_each_stated_ratio_has_its_caveats_in_its_own_item(book_site, number):
    one = lists.stated_ratios()[number]
    own, _ = beside(book_site / f"{LISTS}.html", [one.what, one.shown], "Beside")
    assert one.said in own
    assert_held(one.beside, own)


@pytest.mark.parametrize("row", list(lists.leads().itertuples()), ids=lambda row: row.system)
def test_each_lead_has_its_caveats_in_its_row_or_under_the_table(book_site, row):
    numbers = [f"{row.bandwidth_times:.1f}", f"{row.metadata_times:.1f}", row.system]
    own, under = beside(book_site / f"{LISTS}.html", numbers, "Beside all of these ratios")
    assert_held(row.beside, own, under)


@pytest.mark.parametrize("row", list(lists.scaled().itertuples()), ids=lambda row: row.many)
def test_each_scaled_pair_has_its_caveats(book_site, row):
    names = [f"{row.few} and {row.many}", "Beside the ratio"]
    own, under = beside(book_site / f"{LISTS}.html", names, "Beside all of these ratios")
    assert_held(row.beside, own, under)
    assert row.also_differs in own


@pytest.mark.parametrize("names", redundancy.PAIRS, ids="/".join)
def test_each_pair_has_its_caveats(book_site, names):
    one = redundancy.pair(*names)
    what = [one.name, "what else is known to differ"]
    own, under = beside(book_site / f"{COST}.html", what, "Beside all of these changes")
    assert_held(redundancy.beside(one), own, under)
    for setting in redundancy.confounders(one):
        assert str(setting) in own


def test_the_table_of_the_published_pair_has_its_caveats_under_it(book_site):
    one = redundancy.pair("0688", "0695")
    row, under = beside(
        book_site / f"{COST}.html", ["ior-hard-read", "+52.9"], "Beside each of these changes"
    )
    assert "9,706.55" in row
    assert_held(redundancy.beside(one), under)


def test_each_ratio_per_server_has_its_caveats(book_site):
    for row in efficiency.against_first().itertuples():
        what = [f"{row.run} over {row.over}", f"{row.times:.2f} times"]
        own, under = beside(book_site / f"{EFFICIENCY}.html", what, "Beside all of these ratios")
        assert_held(row.beside, own, under)


def test_a_missing_caveat_is_noticed():
    with pytest.raises(AssertionError, match="servers unknown"):
        assert_held("clients: 1 against 2; servers unknown on both sides", "clients: 1 against 2")
