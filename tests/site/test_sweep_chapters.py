"""The chapters on a sweep and on the checklist hold for whatever a reader has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from storagebook.site import execute

ROOT = Path(__file__).parents[2]
FIXTURES = "tests/fixtures"
SAMPLES = ROOT / "data" / "samples" / "outputs"
SWEEP, CHECKLIST = "42-your-sweep", "43-evaluation-checklist"


def said(chapter: str, parameters: dict) -> str:
    """All that a chapter shows, as plain text."""
    path = ROOT / "notebooks" / f"{chapter}.ipynb"
    done = execute.execute_all({path: parameters}, folder=ROOT)[path]
    outputs = (o for cell in done.cells if cell.cell_type == "code" for o in cell.outputs)
    text = "\n".join(output.data["text/plain"] for output in outputs)
    assert "nan" not in text.lower()
    return text


NO_SIZES = "No points of these files differ in their transfer size"
NO_FLIGHT = "No points of these files differ in their requests in flight"


@pytest.mark.parametrize(
    ("chapter", "path", "words"),
    [
        (SWEEP, f"{FIXTURES}/ior/3.0.txt", [NO_SIZES, "the files do not sweep it"]),
        (SWEEP, f"{FIXTURES}/ior/4.1-killed.txt", ["one sample", NO_SIZES, "error"]),
        (SWEEP, f"{FIXTURES}/fio", ["fio 14", "ended with error 5", NO_SIZES, NO_FLIGHT]),
        (SWEEP, f"{FIXTURES}/mdtest", ["The files hold no bandwidth", NO_SIZES]),
        (SWEEP, f"{FIXTURES}/iozone", ["Each level is one sample", "(benchmark)"]),
        (SWEEP, f"{FIXTURES}/io500/standard", ["io500 12", "whose figures the result states"]),
        (SWEEP, "data/samples", ["io500", "ior write", "Beside it stands"]),
        (
            SWEEP,
            f"{FIXTURES}/mlperf_storage/v1.0",
            ["hold no bandwidth and no rate", "mlperf-storage"],
        ),
        (CHECKLIST, "data/samples/outputs", ["no IO500 run", "5 levels of ior write"]),
        (CHECKLIST, f"{FIXTURES}/io500/log-2017/2048-8.227609.out", ["the files do not tell"]),
        (CHECKLIST, f"{FIXTURES}/io500/standard", ["around it: DFS", "erasure code"]),
        (CHECKLIST, f"{FIXTURES}/fio", ["no IO500 run", "ended with error 5"]),
        (CHECKLIST, f"{FIXTURES}/mlperf_storage/v1.0", ["a result is under the path"]),
    ],
)
def test_it_says_what_holds(chapter, path, words):
    text = said(chapter, {"results" if chapter == SWEEP else "result": path})
    for word in words:
        assert word in text


def test_concurrency(tmp_path):
    """A sweep of fio's queue depth: 1, 8 and 32 of two jobs, the last no better than the second."""
    for depth, factor in ((1, 0.25), (8, 1), (32, 1.02)):
        found = json.loads((SAMPLES / "fio-randread.json").read_text())
        (job,) = found["jobs"]
        job["job options"]["iodepth"] = str(depth)
        for name in ("bw_bytes", "io_bytes", "total_ios"):
            job["read"][name] = int(job["read"][name] * factor)
        job["read"]["bw"] = job["read"]["bw_bytes"] // 1024
        job["read"]["iops"] *= factor
        (tmp_path / f"depth-{depth}.json").write_text(json.dumps(found))
    text = said(SWEEP, {"results": str(tmp_path)})
    assert "Bandwidth of fio read comes within 10 % of its best at 16" in text
    assert "comes at 64; 16 is the first level within 10 % of it." in text
    assert "Not alike along the way: queue depth: 1, 8, 32." in text
    # the paper's threshold is of one process
    assert "not compared (metric)" in text
    assert NO_FLIGHT not in text
