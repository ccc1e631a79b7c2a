"""What a row may say, what a check may read, what a verdict shows."""

import dataclasses

import pytest

from storagebook import claims
from storagebook.claims import Claim, Evidence, Inputs, Kind, Reason
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.quantities import Quantity
from storagebook.verdicts import Argument, Fact

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


class TestInputs:
    def test_a_check_cannot_read_its_own_cell(self):
        inputs = Inputs(CLAIM)
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            inputs("io500-production-isc26[rank=1].score")
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            inputs.column("io500-production-isc26", "score")

    def test_whatever_the_claim_says_is_in_it(self):
        inputs = Inputs(dataclasses.replace(CLAIM, value="1"))
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            inputs(CLAIM.cell)

    def test_nor_the_same_number_transcribed_from_the_same_line(self):
        claim = dataclasses.replace(CLAIM, cell="", section="3.5", line=344)
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            Inputs(claim)("io500-per-server[printed=Aurora DAOS(SC23)].score")

    def test_but_the_same_number_said_again_in_other_words(self):
        ledger = {claim.id: claim for claim in claims.load()}
        claim = ledger["004-readers"]
        assert Inputs(claim)("weather-fields[quantity=writers].value").unit == "1"
        quoted = dataclasses.replace(claim, printed="approximately 250 HPC nodes")
        with pytest.raises(StoragebookError, match="reads the number that it checks"):
            Inputs(quoted)("weather-fields[quantity=writers].value")

    def test_but_others(self):
        inputs = Inputs(CLAIM)
        assert inputs("io500-production-isc26[rank=1].metadata_kiops").unit == "kIOP/s"
        assert len(inputs.column("io500-production-isc26", "score", release="SC25")) == 2
        assert len(inputs.used) == 3
        assert inputs.row("io500-production-isc26", rank="3")["file_system"] == "Lustre"


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
        assert found.recomputed == "6940.43…6940.45"  # twice 3470.215…3470.225
        assert found.evidence == (
            "from the documents' own figures: 3,470.22 score × 2 = 6940.43…6940.45 score; "
            "io500-production-isc26, line 150; twice"
        )

    def test_another_row_is_a_line_of_its_source(self):
        found = self.judged(
            lambda inputs: Evidence(inputs("claims[id=004-engines-per-socket].value")),
            value="1",
            unit="1",
        )
        assert found.evidence.endswith("source 004, line 15")

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
        assert found.evidence == (
            "from the definition — needs that rain is wet – so; refuted if rain is dry – not known"
        )

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
