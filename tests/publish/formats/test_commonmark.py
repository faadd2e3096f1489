"""The Markdown twin of a page: it says what the page says, and what an author wrote stays text."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from lxml import html
from markdown_it import MarkdownIt

from kg.publish.formats.commonmark import twin
from kg.publish.site import Documents

READER = MarkdownIt("commonmark").enable("table").enable("strikethrough")
UNREAD = {"button", "figure", "form", "script", "svg"}
UNREAD_CLASSES = {"js", "toc", "contents", "kinds", "sheet", "cite", "data"}
ONE_OF_EACH = [
    "",
    "people/",
    "people/alvar-jarl",
    "people/dk-palme",
    "orgs/osu",
    "publications/",
    "publications/jarl-2022-keel",
    "venues/isc",
    "topics/hpc",
    "courses/",
    "sources/alvar-jarl-cv-2025-06",
    "terms/cv",
    "patents/",
]
HOSTILE = [
    "a | b | c",
    "--- | ---",
    "[x](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "<script>alert(1)</script>",
    "<b>bold</b> &copy; &amp;amp;",
    "`code` ``` fence",
    "```\nfence\n```",
    "# heading #",
    "- item\n- item",
    "1. one\n2) two",
    "> quote",
    "===",
    "a\n---",
    "*a* _b_ **c** __d__ ~~e~~ snake_case_name 2*3*4",
    "[ref]: http://evil.example/",
    "\\ backslash \\* \\",
    "    four spaces\n\ttab",
    "wow!",
    "<https://evil.example/>",
    "naïve – “quoted” 太字 العربية",
    "+1",
    "&#35; x",
]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def rendered(markdown: bytes) -> html.HtmlElement:
    return html.fromstring(f"<div>{READER.render(markdown.decode())}</div>")


def page_words(page: bytes) -> list[str]:
    """What a page says beside its frame, read without our code."""
    body = html.fromstring(page)
    for element in body.xpath("//body//*"):
        classes = {*element.get("class", "").split()}
        is_hidden = element.get("aria-hidden") == "true" or classes & UNREAD_CLASSES
        if element.tag in UNREAD or is_hidden:
            element.drop_tree()
    parts = [*body.xpath("//main"), *body.xpath("//footer")]
    return [word for part in parts for text in part.itertext() for word in words(text)]


@pytest.mark.parametrize("address", ONE_OF_EACH)
def test_a_twin_says_what_its_page_says_and_no_more(documents: Documents, address: str) -> None:
    page, markdown = (documents.write(address, f"text/{form}") for form in ("html", "markdown"))
    text = " ".join(rendered(markdown).itertext())
    said, _, canonical = text.rpartition("Address:")
    assert canonical.split() == [documents.base + address]
    expected = page_words(page)
    assert len(expected) > 20
    found = words(said)
    assert found == expected


def test_links_lead_to_twins_and_only_where_links_may(documents: Documents) -> None:
    markdown = documents.write("people/alvar-jarl", "text/markdown")
    links = [each.get("href") for each in rendered(markdown).iter("a")]
    assert {"../orgs/osu.md", "dk-palme.md", "https://github.com/alva-prime"} <= {*links}
    for link in links:
        assert link.startswith(("https://", "http://", "mailto:", "../")) or link.endswith(".md")


def shown(body: str) -> html.HtmlElement:
    """A page with this in it, as its twin shows it."""
    return rendered(twin(f"<main>{body}</main>".encode(), "people/ada", {"", "orgs/", "orgs/x"}))


def in_one_line(text: str) -> str:
    return " ".join(text.split())


PLACES = [
    "<p>{}</p>",
    "<h2>{}</h2><p>x</p>",
    "<ul><li>{}</li><li>{}</li></ul>",
    "<p>before {} after</p>",
    "<p><b>{}</b></p>",
    "<p>a<i>{}</i>b</p>",
    '<p>see!<a href="../orgs/x.html">{}</a></p>',
    "<ol><li><p>{}</p><p>{}</p></li></ol>",
    '<ul><li><p class="when">{}</p><div><p>{}</p></div></li></ul>',
    "<dl><div><dt>{}</dt><dd>{}</dd></div></dl>",
    "<p>{}<br>{}</p>",
]
OURS = {"div", "p", "h2", "ul", "ol", "li", "strong", "em", "a", "br"}


def check(text: str, place: str) -> None:
    """A text is shown as it is, and adds no element of its own."""
    empty = place.replace("{}", "word")
    page = place.replace("{}", escape(text))
    expected = in_one_line(" ".join(html.fromstring(f"<div>{page}</div>").itertext()))
    found = shown(page)
    squeezed = ["".join(each.split()) for each in (expected, " ".join(found.itertext()))]
    assert squeezed[1].replace(":", "") == squeezed[0].replace(":", ""), (text, place)
    tags = [each.tag for each in found.iter() if each.tag not in ("strong", "em")]
    assert tags == [each.tag for each in shown(empty).iter() if each.tag not in ("strong", "em")]
    assert {each.tag for each in found.iter()} <= OURS


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", HOSTILE)
def test_what_an_author_wrote_stays_text(text: str, place: str) -> None:
    check(text, place)


@pytest.mark.fuzz
@settings(max_examples=300, deadline=None)
@given(
    some.text(alphabet="ab1 \n\t*_`[]()<>#+-=.!|~\\&;:\"'é–", min_size=1).filter(str.strip),
    some.sampled_from(PLACES),
)
def test_no_text_becomes_markup(text: str, place: str) -> None:
    check(text, place)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("javascript:alert(1)", None),
        ("JavaScript:alert(1)", None),
        ("data:text/html,x", None),
        ("vbscript:x", None),
        ("//evil.example/", None),
        ("#positions", None),
        ("../orgs/x.html", "../orgs/x.md"),
        ("../orgs/x.html#2020", "../orgs/x.md#2020"),
        ("../orgs/", "../orgs/index.md"),
        ("../", "../index.md"),
        ("../static/x.html", "../static/x.html"),
        ("https://a.example/x_(y)?a=1&copy;=2", "https://a.example/x_%28y%29?a=1&copy;=2"),
        ("https://a.example/a b)[c](x)", "https://a.example/a%20b%29%5Bc%5D%28x%29"),
        ("mailto:a@b.example", "mailto:a@b.example"),
    ],
)
def test_a_link_leads_where_it_led_or_nowhere(href: str, target: str | None) -> None:
    found = [each.get("href") for each in shown(f'<p><a href="{escape(href)}">x</a></p>').iter("a")]
    assert found == ([target] if target else [])


def test_code_is_fenced_whatever_it_holds() -> None:
    text = "a ``` b\n````\n- <b>"
    found = shown(f"<ul><li>x<pre>{escape(text)}</pre></li></ul><p><code>`a` \\</code></p>")
    assert [each.text for each in found.iter("code")] == [f"{text}\n", "`a` \\"]


def test_neighbours_that_styles_keep_apart_do_not_run_together() -> None:
    assert (
        shown("<p><a href='x'>PDF</a><span>2020</span><span id='e'></span>, x</p>")
        .text_content()
        .strip()
        == "PDF · 2020, x"
    )


def test_a_heading_of_nothing_is_left_out() -> None:
    found = shown("<h2>Network</h2><figure>x</figure><h2>Works</h2><p>One</p>")
    assert [each.text for each in found.iter("h2")] == ["Works"]


def test_a_page_that_never_ends_is_read_once() -> None:
    for start in ("<script>", "<!--", "<svg>", "<b", "<p><b>"):
        assert twin((f"<main>{start}" * 2000).encode(), "", frozenset()) is not None
