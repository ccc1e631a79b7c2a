from fractions import Fraction

import pytest

from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.quantities import Quantity, root_of_product


def figure(text, unit, **more):
    return Quantity(Interval.of_printed(text), unit, f"{text} {unit}", **more)


def test_the_sum_is_written_out():
    a, b = figure("4", "GiB/s"), figure("2", "GiB/s")
    assert ((a + b) / Quantity.count(3)).text == "(4 GiB/s + 2 GiB/s) / 3"
    assert (a / (b / Quantity.count(3))).text == "4 GiB/s / (2 GiB/s / 3)"
    assert (a - (a - b)).text == "4 GiB/s − (4 GiB/s − 2 GiB/s)"
    assert (a * Quantity.count(3)).text == "4 GiB/s × 3"
    assert (a.to("GB/s") / b).text == "(4 GiB/s in GB/s) / 2 GiB/s"
    assert a.to("GiB/s") is a


def test_units_are_converted_or_refused():
    assert (figure("1", "TiB/s") / Quantity.count(1024)).to("GiB/s").value.contains(1)
    assert (
        Quantity(Interval.point(1), "TiB", "") / Quantity(Interval.point(1), "GiB", "")
    ).value == (Interval.point(1024))
    total = Quantity(Interval.point(1), "GiB", "") + Quantity(Interval.point(1024), "MiB", "")
    assert (total.value, total.unit) == (Interval.point(2), "GiB")
    with pytest.raises(StoragebookError, match="measure different things"):
        figure("1", "GiB/s") + figure("1", "kIOP/s")
    with pytest.raises(StoragebookError, match="no unit in this book"):
        figure("1", "GiB/s") * figure("1", "s")


def test_rates_add_up():
    moved = Quantity(Interval.point(2), "GiB/s", "r").times_seconds(
        Quantity(Interval.point(3), "min", "t")
    )
    assert (moved.value, moved.unit) == (Interval.point(360), "GiB")
    files = Quantity(Interval.point(2), "kIOP/s", "r").times_seconds(
        Quantity(Interval.point(3), "s", "t")
    )
    assert (files.value, files.unit) == (Interval.point(6000), "1")
    with pytest.raises(StoragebookError, match="no rate"):
        figure("1", "GiB").times_seconds(figure("1", "s"))


def test_a_change_and_a_mean():
    before, after = figure("200", "GB/s"), figure("150", "GB/s")
    change = after.change_from(before)
    assert change.unit == "%"
    assert change.value.contains(-25)
    assert change.text == "150 GB/s / 200 GB/s − 1 in %"
    mean = root_of_product([Quantity.count(2), Quantity.count(8)], "1", "mean of 2 and 8")
    assert mean.value == Interval.point(Fraction(4))


def test_what_the_inputs_are_is_kept():
    raw = figure("4", "GiB/s", origins=frozenset({"raw-output"}))
    said = figure("2", "GiB/s", origins=frozenset({"documents"}), approximate=True)
    ratio = raw / said
    assert ratio.origins == {"raw-output", "documents"}
    assert ratio.approximate
    assert not (raw / raw).approximate
    assert root_of_product([raw, said], "GiB/s", "mean").approximate


def test_amounts_and_times():
    amount, time = figure("200", "GiB"), Quantity(Interval.point(4), "s", "t")
    rate = Quantity(Interval.point(200), "GiB", "200 GiB").per_second_over(time)
    assert (rate.value, rate.unit, rate.text) == (Interval.point(50), "GiB/s", "200 GiB / t")
    takes = amount.seconds_at(Quantity(Interval.point(51_200), "MiB/s", "r"))
    assert takes.unit == "s"
    assert takes.value.contains(4)
    counted = Quantity.count(600).per_second_over(Quantity(Interval.point(1), "min", "t"))
    assert (counted.value, counted.unit) == (Interval.point(10), "IOP/s")
    assert Quantity.count(6000).seconds_at(
        Quantity(Interval.point(2), "kIOP/s", "r")
    ).value == Interval.point(3)
    with pytest.raises(StoragebookError, match="unknown unit"):
        figure("1", "score").per_second_over(time)
