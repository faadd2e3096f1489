"""Blocks: a query that says where it is shown is all that a page needs to show more, in this site
or in somebody's own.
"""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from PIL import Image

from kg import doors
from kg.check import blocks
from kg.check.check import good
from kg.facts.models import REGISTRIES
from kg.publish.document import FONT, static_body
from kg.publish.figures import ANSWER, GROUP
from kg.publish.formats import urls
from kg.publish.site import Documents
from kg.settings import Site, shipped

PICTURES = re.compile(rb'<svg class="drawn .*?</svg>(?=</div>|<p )', re.DOTALL)
GRANTS = """# Which grants?
# title: Grants
# pages: people 15
# row: role
# template: grants
PREFIX schema: <http://schema.org/>
SELECT ?thing ?role ?title WHERE { ?thing schema:affiliation ?role . ?role schema:roleName ?title } ORDER BY ?title ?role
"""  # noqa: E501


def page(documents: Documents, path: str) -> str:
    document = documents.get(path)
    assert document is not None
    return document.body.decode()


def section(html: str, name: str) -> str:
    found = re.search(rf'<section class="block {name} .*?</section>', html, re.DOTALL)
    assert found, name
    return found[0]


def names(html: str) -> list[str]:
    return re.findall(r"<a [^>]*>([^<]*)</a>", html)


def test_every_kind_of_page_and_list_shows_something(documents: Documents) -> None:
    pages = documents.pages
    assert [
        kind for kind in [*REGISTRIES, "others", "home", "terms"] if not pages.blocks(kind)
    ] == []
    assert [kind for kind in REGISTRIES if not pages.blocks(f"{kind}/")] == []


def test_every_block_has_its_template(documents: Documents) -> None:
    templates = {
        name.removeprefix("blocks/") for name in documents.pages.templates.list_templates()
    }
    assert len(documents.pages.all_blocks) >= 30
    assert [
        block.name
        for block in documents.pages.all_blocks
        if f"{block.template}.html" not in templates
    ] == []


def test_a_site_shows_a_new_kind_of_fact_without_code(example: Path) -> None:
    (example / "queries" / "pages").mkdir(parents=True)
    (example / "queries" / "pages" / "grants.rq").write_text(GRANTS, encoding="utf-8")
    (example / "templates" / "blocks").mkdir(parents=True)
    (example / "templates" / "blocks" / "grants.html").write_text(
        "{% for row in section.rows %}<p>Grant: {{ row.title[0] }}</p>{% endfor %}",
        encoding="utf-8",
    )
    html = page(Documents(good(example)), "people/ada-lindqvist.html")
    assert "<p>Grant: Lecturer</p>" in section(html, "grants")
    assert html.index("section-grants") < html.index('id="section-positions"')


def test_the_figures_are_those_that_can_be_drawn() -> None:
    assert {*blocks.CHOICES["figure"], ANSWER} == doors.installed(GROUP).keys()


@pytest.mark.parametrize(
    "change",
    [("# row: role\n", ""), ("people 15", "people"), ("WHERE {", "WHERE")],
)
@pytest.mark.sample(test=0.3)
def test_a_block_that_cannot_be_read_is_left_out(example: Path, change: tuple[str, str]) -> None:
    """The check reports it."""
    (example / "queries" / "pages").mkdir(parents=True)
    own = example / "queries" / "pages" / "grants.rq"
    own.write_text(GRANTS, encoding="utf-8")
    site = Site(example, "https://lab.example.org/", "A small laboratory")
    before = blocks.blocks(site)
    own.write_text(GRANTS.replace(*change), encoding="utf-8")
    assert [each for each in before if each not in blocks.blocks(site)] == [
        each for each in before if each.name == "grants"
    ]


def test_a_long_section_shows_some_says_how_many_more_and_leads_to_all(example: Path) -> None:
    (example / "queries" / "pages").mkdir(parents=True)
    query = (shipped("queries") / "pages" / "published.rq").read_text(encoding="utf-8")
    (example / "queries" / "pages" / "published.rq").write_text(query, encoding="utf-8")
    graph = good(example)
    whole = section(page(Documents(graph), "orgs/tide-press.html"), "published")
    (example / "queries" / "pages" / "published.rq").write_text(
        query.replace("# most: 200", "# most: 1"), encoding="utf-8"
    )
    cut = section(page(Documents(graph), "orgs/tide-press.html"), "published")
    assert (names(cut)[0], names(cut)[-1]) == (names(whole)[0], "List all in SPARQL")
    assert "And 1 more." in cut and "more." not in whole
    asked = parse_qs(re.findall(r"sparql\.html\?([^\"]*)", cut)[0].replace("&amp;", "&"))["query"][
        0
    ]
    assert {row["itemName"].value for row in graph.memory.select(asked)} >= {names(whole)[0]}
    assert "# What did this organisation" in asked and "# most" not in asked


def test_a_site_changes_templates_and_styles(example: Path) -> None:
    (example / "templates").mkdir()
    (example / "templates" / "page.html").write_text(
        '{% extends "shipped/page.html" %}{% block search %}<p>ours</p>{% endblock %}',
        encoding="utf-8",
    )
    (example / "static").mkdir()
    (example / "static" / "style.css").write_text(":root { --accent: #7a2048; }", encoding="utf-8")
    (example / "static" / "ada.svg").write_bytes(b"<svg/>")
    documents = Documents(good(example))
    assert "<p>ours</p>" in page(documents, "people/ada-lindqvist.html")
    style, picture = documents.get("static/style.css"), documents.get("static/ada.svg")
    assert (
        style
        and style.body.startswith(static_body("static/style.css"))
        and style.body.endswith(b"--accent: #7a2048; }")
    )
    assert picture and (picture.media_type, picture.body) == ("image/svg+xml", b"<svg/>")


def test_a_picture_on_the_site_is_shown_and_one_elsewhere_is_not(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    text = cv.read_text(encoding="utf-8")
    (example / "static").mkdir(exist_ok=True)
    Image.new("RGB", (40, 50)).save(example / "static" / "ada.png")
    for address, shown in [
        ("https://lab.example.org/static/ada.png", True),
        ("ada.png", True),
        ("static/lost.png", False),
        ("https://elsewhere.example/ada.png", False),
    ]:
        cv.write_text(text.replace("basics:\n", f"basics:\n  image: {address}\n"), encoding="utf-8")
        html = page(Documents(good(example)), "people/ada-lindqvist.html")
        assert ('<img class="photo" src="../static/ada.png"' in html) is shown
        assert "<img" not in html.replace('<img class="photo" src="../static/', "")


def test_works_are_by_year_with_the_person_marked(documents: Documents) -> None:
    works = section(page(documents, "people/alvar-jarl.html"), "works")
    years = re.findall(r"<h3>(\d{4})<", works)
    assert years == sorted(set(years), reverse=True)
    assert len(years) > 4
    assert len(re.findall("<b>A(lvar|.) Jarl</b>", works)) == works.count('<li class="work ') == 23


def test_coauthors_are_counted_by_works_and_those_of_one_are_folded(documents: Documents) -> None:
    shown = section(page(documents, "people/mirela-zemann.html"), "coauthors")
    several, _, once = shown.partition("<summary>54 with one work each</summary>")
    assert names(several)[:2] == ["Muvikra D. Basen", "Yvonne He"]
    counts = re.findall(r'class="count">(\d+)<', several)
    assert counts == sorted(counts, key=int, reverse=True) and counts[:2] == ["14", "14"], (
        "patents and reports that became papers are not counted"
    )
    assert len(names(once)) == 54


def test_somebody_without_a_cv_is_told_so_and_owners_are_not(documents: Documents) -> None:
    assert "This person has no CV here" in page(documents, "people/halvor-sundquist.html")
    assert "This person has no CV here" not in page(documents, "people/alvar-jarl.html")


@pytest.mark.proof
def test_mentions_repeat_nothing_that_the_page_shows(documents: Documents) -> None:
    seen = 0
    for path in sorted(path for path in documents.files if path.endswith(".html") and "/" in path):
        html = page(documents, path)
        if "block mentions " not in html:
            continue
        mentions = section(html, "mentions")
        rest = html.replace(mentions, "").partition("<main")[2].partition("<footer")[0]
        seen += 1
        assert [
            link for link in re.findall(r'href="([^"#]+)', mentions) if f'href="{link}"' in rest
        ] == [], path
    assert seen > 50


def test_very_many_authors_are_shortened_but_never_the_person(example: Path) -> None:
    people, works = example / "data" / "people.yaml", example / "data" / "publications.yaml"
    many = [f"Kofi Number{letter}{other}" for letter in "abcdefg" for other in "abcdefg"]
    people.write_text(
        people.read_text(encoding="utf-8")
        + "".join(f"k{n}: {{name: {name}}}\n" for n, name in enumerate(many)),
        encoding="utf-8",
    )
    old = "authors: [T. Ferreira, A. Lindqvist]"
    works.write_text(
        works.read_text(encoding="utf-8").replace(
            old, f"authors: [T. Ferreira, {', '.join(many)}, A. Lindqvist]"
        ),
        encoding="utf-8",
    )
    documents = Documents(good(example))
    shown = section(page(documents, "people/ada-lindqvist.html"), "works")
    assert "<b>A. Lindqvist</b>, <bdi>44 more</bdi>" in shown
    listed = page(documents, "publications/index.html")
    assert re.search(r"<b><a [^>]*>A. Lindqvist</a></b>, <bdi>44 more</bdi>", listed)
    whole = page(documents, "publications/ferreira-2021-gauges.html")
    head = whole.partition('<p class="authors">')[2]
    shown, folded = head.partition("</p>")[0], head.partition("</p>")[2].partition("</details>")[0]
    assert shown.count("<a ") == 30 and shown.endswith(" and 21 more")
    assert folded.count("<a ") == 21 and "<summary>The other 21 authors</summary>" in folded


def test_the_home_page_names_people_and_questions_before_the_network(documents: Documents) -> None:
    html = page(documents, "index.html")
    found = re.findall(r'<section class="block (\w+)', html)
    assert found[:2] == ["lists", "owners"]
    assert found[-2:] == ["questions", "explore"]
    assert names(section(html, "owners"))[:3] == ["Alvar Jarl", "Sigvard Sunde", "Mirela Zemann"]
    assert "<p>Principal Researcher, Meridian</p>" in html
    assert names(section(html, "questions"))[0] == "Who are our co-authors?"


def test_the_list_of_people_tells_those_with_a_cv_from_others(documents: Documents) -> None:
    html = page(documents, "people/index.html")
    owners, others = names(section(html, "cvs")), names(section(html, "others"))
    assert owners == ["Alvar Jarl", "Sigvard Sunde", "Mirela Zemann"]
    assert len(others) > 100
    assert not {*owners} & {*others}


def test_lists_are_by_letter_or_year(documents: Documents) -> None:
    heading = re.compile(r'<div class="letter" id="group-\d+">\n<h[23]><bdi>([^<]+)</bdi>')
    letters, years = (
        heading.findall(page(documents, path))
        for path in ("people/index.html", "publications/index.html")
    )
    assert letters == sorted(set(letters))
    assert len(letters) > 15
    dated = [year for year in years if year.isdigit()]
    assert dated == sorted(set(dated), reverse=True)
    assert years[: len(dated)] == dated, "and what has no date comes last"


def test_the_heaviest_page_stays_light(documents: Documents) -> None:
    owners = [f"people/{slug}.html" for slug in sorted(documents.graph.facts.owners)]
    bodies = [document.body for path in owners if (document := documents.get(path))]
    assert len(bodies) == len(owners) >= 3
    # What a page loads by itself; the rest of the search is loaded by who uses it.
    shared = sum(
        len(gzip.compress(static_body(f"static/{name}")))
        for name in ("style.css", "theme.js", "pages.js", "search.js")
    )
    assert max(len(b"".join(PICTURES.findall(body))) for body in bodies) < 16_000
    heaviest = max(len(gzip.compress(body)) for body in bodies) + shared
    assert heaviest < 35_000
    assert heaviest + len(static_body(FONT)) < 65_000


class Outline(HTMLParser):
    """Headings in order, and what is open around each paragraph."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if re.fullmatch(r"h[1-6]", tag):
            self.levels.append(int(tag[1]))
        self.ids += [value for name, value in attrs if name == "id" and value]


@pytest.mark.slow
@pytest.mark.parametrize("most", [2, pytest.param(9, marks=pytest.mark.proof)])
def test_headings_are_in_order_and_anchors_unique(documents: Documents, most: int) -> None:
    wrong, pages = [], defaultdict[str, list[str]](list)
    for path, (address, *_) in documents.files.items():
        if path.endswith(".html") and address in documents.addresses:
            pages[address.partition("/")[0]].append(path)
    assert len(pages) >= 10
    for path in (path for kind in pages.values() for path in kind[:most]):
        outline = Outline()
        outline.feed(page(documents, path))
        jumps = [
            pair
            for pair in zip(outline.levels, outline.levels[1:], strict=False)
            if pair[1] > pair[0] + 1
        ]
        if (
            outline.levels[:1] != [1]
            or outline.levels.count(1) != 1
            or jumps
            or len(outline.ids) != len(set(outline.ids))
        ):
            wrong.append(path)
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("a@b.org", "mailto:a@b.org"),
        ("https://b.org/c", "https://b.org/c"),
        ("mailto:a@b.org", "mailto:a@b.org"),
        ("the office", None),
    ],
)
def test_who_to_write_to_is_a_link_where_it_can_be(text: str, href: str | None) -> None:
    found = urls.contact(text)
    assert (found.href if isinstance(found, urls.Link) else None) == href


@pytest.mark.parametrize(
    ("iri", "path", "href"),
    [
        ("people/ada#it", "people/bo", "ada.html"),
        ("people/ada#work-x", "people/bo", "ada.html#work-x"),
        ("people/ada#it", "people/ada", ""),
        ("people/ada#work-x", "people/ada", "#work-x"),
        ("people/ada#it", "orgs/uni", "../people/ada.html"),
        ("people/", "people/ada", "../people/"),
        ("people/ada#it", "people/", "ada.html"),
        ("people/ada#it", "", "./people/ada.html"),
        ("", "people/ada", "../"),
        ("", "orgs/", "../"),
    ],
)
def test_links_are_relative_and_short(iri: str, path: str, href: str) -> None:
    assert urls.href("https://x.example/", f"https://x.example/{iri}", path) == href
