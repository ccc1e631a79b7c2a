"""Every system that the sources name, and where the book tells of it."""

from __future__ import annotations

import re

import pandas as pd

from storagebook import ledger, parameters, tables
from storagebook.io500 import public
from storagebook.systems import known

#: The page that shows all of them.
PAGE = "34-across-systems"
TABLE = "systems"
# A submitter or a family under the name that other files give it.
_ELSEWHERE = {
    "GPFS": "Storage Scale",
    "CEPH": "CephFS",
    "YanRong": "YanRongTech",
    "JuiceFS": "Juicedata",
}
_NO_CHAPTER = "this page"


def table() -> pd.DataFrame:
    """Every named system.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``kind``, ``about``, ``chapter`` (linked, where most is told of it), ``source``
        (where it is named), ``figures`` (rows of this page), ``claims`` (rows of the ledger that
        are about it by name), ``io500`` (public runs at hand, of file systems and of
        installations), ``mlperf`` (v1.0 results at hand, of submitters).
    """
    rows = tables.load(TABLE)
    families = public.frame().family.value_counts()
    submitters = tables.load("mlperf-storage-v10").submitter.value_counts()
    about = [f"{one.claim.system} {one.claim.quantity}" for one in ledger.every()]
    found, links = [], []
    for row in rows.itertuples():
        other = _ELSEWHERE.get(row.system, row.system)
        chapter = row.chapter if row.chapter in parameters.NOTEBOOKS else ""
        links.append(f"{chapter}.html" if chapter else "")
        found.append(
            (
                row.system,
                row.kind,
                row.about,
                chapter or _NO_CHAPTER,
                f"{row.source}, line {row.line}",
                figures_of(row.system),
                sum(names(row.system, text) for text in about),
                _runs_at_hand(row.kind, row.system, int(families.get(other, 0))),
                submitters.get(other),
            )
        )
    columns = ["system", "kind", "about", "chapter", "source", "figures", "claims", "io500"]
    frame = pd.DataFrame(found, columns=[*columns, "mlperf"])
    frame = frame.astype({"io500": "Int64", "mlperf": "Int64"})
    frame.attrs["links"] = {"chapter": links}
    return frame


def _runs_at_hand(kind: str, system: str, of_family: int) -> int | None:
    """A file system's runs, or an installation's by its name; of a name that none has, nothing."""
    if kind == "installation":
        return sum(names(system, str(name)) for name in public.frame().system) or None
    return of_family if kind == "file system" or of_family else None


def figures_of(system: str) -> int:
    """How many figures of `known.every` are of a system by name."""
    return sum(
        names(system, f"{one.system} {one.place} {one.figure.submitter}") for one in known.every()
    )


def names(system: str, text: str) -> bool:
    """Whether a text holds a name as a word.

    >>> names("Lise", "Megware DAOS Lise, ZIB"), names("IRIS", "Irish")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(system)}(?![a-z])", text) is not None
