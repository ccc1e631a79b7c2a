"""Figures from the raw files of IO500 submissions, as the derived tables hold them."""

from __future__ import annotations

from storagebook.claims import Inputs
from storagebook.io500.phases import SCORED
from storagebook.quantities import RAW, Quantity
from storagebook.verdicts import Fact

RUNS = "io500-runs"
OUTPUTS = "io500-run-outputs"
PHASES = "io500-run-phases"


#: Submissions that the source speaks of.
AURORA, AURORA_TEN_NODES, AURORA_UNPROTECTED = "0688", "0694", "0695"
SUPERMUC_2023, SUPERMUC_2025 = "0683", "0772"

_SUMMARY = {
    "bandwidth": "bandwidth_gib_s",
    "metadata": "metadata_kiops",
    "score": "score",
    "procs": "procs_count",
    "nodes": "nodes_count",
    "total-files": "total_files_count",
}
#: How a run, and how a phase of it, was run: what differs between two runs is looked for in these.
RUN_SETTINGS = ("procs_count", "version")
SETTINGS = (
    "api",
    "object_class",
    "dir_object_class",
    "chunk_size_b",
    "transfer_b",
    "block_b",
    "access",
)
_EXAMPLES = 5


def figure(inputs: Inputs, submission: str, what: str) -> Quantity:
    """A figure of a run: ``score``, ``procs`` …, a phase, or ``<phase>.<column>`` of a phase.

    Raises
    ------
    StoragebookError
        If the submission or the figure is not at hand, or the submission holds several runs.
    """
    if what in _SUMMARY:
        return inputs(f"{RUNS}[submission={submission}].{_SUMMARY[what]}")
    phase, _, column = what.partition(".")
    return inputs(f"{PHASES}[submission={submission};phase={phase}].{column or 'value'}")


def output(inputs: Inputs, submission: str, what: str) -> Quantity:
    """A figure that IOR or mdtest prints itself: ``<phase>.<column>`` of ``io500-run-outputs``.

    Raises
    ------
    StoragebookError
        If the figure is not at hand.
    """
    phase, _, column = what.partition(".")
    return inputs(f"{OUTPUTS}[submission={submission};phase={phase}].{column}")


def settings(inputs: Inputs, submission: str, phase: str) -> dict[str, str]:
    """How a phase was run, as text; empty where no file says."""
    row = inputs.row(PHASES, submission=submission, phase=phase)
    return {name: row[name] for name in SETTINGS}


def differences(
    inputs: Inputs, first: str, second: str, *, but: tuple[str, ...] = ()
) -> tuple[list[str], list[str]]:
    """How two runs differ in how they were run, the named settings left out.

    Returns
    -------
    tuple of list of str
        The settings known to differ, and those that only one side's files tell.
    """
    runs = [inputs.row(RUNS, submission=one) for one in (first, second)]
    pairs = {name: [run[name] for run in runs] for name in RUN_SETTINGS}
    for phase in (p.name for p in SCORED):
        of_first, of_second = (settings(inputs, one, phase) for one in (first, second))
        pairs |= {f"{phase} {name}": [of_first[name], of_second[name]] for name in SETTINGS}
    unlike = {
        name: pair
        for name, pair in pairs.items()
        if pair[0] != pair[1] and name.split()[-1] not in but
    }
    known = [f"{name} {a} and {b}" for name, (a, b) in unlike.items() if a and b]
    return known, [name for name, pair in unlike.items() if not all(pair)]


def nothing_else(inputs: Inputs, first: str, second: str, *, but: tuple[str, ...]) -> Fact:
    """Whether two runs differ in the named settings only."""
    known, untold = differences(inputs, first, second, but=but)
    text = f"nothing else differs between submissions {first} and {second}"
    if known:
        return Fact(f"{text} ({examples(known)})", False, RAW)
    return Fact(text, None if untold else True, RAW)


def examples(differences: list[str]) -> str:
    """The first few of many."""
    more = len(differences) - _EXAMPLES
    return ", ".join(differences[:_EXAMPLES]) + (f" and {more} more" if more > 0 else "")
