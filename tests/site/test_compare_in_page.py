"""The grid of figures in a browser: a pair to choose, a cell to follow, keys to move by."""

from __future__ import annotations

import pytest

from storagebook.systems import judged, known

WIDE, NARROW = 1280, 390
PAGE = "34-across-systems.html"
ANSWER = "document.querySelector('.sb-choice output')"
CELL = "document.querySelectorAll('.sb-matrix a.sb-mark')"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pairs():
    return judged.pairs(known.of_matrix())


def choose(page, first, second):
    """Choose two figures by their keys; the answer in words."""
    for number, key in enumerate((first, second)):
        page.run(f"document.querySelectorAll('.sb-choice select')[{number}].value = {key!r}")
    page.run(
        "document.querySelector('.sb-choice').dispatchEvent(new Event('input', {bubbles: true}))"
    )
    return page.run(f"{ANSWER}.textContent")


def test_each_status_is_answered_as_the_library_judges_it(page, pairs):
    for status in {pair.status for pair in pairs}:
        pair = next(pair for pair in pairs if pair.status is status)
        for first, second in ((pair.a.key, pair.b.key), (pair.b.key, pair.a.key)):
            answer = choose(page, first, second)
            assert answer.startswith(pair.short)
            for _, text in pair.parts():
                assert text in answer


def test_every_pair_can_be_chosen(page, pairs):
    options = page.run(
        "[...document.querySelectorAll('.sb-choice select:first-of-type option')].map(o => o.value)"
    )
    keys = [one.key for one in known.of_matrix()]
    assert options == keys * (len(options) // len(keys))
    for pair in pairs[::40]:
        assert choose(page, pair.a.key, pair.b.key).startswith(pair.short)


def test_a_figure_is_not_compared_with_itself(page, pairs):
    key = pairs[0].a.key
    assert choose(page, key, key) == "These are one and the same figure."


def test_a_cell_leads_to_its_answer_and_has_it_in_words(page):
    title = page.run(f"{CELL}[5].title")
    page.run(f"{CELL}[5].click()")
    assert page.run("document.querySelector('.sb-told strong').textContent") == title
    assert title.partition(": ")[2]
    assert page.run(f"{ANSWER}.querySelector('strong').textContent") in title
    assert all(page.run(f"[...{CELL}].map(cell => cell.title.length > 10)"))


def test_a_link_to_an_answer_opens_it(page, pairs):
    pair = pairs[-1]
    page.run(f"location.hash = '#pair-{pair.a.key}--{pair.b.key}'")
    page.wait(f"{ANSWER}.textContent.startsWith({pair.short!r})")
    chosen = page.run("[...document.querySelectorAll('.sb-choice select')].map(s => s.value)")
    assert chosen == [pair.a.key, pair.b.key]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_it_fits_the_page(tab, book_site, width):
    tab.open(f"{book_site.as_uri()}/{PAGE}", width)
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert tab.run(f"{ANSWER}.scrollWidth <= {ANSWER}.clientWidth + 1")
    assert (tab.errors, tab.failed) == ([], [])
