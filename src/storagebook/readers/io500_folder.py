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
#: Most configurations of one folder, and most runs: each of these is held against each of those.
MAX_CONFIGS, MAX_RUNS = 1000, 10_000

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


@dataclass(frozen=True, slots=True)
class Scale:
    """How large the runs of a folder were, by what IOR and mdtest saw.

    Attributes
    ----------
    nodes
        The counts that are stated, the smallest first.
    tasks_per_node, file
        Of the output that states most nodes.
    """

    nodes: tuple[int, ...]
    tasks: frozenset[int]
    tasks_per_node: int | None
    file: str


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
    runs_count: int = 0

    def make_room(self, size_b: int, path: str, *, config: bool) -> None:
        """Count what is about to be kept of this folder.

        Raises
        ------
        StoragebookError
            If that is more than `MAX_CONFIGS_B`, `MAX_CONFIGS` or `MAX_TEXTS_B`.
        """
        if config and len(self.configs) == MAX_CONFIGS:
            raise _too_many(MAX_CONFIGS, "configurations", path)
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

    def count_runs(self, document: Document) -> None:
        """Count the runs that a file tells of, before it is kept.

        Raises
        ------
        StoragebookError
            If the folder has more than `MAX_RUNS` with them.
        """
        count = max(len(document.blocks), 1)
        if self.runs_count + count > MAX_RUNS:
            raise _too_many(MAX_RUNS, "runs", document.file.path)
        self.runs_count += count

    @cached_property
    def kept(self) -> tuple[tuple[Config, ...], tuple[RunFile, ...]]:
        """The configurations and files, once for all runs: a copy each would grow as a square."""
        return tuple(self.configs), tuple(self.files)

    @cached_property
    def scale(self) -> Scale | None:
        """What the outputs of phases state; None if there is none that does."""
        stated = [(o, file) for o, file in self.outputs.values() if o.nodes is not None]
        if not stated:
            return None
        most, file = max(stated, key=lambda s: s[0].nodes or 0)
        return Scale(
            nodes=tuple(sorted({o.nodes for o, _ in stated if o.nodes is not None})),
            tasks=frozenset(o.tasks for o, _ in stated if o.tasks is not None),
            tasks_per_node=most.tasks_per_node,
            file=file,
        )


def _too_many(most: int, what: str, path: str) -> StoragebookError:
    return StoragebookError(
        f"not read, as one folder holds more than {most:,} {what}; read it from a folder of its"
        " own",
        file=path,
    )


def contents_of(path: str, files: list[File], labels: Labels, report: Report) -> Contents:
    """What a folder's files hold; each that cannot be read, or is too much, is reported."""
    contents = Contents(labels.folder(path))
    for file in files:
        if file.name.startswith("._"):
            continue  # what macOS leaves beside a file
        try:
            _take(contents, file, labels)
        except StoragebookError as error:
            report(Skipped.by(error, file.path))
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
    contents.count_runs(document)
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
        If there is no phase and no score in it, or more than any run leaves.
    """
    lines, odd = lines_of(data)
    role = _role(file, labels, data, kind)
    document = Document(file, kind, role, [])
    for code, line in odd:
        document.findings.append(finding(code, "", Place(role.path, line)))
    try:
        if kind == "result":
            document.result = text.result_of(lines)
        else:
            document.blocks = _blocks(kind, lines)
    except StoragebookError as error:
        raise StoragebookError(
            error.what, file=file.path, line=error.line, hint=error.hint
        ) from None
    if kind in ("summary", "log") and not any(b.phases or b.score for b in document.blocks):
        raise StoragebookError("no phase and no score in it", file=file.path)
    return document


def _blocks(kind: text.Kind, lines: list[str]) -> list[text.Block]:
    if kind == "log-2017":
        return [text.block_2017(lines)]
    if kind != "list":
        return text.blocks_of(lines)
    try:
        return list(text.list_rows(lines))
    except ValueError as error:
        raise StoragebookError(f"a list that cannot be read: {error}") from None
