"""What a notebook cell shows: a computed sentence, a table, a chart.

Each output carries a plain-text twin, holds no id, path or time, and treats every value that comes
from data as text, never as markup.
"""

from __future__ import annotations

import html
import math
import re
import string
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import pandas as pd
from IPython.display import display

from storagebook import charts, paths
from storagebook.errors import StoragebookError, one_line
from storagebook.printable import as_cell

#: Key of this package's part of an output's metadata: ``{"csv": {name: text}}``, the files that the
#: site offers beside the output.
METADATA_KEY = "storagebook"
#: Printed where a table has no value.
MISSING = "–"
#: A cell of up to so many characters stays on one line: "mdtest-easy-delete".
_SHORT = 18
#: A column of more characters on average is wide, so that its cells do not become towers.
_LONG = 40

_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#$~|&^@!\"']")
_LINE_START = re.compile(r"^(\d*)([-+=:%().])")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def escape_markdown(text: object) -> str:
    """Text as MyST that renders as itself, on one line.

    >>> escape_markdown("<b>[x](y)</b>")
    '\\\\<b\\\\>\\\\[x\\\\](y)\\\\</b\\\\>'
    """
    escaped = _MARKDOWN.sub(r"\\\g<0>", one_line(text).strip())
    return _LINE_START.sub(r"\1\\\2", escaped)


def is_missing(value: object) -> bool:
    """Whether a cell holds no value: None, NaN, NaT or NA."""
    return value is None or value is pd.NA or value is pd.NaT or value != value


class _Sentence(string.Formatter):
    """str.format for sentences: every number's form is chosen, every text is escaped."""

    def __init__(self, escape: bool) -> None:
        self.escape = escape

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if not isinstance(key, str) or key not in kwargs:
            raise StoragebookError(f"the sentence asks for {{{key}}}, which it is not given")
        if is_missing(kwargs[key]):
            raise StoragebookError(f"the sentence is given no value for {{{key}}}")
        return kwargs[key]

    def check_unused_args(
        self, used_args: set[int | str], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        if unused := sorted(set(kwargs) - used_args):
            raise StoragebookError(f"the sentence does not use {', '.join(unused)}")

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Integral) and not isinstance(value, bool):
            return format(int(value), format_spec)
        if isinstance(value, Real) and not isinstance(value, bool):
            if not format_spec:
                raise StoragebookError(
                    f"the sentence prints {value!r} without a format", hint="write {name:.2f}"
                )
            return format(float(value), format_spec)
        text = format(str(value), format_spec)
        return escape_markdown(text) if self.escape else one_line(text)


def say(template: str, /, **values: object) -> None:
    """Show a sentence whose values are computed.

    Parameters
    ----------
    template
        Markdown in the style of ``str.format``: ``"{bw:.2f} GiB/s on {system}"``. Literal braces
        are doubled.
    values
        Numbers, each with a format unless it is an integer, and texts, which are escaped.

    Raises
    ------
    StoragebookError
        If a value is missing, not a number (NaN), unused, or a float without a format: a sentence
        with a hole in it is not shown.
    """
    display(
        {
            "text/markdown": _Sentence(escape=True).format(template, **values),
            "text/plain": _Sentence(escape=False).format(template, **values),
        },
        raw=True,
    )


def _cell(value: object, spec: str | None, missing: str) -> str:
    if is_missing(value):
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    return one_line(spec.format(value) if spec else value)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True


def _is_numeric(column: pd.Series) -> bool:
    """Numbers, or numerals kept as printed: both line up on the right."""
    if pd.api.types.is_bool_dtype(column):
        return False
    if pd.api.types.is_numeric_dtype(column):
        return True
    present = [value for value in column if not is_missing(value)]
    return bool(present) and all(isinstance(v, Real) or _is_number(str(v)) for v in present)


def _mean_length(texts: Sequence[str]) -> float:
    return sum(map(len, texts)) / len(texts)


def _html_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    caption: str,
    links: Mapping[int, Sequence[str]],
) -> str:
    classes = [
        "sb-num" if is_numeric else "sb-long" if _mean_length(column) > _LONG else ""
        for is_numeric, column in zip(numeric, zip(*rows, strict=True), strict=True)
    ]

    def cell(tag: str, text: str, kind: str, extra: str = "", link: str = "") -> str:
        kind = kind or ("sb-short" if len(text) <= _SHORT else "")
        extra += f' class="{kind}"' if kind else ""
        extra += ' style="text-align:right"' if kind == "sb-num" else ""
        inner = html.escape(text)
        if link:
            inner = f'<a href="{html.escape(link)}">{inner}</a>'
        return f"<{tag}{extra}>{inner}</{tag}>"

    def row(number: int, cells: Sequence[str]) -> str:
        to = [links[i][number] if i in links else "" for i in range(len(cells))]
        first = (
            cell("td", cells[0], classes[0], link=to[0])
            if numeric[0]
            else cell("th", cells[0], classes[0], ' scope="row"', to[0])
        )
        others = zip(cells[1:], classes[1:], to[1:], strict=True)
        return first + "".join(cell("td", text, kind, link=link) for text, kind, link in others)

    head = "".join(
        cell("th", *heading, ' scope="col"') for heading in zip(headings, classes, strict=True)
    )
    label = html.escape(caption)
    return "\n".join(
        [
            f'<div class="sb-table" role="region" aria-label="{label}" tabindex="0">',
            "<table>",
            f"<caption><span>{label}</span></caption>",
            f"<thead><tr>{head}</tr></thead>",
            "<tbody>",
            *(f"<tr>{row(number, cells)}</tr>" for number, cells in enumerate(rows)),
            "</tbody>",
            "</table>",
            "</div>",
        ]
    )


def _text_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], caption: str
) -> str:
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    lines = [
        "  ".join(
            text.rjust(width) if is_numeric else text.ljust(width)
            for text, width, is_numeric in zip(cells, widths, numeric, strict=True)
        ).rstrip()
        for cells in [headings, *rows]
    ]
    return "\n".join([caption, "", *lines])


def _safe(value: object) -> object:
    return as_cell(value) if isinstance(value, str) else value


def to_csv(frame: pd.DataFrame) -> str:
    """A frame as CSV for readers: UTF-8, ten significant digits, no formulas, no index."""
    return (
        frame.map(_safe)
        .rename(columns=_safe)
        .to_csv(index=False, lineterminator="\n", float_format="%.10g")
    )


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise StoragebookError(
            f"{name!r} is no name for a file", hint="use lower-case words joined by hyphens"
        )
    return name


def table(
    frame: pd.DataFrame,
    *,
    caption: str,
    formats: Mapping[str, str] | None = None,
    headings: Mapping[str, str] | None = None,
    missing: str = MISSING,
    csv: str | None = None,
) -> None:
    """Show a frame as a table; its index is not shown.

    Parameters
    ----------
    frame
        The rows, at least one, and columns in the order in which they are shown. Where its
        ``attrs["links"]`` names a column, the cells of that column lead to the addresses there, one
        a row.
    caption
        What the table holds, as plain text.
    formats
        Column → ``str.format`` template, e.g. ``{"bw_gib_s": "{:,.2f}"}``; every column of floats
        needs one.
    headings
        Column → heading, where it differs from the column's name.
    missing
        Shown for None and NaN.
    csv
        Name of the CSV file that the site offers beside the table, without its suffix; the numbers
        in it are unrounded, under the frame's own column names.

    Raises
    ------
    StoragebookError
        If the frame is empty, a format names no column, or a column of floats has no format.
    """
    formats, headings = dict(formats or {}), dict(headings or {})
    columns = [str(column) for column in frame.columns]
    if frame.empty:
        raise StoragebookError(f"the table {caption!r} has no rows")
    if unknown := sorted((set(formats) | set(headings)) - set(columns)):
        raise StoragebookError(
            f"the table {caption!r} has no column {', '.join(unknown)}",
            hint=f"it has {', '.join(columns)}",
        )
    bare = [c for c in columns if pd.api.types.is_float_dtype(frame.dtypes[c]) and c not in formats]
    if bare:
        raise StoragebookError(
            f"the table {caption!r} has no format for {', '.join(bare)}",
            hint='give formats={"column": "{:,.2f}"}',
        )
    numeric = [_is_numeric(frame[column]) for column in columns]
    shown = [headings.get(column, column) for column in columns]
    rows = [
        [_cell(v, formats.get(c), missing) for c, v in zip(columns, values, strict=True)]
        for values in frame.itertuples(index=False, name=None)
    ]
    linked = frame.attrs.get("links", {})
    links = {columns.index(column): linked[column] for column in linked if column in columns}
    metadata: dict[str, Any] = {}
    if csv is not None:
        metadata[METADATA_KEY] = {"csv": {_checked_name(csv): to_csv(frame)}}
    display(
        {
            "text/html": _html_table(shown, rows, numeric, caption, links),
            "text/plain": _text_table(shown, rows, numeric, caption),
        },
        raw=True,
        metadata=metadata,
    )


def _rounded(value: Any) -> Any:
    """Floats to ten significant digits: the last ones differ between processors."""
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_rounded(v) for v in value]
    if isinstance(value, float):
        return float(f"{value:.10g}") if math.isfinite(value) else None
    return value


def _numbered_datasets(spec: dict[str, Any]) -> dict[str, Any]:
    """Datasets named by their order, where altair names them by a hash of unrounded numbers."""
    names = {old: f"data-{i}" for i, old in enumerate(spec.get("datasets", {}), 1)}

    def renamed(node: Any) -> Any:
        if isinstance(node, list):
            return [renamed(child) for child in node]
        if not isinstance(node, dict):
            return node
        if set(node) == {"name"}:
            return {"name": names.get(node["name"], node["name"])}
        return {k: v if k == "datasets" else renamed(v) for k, v in node.items()}

    spec = renamed(spec)
    if names:
        spec["datasets"] = {names[old]: rows for old, rows in spec["datasets"].items()}
    return spec


def chart(chart: charts.Figure, *, title: str, description: str, name: str) -> None:
    """Show a chart, drawn by JupyterLab and by the site from the same specification.

    Parameters
    ----------
    chart
        An altair chart, or a Vega-Lite specification.
    title
        The finding, computed or true for every input; the site prints it as the caption.
    description
        What is drawn, for those who do not see it.
    name
        Unique on its page, e.g. ``aurora-phases``: the chart's link and its CSV file's name.

    Raises
    ------
    StoragebookError
        If title, description or name is missing.
    """
    if not (title.strip() and description.strip()):
        raise StoragebookError("a chart needs a title and a description", hint=f"chart {name!r}")
    spec = dict(chart) if isinstance(chart, dict) else chart.to_dict()
    spec = _numbered_datasets(_rounded(spec))
    _checked_name(name)
    files = {
        name if number == 1 else f"{name}-{number}": to_csv(pd.DataFrame(rows))
        for number, rows in enumerate(spec.get("datasets", {}).values(), 1)
    }
    spec["config"] = charts.THEME
    spec["title"] = {"text": title}
    spec["description"] = description
    spec["usermeta"] = {**spec.get("usermeta", {}), "name": name}
    display(
        {charts.MIME: spec, "text/plain": f"Chart: {one_line(title)}\n{one_line(description)}"},
        raw=True,
        metadata={METADATA_KEY: {"csv": files}},
    )


def diagram(name: str, *, description: str) -> None:
    """Show a drawing of book/diagrams/, inlined so that it takes the page's font and colours.

    Parameters
    ----------
    name
        The file's name without ``.svg``.
    description
        What is drawn, for those who do not see it.

    Raises
    ------
    StoragebookError
        If there is no such drawing, or no description.
    """
    if not description.strip():
        raise StoragebookError("a diagram needs a description", hint=f"diagram {name!r}")
    file = paths.root() / "book" / "diagrams" / f"{_checked_name(name)}.svg"
    if not file.is_file():
        raise StoragebookError("no such diagram", file=file)
    label = html.escape(one_line(description, limit=2_000))
    drawing = file.read_text(encoding="utf-8").strip()
    display(
        {
            "text/html": (
                f'<figure class="sb-diagram" role="img" aria-label="{label}">\n{drawing}\n</figure>'
            ),
            "text/plain": f"Diagram: {one_line(description, limit=2_000)}",
        },
        raw=True,
    )
