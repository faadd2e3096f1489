"""What both sides can say comes back: a CV is exported, imported, and says the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kg.facts.bibliography.bibliographies import read_bibliography
from kg.files.atomic import replace_files
from kg.plugins.exchange.draft import Draft, SourceRecord
from kg.plugins.exchange.formats import format_named
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.writers.public_cv import TOP, PublicCv
from kg.text.markdown import plain_title
from tests.plugins.exchange.exported_site import PEOPLE, cv_in, write_site, written

FILES = {"jsonresume": "resume.json", "rendercv": "cv.yaml"}
# Letters of several scripts, and whatever quotes and escapes of a format may stumble over.
LETTERS = st.sampled_from("abcdeghilnorstuABCDEGHåéßøčşЖд森山123456789 -,.;:'\"&%@!?/()+")
TEXTS = st.text(LETTERS, min_size=3, max_size=30).map(lambda text: f"x{' '.join(text.split())}y")
NAMES = st.sampled_from(["Ice Works", "Université d'Été", "O'Neill & Söhne", "森山研究所", "A: B"])
YEARS = st.integers(1950, 2020)
DATES = YEARS.flatmap(lambda year: st.sampled_from([str(year), f"{year}-05", f"{year}-11-30"]))
LATER = YEARS.map(lambda year: str(year + 80))
ENDS = st.just("present") | LATER
LINES = st.lists(TEXTS, min_size=1, max_size=3, unique=True)
ADDRESSES = st.sampled_from(["https://ice.example.org/", "https://a.example/b?c=d&e=%20f"])
FIELDS: dict[str, dict[str, SearchStrategy[Any]]] = {
    "work": {
        "organization": NAMES,
        "position": TEXTS,
        "startDate": DATES,
        "endDate": ENDS,
        "location": NAMES,
        "url": ADDRESSES,
        "summary": TEXTS,
        "highlights": LINES,
    },
    "education": {
        "institution": NAMES,
        "area": TEXTS,
        "studyType": st.sampled_from([["Ph.D."], ["M.Sc."]]),
        "startDate": DATES,
        "endDate": LATER,
        "score": st.sampled_from(["3.9/4", "1.3"]),
        "courses": LINES,
    },
    "volunteer": {
        "organization": NAMES,
        "position": TEXTS,
        "startDate": DATES,
        "endDate": LATER,
        "highlights": LINES,
    },
    "awards": {"title": TEXTS, "date": DATES, "awarder": NAMES, "summary": TEXTS},
    "certificates": {"name": TEXTS, "date": DATES, "issuer": NAMES, "url": ADDRESSES},
    "skills": {"name": TEXTS, "keywords": LINES},
    "languages": {"language": st.sampled_from(["German", "Maori"]), "level": TEXTS},
    "interests": {"name": TEXTS, "keywords": LINES},
    "projects": {
        "name": TEXTS,
        "summary": TEXTS,
        "startDate": DATES,
        "endDate": LATER,
        "url": ADDRESSES,
    },
}
# A period has both ends: one alone is read otherwise by those who show "since 2020" for it.
NEEDED = {
    *("startDate", "endDate", "organization", "position", "institution", "studyType", "area"),
    *("title", "name", "language"),
}
BASICS = {"label": TEXTS, "summary": TEXTS, "url": ADDRESSES, "location": NAMES}
SHARED = {
    "jsonresume": FIELDS,
    "rendercv": {
        "work": {name: each for name, each in FIELDS["work"].items() if name != "url"},
        "education": {
            name: each
            for name, each in FIELDS["education"].items()
            if name not in ("score", "courses")
        },
        "projects": {name: each for name, each in FIELDS["projects"].items() if name != "url"},
        "languages": FIELDS["languages"],
    },
}


def fields(some: dict[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    needed = {name: each for name, each in some.items() if name in NEEDED}
    return st.fixed_dictionaries(
        needed, optional={name: each for name, each in some.items() if name not in needed}
    )


def cvs(name: str) -> SearchStrategy[dict[str, Any]]:
    """CVs of the fields that a format has."""
    sections = {
        section: st.lists(fields(some), min_size=1, max_size=3)
        for section, some in SHARED[name].items()
    }
    basics = st.fixed_dictionaries({"name": st.just("Hana Lind")}, optional=BASICS)
    return st.fixed_dictionaries({"basics": basics}, optional=sections)


def exportable(cv: dict[str, Any]) -> PublicCv:
    sections = {
        name: [SourceRecord(entry, f"{name}[{number}]") for number, entry in enumerate(entries)]
        for name, entries in cv.items()
        if name != "basics"
    }
    own = {"basics": [SourceRecord(cv["basics"], "basics")], TOP: [SourceRecord({})]}
    return PublicCv("hana-lind", "https://cv.example.org/", own | sections)


def read_again(data: bytes, name: str) -> Draft:
    source = SourceFile(FILES[name], FILES[name], data)
    assert format_named(name).matches(source)
    (draft,) = format_named(name).read(source)
    return draft


def same(value: Any) -> Any:
    """Without what a value knows of its source; a list of one text is the text."""
    if isinstance(value, dict):
        return {name: same(item) for name, item in value.items()}
    if isinstance(value, list):
        items = [same(item) for item in value]
        return items[0] if len(items) == 1 and isinstance(items[0], str) else items
    return str(value)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", SHARED)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_cv_comes_back(name: str, data: st.DataObject) -> None:
    cv = data.draw(cvs(name))
    exported = exportable(cv)
    draft = read_again(written(exported, name)[""], name)
    assert exported.left() == []
    assert draft.left == []
    order = draft.cv.pop("layout", {}).get("order", [])  # as the exported file has them
    assert {*order} <= {*draft.cv, "selected"}
    assert same(draft.cv) == same(cv)


@pytest.fixture(scope="module")
def hana(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("hana") / "site")


@pytest.mark.corpus
@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("slug", PEOPLE)
@pytest.mark.parametrize("name", FILES)
def test_a_real_cv_comes_back(name: str, slug: str, hana: Path, tmp_path: Path) -> None:
    """What is not in the second file is listed by the import, or private there."""
    first = written(cv_in(PEOPLE[slug] or hana, slug), name)[""]
    file = tmp_path / FILES[name]
    file.write_bytes(first)
    imported = import_files([file], tmp_path / "site", person=slug)
    replace_files(tmp_path / "site", imported.texts)
    second = written(cv_in(tmp_path / "site", slug), name)[""]
    before, after = entries_in(first, name), entries_in(second, name)
    listed = {str(left.value) for left in imported.left}
    lost = [
        entry
        for section in SURE[name]
        for entry in before.get(section, [])
        if entry not in after.get(section, []) and listed.isdisjoint(texts_in(entry))
    ]
    invented = [
        text
        for section in SURE[name]
        for text in texts_in(after.get(section, [])) - texts_in(before.get(section, []))
    ]
    assert (lost, invented) == ([], [])
    assert sum(len(before.get(section, [])) for section in SURE[name]) >= 4


# The sections that a format has entries for; people who speak for somebody are private here.
SURE = {
    "jsonresume": [*FIELDS, "publications"],
    "rendercv": [
        *("Summary", "Experience", "Education", "Publications", "Patents", "Projects", "Languages")
    ],
}


def entries_in(data: bytes, name: str) -> dict[str, list[Any]]:
    tree = json.loads(data) if name == "jsonresume" else yaml.safe_load(data)["cv"]["sections"]
    return {key: value for key, value in tree.items() if isinstance(value, list)}


def texts_in(value: Any) -> set[Any]:
    if isinstance(value, dict):
        return texts_in([*value.values()])
    return (
        {text for item in value for text in texts_in(item)} if isinstance(value, list) else {value}
    )


@pytest.mark.parametrize("slug", PEOPLE)
@pytest.mark.parametrize(("name", "file"), [("bibtex", "works.bib"), ("csl", "works.json")])
def test_works_come_back(name: str, file: str, slug: str, hana: Path) -> None:
    """By the reader of bibliographies: titles, people, dates and numbers are the same."""
    cv = cv_in(PEOPLE[slug] or hana, slug)
    rows, _ = read_bibliography(file, written(cv, name)[""])
    found = {key: row for key, row, _ in rows or ()}
    works = cv.entries("publications")
    assert {cv.cited_as[work.path] for work in works} == {*found}
    for work in works:
        row, own = found[cv.cited_as[work.path]], work.row
        assert row["title"] == plain_title(own["title"])
        assert row["kind"] == own["kind"]
        for people in ("authors", "editors"):
            assert row.get(people, []) == [called(each) for each in own.get(people, [])]
        date = str(row.get("date") or row.get("year") or "")
        stated = str(own.get("date") or own.get("year") or date)
        is_month = own["kind"] == "preprint" and date.startswith(stated)  # of its arXiv number
        assert stated.startswith(date) or is_month
        for field in ("doi", "arxiv", "pages", "volume", "issue", "isbn", "pmid", "number"):
            assert field not in row or row[field] == own[field], field
            assert field not in own or field in row, field


def called(person: Any) -> str:
    return str(person["as"] if isinstance(person, dict) else person)
