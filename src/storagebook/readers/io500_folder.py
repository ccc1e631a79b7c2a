"""What one folder of IO500 results holds: files by what they are, each read once and bounded."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from storagebook.errors import StoragebookError
from storagebook.io500.findings import Finding, finding
from storagebook.io500.run import Config, Place, RunFile
from storagebook.readers import io500_text as text
from storagebook.readers.archive import File, Report, Skipped, lines_of

#: Names of the program's own files.
RESULT, SUMMARY = "result.txt", "result_summary.txt"

KNOWN_NAMES = (RESULT, SUMMARY)
#: Outputs of single phases.
OUTPUT_NAME = re.compile(r"(?P<phase>(?:ior|mdtest)[-_](?:easy|hard)[-_]\w+)\.txt")

#: Most bytes of configurations, and of results, that are read of one folder: what exceeds them is
#: left out. Each is some kilobytes, and takes up to 60 times as much in memory once it is read.
MAX_CONFIGS_B = 4 * 2**20
MAX_TEXTS_B = 16 * 2**20

# A folder that the program names, or that everybody names alike, does not tell runs apart.
_SAME_EVERYWHERE = re.compile(
    r"(io-?500|results?|io500[-_]results|out(put)?|runs?|latest|\d{4}[.-]\d\d[.-]\d\d[-_T.].*)?"
)


@dataclass
class Labels:
    """Paths as people should see them: long enough to tell one run from another."""

    path: Path

    def __post_init__(self) -> None:
        self._outer = [part for part in self.path.resolve().parts if part != "/"]

    def folder(self, inner: str) -> str:
        """A folder's name, with as much of the path before it as tells it from others."""
        parts = [part for part in inner.split("/") if part]
        outer = list(self._outer)
        while outer and (not parts or _SAME_EVERYWHERE.fullmatch(parts[0].lower())):
            parts.insert(0, outer.pop())
        return "/".join(parts)

    def file(self, inner: str) -> str:
        """The same of a file."""
        folder, _, name = inner.rpartition("/")
        return f"{self.folder(folder)}/{name}"


@dataclass
class Document:
    """One result file, as text."""

    file: File
    kind: text.Kind
    role: RunFile
    findings: list[Finding]
    blocks: list[text.Block] = field(default_factory=list)
    result: text.ResultText | None = None

    @property
    def name(self) -> str:
        return self.file.name

    @cached_property
    def scores(self) -> int:
        """How many score lines there are."""
        return sum(block.score is not None for block in self.blocks)


@dataclass
class Contents:
    """What one folder holds."""

    label: str
    results: list[Document] = field(default_factory=list)
    texts: list[Document] = field(default_factory=list)
    lists: list[Document] = field(default_factory=list)
    configs: list[Config] = field(default_factory=list)
    outputs: dict[str, tuple[text.Output, str]] = field(default_factory=dict)
    files: list[RunFile] = field(default_factory=list)
    configs_b: int = 0
    texts_b: int = 0

    def make_room(self, size_b: int, path: str, *, config: bool) -> None:
        """Count what is about to be kept of this folder.

        Raises
        ------
        StoragebookError
            If that is more than `MAX_CONFIGS_B` or `MAX_TEXTS_B`.
        """
        held, most = (self.configs_b, MAX_CONFIGS_B) if config else (self.texts_b, MAX_TEXTS_B)
        if held + size_b > most:
            what = "configurations" if config else "results"
            raise StoragebookError(
                f"not read, as one folder holds more than {most / 2**20:.3g} MiB of {what}; read it"
                " from a folder of its own",
                file=path,
            )
        if config:
            self.configs_b += size_b
        else:
            self.texts_b += size_b


def contents_of(path: str, files: list[File], labels: Labels, report: Report) -> Contents:
    """What a folder's files hold; each that cannot be read, or is too much, is reported."""
    contents = Contents(labels.folder(path))
    for file in files:
        if file.name.startswith("._"):
            continue  # what macOS leaves beside a file
        try:
            _take(contents, file, labels)
        except StoragebookError as error:
            report(Skipped(file.path, str(error.what), "error"))
    return contents


def _take(contents: Contents, file: File, labels: Labels) -> None:
    """Read a file if it is one of a run's, and put it where it belongs."""
    if file.name.endswith(".ini"):
        data = file.read()
        contents.make_room(len(data), file.path, config=True)
        lines, _ = lines_of(data)
        options, comments = text.options_of(lines)
        role = _role(file, labels, data, "configuration")
        contents.configs.append(Config(role.path, options, comments, role.sha256))
        contents.files.append(role)
        return
    if match := OUTPUT_NAME.fullmatch(file.name):
        data = file.read()
        phase = match["phase"].replace("_", "-")
        output = text.output_of(lines_of(data)[0], phase)
        if output is not None:
            role = _role(file, labels, data, "output")
            contents.outputs.setdefault(phase, (output, role.path))
            contents.files.append(role)
            return
    head = file.head()
    kind = text.kind_of(head)
    if kind is None:
        if file.name in KNOWN_NAMES:
            what = "an empty file" if not head else "no IO500 result in it, in spite of its name"
            raise StoragebookError(what, file=file.path)
        return
    data = file.read()
    contents.make_room(len(data), file.path, config=False)
    document = document_of(file, data, kind, labels)
    contents.files.append(document.role)
    if kind == "result":
        contents.results.append(document)
    elif kind == "list":
        contents.lists.append(document)
    else:
        contents.texts.append(document)


def _role(file: File, labels: Labels, data: bytes, role: str) -> RunFile:
    digest = hashlib.sha256(data).hexdigest()
    return RunFile(labels.file(file.path), role, len(data), digest)


def document_of(file: File, data: bytes, kind: text.Kind, labels: Labels) -> Document:
    """A result file, read.

    Raises
    ------
    StoragebookError
        If there is no phase and no score in it.
    """
    lines, odd = lines_of(data)
    role = _role(file, labels, data, kind)
    document = Document(file, kind, role, [])
    for code, line in odd:
        document.findings.append(finding(code, "", Place(role.path, line)))
    if kind == "result":
        document.result = text.result_of(lines)
    elif kind == "log-2017":
        document.blocks = [text.block_2017(lines)]
    elif kind == "list":
        try:
            document.blocks = list(text.list_rows(lines))
        except ValueError as error:
            raise StoragebookError(f"a list that cannot be read: {error}", file=file.path) from None
    else:
        document.blocks = text.blocks_of(lines)
    if kind in ("summary", "log") and not any(b.phases or b.score for b in document.blocks):
        raise StoragebookError("no phase and no score in it", file=file.path)
    return document
