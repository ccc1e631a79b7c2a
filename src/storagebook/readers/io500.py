"""IO500 runs from a file, a folder, a tree of many or an archive.

A run is the folder that holds its result.txt; without one, what its result_summary.txt, shell log
or list row tells. The formats stand in `io500_text`, what is safe to read in `archive`, and what a
run's figures are worth in `storagebook.io500.rules`.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500.findings import Finding, finding
from storagebook.io500.phases import BY_NAME
from storagebook.io500.run import (
    Config,
    Format,
    HashedText,
    PhaseResult,
    Place,
    Printed,
    PrintedScore,
    Run,
    RunFile,
    Settings,
)
from storagebook.readers import io500_text as text
from storagebook.readers.archive import File, Folder, Report, Skipped, lines_of, open_tree

T = TypeVar("T")

#: Names of the program's own files.
RESULT, SUMMARY = "result.txt", "result_summary.txt"

#: Most bytes of configurations, and of results, that are read of one folder: what exceeds them is
#: left out. Each is some kilobytes, and takes up to 60 times as much in memory once it is read.
MAX_CONFIGS_B = 4 * 2**20
MAX_TEXTS_B = 16 * 2**20

_KNOWN_NAMES = (RESULT, SUMMARY)
_OUTPUT_NAME = re.compile(r"(?P<phase>(?:ior|mdtest)[-_](?:easy|hard)[-_]\w+)\.txt")
# A folder that the program names, or that everybody names alike, does not tell runs apart.
_SAME_EVERYWHERE = re.compile(
    r"(io-?500|results?|io500[-_]results|out(put)?|runs?|latest|\d{4}[.-]\d\d[.-]\d\d[-_T.].*)?"
)
_LOG_UNKNOWN = ("", "xxx")
#: Bandwidth at the stonewall is in GiB/s since the program prints its mode; what the versions of
#: 2020 print there fits no unit.
_STONEWALL_BANDWIDTH_UNIT: dict[Format, str] = {"c": "GiB/s"}


def sniff(head: bytes) -> bool:
    """Whether a file's first bytes look like an IO500 result in one of its formats."""
    return text.kind_of(head) is not None


def read(path: str | Path, *, report: Report | None = None) -> list[Run]:
    """Every run under a path, sorted by folder.

    Parameters
    ----------
    path
        A result file, a run's folder, a tree of many, a .tar, .tgz or .zip of one, a list's CSV.
    report
        Called with each thing that is left out, if there is a run beside it; where there is none,
        the first that is left out with an ``error`` is raised.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or holds no run.
    """
    left_out: list[Skipped] = []
    runs = list(iter_runs(path, report=left_out.append))
    if not runs:
        reasons = [s for s in left_out if s.severity == "error"]
        if reasons:
            raise StoragebookError(reasons[0].why, file=Path(path) / reasons[0].path)
        raise StoragebookError("no IO500 result in it", file=path)
    for skipped in left_out if report is not None else ():
        report(skipped)
    return runs


def iter_runs(path: str | Path, *, report: Report) -> Iterator[Run]:
    """As `read`, one run at a time, so that memory does not grow with their number.

    Raises
    ------
    StoragebookError
        If the path cannot be read.
    """
    path = Path(path)
    tree = open_tree(path, keep=_keep, report=report)
    labels = _Labels(path)
    if isinstance(tree, File):
        yield from _file_runs(tree, labels)
    else:
        yield from _folder_runs(tree, labels, report)


def _keep(path: str, head: bytes) -> bool:
    name = path.rpartition("/")[2]
    if name.startswith("._"):
        return False
    return (
        name in _KNOWN_NAMES
        or name.endswith(".ini")
        or _OUTPUT_NAME.fullmatch(name) is not None
        or sniff(head)
    )


# -- folders


@dataclass
class _Labels:
    """Paths as people should see them: long enough to tell one run from another."""

    path: Path

    def __post_init__(self) -> None:
        self._outer = [part for part in self.path.resolve().parts if part != "/"]

    def folder(self, inner: str) -> str:
        parts = [part for part in inner.split("/") if part]
        outer = list(self._outer)
        while outer and (not parts or _SAME_EVERYWHERE.fullmatch(parts[0].lower())):
            parts.insert(0, outer.pop())
        return "/".join(parts)

    def file(self, inner: str) -> str:
        folder, _, name = inner.rpartition("/")
        return f"{self.folder(folder)}/{name}"


@dataclass
class _Document:
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
class _Contents:
    """What one folder holds."""

    label: str
    results: list[_Document] = field(default_factory=list)
    texts: list[_Document] = field(default_factory=list)
    lists: list[_Document] = field(default_factory=list)
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


def _folder_runs(folder: Folder, labels: _Labels, report: Report) -> Iterator[Run]:
    files, folders = folder.entries()
    contents = _contents(folder.path, files, labels, report)
    own = list(_assemble(contents))
    below = itertools.chain.from_iterable(_folder_runs(f, labels, report) for f in folders)
    if not own or contents.results or contents.lists:
        yield from own
        yield from below
        return
    # A summary above the folders of runs is a copy of one of theirs, or a run of its own.
    first_two = list(itertools.islice(below, 2))
    unmatched = {run.fingerprint: run for run in own}
    if len(first_two) == 1 and first_two[0].hashed is not None:
        run = first_two[0]
        unmatched.pop(run.fingerprint, None)
        copies = tuple(_other_summary(run, other) for other in unmatched.values())
        yield replace(run, findings=run.findings + copies)
        return
    for run in itertools.chain(first_two, below):
        unmatched.pop(run.fingerprint, None)
        yield run
    yield from unmatched.values()


def _other_summary(run: Run, other: Run) -> Finding:
    own = run.printed.score.text if run.printed else "none"
    there = other.printed.score.text if other.printed else "none"
    what = f"the summary above this run's folder is another run's: score {there} beside {own}"
    return finding("other-summary", what, other.place)


def _contents(path: str, files: list[File], labels: _Labels, report: Report) -> _Contents:
    contents = _Contents(labels.folder(path))
    for file in files:
        if file.name.startswith("._"):
            continue  # what macOS leaves beside a file
        try:
            _take(contents, file, labels)
        except StoragebookError as error:
            report(Skipped(file.path, str(error.what), "error"))
    return contents


def _take(contents: _Contents, file: File, labels: _Labels) -> None:
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
    if match := _OUTPUT_NAME.fullmatch(file.name):
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
        if file.name in _KNOWN_NAMES:
            what = "an empty file" if not head else "no IO500 result in it, in spite of its name"
            raise StoragebookError(what, file=file.path)
        return
    data = file.read()
    contents.make_room(len(data), file.path, config=False)
    document = _document(file, data, kind, labels)
    contents.files.append(document.role)
    if kind == "result":
        contents.results.append(document)
    elif kind == "list":
        contents.lists.append(document)
    else:
        contents.texts.append(document)


def _role(file: File, labels: _Labels, data: bytes, role: str) -> RunFile:
    digest = hashlib.sha256(data).hexdigest()
    return RunFile(labels.file(file.path), role, len(data), digest)


def _document(file: File, data: bytes, kind: text.Kind, labels: _Labels) -> _Document:
    lines, odd = lines_of(data)
    role = _role(file, labels, data, kind)
    document = _Document(file, kind, role, [])
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


def _file_runs(file: File, labels: _Labels) -> Iterator[Run]:
    head = file.head()
    kind = text.kind_of(head)
    if kind is None:
        what = "an empty file" if not head else "no IO500 result in it"
        raise StoragebookError(what, file=labels.path)
    # the file's own name is part of no folder
    labels = _Labels(labels.path.parent)
    document = _document(file, file.read(), kind, labels)
    contents = _Contents(labels.folder(""), files=[document.role])
    place = {"result": contents.results, "list": contents.lists}.get(kind, contents.texts)
    place.append(document)
    yield from _assemble(contents)


# -- from texts to runs


def _assemble(contents: _Contents) -> Iterator[Run]:
    """The runs of one folder: its result.txt first, then texts that tell of others."""
    texts = sorted(contents.texts, key=lambda d: (d.name != SUMMARY, d.kind != "summary", d.name))
    blocks = [(document, block) for document in texts for block in document.blocks]
    taken: dict[tuple[str, ...], list[tuple[_Document, text.Block]]] = {}
    for document, block in blocks:
        taken.setdefault(block.fingerprint, []).append((document, block))

    several = len(contents.results) > 1
    for document in sorted(contents.results, key=lambda d: (d.name != RESULT, d.name)):
        name = f"{contents.label}/{document.name}" if several else contents.label
        yield _run_of_result(contents, name, document, taken, alone=not several)
    if contents.results:
        return
    for number, copies in enumerate(taken.values()):
        name = contents.label
        if number:
            document, block = copies[0]
            position = f"#{block.position}" if len(document.blocks) > 1 else ""
            name = f"{name}/{document.name}{position}"
        yield _run_of_text(contents, name, copies, several=len(taken) > 1)
    for document in contents.lists:
        for block in document.blocks:
            name = f"{contents.label}/{document.name}#{block.first_line}"
            yield _run_of_text(contents, name, [(document, block)], several=True)


def _run_of_result(
    contents: _Contents,
    name: str,
    document: _Document,
    taken: dict[tuple[str, ...], list[tuple[_Document, text.Block]]],
    *,
    alone: bool,
) -> Run:
    result = document.result
    assert result is not None, "a document of this kind has keys"
    findings = list(document.findings)
    file = document.role.path
    phases = tuple(_phases_of_result(result, file, findings))
    printed = _score_of_result(result, "SCORE", file, findings)
    printed_x = _score_of_result(result, "SCOREX", file, [])
    own = _fingerprint(phases, printed)
    copies = taken.pop(own, [])
    source, place = document.name, Place(file, 1)
    seconds: dict[str, Printed] = {}
    if copies:
        summary, block = copies[0]
        source, place = summary.name, Place(summary.role.path, block.first_line)
        findings += _block_findings(summary, block)
        seconds = {p.name: p.seconds for p in block.phases.values() if p.seconds is not None}
        findings += _compare(phases, printed_x, summary.role.path, block)
        phases, printed, printed_x = _with_block(phases, printed, printed_x, summary, block)
    if alone:
        findings += _differing_summaries(taken, phases, printed)
        taken.clear()
    mode = result.head("mode") or next((b.mode for _, b in copies if b.mode), None)
    version = result.head("version")
    format_: Format = "c" if mode is not None else "c-2020"
    config = _config(contents.configs)
    phases = tuple(
        _complete(phase, format_, seconds.get(phase.name), config, contents.outputs)
        for phase in phases
    )
    head = {"version": version, "config": result.head("config-hash")}
    return _finish(
        contents,
        Run(
            name=name,
            source=source,
            format=format_,
            place=place,
            phases=phases,
            printed=printed,
            printed_x=printed_x,
            version=version,
            mode=mode,
            student=_student(result, config),
            procs=text.whole(result.head("procs")),
            started=_comment(result, "START") or _first(result, "t_start"),
            ended=_comment(result, "END") or _last(result, "t_end"),
            found=text.whole(result.get("find", "found")),
            total_files=text.whole(result.get("find", "total-files")),
            find_external=_is_external(result.get("find", "exe")),
            hashed=_hashed(result, "SCORE", file, head["version"]),
            hashed_x=_hashed(result, "SCOREX", file, None) if printed_x is not None else None,
            config_hash=head["config"],
            findings=tuple(findings + _error_comments(result, file, phases, printed)),
        ),
    )


def _run_of_text(
    contents: _Contents,
    name: str,
    copies: list[tuple[_Document, text.Block]],
    *,
    several: bool,
) -> Run:
    """A run that only a summary, a log or a list row tells of; copies of it add what they know."""
    document, block = copies[0]
    file = document.role.path
    facts: dict[str, str] = {}
    for _, other in copies:
        facts = other.facts | facts
    commands = {key: value for _, other in copies for key, value in other.commands.items()}
    logged = next((b for d, b in copies if d.kind == "log"), block)
    format_ = _format_of(document.kind, block)
    findings = [f for d, b in copies for f in _block_findings(d, b)]
    if document.scores > 1 and document.kind != "list":
        what = f"{document.scores} score lines in one file; each is taken as a run"
        findings.append(finding("several-scores", what, Place(file, block.first_line)))
    config = _config(contents.configs)
    phases = tuple(
        _complete(
            _phase_of_line(phase, document.kind, file, commands.get(phase.name)),
            format_,
            phase.seconds,
            config,
            contents.outputs if not several or document.name == SUMMARY else {},
        )
        for phase in block.phases.values()
    )
    run = Run(
        name=name,
        source=document.name,
        format=format_,
        place=Place(file, block.first_line),
        phases=phases,
        printed=_score_of_line(block.score, file),
        printed_x=_score_of_line(block.score_x, file),
        version=block.version,
        mode=block.mode,
        student=_scc(config),
        started=next((b.date for _, b in copies if b.date), None),
        found=logged.found,
        total_files=logged.total_files,
        find_external=None,
        findings=tuple(findings),
        **_facts(facts, document.kind),
    )
    return _finish(contents, run, outputs=not several or document.name == SUMMARY)


def _finish(contents: _Contents, run: Run, *, outputs: bool = True) -> Run:
    """Scale, from the per-phase outputs where no file of the run states it; and the files."""
    findings = list(run.findings)
    nodes, per_node, procs = run.nodes, run.tasks_per_node, run.procs
    stated = []
    for output, file in contents.outputs.values() if outputs else ():
        if output.nodes is not None:
            stated.append((output.nodes, output.tasks_per_node, output.tasks, file))
    if stated:
        most = max(stated, key=lambda s: s[0])
        if len({s[0] for s in stated}) > 1 or (nodes is not None and nodes != most[0]):
            counts = sorted({s[0] for s in stated} | ({nodes} if nodes is not None else set()))
            what = f"node counts that differ: {', '.join(map(str, counts))}"
            findings.append(finding("scale-differs", what, Place(most[3])))
        # what the tools saw, before what a form says
        nodes, per_node = most[0], most[1] or per_node
        tasks = {s[2] for s in stated if s[2] is not None}
        if procs is None and tasks:
            procs = max(tasks)
        elif procs is not None and tasks and procs not in tasks:
            what = f"{procs} processes in the result, {max(tasks)} in the outputs"
            findings.append(finding("scale-differs", what, Place(most[3])))
    return replace(
        run,
        nodes=nodes,
        tasks_per_node=per_node,
        procs=procs,
        configs=tuple(contents.configs),
        files=tuple(contents.files),
        findings=tuple(findings),
    )


def _format_of(kind: text.Kind, block: text.Block) -> Format:
    if kind in ("log-2017", "list"):
        return "log-2017" if kind == "log-2017" else "list"
    if block.version is None:
        return "shell"
    return "c" if block.mode is not None else "c-2020"


def _phases_of_result(
    result: text.ResultText, file: str, findings: list[Finding]
) -> Iterator[PhaseResult]:
    for name, keys in result.sections.items():
        if "score" not in keys or name in ("SCORE", "SCOREX", "timestamp"):
            continue
        printed, line = keys["score"]
        value = text.number(printed.split(" ")[0])
        if value is None:
            what = f"{name} has a score that is no number: {printed}"
            findings.append(finding("unreadable-value", what, Place(file, line)))
            continue
        unit = "GiB/s" if name.startswith("ior") else "kIOP/s"
        rate = "throughput-stonewall" if unit == "GiB/s" else "rate-stonewall"
        command = result.get(name, "exe")
        yield PhaseResult(
            name=name,
            value=value,
            unit=unit,
            printed_unit=unit,
            place=Place(file, line),
            seconds=text.number(result.get(name, "t_delta") or ""),
            valid="INVALID" not in printed,
            scored=name in BY_NAME,
            stonewall=text.number(result.get(name, rate) or ""),
            stonewall_unit=unit,
            started=result.get(name, "t_start") or None,
            ended=result.get(name, "t_end") or None,
            settings=text.settings_of(command) if command else Settings(),
        )


def _with_block(
    phases: tuple[PhaseResult, ...],
    printed: PrintedScore | None,
    printed_x: PrintedScore | None,
    summary: _Document,
    block: text.Block,
) -> tuple[tuple[PhaseResult, ...], PrintedScore | None, PrintedScore | None]:
    """The phases of result.txt with what only the summary tells: marks and labels."""
    file = summary.role.path
    order = {name: number for number, name in enumerate(block.phases)}
    merged = []
    for phase in phases:
        line = block.phases.get(phase.name)
        if line is not None:
            phase = replace(
                phase,
                place=Place(file, line.line),
                printed_unit=line.unit,
                valid=phase.valid and line.valid,
                scored=line.scored,
            )
        merged.append(phase)
    merged.sort(key=lambda p: order.get(p.name, len(order)))
    own, own_x = _score_of_line(block.score, file), _score_of_line(block.score_x, file)
    if own is not None and printed is not None:
        own = replace(own, invalid=own.invalid or printed.invalid)
    return tuple(merged), own or printed, own_x or printed_x


def _compare(
    phases: tuple[PhaseResult, ...],
    printed_x: PrintedScore | None,
    file: str,
    block: text.Block,
) -> Iterator[Finding]:
    """What a summary says otherwise than result.txt, beside the scored figures that they share."""
    for phase in phases:
        line = block.phases.get(phase.name)
        if line is None:
            what = f"{phase.name} is in result.txt only"
            yield finding("summary-differs", what, phase.place)
            continue
        if line.value.text != phase.value.text:
            what = f"{phase.name} {line.value.text} beside {phase.value.text} in result.txt"
            yield finding("summary-differs", what, Place(file, line.line))
        # three decimals beside four of the same figure
        if line.seconds is not None and phase.seconds is not None:
            ends = [
                Interval.of_printed(s.text, trailing_zeros=True)
                for s in (line.seconds, phase.seconds)
            ]
            if not ends[0].overlaps(ends[1]):
                what = (
                    f"{phase.name} took {line.seconds.text} s by the summary,"
                    f" {phase.seconds.text} s by result.txt"
                )
                yield finding("seconds-differ", what, Place(file, line.line))
    for name, extra in block.phases.items():
        if not any(phase.name == name for phase in phases):
            yield finding(
                "summary-differs", f"{name} is in the summary only", Place(file, extra.line)
            )
    other = _score_of_line(block.score_x, file)
    if printed_x is not None and other is not None and _texts(other) != _texts(printed_x):
        what = f"SCOREX {other.score.text} beside {printed_x.score.text} in result.txt"
        yield finding("summary-differs", what, other.place)


def _texts(score: PrintedScore) -> tuple[str, str, str]:
    return score.bw.text, score.md.text, score.score.text


def _differing_summaries(
    taken: dict[tuple[str, ...], list[tuple[_Document, text.Block]]],
    phases: tuple[PhaseResult, ...],
    printed: PrintedScore | None,
) -> Iterator[Finding]:
    """Summaries beside a result.txt that do not say the same."""
    values = {phase.name: phase.value.text for phase in phases}
    for copies in taken.values():
        document, block = copies[0]
        difference = next(
            (
                f"{name} {line.value.text} beside {values.get(name, 'nothing')}"
                for name, line in block.phases.items()
                if name in BY_NAME and line.value.text != values.get(name)
            ),
            None,
        )
        if difference is None and block.score is not None and printed is not None:
            difference = f"score {block.score.score.text} beside {printed.score.text}"
        missing = [n for n in values if n in BY_NAME and n not in block.phases]
        if difference is None and missing:
            difference = f"no {missing[0]}"
        what = f"{document.name} differs from result.txt: {difference or 'another score line'}"
        line = Place(document.role.path, block.first_line)
        code = "summary-differs" if document.name == SUMMARY else "other-summary"
        yield finding(code, what, line)


def _complete(
    phase: PhaseResult,
    format_: Format,
    seconds: Printed | None,
    config: Config | None,
    outputs: dict[str, tuple[text.Output, str]],
) -> PhaseResult:
    """A phase with the settings and figures that other files tell."""
    settings = phase.settings
    if settings.origin is None and config is not None:
        settings = text.settings_from(config.get, phase.name)
    output = outputs[phase.name][0] if phase.name in outputs else None
    if output is not None:
        if settings.origin is None:
            command = text.settings_of(output.command) if output.command else Settings()
            settings = replace(command, origin="output")
        settings = replace(
            settings,
            api=settings.api or output.api,
            file_per_process=_known(settings.file_per_process, output.file_per_process),
            transfer_b=_known(settings.transfer_b, output.transfer_b),
            block_b=_known(settings.block_b, output.block_b),
        )
    unit = phase.stonewall_unit
    if phase.is_bandwidth:
        unit = _STONEWALL_BANDWIDTH_UNIT.get(format_)
    return replace(
        phase,
        seconds=seconds or phase.seconds,
        settings=settings,
        stonewall_unit=unit if phase.stonewall is not None else None,
        output_rate=output.rate if output is not None else None,
    )


def _known(first: T | None, second: T | None) -> T | None:
    return second if first is None else first


def _phase_of_line(
    line: text.PhaseLine, kind: text.Kind, file: str, command: str | None
) -> PhaseResult:
    if kind == "log-2017":
        unit = "IOP/s" if line.unit == "IOPS" else line.unit
    else:
        # "GB/s" of the shell script is a wrong label: its values are IOR's MiB/s over 1024
        unit = "GiB/s" if line.unit.lower() in ("gb/s", "gib/s") else "kIOP/s"
    return PhaseResult(
        name=line.name,
        value=line.value,
        unit=unit,
        printed_unit=line.unit,
        place=Place(file, line.line),
        seconds=line.seconds,
        valid=line.valid,
        scored=line.scored,
        settings=text.settings_of(command) if command else Settings(),
    )


def _score_of_line(line: text.ScoreLine | None, file: str) -> PrintedScore | None:
    if line is None:
        return None
    return PrintedScore(
        bw=line.bw,
        md=line.md,
        score=line.score,
        bw_unit=line.unit,
        place=Place(file, line.line),
        invalid=line.invalid,
    )


def _score_of_result(
    result: text.ResultText, section: str, file: str, findings: list[Finding]
) -> PrintedScore | None:
    keys = result.sections.get(section)
    if not keys:
        return None
    parts: dict[str, Printed] = {}
    for key in ("BW", "MD", "SCORE"):
        printed, line = keys.get(key, ("", 0))
        value = text.number(printed.split(" ")[0])
        if value is None:
            what = f"{section} has no number for {key}"
            findings.append(finding("unreadable-value", what, Place(file, line or None)))
            return None
        parts[key] = value
    return PrintedScore(
        bw=parts["BW"],
        md=parts["MD"],
        score=parts["SCORE"],
        bw_unit="GiB/s",
        place=Place(file, keys["SCORE"][1]),
        invalid="INVALID" in keys["SCORE"][0],
    )


def _hashed(result: text.ResultText, section: str, file: str, version: str | None) -> HashedText:
    keys = {key: value for key, (value, _) in result.sections.get(section, {}).items()}
    score = keys.get("SCORE")
    return HashedText(
        version=version,
        phases={
            name: found["score"][0].split(" ")[0]
            for name, found in result.sections.items()
            if "score" in found
        },
        md=keys.get("MD"),
        bw=keys.get("BW"),
        score=score.split(" ")[0] if score is not None else None,
        valid="INVALID" not in (score or ""),
        printed=keys.get("hash") or None,
        place=Place(file, result.line(section, "hash")),
    )


def _fingerprint(phases: Iterable[PhaseResult], printed: PrintedScore | None) -> tuple[str, ...]:
    values = {phase.name: phase.value.text for phase in phases}
    texts = [f"{name}={values[name]}" for name in BY_NAME if name in values]
    return (*texts, *(_texts(printed) if printed is not None else ()))


def _block_findings(document: _Document, block: text.Block) -> list[Finding]:
    file = document.role.path
    odd = [finding(code, what, Place(file, line)) for code, what, line in block.odd]
    return document.findings + odd


def _config(configs: list[Config]) -> Config | None:
    """The configuration of a run that states no commands: config.ini, or the only one."""
    for config in configs:
        if config.file.rpartition("/")[2] == "config.ini":
            return config
    return configs[0] if len(configs) == 1 else None


def _scc(config: Config | None) -> bool | None:
    value = config.get("global", "scc") if config is not None else None
    return None if value is None else value.upper() == "TRUE"


def _student(result: text.ResultText, config: Config | None) -> bool | None:
    # only student-cluster mode asks for 30 s
    if any(re.search(r"stonewall-time < 30s", comment) for comment, _ in result.comments):
        return True
    return _scc(config)


def _error_comments(
    result: text.ResultText,
    file: str,
    phases: tuple[PhaseResult, ...],
    printed: PrintedScore | None,
) -> list[Finding]:
    """What the program said against a run that it did not mark."""
    marked = (printed is not None and printed.invalid) or not all(p.valid for p in phases)
    errors = [(c, line) for c, line in result.comments if c.startswith("ERROR INVALID")]
    if marked or not errors:
        return []
    return [finding("error-not-marked", c, Place(file, line)) for c, line in errors]


def _comment(result: text.ResultText, word: str) -> str | None:
    return next(
        (c.removeprefix(word).strip() for c, _ in result.comments if c.startswith(word)), None
    )


def _first(result: text.ResultText, key: str) -> str | None:
    return next((k[key][0] for k in result.sections.values() if key in k and k[key][0]), None)


def _last(result: text.ResultText, key: str) -> str | None:
    found = [k[key][0] for k in result.sections.values() if key in k and k[key][0]]
    return found[-1] if found else None


def _is_external(command: str | None) -> bool | None:
    if not command:
        return None
    return command.split(" ")[0].rpartition("/")[2] != "pfind"


def _facts(facts: dict[str, str], kind: text.Kind) -> dict[str, Any]:
    """What a log's head or a list's row says about the system."""

    def stated(*keys: str) -> str | None:
        return next((facts[k] for k in keys if facts.get(k, "") not in _LOG_UNKNOWN), None)

    nodes = text.whole(stated("info_num_client_nodes", "client_nodes", "nodes"))
    per_node = text.whole(stated("info_procs_per_node", "client_procs_per_node", "ppn"))
    procs = text.whole(stated("client_total_procs"))
    if procs is None and nodes is not None and per_node is not None:
        procs = nodes * per_node
    return {
        "nodes": nodes,
        "tasks_per_node": per_node,
        "procs": procs,
        "system": stated("info_system_name", "system"),
        "institution": stated("info_institute_name", "institution"),
        "file_system": stated("info_filesystem", "filesystem_type"),
    }
