"""Names that strangers chose stay text in the executed chapters and in the site."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

from storagebook.site import assemble

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "io500-small-vm"

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"
LINK = "[click](javascript:alert(3))"
MATHS = "$\\href{javascript:alert(4)}{x}$ `{raw}` {{config}} **bold**"
CHAPTERS = (
    "14-every-public-submission",
    "31-mlperf-storage",
    "40-your-io500-run",
    "41-what-changed",
    "42-your-sweep",
    "43-evaluation-checklist",
)


def linked() -> list[str]:
    """Notebooks that the chapters link to; nothing of a stranger's stands in them."""
    texts = [
        (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8") for name in CHAPTERS
    ]
    named = {name for text in texts for name in re.findall(r"\]\(([\w-]+)\.ipynb", text)}
    return sorted(named - set(CHAPTERS))


def hostile_run(target: Path) -> Path:
    """Our own run with names of a stranger's choice: folder, version, options, files."""
    folder = Path(shutil.copytree(SAMPLE, target / f"{IMAGE} {LINK}"))
    for name in ("result.txt", "result_summary.txt"):
        path = folder / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("io500-isc26", f"io500-{SCRIPT}"), encoding="utf-8")
    path = folder / "config.ini"
    text = path.read_text(encoding="utf-8")
    assert "verbosity = 1" in text
    text = text.replace("verbosity = 1", f"verbosity = {SCRIPT} {LINK} {MATHS}")
    path.write_text(text, encoding="utf-8")
    script = f"mpirun --bind-to core {SCRIPT} {IMAGE}\n"
    (folder / "job.sh").write_text(script, encoding="utf-8")
    return folder


def hostile_sweep(target: Path) -> Path:
    """Part of our own sweep, once as it is, once with an API of a stranger's choice."""
    folder = target / f"sweep {IMAGE}"
    folder.mkdir()
    for name in ("ior-1k.txt", "ior-4k.txt"):
        text = (SAMPLE.parent / "outputs" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
        text = text.replace("POSIX", SCRIPT).replace("Mean(MiB)", f"Mean(MiB) {LINK}")
        (folder / f"{IMAGE} {LINK.replace('/', '')} {name}").write_text(text, encoding="utf-8")
    return folder


def hostile_result(target: Path) -> Path:
    """A result of MLPerf Storage whose system and submitter a stranger named."""
    fixture = ROOT / "tests" / "fixtures" / "mlperf_storage" / "v1.0" / "Closed" / "Example"
    name = f"{IMAGE} {LINK} {SCRIPT.replace('/', '')}"
    tree = target / "result" / "Closed" / IMAGE
    shutil.copytree(fixture / "results" / "FastFS-5hosts", tree / "results" / name)
    return target / "result"


def hostile_tables(root: Path) -> None:
    """The derived tables with a system, an institution and a file system named by a stranger."""
    path = root / "data" / "derived" / "io500-runs.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    # a submission that no claim speaks of
    row = next(row for row in rows if row[0] == "0075")
    row[rows[0].index("system")] = f"{SCRIPT} {IMAGE} {LINK}"
    row[rows[0].index("institution")] = IMAGE
    row[rows[0].index("file_system")] = SCRIPT
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(rows)
    done = subprocess.run(
        [sys.executable, "-m", "storagebook.tables"],
        env={**os.environ, "STORAGEBOOK_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    root = folder / "project"
    shutil.copytree(ROOT / "data", root / "data")
    shutil.copytree(ROOT / "book" / "_static", root / "book" / "_static")
    for name in ("_config.yml", "methods.md"):
        shutil.copy(ROOT / "book" / name, root / "book")
    (root / "notebooks").mkdir()
    for name in CHAPTERS:
        shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", root / "notebooks")
    for name in linked():
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [nbformat.v4.new_markdown_cell(f"# {name}\n\nElsewhere.")]
        nbformat.write(notebook, root / "notebooks" / f"{name}.ipynb")
    toc = ["format: jb-book", f"root: {CHAPTERS[0]}", "chapters:"]
    toc += [f"- file: {name}" for name in (*CHAPTERS[1:], *linked(), "methods")]
    (root / "book" / "_toc.yml").write_text("\n".join(toc) + "\n")
    hostile_tables(root)
    run = str(hostile_run(root))
    chosen = {
        "31-mlperf-storage": {"result": str(hostile_result(root))},
        "40-your-io500-run": {"result": run},
        "42-your-sweep": {"results": str(hostile_sweep(root))},
        "43-evaluation-checklist": {"result": run},
        "41-what-changed": {"a": run, "b": str(root / "data" / "samples" / "io500-small-vm")},
    }
    assemble.build(root, folder / "html", chosen, inputs="hostile")
    return folder / "html"


class Markup(HTMLParser):
    """The elements of a page, and what its scripts hold."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[tuple[str, str]] = []
        self.text: list[str] = []
        self._in: dict[str, str] | None = None

    def handle_starttag(self, tag, attrs):
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        self._in = found if tag == "script" else None

    def handle_endtag(self, tag):
        self._in = None

    def handle_data(self, data):
        if self._in is not None:
            self.scripts.append((self._in.get("type", ""), data))
        else:
            self.text.append(data)


def read(page: str) -> Markup:
    parser = Markup()
    parser.feed(page)
    return parser


def dangers(found: Markup) -> list[str]:
    """What a stranger's name would do in a page if it were markup."""
    dangerous = []
    for tag, attributes in found.tags:
        for name, value in attributes.items():
            runs = name.startswith("on") and "alert" in value
            if runs or re.match(r"\s*javascript:", value, re.IGNORECASE):
                dangerous.append(f"{tag} {name}={value}")
    # the data of a chart is JSON, which no browser runs
    for kind, content in found.scripts:
        if "alert(" in content and not (kind == "application/json" and json.loads(content)):
            dangerous.append(content)
    return dangerous


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_name_becomes_markup(site, chapter):
    assert dangers(read((site / f"{chapter}.html").read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("markup", [SCRIPT, IMAGE, '<a href="javascript:alert(3)">click</a>'])
def test_a_danger_is_noticed(markup):
    assert dangers(read(f"<p>{markup}</p>"))


@pytest.mark.parametrize(
    ("chapter", "names"),
    [
        ("14-every-public-submission", [SCRIPT, IMAGE, LINK]),
        ("31-mlperf-storage", [IMAGE, LINK, "not verified"]),
        ("40-your-io500-run", [IMAGE, LINK, f"io500-{SCRIPT}"]),
        ("42-your-sweep", [IMAGE, LINK, SCRIPT]),
        ("43-evaluation-checklist", [SCRIPT, IMAGE]),
        ("41-what-changed", [IMAGE, LINK, SCRIPT, "{{config}}", "**bold**"]),
    ],
)
def test_each_name_is_shown_as_it_is(site, chapter, names):
    page = read((site / f"{chapter}.html").read_text(encoding="utf-8"))
    text = " ".join("".join(page.text).split())
    for name in names:
        assert name in text


def test_no_formula_of_a_spreadsheet(site):
    for path in (site / "csv").rglob("*.csv"):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.reader(lines):
                for cell in row:
                    assert not re.match(r"[=@]|[+-](?![\d.])", cell), (path.name, cell)
