"""How long a build takes, beside jupyter-book running the same notebooks itself.

    python benchmarks/bench_build.py [--runs N]

Medians of N runs, in seconds. The floor lists what no build can do without: an interpreter, the
libraries, a kernel for each notebook, Sphinx over the executed pages.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import nbformat

from storagebook import paths
from storagebook.site import assemble, execute

ROOT = paths.root()
STORAGEBOOK = "from storagebook.cli import main; main()"
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"
LIBRARIES = "import pandas, altair, storagebook.tables, storagebook.show"


def run(*arguments: str | Path, says: str = "") -> None:
    """A command of this interpreter that has to succeed, and to say something."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "STORAGEBOOK_ROOT": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode or says not in done.stdout:
        sys.exit(f"{arguments[0]} {arguments[1]} failed:\n{done.stdout[-2000:]}")


def median(runs: int, measured: Callable[[int], None]) -> float:
    """Median seconds of a function that is given the number of the run."""
    times = []
    for number in range(runs):
        start = time.perf_counter()
        measured(number)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def stage_unexecuted(folder: Path) -> None:
    """What jupyter-book is given: the same pages, its own execution switched on."""
    notebooks = {path: execute.read_notebook(path) for path in assemble.notebook_paths(ROOT)}
    for notebook in notebooks.values():
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
    assemble.stage(ROOT, notebooks, folder)
    config = folder / "_config.yml"
    text = config.read_text(encoding="utf-8")
    forced = text.replace('execute_notebooks: "off"', "execute_notebooks: force\n  timeout: 300")
    if forced == text:
        sys.exit("book/_config.yml does not switch execution off any more")
    config.write_text(forced, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    notebooks = assemble.notebook_paths(ROOT)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        book = scratch / "book"
        stage_unexecuted(book)
        pages = scratch / "pages"
        assemble.stage(ROOT, {p: execute.read_notebook(p) for p in notebooks}, pages)
        empty = scratch / "empty.ipynb"
        cell = nbformat.v4.new_code_cell("n = 1", metadata={"tags": ["parameters"]})
        execute.write_text(
            empty, execute.to_text(execute.normalise(nbformat.v4.new_notebook(cells=[cell])))
        )

        measured: dict[str, float] = {}

        def take(label: str, function: Callable[[int], None]) -> None:
            measured[label] = median(runs, function)
            print(f"{measured[label]:8.2f} s  {label}", flush=True)

        print(f"{len(notebooks)} notebooks, {os.cpu_count()} cores, median of {runs} runs\n")
        build = ("-c", STORAGEBOOK, "build", "-o")
        options = ("--all", "--warningiserror", "--keep-going", "--path-output")
        take("storagebook build, cold", lambda n: run(*build, scratch / f"site-{n}"))
        take(
            "storagebook build, nothing to do",
            lambda n: run(*build, scratch / "site-0", says="Nothing has changed"),
        )
        take(
            "jupyter-book, execute_notebooks: force",
            lambda n: run("-c", JUPYTER_BOOK, "build", book, *options, scratch / f"jb-{n}"),
        )
        nbval = ("-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--nbval", "notebooks")
        take("nbval, two workers", lambda n: run(*nbval))

        print("\nThe floor")
        take("an interpreter", lambda n: run("-c", "pass"))
        take("the libraries that notebooks import", lambda n: run("-c", LIBRARIES))
        take(
            "papermill on an empty notebook",
            lambda n: execute.execute_all({empty: {}}, folder=ROOT),
        )
        take(
            "Sphinx over executed notebooks",
            lambda n: run("-c", JUPYTER_BOOK, "build", pages, *options, scratch / f"p-{n}"),
        )

    cold, force = (
        measured["storagebook build, cold"],
        measured["jupyter-book, execute_notebooks: force"],
    )
    print(f"\ncold build / jupyter-book's own: {cold / force:.2f}")
    per_notebook = (
        measured["papermill on an empty notebook"] + measured["the libraries that notebooks import"]
    )
    floor = (
        len(notebooks) / execute.WORKERS * per_notebook + measured["Sphinx over executed notebooks"]
    )
    print(
        f"cold build / floor: {cold / floor:.2f}  (floor {floor:.2f} s: "
        f"{len(notebooks)} notebooks over {execute.WORKERS} workers, then Sphinx)"
    )


if __name__ == "__main__":
    main()
