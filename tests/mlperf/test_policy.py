"""MLPerf results are named as MLCommons asks."""

import dataclasses

import pytest

from storagebook import compare
from storagebook.errors import StoragebookError
from storagebook.mlperf import policy

PUBLIC = policy.Named(
    submitter="Example",
    system="FastFS",
    round="v1.0",
    division="closed",
    workload="unet3d",
    retrieved="github.com/mlcommons/storage_results_v1.0, commit 64c2ce4",
    verified=True,
)
OWN = dataclasses.replace(PUBLIC, verified=False)


def test_submitter_benchmark_version_and_system_stand_in_the_text():
    assert policy.title(PUBLIC) == "Example, MLPerf Storage v1.0, FastFS"


def test_a_readers_own_result_says_that_it_is_not_verified():
    assert policy.title(OWN).endswith("Result not verified by MLCommons Association.")
    assert policy.UNVERIFIED in policy.footnote([OWN])
    assert policy.UNVERIFIED not in policy.footnote([PUBLIC])


def test_the_footnote_has_all_its_parts_and_the_legend_once():
    text = policy.footnote([PUBLIC, dataclasses.replace(PUBLIC, result_id="1.0-0042"), PUBLIC])
    assert text.startswith(
        "MLPerf™ Storage v1.0, Closed division, 3D U-Net; retrieved from "
        "github.com/mlcommons/storage_results_v1.0, commit 64c2ce4."
    )
    assert "result 1.0-0042." in text
    assert text.count("retrieved from") == 2
    assert text.count("trademarks of MLCommons Association") == 1
    assert text.endswith(policy.TRADEMARK)


def test_the_words_are_those_of_the_comparisons():
    figure = compare.Figure(
        name="x", value=1, unit="GiB/s", basis="application", benchmark=compare.MLPERF_STORAGE
    )
    assert figure.standing() == policy.UNVERIFIED


@pytest.mark.parametrize(
    "changes",
    [{"submitter": " "}, {"system": ""}, {"round": "v9"}, {"division": "x"}, {"retrieved": ""}],
)
def test_what_cannot_be_named_is_refused(changes):
    with pytest.raises(StoragebookError):
        dataclasses.replace(PUBLIC, **changes)


def test_no_results_no_footnote():
    with pytest.raises(StoragebookError):
        policy.footnote([])


def test_hostile_names_are_made_printable():
    assert policy.title(dataclasses.replace(OWN, system="a\n\x1b[31m")).isprintable()


def test_a_division_that_a_source_does_not_state_is_said_to_be_so():
    quoted = dataclasses.replace(OWN, round="v2.0", division=None)
    text = policy.footnote([quoted])
    assert text.startswith("MLPerf™ Storage v2.0, division not stated, 3D U-Net; retrieved from")
    assert policy.UNVERIFIED in text


def test_workloads_as_people_write_them():
    assert policy.workload_name("cosmoflow") == "CosmoFlow"
    assert policy.workload_name("other") == "other"


def test_the_sentences_of_a_footnote_come_one_by_one():
    found = policy.footnotes([PUBLIC, OWN, PUBLIC])
    assert len(found) == 3
    assert found[-1] == policy.TRADEMARK
    assert " ".join(found) == policy.footnote([PUBLIC, OWN])
