"""The chapters on runs hold for runs that are very different from the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from storagebook import paths
from storagebook.site import execute

ROOT = Path(__file__).parents[2]
FIXTURES = "tests/fixtures/io500"
RESULTS = "tests/fixtures/mlperf_storage"
MLPERF = "31-mlperf-storage"
EVERY, YOURS, CHANGED = "14-every-public-submission", "40-your-io500-run", "41-what-changed"


def said(chapter: str, parameters: dict) -> str:
    """All that a chapter shows, as plain text."""
    path = ROOT / "notebooks" / f"{chapter}.ipynb"
    done = execute.execute_all({path: parameters}, folder=ROOT)[path]
    outputs = (o for cell in done.cells if cell.cell_type == "code" for o in cell.outputs)
    return "\n".join(output.data["text/plain"] for output in outputs)


@pytest.mark.parametrize(
    ("chapter", "parameters", "words"),
    [
        # a log without seconds enough, hashes or processes
        (YOURS, {"result": f"{FIXTURES}/shell"}, ["unverified", "No hash is printed"]),
        # units that nobody can explain: no score, no ratio, no percentile
        (
            YOURS,
            {"result": "0109/JCAHPC-17__jcahpc"},
            ["no score to raise", "none of these pairs", "so none is held against others"],
        ),
        (YOURS, {"result": "0688", "scale_factor": 3.0}, ["verified", "rank 1, stated for Aurora"]),
        # two lists: settings are compared, results are not
        (CHANGED, {"a": "0688", "b": "0774"}, ["object class", "list (IO500 messaging policy)"]),
        (
            CHANGED,
            {"a": f"{FIXTURES}/standard", "b": "data/samples/io500-small-vm"},
            ["stonewall", "Beside every ratio below stands", "unverified"],
        ),
        (CHANGED, {"a": "0001", "b": "0109/JCAHPC-17__jcahpc"}, ["unit that no file explains"]),
        # rounds apart: in no table of v1.0, but read, named and marked
        (MLPERF, {"result": f"{RESULTS}/v0.5"}, ["v0.5, OldFS. Result not verified", "in none of"]),
        (MLPERF, {"result": f"{RESULTS}/v1.0"}, ["this result, not verified: Example", "first in"]),
        (MLPERF, {"result": f"{RESULTS}/v2.0"}, ["cannot be judged", "v2.0 and v1.0 are not"]),
        (MLPERF, {"result": f"{RESULTS}/v3.0"}, ["checkpoint of llama3-70b", "on B200"]),
        (EVERY, {"least_procs": 50_000}, ["50,000 processes. Runs: 1;", "files show nothing"]),
    ],
)
def test_it_says_what_holds(chapter, parameters, words):
    text = said(chapter, parameters)
    for word in words:
        assert word in text
    assert "nan" not in text.replace("Renan", "")


def test_a_public_submission_from_its_own_files():
    shared = paths.shared()
    if shared is None:
        pytest.skip("needs the raw files")
    folder = shared / "data" / "io500" / "submission-0750"
    text = said(YOURS, {"result": str(folder)})
    assert "The phases give the printed score" in text
    # its files name no list, so it is called what any reader's run is
    assert "The result is **unverified**" in text
