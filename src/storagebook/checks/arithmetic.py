"""Checks that only combine figures which the ledger names.

Arguments are cell pointers (``table[key=value].column``), or plain whole numbers for what is
counted in the claim's own words.
"""

from __future__ import annotations

import functools
import operator

from storagebook.claims import Evidence, Inputs, check
from storagebook.quantities import Quantity


def operand(inputs: Inputs, text: str) -> Quantity:
    """A whole number, or the cell that a pointer names."""
    return Quantity.count(int(text)) if text.isdecimal() else inputs(text)


@check("same")
def same(inputs: Inputs, pointer: str) -> Evidence:
    """The number stands elsewhere too."""
    return Evidence(inputs(pointer))


@check("ratio")
def ratio(inputs: Inputs, above: str, below: str) -> Evidence:
    """One figure over another."""
    return Evidence(operand(inputs, above) / operand(inputs, below))


@check("share")
def share(inputs: Inputs, part: str, whole: str) -> Evidence:
    """One figure in per cent of another."""
    return Evidence((operand(inputs, part) / operand(inputs, whole)).to("%"))


@check("change")
def change(inputs: Inputs, before: str, after: str) -> Evidence:
    """From one figure to another, in per cent of the first."""
    return Evidence(operand(inputs, after).change_from(operand(inputs, before)))


@check("difference")
def difference(inputs: Inputs, of: str, less: str) -> Evidence:
    """One figure less another."""
    return Evidence(operand(inputs, of) - operand(inputs, less))


@check("product")
def product(inputs: Inputs, *factors: str) -> Evidence:
    """The product of figures, at most one of which has a unit."""
    return Evidence(functools.reduce(operator.mul, (operand(inputs, f) for f in factors)))
