"""What one means when one searches: people, works by anything that is on them, with typos."""

from __future__ import annotations

import gzip

import pytest

from kg.publish.search.index import lines_of
from kg.publish.site import Documents
from kg.store.memory import Memory

MOST_PACKED = 40_000  # bytes of the index of a site with 75 works


def found(documents: Documents, query: str) -> list[str]:
    return [hit.entry.address for hit in documents.finder.index.find(query)[0]]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Mirela Zemann", "people/mirela-zemann"),
        ("Mirla Zeman", "people/mirela-zemann"),
        ("Mirela Zmeann", "people/mirela-zemann"),
        ("zemann mirela", "people/mirela-zemann"),
        ("zemann", "people/mirela-zemann"),
        ("2201.99996", "publications/rudorrinle-2022-deepwater-moe"),
        ("arxiv 2201.99996", "publications/rudorrinle-2022-deepwater-moe"),
        ("deep water", "software/deepwater"),
        ("deepwater", "software/deepwater"),
        ("meridian intern", "people/alvar-jarl"),
        ("lbarn intern", "people/alvar-jarl"),
        ("gauged paper award", "people/mirela-zemann"),
        ("gauged pper", "people/mirela-zemann"),
        ("lagoons", "publications/jarl-2020-lagoons"),
        ("NEURIPS", "venues/neurips"),
        ("ipdps 2021 jarl", "publications/jarl-2021-super"),
    ],
)
def test_the_first_result_is_what_one_means(documents: Documents, query: str, first: str) -> None:
    assert found(documents, query)[0] == first


def test_a_name_finds_the_works_too_after_the_people(documents: Documents) -> None:
    hits = found(documents, "zemann")
    kinds = list(dict.fromkeys(address.partition("/")[0] for address in hits))
    assert kinds[:2] == ["people", "publications"]
    assert len([address for address in hits if address.startswith("publications/")]) >= 20


def test_an_award_finds_the_work_and_who_wrote_it(documents: Documents) -> None:
    assert found(documents, "gauged paper award") == [
        "people/mirela-zemann",
        "publications/bololo-2015-otter",
    ]


def test_a_meeting_and_a_year_find_its_works(documents: Documents) -> None:
    assert {address.partition("/")[0] for address in found(documents, "NeurIPS 2024")} == {
        "publications"
    }
    assert len(found(documents, "NeurIPS 2024")) == 2


def test_the_line_that_matched_is_shown_for_people(documents: Documents) -> None:
    (hit, *_), _ = documents.finder.index.find("meridian intern")
    assert "Meridian" in hit.also and "Intern" in hit.also


def test_words_of_different_positions_are_not_mixed(documents: Documents) -> None:
    """Nobody was a professor at Meridian."""
    assert found(documents, "meridian professor") == []


@pytest.mark.parametrize("query", ["awarx", "xemann", "zzzz", "jarl zzzz"])
def test_nothing_is_found_where_nothing_is_meant(documents: Documents, query: str) -> None:
    assert found(documents, query) == []


def test_an_award_is_no_compiler_that_is_aware(documents: Documents) -> None:
    for query in ("award", "awards"):
        for address in found(documents, query):
            hit = next(e for e in documents.finder.index.entries if e.address == address)
            assert any("award" in line.lower() for line in (hit.name, *hit.others, *hit.lines))


def test_a_distinguished_paper_is_found_as_best_paper() -> None:
    graph = b"""
    <http://a.example/publications/x#it> <http://schema.org/headline> "X" <http://a.example/publications/x> .
    <http://a.example/publications/x#it> <http://schema.org/award> "Distinguished Paper Award" <http://a.example/publications/x> .
    <http://a.example/publications/y#it> <http://schema.org/headline> "Y" <http://a.example/publications/y> .
    <http://a.example/publications/y#it> <http://schema.org/abstract> "An outstanding result" <http://a.example/publications/y> .
    """  # noqa: E501
    lines = lines_of(Memory("http://a.example/", graph))
    (award,), (abstract,) = (lines[f"http://a.example/publications/{name}#it"] for name in "xy")
    assert {"best", "paper"} < set(award.split())
    assert "best" not in abstract.split()


def test_the_index_is_small_enough_for_a_folder(documents: Documents) -> None:

    assert len(gzip.compress(documents.finder.text("search.json"))) < MOST_PACKED
