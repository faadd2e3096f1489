"""The JSON Schemas: fresh, and true of the data as an editor reads it."""

import json
from functools import cache
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from kg.facts import schema
from kg.facts.models import REGISTRIES, SECTIONS
from tests.conftest import ROOT

schemas = cache(schema.schemas)
FILES = sorted(
    [*(ROOT / "data").rglob("*.yaml"), *(ROOT / "kg" / "example" / "data").rglob("*.yaml")]
)


class Editor(yaml.SafeLoader):
    """YAML as editors read it: with numbers and truth values, without dates."""


Editor.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def findings(kind: str, text: str) -> list[str]:
    value = json.loads(json.dumps(yaml.load(text, Editor)))  # noqa: S506
    validator = jsonschema_rs.Draft202012Validator(schemas()[kind])
    return [error.message for error in validator.iter_errors(value)]


def test_the_committed_schemas_are_fresh() -> None:
    committed = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ROOT / schema.FOLDER).glob("*.json")
    }
    assert committed == {name: schema.text(each) for name, each in schemas().items()}, (
        "run: kg schema --write"
    )


def test_every_kind_of_file_and_section_is_in_them() -> None:
    assert set(schemas()) == {"site", "cv", *(registry.file for registry in REGISTRIES.values())}
    assert set(SECTIONS) | {"basics", "interests", "publications"} <= set(
        schemas()["cv"]["properties"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_data_file_names_its_schema_and_keeps_to_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    line = text.splitlines()[0]
    assert line.startswith("# yaml-language-server: $schema=")
    named = (path.parent / line.partition("=")[2]).resolve()
    assert named.parent.name == ".schema"
    assert findings(named.stem, text) == []


def test_fields_say_what_to_write_and_what_they_become() -> None:
    name = schemas()["people"]["additionalProperties"]["properties"]["name"]
    assert name["x-rdf"] == ["schema:name", "foaf:name"]
    assert name["description"] == "The full name as the person writes it: Hana Lind."
    whole = "".join(map(schema.text, schemas().values()))
    assert whole.count('"description": "Becomes') == 0


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("cv", "basics: {name: Ada, nmae: Ada}"),
        ("cv", "interests: [sand]"),
        ("cv", "basics: {name: Ada}\nwork: [{organization: uni}]"),
        ("cv", "basics: {name: Ada}\nskills: [{name: sand, level: guru}]"),
        ("organizations", "uni: {name: Uni, kind: pub}"),
        ("publications", "x: {title: X, kind: conference}"),
    ],
)
def test_a_mistake_is_seen_in_the_editor(kind: str, text: str) -> None:
    assert findings(kind, text)


@pytest.mark.parametrize(
    "text",
    [
        (
            "basics: {name: Ada, email: ada@example.org}\nwork: [{organization: uni, position: "
            "A, dates: [2018, summer 2019]}]"
        ),
        (
            "basics: {name: Ada}\nwork: [{organization: uni, positions: [{position: A, "
            "startDate: 2018}]}]"
        ),
        (
            "basics: {name: Ada}\neducation: [{institution: uni, studyType: B.Sc., score: "
            "3.9/4.0, advisor: bo}]"
        ),
        "basics: {name: Ada}\ntutorials: [{tutorial: t, given: [{venue: v, attendees: 100+}]}]",
    ],
)
def test_short_forms_and_lists_of_dates_are_right(text: str) -> None:
    assert findings("cv", text) == []
