"""The tables of data/: described in data/datapackage.json, checked whenever one is loaded.

Every number has a unit: in its column's name (``bandwidth_gib_s``; the field's ``unit`` says the
same), or in the column that the field's ``unitColumn`` names where a table mixes quantities. A
field marked ``ordinal`` names a place (rank, line, submission) and has none. ``whole`` marks a
number with thousands separators that is an integer.

``python -m storagebook.tables`` stamps the package with the size and SHA-256 of each file.
"""

from __future__ import annotations

import copy
import csv
import functools
import hashlib
import io
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from storagebook import paths, units
from storagebook.errors import StoragebookError

if TYPE_CHECKING:
    import pandas as pd

Descriptor = dict[str, Any]

_PACKAGE = "datapackage.json"
_NUMERIC = ("number", "integer")
_SHARES_OF_UNIT = ("unit", "unitColumn", "ordinal")
_PLAIN = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_GROUPED = r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_CACHED_TABLES = 256


def names() -> list[str]:
    """The names of all tables, sorted.

    Raises
    ------
    StoragebookError
        If data/datapackage.json is missing or not a package.
    """
    return sorted(_package().resources)


def resource(name: str) -> Descriptor:
    """The descriptor of a table: title, source, licence, and fields with their units.

    Raises
    ------
    StoragebookError
        If there is no such table; the error lists those that there are.
    """
    return copy.deepcopy(_find(_package(), name))


def load(name: str) -> pd.DataFrame:
    """A table with its numbers as numbers.

    Parameters
    ----------
    name
        As `names` lists it, e.g. ``aurora-phases``.

    Returns
    -------
    pandas.DataFrame
        One column a field of the descriptor: ``float64`` for numbers, ``int64`` for integers
        (``Int64`` where a cell may be blank), ``bool``, ``str``; blank cells are missing.

    Raises
    ------
    StoragebookError
        If the table is unknown or does not keep to its descriptor: file, line, column and reason.
    """
    return _checked(name)[0].copy(deep=False)


def printed(name: str) -> pd.DataFrame:
    """The same cells as text, digits and thousands separators as in the source; blank is ``""``.

    Raises
    ------
    StoragebookError
        As `load`.
    """
    return _checked(name)[1].copy(deep=False)


def write_package(*resources: Descriptor) -> list[str]:
    """Add or replace descriptors, stamp every table's size and SHA-256, write the package.

    Parameters
    ----------
    resources
        Descriptors with at least ``name``, ``path`` (relative to data/) and ``schema``.

    Returns
    -------
    list of str
        The tables whose stamp is new.

    Raises
    ------
    StoragebookError
        If a described file is missing or lies outside data/; nothing is written then.
    """
    package = _package()
    described = package.resources | {r["name"]: r for r in resources}
    stamped = [{**r, **stamp(_file(package, r).read_bytes())} for _, r in sorted(described.items())]
    content = {**package.content, "resources": stamped}
    file = package.folder / _PACKAGE
    temporary = file.with_suffix(".new")
    temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(file)
    before = {name: r.get("hash") for name, r in package.resources.items()}
    return [r["name"] for r in stamped if r["hash"] != before.get(r["name"])]


def stamp(raw: bytes) -> Descriptor:
    """The size and checksum of a table's file, as its descriptor states them."""
    return {"bytes": len(raw), "hash": f"sha256:{hashlib.sha256(raw).hexdigest()}"}


def rehash() -> list[str]:
    """Stamp the package after tables were changed on purpose; the names of the changed ones."""
    return write_package()


def main() -> int:
    """The command ``python -m storagebook.tables``."""
    try:
        changed = rehash()
    except StoragebookError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"new checksum: {', '.join(changed)}" if changed else "every checksum is up to date")
    return 0


# -- the package


@dataclass(frozen=True)
class _Package:
    """data/datapackage.json: as read, and its resources by name, as objects and as text."""

    folder: Path
    content: Descriptor
    resources: dict[str, Descriptor]
    texts: dict[str, str]


def _package() -> _Package:
    folder = paths.data()
    return _parsed(folder, (folder / _PACKAGE).read_bytes())


@functools.lru_cache(maxsize=8)
def _parsed(folder: Path, raw: bytes) -> _Package:
    name = f"data/{_PACKAGE}"
    try:
        content = json.loads(raw)
    except json.JSONDecodeError as error:
        raise StoragebookError(f"not JSON: {error.msg}", file=name, line=error.lineno) from None
    except UnicodeDecodeError:
        raise StoragebookError("not UTF-8", file=name) from None
    found = content.get("resources") if isinstance(content, dict) else None
    if not isinstance(found, list):
        raise StoragebookError("no list of resources", file=name)
    for r in found:
        if not isinstance(r, dict) or not all(isinstance(r.get(k), str) for k in ("name", "path")):
            raise StoragebookError("a resource lacks its name or path", file=name)
    resources = {r["name"]: r for r in found}
    if len(resources) < len(found):
        raise StoragebookError("two resources have one name", file=name)
    texts = {name: json.dumps(r) for name, r in resources.items()}
    return _Package(folder, content, resources, texts)


def _find(package: _Package, name: str) -> Descriptor:
    if name in package.resources:
        return package.resources[name]
    known = ", ".join(sorted(package.resources))
    raise StoragebookError(f"no table {name!r}", hint=f"use one of {known}")


def _file(package: _Package, described: Descriptor) -> Path:
    path = PurePosixPath(described["path"])
    if path.is_absolute() or ".." in path.parts:
        raise StoragebookError("outside the folder of tables", file=described["path"])
    file = package.folder / path
    if not file.is_file():
        raise StoragebookError("no such table file", file=f"data/{path}")
    return file


# -- checking a table


def _checked(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    package = _package()
    file = _file(package, _find(package, name))
    # keyed by content, so that a table rewritten within a process is never served stale
    return _validated(file, file.read_bytes(), package.texts[name])


@functools.lru_cache(maxsize=_CACHED_TABLES)
def _validated(file: Path, raw: bytes, described: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    import pandas as pd

    descriptor: Descriptor = json.loads(described)
    fields = _check_fields(descriptor)
    where = f"data/{descriptor['path']}"
    rows = _rows(raw, where)
    _check_header(rows[0] if rows else [], fields, where)
    if len(rows) == 1:
        raise StoragebookError("no rows", file=where)
    _check_schema(file, descriptor, where)
    as_printed = pd.DataFrame(rows[1:], columns=list(fields), dtype="str")
    for field in fields.values():
        _check_numbers(as_printed, field, where)
    numeric = pd.DataFrame({n: _converted(as_printed[n], f) for n, f in fields.items()})
    return numeric, as_printed


def _check_fields(descriptor: Descriptor) -> dict[str, Descriptor]:
    """The fields by name, each of them with a unit that its name does not contradict."""

    def wrong(what: str) -> StoragebookError:
        return StoragebookError(f"table {descriptor['name']!r}: {what}", file=f"data/{_PACKAGE}")

    fields = descriptor.get("schema", {}).get("fields")
    if not fields:
        raise wrong("no fields")
    if not str(descriptor.get("hash")).startswith("sha256:"):
        raise wrong("no sha256")
    by_name: dict[str, Descriptor] = {f["name"]: f for f in fields}
    for name, field in by_name.items():
        if field["type"] not in _NUMERIC:
            continue
        given = [k for k in _SHARES_OF_UNIT if field.get(k)]
        if not given:
            raise wrong(f"{name!r}: has neither unit, unitColumn nor ordinal")
        if len(given) > 1:
            raise wrong(f"{name!r}: has more than one of {', '.join(_SHARES_OF_UNIT)}")
        if "unitColumn" in given and field["unitColumn"] not in by_name:
            raise wrong(f"{name!r}: unitColumn {field['unitColumn']!r} is no column")
        if "unit" in given:
            unit = field["unit"]
            try:
                spelt, named = units.canonical(unit), units.unit_of_column(name)
            except StoragebookError as error:
                raise wrong(f"{name!r}: {error}") from None
            if spelt != unit:
                raise wrong(f"{name!r}: unit {unit!r} is spelt {spelt}")
            if named != unit:
                raise wrong(f"{name!r}: unit {unit!r}, but its name says {named}")
    return by_name


def _rows(raw: bytes, where: str) -> list[list[str]]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise StoragebookError("not UTF-8", file=where) from None
    try:
        return list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise StoragebookError(f"not CSV: {error}", file=where) from None


def _check_header(header: list[str], fields: dict[str, Descriptor], where: str) -> None:
    expected = list(fields)
    if header == expected:
        return
    missing = [n for n in expected if n not in header]
    extra = [n for n in header if n not in fields]
    if missing and extra:
        wanted = missing[0]
        twin = next((n for n in extra if _stem(n) == _stem(wanted)), None)
        if twin is not None and _unit(twin) != _unit(wanted):
            what = (
                f"column {twin!r} is in {_unit(twin)}, "
                f"where {wanted!r} in {_unit(wanted)} is expected"
            )
            raise StoragebookError(what, file=where, line=1)
    if missing:
        what = f"column {missing[0]!r} is missing"
    elif extra:
        what = f"column {extra[0]!r} is not in the schema"
    else:
        what = f"columns are in another order than {', '.join(expected)}"
    raise StoragebookError(what, file=where, line=1)


def _unit(column: str) -> str | None:
    try:
        return units.unit_of_column(column)
    except StoragebookError:
        return None


def _stem(column: str) -> str:
    """A column's name without its unit."""
    words = column.split("_")
    while len(words) > 1 and _unit("_".join(words)):
        words.pop()
    return "_".join(words)


def _check_schema(file: Path, descriptor: Descriptor, where: str) -> None:
    import frictionless

    try:
        # the folder is the base, so that the path stays relative: frictionless refuses others
        table = frictionless.Resource.from_descriptor(
            {**descriptor, "path": file.name}, basepath=str(file.parent)
        )
        found = table.validate().flatten(["type", "rowNumber", "fieldName", "cell", "note"])
    except frictionless.FrictionlessException as error:
        reasons = [e.note for e in error.reasons] or [error.error.note]
        raise StoragebookError(
            f"table {descriptor['name']!r}: {reasons[0]}", file=f"data/{_PACKAGE}"
        ) from None
    # a file of another size has another checksum too, a cell that is not there is also blank
    found = list({(e[1], e[2]): e for e in reversed(found) if e[0] != "byte-count"}.values())[::-1]
    if not found:
        return
    kind, line, column, cell, note = found[0]
    if kind == "hash-count":
        raise StoragebookError(
            f"sha256 is not the one in {_PACKAGE}",
            file=where,
            hint="if the table was changed on purpose, run python -m storagebook.tables",
        )
    field = next((f for f in descriptor["schema"]["fields"] if f["name"] == column), None)
    what = _reason(kind, cell, note, field)
    if field is not None:
        what = f"column {column!r}: {what}"
    more = len(found) - 1
    raise StoragebookError(what + (f" (and {more} more)" if more else ""), file=where, line=line)


def _reason(kind: str, cell: Any, note: str, field: Descriptor | None) -> str:
    if kind == "extra-cell":
        return "has more cells than there are columns"
    if kind == "blank-row":
        return "the row is blank"
    if field is None:
        return note or kind
    if kind == "missing-cell" or 'constraint "required"' in note:
        return "is blank"
    if kind == "unique-error":
        return f"{cell!r} is there twice"
    if cell is None:
        return note
    if field["type"] in _NUMERIC and not re.fullmatch(_pattern(field), cell, re.ASCII):
        return _no_number(cell, field)
    if kind == "type-error":
        return f"{cell!r} is not a {field['type']}"
    limits = field.get("constraints", {})
    if 'constraint "minimum"' in note:
        return f"{cell!r} is below {limits['minimum']}"
    if 'constraint "maximum"' in note:
        return f"{cell!r} is above {limits['maximum']}"
    if 'constraint "enum"' in note:
        return f"{cell!r} is not one of {', '.join(limits['enum'])}"
    return f"{cell!r}: {note}"


def _is_whole(field: Descriptor) -> bool:
    return field["type"] == "integer" or bool(field.get("whole"))


def _pattern(field: Descriptor) -> str:
    """Narrower than Table Schema: no NaN, no infinity, well-formed groups."""
    plain = r"[+-]?\d+" if _is_whole(field) else _PLAIN
    return f"{plain}|{_GROUPED}" if field.get("groupChar") else plain


def _no_number(cell: str, field: Descriptor) -> str:
    return f"{cell!r} is not a {'whole' if _is_whole(field) else 'finite'} number"


def _check_numbers(table: pd.DataFrame, field: Descriptor, where: str) -> None:
    if field["type"] not in _NUMERIC:
        return
    name = field["name"]
    unit_column = field.get("unitColumn")
    pattern = re.compile(_pattern(field), re.ASCII)
    for index, cell in enumerate(table[name]):
        if not cell:
            continue
        if not pattern.fullmatch(cell):
            what = f"column {name!r}: {_no_number(cell, field)}"
            raise StoragebookError(what, file=where, line=index + 2)
        if unit_column:
            wrong = _wrong_unit(table[unit_column][index])
            if wrong:
                what = f"column {unit_column!r}: {wrong}"
                raise StoragebookError(what, file=where, line=index + 2)


def _wrong_unit(unit: str) -> str | None:
    if not unit:
        return "is blank beside a value"
    try:
        spelt = units.canonical(unit)
    except StoragebookError as error:
        return str(error)
    return None if spelt == unit else f"{unit!r} is spelt {spelt}"


def _converted(cells: pd.Series, field: Descriptor) -> pd.Series:
    import pandas as pd

    blank = cells == ""
    if field["type"] == "boolean":
        return cells.str.lower().isin(("true", "1"))
    if field["type"] not in _NUMERIC:
        return cells.mask(blank)
    digits = cells.str.replace(field.get("groupChar") or ",", "").mask(blank)
    if not _is_whole(field):
        return digits.astype("float64")
    # through Python's integers: a float would lose digits beyond 2**53
    whole = pd.array([None if pd.isna(d) else int(d) for d in digits], dtype="Int64")
    required = field.get("constraints", {}).get("required")
    return pd.Series(whole, index=cells.index).astype("int64" if required else "Int64")


if __name__ == "__main__":
    raise SystemExit(main())
