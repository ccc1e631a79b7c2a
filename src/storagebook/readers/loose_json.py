"""JSON as people write it by hand: read strictly where it is JSON, repaired where it can be.

Repairs are reported, each with its line, so that a reader can say which figures stand in a broken
file. Nothing is executed, and what stands after a cut is not guessed: a number or string that the
file ends in is dropped, because it may lack its last digits.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from storagebook.errors import StoragebookError

#: Largest broken file that is repaired; descriptions of systems are some kilobytes.
MAX_REPAIRED_B = 2**20
#: Deepest nesting.
MAX_DEPTH = 64

_TOKEN = re.compile(
    r"""(?P<space>(?:\s|//[^\n]*)+)
      | (?P<string>"(?:[^"\\\n]|\\(?:.|\Z))*"?)
      | (?P<mark>[\[\]{}:,])
      | (?P<word>[^\s,:\[\]{}"]+)""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None}
_CLOSES = {"}": dict, "]": list}
_MISSING = object()
_NOT_UTF8 = "text that is not UTF-8"
_TRAILING = "a trailing comma"
_HARMLESS = frozenset({_NOT_UTF8, _TRAILING})


class Number(float):
    """A number with a decimal point or exponent, and its digits as the file prints them."""

    text: str

    def __new__(cls, text: str) -> Number:
        number = super().__new__(cls, text)
        number.text = text
        return number


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that was wrong.

    Attributes
    ----------
    what
        What is wrong, as a noun phrase.
    line
        Where it was first met, counted from 1.
    cut
        Whether the file ends too early, so that something may be lost.

    Examples
    --------
    >>> Repair("a value without a key", 1).harmless  # "rate": 1234,56
    False
    """

    what: str
    line: int
    cut: bool = False

    @property
    def harmless(self) -> bool:
        """Whether every figure that was read is sure to be the one that was meant."""
        return self.cut or self.what in _HARMLESS


@dataclass(frozen=True)
class Parsed:
    """What a file holds, and what had to be repaired to read it."""

    value: Any
    repairs: tuple[Repair, ...] = ()


def parse(data: bytes) -> Parsed:
    """A JSON document, broken or not.

    Integers stay ``int``, other numbers become `Number`. ``NaN`` and ``Infinity`` become None: they
    are no measurement.

    Raises
    ------
    StoragebookError
        If it is no JSON even with repairs; ``line`` says where it goes wrong.

    Examples
    --------
    >>> parse(b'{"a": [1, 2,], "b": 1.50').value
    {'a': [1, 2]}
    """
    text, repairs = _decoded(data)
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            repeated.extend(key for key, value in items if value != found[key])
        return found

    try:
        value = json.loads(
            text, parse_float=Number, parse_constant=lambda _: None, object_pairs_hook=pairs
        )
    except json.JSONDecodeError as error:
        return _repaired(text, error, repairs)
    except RecursionError:
        raise StoragebookError(f"nested more than {MAX_DEPTH} levels deep") from None
    except ValueError:
        raise StoragebookError("an integer of more digits than any figure has") from None
    if repeated:
        repairs.append(Repair(f"the key {repeated[0]!r} twice, with two values", 1))
    return Parsed(value, tuple(repairs))


def _decoded(data: bytes) -> tuple[str, list[Repair]]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace"), []
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return data.decode("latin-1"), [Repair(_NOT_UTF8, line)]


@dataclass
class _Open:
    """An object or array that is not closed yet."""

    value: dict[str, Any] | list[Any]
    key: str | None = None
    colon: bool = False
    comma: bool = True

    def add(self, value: Any, note: Any) -> None:
        # in an object, what stands where a key is due is the key
        due = isinstance(self.value, dict) and self.key is None
        if not self.comma and (due or isinstance(self.value, list)):
            note("a missing comma")
        self.comma = False
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.key is not None:
            if not self.colon:
                note("a missing colon")
            self.value[self.key] = value
            self.key = None
        elif isinstance(value, str):
            self.key, self.colon = value, False
        else:
            note("a value without a key")


@dataclass
class _Repairer:
    text: str
    root: Any = _MISSING
    stack: list[_Open] = field(default_factory=list)
    repairs: dict[str, Repair] = field(default_factory=dict)
    position: int = 0

    def note(self, what: str, *, cut: bool = False) -> None:
        if what not in self.repairs:
            line = self.text.count("\n", 0, self.position) + 1
            self.repairs[what] = Repair(what, line, cut)

    def run(self) -> None:
        while self.position < len(self.text):
            token = _TOKEN.match(self.text, self.position)
            if token is None:  # nothing but a lone surrogate could get here
                self.position += 1
                continue
            kind, text = token.lastgroup, token[0]
            last = token.end() == len(self.text)
            if kind == "mark":
                self.mark(text)
            elif kind == "string":
                self.string(text, last)
            elif kind == "word":
                self.word(text, last)
            self.position = token.end()
            if len(self.stack) > MAX_DEPTH:
                raise StoragebookError(f"nested more than {MAX_DEPTH} levels deep")
        if self.stack:
            closers = "".join("}" if isinstance(o.value, dict) else "]" for o in self.stack[::-1])
            self.note(f"an end without {closers}", cut=True)

    def mark(self, mark: str) -> None:
        top = self.stack[-1] if self.stack else None
        if mark in "{[":
            self.open({} if mark == "{" else [])
        elif mark in _CLOSES:
            self.close(mark)
        elif top is None:
            self.note("text outside the document")
        elif mark == ":":
            top.colon = True
        else:
            if top.comma or top.key is not None:
                self.note("a comma without a value")
            top.comma, top.key = True, None

    def open(self, value: dict[str, Any] | list[Any]) -> None:
        if not self.stack and self.root is not _MISSING:
            self.note("a second document")
            return
        if self.stack:
            self.stack[-1].add(value, self.note)
        else:
            self.root = value
        self.stack.append(_Open(value))

    def close(self, mark: str) -> None:
        kind = _CLOSES[mark]
        if not any(isinstance(o.value, kind) for o in self.stack):
            self.note(f"a {mark} too many")
            return
        while not isinstance(self.stack[-1].value, kind):
            self.stack.pop()
            self.note(f"a missing bracket before {mark}")
        top = self.stack.pop()
        if top.comma and top.value:
            self.note(_TRAILING)

    def string(self, text: str, last: bool) -> None:
        try:
            value = json.loads(text, strict=False)
        except ValueError:
            whole = len(text) > 1 and text.endswith('"')
            if not whole:
                self.note("a string without its end", cut=last)
                if last:
                    return
            value = text[1:-1] if whole else text[1:]
        self.add(value)

    def word(self, text: str, last: bool) -> None:
        if last and self.stack:
            # it may go on where the file does not
            self.note("a value at the end that may be cut", cut=True)
            return
        if _NUMBER.fullmatch(text):
            whole = text.lstrip("-").isdigit()
            self.add(int(text) if whole else Number(text))
        elif text.lower() in _WORDS:
            self.add(_WORDS[text.lower()])
        elif text.lstrip("+-") in ("NaN", "Infinity", "nan", "inf"):
            self.add(None)
        else:
            self.note("text without quotes")
            self.add(text)

    def add(self, value: Any) -> None:
        if self.stack:
            self.stack[-1].add(value, self.note)
        elif self.root is _MISSING:
            self.root = value
        else:
            self.note("text outside the document")


def _repaired(text: str, error: json.JSONDecodeError, repairs: list[Repair]) -> Parsed:
    broken = StoragebookError(f"not JSON: {error.msg}", line=error.lineno)
    if len(text) > MAX_REPAIRED_B:
        raise broken
    repairer = _Repairer(text)
    repairer.run()
    if not isinstance(repairer.root, (dict, list)) or not repairer.root:
        raise broken
    found = tuple(repairer.repairs.values()) or (Repair(error.msg, error.lineno),)
    return Parsed(repairer.root, (*repairs, *found))
