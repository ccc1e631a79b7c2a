"""Figures about Aurora against the arithmetic done by hand."""

import pytest

from storagebook import aurora


def test_bandwidths_are_in_one_unit_and_in_order():
    frame = aurora.bandwidths().set_index("figure")
    # 642 x 40 GiB/s, 20,693.63, 10,066.09 and 4,216.34 GiB/s, each x 1.073741824 / 1000
    assert frame.bandwidth_tb_s.to_dict() == pytest.approx(
        {
            "stated peak, architecture paper": 31.0,
            "network cards of the run's servers": 27.573690,
            "user documentation": 25.0,
            "ior-easy-write": 22.219616,
            "IO500 bandwidth score": 10.808382,
            "ior-hard-write": 4.527260,
        },
        abs=1e-6,
    )
    assert list(frame.bandwidth_tb_s) == sorted(frame.bandwidth_tb_s, reverse=True)


def test_the_headline_in_both_units():
    found = aurora.headline()
    assert found["TiB/s"].contains(20.208623)
    assert found["TB/s"].contains(22.219616)


def test_a_figure_that_is_not_stated_is_an_error():
    with pytest.raises(LookupError, match="0 rows"):
        aurora.stated("colour")
