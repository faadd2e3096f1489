"""Whatever a site's own shapes are, a check ends with problems, never with an exception."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import check
from kg.errors import Problem

HEAD = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix schema: <http://schema.org/> .
@prefix s: <https://lab.example.org/shapes#> .
s:Own a sh:NodeShape ; sh:targetClass schema:Person ;
"""


def nested(before: str, inner: str, after: str, depth: int) -> str:
    return before * depth + inner + after * depth


def checked(site: Path, body: str) -> list[Problem]:
    """The problems in the site's own shapes, and those that these find."""
    (site / "shapes").mkdir()
    (site / "shapes" / "own.ttl").write_text(f"{HEAD}{body} .\n", encoding="utf-8")
    problems = check(site).problems
    return [each for each in problems if each.rule in ("bad-shape", "Own")]


def test_an_alternative_path_in_a_list_of_shapes_is_checked(example: Path) -> None:
    path = "[ sh:alternativePath ( schema:telephone schema:faxNumber ) ]"
    body = f"sh:or ( [ sh:path {path} ; sh:minCount 1 ] ) ; sh:message 'has no telephone.'"
    found = checked(example, body)
    assert {(each.rule, each.message.partition(": ")[2]) for each in found} == {
        ("Own", "has no telephone.")
    }


@pytest.mark.parametrize(
    "body",
    [
        nested("sh:or ( [ ", "sh:class schema:Person", " ] )", 40),
        nested("sh:not [ ", "sh:class schema:Person", " ]", 40),
        "sh:or ( [ sh:minCount 1 ; sh:path "
        + nested("[ sh:alternativePath ( schema:name ", "schema:url", " ) ]", 40)
        + " ] )",
    ],
    ids=["lists", "negations", "paths"],
)
@pytest.mark.sample(test=0.3)
def test_shapes_that_are_nested_too_deeply_are_a_problem(example: Path, body: str) -> None:
    (problem,) = checked(example, body)
    assert problem.place.file == "shapes/own.ttl"
    assert problem.message.startswith("The shapes cannot be used: ")


@pytest.mark.parametrize(
    "body",
    [
        "sh:property [ sh:path schema:award ; sh:minCount 1 ] . << s:a s:b s:c >> s:d 1",
        "sh:deactivated true . _:a a sh:NodeShape ; sh:targetClass schema:Person ; s:is _:a ; "
        "sh:property [ sh:path schema:award ; sh:minCount 9 ]",
    ],
    ids=["a triple about a triple", "a shape that refers to itself"],
)
def test_odd_shapes_are_answered(example: Path, body: str) -> None:
    (example / "shapes").mkdir()
    (example / "shapes" / "own.ttl").write_text(f"{HEAD}{body} .\n", encoding="utf-8")
    assert [each for each in check(example).problems if each.severity == "error"] != []


def test_a_problem_of_pyshacl_is_at_the_shape_that_it_names(example: Path) -> None:
    (problem,) = checked(example, "sh:property s:lost . s:lost schema:name 'x'")
    assert (problem.rule, problem.place.line) == ("bad-shape", 4)
    assert "shapes#lost' exists but is not a well-formed" in problem.message


def test_own_shapes_wait_until_all_can_be_read(example: Path) -> None:
    (example / "data" / "topics.yaml").write_text("dunes: {nmae: Dunes}\n", encoding="utf-8")
    assert checked(example, "sh:property [ sh:path schema:award ; sh:minCount 9 ]") == []
