"""What a cell shows: escaped, stable, without holes."""

import html.parser
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from storagebook import charts, show
from storagebook.errors import StoragebookError

HOSTILE = "<script>alert(1)</script> [x](javascript:y) *b* _i_ `c` $m$ {r}`t` | # ~~s~~ &amp; \\"


@pytest.fixture
def shown(monkeypatch):
    """The (data, keyword arguments) of each display."""
    calls = []
    monkeypatch.setattr(show, "display", lambda data, **kwargs: calls.append((data, kwargs)))
    return calls


def test_sentence_holds_formatted_values(shown):
    show.say(
        "**{system}**: {bw:,.2f} GiB/s in {runs} runs", system="Aurora", bw=10066.086553, runs=2
    )
    ((data, kwargs),) = shown
    assert data == {
        "text/markdown": "**Aurora**: 10,066.09 GiB/s in 2 runs",
        "text/plain": "**Aurora**: 10,066.09 GiB/s in 2 runs",
    }
    assert kwargs == {"raw": True}


def test_numpy_numbers_are_numbers(shown):
    show.say("{a:.1f} {b} {c:.1f}", a=np.float64(1.25), b=np.int64(3), c=np.float32(0.5))
    assert shown[0][0]["text/plain"] == "1.2 3 0.5"


@pytest.mark.parametrize(
    ("template", "values", "reason"),
    [
        ("{x}", {"x": 0.1}, "without a format"),
        ("{x:.1f}", {"x": float("nan")}, "no value for {x}"),
        ("{x}", {"x": None}, "no value for {x}"),
        ("{x}", {"x": pd.NA}, "no value for {x}"),
        ("{x}", {}, "not given"),
        ("{}", {"x": 1}, "not given"),
        ("none", {"x": 1}, "does not use x"),
    ],
)
def test_sentence_with_a_hole_is_refused(shown, template, values, reason):
    with pytest.raises(StoragebookError, match=reason):
        show.say(template, **values)
    assert shown == []


def rendered_text(markdown: str) -> tuple[str, set[str]]:
    """Text and tags of rendered CommonMark."""
    texts, tags = [], set()

    class Reader(html.parser.HTMLParser):
        def handle_data(self, data):
            texts.append(data)

        def handle_starttag(self, tag, attrs):
            tags.add(tag)

    Reader().feed(MarkdownIt("commonmark").enable("table").render(markdown))
    return "".join(texts).strip(), tags


def test_hostile_value_in_a_sentence_is_text(shown):
    show.say("{name} wins", name=HOSTILE)
    text, tags = rendered_text(shown[0][0]["text/markdown"])
    assert text == f"{HOSTILE} wins"
    assert tags == {"p"}


@given(st.text(min_size=1).filter(str.strip))
def test_any_text_escapes_to_itself(text):
    shown, tags = rendered_text(show.escape_markdown(text))
    assert tags <= {"p"}
    assert " ".join(shown.split()) == " ".join(show.one_line(text).split())


FRAME = pd.DataFrame(
    {"phase": ["a<b>", "c"], "rate_kiops": [1234.5, None], "printed": ["1,0", "2"]}
)


def test_table_is_escaped_aligned_and_captioned(shown):
    show.table(
        FRAME, caption="A & B", formats={"rate_kiops": "{:,.2f}"}, headings={"phase": "Phase"}
    )
    ((data, kwargs),) = shown
    page = data["text/html"]
    assert "<caption><span>A &amp; B</span></caption>" in page
    assert '<th scope="row" class="sb-short">a&lt;b&gt;</th>' in page
    assert '<td class="sb-num" style="text-align:right">1,234.50</td>' in page
    assert '<td class="sb-num" style="text-align:right">–</td>' in page
    assert '<th scope="col" class="sb-short">Phase</th>' in page
    assert data["text/plain"].splitlines() == [
        "A & B",
        "",
        "Phase  rate_kiops  printed",
        "a<b>     1,234.50      1,0",
        "c               –        2",
    ]
    assert kwargs["metadata"] == {}


@pytest.mark.parametrize(("second", "wide"), [("word " * 12, 3), ("short", 0)])
def test_a_column_of_long_texts_is_wide(shown, second, wide):
    frame = pd.DataFrame({"id": ["a", "b"], "why": ["word " * 12, second]})
    show.table(frame, caption="c")
    assert shown[0][0]["text/html"].count('class="sb-long"') == wide


def test_table_offers_unrounded_csv_without_formulas(shown):
    frame = pd.DataFrame({"system": [" =cmd()", "-5"], "x": [1 / 3, 2.0]})
    show.table(frame, caption="c", formats={"x": "{:.1f}"}, csv="two-systems")
    assert shown[0][1]["metadata"]["storagebook"] == {
        "csv": {"two-systems": "system,x\n' =cmd(),0.3333333333\n-5,2\n"}
    }


@pytest.mark.parametrize(
    ("frame", "arguments", "reason"),
    [
        (FRAME, {}, "no format for rate_kiops"),
        (FRAME, {"formats": {"speed": "{}"}}, "no column speed"),
        (FRAME.iloc[:0], {}, "no rows"),
        (FRAME, {"formats": {"rate_kiops": "{:.1f}"}, "csv": "../up"}, "no name for a file"),
    ],
)
def test_table_refuses(frame, arguments, reason):
    with pytest.raises(StoragebookError, match=reason):
        show.table(frame, caption="c", **arguments)


def bars(values):
    frame = pd.DataFrame({"phase": ["a", "b"], "rate_kiops": values})
    return charts.bars(frame, category="phase", value="rate_kiops", axis_title="kIOP/s")


def test_chart_is_stable_and_described(shown):
    for values in ([0.1 + 0.2, 2.0], [0.3, 2.0]):
        show.chart(bars(values), title="Title", description="What is drawn.", name="two-bars")
    first, second = (json.dumps(data, sort_keys=False) for data, _ in shown)
    assert first == second, "the last bits of a float must not show"
    data, kwargs = shown[0]
    spec = data[charts.MIME]
    assert data["text/plain"] == "Chart: Title\nWhat is drawn."
    assert spec["usermeta"] == {"name": "two-bars"}
    csv = "phase,rate_kiops\na,0.3\nb,2\n"
    assert kwargs["metadata"]["storagebook"] == {"csv": {"two-bars": csv}}
    assert spec["description"] == "What is drawn."
    assert spec["datasets"]["data-1"][0] == {"phase": "a", "rate_kiops": 0.3}
    assert spec["config"] == charts.THEME


@pytest.mark.parametrize("missing", ["title", "description", "name"])
def test_chart_without_words_is_refused(missing):
    words = {"title": "t", "description": "d", "name": "n"} | {missing: " "}
    with pytest.raises(StoragebookError):
        show.chart(bars([1, 2]), **words)


def test_cells_lead_where_the_frame_says(shown):
    frame = pd.DataFrame({"about": ["a", "b"], "n": [1, 2]})
    frame.attrs["links"] = {"about": ["x.html#one", 'y.html#"two"']}
    show.table(frame, caption="Linked")
    ((data, _),) = shown
    html = data["text/html"]
    assert '<a href="x.html#one">a</a>' in html
    assert '<a href="y.html#&quot;two&quot;">b</a>' in html
    assert html.count("<a ") == 2
    assert "x.html" not in data["text/plain"]
