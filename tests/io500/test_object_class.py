"""What the names of DAOS object classes stand for."""

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.io500.object_class import ObjectClass, Protection, parse

# name: protection, data cells, parity cells, replicas, groups, stored per byte, losses
KNOWN = {
    "S1": ("none", 1, 0, 1, 1, Fraction(1), 0),
    "S32": ("none", 1, 0, 1, 32, Fraction(1), 0),
    "SX": ("none", 1, 0, 1, None, Fraction(1), 0),
    "RP_2G1": ("replication", 1, 0, 2, 1, Fraction(2), 1),
    "RP_2G32": ("replication", 1, 0, 2, 32, Fraction(2), 1),
    "RP_2GX": ("replication", 1, 0, 2, None, Fraction(2), 1),
    "OC_RP_3G1": ("replication", 1, 0, 3, 1, Fraction(3), 2),
    "EC_2P1GX": ("erasure code", 2, 1, 1, None, Fraction(3, 2), 1),
    "EC_8P1GX": ("erasure code", 8, 1, 1, None, Fraction(9, 8), 1),
    "EC_16P1GX": ("erasure code", 16, 1, 1, None, Fraction(17, 16), 1),
    "EC_16P2GX": ("erasure code", 16, 2, 1, None, Fraction(9, 8), 2),
    "OC_EC_4P2G1": ("erasure code", 4, 2, 1, 1, Fraction(3, 2), 2),
}


@pytest.mark.parametrize(("name", "known"), KNOWN.items(), ids=KNOWN)
def test_a_name_is_taken_apart(name, known):
    found = parse(name)
    assert (
        found.protection,
        found.data_cells,
        found.parity_cells,
        found.replicas,
        found.groups,
        found.write_amplification,
        found.losses,
    ) == known
    assert found.usable_share * found.write_amplification == 1
    assert found.least_small_write == known[-1] + 1
    assert str(found) == name.removeprefix("OC_")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "S0",
        "X",
        "EC_16P0GX",
        "EC_16P1",
        "RP_0G1",
        "RP_2",
        "RP_XSF",
        "EC_16P2GX,S1",
        "S1\nS2",
        "S" + "1" * 50,
        "rf:1",
        "EC_٤P1GX",
    ],
)
def test_what_is_no_class_of_fixed_width_is_refused(name):
    with pytest.raises(StoragebookError, match="no object class") as caught:
        parse(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "numbers",
    [
        {"data_cells": 0},
        {"replicas": 0},
        {"parity_cells": -1},
        {"data_cells": 4},
        {"replicas": 2, "parity_cells": 1},
        {"groups": 0},
    ],
)
def test_numbers_of_no_class_are_refused(numbers):
    with pytest.raises(StoragebookError):
        ObjectClass(**numbers)


@given(
    data=st.integers(1, 64),
    parity=st.integers(0, 9),
    replicas=st.integers(1, 64),
    groups=st.none() | st.integers(1, 9999),
)
def test_a_class_reads_back_as_it_is_written(data, parity, replicas, groups):
    made = (
        ObjectClass(data_cells=data, parity_cells=parity, groups=groups)
        if parity
        else ObjectClass(replicas=replicas, groups=groups)
    )
    assert parse(str(made)) == parse(f" oc_{str(made).lower()} ") == made
    assert made.write_amplification <= made.width
    # sharing parity among cells never makes a small write cheaper than a whole stripe
    assert made.least_small_write >= made.write_amplification
    assert (made.protection is Protection.NONE) == (made.losses == 0)


@given(st.text(max_size=60))
def test_any_other_text_gives_the_one_error(text):
    with contextlib.suppress(StoragebookError):
        parse(text)
