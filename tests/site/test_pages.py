"""The book's own pages: their files, and what a reader's browser makes of them."""

from __future__ import annotations

import functools
import html.parser
import random
import re
import threading
import urllib.parse
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from storagebook import paths
from storagebook.io500.phases import SCORED
from storagebook.io500.score import scores
from storagebook.site import assemble

CHAPTERS = assemble.chapters(paths.root())
PAGES = [*CHAPTERS, "search", "genindex"]
WIDE, NARROW = 1280, 390


@pytest.fixture(scope="module")
def server(book_site):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(book_site))
    ) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


@pytest.fixture
def address(request, book_site):
    """How to get to the site: the fixture's parameter is ``http`` or ``file``."""
    if request.param == "http":
        return request.getfixturevalue("server")
    return book_site.as_uri()


# --- the files ----------------------------------------------------------------------------------


class Reader(html.parser.HTMLParser):
    """Ids, addresses and text of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.addresses: list[str] = []
        self.text: list[str] = []
        self._script = False
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self._script = tag == "script"
        self.ids.update(filter(None, (given.get("id"), given.get("name"))))
        self.addresses += filter(None, (given.get("href"), given.get("src")))

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        if not self._script:
            self.text.append(data)


@pytest.fixture(scope="module")
def read(book_site):
    return {file.name: Reader(file) for file in sorted(book_site.glob("*.html"))}


def test_every_chapter_is_a_page(read):
    assert {f"{name}.html" for name in PAGES} <= set(read)


def test_every_local_link_leads_somewhere(book_site, read):
    def leads_somewhere(name: str, address: str) -> bool:
        parts = urllib.parse.urlsplit(address)
        target = urllib.parse.unquote(parts.path) or name
        if parts.fragment and target in read:
            return parts.fragment in read[target].ids
        return bool(parts.scheme or parts.netloc) or (book_site / target).exists()

    dead = [
        f"{name}: {address}"
        for name, page in read.items()
        for address in page.addresses
        if not leads_somewhere(name, address)
    ]
    assert dead == []


def test_fonts_hold_every_chinese_character(read):
    style = (paths.root() / "book" / "_static" / "storagebook.css").read_text(encoding="utf-8")
    held: set[str] = set()
    for part in re.search(r"unicode-range:([^;]*);", style).group(1).split(","):
        first, _, last = part.strip().removeprefix("U+").partition("-")
        held.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    shown = {c for page in read.values() for text in page.text for c in text if c > "\u2fff"}
    assert shown - held == set()


# --- what a browser makes of them ---------------------------------------------------------------

CHARTS = """[...document.querySelectorAll('figure.sb-chart')].map(figure => ({
    id: figure.id,
    marks: figure.querySelectorAll('svg .role-mark path, svg .role-mark text').length,
    outside: [...figure.querySelectorAll('svg text')].filter(text => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < 0 || box.right > innerWidth);
    }).map(text => text.textContent),
}))"""

# elements that stick out of the page and are not in a box that scrolls by itself
STICKING_OUT = """[...document.querySelectorAll('.bd-article *')].filter(element => {
    const box = element.getBoundingClientRect();
    if (!box.width || box.right <= innerWidth + 1) return false;
    for (let up = element; up; up = up.parentElement)
        if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(up).overflowX)
            && up.getBoundingClientRect().right <= innerWidth + 1) return false;
    return true;
}).map(element => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("address", ["http", "file"], indirect=True)
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.browser
def test_page_is_whole(tab, address, page, width):
    tab.open(f"{address}/{page}.html", width)
    assert tab.errors == []
    assert tab.failed == []
    assert [url for url in tab.requests if not url.startswith((address, "data:", "blob:"))] == []
    charts = tab.run(CHARTS)
    assert [chart["id"] for chart in charts if not chart["marks"]] == [], "not drawn"
    assert [chart for chart in charts if chart["outside"]] == [], "words cut off"
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert tab.run(STICKING_OUT) == []


# Relative luminance and contrast as in WCAG 2; text on what is painted behind it.
FAINT = """(() => {
    const rgba = text => {
        const numbers = (text.match(/[\\d.]+/g) || []).map(Number);
        return numbers.length < 3 ? null : [...numbers.slice(0, 3), numbers[3] ?? 1];
    };
    const luminance = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map(v => v / 255)
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = element => {
        for (let up = element; up; up = up.parentElement) {
            const colour = rgba(getComputedStyle(up).backgroundColor);
            if (colour && colour[3] > 0.99) return colour;
        }
        return [255, 255, 255, 1];
    };
    const faint = [];
    for (const element of document.querySelectorAll('.bd-article *, .bd-sidebar-primary *')) {
        const own = [...element.childNodes]
            .some(node => node.nodeType === 3 && node.textContent.trim());
        const box = element.getBoundingClientRect();
        if (!own || !box.width || element.closest('script, noscript, .headerlink')) continue;
        const style = getComputedStyle(element);
        if (style.visibility === 'hidden' || style.display === 'none') continue;
        const colour = rgba(element instanceof SVGElement ? style.fill : style.color);
        if (!colour) continue;
        const [low, high] = [luminance(colour), luminance(behind(element))].sort((a, b) => a - b);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < 4.5)
            faint.push(`${contrast.toFixed(1)} ${element.tagName} ${element.textContent.trim()}`);
    }
    return faint.map(text => text.slice(0, 80));
})()"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", CHAPTERS)
@pytest.mark.browser
def test_words_are_legible(tab, book_site, page, dark):
    tab.open(f"{book_site.as_uri()}/{page}.html", WIDE, dark=dark)
    assert tab.run("document.documentElement.dataset.theme") == ("dark" if dark else "light")
    assert tab.run(FAINT) == []


@pytest.mark.browser
def test_faint_words_are_noticed(tab, book_site):
    tab.open(f"{book_site.as_uri()}/{CHAPTERS[0]}.html", WIDE, dark=True)
    tab.run("document.querySelector('.bd-article h1').style.color = '#333333'")
    assert tab.run(FAINT)


@pytest.mark.browser
def test_theme_button_switches_the_page(tab, book_site):
    tab.open(f"{book_site.as_uri()}/{CHAPTERS[0]}.html", WIDE)
    seen = set()
    for _ in range(3):
        tab.run("document.querySelector('.theme-switch-button').click()")
        seen.add(tab.run("getComputedStyle(document.body).backgroundColor"))
    assert len(seen) == 2
    tab.run("localStorage.clear()")


@pytest.mark.parametrize("address", ["http", "file"], indirect=True)
@pytest.mark.browser
def test_search_finds_a_computed_word(tab, address):
    tab.open(f"{address}/search.html?q=ior-easy-write", WIDE)
    tab.wait("document.querySelectorAll('#search-results li a').length > 0")
    tab.wait("!document.querySelector('#search-progress')?.textContent")
    assert tab.errors == []


# --- the calculator -----------------------------------------------------------------------------

CALCULATOR = "document.querySelector('figure.sb-calculator')"


@pytest.fixture(scope="module")
def calculator(tab, book_site):
    """The tab, on the page with the calculator of the score."""
    tab.open(f"{book_site.as_uri()}/03-how-io500-scores.html", WIDE)
    return tab


def type_in(tab, values: dict[str, str]) -> None:
    for column, text in values.items():
        tab.run(
            f"""{{
                const input = {CALCULATOR}.querySelector('input[name="{column}"]');
                input.value = {text!r};
                input.dispatchEvent(new Event('input', {{bubbles: true}}));
            }}"""
        )
    tab.run(f"{CALCULATOR}.vegaView.runAsync().then(() => 1)")


def read_off(tab) -> tuple[list[float], list[str]]:
    names = ("bw_gib_s", "md_kiops", "score")
    numbers = [tab.run(f"{CALCULATOR}.vegaView.signal('{name}')") for name in names]
    texts = tab.run(f"[...{CALCULATOR}.querySelectorAll('svg text')].map(t => t.textContent)")
    return numbers, texts


def inputs() -> list[dict[str, str]]:
    """Twenty sets of what a reader could type: spread over decades, some phases at 0 or empty."""
    chance = random.Random(500)
    drawn = []
    for number in range(20):
        values = {p.column: f"{10 ** chance.uniform(-2, 6):.6f}" for p in SCORED}
        for column in chance.sample(sorted(values), number // 5):
            if column not in ("ior_easy_write", "find"):
                values[column] = chance.choice(["0", "", "0.000"])
        drawn.append(values)
    return drawn


@pytest.mark.parametrize("values", inputs(), ids=range(20))
@pytest.mark.browser
def test_calculator_agrees_with_the_library(calculator, values):
    type_in(calculator, values)
    expected = scores({p.name: float(values[p.column] or 0) for p in SCORED})
    wanted = [expected.bw_gib_s, expected.md_kiops, expected.score]
    numbers, texts = read_off(calculator)
    assert numbers == pytest.approx(wanted, rel=1e-12)
    assert {f"{value:,.2f}" for value in wanted} <= set(texts)


@pytest.mark.browser
def test_calculator_says_how_far_it_moved_and_goes_back(calculator):
    calculator.run(f"{CALCULATOR}.querySelector('.sb-reset').click()")
    calculator.wait(f"{CALCULATOR}.querySelectorAll('svg text').length")
    (start, texts) = read_off(calculator)
    assert texts.count("no change") == 3
    column = SCORED[0].column
    value = calculator.run(f"{CALCULATOR}.querySelector('input[name=\"{column}\"]').value")
    type_in(calculator, {column: repr(float(value) * 16)})
    numbers, texts = read_off(calculator)
    assert numbers == pytest.approx([start[0] * 2, start[1], start[2] * 2**0.5])
    assert {"+100.00 %", "no change", "+41.42 %"} <= set(texts)
    calculator.run(f"{CALCULATOR}.querySelector('.sb-reset').click()")
    calculator.wait(
        f"[...{CALCULATOR}.querySelectorAll('svg text')]"
        ".filter(text => text.textContent === 'no change').length === 3"
    )
    assert read_off(calculator)[0] == start


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.browser
def test_calculator_inputs_are_labelled_and_large_enough(tab, calculator, width):
    tab.open(tab.run("location.href"), width)
    boxes = tab.run(
        f"""[...{CALCULATOR}.querySelectorAll('input')].map(input => ({{
            label: input.getAttribute('aria-label'),
            shown: input.closest('label').innerText.trim(),
            width: input.getBoundingClientRect().width,
            fits: input.scrollWidth <= input.clientWidth,
        }}))"""
    )
    assert sorted(box["shown"] for box in boxes) == sorted(p.name for p in SCORED)
    assert {box["label"] for box in boxes} == {f"{p.name}, {p.unit}" for p in SCORED}
    assert all(box["fits"] and box["width"] >= 100 for box in boxes)
