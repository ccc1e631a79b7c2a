"""What the files of an IO500 run show against it.

Three verdicts stay apart. *Integrity*: was the text edited after the run (hashes, copies that
differ). *Arithmetic*: do the printed phases give the printed score, within what their digits allow
(`agreement`). *Rules*: what the benchmark asks of a run. Edited data can be self-consistent, an
honest run can fail an old checker, and a rule depends on mode and date. Codes stand in `findings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from storagebook.intervals import Interval
from storagebook.io500 import hash as hashes
from storagebook.io500.agreement import SIX_DIGITS, Means, phase_interval
from storagebook.io500.findings import CODES, Area, Code, Finding, Severity, finding
from storagebook.io500.phases import BY_NAME, STONEWALL_S, STONEWALL_STUDENT_S, Phase
from storagebook.io500.run import PhaseResult, Place, Run, expected_phases
from storagebook.io500.score import Score

__all__ = (
    "CODES",
    "Area",
    "Checked",
    "Code",
    "Finding",
    "Seen",
    "Severity",
    "Verdicts",
    "check",
    "finding",
    "is_valid",
)

#: A read phase this short tells more about caches than about storage, seconds.
SHORT_READ_S = 30
#: Final rate over the rate at the stonewall, or the other way round, above which that is said.
STONEWALL_GAP = 1.5
#: The C program of 2020 took the metadata rates by its own clock: share that they are off mdtest's.
OWN_CLOCK_2020 = 0.001


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The three answers, each on its own.

    Attributes
    ----------
    integrity
        ``match``: every hashed value is as the program printed it; ``absent``: nothing tells.
    arithmetic
        ``unverifiable``: the printed digits are too few to tell; ``absent``: nothing to compare.
    rules
        What the program marked, or what the phases show where it marks nothing.
    """

    integrity: Literal["match", "mismatch", "absent"]
    arithmetic: Literal["agrees", "disagrees", "unverifiable", "absent"]
    rules: Literal["valid", "invalid"]


@dataclass(frozen=True, slots=True)
class Checked:
    """A run and what its files show.

    Attributes
    ----------
    recomputed
        Bandwidth in GiB/s, metadata in kIOP/s, score; None where the phases do not give it.
    """

    run: Run
    findings: tuple[Finding, ...]
    verdicts: Verdicts
    recomputed: Score[float | None]
    hash: hashes.HashCheck
    hash_x: hashes.HashCheck
    config: hashes.ConfigCheck

    @property
    def agrees(self) -> bool | None:
        """Whether the printed digits allow the recomputed figures; None if there are none."""
        return {"agrees": True, "unverifiable": True, "disagrees": False}.get(
            self.verdicts.arithmetic
        )

    @property
    def valid(self) -> bool:
        """Whether the run counts by the files' own marks and the rules."""
        return self.verdicts.rules == "valid"


@dataclass
class Seen:
    """Runs met so far, to tell one that is filed twice."""

    _names: dict[int, str] = field(default_factory=dict)

    def again(self, run: Run) -> str | None:
        """The name of an earlier run with the same figures; the run is remembered."""
        earlier = self._names.setdefault(hash(run.fingerprint), run.name)
        return None if earlier == run.name else earlier


def check(run: Run, seen: Seen | None = None) -> Checked:
    """Everything that the files of a run show.

    Parameters
    ----------
    seen
        Runs checked before this one; with it, one that is filed twice is found.
    """
    integrity = hashes.check_score(run)
    integrity_x = hashes.check_scorex(run)
    config = hashes.check_config(run)
    means = Means(run)
    disagreements = list(means.findings())
    coarse = list(means.coarse()) if integrity.status != "match" and not disagreements else []
    found = [
        *run.findings,
        *_integrity(run, integrity, integrity_x, config),
        *_duplicate(run, seen),
        *disagreements,
        *coarse,
        *_rules(run),
    ]
    broken = any(f.area == "integrity" and f.severity == "error" for f in found)
    verdicts = Verdicts(
        integrity="mismatch" if broken else integrity.status,
        arithmetic=(
            "absent"
            if run.printed is None or not means.comparable
            else "disagrees"
            if any(f.severity == "error" for f in disagreements)
            else "unverifiable"
            if coarse
            else "agrees"
        ),
        rules="valid" if is_valid(run) else "invalid",
    )
    return Checked(run, tuple(found), verdicts, means.recomputed, integrity, integrity_x, config)


def is_valid(run: Run) -> bool:
    """Whether nothing in the files says that the run does not count."""
    if run.printed is None or run.printed.invalid:
        return False
    phases = run.scored
    expected = {p.name for p in expected_phases(run)}
    return expected <= set(phases) and all(p.valid and p.value.value > 0 for p in phases.values())


# -- integrity


def _integrity(
    run: Run,
    score: hashes.HashCheck,
    scorex: hashes.HashCheck,
    config: hashes.ConfigCheck,
) -> Iterator[Finding]:
    place = run.hashed.place if run.hashed is not None else run.place
    if score.status == "mismatch":
        told = f"hash {score.printed} is printed, the values beside it give {score.recomputed}"
        yield finding("hash-mismatch", told, place)
    elif score.status == "absent":
        yield finding("hash-absent", "", run.place)
    elif not score.covers_means:
        yield finding("hash-leaves-out-means", "", place)
    if scorex.status == "mismatch" and run.hashed_x is not None:
        told = f"hash {scorex.printed} is printed, the values beside it give {scorex.recomputed}"
        yield finding("scorex-hash-mismatch", told, run.hashed_x.place)
    if config.status == "mismatch" and config.file is not None:
        told = f"config-hash {config.printed} is printed, config.ini gives {config.recomputed}"
        yield finding("config-hash-mismatch", told, Place(config.file))
    elif config.status == "not-kept":
        told = "no configuration" if not run.configs else "only the user's own configuration"
        yield finding("config-not-kept", f"{told} is left, so its hash cannot be checked", place)
    elif config.status == "match" and config.file is not None:
        beside = [c.file for c in run.configs if c.file.endswith("/config.ini")]
        if beside and config.file not in beside:
            name = config.file.rpartition("/")[2]
            told = f"config.ini is not what the program hashed; {name} is"
            yield finding("config-elsewhere", told, Place(beside[0]))
    for phase in run.phases:
        yield from _against_output(run, phase)


def _against_output(run: Run, phase: PhaseResult) -> Iterator[Finding]:
    """The same figure as IOR or mdtest printed it."""
    output = phase.output_rate
    if output is None or phase.unit not in ("GiB/s", "kIOP/s"):
        return
    unit, per = ("MiB/s", 1024) if phase.is_bandwidth else ("op/s", 1000)
    told = f"{phase.name} is {phase.value.text} {phase.unit}, its output says {output.text} {unit}"
    if output.value == 0 < phase.value.value:
        yield finding("output-zero", told, phase.place)
        return
    share = 0.0
    if run.format == "shell":
        share = 5 * 10.0**-SIX_DIGITS
    elif run.format == "c-2020" and not phase.is_bandwidth:
        share = OWN_CLOCK_2020
    allowed = (Interval.of_printed(output.text, trailing_zeros=True) / per) * Interval(
        1 - share, 1 + share
    )
    if not allowed.overlaps(phase_interval(phase.value)):
        yield finding("output-differs", told, phase.place)


def _duplicate(run: Run, seen: Seen | None) -> Iterator[Finding]:
    earlier = seen.again(run) if seen is not None and run.phases else None
    if earlier is not None:
        yield finding("duplicate", f"the same figures as {earlier}", run.place)


# -- rules


def _rules(run: Run) -> Iterator[Finding]:
    yield from _marks(run)
    yield from _phases(run)
    if run.mode == "extended":
        yield finding("extended-mode", "", run.place)
    if run.student:
        yield finding("student-mode", "", run.place)
    if run.find_external:
        find = run.scored.get("find")
        yield finding("find-external", "", find.place if find else run.place)
    if run.version == "":
        yield finding("version-missing", "", run.place)
    elif run.version and not _is_release(run.version):
        told = f"version {run.version} is between releases, or of somebody's own making"
        yield finding("not-a-release", told, run.place)


def _marks(run: Run) -> Iterator[Finding]:
    if run.printed is not None and run.printed.invalid:
        yield finding("marked-invalid", "", run.printed.place)
    for phase in run.phases:
        if not phase.valid:
            yield finding("phase-invalid", f"{phase.name} is marked invalid", phase.place)


def _phases(run: Run) -> Iterator[Finding]:
    phases = run.scored
    missing = [p.name for p in expected_phases(run) if p.name not in phases]
    if missing:
        yield finding("phase-missing", f"not there: {', '.join(missing)}", run.place)
    least = STONEWALL_STUDENT_S if run.student else STONEWALL_S
    for phase in run.phases:
        known = BY_NAME.get(phase.name)
        if known is None:
            if not phase.scored:
                yield finding("unscored-phase", f"{phase.name} counts in no score", phase.place)
            continue
        if phase.value.value <= 0:
            yield finding("phase-zero", f"{phase.name} is {phase.value.text}", phase.place)
        if known.access == "write":
            yield from _write_phase(phase, least)
        yield from _read_phase(phase, known)
    yield from _units(run)


def _write_phase(phase: PhaseResult, least: int) -> Iterator[Finding]:
    if phase.valid and phase.seconds is not None and phase.seconds.value < least:
        told = f"{phase.name} ran {phase.seconds.text} s, the rules ask for {least} s"
        yield finding("write-too-short", told, phase.place)
    stonewall = phase.settings.stonewall_s
    if stonewall not in (None, least, STONEWALL_S):
        has = f"a stonewall of {stonewall} s" if stonewall else "no stonewall"
        told = f"{phase.name} has {has}, the rules say {least} s"
        yield finding("stonewall-differs", told, phase.place)
    if phase.stonewall is None or phase.stonewall_unit is None or phase.value.value <= 0:
        return
    # two decimals of a tiny bandwidth say little
    lo, hi = Interval.of_printed(phase.stonewall.text, trailing_zeros=True).floats()
    if lo <= 0 or max(phase.value.value / hi, lo / phase.value.value) <= STONEWALL_GAP:
        return
    ratio = phase.value.value / phase.stonewall.value
    told = (
        f"{phase.name} ends at {ratio:.2f} times the rate it had at the stonewall"
        f" ({phase.value.text} after {phase.stonewall.text} {phase.unit})"
    )
    yield finding("stonewall-gap", told, phase.place)


def _read_phase(phase: PhaseResult, known: Phase) -> Iterator[Finding]:
    if known.access != "read" or phase.seconds is None:
        return
    if 0 < phase.seconds.value < SHORT_READ_S:
        told = f"{phase.name} took {phase.seconds.text} s: caches may have served it"
        yield finding("short-read", told, phase.place)


def _units(run: Run) -> Iterator[Finding]:
    labelled = [p for p in run.phases if p.printed_unit.lower() == "gb/s"]
    if labelled:
        yield finding("unit-label", "", labelled[0].place)
    elif run.printed is not None and run.printed.bw_unit.lower() == "gb/s":
        told = "the score line says GB/s over a mean in GiB/s"
        yield finding("unit-label", told, run.printed.place)
    undecided = [p for p in run.phases if p.unit == "MB/s"]
    if undecided:
        told = "MB/s of 2017 may mean 10**6 or 2**20 B/s: no file tells, so nothing is converted"
        yield finding("unit-undecided", told, undecided[0].place)
    strange = [p for p in run.phases if p.stonewall is not None and p.stonewall_unit is None]
    if strange:
        told = f"{strange[0].name} has throughput-stonewall {strange[0].stonewall.text}"  # type: ignore[union-attr]
        yield finding("stonewall-unit", f"{told}, which fits no unit", strange[0].place)


def _is_release(version: str) -> bool:
    """Whether a version is a tag: ``io500-sc23_v1``, not ``io500-sc20-6-gf1c40e1e4342``."""
    name = version.removeprefix("io500-")
    return name != version and "-" not in name
