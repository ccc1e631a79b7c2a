"""JSON with the slips that people make in it, and what must not be made of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.readers import loose_json
from storagebook.readers.loose_json import Number, Repair, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


def repairs(data):
    return [repair.what for repair in parse(data).repairs]


def test_sound_json_is_read_as_it_stands():
    parsed = parse(b'{"a": [1, 2.50, true, null, "x,]}"]}')
    assert parsed.value == {"a": [1, 2.5, True, None, "x,]}"]}
    assert parsed.repairs == ()


def test_a_number_keeps_its_digits():
    number = parse(b'{"a": 93.50}').value["a"]
    assert isinstance(number, Number)
    assert (number, number.text) == (93.5, "93.50")


@pytest.mark.parametrize(
    ("text", "value", "what"),
    [
        (b'{"a": [1, 2,], "b": 3}', {"a": [1, 2], "b": 3}, "a trailing comma"),
        (b'{"a": {"b": 1,}}', {"a": {"b": 1}}, "a trailing comma"),
        (b'{"a": [1, 2]\n', {"a": [1, 2]}, "an end without }"),
        (b'{"a": {"b": [{"c": 1}', {"a": {"b": [{"c": 1}]}}, "an end without ]}}"),
        (b'{"n": [{"a": 1, "b": 2], "c": 3}', {"n": [{"a": 1, "b": 2}], "c": 3}, "a missing bra"),
        (b'{"a": 1 "b": 2}', {"a": 1, "b": 2}, "a missing comma"),
        (b'{"a" 1}', {"a": 1}, "a missing colon"),
        (b'{"a": 1}}', {"a": 1}, "a } too many"),
        (b'{"a": yes}', {"a": "yes"}, "text without quotes"),
        (b'{"a": 1} {"b": 2}', {"a": 1}, "a second document"),
        (b'{"a": "x\n, "b": 2}', {"a": "x", "b": 2}, "a string without its end"),
        (b'{"a": "caf\xe9"}', {"a": "café"}, "text that is not UTF-8"),
    ],
)
def test_slips_are_repaired_and_told(text, value, what):
    assert parse(text).value == value
    assert any(repair.startswith(what) for repair in repairs(text))


def test_a_repair_names_its_line():
    parsed = parse(b'{\n "a": [\n  1,\n  2,\n ]\n}')
    assert parsed.repairs == (Repair("a trailing comma", 5),)


def test_comments_are_passed_over():
    assert parse(b'{"a": 1, // the first\n "b": 2,}').value == {"a": 1, "b": 2}


def test_byte_order_mark_and_utf16_are_read():
    text = '{"a": "é"}'
    assert parse(b"\xef\xbb\xbf" + text.encode()).value == {"a": "é"}
    assert parse(text.encode("utf-16")).value == {"a": "é"}


@pytest.mark.parametrize(
    "cut", [b'{"a": 1, "b": 12', b'{"a": 1, "b": "wor', b'{"a": 1, "b"', b'{"a": 1, ']
)
def test_what_a_file_ends_in_may_be_cut_and_is_dropped(cut):
    parsed = parse(cut)
    assert parsed.value == {"a": 1}
    assert any(repair.cut for repair in parsed.repairs)


def test_nothing_that_is_no_number_becomes_one():
    assert parse(b'{"a": NaN, "b": -Infinity}').value == {"a": None, "b": None}
    assert parse(b'{"a": NaN, "b": 1,}').value == {"a": None, "b": 1}


def test_a_decimal_comma_is_not_harmless():
    parsed = parse(b'{"rate": 1234,56, "b": 1}')
    assert not all(repair.harmless for repair in parsed.repairs)


def test_a_key_with_two_values_is_told_and_not_harmless():
    assert [r.harmless for r in parse(b'{"a": 1, "a": 2}').repairs] == [False]
    assert parse(b'{"a": 1, "a": 1}').repairs == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no json",
        b"[",
        b"\x00\x01\x02",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        b"{" + b" " * (loose_json.MAX_REPAIRED_B + 1),
        b"__import__('os').system('true')",
    ],
)
def test_what_is_no_json_is_one_error(data):
    with pytest.raises(StoragebookError):
        parse(data)


@given(VALUES.map(lambda value: {"root": value}), st.integers(0, 200))
def test_a_cut_document_gives_a_part_of_the_whole_or_an_error(value, keep):
    data = json.dumps(value).encode()[:keep]
    try:
        parsed = parse(data)
    except StoragebookError:
        return
    assert _within(parsed.value, value)


def _within(part, whole):
    """Whether a value is the whole with something missing at its end, and nothing changed."""
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(
            key in whole and _within(value, whole[key]) for key, value in part.items()
        )
    if isinstance(whole, list):
        return isinstance(part, list) and all(map(_within, part, whole)) and len(part) <= len(whole)
    return part == whole


@given(VALUES.map(lambda value: {"root": value}))
def test_trailing_commas_everywhere_change_nothing(value):
    text = json.dumps(value, indent=1).replace("\n", "\n ")
    broken = _with_commas(value)
    assert parse(broken.encode()).value == json.loads(text)


def _with_commas(value):
    if isinstance(value, dict) and value:
        return "{" + "".join(f"{json.dumps(k)}: {_with_commas(v)}," for k, v in value.items()) + "}"
    if isinstance(value, list) and value:
        return "[" + "".join(f"{_with_commas(v)}," for v in value) + "]"
    return json.dumps(value)


@given(st.binary(max_size=300))
def test_any_bytes_give_a_value_or_one_error(data):
    error = ""
    try:
        parse(data)
    except StoragebookError as caught:
        error = str(caught)
    assert "\n" not in error
