"""A check that bears out whatever a source says is none."""

import dataclasses
from fractions import Fraction

import pytest

from storagebook import claims
from storagebook.claims import Kind

FAR_OFF = (1000, Fraction(1, 1000))
NUMBERS = [one for one in claims.load() if one.kind is Kind.NUMBER and one.check]


def changed(claim, factor):
    value = Fraction(claim.value.replace(",", "")) * factor or Fraction(1000)
    return dataclasses.replace(claim, value=f"{float(value):.12g}")


@pytest.mark.parametrize("claim", NUMBERS, ids=lambda claim: claim.id)
def test_another_number_does_not_hold(claim):
    found = {str(claims.verdict(changed(claim, factor)).verdict) for factor in FAR_OFF}
    assert found & {"contradicted", "undecided"}
