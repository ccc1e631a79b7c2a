"""From executed notebooks to a site: stage, run Sphinx, swap in."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat
import yaml

from storagebook.errors import StoragebookError, one_line
from storagebook.site import execute, state

#: Lines of Sphinx's log that a failed build shows.
LOG_LINES = 12

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
# a page is one folder from the tables in the project, and beside them in the site
_LINK_UP = re.compile(r"(\]\(|\]: )\.\./(?:book/|notebooks/)?(?=[\w.-])")


def chapters(root: Path) -> list[str]:
    """The names in book/_toc.yml, in the order of reading, the first page first.

    Raises
    ------
    StoragebookError
        If the file is missing or is no table of contents.
    """
    path = root / "book" / "_toc.yml"
    try:
        toc = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise StoragebookError(f"no table of contents: {one_line(error)}", file=path) from error
    if not isinstance(toc, dict) or not isinstance(toc.get("root"), str):
        raise StoragebookError("not a table of contents: it names no root", file=path)

    def names(node: Any) -> Iterable[str]:
        if isinstance(node, dict):
            if isinstance(node.get("file"), str):
                yield node["file"]
            for value in node.values():
                yield from names(value)
        elif isinstance(node, list):
            for value in node:
                yield from names(value)

    return [toc["root"], *names(toc)]


def notebook_paths(root: Path) -> list[Path]:
    """The notebooks among the chapters, in order.

    Raises
    ------
    StoragebookError
        If a chapter is neither a notebook nor a page of book/, or a notebook is no chapter.
    """
    names = chapters(root)
    found = {path.stem: path for path in sorted((root / "notebooks").glob("*.ipynb"))}
    for name in names:
        if name not in found and not (root / "book" / f"{name}.md").is_file():
            raise StoragebookError(
                f"lists {name}, which is neither in notebooks/ nor in book/",
                file=root / "book" / "_toc.yml",
            )
    if stray := sorted(set(found) - set(names)):
        raise StoragebookError(
            f"{stray[0]} is not in the table of contents", file=root / "book" / "_toc.yml"
        )
    return [found[name] for name in names if name in found]


def for_the_page(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A copy whose code is folded, whose links fit the site's flat folder, and which says with
    which parameters it ran if they are not its own.
    """
    page = nbformat.from_dict(notebook)
    for cell in page.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK_UP.sub(r"\1", cell.source)
            continue
        tags = cell.metadata.setdefault("tags", [])
        if "hide-input" not in tags:
            tags.append("hide-input")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/markdown" in data:
                data["text/markdown"] = _LINK_UP.sub(r"\1", data["text/markdown"])
    if given := execute.assigned(notebook, execute.INJECTED_TAG):
        usual = execute.assigned(notebook, execute.PARAMETERS_TAG)
        lines = [
            f"- {_code(name)} is {_code(value)}, by default {_code(usual.get(name))}"
            for name, value in given.items()
        ]
        note = "\n".join([":::{note}", "This page ran with other parameters:", "", *lines, ":::"])
        page.cells.insert(1, nbformat.v4.new_markdown_cell(note, id="other-parameters"))
    return page


def _code(value: object) -> str:
    """A value as inline code, whatever it holds."""
    text = value if isinstance(value, str) else repr(value)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence} {one_line(text)} {fence}"


def stage(root: Path, notebooks: Mapping[Path, nbformat.NotebookNode], folder: Path) -> None:
    """Lay out what Sphinx reads: the frame, the tables, the executed notebooks beside them."""
    shutil.copytree(root / "book", folder, ignore=shutil.ignore_patterns("_build", ".*"))
    shutil.copytree(root / "data", folder / "data", ignore=shutil.ignore_patterns(".*"))
    for page in folder.glob("*.md"):
        page.write_text(_LINK_UP.sub(r"\1", page.read_text(encoding="utf-8")), encoding="utf-8")
    for path, notebook in notebooks.items():
        execute.write_text(folder / path.name, execute.to_text(for_the_page(notebook)))


def run_sphinx(source: Path, scratch: Path) -> Path:
    """The folder of a site built by jupyter-book, every warning an error.

    Raises
    ------
    StoragebookError
        With the log's warnings, or else its last lines.
    """
    run = "from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", run, "build", str(source)]
    options = ["--all", "--warningiserror", "--nitpick", "--keep-going"]
    done = subprocess.run(
        [*command, *options, "--path-output", str(scratch)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore", "LC_ALL": "C.UTF-8"},
        check=False,
    )
    site = scratch / "_build" / "html"
    if done.returncode or not (site / "index.html").is_file():
        raise StoragebookError(f"Sphinx cannot build the pages: {log_summary(done.stdout, source)}")
    return site


def log_summary(log: str, source: Path) -> str:
    """The warnings of a log, or its last lines, on one line and without the staging folder."""
    lines = [_ANSI.sub("", line).replace(f"{source}/", "").strip() for line in log.splitlines()]
    lines = [line for line in lines if line]
    telling = [line for line in lines if re.search(r"\b(WARNING|ERROR|CRITICAL)\b", line)]
    return " | ".join((telling or lines)[-LOG_LINES:]) or "it printed nothing"


def swap_in(new: Path, site: Path) -> None:
    """Put a finished folder in a site's place; the old one stays if that fails."""
    old = new.with_name(f"{new.name}.old")
    if site.exists():
        site.rename(old)
    try:
        new.rename(site)
    except OSError:
        if old.exists():
            old.rename(site)
        raise
    shutil.rmtree(old, ignore_errors=True)


def build(
    root: Path,
    site: Path,
    parameters: Mapping[str, Mapping[str, Any]],
    *,
    inputs: str,
    step: Callable[[str], None] = lambda text: None,
) -> None:
    """Build the site; until it is complete, what stands in its place is untouched.

    Parameters
    ----------
    root
        The project.
    site
        Folder of the finished site: new, empty, or a site built before.
    parameters
        Notebook's name → its parameters.
    inputs
        Digest of everything the site depends on, kept with it.
    step
        Called with each thing done.

    Raises
    ------
    StoragebookError
        Whatever could not be done.
    """
    if not state.is_replaceable(site):
        raise StoragebookError(
            "holds files that no build wrote", file=site, hint="choose a new folder"
        )
    paths = notebook_paths(root)
    site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".storagebook-", dir=site.parent) as folder:
        scratch = Path(folder)
        notebooks = execute.execute_all(
            {path: parameters.get(path.stem, {}) for path in paths},
            folder=root,
            done=lambda path: step(f"ran {path.stem}"),
        )
        stage(root, notebooks, scratch / "source")
        step("laid out the pages")
        new = run_sphinx(scratch / "source", scratch / "out")
        (new / ".nojekyll").touch()
        (new / ".buildinfo").unlink(missing_ok=True)
        state.write_marker(new, inputs)
        swap_in(new, site)
    step("built the pages")
