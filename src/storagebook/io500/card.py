"""A run on one card: what it measured and how, the same whether read from files or from tables.

What a setting is called, and which settings a phase has, is decided here once, so that two runs are
laid side by side field by field. None is "no file says"; `NOT_SET` is "the files show that it was
not given".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from storagebook.compare import IO500, Basis, Figure, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.io500 import hash as hashes
from storagebook.io500 import options
from storagebook.io500.phases import BY_NAME, SCORED
from storagebook.io500.run import Config, PhaseResult, Printed, Run, Settings
from storagebook.io500.score import Score, scores

if TYPE_CHECKING:
    import pandas as pd

    from storagebook.io500.rules import Checked
    from storagebook.readers.archive import Report

Value: TypeAlias = str | int | bool
#: The files show that a setting was not given, so that the program's default held.
NOT_SET = "not set"

#: Setting → what people call it, in the order in which they are shown.
LABELS = {
    "system": "system",
    "institution": "institution",
    "file_system": "file system",
    "procs_count": "processes",
    "nodes_count": "client nodes",
    "tasks_per_node_count": "processes per node",
    "version": "version",
    "program": "program",
    "mode": "mode",
    "student_cluster": "student-cluster rules",
    "find_external": "find of the submitter",
    "api": "API",
    "object_class": "object class",
    "dir_object_class": "directory class",
    "chunk_size_b": "chunk size",
    "transfer_b": "transfer size",
    "block_b": "block size",
    "access": "layout",
    "direct_io": "direct I/O",
    "segments_count": "segments",
    "items_per_process_count": "items per process",
    "stonewall_s": "stonewall",
    "api_options": "other options of the API",
    "command_options": "other options of the command",
}

_PROGRAMS = {
    "log-2017": "script of 2017",
    "shell": "shell script",
    "c-2020": "C program",
    "c": "C program",
    "list": None,
}
_ACCESS = {True: "file-per-process", False: "single-shared-file", None: None}
_EVERYWHERE = ("api", "object_class", "dir_object_class", "chunk_size_b", "direct_io")
_IOR = ("transfer_b", "block_b", "access", "segments_count")
_MDTEST = ("items_per_process_count",)
# Settings that a surviving command line or configuration would show.
_SHOWN_IF_GIVEN = (
    "object_class",
    "dir_object_class",
    "chunk_size_b",
    "segments_count",
    "items_per_process_count",
)
_UNITS = ("GiB/s", "kIOP/s")
_PUBLIC = re.compile(r"(?P<submission>\d{4})(?:/(?P<run>.+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseCard:
    """One phase.

    Attributes
    ----------
    value, stonewall
        Result, and rate when the stonewall hit, in `unit`; the latter None where no file tells it
        in that unit.
    seconds
        Of the whole phase.
    settings
        Keys of `LABELS`, only those that a phase of its kind has.
    command
        Options of its command line that no setting tells; None where no command survived.
    """

    name: str
    unit: str
    scored: bool
    valid: bool
    value: Printed
    stonewall: Printed | None
    seconds: Printed | None
    settings: Mapping[str, Value | None]
    command: tuple[str, ...] | None = None

    @property
    def comparable(self) -> bool:
        """Whether the unit is known: logs of 2017 print MB/s that nobody can explain."""
        return self.unit in _UNITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One run.

    Attributes
    ----------
    name
        For people: the run's folder, or ``submission 0683``.
    key
        Names it among all runs.
    settings
        Keys of `LABELS`, of the whole run; client nodes as its files tell, else as a source states.
    phases
        By name, scored and unscored.
    printed
        Bandwidth, metadata and score as the files print them.
    config
        The configuration that the run had, None if none survived or only the tables are at hand.
    config_whole
        Whether it holds the defaults as well, as the program's own dump does.
    findings
        Codes of what the files show.
    known
        What `storagebook.compare.Figure` wants to know of the run: installation, list, release,
        verified …; a run that is read from files stands on no list that the files could name.
    """

    name: str
    key: str
    settings: Mapping[str, Value | None]
    phases: Mapping[str, PhaseCard]
    printed: Score[Printed | None]
    started: str | None
    valid: bool
    findings: tuple[str, ...]
    known: Mapping[str, Any]
    config: Config | None = None
    config_whole: bool = False

    @property
    def values(self) -> dict[str, float]:
        """Scored phase → result in GiB/s or kIOP/s, where its unit is known."""
        return {
            name: self.phases[name].value.value
            for name in BY_NAME
            if name in self.phases and self.phases[name].comparable
        }

    @property
    def complete(self) -> bool:
        """Whether each scored phase is there and above zero."""
        values = self.values
        return len(values) == len(SCORED) and all(value > 0 for value in values.values())

    def score(self) -> Score[float] | None:
        """Recomputed from the phases; None unless all are there and above zero."""
        return scores(self.values) if self.complete else None

    def figure(self, metric: str, printed: Printed, unit: str, *, basis: Basis) -> Figure:
        """A printed figure as `storagebook.compare` takes it."""
        return Figure(
            name=self.name,
            value=Interval.of_printed(printed.text, trailing_zeros=True),
            unit=unit,
            basis=basis,
            obtained=Obtained.RAW_OUTPUT,
            benchmark=IO500,
            metric=metric,
            run=self.key,
            version=_text(self.settings.get("version")),
            # what is derived is no column of any list
            **{**self.known, "verified": self.known["verified"] and basis is not Basis.DERIVED},
        )


def load(
    named: str | Path,
    *,
    resolve: Callable[[str | Path], Path] = Path,
    report: Report | None = None,
) -> tuple[Card, Checked | None]:
    """The run that a path or a submission's number names.

    Parameters
    ----------
    named
        A path that holds one run, or four digits: a public submission of the derived tables;
        ``0109/KAUST__results`` where that holds several runs.
    resolve
        Turns the path into one that can be opened.
    report
        Called with each thing under the path that is left out, if there is a run beside it.

    Returns
    -------
    Card
    Checked or None
        What the run's files show; None for a submission of the tables.

    Raises
    ------
    StoragebookError
        If nothing has that name, or more than one run has it.
    """
    found = list(itertools.islice(load_all(named, resolve=resolve, report=report), 2))
    if len(found) > 1:
        raise StoragebookError(
            "several runs where one is wanted",
            file=named,
            hint=f"name one, as {found[0][0].name} or {found[1][0].name}",
        )
    return found[0]


def load_all(
    named: str | Path,
    *,
    resolve: Callable[[str | Path], Path] = Path,
    report: Report | None = None,
) -> Iterator[tuple[Card, Checked | None]]:
    """As `load`, every run under a path, sorted by folder.

    Raises
    ------
    StoragebookError
        If nothing has that name.
    """
    path = resolve(named)
    match = _PUBLIC.fullmatch(str(named))
    if match is not None and not path.exists():
        from storagebook.io500 import configured

        # with the configuration, where the tables hold that as well
        number, run = match["submission"], match["run"]
        yield (public(number, run) if run else configured.public(number)), None
        return
    from storagebook.io500 import rules
    from storagebook.readers import io500

    seen = rules.Seen()
    for run in io500.read(path, report=report):
        checked = rules.check(run, seen)
        yield of_run(run, checked), checked


def of_run(run: Run, checked: Checked) -> Card:
    """A run that was read from its files."""
    config, whole = _config(run)
    printed = run.printed if run.format != "log-2017" else None
    phases = {phase.name: _phase(phase, config) for phase in run.phases}
    return Card(
        name=run.name,
        key=run.name,
        settings={
            "system": run.system,
            "institution": run.institution,
            "file_system": run.file_system,
            "procs_count": run.procs,
            "nodes_count": run.nodes,
            "tasks_per_node_count": run.tasks_per_node,
            "version": run.version or None,
            "program": _PROGRAMS[run.format],
            "mode": run.mode,
            "student_cluster": run.student,
            "find_external": run.find_external,
        },
        phases=phases,
        printed=Score(printed.bw, printed.md, printed.score)
        if printed
        else Score(None, None, None),
        started=run.started,
        valid=checked.valid,
        findings=tuple(sorted({f.code for f in checked.findings})),
        known={"clients": run.nodes, "redundancy": _classes(phases), "verified": False},
        config=config,
        config_whole=whole,
    )


def public(submission: str, run: str | None = None) -> Card:
    """A public run, from the derived tables.

    Parameters
    ----------
    submission
        Four digits.
    run
        Its folder within the submission, needed where that holds several.

    Raises
    ------
    StoragebookError
        If there is no such run at hand, or the submission holds several.
    """
    from storagebook import tables
    from storagebook.io500 import runs

    rows = tables.printed(runs.RUNS)
    own = rows[(rows.submission == submission) & ((rows.run == run) | (run is None))]
    if len(own) != 1:
        what = f"{submission}/{run}" if run else submission
        hint = f"data/derived/{runs.RUNS}.csv lists those at hand"
        if len(own) > 1:
            hint = f"name one, as {submission}/{own.iloc[0].run}"
        raise StoragebookError(
            f"{len(own)} runs of submission {what} at hand, where one is wanted", hint=hint
        )
    row = own.iloc[0]
    every = tables.printed(runs.PHASES)
    phases = every[(every.submission == row.submission) & (every.run == row.run)]
    several = (rows.submission == row.submission).sum() > 1
    return _of_rows(row, phases, f"{submission}/{row.run}" if several else submission)


def _of_rows(row: pd.Series, phases: pd.DataFrame, number: str) -> Card:
    codes = tuple(row.findings.split())
    found = {p.phase: _phase_of_row(p) for p in phases.itertuples(index=False)}
    known_elsewhere = _listing(row, found)
    figures = (row.bandwidth_gib_s, row.metadata_kiops, row.score)
    known = row.format != "log-2017"
    return Card(
        name=f"submission {number}",
        key=f"submission-{row.submission}/{row.run}",
        settings={
            "system": row.system or None,
            "institution": row.institution or None,
            "file_system": row.file_system or None,
            "procs_count": _whole(row.procs_count),
            "nodes_count": known_elsewhere["clients"],
            "tasks_per_node_count": None,
            "version": row.version or None,
            "program": _PROGRAMS[row.format],
            "mode": row["mode"] or None,
            "student_cluster": True if "student-mode" in codes else None,
            "find_external": True if "find-external" in codes else None,
        },
        phases=found,
        printed=Score(*(_printed(text) if known else None for text in figures)),
        started=row.started or None,
        valid=row.valid == "true",
        findings=codes,
        known=known_elsewhere,
    )


def _listing(row: pd.Series, phases: Mapping[str, PhaseCard]) -> dict[str, Any]:
    """What the sources say of a public run, as far as they say anything of it."""
    from storagebook.io500 import membership, runs

    known = {
        "clients": _whole(row.nodes_count),
        "redundancy": _classes(phases),
        "verified": False,
        "source": "io500-data",
    }
    try:
        run = runs.load(row.submission)
    except StoragebookError:
        # one of several, or one without a phase: no list shows it
        return known
    places = membership.stated(run)
    return known | {
        "system": membership.installation(run),
        "clients": membership.clients(run),
        "servers": membership.servers(run),
        "list": membership.lists(run),
        "release": places[0].release if places else None,
        "verified": bool(places),
    }


def _classes(phases: Mapping[str, PhaseCard]) -> str | None:
    """The object classes of the files, in the order in which the phases use them."""
    scored = (phases[p.name].settings.get("object_class") for p in SCORED if p.name in phases)
    given = [str(name) for name in scored if name not in (None, NOT_SET)]
    return ", ".join(dict.fromkeys(given)) or None


def _phase_of_row(row: pd.Series) -> PhaseCard:
    value = _printed(row.value)
    assert value is not None, "the table has no phase without a value"
    found = {
        "api": row.api or None,
        "object_class": row.object_class or None,
        "dir_object_class": row.dir_object_class or None,
        "chunk_size_b": _whole(row.chunk_size_b),
        "transfer_b": _whole(row.transfer_b),
        "block_b": _whole(row.block_b),
        "access": row.access or None,
        "stonewall_s": _whole(row.stonewall_s),
    }
    if found["api"] is not None:
        for name in ("object_class", "dir_object_class", "chunk_size_b"):
            found[name] = NOT_SET if found[name] is None else found[name]
    return PhaseCard(
        name=row.phase,
        unit=row.unit,
        scored=row.scored == "true",
        valid=row.valid == "true",
        value=value,
        stonewall=_printed(row.stonewall),
        seconds=_printed(row.duration_s),
        settings={name: found.get(name) for name in _names(row.phase)},
    )


def _phase(phase: PhaseResult, config: Config | None) -> PhaseCard:
    known = phase.stonewall is not None and phase.stonewall_unit == phase.unit
    settings = _settings(phase.settings, phase.name)
    if config is not None and settings:
        settings["api_options"] = options.of_api(config, phase.name) or NOT_SET
    command = phase.settings.command
    return PhaseCard(
        name=phase.name,
        unit=phase.unit,
        scored=phase.scored,
        valid=phase.valid,
        value=phase.value,
        stonewall=phase.stonewall if known else None,
        seconds=phase.seconds,
        settings=settings,
        command=options.of_command(command) if command else None,
    )


def _settings(found: Settings, phase: str) -> dict[str, Value | None]:
    told = found.command is not None or found.origin == "configuration"
    settings: dict[str, Value | None] = {}
    for name in _names(phase):
        value = _ACCESS[found.file_per_process] if name == "access" else getattr(found, name)
        settings[name] = NOT_SET if value is None and told and name in _SHOWN_IF_GIVEN else value
    return settings


def _names(phase: str) -> tuple[str, ...]:
    """The settings that a phase has."""
    own = _IOR if phase.startswith("ior") else _MDTEST if phase.startswith("mdtest") else None
    if own is None:
        return ()
    return (*_EVERYWHERE, *own, *(("stonewall_s",) if phase.endswith("write") else ()))


def _config(run: Run) -> tuple[Config | None, bool]:
    """The configuration of a run, and whether it is the program's whole dump."""
    checked = hashes.check_config(run)
    by_file = {config.file: config for config in run.configs}
    if checked.file is not None:
        return by_file[checked.file], True
    named = [c for c in run.configs if c.file.rpartition("/")[2] == "config.ini"]
    only = named or list(run.configs)
    return (only[0], False) if len(only) == 1 else (None, False)


def _printed(text: str) -> Printed | None:
    return Printed(text, float(text)) if text else None


def _whole(text: str) -> int | None:
    return int(text) if text else None


def _text(value: Value | None) -> str | None:
    return None if value is None else str(value)


def written(setting: str, value: Value | None) -> str | None:
    """A setting's value for people; None stays None.

    >>> written("transfer_b", 4194304), written("transfer_b", 47008), written("procs_count", 6480)
    ('4 MiB', '47,008 B', '6,480')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int):
        return value
    if setting.endswith("_s"):
        return f"{value:,} s"
    return size(value) if setting.endswith("_b") else f"{value:,}"


def size(bytes_: int) -> str:
    """Bytes in the largest binary unit that takes a whole number of it, from KiB up."""
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    step = 0
    while bytes_ and bytes_ % 1024 == 0 and step < len(units) - 1:
        bytes_, step = bytes_ // 1024, step + 1
    return f"{bytes_:,} {units[step]}"


def in_order(names: Iterable[str]) -> list[str]:
    """Names of phases: the scored ones in running order, then the others by name."""
    unique = set(names)
    return [p.name for p in SCORED if p.name in unique] + sorted(unique - BY_NAME.keys())
