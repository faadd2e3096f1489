"""The frame of every page: masthead, colophon, errors."""

from __future__ import annotations

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.site import Documents


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("one") / "data"
    (folder / "cv").mkdir(parents=True)
    (folder / "site.yaml").write_text("base: https://berg.example.org/\ntitle: Ida's site\n")
    work = "{title: Drops, authors: [Ida Berg], year: 2024, kind: preprint}"
    (folder / "cv" / "ida-berg.yaml").write_text(
        f"basics: {{name: Ida Berg}}\npublications:\n  - {work}\n"
    )
    return Documents(good(folder.parent))


def masthead(documents: Documents, path: str) -> tuple[list[str], list[str]]:
    """The texts of its links, and which of them is marked."""
    document = documents.get(path)
    assert document is not None
    (header,) = lxml.html.fromstring(document.body).xpath("//header[contains(@class, 'masthead')]")
    return header.xpath("a[@class='home']/text() | nav/a/text()"), header.xpath(
        "nav/a[@aria-current]/text()"
    )


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("index.html", []),
        ("people/arpan-jain.html", ["People"]),
        ("publications/index.html", ["Publications"]),
        ("venues/icml.html", []),
        ("sparql.html", ["Ask"]),
        ("404.html", []),
    ],
)
def test_the_masthead_has_five_links_and_marks_where_one_is(
    documents: Documents, path: str, marked: list[str]
) -> None:
    links = ["People", "Publications", "Organisations", "Topics", "Ask"]
    assert masthead(documents, path) == ([documents.graph.site.title, *links], marked)


@pytest.mark.parametrize(
    ("path", "name", "marked"),
    [
        ("index.html", [], ["CV"]),
        ("publications/index.html", ["Ida's site"], ["Publications"]),
        ("sparql.html", ["Ida's site"], ["Ask"]),
    ],
)
def test_a_site_of_one_has_three_links_and_its_start_no_name(
    one: Documents, path: str, name: list[str], marked: list[str]
) -> None:
    assert masthead(one, path) == ([*name, "CV", "Publications", "Ask"], marked)


def test_the_colophon_tells_source_date_whom_to_write_and_the_page_as_data(
    documents: Documents,
) -> None:
    document = documents.get("people/arpan-jain.html")
    assert document is not None
    told, data = lxml.html.fromstring(document.body).xpath("//footer/p")
    assert told.text_content().startswith("Facts from Curriculum vitae of Arpan Jain, June 2025, ")
    assert " Last changed " in told.text_content()
    assert told.text_content().endswith("to have something corrected or removed.")
    assert data.text_content().startswith("This page as data: Turtle, JSON-LD, N-Triples, RDF/XML")
    for address in data.xpath("a[@type]/@href"):
        assert f"people/{address.rpartition('/')[2]}" in documents.files


def test_a_missing_page_says_so_and_leads_back(documents: Documents) -> None:
    page = lxml.html.fromstring(
        documents.pages.error("people/x", "Title.", "Reason.", ["orgs/osu"])
    )
    links = [(link.text, link.get("href")) for link in page.xpath("//main//a")]
    assert links == [
        ("The Ohio State University", "../orgs/osu.html"),
        ("Search the site", "../search.html"),
        ("to the start", "../"),
    ]
