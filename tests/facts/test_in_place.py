"""Names in the place of keys: who is meant, what becomes of them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.errors import Problem
from kg.facts.load import Facts, load
from kg.facts.models.things import Topic
from kg.facts.privacy import public_facts
from tests.cases import base_site

OWNER = "basics: {name: Ada Berg}\n"


def loaded(folder: Path, cv: str, **others: str) -> Facts:
    site = base_site(folder / "site")
    (site / "data" / "cv" / "ada.yaml").write_text(OWNER + cv, encoding="utf-8")
    for name, text in others.items():
        (site / "data" / "cv" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return load(site)


def errors(facts: Facts) -> list[Problem]:
    return [problem for problem in facts.problems if problem.severity == "error"]


def job(organization: str, more: str = "") -> str:
    return (
        f"  - {{organization: {organization}, position: Clerk, startDate: 2019, endDate: 2020"
        f"{more}}}\n"
    )


def test_a_name_in_two_cvs_is_one_thing(tmp_path: Path) -> None:
    other = f"basics: {{name: Bea Alm}}\nwork:\n{job('Ice  Works')}"
    facts = loaded(tmp_path, f"work:\n{job('Ice Works')}", bea=other)
    assert not errors(facts)
    ((key, use),) = facts.inline.items()
    assert (key, use.name) == (("orgs", "ice-works"), "Ice Works")
    assert [str(place) for place in use.places] == [
        "data/cv/ada.yaml:3:20",
        "data/cv/bea.yaml:3:20",
    ]


def test_fields_may_come_after_the_name(tmp_path: Path) -> None:
    fields = "{name: Ice Works, alternateNames: IW, kind: company}"
    facts = loaded(tmp_path, f"work:\n{job('Ice Works')}{job('IW')}{job(fields)}")
    assert not errors(facts)
    ((_, use),) = facts.inline.items()
    assert len(use.places) == 3


def test_the_same_fields_twice_are_no_contradiction(tmp_path: Path) -> None:
    fields = "{name: Ice Works, kind: company}"
    assert not errors(loaded(tmp_path, f"work:\n{job(fields)}{job(fields)}"))


def test_an_organisation_needs_no_kind(tmp_path: Path) -> None:
    site = base_site(tmp_path / "site")
    (site / "data" / "organizations").mkdir()
    (site / "data" / "organizations" / "more.yaml").write_text("ice: {name: Ice}\n")
    assert not errors(load(site))


@pytest.mark.parametrize(
    ("more", "is_named"),
    [("", True), (", visibility: private", False), (", visibility: public", True)],
)
def test_a_private_entry_names_nothing(tmp_path: Path, more: str, is_named: bool) -> None:
    facts = loaded(tmp_path, f"work:\n{job('Ice Works', more)}")
    assert (("orgs", "ice-works") in facts.inline) is is_named
    assert any(each.slug == "ice-works" for each in public_facts(facts)) is is_named


def test_what_a_position_says_of_itself_holds(tmp_path: Path) -> None:
    facts = loaded(
        tmp_path,
        "work:\n"
        "  - organization: Ice Works\n"
        "    visibility: private\n"
        "    positions:\n"
        "      - {position: Clerk, dates: 2019/2020, mentors: Kim Osei, visibility: public}\n"
        "      - {position: Spy, dates: 2021/2022, mentors: Shy One}\n",
    )
    assert ("people", "kim-osei") in facts.inline
    assert ("people", "shy-one") not in facts.inline


def test_fields_in_a_private_entry_are_checked_too(tmp_path: Path) -> None:
    facts = loaded(tmp_path, f"work:\n{job('{name: Ice, knd: x}', ', visibility: private')}")
    (wrong,) = errors(facts)
    assert wrong.message.startswith("work[0].organization: unknown field 'knd'")


def test_a_system_in_place_is_what_a_talk_is_about(tmp_path: Path) -> None:
    facts = loaded(
        tmp_path,
        "systems: [{software: Icealb, startDate: 2020}]\n"
        "talks: [{title: Ice, about: Icealb, year: 2020}]\n",
    )
    assert not errors(facts)
    assert list(facts.inline) == [("software", "icealb")]


def test_who_writes_a_grant_twice_learns_how_to_name_it(tmp_path: Path) -> None:
    grant = "title: Ice, funder: Fund, number: '1'"
    both = f"grants: [{{{grant}}}, {{{grant}, url: 'https://ice.example/', role: Guest}}]\n"
    (wrong,) = errors(loaded(tmp_path, both))
    assert "write the fields once, and 'grant: Ice' in the other places" in wrong.message


def skills(*names: str) -> str:
    return f"skills: {json.dumps(names, ensure_ascii=False)}\n"


def member(name: str, *skilled: str) -> str:
    return f"basics: {{name: {name}}}\n{skills(*skilled)}"


def spellings(facts: Facts) -> list[str]:
    return [problem.message for problem in facts.problems if problem.rule == "name-spelling"]


def test_spellings_of_one_address_are_one_thing_called_as_most_often(tmp_path: Path) -> None:
    facts = loaded(
        tmp_path,
        skills("Javascript", "Node.js"),
        bea=member("Bea Alm", "JavaScript", "NodeJs"),
        dan=member("Dan Elm", "JavaScript", "nodeJS"),
    )
    assert not errors(facts)
    named = {key: (use.name, len(use.places)) for key, use in facts.inline.items()}
    assert named == {
        ("topics", "javascript"): ("JavaScript", 3),
        ("topics", "nodejs"): ("Node.js", 3),
    }
    topics = {each.slug: fact.name for each, fact in facts.of(Topic)}
    assert (topics["javascript"], topics["nodejs"]) == ("JavaScript", "Node.js")


def test_one_info_lists_all_spellings_and_how_to_choose(tmp_path: Path) -> None:
    facts = loaded(
        tmp_path,
        skills("Javascript", "Node.js", "Ice"),
        bea=member("Bea Alm", "JavaScript", "NodeJs", "Ice"),
    )
    (message,) = spellings(facts)
    assert "'JavaScript' (also 'Javascript')" in message
    assert "'Node.js' (also 'NodeJs')" in message
    assert "data/topics.yaml:  javascript: {name: JavaScript}" in message
    assert "Ice" not in message


def test_the_list_of_spellings_is_bounded(tmp_path: Path) -> None:
    names = [f"Ice {chr(number)}x" for number in range(ord("a"), ord("a") + 20)]
    upper = [name.upper() for name in names]
    (message,) = spellings(loaded(tmp_path, skills(*names), bea=member("Bea Alm", *upper)))
    assert message.count("(also ") == 10
    assert "and 10 more" in message


def test_the_spelling_does_not_depend_on_the_order_of_files(tmp_path: Path) -> None:
    one, other = skills("Javascript"), skills("JavaScript")
    for number, (first, second) in enumerate([(one, other), (other, one)]):
        bea = f"basics: {{name: Bea Alm}}\n{second}"
        facts = loaded(tmp_path / str(number), first, bea=bea)
        (use,) = facts.inline.values()
        assert use.name == "JavaScript"
        assert use.row.get("name") == "JavaScript"


def test_the_spelling_of_a_registry_wins(tmp_path: Path) -> None:
    site = base_site(tmp_path / "site")
    (site / "data" / "topics.yaml").write_text("nodejs: {name: node.JS}\n", encoding="utf-8")
    text = OWNER + skills("NodeJS", "Node.js", "NODEJS")
    (site / "data" / "cv" / "ada.yaml").write_text(text, encoding="utf-8")
    facts = load(site)
    assert not errors(facts)
    assert facts.inline == {}
    assert spellings(facts) == []


@pytest.mark.parametrize(
    "names",
    [("C", "C++", "C#"), ("Canal", "Canal+"), ("ES6", "ES6+"), ("Angular 2", "Angular 2+")],
)
def test_signs_that_tell_names_apart_are_in_the_address(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    facts = loaded(tmp_path, skills(*names))
    assert (errors(facts), spellings(facts)) == ([], [])
    assert len({slug for _, slug in facts.inline}) == len(names)


@pytest.mark.parametrize(
    "names", [("Data 冰", "Data 火"), ("A " * 60 + "b", "A " * 60), ("C", "C♯")]
)
def test_names_that_only_share_an_address_are_not_one_thing(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    facts = loaded(tmp_path, skills(*names))
    assert spellings(facts) == []
    assert [each.rule for each in errors(facts)] == ["address-in-use"]


def test_units_and_fields_may_be_spelt_otherwise_too(tmp_path: Path) -> None:
    unit = ", unit: {}"
    facts = loaded(
        tmp_path,
        f"work:\n{job('{name: Ice Works, kind: company}', unit.format('Dept. of Ice'))}"
        f"{job('ICE WORKS', unit.format('Dept of Ice'))}{job('{name: Ice works, kind: company}')}",
    )
    assert not errors(facts)
    named = {key: use.name for key, use in facts.inline.items()}
    assert named == {
        ("orgs", "ice-works"): "ICE WORKS",
        ("orgs", "ice-works-dept-of-ice"): "Dept of Ice",
    }


def test_a_spelling_in_a_private_entry_is_not_published(tmp_path: Path) -> None:
    private = ", visibility: private"
    facts = loaded(
        tmp_path,
        f"work:\n{job('Ice Works')}{job('ICE WORKS', private)}{job('ICE WORKS', private)}",
    )
    assert not errors(facts)
    assert [use.name for use in facts.inline.values()] == ["Ice Works"]
    assert spellings(facts) == []


def test_a_person_with_a_stated_family_name_may_be_spelled_in_two_ways(tmp_path: Path) -> None:
    work = (
        "{{title: On Ice {0}, kind: journal, journal: Ice, year: 202{0}, authors: [Ada Berg, {1}]}}"
    )
    stated = "{as: Ivo Lopez Mara, familyName: Lopez Mara}"
    names = (stated, "Ivo Lopez-Mara", "Ivo Lopez-Mara")
    works = ", ".join(work.format(number, name) for number, name in enumerate(names))
    facts = loaded(tmp_path, f"publications: [{works}]\n")
    assert not errors(facts)
