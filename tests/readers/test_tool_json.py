"""JSON of tools: noise around it, several documents, bare nan, and no end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storagebook.errors import StoragebookError
from storagebook.readers.tool_json import documents


def read(text):
    return documents(text.split("\n"))


def test_plain():
    out = read('{\n "a": 1.50,\n "b": [2, null, true, "x"]\n}\n')
    (document,) = out.found
    assert document.value == {"a": 1.5, "b": [2, None, True, "x"]}
    assert document.value["a"].text == "1.50"
    assert (document.line, document.cut, out.noise) == (1, None, [])


def test_noise_before_inside_and_behind():
    out = read('warning: x\n{\n "a": 1,\nWARNING: y\n12: stonewalling z\n "b": 2\n}\nbye\n')
    (document,) = out.found
    assert document.value == {"a": 1, "b": 2}
    assert document.line == 2
    assert out.noise == [
        (1, "warning: x"),
        (4, "WARNING: y"),
        (5, "12: stonewalling z"),
        (8, "bye"),
    ]


def test_several_documents():
    out = read('{"a": 1}\n{\n"a": 2}\nnoise\n{"a": 3}')
    assert [(d.value["a"], d.line) for d in out.found] == [(1, 1), (2, 2), (3, 5)]
    assert out.noise == [(4, "noise")]


@pytest.mark.parametrize("word", ["nan", "-nan", "inf", "-inf", "NaN", "Infinity", "-Infinity"])
def test_bare_words_are_texts(word):
    (document,) = read(f'{{\n "a": {word},\n "b": [{word}, 1]\n}}').found
    assert document.value["a"].lower().strip("-")[:3] in ("nan", "inf")
    assert document.value["b"][1] == 1


def test_cut_keeps_what_is_complete():
    (document,) = read('{\n"jobs": [\n {"a": {"b": 1}, "c": 22},\n {"a": {"b": 3}, "c": 4').found
    # the second c may have been 44, so it is gone; what was closed before it is there
    assert document.value == {"jobs": [{"a": {"b": 1}, "c": 22}, {"a": {"b": 3}}]}
    assert document.cut == 4


def test_cut_document_before_another():
    out = read('{\n"jobs": [\n {"a": 1},\n{\n"jobs": []\n}\n')
    assert [d.cut is not None for d in out.found] == [True, False]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('{\n"bw": 1234,56,\n"x": 1\n}', 2, "decimal comma"),
        ('{\n"bw" : 1234,56\n}', 2, "decimal comma"),
        ('{\n"a": 1,\n"b" 2\n}', 3, "broken JSON"),
        ('{\n"a": [1, 2}\n}', 2, "broken JSON"),
        ("{", 1, "broken JSON"),
        ('{"a": ' + "9" * 5000 + "}", 1, "a number too long"),
        ('{"a": ' * 100_000, 1, "nested too deep"),
    ],
)
def test_broken_is_refused_with_its_line(text, line, why):
    with pytest.raises(StoragebookError, match=why) as caught:
        read(text)
    assert caught.value.line == line


def test_no_document():
    assert read("text\n[1]").found == []


@given(st.text(alphabet='{}[]",:0123456789.enaifu- \n', max_size=200))
def test_anything_else_is_read_or_refused(text):
    try:
        found = read(text).found
    except StoragebookError:
        return
    assert all(isinstance(document.value, dict) for document in found)
