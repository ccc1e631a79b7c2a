"""Is every number of the sources in the ledger? Lists each numeral with its row, or with why not.

    python tests/completeness.py [SOURCE …] [--open]

A numeral is a group of digits, a Chinese numeral (traditional and 亿/万 included), or an English
number word in the English sources. It is covered by

1. a word of fixtures/completeness/words.csv that it is part of: a name, or a compound that counts
   nothing;
2. the ledger's row on its line whose printed words hold it and whose value it is; an inference
   covers what is left in its words;
3. a row of fixtures/completeness/reasons.csv: so many of that numeral on that line, and why they
   are no claim.

Anything else is open. Exits with 1 if something is open, or a reason or word fits nothing.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import source_texts
from storagebook import claims
from storagebook.claims import Claim, Kind

TABLES = Path(__file__).parent / "fixtures" / "completeness"
#: Why a numeral is no claim.
REASONS = {
    "heading-number": "number of a heading",
    "list-marker": "number of an item",
    "cross-reference": "number of a section, figure or table",
    "version": "release of a program or document",
    "date": "a date that nothing rests on",
    "identifier": "part of a name",
    "code": "program text, command line, diagram source or a tool's fixed words",
    "formula": "part of a formula that a row covers as a whole",
    "citation": "part of a title or reference",
    "repeated": "said before in the same paragraph, where a row covers it",
    "enumeration": "counts what the sentence or the next lines name one by one",
    "ordinal": "order of what is told",
    "row-label": "names a row of a table whose figures have rows of the ledger",
    "fraction-part": "part of a fraction or ratio that a row covers",
    "unit-part": "part of a unit or of the definition of one",
    "quoted-mistake": "quoted as an example of a mistake",
    "word": "a numeral that counts nothing",
    "illustration": "an example, of nothing that was measured",
    "program-input": "typed into the source's program from its own table, where a row covers it",
}

_HAN = "零〇一二三四五六七八九十百千万亿兩两萬億半双雙"
# a comma after a name or a date separates, it does not group: SC25,192; 2026-10,800
_DIGITS = r"(?:(?<![A-Za-z\d.-])\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?: ?[百千万亿萬億]+)?"
_ENGLISH = r"\b(?:half|twice|one|two|three|four|five|six|ten|single|first|second)\b"
_NUMERAL = re.compile(f"{_DIGITS}|三分之一|[几幾]?[{_HAN}]+")
_NUMERAL_ENGLISH = re.compile(f"{_DIGITS}|{_ENGLISH}", re.IGNORECASE)
_IN_ENGLISH = {"002", "004"}

_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_ONES = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_WORDS = {
    **{"half": 50, "twice": 2, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6},
    **{"ten": 10, "single": 1, "first": 1, "second": 2},
}
_SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6}


@dataclass
class Numeral:
    """One numeral of a source and what covers it."""

    source: str
    line: int
    start: int
    text: str
    after: str
    covers: str = ""
    reason: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def values(self) -> set[Fraction]:
        """What the numeral can stand for."""
        if self.text == "三分之一":
            return {Fraction(3), Fraction(1, 3)}
        if self.text.lower() in _WORDS:
            return {Fraction(_WORDS[self.text.lower()])}
        if not self.text[0].isdigit():
            return _han(self.text)
        digits = re.match(r"[\d,.]+", self.text)[0]
        value = Fraction(digits.replace(",", ""))
        for character in self.text[len(digits) :].strip():
            value *= (_UNITS | _MYRIADS)[character]
        suffix = re.match(r" ?([kKM])(?![iB])", self.after)
        return {value} | ({value * _SUFFIXES[suffix[1]]} if suffix else set())


def _han(text: str) -> set[Fraction]:
    """The values of a Chinese numeral; half, pair and "fold" have their own."""
    if text[0] in "几幾":
        # several tens: at least twenty, or more than ten
        (one,) = _han(text[1:])
        return {one, 2 * one}
    if text[-1] in "半":
        return {Fraction(1, 2), Fraction(50)}
    if text in "双雙":
        return {Fraction(2)}
    total = section = 0
    one = None
    for character in text:
        if character in _ONES:
            one = _ONES[character]
        elif character in _UNITS:
            section += (1 if one is None else one) * _UNITS[character]
            one = None
        else:
            section = (section + (one or 0)) or 1
            total, section, one = (total or 0) + section * _MYRIADS[character], 0, None
    value = Fraction(total + section + (one or 0))
    # 快一倍: faster by one time, so double
    return {value, value + 1} if text == "一" else {value}


@dataclass
class Coverage:
    """Every numeral, and the words and reasons that covered none."""

    numerals: list[Numeral] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    rows_without: list[str] = field(default_factory=list)

    @property
    def open(self) -> list[Numeral]:
        return [n for n in self.numerals if not n.covers and not n.reason]


def numerals(source: str, lines: list[str]) -> Iterator[Numeral]:
    """Every numeral of a text, in order."""
    pattern = _NUMERAL_ENGLISH if source in _IN_ENGLISH else _NUMERAL
    for number, text in enumerate(lines, 1):
        for match in pattern.finditer(text):
            yield Numeral(source, number, match.start(), match[0], text[match.end() :][:4])


def table(name: str) -> list[dict[str, str]]:
    with (TABLES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def coverage() -> Coverage:
    """Assign every numeral of the five sources."""
    result = Coverage()
    rows: dict[tuple[str, int], list[Claim]] = defaultdict(list)
    for claim in claims.load():
        rows[claim.source, claim.line].append(claim)
    used: Counter[str] = Counter()
    words = table("words")
    for source in source_texts.IDS:
        lines = source_texts.lines(source)
        found = list(numerals(source, lines))
        _by_words(found, lines, words, used)
        by_line: dict[int, list[Numeral]] = defaultdict(list)
        for numeral in found:
            by_line[numeral.line].append(numeral)
        for number, text in enumerate(lines, 1):
            result.rows_without += _by_rows(by_line[number], text, rows[source, number])
        result.numerals += found
    result.idle += [f"word {w['word']}" for w in words if not used[w["word"]]]
    result.idle += _by_reasons(result.numerals, table("reasons"))
    return result


def _by_words(
    found: list[Numeral], lines: list[str], words: list[dict[str, str]], used: Counter[str]
) -> None:
    """Cover numerals that are part of a name or of a compound."""
    for number, text in enumerate(lines, 1):
        here = [n for n in found if n.line == number]
        for row in words if here else []:
            word = re.escape(row["word"])
            if row["word"].isascii():
                word = rf"(?<![A-Za-z0-9]){word}(?![A-Za-z0-9])"
            for match in re.finditer(word, text):
                for numeral in here:
                    inside = match.start() <= numeral.start and numeral.end <= match.end()
                    if inside and not numeral.reason:
                        numeral.reason = row["reason"]
                        used[row["word"]] += 1


def _by_rows(here: list[Numeral], text: str, rows: list[Claim]) -> list[str]:
    """Cover the numerals of a line by the ledger's rows; the rows of numbers that cover none."""
    # the shortest words first: they say most exactly which numeral is meant
    numbers = sorted((c for c in rows if c.kind is Kind.NUMBER), key=lambda c: len(c.printed))
    left = []
    for claim in numbers:
        fits = _fitting(claim, here)
        spans = _spans(claim.printed, text)
        inside = [n for n in fits if any(a <= n.start and n.end <= b for a, b in spans)]
        if inside:
            inside[0].covers = claim.id
        else:
            left.append(claim)
    # the printed words of a table cell can be those of its row, the numeral beside them
    for claim in [claim for claim in left if claim.cell]:
        fits = [n for n in _fitting(claim, here) if n.text[0].isdigit()]
        if fits:
            fits[0].covers = claim.id
            left.remove(claim)
    for claim in rows:
        if claim.kind is Kind.INFERENCE:
            spans = _spans(claim.printed, text)
            for numeral in here:
                held = any(a <= numeral.start and numeral.end <= b for a, b in spans)
                if held and not numeral.covers and not numeral.reason:
                    numeral.covers = claim.id
    return [claim.id for claim in left]


def _fitting(claim: Claim, here: list[Numeral]) -> list[Numeral]:
    """The numerals of a line that nothing covers and that have a claim's value."""
    value = abs(Fraction(claim.value.replace(",", "")))
    return [n for n in here if not (n.covers or n.reason) and value in n.values]


def _spans(words: str, text: str) -> list[tuple[int, int]]:
    return [(m.start(), m.end()) for m in re.finditer(re.escape(words), text)]


def _by_reasons(found: list[Numeral], reasons: list[dict[str, str]]) -> list[str]:
    """Cover what is left by the table of reasons; its rows that do not fit exactly."""
    left: dict[tuple[str, int, str], list[Numeral]] = defaultdict(list)
    for numeral in found:
        if not numeral.covers and not numeral.reason:
            left[numeral.source, numeral.line, numeral.text].append(numeral)
    idle = []
    for row in reasons:
        here = left.get((row["source"], int(row["line"]), row["numeral"]), [])
        if len(here) != int(row["count"]) or row["reason"] not in REASONS:
            idle.append(
                f"{row['source']}:{row['line']} {row['numeral']} ×{row['count']} {row['reason']}"
            )
        else:
            for numeral in here:
                numeral.reason = row["reason"]
    return idle


def told(result: Coverage, sources: list[str], *, everything: bool) -> None:
    """Print the numerals, and how many have what."""
    for numeral in result.numerals:
        if sources and numeral.source not in sources:
            continue
        if everything or not (numeral.covers or numeral.reason):
            what = numeral.covers or numeral.reason or "OPEN"
            print(f"{numeral.source}:{numeral.line}:{numeral.start + 1}\t{numeral.text}\t{what}")
    for source in source_texts.IDS:
        own = [n for n in result.numerals if n.source == source]
        rows = sum(bool(n.covers) for n in own)
        why = Counter(n.reason for n in own if n.reason)
        left = sum(not n.covers and not n.reason for n in own)
        reasons = ", ".join(f"{count} {reason}" for reason, count in why.most_common())
        print(f"{source}: {len(own)} numerals, {rows} in rows, {left} open; {reasons}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", metavar="SOURCE")
    parser.add_argument("--open", action="store_true", help="only what nothing covers")
    given = parser.parse_args(arguments)
    result = coverage()
    told(result, given.sources, everything=not given.open)
    for name in result.rows_without:
        print(f"row without a numeral: {name}")
    for name in result.idle:
        print(f"fits nothing, or not so many: {name}")
    return 1 if result.open or result.idle else 0


if __name__ == "__main__":
    sys.exit(main())
