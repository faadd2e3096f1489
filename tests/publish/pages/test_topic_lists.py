"""Lists and counts of topics show what a work, a grant, a course or an interest names, or what two
people name. A skill of one CV is a skill: it has an address, and is in none of them.
"""

from __future__ import annotations

from pathlib import Path

import lxml.html
import pytest

import kg
from kg.check.check import good
from kg.errors import UnknownName
from kg.publish.search.index import index
from kg.publish.site import Documents

SITE = "base: https://lab.example.org/\ntitle: Lab\n"
ADA = """basics: {name: Ada Berg}
skills: [Rust, Python, Snow cores, {name: Field work, keywords: [Skiing, Radar]}]
interests: [Sea ice]
education:
  - {institution: University of Oslo, studyType: PhD, area: Glaciology}
publications:
  - {title: Thin Ice, kind: journal, journal: Annals of Ice, year: 2022,
     keywords: [Snow cores], authors: [Ada Berg]}
"""
BO = "basics: {name: Bo Ek}\nskills: [Python, Radar, Cooking]\n"
LISTED = ["Glaciology", "Python", "Radar", "Sea ice", "Snow cores"]
ONLY_SKILLS = ["Cooking", "Rust", "Skiing"]


def site(folder: Path, **cvs: str) -> Documents:
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    for name, text in cvs.items():
        (folder / "data" / "cv" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return Documents(good(folder))


def page_at(pages: Documents, path: str) -> lxml.html.HtmlElement:
    document = pages.get(path)
    assert document is not None
    return lxml.html.document_fromstring(document.body.decode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("topics")


@pytest.fixture(scope="module")
def pages(folder: Path) -> Documents:
    return site(folder, ada=ADA, bo=BO)


def test_the_list_of_topics(pages: Documents) -> None:
    page = page_at(pages, "topics/index.html")
    assert page.xpath("//main//section//li/a/text()") == LISTED


def test_the_home_page_counts_the_same(pages: Documents) -> None:
    page = page_at(pages, "index.html")
    assert "5 topics" in " ".join(page.find(".//main").text_content().split())


def test_the_search_finds_a_skill_by_its_person(pages: Documents) -> None:
    found = index(pages.graph.memory, pages.graph.site.base)
    assert {hit.entry.name for hit in found.find("Python")[0]} == {"Python", "Ada Berg", "Bo Ek"}
    assert {hit.entry.name for hit in found.find("Rust")[0]} == {"Ada Berg"}


def test_lists_of_the_api_and_questions_about_topics(pages: Documents, folder: Path) -> None:
    opened = kg.open(folder)
    assert [topic.name for topic in opened.topics] == LISTED
    assert opened.ask("who-to-ask", topic="Radar")
    with pytest.raises((UnknownName, kg.errors.BadValue), match="unknown topic"):
        opened.ask("who-to-ask", topic="Rust")


def test_the_graph_has_all_skills(pages: Documents, folder: Path) -> None:
    skills = {row["skill"] for row in kg.open(folder).ask("skills")}
    assert {str(skill) for skill in skills} == {"Python", "Radar", "Snow cores", *ONLY_SKILLS}
    for name in ONLY_SKILLS:
        assert page_at(pages, f"topics/{name.lower()}.html").findtext(".//h1") == name


def test_without_such_topics_nothing_leads_to_their_list(tmp_path: Path) -> None:
    pages = site(tmp_path, bo=BO, ada="basics: {name: Ada Berg}\n")
    assert page_at(pages, "topics/index.html").findtext(".//h1") == "Topics"
    for path in ("index.html", "search.html", "people/bo.html"):
        page = page_at(pages, path)
        assert not [link for link in page.xpath("//@href") if link.endswith("topics/index.html")]
