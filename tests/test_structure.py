"""The plan of the house: imports go one way, folders stay small, names say something, every field
says where it goes, every term exists.
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
from kg.facts.values.terms import Fact, Join, Unmapped
from kg.vocab import foaf, schema
from tests.conftest import LONGEST, ROOT

# A room may use itself, the rooms on its own line and those on the lines above it.
ROOMS = [
    {"errors"},
    {"doors", "vocab", "files"},
    {"settings"},
    {"store"},
    {"text"},
    {"facts", "advice"},
    {"mapping"},
    {"sparql"},
    {"graph"},
    {"check"},
    {"publish"},
    {"answer_table"},
    {"opened_site"},
    {"web"},
    {"api"},
    {"cli"},
    {"plugins"},
]
# The same inside a room, for its folders and modules. A star is what no line names.
INSIDE = {
    "facts": [
        {"yaml", "values"},
        {"models"},
        {"*"},
        {"load"},
        {"privacy", "schema"},
    ],
    "sparql": [{"reading"}, {"*"}, {"workers"}, {"endpoint"}, {"answer_cache"}],
    "graph": [{"*"}, {"parallel"}, {"build"}],
    "check": [
        {"blocks", "own_files", "report", "rules", "term_shapes"},
        {"*"},
        {"check"},
        {"watch"},
    ],
    "publish": [
        {"citations"},
        {"formats", "*"},
        {"questions", "figures"},
        {"pages", "page_files", "added_files"},
        {"about", "hosting", "dumps", "search"},
        {"site"},
        {"verify"},
        {"export"},
    ],
}
# The verbs stand above all rooms: `kg.load`, `kg.check`.
VERBS = {Path("kg/__init__.py")}
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / "kg").rglob("*.py"))
MODULES = [path for path in FILES if not path.stem.startswith("__")]
LINES = {path: (ROOT / path).read_text(encoding="utf-8").splitlines() for path in FILES}
MAX_MODULES, MAX_WIDTH = 20, 100
# Statements of the core and of kg/plugins/. The ceilings only fall: what is new pays for itself.
MAX_STATEMENTS = {"core": 25700, "plugins": 23182}
NO_NAMES = re.compile(
    r"told|said|held|kept|made|asked|again|standing|lasting|looked|whole|passing|filed|room|turns|"
    r"ways|utils?|helpers?|services?|managers?|common|misc"
)
CARRIED_BY_ANY_ENTRY = {"id", "visibility", "note", "source", "disputed", "accept"}
FAMILIES = {"Organization", "Event", "CreativeWork", "Role", "Person", "Place", "ItemList"}
VOCABULARIES = {"schemaorg-30.0.tsv": schema, "foaf-0.99.tsv": foaf}


def dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


NAMES = {dotted(path): path for path in FILES}


@cache
def nodes(path: Path) -> list[tuple[ast.AST, bool]]:
    """The imports and classes of a file, each with whether only type annotations need it. They are
    statements, so expressions are not searched.
    """
    found, queue = [], [(ast.parse("\n".join(LINES[path])), False)]
    while queue:
        node, typing = queue.pop()
        if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef):
            found.append((node, typing))
        is_guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name)
        guarded = {*node.body} if is_guard and node.test.id == "TYPE_CHECKING" else set()
        queue += [(each, typing or each in guarded) for each in statements_in(node)]
    return found


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """The statements directly inside a statement, and the parts that contain some."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        inside = getattr(node, name, ())
        yield from inside if isinstance(inside, list) else ()


def texts(path: Path) -> Iterator[ast.AST]:
    """The literals of a file, if one could name a plugin."""
    code = "\n".join(LINES[path])
    if "plugins" in code:
        yield from (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant))


def imported(path: Path, with_types: bool = False) -> Iterator[str]:
    """Every module of ours that a file imports, inside functions too; what only the types of
    annotations need `with_types`.
    """
    for node, typing in nodes(path):
        if typing and not with_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "kg")
        elif isinstance(node, ast.ImportFrom) and (node.level or node.module.split(".")[0] == "kg"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield "." if node.level else name if name in NAMES else str(node.module)


def circles() -> dict[str, set[str]]:
    """The modules that import each other in a circle, or lead to one, and what they import."""
    left = {dotted(path): set(imported(path, with_types=True)) for path in FILES}
    ends = {"."}
    while ends:
        left = {name: used & left.keys() - {name} for name, used in left.items()}
        ends = {name for name, used in left.items() if not used}
        left = {name: used for name, used in left.items() if name not in ends}
    return left


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
        return level(ROOMS, other) <= level(ROOMS, room) < len(ROOMS)
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
    text = (ROOT / "tests" / "vocabularies" / name).read_text(encoding="utf-8")
    head, *lines = text.splitlines()
    rows = [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]
    return {row["term"]: row for row in rows}


def ancestors(term: str, terms: dict[str, dict[str, str]]) -> set[str]:
    parents = set(re.findall(r"\w+", terms[term]["parents"])) if term in terms else set()
    return parents.union(*(ancestors(parent, terms) for parent in parents))


def wrong_imports() -> set[str]:
    return {
        f"{user} uses {used}"
        for user, path in NAMES.items()
        if path not in VERBS and path.name != "__main__.py"
        for used in imports()[user]
        if used in (".", "kg") or not is_below(user, used)
    }


def plugins_in_the_core() -> set[str]:
    """Modules outside `kg/plugins` that name one of it: in an import, also one for types or inside
    a function, or in a text by which it could be imported.
    """
    return {
        f"{path} names {name}"
        for path in FILES
        if path.parts[1] != "plugins"
        for node in [*(each for each, _ in nodes(path)), *texts(path)]
        for name in named_modules(node)
        if name.startswith(("kg.plugins", "plugins."))
    }


def named_modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return [node.value] if is_text else []


def full_folders() -> set[str]:
    sizes = Counter(path.parent for path in MODULES)
    return {str(folder) for folder, size in sizes.items() if size > MAX_MODULES}


def statements() -> Counter[str]:
    """The statements of the core and of the plugins, with docstrings and imports."""
    found = Counter[str]()
    for path, lines in LINES.items():
        room = "plugins" if path.parts[1] == "plugins" else "core"
        tree = ast.walk(ast.parse("\n".join(lines)))
        found[room] += sum(isinstance(node, ast.stmt) for node in tree)
    return found


def names_of_nothing() -> set[str]:
    return {str(path) for path in FILES if any(map(NO_NAMES.fullmatch, path.with_suffix("").parts))}


def wide_lines() -> set[str]:
    return {
        str(path) for path, lines in LINES.items() if any(len(line) > MAX_WIDTH for line in lines)
    }


def defines(text: str, name: str) -> bool:
    return not name or bool(re.search(rf"^(?:def|class) {name}\b", text, re.MULTILINE))


def paths_of_nothing() -> set[str]:
    """Modules that the pages about the program name and that are not there, and what they say is in
    them and is not.
    """
    named = set[tuple[str, str]]()
    for page, fewest in (("README.md", 8), ("CONTRIBUTING.md", 20)):
        text = (ROOT / page).read_text(encoding="utf-8")
        found = re.findall(r"(?:`(\w+)`\s+in\s+)?`((?:\w+/)*\w+\.py)`", text)
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
        ("kg.facts.load", "kg.facts.yaml.reader", True),
        ("kg.facts.yaml.reader", "kg.facts.load", False),
        ("kg.facts.yaml.reader", "kg.facts.models.base", False),
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
    plugins_in_the_core,
    full_folders,
    names_of_nothing,
    wide_lines,
    paths_of_nothing,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_plan_of_the_house_holds(check: Callable[[], set[str]]) -> None:
    assert check() == set()


def test_the_code_only_shrinks() -> None:
    assert {room: size for room, size in statements().items() if size > MAX_STATEMENTS[room]} == {}


def test_no_modules_import_each_other_not_even_for_types() -> None:
    assert circles() == {}


def test_the_files_that_are_taken_first_are_there() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []


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
        if not name.startswith("check.report")
        and name not in ("doors", "errors", "settings", "vocab")
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
        if schema.Project in model.types:
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
