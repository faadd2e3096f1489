"""Words that are written instead of ours: ours exist, and are found by the others."""

from __future__ import annotations

from typing import Literal, get_args, get_origin

import pytest

from kg.advice.explain import MODELS_OF, field_names
from kg.advice.other_words import field_meant, section_meant, value_meant, words_for
from kg.facts.models import SECTIONS
from kg.facts.models.base import classes_in
from kg.facts.models.people import Cv, Owner

MODELS = {model for models in MODELS_OF.values() for model in models}


def literals(annotation: object) -> set[str]:
    """The values that a type allows, where these are few."""
    here = set(get_args(annotation)) if get_origin(annotation) is Literal else set()
    return here.union(*(literals(each) for each in get_args(annotation)))


def ours(part: str) -> set[str]:
    return {word for words in words_for(part).values() for word in words}


def test_all_our_words_exist() -> None:
    parts = {
        each
        for model in MODELS
        for info in model.model_fields.values()
        for each in classes_in(info.annotation)
        if hasattr(each, "model_fields")
    }
    fields = {name for model in MODELS | parts for name in field_names(model)} | {"dates"}
    values = {
        value
        for model in MODELS
        for info in model.model_fields.values()
        for value in literals(info.annotation)
    }
    assert ours("fields") <= fields
    assert ours("sections") <= {"basics", *SECTIONS, *field_names(Cv)}
    assert ours("values") <= values | {"true", "false"}


@pytest.mark.parametrize(
    ("part", "field", "meant"),
    [
        ("work", "company", "organization"),
        ("work", "name", "organization"),
        ("work", "Start-Date", "startDate"),
        ("work", "from", "startDate"),
        ("work", "title", "position"),
        ("work", "job_title", "position"),
        ("work", "description", "summary"),
        ("education", "school", "institution"),
        ("education", "major", "area"),
        ("education", "gpa", "score"),
        ("education", "supervisor", "advisor"),
        ("awards", "name", "title"),
        ("awards", "issuer", "awarder"),
        ("certificates", "awarder", "issuer"),
        ("data/publications.yaml", "author", "authors"),
        ("data/publications.yaml", "journaltitle", "journal"),
        ("data/publications.yaml", "container-title", "journal"),
        ("data/publications.yaml", "DOI", "doi"),
        ("data/publications.yaml", "page", "pages"),
        ("data/publications.yaml", "releaseDate", "date"),
        ("basics", "website", "url"),
        ("basics", "headline", "label"),
        ("basics", "photo", "image"),
        ("basics", "firstName", "givenName"),
        ("basics", "social_networks", "profiles"),
        ("languages", "fluency", "level"),
        ("work", "wibble", ""),
    ],
)
def test_a_field_of_another_format_is_ours(part: str, field: str, meant: str) -> None:
    name = part.removeprefix("data/").removesuffix(".yaml")
    assert field_meant(field, field_names(MODELS_OF[part][0]), name) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Experience", "work"),
        ("work_experience", "work"),
        ("Berufserfahrung", "work"),
        ("formación", "education"),
        ("Compétences", "skills"),
        ("Veröffentlichungen", "publications"),
        ("honors", "awards"),
        ("wibble", ""),
    ],
)
def test_a_section_has_other_names(name: str, meant: str) -> None:
    assert section_meant(name, (*SECTIONS, *field_names(Cv))) == meant


@pytest.mark.parametrize(
    ("value", "allowed", "meant"),
    [
        ("Private", ["public", "private"], "private"),
        ("hidden", ["public", "private"], "private"),
        ("PhD", ["doctoral", "master"], "doctoral"),
        ("@inproceedings", ["conference", "journal"], "conference"),
        ("Journal Article", ["conference", "journal"], "journal"),
        ("confrence", ["conference", "journal"], "conference"),
        ("in press", ["published", "to-appear"], "to-appear"),
        ("ja", ["true", "false"], "true"),
        ("wibble", ["public", "private"], ""),
        ("", ["public", "private"], ""),
    ],
)
def test_a_value_is_one_of_a_few(value: str, allowed: list[str], meant: str) -> None:
    assert value_meant(value, allowed) == meant


def test_basics_have_what_others_have_at_the_top() -> None:
    assert field_meant("mail", field_names(Owner), "basics") == "email"
