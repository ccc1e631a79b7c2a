"""The matrix of comparisons as pages show it: a grid, and every pair in words below it.

Both are whole without a script: each cell of the grid leads to its pair. ``sb-compare.js`` adds a
choice of two figures, and tells a cell's reason beside the grid. Everything shown is escaped.
"""

from __future__ import annotations

import html
import itertools
from collections.abc import Sequence
from typing import Any

import pandas as pd
from IPython.display import display

from storagebook import show
from storagebook.errors import one_line
from storagebook.systems.judged import MEANS, Pair, Status
from storagebook.systems.known import Known, Set, frame_of, slug

_LIMIT = 4_000
# One letter a status in the grid's text twin.
_LETTERS = {
    Status.STANDS: "S",
    Status.NAMED: "n",
    Status.STUDY: "s",
    Status.UNKNOWN: "?",
    Status.REFUSED: "x",
}


def matrix(
    figures: Sequence[Known],
    pairs: Sequence[Pair],
    *,
    start: tuple[str, str],
    caption: str,
    csv: str,
) -> None:
    """Show figures against figures, each cell with what may be done, and why.

    Parameters
    ----------
    figures
        In the order of rows and columns.
    pairs
        As `storagebook.systems.judged.pairs` gives them for these figures.
    start
        Keys of the pair that is chosen at first.
    caption
        What the grid holds.
    csv
        Name of the CSV file of all pairs, without its suffix; that of the figures has
        ``-figures`` added.
    """
    metadata: dict[str, Any] = {
        show.METADATA_KEY: {
            "csv": {
                csv: show.to_csv(frame(pairs)),
                f"{csv}-figures": show.to_csv(frame_of(figures)),
            }
        }
    }
    display(
        {
            "text/html": _html(figures, pairs, start, caption),
            "text/plain": _text(figures, pairs, caption),
        },
        raw=True,
        metadata=metadata,
    )


def frame(pairs: Sequence[Pair]) -> pd.DataFrame:
    """All pairs: the two figures, their sets, ``status``, ``rule``, ``asked_by``, ``ratio``,
    ``reason``."""
    rows = [
        (
            p.a.figure.name,
            p.a.what,
            str(p.a.set),
            p.b.figure.name,
            p.b.what,
            str(p.b.set),
            str(p.status),
            p.rule,
            p.policy,
            p.ratio,
            p.reason,
        )
        for p in pairs
    ]
    columns = ["a", "a_what", "a_set", "b", "b_what", "b_set"]
    columns += ["status", "rule", "asked_by", "ratio", "reason"]
    return pd.DataFrame(rows, columns=columns)


def _html(
    figures: Sequence[Known], pairs: Sequence[Pair], start: tuple[str, str], caption: str
) -> str:
    label = _escaped(caption)
    by_keys = {(p.a.key, p.b.key): p for p in pairs}
    by_keys |= {(p.b.key, p.a.key): p for p in pairs}
    numbers = {one.key: number for number, one in enumerate(figures, 1)}
    head = "".join(
        f'<th scope="col"{_first_of_set(figures, one)}>'
        f'<abbr title="{_escaped(one.label)}, {_escaped(one.what)}">{numbers[one.key]}</abbr></th>'
        for one in figures
    )
    body = "\n".join(
        f"{_set_row(figures, one)}<tr>{_row_head(numbers, one)}"
        + "".join(
            _cell(by_keys.get((one.key, other.key)), _first_of_set(figures, other))
            for other in figures
        )
        + "</tr>"
        for one in figures
    )
    legend = "".join(
        f'<li><span class="sb-mark" data-status="{slug(status)}"></span>'
        f"<span><strong>{status}</strong> ({sum(p.status is status for p in pairs)}): "
        f"{_escaped(MEANS[status])}</span></li>"
        for status in Status
    )
    return (
        f'<div class="sb-compare" data-first="{_escaped(start[0])}" '
        f'data-second="{_escaped(start[1])}">\n'
        f'<ul class="sb-legend">{legend}</ul>\n'
        f"<p>On a narrow screen the grid scrolls sideways.</p>\n"
        f'<div class="sb-table sb-matrix" role="region" aria-label="{label}" tabindex="0">\n'
        f"<table>\n<caption><span>{label}</span></caption>\n"
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>\n"
        f"{_list(pairs)}\n</div>"
    )


def _first_of_set(figures: Sequence[Known], one: Known) -> str:
    """A class for the column that begins a set."""
    first = next(other for other in figures if other.set is one.set)
    return ' class="sb-begins"' if first is one else ""


def _set_row(figures: Sequence[Known], one: Known) -> str:
    if not _first_of_set(figures, one):
        return ""
    return (
        f'<tr class="sb-set"><th scope="rowgroup" colspan="{len(figures) + 1}">'
        f"<span>{_escaped(str(one.set))}</span></th></tr>\n"
    )


def _row_head(numbers: dict[str, int], one: Known) -> str:
    first, second = _short_name(one)
    return (
        f'<th scope="row" data-key="{_escaped(one.key)}" data-set="{_escaped(str(one.set))}" '
        f'data-name="{_escaped(_choice(one))}"><span class="sb-number">{numbers[one.key]}</span>'
        f'<span class="sb-who"><b>{_escaped(first)}</b> <i>{_escaped(second)}</i>'
        f"<em>{_escaped(one.what)}</em></span></th>"
    )


def _short_name(one: Known) -> tuple[str, str]:
    """System and where it stands; of MLPerf v1.0, whose names are long, the submitter first."""
    place = (one.place or "").partition(",")[0]
    if one.system is None:
        return place, ""
    return (place, one.system) if one.set is Set.V10 else (one.system, place)


def _choice(one: Known) -> str:
    """A figure as the choice of two names it."""
    return f"{one.figure.name}: {one.what}, {one.shown}"


def _cell(found: Pair | None, begins: str) -> str:
    if found is None:
        return f"<td{begins}><span class='sb-hidden'>itself</span></td>"
    return (
        f'<td{begins}><a class="sb-mark" data-status="{slug(found.status)}" '
        f'href="#{_address(found)}">'
        f'<span class="sb-hidden">{_escaped(found.short)}</span></a></td>'
    )


def _list(pairs: Sequence[Pair]) -> str:
    """Every pair in words, folded by its first figure."""
    folds = []
    for _, group in itertools.groupby(pairs, key=lambda p: p.a.key):
        own = list(group)
        rows = "\n".join(
            f'<tr id="{_address(p)}" data-a="{_escaped(p.a.key)}" data-b="{_escaped(p.b.key)}" '
            f'data-status="{slug(p.status)}"><th scope="row">{_escaped(p.b.label)}, '
            f'{_escaped(p.b.what)}</th><td class="sb-status">'
            f'<span class="sb-mark" data-status="{slug(p.status)}"></span>{_escaped(p.short)}</td>'
            f'<td class="sb-reason">{_reason(p)}</td></tr>'
            for p in own
        )
        one = own[0].a
        folds.append(
            f"<details><summary>{_escaped(one.label)}, {_escaped(one.what)}</summary>\n"
            f'<table class="sb-pairs"><thead><tr><th scope="col">with</th>'
            f'<th scope="col">may be compared?</th><th scope="col">why</th></tr></thead>\n'
            f"<tbody>\n{rows}\n</tbody></table></details>"
        )
    inner = "\n".join(folds)
    return (
        '<details class="sb-every-pair"><summary>Every pair in words</summary>\n'
        f"{inner}\n</details>"
    )


def _reason(found: Pair) -> str:
    return "".join(
        f"<p>{f'<b>{_escaped(head)}:</b> ' if head else ''}{_escaped(text)}</p>"
        for head, text in found.parts()
    )


def _address(found: Pair) -> str:
    return f"pair-{found.a.key}--{found.b.key}"


def _text(figures: Sequence[Known], pairs: Sequence[Pair], caption: str) -> str:
    letters = {frozenset((p.a.key, p.b.key)): _LETTERS[p.status] for p in pairs}
    names = [_choice(one) for one in figures]
    lines = [
        one_line(caption),
        ", ".join(f"{letter} {status}" for status, letter in _LETTERS.items()),
        "",
    ]
    lines += [
        "".join(letters.get(frozenset((one.key, other.key)), ".") for other in figures)
        + f"  {one_line(name)}"
        for one, name in zip(figures, names, strict=True)
    ]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return html.escape(one_line(text, limit=_LIMIT))
