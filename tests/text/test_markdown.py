"""Prose and titles as HTML: elements of ours around what is escaped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.check.check import good
from kg.publish.formats.urls import written_link
from kg.publish.site import Documents
from kg.publish.verify.markup import Markup
from kg.text.markdown import prose_html, title_html

BASE = "https://cases.example.org/"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Sand & x < y", "<p>Sand &amp; x &lt; y</p>"),
        ("*a* **b** `c<d>`", "<p><em>a</em> <strong>b</strong> <code>c&lt;d&gt;</code></p>"),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("a\n\nb  \nc", "<p>a</p><p>b<br>c</p>"),
        ("2. a", '<ol start="2"><li>a</li></ol>'),
        ("<b>a</b> &amp; b_c_d", "<p>&lt;b&gt;a&lt;/b&gt; &amp;amp; b_c_d</p>"),
        ("[a](javascript:b)", "<p>[a](javascript:b)</p>"),
        ("```\n<i>\n```", "<pre><code>&lt;i&gt;\n</code></pre>"),
        ("# No heading\n> nor quote", "<p># No heading\n&gt; nor quote</p>"),
    ],
)
def test_prose_is_rendered(text: str, html: str) -> None:
    assert prose_html(text, str) == html


@pytest.mark.fuzz
@given(st.text(alphabet="ab *_`[]()<>/\\\n-1.&\"'!#:i", max_size=60))
def test_whatever_is_written_the_page_is_well_formed(text: str) -> None:
    page = f"<!doctype html><div>{prose_html(text, str)}<h1>{title_html(text)}</h1></div>"
    if title_html(text) is not text:  # a plain title is escaped by its template
        assert Markup(page.encode()).faults == []
    assert Markup(f"<!doctype html><div>{prose_html(text, str)}</div>".encode()).faults == []


def test_a_title_shows_its_four_elements_only() -> None:
    assert title_html("CO<sub>2</sub> & List<T>") == "CO<sub>2</sub> &amp; List&lt;T&gt;"
    assert title_html("<i>x</i><p><b>y</b>") == "<i>x</i>&lt;p&gt;<b>y</b>"
    assert title_html("<i>open") == "<i>open"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("publications/sand", "../publications/sand.html"),
        ("publications/sand#author-1", "../publications/sand.html#author-1"),
        (f"{BASE}publications/sand", "../publications/sand.html"),
        ("static/sand.pdf", "../static/sand.pdf"),
    ],
)
def test_an_address_of_the_site_becomes_a_link_from_the_page(address: str, link: str) -> None:
    assert written_link(BASE, address, "people/ada") == link


def test_a_page_shows_markdown_and_its_head_plain_text(example: Path) -> None:
    file = next((example / "data" / "cv").glob("*.yaml"))
    text = file.read_text(encoding="utf-8")
    start = text.index("  summary:")
    end = text.index("\n  ", start + 1)
    summary = '  summary: "Sorts *sand*.\\n\\nSee [all](people/)."'
    file.write_text(text[:start] + summary + text[end:], encoding="utf-8")
    document = Documents(good(example)).get(f"people/{file.stem}.html")
    assert document is not None
    body = document.body.decode()
    shown = '<p>Sorts <em>sand</em>.</p><p>See <a href="../people/">all</a>.</p>'
    assert f'<div class="bio" dir="auto">{shown}</div>' in body
    assert '<meta name="description" content="Sorts sand. See all.">' in body
