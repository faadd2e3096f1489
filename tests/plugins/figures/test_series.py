"""What bars are drawn from, and what would mislead. `series.json` is also asked of the editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Triple

from kg.plugins.figures.answers import BarColumns, series
from kg.publish.questions.results import QueryResult, Term

CASES = json.loads(Path(__file__).with_name("series.json").read_text(encoding="utf-8"))


def term(value: Any) -> Term | None:
    if isinstance(value, str) and value.startswith("<"):
        return NamedNode(value[1:-1])
    return None if value is None else Literal(value)


def text(term: Term | None) -> str:
    return "" if term is None or isinstance(term, Triple) else term.value


def test_no_case_went_missing() -> None:
    assert len(CASES) >= 22


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_what_bars_are_drawn_from(case: dict[str, Any]) -> None:
    rows = [[term(value) for value in row] for row in case["rows"]]
    found = series(QueryResult(case["vars"], rows, len(rows)), text)
    if isinstance(found, BarColumns):
        names = case["vars"]
        shown = {"labels": [names[place] for place in found.labels], "value": names[found.value]}
        more = {"unit": found.unit, "isOverYears": found.is_over_years}
        assert shown | {name: each for name, each in more.items() if each} == case["found"]
    else:
        assert found == case["found"]


def test_more_than_a_hundred_are_not_drawn() -> None:
    rows = [[Literal(f"Ada {number}"), Literal(number)] for number in range(101)]
    assert series(QueryResult(["name", "works"], rows, 101), text) == (
        "101 rows are too many for a chart (at most 100). Add a LIMIT."
    )
