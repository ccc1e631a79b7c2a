"""How pages show the ledger."""

import ast
import re

import nbformat
import pytest

from storagebook import claims, ledger, paths
from storagebook.claims import Verdict
from storagebook.errors import StoragebookError


def test_a_section_shows_its_claims_as_the_source_prints_them():
    rows = ledger.shown("000", ["2.1"])
    helma = rows[rows.about == "Aurora: MD over Helma's"].iloc[0]
    assert helma.said == "64"
    assert helma.line == 161
    assert helma.verdict == "confirmed"


def test_a_bound_is_shown_as_one():
    headline = ledger.shown("000", ["3.2"])
    assert "> 20 TiB/s" in list(headline.said)


def test_rows_lead_to_the_ledger():
    rows = ledger.shown("000", ["3.2"])
    links = rows.attrs["links"]["about"]
    assert len(links) == len(rows)
    assert links[0].startswith("90-every-claim.html#claim-000-")


def test_counts_and_coverage_agree():
    counted = ledger.counts().drop(columns="verdict").to_numpy().sum()
    ((_, values),) = ledger.coverage()
    assert values["numbers"] + values["inferences"] == counted == len(ledger.every())
    assert values["inferences"] >= 30
    assert values["sources"] == 5


def test_undecided_claims_say_what_leaves_them_open():
    undecided = ledger.with_verdict("undecided")
    assert len(undecided) == ledger.counts().set_index("verdict").loc["undecided"].sum()
    assert undecided["recomputed"].notna().all()


def test_a_myriad_is_shown_in_digits():
    rows = ledger.shown("000", ["4.3"])
    assert "177,000,000,000" in list(rows.said)


def shown_by_chapters():
    """The sections that each notebook shows, by what its code asks for."""
    found = {}
    for path in sorted((paths.root() / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code" or "ledger.shown(" not in cell.source:
                continue
            for call in ast.walk(ast.parse(cell.source)):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "ledger.shown":
                    names = ("source", "sections")
                    given = dict(zip(names, call.args, strict=False))
                    given |= {keyword.arg: keyword.value for keyword in call.keywords}
                    source = ast.literal_eval(given["source"])
                    sections = given.get("sections")
                    known = {one.claim.section for one in ledger.of(source)}
                    for section in ast.literal_eval(sections) if sections else known:
                        found.setdefault((source, section), []).append(path.stem)
    return found


def test_rows_name_the_chapters_that_show_them():
    # a chapter that shows further sections is added to ledger.CHAPTERS
    assert {key: tuple(names) for key, names in shown_by_chapters().items()} == ledger.CHAPTERS


def test_every_verdict_has_a_meaning():
    assert list(ledger.vocabulary().verdict) == [str(v) for v in Verdict]


def test_an_unknown_source_lists_the_known_ones():
    with pytest.raises(StoragebookError, match="it has 000"):
        ledger.of("999")


def test_every_claim_is_linked_from_the_chapters_of_its_section():
    linked = {
        path.stem: set(re.findall(r"#claim-([\w.-]+)", path.read_text(encoding="utf-8")))
        for path in (paths.root() / "notebooks").glob("*.ipynb")
    }
    without = [
        (claim.id, claim.section)
        for claim in claims.load()
        if not any(
            claim.id in linked[name]
            for name in ledger.CHAPTERS.get((claim.source, claim.section), ())
        )
    ]
    assert without == []
