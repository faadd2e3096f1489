"""A process that checks again and again, as an editor does, keeps nothing of each check."""

from __future__ import annotations

import gc
from pathlib import Path

from kg.check.check import check
from kg.facts.yaml.rows import Row
from kg.graph.parallel.run import Run


def rows() -> int:
    """How many rows of files are there, be they garbage that the collector overlooks."""
    gc.collect()
    gc.unfreeze()
    return sum(isinstance(each, Row) for each in gc.get_objects())


def test_what_was_checked_is_freed(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    text, found = cv.read_text(encoding="utf-8"), []
    for number in range(4):
        cv.write_text(text + f"# {number}\n", encoding="utf-8")
        last = check(example, Run("2026-11-19"))
        found.append(rows())
    assert last.graph
    assert found[-1] > 100
    assert found[-1] <= found[0]


def test_the_prefixes_of_one_check_are_not_known_to_the_next(example: Path) -> None:
    file = example / "data" / "site.yaml"
    text = file.read_text(encoding="utf-8")
    for namespace in ("https://one.example/terms#", "https://two.example/terms#"):
        file.write_text(f"{text}vocabularies: {{own: '{namespace}'}}\n", encoding="utf-8")
        found = check(example, Run("2026-11-19")).problems
        assert [each for each in found if each.rule == "bad-vocabulary"] == []
