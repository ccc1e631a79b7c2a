"""A site is complete or not there; what stood in its place stays until then."""

import html
import json
import re
import shutil

import nbformat
import pytest

from storagebook.errors import StoragebookError
from storagebook.site import assemble, state


def contents(site):
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in site.rglob("*") if p.is_file()}


@pytest.fixture
def page(built):
    return (built / "index.html").read_text(encoding="utf-8")


def test_site_is_complete(built):
    names = set(contents(built))
    assert {
        "index.html",
        "01-next.html",
        "page.html",
        "search.html",
        "_sources/index.ipynb",
        "_static/vega-bundle.js",
        "_static/storagebook.css",
        "csv/index/two-bars.csv",
        "csv/index/two-rows.csv",
        ".nojekyll",
    } <= names
    assert state.is_current(built, "first")


def test_nothing_but_the_site_is_left_behind(built):
    assert sorted(p.name for p in built.parent.iterdir()) == ["html", "project"]


def test_page_holds_no_address_of_another_host_but_links(page):
    without_links = re.sub(r'<a [^>]*href="[^"]*"', "", page)
    assert set(re.findall(r"https?://[^\"' <)]+", without_links)) <= {
        "https://vega.github.io/schema/vega-lite/v6.4.1.json",  # names the grammar; never fetched
        "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/2000/svg",
    }
    assert "thebe" not in page.lower()
    assert "mathjax@" not in page


def test_chart_survives_hostile_names(page):
    figure = re.search(
        r'<figure class="sb-chart sb-figure" id="chart-two-bars">.*?</figure>', page, re.S
    )
    assert figure, "the chart is a figure"
    text = figure.group()
    assert "<figcaption>Two &lt;b&gt; bars<a" in text
    assert (
        f'aria-label="{html.escape(chr(65) + " " + chr(34) + "quoted" + chr(34) + " text")}"'
        in text
    )
    (script,) = re.findall(r'<script type="application/json">(.*?)</script>', text, re.S)
    assert "<!--" not in script
    (rows,) = json.loads(script)["datasets"].values()
    assert rows[1] == {"phase": "</script><!--x", "rate_kiops": 3.0}
    assert 'href="csv/index/two-bars.csv" download' in text


def test_data_stands_beside_the_page(built):
    bars, rows = (
        (built / "csv" / "index" / f"{n}.csv").read_text() for n in ("two-bars", "two-rows")
    )
    assert bars == rows == "phase,rate_kiops\na<b>,1.5\n</script><!--x,3\n"


def test_table_is_shown_with_its_data(page):
    assert "<caption><span>Two rows</span></caption>" in page
    assert '<th scope="row" class="sb-short">a&lt;b&gt;</th>' in page
    assert 'href="csv/index/two-rows.csv" download' in page


def test_maths_is_mathml(page):
    assert page.count("<math ") == 2, "one in the text that a cell computed, one displayed"
    assert "<msqrt>" in page
    assert 'id="equation-score"' in page


def test_links_fit_the_sites_folder(built, page):
    assert 'href="01-next.html"' in page
    assert re.search(r'href="_downloads/\w+/small.csv"', page)
    assert 'href="page.html"' in (built / "01-next.html").read_text()
    assert 'href="01-next.html"' in (built / "page.html").read_text()


def test_bundle_is_loaded_only_where_there_are_charts(built, page):
    assert "vega-bundle.js" in page
    assert "vega-bundle.js" not in (built / "01-next.html").read_text()
    assert (built / "_static" / "vega-bundle.js").read_text().startswith("(function(){")


def test_chapter_can_be_downloaded(built, page):
    downloads = re.search(r'<section class="sb-downloads".*?</section>', page, re.S).group()
    names = re.findall(r'href="([^"]+)" download', downloads)
    assert names == ["_sources/index.ipynb", "csv/index/two-rows.csv", "csv/index/two-bars.csv"]
    assert all((built / name).is_file() for name in names)
    assert "sb-downloads" not in (built / "page.html").read_text()


def test_no_launch_button_without_the_repositorys_address(page):
    assert "binder" not in page.lower()
    assert "colab" not in page.lower()
    assert "btn-source-repository" not in page


def test_launch_buttons_come_with_the_repositorys_address(project, tmp_path):
    project.write("index", "%%md # Quick", "n = 1")
    config = project.root / "book" / "_config.yml"
    config.write_text(config.read_text().replace('url: ""', "url: https://github.com/a/b"))
    assemble.build(project.root, tmp_path / "html", {}, inputs="x")
    page = (tmp_path / "html" / "01-next.html").read_text()
    notebook = "notebooks/01-next.ipynb"
    assert f"https://mybinder.org/v2/gh/a/b/main?urlpath=lab/tree/{notebook}" in page
    assert f"https://colab.research.google.com/github/a/b/blob/main/{notebook}" in page


def damage_cell(project):
    project.write("01-next", "n = 1", "raise ValueError('no rate in row 3')")
    return "01-next.ipynb: cell 2 .* fails: ValueError: no rate in row 3"


def damage_page(project):
    """A link to nowhere and maths that is none: both are told, at the cost of one build."""
    (project.root / "book" / "page.md").write_text("# Page\n\n[gone](nowhere.md)\n\n$\\left( x$\n")
    return (
        r"Sphinx cannot build the pages: page.md:3: WARNING: .*nowhere\.md"
        r".*page.md:5: WARNING: cannot convert .* to MathML"
    )


def damage_toc(project):
    project.toc("index", "01-next", "page", "gone")
    return "lists gone, which is neither in notebooks/ nor in book/"


def damage_chapter(project):
    project.write("02-stray", "n = 1")
    return "02-stray is not in the table of contents"


def damage_config(project):
    (project.root / "book" / "_config.yml").write_text("title: [")
    return "Sphinx cannot build the pages"


def damage_notebook(project):
    (project.root / "notebooks" / "01-next.ipynb").write_text("{")
    return "not a notebook"


def damage_frame(project):
    shutil.rmtree(project.root / "book")
    return "no table of contents"


@pytest.mark.parametrize(
    "damage",
    [
        damage_cell,
        damage_page,
        damage_toc,
        damage_chapter,
        damage_config,
        damage_notebook,
        damage_frame,
    ],
)
def test_previous_site_is_untouched(project, tmp_path, damage):
    project.write("index", "%%md # Quick", "n = 1")
    site = tmp_path / "out" / "html"
    site.mkdir(parents=True)
    (site / "index.html").write_text("the site before")
    state.write_marker(site, "before")
    before = contents(tmp_path / "out")
    reason = damage(project)
    with pytest.raises(StoragebookError, match=reason) as caught:
        assemble.build(project.root, site, {}, inputs="after")
    assert "\n" not in str(caught.value)
    assert ".storagebook-" not in str(caught.value), "no name of a folder that is gone"
    assert contents(tmp_path / "out") == before
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["html"]


def test_somebody_elses_folder_is_not_replaced(project, tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(StoragebookError, match="no build wrote"):
        assemble.build(project.root, tmp_path, {}, inputs="x")
    assert (tmp_path / "thesis.tex").read_text() == "x"


def test_page_says_with_which_other_parameters_it_ran():
    cells = [
        nbformat.v4.new_markdown_cell("# X"),
        nbformat.v4.new_code_cell("label = 'a'", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell("label = '`b`'", metadata={"tags": ["injected-parameters"]}),
    ]
    page = assemble.for_the_page(nbformat.v4.new_notebook(cells=cells))
    assert "- ` label ` is `` `b` ``, by default ` a `" in page.cells[1].source
    assert len(assemble.for_the_page(nbformat.v4.new_notebook(cells=cells[:2])).cells) == 2


def test_chapters_are_read_in_order_through_parts(project):
    (project.root / "book" / "_toc.yml").write_text(
        "format: jb-book\nroot: index\nparts:\n"
        "- caption: A\n  chapters:\n  - file: b\n    sections:\n    - file: c\n"
        "- caption: D\n  chapters:\n  - file: e\n"
    )
    assert assemble.chapters(project.root) == ["index", "b", "c", "e"]


def test_log_is_summed_up_by_its_warnings(tmp_path):
    log = f"reading\n\x1b[31m{tmp_path}/x.md:3: WARNING: odd\x1b[0m\nfinished\n"
    assert assemble.log_summary(log, tmp_path) == "x.md:3: WARNING: odd"
    assert assemble.log_summary("a\nb\n", tmp_path) == "a | b"
    assert assemble.log_summary("", tmp_path) == "it printed nothing"
