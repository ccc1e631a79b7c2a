"""Run the committed notebooks again and say which numbers moved."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

_NUMERAL = re.compile(r"(?<![\w.])[-−+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_DRAWING = "application/vnd.vegalite.v5+json"


@dataclass(frozen=True)
class Moved:
    """A number that was, and what stands in its place; None where one has no partner.

    Attributes
    ----------
    where
        The cell or the file's line.
    before, after
        The numerals as printed.
    """

    where: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        return f"{self.where}: {self.before or 'nothing'} → {self.after or 'nothing'}"


def numerals(text: str) -> list[str]:
    """The numbers in a text, as printed.

    >>> numerals("ior-easy-write 20,693.63 GiB/s, 1e-3 of -5")
    ['20,693.63', '1e-3', '-5']
    """
    return [match.group().rstrip(",") for match in _NUMERAL.finditer(text)]


def moved(where: str, before: str, after: str) -> Iterator[Moved]:
    """The numbers that differ between two texts, paired in their order."""
    old, new = numerals(before), numerals(after)
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if tag == "equal":
            continue
        for k in range(max(i2 - i1, j2 - j1)):
            yield Moved(
                where,
                old[i1 + k] if i1 + k < i2 else None,
                new[j1 + k] if j1 + k < j2 else None,
            )


def _shown(cell: nbformat.NotebookNode) -> str:
    """What a cell prints, and the data that its charts draw."""
    parts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        parts.append(output.get("text") or data.get("text/plain", ""))
        if _DRAWING in data:
            drawing = data[_DRAWING]
            drawn = [drawing.get("datasets"), drawing.get("params")]
            # a file keeps its keys sorted, a run in the order of making
            parts.append(json.dumps(drawn, sort_keys=True))
    return "\n".join(parts)


def moved_in_notebook(
    name: str, before: nbformat.NotebookNode, after: nbformat.NotebookNode
) -> list[Moved]:
    """The numbers that differ between two runs of a notebook, cell by cell."""
    old = {cell.id: _shown(cell) for cell in before.cells}
    return [
        change
        for number, cell in enumerate(after.cells, 1)
        for change in moved(f"{name} cell {number}", old.get(cell.id, ""), _shown(cell))
    ]


def moved_in_tables(before: dict[Path, str], after: dict[Path, str]) -> list[Moved]:
    """The numbers that differ between two states of the tables, line by line."""
    changes: list[Moved] = []
    for path in sorted(set(before) | set(after)):
        old, new = before.get(path, "").splitlines(), after.get(path, "").splitlines()
        for number in range(max(len(old), len(new))):
            was = old[number] if number < len(old) else ""
            now = new[number] if number < len(new) else ""
            if was != now:
                changes += moved(f"{path.name}:{number + 1}", was, now)
    return changes
