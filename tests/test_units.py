import subprocess
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook import units
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval

UNITS = st.sampled_from(units.known())


@pytest.mark.parametrize(
    ("value", "from_unit", "to_unit", "expected"),
    [
        # the arithmetic is done by hand: powers of 1024 over powers of 1000
        (1, "GiB/s", "GB/s", 1.073741824),
        (1, "TiB", "TB", 1.099511627776),
        (1, "PiB", "PB", 1.125899906842624),
        (1, "KiB", "B", 1024),
        (20_693.63, "GiB/s", "TiB/s", 20.208623046875),
        (20_693.63, "GiB/s", "TB/s", 22.21961602138112),
        (102_785.41, "kIOP/s", "MIOP/s", 102.78541),
        (102_785.41, "kIOPS", "IOP/s", 102_785_410),
        (200, "Gb/s", "GB/s", 25),
        (794_393.97, "MB/s", "GB/s", 794.39397),
        (1, "MiB/s", "GiB/s", 1 / 1024),
        (20, "us", "s", 2e-5),
        (38.3, "%", "1", 0.383),
        (2, "h", "min", 120),
    ],
)
def test_known_conversions(value, from_unit, to_unit, expected):
    assert units.convert(value, from_unit, to_unit) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("constant", "from_unit", "to_unit"),
    [
        (units.GB_PER_GIB, "GiB", "GB"),
        (units.TB_PER_TIB, "TiB", "TB"),
        (units.IOPS_PER_KIOPS, "kIOP/s", "IOP/s"),
    ],
)
def test_constants_are_the_registrys_factors(constant, from_unit, to_unit):
    assert Fraction(str(constant)) == units.factor(from_unit, to_unit)


@pytest.mark.parametrize(
    ("from_unit", "to_unit"),
    [
        ("IOP/s", "B/s"),
        ("kIOP/s", "1"),
        ("GiB", "GiB/s"),
        ("score", "1"),
        ("sample/s", "IOP/s"),
        ("s", "B"),
        ("%", "score"),
    ],
)
def test_different_kinds_do_not_convert(from_unit, to_unit):
    assert not units.same_kind(from_unit, to_unit)
    with pytest.raises(StoragebookError, match="measure different things"):
        units.convert(1, from_unit, to_unit)


@pytest.mark.parametrize("label", ["KB", "KB/s", "MBps", "GBps", "K", "M", "KIOPS"])
def test_ambiguous_labels_are_refused(label):
    with pytest.raises(StoragebookError, match="ambiguous"):
        units.canonical(label)


@pytest.mark.parametrize("label", ["", "gib/s", "gb", "GiB/h", "furlong", "B*B", "2 GiB"])
def test_unknown_labels_are_refused(label):
    with pytest.raises(StoragebookError, match="unknown unit"):
        units.canonical(label)


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        ("bandwidth_gib_s", "GiB/s"),
        ("rate_kiops", "kIOP/s"),
        ("duration_s", "s"),
        ("share_pct", "%"),
        ("size_b", "B"),
        ("clients_count", "1"),
        ("count", "1"),
        ("link_gbit_s", "Gbit/s"),
        ("latency_us", "µs"),
        ("rate_samples_s", "sample/s"),
        ("capacity_pb", "PB"),
        ("score", "score"),
        ("best_score", "score"),
    ],
)
def test_unit_of_column(column, unit):
    assert units.unit_of_column(column) == unit


@pytest.mark.parametrize("column", ["phase", "gibs", "bandwidth_gibs", "", "hosts"])
def test_a_column_without_a_unit_is_an_error(column):
    with pytest.raises(StoragebookError, match="names no unit"):
        units.unit_of_column(column)


def test_every_suffix_names_a_known_unit():
    assert set(units.COLUMN_SUFFIXES.values()) <= set(units.known())


def test_arrays_series_and_intervals_convert():
    np.testing.assert_allclose(units.convert(np.array([1.0, 2.0]), "GiB", "MiB"), [1024, 2048])
    series = units.convert(pd.Series([1.0, 2.0], name="x"), "kIOP/s", "IOP/s")
    assert series.tolist() == [1000, 2000]
    converted = units.convert(Interval(1, 2), "GiB", "GB")
    assert converted == Interval(Fraction("1.073741824"), Fraction("2.147483648"))
    assert units.convert(Fraction(1, 3), "s", "ms") == Fraction(1000, 3)


@given(UNITS, UNITS, UNITS)
def test_factors_compose(a, b, c):
    if units.same_kind(a, b) and units.same_kind(b, c):
        assert units.factor(a, b) * units.factor(b, c) == units.factor(a, c)
        assert units.factor(a, b) * units.factor(b, a) == 1
    else:
        assert not (units.same_kind(a, c) and units.same_kind(a, b))


def test_importing_does_not_load_pint():
    code = "import sys, storagebook.units; sys.exit('pint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_registry_is_one_object():
    registry = units.registry()
    assert registry is units.registry()
    assert registry.Quantity(1, "GiB/s").to("GB/s").magnitude == Fraction("1.073741824")


def test_every_unit_holds_the_value_itself_and_its_neighbours():
    frame = units.every_unit(20_693.63, "GiB/s").set_index("unit").value
    assert frame["GiB/s"] == 20_693.63
    # 20693.63 / 1024 and 20693.63 x 1.073741824 / 1000, by hand
    assert frame["TiB/s"] == pytest.approx(20.208623, abs=1e-6)
    assert frame["TB/s"] == pytest.approx(22.219616, abs=1e-6)
    assert "kIOP/s" not in frame


def test_the_gap_between_the_two_families_grows_with_the_prefix():
    gap = units.prefix_gap().set_index("binary").excess_pct
    assert gap.to_dict() == pytest.approx(
        {"KiB": 2.4, "MiB": 4.8576, "GiB": 7.3741824, "TiB": 9.9511627776, "PiB": 12.5899906842624}
    )
