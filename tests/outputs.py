"""Outputs of benchmark tools for the readers' tests, and how to look into what was read."""

from __future__ import annotations

from pathlib import Path

from storagebook.readers.measurements import Measurement
from storagebook.readers.printed import Reading

FIXTURES = Path(__file__).parent / "fixtures"
SAMPLES = Path(__file__).parents[1] / "data" / "samples"


def text_of(tool: str, name: str) -> str:
    """A fixture's text."""
    return (FIXTURES / tool / name).read_text()


def edited(text: str, *changes: tuple[str, str]) -> bytes:
    """Text with replacements, each of which has to change something, as bytes."""
    for old, new in changes:
        assert old in text, f"{old!r} is not in the text"
        text = text.replace(old, new)
    return text.encode()


def rows(reading: Reading, **wanted: object) -> list[Measurement]:
    """The rows that have the wanted attributes or settings."""
    return [
        m
        for m in reading.measurements
        if all(getattr(m, k, m.settings.get(k)) == v for k, v in wanted.items())
    ]


def one(reading: Reading, **wanted: object) -> Measurement:
    """The one row that has the wanted attributes or settings."""
    (row,) = rows(reading, **wanted)
    return row


def codes(reading: Reading) -> list[str]:
    return [f.code for f in reading.findings]


def errors(reading: Reading) -> list[str]:
    """Codes of the findings that make an exit status of 1."""
    return [f.code for f in reading.findings if f.severity == "error"]
