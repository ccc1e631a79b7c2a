"""Files of strangers, from a folder, a file, a .tar, a .tgz or a .zip, none of them trusted.

Nothing is unpacked to disk, no link is followed, no device or pipe is opened, and no size that an
archive states is believed. What is left out is reported, never dropped in silence.

Memory stays under `MAX_KEPT_B` for a .tar or .tgz (its text is read once, in the order it stands
in) and under a few times `MAX_FILE_B` for anything else, however many files there are.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

from storagebook.errors import StoragebookError

#: Largest file that is read; results are some kilobytes, verbose logs some megabytes.
MAX_FILE_B = 16 * 2**20
#: Longest line that is kept whole.
MAX_LINE_B = 2**20
#: Most bytes of one .tar or .tgz that are kept in memory.
MAX_KEPT_B = 256 * 2**20
#: Most bytes that one archive may unpack to while it is read.
MAX_UNPACKED_B = 8 * 2**30
#: Most files and folders in one folder on disk, or in one archive.
MAX_ENTRIES = 200_000
#: Deepest nesting of folders.
MAX_DEPTH = 32
#: Most bytes out for one byte in, once more than `RATIO_FREE_B` have come out of an archive, or
#: more than `MEMBER_FREE_B` of one file in a .zip: logs reach 30.
MAX_RATIO = 200
RATIO_FREE_B = 64 * 2**20
MEMBER_FREE_B = 2**20
#: What a reader gets to see of a file before it decides.
HEAD_B = 4096

ARCHIVE_SUFFIXES = (".tgz", ".tar.gz", ".tar", ".zip")

# Extended headers hold names; tarfile would read one of any size into memory.
_MAX_TAR_HEADER_B = 2**20
_TAR_BLOCK_B = 512
_BOMB = f"it unpacks to more than {MAX_RATIO} times its size: a zip bomb"
_UNREADABLE = (EOFError, OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something under a path that was not read, and why; an ``error`` may have cost a result."""

    path: str
    why: str
    severity: Literal["error", "note"]


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
        data = self._read(MAX_FILE_B + 1)
        if len(data) > MAX_FILE_B:
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


@dataclass(frozen=True)
class _Archive:
    path: str
    _file: File
    _keep: Keep
    _report: Report

    def entries(self) -> tuple[list[File], list[Folder]]:
        root = _Inside(self.path)
        try:
            head = self._file.head()
            if head.startswith(b"PK"):
                members = self._zip_members()
            elif _is_archive(head):
                members = self._tar_members(packed=head.startswith(b"\x1f\x8b"))
            else:
                raise tarfile.ReadError("not an archive, in spite of its name")
            for count, (name, make) in enumerate(members):
                if count == MAX_ENTRIES:
                    why = f"more than {MAX_ENTRIES:,} entries; the rest is not read"
                    self._skip("", why)
                    break
                self._place(root, name, make)
        except StoragebookError as error:
            self._skip("", str(error.what))
        except _UNREADABLE as error:
            self._skip("", f"the archive cannot be read to its end: {_reason(error)}")
        return root.entries()

    def _place(self, root: _Inside, name: str, make: Callable[[str], File | None]) -> None:
        parts = _safe_parts(name)
        if parts is None:
            self._skip(name, "a name that leaves the archive, not read")
            return
        if parts[-1].lower().endswith(ARCHIVE_SUFFIXES):
            self._skip(name, "an archive inside an archive, not read")
            return
        file = make("/".join(filter(None, (self.path, *parts))))
        if file is not None and not root.add(parts, file):
            self._skip(name, "it stands twice in the archive; the last one is read")

    def _skip(self, name: str, why: str, severity: Literal["error", "note"] = "error") -> None:
        path = "/".join(filter(None, (self.path or self._file.path, name)))
        self._report(Skipped(path, why, severity))

    def _zip_members(self) -> Iterator[tuple[str, Callable[[str], File | None]]]:
        # closed with the last file that refers to it
        archive = zipfile.ZipFile(self._file._open())
        budget = _Budget(self._file.size_b)
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if info.is_dir():
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                self._skip(info.filename, f"{_kind(mode)}, not followed", "note")
                continue
            # no more than the stated size comes out, of no more than the packed one
            if info.file_size > max(MEMBER_FREE_B, MAX_RATIO * info.compress_size):
                self._skip(info.filename, _BOMB)
                continue

            def make(path: str, info: zipfile.ZipInfo = info) -> File:
                return File(path, info.file_size, lambda: _ZipStream(archive, info, budget))

            yield info.filename, make

    def _tar_members(self, *, packed: bool) -> Iterator[tuple[str, Callable[[str], File | None]]]:
        kept = 0
        with self._file._open() as raw:
            source = _Guard(gzip.GzipFile(fileobj=raw) if packed else raw, raw)
            with tarfile.open(fileobj=source, mode="r|", tarinfo=_TarInfo) as archive:
                for member in archive:
                    if member.isdir():
                        continue
                    if not member.isreg() or member.issparse():
                        why = f"{_tar_kind(member)}, not followed"
                        self._skip(member.name, why, "note")
                        continue
                    content = archive.extractfile(member)
                    assert content is not None, "regular members have content"

                    def make(
                        path: str,
                        content: tarfile.ExFileObject = content,
                        size: int = member.size,
                    ) -> File | None:
                        nonlocal kept
                        head = content.read(HEAD_B)
                        if not self._keep(path, head):
                            return None
                        data = head + content.read(MAX_FILE_B + 1 - len(head))
                        kept += len(data)
                        if kept > MAX_KEPT_B:
                            raise StoragebookError(
                                f"it holds more than {MAX_KEPT_B >> 20} MiB of results;"
                                " unpack it and read the folder"
                            )
                        return File(path, size, lambda: io.BytesIO(data))

                    yield member.name, make
            # what is padded behind the last member tells whether the packed stream is whole
            while source.read(2**16):
                pass


class _TarInfo(tarfile.TarInfo):
    """Refuses extended headers of any size, which tarfile reads in one go."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        extended = (
            tarfile.GNUTYPE_LONGNAME,
            tarfile.GNUTYPE_LONGLINK,
            tarfile.XHDTYPE,
            tarfile.XGLTYPE,
            tarfile.SOLARIS_XHDTYPE,
        )
        if self.type in extended and self.size > _MAX_TAR_HEADER_B:
            raise tarfile.ReadError("a header that is larger than any name")
        return super()._proc_member(archive)


@dataclass
class _Budget:
    """How much one archive has unpacked to, beside how much of it was there to unpack."""

    packed_b: int = 0
    spent: int = 0

    def spend(self, size: int) -> None:
        """Count bytes that came out, and stop where more do than any log would give."""
        self.spent += size
        if self.spent > MAX_UNPACKED_B:
            raise StoragebookError(f"it unpacks to more than {MAX_UNPACKED_B >> 30} GiB")
        if self.spent > RATIO_FREE_B and self.spent > MAX_RATIO * self.packed_b:
            raise StoragebookError(_BOMB)


class _Guard(io.RawIOBase):
    """A packed stream, counted as it goes."""

    def __init__(self, source: BinaryIO, packed: BinaryIO) -> None:
        self._source, self._packed, self._budget = source, packed, _Budget()

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._budget.packed_b = self._packed.tell()
        self._budget.spend(len(data))
        return data


class _ZipStream(io.RawIOBase):
    """One file of a .zip, counted against the archive's budget."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _Budget) -> None:
        budget.spend(0)
        try:
            self._source = archive.open(info)
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed some other way
            raise OSError(str(error)) from None
        self._budget = budget

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._budget.spend(len(data))
        return data

    def close(self) -> None:
        self._source.close()
        super().close()


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
    tar = head[257:262] == b"ustar" or (
        len(head) >= _TAR_BLOCK_B and _is_old_tar(head[:_TAR_BLOCK_B])
    )
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b")) or tar


def _is_old_tar(block: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.TarError:
        return False
    return True


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


def _tar_kind(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return "a link"
    if member.isfifo():
        return "a pipe"
    return "a device" if member.isdev() else "not a regular file"


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text or type(error).__name__
