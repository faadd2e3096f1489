"""`kg export --to sqlite` and `site.to_sqlite`: the public facts as tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kg.check.check import good
from kg.graph.build import Graph
from kg.opened_site import OpenSite
from kg.publish.site import Documents
from tests.cli.test_cli import run
from tests.conftest import copy_of_example


@pytest.fixture(scope="module")
def example(small: Documents) -> OpenSite:
    assert isinstance(small.graph, Graph)
    return OpenSite(small.graph)


@pytest.fixture(scope="module")
def file(example: OpenSite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "lab.db"
    example.to_sqlite(path)
    return path


@pytest.fixture
def database(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as opened:
        yield opened


def rows(database: sqlite3.Connection, query: str) -> list[Any]:
    return database.execute(query).fetchall()


def test_the_tables_have_what_the_site_has(database: sqlite3.Connection, example: OpenSite) -> None:
    works = [*example.publications, example.thing("patents/gravel-microphone")]
    counts = {
        "people": len(example.people),
        "organisations": len(example.organizations),
        "venues": len(example.venues),
        "topics": len(example.topics),
        "works": len(works),
        "authorships": sum(len(each.authors) for each in works) + 2,  # editors
        "positions": sum(len(each.jobs) for each in example.people),
        "studies": sum(len(each.studies) for each in example.people),
    }
    found = {name: rows(database, f"SELECT COUNT(*) FROM {name}")[0][0] for name in counts}  # noqa: S608
    assert found == counts
    assert rows(database, "SELECT name FROM people WHERE has_cv ORDER BY name") == [
        ("Ada Lindqvist",),
        ("Tomás Ferreira",),
    ]


def test_keys_lead_to_rows_and_are_indexed(database: sqlite3.Connection) -> None:
    assert rows(database, "PRAGMA foreign_key_check") == []
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]
    for table in ("positions", "work_topics", "organisations"):
        found = rows(database, f"PRAGMA foreign_key_list({table})")
        assert {key[4] for key in found} == {"address"}
    keys = rows(database, "PRAGMA foreign_key_list(authorships)")
    assert [key[2:5] for key in keys] == [  # Datasette needs the column that a key leads to
        ("organisations", "organisation", "address"),
        ("people", "person", "address"),
        ("works", "work", "address"),
    ]
    plan = rows(database, "EXPLAIN QUERY PLAN SELECT * FROM authorships WHERE person = 'x'")
    assert "USING INDEX authorships_by_person" in plan[0][3]


def test_a_large_site_and_an_almost_empty_one_fit(
    graph: Graph, tmp_path: Path, one_person: Path
) -> None:
    sites = OpenSite(graph), OpenSite(good(one_person))
    for number, site in enumerate(sites):
        site.to_sqlite(tmp_path / f"{number}.db")
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as opened:
            assert rows(opened, "PRAGMA foreign_key_check") == []
            [(people,)] = rows(opened, "SELECT COUNT(*) FROM people")
            assert people == len(site.people)
            [(works,)] = rows(opened, "SELECT COUNT(*) FROM works WHERE address LIKE 'publ%'")
            assert works == len(site.publications)


def test_a_join_answers_a_question(database: sqlite3.Connection) -> None:
    query = """SELECT people.name, COUNT(*) FROM authorships AS mine
        JOIN authorships AS theirs ON theirs.work = mine.work AND theirs.person != mine.person
        JOIN people ON people.address = theirs.person
        WHERE mine.person = 'people/noor-haddad' AND mine.work LIKE 'publications/%'
        GROUP BY people.address ORDER BY 2 DESC, 1"""
    assert rows(database, query)[0][0] == "Ada Lindqvist"
    query = """SELECT position, printed_name, person FROM authorships
        WHERE work = 'publications/ferreira-2021-gauges' ORDER BY position"""
    assert rows(database, query) == [
        (1, "T. Ferreira", "people/tomas-ferreira"),
        (2, "A. Lindqvist", "people/ada-lindqvist"),
    ]


def test_positions_have_dates_as_texts_and_as_days(database: sqlite3.Connection) -> None:
    query = """SELECT title, kind, unit, organisation, start, "end", is_current, earliest, latest
        FROM positions WHERE person = 'people/ada-lindqvist' ORDER BY earliest DESC LIMIT 2"""
    unit, whole = "orgs/northfjord-rivers", "orgs/northfjord"
    assert rows(database, query) == [
        ("Lecturer", "Employment", unit, whole, "2022-09", None, 1, "2022-09-01", None),
        (
            "Research Assistant",
            "Assistantship",
            unit,
            whole,
            "2018-09",
            "2022-08",
            0,
            "2018-09-01",
            "2022-08-31",
        ),
    ]
    assert rows(database, "SELECT kind, organisation FROM studies LIMIT 1") == [
        ("DoctoralStudy", whole)
    ]


def test_the_same_site_gives_the_same_bytes(example: OpenSite, file: Path, tmp_path: Path) -> None:
    assert isinstance(example._built, Graph)
    OpenSite(example._built).to_sqlite(tmp_path / "again.db")
    assert (tmp_path / "again.db").read_bytes() == file.read_bytes()


def test_private_values_are_not_in_it(tmp_path: Path) -> None:
    site = copy_of_example(tmp_path / "site")
    cv = site / "data" / "cv" / "ada-lindqvist.yaml"
    text = cv.read_text(encoding="utf-8")
    hidden = text.replace("position: Map Drawer,", "position: Map Drawer, visibility: private,")
    assert hidden != text
    cv.write_text(hidden, encoding="utf-8")
    target = tmp_path / "out" / "lab.db"
    found = run("export", site, "--to", "sqlite", "-o", target)
    assert (found.exit_code, found.stderr) == (0, f"Exported {site} as SQLite to {target}.\n")
    content = target.read_bytes()
    assert b"Lecturer" in content
    assert b"Map Drawer" not in content
    assert b"ada@example.org" not in content


def test_the_command_writes_a_file_of_the_site_it_is_in(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = copy_of_example(tmp_path / "site")
    monkeypatch.chdir(site)
    assert run("export", "--to", "sqlite", "lab.db").exit_code == 0
    assert (site / "lab.db").read_bytes() == file.read_bytes()
    found = run("export", "--to", "sqlite")
    assert (found.exit_code, "-o FILE" in found.stderr) == (2, True)
    found = run("export", "--to", "jsonresume")
    assert (found.exit_code, "Give a SLUG" in found.stderr) == (2, True)
