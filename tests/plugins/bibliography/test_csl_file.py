"""Items of CSL-JSON as rows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.facts.bibliography.bibliographies import read_bibliography

ITEM = {"id": "a", "type": "article-journal", "title": "T", "author": [{"literal": "A. B."}]}


def row(**fields: Any) -> dict[str, Any]:
    works, problems = read_bibliography("a.json", json.dumps([ITEM | fields]).encode())
    assert works
    assert problems == []
    return dict(works[0][1])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"issued": {"date-parts": [[2020, 5, 4]]}}, {"date": "2020-05-04"}),
        ({"issued": {"date-parts": [["2020"]]}}, {"date": "2020"}),
        ({"issued": "2020-05"}, {"date": "2020-05"}),
        ({"issued": {"raw": "2020-05"}}, {"date": "2020-05"}),
        ({"title": "A <span class='nocase'>b</span> \U0001f600"}, {"title": "A b \U0001f600"}),
        ({"author": [{"family": "B", "given": "A", "suffix": "Jr."}]}, {"authors": ["A B Jr."]}),
        ({"page": "1–8"}, {"pages": "1-8"}),
        ({"type": "thesis", "genre": "Ph.D. thesis"}, {"kind": "thesis", "degree": "Ph.D."}),
        ({"container-title": "bioRxiv"}, {"kind": "preprint"}),
        ({"volume": None, "DOI": ""}, {}),
    ],
)
def test_values_are_in_our_words(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    found = row(**fields)
    assert found | expected == found


def test_items_may_be_in_an_object_and_know_their_lines() -> None:
    text = json.dumps({"items": [ITEM, ITEM | {"id": "b"}]}, indent=1)
    works, _ = read_bibliography("a.json", text.encode())
    assert [(key, place.line) for key, _, place in works or ()] == [("a", 3), ("b", 13)]


def test_json_that_cannot_be_read_is_reported() -> None:
    works, (problem,) = read_bibliography("a.json", b'[{"id": "a",\n "title": "T]')
    assert works is None
    assert (problem.place.line, problem.rule) == (2, "yaml")
    works, (problem,) = read_bibliography("a.json", b'[{"id": "a" "b"}]')
    assert problem.message == "A comma is missing before this. Add it."
