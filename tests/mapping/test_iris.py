"""Addresses: made from what the author wrote, the same wherever the entry stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.facts.models.careers import Position, Relation
from kg.facts.models.education import GradePointAverage, Study
from kg.facts.models.pages import Page
from kg.facts.models.people import Account, Person
from kg.facts.models.signatures import Signature
from kg.facts.models.things import PostalAddress
from kg.facts.models.venues import Edition, Issue, Volume
from kg.facts.values.dates import read
from kg.facts.values.references import Context
from kg.facts.values.terms import Mention
from kg.mapping import iris
from kg.vocab import Iri, schema

BASE = "https://cases.example.org/"
ADA = f"{BASE}people/ada"
CONTEXT = Context({"orgs": {"uni": {}, "uni-lab": {}}, "people": {"bo": {}}})


def job(**fields: object) -> Position:
    return Position.model_validate(
        {"organization": "uni", "position": "Research Intern", **fields}, context=CONTEXT
    )


def study(**fields: object) -> Study:
    return Study.model_validate(
        {"institution": "uni", "studyType": ["Ph.D.", "M.Sc."], **fields}, context=CONTEXT
    )


def test_a_document_is_base_kind_and_slug_and_its_thing_is_it() -> None:
    assert iris.document(BASE, "people", "ada") == ADA
    assert iris.thing(BASE, "people", "ada") == f"{ADA}#it"
    assert iris.of(Person(name="Ada"), ADA) == f"{ADA}#it"


def test_cutting_the_fragment_off_gives_the_document() -> None:
    assert iris.document_of(f"{ADA}#work-uni-intern") == iris.document_of(ADA) == ADA


def test_the_path_of_a_document_lies_below_the_base() -> None:
    assert iris.path_of(BASE, f"{ADA}#it") == "people/ada"
    assert iris.path_of(BASE, BASE) == ""
    assert iris.path_of(BASE, "https://elsewhere.example.org/people/ada") is None


def test_a_fragment_is_in_latin_letters_whatever_the_title_is_in() -> None:
    assert iris.of(job(position="Научный сотрудник"), ADA) == f"{ADA}#work-uni-nauchnyy-sotrudnik"
    assert iris.of(job(position="Καθηγητής"), ADA) == f"{ADA}#work-uni-kathigitis"
    assert iris.of(job(position="研究員"), ADA) == f"{ADA}#work-uni-yan-jiu-yuan"


def test_a_fragment_is_made_from_the_fields_the_pattern_names() -> None:
    assert iris.of(job(), ADA) == f"{ADA}#work-uni-research-intern"
    assert iris.of(study(), ADA) == f"{ADA}#study-uni-phd-msc"
    assert (
        iris.of(Account(network="google-scholar", username="x"), ADA)
        == f"{ADA}#account-google-scholar"
    )
    assert (
        iris.of(PostalAddress(locality="Town"), f"{BASE}places/town")
        == f"{BASE}places/town#address"
    )


def test_dates_units_and_other_fields_move_nothing() -> None:
    assert iris.of(
        job(startDate="2019", endDate="present", unit="uni-lab", kind="internship"), ADA
    ) == iris.of(job(), ADA)


def test_a_piece_without_a_value_is_left_out() -> None:
    assert iris.of(job(position="♪"), ADA) == f"{ADA}#work-uni"
    assert iris.of(study(studyType=["?", "M.Sc."]), ADA) == f"{ADA}#study-uni-msc"


def test_an_id_takes_the_place_of_the_pattern() -> None:
    assert iris.of(job(id="first-job"), ADA) == f"{ADA}#first-job"


def test_the_token_of_a_spread_date_comes_last_after_an_id_too() -> None:
    assert (
        iris.of(job(), ADA, tokens=["summer-2020"]) == f"{ADA}#work-uni-research-intern-summer-2020"
    )
    assert (
        iris.of(job(id="first-job"), ADA, tokens=["summer-2020"]) == f"{ADA}#first-job-summer-2020"
    )


def test_a_part_carries_the_fragment_of_the_fact_around_it() -> None:
    around = f"{ADA}#study-uni-phd"
    assert (
        iris.of(GradePointAverage.model_validate("3.9/4"), ADA, around)
        == f"{ADA}#study-uni-phd-gpa"
    )
    row = {"kind": "advisor", "person": "bo", "roleName": "Advisor"}
    advisor = Relation.model_validate(row, context=CONTEXT)
    assert iris.of(advisor, ADA, around) == f"{ADA}#advisor-bo-study-uni-phd"


def test_an_author_is_known_by_the_place_in_the_order() -> None:
    signature = Signature.model_validate({"person": "bo", "as": "B. Ek"}, context=CONTEXT)
    assert [iris.of(signature, f"{BASE}publications/x", position=number) for number in (1, 12)] == [
        f"{BASE}publications/x#author-1",
        f"{BASE}publications/x#author-12",
    ]


def test_a_page_is_its_document() -> None:
    assert iris.of(Page(kinds=(schema.WebPage,), name="Ada", url=Iri(ADA)), ADA) == ADA


def test_a_mention_carries_the_mention_around_it() -> None:
    volume = Mention("venues", "journal", Volume(name="J 50", volumeNumber="50"))
    issue = Mention("venues", "journal", Issue(name="J 50(3)", issueNumber="3"), within=volume)
    assert iris.mentioned(BASE, volume) == f"{BASE}venues/journal#v50"
    assert iris.mentioned(BASE, issue) == f"{BASE}venues/journal#v50-i3"


def test_an_edition_is_known_by_its_year() -> None:
    assert (
        iris.of(Edition.model_validate({"name": "CoS", "year": "2020"}), f"{BASE}venues/conf")
        == f"{BASE}venues/conf#2020"
    )


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (None, ""),
        (read("autumn 2020"), "autumn-2020"),
        (["Ph.D.", "?", "M. Sc."], "phd-m-sc"),
        ("A  b", "a-b"),
        (3, "3"),
    ],
)
def test_a_value_as_a_piece_of_a_fragment(value: object, word: str) -> None:
    assert iris.word(value) == word


@pytest.mark.fuzz
@given(st.text(min_size=1).filter(str.strip))
def test_whatever_the_title_the_fragment_is_plain_and_without_gaps(title: str) -> None:
    iri = iris.of(job(position=title), ADA)
    assert re.fullmatch(rf"{re.escape(ADA)}#work-uni(-[a-z0-9]+)*", iri)
