"""Single numbers of tables, each with its unit, basis, origin and place."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from storagebook import paths, tables
from storagebook.compare import Basis, Obtained
from storagebook.errors import StoragebookError
from storagebook.intervals import Interval
from storagebook.quantities import Origin, Quantity
from storagebook.verdicts import Qualifier, reading

Row: TypeAlias = Mapping[str, str]

_POINTER = re.compile(r"(?P<table>[\w-]+)\[(?P<keys>[^\]]+)\]\.(?P<column>\w+)")
_CACHED_TABLES = 256


@dataclass(frozen=True)
class Cell:
    """One number of a table.

    Attributes
    ----------
    table, row, column
        Where it is; rows are counted from 0.
    text
        As printed.
    unit, qualifier, basis, obtained
        Its companions, from the row, the column or the table, whichever says.
    source, section, line
        Where the table has it from; empty or None for derived tables.
    printed
        The source's own words.
    raw
        Whether it comes from a tool's own output, or was computed from it.
    """

    table: str
    row: int
    column: str
    text: str
    unit: str
    qualifier: Qualifier
    basis: Basis | None
    obtained: Obtained
    source: str
    section: str
    line: int | None
    printed: str
    raw: bool

    @property
    def place(self) -> tuple[str, int, str]:
        """What tells it from every other cell."""
        return self.table, self.row, self.column

    def quantity(self, *, exact: bool = False) -> Quantity:
        """The figure as an input: as much as its print allows, a count exactly.

        With `exact` the digits as printed, where the source itself calculates with them.
        """
        read = reading(self.text, self.qualifier)
        if exact:
            value = Interval.point(Interval.of_printed(self.text).mid)
        elif self.unit == "1" and "." not in self.text and not read.approximate:
            value = Interval.point(read.strict.mid)
        else:
            # a tool always prints so many places, so its final zeros are precision
            value = read.strict if self.raw else read.loose
        text = self.text if self.unit == "1" else f"{self.text} {self.unit}"
        origin: Origin = "raw-output" if self.raw else "documents"
        return Quantity(value, self.unit, text, read.approximate, frozenset({origin}))


def cell(pointer: str) -> Cell:
    """Look up ``table[key=value;key=value].column``.

    Raises
    ------
    StoragebookError
        If the pointer is malformed or does not name exactly one number.

    Examples
    --------
    >>> found = cell("aurora-phases[phase=find].value")
    >>> found.text, found.unit, found.line
    ('229,672.10', 'kIOP/s', 230)
    """
    match = _POINTER.fullmatch(pointer)
    if match is None:
        raise StoragebookError(
            f"no cell pointer: {pointer!r}", hint="write table[key=value].column"
        )
    where = {}
    for pair in match["keys"].split(";"):
        key, _, value = pair.partition("=")
        where[key.strip()] = value.strip()
    found = column(match["table"], match["column"], where)
    if len(found) != 1:
        raise StoragebookError(f"{pointer!r} names {len(found)} numbers, not one")
    return found[0]


def column(table: str, name: str, where: Mapping[str, str]) -> list[Cell]:
    """The numbers of a column, top to bottom, in the rows that fit; blank cells are none.

    Raises
    ------
    StoragebookError
        If there is no such table or column.
    """
    found = _table(table, _stamp())
    field = next((f for f in found.described["schema"]["fields"] if f["name"] == name), None)
    if field is None:
        raise StoragebookError(f"{name!r} is no column of {table}")
    return [_cell(found.described, field, i, row) for i, row in found.fitting(where) if row[name]]


def rows(table: str, where: Mapping[str, str]) -> list[tuple[int, Row]]:
    """The rows of a table that fit, as printed, each with its number from 0.

    Raises
    ------
    StoragebookError
        If there is no such table, or no column that `where` names.
    """
    return _table(table, _stamp()).fitting(where)


def _cell(described: tables.Descriptor, field: tables.Descriptor, index: int, row: Row) -> Cell:
    basis = row.get("basis") or field.get("basis") or described.get("basis")
    obtained = row.get("obtained") or field.get("obtained") or described.get("obtained")
    name = field["name"]
    return Cell(
        table=described["name"],
        row=index,
        column=name,
        text=row[name],
        unit=row[field["unitColumn"]] if "unitColumn" in field else field.get("unit", "1"),
        qualifier=Qualifier(row.get("qualifier") or "plain"),
        basis=Basis(basis) if basis else None,
        obtained=Obtained(obtained or "unknown"),
        source=row.get("source") or (described.get("sources") or [{}])[0].get("id", ""),
        section=row.get("section", ""),
        line=int(row["line"]) if row.get("line") else None,
        printed=row.get("printed") or row[name],
        raw=obtained in (Obtained.RAW_OUTPUT, Obtained.COMPUTED),
    )


class _Table:
    """A table's rows, found by the value of a column without reading them all."""

    def __init__(self, name: str) -> None:
        printed = tables.printed(name)
        self.described = tables.resource(name)
        self._rows = [MappingProxyType(row) for row in printed.to_dict("records")]
        self._numbers: dict[str, dict[str, list[int]]] = {column: {} for column in printed.columns}

    def fitting(self, where: Mapping[str, str]) -> list[tuple[int, Row]]:
        strange = [key for key in where if key not in self._numbers]
        if strange:
            raise StoragebookError(f"{strange[0]!r} is no column of {self.described['name']}")
        numbers: Iterable[int] = range(len(self._rows))
        if where:
            first, value = next(iter(where.items()))
            numbers = self._index(first).get(value, ())
        found = ((number, self._rows[number]) for number in numbers)
        return [(n, row) for n, row in found if all(row[k] == v for k, v in where.items())]

    def _index(self, column: str) -> dict[str, list[int]]:
        index = self._numbers[column]
        if not index:
            for number, row in enumerate(self._rows):
                index.setdefault(row[column], []).append(number)
        return index


@functools.lru_cache(maxsize=_CACHED_TABLES)
def _table(name: str, _stamp: tuple[str, int, int]) -> _Table:
    return _Table(name)


def _stamp() -> tuple[str, int, int]:
    # a table cannot change without the package, which holds its checksum
    package = paths.data() / "datapackage.json"
    state = package.stat()
    return str(package), state.st_mtime_ns, state.st_size
