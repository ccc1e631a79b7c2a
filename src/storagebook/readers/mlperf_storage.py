"""MLPerf Storage results of v0.5, v1.0, v2.0 and v3.0, from a submission's tree or any part of it.

Which files belong together is told by `mlperf_layout`, what is safe to read by `archive`, and what
the figures are worth by `storagebook.mlperf.rules`. What the files call MB is MiB and GB is GiB.

Where the numbers are differs by round. v0.5 has a summary for every host, and a run is their sum.
v1.0 has one for all hosts, and names workload and accelerator only in the overrides of the
configuration. v2.0 and v3.0 have metadata beside the summary, in one layout; a result whose files
do not tell these two apart is refused.
"""

from __future__ import annotations

import datetime
import difflib
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from storagebook.errors import StoragebookError, one_line
from storagebook.mlperf import rules
from storagebook.mlperf.results import Figure, HostResult, Report, ResultSet, Run
from storagebook.mlperf.workloads import B_PER_MIB, DEMANDS, WORKLOADS
from storagebook.readers import mlperf_layout, mlperf_system
from storagebook.readers.archive import (
    ARCHIVE_SUFFIXES,
    File,
    Folder,
    Skipped,
    open_tree,
)
from storagebook.readers.archive import Report as LeftOut
from storagebook.readers.mlperf_files import (
    Config,
    Reader,
    Tag,
    config_of,
    report_of,
    spelt,
    summary_of,
    tag_of_overrides,
)
from storagebook.readers.mlperf_layout import Part, Place, RunFolder, SetFolder
from storagebook.readers.mlperf_tidy import TOOL, as_json, to_measurements

__all__ = ["TOOL", "as_json", "read", "read_files", "sniff", "to_measurements"]

#: The one accelerator that v0.5 emulates, whether its files say so or not.
V05_ACCELERATOR = "v100"
#: When v2.0 was published (source 001, line 1): what started later was made for another round.
V20_PUBLISHED = datetime.date(2025, 8, 5)
#: What v2.0 emulates; another accelerator in its layout is v3.0's.
V20_ACCELERATORS = frozenset(a for (_, a), d in DEMANDS.items() if "v2.0" in d.rounds)
_MODERN = ("v2.0", "v3.0")

_SUMMARY_KEYS = (b'"num_accelerators"', b'"train_au_percentage"', b'"train_throughput_')
_IN_NAMES = re.compile(
    r"(?<![a-z])(?P<workload>unet3d|resnet(?:50)?|cosmoflow|bert)(?![a-z])"
    r"|(?<![a-z0-9])(?P<accelerator>v100|a100|h100|b200)(?![0-9])"
)
#: How alike a description's name has to be to a system's, where it is not the same.
_ALIKE = 0.9


def sniff(head: bytes) -> bool:
    """Whether a file's first bytes look like a summary or report of MLPerf Storage."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and any(
        key in head for key in _SUMMARY_KEYS
    )


def read(path: str | Path, *, report: LeftOut | None = None) -> list[ResultSet]:
    """Every result under a path, sorted by folder.

    Parameters
    ----------
    path
        A submission's tree or any folder in it, a .tar, .tgz or .zip of one, a summary or a report.
    report
        Called with each thing that is left out; without it, what is left out with an ``error``
        is raised if nothing else is found.

    Raises
    ------
    StoragebookError
        If the path cannot be read, or holds no result.
    """
    left_out: list[Skipped] = []
    path = Path(path)
    note = report or left_out.append
    tree = _Tree.open(path, note)
    found, refused = _results(tree, note)
    if found:
        return found
    if refused:
        raise refused[0]
    errors = [skipped for skipped in left_out if skipped.severity == "error"]
    if errors:
        raise StoragebookError(errors[0].why, file=path / errors[0].path)
    raise StoragebookError("no MLPerf Storage result in it", file=path)


def read_files(files: Mapping[str, File]) -> list[ResultSet]:
    """Every result among files that stand elsewhere than in their tree.

    Parameters
    ----------
    files
        Path in the tree → file.

    Raises
    ------
    StoragebookError
        If one of the results cannot be told.
    """
    tree = _Tree.of((), {path: replace(file, path=path) for path, file in files.items()})
    found, refused = _results(tree, lambda _skipped: None)
    if refused:
        raise refused[0]
    return found


def _results(tree: _Tree, report: LeftOut) -> tuple[list[ResultSet], list[StoragebookError]]:
    found: list[ResultSet] = []
    refused: list[StoragebookError] = []
    for folder in tree.sets:
        try:
            found += _result_sets(folder, tree)
        except StoragebookError as error:
            refused.append(error)
            where = "" if error.line is None else f"line {error.line}: "
            hint = "" if error.hint is None else f" — {error.hint}"
            report(Skipped(str(error.file or folder.path), f"{where}{error.what}{hint}", "error"))
    return list(_copied_reports(found)), refused


def _copied_reports(results: list[ResultSet]) -> Iterator[ResultSet]:
    """The results, with a note where a report that disagrees is another result's file."""
    for result in results:
        report = result.report
        others = [
            other.run
            for other in results
            if report is not None
            and other.report is not None
            and other.report.sha256 == report.sha256
            and other.report.file != report.file
        ]
        if report is not None and others and not rules.report_agrees(result):
            text = f"the report is the very file that stands with {others[0]}"
            found = rules.finding("report-copied", text, report.file)
            result = replace(result, findings=(*result.findings, found))
        yield result


# -- the tree


@dataclass(frozen=True)
class _Tree:
    """The files that matter under a path, and what is known of the folders above it."""

    base: tuple[str, ...]
    files: dict[str, File]
    sets: list[SetFolder]
    side_cars: int
    #: How many results each report may be about.
    claims: Counter[str]

    @classmethod
    def of(cls, base: tuple[str, ...], files: dict[str, File]) -> _Tree:
        """A tree of these files."""
        sets = mlperf_layout.sets(files, base)
        claims = Counter(name for item in sets for name in item.reports)
        side_cars = sum(mlperf_layout.role(file) == "side-car" for file in files)
        return cls(base, files, sets, side_cars, claims)

    @classmethod
    def open(cls, path: Path, report: LeftOut) -> _Tree:
        """The tree at a path."""
        root = open_tree(path, keep=lambda p, _: mlperf_layout.role(p) is not None, report=report)
        base = tuple(part for part in path.resolve().parts if part != os.sep)
        if isinstance(root, File):
            head = root.head()
            name = "mlperf_storage_report.json" if _is_report(head) else "summary.json"
            return cls.of(base[:-1], {name: replace(root, path=name)} if sniff(head) else {})
        files = dict(_gathered(root))
        if path.is_dir():
            return cls.of(base, files | _systems_above(path, base, report))
        suffix = next((s for s in ARCHIVE_SUFFIXES if base[-1].lower().endswith(s)), "")
        return cls.of((*base[:-1], base[-1][: len(base[-1]) - len(suffix)]), files)

    @property
    def systems_above(self) -> tuple[str, ...]:
        return tuple(path for path in self.files if path.startswith("../"))

    def label(self, folder: SetFolder, place: Place) -> str:
        """A name that tells a result from others: its folders from the division on."""
        parts = (*self.base, *filter(None, folder.path.split("/")))
        first = max(len(self.base) - 1, 0)
        if place.division is not None and place.results is not None:
            first = place.results - 2
        return one_line("/".join(parts[first:]))


def _gathered(root: Folder) -> Iterator[tuple[str, File]]:
    """Every file under a folder that has a role."""
    folders = [root]
    while folders:
        files, inner = folders.pop().entries()
        folders += inner
        for file in files:
            if mlperf_layout.role(file.path) is not None:
                yield file.path, file


def _systems_above(path: Path, base: tuple[str, ...], report: LeftOut) -> dict[str, File]:
    """Descriptions beside the ``results`` folder that a folder lies in."""
    results = mlperf_layout.place((), base).results
    if results is None:
        return {}
    found: dict[str, File] = {}
    for levels, above in enumerate(path.resolve().parents[: len(base) - results], 1):
        folder = above / "systems"
        if not folder.is_dir():
            continue
        root = open_tree(folder, keep=lambda _path, _head: True, report=report)
        for file in [] if isinstance(root, File) else root.entries()[0]:
            name = "../" * levels + f"systems/{file.path}"
            if mlperf_layout.role(name) == "system":
                found[name] = replace(file, path=name)
    return found


def _is_report(head: bytes) -> bool:
    return b'"overall"' in head


# -- one result


@dataclass
class _RunRead:
    """A run while it is put together."""

    folder: RunFolder
    run: Run
    tag: Tag
    config: Config | None
    modern: bool


def _result_sets(folder: SetFolder, tree: _Tree) -> list[ResultSet]:
    """The results of one folder: one, unless its runs are of several workloads."""
    if not folder.runs:
        return [_report_only(folder, tree)]
    reader = Reader(tree.files)
    reads = [read for run in folder.runs for read in _read_run(run, reader)]
    if not any(read.run.parts for read in reads):
        errors = [f for f in reader.findings if f.severity == "error"]
        if not errors:
            return []
        raise StoragebookError(errors[0].text, file=errors[0].file, line=errors[0].line)
    _complete_tags(reads)
    tags = list(dict.fromkeys(read.tag for read in reads if read.tag.workload is not None))
    if len(tags) < 2:
        return [_assembled(folder, reads, reader, tree, "")]
    results = []
    for tag in tags:
        # a run of which nothing is known counts against the first
        own = [r for r in reads if r.tag == tag or (r.tag.workload is None and tag == tags[0])]
        paths = {file for read in own for file in _files_of(read)}
        inner = Reader(tree.files, [f for f in reader.findings if f.file in paths], sorted(paths))
        label = "_".join(filter(None, tag))
        inner.find(
            "workload-differs", f"the folder holds runs of {len(tags)} workloads", own[0].run.file
        )
        results.append(_assembled(folder, own, inner, tree, label))
    return results


def _complete_tags(reads: list[_RunRead]) -> None:
    """Give a run the accelerator of the others where its own files do not name one."""
    for read in reads:
        if read.tag.accelerator is None and read.tag.workload is not None:
            named = {r.tag for r in reads if r.tag.workload == read.tag.workload} - {read.tag}
            if len(named) == 1:
                read.tag = named.pop()


def _files_of(read: _RunRead) -> Iterator[str]:
    for part in read.folder.parts:
        for files in part.files.values():
            yield from files


def _read_run(folder: RunFolder, reader: Reader) -> list[_RunRead]:
    """A run; several if its folder holds summaries of several workloads."""
    by_tag: dict[Tag, list[tuple[Part, HostResult, Config | None]]] = {}
    broken = False
    for part in folder.parts:
        for path in part.files.get("summary", ()):
            document = reader.json(path)
            if document is None:
                broken = True
                continue
            summary = summary_of(path, *document, reader)
            if summary is None:
                continue
            config = config_of(folder, part, reader)
            tag = _tag(folder, part, summary, config, reader)
            by_tag.setdefault(tag, []).append((part, summary, config))
    modern = bool(folder.files("metadata")) or any(
        "dlio_config" in path.lower().split("/") for path in folder.files("config")
    )
    if not by_tag:
        if not folder.files("summary"):
            reader.find("no-summary", "", folder.path)
        elif not broken:
            return []  # summaries of some other tool
        tag = _tag(
            folder, folder.parts[0], None, config_of(folder, folder.parts[0], reader), reader
        )
        return [_RunRead(folder, Run(name=folder.name, file=folder.path), tag, None, modern)]
    return [
        _RunRead(folder, _run(folder, [s for _, s, _ in items], reader), tag, items[0][2], modern)
        for tag, items in by_tag.items()
    ]


def _run(folder: RunFolder, summaries: list[HostResult], reader: Reader) -> Run:
    if len(summaries) == 1:
        return Run(name=folder.name, file=summaries[0].file, parts=tuple(summaries))
    if all(s.hosts is None and s.model is not None for s in summaries):
        # v0.5: one summary a host
        return Run(
            name=folder.name,
            file=folder.path,
            parts=tuple(replace(summary, hosts=1) for summary in summaries),
        )
    if len({summary.sha256 for summary in summaries}) == 1:
        text = f"the summary stands in {len(summaries)} folders of one run; it counts once"
        reader.find("same-summary", text, summaries[0].file)
        return Run(name=folder.name, file=summaries[0].file, parts=(summaries[0],))
    text = (
        f"{len(summaries)} summaries that differ, where one covers all hosts; "
        "which one counts cannot be told, so none does"
    )
    reader.find("several-summaries", text, folder.path)
    return Run(name=folder.name, file=folder.path)


def _assembled(
    folder: SetFolder, reads: list[_RunRead], reader: Reader, tree: _Tree, label: str
) -> ResultSet:
    place = mlperf_layout.place(tuple(filter(None, folder.path.split("/"))), tree.base)
    tag = next((read.tag for read in reads if read.tag.workload), reads[0].tag)
    config = next((read.config for read in reads if read.config), None)
    report = _report(folder, tree, tag, reads, reader)
    if tag.workload is None and report is not None and report.workload:
        tag = Tag(report.workload, report.accelerator)
        reader.find("workload-from", f"{report.workload} stands in the report only", report.file)
    tag = _named_by_folder(folder, place, tree, tag, reader)
    round_ = _round(reads, tag, place, report, reader)
    if round_ == "v0.5":
        tag = Tag(tag.workload, tag.accelerator or V05_ACCELERATOR)
        reads = [_with_hosts(read) for read in reads]
    workload = WORKLOADS.get(tag.workload or "")
    length = config.record_length_b if config and config.record_length_b else None
    result = ResultSet(
        run=" ".join(filter(None, (tree.label(folder, place), folder.label, label))),
        round=round_,
        division=place.division,
        submitter=place.submitter,
        system=place.system,
        workload=tag.workload,
        accelerator=tag.accelerator,
        threshold_pct=workload.threshold_pct if workload else None,
        record_length_b=length or (workload.record_length_b if workload else None),
        runs=tuple(read.run for read in reads),
        report=report,
        description=_description(folder, tree, place, tag, reader),
    )
    if not result.is_checkpoint:
        result = _with_bandwidth(result, reader)
        _check_settings(config, tag, reader)
        _check_tag(result, reads[0].run.file, reader)
    _check_size(config, result, reader)
    if tree.side_cars:
        reader.find("left-out", f"{tree.side_cars} side-car files (._*) hold no result", result.run)
    findings = (*reader.findings, *rules.judge(result))
    return replace(
        result, findings=tuple(dict.fromkeys(findings)), files=tuple(sorted(set(reader.files)))
    )


def _with_hosts(read: _RunRead) -> _RunRead:
    parts = tuple(part if part.hosts else replace(part, hosts=1) for part in read.run.parts)
    return replace(read, run=replace(read.run, parts=parts))


def _with_bandwidth(result: ResultSet, reader: Reader) -> ResultSet:
    """Bandwidth computed from the samples where a summary lacks it."""
    length = result.record_length_b

    def filled(part: HostResult) -> HostResult:
        missing = [
            name
            for name, figure in (
                ("utilisation", part.au_pct),
                ("samples/s", part.samples_s),
                ("MiB/s", part.mib_s),
            )
            if figure is None
        ]
        if missing:
            reader.find("not-measured", f"no {', no '.join(missing)} in it", part.file)
        if part.mib_s is not None or part.samples_s is None or length is None:
            return part
        value = part.samples_s.value * length / B_PER_MIB
        return replace(part, mib_s=Figure(value, "", part.file))

    return replace(
        result,
        runs=tuple(replace(run, parts=tuple(map(filled, run.parts))) for run in result.runs),
    )


def _check_settings(config: Config | None, tag: Tag, reader: Reader) -> None:
    demand = DEMANDS.get((tag.workload or "", tag.accelerator or ""))
    if config is None or demand is None:
        return
    for what, stated, fixed in (
        ("record length", config.record_length_b, demand.workload.record_length_b),
        ("batch size", config.batch, demand.batch),
        ("computation time", config.computation_s, demand.computation_s),
        ("utilisation to reach", config.au_pct, demand.workload.threshold_pct),
    ):
        if stated is not None and not math.isclose(stated, fixed, rel_tol=rules.SAME):
            text = f"{what} is {stated:g}, where {tag.workload} on {tag.accelerator} has {fixed:g}"
            reader.find("settings-differ", text, config.file)


def _check_size(config: Config | None, result: ResultSet, reader: Reader) -> None:
    for what, stated, found in (
        ("hosts", config and config.hosts, result.hosts),
        ("processes", config and config.accelerators, result.accelerators),
    ):
        if config is not None and stated and found and stated != found:
            text = f"{stated} {what} in the metadata, {found} in the summary"
            reader.find("metadata-differs", text, config.file)


def _check_tag(result: ResultSet, file: str, reader: Reader) -> None:
    if result.workload not in WORKLOADS:
        text = f"no threshold is known here for {result.workload or 'an unnamed workload'}"
        reader.find("workload-unknown", text, file)
    elif result.accelerator is None:
        reader.find("accelerator-unknown", "", file)


# -- which round


def _round(
    reads: list[_RunRead], tag: Tag, place: Place, report: Report | None, reader: Reader
) -> str:
    parts = [part for read in reads for part in read.run.parts]
    at = parts[0].file if parts else reads[0].run.file
    if any(read.modern for read in reads) or any(part.checkpoint for part in parts):
        return _modern_round(parts, tag, place, at, reader)
    of_hosts = parts and all(part.model and part.hosts in (None, 1) for part in parts)
    if of_hosts and all(read.tag.accelerator in (None, V05_ACCELERATOR) for read in reads):
        return "v0.5"
    if any(read.tag.accelerator or read.config for read in reads):
        return "v1.0"
    if report is not None and report.accelerator:
        return "v1.0"
    if place.round is not None:
        reader.find("round-from", f"{place.round} is taken from the folders' names", at)
        return place.round
    if len({read.folder.path for read in reads}) > 1 and all(
        mlperf_layout.is_numbered_run(read.folder.name) for read in reads
    ):
        text = "v1.0 is taken from the folders' shape: numbered runs, one summary each"
        reader.find("round-from", text, at)
        return "v1.0"
    raise StoragebookError(
        "nothing says which round of MLPerf Storage this summary is of",
        file=at,
        hint="give the folder that holds its configs/ or *_metadata.json as well",
    )


def _modern_round(parts: list[HostResult], tag: Tag, place: Place, at: str, reader: Reader) -> str:
    if place.round in _MODERN:
        return place.round
    demand = DEMANDS.get((tag.workload or "", tag.accelerator or ""))
    rounds = [r for r in _MODERN if demand is not None and r in demand.rounds]
    if len(rounds) == 1:
        return rounds[0]
    if tag.accelerator and tag.accelerator not in V20_ACCELERATORS:
        return "v3.0"
    started = [date for part in parts if (date := _date(part.started))]
    if started:
        round_ = "v2.0" if max(started) <= V20_PUBLISHED else "v3.0"
        text = (
            f"{round_} is taken from the start, {max(started)}: "
            f"v2.0 was published on {V20_PUBLISHED}"
        )
        reader.find("round-from", text, at)
        return round_
    raise StoragebookError(
        "v2.0 and v3.0 share this layout, and nothing in it says which of them this is",
        file=at,
        hint="put it into a folder called storage_results_v2.0 or storage_results_v3.0",
    )


def _date(text: str | None) -> datetime.date | None:
    try:
        return datetime.datetime.fromisoformat(text or "").date()
    except ValueError:
        return None


# -- which workload


def _tag(
    folder: RunFolder,
    part: Part,
    summary: HostResult | None,
    config: Config | None,
    reader: Reader,
) -> Tag:
    """Workload and accelerator of a run, by the file that says it best."""
    named: list[tuple[str, Tag]] = []
    path = folder.beside(part, "overrides")
    if path is not None:
        overrides = tag_of_overrides(reader.text(path))
        if overrides is not None:
            named.append((path, overrides))
    if summary is not None and summary.model:
        named.append((summary.file, Tag(summary.model, None)))
    if config is not None and config.workload:
        named.append((config.file, Tag(config.workload, config.accelerator)))
    if not named:
        return Tag(None, None)
    first, tag = named[0]
    for other, stated in named[1:]:
        if stated.workload != tag.workload or (
            None not in (stated.accelerator, tag.accelerator)
            and stated.accelerator != tag.accelerator
        ):
            text = f"{spelt(stated)} here, {spelt(tag)} in {first}"
            reader.find("workload-differs", text, other)
        elif tag.accelerator is None:
            tag = Tag(tag.workload, stated.accelerator)
    return tag


def _named_by_folder(folder: SetFolder, place: Place, tree: _Tree, tag: Tag, reader: Reader) -> Tag:
    """What the folders' names say: used where no file does, held against it otherwise."""
    parts = (*tree.base, *folder.path.split("/"), folder.label)
    # the system's own name may list every workload that it was made for
    inner = parts[place.results + 2 :] if place.results is not None else parts[len(tree.base) :]
    found: dict[str, set[str]] = {"workload": set(), "accelerator": set()}
    for match in _IN_NAMES.finditer("/".join(inner).lower()):
        name = match["workload"] or match["accelerator"]
        found[str(match.lastgroup)].add("resnet50" if name == "resnet" else name)
    only = {kind: next(iter(names)) for kind, names in found.items() if len(names) == 1}
    for kind, value in zip(("workload", "accelerator"), tag, strict=True):
        stated = only.get(kind)
        if stated and value and stated != value:
            text = f"the folder's name says {stated}, its files say {value}"
            reader.find("workload-differs", text, folder.path or folder.runs[0].path)
    filled = Tag(tag.workload or only.get("workload"), tag.accelerator or only.get("accelerator"))
    if filled.workload != tag.workload or (
        filled.accelerator != tag.accelerator and tag.workload is None
    ):
        text = f"{spelt(filled)} stands in the folder's name only"
        reader.find("workload-from", text, folder.path or folder.runs[0].path)
    return filled


def _report(
    folder: SetFolder, tree: _Tree, tag: Tag, reads: list[_RunRead], reader: Reader
) -> Report | None:
    """The report that is about these runs, of those that may be."""
    accelerators = {read.run.accelerators for read in reads} - {None}
    for path in folder.reports:
        inner = Reader(tree.files)
        document = inner.json(path)
        report = report_of(path, *document) if document else None
        shared = tree.claims[path] > 1
        if report is not None:
            other = (report.workload not in (None, tag.workload) if tag.workload else False) or (
                report.accelerator not in (None, tag.accelerator) if tag.accelerator else False
            )
            sizes = report.accelerators is None or report.accelerators in accelerators
            if shared and (other or not sizes):
                continue
        reader.findings += inner.findings
        reader.files += inner.files
        return report
    return None


def _report_only(folder: SetFolder, tree: _Tree) -> ResultSet:
    """A result of which only the report is there: throughput of each run, no utilisation."""
    reader = Reader(tree.files)
    path = folder.reports[0]
    document = reader.json(path)
    report = report_of(path, *document) if document else None
    if report is None or not report.runs:
        errors = [f for f in reader.findings if f.severity == "error"]
        what = errors[0].text if errors else "a report without runs"
        raise StoragebookError(what, file=path, line=errors[0].line if errors else None)
    place = mlperf_layout.place(tuple(filter(None, folder.path.split("/"))), tree.base)
    workload = WORKLOADS.get(report.workload or "")
    if report.accelerator is None and report.hosts is None and place.round is None:
        raise StoragebookError(
            "nothing says which round of MLPerf Storage this report is of", file=path
        )
    round_ = place.round or ("v1.0" if report.accelerator else "v0.5")
    runs = tuple(
        Run(
            name=name,
            file=path,
            parts=(
                HostResult(
                    file=path,
                    samples_s=Figure(samples, str(samples), path) if samples else None,
                    mib_s=Figure(mib, str(mib), path) if mib else None,
                    accelerators=report.accelerators,
                    hosts=report.hosts,
                ),
            ),
        )
        for name, (samples, mib) in sorted(report.runs.items())
    )
    reader.find("report-only", "only the report is there: no utilisation, nothing to check", path)
    result = ResultSet(
        run=tree.label(folder, place),
        round=round_,
        division=place.division,
        submitter=place.submitter,
        system=place.system,
        workload=report.workload,
        accelerator=report.accelerator or (V05_ACCELERATOR if round_ == "v0.5" else None),
        threshold_pct=workload.threshold_pct if workload else None,
        record_length_b=workload.record_length_b if workload else None,
        runs=runs,
        report=report,
    )
    findings = (*reader.findings, *rules.judge(result))
    return replace(result, findings=tuple(dict.fromkeys(findings)), files=tuple(reader.files))


# -- the system's description


def _description(
    folder: SetFolder, tree: _Tree, place: Place, tag: Tag, reader: Reader
) -> mlperf_system.SystemDescription | None:
    candidates = folder.systems + tree.systems_above
    chosen = _choose_description(candidates, place.system, tag)
    if chosen is None:
        return None
    path, exact = chosen
    try:
        described = mlperf_system.describe(path, reader.bytes(path))
    except StoragebookError as error:
        reader.find("system-unreadable", str(error.what), path, error.line)
        return None
    for repair in described.repairs:
        reader.find("json-repaired", f"not JSON as it stands: {repair.what}", path, repair.line)
    if not exact:
        reader.find("system-from", f"the system's folder is called {place.system}", path)
    return described


def _choose_description(
    candidates: tuple[str, ...], system: str | None, tag: Tag
) -> tuple[str, bool] | None:
    """The description of a system, and whether its name is the system's own."""
    stems = {path: _plain(Path(path).stem) for path in candidates}
    if not stems:
        return None
    if system is None:
        return (candidates[0], True) if len(candidates) == 1 else None
    # beside the results of this system and no other
    within = [path for path in candidates if f"/{system}/" in f"/{path}"]
    if len(within) == 1:
        return within[0], True
    name = _plain(system)
    own = [_plain(word) for word in tag if word]
    # one made for this workload goes before the one for all
    suffixes = {"".join(own), "".join(own[::-1]), *own}
    for wanted in (*(name + suffix for suffix in sorted(suffixes, key=len)[::-1]), name):
        for path, stem in stems.items():
            if stem == wanted:
                return path, True
    if len(candidates) == 1:
        return candidates[0], False
    ratios = sorted(
        ((difflib.SequenceMatcher(None, name, stem).ratio(), path) for path, stem in stems.items()),
        reverse=True,
    )
    if ratios[0][0] >= _ALIKE and ratios[0][0] > ratios[1][0]:
        return ratios[0][1], False
    return None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name[:255].lower())
