"""The frame of every page: masthead, colophon, errors."""

from __future__ import annotations

import re
from pathlib import Path

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.document import FONT, static_body
from kg.publish.pages import frame
from kg.publish.site import Documents
from tests.conftest import skip


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


def body_of(documents: Documents, path: str) -> bytes:
    document = documents.get(path)
    assert document is not None
    return document.body


def preloaded(page: bytes) -> list[str]:
    return [str(each) for each in lxml.html.fromstring(page).xpath("//link[@rel='preload']/@href")]


def masthead(documents: Documents, path: str) -> tuple[list[str], list[str]]:
    """The texts of its links, and which of them is marked."""
    (header,) = lxml.html.fromstring(body_of(documents, path)).xpath(
        "//header[contains(@class, 'masthead')]"
    )
    return header.xpath("a[@class='home']/text() | nav/a/text()"), header.xpath(
        "nav/a[@aria-current]/text()"
    )


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("index.html", []),
        ("people/alvar-jarl.html", ["People"]),
        ("publications/index.html", ["Publications"]),
        ("venues/icml.html", []),
        ("sparql.html", ["Explore"]),
        ("404.html", []),
    ],
)
def test_the_masthead_has_five_links_and_marks_where_one_is(
    documents: Documents, path: str, marked: list[str]
) -> None:
    links = ["People", "Publications", "Organisations", "Topics", "Explore"]
    assert masthead(documents, path) == ([documents.graph.site.title, *links], marked)


@pytest.mark.parametrize(
    ("path", "name", "marked"),
    [
        ("index.html", [], ["CV"]),
        ("publications/index.html", ["Ida's site"], ["Publications"]),
        ("sparql.html", ["Ida's site"], ["Explore"]),
    ],
)
def test_a_site_of_one_has_three_links_and_its_start_no_name(
    one: Documents, path: str, name: list[str], marked: list[str]
) -> None:
    assert masthead(one, path) == ([*name, "CV", "Publications", "Explore"], marked)


def test_the_colophon_tells_source_date_whom_to_write_and_the_page_as_data(
    documents: Documents,
) -> None:
    told, data = lxml.html.fromstring(body_of(documents, "people/alvar-jarl.html")).xpath(
        "//footer/p"
    )
    assert told.text_content().startswith(
        "Buoys and their work. Sources: Curriculum vitae of Alvar Jarl, June 2025, "
    )
    assert re.search(r"Updated [A-Z][a-z]{2}.\d{4}\.", told.text_content())
    assert " Corrections: " in told.text_content()
    assert data.text_content().startswith("Formats: Turtle, JSON-LD, N-Triples, RDF/XML")
    for address in data.xpath("a[@type]/@href"):
        assert f"people/{address.rpartition('/')[2]}" in documents.files


def test_a_missing_page_says_so_and_leads_back(documents: Documents) -> None:
    page = lxml.html.fromstring(
        documents.pages.error("people/x", "Title.", "Reason.", ["orgs/osu"])
    )
    links = [(link.text, link.get("href")) for link in page.xpath("//main//a")]
    assert links == [
        ("The Orla State University", "../orgs/osu.html"),
        ("Search", "../search.html"),
        ("Home page", "../"),
    ]


@pytest.mark.slow  # `make quick` runs without the packages of `make editor`
def test_every_page_loads_the_font_first_and_it_is_light(documents: Documents) -> None:
    if not documents.pages.font:
        skip("the font was not made; `make editor` does it where there is npm")
    fonts = {
        path: len(body_of(documents, path)) for path in documents.files if path.endswith(".woff2")
    }
    assert fonts[FONT] < 30_000
    assert sum(fonts.values()) < 80_000
    style = static_body("static/style.css").decode()
    assert all(f"url({Path(path).name})" in style for path in fonts)
    assert b"SIL OPEN FONT LICENSE" in body_of(documents, "static/source-serif-licence.txt")
    for path in ("people/alvar-jarl.html", "404.html"):
        (link,) = preloaded(body_of(documents, path))
        assert link.endswith(FONT)


def test_without_the_font_nothing_is_loaded(
    one: Documents, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(frame, "STATIC", tmp_path)
    assert preloaded(Documents(one.graph).pages.error("", "Title.", "Reason.")) == []


def test_a_page_is_ascii_up_to_where_it_says_how_it_is_encoded(documents: Documents) -> None:
    start, said, _ = body_of(documents, "people/alvar-jarl.html").partition(b'charset="utf-8"')
    assert said and start.isascii() and len(start) < 1024 - len(said)
    assert "Alvar Jarl · Curriculum vitae · " in lxml.html.fromstring(start).get("data-run")


@pytest.mark.parametrize(
    "path",
    ["index.html", "people/index.html", "people/alvar-jarl.html", "search.html", "sparql.html"],
)
def test_every_page_names_whom_to_write_to(documents: Documents, path: str) -> None:
    (footer,) = lxml.html.fromstring(body_of(documents, path)).xpath("//footer")
    assert footer.xpath("string(.//a[starts-with(@href, 'mailto:')])") == (
        "corrections@cv.example.org"
    )
