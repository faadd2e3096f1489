"""The head of a page: how a work is cited, as its author wrote it; how a page looks when it is
shared; nothing breaks out.
"""

from __future__ import annotations

import json
from pathlib import Path

import lxml.html
import pytest

import kg
from kg.check.check import good
from kg.facts.yaml.reader import read
from kg.publish.formats.media import DATA_SUFFIXES, MARKDOWN
from kg.publish.formats.urls import file_of
from kg.publish.site import Documents
from tests.conftest import LARGE_SITE, ROOT

pytestmark = pytest.mark.sample(quick=0.2)

HOSTILE = "\"><script>alert(1)</script>' & \\ \u2028🦉 \u202eadA\u202c"


def head(documents: Documents, address: str) -> lxml.html.HtmlElement:
    document = documents.get(file_of(address, ".html"))
    assert document is not None
    return lxml.html.fromstring(document.body).find("head")


def metas(documents: Documents, address: str, attribute: str = "name") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for meta in head(documents, address).findall("meta"):
        if meta.get(attribute):
            found.setdefault(meta.get(attribute), []).append(meta.get("content"))
    return found


@pytest.fixture(scope="module")
def small() -> Documents:
    return Documents(good(ROOT / "kg" / "example"))


def works() -> dict[str, dict[str, object]]:
    files = sorted((LARGE_SITE / "data" / "publications").glob("*.yaml"))
    return {
        slug: work
        for path in files
        for slug, work in (read(path.name, path.read_bytes())[0] or {}).items()
        if slug != "sources"
    }


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.proof)])
def test_works_are_cited_as_they_are_written(documents: Documents, step: int) -> None:
    written = works()
    assert len(written) == 79
    for slug, work in [*written.items()][::step]:
        found = metas(documents, f"publications/{slug}")
        authors = work["authors"]
        assert isinstance(authors, list)
        assert found["citation_title"] == [work["title"]], slug
        assert found["citation_author"] == [
            author.get("as") or author if isinstance(author, dict) else author for author in authors
        ]
        date = str(work.get("date") or work.get("year") or "")
        if not date and (arxiv := str(work.get("arxiv") or "")):
            date = f"20{arxiv[:2]}-{arxiv[2:4]}"
        assert found.get("citation_publication_date", [""]) == [date.replace("-", "/")]
        assert found.get("citation_doi", [None]) == [work.get("doi")]
        assert found.get("citation_arxiv_id", [None]) == [work.get("arxiv")]
        assert ("citation_pdf_url" in found) == str(work.get("url")).endswith(".pdf")
        assert ("citation_journal_title" in found) == (work["kind"] == "journal")
        assert ("citation_conference_title" in found) == (
            work["kind"] != "journal" and "venue" in work and "year" in work
        )


def test_an_article_names_its_journal_volume_issue_and_pages(small: Documents) -> None:
    found = metas(small, "publications/lindqvist-2024-sand")
    assert {name: values for name, values in found.items() if name.startswith("citation_")} == {
        "citation_title": ["Where the Sand Stops: Bed Load in a Regulated River"],
        "citation_author": ["A. Lindqvist", "N. Haddad", "T. Ferreira"],
        "citation_publication_date": ["2024"],
        "citation_journal_title": ["Journal of Sand"],
        "citation_volume": ["12"],
        "citation_issue": ["3"],
        "citation_firstpage": ["101"],
        "citation_lastpage": ["119"],
        "citation_pdf_url": ["https://ada.example.org/where-the-sand-stops.pdf"],
        "citation_keywords": ["Regulated rivers", "Sediment transport"],
    }
    assert found["description"] == [
        "A. Lindqvist, N. Haddad, T. Ferreira: Journal of Sand 12(3), 2024."
    ]


def test_reports_and_theses_name_their_institution(small: Documents) -> None:
    report, thesis = (
        metas(small, f"publications/{slug}")
        for slug in ("haddad-2020-stations", "lindqvist-2022-thesis")
    )
    assert report["citation_technical_report_institution"] == ["Delta Works"]
    assert report["citation_technical_report_number"] == ["DW-20-7"]
    assert thesis["citation_dissertation_institution"] == ["Northfjord University"]
    assert thesis["description"] == ["Ada Lindqvist: Northfjord University, 2022."]


def test_only_works_are_cited(documents: Documents) -> None:
    for address in ("", "people/", "people/alvar-jarl", "orgs/osu", "venues/sc", "terms/cv"):
        assert not [name for name in metas(documents, address) if name.startswith("citation_")]


@pytest.mark.parametrize("step", [40, pytest.param(7, marks=pytest.mark.proof)])
def test_every_page_can_be_shared(documents: Documents, step: int) -> None:
    types = set()
    for address in sorted(documents.addresses)[::step]:
        found = metas(documents, address, "property")
        assert found["og:url"] == [documents.base + address]
        assert found["og:site_name"] == [documents.graph.site.title]
        assert len(found["og:title"]) == len(found["og:type"]) == 1
        kind = found["og:type"][0]
        assert (kind == "profile") == (address.startswith("people/") and address != "people/"), (
            address
        )
        types.add(kind)
    assert types == {"profile", "article", "website"}


def test_a_person_and_a_work_say_more_when_they_are_shared(documents: Documents) -> None:
    person = metas(documents, "people/alvar-jarl", "property")
    assert (person["profile:first_name"], person["profile:last_name"]) == (["Alvar"], ["Jarl"])
    assert person["og:description"] == metas(documents, "people/alvar-jarl")["description"]
    work = metas(documents, "publications/jarl-2020-lagoons", "property")
    assert work["article:published_time"] == ["2020-11"]
    assert work["og:description"] == [
        "A. Jarl, A. Arvik, A. Alboruve and others: Proceedings of SC 2020, Nov 2020."
    ]


def test_the_twins_are_linked(documents: Documents) -> None:
    links = head(documents, "people/alvar-jarl").findall("link")
    assert [link.get("href") for link in links if link.get("rel") == "canonical"] == [
        f"{documents.base}people/alvar-jarl"
    ]
    twins = {
        link.get("type"): link.get("href")
        for link in links
        if link.get("rel") == "alternate describedby"
    }
    assert twins == {
        media: f"../people/alvar-jarl{suffix}" for suffix, media in DATA_SUFFIXES.items()
    }
    [markdown] = [link for link in links if link.get("type") == MARKDOWN]
    assert markdown.get("rel") == "alternate", "it describes nothing, but says what the page says"
    assert markdown.get("href") == "../people/alvar-jarl.md"


def test_nothing_breaks_out_of_the_head(example: Path) -> None:
    path = example / "data" / "publications.yaml"
    untitled = HOSTILE.replace("script", "scripts")  # a title with HTML in it is refused
    hostile, title, summary = (
        json.dumps(text, ensure_ascii=False).replace("\u2028", r"\u2028")
        for text in (HOSTILE, untitled, f"``{HOSTILE}``")
    )
    text = path.read_text(encoding="utf-8").replace(
        "title: Cheap Gauges for Long Rivers",
        f"title: {title}\n  summary: {summary}",
    )
    path.write_text(
        text.replace(
            "[T. Ferreira, A. Lindqvist]",
            f"[T. Ferreira, {{person: ada-lindqvist, as: {hostile}}}]",
        ),
        encoding="utf-8",
    )
    documents = Documents(good(example))
    line, named = " ".join(HOSTILE.split()), " ".join(untitled.split())
    found, shared = (
        metas(documents, "publications/ferreira-2021-gauges", kind) for kind in ("name", "property")
    )
    assert (found["citation_title"], found["citation_author"]) == (
        [named],
        ["T. Ferreira", line],
    )
    assert (shared["og:title"], shared["og:description"], found["description"]) == (
        [named],
        [line],
        [line],
    )
    assert len(head(documents, "publications/ferreira-2021-gauges").xpath("script[not(@src)]")) == 1


def test_a_signature_written_by_hand_may_lack_its_name(example: Path) -> None:
    said = (
        "<publications/haddad-2020-stations#it> <http://schema.org/creator> "
        "<publications/haddad-2020-stations#author-9> .\n"
    )
    said += (
        "<publications/haddad-2020-stations#author-9> a <http://schema.org/Role> ; "
        '<http://schema.org/roleName> "Author" .\n'
    )
    (example / "data" / "more.ttl").write_text(said, encoding="utf-8")
    documents = Documents(kg.build(kg.load(example)))
    assert metas(documents, "publications/haddad-2020-stations")["citation_author"] == [
        "N. Haddad",
        "A. Lindqvist",
    ]
