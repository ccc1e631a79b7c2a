"""The page of the ledger: a block for what does not hold, and a table of all rows.

The table is whole without a script; ``sb-ledger.js`` adds finding and sorting to it. Everything
that is shown is escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from IPython.display import display

from storagebook import corrections, ledger, show
from storagebook.claims import COLUMNS, Judged, Kind
from storagebook.corrections import Mistake
from storagebook.errors import one_line
from storagebook.verdicts import Verdict

#: Choice of `findings` that leaves no source out.
ALL = "all"

_MISTAKES = {
    Mistake.SLIP: "a figure or statement of another thing",
    Mistake.ROUNDING: "digits that do not come from rounding",
    Mistake.MISTRANSLATION: "words or units that the translation changed",
    Mistake.MIXED_UNIT: "two units taken for one",
    Mistake.UNSUPPORTED_INFERENCE: "a conclusion that what is at hand does not bear",
    Mistake.SUPPOSITION: "none: given as a supposition, or as another's words",
}
_LIMIT = 4_000
_LONG_NUMBER = re.compile(r"(?<![\d.])\d{5,}")
# Of so many figures a block tells each.
_TOLD = 4


@dataclass(frozen=True)
class Block:
    """Claims that one sentence corrects: the same mistake, made once or in several places.

    Attributes
    ----------
    judged
        The claims, in the ledger's order; the first speaks for all.
    mistake, quote
        Of the first.
    """

    judged: tuple[Judged, ...]
    mistake: Mistake
    quote: str

    @property
    def about(self) -> str:
        return ledger.about(self.judged[0])

    @property
    def verdict(self) -> Verdict:
        return self.judged[0].verdict

    @property
    def said(self) -> str:
        """What is said; of many figures the first."""
        return _said(self)


def blocks(source: str, verdict: Verdict) -> list[Block]:
    """What is contradicted, or not shown, in the order of the text.

    Parameters
    ----------
    source
        Id of a source, or ``all``.
    verdict
        ``contradicted`` or ``not-shown``.

    Raises
    ------
    StoragebookError
        If the ledger has no claim of the source.
    """
    chosen = ledger.every() if source == ALL else ledger.of(source)
    groups: dict[tuple[str, ...], list[Judged]] = {}
    for one in chosen:
        if one.verdict is verdict:
            groups.setdefault(_alike(one), []).append(one)
    found = []
    for group in groups.values():
        correction = corrections.of(group[0])
        assert correction is not None
        found.append(Block(tuple(group), correction.mistake, correction.quote))
    return found


def _alike(one: Judged) -> tuple[str, ...]:
    """Same for claims of one source that the same check refutes, and one sentence corrects."""
    claim = one.claim
    template = corrections.template(one)
    # a sentence with figures of its own speaks for what has the same figures
    check = claim.check if "{" in template else claim.check.split()[0]
    return claim.source, check, template


def mistakes() -> pd.DataFrame:
    """How many claims have each kind of mistake: a row a kind, a column a source, and ``means``."""
    rows = [
        (one.claim.source, str(correction.mistake))
        for one in ledger.every()
        if (correction := corrections.of(one)) is not None
    ]
    frame = pd.DataFrame(rows, columns=["source", "mistake"])
    kinds = [str(kind) for kind in Mistake]
    table = pd.crosstab(frame.mistake, frame.source).reindex(kinds, fill_value=0)
    table = table.rename_axis(columns=None).reset_index()
    return table.assign(means=list(_MISTAKES.values()))


def corrected(source: str, sections: Sequence[str] | None = None) -> pd.DataFrame:
    """The claims that do not hold, with how to quote each: for the chapter about them.

    Returns
    -------
    pandas.DataFrame
        Columns ``line``, ``said``, ``verdict``, ``mistake`` and ``quote``; what is said leads to
        its row in the ledger.
    """
    found = [(one, corrections.of(one)) for one in ledger.of(source, sections)]
    rows, links = [], []
    for one, correction in found:
        if correction is None:
            continue
        said = ledger.said(one)
        if one.claim.kind is not Kind.INFERENCE:
            said = f"{one.claim.quantity}: {said}"
        rows.append(
            (one.claim.line, said, str(one.verdict), str(correction.mistake), correction.quote)
        )
        links.append(ledger.anchor(one.claim.id))
    frame = pd.DataFrame(rows, columns=["line", "said", "verdict", "mistake", "quote"])
    frame.attrs["links"] = {"said": links}
    return frame


def show_blocks(source: str, verdict: Verdict | str) -> None:
    """Show a short block for each claim of a source, or of all, that has a verdict.

    Raises
    ------
    StoragebookError
        As `blocks`.
    """
    verdict = Verdict(verdict)
    found = blocks(source, verdict)
    if not found:
        show.say("No claim of these is {verdict}.", verdict=str(verdict))
        return
    parts = "\n".join(_block_html(block) for block in found)
    twin = "\n\n".join(_block_text(block) for block in found)
    display(
        {"text/html": f'<div class="sb-findings">\n{parts}\n</div>', "text/plain": twin}, raw=True
    )


def _places(block: Block) -> str:
    """Where the claims stand, each line once."""
    by_source: dict[str, list[str]] = {}
    for one in block.judged:
        by_source.setdefault(one.claim.source, []).append(one.claim.place)
    return "; ".join(
        f"source {source}, {'; '.join(dict.fromkeys(places))}"
        for source, places in by_source.items()
    )


def _said(block: Block) -> str:
    different = len({one.claim.quantity for one in block.judged}) > 1
    said = list(
        dict.fromkeys(
            f"{one.claim.quantity}: {ledger.said(one)}"
            if different and one.claim.kind is Kind.NUMBER
            else ledger.said(one)
            for one in block.judged
        )
    )
    more = len(said) - _TOLD
    return "; ".join(said[:_TOLD]) + (f"; and {more} more" if more > 0 else "")


def _block_lines(block: Block) -> list[tuple[str, str]]:
    """What a block says, by name."""
    first, *others = block.judged
    evidence = first.evidence
    if any(one.evidence != evidence for one in others):
        evidence += " (the first; the others alike)"
    notes = dict.fromkeys(one.claim.note for one in block.judged if one.claim.note)
    return [
        ("Said", block.said),
        ("Where", _places(block)),
        ("Evidence", evidence),
        *((("Note", "; ".join(notes)),) if notes else ()),
        ("Quote it", block.quote),
    ]


def _block_html(block: Block) -> str:
    rows = "\n".join(
        f"<dt>{name}</dt><dd>{_escaped(text)}</dd>" for name, text in _block_lines(block)
    )
    links = " ".join(
        f'<a href="#claim-{_escaped(one.claim.id)}">{_escaped(one.claim.id)}</a>'
        for one in block.judged
    )
    return (
        f'<section class="sb-finding" data-verdict="{block.verdict}">\n'
        f'<p class="sb-finding-head"><strong>{_escaped(block.about)}</strong> '
        f"<span>{block.verdict}: {block.mistake.replace('-', ' ')}</span></p>\n"
        f"<dl>\n{rows}\n</dl>\n"
        f'<p class="sb-finding-rows">{links}</p>\n'
        "</section>"
    )


def _block_text(block: Block) -> str:
    head = f"{block.about} — {block.verdict}: {block.mistake.replace('-', ' ')}"
    lines = [f"  {name}: {one_line(text, limit=_LIMIT)}" for name, text in _block_lines(block)]
    return "\n".join([one_line(head), *lines])


# -- all rows


@dataclass(frozen=True)
class _Column:
    heading: str
    key: str
    sortable: bool = field(default=True)


_TABLE = (
    _Column("claim", "about"),
    _Column("said", "said", sortable=False),
    _Column("found", "found", sortable=False),
    _Column("verdict", "verdict"),
    _Column("place", "place"),
)


def show_every(*, caption: str, csv: str) -> None:
    """Show every row of the ledger as a table that can be searched, filtered and sorted.

    Parameters
    ----------
    caption
        What the table holds.
    csv
        Name of the CSV file that the site offers beside it, without its suffix.
    """
    judged = ledger.every()
    frame = pd.DataFrame([one.record() for one in judged], columns=list(COLUMNS))
    metadata: dict[str, Any] = {show.METADATA_KEY: {"csv": {csv: show.to_csv(frame)}}}
    display(
        {"text/html": _table_html(judged, caption), "text/plain": _table_text(judged, caption)},
        raw=True,
        metadata=metadata,
    )


def _table_html(judged: Sequence[Judged], caption: str) -> str:
    label = _escaped(caption)
    head = "".join(
        f'<th scope="col"{" data-sort" if column.sortable else ""}>{column.heading}</th>'
        for column in _TABLE
    )
    rows = "\n".join(map(_row_html, judged))
    return (
        f'<div class="sb-table sb-ledger" role="region" aria-label="{label}" tabindex="0">\n'
        f"<table>\n<caption><span>{label}</span></caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _row_html(one: Judged) -> str:
    """A row; what tells its cells apart is their place, in the style and the script too."""
    claim = one.claim
    inference = claim.kind is Kind.INFERENCE
    said = "" if inference else ledger.said(one)
    found = "" if inference else _grouped(one.recomputed) or "–"
    about = f"{claim.system}: {claim.quantity}"
    return (
        f'<tr id="claim-{_escaped(claim.id)}"><th scope="row">{_escaped(about)}{_details(one)}</th>'
        f"<td>{_escaped(said)}</td><td>{_escaped(found)}</td><td>{one.verdict}</td>"
        f"<td>{_escaped(claim.locator)}</td></tr>"
    )


def _details(one: Judged) -> str:
    """What a row keeps folded: the evidence, the note, and the chapters that use it."""
    claim = one.claim
    parts = [_escaped(one.evidence)]
    if claim.note:
        parts.append(f"Note: {_escaped(claim.note)}.")
    about = [f"Basis: {claim.basis}, {claim.obtained}."] if claim.basis else []
    chapters = ledger.CHAPTERS.get((claim.source, claim.section), ())
    links = ", ".join(f'<a href="{_escaped(name)}.html">{_escaped(name)}</a>' for name in chapters)
    if links:
        about.append(f"Shown in {links}.")
    parts.append(" ".join([*about, f"<code>{_escaped(claim.id)}</code>"]))
    inner = "".join(f"<p>{part}</p>" for part in parts)
    return f"<details><summary>evidence</summary>{inner}</details>"


def _table_text(judged: Iterable[Judged], caption: str) -> str:
    # a line a verdict: what was said and found stands in the table and in its CSV file
    by_verdict: dict[Verdict, list[str]] = {}
    for one in judged:
        by_verdict.setdefault(one.verdict, []).append(one.claim.id)
    lines = [f"{verdict}: {' '.join(ids)}" for verdict, ids in by_verdict.items()]
    return "\n".join([caption, "", *lines])


def _grouped(text: str) -> str:
    """The thousands of long numbers set apart."""
    return _LONG_NUMBER.sub(lambda match: f"{int(match[0]):,}", text)


def _escaped(text: str) -> str:
    return html.escape(one_line(text, limit=_LIMIT))
