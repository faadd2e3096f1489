"""Each promise of the threat model names tests that there are."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and "Guarantee" not in line]
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@cache
def collected(file: str) -> set[str]:
    """The tests of a module, as pytest takes them by their names."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_each_promise_names_a_test() -> None:
    assert len(ROWS) >= 18 and len(TESTS) >= 35
    assert [row for row in ROWS if not re.search(r"`tests/[\w/]+\.py::test_\w+`", row)] == []


def test_each_test_that_is_named_is_run() -> None:
    assert [test for test in TESTS if test[1] not in collected(test[0])] == []
    assert [file for file, _ in TESTS if not file.rpartition("/")[2].startswith("test_")] == []


def test_long_runs_are_modules_that_can_be_run() -> None:
    named = set(re.findall(r"python -m ([\w.]+)", PAGE))
    assert len(named) >= 3
    for module in named:
        path = ROOT / f"{module.replace('.', '/')}.py"
        assert '__name__ == "__main__"' in path.read_text(encoding="utf-8"), module
