"""The one error that a user sees."""

from __future__ import annotations

from pathlib import Path


def one_line(text: object, limit: int = 500) -> str:
    """Text from a stranger as one printable line: control characters escaped, length bounded.

    >>> one_line("a\\nb\\x1b[31m")
    'a\\\\nb\\\\x1b[31m'
    """
    escaped = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode("ascii")
        for c in str(text)[: limit + 1]
    )
    return escaped if len(escaped) <= limit else escaped[: limit - 1] + "…"


class StoragebookError(Exception):
    """What could not be done, where, and what to do about it, in one line.

    Parameters
    ----------
    what
        What is wrong, as a statement.
    file, line
        Where: the file's path and its line, counted from 1.
    hint
        What to do about it, as an imperative.
    """

    def __init__(
        self,
        what: object,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.what, self.file, self.line, self.hint = what, file, line, hint
        super().__init__(str(self))

    def __str__(self) -> str:
        where = "" if self.file is None else one_line(self.file)
        if where and self.line is not None:
            where += f":{self.line}"
        # a hint may list all that there is to choose from
        parts = [where, one_line(self.what), one_line(self.hint or "", limit=1_000)]
        return ": ".join(p for p in parts[:2] if p) + (f" — {parts[2]}" if parts[2] else "")
