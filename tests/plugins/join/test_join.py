"""`kg join` with real sites on real hosts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from kg.check.check import check
from kg.cli import main
from tests.plugins.join.conftest import Members
from tests.plugins.join.member_sites import full_name, key

BASE = "https://union.example.org/"


def join(folder: Path, *arguments: str) -> Result:
    new = [] if (folder / "data").exists() else ["--base", BASE, "--title", "Union"]
    line = ["join", *arguments, "--into", str(folder), "--today", "2026-11-19", *new]
    return CliRunner().invoke(main, line)


def select(folder: Path, query: str) -> list[tuple[str, ...]]:
    """The rows of a query on the joined site, which has no errors."""
    graph = check(folder).good_graph(folder)
    prefixes = (
        "PREFIX schema: <http://schema.org/> PREFIX cv: <https://w3id.org/cv-kg/terms#> "
        "PREFIX dcterms: <http://purl.org/dc/terms/> "
    )
    rows: Any = graph.memory.select(prefixes + query)
    return sorted(tuple(row[name].value for name in sorted(row)) for row in rows)


def people(folder: Path) -> list[str]:
    return [name for (name,) in select(folder, "SELECT ?n { ?p a schema:Person ; schema:name ?n }")]


def works(folder: Path) -> list[str]:
    found = select(folder, "SELECT ?n { ?w a schema:ScholarlyArticle ; schema:headline ?n }")
    return [name for (name,) in found]


def test_each_person_work_organisation_and_journal_is_one_entry(
    members: Members, tmp_path: Path
) -> None:
    union = tmp_path / "union"
    done = join(union, *members.urls)
    assert done.exit_code == 0, done.output
    assert people(union) == sorted(map(full_name, range(4)))
    assert works(union) == [f"Results of experiment {number}" for number in range(4)]
    assert select(union, "SELECT ?n { ?o a schema:CollegeOrUniversity ; schema:name ?n }") == [
        ("University of Results",)
    ]
    assert len(select(union, "SELECT ?v { ?v a schema:Periodical }")) == 1
    owners = select(union, "SELECT ?p { ?p a cv:Owner }")
    assert owners == sorted((f"{BASE}people/{key(number)}#it",) for number in range(4))


def test_entries_lead_to_the_sites_that_have_them(members: Members, tmp_path: Path) -> None:
    union = tmp_path / "union"
    join(union, *members.urls)
    found = select(union, f"SELECT ?s {{ <{BASE}people/{key(0)}#it> schema:sameAs ?s }}")
    mine = f"{members.urls[0]}people/{key(0)}#it"
    assert (mine,) in found
    assert len([each for (each,) in found if each.startswith("http://127.0.0.1")]) == 4


def test_an_unchanged_site_costs_one_request(members: Members, tmp_path: Path) -> None:
    union = tmp_path / "union"
    join(union, *members.urls)
    before = [sum(each.requests.values()) for each in members.hosts]
    done = join(union)
    assert "4 unchanged; 4 requests" in done.output
    assert [sum(each.requests.values()) for each in members.hosts] == [n + 1 for n in before]
    assert [each.statuses[304] for each in members.hosts] == [1] * 4


def test_a_site_that_was_withdrawn_is_gone(members: Members, tmp_path: Path) -> None:
    union = tmp_path / "union"
    join(union, *members.urls)
    members.hosts[2].answers["*"] = lambda handler: handler.answer(410)
    done = join(union)
    assert done.exit_code == 0, done.output
    assert "1 withdrawn" in done.output
    owners = select(union, "SELECT ?p { ?p a cv:Owner }")
    assert len(owners) == 3
    assert f"{BASE}people/{key(2)}#it" not in dict.fromkeys(each for (each,) in owners)
    assert (
        members.urls[2] not in (union / "joined" / "sites.json").read_text().partition("paths")[0]
    )


def test_a_site_that_cannot_be_reached_keeps_its_last_state(
    members: Members, tmp_path: Path
) -> None:
    union = tmp_path / "union"
    join(union, *members.urls)
    members.hosts[1].answers["*"] = lambda handler: handler.answer(500)
    done = join(union)
    assert done.exit_code == 1
    assert "returned HTTP 500" in done.output
    assert "its facts of 2026-11-19 are still used" in done.output
    assert len(select(union, "SELECT ?p { ?p a cv:Owner }")) == 4
