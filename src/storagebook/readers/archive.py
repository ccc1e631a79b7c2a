"""Files of strangers, from a folder, a file, a .tar, a .tgz or a .zip, none of them trusted.

Nothing is unpacked to disk, no link is followed, no device or pipe is opened, and no size that an
archive states is believed. What is left out is reported, never dropped in silence.

Bounds, for anything at all:

- a file is read up to `MAX_FILE_B`, a line up to `MAX_LINE_B`;
- a folder or an archive has up to `MAX_ENTRIES` entries, `MAX_DEPTH` folders deep;
- an archive may unpack to `MAX_UNPACKED_B`, and to no more than `MAX_RATIO` times its size once
  `RATIO_FREE_B` have come out; so may each file of a .zip, beyond `MEMBER_FREE_B`. What a .zip
  states is judged before anything of it is unpacked, and never exceeded;
- memory stays under `MAX_KEPT_B` for a .tar or .tgz (its text is read once, in the order it stands
  in), some hundred MiB for the names of a .zip, and under a few times `MAX_FILE_B` for anything
  else, however many files there are. What a reader makes of the text comes on top.
"""

from __future__ import annotations

import io
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

from storagebook.errors import StoragebookError
from storagebook.readers import tar_stream

#: Largest file that is read; results are some kilobytes, verbose logs some megabytes.
MAX_FILE_B = 16 * 2**20
#: Longest line that is kept whole.
MAX_LINE_B = 2**20
#: Most bytes of one .tar or .tgz that are kept in memory.
MAX_KEPT_B = 256 * 2**20
#: Most bytes that one archive may unpack to; 10,000 runs take some 300 MiB.
MAX_UNPACKED_B = 2**30
#: Most files and folders in one folder on disk, or in one archive.
MAX_ENTRIES = 200_000
#: Deepest nesting of folders.
MAX_DEPTH = 32
#: Most bytes out for one byte in, once more than `RATIO_FREE_B` have come out of an archive, or
#: more than `MEMBER_FREE_B` of one file in a .zip: logs reach 30.
MAX_RATIO = 100
RATIO_FREE_B = 64 * 2**20
MEMBER_FREE_B = 2**20
#: What a reader gets to see of a file before it decides.
HEAD_B = 4096

ARCHIVE_SUFFIXES = (".tgz", ".tar.gz", ".tar", ".zip")

# Largest list of names in a .zip; zipfile would read one of any size into memory.
_MAX_ZIP_NAMES_B = 32 * 2**20
_ZIP_TAIL_B = 2**17
_ZIP_NAME = b"PK\x01\x02"
_ZIP_ENCRYPTED = 1
_BOMB = f"it unpacks to more than {MAX_RATIO} times its size: a zip bomb, not read"
_UNPACK = "unpack it and read the folder"
# What zipfile raises beside its own error, when what it reads makes no sense.
_ODD_ZIP = (ValueError, RuntimeError, IndexError, struct.error)
_UNREADABLE = (EOFError, OSError, tar_stream.TarError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something under a path that was not read, and why; an ``error`` may have cost a result."""

    path: str
    why: str
    severity: Literal["error", "note"]

    @classmethod
    def by(cls, error: StoragebookError, path: str) -> Skipped:
        """What an error says of the file at `path`, with the line that it names and the hint."""
        place = path if error.line is None else f"{path}:{error.line}"
        why = f"{error.what} — {error.hint}" if error.hint else str(error.what)
        return cls(place, why, "error")


Report = Callable[[Skipped], None]
Keep = Callable[[str, bytes], bool]


@dataclass(frozen=True, slots=True)
class File:
    """A regular file.

    Attributes
    ----------
    path
        Relative to the tree's root, with ``/`` between the parts.
    size_b
        As the file system or archive states it.
    """

    path: str
    size_b: int
    _open: Callable[[], BinaryIO] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def head(self) -> bytes:
        """Its first `HEAD_B` bytes."""
        return self._read(HEAD_B)

    def read(self) -> bytes:
        """All of it.

        Raises
        ------
        StoragebookError
            If it is larger than `MAX_FILE_B`, has vanished, may not be read or is damaged.
        """
        data = self._read(MAX_FILE_B + 1) if self.size_b <= MAX_FILE_B else None
        if data is None or len(data) > MAX_FILE_B:
            raise StoragebookError(
                f"larger than {MAX_FILE_B >> 20} MiB, which no benchmark's result is",
                file=self.path,
            )
        return data

    def _read(self, size: int) -> bytes:
        try:
            with self._open() as stream:
                # no more room than it needs, unless it has grown or its archive lied
                data = stream.read(min(size, self.size_b + 1))
                if self.size_b < len(data) < size:
                    data += stream.read(size - len(data))
                return data
        except FileNotFoundError:
            raise StoragebookError("it vanished while it was read", file=self.path) from None
        except PermissionError:
            raise StoragebookError("permission denied", file=self.path) from None
        except _UNREADABLE as error:
            raise StoragebookError(f"it cannot be read: {_reason(error)}", file=self.path) from None


class Folder(Protocol):
    """A folder, on disk or in an archive."""

    path: str

    def entries(self) -> tuple[list[File], list[Folder]]:
        """Its files and folders, each sorted by name; an archive counts as a folder."""


def open_tree(path: str | Path, *, keep: Keep, report: Report) -> File | Folder:
    """What is at a path: a file, or a folder or archive to walk.

    Parameters
    ----------
    path
        May itself be a link; below it none is followed.
    keep
        Called with the path and the first `HEAD_B` bytes of each file of a .tar or .tgz, which is
        read once only: whether to keep the file's content.
    report
        Called with each thing that is left out.

    Raises
    ------
    StoragebookError
        If there is nothing at the path, it may not be read, or it is no file or folder.
    """
    path = Path(path)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise StoragebookError(_reason(error), file=path) from None
    if stat.S_ISDIR(status.st_mode):
        return _DiskFolder("", path, keep, report, frozenset({(status.st_dev, status.st_ino)}))
    if not stat.S_ISREG(status.st_mode):
        raise StoragebookError("neither a file nor a folder", file=path)
    file = File(path.name, status.st_size, lambda: _open_regular(path, follow=True))
    if _is_archive(file.head()):
        return _Archive("", file, keep, report)
    return file


def lines_of(data: bytes) -> tuple[list[str], list[tuple[str, int | None]]]:
    """Text as lines, whatever its line ends and encoding, and what was odd about it.

    Bytes that are not UTF-8 become surrogates (``surrogateescape``), so that a hash still sees the
    bytes as they were; NUL becomes U+FFFD, so that no number is read across it.

    Returns
    -------
    lines
        Without line ends; none longer than `MAX_LINE_B`.
    oddities
        Pairs of a finding's code (``not-utf8``, ``nul-bytes``, ``utf16``, ``long-line``) and the
        line it was first met at, counted from 1.
    """
    odd: list[tuple[str, int | None]] = []
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        odd.append(("utf16", None))
        text = data.decode("utf-16", "replace")
    else:
        data = data.removeprefix(b"\xef\xbb\xbf")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            odd.append(("not-utf8", data.count(b"\n", 0, error.start) + 1))
            text = data.decode("utf-8", "surrogateescape")
    if "\0" in text:
        odd.append(("nul-bytes", text.count("\n", 0, text.index("\0")) + 1))
        text = text.replace("\0", "\ufffd")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines[-1] == "":
        del lines[-1]
    # hardly ever one is, and millions of lines are asked by max in a third of the time
    if max(map(len, lines), default=0) > MAX_LINE_B:
        for index, line in enumerate(lines):
            if len(line) > MAX_LINE_B:
                lines[index] = line[:MAX_LINE_B]
                odd.append(("long-line", index + 1))
    return lines, odd


@dataclass(frozen=True)
class _DiskFolder:
    path: str
    _real: Path
    _keep: Keep
    _report: Report
    _ancestors: frozenset[tuple[int, int]]

    def entries(self) -> tuple[list[File], list[Folder]]:
        files: list[File] = []
        folders: list[Folder] = []
        for entry in self._scan():
            path = f"{self.path}/{entry.name}" if self.path else entry.name
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError as error:
                self._report(Skipped(path, _reason(error), "error"))
                continue
            if stat.S_ISREG(status.st_mode):
                file = File(path, status.st_size, lambda p=Path(entry.path): _open_regular(p))
                if entry.name.lower().endswith(ARCHIVE_SUFFIXES):
                    folders.append(_Archive(path, file, self._keep, self._report))
                else:
                    files.append(file)
            elif stat.S_ISDIR(status.st_mode):
                identity = (status.st_dev, status.st_ino)
                if identity in self._ancestors or len(self._ancestors) > MAX_DEPTH:
                    why = (
                        "this folder holds itself"
                        if identity in self._ancestors
                        else f"nested more than {MAX_DEPTH} folders deep"
                    )
                    self._report(Skipped(path, why, "error"))
                    continue
                inner = self._ancestors | {identity}
                folders.append(_DiskFolder(path, Path(entry.path), self._keep, self._report, inner))
            else:
                self._report(Skipped(path, f"{_kind(status.st_mode)}, not followed", "note"))
        return files, folders

    def _scan(self) -> list[os.DirEntry[str]]:
        found: list[os.DirEntry[str]] = []
        try:
            with os.scandir(self._real) as entries:
                for entry in entries:
                    if len(found) == MAX_ENTRIES:
                        why = f"more than {MAX_ENTRIES:,} entries; the rest is not read"
                        self._report(Skipped(self.path or ".", why, "error"))
                        break
                    found.append(entry)
        except OSError as error:
            self._report(Skipped(self.path or ".", _reason(error), "error"))
        return sorted(found, key=lambda entry: entry.name)


@dataclass
class _Inside:
    """A folder of an archive."""

    path: str
    _files: dict[str, File] = field(default_factory=dict)
    _folders: dict[str, _Inside] = field(default_factory=dict)

    def entries(self) -> tuple[list[File], list[Folder]]:
        return (
            [file for _, file in sorted(self._files.items())],
            [folder for _, folder in sorted(self._folders.items())],
        )

    def add(self, parts: list[str], file: File) -> bool:
        """Put a file in its place; False if it replaces one of the same name."""
        folder = self
        for part in parts[:-1]:
            path = f"{folder.path}/{part}" if folder.path else part
            folder = folder._folders.setdefault(part, _Inside(path))
        new = parts[-1] not in folder._files
        folder._files[parts[-1]] = file
        return new


@dataclass(frozen=True, slots=True)
class _Member:
    """Something in an archive.

    Attributes
    ----------
    make
        The file, given its path; None if its content is not wanted.
    why
        Why it is left out, if it is.
    """

    name: str
    make: Callable[[str], File | None] | None = None
    why: str = ""
    severity: Literal["error", "note"] = "error"


@dataclass
class _LeftOut:
    """What an archive holds that is not read: told once a reason, however many there are."""

    path: str
    _first: dict[tuple[str, Literal["error", "note"]], tuple[str, int]] = field(
        default_factory=dict
    )

    def add(self, name: str, why: str, severity: Literal["error", "note"] = "error") -> None:
        first, count = self._first.get((why, severity), (name, 0))
        self._first[why, severity] = first, count + 1

    def tell(self, report: Report) -> None:
        for (why, severity), (name, count) in self._first.items():
            path = f"{self.path}/{name}" if name else self.path
            more = f"; {count - 1:,} more of its files likewise" if count > 1 else ""
            report(Skipped(path, why + more, severity))


@dataclass(frozen=True)
class _Archive:
    path: str
    _file: File
    _keep: Keep
    _report: Report

    def entries(self) -> tuple[list[File], list[Folder]]:
        root = _Inside(self.path)
        left_out = _LeftOut(self.path or self._file.path)
        try:
            for count, member in enumerate(self._members()):
                if count == MAX_ENTRIES:
                    why = f"more than {MAX_ENTRIES:,} entries; the rest is not read"
                    left_out.add("", why)
                    break
                self._place(root, member, left_out)
        except StoragebookError as error:
            hint = f"; {error.hint}" if error.hint else ""
            left_out.add("", f"{error.what}{hint}")
        except _UNREADABLE as error:
            left_out.add("", f"the archive cannot be read to its end: {_reason(error)}")
        left_out.tell(self._report)
        return root.entries()

    def _members(self) -> Iterator[_Member]:
        head = self._file.head()
        if head.startswith(b"PK"):
            return self._zip_members()
        if _is_archive(head):
            return self._tar_members(packed=head.startswith(b"\x1f\x8b"))
        raise StoragebookError("not an archive, in spite of its name")

    def _place(self, root: _Inside, member: _Member, left_out: _LeftOut) -> None:
        if member.why:
            left_out.add(member.name, member.why, member.severity)
            return
        if member.make is None:
            return
        parts = _safe_parts(member.name)
        if parts is None:
            left_out.add(member.name, "a name that leaves the archive, not read")
            return
        if parts[-1].lower().endswith(ARCHIVE_SUFFIXES):
            left_out.add(member.name, "an archive inside an archive, not read")
            return
        file = member.make("/".join(filter(None, (self.path, *parts))))
        if file is not None and not root.add(parts, file):
            left_out.add(member.name, "it stands twice in the archive; the last one is read")

    def _zip_members(self) -> Iterator[_Member]:
        # closed with the last file that refers to it
        archive = _open_zip(self._file._open())
        infos = archive.infolist()
        # of a larger one, no more than its head is read
        unpacked_b = sum(
            info.file_size
            for info in infos
            if info.file_size <= MAX_FILE_B and not _why_not(info)[0]
        )
        _check_unpacked(unpacked_b, self._file.size_b)
        for info in infos:
            if info.filename.endswith("/"):
                continue
            why, severity = _why_not(info)
            if why:
                yield _Member(info.filename, None, why, severity)
                continue

            def make(path: str, info: zipfile.ZipInfo = info) -> File:
                return File(path, info.file_size, lambda: _open_zipped(archive, info))

            yield _Member(info.filename, make)

    def _tar_members(self, *, packed: bool) -> Iterator[_Member]:
        kept = 0
        with self._file._open() as raw:
            source = _Guard(tar_stream.Gunzip(raw) if packed else raw, raw)
            for member in tar_stream.members(source):
                if member.kind == "folder":
                    yield _Member(member.name)
                    continue
                if member.kind != "file":
                    yield _Member(member.name, None, _TAR_KINDS[member.kind], "note")
                    continue

                def make(path: str, member: tar_stream.Member = member) -> File | None:
                    nonlocal kept
                    head = member.read(HEAD_B)
                    if not self._keep(path, head):
                        return None
                    size = member.size_b
                    data = head
                    # a larger one is refused by what it states
                    if size <= MAX_FILE_B:
                        data += member.read(size - len(head))
                    kept += len(data)
                    if kept > MAX_KEPT_B:
                        raise StoragebookError(
                            f"it holds more than {MAX_KEPT_B >> 20} MiB of results", hint=_UNPACK
                        )
                    return File(path, size, lambda: io.BytesIO(data))

                yield _Member(member.name, make)
            # what is padded behind the last member tells whether the packed stream is whole
            while source.read(2**16):
                pass


_TAR_KINDS = {
    "link": "a link, not followed",
    "pipe": "a pipe, not followed",
    "device": "a device, not followed",
    "other": "not a regular file, not read",
}


def _check_unpacked(unpacked_b: int, packed_b: int) -> None:
    """Stop where more comes out of an archive than out of any that is in use."""
    if unpacked_b > max(RATIO_FREE_B, MAX_RATIO * packed_b):
        raise StoragebookError(_BOMB)
    if unpacked_b > MAX_UNPACKED_B:
        raise StoragebookError(
            f"it unpacks to more than {MAX_UNPACKED_B >> 20:,} MiB", hint=_UNPACK
        )


class _Guard:
    """A packed stream, counted as it goes."""

    def __init__(self, source: tar_stream.Stream, packed: BinaryIO) -> None:
        self._source, self._packed, self._unpacked_b = source, packed, 0

    def read(self, size: int, /) -> bytes:
        data = self._source.read(size)
        self._unpacked_b += len(data)
        _check_unpacked(self._unpacked_b, self._packed.tell())
        return data


class _ZipFile(io.BufferedReader):
    """A .zip whose list of names is bounded: zipfile reads it in one go."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:  # its last bytes, which name the list's place
            size = _ZIP_TAIL_B
        if size > _MAX_ZIP_NAMES_B:
            raise zipfile.BadZipFile("a list of names that is larger than any")
        data = super().read(size)
        if data.count(_ZIP_NAME) > MAX_ENTRIES:
            raise StoragebookError(f"more than {MAX_ENTRIES:,} entries", hint=_UNPACK)
        return data


def _open_zip(file: BinaryIO) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(_ZipFile(file))
    except _ODD_ZIP as error:
        raise zipfile.BadZipFile(str(error)) from None


def _open_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO:
    try:
        return archive.open(info)
    except _ODD_ZIP as error:
        raise zipfile.BadZipFile(str(error)) from None


def _why_not(info: zipfile.ZipInfo) -> tuple[str, Literal["error", "note"]]:
    """Why a file of a .zip is not read: "" if it is, else the reason and how bad it is."""
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return f"{_kind(mode)}, not followed", "note"
    if not info.filename:
        return "a file without a name, not read", "error"
    if info.flag_bits & _ZIP_ENCRYPTED:
        return "encrypted, not read", "error"
    # zipfile unpacks other methods without a bound
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        method = zipfile.compressor_names.get(info.compress_type, str(info.compress_type))
        return f"compressed by {method} in place of deflate, not read", "error"
    if info.file_size > max(MEMBER_FREE_B, MAX_RATIO * info.compress_size):
        return _BOMB, "error"
    return "", "note"


def _open_regular(path: Path, *, follow: bool = False) -> BinaryIO:
    # what was a file a moment ago may be a pipe or a link by now; opening must not block on it
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
    if not follow:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("no longer a regular file")
    return os.fdopen(descriptor, "rb")


def _is_archive(head: bytes) -> bool:
    packed = head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b"))
    return packed or tar_stream.is_header(head)


def _safe_parts(name: str) -> list[str] | None:
    """The parts of a name inside an archive, or None if it would lead out of it."""
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:[\\/]", name):
        return None
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if not parts or len(parts) > MAX_DEPTH or any(".." in re.split(r"[\\]", p) for p in parts):
        return None
    return parts


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a link",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "not a regular file")


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text or type(error).__name__
