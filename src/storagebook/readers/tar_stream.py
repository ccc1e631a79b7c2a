"""A .tar, packed by gzip or not, read once from its beginning to its end.

The standard library's tarfile trusts what it reads: it follows any chain of headers, takes a header
of any size into memory, and minutes over one that is made for it. Here every header is bounded, and
whatever is wrong is a `TarError`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

#: Largest extended header: names have up to 4 KiB, what file systems attach to a file some more.
MAX_HEADER_B = 2**18
#: Most extended headers of one member, and most fields in one.
MAX_HEADERS, MAX_FIELDS = 8, 256
#: Most gzip streams behind one another.
MAX_STREAMS = 1000

BLOCK_B = 512
_CHUNK_B = 2**16
_GZIP = 31

Kind = Literal["file", "folder", "link", "pipe", "device", "other"]

_KINDS: dict[bytes, Kind] = {
    b"0": "file",
    b"\0": "file",
    b"7": "file",
    b"1": "link",
    b"2": "link",
    b"3": "device",
    b"4": "device",
    b"5": "folder",
    b"6": "pipe",
}
_LONG_NAME, _LONG_LINK, _GLOBAL, _SPARSE = b"L", b"K", b"g", b"S"
_PAX = (b"x", b"X")


class TarError(Exception):
    """What is wrong with an archive."""


class Stream(Protocol):
    """Bytes in their order; fewer than asked for come at the end only."""

    def read(self, size: int, /) -> bytes: ...


@dataclass
class Member:
    """What stands at one place of an archive; its content is there until the next is asked for.

    Attributes
    ----------
    size_b
        As the archive states it.
    """

    name: str
    kind: Kind
    size_b: int
    _stream: Stream
    _left_b: int

    def read(self, size: int) -> bytes:
        """Up to so many of its next bytes."""
        data = _exactly(self._stream, min(size, self._left_b))
        self._left_b -= len(data)
        return data


def is_header(block: bytes) -> bool:
    """Whether these are the first bytes of a .tar."""
    return len(block) >= BLOCK_B and any(block[:BLOCK_B]) and _checksum_fits(block[:BLOCK_B])


def members(stream: Stream) -> Iterator[Member]:
    """What an archive holds, in its order.

    Raises
    ------
    TarError
        If it is damaged, or ends before its end.
    """
    name: str | None = None
    size: int | None = None
    sparse, headers = False, 0
    while True:
        block = _exactly(stream, BLOCK_B)
        if not any(block):
            return
        if not _checksum_fits(block):
            raise TarError("a header and its checksum do not agree")
        type_, stated = block[156:157], _number(block[124:136])
        if type_ in (_LONG_NAME, _LONG_LINK, _GLOBAL, *_PAX):
            headers += 1
            if headers > MAX_HEADERS:
                raise TarError("more headers than any file has")
            text = _extended(stream, stated)
            if type_ == _LONG_NAME:
                name = _text(text)
            elif type_ in _PAX:
                fields = _fields(text)
                if b"path" in fields:
                    name = _text(fields[b"path"])
                if b"size" in fields:
                    size = _decimal(fields[b"size"])
                sparse = sparse or any(key.startswith(b"GNU.sparse.") for key in fields)
            continue
        if name is None:
            name = _name(block)
        kind = _KINDS.get(type_, "other")
        if type_ == b"\0" and name.endswith("/"):  # folders, before there was a type for them
            kind = "folder"
        if type_ == _SPARSE:
            more = block[482]
            while more:
                more = _exactly(stream, BLOCK_B)[504]
        has_content = kind in ("file", "other")
        length = 0 if not has_content else stated if size is None else size
        member = Member(name, "other" if sparse else kind, length, stream, length)
        yield member
        _skip(stream, member._left_b + -length % BLOCK_B)
        name, size, sparse, headers = None, None, False, 0


class Gunzip:
    """What a gzip file unpacks to; never more at once than is asked for.

    Raises
    ------
    EOFError
        If it ends before its end.
    TarError
        If it is of more than `MAX_STREAMS` streams.
    zlib.error
        If it is damaged.
    """

    def __init__(self, packed: Stream) -> None:
        self._packed = packed
        self._input = b""
        self._inflate = zlib.decompressobj(_GZIP)
        self._streams = 1

    def read(self, size: int, /) -> bytes:
        parts: list[bytes] = []
        while size > 0 and (part := self._some(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _some(self, size: int) -> bytes:
        while True:
            if self._inflate.eof and not self._starts_another():
                return b""
            self._input = self._input or self._packed.read(_CHUNK_B)
            if not self._input:
                raise EOFError("it ends before its end")
            data = self._inflate.decompress(self._input, size)
            self._input = self._inflate.unused_data or self._inflate.unconsumed_tail
            # what is unpacked already may wait inside
            if data:
                return data

    def _starts_another(self) -> bool:
        # zeros may fill up the last block of a tape
        while not (rest := self._input.lstrip(b"\0")):
            self._input = self._packed.read(_CHUNK_B)
            if not self._input:
                return False
        self._input = rest
        self._streams += 1
        if self._streams > MAX_STREAMS:
            raise TarError(f"more than {MAX_STREAMS:,} gzip streams")
        self._inflate = zlib.decompressobj(_GZIP)
        return True


def _exactly(stream: Stream, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise TarError("it ends before its end mark")
    return data


def _skip(stream: Stream, size: int) -> None:
    while size > 0:
        size -= len(_exactly(stream, min(size, _CHUNK_B)))


def _extended(stream: Stream, size: int) -> bytes:
    if size > MAX_HEADER_B:
        raise TarError("a header that is larger than any name")
    data = _exactly(stream, size)
    _skip(stream, -size % BLOCK_B)
    return data


def _fields(data: bytes) -> dict[bytes, bytes]:
    """The fields of a pax header, each ``length key=value`` and a line feed."""
    fields: dict[bytes, bytes] = {}
    at = 0
    while at < len(data) and data[at]:
        digits = data[at : at + 10].partition(b" ")[0]
        end = at + _decimal(digits)
        start = at + len(digits) + 1
        key, equals, value = data[start : max(start, end - 1)].partition(b"=")
        if not equals or end > len(data) or len(fields) == MAX_FIELDS:
            raise TarError("a header that cannot be read")
        fields[key] = value
        at = end
    return fields


def _decimal(digits: bytes) -> int:
    if not digits.isdigit() or len(digits) > 20:
        raise TarError("a header with a size that is no number")
    return int(digits)


def _number(field: bytes) -> int:
    """A size: octal digits, or, behind a byte 0x80, base 256."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.partition(b"\0")[0].strip()
    if digits.strip(b"01234567"):
        raise TarError("a header with a size that is no number")
    return int(digits or b"0", 8)


def _checksum_fits(block: bytes) -> bool:
    try:
        stated = _number(block[148:156])
    except TarError:
        return False
    blank = block[:148] + b" " * 8 + block[156:]
    # some took bytes as signed
    return stated == sum(blank) or stated == sum(b - 256 if b > 127 else b for b in blank)


def _name(block: bytes) -> str:
    name = _text(block[:100])
    prefix = _text(block[345:500]) if block[257:263] == b"ustar\0" else ""
    return f"{prefix}/{name}" if prefix else name


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")
