"""What every committed notebook holds to."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

from storagebook import charts, parameters
from storagebook.site import assemble, execute

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
#: A notebook with its outputs is read by people and kept by git for ever.
MOST_B = 2**20
#: What differs from one machine or run to the next.
LOCAL = re.compile(r"/(?:home|root|tmp|Users|work)/|0x[0-9a-f]{6,}|\bFile \"")


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request) -> Path:
    return request.param


@pytest.fixture
def notebook(path):
    return execute.read_notebook(path)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    return [output for cell in code(notebook) for output in cell.outputs]


def test_it_is_of_a_size_to_keep(path):
    assert path.stat().st_size < MOST_B


def test_chapters_are_the_notebooks_and_pages():
    assert assemble.notebook_paths(ROOT)
    pages = {page.stem for page in (ROOT / "book").glob("*.md")}
    assert pages <= set(assemble.chapters(ROOT)), "a page that no reader can reach"


def test_it_opens_with_a_title_and_what_it_tells(notebook):
    first, second = notebook.cells[:2]
    assert first.cell_type == second.cell_type == "markdown"
    assert re.fullmatch(r"# \S.*", first.source)
    assert not second.source.startswith("#")
    titles = [c for c in notebook.cells if c.cell_type == "markdown" and c.source.startswith("# ")]
    assert titles == [first]


def test_its_parameters_are_literals_that_the_package_knows(path, notebook):
    first, *rest = code(notebook)
    assert execute.PARAMETERS_TAG in first.metadata.get("tags", [])
    assert not any(execute.PARAMETERS_TAG in cell.metadata.get("tags", []) for cell in rest)
    given = execute.assigned(notebook, execute.PARAMETERS_TAG)
    statements = ast.parse(first.source).body
    assert len(statements) == len(given), "nothing but assignments of literals"
    model = parameters.model(path.stem)
    assert given == model(**given).model_dump()


def test_published_parameters_are_the_notebooks_own(path, notebook):
    published = parameters.load_file(ROOT / "params" / "default.yml").get(path.stem, {})
    given = execute.assigned(notebook, execute.PARAMETERS_TAG)
    assert published.items() <= given.items()


def test_it_carries_reference_outputs(notebook):
    assert outputs(notebook)
    for cell in code(notebook):
        assert cell.execution_count is not None
        if re.search(r"^show\.\w+\(|\n *show\.\w+\(", cell.source):
            assert cell.outputs, cell.source


def test_no_output_is_an_error_a_warning_or_local(notebook):
    for output in outputs(notebook):
        assert output.output_type in ("display_data", "execute_result", "stream")
        assert output.get("name") != "stderr"
        assert not LOCAL.search(str(output))


def test_every_chart_has_its_words_and_its_data(notebook):
    drawn = [output for output in outputs(notebook) if charts.MIME in output.get("data", {})]
    names = [output.data[charts.MIME]["usermeta"]["name"] for output in drawn]
    assert len(names) == len(set(names))
    for output in drawn:
        spec = output.data[charts.MIME]
        assert len(spec["title"]["text"]) > 10
        assert len(spec["description"]) > 20
        assert spec["config"] == charts.THEME
        assert all(output.metadata["storagebook"]["csv"].values())
        assert output.data["text/plain"].startswith("Chart: ")


def test_every_output_has_a_text_twin(notebook):
    assert all(
        output.output_type == "stream" or output.data["text/plain"] for output in outputs(notebook)
    )


def test_it_is_committed_in_its_normal_form(path, notebook):
    normal = execute.normalise(nbformat.from_dict(notebook), [c.id for c in notebook.cells])
    assert execute.to_text(normal) == path.read_text(encoding="utf-8"), "run make refresh"


def test_functions_live_in_the_package(notebook):
    for cell in code(notebook):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert node.end_lineno - node.lineno < 5, node.name


def test_no_cell_hides_its_value_with_a_semicolon(notebook):
    # nbval does not keep the history by which IPython would see it
    assert not [cell.source for cell in code(notebook) if cell.source.rstrip().endswith(";")]


def test_all_run_on_a_second_data_set():
    second = parameters.load_file(ROOT / "params" / "example.yml")
    chosen = {path: second[path.stem] for path in PATHS if second.get(path.stem)}
    assert chosen, "an example that changes nothing shows nothing"
    done = execute.execute_all(chosen, folder=ROOT)
    for path, notebook in done.items():
        before = [cell.outputs for cell in code(execute.read_notebook(path))]
        assert [cell.outputs for cell in code(notebook)] != before
