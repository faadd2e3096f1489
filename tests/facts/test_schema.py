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


CV = "basics: {{name: Ada Berg{basics}}}\nwork: [{{organization: Uni, position: X{work}}}]\n"
WORKS = "x: {{title: X, kind: journal, authors: [A], journal: J, {work}}}\n"
SLIPS = [
    *(f"startDate: {text}" for text in ("May 2019", "2019-5", "2019-13", "2019/05", "17.5.2019")),
    *(
        f"endDate: {text}"
        for text in ("today", "2019-02-30", "2019-04-31", "Sommer 2019", "n.d.", "soon")
    ),
    *(f"dates: {text}" for text in ("autum 2023", "2010-2014", "[2018, autum 2023]", "2018/now")),
    *(f"url: {text}" for text in ("www.example.org", "http:/example.org", "example.org/a")),
    *(f"orcid: {text}" for text in ("0000-0002-1825-009", "0000000218250097", "ada")),
    *(f"email: {text}" for text in ("ada@", "ada at example.org", "ada@example")),
    *(f"doi: {text}" for text in ("doi:10.1000/1", "10.1000/", "10.1000/1.", "10/abcd", "10.1000")),
    *(f"year: {text}" for text in ("2o21", "'2021?'", "20-21", "21", "in press", "2021-05")),
    "visibility: hiden",
    "vissibility: private",
]
RIGHT = [
    *(f"startDate: {text}" for text in ("2019", "2019-05", "2019-05-17", "Summer 2019")),
    *(f"endDate: {text}" for text in ("present", "unknown", "fall 2019", "winter-2020")),
    *(
        f"dates: {text}"
        for text in ("2018", "2018/2022", "[2018, fall 2019]", "2018-02-28 / present")
    ),
    *(f"endDate: {text}" for text in ("2019-01-30", "2019-10-31", "2020-02-29")),
    *(f"url: {text}" for text in ("'https://a.example/ü?x=1#y'", "HTTP://a.example:80")),
    "url: [https://a.example/, https://b.example/]",
    *(
        f"orcid: {text}"
        for text in ("0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097")
    ),
    *(f"email: {text}" for text in ("ada@example.org", "{value: ada@example.org}")),
    *(f"doi: {text}" for text in ("10.1000/a(b)c", "https://doi.org/10.1000/1")),
    *(f"year: {text}" for text in ("2021", "'2021'")),
]


def sited(field: str) -> tuple[str, str]:
    """The kind and the text of a file that has this field."""
    name = field.partition(":")[0]
    if name in ("doi", "year"):
        return "publications", WORKS.format(work=field)
    place = "basics" if name in ("url", "orcid", "email") else "work"
    return "cv", CV.format(**{"basics": "", "work": "", place: f", {field}"})


def test_editors_find_most_slips_by_the_schemas_alone() -> None:
    unseen = [field for field in SLIPS if not findings(*sited(field))]
    assert len(SLIPS) >= 30
    assert unseen == []


@pytest.mark.parametrize("field", RIGHT)
def test_what_is_right_is_right_for_editors_too(field: str) -> None:
    assert findings(*sited(field)) == []
