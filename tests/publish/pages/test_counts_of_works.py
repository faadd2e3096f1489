"""A preprint and its article count once: page, list, network, answer and question agree."""

from __future__ import annotations

from collections.abc import Mapping

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.questions.questions import starter_query
from kg.publish.site import Documents
from kg.settings import query
from kg.sparql.reading.questions import read_question
from tests.conftest import ROOT

SITE = "base: https://two.example.org/\ntitle: Two\n"
ADA = """basics: {name: Ada Berg}
publications:
  - {title: Thin Ice, kind: journal, journal: Annals of Ice, year: 2022,
     authors: [Ada Berg, Bo Ek, Cy Dahl], basedOn: berg-2021-thin}
  - {title: Thin Ice in Draft, kind: preprint, status: preprint, year: 2021,
     authors: [Ada Berg, Bo Ek, Di Falk]}
  - {title: Old Ice, kind: journal, journal: Annals of Ice, year: 2019, authors: [Bo Ek, Ada Berg]}
patents: [ice-saw]
"""
PATENTS = (
    "ice-saw: {title: Ice Saw, kind: patent, year: 2018, authors: [Ada Berg, Bo Ek, Ed Frost]}\n"
)
WORKS = {"Bo Ek": 2, "Cy Dahl": 1, "Di Falk": 1}  # Di Falk is an author of the preprint only


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("counts")
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    (folder / "data" / "patents.yaml").write_text(PATENTS, encoding="utf-8")
    (folder / "data" / "cv" / "ada.yaml").write_text(ADA, encoding="utf-8")
    return Documents(good(folder))


def test_a_preprint_and_its_article_count_once(pages: Documents) -> None:
    assert section(pages) == list_of_people(pages) == WORKS
    assert answer(pages, "coauthors-of") == answer(pages, "coauthors") == WORKS
    rows = pages.graph.memory.select(query("pages/explore"))
    assert {row["otherName"].value: int(row["works"].value) for row in rows} == WORKS


def test_a_person_has_as_many_works_as_the_report_of_the_years(pages: Documents) -> None:
    years = pages.graph.memory.select(question("papers-per-year"))
    assert {row["year"].value: row["works"].value for row in years} == {"2019": "1", "2022": "1"}
    assert (
        len(
            texts(
                pages,
                "people/ada.html",
                "//section[@id='section-works']//li[contains(@class, 'work')]",
            )
        )
        == 2
    )


def test_the_home_page_and_the_first_queries_count_the_same(pages: Documents) -> None:
    numbers = texts(pages, "index.html", "//ul[@class='numbers']/li")
    rows = pages.graph.memory.select(query("pages/lists"))
    works = {row["itemName"].value: row["note"].value for row in rows}
    assert works["Publications"] == "2", numbers
    first = pages.graph.memory.select(pages.pages.example)
    counts = {row["name"].value: int(row["works"].value) for row in first}
    assert counts == {"Ada Berg": 2, **WORKS}
    asked = pages.graph.memory.select(starter_query("people/ada", "Ada Berg", wrote=True))
    assert {row["name"].value: int(row["works"].value) for row in asked} == WORKS


def question(name: str, **values: str) -> str:
    text = (ROOT / "queries" / f"{name}.rq").read_text(encoding="utf-8")
    return read_question(name, text).filled(values)


def answer(pages: Documents, name: str) -> Mapping[str, int]:
    values = {"person": "<people/ada#it>"} if name == "coauthors-of" else {}
    found = pages.graph.memory.select(question(name, **values))
    return {row["coauthor"].value: int(row["works"].value) for row in found}


def section(pages: Documents) -> Mapping[str, int]:
    found = texts(pages, "people/ada.html", "//section[@id='section-coauthors']//li")
    parts = (text.strip(" ,").rpartition("\N{NO-BREAK SPACE}") for text in found)
    return {name: int(number) for name, _, number in parts}


def list_of_people(pages: Documents) -> Mapping[str, int]:
    found = texts(pages, "people/index.html", "//li[span[@class='note']]")
    return {name: int(number) for text in found for name, _, number in [text.rpartition(" ")]}


def texts(pages: Documents, path: str, place: str) -> list[str]:
    document = pages.get(path)
    assert document is not None
    page = lxml.html.document_fromstring(document.body.decode())
    return [" ".join(each.text_content().split(" ")).strip() for each in page.xpath(place)]
