"""The head of a person's page: names, contact and profiles that are public; and texts in several
languages, of which a page shows the plain one.
"""

from __future__ import annotations

import pytest
from lxml import html

from kg.check.check import good
from kg.publish.search.index import index
from kg.publish.site import Documents
from tests.cases import FOLDER, site


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = site(FOLDER / "basics-everything", tmp_path_factory.mktemp("site"))
    cv = folder / "data" / "cv" / "ada.yaml"
    texts = (FOLDER / "texts-in-languages" / "cv.yaml").read_text(encoding="utf-8")
    more = texts.partition("work:\n")[2]
    spoken = (FOLDER / "languages-spoken" / "cv.yaml").read_text(encoding="utf-8")
    cv.write_text(
        f"language: no\n{cv.read_text(encoding='utf-8')}work:\n{more}"
        + spoken.partition("\n")[2].replace(", source: paper-cv", ""),
        encoding="utf-8",
    )
    (folder / "static").mkdir()
    return Documents(good(folder))


@pytest.fixture(scope="module")
def page(documents: Documents) -> html.HtmlElement:
    document = documents.get("people/ada.html")
    assert document is not None
    return html.document_fromstring(document.body.decode())


def lines(page: html.HtmlElement) -> dict[str, str]:
    return {
        each.findtext("dt"): "; ".join(value.text_content() for value in each.findall("dd"))
        for each in page.xpath("//dl[@class='facts']/div")
    }


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("E-mail", "ada@example.org (work)"),
        ("Office", "Old mill, room 2"),
        ("Born", "Apr 1985"),
        ("Nationality", "Sweden"),
        ("Gender", "female"),
        ("Middle name", "Maria"),
        ("Formerly", "Ada Quist"),
        ("Also written", "A. Berg, Ada B., Ада Берг"),
        ("Speaks", "German (C1, Reading C2, writing B2), English, Swedish (Native)"),
        ("Website", "ada.example.org, sand.example.org (Sand lab)"),
        ("Metrics", "Grains counted 1200000, h-index 21 (Jan 2026)"),
    ],
)
def test_a_line_of_the_head(page: html.HtmlElement, word: str, shown: str) -> None:
    assert lines(page)[word] == shown


def test_profiles_and_identifiers_are_named_links(page: html.HtmlElement) -> None:
    links = {link.text: link.get("href") for link in page.xpath("//dl[@class='facts']//a")}
    assert links["GitHub"] == "https://github.com/ada"
    assert links["Mastodon"] == "https://sand.example/@ada"
    assert links["Ada on sand"] == "https://talks.example.org/ada"
    assert links["ISNI 000000012146438X"] == "https://isni.org/isni/000000012146438X"
    assert "Staff number A-77" in lines(page)["Elsewhere"]


def test_the_name_stands_with_its_titles_and_pronouns(page: html.HtmlElement) -> None:
    assert page.findtext(".//h1") == "Ada Berg"
    assert page.findtext(".//p[@class='style']") == "Dr. Ada Berg, FRS · she/her"


def test_a_page_shows_the_plain_one_of_several_languages(page: html.HtmlElement) -> None:
    text = page.find(".//main").text_content()
    for plain, other in [("Sandteller", "Sand counter"), ("Om sand", "On sand")]:
        assert plain in text
        assert other not in text


def test_a_private_contact_is_on_no_page(documents: Documents) -> None:
    document = documents.get("people/ada.html")
    assert document is not None
    assert b"home.example" not in document.body


def test_search_finds_former_names_and_other_scripts(documents: Documents) -> None:
    found = index(documents.graph.memory, documents.graph.site.base)
    for name in ("Quist", "Ада"):
        hits, _ = found.find(name)
        assert hits[0].entry.name == "Ada Berg"
