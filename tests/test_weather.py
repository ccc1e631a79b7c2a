"""Weather fields against lines 37–41 of source 004 and 495–502 of source 000, counted by hand."""

import xml.etree.ElementTree as ET

import pytest

from storagebook import paths, tables, weather


def said(sentences):
    return " ".join(template.format(**values) for template, values in sentences)


def test_what_stands_for_each_object():
    frame = weather.mapping()
    assert list(frame.daos) == [
        "pool",
        "container",
        "key-value object",
        "key",
        "value",
        "array object",
    ]
    assert set(frame.line) == {37}


@pytest.mark.parametrize(
    ("printed", "expected", "stands_for"),
    [
        ("write of an Array file", ("write",), "array object"),
        ("check existence of a Key-Value directory", ("check",), "key-value object"),
        ("creation and write of a Key file", ("creation", "write"), "key"),
        ("open and read of a Key file in a Key-Value directory", ("open", "read"), "key"),
        ("open and read an Array file", ("open", "read"), "array object"),
    ],
)
def test_a_step_in_the_words_of_the_text(printed, expected, stands_for):
    assert weather.actions(printed) == expected
    assert weather.behind(printed) == stands_for


def test_every_step_of_the_text_names_an_action():
    assert all(weather.actions(text) for text in tables.load("weather-steps").printed)


def test_a_text_without_an_action_has_none():
    assert weather.actions("a Key file") == ()


def test_steps_of_a_field():
    frame = weather.steps()
    assert list(zip(frame.operation, frame.step, frame["count"], strict=True)) == [
        ("write", "a", 1),
        ("write", "b", 1),
        ("write", "c", 2),
        ("read", "a", 1),
        ("read", "b", 2),
        ("read", "c", 1),
        ("read", "d", 2),
        ("read", "e", 2),
    ]
    assert list(frame.shared_by[frame.operation == "read"]) == [
        "all processes",
        "all processes",
        "all processes of its node",
        "all processes of its node",
        "the process alone",
    ]


def test_operations_on_both_sides():
    frame = weather.both_sides().set_index("operation")
    # write: an array and a key; a file, a check, a creation, a write
    assert frame.loc["write"].to_dict() == {
        "arrays": 1,
        "keys": 1,
        "calls": 2,
        "steps": 3,
        "checks": 1,
        "file_actions": 4,
    }
    # read: two keys and an array; two checks, three times open and read
    assert frame.loc["read"].to_dict() == {
        "arrays": 1,
        "keys": 2,
        "calls": 3,
        "steps": 5,
        "checks": 2,
        "file_actions": 8,
    }


def test_who_shares_the_directories():
    frame = weather.by_sharing().set_index("where")
    # 1 GiB / 1 MiB fields
    assert list(frame.steps_per_gib) == [1024, 2048, 1024, 2048, 2048]
    assert frame.steps.to_dict() == {
        "write: not shared": 1,
        "write: shared by all processes of its node": 2,
        "read: not shared": 1,
        "read: shared by all processes of its node": 2,
        "read: shared by all processes": 2,
    }


def test_what_a_bandwidth_of_fields_takes():
    text = said(weather.said_of_steps(weather.both_sides()))
    assert "written takes 2 calls on DAOS, and 3 steps with 4 named actions" in text
    assert "read takes 3 calls, and 5 steps with 8 actions" in text
    assert "2 others in writing and 4 in reading" in text
    # 1 GiB / 1 MiB, times 4 and 8
    assert "1,024 fields a second: 4,096 actions on files to write them, 8,192 to read" in text


def test_no_bandwidth_is_told():
    text = said(weather.said_of_bandwidths())
    assert "none give a bandwidth" in text


def test_both_ends_of_the_runs():
    frame = weather.scale()
    # line 497: 1 to 16 servers, a metadata server more, 2 clients each, 16 or 32 processes
    assert frame.to_dict("list") == {
        "servers": [1, 16],
        "lustre_servers": [2, 17],
        "clients": [2, 32],
        "least_procs": [32, 512],
        "most_procs": [64, 1024],
        "writing": [1, 16],
    }


def test_findings_speak_for_either_side():
    frame = weather.findings()
    assert list(frame.ahead) == ["DAOS", "Lustre", "DAOS", "DAOS", "Lustre"]
    assert list(frame.line) == [498, 498, 499, 499, 500]
    # 1 / (1 − 50 %), and twice as fast
    assert frame.times.dropna().to_list() == [2, 2]
    text = said(weather.said_of_findings(frame))
    assert text.startswith("A figure stands with 2 of 5 cases")
    # about 50 %: within 45 to 55
    assert "2.0 times the other way round (1.8 to 2.2, as the text says about)" in text
    assert "list() is 2 times as fast. The factor of the case that speaks for DAOS" in text


def test_factors_that_differ_are_said_to():
    frame = weather.findings()
    frame.loc[4, "times"] = 3.0
    assert said(weather.said_of_findings(frame)).endswith("The factors differ.")


def test_requests_of_a_list():
    frame = weather.list_reads([1, 100])
    assert frame.requests.to_list() == [1, 1, 1, 100]
    text = said(weather.said_of_list([1, 100]))
    assert "100 entries would take DAOS 100 times as long. The text tells 2" in text


@pytest.mark.parametrize("name", ["weather-pattern-a", "weather-pattern-b", "weather-mapping"])
def test_diagrams_are_well_formed_and_fetch_nothing(name):
    text = (paths.root() / "book" / "diagrams" / f"{name}.svg").read_text(encoding="utf-8")
    drawing = ET.fromstring(text)
    assert drawing.tag.endswith("svg")
    assert "href" not in text
    assert text.count("http") == 1
