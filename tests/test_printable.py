"""What strangers write, in JSON and CSV: nothing for a terminal or a spreadsheet to act on."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.printable import as_cell, as_json, clean

TEXTS = st.text(st.characters(exclude_categories=()))  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 1]))
def test_json_says_the_same_and_is_printable(value, indent):
    text = as_json(value, indent=indent)
    assert text.replace("\n", "").isprintable()
    assert json.loads(text) == json.loads(clean(json.dumps(value, ensure_ascii=False)))


@pytest.mark.parametrize("mark", ["\x1b[31m", "\x7f", "\x9b31m", "\u202e", "\u2028", "\U000e0041"])
def test_what_a_terminal_acts_on_is_escaped(mark):
    assert mark not in as_json({mark: mark})
    assert json.loads(as_json({mark: mark})) == {mark: mark}
    assert as_cell(f"a{mark}").isprintable()


def test_other_languages_stay_readable():
    assert as_json("Größe 東京") == '"Größe 東京"'
    assert as_cell("Größe 東京") == "Größe 東京"


@pytest.mark.parametrize(
    "formula",
    ["=1+1", "+1+1", "-1+cmd|'/C calc'!A0", "@SUM(1)", "-", " =1", "--help", "-1e5x", "+A1"],
)
def test_formula_is_text(formula):
    assert as_cell(formula) == f"'{formula}"


@pytest.mark.parametrize("number", ["-1", "+1.5", "-1e5", "-.5", "-1,234.5", "-inf", "1-2", "a=b"])
def test_number_and_what_only_holds_a_sign_stay(number):
    assert as_cell(number) == number


@given(TEXTS)
def test_cell_is_one_printable_line_of_valid_unicode(text):
    cell = as_cell(text)
    cell.encode()
    assert cell.isprintable()


@pytest.mark.parametrize(
    ("value", "cell"), [(None, ""), (True, "true"), (False, "false"), (-3, "-3"), (0.5, "0.5")]
)
def test_values(value, cell):
    assert as_cell(value) == cell


def test_undecodable_byte():
    assert clean("a\udcffb") == "a\ufffdb"
    assert json.loads(as_json("a\udcffb")) == "a\ufffdb"
