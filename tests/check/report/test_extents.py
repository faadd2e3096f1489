"""What begins at a place ends where its text ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from kg.check.report.extents import Source, ends
from kg.check.report.selection import mentioned
from kg.errors import Place, Problem
from kg.facts.yaml.reader import read
from kg.facts.yaml.rows import Row, Rows
from tests.facts.test_yaml import NESTED


def between(text: str, start: Place, end: Place) -> str:
    lines = text.split("\n")[start.line - 1 : end.line]
    lines[-1] = lines[-1][: end.column - 1]
    lines[0] = lines[0][start.column - 1 :]
    return "\n".join(lines)


def texts(value: Any, *steps: str | int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """All texts of a file, and the steps to them."""
    items = (
        value.items()
        if isinstance(value, Row)
        else enumerate(value)
        if isinstance(value, Rows)
        else ()
    )
    for key, item in items:
        yield from texts(item, *steps, key)
    if isinstance(value, str):
        yield steps, value


@pytest.mark.fuzz
@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("style", ['"', "'", None])
@pytest.mark.parametrize("flow", [True, False])
@settings(
    deadline=None,
    max_examples=30,  # in each of six ways
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(value=NESTED)
def test_between_start_and_end_is_the_text_itself(
    style: str | None, flow: bool, value: dict[str, object], tmp_path: Path
) -> None:
    written = yaml.safe_dump(value, default_style=style, default_flow_style=flow)
    (tmp_path / "f.yaml").write_bytes(written.encode())
    row, problems = read("f.yaml", written.encode())
    if row is None or problems:
        return
    places = {row.at(*steps): text for steps, text in texts(row) if text}
    found = ends(tmp_path, places)
    for place, text in places.items():
        assert yaml.CBaseLoader(between(written, place, found[place])).get_data() == text


@pytest.mark.parametrize(
    ("file", "text", "start", "shown"),
    [
        ("a.yaml", "name: Ada Berg # me\n", (1, 7), "Ada Berg"),
        ("a.yaml", "name: Ada Berg\n", (1, 1), "name"),
        ("a.yaml", "a:\n  - {b: [c, 'd }'], e: f}\n", (2, 5), "{b: [c, 'd }'], e: f}"),
        ("a.yaml", "a: >\n  b\n  c\nd: e\n", (1, 4), ">\n  b\n  c\n"),
        ("a.yaml", "a: b\n  name:Ada B\n", (2, 7), ":Ada"),
        ("a.yaml", "a: [b\nc: d\n", (1, 4), "["),
        ("a.yaml", "a: é\u2028é\nb: ç d\n", (2, 4), "ç d"),
        ("a.ttl", 'ex:a ex:b "c \\" d"@en ; ex:e ex:f .\n', (1, 11), '"c \\" d"'),
        ("a.ttl", "<people/ada> a foaf:Person.\n", (1, 1), "<people/ada>"),
        ("a.ttl", "<people/ada> a foaf:Person.\n", (1, 16), "foaf:Person"),
        ("a.rq", "SELECT ?name { }\n", (1, 8), "?name"),
        ("a.yaml", "a: b\n", (7, 1), None),
        ("missing.yaml", None, (1, 1), None),
    ],
)
def test_what_begins_at_a_place_ends_there(
    file: str, text: str | None, start: tuple[int, int], shown: str | None, tmp_path: Path
) -> None:
    place = Place(file, *start)
    if text is not None:
        (tmp_path / file).write_bytes(text.encode())
    found = ends(tmp_path, [place]).get(place)
    assert (between(text or "", place, found) if found else None) == shown


@pytest.mark.parametrize("brackets", ["[", "{", "[]", "&a ", "- "])
def test_a_line_of_brackets_is_read_in_no_time(brackets: str) -> None:
    """The scanner of YAML looks at all open brackets for each token."""
    began = time.process_time()
    source = Source("x.yaml", f"name: Ada\nwork: {brackets * 100_000}\n".encode())
    assert source.end(Place("x.yaml", 1, 7)) == Place("x.yaml", 1, 10)
    assert time.process_time() - began < 10


def test_a_message_with_brackets_is_read_in_no_time() -> None:
    message = f"'{'[' * 100_000}' is no name, unlike data/cv/ada.yaml:2:3."
    began = time.process_time()
    found = mentioned(Problem(Place("x.yaml"), "error", message, "bad-value"))
    assert found == [Place("data/cv/ada.yaml", 2, 3)]
    assert time.process_time() - began < 2
