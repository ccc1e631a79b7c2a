"""The chapters on DAOS's design, clients and scale hold for runs unlike the published one."""

from __future__ import annotations

from pathlib import Path

import pytest

from storagebook.site import execute

ROOT = Path(__file__).parents[2]
DESIGN, CLIENTS, SCALE = (
    "20-where-performance-comes-from",
    "21-concurrency-and-interfaces",
    "24-scale-and-capacity",
)


def said(chapter: str, parameters: dict) -> str:
    """All that a chapter shows, as plain text."""
    path = ROOT / "notebooks" / f"{chapter}.ipynb"
    done = execute.execute_all({path: parameters}, folder=ROOT)[path]
    outputs = (o for cell in done.cells if cell.cell_type == "code" for o in cell.outputs)
    return "\n".join(output.data["text/plain"] for output in outputs)


@pytest.mark.parametrize(
    ("chapter", "parameters", "words", "absent"),
    [
        # Lustre, files of its own for each process, itself the third entry
        (
            DESIGN,
            {"submission": "0736"},
            ["another file system, Lustre", "a file of its own", "This run is that third entry"],
            ["one shared file**", "Per server,"],
        ),
        # neither layout, servers nor processes told
        (
            DESIGN,
            {"submission": "0006"},
            ["tells the layout of its", "No source states how many servers", "No file tells how"],
            ["client processes are", "An operation takes"],
        ),
        (
            CLIENTS,
            {"submission": "0006"},
            ["the files of submission 0006 answer 0: 0 met, 0 below"],
            ["Below is no fault"],
        ),
        (
            SCALE,
            {"submission": "0001", "object_class": "RP_3GX"},
            ["usable under RP_3GX", "submission 0001 do not tell by how much"],
            ["*ior-hard-write* of submission 0688 filled"],
        ),
    ],
)
def test_it_says_what_holds(chapter, parameters, words, absent):
    text = said(chapter, parameters)
    for word in words:
        assert word in text
    for word in absent:
        assert word not in text
