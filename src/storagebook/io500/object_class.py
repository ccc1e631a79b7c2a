"""DAOS object classes: what a name says about cells, copies and groups.

A class is written ``S1``, ``SX``, ``RP_2G1``, ``RP_3GX``, ``EC_16P1GX``, with or without ``OC_``
before it, as an IOR or mdtest command line and the DAOS headers do: how each piece of an object is
protected, then over how many groups of targets the object is spread (``X``: over all there are).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from storagebook.errors import StoragebookError, one_line

_NAME = re.compile(
    r"(?:OC_)?(?:"
    r"S(?P<shards>X|[1-9]\d{0,4})"
    r"|RP_(?P<replicas>[1-9]\d?)G(?P<rp_groups>X|[1-9]\d{0,4})"
    r"|EC_(?P<data>[1-9]\d?)P(?P<parity>[1-9])G(?P<ec_groups>X|[1-9]\d{0,4})"
    r")",
    re.ASCII,
)


class Protection(StrEnum):
    """How a class keeps data when targets are lost."""

    NONE = "none"
    REPLICATION = "replication"
    ERASURE_CODE = "erasure code"


@dataclass(frozen=True)
class ObjectClass:
    """An object class.

    Attributes
    ----------
    data_cells, parity_cells
        Of a stripe of an erasure code; 1 and 0 otherwise.
    replicas
        Copies of everything; 1 unless it is replicated.
    groups
        Groups of targets that an object is spread over; None for all there are (``X``).

    Raises
    ------
    StoragebookError
        If it is both replicated and erasure-coded, or a number is out of range.

    Examples
    --------
    >>> ec = parse("EC_16P1GX")
    >>> ec.usable_share, ec.write_amplification, ec.losses
    (Fraction(16, 17), Fraction(17, 16), 1)
    """

    data_cells: int = 1
    parity_cells: int = 0
    replicas: int = 1
    groups: int | None = None

    def __post_init__(self) -> None:
        if self.data_cells < 1 or self.parity_cells < 0 or self.replicas < 1:
            raise StoragebookError(f"no object class has such numbers: {self!r}")
        if self.groups is not None and self.groups < 1:
            raise StoragebookError(f"an object has at least one group, not {self.groups}")
        if self.replicas > 1 and (self.parity_cells or self.data_cells > 1):
            raise StoragebookError("an object class is replicated or erasure-coded, not both")
        if self.data_cells > 1 and not self.parity_cells:
            raise StoragebookError("an erasure code has at least one parity cell")

    @property
    def protection(self) -> Protection:
        """How it keeps data when targets are lost."""
        if self.parity_cells:
            return Protection.ERASURE_CODE
        return Protection.REPLICATION if self.replicas > 1 else Protection.NONE

    @property
    def losses(self) -> int:
        """Targets of one group that can be lost without losing data."""
        return self.parity_cells or self.replicas - 1

    @property
    def width(self) -> int:
        """Targets of one group: cells of a stripe, or copies."""
        return self.data_cells + self.parity_cells if self.parity_cells else self.replicas

    @property
    def write_amplification(self) -> Fraction:
        """Bytes stored, and received by servers, for a byte written in whole stripes."""
        return Fraction(self.width, self.data_cells)

    @property
    def usable_share(self) -> Fraction:
        """Part of the media that holds data."""
        return 1 / self.write_amplification

    @property
    def least_small_write(self) -> int:
        """The least times that a write smaller than a cell has to be stored.

        What survives the loss of any n targets has to be on n + 1 of them before it is
        acknowledged, as a copy or as parity that depends on it. For an erasure code this is more
        than `write_amplification`: the stripe does not share its parity among many cells.
        """
        return self.losses + 1

    def __str__(self) -> str:
        groups = "X" if self.groups is None else self.groups
        if self.parity_cells:
            return f"EC_{self.data_cells}P{self.parity_cells}G{groups}"
        return f"S{groups}" if self.replicas == 1 else f"RP_{self.replicas}G{groups}"


def parse(name: str) -> ObjectClass:
    """The class that a name stands for.

    Raises
    ------
    StoragebookError
        If it is no class with fixed numbers of cells and copies.

    Examples
    --------
    >>> parse("OC_RP_3G1")
    ObjectClass(data_cells=1, parity_cells=0, replicas=3, groups=1)
    >>> str(parse("sx"))
    'SX'
    """
    match = _NAME.fullmatch(name.strip().upper()) if len(name) <= 40 else None
    if match is None:
        raise StoragebookError(
            f"no object class: {one_line(name)}", hint="such as S1, SX, RP_2G1 or EC_16P1GX"
        )
    if match["data"]:
        return ObjectClass(
            data_cells=int(match["data"]),
            parity_cells=int(match["parity"]),
            groups=_groups(match["ec_groups"]),
        )
    if match["replicas"]:
        return ObjectClass(replicas=int(match["replicas"]), groups=_groups(match["rp_groups"]))
    return ObjectClass(groups=_groups(match["shards"]))


def _groups(text: str) -> int | None:
    return None if text == "X" else int(text)
