"""Findings: what a run's files show, each with a stable code from one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from storagebook.errors import one_line
from storagebook.io500.run import Place

Severity = Literal["error", "warning", "note"]
Area = Literal["reading", "integrity", "arithmetic", "rules"]


@dataclass(frozen=True, slots=True)
class Code:
    """What a finding's code means."""

    area: Area
    severity: Severity
    meaning: str


CODES: dict[str, Code] = {
    # -- reading
    "not-utf8": Code("reading", "warning", "bytes that are not UTF-8"),
    "utf16": Code("reading", "note", "the file is in UTF-16"),
    "nul-bytes": Code("reading", "warning", "NUL bytes in a text file"),
    "long-line": Code("reading", "warning", "a line longer than any result's; its end is not read"),
    "unreadable-value": Code("reading", "error", "a result that is no number"),
    "repeated-phase": Code("reading", "warning", "a phase stands twice with different values"),
    "several-scores": Code("reading", "note", "several score lines in one file"),
    "other-run-in-log": Code("reading", "note", "a log repeats results of earlier runs"),
    "scale-differs": Code("reading", "warning", "files state different numbers of nodes or tasks"),
    # -- integrity
    "hash-mismatch": Code("integrity", "error", "the hash is not that of the printed values"),
    "hash-absent": Code("integrity", "note", "no hash, so nothing says that no value was edited"),
    "hash-leaves-out-means": Code("integrity", "note", "the hash does not cover BW and MD"),
    "scorex-hash-mismatch": Code("integrity", "error", "the hash of SCOREX does not match"),
    "config-hash-mismatch": Code("integrity", "warning", "config.ini was changed after the run"),
    "config-not-kept": Code("integrity", "note", "no full configuration is left to check"),
    "config-elsewhere": Code("integrity", "warning", "config.ini is not the one of this run"),
    "summary-differs": Code("integrity", "error", "result_summary.txt differs from result.txt"),
    "other-summary": Code("integrity", "warning", "a summary beside the run is another run's"),
    "seconds-differ": Code("integrity", "error", "summary and result.txt give other run times"),
    "output-differs": Code("integrity", "error", "a phase's output gives another rate"),
    "output-zero": Code(
        "integrity", "note", "a phase's output gives no rate where the run has one"
    ),
    "duplicate": Code("integrity", "warning", "the same figures as another run"),
    # -- arithmetic
    "score-missing": Code("arithmetic", "error", "no score line: the run is not complete"),
    "bw-differs": Code("arithmetic", "error", "the phases do not give the printed bandwidth"),
    "md-differs": Code("arithmetic", "error", "the phases do not give the printed metadata mean"),
    "score-differs": Code("arithmetic", "error", "the means do not give the printed score"),
    "scorex-differs": Code("arithmetic", "error", "the phases do not give the printed SCOREX"),
    "product-not-root": Code("arithmetic", "warning", "the total is the product of the means"),
    "too-coarse": Code("arithmetic", "note", "unverifiable at this precision"),
    "find-count-differs": Code("arithmetic", "warning", "more files per second than find saw"),
    # -- rules
    "marked-invalid": Code("rules", "error", "the program marked the run invalid"),
    "phase-invalid": Code("rules", "warning", "the program marked a phase invalid"),
    "error-not-marked": Code("rules", "note", "the program printed an error, but marked nothing"),
    "phase-missing": Code("rules", "error", "a scored phase is missing"),
    "phase-zero": Code("rules", "error", "a scored phase is not above zero"),
    "write-too-short": Code("rules", "warning", "a write phase is shorter than the rules ask"),
    "stonewall-differs": Code("rules", "warning", "the stonewall is not the one of the rules"),
    "student-mode": Code("rules", "note", "student-cluster rules: a stonewall of 30 s will do"),
    "extended-mode": Code("rules", "note", "extended mode, which has a score of its own"),
    "unscored-phase": Code("rules", "note", "a phase that counts in no score"),
    "find-external": Code("rules", "note", "find was a script of the submitter"),
    "version-missing": Code("rules", "note", "the program printed no version"),
    "not-a-release": Code("rules", "note", "a version between releases"),
    "unit-label": Code("rules", "note", "GB/s is printed over values in GiB/s"),
    "unit-undecided": Code("rules", "warning", "a unit that no version of the program explains"),
    "stonewall-unit": Code("rules", "note", "bandwidth at the stonewall in no known unit"),
    "stonewall-gap": Code("rules", "note", "final rate far from the rate at the stonewall"),
    "short-read": Code("rules", "note", "a read phase so short that caches may have served it"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a run's files show.

    Attributes
    ----------
    code
        A key of `CODES`.
    file, line
        Where, relative to the path that was read; the line counts from 1.
    """

    code: str
    severity: Severity
    text: str
    file: str
    line: int | None

    @property
    def area(self) -> Area:
        """What it is about, by its code."""
        return CODES[self.code].area


def finding(code: str, text: str, place: Place) -> Finding:
    """A finding with its code's severity; an empty text is the code's meaning."""
    known = CODES[code]
    return Finding(code, known.severity, one_line(text or known.meaning), place.file, place.line)
