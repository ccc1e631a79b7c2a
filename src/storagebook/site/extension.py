"""Sphinx extension of the site: charts, tables with their data, maths as MathML, no remote request.

It relies on Sphinx and myst-nb alone, so the book can leave jupyter-book behind.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import vl_convert
from docutils import nodes
from latex2mathml import converter as latex2mathml
from myst_nb.core.render import MimeData, MimeRenderPlugin, NbElementRenderer
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

import storagebook

logger = logging.getLogger(__name__)

#: As in `storagebook.charts` and `storagebook.show`, whose imports would double a build's start.
MIME = "application/vnd.vegalite.v5+json"
METADATA_KEY = "storagebook"

VEGA_LITE = "6.4"
VEGA_BUNDLE = "vega-bundle.js"
STATIC = Path(__file__).parent / "static"
#: Marks the table that `sb-ledger.js` lets readers search; as in `storagebook.ledger_page`.
LEDGER_MARK = 'class="sb-table sb-ledger"'
#: Marks the grid that `sb-compare.js` lets readers ask; as in `storagebook.systems.page`.
COMPARE_MARK = 'class="sb-compare"'
#: Folder of the site that holds the pages' data, one sub-folder a page.
CSV_FOLDER = "csv"
#: A page opened from disk may not read others, where search results would show their first words.
SEARCH_FROM_DISK = (
    'if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;'
)
LAUNCHERS = {
    "notebook_interface": "jupyterlab",
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}


class Chart(nodes.General, nodes.Element):
    """A chart: title, drawing, links to its data."""


class ChartTitle(nodes.General, nodes.Element):
    """The title of a chart, a node of text so that the search finds it."""


class Download(nodes.General, nodes.Inline, nodes.Element):
    """A link to a CSV file that stands beside the page."""


# --- from a cell's output to nodes --------------------------------------------------------------


class OutputRenderer(MimeRenderPlugin):
    """myst-nb plug-in for charts, and for tables that bring their data."""

    mime_priority_overrides: ClassVar = [("html", MIME, 5), ("singlehtml", MIME, 5)]

    @staticmethod
    def handle_mime(
        renderer: NbElementRenderer, data: MimeData, inline: bool
    ) -> list[nodes.Element] | None:
        files = data.output_metadata.get(METADATA_KEY, {}).get("csv", {})
        if inline:
            return None
        if data.mime_type == MIME:
            return [chart_node(data.content, files)]
        if data.mime_type == "text/html" and files:
            table = nodes.raw(text=data.string, format="html", classes=["output", "text_html"])
            return [table, downloads_node(files)]
        return None


def downloads_node(files: dict[str, str]) -> nodes.paragraph:
    """Links to the data of one output."""
    links = [Download(name=name, csv=text) for name, text in files.items()]
    return nodes.paragraph("", "", *links, classes=["sb-data"])


def chart_node(content: dict[str, Any], files: dict[str, str]) -> Chart:
    """The node of a specification made by `storagebook.show.chart`, and of its data."""
    spec = dict(content)
    name, title = spec["usermeta"]["name"], spec.pop("title")["text"]
    label = html.escape(spec["description"])
    text = json.dumps(spec, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # a text may hold what would end the element or open a comment in it; JSON reads both escapes
    text = text.replace("</", r"<\/").replace("<!--", r"<\u0021--")
    drawing = (
        f'<div class="sb-canvas" role="group" aria-label="{label}"></div>\n'
        f"<noscript><p>{label}</p></noscript>\n"
        f'<script type="application/json">{text}</script>\n'
    )
    return Chart(
        "",
        ChartTitle("", nodes.Text(title), name=name),
        nodes.raw(text=drawing, format="html"),
        downloads_node(files),
        name=name,
        kind=spec["usermeta"].get("kind", "figure"),
    )


def check_names(app: Sphinx, document: nodes.document) -> None:
    """Warn of two charts, or two data files, of one name: one would hide the other."""
    for kind in (Chart, Download):
        names = [node["name"] for node in document.findall(kind)]
        for name in sorted({name for name in names if names.count(name) > 1}):
            logger.warning("two outputs are named %r", name, location=app.env.docname)


# --- from nodes to HTML -------------------------------------------------------------------------


def visit_chart(self: HTML5Translator, node: Chart) -> None:
    classes = " ".join(f"sb-{html.escape(kind)}" for kind in ("chart", *node["kind"].split()))
    self.body.append(f'<figure class="{classes}" id="chart-{html.escape(node["name"])}">\n')


def depart_chart(self: HTML5Translator, node: Chart) -> None:
    self.body.append("</figure>\n")


def visit_title(self: HTML5Translator, node: ChartTitle) -> None:
    self.body.append("<figcaption>")


def depart_title(self: HTML5Translator, node: ChartTitle) -> None:
    self.body.append(
        f'<a class="headerlink" href="#chart-{html.escape(node["name"])}" '
        'title="Link to this chart">#</a></figcaption>\n'
    )


def csv_address(docname: str, name: str) -> str:
    """Where a page's data stands, from the site's root."""
    return f"{CSV_FOLDER}/{docname}/{name}.csv"


def visit_download(self: HTML5Translator, node: Download) -> None:
    docname = self.builder.current_docname
    address = "../" * docname.count("/") + csv_address(docname, node["name"])
    self.body.append(
        f'<a class="sb-download" href="{html.escape(address)}" download>'
        f"{html.escape(node['name'])}.csv</a> "
    )
    raise nodes.SkipNode


def visit_chart_as_text(self: nodes.NodeVisitor, node: nodes.Element) -> None:
    """Builders other than HTML keep what is text: the title."""
    if isinstance(node, Download):
        raise nodes.SkipNode


def depart_chart_as_text(self: nodes.NodeVisitor, node: nodes.Element) -> None:
    pass


# --- maths --------------------------------------------------------------------------------------


def mathml(self: HTML5Translator, node: nodes.Element, display: str) -> str:
    """TeX as MathML, which browsers draw without a script."""
    tex = node.astext()
    try:
        return latex2mathml.convert(tex, display=display)
    except Exception as error:  # the converter raises many kinds, without a common base
        logger.warning("cannot convert %r to MathML: %r", tex, error, location=node)
        return f"<code>{html.escape(tex)}</code>"


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(mathml(self, node, "inline"))
    raise nodes.SkipNode


def visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="sb-math"))
    self.body.append(mathml(self, node, "block"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


# --- pages --------------------------------------------------------------------------------------


def switch_launchers(app: Sphinx, config: Config) -> None:
    """Show what needs the repository's address once there is one, and nothing before."""
    options = config.html_theme_options
    address = (options.get("repository_url") or "").rstrip("/")
    options.pop("repository_url", None)
    options["launch_buttons"] = {}
    if address:
        options |= {
            "repository_url": address,
            "use_repository_button": True,
            "launch_buttons": LAUNCHERS,
        }


def write_bundle(app: Sphinx) -> None:
    """Vega, Vega-Lite and vega-embed as one local script, in a scope of its own."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    code = vl_convert.javascript_bundle(vl_version=VEGA_LITE)
    (folder / VEGA_BUNDLE).write_text(
        f"(function(){{\n{code}\n}})();\n", encoding="utf-8", newline="\n"
    )


def finish_page(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Scripts of charts where there are charts, the page's data beside it, its downloads below."""
    if doctree is None:
        return
    if next(doctree.findall(Chart), None):
        app.add_js_file(VEGA_BUNDLE, loading_method="defer")
        app.add_js_file("sb-charts.js", loading_method="defer")
    if any(LEDGER_MARK in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("sb-ledger.js", loading_method="defer")
    if any(COMPARE_MARK in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("sb-compare.js", loading_method="defer")
    files = {node["name"]: node["csv"] for node in doctree.findall(Download)}
    for name, text in files.items():
        path = Path(app.outdir) / csv_address(pagename, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    source = context.get("sourcename") or ""
    if source.endswith(".ipynb"):
        up = "../" * pagename.count("/")
        addresses = [f"_sources/{source}", *(csv_address(pagename, name) for name in files)]
        context["body"] += _downloads_footer([up + address for address in addresses])


def _downloads_footer(addresses: Iterable[str]) -> str:
    links = "\n".join(
        f'<li><a href="{html.escape(a)}" download>{html.escape(a.rpartition("/")[2])}</a></li>'
        for a in addresses
    )
    return (
        '<section class="sb-downloads" aria-label="Downloads">\n'
        f"<p>This chapter and its data</p>\n<ul>\n{links}\n</ul>\n</section>\n"
    )


def setup(app: Sphinx) -> dict[str, Any]:
    for node, visit, depart in (
        (Chart, visit_chart, depart_chart),
        (ChartTitle, visit_title, depart_title),
        (Download, visit_download, None),
    ):
        as_text = (visit_chart_as_text, depart_chart_as_text)
        app.add_node(node, html=(visit, depart), latex=as_text, text=as_text)
    app.add_html_math_renderer("latex2mathml", (visit_math, None), (visit_math_block, None))
    app.add_js_file(None, body=SEARCH_FROM_DISK, priority=600)
    app.connect("config-inited", switch_launchers, priority=100)
    app.connect("config-inited", lambda _, config: config.html_static_path.append(str(STATIC)))
    app.connect("builder-inited", write_bundle)
    app.connect("doctree-read", check_names)
    app.connect("html-page-context", finish_page, priority=900)
    return {
        "version": storagebook.__version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
