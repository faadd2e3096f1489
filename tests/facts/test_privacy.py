"""What is private is dropped before anything is mapped, and an address that is not public is
forgotten at once.
"""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path

import pytest

from kg.facts.load import Facts
from kg.facts.models.base import Entry
from kg.facts.models.people import Email, Owner, Person
from kg.facts.models.venues import Series
from kg.facts.privacy import public
from kg.graph.build import build
from tests.facts import facts_of

ADDRESS = "ada.secret@example.org"
HASH = sha1(f"mailto:{ADDRESS}".encode(), usedforsecurity=False).hexdigest()
WORKS = (
    "x-2020: {title: X, kind: conference, venue: hushed, year: 2020, authors: [Ada Berg, Bo Ek]}\n"
)


def graph_of(facts: Facts) -> str:
    assert facts.site is not None
    return build(facts, facts.site).nquads.decode()


def owner(facts: Facts) -> Owner:
    return next(each.fact for each in facts.loaded if isinstance(each.fact, Owner))


def test_a_private_entry_is_dropped() -> None:
    assert public(Person(name="Bo Ek", visibility="private")) is None


@pytest.mark.parametrize("visibility", [None, "public"])
def test_what_is_not_private_stays_the_fact_it_is(visibility: str | None) -> None:
    person = Person.model_validate(
        {
            "name": "Bo Ek",
            "visibility": visibility,
            "profiles": [{"network": "github", "username": "bo"}],
        }
    )
    assert public(person) is person


def test_a_private_profile_is_dropped_and_the_others_stay() -> None:
    profiles = [
        {"network": "github", "username": "bo"},
        {"network": "twitter", "username": "bobo", "visibility": "private"},
    ]
    person = Person.model_validate({"name": "Bo Ek", "profiles": profiles})
    shown = public(person)
    assert isinstance(shown, Person)
    assert [profile.network for profile in shown.profiles] == ["github"]
    assert shown.name == "Bo Ek"
    assert len(person.profiles) == 2


def test_a_private_edition_is_dropped_and_the_others_stay() -> None:
    series = Series.model_validate(
        {
            "name": "Sand",
            "kind": "conference",
            "editions": {"2020": {"visibility": "private"}, "2021": {}},
        }
    )
    shown = public(series)
    assert isinstance(shown, Series)
    assert list(shown.editions) == ["2021"]


def test_every_entry_of_a_real_site_is_public_or_dropped(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, people="di: {name: Di Falk, visibility: private}\n")
    dropped = [
        each.slug
        for each in facts.loaded
        if isinstance(each.fact, Entry) and public(each.fact) is None
    ]
    assert dropped == ["di"]


def test_a_hashed_address_is_forgotten_and_its_hash_published(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, cv=f"basics: {{name: Ada Berg, email: {ADDRESS}}}\n")
    assert ADDRESS not in repr(owner(facts))
    graph = graph_of(facts)
    assert HASH in graph
    assert ADDRESS not in graph


def test_a_private_address_leaves_neither_itself_nor_its_hash(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        cv=f"basics: {{name: Ada Berg, email: {{value: {ADDRESS}, visibility: private}}}}\n",
    )
    assert ADDRESS not in repr(owner(facts))
    graph = graph_of(facts)
    assert HASH not in graph
    assert ADDRESS not in graph


def test_a_public_address_is_published_as_it_is(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        cv=f"basics: {{name: Ada Berg, email: {{value: {ADDRESS}, visibility: public}}}}\n",
    )
    graph = graph_of(facts)
    assert f'"{ADDRESS}"' in graph
    assert f"<mailto:{ADDRESS}>" in graph


@pytest.mark.parametrize("visibility", ["hashed", "private"])
def test_the_fact_of_an_address_that_is_not_public_does_not_know_it(visibility: str) -> None:
    email = Email.model_validate({"value": ADDRESS, "visibility": visibility})
    assert email.value is None
    assert email.mailto is None
    assert email.hash == (HASH if visibility == "hashed" else None)


def test_a_private_owner_has_no_document(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg, visibility: private}\nwork:\n- {organization: firm, position: "
        "Spy, dates: 2019}\n"
    )
    graph = graph_of(facts_of(tmp_path, cv=cv))
    assert "people/ada" not in graph
    assert "Spy" not in graph
    assert "Ada Berg" not in graph


def test_a_private_venue_is_not_told_of_by_its_papers(tmp_path: Path) -> None:
    venues = "hushed: {name: Hushed Meeting, kind: meeting, visibility: private}\n"
    graph = graph_of(facts_of(tmp_path, publications=WORKS, venues=venues))
    assert "publications/x-2020#it" in graph
    assert "hushed" not in graph
    assert "Hushed" not in graph


def test_a_private_edition_is_not_named_by_its_papers(tmp_path: Path) -> None:
    venues = (
        'hushed: {name: Sand, kind: meeting, editions: {"2020": {name: Secret Summit, '
        "visibility: private}}}\n"
    )
    graph = graph_of(facts_of(tmp_path, publications=WORKS, venues=venues))
    assert '"Sand 2020"' in graph
    assert "Secret" not in graph


def test_notes_and_disputed_values_stay_home(tmp_path: Path) -> None:
    cv = "basics: {name: Ada Berg, note: Ask her mother, disputed: {name: Adah Bergh}}\n"
    graph = graph_of(facts_of(tmp_path, cv=cv))
    assert "mother" not in graph
    assert "Bergh" not in graph


def test_the_sources_of_a_private_owner_are_not_told_either(tmp_path: Path) -> None:
    cv = "sources: [hushed]\nbasics: {name: Ada Berg, visibility: private}\n"
    assert "diary" not in graph_of(facts_of(tmp_path, cv=cv, sources="hushed: {name: Her diary}\n"))


def test_a_talk_at_a_private_venue_is_just_a_talk(tmp_path: Path) -> None:
    venues = "hushed: {name: Hushed Meeting, kind: meeting, visibility: private}\n"
    graph = graph_of(
        facts_of(
            tmp_path,
            cv="basics: {name: Ada Berg}\ntalks: [{venue: hushed, year: 2019}]\n",
            venues=venues,
        )
    )
    assert '#talk-2019> <http://schema.org/name> "Talk" ' in graph
