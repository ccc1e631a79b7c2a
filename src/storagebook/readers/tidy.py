"""Measurements to a file, however many there are: whole or not at all."""

from __future__ import annotations

import csv
import importlib.util
import itertools
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

from storagebook.errors import StoragebookError
from storagebook.printable import as_cell
from storagebook.readers.measurements import Measurement

#: Rows that are in memory at a time.
CHUNK = 20_000

_FIXED = tuple(f.name for f in fields(Measurement) if f.name != "settings")
_TYPES: dict[str, type] = {"value": float, "iteration": int, "valid": bool, "line": int}


def writer(output: Path) -> Writer:
    """A writer for a .csv or .parquet file.

    Raises
    ------
    StoragebookError
        If the name ends in neither, its folder does not exist, or pyarrow is needed and missing.
    """
    suffix = output.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise StoragebookError("the output is .csv or .parquet", file=output)
    if not output.parent.is_dir():
        raise StoragebookError("there is no such folder to write to", file=output.parent)
    if suffix == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise StoragebookError(
            "Parquet needs pyarrow", file=output, hint="pip install 'storagebook[cluster]'"
        )
    return Writer(output)


class Writer:
    """Takes measurements and, once all are there, puts the file in its place.

    The rows wait in a temporary file, since the columns are known at the end only.
    """

    def __init__(self, output: Path) -> None:
        self.output = output
        self._types: dict[str, set[type]] = {}
        self._rows: IO[str]

    def __enter__(self) -> Writer:
        self._rows = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        return self

    def add(self, measurements: Iterable[Measurement]) -> None:
        """Take these rows; they are in the file once the writer is left without an error."""
        for row in measurements:
            for key, value in row.settings.items():
                self._types.setdefault(key, set()).add(type(value))
            fixed = [getattr(row, name) for name in _FIXED]
            self._rows.write(json.dumps([fixed, row.settings], ensure_ascii=False) + "\n")

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        try:
            if kind is None:
                self._rows.seek(0)
                self._put()
        finally:
            self._rows.close()

    def _put(self) -> None:
        try:
            handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=self.output.parent)
        except OSError as error:
            raise StoragebookError(str(error.strerror), file=self.output) from None
        part = Path(name)
        try:
            os.close(handle)
            # a temporary file is for its owner alone
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
            write = _write_csv if self.output.suffix.lower() == ".csv" else _write_parquet
            write(part, self._columns(), self._chunks())
            part.replace(self.output)
        except OSError as error:
            raise StoragebookError(str(error.strerror), file=self.output) from None
        finally:
            with suppress(FileNotFoundError):
                part.unlink()

    def _columns(self) -> dict[str, type]:
        settings = {key: _common(types) for key, types in sorted(self._types.items())}
        return {name: _TYPES.get(name, str) for name in _FIXED} | settings

    def _chunks(self) -> Iterator[list[list[Any]]]:
        settings = sorted(self._types)
        rows = (json.loads(line) for line in self._rows)
        while chunk := list(itertools.islice(rows, CHUNK)):
            yield [[*fixed, *(own.get(key) for key in settings)] for fixed, own in chunk]


def _common(types: set[type]) -> type:
    """The type that holds them all: text if nothing narrower does."""
    if types == {int, float}:
        return float
    return next(iter(types)) if len(types) == 1 else str


def _write_csv(path: Path, columns: dict[str, type], chunks: Iterator[list[list[Any]]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(map(as_cell, columns))
        for chunk in chunks:
            rows.writerows([as_cell(value) for value in row] for row in chunk)


def _write_parquet(path: Path, columns: dict[str, type], chunks: Iterator[list[list[Any]]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, names[kind]) for name, kind in columns.items()])
    with pq.ParquetWriter(path, schema) as out:
        for chunk in chunks:
            arrays = [
                pa.array([_typed(row[i], kind) for row in chunk], names[kind])
                for i, kind in enumerate(columns.values())
            ]
            out.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _typed(value: Any, kind: type) -> Any:
    if value is None:
        return None
    if kind is str:
        return value if isinstance(value, str) else as_cell(value)
    return kind(value)
