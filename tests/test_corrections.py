"""What is said of claims that do not hold: of each one, and only of those."""

import re
from fractions import Fraction

import pytest

from storagebook import claims, corrections, tables
from storagebook.corrections import Mistake, in_words
from storagebook.intervals import Interval
from storagebook.verdicts import Verdict


@pytest.fixture(scope="module")
def judged():
    return {one.claim.id: one for one in claims.ledger()}


def test_every_claim_that_does_not_hold_has_one_and_no_other(judged):
    asked = {name for name, one in judged.items() if one.verdict in corrections.ASKED_FOR}
    assert set(tables.load(corrections.TABLE)["id"]) == asked
    for name, one in judged.items():
        assert (corrections.of(one) is not None) == (name in asked)


def test_rows_stand_in_the_ledgers_order(judged):
    known = list(judged)
    order = [known.index(name) for name in tables.load(corrections.TABLE)["id"]]
    assert order == sorted(order)


def test_every_figure_in_a_quote_leads_somewhere(judged):
    for one in judged.values():
        correction = corrections.of(one)
        if correction is not None:
            assert not re.search(r"[{}\[\]…≤≥]", correction.quote), one.claim.id
            assert correction.quote.endswith(".")


def test_figures_typed_in_a_quote_stand_in_the_evidence(judged):
    for one in judged.values():
        if corrections.of(one) is None:
            continue
        typed = re.sub(r"{[^{}]*}", "", corrections.template(one))
        for figure in re.findall(r"[+−-]?\d[\d,]*\.\d+", typed):
            figure = figure.replace("−", "-")
            assert figure in one.evidence, (one.claim.id, figure)


def test_kinds_of_mistakes_fit_what_they_are_mistakes_of(judged):
    for one in judged.values():
        correction = corrections.of(one)
        if correction is None:
            continue
        unsupported = correction.mistake is Mistake.UNSUPPORTED_INFERENCE
        if one.claim.kind is claims.Kind.NUMBER:
            assert not unsupported, one.claim.id
        if correction.mistake is Mistake.SUPPOSITION:
            assert one.verdict is Verdict.NOT_SHOWN, one.claim.id
        if one.verdict is Verdict.NOT_SHOWN and not unsupported:
            assert one.claim.kind is claims.Kind.INFERENCE


@pytest.mark.parametrize(
    ("name", "mistake", "quote"),
    [
        (
            "000-files",
            "slip",
            "For submission 695, without redundancy; the find phase of submission 688 met "
            "58,551,916,802 files.",
        ),
        (
            "003-nvme-peak",
            "mistranslation",
            "As about 102 GB/s, if bytes are meant, as is probable: "
            "random reads alone reach at least 237.5 Gbit/s.",
        ),
        (
            "000-7-easy-write-short",
            "rounding",
            "With its places, 20,693.63 GiB/s, or rounded, 20,694 GiB/s.",
        ),
        ("002-pool", "mixed-unit", "As 122,880 MiB, which is 120 GiB."),
        (
            "003-memory-of-a-thread",
            "mistranslation",
            "Probably as each thread writes a file of 256 GiB; the original text is not at hand.",
        ),
        # 4 links of 100 Gbit/s; 4 x 100 / 8
        (
            "003-edr-bandwidth",
            "mixed-unit",
            "As 400 Gbit/s (50.0 GB/s) in one direction for four links of EDR; 96 would fit GB/s "
            "in both directions together.",
        ),
        ("000-6.3-locks", "supposition", "As a supposition of its authors."),
    ],
)
def test_known_corrections(judged, name, mistake, quote):
    found = corrections.of(judged[name])
    assert (found.mistake, found.quote) == (mistake, quote)


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (Interval.at_most(Fraction("144.71944")), "at most 144.8"),
        (Interval.at_least(Fraction("45.785558")), "at least 45.78"),
        (Interval.point(58_551_916_802), "58,551,916,802"),
        (Interval(Fraction("16493.808"), Fraction("16493.828")), "16,494"),
        (Interval(73, Fraction("81.7")), "73 to 81.7"),
        (Interval.point(Fraction("9.8302")), "9.83"),
        (Interval.point(Fraction("0.001")), "0.001"),
    ],
)
def test_an_interval_in_words(interval, words):
    assert in_words(interval) == words


def test_bounds_are_never_tighter_than_they_are():
    # at most x is rounded up, at least x down
    assert in_words(Interval.at_most(Fraction("1.00001"))) == "at most 1.001"
    assert in_words(Interval.at_least(Fraction("1.99999"))) == "at least 1.999"
