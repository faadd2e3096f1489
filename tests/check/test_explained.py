"""Every rule of the check is explained, with a bad example that breaks it at the line that is
shown, and a good one that does not.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kg import doors
from kg.check.report.explain import read
from kg.check.rules import GROUP, PluginRule
from kg.check.shapes import read as read_shapes
from tests.cases import EXPLAINED, FOLDER, example_site, found, problems
from tests.conftest import ROOT

NAMES = {path.stem for path in EXPLAINED}
IN_SHAPES = read_shapes(
    "https://lab.example.org/", sorted((ROOT / "shapes").glob("*.ttl"))
).texts.keys()
NAME = re.compile(r"[a-z]+(-[a-z]+)*")
# Who is given the name of a rule, and as which argument.
GIVEN_A_RULE = {
    "Problem": 3,
    "complain": 2,
    "PydanticCustomError": 0,
    "require": 1,
    "Unreadable": 2,
    "own_file": 1,
    "Fault": 1,
    "refuse": 2,
    "problem": 3,
    "unknown_section": 4,
}
each_rule = pytest.mark.parametrize("path", EXPLAINED, ids=lambda path: path.stem)


@pytest.mark.corpus
@pytest.mark.sample(test=0.03)
@each_rule
def test_the_bad_example_breaks_it(path: Path, tmp_path: Path) -> None:
    rule = read(path)
    reported = problems(example_site(rule.bad, tmp_path))
    assert f"[{path.stem}]" in reported
    assert reported.splitlines() == rule.says.splitlines()


@pytest.mark.corpus
@pytest.mark.sample(test=0.03)
@each_rule
def test_the_good_example_is_a_site_without_errors_that_does_not(
    path: Path, tmp_path: Path
) -> None:
    reported = found(example_site(read(path).good, tmp_path))
    assert [problem for problem in reported if problem.rule == path.stem] == []
    assert [str(problem) for problem in reported if problem.severity == "error"] == []


def test_each_reason_is_a_sentence() -> None:
    assert [path.stem for path in EXPLAINED if len(read(path).why.split()) < 8] == []


@cache
def rules_in_code() -> set[str]:
    return {
        name
        for path in (ROOT / "kg").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in rules_in(node)
        if NAME.fullmatch(name)
    }


def rules_in(node: ast.AST) -> Iterator[str]:
    """The rules a piece of code names: to a maker of problems, behind a message, or as what is
    meant where none is named.
    """
    if isinstance(node, ast.Call):
        called = (
            node.func.id
            if isinstance(node.func, ast.Name)
            else node.func.attr
            if isinstance(node.func, ast.Attribute)
            else ""
        )
        number = GIVEN_A_RULE.get(called)
        yield from (
            texts(node.args[number]) if number is not None and number < len(node.args) else ()
        )
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and is_sentence(node.elts[0]):
        yield from texts(node.elts[1])
    elif isinstance(node, ast.arguments) and node.defaults and node.args[-1].arg == "rule":
        yield from texts(node.defaults[-1])


def texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def is_sentence(node: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.endswith(".")
        for part in ast.walk(node)
    )


def rules_in_reports() -> set[str]:
    reports = [
        *(read(path).says for path in EXPLAINED),
        *(path.read_text(encoding="utf-8") for path in FOLDER.glob("*/problems.txt")),
    ]
    return {
        found[1]
        for report in reports
        for found in re.finditer(r"\[([^\[\]]+)\]$", report, re.MULTILINE)
    }


@pytest.mark.slow
def test_the_rules_in_the_code_are_found() -> None:
    """One of each way to name a rule."""
    assert {
        "unknown-file",
        "duplicate-key",
        "bad-doi",
        "yaml",
        "foreign-subject",
        "empty-value",
        "unknown-value",
    } <= rules_in_code()


@pytest.mark.slow
def test_every_rule_is_explained() -> None:
    """Those of plugins are explained where they are."""
    rules = rules_in_code() | rules_in_reports() | IN_SHAPES
    assert sorted(rules - NAMES - doors.each(GROUP, PluginRule).keys()) == []


@pytest.mark.slow
def test_only_rules_are_explained() -> None:
    assert sorted(NAMES - rules_in_code() - IN_SHAPES) == []
