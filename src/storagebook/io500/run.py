"""One IO500 run as its files tell it: every figure with its printed text, file and line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from storagebook.io500.hash import config_word
from storagebook.io500.phases import BY_NAME, SCORED, Phase
from storagebook.io500.score import Era

if TYPE_CHECKING:
    from storagebook.io500.findings import Finding

#: How a run was printed: ``c-2020`` is the C program before it printed its mode (isc20, sc20).
Format = Literal["log-2017", "shell", "c-2020", "c", "list"]
#: Where the settings of a phase come from.
Origin = Literal["command", "configuration", "output"]


@dataclass(frozen=True, slots=True)
class Printed:
    """A finite number and the text it was read from; hashes and precision need the text."""

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Place:
    """A file, relative to the path that was read, and a line of it, counted from 1."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a phase was run; None is "no file says".

    Attributes
    ----------
    origin
        ``command`` (the ``exe`` line), ``configuration`` or ``output`` (IOR's and mdtest's own).
    object_class, dir_object_class
        Of DAOS: layout and redundancy of files and of directories.
    chunk_size_b, transfer_b, block_b
        Bytes.
    segments_count
        IOR's ``-s``.
    items_per_process_count
        mdtest's ``-n``.
    stonewall_s
        Seconds after which a write phase stops taking new work.
    command
        The command line, as printed.
    """

    origin: Origin | None = None
    api: str | None = None
    object_class: str | None = None
    dir_object_class: str | None = None
    chunk_size_b: int | None = None
    transfer_b: int | None = None
    block_b: int | None = None
    file_per_process: bool | None = None
    direct_io: bool | None = None
    segments_count: int | None = None
    items_per_process_count: int | None = None
    stonewall_s: int | None = None
    command: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseResult:
    """One phase of a run.

    Attributes
    ----------
    name
        As the C program spells it; the shell script's ``ior_easy_write`` is ``ior-easy-write``.
    value, unit
        In GiB/s or kIOP/s; logs of 2017 are in IOP/s and in ``MB/s``, a label nobody can trust.
    printed_unit
        The label beside the value: the shell script prints GB/s over GiB/s.
    seconds
        Of the whole phase, start-up included.
    valid
        False if the file marks it invalid.
    scored
        Whether the file counts it in a score.
    stonewall, stonewall_unit
        The rate when the stonewall was reached; the unit is None where no version of the program
        says what the figure means (bandwidth in 2020).
    started, ended
        As printed.
    output_rate
        What IOR (MiB/s) or mdtest (op/s) printed for the same phase.
    """

    name: str
    value: Printed
    unit: str
    printed_unit: str
    place: Place
    seconds: Printed | None = None
    valid: bool = True
    scored: bool = True
    stonewall: Printed | None = None
    stonewall_unit: str | None = None
    started: str | None = None
    ended: str | None = None
    settings: Settings = field(default_factory=Settings)
    output_rate: Printed | None = None

    @property
    def is_bandwidth(self) -> bool:
        """Whether it moved bytes, by its unit; else it counted operations."""
        return self.unit.endswith("B/s")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedScore:
    """A score line: bandwidth, metadata and total as printed."""

    bw: Printed
    md: Printed
    score: Printed
    bw_unit: str
    place: Place
    invalid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HashedText:
    """What result.txt prints a hash over, as text.

    Attributes
    ----------
    version
        None if the line is missing, "" if it is empty.
    phases
        Name to the text of its score.
    """

    version: str | None
    phases: Mapping[str, str]
    md: str | None
    bw: str | None
    score: str | None
    valid: bool
    printed: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a configuration."""

    section: str
    key: str
    value: str
    line: int


# Without slots: many runs may ask one configuration, and each of them once for every phase.
@dataclass(frozen=True)
class Config:
    """A configuration file.

    Attributes
    ----------
    comments
        Whether it holds comments: the program's own dump never does.
    """

    file: str
    options: tuple[Option, ...]
    comments: bool
    sha256: str

    def get(self, section: str, key: str) -> str | None:
        """The value of an option, None if it is missing or empty; the last one counts."""
        return self._values.get((section, key.lower())) or None

    @cached_property
    def word(self) -> int:
        """The word over its options that ``config-hash`` prints, see `hash.config_word`."""
        return config_word(self.options)

    @cached_property
    def sections(self) -> frozenset[str]:
        """The sections that have options."""
        return frozenset(option.section for option in self.options)

    @cached_property
    def _values(self) -> dict[tuple[str, str], str]:
        return {(option.section, option.key.lower()): option.value for option in self.options}


@dataclass(frozen=True, slots=True)
class RunFile:
    """A file that a run was read from."""

    path: str
    role: str
    size_b: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run.

    Attributes
    ----------
    name
        Its folder, long enough to tell it from others: ``submission-0688/2023.11.07-03.43.32``.
    source
        Name of the file that the phases and scores are taken from.
    version
        As printed; "" if the program printed none, None if no file has a place for it.
    mode
        ``standard`` or ``extended``; None before mid-2021.
    student
        Whether student-cluster rules applied (stonewall 30 s); None if no file says.
    nodes, tasks_per_node
        From the per-phase outputs, a log's head or a list; None if no file says.
    found, total_files
        Of the find phase: matches, and files it looked at.
    find_external
        Whether find was a script of the submitter; None if no file says.
    system, institution, file_system
        Only if a log or list states them.
    printed, printed_x
        The score line, and SCOREX of extended mode.
    hashed, hashed_x
        What result.txt prints its hashes over.
    config_hash
        As result.txt prints it.
    configs
        The configurations beside the result.
    findings
        What reading met; `rules.check` adds the rest.
    """

    name: str
    source: str
    format: Format
    place: Place
    phases: tuple[PhaseResult, ...]
    printed: PrintedScore | None = None
    printed_x: PrintedScore | None = None
    version: str | None = None
    mode: str | None = None
    student: bool | None = None
    procs: int | None = None
    nodes: int | None = None
    tasks_per_node: int | None = None
    started: str | None = None
    ended: str | None = None
    found: int | None = None
    total_files: int | None = None
    find_external: bool | None = None
    system: str | None = None
    institution: str | None = None
    file_system: str | None = None
    hashed: HashedText | None = None
    hashed_x: HashedText | None = None
    config_hash: str | None = None
    configs: tuple[Config, ...] = ()
    files: tuple[RunFile, ...] = ()
    findings: tuple[Finding, ...] = ()

    def phase(self, name: str) -> PhaseResult | None:
        """The phase of this name, scored or not."""
        return next((phase for phase in self.phases if phase.name == name), None)

    @property
    def scored(self) -> dict[str, PhaseResult]:
        """The scored phases that are there, in the order of `SCORED`."""
        found = {phase.name: phase for phase in self.phases if phase.name in BY_NAME}
        return {p.name: found[p.name] for p in SCORED if p.name in found}

    @property
    def era(self) -> Era:
        """Which rule for phases at zero the program followed, by its version, else its date."""
        for release in ("isc20", "sc20", "isc21"):
            if f"io500-{release}" in (self.version or ""):
                return Era.BEFORE_2021_08
        if self.format in ("log-2017", "shell", "c-2020"):
            return Era.BEFORE_2021_08
        early = self.started is not None and self.started[:10] < "2021-08-01"
        return Era.BEFORE_2021_08 if early else Era.SINCE_2021_08

    @property
    def fingerprint(self) -> tuple[str, ...]:
        """The printed figures: two runs that share all of them are one run filed twice."""
        texts = [f"{p.name}={p.value.text}" for p in self.phases if p.name in BY_NAME]
        if self.printed is not None:
            texts += [self.printed.bw.text, self.printed.md.text, self.printed.score.text]
        return tuple(texts)


def expected_phases(run: Run) -> tuple[Phase, ...]:
    """The phases that the program of the run's time scored: in 2017 no mdtest-hard-read."""
    if run.format == "log-2017":
        return tuple(p for p in SCORED if p.name != "mdtest-hard-read")
    return SCORED
