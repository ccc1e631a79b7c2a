"""Inferences about the benchmark's rules: known answers, and that each can come out otherwise."""

import re

import pytest

from storagebook import claims, paths
from storagebook.checks import aurora, juicefs
from storagebook.checks import io500 as checks
from storagebook.io500 import phases
from storagebook.verdicts import judge_inference


@pytest.fixture(scope="module")
def inputs():
    (claim,) = [c for c in claims.load() if c.id == "000-rule-directory-per-process"]
    return claims.Inputs(claim)


def test_entries_with_many_clients_are_less_balanced_than_aurora(inputs):
    argument = checks.balance_holds_it_down(inputs, "0691", "0645")
    assert [fact.holds for fact in argument.needs] == [True, True, False]
    # submission 691: BW 709.519 over (2339.85 + 23.69 + 3950.47 + 1157.40) / 4; by hand
    assert "of the score 0.51, of BW 0.38, of MD 0.68" in argument.needs[0].text
    assert "of the score 0.47, of BW 0.71, of MD 0.31" in argument.needs[1].text
    assert "Aurora's (0.82, of BW 0.86, of MD 0.79)" in argument.needs[1].text
    # 38,996.8 over 1573.4 and over 1383.2
    assert "25 times that of 0691" in argument.needs[2].text
    assert "28 times that of 0645" in argument.needs[2].text


def test_balance_would_be_borne_out_by_an_entry_near_the_first(inputs):
    # submission 695 is Aurora's own without redundancy, and as balanced
    argument = checks.balance_holds_it_down(inputs, "0695")
    assert argument.needs[-1].holds


def test_a_directory_for_each_process_follows_from_the_program(inputs, monkeypatch):
    assert judge_inference(checks.directory_per_process(inputs)) == "supported"
    monkeypatch.setattr(checks, "_MDTEST_EASY_SETTINGS", {"API", "n"})
    assert judge_inference(checks.directory_per_process(inputs)) == "not-shown"


@pytest.mark.guard
@pytest.mark.skipif(paths.shared() is None, reason="the raw files are not at hand")
def test_the_programs_options_are_those_of_every_run():
    command = re.compile(r"^\[mdtest-easy-write\][^\[]*?^exe *= *(.*)$", re.M)
    found = [
        match[1].split()
        for file in sorted((paths.shared() / "data" / "io500").rglob("result.txt"))
        for match in command.finditer(file.read_text(encoding="utf-8", errors="replace"))
    ]
    assert len(found) > 100
    assert all(set(phases.MDTEST_EASY_OPTIONS) <= set(words) for words in found)


def test_the_script_puts_out_a_part_only(inputs):
    argument = aurora.script_computes_all(inputs)
    assert [fact.holds for fact in argument.counter] == [True, True]
    assert argument.counter[0].text.count("SuperMUC-NG-Phase2-EC") == 2
    assert "IRIS SC24" in argument.counter[0].text
    assert "Aurora" not in argument.counter[0].text
    # section 3.4 has seven changes, the script's output two of them (lines 303 and 304)
    assert argument.counter[1].text.count("%") == 5
    assert "score" not in argument.counter[1].text


def test_reads_of_another_nodes_data_need_another_node(inputs):
    argument = checks.no_own_page_cache(inputs)
    assert argument.needs[0].holds


@pytest.mark.guard
@pytest.mark.skipif(paths.shared() is None, reason="the raw files are not at hand")
def test_samples_of_a_resnet50_file_are_those_of_every_result():
    configured = re.compile(r"num_samples_per_file\W+(\d+)")
    found = {
        int(number)
        for file in (paths.shared() / "data" / "mlperf_storage" / "files").rglob("config.yaml")
        for number in configured.findall(file.read_text(encoding="utf-8"))
    }
    # the other workloads have one sample in a file
    assert found == {1, juicefs.RESNET50_SAMPLES_PER_FILE}
