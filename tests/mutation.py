"""Would a wrong number make a guard fail? Moves every numeric cell of data/ and sees.

    python tests/mutation.py [TABLE …] [--sample N] [--tests FOLDER]

Each move is one per cent, up and then down, in a copy of data/ with its checksum brought up to
date. The guards (tests marked `guard`) that read the moved table then run, each move in a process
of its own, until one fails. A move that no guard notices is a survivor; a survivor is either in
EXPLAINED below, with its reason, or makes the script exit with 1.

Whole numbers move by one where one per cent is less. A move that the schema refuses is no cell
that could occur. Of a long table a sample of rows is tried, spread over the table; tables that
only raw files bind are left out where those are not at hand.

A guard module may have a function `warm`, which reads what no table holds (raw files) into its
caches; it is called once, before anything moves.
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

from storagebook import cells, paths, tables
from storagebook.errors import StoragebookError

#: Columns, by table, of which a moved cell goes unnoticed, and why that is right.
EXPLAINED: dict[tuple[str, str], str] = {}

#: Rows tried of a table that has many.
SAMPLE_ROWS = 12
MANY_ROWS = 60


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
        header, body = rows[0], rows[1:]
        chosen = range(0, len(body), -(-len(body) // sample) if len(body) > MANY_ROWS else 1)
        for field in described["schema"]["fields"]:
            if field["type"] not in ("number", "integer"):
                continue
            column = header.index(field["name"])
            whole = field["type"] == "integer" or bool(field.get("whole"))
            for row in chosen:
                before = body[row][column]
                if not before:
                    continue
                for up in (True, False):
                    body[row][column] = after = moved(before, whole=whole, up=up)
                    out = io.StringIO()
                    csv.writer(out, lineterminator="\n").writerows(rows)
                    self._put(name, out.getvalue().encode("utf-8"))
                    yield Move(name, row, field["name"], before, after)
                body[row][column] = before
        self._put(name, raw)


def in_child(function: Callable[[], Any]) -> Any:
    """What a function gives in a process of its own, so that nothing it caches stays behind."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            # what pytest prints of single tests is of no interest here
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            with os.fdopen(writer, "w") as pipe:
                json.dump(function(), pipe)
            os._exit(0)
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    if os.waitpid(child, 0)[1]:
        raise SystemExit(1)
    return json.loads(answer)


class Mutation:
    """A pytest plugin that, in place of running the guards once, runs them after each move."""

    def __init__(self, copy: Copy, names: list[str], sample: int) -> None:
        self.copy, self.names, self.sample = copy, names, sample
        self.survivors: list[Move] = []
        self.finished = self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # done once here and found done by every child: what the raw files hold, what did not move
        for warm in {getattr(i.module, "warm", None) for i in session.items} - {None}:
            warm()
        for name in tables.names():
            tables.load(name)
        readers = in_child(lambda: self._readers(session.items))
        print(f"{'table':32}{'moves':>7}{'noticed':>9}{'refused':>9}{'survived':>10}{'s':>7}")
        for name in self.names or tables.names():
            if paths.shared() is None and self.copy.resources[name]["path"].startswith("derived/"):
                print(f"{name:32}  left out: only the raw files bind it, and they are not at hand")
                continue
            self._try(name, [session.items[number] for number in readers.get(name, [])])
        self.finished = True
        return True

    def _passes(self, items: list[pytest.Item]) -> bool:
        """Run guards until one fails; a table that does not load is a failure too."""
        self._failed = False
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                return False
        return True

    def _readers(self, items: list[pytest.Item]) -> dict[str, list[int]]:
        """The guards that read each table, the fastest first."""
        read: set[str] = set()
        checked, kept = tables._checked, cells._table
        tables._checked = lambda name: (read.add(name), checked(name))[1]
        # a table that a module read while it was collected is asked for here alone
        cells._table = lambda name, stamp: (read.add(name), kept(name, stamp))[1]
        found: list[tuple[bool, float, set[str]]] = []
        together: dict[Path, set[str]] = {}
        for item, following in zip(items, [*items[1:], None], strict=True):
            read.clear()
            started = time.perf_counter()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                raise RuntimeError(f"{item.nodeid} fails on unmoved data")
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            fixtures = set(item.fixturenames) - set(parameters) - {"request"}
            found.append((bool(fixtures), time.perf_counter() - started, set(read)))
            together.setdefault(item.path, set()).update(read)
        readers: dict[str, list[int]] = {}
        # what a fixture reads, it reads for the first guard that uses it: those stay together
        order = sorted(
            range(len(items)), key=lambda n: (found[n][0], found[n][1] * (not found[n][0]))
        )
        for number in order:
            with_fixtures, _, names = found[number]
            for name in together[items[number].path] if with_fixtures else names:
                readers.setdefault(name, []).append(number)
        return readers

    def _try(self, name: str, guards: list[pytest.Item]) -> None:
        def outcome() -> str:
            try:
                tables.load(name)
            except StoragebookError:
                return "refused"
            return "survived" if self._passes(guards) else "noticed"

        started = time.perf_counter()
        seen: Counter[str] = Counter()
        for move in self.copy.moves(name, self.sample):
            result = in_child(outcome)
            seen[result] += 1
            if result == "survived":
                self.survivors.append(move)
        took = time.perf_counter() - started
        counts = f"{seen['noticed']:9}{seen['refused']:9}{seen['survived']:10}"
        print(f"{name:32}{seen.total():7}{counts}{took:7.1f}", flush=True)


def told(survivors: list[Move], names: list[str]) -> int:
    """Print what survived, and the explanations that explain nothing; 1 if there is either."""
    for move in survivors:
        print(f"survived: {move} ({EXPLAINED.get((move.table, move.column), 'UNEXPLAINED')})")
    found = {(move.table, move.column) for move in survivors}
    stale = [key for key in EXPLAINED if key not in found and (not names or key[0] in names)]
    for table, column in stale:
        print(f"explained, yet noticed: {table} {column}")
    return 1 if stale or found - set(EXPLAINED) else 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="tables to try; all by default")
    parser.add_argument(
        "--sample", type=int, default=SAMPLE_ROWS, help="rows tried of a long table"
    )
    parser.add_argument("--tests", type=Path, default=Path(__file__).parent)
    given = parser.parse_args(arguments)
    files = sorted(f for f in given.tests.rglob("test_*.py") if "mark.guard" in f.read_text())
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        os.environ[paths.ROOT_VARIABLE] = str(copy.root)
        mutation = Mutation(copy, given.tables, given.sample)
        quiet = ["-qq", "--no-header", "--no-summary", "--tb=no", "-s", "-p", "no:cacheprovider"]
        pytest.main(["-m", "guard", *quiet, *map(str, files)], plugins=[mutation])
    if not mutation.finished:
        print("the guards could not be run", file=sys.stderr)
        return 2
    return told(mutation.survivors, given.tables)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except StoragebookError as error:
        raise SystemExit(str(error)) from None
