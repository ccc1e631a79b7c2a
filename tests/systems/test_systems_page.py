"""The grid: every cell leads to its pair, every pair tells its reason, strangers' text is text."""

import dataclasses
import html.parser

import pytest

from storagebook import show
from storagebook.systems import judged, known, page

FIGURES = known.of_matrix()
PAIRS = judged.pairs(FIGURES)
START = ("production-aurora", "research-pengcheng-cloudbrain")


class Grid(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.marks, self.ids, self.text = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        if given.get("class") == "sb-mark" and tag == "a":
            self.marks.append(given)
        if tag == "tr" and "id" in given:
            self.ids.append(given["id"])

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def displayed(monkeypatch):
    found = []
    monkeypatch.setattr(page, "display", lambda data, raw, metadata: found.append((data, metadata)))
    return found


def shown(displayed, figures=FIGURES, pairs=PAIRS):
    page.matrix(figures, pairs, start=START, caption="<i>Grid</i>", csv="pairs")
    ((data, metadata),) = displayed
    return Grid(data["text/html"]), data["text/plain"], metadata


def test_every_cell_leads_to_its_pair(displayed):
    grid, _, _ = shown(displayed)
    assert len(grid.ids) == len(set(grid.ids)) == len(PAIRS)
    assert len(grid.marks) == 2 * len(PAIRS)
    assert {mark["href"].removeprefix("#") for mark in grid.marks} == set(grid.ids)


def test_every_cell_has_words_of_its_own(displayed):
    grid, _, _ = shown(displayed)
    text = "".join(grid.text)
    for pair in PAIRS:
        assert pair.short in text
        # the script puts both names and the answer on the cell, from the list
        assert f"{pair.b.label}, {pair.b.what}" in text


def test_every_reason_is_told_without_a_script(displayed):
    grid, _, metadata = shown(displayed)
    assert "script" not in grid.tags
    text = " ".join(" ".join(grid.text).split())
    for pair in PAIRS:
        for _, said in pair.parts():
            assert " ".join(said.split()) in text
    csv = metadata[show.METADATA_KEY]["csv"]["pairs"]
    assert csv.count("\n") == len(PAIRS) + 1


def test_the_plain_twin_has_a_letter_a_pair(displayed):
    _, text, _ = shown(displayed)
    lines = text.splitlines()[-len(FIGURES) :]
    letters = [line[: len(FIGURES)] for line in lines]
    assert all(letters[i][i] == "." for i in range(len(FIGURES)))
    assert all(letters[i][j] == letters[j][i] for i in range(len(FIGURES)) for j in range(i))


def test_strangers_text_is_text(displayed):
    one, other, *_ = FIGURES
    hostile = dataclasses.replace(
        one,
        system="<script>alert(1)</script>",
        place='"><img src=x>',
        figure=dataclasses.replace(one.figure, name="<b>mine</b>"),
    )
    grid, _, _ = shown(displayed, (hostile, other), judged.pairs((hostile, other)))
    assert not {"script", "img"} & set(grid.tags)
    assert "<script>alert(1)</script>" in "".join(grid.text)
