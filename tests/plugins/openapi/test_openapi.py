"""The description of the addresses for programs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.plugins.openapi import openapi
from kg.publish.site import Documents

pytestmark = pytest.mark.sample(quick=0.2)


def described(documents: Documents) -> Any:
    file = documents.get(openapi.FILE)
    assert file is not None
    return json.loads(file.body)


@pytest.mark.parametrize("site", ["documents", "small"])
def test_it_is_valid(site: str, request: pytest.FixtureRequest) -> None:
    from openapi_spec_validator import (  # takes seconds, which not every worker should spend
        OpenAPIV31SpecValidator,
        validate,
    )

    validate(described(request.getfixturevalue(site)), cls=OpenAPIV31SpecValidator)


def test_every_question_and_each_of_its_parameters_is_described(documents: Documents) -> None:
    paths = described(documents)["paths"]
    for name, question in documents.questions.items():
        said = paths[f"/queries/{name}.{{form}}"]["get"]
        assert (said["operationId"], said["summary"]) == (name, question.summary)
        form, *others = [each for each in said["parameters"] if each["name"] != "addresses"]
        assert form["name"] == "form"
        assert [each["name"] for each in others] == [each.name for each in question.parameters]
        assert [each.get("required", False) for each in others] == [
            each.is_required for each in question.parameters
        ]
        assert all(each["description"] for each in others)
    assert len(paths) == len(documents.questions) + 3
    assert paths["/queries/coauthors-of.{form}"]["get"]["parameters"][1]["example"]


def test_a_site_has_the_same_bytes_each_time(small: Documents) -> None:
    first, second = small.make(openapi.FILE), small.make(openapi.FILE)
    assert first == second


def test_its_page_says_the_same_to_people(documents: Documents) -> None:
    page = documents.get(openapi.PAGE)
    assert page is not None
    text = page.body.decode()
    assert f'href="./{openapi.FILE}"' in text
    for name, question in documents.questions.items():
        assert f'id="{name}"' in text
        for parameter in question.parameters:
            assert f"<code>{parameter.name}</code>" in text
    assert "queries/coauthors-of.json?person=" in text


def test_parameters_that_are_entries_have_examples_of_this_site(small: Documents) -> None:
    asked = described(small)["paths"]["/queries/coauthors-of.{form}"]["get"]["parameters"]
    person = next(each for each in asked if each["name"] == "person")
    examples = person["schema"]["examples"]
    assert person["example"] == examples[0]
    assert 1 < len(examples) <= 10
    assert {f"people/{each}" for each in examples} <= small.addresses
    assert next(each for each in asked if each["name"] == "addresses")["schema"]["enum"]
