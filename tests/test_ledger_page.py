"""The page of the ledger: blocks of what does not hold, and every row."""

import dataclasses
import html.parser

import pytest

from storagebook import claims, ledger, ledger_page, show
from storagebook.verdicts import Verdict


class Rows(html.parser.HTMLParser):
    """Ids, attributes and tags of a piece of HTML."""

    def __init__(self, text):
        super().__init__()
        self.rows = {}
        self.tags = []
        self.text = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "tr" and "id" in dict(attrs):
            self.rows[dict(attrs)["id"]] = dict(attrs)

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def displayed(monkeypatch):
    found = []

    def keep(data, raw, metadata=None):
        assert raw
        found.append((data, metadata or {}))

    monkeypatch.setattr(ledger_page, "display", keep)
    monkeypatch.setattr(show, "display", keep)
    return found


@pytest.mark.parametrize("verdict", [Verdict.CONTRADICTED, Verdict.NOT_SHOWN])
def test_every_claim_stands_in_one_block(verdict):
    told = [one.claim.id for block in ledger_page.blocks("all", verdict) for one in block.judged]
    asked = [one.claim.id for one in ledger.every() if one.verdict is verdict]
    assert sorted(told) == sorted(asked)
    assert len(told) == len(set(told))


def test_blocks_stand_in_the_order_of_the_texts():
    order = [one.claim.id for one in ledger.every()]
    firsts = [
        order.index(block.judged[0].claim.id)
        for block in ledger_page.blocks("all", Verdict.CONTRADICTED)
    ]
    assert firsts == sorted(firsts)


def test_one_mistake_in_many_figures_is_one_block():
    of_vos = ledger_page.blocks("002", Verdict.CONTRADICTED)
    assert [len(block.judged) for block in of_vos] == [1, 16]
    # which cards the nodes have is not told, so no printed share of them is contradicted
    of_juicefs = ledger_page.blocks("001", Verdict.CONTRADICTED)
    assert not any("network utilisation" in block.about for block in of_juicefs)


def test_a_block_says_what_is_said_where_and_how_to_quote_it(displayed):
    ledger_page.show_blocks("000", "contradicted")
    ((data, _),) = displayed
    for part in ("Said", "Where", "Evidence", "Quote it"):
        assert f"<dt>{part}</dt>" in data["text/html"]
        assert f"  {part}: " in data["text/plain"]
    assert "source 000, section 3.1, line 212" in data["text/plain"]
    assert "58,551,916,802" in data["text/plain"]


def test_a_source_without_any_is_said_to_have_none(displayed):
    ledger_page.show_blocks("004", "contradicted")
    ((data, _),) = displayed
    assert data["text/plain"] == "No claim of these is contradicted."


def test_every_mistake_is_counted():
    counted = ledger_page.mistakes()
    asked = sum(one.verdict in ("contradicted", "not-shown") for one in ledger.every())
    assert counted.drop(columns=["mistake", "means"]).to_numpy().sum() == asked
    assert counted["means"].notna().all()


def test_the_table_holds_every_row_and_its_data(displayed):
    ledger_page.show_every(caption="All", csv="claims")
    ((data, metadata),) = displayed
    found = Rows(data["text/html"])
    assert list(found.rows) == [f"claim-{one.claim.id}" for one in ledger.every()]
    html = data["text/html"]
    files = html[html.index('id="claim-000-files"') :].partition("</tr>")[0]
    assert files.endswith("<td>contradicted</td><td>000, section 3.1, line 212</td>")
    assert "script" not in found.tags
    text = metadata[show.METADATA_KEY]["csv"]["claims"]
    assert text.startswith(",".join(claims.COLUMNS) + "\n")
    assert text.count("\n") == len(found.rows) + 1
    told = dict(line.split(": ") for line in data["text/plain"].splitlines()[2:])
    assert sorted(" ".join(told.values()).split()) == sorted(one.claim.id for one in ledger.every())
    assert "000-files" in told["contradicted"].split()


def test_links_of_chapters_lead_to_rows(displayed):
    ledger_page.show_every(caption="All", csv="claims")
    ((data, _),) = displayed
    ids = Rows(data["text/html"]).rows
    for source, section in ledger.CHAPTERS:
        for link in ledger.shown(source, [section]).attrs["links"]["about"]:
            assert link.partition("#")[2] in ids


def test_what_documents_say_is_text_not_markup(displayed, monkeypatch):
    (one, *_) = ledger.every()
    hostile = dataclasses.replace(one.claim, system="<script>alert(1)</script>", note="<b>")
    judged = dataclasses.replace(one, claim=hostile, evidence="<img src=x>")
    monkeypatch.setattr(ledger, "every", lambda: (judged,))
    ledger_page.show_every(caption="<i>All</i>", csv="claims")
    ((data, _),) = displayed
    found = Rows(data["text/html"])
    assert not {"script", "img", "b", "i"} & set(found.tags)
    assert "<script>alert(1)</script>: " in "".join(found.text)


def test_what_does_not_hold_of_a_section_and_how_to_quote_it():
    frame = ledger_page.corrected("003", ["mdtest"])
    assert list(frame.line) == [62, 64, 68, 76]
    row = frame.iloc[2]
    assert row.said == "number of files, written with the unit of a size: 2 MiB"
    assert (row.verdict, row.mistake) == ("contradicted", "mixed-unit")
    assert row.quote == "As 2,097,152 files; they hold 8,192 MiB."
    assert frame.attrs["links"]["said"][2].endswith("#claim-003-mdtest-files-as-size")


def test_a_section_where_all_holds_has_nothing_to_correct():
    assert ledger_page.corrected("003", ["testbed"]).empty
