"""No measured or derived number is typed into prose: text takes it from the computation.

Read here: every Markdown cell, every page of book/, and the texts in code cells, which become
sentences, titles and captions once their fields are filled. What is allowed stands in
prose_allowed.yml, each phrase with its reason: protocol constants and definitions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
ALLOWED = yaml.safe_load(Path(__file__).with_name("prose_allowed.yml").read_text()) or []

_SMALL = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_WORDS = f"{_SMALL}|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million"
_COUNTED = (
    "phases?|servers?|nodes?|clients?|process(?:es)?|targets?|engines?|NICs?|SSDs?|drives?|disks?|"
    "cores?|sockets?|files?|runs?|submissions?|systems?|seconds?|minutes?|hours?|days?|samples?|"
    "accelerators?|GPUs?|hosts?|lists?|places?|ranks?|points?|percent|per cent|times|orders"
)
_UNIT = (
    r"%|‰|×|x\b|[KMGTPE]i?B(?:/s|ps)?\b|[KMGT]b(?:it)?/s\b|B(?:/s)?\b|[kMG]?IOP/?S\b|[kMG]?IOP/s\b|"
    r"(?:ms|µs|us|ns|s|min|h)\b|[kMG]Hz\b|[kM]?W\b|[kM](?:files|ops)/s\b|fold\b"
)
PATTERNS = {
    "a number with a unit": rf"(?<!\w)\d[\d,.]*(?:\s?(?:{_UNIT})|[\s-](?:{_COUNTED})\b)",
    "a decimal": r"(?<![\w.])\d+\.\d+(?![\w.]*\w)",
    "a number with separators": r"(?<![\w.,])\d{1,3}(?:[,  ]\d{3})+(?!\w)",
    "a ratio": r"(?<![\w:/])\d+\s?(?::|/|in|of|out of)\s?\d+(?![\w:/])",
    "a number in words": rf"\b(?:{_WORDS})[\s-](?:{_COUNTED})\b",
    "a ratio in words": (
        rf"\b(?:half|halves|halved|thirds?|quarters?|tenths?|twice|thrice|(?:{_WORDS})fold|"
        rf"doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl\w+|dozens?|hundreds|thousands|"
        rf"millions|one in (?:{_WORDS})|(?:{_WORDS}) (?:of|out of) (?:the )?(?:{_WORDS}))\b"
    ),
    "a rank in words": (
        r"\b(?:fastest|slowest|highest|lowest|largest|smallest|biggest|leads? (?:all|the list)|"
        rf"(?:first|second|third|last) (?:in|of|among|on) (?:all|every|both|the (?:{_WORDS}))|"
        rf"(?:in |of )?all (?:{_SMALL})|order of magnitude|orders of magnitude)\b"
    ),
}
_COMPILED = {name: re.compile(pattern, re.I) for name, pattern in PATTERNS.items()}
# a unit's letters matter: 5 S is no time, 3 mb no size
_COMPILED["a number with a unit"] = re.compile(PATTERNS["a number with a unit"])

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.M | re.S)
# addresses, roles, markup; and the sections of a source, which are names
_NOT_READ = re.compile(
    r"\]\([^)]*\)|\{[a-z]+\}`[^`]*`|https?://\S+|<[^>]*>"
    r"|\b[Ss]ections?\s\d(?:\.\d)?(?:(?:,| to| and)\s\d(?:\.\d)?\b)*(?![\d.]*\d)"
)
# names of tables, columns and tags; a numeral is none
_IDENTIFIER = re.compile(r"[a-z][\w-]*|\d\d-[a-z-]+")
_FIELD = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Found:
    kind: str
    text: str
    around: str

    def __str__(self) -> str:
        return f"{self.kind}, {self.text!r}, in “{self.around}”"


def findings(text: str, allowed: list[str] | None = None) -> Iterator[Found]:
    """What says a number in a text, less what stands in an allowed phrase of it."""
    text = _NOT_READ.sub(" ", text)
    spans = [m.span() for p in allowed or [] for m in re.finditer(re.escape(p), text)]
    for kind, pattern in _COMPILED.items():
        for match in pattern.finditer(text):
            if any(start <= match.start() and match.end() <= end for start, end in spans):
                continue
            around = text[max(0, match.start() - 30) : match.end() + 30]
            yield Found(kind, match.group(), " ".join(around.split()))


def texts_in_code(source: str) -> list[str]:
    """The texts of a code cell, without their fields: what a reader will see of them."""
    tree = ast.parse(source)
    sections = {
        id(one)
        for call in ast.walk(tree)
        if isinstance(call, ast.keyword) and call.arg == "sections"
        for one in ast.walk(call)
    }
    return [
        _FIELD.sub(" ", node.value.replace("{{", " ").replace("}}", " "))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in sections
        and not _IDENTIFIER.fullmatch(node.value)
    ]


def prose() -> Iterator[tuple[str, str]]:
    """(where, text) of everything that is read here."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for number, cell in enumerate(nbformat.read(path, as_version=4).cells, 1):
            where = f"{path.name} cell {number}"
            if cell.cell_type == "markdown":
                yield where, _FENCE.sub(" ", cell.source)
            elif "parameters" not in cell.metadata.get("tags", []):
                for text in texts_in_code(cell.source):
                    yield where, text
    for path in sorted((ROOT / "book").glob("*.md")):
        yield path.name, _FENCE.sub(" ", path.read_text(encoding="utf-8"))


PROSE = list(prose())


def allowed_in(where: str) -> list[str]:
    return [row["phrase"] for row in ALLOWED if row.get("where", "") in where]


@pytest.mark.parametrize("where", sorted({where for where, _ in PROSE}))
def test_no_number_is_typed(where):
    texts = [text for place, text in PROSE if place == where]
    found = [str(f) for text in texts for f in findings(text, allowed_in(where))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("row", ALLOWED, ids=lambda row: row["phrase"])
def test_allowed_phrase_is_needed_and_explained(row):
    assert row["why"]
    assert any(
        row.get("where", "") in where and row["phrase"] in _NOT_READ.sub(" ", text)
        for where, text in PROSE
    ), "no text holds it any more"
    assert list(findings(row["phrase"])), "it needs no allowance"


@pytest.mark.parametrize(
    "text",
    [
        "writes at 20,693.63 GiB/s",
        "writes at 20693 GiB/s",
        "a gap of 7.4 %",
        "a gap of 47%",
        "about 300 s long",
        "62,400 processes",
        "on 300 nodes",
        "is 3× as fast",
        "is 3x as fast",
        "a ratio of 19:1",
        "in 11 of 12 phases",
        "costs half of the bandwidth",
        "twice as many",
        "a tenfold gain",
        "Tenfold more",
        "three times as fast",
        "first in all twelve",
        "fifty per cent",
        "one in five runs",
        "doubled between the lists",
        "the fastest phase",
        "two orders of magnitude",
        "three quarters of it",
        "score 32165.93",
        "takes `5.72 TB/s`",
        "of 1 234 567 files",
        "in section 3.1, 4.91 times",
    ],
)
def test_a_typed_number_is_noticed(text):
    assert list(findings(text))


@pytest.mark.parametrize(
    "text",
    [
        "IO500 and the 10 Node list of ISC26",
        "source 000, chapter 3.1.2, and section 4",
        "in the year 2026",
        "the phases of a run",
        "GiB/s against GB/s",
        "[the table](data/3.5GB.csv)",
        "RF0 and RF2 with EC_16P2GX",
        "a second reading",
        "{value:.2f} GiB/s",
        "IO500 runs two benchmarks",
        "Claims of sections 1.1 to 1.3 and 3.3 of source 000",
    ],
)
def test_a_name_is_no_number(text):
    assert list(findings(_FIELD.sub(" ", text))) == []


def test_an_allowed_phrase_allows_nothing_else():
    assert list(findings("300 s is a rule", ["300 s is a rule"])) == []
    assert list(findings("300 s is a rule, 400 s is not", ["300 s is a rule"]))


def test_texts_of_code_are_read_without_their_fields():
    assert texts_in_code('show.say("it is {x:.2f} GiB/s, 3 % more", x=1)') == [
        "it is   GiB/s, 3 % more"
    ]


def test_identifiers_and_sections_in_code_are_names():
    source = 'tables.load("io500-ten-node-isc26"); ledger.shown("000", sections=["1.1"])'
    assert texts_in_code(source) == ["000"]
    assert texts_in_code('show.say("20,693.63")') == ["20,693.63"]


def test_code_blocks_are_not_prose():
    assert _FENCE.sub(" ", "a\n```\nior -b 3 GiB\n```\nb") == "a\n \nb"
