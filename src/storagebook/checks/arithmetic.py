"""Checks that only combine figures which the ledger names.

An operand is

- a cell pointer, ``table[key=value;key=value].column``;
- ``exact:`` and a cell pointer: the digits as printed, where the source calculated with them;
- ``raw:submission:what``: a figure from the raw files of an IO500 submission;
- a plain whole number, for what the claim's own words count.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import operator

from storagebook import units
from storagebook.checks import raw
from storagebook.claims import Evidence, Inputs, check
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval, percent_change
from storagebook.quantities import DOCUMENTS, Quantity, root_of_product
from storagebook.verdicts import Argument, Fact


def operand(inputs: Inputs, text: str) -> Quantity:
    """The figure that an argument names."""
    if text.isdecimal():
        return Quantity.count(int(text))
    kind, colon, rest = text.partition(":")
    if colon and kind == "raw":
        submission, _, what = rest.partition(":")
        return raw.figure(inputs, submission, what)
    if colon and kind == "exact":
        return inputs(rest, exact=True)
    return inputs(text)


@check("value")
def value(inputs: Inputs, figure: str) -> Evidence:
    """The figure stands elsewhere too, best in raw output; another unit is converted."""
    return Evidence(operand(inputs, figure))


def _at_least(found: Quantity) -> Quantity:
    if found.value.lo == -math.inf:
        raise StoragebookError(f"{found.text} has no lower end, so it bounds nothing from below")
    return dataclasses.replace(found, value=Interval.at_least(found.value))


def _at_most(found: Quantity) -> Quantity:
    if found.value.hi == math.inf:
        raise StoragebookError(
            f"{found.text} has no upper end, so it bounds nothing from above",
            hint="with `exact:` its digits are taken for the bound",
        )
    return dataclasses.replace(found, value=Interval.at_most(found.value))


@check("above")
def above(inputs: Inputs, figure: str) -> Evidence:
    """What the claim bounds from above was measured: the claim cannot be less."""
    return Evidence(_at_least(operand(inputs, figure)), "limit")


@check("below")
def below(inputs: Inputs, figure: str) -> Evidence:
    """What bounds the claim from above is known: the claim cannot be more."""
    return Evidence(_at_most(operand(inputs, figure)), "limit")


@check("within")
def within(inputs: Inputs, *factors: str) -> Evidence:
    """The claim cannot be more than a product of figures."""
    return Evidence(_at_most(product(inputs, *factors).quantity), "limit")


@check("expected")
def expected(inputs: Inputs, *factors: str) -> Evidence:
    """A figure, or a product, that should be the same, unless the source means another thing."""
    return Evidence(product(inputs, *factors).quantity, "expectation")


@check("expected-above")
def expected_above(inputs: Inputs, figure: str) -> Evidence:
    """A figure that should not be more than the claim, unless the source means another thing."""
    return Evidence(_at_least(operand(inputs, figure)), "expectation")


@check("expected-below")
def expected_below(inputs: Inputs, figure: str) -> Evidence:
    """A figure that should not be less than the claim, unless the source means another thing."""
    return Evidence(_at_most(operand(inputs, figure)), "expectation")


@check("ratio")
def ratio(inputs: Inputs, over: str, under: str) -> Evidence:
    """One figure over another."""
    return Evidence(operand(inputs, over) / operand(inputs, under))


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


@check("fall")
def fall(inputs: Inputs, before: str, after: str) -> Evidence:
    """By how many per cent of the first a figure lies below it."""
    change = operand(inputs, after).change_from(operand(inputs, before))
    return Evidence(dataclasses.replace(change, value=-change.value, text=f"−({change.text})"))


def _left_after(change: Quantity) -> Quantity:
    left = Quantity.count(1) + change
    return dataclasses.replace(left, text=left.text.replace("+ -", "− "))


@check("before-change")
def before_change(inputs: Inputs, after: str, change: str) -> Evidence:
    """What a figure was before a change in per cent made it another."""
    return Evidence(operand(inputs, after) / _left_after(operand(inputs, change)))


@check("after-change")
def after_change(inputs: Inputs, before: str, change: str) -> Evidence:
    """What a change in per cent leaves of a figure."""
    return Evidence(operand(inputs, before) * _left_after(operand(inputs, change)))


@check("rate")
def rate(inputs: Inputs, amount: str, duration: str) -> Evidence:
    """An amount over the time that it took."""
    return Evidence(operand(inputs, amount).per_second_over(operand(inputs, duration)))


@check("rate-of-all")
def rate_of_all(inputs: Inputs, amount: str, duration: str) -> Evidence:
    """A part of the work can go no slower than all of it did on average."""
    found = rate(inputs, amount, duration).quantity
    return Evidence(dataclasses.replace(found, value=Interval.at_least(found.value)), "limit")


@check("amount")
def amount(inputs: Inputs, rate: str, duration: str) -> Evidence:
    """What a rate adds up to over a time."""
    return Evidence(operand(inputs, rate).times_seconds(operand(inputs, duration)))


@check("duration")
def duration(inputs: Inputs, amount: str, rate: str) -> Evidence:
    """How long an amount takes at a rate."""
    return Evidence(operand(inputs, amount).seconds_at(operand(inputs, rate)))


@check("product")
def product(inputs: Inputs, *factors: str) -> Evidence:
    """The product of figures, at most one of which has a unit."""
    return Evidence(functools.reduce(operator.mul, (operand(inputs, f) for f in factors)))


@check("score-of")
def score_of(inputs: Inputs, row: str) -> Evidence:
    """The root of bandwidth times metadata, both of the same row."""
    means = [inputs(f"{row}.bandwidth_gib_s"), inputs(f"{row}.metadata_kiops")]
    return Evidence(root_of_product(means, "score", f"√({means[0].text} × {means[1].text})"))


_PARTNERS = {"bandwidth": ("GiB/s", "metadata_kiops"), "metadata": ("kIOP/s", "bandwidth_gib_s")}


@check("partner-mean")
def partner_mean(inputs: Inputs, row: str, wanted: str) -> Evidence:
    """The ``bandwidth`` or ``metadata`` that makes the score of a row with the other mean."""
    unit, other = _PARTNERS[wanted]
    score, mean = inputs(f"{row}.score"), inputs(f"{row}.{other}")
    square = Quantity(score.value**2, unit, f"({score.text})²", origins=score.origins)
    return Evidence(square / dataclasses.replace(mean, unit="1"))


@check("power")
def power(_inputs: Inputs, base: str, exponent: str) -> Evidence:
    """A power of a whole number."""
    return Evidence(Quantity.count(int(base) ** int(exponent), f"{base}^{exponent}"))


@check("unknown")
def unknown(_inputs: Inputs, need: str) -> Argument:
    """An inference that would follow from what no text and no file at hand gives."""
    return Argument([Fact(need, None, DOCUMENTS)])


@check("factor")
def factor(_inputs: Inputs, from_unit: str, to_unit: str) -> Evidence:
    """How many of one unit make another, by definition."""
    exact = units.factor(from_unit, to_unit)
    return Evidence(Quantity.count(exact, f"{to_unit} per {from_unit}"))


@check("factor-of-figures")
def factor_of_figures(_inputs: Inputs, from_unit: str, to_unit: str) -> Evidence:
    """What takes a figure from one unit to another; of the units themselves it is the inverse."""
    of_figures, of_units = units.factor(from_unit, to_unit), units.factor(to_unit, from_unit)
    return Evidence(
        Quantity.count(of_figures, f"{to_unit} per {from_unit}"),
        "expectation",
        f"between the units themselves, {from_unit} × {float(of_units):,g} = {to_unit}",
    )


@check("unit-difference")
def unit_difference(_inputs: Inputs, larger: str, smaller: str) -> Evidence:
    """How much larger one unit is than another, in per cent, by definition."""
    exact = percent_change(1, units.factor(larger, smaller))
    return Evidence(Quantity(exact, "%", f"{larger} / {smaller} − 1 in %"))
