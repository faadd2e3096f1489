"""The reference page: every kind, each with an example that is real and triples that are right."""

import re

import pytest
from pyoxigraph import RdfFormat, parse

from kg.facts.models import REGISTRIES, SECTIONS
from kg.plugins.format_page import format_page
from kg.publish.site import Documents


@pytest.fixture(scope="module")
def kinds() -> list[format_page.Kind]:
    return list(format_page.kinds())


def test_every_section_and_registry_is_there_with_fields_example_and_triples(
    kinds: list[format_page.Kind],
) -> None:
    anchors = {kind.anchor for kind in kinds}
    assert {"basics", "cv", *SECTIONS} | {
        f"file-{registry.file}" for registry in REGISTRIES.values()
    } <= anchors
    assert len(anchors) == len(kinds)
    for kind in kinds:
        assert kind.about and kind.fields and kind.example and kind.triples, kind.anchor


def test_the_triples_are_turtle(kinds: list[format_page.Kind]) -> None:
    prefixes = "".join(
        f"@prefix {name}: <http://example.org/{name}/> .\n"
        for name in ("schema", "foaf", "dcterms", "cv", "xsd", "edtf", "bibo", "rdf")
    )
    for kind in kinds:
        assert list(
            parse(
                prefixes + kind.triples,
                format=RdfFormat.TURTLE,
                base_iri="https://lab.example.org/",
            )
        ), kind.anchor


def test_no_field_is_left_unexplained(kinds: list[format_page.Kind]) -> None:
    parts = {"score", "attendance", "editions"}  # what they are is told by their own kind
    assert [
        (kind.anchor, field.name)
        for kind in kinds
        for field in kind.fields
        if not field.meaning and field.name not in parts
    ] == []


def test_the_page_is_published_and_its_anchors_lead_somewhere(documents: Documents) -> None:
    page = documents.get("format.html")
    assert page is not None
    html = page.body.decode()
    assert set(re.findall(r'href="#([\w-]+)"', html)) - {"main"} == set(
        re.findall(r'<section id="([\w-]+)"', html)
    )


def test_the_form_of_a_field_tells_where_one_value_will_do(kinds: list[format_page.Kind]) -> None:
    forms = {(kind.anchor, field.name): field.form for kind in kinds for field in kind.fields}
    assert forms["basics", "alternateNames"] == "text, or a list"
    assert forms["file-publications", "authors"] == "list: fields, or a short form"
    assert forms["basics", "profiles"] == "list: fields"
    assert "visibility" in {name for anchor, name in forms if anchor == "cv"}
