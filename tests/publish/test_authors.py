"""Authors that are organisations, and works whose authors are not all known: on pages, in
citations, in JSON-LD and in the answers to questions.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.check.check import check, good
from kg.publish.site import Documents

CV = """\
basics: {name: Ada Berg}
publications:
  - title: Jets in Sand
    kind: journal
    journal: Sand
    year: 2021
    authors: [{organization: ATLAS Collaboration}, Ada Berg, Office for Sand]
    editors: [{organization: Sand Watch}]
  - {title: Dunes, kind: journal, journal: Sand, year: 2020, authors: [Ada Berg, Bo Ek]}
  - {title: Grains, kind: journal, journal: Sand, year: 2019, authors: [Ada Berg]}
  - {title: Hills, kind: journal, journal: Sand, year: 2018, authors: [Ada Berg], moreAuthors: true}
  - title: Bars
    kind: journal
    journal: Sand
    year: 2016
    authors: [{organization: ATLAS Collaboration}]
    contributors: [{as: Ada Berg, role: Member of the collaboration}]
  - {title: Wind, kind: blog, year: 2017, authors: [Ada Berg], moreAuthors: unknown}
"""
OFFICE = "office: {name: Office for Sand}\n"
JETS, OWN = "publications/atlas-collaboration-2021-jets", "people/ada-berg"


@pytest.fixture
def written(site: Path) -> Path:
    (site / "data/cv/ada-berg.yaml").write_text(CV, encoding="utf-8")
    (site / "data/organizations.yaml").write_text(OFFICE, encoding="utf-8")
    return site


@pytest.fixture
def documents(written: Path) -> Documents:
    return Documents(good(written))


def text(documents: Documents, path: str) -> str:
    found = documents.get(path)
    assert found, path
    return found.body.decode()


def test_an_organisation_is_cited_as_it_is_called(documents: Documents) -> None:
    bib = text(documents, f"{JETS}.bib")
    assert "author = {{ATLAS Collaboration} and Berg, Ada and {Office for Sand}}" in bib
    assert "editor = {{Sand Watch}}" in bib
    (item,) = json.loads(text(documents, f"{JETS}.csl.json"))
    assert item["author"] == [
        {"literal": "ATLAS Collaboration"},
        {"family": "Berg", "given": "Ada"},
        {"literal": "Office for Sand"},
    ]
    page = text(documents, f"{JETS}.md")
    assert "ATLAS Collaboration, Berg, A., & Office for Sand (2021)" in page
    assert re.findall(r"^AU  - (.*)", page, re.MULTILINE) == [
        "ATLAS Collaboration",
        "Berg, Ada",
        "Office for Sand",
    ]


def test_an_organisation_has_a_page_among_organisations(documents: Documents) -> None:
    page = text(documents, "orgs/atlas-collaboration.md")
    assert "# ATLAS Collaboration" in page
    assert "Jets in Sand" in page
    assert "ATLAS Collaboration" in text(documents, "orgs/index.md")
    assert "Collaboration" not in text(documents, "people/index.md")
    assert documents.get("people/atlas-collaboration") is None


def test_an_organisation_is_no_co_author(documents: Documents, written: Path) -> None:
    section = text(documents, f"{OWN}.md").partition("## Co-authors")[2]
    assert "Bo Ek" in section
    assert "ATLAS" not in section
    site = kg.open(written)
    for question in ("coauthors", "coauthors-of", "recent-collaborators"):
        given = {"person": "ada-berg", "date": "2022-01-01"}
        wanted: dict[str, Any] = {} if question == "coauthors" else given
        if question == "coauthors-of":
            wanted = {"person": "ada-berg"}
        assert "Bo Ek" in str(answers := site.ask(question, **wanted))
        assert "ATLAS" not in str(answers)


def test_json_ld_says_organization_at_its_place(documents: Documents) -> None:
    page = text(documents, f"{JETS}.html")
    (script,) = re.findall(r"<script type=.?application/ld\+json.?>(.*?)</script>", page, re.DOTALL)
    authors = json.loads(script)["mainEntity"]["author"]
    assert [(each["@type"], each["name"]) for each in authors] == [
        ("Organization", "ATLAS Collaboration"),
        ("Person", "Ada Berg"),
        ("Organization", "Office for Sand"),
    ]


def test_a_work_with_unknown_authors_is_not_alone(written: Path) -> None:
    (row,) = kg.open(written).ask("author-positions", person="ada-berg")
    found = {name: row[name] for name in ("works", "alone", "first", "between", "last")}
    # Grains alone; Dunes and Hills (et al.) first; Jets between; of Wind nobody knows.
    assert found == {"works": 5, "alone": 1, "first": 2, "between": 1, "last": 0}


def test_the_check_says_which_authors_are_missing(written: Path) -> None:
    found = [each for each in check(written).problems if each.rule == "publication-authors-unknown"]
    assert [each.place.line for each in found] == [18]


def test_a_work_of_a_collaboration_is_on_the_page_of_its_member(documents: Documents) -> None:
    page = text(documents, f"{OWN}.md")
    own, _, contributed = page.partition("## Contributions to works 1")
    assert "Jets in Sand" in own
    assert "Bars" not in own
    assert "**Ada Berg (member of the collaboration)**" in contributed
