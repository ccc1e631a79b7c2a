"""Raw result files of public IO500 submissions → the tables of data/derived/.

Figures keep the digits of their file, so that hashes and intervals can be recomputed from a table;
only what this package computed is written in its own digits. The raw files are read where they lie
and never copied; each is named with its size and SHA-256.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from storagebook import paths, tables
from storagebook.errors import StoragebookError
from storagebook.io500 import rules
from storagebook.io500.run import PhaseResult, Run
from storagebook.readers import io500

RUNS = "io500-runs"
PHASES = "io500-run-phases"
FILES = "io500-run-files"

#: Where the result files lie below the folder of other people's files.
FOLDER = Path("data") / "io500"

_SOURCE = {"title": "IO500 submission-data repository", "id": "io500-submission-data"}
_ACCESS = {True: "file-per-process", False: "single-shared-file", None: ""}


def _field(name: str, kind: str, description: str, **more: Any) -> dict[str, Any]:
    required = more.pop("required", False)
    field = {"name": name, "type": kind, "description": description, **more}
    constraints = field.setdefault("constraints", {})
    if required:
        constraints["required"] = True
    if not constraints:
        del field["constraints"]
    return field


def _text(name: str, description: str, **more: Any) -> dict[str, Any]:
    return _field(name, "string", description, **more)


def _flag(name: str, description: str, **more: Any) -> dict[str, Any]:
    return _field(name, "boolean", description, trueValues=["true"], falseValues=["false"], **more)


def _number(name: str, unit: str, description: str, **more: Any) -> dict[str, Any]:
    limits = {"constraints": {"minimum": 0}}
    return _field(name, "number", description, **({"unit": unit} if unit else {}), **limits, **more)


def _count(name: str, description: str) -> dict[str, Any]:
    limits = {"constraints": {"minimum": 0}}
    return _field(name, "integer", description, unit="1", basis="configuration", **limits)


_SUBMISSION = _text("submission", "Number of the submission, four digits.", required=True)
_RUN = _text("run", "Folder of the run within the submission.", required=True)

_RUN_FIELDS = [
    _SUBMISSION,
    _RUN,
    _text("institution", "As the repository's folders name it; blank where one holds many runs."),
    _text("system", "The same, of the system."),
    _text("file_system", "The same, of the file system."),
    _field("year", "integer", "The same, of the submission's year.", ordinal=True),
    _text("format", "Which of the formats the result is in.", required=True),
    _text("version", "Version of the benchmark, as printed."),
    _text("mode", "standard or extended; blank before mid-2021."),
    _text("started", "Start of the run, as printed."),
    _count("procs_count", "Processes; blank where no file says."),
    _count("nodes_count", "Client nodes, from the per-phase outputs; blank where none says."),
    _number("bandwidth_gib_s", "GiB/s", "BW as printed.", basis="benchmark-score"),
    _number("metadata_kiops", "kIOP/s", "MD as printed.", basis="benchmark-score"),
    _number("score", "score", "Score as printed.", basis="benchmark-score"),
    _number(
        "recomputed_score", "score", "Score from the phases.", basis="derived", obtained="computed"
    ),
    _text("arithmetic", "Whether the printed digits allow the recomputed figures.", required=True),
    _text("integrity", "Whether the printed hash is that of the printed figures.", required=True),
    _text("config_hash", "The same for the hash of the configuration.", required=True),
    _flag("valid", "Whether the run counts by the files' own marks and rules.", required=True),
    _text("findings", "Codes of what the files show, joined by spaces."),
    _count("found_count", "Files that find matched."),
    _count("total_files_count", "Files that find looked at."),
]

_PHASE_FIELDS = [
    _SUBMISSION,
    _RUN,
    _text("phase", "Phase.", required=True),
    _flag("scored", "Whether it counts in the score.", required=True),
    _number("value", "", "Result as printed.", unitColumn="unit", required=True),
    _text("unit", "Unit of value and stonewall.", required=True),
    _number("duration_s", "s", "Time of the phase as printed."),
    _flag("valid", "False where the program marked it.", required=True),
    _number("stonewall", "", "Rate when the stonewall hit, as printed.", unitColumn="unit"),
    _text("api", "Interface, from command line or configuration."),
    _text("object_class", "DAOS object class of the files."),
    _text("dir_object_class", "DAOS object class of the directories."),
    _number("chunk_size_b", "B", "DAOS chunk size.", basis="configuration"),
    _number("transfer_b", "B", "IOR transfer size, mdtest file size.", basis="configuration"),
    _number("block_b", "B", "IOR block size.", basis="configuration"),
    _text("access", "file-per-process or single-shared-file; blank where no file says."),
    _number("stonewall_s", "s", "Stonewall that was asked for.", basis="configuration"),
]

_FILE_FIELDS = [
    _SUBMISSION,
    _RUN,
    _text("file", "Path below the folder of submissions.", required=True),
    _number("size_b", "B", "Size of the file.", basis="configuration", required=True),
    _text("sha256", "SHA-256 of the file.", required=True),
]


def write(shared: Path | None = None) -> list[str]:
    """Rebuild the derived IO500 tables from the raw files.

    Parameters
    ----------
    shared
        The folder of other people's files; by default the one beside the checkout.

    Returns
    -------
    list of str
        The tables that changed.

    Raises
    ------
    StoragebookError
        If there is no such folder, or a file in it cannot be read.
    """
    shared = shared or paths.shared()
    if shared is None or not (shared / FOLDER).is_dir():
        raise StoragebookError(
            "no raw result files to derive from", hint="put shared/ beside the checkout"
        )
    root = shared / FOLDER
    runs = [run for run in io500.read(root) if _submission(run) is not None]
    known = _index(root / "index.csv")
    contents = {
        RUNS: (_RUN_FIELDS, ["submission", "run"], list(_run_rows(runs, known))),
        PHASES: (_PHASE_FIELDS, ["submission", "run", "phase"], list(_phase_rows(runs))),
        FILES: (_FILE_FIELDS, ["submission", "run", "file"], list(_file_rows(runs, root))),
    }
    descriptors = []
    for name, (fields, key, rows) in contents.items():
        path = f"derived/{name}.csv"
        (paths.data() / path).write_bytes(_csv(fields, rows))
        descriptors.append(_descriptor(name, path, fields, key))
    return tables.write_package(*descriptors)


def _descriptor(
    name: str, path: str, fields: Sequence[Mapping[str, Any]], key: list[str]
) -> dict[str, Any]:
    titles = {
        RUNS: "Runs of public IO500 submissions",
        PHASES: "Phases of public IO500 submissions",
        FILES: "Raw files behind the IO500 tables",
    }
    return {
        "name": name,
        "title": titles[name],
        "path": path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "sources": [{**_SOURCE, "locator": f"the files of {FILES}"}],
        "licenses": [{"name": "not-stated", "title": "not stated"}],
        "basis": "single-phase" if name == PHASES else "configuration",
        "obtained": "raw-output",
        "schema": {"fields": list(fields), "primaryKey": key},
    }


def _submission(run: Run) -> tuple[str, str] | None:
    match = re.fullmatch(r"submission-(\d{4})(?:/(.*))?", run.name)
    return (match[1], match[2] or ".") if match else None


def _index(file: Path) -> dict[str, dict[str, str]]:
    """Submission → what the repository's folders name; only where all its folders agree."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {f"{int(row['submission']):04d}": row for row in csv.DictReader(lines)}


def _run_rows(runs: Sequence[Run], known: Mapping[str, Mapping[str, str]]) -> Iterator[list[Any]]:
    submissions = [_submission(run) for run in runs]
    held = [s[0] for s in submissions if s]
    seen = rules.Seen()
    for run, place in zip(runs, submissions, strict=True):
        assert place is not None
        checked = rules.check(run, seen)
        # a submission that gathers runs of many sites says nothing about any one of them
        filed = known.get(place[0], {}) if held.count(place[0]) == 1 else {}
        printed = run.printed
        yield [
            *place,
            *(filed.get(name, "") for name in ("institution", "system", "file_system", "year")),
            run.format,
            run.version,
            run.mode,
            run.started,
            run.procs,
            run.nodes,
            *((printed.bw.text, printed.md.text, printed.score.text) if printed else ("",) * 3),
            _computed(checked.recomputed.score),
            checked.verdicts.arithmetic,
            checked.verdicts.integrity,
            checked.config.status,
            checked.valid,
            " ".join(sorted({f.code for f in checked.findings})),
            run.found,
            run.total_files,
        ]


def _phase_rows(runs: Sequence[Run]) -> Iterator[list[Any]]:
    for run in runs:
        for phase in run.phases:
            yield [*(_submission(run) or ()), *_phase_row(phase)]


def _phase_row(phase: PhaseResult) -> list[Any]:
    settings = phase.settings
    # a stonewall rate whose unit no file tells is no rate
    known = phase.stonewall is not None and phase.stonewall_unit == phase.unit
    return [
        phase.name,
        phase.scored,
        phase.value.text,
        phase.unit,
        phase.seconds.text if phase.seconds else "",
        phase.valid,
        phase.stonewall.text if phase.stonewall and known else "",
        settings.api,
        settings.object_class,
        settings.dir_object_class,
        settings.chunk_size_b,
        settings.transfer_b,
        settings.block_b,
        _ACCESS[settings.file_per_process],
        settings.stonewall_s,
    ]


def _file_rows(runs: Sequence[Run], root: Path) -> Iterator[list[Any]]:
    for run in runs:
        for file in run.files:
            path = root / file.path
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            yield [*(_submission(run) or ()), file.path, file.size_b, digest]


def _computed(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def _csv(fields: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]]) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(field["name"] for field in fields)
    for row in rows:
        if len(row) != len(fields):
            raise StoragebookError(f"{len(row)} cells for {len(fields)} columns: {row[:3]}")
        writer.writerow(_spelt(cell) for cell in row)
    return buffer.getvalue().encode("utf-8")


def _spelt(cell: object) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)
