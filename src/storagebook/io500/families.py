"""File systems by family, from the names that submitters gave.

A name is sorted only by what it says. A mount point, a machine or an appliance (``scratch2``,
``Alpine``, ``AI400``, ``ESS``) names no file system, whatever people know of it. Where a name says
nothing, an interface that only one file system has says it. All others are `UNSTATED`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Names that say nothing, or something that is in no family.
UNSTATED = "other or unstated"

# The first pattern that is found decides: EXAScaler is a Lustre product, and says so in its names.
_PATTERNS = tuple(
    (family, re.compile(pattern, re.IGNORECASE))
    for family, pattern in (
        ("DAOS", r"\bdaos\b"),
        ("EXAScaler", r"exascaler"),
        ("Lustre", r"lustre"),
        ("Storage Scale", r"gpfs|(?:spectrum|storage) ?scale"),
        ("WekaIO", r"weka"),
        ("VAST", r"\bvast"),
        ("BeeGFS", r"beegfs"),
        ("GekkoFS", r"gekkofs"),
        ("CephFS", r"cephfs"),
        ("IME", r"\bime\b"),
        ("MadFS", r"\bmadfs"),
        ("SuperFS", r"\bsuperfs"),
        ("PanFS", r"\bpanfs"),
        ("Qumulo", r"qumulo"),
        ("Expand", r"^expand$"),
        ("UPFS", r"\bupfs"),
        ("Tianhe-FS", r"tianhe-fs"),
        ("CHFS", r"\bchfs"),
        ("Gfarm", r"gfarm"),
        ("Quobyte", r"quobyte"),
        ("JPFS", r"\bjpfs"),
        ("OceanFS", r"oceanfs"),
        ("OceanStor", r"oceanstor"),
        ("ParaStor", r"parastor"),
    )
)

#: Every family, the most general name last.
FAMILIES = (*(family for family, _ in _PATTERNS), UNSTATED)


# Interfaces of IOR and mdtest that reach one file system only.
_INTERFACES = {"DFS": "DAOS", "IME": "IME", "CHFS": "CHFS", "Gfarm": "Gfarm"}


def family(file_system: str | None, interfaces: Iterable[str] = ()) -> str:
    """The family of a file system.

    Parameters
    ----------
    file_system
        Its name; None where nobody gave one.
    interfaces
        What the phases of the run reached it by, where files tell: ``POSIX``, ``DFS`` …

    Examples
    --------
    >>> family("IBM Storage Scale 5.2.2.1 with ESS 6.2.2.0"), family("lustre06"), family("scratch")
    ('Storage Scale', 'Lustre', 'other or unstated')
    >>> family("QCT", ["DFS"])
    'DAOS'
    """
    name = file_system if isinstance(file_system, str) else ""
    named = next((known for known, pattern in _PATTERNS if pattern.search(name)), None)
    reached = (_INTERFACES[i] for i in interfaces if i in _INTERFACES)
    return named or next(reached, UNSTATED)
