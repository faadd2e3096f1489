"""Text in several languages: `{en: Glaciologist, de: Glaziologin}` instead of one text.

One is the plain text that pages and queries use: in the language of the CV, else of the site, else
English, else the first. The others become language-tagged literals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, PlainValidator, ValidationInfo, WrapValidator

from kg.errors import fix
from kg.facts.values.regions import countries, languages, tags
from kg.facts.values.text import Text, require
from kg.text.nearest import alike
from kg.text.normalize import squeeze
from kg.text.transliterate import plain

TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*")
VARIETY = re.compile(r"([a-z]{2,3})[-_](?:[a-z]{2}|[a-z]{4}|\d{3})", re.IGNORECASE)  # `en-GB`
SHORT_COUNTRIES = ("uk", "us", "usa", "gb")
NAME = re.compile(r"[^\W\d_]{2,}(?:[ '-][^\W\d_]+){0,2}")
# Languages whose names of languages are recognised, most common first.
LOCALES = "fr de es it pt nl pl sv da nb fi cs sk hu ro tr el uk ru ca hr zh ja ko ar"
ENGLISH = "en"
# Country codes that are often mistaken for language tags.
COUNTRIES = {"jp": "ja", "cn": "zh", "kr": "ko", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk"}


@dataclass(frozen=True, slots=True)
class Tagged:
    text: str
    tag: str


class Words(str):
    """The plain text; `others` has the translations by tag."""

    others: Mapping[str, str]

    @classmethod
    def of(cls, plain: str, others: Mapping[str, str]) -> str:
        """Returns a plain str if there are no translations."""
        if not others:
            return str(plain)
        words = cls(plain)
        words.others = others
        return words

    @property
    def literals(self) -> list[tuple[str | None, str | Tagged]]:
        """All versions, each with its key in the file; the plain text has no tag."""
        others = [(tag, Tagged(text, tag)) for tag, text in self.others.items()]
        return [(None, str(self)), *others]


def language_tag(text: str) -> str:
    """The tag of a language, given its tag or its name in any major language; empty if unknown. A
    variety (`en-GB`, `English (UK)`) is the language.
    """
    if text.lower() in languages():
        return text.lower()
    if variety := VARIETY.fullmatch(text):
        return language_tag(variety[1])
    name, _, place = squeeze(text).casefold().rstrip(")").partition(" (")
    if place and place not in (*countries(), *SHORT_COUNTRIES):
        return language_tag(name) if language_tag(place) == language_tag(name) else ""
    return tags().get(name) or (translated_tag(plain(name)) if NAME.fullmatch(name) else "")


@cache
def translated_tag(name: str) -> str:
    """The tag for a name in another language (`anglais`) or a three-letter code (`eng`)."""
    from babel.core import Locale, get_global  # noqa: PLC0415  slow to load, and rarely needed

    found = get_global("language_aliases").get(name, "") if len(name) == 3 else ""
    english = Locale(ENGLISH).languages
    if not found and (name in english or (found := tag_in(english, name))):
        return found or name
    for locale in LOCALES.split() if not found else ():
        names = Locale(locale).languages
        found = next((tag for tag in languages() if plain(names.get(tag, "")) == name), "")
        if found:
            break
    return found if found in languages() else ""


def tag_in(names: Mapping[str, str], name: str) -> str:
    """The tag with this name; that of the language for a variety with its name (`British
    English`).
    """
    found = next((tag for tag in names if plain(names[tag]).lower() == name), "")
    base = found.partition("_")[0]
    return base if base == found or plain(names[base]).lower() in name else ""


def language_name(tag: str, otherwise: str) -> str:
    """The English name of a language."""
    if tag in languages() or len(tag) != len("smj"):
        return languages().get(tag, otherwise)
    from babel.core import Locale  # noqa: PLC0415  slow to load, and rarely needed

    return str(Locale(ENGLISH).languages.get(tag, otherwise))


def is_language_name(text: str) -> bool:
    """Whether a text can be the name of a language without a tag: it is no misspelt other one."""
    is_name = text[:1].isupper() and NAME.fullmatch(squeeze(text).casefold())
    return bool(is_name) and not alike(text.casefold(), tags(), most=1, cutoff=0.72)


def meant_tag(text: str) -> str:
    """A guess at the tag, from a language name, a three-letter code or a country code."""
    word = text.lower()
    begun = {tag for name, tag in tags().items() if len(word) == 3 and name.startswith(word)}
    return language_tag(text) or COUNTRIES.get(word, "") or (begun.pop() if len(begun) == 1 else "")


def check_tag(text: str, info: ValidationInfo, field: str = "") -> str:
    """Accepts a language of ISO 639-1 or of the site's registry, with any region: `en`, `pt-BR`."""
    tag, own = text.lower(), info.context.rows.get("languages", {}) if info.context else {}
    name = tag.partition("-")[0]
    if not TAG.fullmatch(tag) or not (name in languages() or name in own or tag in own):
        meant = meant_tag(text)
        hint = (
            f"Write '{meant}'."
            if meant
            else "Write a tag such as en or pt-BR. To use another language, add it to "
            "data/languages.yaml."
        )
        found = (
            fix(text, meant, certain=bool(language_tag(text)))
            if meant and field in ("", "lang")
            else None
        )
        require(False, "bad-language", f"{text!r} is not a language tag. {hint}", field, found)
    return tag


def in_languages(value: object, check: Callable[[object], str], info: ValidationInfo) -> str:
    """Validates one text, or one for each language."""
    if not isinstance(value, dict):  # the usual case
        return check(value)
    require(value, "empty-value", "this field is empty. Add a value, or remove the field.")
    texts = {check_tag(tag, info, tag): check(text) for tag, text in value.items()}
    wanted = (*(info.context.languages if info.context else ()), ENGLISH, *texts)
    plain = next(tag for tag in wanted if tag in texts)
    return Words.of(texts.pop(plain), texts)


def in_each(join: Callable[[Sequence[str]], str], texts: Sequence[str]) -> str:
    """Joins texts in each of their languages; a text without a translation is used as it is."""
    tags = dict.fromkeys(tag for text in texts if isinstance(text, Words) for tag in text.others)
    if not tags:  # the usual case
        return join(texts)
    return Words.of(
        join(texts), {tag: join([said_in(tag, text) for text in texts]) for tag in tags}
    )


def said_in(tag: str, text: str) -> str:
    return text.others.get(tag, text) if isinstance(text, Words) else text


def other_name(value: object, info: ValidationInfo) -> str | Tagged:
    """Accepts a name, or a name with its language: `{name: 森山花, lang: ja}`."""
    if not isinstance(value, dict):
        require(isinstance(value, str), "bad-value", "a name must be text, not a list.")
        require(str(value).strip(), "empty-value", "this is empty. Write a name, or remove it.")
        return str(value).strip()
    good = value.keys() == {"name", "lang"} and all(
        isinstance(each, str) for each in value.values()
    )
    require(good, "bad-value", "this is not a name. Write a name, or {name: …, lang: …}.")
    return Tagged(value["name"].strip(), check_tag(value["lang"], info, "lang"))


OtherName = Annotated[
    str | Tagged, PlainValidator(other_name, json_schema_input_type=str | dict[str, str])
]


Tag = Annotated[str, AfterValidator(check_tag)]
# Add to the type of a text to allow several languages.
InLanguages = WrapValidator(in_languages, json_schema_input_type=str | dict[str, Any])
Worded = Annotated[Text, InLanguages]
