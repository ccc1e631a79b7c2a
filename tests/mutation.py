"""Would a wrong number make a guard fail? Moves every numeric cell of data/ and sees.

    python tests/mutation.py [TABLE …] [--sample N] [--tests FOLDER]

Each move is one per cent, up and then down, in a copy of data/ with its checksum brought up to
date. The guards (tests marked `guard`) that read the moved table then run, each move in a process
of its own, until one fails. A move that no guard notices is a survivor; a survivor is either in
EXPLAINED below, with its reason, or makes the script exit with 1.

Whole numbers move by one where one per cent is less. A move that the schema refuses is no cell
that could occur. Tables of more rows than the sample are tried in rows spread over the table.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from storagebook import paths, tables
from storagebook.errors import StoragebookError

#: Columns, by table, of which a moved cell goes unnoticed, and why that is right.
EXPLAINED: dict[tuple[str, str], str] = {}

SAMPLE_ROWS = 40


class Move(NamedTuple):
    table: str
    row: int
    column: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.table}:{self.row + 2} {self.column}: {self.before} -> {self.after}"


def moved(text: str, *, whole: bool, up: bool) -> str:
    """A cell moved by one per cent, or by one; a zero by a unit of its last digit."""
    number = Decimal(text.replace(",", ""))
    if whole:
        step = max(abs(number) / 100, Decimal(1)).to_integral_value()
    else:
        step = abs(number) / 100 or Decimal(1).scaleb(number.as_tuple().exponent)
    number = number + step if up else number - step
    sign = "+" if text.startswith("+") and number >= 0 else ""
    return sign + (f"{number:,f}" if "," in text else f"{number:f}")


class Copy:
    """A copy of the project's tables in which cells can be moved."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        source = paths.data()
        self.package = json.loads((source / "datapackage.json").read_text(encoding="utf-8"))
        self.resources = {r["name"]: r for r in self.package["resources"]}
        for described in self.resources.values():
            target = self.root / "data" / described["path"]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / described["path"], target)
        shutil.copyfile(source / "datapackage.json", self.root / "data" / "datapackage.json")
        if (shared := paths.shared()) is not None:
            (folder / "shared").symlink_to(shared)

    def _put(self, name: str, raw: bytes) -> None:
        described = self.resources[name]
        (self.root / "data" / described["path"]).write_bytes(raw)
        described.update(tables.stamp(raw))
        text = json.dumps(self.package)
        (self.root / "data" / "datapackage.json").write_text(text, encoding="utf-8")

    def moves(self, name: str, sample: int) -> Iterator[Move]:
        """Make every move of a table, one after the other; the last leaves it as it was."""
        described = self.resources[name]
        raw = (self.root / "data" / described["path"]).read_bytes()
        rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline="")))
        header, cells = rows[0], rows[1:]
        chosen = range(0, len(cells), max(-(-len(cells) // sample), 1))
        for field in described["schema"]["fields"]:
            if field["type"] not in ("number", "integer"):
                continue
            column = header.index(field["name"])
            whole = field["type"] == "integer" or bool(field.get("whole"))
            for row in chosen:
                before = cells[row][column]
                if not before:
                    continue
                for up in (True, False):
                    cells[row][column] = after = moved(before, whole=whole, up=up)
                    out = io.StringIO()
                    csv.writer(out, lineterminator="\n").writerows(rows)
                    self._put(name, out.getvalue().encode("utf-8"))
                    yield Move(name, row, field["name"], before, after)
                cells[row][column] = before
        self._put(name, raw)


def collected(folder: Path) -> list[pytest.Function]:
    """The guards, imported and ready to be called."""

    class Catch:
        items: list[pytest.Function] = []  # noqa: RUF012

        def pytest_collection_finish(self, session: pytest.Session) -> None:
            Catch.items = [i for i in session.items if isinstance(i, pytest.Function)]

    files = [str(f) for f in sorted(folder.rglob("test_*.py")) if "mark.guard" in f.read_text()]
    if not files:
        raise SystemExit(f"no guards in {folder}")
    quiet = ["-m", "guard", "--collect-only", "-qq", "--no-header", "-p", "no:cacheprovider"]
    code = pytest.main([*quiet, *files], plugins=[Catch()])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the guards cannot be collected (pytest says {code!r})")
    for item in Catch.items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if extra := set(item.fixturenames) - set(parameters) - {"request"}:
            raise SystemExit(f"{item.nodeid}: a guard takes no fixtures, but {', '.join(extra)}")
    return Catch.items


def passes(item: pytest.Function) -> bool:
    """Run one guard; a table that does not load, or any other error, is a failure too."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    try:
        item.obj(**parameters)
    except pytest.skip.Exception:
        return True
    except Exception:
        return False
    return True


def in_child(function: Callable[[], Any]) -> Any:
    """What a function gives in a process of its own, so that nothing it caches stays behind."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reader)
            with os.fdopen(writer, "w") as pipe:
                json.dump(function(), pipe)
            os._exit(0)
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit("a guard ended its process")
    return json.loads(answer)


def reading(guards: list[pytest.Function]) -> dict[str, list[int]]:
    """The guards that read each table, fastest first; every one of them must pass as things are."""

    def run() -> dict[str, list[int]]:
        readers: dict[str, list[tuple[float, int]]] = {}
        read: set[str] = set()
        checked = tables._checked
        tables._checked = lambda name: (read.add(name), checked(name))[1]
        for number, item in enumerate(guards):
            read.clear()
            started = time.perf_counter()
            if not passes(item):
                raise RuntimeError(f"{item.nodeid} fails on unmoved data")
            took = time.perf_counter() - started
            for name in read:
                readers.setdefault(name, []).append((took, number))
        return {name: [n for _, n in sorted(found)] for name, found in readers.items()}

    return in_child(run)


def outcome(move: Move, guards: list[pytest.Function]) -> str:
    """`noticed`, `refused` by the schema, or `survived`."""

    def run() -> str:
        try:
            tables.load(move.table)
        except StoragebookError:
            return "refused"
        return "survived" if all(passes(item) for item in guards) else "noticed"

    return in_child(run)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="tables to try; all by default")
    parser.add_argument("--sample", type=int, default=SAMPLE_ROWS, help="rows tried of a table")
    parser.add_argument("--tests", type=Path, default=Path(__file__).parent)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        os.environ[paths.ROOT_VARIABLE] = str(copy.root)
        guards = collected(chosen.tests)
        # validated once here, so that a child validates only the table that was moved
        for name in tables.names():
            tables.load(name)
        readers = reading(guards)
        survivors: list[Move] = []
        names = chosen.tables or tables.names()
        print(f"{'table':32}{'moves':>7}{'noticed':>9}{'refused':>9}{'survived':>10}{'s':>7}")
        for name in names:
            started = time.perf_counter()
            relevant = [guards[n] for n in readers.get(name, [])]
            seen: Counter[str] = Counter()
            for move in copy.moves(name, chosen.sample):
                result = outcome(move, relevant)
                seen[result] += 1
                if result == "survived":
                    survivors.append(move)
            took = time.perf_counter() - started
            counts = f"{seen['noticed']:9}{seen['refused']:9}{seen['survived']:10}"
            print(f"{name:32}{seen.total():7}{counts}{took:7.1f}", flush=True)
    open_questions = [m for m in survivors if (m.table, m.column) not in EXPLAINED]
    for move in survivors:
        reason = EXPLAINED.get((move.table, move.column), "UNEXPLAINED")
        print(f"survived: {move} ({reason})")
    found = {(m.table, m.column) for m in survivors}
    stale = [k for k in EXPLAINED if k[0] in names and k not in found]
    for table, column in stale:
        print(f"explained, yet it does not survive: {table} {column}")
    return 1 if open_questions or stale else 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except StoragebookError as error:
        raise SystemExit(str(error)) from None
