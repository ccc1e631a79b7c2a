"""The IO500 phases: names, order, units and groups.

Source: the official program (C version, 2020 onwards) and io500.org's rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

#: Record of ior-hard, bytes per transfer; deliberately not aligned to any block size.
IOR_HARD_RECORD_B = 47_008
#: File of mdtest-hard, bytes.
MDTEST_HARD_FILE_B = 3_901
#: How the C program calls mdtest for mdtest-easy: a directory for each process (``-u``), files in
#: the deepest directories only, no directories as items, and rates of the processes printed.
MDTEST_EASY_OPTIONS = ("-u", "-L", "-F", "-P")
#: Shortest write phase of a valid run, seconds.
STONEWALL_S = 300
#: The same in student-cluster mode.
STONEWALL_STUDENT_S = 30

Kind = Literal["bandwidth", "metadata"]


@dataclass(frozen=True)
class Phase:
    """One phase of the benchmark.

    Attributes
    ----------
    name
        As the C program prints it, e.g. ``ior-easy-write``.
    kind
        ``bandwidth`` (GiB/s) or ``metadata`` (kIOP/s).
    group
        ``ior-easy``, ``ior-hard``, ``mdtest-easy``, ``mdtest-hard`` or ``find``.
    access
        ``write``, ``read``, ``stat``, ``delete`` or ``find``.
    """

    name: str
    kind: Kind
    group: str
    access: str

    @property
    def unit(self) -> str:
        """GiB/s (GiB = 2**30 B) or kIOP/s."""
        return "GiB/s" if self.kind == "bandwidth" else "kIOP/s"

    @property
    def column(self) -> str:
        """The name in columns and identifiers: ``ior_easy_write``."""
        return self.name.replace("-", "_")


def _phase(name: str) -> Phase:
    group, _, access = name.rpartition("-")
    kind: Kind = "bandwidth" if name.startswith("ior") else "metadata"
    return Phase(name, kind, group or name, access)


#: The twelve scored phases in the order in which the program runs them.
SCORED: tuple[Phase, ...] = tuple(
    _phase(name)
    for name in (
        "ior-easy-write",
        "mdtest-easy-write",
        "ior-hard-write",
        "mdtest-hard-write",
        "find",
        "ior-easy-read",
        "mdtest-easy-stat",
        "ior-hard-read",
        "mdtest-hard-stat",
        "mdtest-easy-delete",
        "mdtest-hard-read",
        "mdtest-hard-delete",
    )
)
BANDWIDTH: tuple[Phase, ...] = tuple(p for p in SCORED if p.kind == "bandwidth")
METADATA: tuple[Phase, ...] = tuple(p for p in SCORED if p.kind == "metadata")
BY_NAME: dict[str, Phase] = {p.name: p for p in SCORED}
#: The optional phases that count in SCOREX and nowhere else (extended mode, 2021).
EXTENDED: tuple[Phase, ...] = tuple(
    _phase(name)
    for name in (
        "ior-rnd4K-write",
        "ior-rnd1MB-write",
        "find-easy",
        "ior-rnd4K-read",
        "ior-rnd1MB-read",
        "find-hard",
        "mdworkbench-bench",
    )
)

_DOES = {
    "ior-easy-write": "writes large files; layout, transfer size and number of files are free",
    "ior-easy-read": "reads them back, each process what another node wrote",
    "ior-hard-write": "writes small unaligned records, interleaved, into one shared file",
    "ior-hard-read": "reads them back, each process what another node wrote",
    "mdtest-easy-write": "creates empty files, a directory of its own for each process unless set",
    "mdtest-easy-stat": "looks up their attributes",
    "mdtest-easy-delete": "deletes them",
    "mdtest-hard-write": "creates small files with data, all in one shared directory",
    "mdtest-hard-stat": "looks up their attributes",
    "mdtest-hard-read": "reads their data",
    "mdtest-hard-delete": "deletes them",
    "find": "walks all that was created so far and picks by time, size and name",
}


def table() -> pd.DataFrame:
    """The scored phases for readers: ``order``, ``phase``, ``unit``, ``does``."""
    import pandas as pd

    rows = [(i, p.name, p.unit, _DOES[p.name]) for i, p in enumerate(SCORED, 1)]
    return pd.DataFrame(rows, columns=["order", "phase", "unit", "does"])
