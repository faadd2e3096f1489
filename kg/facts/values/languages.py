"""Texts in several languages: `{en: Glaciologist, de: Glaziologin}` where one text would do.

One of them is the plain text, which every page and query takes: the one in the language of the CV,
else in that of the site, else in English, else the first. The others go with it, each with its
language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, PlainValidator, ValidationInfo, WrapValidator

from kg.facts.values.regions import languages, tags
from kg.facts.values.text import Text, require
from kg.text.normalize import squeeze

TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*")
ENGLISH = "en"
# Countries that are taken for the tags of their languages.
COUNTRIES = {"jp": "ja", "cn": "zh", "kr": "ko", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk"}


@dataclass(frozen=True, slots=True)
class Tagged:
    """A text and its language."""

    text: str
    tag: str


class Words(str):
    """The plain one of a text in several languages; `others` are by their tags."""

    others: Mapping[str, str]

    @classmethod
    def of(cls, plain: str, others: Mapping[str, str]) -> str:
        """A text without others is a plain one."""
        if not others:
            return str(plain)
        words = cls(plain)
        words.others = others
        return words

    @property
    def literals(self) -> list[tuple[str | None, str | Tagged]]:
        """All of them, each with its key in the file; the plain one is of no language."""
        others = [(tag, Tagged(text, tag)) for tag, text in self.others.items()]
        return [(None, str(self)), *others]


def language_tag(text: str) -> str:
    """The tag of a language by itself or by one of its names; empty where it is not known."""
    return text.lower() if text.lower() in languages() else tags().get(squeeze(text).casefold(), "")


def meant_tag(text: str) -> str:
    """The tag that somebody may mean by a language's name, its three letters or its country."""
    word = text.lower()
    begun = {tag for name, tag in tags().items() if len(word) == 3 and name.startswith(word)}
    return language_tag(text) or COUNTRIES.get(word, "") or (begun.pop() if len(begun) == 1 else "")


def check_tag(text: str, info: ValidationInfo, field: str = "") -> str:
    """`en`, `pt-BR`: a language of ISO 639-1 or of the site's own registry, in any region."""
    tag, own = text.lower(), info.context.rows.get("languages", {}) if info.context else {}
    name = tag.partition("-")[0]
    if not TAG.fullmatch(tag) or not (name in languages() or name in own or tag in own):
        meant = meant_tag(text)
        hint = (
            f"Write '{meant}'."
            if meant
            else "Write one such as en or pt-BR; other languages need an entry in "
            "data/languages.yaml."
        )
        require(False, "bad-language", f"{text!r} is no tag of a language. {hint}", field)
    return tag


def in_languages(value: object, check: Callable[[object], str], info: ValidationInfo) -> str:
    """One text, or one for each language; each is checked as one would be."""
    if not isinstance(value, dict):  # as most are
        return check(value)
    require(value, "empty-value", "this field is empty. Add a value, or remove the field.")
    texts = {check_tag(tag, info, tag): check(text) for tag, text in value.items()}
    wanted = (*(info.context.languages if info.context else ()), ENGLISH, *texts)
    plain = next(tag for tag in wanted if tag in texts)
    return Words.of(texts.pop(plain), texts)


def in_each(join: Callable[[Sequence[str]], str], texts: Sequence[str]) -> str:
    """Several texts as one, in each of their languages; a text that lacks one stays as it is."""
    tags = dict.fromkeys(tag for text in texts if isinstance(text, Words) for tag in text.others)
    if not tags:  # as most are
        return join(texts)
    return Words.of(
        join(texts), {tag: join([said_in(tag, text) for text in texts]) for tag in tags}
    )


def said_in(tag: str, text: str) -> str:
    return text.others.get(tag, text) if isinstance(text, Words) else text


def other_name(value: object, info: ValidationInfo) -> str | Tagged:
    """A name, or a name with its language: `{name: 森山花, lang: ja}`."""
    if not isinstance(value, dict):
        require(isinstance(value, str), "bad-value", "a name is expected here, not a list.")
        require(str(value).strip(), "empty-value", "this is empty. Write a name, or remove it.")
        return str(value).strip()
    good = value.keys() == {"name", "lang"} and all(
        isinstance(each, str) for each in value.values()
    )
    require(good, "bad-value", "Write a name, or {name: …, lang: …} with the tag of its language.")
    return Tagged(value["name"].strip(), check_tag(value["lang"], info, "lang"))


OtherName = Annotated[
    str | Tagged, PlainValidator(other_name, json_schema_input_type=str | dict[str, str])
]


Tag = Annotated[str, AfterValidator(check_tag)]
# Beside the type of a text that may be written in several languages.
InLanguages = WrapValidator(in_languages, json_schema_input_type=str | dict[str, Any])
Worded = Annotated[Text, InLanguages]
