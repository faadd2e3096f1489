"""The plan of the house: imports go one way, folders and modules stay small and have names of their
own, every field says where it goes, every term exists.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import kg.facts.models
from kg.facts.models.base import Fact
from kg.facts.values.terms import Join, Unmapped
from kg.vocab import foaf, schema
from tests.conftest import LONG, LONGEST, ROOT, skip

# A room may use itself and the rooms on the lines above it.
ROOMS = [
    {"errors", "disk"},
    {"revisions"},
    {"drafts"},
    {"journal"},
    {"vocab", "settings"},
    {"memo"},
    {"facts"},
    {"mapping"},
    {"store"},
    {"sparql"},
    {"graph"},
    {"check"},
    {"publish"},
    {"library"},
    {"elsewhere"},
    {"audit"},
    {"start"},
    {"exchange"},
    {"web"},
    {"agents"},
    {"cli"},
]
# The same inside a room, for its folders and modules. A star is what no line names.
INSIDE = {
    "facts": [
        {"reading", "values"},
        {"models"},
        {"*"},
        {"load"},
        {"checks", "privacy", "register", "schema"},
    ],
    "sparql": [{"reading"}, {"*"}, {"workers"}, {"endpoint"}, {"answer_cache"}],
    "graph": [{"*"}, {"parallel"}, {"build"}],
    "check": [{"impact", "own", "report", "shacl"}, {"*"}, {"check"}, {"watch"}],
    "exchange": [
        {"source_files"},
        {"draft"},
        {"markup", "xml_rows", "yaml_text"},
        {"fields", "line_entries"},
        {"readers", "writers"},
        {"*"},
        {"importing"},
    ],
    "publish": [
        {"text", "citations"},
        {"formats", "*"},
        {"queries", "figures"},
        {"embed"},
        {"pages"},
        {"about", "hosting", "dumps", "history", "search"},
        {"site"},
        {"proof"},
        {"export"},
    ],
}
# The verbs stand above all rooms: `kg.load`, `kg.check`.
VERBS = {Path("kg/__init__.py")}
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "kg").rglob("*.py"))
MODULES = [path for path in FILES if not path.stem.startswith("__")]
LINES = {path: (ROOT / path).read_text(encoding="utf-8").splitlines() for path in FILES}
MOST_MODULES, MOST_LINES, LEAST_LINES, WIDEST = 15, 400, 40, 100
NO_NAMES = re.compile(
    r"told|said|held|kept|made|asked|again|standing|lasting|looked|whole|passing|filed|room|turns|"
    r"ways|utils?|helpers?|services?|managers?|common|misc"
)
# Modules that share a name, because they do the same for different things.
SAME_NAME = {
    "audit": "the audit of a page, and the command that runs it",
    "check": "the check, and the command that runs it",
    "explain": "why a value is wrong, and why a rule exists",
    "markup": "the strict markup of our own pages, and that of any page",
    "pages": "pages an author writes about, and the pages of a graph",
    "protocol": "the protocol of a store, and that of SPARQL over HTTP",
    "questions": "how a question is written, and the questions of a site",
    "reconciliation": "the matching of names in tables, and its addresses",
    "render": "a page is rendered, and so is a folder of them",
    "rows": "rows of a YAML file, and rows on a page",
    "serve": "serving, and the command that does it",
    "server": "a server that is pushed to, and one that is proved",
    "text": "text that an author wrote, and a report as text",
}

CARRIED_BY_ANY_ENTRY = {"id", "visibility", "note", "source", "disputed", "accept"}
FAMILIES = {"Organization", "Event", "CreativeWork", "Role", "Person", "Place", "ItemList"}
VOCABULARIES = {"schemaorg-30.0.tsv": schema, "foaf-0.99.tsv": foaf}


def dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


NAMES = {dotted(path): path for path in FILES}


def imported(path: Path) -> Iterator[str]:
    """Every module of ours that a file imports, inside functions too; not what only the types of
    annotations need.
    """
    tree = ast.parse("\n".join(LINES[path]))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "kg")
        elif isinstance(node, ast.ImportFrom) and (node.level or node.module.split(".")[0] == "kg"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield "." if node.level else name if name in NAMES else str(node.module)


@cache
def imports() -> dict[str, set[str]]:
    return {dotted(path): set(imported(path)) for path in FILES}


def level(layers: list[set[str]], name: str) -> int:
    """The line a name is on; a star stands for all names that are on none."""
    named = [number for number, names in enumerate(layers) if name in names]
    starred = [number for number, names in enumerate(layers) if "*" in names]
    return (named or starred or [99])[0]


def is_below(user: str, used: str) -> bool:
    """Whether a module may use another: it is on the same line of the plan, or further down."""
    (_, room, *rest), (_, other, *others) = user.split("."), [*used.split("."), ""][:3]
    if room != other:
        return level(ROOMS, other) < level(ROOMS, room)
    if room not in INSIDE or not (rest and others and others[0]):
        return True
    return level(INSIDE[room], others[0]) <= level(INSIDE[room], rest[0])


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
    path = ROOT.parent / "shared" / "vocab" / name
    if not path.exists():
        skip(f"the vocabulary {path} is not here")
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = [
        dict(zip(head.split("\t"), [*line.split("\t"), *[""] * 9], strict=False)) for line in lines
    ]
    return {row["term"]: row for row in rows}


def ancestors(term: str, terms: dict[str, dict[str, str]]) -> set[str]:
    parents = set(re.findall(r"\w+", terms[term]["parents"])) if term in terms else set()
    return parents.union(*(ancestors(parent, terms) for parent in parents))


def wrong_imports() -> set[str]:
    return {
        f"{user} uses {used}"
        for user, path in NAMES.items()
        if path not in VERBS
        for used in imports()[user]
        if used in (".", "kg") or not is_below(user, used)
    }


def full_folders() -> set[str]:
    sizes = Counter(path.parent for path in MODULES)
    return {str(folder) for folder, size in sizes.items() if size > MOST_MODULES}


def long_modules() -> set[str]:
    return {str(path) for path in MODULES if len(LINES[path]) > MOST_LINES}


def short_modules() -> set[str]:
    """Modules that are too short to stand alone, unless two others use them."""
    users = Counter(used for names in imports().values() for used in names)
    return {
        str(path) for path in MODULES if len(LINES[path]) < LEAST_LINES and users[dotted(path)] < 2
    }


def equal_names() -> set[str]:
    return shared_names() - SAME_NAME.keys()


def shared_names() -> set[str]:
    return {name for name, times in Counter(path.stem for path in MODULES).items() if times > 1}


def equal_classes() -> set[str]:
    classes = [
        node.name
        for path in FILES
        for node in ast.walk(ast.parse((ROOT / path).read_text()))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(classes) > 200
    return {name for name, times in Counter(classes).items() if times > 1}


def names_of_nothing() -> set[str]:
    return {str(path) for path in FILES if any(map(NO_NAMES.fullmatch, path.with_suffix("").parts))}


def wide_lines() -> set[str]:
    return {str(path) for path, lines in LINES.items() if any(len(line) > WIDEST for line in lines)}


def defines(text: str, name: str) -> bool:
    return not name or bool(re.search(rf"^(?:def|class) {name}\b", text, re.MULTILINE))


def paths_of_nothing() -> set[str]:
    """Modules that the pages about the program name and that are not there, and what they say is in
    them and is not.
    """
    named = set[tuple[str, str]]()
    for page, fewest in (("README.md", 8), ("CONTRIBUTING.md", 20)):
        text = (ROOT / page).read_text(encoding="utf-8")
        found = re.findall(r"(?:`(\w+)` in )?`((?:\w+/)*\w+\.py)`", text)
        assert len(set(found)) >= fewest, page
        named.update(found)
    paths = {f"/{path}": "\n".join(LINES[path]) for path in FILES}
    paths |= {f"/tests/{path.name}": path.read_text() for path in ROOT.glob("tests/*.py")}
    return {
        f"{name} in {file}"
        for name, file in named
        if not any(
            path.endswith(f"/{file}") and defines(text, name) for path, text in paths.items()
        )
    }


def test_the_house_is_seen_whole() -> None:
    assert len(FILES) >= 50
    assert len(FACTS) >= 30
    assert sum(map(len, imports().values())) > 500
    assert {path.parts[1].removesuffix(".py") for path in FILES} - {
        "__init__",
        "__main__",
    } == set().union(*ROOMS)
    for room, layers in INSIDE.items():
        inside = {part.name.removesuffix(".py") for part in (ROOT / "kg" / room).iterdir()}
        assert set().union(*layers) - {"*"} <= inside, room


@pytest.mark.parametrize(
    ("user", "used", "may"),
    [
        ("kg.web.app", "kg.publish.site", True),
        ("kg.publish.site", "kg.web.app", False),
        ("kg.publish.site", "kg.errors", True),
        ("kg.errors", "kg.facts", False),
        ("kg.facts.load", "kg.facts.reading.yaml", True),
        ("kg.facts.reading.yaml", "kg.facts.load", False),
        ("kg.facts.reading.yaml", "kg.facts.models.base", False),
        ("kg.publish.pages.head", "kg.publish.formats.urls", True),
        ("kg.publish.formats.urls", "kg.publish.pages.head", False),
        ("kg.publish.pages.head", "kg.publish.document", True),
        ("kg.publish.document", "kg.publish.pages.head", False),
        ("kg.web.app", "kg.web.answers", True),
    ],
)
def test_rooms_and_folders_are_told_apart(user: str, used: str, may: bool) -> None:
    assert is_below(user, used) is may


CHECKS = [
    wrong_imports,
    full_folders,
    long_modules,
    short_modules,
    equal_names,
    equal_classes,
    names_of_nothing,
    wide_lines,
    paths_of_nothing,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_plan_of_the_house_holds(check: Callable[[], set[str]]) -> None:
    assert check() == set()


def test_every_reason_for_a_shared_name_is_needed() -> None:
    assert SAME_NAME.keys() - shared_names() == set()


def test_the_files_that_are_taken_first_are_there() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []


def test_the_long_tests_are_there() -> None:
    for pattern in LONG:
        file, _, name = pattern.partition("::")
        function = name.split("[")[0].rstrip("*")
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert name.startswith("*") or f"def {function}" in text, pattern


def test_the_verb_of_the_graph_uses_nothing_above_the_check() -> None:
    assert {name.split(".")[1] for name in imports()["kg.graph"]} <= {"graph", "vocab", "check"}


def test_a_report_knows_problems_and_nothing_of_how_they_are_found() -> None:
    used = {
        name.removeprefix("kg.")
        for user, names in imports().items()
        if user.startswith("kg.check.report")
        for name in names
    }
    assert "errors" in used
    assert {
        name
        for name in used
        if not name.startswith("check.report") and name not in ("errors", "settings", "vocab")
    } == set()


@pytest.mark.parametrize("model", FACTS, ids=lambda model: model.__name__)
def test_every_field_says_where_it_goes(model: type[Fact]) -> None:
    lost = [
        name
        for name, field in model.model_fields.items()
        if name not in CARRIED_BY_ANY_ENTRY
        and not any(
            isinstance(mark, Join) or (isinstance(mark, Unmapped) and mark.why.strip())
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
