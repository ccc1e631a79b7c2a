"""The texts of the five sources, and in which section each line of them stands."""

import hashlib
import re

import pytest

from storagebook import paths, tables

#: The five documents that the ledger covers.
IDS = ("000", "001", "002", "003", "004")

# What begins a section, and the section's name. A chapter of 000 that has no sections is its own.
_CHAPTERS = dict(zip("〇一二三四五六七八九十", map(str, range(11)), strict=True))
_HEADINGS = {
    "000": re.compile(r"(\d\.\d) |([〇一二三四五六七八九十])、"),
    "001": re.compile(r"(0[1-5]) "),
    "002": re.compile(r"(?:Master|Per-Server|Integrate|SPDK).*\b(DAOS-\d+)"),
    "003": re.compile(
        r"(连续 IOzone 性能|顺序 IOR 性能|随机小数据块 IOzone|使用 MDtest 和|结论和未来)"
    ),
}
_NAMES = {
    **_CHAPTERS,
    "连续 IOzone 性能": "IOzone sequential",
    "顺序 IOR 性能": "IOR",
    "随机小数据块 IOzone": "IOzone random",
    "使用 MDtest 和": "mdtest",
    "结论和未来": "conclusion",
}
_FIRST = {"003": "testbed", "004": ""}


def lines(source):
    """The lines of a source, of the very text that the locators count; skips where it is absent."""
    shared = paths.shared()
    if shared is None or not (shared / "sources").is_dir():
        pytest.skip("the sources are not at hand")
    row = tables.load("sources").set_index("id").loc[source]
    raw = (shared / row["locator"]).read_bytes()
    assert hashlib.sha256(raw).hexdigest() == row["sha256"]
    return raw.decode("utf-8").split("\n")


def section(source, text, line):
    """The section that a line stands in; empty where the source has none."""
    heading = _HEADINGS.get(source)
    above = [m for t in text[:line] if heading and (m := heading.match(t))]
    if not above:
        return _FIRST.get(source, "preface")
    name = next(filter(None, above[-1].groups()))
    return _NAMES.get(name, name)
