"""Text from strangers in what this package prints for programs: JSON and CSV.

Both stay what they say. What a terminal would act on (escape sequences, marks that turn the reading
direction round) is written as an escape, and so is a cell that a spreadsheet would run. For people,
there is `errors.one_line`.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
# a sign before a number is no formula
_FORMULA = re.compile(r"[=+\-@]")
_NUMBER = re.compile(
    r"[+-]?(?:\d[\d,_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?inf|nan", re.ASCII | re.IGNORECASE
)


def clean(text: str) -> str:
    """Text as valid Unicode: bytes that were not UTF-8 become U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def as_json(value: Any, *, indent: int | None = None) -> str:
    """JSON that any terminal shows as it is; the same value comes out when it is read.

    Raises
    ------
    ValueError
        If it holds NaN or an infinity.

    Examples
    --------
    >>> print(as_json({"name": "é\\u202eb"}))
    {"name": "é\\u202eb"}
    """
    text = clean(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent))
    if text.isprintable():
        return text
    # line feeds between values are the only ones: json escapes those inside
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def as_cell(value: object) -> str:
    """A cell of a CSV: blank for None, true or false, no formula, no control characters.

    A text that a spreadsheet would take for a formula has an apostrophe before it.

    >>> as_cell("=1+1"), as_cell("-1.5"), as_cell("a\\tb"), as_cell(True), as_cell(None)
    ("'=1+1", '-1.5', 'a\\\\tb', 'true', '')
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    text = clean(value)
    if not text.isprintable():
        text = "".join(
            c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
        )
    # some spreadsheets look past blanks before the sign
    if _FORMULA.match(text.lstrip()) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text
