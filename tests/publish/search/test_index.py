"""Finding: by the beginnings of words, in any order, without accents; and the files that a browser
finds by.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.facts.models import REGISTRIES
from kg.graph.pages import only_skills
from kg.publish.search import index as finding
from kg.publish.search import matching
from kg.publish.search.index import KINDS, Finder
from kg.publish.search.matching import Index, SearchEntry, ranked_as
from kg.publish.site import Documents
from kg.text.normalize import FoldedText, fold, fold_text, folded_letters, words
from tests.publish.search.names import finder_of, made_of_sounds

SMALL = Index(
    [
        SearchEntry("people/ada", "CV", "Ada Lindqvist", "Lecturer", ("A. Lindqvist",), True),
        SearchEntry("people/lev", "Person", "Лев Толстой", "", ("lev tolstoy",)),
        SearchEntry("people/li", "Person", "李珊"),
        SearchEntry("people/soren", "Person", "Søren Ångström-O'Brien"),
        SearchEntry("publications/hyfi", "Publication", "Hy-Fi: Hybrid Training", "2022"),
        SearchEntry("publications/ada", "Publication", "Ada Lindqvist and her rivers", "2021"),
        SearchEntry("venues/sc", "Venue", "International Conference for Computing", "", ("SC",)),
        SearchEntry("topics/scaling", "Topic", "Scaling"),
    ]
)


def found(query: str, index: Index = SMALL) -> list[str]:
    return [hit.entry.address for hit in index.find(query)[0]]


@pytest.mark.parametrize(
    ("query", "addresses"),
    [
        ("ada", ["people/ada", "publications/ada"]),
        ("lindq ad", ["people/ada", "publications/ada"]),
        ("LINDQVIST", ["people/ada", "publications/ada"]),
        ("a. lind", ["people/ada", "publications/ada"]),
        ("толст", ["people/lev"]),
        ("tolst lev", ["people/lev"]),
        ("李", ["people/li"]),
        ("珊", ["people/li"]),
        ("soren angstrom", ["people/soren"]),
        ("sören ångström obrien", ["people/soren"]),
        ("hyfi", ["publications/hyfi"]),
        ("hy-fi 2022", ["publications/hyfi"]),
        ("hy-fi 2023", []),
        ("sc", ["venues/sc", "topics/scaling"]),
        ("ngstrom", []),
        ("lecturer", []),
        ("", []),
        (" -- ", []),
    ],
)
def test_what_is_found(query: str, addresses: list[str]) -> None:
    assert found(query) == addresses


@pytest.mark.parametrize(
    "query", ["lindvqist", "lindvist", "linddqvist", "lindqvizt", "lindq ada x"]
)
def test_a_slip_is_forgiven_where_nothing_fits(query: str) -> None:
    assert found(query)[:1] == ([] if " " in query else ["people/ada"])


@pytest.mark.parametrize("query", ["xindqvist", "lad", "lindqqqvist"])
def test_more_is_not(query: str) -> None:
    assert found(query) == []


def test_words_of_the_query_are_marked_and_the_other_name_is_shown() -> None:
    (hit,), total = SMALL.find("obri ang")
    assert (hit.parts, hit.also, total) == (
        [("Søren ", False), ("Ång", True), ("ström-", False), ("O'Bri", True), ("en", False)],
        "",
        1,
    )
    assert SMALL.find("sc")[0][0].also == "SC"
    assert SMALL.find("lev")[0][0].also == "lev tolstoy"


@pytest.mark.fuzz
@given(st.text())
def test_a_text_is_laid_out_as_its_letters_fold(text: str) -> None:
    laid = fold_text(text)
    assert (
        laid.letters
        == "".join(words(text))
        == "".join(letter for letter, _, _ in folded_letters(text))
    )
    assert list(laid.starts) == sorted(set(laid.starts))
    assert all(fold(letter) == letter for letter in laid.letters if letter.isascii())


@pytest.mark.fuzz
@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_laid_out_by_the_same_rule(text: str) -> None:
    letters = list(folded_letters(text))
    starts = tuple(number for number, (_, at_break, _) in enumerate(letters) if at_break)
    assert fold_text(text) == FoldedText("".join(letter for letter, _, _ in letters), starts)


def test_every_kind_of_document_can_be_found(documents: Documents) -> None:
    assert KINDS.keys() == REGISTRIES.keys()
    entries = documents.finder.index.entries
    things = {
        address
        for address in documents.addresses
        if "/" in address and not address.endswith("/") and not address.startswith("terms/")
    }
    skills = {
        skill.removeprefix(documents.base).removesuffix("#it")
        for skill in only_skills(documents.graph.memory)
    }
    assert {entry.address for entry in entries} == things - skills
    assert [entry.name for entry in entries if entry.is_owner] == [
        "Alvar Jarl",
        "Sigvard Sunde",
        "Mirela Zemann",
    ]
    missed = [
        entry.name
        for entry in entries
        if entry.address
        not in {hit.entry.address for hit in documents.finder.index.find(entry.name)[0]}
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("zemann mire", "people/mirela-zemann"),
        ("a jarl", "people/alvar-jarl"),
        ("osu", "orgs/osu"),
        ("dk palme", "people/dk-palme"),
        ("montreal", "places/montreal-ca"),
        ("sundqvist", "people/halvor-sundquist"),
    ],
)
def test_the_best_comes_first(documents: Documents, query: str, first: str) -> None:
    assert found(query, documents.finder.index)[0] == first


def test_the_index_of_a_small_site_is_one_small_file(documents: Documents) -> None:
    assert documents.finder.paths == ["search.json"]
    body = documents.finder.text("search.json")
    assert len(gzip.compress(body)) < 20_000
    rows = [
        f"{folder}/{row[0]}" for _, folder, _, rows in json.loads(body)["found"] for row in rows
    ]
    assert rows == [entry.address for entry in documents.finder.index.entries]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Finder:
    """A site with more names than one file should hold."""
    monkeypatch.setattr(finding, "MAX_IN_ONE_FILE", 200)
    monkeypatch.setattr(finding, "MAX_IN_A_PART", 40)
    return finder_of(made_of_sounds("李", "ж"))


def test_a_large_index_comes_in_parts_that_are_not_large(large: Finder) -> None:
    head: dict[str, Any] = json.loads(large.text("search.json"))
    assert "found" not in head
    assert sorted(map(finding.path_of, head["parts"])) == sorted(large.paths[1:])
    assert len(head["parts"]) == len(set(large.paths[1:])) > 50
    assert max(len(key) for key in head["parts"]) > 2
    for key, numbers in large.parts.values():
        assert len(numbers) <= 40 or len(key) < 3


def test_every_beginning_of_a_word_is_in_its_part(large: Finder) -> None:
    parts = {key: set(numbers) for key, numbers in large.parts.values()}
    for number, entry in enumerate(large.index.entries):
        for word in words(entry.name):
            own = max((key for key in parts if word.startswith(key)), key=len)
            assert number in parts[own], (entry.name, word)


def test_names_of_parts_are_fit_for_any_host(large: Finder) -> None:
    assert all(path.isascii() for path in large.paths)
    assert finding.path_of("李ж") == "search/u674eu436.json"


def with_one_typo(word: str) -> list[str]:
    """A letter wrong, missing, extra, or two swapped, at each place."""
    return [
        word[:place] + changed + word[place + 2 :]
        for place in range(len(word) - 1)
        for one, two in [word[place : place + 2]]
        for changed in ("q" + two, two, f"{one}q{two}", two + one)
    ]


def test_what_is_looked_up_is_all_that_matches() -> None:
    """The index compares only some entries. Comparing all of them finds the same."""
    names = made_of_sounds()[:40]
    index = Index(
        [
            SearchEntry(f"people/p{number}", "Person", name, "", (), False, (f"{about} 1{number}",))
            for number, (name, about) in enumerate(zip(names, reversed(names), strict=True))
        ]
    )
    queries = [
        " ".join(words(f"{typo} {more}"))
        for name in names[:2]
        for typo in [name, *(typo for word in words(name) for typo in with_one_typo(word))]
        for more in ("", "k", "17")
    ]
    queries += [typo for name in names[:2] for typo in with_one_typo("".join(words(name)))]
    for query in queries:
        matching = (
            {each.address for each in index.entries if ranked_as(each, words(query), typos)}
            for typos in (0, 1)
        )
        looked_up = {entry.address for _, entry in index.ranked(query)[0]}
        assert looked_up == next(filter(None, matching), set()), query
    assert len([query for query in queries if index.ranked(query)[0]]) > len(queries) / 3


def test_a_word_that_is_nowhere_is_compared_with_no_entry(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = list[SearchEntry]()
    monkeypatch.setattr(matching, "ranked_as", lambda entry, *_: compared.append(entry))
    documents.finder.index.find("jarl zemann river model in qzwvx")
    assert compared == []
    documents.finder.index.find("zemann mirela")
    assert 0 < len(compared) < len(documents.finder.index.entries) / 2
