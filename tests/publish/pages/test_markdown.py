"""Pages in Markdown: they say what the pages say, and what an author wrote stays text."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from lxml import html
from markdown_it import MarkdownIt

from kg.check.check import good
from kg.plugins.figures.drawing import picture
from kg.plugins.verify.published_site import verify_site
from kg.publish.export.export import export
from kg.publish.formats.urls import Link
from kg.publish.pages.markdown import MarkdownValues
from kg.publish.site import Documents
from kg.publish.verify.source import Directory
from kg.text.markdown import escape_markdown, fenced, prose_html, title_html

READER = MarkdownIt("commonmark").enable("table").enable("strikethrough")
UNREAD = {"button", "figure", "form", "script", "svg"}
UNREAD_CLASSES = {"js", "toc", "contents", "kinds", "sheet", "cite", "data", "side", "bar"}
FOLDED = "//details[not(contains(@class, 'labelled'))]/summary"
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
    "3.9 of 4",
    "+46 70 1",
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
    "+ 1",
    "&#35; x",
]
SIGNS = "ab1 \n\t*_`[]()<>#+-=.!|~\\&;:\"'é–"
VALUES = MarkdownValues("people/ada", {"", "orgs/", "orgs/x"})


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def rendered(markdown: str) -> html.HtmlElement:
    return html.fromstring(f"<div>{READER.render(markdown)}</div>")


def squeezed(text: str) -> str:
    return "".join(text.split())


def page_words(page: bytes) -> list[str]:
    """What a page says beside its frame, read without our code."""
    body = html.fromstring(page)
    for element in body.xpath(FOLDED):
        element.drop_tree()
    for element in body.xpath("//body//*"):
        classes = {*element.get("class", "").split()}
        is_hidden = element.get("aria-hidden") == "true" or classes & UNREAD_CLASSES
        if element.tag in UNREAD or is_hidden:
            element.drop_tree()
    parts = [*body.xpath("//main"), *body.xpath("//footer")]
    return [word for part in parts for text in part.itertext() for word in words(text)]


@pytest.mark.parametrize("address", ONE_OF_EACH)
def test_it_says_what_the_page_says_and_no_more(documents: Documents, address: str) -> None:
    page, markdown = (documents.write(address, f"text/{form}") for form in ("html", "markdown"))
    text = " ".join(rendered(markdown.decode()).itertext())
    said, _, canonical = text.rpartition("Address:")
    assert canonical.split() == [documents.base + address]
    expected = page_words(page)
    assert len(expected) > 20
    assert words(re.sub(r"\d+ with one work each:", "", said)) == expected


def test_links_lead_to_markdown_and_only_where_links_may(documents: Documents) -> None:
    markdown = documents.write("people/alvar-jarl", "text/markdown").decode()
    links = [each.get("href") for each in rendered(markdown).iter("a")]
    assert {"../orgs/osu.md", "dk-palme.md", "https://github.com/alva-prime"} <= {*links}
    for link in links:
        assert link.startswith(("https://", "http://", "mailto:", "../")) or link.endswith(".md")


PLACES = [
    "{}",
    "## {}\n\nx",
    "- {}\n- {}",
    "before {} after",
    "**{}** after",
    "see\\![{}](../orgs/x.md)",
    "- {}\n\n  {}",
    "- {}: {}",
    "{}\\\n{}",
]


def check(text: str, place: str) -> None:
    """A text is shown as it is, and adds no element of its own."""
    found = rendered(place.replace("{}", escape_markdown(text).strip()))
    expected = rendered(place.replace("{}", "word"))
    shown, plain = (squeezed("".join(each.itertext())) for each in (found, expected))
    assert shown == plain.replace("word", squeezed(text)), (text, place)
    assert [each.tag for each in found.iter()] == [each.tag for each in expected.iter()]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", HOSTILE)
def test_what_an_author_wrote_stays_text(text: str, place: str) -> None:
    check(text, place)


@pytest.mark.fuzz
@settings(max_examples=300, deadline=None)
@given(some.text(alphabet=SIGNS, min_size=1).filter(str.strip), some.sampled_from(PLACES))
def test_no_text_becomes_markup(text: str, place: str) -> None:
    check(text, place)


def same_prose(text: str) -> None:
    """Prose in Markdown is shown as on the page, and so is a title, but for what is small."""
    prose = prose_html(text, str)
    page = html.fromstring(f"<div>{prose}</div>")
    found = rendered(VALUES.of(prose))
    texts = [squeezed("".join(each.itertext())) for each in (page, found)]
    assert texts[0] == texts[1], text
    inline = [[each.tag for each in tree.iter("a", "code")] for tree in (page, found)]
    assert inline[0] == inline[1], text
    title = title_html(text)
    plain = re.sub("<[^>]*>", "", title) if title is not text else ""
    if title is not text:
        assert squeezed(rendered(VALUES.of(title)).text_content()) == squeezed(unescape(plain))


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "- a\n- b\n\n  c\n\n      d\n- 1. x\n  2. y",
        "3. a\n4. b",
        "a  \nb\nc",
        "*a*b **c** ***d** e* _f_ [g *h*](https://a.example/x_(y))",
        "```\na\n\n\n- b\n```\n\nc",
        "CO<sub>2</sub> of <i>E. coli</i>, <i>a</i><i>b</i>, x<i>(y)</i>z and <b>B</b>",
        "<i>*a*</i> # b",
    ],
)
def test_prose_and_titles_are_shown_as_on_the_page(text: str) -> None:
    same_prose(text)


@pytest.mark.fuzz
@settings(max_examples=300, deadline=None)
@given(some.text(alphabet=f"{SIGNS}23.i/", max_size=60).filter(str.strip))
def test_no_prose_is_shown_otherwise_than_on_the_page(text: str) -> None:
    same_prose(text)


def test_a_link_without_an_address_is_text() -> None:
    assert prose_html("[sand]() and [](), [silt](x)", str) == (
        '<p>sand and , <a href="x">silt</a></p>'
    )


def test_prose_keeps_its_emphasis_lists_and_code() -> None:
    text = "*a* **b** `c`\n\n- d\n- e\n\n```\nf\n```"
    assert VALUES.of(prose_html(text, str)) == text


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
    for value in (Link("x", href), prose_html("[x](a)", lambda _: href)):
        found = [each.get("href") for each in rendered(VALUES.of(value)).iter("a")]
        assert found == ([target] if target else [])


def test_a_link_to_the_page_itself_is_bold() -> None:
    assert VALUES.of(Link("Ada *", "")) == "**Ada \\***"


def test_code_is_fenced_whatever_it_holds() -> None:
    text = "a ``` b\n````\n- <b>"
    assert [each.text for each in rendered(fenced(text)).iter("code")] == [f"{text}\n"]


def test_code_in_a_line_stays_in_it() -> None:
    assert VALUES.of(prose_html("x `a\u2028\x85 <b>` ` ` y", str)) == "x `a <b>` ` ` y"


def test_of_a_figure_the_note_is_written() -> None:
    assert VALUES.of(picture("x", "Title", "Words", 10, [], note="Ada & *Noor*")) == (
        r"Ada & \*Noor\*"
    )


def test_a_heading_of_a_figure_alone_is_left_out(example: Path) -> None:
    documents = Documents(good(example))
    page, markdown = (documents.write("", f"text/{form}").decode() for form in ("html", "markdown"))
    assert "<h2>Co-authorship</h2>" in page
    assert "## Latest works" in markdown and "Co-authorship" not in markdown


OWN = """# title: Payroll
# pages: people 5
# row: role
# template: payroll
PREFIX schema: <http://schema.org/>
SELECT ?role ?title ?grade ?start WHERE {
  ?thing schema:affiliation ?role . ?role schema:roleName ?title
  OPTIONAL { ?role schema:startDate ?start } BIND("5 * 5" AS ?grade)
}
"""


def with_own_block(example: Path) -> None:
    (example / "queries" / "pages").mkdir(parents=True)
    (example / "queries" / "pages" / "payroll.rq").write_text(OWN, encoding="utf-8")
    (example / "templates" / "blocks").mkdir(parents=True)
    (example / "templates" / "blocks" / "payroll.html").write_text(
        "{% for row in section.rows %}<p>Pay of {{ row.title[0] }}</p>{% endfor %}",
        encoding="utf-8",
    )


@pytest.mark.proof
def test_a_block_of_the_site_is_written_from_its_values(example: Path) -> None:
    with_own_block(example)
    assert export(Documents(good(example)), example / "out").proof.good
    markdown = (example / "out" / "people" / "ada-lindqvist.md").read_text(encoding="utf-8")
    section = markdown.partition("## Payroll\n\n")[2].partition("\n\n##")[0]
    assert "- Sep 2022: Lecturer · 5 \\* 5\n" in section
    assert [*verify_site(Directory(example / "out")).problems] == []


def test_a_site_may_write_its_block_in_its_own_way(example: Path) -> None:
    with_own_block(example)
    own = example / "templates" / "markdown" / "blocks" / "payroll.md"
    own.parent.mkdir(parents=True)
    own.write_text("{% for row in section.rows %}\n\nPay of {{ row.title[0] }}\n{% endfor %}\n")
    markdown = Documents(good(example)).write("people/ada-lindqvist", "text/markdown").decode()
    assert "## Payroll\n\nPay of " in markdown and "\n\nPay of Lecturer\n" in markdown
