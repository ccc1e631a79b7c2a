"""What changed between two runs, in words that hold for any two."""

import dataclasses
import itertools
from pathlib import Path

import pytest

from storagebook import show
from storagebook.io500 import card, changed, configured
from storagebook.io500.diff import diff
from storagebook.io500.run import Printed
from storagebook.io500.score import Score

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "io500"
SAMPLE = card.load(ROOT / "data" / "samples" / "io500-small-vm")[0]
LRZ = diff(configured.public("0683"), configured.public("0772"))
RUNS = [
    SAMPLE,
    card.load(FIXTURES / "standard")[0],
    card.load(FIXTURES / "shell")[0],
    *(card.public(number) for number in ("0688", "0694", "0774", "0001")),
    card.public("0109", "JCAHPC-17__jcahpc"),
    card.public("0028", "results/io-500-summary.2018.11.10-20.09.41.txt"),
]


def sentences(found):
    return [
        *changed.who(found),
        *changed.said_of_settings(found),
        *changed.said_of_options(found),
        *changed.said_of_phases(found),
        *changed.said_beside(found),
    ]


def told(found):
    return [template.format(**values) for template, values in sentences(found)]


def test_two_runs_of_one_site():
    said = told(LRZ)
    assert said[0].startswith(
        "- **a** — submission 0683: SuperMUC-NG-Phase2-EC, LRZ, file system DAOS"
    )
    assert said[2] == "Settings known to differ: 8; unknown of one run or of both: 2."
    assert "From a to b, 9 of the scored phases rose and 3 fell." in said
    # 6671.944725 / 3112.592330, 195.535950 / 252.427284
    assert any("mdtest-hard-delete*, to 2.14 times" in text for text in said)
    assert any("ior-hard-write*, to 0.77 times" in text for text in said)
    # 3470.216148 / 2508.846865; (1490.144590 / 718.806938) ** (1 / 8)
    assert any("1.383 times that of a. *ior-hard-read*" in t and "1.095" in t for t in said)


def test_frames_hold_what_differs_and_what_changed():
    settings = changed.differing(LRZ).set_index("setting")
    assert tuple(settings.loc["transfer size"]) == ("ior-easy", "1 MiB", "4 MiB")
    assert settings.loc["version", "in"] == "whole run"
    assert {"unknown"} == set(changed.unknown(LRZ).query("setting == 'direct I/O'").a)
    phases = changed.phases(LRZ).set_index("phase")
    assert phases.change_pct["ior-hard-write"] == pytest.approx(-22.5377, abs=1e-4)
    assert phases.a["ior-hard-write"] == "252.427284"
    walls = changed.stonewall(LRZ).set_index("phase")
    assert walls.b["ior-hard-write"] == "209.36"
    assert walls.stonewall_pct["ior-hard-write"] == pytest.approx(-18.1772, abs=1e-4)
    assert walls.b_duration_s["ior-hard-write"] == 416.332
    options = changed.options(LRZ.apart)
    assert "all mdtest" in set(options["in"])
    ratios = changed.ratios(LRZ)
    assert len(ratios) == 12 + 4
    assert changed.means(LRZ).set_index("figure").change_pct["score"] == pytest.approx(38.3192)


def test_the_factor_told_is_along_the_score():
    back = told(diff(card.public("0772"), card.public("0683")))
    (text,) = [t for t in back if "moves it most in that direction" in t]
    assert "0.723 times" in text
    assert "*ior-hard-read*" in text


def test_results_of_other_lists_are_not_compared():
    found = diff(card.public("0688"), card.public("0774"))
    assert not changed.compared(found)
    assert changed.ratios(found).empty
    assert any("list (IO500 messaging policy)" in text for text in told(found))


def test_a_rate_that_rose_while_the_result_fell_is_told():
    write = SAMPLE.phases["ior-easy-write"]
    slower = dataclasses.replace(
        write,
        value=Printed("0.1", 0.1),
        stonewall=Printed("9.00", 9.0),
    )
    other = dataclasses.replace(SAMPLE, phases={**SAMPLE.phases, "ior-easy-write": slower})
    assert any("In ior-easy-write the result and" in text for text in told(diff(SAMPLE, other)))


def test_nothing_moved():
    said = told(diff(SAMPLE, SAMPLE))
    assert any(text.startswith("Settings known to differ: 0;") for text in said)
    assert "From a to b, 0 of the scored phases rose and 0 fell." in said
    assert not any("times that of a." in text for text in said)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(RUNS, RUNS)))
def test_sentences_are_whole_for_any_two(a, b):
    found = diff(a, b)
    for template, values in sentences(found):
        text = show._Sentence(escape=False).format(template, **values)
        assert "None" not in text
        assert "nan" not in text
    assert changed.title(found)
    assert len(changed.phases(found)) == len(found.phases)


def test_a_run_without_facts_says_so():
    bare = dataclasses.replace(
        SAMPLE,
        settings=dict.fromkeys(SAMPLE.settings),
        started=None,
        valid=True,
        printed=Score(None, None, None),
    )
    assert changed.described(bare) == "nothing further stated"
    assert "1 client node, 2 processes" in changed.described(SAMPLE)
