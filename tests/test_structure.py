"""The plan of the house, held: imports go one way, files stay small, every field says where it
goes, every term exists.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import kg.facts.models
from kg.facts.models.base import Fact
from kg.facts.values.terms import Join, Kept
from kg.vocab import foaf, schema
from tests.conftest import ROOT

# A room may use itself and the rooms on the lines above it.
ROOMS = [
    ["errors", "vocab", "settings"],
    ["facts"],
    ["mapping"],
    ["engine"],
    ["graph"],
    ["publish"],
    ["report"],
    ["web"],
    ["cli"],
]
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
# The verbs stand above all rooms: `kg.load`, `kg.check`; and `kg.graph(".")`, for which the package
# of the graph can be called.
VERBS = {Path("kg/__init__.py"), Path("kg/graph/__init__.py")}
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "kg").rglob("*.py"))
LENGTHS = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in FILES}

CARRIED_BY_ANY_ENTRY = {"id", "visibility", "note", "source", "disputed", "accept"}
FAMILIES = {"Organization", "Event", "CreativeWork", "Role", "Person", "Place", "ItemList"}
VOCABULARIES = {"schemaorg-30.0.tsv": schema, "foaf-0.99.tsv": foaf}


def room_of(path: Path) -> str:
    return path.parts[1].removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every import of our own in a file, inside functions too: the line and the room."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [f"kg.{alias.name}" for alias in node.names] if module == "kg" else [module]
        for name in names:
            if name.startswith("."):
                yield node.lineno, name  # relative: belongs to no room, so it is refused
            elif name == "kg" or name.startswith("kg."):
                yield node.lineno, name.removeprefix("kg").removeprefix(".").partition(".")[0]


def facts(model: type[Fact] = Fact) -> Iterator[type[Fact]]:
    """All kinds of fact."""
    for child in model.__subclasses__():
        yield child
        yield from facts(child)


for module in pkgutil.iter_modules(kg.facts.models.__path__, "kg.facts.models."):
    importlib.import_module(module.name)
FACTS = sorted(set(facts()), key=lambda model: model.__name__)


def is_part(annotation: Any) -> bool:
    """Whether a value is a fact, or a list or mapping of facts."""
    if isinstance(annotation, type) and issubclass(annotation, Fact):
        return True
    return any(is_part(argument) for argument in get_args(annotation))


def vocabulary(name: str) -> dict[str, dict[str, str]]:
    """The terms of a published vocabulary."""
    path = ROOT / "tests" / "vocabularies" / name
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = [
        dict(zip(head.split("\t"), [*line.split("\t"), *[""] * 9], strict=False)) for line in lines
    ]
    return {row["term"]: row for row in rows}


def ancestors(term: str, terms: dict[str, dict[str, str]]) -> set[str]:
    parents = set(re.findall(r"\w+", terms[term]["parents"])) if term in terms else set()
    return parents.union(*(ancestors(parent, terms) for parent in parents))


def test_the_house_is_seen_whole() -> None:
    assert len(FILES) >= 50
    assert len(FACTS) >= 30
    assert {room_of(path) for path in FILES} - {"__init__"} == set(LEVEL)


@pytest.mark.parametrize("path", [path for path in FILES if path not in VERBS], ids=str)
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    wrong = [
        f"{path}:{line} {room} uses {other or 'the verbs'}"
        for line, other in imported(path)
        if other != room and LEVEL.get(other, 99) > LEVEL[room]
    ]
    assert wrong == []


def test_the_verb_of_the_graph_uses_no_room_above_it_either() -> None:
    assert {room for _, room in imported(Path("kg/graph/__init__.py"))} <= {"graph", "vocab"}


def test_a_report_knows_problems_and_nothing_of_how_they_are_found() -> None:
    used = {room for path in FILES if room_of(path) == "report" for _, room in imported(path)}
    assert "errors" in used
    assert used <= {"report", "errors", "settings", "vocab"}


def test_no_file_is_long() -> None:
    assert {str(path): length for path, length in LENGTHS.items() if length > 250} == {}


def test_most_files_are_short() -> None:
    assert statistics.median(LENGTHS.values()) < 120


def test_no_module_is_named_for_nothing() -> None:
    nothing = {
        "utils",
        "util",
        "helpers",
        "helper",
        "services",
        "service",
        "manager",
        "managers",
        "common",
        "misc",
    }
    assert [str(path) for path in FILES if nothing & set(path.with_suffix("").parts)] == []


@pytest.mark.parametrize("model", FACTS, ids=lambda model: model.__name__)
def test_every_field_says_where_it_goes(model: type[Fact]) -> None:
    lost = [
        name
        for name, field in model.model_fields.items()
        if name not in CARRIED_BY_ANY_ENTRY
        and not any(
            isinstance(mark, Join) or (isinstance(mark, Kept) and mark.why.strip())
            for mark in field.metadata
        )
        and not is_part(field.annotation)
    ]
    assert lost == []


def test_a_fact_has_the_class_of_its_family_beside_its_own() -> None:
    terms = vocabulary("schemaorg-30.0.tsv")
    missing = {}
    for model in FACTS:
        if schema.ResearchProject in model.types:
            # a project is kept apart from employers, although schema.org calls it an organisation
            continue
        own = {
            kind.removeprefix(str(schema)) for kind in model.types if kind.startswith(str(schema))
        }
        families = {family for kind in own for family in ancestors(kind, terms) & FAMILIES}
        missing[model.__name__] = families - own
    assert {name: families for name, families in missing.items() if families} == {}


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_term_of_the_profile_exists_and_is_current(name: str) -> None:
    terms, ours = vocabulary(name), list(VOCABULARIES[name])
    assert len(ours) > 20
    assert [term for term in ours if term not in terms] == []
    assert [
        term
        for term in ours
        if terms[term].get("supersededBy") or terms[term].get("status") == "archaic"
    ] == []
