"""Who is who: printed names become people by what the registries say, never by guess."""

from __future__ import annotations

import pytest
from pydantic_core import PydanticCustomError

from kg.facts.identity import PeopleByName
from kg.facts.values.references import AuthorRef
from kg.facts.values.terms import Mention

NAMES = PeopleByName(
    {
        "ada": {"name": "Ada Berg", "alternateNames": ["A. Berg", "A. Li"]},
        "shan-li": {"name": "Shan Li", "alternateNames": "S. Li"},
        "cy": {"name": "Cy Dahl", "alternateNames": ["C. Dahl", "S. Li", "A. Li"]},
        "zoe": {"name": "Zoë van Dijk"},
        "m-bond": {"name": "Michael D. Bond"},
    }
)


@pytest.mark.parametrize(
    ("printed", "slug"),
    [
        ("Ada Berg", "ada"),
        ("A. Berg", "ada"),
        ("C. Dahl", "cy"),
        ("Shan Li", "shan-li"),
        ("Zoe\u0308  van\u00a0Dijk", "zoe"),
        ("ADA BERG", "ada"),
        ("A Berg", "ada"),
        ("Zoe Van Dijk", "zoe"),
    ],
)
def test_a_name_belongs_to_whoever_lists_it(printed: str, slug: str) -> None:
    found = NAMES.person(printed)
    assert isinstance(found, AuthorRef)
    assert (found.kind, found.slug) == ("people", slug)
    assert found.name == NAMES.people[slug]["name"]


def test_a_name_two_people_claim_must_be_settled_by_hand() -> None:
    with pytest.raises(
        PydanticCustomError,
        match=r"'S\. Li' is ambiguous: cy or shan-li\. Write \{person: cy, as: S\. Li\}\.",
    ) as error:
        NAMES.person("S. Li")
    assert error.value.type == "ambiguous-name"


def test_the_only_owner_of_the_work_wins_a_name_of_theirs() -> None:
    assert NAMES.person("A. Li", ("ada",)).slug == "ada"
    assert NAMES.person("S. Li", ("shan-li",)).slug == "shan-li"


@pytest.mark.parametrize("owners", [(), ("zoe",), ("ada", "cy"), ("ada", "zoe")])
def test_nobody_wins_a_name_where_the_owner_is_another_or_one_of_several(
    owners: tuple[str, ...],
) -> None:
    with pytest.raises(PydanticCustomError, match="is ambiguous: ada or cy"):
        NAMES.person("A. Li", owners)


def test_an_owner_does_not_win_a_name_that_only_another_claims() -> None:
    assert NAMES.person("C. Dahl", ("ada",)).slug == "cy"


@pytest.mark.parametrize("printed", ["B. Berg", "K. Dahl", "Ada Bergh", "A. K. Berg"])
def test_a_name_nobody_claims_is_a_person_of_its_own_however_like_another(printed: str) -> None:
    found = NAMES.person(f" {printed} ")
    assert isinstance(found, Mention)
    assert found.slug not in {"ada", "cy"}
    assert (found.kind, found.fact.name) == ("people", printed)  # type: ignore[attr-defined]


def test_the_key_of_an_unregistered_person_is_made_from_the_name() -> None:
    assert NAMES.person("Élodie O'Hara Jr.").slug == "elodie-ohara-jr"


def test_a_name_whose_key_belongs_to_somebody_else_is_refused() -> None:
    with pytest.raises(
        PydanticCustomError,
        match=(
            r"the key 'm-bond', which belongs to 'Michael D\. Bond'\. Add the name to the "
            r"alternateNames"
        ),
    ) as error:
        NAMES.person("M Bond")
    assert error.value.type == "unknown-name"


@pytest.mark.parametrize("printed", ["♪", "?", ""])
def test_a_name_no_key_can_be_made_from_is_refused(printed: str) -> None:
    with pytest.raises(PydanticCustomError, match="cannot be an address"):
        NAMES.person(printed)


def test_different_names_with_one_latin_spelling_are_different_people() -> None:
    people = [NAMES.person(name) for name in ("李伟", "李薇", "Li Wei")]
    assert len({person.slug for person in people}) == 3


@pytest.mark.parametrize(
    ("printed", "near"),
    [
        ("Ada Bergh", ["ada"]),
        ("Shan  Lee", ["shan-li"]),
        ("Mike Bond", ["m-bond"]),
        ("Xerxes Q. Unlike", []),
    ],
)
def test_near_misses_are_named(printed: str, near: list[str]) -> None:
    assert NAMES.near(printed)[: len(near) or None] == near


def test_near_misses_are_at_most_three_and_each_once() -> None:
    crowd = PeopleByName(
        {
            f"li-{letter}": {"name": f"{letter}. Li", "alternateNames": [f"{letter} Li"]}
            for letter in "abcdef"
        }
    )
    found = crowd.near("g. Li")
    assert len(found) == len(set(found)) <= 3


def test_rows_that_are_wrong_claim_nothing() -> None:
    names = PeopleByName(
        {
            "x": {"name": ["a"], "alternateNames": {"b": "c"}},
            "y": {"name": "Y", "alternateNames": [["a"], "Why"]},
            "z": {},
        }
    )
    assert dict(names.claims.exact) == {"Y": ["y"], "Why": ["y"]}
