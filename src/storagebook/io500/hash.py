"""The 32-bit words that result.txt prints over a run and its configuration.

A matching word says that the hashed text was not edited after the run, and no more: the function
is public, so anybody can compute the word of another text. A word that does not match may also come
from a defect of the program that printed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from storagebook.io500.phases import EXTENDED, SCORED

if TYPE_CHECKING:
    from storagebook.io500.run import Config, HashedText, Option, Run

Status = Literal["match", "mismatch", "absent"]
ConfigStatus = Literal["match", "mismatch", "absent", "not-kept"]

# The full configuration is hashed without its empty options, except for these two.
_HASHED_WHEN_EMPTY = ("external-mpi-args", "external-extra-args")
_WORD = 0xFFFFFFFF
# The dump has a section for each phase, set or not.
_DUMPED_SECTIONS = ("ior-easy", "ior-hard", "mdtest-easy-stat", "mdtest-hard-stat", "find")


@dataclass(frozen=True, slots=True)
class HashCheck:
    """A printed word against the recomputed one.

    Attributes
    ----------
    covers_means
        Whether the word covers MD and BW as well; files of the isc21_v1 era leave them out.
    """

    status: Status
    printed: str | None
    recomputed: str | None
    covers_means: bool = True


@dataclass(frozen=True, slots=True)
class ConfigCheck:
    """The printed word of the configuration against the files at hand.

    Attributes
    ----------
    status
        ``not-kept`` if no full configuration survived: a user's own file leaves out the defaults
        that the program hashed with it.
    file
        The file that matches, or else the one that was expected to.
    """

    status: ConfigStatus
    printed: str | None
    recomputed: str | None
    file: str | None


def word(text: str, start: int = 0) -> int:
    """Rotate left by two, add a byte, for each byte of the text.

    >>> f"{word('a'):X} {word('ab'):X}"
    '61 1E6'
    """
    value = start
    for byte in text.encode("utf-8", "surrogateescape"):
        value = (((value << 2) | (value >> 30)) + byte) & _WORD
    return value


def pair(key: str, value: str) -> int:
    """The word of a value, continued from that of its name."""
    return word(value, word(key))


def printed_form(value: int) -> str:
    """Upper-case hexadecimal without leading zeros."""
    return f"{value:X}"


def score_word(text: HashedText, *, with_means: bool = True) -> int:
    """The word over version, the scored phases, MD, BW, SCORE, and the mark of an invalid run."""
    names = tuple(p.name for p in SCORED)
    return pair("version", text.version or "") ^ _body(text, names, with_means)


def scorex_word(text: HashedText) -> int:
    """The same over the scored optional phases and their own means, without version."""
    return _body(text, tuple(p.name for p in EXTENDED), with_means=True)


def config_word(options: Iterable[Option]) -> int:
    """The word over every option that has a value; sections are not hashed, so pairs cancel."""
    result = 0
    for option in options:
        if option.value or option.key in _HASHED_WHEN_EMPTY:
            upper = option.value.upper()
            result ^= pair(option.key, upper if upper in ("TRUE", "FALSE") else option.value)
    return result


def check_score(run: Run) -> HashCheck:
    """The word of the score in result.txt."""
    text = run.hashed
    if text is None or text.printed is None:
        return HashCheck("absent", None, None)
    full = printed_form(score_word(text))
    if full != text.printed and re.match(r"io500-isc21_v1(?!\d)", text.version or ""):
        without = printed_form(score_word(text, with_means=False))
        if without == text.printed:
            return HashCheck("match", text.printed, without, covers_means=False)
    return HashCheck("match" if full == text.printed else "mismatch", text.printed, full)


def check_scorex(run: Run) -> HashCheck:
    """The word of SCOREX in result.txt, which extended mode prints."""
    text = run.hashed_x
    if text is None or text.printed is None:
        return HashCheck("absent", None, None)
    full = printed_form(scorex_word(text))
    return HashCheck("match" if full == text.printed else "mismatch", text.printed, full)


def check_config(run: Run) -> ConfigCheck:
    """The word of the configuration, against each configuration beside the result."""
    printed = run.config_hash
    if printed is None:
        return ConfigCheck("absent", None, None, None)
    words = {config.file: printed_form(config.word) for config in run.configs}
    # config.ini is what the program left; where it has the word, no other file is asked
    dump = next((c for c in run.configs if c.file.rpartition("/")[2] == "config.ini"), None)
    for config in (dump, *run.configs):
        if config is not None and words[config.file] == printed:
            return ConfigCheck("match", printed, printed, config.file)
    if dump is None or not _is_full(dump, run.configs):
        return ConfigCheck("not-kept", printed, None, None)
    return ConfigCheck("mismatch", printed, words[dump.file], dump.file)


def _is_full(dump: Config, configs: tuple[Config, ...]) -> bool:
    """Whether config.ini is the program's dump, not the user's own file under that name."""
    copied = any(c.sha256 == dump.sha256 for c in configs if c is not dump)
    return not copied and not dump.comments and dump.sections >= {*_DUMPED_SECTIONS}


def _body(text: HashedText, names: tuple[str, ...], with_means: bool) -> int:
    result = 0
    for name in names:
        if name in text.phases:
            result ^= pair(name, text.phases[name])
    if with_means:
        if text.md is not None:
            result ^= pair("MD", text.md)
        if text.bw is not None:
            result ^= pair("BW", text.bw)
    if text.score is not None:
        result ^= pair("SCORE", text.score)
    return result if text.valid else result ^ pair("valid", "NO")
