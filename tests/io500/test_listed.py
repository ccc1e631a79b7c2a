"""A listed score against its evidence: known answers from the lists, and properties."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.intervals import Interval
from storagebook.io500.listed import as_six_digits, explain


def test_auroras_listed_score_is_its_raw_score_in_six_digits():
    # list 32,165.90; result_summary.txt of submission 688 prints 32165.926368
    found = explain("32,165.90", "10,066.09", "102,785.41", raw_score="32165.926368")
    assert found.reading == "six digits only"
    assert float(found.difference.mid) == pytest.approx(-0.026368, abs=1e-9)


def test_the_listed_pair_alone_already_rules_two_decimals_out():
    assert explain("32,165.90", "10,066.09", "102,785.41").reading == "six digits only"
    assert explain("43,218.80", "11,362.27", "164,391.73").reading == "six digits only"


@pytest.mark.parametrize(
    ("score", "bw", "md"),
    [
        ("3,470.22", "861.22", "13,982.88"),
        ("838.99", "438.62", "1,604.84"),
        ("187.84", "25.29", "1,395.01"),
    ],
)
def test_smaller_scores_cannot_tell_the_readings_apart(score, bw, md):
    assert explain(score, bw, md).reading == "either"


def test_a_score_with_eight_digits_fits_two_decimals_only():
    assert as_six_digits("603,334.56") is None
    assert explain("603,334.56", "1.00", "1.00", raw_score="603334.561").reading == (
        "two decimals only"
    )


def test_a_wrong_score_fits_neither():
    assert explain("32,166.90", "10,066.09", "102,785.41").reading == "neither"


@given(st.floats(min_value=1, max_value=999_999, allow_nan=False))
def test_six_digits_of_a_value_always_hold_it(value):
    text = f"{float(f'{value:.6g}'):.2f}"
    held = as_six_digits(text)
    # 99999.95 is kept as 100000, whose own step is ten times as wide
    if len(text) == len(f"{value:.2f}"):
        assert held is not None
        assert held.contains(Fraction(value))


@pytest.mark.parametrize(
    ("score", "raw"),
    # list rows and the TOTAL of submissions 736, 748, 749
    [("838.99", "838.992571"), ("826.86", "826.855590"), ("348.08", "348.078200")],
)
def test_scores_below_ten_thousand_print_alike_either_way(score, raw):
    assert explain(score, "1.00", "1.00", raw_score=raw).reading == "either"


@given(st.integers(100, 10**8), st.integers(-200, 200))
def test_the_two_decimal_reading_is_exact_to_half_a_hundredth(hundredths, thousandths):
    text = f"{hundredths / 100:.2f}"
    raw = Fraction(hundredths, 100) + Fraction(thousandths, 1000)
    found = explain(text, "1.00", "1.00", raw_score=f"{float(raw):.3f}")
    assert found.two_decimals == Interval(-5, 5).overlaps(
        Interval(thousandths - Fraction(1, 2), thousandths + Fraction(1, 2))
    )
