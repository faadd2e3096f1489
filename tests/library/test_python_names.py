"""What Tab, `help()` and type checkers know of the Python API, and answers as tables of others."""

from __future__ import annotations

import datetime
import inspect
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import kg
from kg.answer_table import AnswerTable
from kg.graph.build import Graph
from kg.graph.linked_things import PersonThing, Thing
from kg.opened_site import OpenSite
from kg.publish.site import Documents
from release import reference
from tests.cli.test_cli import run


@pytest.fixture(scope="module")
def example(small: Documents) -> OpenSite:
    assert isinstance(small.graph, Graph)
    return OpenSite(small.graph)


def test_the_package_shows_what_it_offers() -> None:
    assert dir(kg) == sorted(kg.__all__)
    assert {"open", "check", "SiteNotFound", "UnknownName", "__version__"} <= {*dir(kg)}
    assert kg.__version__ == version("cv-kg")
    assert all(hasattr(kg, name) for name in kg.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        kg.nothing  # noqa: B018


def test_each_question_is_a_method_with_a_signature(example: OpenSite) -> None:
    assert {name.replace("-", "_") for name in example.questions} <= {*dir(example.questions)}
    method = example.questions.coauthors_of
    assert str(inspect.signature(method)) == "(*, person)"
    assert str(inspect.signature(example.questions.grants)) == "(*, person=None, funder=None)"
    assert inspect.getdoc(method) == (
        "Who has this person written with?\n\nArgs:\n    person: author (person)"
    )
    found = method(person="noor-haddad")
    assert list(found) == list(example.ask("coauthors-of", person="noor-haddad"))
    assert len(example.questions.grants(funder=None)) == len(example.ask("grants"))
    with pytest.raises(AttributeError, match="Closest: coauthors_of"):
        example.questions.coauthor_of()
    assert "coauthors_of " in repr(example.questions)


def test_type_checkers_know_the_built_in_questions() -> None:
    assert reference.STUB.read_text(encoding="utf-8") == reference.question_methods()


@pytest.mark.proof
def test_a_type_checker_finds_a_wrong_parameter(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(
        "import kg\n"
        "site = kg.open('mysite')\n"
        "reveal_type(site.questions.coauthors_of(person='ada'))\n"
        "reveal_type(site.people['ada'])\n"
        "reveal_type(site.people[0].start)\n"
        "site.questions.coauthors_of(persn='ada')\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file=", "use.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert 'Revealed type is "kg.answer_table.AnswerTable"' in said
    assert 'Revealed type is "kg.graph.linked_things.PersonThing"' in said
    assert 'no attribute "start"' in said
    assert "persn" in said


def test_cells_are_entries_with_the_text_of_the_answer(example: OpenSite) -> None:
    answer = example.questions.coauthors_of(person="noor-haddad")
    assert answer.columns == ["coauthor", "works"]
    person = answer[0]["coauthor"]
    assert isinstance(person, PersonThing)
    assert (str(person), person.address) == ("Ada Lindqvist", "people/ada-lindqvist")
    assert person == example.people["ada-lindqvist"]


def test_no_question_changes_its_rows_by_its_entries(example: OpenSite) -> None:
    """What is shown is what `kg query` prints."""
    for name, question in example._questions.items():
        if any(each.is_required for each in question.parameters):
            continue
        plain, linked = example.sparql(question.text), example.ask(name)
        assert isinstance(plain, AnswerTable)
        assert linked.columns == plain.columns
        assert sorted(map(texts, linked)) == sorted(map(texts, plain))


def texts(row: dict[str, object]) -> list[str]:
    return ["" if each is None else str(each) for each in row.values()]


def test_an_answer_becomes_csv_json_and_a_frame(example: OpenSite, tmp_path: Path) -> None:
    answer = example.questions.coauthors_of(person="noor-haddad")
    csv = answer.to_csv(tmp_path / "a.csv", addresses=True)
    assert csv.splitlines()[:2] == [
        "coauthor,coauthor_address,works",
        "Ada Lindqvist,https://lab.example.org/people/ada-lindqvist,2",
    ]
    assert (tmp_path / "a.csv").read_bytes() == csv.encode()
    assert answer.to_csv().splitlines()[1] == "Ada Lindqvist,2"
    found = json.loads(answer.to_json(tmp_path / "a.json"))
    url = "https://lab.example.org/people/ada-lindqvist"
    assert found[0] == {"coauthor": {"name": "Ada Lindqvist", "url": url}, "works": 2}
    assert json.loads((tmp_path / "a.json").read_bytes()) == found
    frame = answer.to_pandas()
    assert list(frame.columns) == ["coauthor", "works"]
    assert frame["works"].sum() == 3
    nothing = example.sparql("SELECT ?x { ?x <x:y> ?z }")
    assert list(nothing.to_pandas()) == ["x"]
    days = example.sparql("SELECT ('2024-05-17'^^xsd:date AS ?day) {}")
    assert json.loads(days.to_json()) == [{"day": "2024-05-17"}]


def test_the_usual_prefixes_are_known_and_can_be_declared_otherwise(example: OpenSite) -> None:
    query = "SELECT ?name { ?person a cv:Owner ; foaf:name ?name } ORDER BY ?name"
    assert len(example.sparql(query)) == 2
    assert len(example.sparql(f"PREFIX cv: <x:> {query}")) == 0
    hints = example.sparql("SELECT ?x { ?x a cv:Ownr }").hints
    assert hints == ("No triple uses cv:Ownr. Did you mean cv:Owner?",)
    with pytest.raises(kg.BadQuery, match="prefix just before this is not declared"):
        example.sparql("SELECT ?x { ?x a other:Owner }")


def test_entries_are_found_by_name_beside_their_place(example: OpenSite) -> None:
    people = example.people
    assert people["ada-lindqvist"] == people["Ada Lindqvist"] == people[0]
    assert people[:2] == [people[0], people[1]]
    assert example.organizations["delta-works"].name == "Delta Works"
    with pytest.raises(kg.UnknownName, match="ada-lindqvist") as found:
        people["ada-lindquist"]
    assert found.value.nearest == ("ada-lindqvist",)


def test_a_person_has_contact_data_and_others_around(example: OpenSite) -> None:
    ada, tomas = example.people["ada-lindqvist"], example.people["tomas-ferreira"]
    assert (ada.email, ada.homepage) == (None, "https://ada.example.org/")  # the address is hashed
    assert ada.summary == "Measures how rivers carry sand, and why they drop it."
    assert names(ada.advisors) == ["Tomás Ferreira"]
    assert names(ada.mentees) == ["Kim Osei"]
    assert names(tomas.mentees) == ["Ada Lindqvist"]
    assert names(ada.coauthors) == ["Tomás Ferreira", "Noor Haddad"]
    assert names(ada.grants) == ["The Sound of Moving Gravel"]
    assert names(ada.skills) == ["Gauging", "Boat handling", "Python", "Bedload"]
    assert ("Reviewer", "Journal of Sand") in {(str(each), str(each.at)) for each in ada.service}


def names(entries: list[Thing]) -> list[str]:
    return [each.name for each in entries]


def test_dates_are_dates_beside_the_text(example: OpenSite) -> None:
    now, before, *_ = example.people["ada-lindqvist"].jobs
    assert (now.start, now.earliest, now.latest) == ("2022-09", datetime.date(2022, 9, 1), None)
    assert (before.end, before.latest) == ("2022-08", datetime.date(2022, 8, 31))
    work = example.publications["lindqvist-2022-thesis"]
    assert (work.date, work.earliest) == ("2022", datetime.date(2022, 1, 1))


def test_a_notebook_shows_links(example: OpenSite) -> None:
    link = '<a href="https://lab.example.org/people/ada-lindqvist">Ada Lindqvist</a>'
    assert example.people[0]._repr_html_() == link
    assert link in example.questions.coauthors_of(person="noor-haddad")._repr_html_()
    assert example._repr_html_().startswith('<a href="https://lab.example.org/">A small laboratory')


@pytest.mark.process
def test_a_check_finds_what_the_command_finds(site: Path) -> None:
    """A fault that only pages show is found, too."""
    (site / "templates").mkdir()
    (site / "templates" / "page.html").write_text("{{ nothing.at.all }}\n")
    said = run("check", site, "--json", "--today", "2026-11-15").stdout
    found = [each["message"] for each in json.loads(said)["problems"]]
    assert any("page.html" in str(each) for each in json.loads(said)["problems"])
    assert [each.message for each in kg.check(site, "2026-11-15")] == found
