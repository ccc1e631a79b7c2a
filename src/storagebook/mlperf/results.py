"""One MLPerf Storage result: the runs of one workload on one system, as their files tell it.

The files call 2**20 bytes MB and 2**30 bytes GB: samples a second times the record length shows it.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storagebook import units
from storagebook.mlperf.workloads import RUNS_TO_PASS

if TYPE_CHECKING:
    from storagebook.io500.findings import Finding
    from storagebook.readers.mlperf_system import SystemDescription

#: Figures of a checkpoint: operation, quantity and unit of each. A duration is the slowest rank's.
CHECKPOINT_FIGURES = {
    "write_gib_s": ("checkpoint-write", "bandwidth", "GiB/s"),
    "write_s": ("checkpoint-write", "duration", "s"),
    "read_gib_s": ("checkpoint-read", "bandwidth", "GiB/s"),
    "read_s": ("checkpoint-read", "duration", "s"),
    "size_gib": ("checkpoint", "size", "GiB"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A finite number, the text it was read from, and the file; no text if it was computed."""

    value: float
    text: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HostResult:
    """What one summary file states; from v1.0 on, one covers all hosts of a run.

    Attributes
    ----------
    file
        Relative to the path that was read.
    au_pct, samples_s, mib_s
        Means over the epochs: accelerator utilisation, samples and MiB a second; None if not
        measured.
    accelerators, hosts
        As stated; None if not.
    model
        The workload's name where the file has it (v0.5).
    started
        As printed.
    meets
        What the file itself says about its utilisation.
    memory_gib
        As listed, one figure a host; zero where it was added to another host's.
    checkpoint
        Figures of a checkpoint, by the names of `CHECKPOINT_FIGURES`.
    sha256
        Of the file.
    """

    file: str
    au_pct: Figure | None = None
    samples_s: Figure | None = None
    mib_s: Figure | None = None
    accelerators: int | None = None
    hosts: int | None = None
    model: str | None = None
    started: str | None = None
    meets: bool | None = None
    memory_gib: tuple[float, ...] = ()
    checkpoint: dict[str, Figure] = field(default_factory=dict)
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a set.

    Attributes
    ----------
    name
        Of its folder.
    file
        The summary it stands in; its folder where there are several or none.
    parts
        What the summaries state; several in v0.5, where every host has its own.
    """

    name: str
    file: str
    parts: tuple[HostResult, ...] = ()

    @property
    def au_pct(self) -> float | None:
        """Mean utilisation over the hosts, in per cent."""
        values = [part.au_pct.value for part in self.parts if part.au_pct]
        return _mean(values) if len(values) == len(self.parts) else None

    @property
    def au_min_pct(self) -> float | None:
        """Utilisation of the host with the least."""
        values = [part.au_pct.value for part in self.parts if part.au_pct]
        return min(values) if values and len(values) == len(self.parts) else None

    @property
    def samples_s(self) -> float | None:
        """Samples a second of all hosts."""
        return _sum([part.samples_s for part in self.parts])

    @property
    def mib_s(self) -> float | None:
        """MiB a second of all hosts."""
        return _sum([part.mib_s for part in self.parts])

    @property
    def accelerators(self) -> int | None:
        """Emulated accelerators of all hosts."""
        return _total([part.accelerators for part in self.parts])

    @property
    def hosts(self) -> int | None:
        """Hosts of all summary files."""
        return _total([part.hosts for part in self.parts])

    @property
    def measured(self) -> bool:
        """Whether it gave every figure that a result rests on."""
        if any(part.checkpoint for part in self.parts):
            return True
        return None not in (self.au_pct, self.samples_s, self.mib_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a submitted report file states about the runs.

    Attributes
    ----------
    samples_s, samples_stdev_s, mib_s, mib_stdev_s
        Mean and population standard deviation over the runs; None if missing.
    runs
        Samples and MiB a second of each run, by name.
    sha256
        Of the file.
    """

    file: str
    samples_s: float | None = None
    samples_stdev_s: float | None = None
    mib_s: float | None = None
    mib_stdev_s: float | None = None
    workload: str | None = None
    accelerator: str | None = None
    accelerators: int | None = None
    hosts: int | None = None
    runs: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSet:
    """The runs of one workload on one system.

    Attributes
    ----------
    run
        What names it: its folder, relative to the path that was read.
    round
        ``v0.5``, ``v1.0``, ``v2.0`` or ``v3.0``.
    division, submitter, system
        From the folders it stands in; None where they do not say.
    workload, accelerator
        As in the files; None where nothing says.
    threshold_pct
        Utilisation that every run has to reach; None where the rules at hand have none.
    record_length_b
        As configured, else the workload's.
    runs
        In the order of their numbers.
    report, description
        Submitted beside the runs; None where not.
    files
        Every file that it was read from.
    """

    run: str
    round: str
    division: str | None = None
    submitter: str | None = None
    system: str | None = None
    workload: str | None = None
    accelerator: str | None = None
    threshold_pct: float | None = None
    record_length_b: float | None = None
    runs: tuple[Run, ...] = ()
    report: Report | None = None
    description: SystemDescription | None = None
    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def measured(self) -> tuple[Run, ...]:
        """The runs that gave every figure."""
        return tuple(run for run in self.runs if run.measured)

    @property
    def _counted(self) -> tuple[Run, ...]:
        """The runs that means are taken of: all that gave every figure, else any figure."""
        return self.measured or self.runs

    @property
    def is_checkpoint(self) -> bool:
        """Whether it measured checkpoints, not training."""
        return any(part.checkpoint for run in self.runs for part in run.parts)

    @property
    def hosts(self) -> int | None:
        """Hosts of a run; None where the runs do not agree."""
        return _same([run.hosts for run in self._counted])

    @property
    def accelerators(self) -> int | None:
        """Emulated accelerators of a run; None where the runs do not agree."""
        return _same([run.accelerators for run in self._counted])

    @property
    def au_mean_pct(self) -> float | None:
        """Mean utilisation of the runs that count."""
        return _mean([run.au_pct for run in self._counted if run.au_pct is not None])

    @property
    def au_min_pct(self) -> float | None:
        """The least utilisation of any run (in v0.5, of any host of any run)."""
        values = [run.au_min_pct for run in self._counted if run.au_min_pct is not None]
        return min(values, default=None)

    @property
    def samples_s(self) -> float | None:
        """Mean over the runs."""
        return _mean([run.samples_s for run in self._counted if run.samples_s is not None])

    @property
    def mib_s(self) -> float | None:
        """Mean over the runs."""
        return _mean([run.mib_s for run in self._counted if run.mib_s is not None])

    @property
    def gib_s(self) -> float | None:
        """Mean bandwidth of the runs that count, GiB/s."""
        mib_s = self.mib_s
        return None if mib_s is None else units.convert(mib_s, "MiB/s", "GiB/s")

    @property
    def passes(self) -> bool | None:
        """Whether there are exactly five runs, each at or above the threshold.

        None where these files do not tell: a checkpoint, a workload whose threshold is not known,
        no utilisation at all, or a v2.0 or v3.0 set with one more run, which may be the warm-up
        that those rounds allow and no file marks.
        """
        if self.is_checkpoint or self.threshold_pct is None or self.au_mean_pct is None:
            return None
        enough = all(
            run.measured and run.au_min_pct is not None and run.au_min_pct >= self.threshold_pct
            for run in self.runs
        )
        if enough and self.may_hold_warm_up:
            return None
        return enough and len(self.runs) == RUNS_TO_PASS

    @property
    def may_hold_warm_up(self) -> bool:
        """Whether one run more than needed is there, as rounds with a warm-up file it."""
        return self.round in ("v2.0", "v3.0") and len(self.runs) == RUNS_TO_PASS + 1


def _mean(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _sum(figures: list[Figure | None]) -> float | None:
    if not figures or None in figures:
        return None
    return sum(figure.value for figure in figures if figure)


def _total(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if counts and len(known) == len(counts) else None


def _same(values: list[int | None]) -> int | None:
    first = values[0] if values else None
    return first if all(value == first for value in values) else None
