"""The columns of derived tables: fields of a Table Schema, and rows as CSV that keeps to them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from storagebook import paths
from storagebook.errors import StoragebookError

Field = dict[str, Any]


def field(name: str, kind: str, description: str, **more: Any) -> Field:
    """A field of any type; ``required=True`` for one that is never blank."""
    required = more.pop("required", False)
    made = {"name": name, "type": kind, "description": description, **more}
    constraints = made.setdefault("constraints", {})
    if required:
        constraints["required"] = True
    if not constraints:
        del made["constraints"]
    return made


def text(name: str, description: str, **more: Any) -> Field:
    """A field of words."""
    return field(name, "string", description, **more)


def flag(name: str, description: str, **more: Any) -> Field:
    """A field that is true or false."""
    return field(name, "boolean", description, trueValues=["true"], falseValues=["false"], **more)


def number(name: str, unit: str, description: str, **more: Any) -> Field:
    """A number not below zero; an empty unit for one whose unit stands in another column."""
    limits = {"constraints": {"minimum": 0}}
    return field(name, "number", description, **({"unit": unit} if unit else {}), **limits, **more)


def count(name: str, description: str, **more: Any) -> Field:
    """A whole number of things that were configured."""
    limits = {"constraints": {"minimum": 0}}
    more = {"basis": "configuration", **more}
    return field(name, "integer", description, unit="1", **more, **limits)


def to_csv(fields: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]]) -> bytes:
    """Rows under the fields' names; None is a blank cell.

    Raises
    ------
    StoragebookError
        If a row has not one cell for each field.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(field["name"] for field in fields)
    for row in rows:
        if len(row) != len(fields):
            raise StoragebookError(f"{len(row)} cells for {len(fields)} columns: {row[:3]}")
        writer.writerow(_spelt(cell) for cell in row)
    return buffer.getvalue().encode("utf-8")


def write_derived(
    name: str,
    fields: Sequence[Mapping[str, Any]],
    rows: Sequence[Sequence[Any]],
    *,
    key: Sequence[str],
    title: str,
    description: str | None = None,
    **origin: Any,
) -> dict[str, Any]:
    """Write a derived table.

    Parameters
    ----------
    name, title, description
        As the data package gives them.
    fields, rows, key
        Its columns, its content, and the columns that tell rows apart.
    origin
        ``sources``, ``licenses``, ``basis`` and ``obtained`` of the figures.

    Returns
    -------
    dict
        The table's descriptor, for `storagebook.tables.write_package`.

    Raises
    ------
    StoragebookError
        As `to_csv`; nothing is written then.
    """
    path = f"derived/{name}.csv"
    (paths.data() / path).write_bytes(to_csv(fields, rows))
    return {
        "name": name,
        "title": title,
        **({"description": description} if description else {}),
        "path": path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        **origin,
        "schema": {"fields": list(fields), "primaryKey": list(key)},
    }


def _spelt(cell: object) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)
