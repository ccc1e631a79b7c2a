"""The verdict arithmetic, and the rules that the ledger keeps."""

import dataclasses
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import claims
from storagebook.claims import (
    Argument,
    Claim,
    Evidence,
    Fact,
    Inputs,
    Kind,
    Qualifier,
    Reading,
    Reason,
    Verdict,
    judge,
    judge_inference,
    reading,
)
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.quantities import Quantity

APPROXIMATE = set(Qualifier) - {Qualifier.PLAIN}


def verdict(numeral, qualifier, lo, hi=None, nature="digits", loosely=False):
    found = Interval(Fraction(lo), Fraction(hi if hi is not None else lo))
    return judge(reading(numeral, qualifier), found, nature, loosely=loosely)


@pytest.mark.parametrize(
    ("numeral", "qualifier", "lo", "hi", "expected"),
    [
        ("4.91", "plain", "4.9079", "4.9080", "confirmed"),
        ("4.91", "plain", "4.90", "4.93", "rounding"),
        ("4.91", "plain", "4.80", "4.90", "contradicted"),
        ("9.0", "plain", "8.97", None, "confirmed"),
        ("9.0", "plain", "9.06", None, "rounding"),
        ("9.0", "plain", "9.6", None, "contradicted"),
        ("32,165.90", "plain", "32165.926368", None, "rounding"),
        ("32,165.90", "plain", "32165.96", None, "contradicted"),
        ("2048", "plain", "2048", None, "confirmed"),
        ("2048", "plain", "2049", None, "contradicted"),
        ("-59.8", "plain", "-59.844", "-59.843", "confirmed"),
        ("1770e8", "plain", "177143928002", None, "rounding"),
        ("1770e8", "plain", "58551916802", None, "contradicted"),
        ("63000", "about", "62400", None, "consistent"),
        ("63000", "about", "57500", None, "undecided"),
        ("63000", "about", "50000", None, "contradicted"),
        ("19", "nearly", "18.757", None, "consistent"),
        ("19", "nearly", "16", None, "undecided"),
        ("19", "nearly", "19.6", None, "contradicted"),
        ("10", "more-than", "9.83", None, "contradicted"),
        ("10", "more-than", "10", None, "contradicted"),
        ("10", "more-than", "10.81", None, "consistent"),
        ("10", "more-than", "9.9", "10.1", "undecided"),
        ("31", "at-least", "31", None, "consistent"),
        ("31", "at-least", "30.9", None, "contradicted"),
        ("20", "less-than", "20", None, "contradicted"),
        ("20", "less-than", "19.9", None, "consistent"),
        ("20", "at-most", "20", None, "consistent"),
        ("100", "order-of", "50", None, "consistent"),
        ("100", "order-of", "16.8", None, "undecided"),
        ("100", "order-of", "9", None, "contradicted"),
    ],
)
def test_verdicts_on_numbers(numeral, qualifier, lo, hi, expected):
    assert verdict(numeral, qualifier, lo, hi) == expected


@pytest.mark.parametrize(
    ("nature", "loosely", "lo", "hi", "expected"),
    [
        ("digits", True, "4.9", "4.92", "consistent"),
        ("digits", True, "4.7", "4.8", "contradicted"),
        ("limit", False, "4", "9", "consistent"),
        ("limit", False, "5", "9", "contradicted"),
        ("partial", False, "1", "9", "undecided"),
        ("partial", False, "4.91", "4.91", "confirmed"),
        ("partial", False, "5", "9", "contradicted"),
    ],
)
def test_evidence_that_is_no_exact_figure(nature, loosely, lo, hi, expected):
    assert verdict("4.91", "plain", lo, hi, nature, loosely) == expected


NUMERALS = st.integers(0, 4).flatmap(
    lambda places: st.decimals(min_value=0, max_value=10**6, places=places).map(
        lambda number: f"{number:,f}"
    )
)
ENDS = st.fractions(min_value=0, max_value=10**6, max_denominator=10**4)


@st.composite
def cases(draw):
    numeral = draw(NUMERALS)
    qualifier = draw(st.sampled_from(Qualifier))
    centre = Interval.of_printed(numeral).mid
    near = st.fractions(min_value=-2, max_value=2, max_denominator=10**4).map(lambda d: centre + d)
    lo, hi = sorted([draw(near | ENDS), draw(near | ENDS)])
    share = draw(st.fractions(min_value=0, max_value=1, max_denominator=100))
    return numeral, qualifier, Interval(lo, hi), lo + share * (hi - lo)


def satisfies(numeral, qualifier, value, *, loose):
    """Whether a value is what the numeral can mean, written without intervals."""
    digits = numeral.replace(",", "")
    claimed = Fraction(digits)
    places = len(digits.partition(".")[2])
    if loose:
        while digits and digits[-1] in "0." and digits.strip("0.") != "":
            places -= digits[-1] != "."
            digits = digits[:-1]
        if digits.strip("0.") == "":
            places = 0
    half = Fraction(10) ** -places / 2
    width = 2 if loose else 1
    match qualifier:
        case Qualifier.PLAIN:
            return abs(value - claimed) <= half
        case Qualifier.ABOUT:
            return abs(value - claimed) <= max(half, claimed * Fraction(5, 100) * width)
        case Qualifier.NEARLY:
            return -max(half, claimed / 10 * width) <= value - claimed <= half
        case Qualifier.AT_LEAST:
            return value >= claimed
        case Qualifier.MORE_THAN:
            return value > claimed
        case Qualifier.AT_MOST:
            return value <= claimed
        case Qualifier.LESS_THAN:
            return value < claimed
        case Qualifier.ORDER_OF:
            square = (value / claimed) ** 2 if claimed else Fraction(0)
            return value == claimed or Fraction(1, 10**width) <= square <= 10**width


@given(cases())
def test_nothing_is_contradicted_that_some_value_satisfies(case):
    numeral, qualifier, found, inside = case
    if any(satisfies(numeral, qualifier, v, loose=True) for v in (inside, found.lo, found.hi)):
        assert judge(reading(numeral, qualifier), found, loosely=False) != Verdict.CONTRADICTED


@given(cases())
def test_nothing_is_confirmed_that_some_value_breaks(case):
    numeral, qualifier, found, inside = case
    if judge(reading(numeral, qualifier), found, loosely=False) in ("confirmed", "consistent"):
        for value in (inside, found.lo, found.hi):
            assert satisfies(numeral, qualifier, value, loose=False)


@given(cases())
def test_an_approximation_is_never_confirmed(case):
    numeral, qualifier, found, _ = case
    verdict = judge(reading(numeral, qualifier), found, loosely=False)
    if qualifier in APPROXIMATE:
        assert verdict not in ("confirmed", "rounding")
    else:
        assert verdict not in ("consistent", "undecided")


@given(cases())
def test_the_loose_reading_holds_the_strict_one(case):
    numeral, qualifier, _, _ = case
    read = reading(numeral, qualifier)
    assert read.loose.contains(read.strict)


def test_a_half_line_of_evidence():
    assert (
        judge(reading("5", "plain"), Interval.at_least(5), "limit", loosely=False) == "consistent"
    )
    assert judge(reading("4", "plain"), Interval.at_least(5), "limit", loosely=False) == (
        "contradicted"
    )
    at_least = Reading(Interval.at_least(3), Interval.at_least(3), True, open=True)
    assert at_least.allows(Interval(3, math.inf))
    assert not at_least.holds_for(Interval(3, math.inf))


@pytest.mark.parametrize(
    ("needs", "counter", "expected"),
    [
        ([True, True], [], "supported"),
        ([True, False], [], "not-shown"),
        ([True, None], [], "not-shown"),
        ([], [], "not-shown"),
        ([], [False, None], "not-shown"),
        ([True], [False], "supported"),
        ([True], [False, True], "contradicted"),
        ([], [True], "contradicted"),
    ],
)
def test_verdicts_on_inferences(needs, counter, expected):
    argument = Argument(
        [Fact("needed", holds) for holds in needs], [Fact("against", holds) for holds in counter]
    )
    assert judge_inference(argument) == expected


CLAIM = Claim(
    id="a",
    source="000",
    section="2.1",
    line=149,
    kind=Kind.NUMBER,
    system="Aurora",
    quantity="score",
    value="32,165.90",
    unit="score",
    cell="io500-production-isc26[system=Aurora].score",
)


class TestCells:
    def test_a_cell_brings_its_companions(self):
        found = claims.cell("io500-production-isc26[system=Aurora].metadata_kiops")
        assert (found.text, found.unit, found.source, found.line) == (
            "102,785.41",
            "kIOP/s",
            "000",
            149,
        )
        assert found.quantity().value == Interval.of_printed("102,785.41")

    def test_a_count_is_exact_and_an_approximation_is_not(self):
        exact = claims.cell("aurora-configuration[quantity=servers].value").quantity()
        assert exact.value == Interval.point(1024)
        about = claims.cell("aurora-configuration[quantity=server-network].value").quantity()
        assert about.approximate
        assert about.value.contains(Interval(36, 44))

    def test_two_keys(self):
        pointer = "aurora-redundancy[metric=score; redundancy=RF0].value"
        assert claims.cell(pointer).text == "43,218.80"

    @pytest.mark.parametrize(
        "pointer",
        [
            "",
            "io500-production-isc26",
            "io500-production-isc26[].score",
            "io500-production-isc26[system].score",
            "io500-production-isc26[system=Nobody].score",
            "io500-production-isc26[release=SC23].score",
            "io500-production-isc26[planet=Earth].score",
            "io500-production-isc26[system=Aurora].weight",
            "io500-research-isc26[rank=1].bandwidth_gib_s",
            "no-table[a=b].c",
        ],
    )
    def test_pointers_that_lead_nowhere(self, pointer):
        with pytest.raises(StoragebookError):
            claims.cell(pointer)


class TestInputs:
    def test_a_check_cannot_read_its_own_cell(self):
        inputs = Inputs(CLAIM)
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            inputs("io500-production-isc26[rank=1].score")
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            inputs.column("io500-production-isc26", "score")

    def test_nor_the_same_number_transcribed_from_the_same_line(self):
        claim = dataclasses.replace(CLAIM, cell="", section="3.5", line=344)
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            Inputs(claim)("io500-per-server[printed=Aurora DAOS(SC23)].score")

    def test_but_others(self):
        inputs = Inputs(CLAIM)
        assert inputs("io500-production-isc26[rank=1].metadata_kiops").unit == "kIOP/s"
        assert len(inputs.column("io500-production-isc26", "score", release="SC25")) == 2
        assert len(inputs.used) == 3
        assert inputs.words("io500-production-isc26", "file_system", rank="3") == ["Lustre"]


class TestVerdict:
    @pytest.fixture(autouse=True)
    def registry(self, monkeypatch):
        claims.checks()
        monkeypatch.setattr(claims, "_CHECKS", dict(claims._CHECKS))

    def judged(self, function, **changes):
        claims._CHECKS["mine"] = function
        return claims.verdict(dataclasses.replace(CLAIM, check="mine", **changes))

    def test_the_arithmetic_and_its_places_are_shown(self):
        def double(inputs):
            return Evidence(
                inputs("io500-production-isc26[rank=2].score") * Quantity.count(2), remark="twice"
            )

        found = self.judged(double)
        assert found.verdict == "contradicted"
        assert found.recomputed == "6940.43…6940.45"
        assert found.evidence == (
            "from the documents' own figures: 3,470.22 score × 2 = 6940.43…6940.45 score; "
            "io500-production-isc26, line 150; twice"
        )

    def test_a_record_has_what_the_command_prints(self):
        record = self.judged(lambda _: Evidence(Quantity(Interval.point(1), "score", "1"))).record()
        assert " ".join(record) == (
            "id source locator system quantity value unit basis obtained check recomputed verdict "
            "evidence note"
        )
        assert all(isinstance(value, str) for value in record.values())

    def test_the_unit_is_converted(self):
        found = self.judged(
            lambda _: Evidence(Quantity(Interval.point(2048), "GiB/s", "2048 GiB/s")),
            value="2",
            unit="TiB/s",
        )
        assert found.verdict == "confirmed"

    @pytest.mark.parametrize(
        ("function", "said"),
        [
            (lambda _: Evidence(Quantity(Interval.point(1), "s", "1 s")), "measure different"),
            (lambda _: Argument(), "found Argument for a number"),
            (lambda _: 1 / 0, "division"),
            (lambda _, more: None, "argument"),
            (lambda inputs: inputs("x"), "no cell pointer"),
        ],
    )
    def test_what_goes_wrong_names_claim_and_check(self, function, said):
        with pytest.raises(StoragebookError, match=f"claim a, check mine: .*{said}"):
            self.judged(function)

    def test_an_unknown_check(self):
        with pytest.raises(StoragebookError, match="claim a: no check 'yours'"):
            claims.verdict(dataclasses.replace(CLAIM, check="yours"))

    def test_no_check_for_a_reason(self):
        found = claims.verdict(dataclasses.replace(CLAIM, reason=Reason.NOT_PUBLIC))
        assert (found.verdict, found.evidence) == ("not-recomputable", "not-public")

    def test_an_inference_says_what_is_so(self):
        found = self.judged(
            lambda _: Argument([Fact("rain is wet", True)], [Fact("rain is dry", None)]),
            kind=Kind.INFERENCE,
        )
        assert found.verdict == "supported"
        assert found.evidence == "from the definition: rain is wet: so; rain is dry: not known"

    def test_one_name_one_check(self):
        with pytest.raises(ValueError, match="two checks"):
            claims.check("ratio")(lambda: None)


ROW = {
    "id": "x",
    "kind": "number",
    "source": "000",
    "section": "1",
    "line": "1",
    "system": "s",
    "quantity": "q",
    "printed": "1 GiB/s",
    "value": "1",
    "unit": "GiB/s",
    "basis": "derived",
    "check": "ratio a b",
}
CELL_ROW = {
    "id": "x",
    "kind": "number",
    "system": "s",
    "quantity": "q",
    "cell": "aurora-configuration[quantity=server-network].value",
    "check": "ratio a b",
}


def test_a_row_that_points_to_a_cell():
    claim = claims._claim(CELL_ROW)
    assert (claim.value, claim.unit, claim.qualifier, claim.line) == ("40", "GiB/s", "about", 207)
    assert (claim.basis, claim.obtained) == ("configuration", "published-table")


@pytest.mark.parametrize(
    ("row", "changes", "said"),
    [
        (ROW, {"check": ""}, "wants a check, or a reason"),
        (ROW, {"reason": "no-inputs"}, "wants a check, or a reason"),
        (ROW, {"check": "", "reason": "too-hard"}, "too-hard"),
        (ROW, {"value": ""}, "lacks value"),
        (ROW, {"unit": "", "basis": ""}, "lacks unit, basis"),
        (ROW, {"unit": "KB"}, "ambiguous"),
        (ROW, {"basis": "guess"}, "guess"),
        (ROW, {"qualifier": "roughly"}, "roughly"),
        (ROW, {"kind": "hunch"}, "hunch"),
        (ROW, {"kind": "inference"}, "an inference has no value"),
        (CELL_ROW, {"value": "5"}, "has both a cell and value"),
        (CELL_ROW, {"cell": "a[b=c].d"}, "no table 'a'"),
    ],
)
def test_a_row_that_says_too_little_or_two_things(row, changes, said):
    with pytest.raises(StoragebookError, match=f"claim x: .*{said}"):
        claims._claim(row | changes)
