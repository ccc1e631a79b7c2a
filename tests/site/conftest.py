"""A project of two small notebooks, and its site, built once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

import browser

ROOT = Path(__file__).parents[2]
WIDE = 1280

SHOWING = """\
import pandas as pd
from storagebook import charts, show
frame = pd.DataFrame({"phase": ["a<b>", "</script><!--x"], "rate_kiops": [1.5 * factor, 3.0]})"""


def notebook(*cells: str) -> nbformat.NotebookNode:
    """A notebook; cells that start with ``%%md`` are text, the first code cell holds parameters."""
    book = nbformat.v4.new_notebook()
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    code = 0
    for number, source in enumerate(cells, 1):
        if source.startswith("%%md"):
            cell = nbformat.v4.new_markdown_cell(source.removeprefix("%%md").strip())
        else:
            code += 1
            cell = nbformat.v4.new_code_cell(source)
            if code == 1:
                cell.metadata.tags = ["parameters"]
        cell.id = f"cell-{number}"
        book.cells.append(cell)
    return book


class Project:
    """A folder with the frame of the real book and notebooks of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("data", "notebooks", "params"):
            (root / name).mkdir(parents=True)
        shutil.copytree(ROOT / "book" / "_static", root / "book" / "_static")
        shutil.copy(ROOT / "book" / "_config.yml", root / "book")
        (root / "data" / "datapackage.json").write_text('{"name": "small", "resources": []}')
        (root / "data" / "small.csv").write_text("x\n1\n")
        (root / "params" / "default.yml").write_text("{}\n")

    def write(self, name: str, *cells: str) -> Path:
        path = self.root / "notebooks" / f"{name}.ipynb"
        nbformat.write(notebook(*cells), path)
        return path

    def toc(self, root: str, *chapters: str) -> None:
        lines = ["format: jb-book", f"root: {root}", "chapters:" if chapters else ""]
        lines += [f"- file: {chapter}" for chapter in chapters]
        (self.root / "book" / "_toc.yml").write_text("\n".join(lines) + "\n")


def small_project(root: Path) -> Project:
    project = Project(root)
    project.write(
        "index",
        "%%md # Small book\n\nWhat is known at the end.",
        "factor = 1",
        SHOWING,
        "mean = frame.rate_kiops.mean()\n"
        'show.say("Mean {mean:.2f} with $a^2$, see [the next](01-next.ipynb).", mean=mean)',
        'show.table(frame, caption="Two rows", formats={"rate_kiops": "{:.1f}"}, csv="two-rows")',
        'chart = charts.bars(frame, category="phase", value="rate_kiops", axis_title="kIOP/s")\n'
        'words = {"title": "Two <b> bars", "description": "A \\"quoted\\" text"}\n'
        'show.chart(chart, **words, name="two-bars")',
        "%%md ## Maths\n\n$$\nS = \\sqrt{B M}\n$$ (score)\n\nSee [the table](../data/small.csv).",
    )
    project.write(
        "01-next", "%%md # Next\n\nNothing, after [the page](../book/page.md).", "n = 1", "print(n)"
    )
    (project.root / "book" / "page.md").write_text(
        "# Page\n\nText, after [one](../notebooks/01-next.ipynb).\n"
    )
    project.toc("index", "01-next", "page")
    return project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A fresh copy of the small project."""
    return small_project(tmp_path / "project")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the small project."""
    from storagebook.site import assemble

    folder = tmp_path_factory.mktemp("built")
    assemble.build(small_project(folder / "project").root, folder / "html", {}, inputs="first")
    return folder / "html"


@pytest.fixture(scope="session")
def book_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book's own site: the one that `make book` built if it is current, else a new one."""
    from storagebook import paths
    from storagebook.site import commands, state

    root = paths.root()
    files = [root / commands.DEFAULT_PARAMETERS]
    inputs = commands.inputs_digest(root, files)
    site = root / commands.DEFAULT_SITE
    if not state.is_current(site, inputs):
        from storagebook.site import assemble

        site = tmp_path_factory.mktemp("book") / "html"
        assemble.build(root, site, commands.read_parameters(*files), inputs=inputs)
    return site


@pytest.fixture(scope="module")
def tab() -> Iterator[browser.Page]:
    """A tab of a browser; without one the test is skipped."""
    if browser.chromium() is None:
        pytest.skip("no chromium (Debian: apt-get install chromium)")
    with browser.browser() as page:
        yield page


@pytest.fixture
def page(tab: browser.Page, book_site: Path, request: pytest.FixtureRequest) -> browser.Page:
    """The page of the book that a module names as its ``PAGE``, on a desktop."""
    tab.open(f"{book_site.as_uri()}/{request.module.PAGE}", WIDE)
    return tab
