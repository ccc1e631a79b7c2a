"""From the files of one folder to its IO500 runs: what each tells, put together and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

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
    Settings,
)
from storagebook.readers import io500_text as text
from storagebook.readers.io500_folder import RESULT, SUMMARY, Contents, Document

T = TypeVar("T")

_LOG_UNKNOWN = ("", "xxx")
#: Bandwidth at the stonewall is in GiB/s since the program prints its mode; what the versions of
#: 2020 print there fits no unit.
_STONEWALL_BANDWIDTH_UNIT: dict[Format, str] = {"c": "GiB/s"}


def assemble(contents: Contents) -> Iterator[Run]:
    """The runs of one folder: its result.txt first, then texts that tell of others."""
    texts = sorted(contents.texts, key=lambda d: (d.name != SUMMARY, d.kind != "summary", d.name))
    blocks = [(document, block) for document in texts for block in document.blocks]
    taken: dict[tuple[str, ...], list[tuple[Document, text.Block]]] = {}
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
    contents: Contents,
    name: str,
    document: Document,
    taken: dict[tuple[str, ...], list[tuple[Document, text.Block]]],
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
    contents: Contents,
    name: str,
    copies: list[tuple[Document, text.Block]],
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


def _finish(contents: Contents, run: Run, *, outputs: bool = True) -> Run:
    """Scale, from the per-phase outputs where no file of the run states it; and the files."""
    findings = list(run.findings)
    nodes, per_node, procs = run.nodes, run.tasks_per_node, run.procs
    scale = contents.scale if outputs else None
    if scale is not None:
        counts = {*scale.nodes} if nodes is None else {*scale.nodes, nodes}
        if len(counts) > 1:
            what = f"node counts that differ: {', '.join(map(str, sorted(counts)))}"
            findings.append(finding("scale-differs", what, Place(scale.file)))
        # what the tools saw, before what a form says
        nodes, per_node = scale.nodes[-1], scale.tasks_per_node or per_node
        tasks = scale.tasks
        if procs is None and tasks:
            procs = max(tasks)
        elif procs is not None and tasks and procs not in tasks:
            what = f"{procs} processes in the result, {max(tasks)} in the outputs"
            findings.append(finding("scale-differs", what, Place(scale.file)))
    configs, files = contents.kept
    return replace(
        run,
        nodes=nodes,
        tasks_per_node=per_node,
        procs=procs,
        configs=configs,
        files=files,
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
    summary: Document,
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
    taken: dict[tuple[str, ...], list[tuple[Document, text.Block]]],
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


def _block_findings(document: Document, block: text.Block) -> list[Finding]:
    file = document.role.path
    odd = [finding(code, what, Place(file, line)) for code, what, line in block.odd]
    more = [finding(code, f"{count:,} more of it", Place(file)) for code, count in block.more]
    return document.findings + odd + more


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
    told = [
        finding("error-not-marked", c, Place(file, line)) for c, line in errors[: text.MAX_REPEATED]
    ]
    if len(errors) > len(told):
        what = f"{len(errors) - len(told):,} more of it"
        told.append(finding("error-not-marked", what, Place(file)))
    return told


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
