"""Every cell that claims to be as printed stands, letter for letter, at its line of the source."""

import re

import pytest

import source_texts
from storagebook import paths, tables

QUOTED = [n for n in tables.names() if tables.resource(n)["path"].startswith("quoted/")]


@pytest.fixture(scope="module")
def shared():
    folder = paths.shared()
    if folder is None or not (folder / "sources").is_dir():
        pytest.skip("the sources are not at hand")
    return folder


@pytest.fixture(scope="module")
def lines():
    """The lines of a source by its id."""
    return source_texts.lines


def stands_in(cell, text):
    """Whether a cell is part of a text; a number only as a whole number, not as its part."""
    if re.fullmatch(r"[\d.,]+", cell):
        return re.search(rf"(?<![\d.,]){re.escape(cell)}(?![\d]|[.,]\d)", text) is not None
    return cell in text


def placed(name):
    """The rows of a table with source and line; a row that points to another table has none."""
    of_table = tables.resource(name)["sources"][0]["id"]
    rows = tables.printed(name).to_dict("records")
    return [(row.get("source", of_table), int(row["line"]), row) for row in rows if row["line"]]


def test_a_number_is_found_only_whole():
    assert stands_in("46", "1 / 46")
    assert stands_in("46", "the 46, and")
    assert not stands_in("46", "146")
    assert not stands_in("46", "46.5")
    assert not stands_in("693.63", "20,693.63")
    assert not stands_in("20,693.6", "20,693.63")


@pytest.mark.parametrize("name", QUOTED)
def test_every_quoted_table_has_verbatim_cells_and_a_locator(name):
    described = tables.resource(name)
    fields = {f["name"] for f in described["schema"]["fields"]}
    assert {"section", "line"} <= fields
    assert any(f.get("verbatim") for f in described["schema"]["fields"])
    assert described["sources"]
    for source in described["sources"]:
        assert source["locator"]
        assert source["id"] in set(tables.load("sources")["id"])


@pytest.mark.guard
@pytest.mark.parametrize("name", QUOTED)
def test_verbatim_cells_stand_at_their_line(name, lines):
    described = tables.resource(name)
    verbatim = [f["name"] for f in described["schema"]["fields"] if f.get("verbatim")]
    texts = {source: lines(source) for source in {source for source, *_ in placed(name)}}
    for source, line, row in placed(name):
        for column in verbatim:
            cell = row[column]
            found = stands_in(cell, texts[source][line - 1])
            assert found, f"{column}: {cell!r} is not on line {line} of {source}"


@pytest.mark.parametrize("name", QUOTED)
def test_rows_stand_in_their_section(name, lines):
    texts = {source: lines(source) for source in {source for source, *_ in placed(name)}}
    for source, line, row in placed(name):
        assert row["section"] == source_texts.section(source, texts[source], line), (source, line)


def test_what_is_said_of_a_source_is_printed_where_it_is_cited(lines):
    cited = tables.printed("sources")
    cited = cited[cited["locator"].str.startswith("source 000, line ")]
    assert len(cited) == 28
    text = lines("000")
    for row in cited.to_dict("records"):
        where = text[int(row["locator"].rsplit(" ", 1)[1]) - 1]
        for column in ("title", "publisher", "date"):
            assert row[column] == "not given" or row[column] in where, row["id"]


def test_every_item_of_the_articles_own_list_is_there(lines):
    text = lines("000")
    first = text.index("十、数据来源") + 1
    items = {i for i, t in enumerate(text, 1) if i > first and re.match(r"  \d+\. ", t)}
    cited = {
        int(where.rsplit(" ", 1)[1])
        for where in tables.printed("sources")["locator"]
        if where.startswith("source 000, line ")
    }
    assert items
    assert items <= cited


@pytest.mark.parametrize("source_id", ["000", "001", "002", "003", "004"])
def test_a_document_prints_what_is_said_of_it(source_id, lines):
    row = tables.load("sources").set_index("id").loc[source_id]
    text = "\n".join(lines(source_id))
    for column in ("title", "publisher", "date"):
        assert row[column] == "not given" or row[column] in text


def test_result_files_say_where_they_come_from(shared):
    row = tables.load("sources").set_index("id").loc["io500-data"]
    readme = (shared / "data" / "io500" / "README.md").read_text(encoding="utf-8")
    repository, _, commit = row["locator"].partition(", commit ")
    assert repository in readme
    assert commit in readme
    assert row["date"] in readme
