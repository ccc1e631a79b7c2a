"""Raw result files of public submissions → the tables of data/derived/.

Figures keep the digits of their file, so that hashes and intervals can be recomputed from a table;
only what this package computed is written in its own digits. The raw files are read where they lie
and never copied; each is named with its size and SHA-256.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from storagebook import columns, paths, tables
from storagebook.errors import StoragebookError
from storagebook.io500 import hash as hashes
from storagebook.io500 import rules
from storagebook.io500.phases import SCORED
from storagebook.io500.run import PhaseResult, Run
from storagebook.mlperf import derive as mlperf
from storagebook.readers import io500, ior, mdtest
from storagebook.readers.measurements import Measurement

RUNS = "io500-runs"
PHASES = "io500-run-phases"
FILES = "io500-run-files"
OPTIONS = "io500-run-options"
OUTPUTS = "io500-run-outputs"

#: Where the result files lie below the folder of other people's files.
FOLDER = Path("data") / "io500"

_TITLES = {
    RUNS: "Runs of public IO500 submissions",
    PHASES: "Phases of public IO500 submissions",
    FILES: "Raw files behind the IO500 tables",
    OUTPUTS: "Write phases of public IO500 runs, from their own outputs",
    OPTIONS: "Configurations of public IO500 runs that name object classes",
}
_SOURCE = {"title": "IO500 submission-data repository", "id": "io500-data"}
# The submitter's own paths, for which an ellipsis stands. What the folder of the results itself is
# called may tell a release, and is kept.
_PATH = re.compile(r"(?<![\w.~])(?:~|\.{1,2})?/[^\s\"']*")
_NAMED_PATH = re.compile(r"\S*/(?=[^/\s]+$)")
_ACCESS = {True: "file-per-process", False: "single-shared-file", None: ""}


_SUBMISSION = columns.text("submission", "Number of the submission, four digits.", required=True)
_RUN = columns.text("run", "Folder of the run within the submission.", required=True)

_RUN_FIELDS = [
    _SUBMISSION,
    _RUN,
    columns.text(
        "institution", "As the repository's folders name it; blank where one holds many runs."
    ),
    columns.text("system", "The same, of the system."),
    columns.text("file_system", "The same, of the file system."),
    columns.field("year", "integer", "The same, of the submission's year.", ordinal=True),
    columns.text("format", "Which of the formats the result is in.", required=True),
    columns.text("version", "Version of the benchmark, as printed."),
    columns.text("mode", "standard or extended; blank before mid-2021."),
    columns.text("started", "Start of the run, as printed."),
    columns.count("procs_count", "Processes; blank where no file says."),
    columns.count(
        "nodes_count", "Client nodes, from the per-phase outputs; blank where none says."
    ),
    columns.number("bandwidth_gib_s", "GiB/s", "BW as printed.", basis="benchmark-score"),
    columns.number("metadata_kiops", "kIOP/s", "MD as printed.", basis="benchmark-score"),
    columns.number("score", "score", "Score as printed.", basis="benchmark-score"),
    columns.number(
        "recomputed_score", "score", "Score from the phases.", basis="derived", obtained="computed"
    ),
    columns.text(
        "arithmetic", "Whether the printed digits allow the recomputed figures.", required=True
    ),
    columns.text(
        "integrity", "Whether the printed hash is that of the printed figures.", required=True
    ),
    columns.text("config_hash", "The same for the hash of the configuration.", required=True),
    columns.flag(
        "valid", "Whether the run counts by the files' own marks and rules.", required=True
    ),
    columns.text("findings", "Codes of what the files show, joined by spaces."),
    columns.count("found_count", "Files that find matched."),
    columns.count("total_files_count", "Files that find looked at."),
]

_PHASE_FIELDS = [
    _SUBMISSION,
    _RUN,
    columns.text("phase", "Phase.", required=True),
    columns.flag("scored", "Whether it counts in the score.", required=True),
    columns.number("value", "", "Result as printed.", unitColumn="unit", required=True),
    columns.text("unit", "Unit of value and stonewall.", required=True),
    columns.number("duration_s", "s", "Time of the phase as printed."),
    columns.flag("valid", "False where the program marked it.", required=True),
    columns.number("stonewall", "", "Rate when the stonewall hit, as printed.", unitColumn="unit"),
    columns.text("api", "Interface, from command line or configuration."),
    columns.text("object_class", "DAOS object class of the files."),
    columns.text("dir_object_class", "DAOS object class of the directories."),
    columns.number("chunk_size_b", "B", "DAOS chunk size.", basis="configuration"),
    columns.number(
        "transfer_b", "B", "IOR transfer size, mdtest file size.", basis="configuration"
    ),
    columns.number("block_b", "B", "IOR block size.", basis="configuration"),
    columns.text("access", "file-per-process or single-shared-file; blank where no file says."),
    columns.number("stonewall_s", "s", "Stonewall that was asked for.", basis="configuration"),
]

_FILE_FIELDS = [
    _SUBMISSION,
    _RUN,
    columns.text("file", "Path below the folder of submissions.", required=True),
    columns.number("size_b", "B", "Size of the file.", basis="configuration", required=True),
    columns.text("sha256", "SHA-256 of the file.", required=True),
]

_OPTION_FIELDS = [
    _SUBMISSION,
    _RUN,
    columns.text("section", "Section of the configuration.", required=True),
    columns.text("option", "Option.", required=True),
    columns.text("value", "Its value; an ellipsis stands for a path.", required=True),
]

_OUTPUT_FIELDS = [
    _SUBMISSION,
    _RUN,
    columns.text("phase", "Write phase.", required=True),
    columns.count("nodes_count", "Client nodes."),
    columns.count("procs_count", "Processes."),
    columns.number("moved_b", "B", "Bytes that IOR says it moved.", basis="single-phase"),
    columns.number(
        "least_count",
        "1",
        "Transfers or files of the process that had done least when the stonewall hit.",
        basis="single-phase",
    ),
    columns.number(
        "most_count",
        "1",
        "The same of the process that had done most; all then do as many.",
        basis="single-phase",
    ),
    columns.number(
        "file_system_tib",
        "TiB",
        "Size of the file system as the tool saw it.",
        basis="configuration",
    ),
    columns.number("used_pct", "%", "Share of it in use before the phase.", basis="configuration"),
]


def write(shared: Path | None = None) -> list[str]:
    """Rebuild the derived tables from the raw files.

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
        OUTPUTS: (
            _OUTPUT_FIELDS,
            ["submission", "run", "phase"],
            list(_output_rows(runs, root)),
        ),
        OPTIONS: (
            _OPTION_FIELDS,
            ["submission", "run", "section", "option"],
            list(_option_rows(runs)),
        ),
    }
    descriptors = [
        columns.write_derived(
            name,
            fields,
            rows,
            key=key,
            title=_TITLES[name],
            sources=[{**_SOURCE, "locator": f"the files of {FILES}"}],
            licenses=[{"name": "not-stated", "title": "not stated"}],
            basis="single-phase" if name == PHASES else "configuration",
            obtained="raw-output",
        )
        for name, (fields, key, rows) in contents.items()
    ]
    changed = tables.write_package(*descriptors)
    if (shared / mlperf.FOLDER).is_dir():
        changed += mlperf.write(shared)
    return changed


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


def _option_rows(runs: Sequence[Run]) -> Iterator[list[Any]]:
    """The whole configuration of each run with object classes, where its hash shows it is whole."""
    for run in runs:
        whole = hashes.check_config(run).file
        if whole is None or not any(phase.settings.object_class for phase in run.phases):
            continue
        (config,) = (config for config in run.configs if config.file == whole)
        # as the program reads it, the last of two counts
        last = {(option.section, option.key): option.value for option in config.options}
        for (section, key), value in last.items():
            pattern, mark = (_NAMED_PATH, "…/") if key == "resultdir" else (_PATH, "…")
            if value:
                yield [*(_submission(run) or ()), section, key, pattern.sub(mark, value)]


def _output_rows(runs: Sequence[Run], root: Path) -> Iterator[list[Any]]:
    """What IOR and mdtest print in the write phases, where their outputs are kept."""
    readers = {"ior": ior.read, "mdtest": mdtest.read}
    for run in runs:
        outputs = {Path(f.path).stem.replace("_", "-"): f for f in run.files if f.role == "output"}
        for phase in SCORED:
            reader = readers.get(phase.name.partition("-")[0])
            if phase.access != "write" or phase.name not in outputs or reader is None:
                continue
            made = reader(root / outputs[phase.name].path).measurements
            row = _output_row(made)
            if row is not None:
                yield [*(_submission(run) or ()), phase.name, *row]


def _output_row(made: Sequence[Measurement]) -> list[Any] | None:
    if not made:
        return None
    printed = {(m.quantity, m.statistic): m.printed for m in made}
    settings = made[0].settings

    def first(statistic: str) -> str:
        names = ("stonewall_transfers", "stonewall_items")
        return next((printed[n, statistic] for n in names if (n, statistic) in printed), "")

    return [
        settings.get("nodes"),
        settings.get("tasks"),
        printed.get(("data_moved", "single"), ""),
        first("min"),
        first("max"),
        settings.get("fs_size_tib"),
        settings.get("fs_used_pct"),
    ]


def _computed(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
