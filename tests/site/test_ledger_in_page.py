"""The ledger's table in a browser: finding, filtering, sorting, and links to its rows."""

from __future__ import annotations

import pytest

from storagebook import ledger

WIDE, NARROW = 1280, 390
FIRST = 100
PAGE = f"{ledger.PAGE}.html"
SHOWN = "[...document.querySelectorAll('.sb-ledger tbody tr:not([hidden])')]"
FORM = "document.querySelector('.sb-finder')"

pytestmark = pytest.mark.browser


def find(tab, words="", source="", verdict=""):
    """Fill the form in and ask for all rows; the ids of those that are left."""
    for element, value in (
        ("input", words),
        ("label:nth-of-type(2) select", source),
        ("label:nth-of-type(3) select", verdict),
    ):
        tab.run(f"{FORM}.querySelector('{element}').value = {value!r}")
    tab.run(f"{FORM}.dispatchEvent(new Event('input', {{bubbles: true}}))")
    tab.run(f"{FORM}.querySelector('button').click()")
    return tab.run(f"{SHOWN}.map(row => row.id.replace('claim-', ''))")


def test_the_first_rows_are_drawn_at_first(page):
    every = len(ledger.every())
    ids = page.run(f"{SHOWN}.map(row => row.id.replace('claim-', ''))")
    assert ids == [one.claim.id for one in ledger.every()][:FIRST]
    said = page.run(f"{FORM}.querySelector('output').textContent")
    assert said == f"{every} of {every} rows, the first {FIRST} shown"
    assert page.run(f"{FORM}.querySelector('button').textContent") == f"Show all {every}"


def test_all_rows_are_there_when_asked_for(page):
    assert find(page) == [one.claim.id for one in ledger.every()]
    said = page.run(f"{FORM}.querySelector('output').textContent")
    assert said == f"{len(ledger.every())} of {len(ledger.every())} rows"


def test_rows_are_filtered_by_source_verdict_and_words(page):
    wanted = [
        one.claim.id
        for one in ledger.every()
        if one.claim.source == "000" and one.verdict == "contradicted"
    ]
    assert find(page, source="000", verdict="contradicted") == wanted
    left = find(page, "Files 58551916802", source="000", verdict="contradicted")
    assert "000-files" in left
    assert set(left) < set(wanted)
    assert find(page, "no such words anywhere") == []


def test_rows_are_sorted_both_ways_and_back(page):
    head = "document.querySelectorAll('.sb-ledger thead th')"
    find(page)
    page.run(f"{head}[0].querySelector('button').click()")
    names = page.run(f"{SHOWN}.map(row => row.cells[0].textContent)")
    assert page.run(f"{head}[0].getAttribute('aria-sort')") == "ascending"
    assert names == sorted(names)
    page.run(f"{head}[0].querySelector('button').click()")
    assert page.run(f"{head}[0].getAttribute('aria-sort')") == "descending"
    page.run(f"{head}[4].querySelector('button').click()")
    assert page.run(f"{head}[0].getAttribute('aria-sort')") is None
    order = page.run(f"{SHOWN}.map(row => row.id.replace('claim-', ''))")
    assert order == [one.claim.id for one in ledger.every()]


def test_the_first_of_the_sorted_rows_are_drawn(page):
    head = "document.querySelectorAll('.sb-ledger thead th')"
    page.run(f"{head}[3].querySelector('button').click()")
    verdicts = page.run(f"{SHOWN}.map(row => row.cells[3].textContent)")
    assert verdicts == ["confirmed"] * FIRST
    page.run(f"{head}[3].querySelector('button').click()")
    assert set(page.run(f"{SHOWN}.map(row => row.cells[3].textContent)")) != {"confirmed"}


def test_a_link_shows_its_row_whatever_is_looked_for(page):
    find(page, "no such words anywhere")
    page.run("location.hash = '#claim-000-files'")
    page.wait("document.querySelector('#claim-000-files details').open")
    assert page.run("!document.getElementById('claim-000-files').hidden")
    box = page.run(
        "(box => [box.top, box.bottom])"
        "(document.getElementById('claim-000-files').getBoundingClientRect())"
    )
    assert box[0] > 0
    assert box[1] < 900


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_rows_fit_the_page(tab, book_site, width):
    tab.open(f"{book_site.as_uri()}/{PAGE}", width)
    find(tab, verdict="contradicted")
    assert tab.run("document.documentElement.scrollWidth") <= width
    cut_off = tab.run(
        f"{SHOWN}.flatMap(row => [...row.cells]).filter(cell =>"
        " cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"
    )
    assert cut_off == []


def test_the_form_is_labelled(page):
    labels = page.run(
        f"[...{FORM}.elements].filter(e => e.matches('input, select'))"
        ".map(e => e.labels[0].firstChild.textContent)"
    )
    assert labels == ["Find", "Source", "Verdict"]


def test_nothing_goes_wrong(page):
    assert page.errors == []
    assert page.failed == []
