"""What the editor offers: the terms and things of the graph, the most used first."""

from __future__ import annotations

import json

import pytest

from kg.publish.about import counts
from kg.publish.site import Documents
from kg.vocab import cv, schema
from tests.conftest import facts_of

pytestmark = pytest.mark.sample(quick=0.2)


@pytest.fixture(scope="module")
def found(documents: Documents) -> dict[str, list[tuple[str, str, int]]]:
    document = documents.get("completions.json")
    assert document is not None
    assert document.media_type == "application/json"
    return json.loads(document.body)  # type: ignore[no-any-return]


def test_classes_and_properties_are_counted(
    found: dict[str, list[tuple[str, str, int]]], documents: Documents
) -> None:
    for kind, pattern in (("classes", "?s a ?term"), ("properties", "?s ?term ?o")):
        rows = facts_of(documents.graph).select(
            f"SELECT ?term (COUNT(*) AS ?uses) {{ {pattern} }} GROUP BY ?term"
        )
        assert {iri: uses for iri, _, uses in found[kind]} == {
            row["term"].value: int(row["uses"].value) for row in rows
        }
        assert [uses for *_, uses in found[kind]] == sorted(
            (uses for *_, uses in found[kind]), reverse=True
        )


def test_things_have_names(
    found: dict[str, list[tuple[str, str, int]]], documents: Documents
) -> None:
    names = {iri: name for iri, name, _ in found["things"]}
    assert names[f"{documents.base}people/alvar-jarl#it"] == "Alvar Jarl"
    classes = {iri: name for iri, name, _ in found["classes"]}
    assert classes[cv.Employment] == "Employment"
    assert all(names.values())
    assert {iri.partition("#")[2] for iri in names if not iri.startswith(str(cv))} == {"it"}, (
        "a role or a line of a list is nothing to ask for"
    )


def test_the_prefixes_are_those_of_every_form(
    found: dict[str, dict[str, str]], documents: Documents
) -> None:
    assert found["prefixes"]["schema"] == str(schema)
    assert found["prefixes"]["cv"] == str(cv)


def test_there_are_not_too_many_things(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "MOST_THINGS", 7)
    assert len(json.loads(counts.completions(documents.graph, documents.counts()))["things"]) == 7
