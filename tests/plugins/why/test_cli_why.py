"""`kg why`: where a thing, a property or a value comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from tests.conftest import ROOT

EXAMPLE = str(ROOT / "kg" / "example")
RULE = """\
# Whoever is called Ada is fond of rivers.
PREFIX schema: <http://schema.org/>
CONSTRUCT { ?person schema:knowsAbout <topics/gauging#it> }
WHERE { ?person schema:givenName "Ada" }
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["why", *words])


def said(*words: str, site: str = EXAMPLE) -> str:
    result = run(*words, site)
    assert result.exit_code == 0, result.stderr
    return result.stdout.replace(f"{site}/", "")


def test_a_thing_is_led_to_its_entry_and_each_statement_to_its_line() -> None:
    lines = [" ".join(line.split()) for line in said("northfjord-rivers").splitlines()]
    assert lines[:3] == [
        "orgs/northfjord-rivers (River Laboratory)",
        "Entries:",
        "data/organizations.yaml:3:20 northfjord-rivers",
    ]
    assert (
        "data/organizations.yaml:3:71 schema:parentOrganization orgs/northfjord "
        "(Northfjord University) [northfjord-rivers, parent]"
    ) in lines
    assert "rule sub-organization schema:subOrganization projects/open-gauge (Open Gauge)" in lines
    assert lines[-2:] == [
        "Rules:",
        "rule sub-organization A unit with a parent organisation is a sub-organisation of that "
        "parent.",
    ]


@pytest.mark.parametrize(
    ("thing", "property"),
    [
        ("ada-lindqvist", "alumniOf"),
        ("people/ada-lindqvist", "schema:alumniOf"),
        ("Ada  lindqvist", "http://schema.org/alumniOf"),
        ("https://lab.example.org/people/ada-lindqvist", "alumniOf"),
        ("<https://lab.example.org/people/ada-lindqvist#it>", "<http://schema.org/alumniOf>"),
    ],
)
def test_a_thing_and_a_property_have_several_names(thing: str, property: str) -> None:
    found = said(thing, property, "Northfjord University")
    assert "rule alumni" in found
    assert found.count("because") == 3
    assert "data/cv/ada-lindqvist.yaml:35:16" in found


def test_a_property_is_found_by_the_field_it_is_written_in() -> None:
    found = said("northfjord-rivers", "parent")
    assert "schema:parentOrganization" in found
    assert "schema:name" not in found


def test_a_source_is_led_to_the_file_that_names_it_for_all() -> None:
    found = said("ada-lindqvist", "sources")
    assert "data/cv/ada-lindqvist.yaml:3:11  sources/ada-cv" in found
    assert "dcterms:source sources/ada-cv" in found
    own = said("people/ada-lindqvist#work-northfjord-lecturer", "source")
    assert "data/cv/ada-lindqvist.yaml:27:117  dcterms:source sources/ada-cv" in own


def test_a_decision_about_a_name_is_shown_with_its_reason(example: Path) -> None:
    people = example / "data" / "people.yaml"
    text = people.read_text(encoding="utf-8")
    people.write_text(
        text.replace(
            "kim-osei: {name: Kim Osei}",
            "kim-osei:\n  name: Kim Osei\n"
            "  alternateNames: [K. Osei]  # one ORCID\n  accept: {near-name: not Kim Osie}",
        ),
        encoding="utf-8",
    )
    papers = example / "data" / "publications.yaml"
    papers.write_text(
        papers.read_text(encoding="utf-8").replace("A. Lindqvist]", "A. Lindqvist, K. Osei]", 1),
        encoding="utf-8",
    )
    found = said("kim-osei", site=str(example))
    assert "also called K. Osei: one ORCID" in found
    assert "exception from the rule near-name: not Kim Osie" in found
    data = json.loads(run("ferreira-2021-gauges", "author", "--json", str(example)).stdout)
    line = text.splitlines().index("kim-osei: {name: Kim Osei}") + 3
    assert {
        "place": f"data/people.yaml:{line}:20",
        "text": "K. Osei means people/kim-osei",
        "reason": "one ORCID",
    } in data["decisions"]


def test_turtle_and_rules_of_the_site_are_led_to_their_files(example: Path) -> None:
    (example / "data" / "more.ttl").write_text(
        "@prefix schema: <http://schema.org/> .\n"
        "<people/ada-lindqvist#it>\n  schema:pronouns 'she/her' .\n",
        encoding="utf-8",
    )
    rules = example / "queries" / "rules"
    rules.mkdir(parents=True)
    (rules / "fond.rq").write_text(RULE, encoding="utf-8")
    found = said("ada-lindqvist", site=str(example))
    assert "data/more.ttl:2:1" in found
    assert "schema:pronouns she/her  [Turtle]" in found
    assert "data/more.ttl:3:19" in found
    ours = said("ada-lindqvist", "knowsAbout", "gauging", site=str(example))
    assert "queries/rules/fond.rq:1:1" in ours
    assert "Whoever is called Ada is fond of rivers." in ours
    assert "because people/ada-lindqvist (Ada Lindqvist) schema:givenName Ada" in ours


def test_what_is_private_has_no_reasons(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    text = cv.read_text(encoding="utf-8")
    cv.write_text(
        text.replace("basics:\n", "basics:\n  note: Zebra in the cellar\n", 1).replace(
            "alternateNames: [A. Lindqvist]",
            "alternateNames: [A. Lindqvist]\n  formerNames: [Ada Quagga]\n"
            "  disputed: {birthDate: 1801}",
        ),
        encoding="utf-8",
    )
    for form in ("text", "json"):
        found = said("ada-lindqvist", "-f", form, site=str(example))
        assert not [word for word in ("Zebra", "Quagga", "1801") if word in found]
        assert "another birthDate is disputed" in found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ada-lindqvst"], "'ada-lindqvst' does not exist. Closest: people/ada-l"),
        (["ferreira-2021-gauges#auhor-2"], "Closest: publications/ferreira-2021-gauges#author-2"),
        (
            ["ada-lindqvist", "schema:awrd"],
            "No statement has the property 'schema:awrd'. Closest: s",
        ),
        (
            ["ada-lindqvist", "knows", "kim-ose"],
            "None of the 4 statements has the value 'kim-ose'. C",
        ),
        (["ada-lindqvist", "knows", "kim", "osei"], "Too many arguments: 'osei'"),
    ],
)
def test_what_is_not_there_is_answered_with_the_nearest(words: list[str], message: str) -> None:
    result = run(*words, EXAMPLE)
    assert result.exit_code == 2
    assert message in result.stderr


def test_errors_in_an_entry_leave_the_others_explained(example: Path) -> None:
    (example / "data" / "places.yaml").write_text("here: {nam: Here}\n", encoding="utf-8")
    result = run("kim-osei", str(example))
    assert result.exit_code == 0
    assert "schema:name Kim Osei" in result.stdout
    assert "kg check" in result.stderr
