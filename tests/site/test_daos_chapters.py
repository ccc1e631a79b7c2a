"""The chapters on MD-on-SSD, VOS, gains and limits are true for other parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from storagebook.site import execute

ROOT = Path(__file__).parents[2]
MD, VOS, GAINS, LIMITS = (
    "22-md-on-ssd",
    "23-vos-daos-perf",
    "25-ecosystem-gains",
    "26-limits-and-misreadings",
)


def said(chapter: str, parameters: dict) -> str:
    """All that a chapter shows, as plain text."""
    path = ROOT / "notebooks" / f"{chapter}.ipynb"
    done = execute.execute_all({path: parameters}, folder=ROOT)[path]
    outputs = (o for cell in done.cells if cell.cell_type == "code" for o in cell.outputs)
    return "\n".join(output.data["text/plain"] for output in outputs)


@pytest.mark.parametrize(
    ("chapter", "parameters", "words"),
    [
        (
            MD,
            {"final_zeros": False},
            ["At 4 KiB the digits allow anything from -60 to +30 %", "76 to 80 ns, fits all sizes"],
        ),
        (
            VOS,
            {"reference": "DAOS-1078", "level": 0.3},
            ["Change of the rate from DAOS-1078", "it takes at least 3 runs", "enough for 0.3"],
        ),
        (GAINS, {"submission": "0688"}, ["0688 reports no random reads", "4 to 21 s"]),
        (GAINS, {"submission": "0740"}, ["Submission 0740", "276.9 % of the bandwidth of its own"]),
        # no nodes, no object class, no list
        (
            LIMITS,
            {"submission": "0746"},
            ["is not told", "states no object class", "it is *unverified* here"],
        ),
        (LIMITS, {"submission": "0695"}, ["nothing in it outlives the loss of a target"]),
    ],
)
def test_it_says_what_holds(chapter, parameters, words):
    text = said(chapter, parameters)
    for word in words:
        assert word in text
    assert "nan" not in text


@pytest.mark.parametrize(
    ("chapter", "words"),
    [
        # every figure is one sample, and none of a secondary text is called verified
        (MD, ["is one sample"]),
        (VOS, ["**one sample**"]),
        (GAINS, ["no ranking"]),
        (LIMITS, ["It is a single run.", "*unverified*"]),
    ],
)
def test_one_sample_is_called_one(chapter, words):
    text = (ROOT / "notebooks" / f"{chapter}.ipynb").read_text(encoding="utf-8")
    assert all(word in text for word in words)
