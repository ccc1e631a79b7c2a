"""How pages show the ledger."""

import pytest

from storagebook import ledger
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


def test_every_contradicted_claim_is_told_with_its_evidence():
    told = ledger.findings("000", Verdict.CONTRADICTED)
    counted = ledger.counts().set_index("verdict").loc["contradicted", "000"]
    assert len(told) == counted
    assert all(values["evidence"] for _, values in told)


def test_every_verdict_has_a_meaning():
    assert list(ledger.vocabulary().verdict) == [str(v) for v in Verdict]


def test_an_unknown_source_lists_the_known_ones():
    with pytest.raises(StoragebookError, match="it has 000"):
        ledger.of("999")
