"""The walk: facts become lines, each in the graph of its subject, and nothing melts, dangles or
tells of what is private.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.mapping.walk import Walker
from tests.mapping import about, quads, walked

CV = "basics: {name: Ada Berg}\n"
PAPER = (
    "x-2020: {title: On X, kind: conference, venue: conf, year: 2020, authors: [Ada Berg, Bo "
    "Eek]}\n"
)
LATER = "y-2020: {title: On Y, kind: conference, venue: conf, year: 2020, authors: [Bo Eek]}\n"


def test_each_triple_is_in_the_graph_of_its_subject(tmp_path: Path) -> None:
    work = "work: [{organization: uni, position: P, dates: 2019, mentors: bo}]\n"
    education = "education: [{institution: uni, studyType: PhD, dates: 2018, score: 3/4}]\n"
    found = quads(walked(tmp_path, cv=CV + work + education, publications=PAPER))
    assert len(found) > 80
    assert [each for each in found if each[0].partition("#")[0] != each[3]] == []


def test_the_same_position_in_another_period_is_told_apart_by_its_start(tmp_path: Path) -> None:
    """The earliest keeps the plain address, wherever it stands; a degree goes with its study."""
    work = "work: [{organization: uni, position: P, dates: [2019-09/2020, 2015]}]\n"
    twice = "{organization: uni, position: Q, dates: 2019}, {organization: uni, position: Q, dates"
    study = "{institution: uni, studyType: PhD, dates: 2018}"
    studies = f"education: [{study}, {study.replace('2018', '2021')}]\n"
    walker = walked(tmp_path, cv=f"{CV}{work.replace('[{', f'[{twice}: 2011}}, {{')}{studies}")
    assert walker.problems == []
    ends = {each[0].partition("#")[2] for each in quads(walker) if "people/ada#" in each[0]}
    assert {"work-uni-q", "work-uni-q-2019", "work-uni-p-2015", "work-uni-p-2019-09-2020"} <= ends
    assert {"study-uni-phd", "study-uni-phd-2021"} <= ends
    assert {"degree-uni-phd", "degree-uni-phd-2021"} <= ends


def test_one_advisor_of_two_studies_is_two_roles(tmp_path: Path) -> None:
    study = "{{institution: uni, studyType: {}, dates: 2018, advisor: bo}}"
    walker = walked(tmp_path, cv=f"{CV}education: [{study.format('PhD')}, {study.format('MSc')}]\n")
    assert walker.problems == []
    colleagues = {
        value for predicate, value in about(walker, "people/ada#it") if predicate == "colleague"
    }
    assert colleagues == {
        "people/ada#advisor-bo-study-uni-phd",
        "people/ada#advisor-bo-study-uni-msc",
    }


def test_what_the_cv_says_beside_basics_belongs_to_the_same_person_and_is_no_clash(
    tmp_path: Path,
) -> None:
    walker = walked(tmp_path, cv=CV + "interests: [sand]\n")
    assert walker.problems == []
    assert {
        ("name", "Ada Berg"),
        ("knowsAbout", "topics/sand#it"),
        ("topic_interest", "topics/sand#it"),
    } <= about(walker, "people/ada#it")


def test_a_reference_to_a_private_document_leaves_no_triple(tmp_path: Path) -> None:
    walker = walked(
        tmp_path,
        cv=CV
        + (
            "interests: [sand, hush]\nwork: [{organization: firm, position: P, dates: 2019, "
            "mentors: [bo, di], location: bunker}]\n"
        ),
        topics="hush: {name: Hush, visibility: private}\n",
        people="di: {name: Di Falk, visibility: private}\n",
        places="bunker: {name: Bunker, visibility: private}\n",
    )
    found = quads(walker)
    hidden = ("topics/hush", "people/di", "places/bunker")
    assert [
        each
        for each in found
        if any(part.startswith(hidden) for part in (each[0], each[2], each[3]))
    ] == []
    assert ("people/ada#it", "knowsAbout", "topics/sand#it", "people/ada") in found


def test_a_mention_is_described_where_nobody_describes_it(tmp_path: Path) -> None:
    walker = walked(tmp_path, publications=PAPER)
    assert {
        ("type", "http://schema.org/ConferenceEvent"),
        ("name", "CoS 2020"),
        ("startDate", "2020"),
        ("superEvent", "venues/conf#it"),
    } <= about(walker, "venues/conf#2020")
    assert {("name", "Proceedings of CoS 2020"), ("about", "venues/conf#2020")} <= about(
        walker, "venues/conf#2020-proceedings"
    )
    assert ("name", "Bo Eek") in about(walker, "people/bo-eek#it")


def test_a_mention_adds_nothing_to_what_the_registry_describes(tmp_path: Path) -> None:
    venues = (
        'rocks: {name: Rocks, kind: conference, editions: {"2020": {name: The First, date: '
        "2020-11, isbn: 978-1}}}\n"
    )
    walker = walked(tmp_path, publications=PAPER.replace("conf,", "rocks,"), venues=venues)
    said = about(walker, "venues/rocks#2020")
    assert {each for each in said if each[0] in ("name", "startDate")} == {
        ("name", "The First"),
        ("startDate", "2020-11"),
    }
    assert {
        each
        for each in about(walker, "venues/rocks#2020-proceedings")
        if each[0] in ("name", "isbn")
    } == {
        ("name", "Proceedings of The First"),
        ("isbn", "9781"),
    }
    assert walker.problems == []


@pytest.mark.parametrize(
    "date", ["year: 2020", "date: 2020-11-15", "date: autumn 2020", "year: 2020, date: 2021-01"]
)
def test_a_paper_belongs_to_the_edition_of_its_year(tmp_path: Path, date: str) -> None:
    walker = walked(tmp_path, publications=PAPER.replace("year: 2020", date))
    assert {("workFeatured", "publications/x-2020#it"), ("startDate", "2020")} <= about(
        walker, "venues/conf#2020"
    )
    assert ("isPartOf", "venues/conf#2020-proceedings") in about(walker, "publications/x-2020#it")


def test_many_mentions_of_one_thing_describe_it_once(tmp_path: Path) -> None:
    walker = walked(tmp_path, publications=PAPER + LATER)
    assert sorted(
        line for line in walker.lines if "conf#2020> <http://schema.org/name>" in line
    ) == [
        (
            '<https://cases.example.org/venues/conf#2020> <http://schema.org/name> "CoS 2020" '
            "<https://cases.example.org/venues/conf> .\n"
        )
    ]
    assert walker.problems == []
    assert {
        value
        for predicate, value in about(walker, "venues/conf#2020")
        if predicate == "workFeatured"
    } == {
        "publications/x-2020#it",
        "publications/y-2020#it",
    }


def test_an_inverse_join_lands_in_the_graph_of_its_subject(tmp_path: Path) -> None:
    found = quads(
        walked(
            tmp_path,
            cv=CV + "work: [{organization: uni, position: P, dates: 2019}]\n",
            publications=PAPER,
        )
    )
    assert ("venues/conf#2020", "workFeatured", "publications/x-2020#it", "venues/conf") in found
    assert ("people/ada#it", "affiliation", "people/ada#work-uni-p", "people/ada") in found
    assert [
        each for each in found if each[1] == "workFeatured" and each[3] == "publications/x-2020"
    ] == []


def test_authors_are_numbered_in_their_order(tmp_path: Path) -> None:
    walker = walked(tmp_path, publications=PAPER)
    for number, person in ((1, "people/ada#it"), (2, "people/bo-eek#it")):
        assert {("position", str(number)), ("creator", person), ("item", person)} <= about(
            walker, f"publications/x-2020#author-{number}"
        )


def test_an_outside_address_is_never_a_subject(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg, url: 'https://ada.example.org/', profiles: [{network: github, "
        "username: ada}]}\n"
    )
    subjects = {each[0] for each in quads(walked(tmp_path, cv=cv, publications=PAPER))}
    assert "people/ada#it" in subjects
    assert [subject for subject in subjects if "://" in subject] == []


def test_a_walk_over_nothing_says_nothing() -> None:
    walker = Walker("https://cases.example.org/")
    walker.settle()
    assert (walker.lines, walker.problems, walker.mentions) == ([], [], {})
