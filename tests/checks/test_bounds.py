"""Checks that hold a claim against an end of a figure."""

import pytest

from storagebook import claims
from storagebook.checks import arithmetic
from storagebook.claims import Inputs
from storagebook.errors import StoragebookError

MORE_THAN = "hacc[quantity=written-2026].value"
PLAIN = "daos-sensitivity[quantity=request].value"


@pytest.fixture
def inputs():
    return Inputs(claims.load()[0])


@pytest.mark.parametrize("check", [arithmetic.below, arithmetic.within, arithmetic.expected_below])
def test_more_than_a_figure_is_no_bound_from_above(inputs, check):
    with pytest.raises(StoragebookError, match=r"85.*no upper end") as caught:
        check(inputs, MORE_THAN)
    assert "exact:" in caught.value.hint
    assert check(inputs, f"exact:{MORE_THAN}").quantity.value.hi == 85


@pytest.mark.parametrize("check", [arithmetic.above, arithmetic.expected_above])
def test_a_bound_from_above_keeps_its_lower_end(inputs, check):
    assert check(inputs, MORE_THAN).quantity.value.lo == 85
    # at least 256 KiB bounds from below as it stands
    assert check(inputs, PLAIN).quantity.value.lo == 256


def test_an_order_that_words_suggest_is_no_limit(inputs):
    assert arithmetic.expected_below(inputs, f"exact:{PLAIN}").nature == "expectation"
    assert arithmetic.below(inputs, f"exact:{PLAIN}").nature == "limit"
