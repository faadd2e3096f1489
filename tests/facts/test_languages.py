"""Texts in several languages: which one is plain, and which tags are known."""

from __future__ import annotations

import pickle

import pytest
from pydantic import TypeAdapter, ValidationError

from kg.facts.values.languages import Worded, Words, language_tag
from kg.facts.values.references import Context
from kg.facts.values.regions import languages

READ = TypeAdapter(Worded).validate_python
TEXTS = {"en": "Ice", "de": "Eis", "pt-BR": "Gelo"}


@pytest.mark.parametrize(
    ("languages", "plain", "others"),
    [
        ((), "Ice", {"de": "Eis", "pt-br": "Gelo"}),
        (("de",), "Eis", {"en": "Ice", "pt-br": "Gelo"}),
        (("fr", "pt-br"), "Gelo", {"en": "Ice", "de": "Eis"}),
    ],
)
def test_the_language_of_the_cv_then_of_the_site_then_english_is_plain(
    languages: tuple[str, ...], plain: str, others: dict[str, str]
) -> None:
    words = READ(TEXTS, context=Context({}, languages=languages))
    assert isinstance(words, Words)
    assert (words, words.others) == (plain, others)
    assert pickle.loads(pickle.dumps(words)).others == others  # noqa: S301


def test_without_any_of_them_the_first_is_plain_and_one_alone_is_a_text() -> None:
    assert READ({"de": "Eis", "fr": "Glace"}) == "Eis"
    assert type(READ({"de": "Eis"})) is type(READ("Eis")) is str


@pytest.mark.parametrize(
    ("texts", "rule"),
    [
        ({"nor": "Is"}, "bad-language"),
        ({"value": "Ice"}, "bad-language"),
        ({"en": " "}, "string_too_short"),
        ({}, "empty-value"),
        (["Ice"], "string_type"),
    ],
)
def test_what_is_wrong_with_them_is_reported(texts: object, rule: str) -> None:
    with pytest.raises(ValidationError) as error:
        READ(texts, context=Context({}))
    assert error.value.errors()[0]["type"] == rule


def test_a_language_of_the_sites_registry_is_known() -> None:
    assert READ({"gsw": "Iis"}, context=Context({"languages": {"gsw": {}}})) == "Iis"


def test_a_language_is_found_by_its_names() -> None:
    assert len(languages()) > 180
    assert [language_tag(name) for name in ("no", "Norwegian", "german", "Elvish")] == [
        "no",
        "no",
        "de",
        "",
    ]
