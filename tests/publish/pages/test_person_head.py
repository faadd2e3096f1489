"""The head of a person's page: names, contact and profiles that are public; and texts in several
languages, of which a page shows the plain one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from lxml import html

from kg.check.check import good
from kg.facts.values.person_identifiers import SCHEMES
from kg.facts.values.social_networks import NETWORKS
from kg.publish.document import STATIC
from kg.publish.formats.urls import Cell, Link
from kg.publish.pages import person_head
from kg.publish.pages.person_head import ICONS, is_implied, marks, named_by
from kg.publish.search.index import index
from kg.publish.site import Documents
from tests.cases import FOLDER, site
from tests.conftest import ROOT

MARKS = ROOT / "kg" / "publish" / "style" / "marks.json"


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
        ("Born", "Apr\N{NO-BREAK SPACE}1985"),
        ("Nationality", "Sweden"),
        ("Gender", "female"),
        ("Middle name", "Maria"),
        ("Languages", "German (C1, Reading C2, writing B2), English, Swedish (native)"),
        ("Grains counted", "1200000"),
        ("h-index", "21 (Jan 2026)"),
        ("Identifiers", "Staff number A-77"),
    ],
)
def test_a_line_of_the_head(page: html.HtmlElement, word: str, shown: str) -> None:
    assert lines(page)[word] == shown


def test_contact_and_profiles_are_named_links_with_icons(page: html.HtmlElement) -> None:
    found = {
        each.text_content(): (
            each.find(".//use").get("href").partition("#")[2]
            if each.find(".//use") is not None
            else each.find(".//path").get("d"),
            each.find("a").get("href") if each.find("a") is not None else None,
        )
        for each in page.xpath("//ul[@class='contact']/li")
    }
    assert found["ada@example.org (work)"] == ("mail", "mailto:ada@example.org")
    assert found["Old mill, room 2"] == ("pin", None)
    assert found["sand.example.org (Sand lab)"] == ("web", "https://sand.example.org/")
    assert found["GitHub"] == (marks().get("GitHub", "code"), "https://github.com/ada")
    assert found["Mastodon"] == (marks().get("Mastodon", "talk"), "https://sand.example/@ada")
    assert found["Ada on sand"] == ("link", "https://talks.example.org/ada")
    assert found["ISNI"] == ("number", "https://isni.org/isni/000000012146438X")


def test_every_icon_is_drawn() -> None:
    drawn = html.document_fromstring((STATIC / "icons.svg").read_bytes())
    icons = {each.get("id") for each in drawn.iter("symbol")}
    assert {*ICONS.values(), "mail", "phone", "pin", "web", "link", "print", "paper"} <= icons
    titles = {each.title for each in (*NETWORKS.values(), *SCHEMES.values())}
    assert set(ICONS) <= titles


@pytest.mark.slow  # `make quick` runs without the packages of `make editor`
@pytest.mark.skipif(not MARKS.is_file(), reason="npm is not installed, or make editor was not run")
def test_marks_are_those_of_the_network() -> None:
    titles = {each.title for each in (*NETWORKS.values(), *SCHEMES.values())}
    assert {"GitHub", "ORCID", "Google Scholar", "Mastodon", "X"} <= marks().keys() <= titles
    drawn = json.loads(MARKS.read_text(encoding="utf-8"))
    assert marks()["X"] == drawn["twitter"]
    assert all(re.fullmatch(r"[MmLlHhVvCcSsQqTtAaZz0-9 ,.-]+", path) for path in drawn.values())


def test_without_marks_icons_are_general(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person_head, "marks", dict)
    document = Documents(good(example)).get("people/ada-lindqvist.html")
    assert document is not None
    assert 'icons.svg#code"/></svg>GitHub' in document.body.decode()


@pytest.mark.parametrize(("count", "sections"), [(6, 0), (7, 1)])
def test_a_few_topics_are_in_the_head_and_many_are_a_section(
    tmp_path: Path, count: int, sections: int
) -> None:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text("base: https://a.example.org/\ntitle: A\n")
    topics = ", ".join(f"Sand {number}" for number in range(count))
    (tmp_path / "data" / "cv" / "ada.yaml").write_text(
        f"basics: {{name: Ada Berg}}\ninterests: [{topics}]\n"
    )
    document = Documents(good(tmp_path)).get("people/ada.html")
    assert document is not None
    page = html.document_fromstring(document.body.decode())
    assert len(page.xpath("//p[@class='topics']")) == 1 - sections
    assert len(page.xpath("//section[@id='section-interests']")) == sections
    assert len(page.xpath("//main//a[contains(@href, 'topics/sand')]")) == count


def test_the_name_stands_with_its_other_forms(page: html.HtmlElement) -> None:
    (title,) = page.iter("h1")
    assert title.text_content() == "Dr. Ada Berg (she/her)"
    (native,) = page.xpath("//p[@class='native']/bdi")
    assert (native.text, native.get("lang")) == ("Ада Берг", "ru")
    (line,) = page.xpath("//p[@class='names']")
    assert line.text_content() == "FRS · formerly Ada Quist · publishes as A. Berg, Ada B."


@pytest.mark.parametrize(
    ("label", "is_shown"),
    [
        ("Researcher, Tide Lab", True),
        ("researcher", True),
        ("Researcher of waves, Tide Lab", False),
        ("Oceanographer", False),
    ],
)
def test_a_label_that_says_no_more_than_a_post_is_left_out(label: str, is_shown: bool) -> None:
    post: list[Cell] = ["Researcher", Link("Waves", "orgs/waves.html"), Link("Tide Lab", "")]
    assert is_implied(label, [["Diver"], post]) is is_shown


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("Professor of Geology, Tide Lab", [0]),
        ("Geologist and diver", [1]),
        ("Head of the Sand Club", [2]),
        ("Poet", []),
    ],
)
def test_the_head_has_the_positions_that_the_label_names(label: str, shown: list[int]) -> None:
    posts: list[list[Cell]] = [
        ["Professor", Link("Tide Lab", "orgs/tide-lab.html")],
        ["Diver", Link("Sea Watch", "orgs/sea-watch.html")],
        ["Chair", Link("Sand Club", "orgs/sand-club.html")],
    ]
    assert named_by([label], posts) == [posts[number] for number in shown]


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
