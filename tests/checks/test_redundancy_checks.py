"""Inferences about protection: each can come out either way."""

import pytest

from storagebook import claims
from storagebook.checks import redundancy as checks
from storagebook.io500 import redundancy
from storagebook.verdicts import judge_inference


@pytest.fixture(scope="module")
def inputs():
    (claim,) = [c for c in claims.load() if c.id == "000-redundancy-alone"]
    return claims.Inputs(claim)


def test_pairs_that_are_controlled_weigh_against_free_writes(inputs):
    argument = checks.sequential_writes_unharmed(inputs)
    assert judge_inference(argument) == "contradicted"
    text = argument.counter[0].text
    # 0668/0670, 0669/0671 and 0683/0684, by bc from the result files; the code takes 5.9 %
    for told in ("0668/0670 -21.4 %", "0669/0671 -8.8 %", "0683/0684 -17.1 %"):
        assert told in text
    assert "with transfers of 1 MiB, here 16 MiB" in text


def test_reads_of_controlled_pairs_are_told_for_and_against(inputs):
    argument = checks.reads_unharmed(inputs)
    assert judge_inference(argument) == "not-shown"
    # nothing else differs, Aurora's three phases, then those of the controlled pairs
    assert [fact.holds for fact in argument.needs] == [False, *[True] * 3, True, True, False]
    # 0668/0670, 0669/0671 and 0683/0684, by bc from the result files
    for told in ("+1.0 %", "+1.7 %", "+0.9 %"):
        assert told in argument.needs[4].text
    assert "0683/0684 -0.5 %" in argument.needs[5].text
    assert "0683/0684 -14.1 %" in argument.needs[6].text


def test_easy_and_hard_reads_of_aurora_are_of_one_shared_file(inputs):
    argument = checks.reads_hardly_affected(inputs)
    assert all("both one shared file" in fact.text for fact in argument.needs)


def test_without_controlled_pairs_nothing_weighs_against_them(inputs, monkeypatch):
    monkeypatch.setattr(redundancy, "is_controlled", lambda pair: False)
    assert judge_inference(checks.sequential_writes_unharmed(inputs)) == "not-shown"


def test_the_reads_of_controlled_pairs_do_not_rise(inputs):
    assert judge_inference(checks.reads_mixed(inputs)) == "supported"


def test_reads_would_count_if_controlled_pairs_rose(inputs, monkeypatch):
    # in 0772/0773 the read of the shared file rises by 2.3 %
    monkeypatch.setattr(redundancy, "is_controlled", lambda pair: pair.name == "0772/0773")
    assert judge_inference(checks.reads_mixed(inputs)) == "not-shown"


def test_a_phase_of_the_same_pair_is_hit_harder(inputs):
    argument = checks.hardest_hit(inputs)
    assert "mdtest-hard-write -66.3 %" in argument.counter[0].text


def test_lustre_is_not_always_slower_in_one_directory(inputs):
    argument = checks.shared_directory_slower(inputs)
    # 3358.073167 / 8221.826113 and 2495.682580 / 1739.896352 kIOP/s, then 0645 and 0726
    assert [fact.holds for fact in argument.needs] == [True, False, True, True, None]
    ends = [fact.text.rpartition(" ")[2] for fact in argument.needs[:4]]
    assert ends == ["0.41", "1.43", "0.97", "0.94"]


def test_three_years_without_a_gap(inputs):
    argument = checks.unbeaten(inputs)
    assert all(fact.holds for fact in argument.needs)
    assert "3.0 years (2023-11-07 to 2026-11-10)" in argument.needs[1].text


def test_more_clients_are_no_test_of_scaling_with_servers(inputs):
    (need,) = checks.scales_linearly(inputs).needs
    assert need.holds is None
