"""What shows only when a page is filled by a site's own templates and blocks is found by the check,
and refused by a build and a server in the same words.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kg.check.check import good
from kg.errors import ProblemsFound
from kg.publish.verify.trial import tried_documents
from kg.settings import shipped
from kg.web.state import build_state
from tests.cli.test_cli import run

BLOCK = """# title: Names
# pages: people 5
# row: x
# template: {}
SELECT ?x ?name WHERE {{ ?x <http://schema.org/name> ?name OPTIONAL {{ ?x <urn:y> ?y }} }}
"""
EXTENDING = '{% extends "shipped/page.html" %}{% block title %}\n{{ page.titel }}{% endblock %}'
FAULTS = {
    "an attribute": (
        "templates/blocks/positions.html",
        "<p>\n{{ section.titel }}",
        "templates/blocks/positions.html:2:12",
        "Unknown name 'titel'. Correct or remove it.",
    ),
    "an expression": (
        "templates/blocks/positions.html",
        "{{ section.title + 1 }}",
        "templates/blocks/positions.html:1:1",
        "Cannot render this: can only concatenate str",
    ),
    "a value of the page": (
        "templates/page.html",
        EXTENDING,
        "templates/page.html:2:9",
        "Unknown name 'titel'. Correct or remove it.",
    ),
    "the page of questions": (
        "templates/sparql.html",
        "{{ general[0].nothing }}",
        "templates/sparql.html:1:15",
        "Unknown name 'nothing'.",
    ),
    "columns that a template shows": (
        "queries/pages/own.rq",
        BLOCK.format("links"),
        "queries/pages/own.rq:4:13",
        "'blocks/links.html' cannot show the result of this query. The built-in queries return "
        "at least ?item, ",
    ),
    "columns that another module reads": (
        "queries/pages/own.rq",
        BLOCK.format("people"),
        "queries/pages/own.rq:4:13",
        "'blocks/people.html' cannot show the result of this query. The built-in queries return",
    ),
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    shutil.copytree(shipped("example"), tmp_path / "site", ignore=shutil.ignore_patterns(".*"))
    return tmp_path / "site"


def add(site: Path, name: str, text: str) -> None:
    (site / name).parent.mkdir(parents=True)
    (site / name).write_text(text, encoding="utf-8")


@pytest.mark.sample(test=0.05)
@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.slow
def test_it_is_one_problem_at_its_place(site: Path, kind: str) -> None:
    name, text, place, words = FAULTS[kind]
    add(site, name, text)
    with pytest.raises(ProblemsFound) as raised:
        tried_documents(good(site))
    (problem,) = raised.value.problems
    assert (str(problem.place), problem.severity) == (place, "error")
    assert problem.message.startswith(words)


@pytest.mark.proof
def test_all_commands_say_the_same(site: Path, tmp_path: Path) -> None:
    name, text, place, words = FAULTS["an attribute"]
    add(site, name, text)
    checked = run("check", site)
    assert checked.exit_code == 1
    assert f"{site}/{place}  error    {words}  [template]" in checked.stdout
    built = run("build", site, "-o", tmp_path / "out")
    assert built.exit_code == 1
    assert f"{site}/{place}  error    {words}  [template]" in built.stderr
    assert not (tmp_path / "out").exists()
    with pytest.raises(ProblemsFound, match="Unknown name 'titel'"):
        build_state(good(site))


def test_a_site_of_our_templates_is_not_tried(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.publish.verify.trial.try_pages", lambda _: 1 / 0)
    tried_documents(good(site))


def test_a_row_without_its_key_is_left_out(site: Path) -> None:
    text = BLOCK.format("prose").replace("row: x", "row: y").replace("?name WHERE", "?y WHERE")
    add(site, "queries/pages/own.rq", text)
    tried_documents(good(site))
