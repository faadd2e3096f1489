"""Dependencies: pyproject.toml declares every package that kg imports, and the locks pin all that
it asks for, on every Python and system it allows, each file by its digest.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict, deque
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.locks import BUILD, DEV, RUN, Pin, pins
from release.locks import EXTRAS as EXTRA
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
FOR_USERS = ("cluster", "documents", "lsp", "mcp", "pandas")
WANTED = {
    RUN: PROJECT["project"]["dependencies"],
    EXTRA: [
        *PROJECT["project"]["dependencies"],
        *(each for name in FOR_USERS for each in EXTRAS[name]),
    ],
    BUILD: PROJECT["dependency-groups"]["build"],
    DEV: [
        *PROJECT["project"]["dependencies"],
        *PROJECT["dependency-groups"]["build"],
        *EXTRAS["dev"],
        *EXTRAS["cluster"],
        *EXTRAS["mcp"],
    ],
}
# The modules that work only with an extra installed. All others import declared dependencies only.
USERS_OF_EXTRAS = {
    "kg/answer_table.py": "pandas",
    "kg/graph/parallel/executor.py": "cluster",
    "kg/plugins/documents/office.py": "documents",
    "kg/plugins/documents/pdf.py": "documents",
    "kg/plugins/lsp/server.py": "lsp",
    "kg/plugins/mcp/mcp_server.py": "mcp",
}
ENVIRONMENTS = [
    {
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "python_version": f"3.{minor}",
        "python_full_version": f"3.{minor}.9",
        "sys_platform": system,
        "platform_system": {"linux": "Linux", "darwin": "Darwin"}[system],
        "platform_machine": machine,
        "os_name": "posix",
    }
    for minor, system, machine in [
        *((11, "linux", "x86_64"), (12, "linux", "aarch64"), (13, "linux", "x86_64")),
        *((14, "linux", "x86_64"), (11, "darwin", "arm64"), (14, "darwin", "x86_64")),
    ]
]


@cache
def imported_packages(code: str) -> frozenset[str]:
    """The top-level packages that code imports, except those for type annotations only."""
    found = set()
    queue: deque[ast.AST] = deque([ast.parse(code)])
    while queue:
        node = queue.popleft()
        if isinstance(node, ast.expr):
            continue
        is_guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name)
        if is_guard and node.test.id == "TYPE_CHECKING":
            continue
        queue.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


@cache
def providers() -> dict[str, set[str]]:
    """The distributions here that install each top-level package."""
    found = packages_distributions()
    return defaultdict(set, {each: {*map(canonicalize_name, found[each])} for each in found})


def undeclared(path: str, code: str) -> set[str]:
    """The packages that a module imports and pyproject.toml does not declare for it."""
    wanted = [*WANTED[RUN], *EXTRAS.get(USERS_OF_EXTRAS.get(path, ""), ())]
    declared = {canonicalize_name(Requirement(each).name) for each in wanted}
    third_party = {*imported_packages(code)} - sys.stdlib_module_names - {"kg"}
    return {package for package in third_party if declared.isdisjoint(providers()[package])}


@pytest.mark.slow
def test_every_imported_package_is_declared() -> None:
    modules = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in (ROOT / "kg").rglob("*.py")
    }
    assert len(modules) > 300
    assert modules.keys() >= USERS_OF_EXTRAS.keys()
    found = {path: undeclared(path, code) for path, code in modules.items()}
    assert {path: packages for path, packages in found.items() if packages} == {}


@pytest.mark.slow
def test_every_declared_package_is_imported() -> None:
    declared = {
        canonicalize_name(Requirement(each).name)
        for wanted in (WANTED[RUN], *(EXTRAS[extra] for extra in USERS_OF_EXTRAS.values()))
        for each in wanted
    }
    imported = {
        name
        for path in (ROOT / "kg").rglob("*.py")
        for package in imported_packages(path.read_text(encoding="utf-8"))
        for name in providers()[package]
    }
    assert declared - imported == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "code", "packages"),
    [
        ("kg/cli/new.py", "import click, yaml.nodes\nfrom kg import errors", set()),
        ("kg/cli/new.py", "def command():\n    from pytest import fixture", {"pytest"}),
        ("kg/cli/new.py", "if TYPE_CHECKING:\n    import pytest", set()),
        ("kg/cli/new.py", "from mcp.server import Server", {"mcp"}),
        ("kg/plugins/mcp/mcp_server.py", "from mcp.server import Server", set()),
        (
            "kg/plugins/mcp/mcp_server.py",
            "import distributed, no_such_package",
            {"distributed", "no_such_package"},
        ),
    ],
)
def test_an_undeclared_import_is_found(path: str, code: str, packages: set[str]) -> None:
    assert undeclared(path, code) == packages


@cache
def asked_by(name: str) -> list[Requirement]:
    """What a package asks for; one that is not here is asked for on other systems only."""
    try:
        return [Requirement(each) for each in requires(name) or []]
    except PackageNotFoundError:
        return []


def chosen(name: str, environment: dict[str, str]) -> dict[str, Pin]:
    found = [pin for pin in pins(ROOT / name) if pin.is_for(environment)]
    by_name = {pin.name: pin for pin in found}
    assert len(by_name) == len(found), "no package has two versions in one environment"
    return by_name


@pytest.mark.parametrize("lock", WANTED)
def test_all_that_the_project_asks_for_is_pinned(lock: str) -> None:
    for environment in ENVIRONMENTS:
        pinned = chosen(lock, environment)
        unmet = [
            wanted
            for wanted in map(Requirement, WANTED[lock])
            if (pin := pinned.get(canonicalize_name(wanted.name))) is None or not pin.fits(wanted)
        ]
        assert not unmet, f"{lock} is behind pyproject.toml. Type: make lock"


@pytest.mark.parametrize("lock", WANTED)
def test_what_the_packages_ask_for_is_pinned_too(lock: str) -> None:
    """As pip will ask: with digests it refuses a package that no line names."""
    for environment in ENVIRONMENTS:
        pinned = chosen(lock, environment)
        queue, seen = deque(map(Requirement, WANTED[lock])), set[tuple[str, str]]()
        while queue:
            wanted = queue.popleft()
            name = canonicalize_name(wanted.name)
            for extra in ("", *wanted.extras):
                if (name, extra) in seen:
                    continue
                seen.add((name, extra))
                for more in asked_by(name):
                    if more.marker is None or more.marker.evaluate({**environment, "extra": extra}):
                        pin = pinned.get(canonicalize_name(more.name))
                        assert pin, f"{name} asks for {more}, which {lock} does not pin"
                        assert pin.fits(more), f"{name} asks for {more}; {lock} has {pin.version}"
                        queue.append(more)
        assert len(seen) > len(WANTED[lock])


def test_the_locks_agree() -> None:
    everything = {(pin.name, pin.version): pin for pin in pins(ROOT / DEV)}
    for lock in (RUN, BUILD, EXTRA):
        for pin in pins(ROOT / lock):
            assert set(pin.digests) == set(everything[pin.name, pin.version].digests)
    assert set(PROJECT["build-system"]["requires"]) < set(PROJECT["dependency-groups"]["build"])
    editor = tomllib.loads((ROOT / "editor" / "pyproject.toml").read_text(encoding="utf-8"))
    assert editor["build-system"] == PROJECT["build-system"]


@pytest.mark.parametrize(
    "line",
    [
        "flask==3.1.3\n",  # no digest
        "flask>=3 \\\n    --hash=sha256:" + "0" * 64 + "\n",
        "--index-url https://example.org/simple\n",
        "flask @ https://example.org/flask.whl \\\n    --hash=sha256:" + "0" * 64 + "\n",
        "# from https://example.org\n",
    ],
)
def test_a_line_that_is_no_pin_with_digests_is_refused(line: str, tmp_path: Path) -> None:
    good = "six==1.17.0 \\\n    --hash=sha256:" + "1" * 64 + "\n"
    (tmp_path / "lock.txt").write_text(good + line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"lock\.txt:3 is not a pin"):
        list(pins(tmp_path / "lock.txt"))
