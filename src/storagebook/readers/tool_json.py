"""JSON that benchmark tools print: strict about figures, patient with what stands around them.

Tools print warnings before, inside and behind their documents, several documents into one file,
bare ``nan`` and ``-inf``, and no end at all when they are killed. All of that is read. A document
that is broken in any other way is refused: a decimal comma would turn 1234,56 into two values.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from storagebook.errors import StoragebookError
from storagebook.readers.loose_json import Number

_BARE_WORD = re.compile(
    r"(?<=[:,\[])(\s*)([+-]?(?:nan|inf)(?:inity)?)(?=\s*[,\]}\n])", re.IGNORECASE
)
_DOCUMENT = re.compile(r"^\{", re.MULTILINE)
_JSON_LINE = re.compile(
    r"""\s*(?:[\[\]{}",:].*|-?\d[\d.eE+-]*\s*,?\s*|(?:true|false|null)\s*,?\s*)?$"""
)
_DECIMAL_COMMA = re.compile(r""":\s*-?\d+,\d+\s*[,}]?\s*$""")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_CLOSES = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Document:
    """One document.

    Attributes
    ----------
    value
        Objects, arrays, strings, ``int`` and `Number` (which keeps its digits). What is no number
        (``nan``, ``-inf``) is a string.
    line
        Where it starts, counted from 1.
    cut
        The line at which the file ends before the document does; what stands complete before that
        is in `value`.
    """

    value: dict[str, Any]
    line: int
    cut: int | None = None


@dataclass
class Documents:
    """The documents of a file, and its other lines: (line, text)."""

    found: list[Document] = field(default_factory=list)
    noise: list[tuple[int, str]] = field(default_factory=list)


def documents(lines: list[str]) -> Documents:
    """The JSON objects of a file, each of which starts at the beginning of a line.

    Raises
    ------
    StoragebookError
        If one is broken, with the line at which it goes wrong.
    """
    text = _BARE_WORD.sub(r'\1"\2"', "\n".join(lines))
    out = Documents()
    position, line = 0, 1
    while (start := _DOCUMENT.search(text, position)) is not None:
        line = _note(out, text[position : start.start()], line)
        document, position = _one(text, start.start(), line, out)
        out.found.append(document)
        line += text.count("\n", start.start(), position)
    _note(out, text[position:], line)
    return out


def _note(out: Documents, text: str, line: int) -> int:
    """Take down what stands between documents; return the line after it."""
    parts = text.split("\n")
    out.noise.extend((line + i, part) for i, part in enumerate(parts) if part.strip(" \t,[]"))
    return line + len(parts) - 1


def _one(text: str, start: int, line: int, out: Documents) -> tuple[Document, int]:
    """The document that starts at a position, and where it ends."""
    try:
        value, end = _decoder().raw_decode(text, start)
        return Document(value, line), end
    except json.JSONDecodeError:
        pass
    except (RecursionError, ValueError):
        raise StoragebookError("nested too deep, or a number too long", line=line) from None
    # a tool's own messages may stand between its lines, and the next document after a cut one
    following = _DOCUMENT.search(text, start + 1)
    end = following.start() if following else len(text)
    kept = []
    for number, part in enumerate(text[start:end].split("\n"), line):
        if _JSON_LINE.match(part):
            kept.append(part)
        else:
            kept.append("")
            out.noise.append((number, part))
    chunk = "\n".join(kept)
    try:
        value, length = _decoder().raw_decode(chunk)
        if not chunk[length:].strip():
            return Document(value, line), end
        raise json.JSONDecodeError("a second value in one document", chunk, length)
    except json.JSONDecodeError as error:
        broken = StoragebookError(_reason(kept, error), line=line + error.lineno - 1)
    except (RecursionError, ValueError):
        raise StoragebookError("nested too deep, or a number too long", line=line) from None
    value = _until_cut(chunk)
    if value is None:
        raise broken
    return Document(value, line, cut=line + chunk.rstrip().count("\n")), end


def _reason(lines: list[str], error: json.JSONDecodeError) -> str:
    shown = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    if _DECIMAL_COMMA.search(shown):
        return f"a decimal comma where JSON has a point: {shown.strip()}"
    return f"broken JSON: {error.msg}"


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(parse_float=Number, parse_constant=str, strict=False)


def _until_cut(text: str) -> dict[str, Any] | None:
    """What stands complete before the end of a document that lacks its end, None if it is broken.

    Ends behind the last closed bracket: a figure that the file ends in may lack its last digits.
    """
    stack: list[str] = []
    safe = 0
    closers = ""
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "{[":
            stack.append(_CLOSES[mark])
        elif mark in "}]":
            if not stack:
                return None
            stack.pop()
            safe, closers = token.end(), "".join(reversed(stack))
    if not stack or not safe:
        return None
    try:
        value = _decoder().decode(text[:safe] + closers)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
