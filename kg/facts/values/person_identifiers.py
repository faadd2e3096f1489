"""Identifiers of people: format and web address of each scheme.

Unknown schemes are accepted as they are, without an address.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from kg.facts.values.identifiers import (
    TRAILING_PUNCTUATION,
    check_digit,
    format_hint,
    identifier_fix,
)
from kg.facts.values.text import SLUG, Text, WebAddress, is_web_address, require
from kg.text.nearest import closest


class Scheme(NamedTuple):
    """`address` has `{}` for the identifier, `pattern` its format."""

    title: str
    address: str
    pattern: str
    example: str


SCHEMES = {
    "orcid": Scheme(
        "ORCID", "https://orcid.org/{}", r"([0-9]{4}-){3}[0-9]{3}[0-9X]", "0000-0002-1825-0097"
    ),
    "isni": Scheme("ISNI", "https://isni.org/isni/{}", r"[0-9]{15}[0-9X]", "0000 0001 2146 438X"),
    "scopus": Scheme(
        "Scopus",
        "https://www.scopus.com/authid/detail.uri?authorId={}",
        r"[0-9]{10,11}",
        "57190000000",
    ),
    "researcherid": Scheme(
        "ResearcherID",
        "https://www.webofscience.com/wos/author/record/{}",
        r"[A-Z]{1,3}-[0-9]{4}-[0-9]{4}",
        "A-1009-2008",
    ),
    "wikidata": Scheme("Wikidata", "https://www.wikidata.org/entity/{}", r"Q[0-9]+", "Q7259"),
    "dblp": Scheme("DBLP", "https://dblp.org/{}", r"\S+", "pid/k/DEKnuth"),
    "viaf": Scheme("VIAF", "https://viaf.org/viaf/{}", r"[0-9]+", "51696616"),
    "gnd": Scheme("GND", "https://d-nb.info/gnd/{}", r"[0-9X-]+", "118640909"),
    "openalex": Scheme("OpenAlex", "https://openalex.org/{}", r"[AW][0-9]+", "A5023888391"),
    "lattes": Scheme("Lattes", "http://lattes.cnpq.br/{}", r"[0-9]{16}", "1234567890123456"),
    "zbmath": Scheme("zbMATH", "https://zbmath.org/authors/{}", r"[A-Za-z0-9_.-]+", "lovelace.ada"),
}
WITH_CHECK_DIGIT = ("orcid", "isni")


def check_identifier(scheme: str, text: str, field: str = "") -> str:
    """Returns the bare identifier; accepts its web address, too."""
    if scheme not in SCHEMES:
        near = closest(scheme, SCHEMES, most=1, cutoff=0.75)
        hint = (
            f"Did you mean '{near[0]}'?"
            if near
            else ("Use lower-case letters, digits and '-', e.g. staff-number.")
        )
        message = f"unknown identifier {scheme!r}. {hint}"
        require(SLUG.fullmatch(scheme) and not near, "bad-identifier", message, field)
        return text
    known = SCHEMES[scheme]
    before, _, after = known.address.partition("{}")
    bare = re.sub(rf"^https?://(www\.)?{re.escape(before.partition('://')[2])}", "", text)
    bare = bare.removesuffix(after) if bare != text and after else bare
    bare = re.sub(r"[\s-]", "", bare) if scheme == "isni" else bare
    good = re.fullmatch(known.pattern, bare) and is_web_address(known.address.format(bare))
    good = good and bare[-1] not in TRAILING_PUNCTUATION
    a = "an" if known.title[0] in "AEIO" else "a"
    # the names ORCID and ISNI already end in "identifier"
    word = "" if scheme in WITH_CHECK_DIGIT else " identifier"
    wrong = f"{bare!r} is not {a} {known.title}{word}"
    hint = format_hint(bare, known.pattern, f"as {known.example}")
    found = identifier_fix(text, known.pattern)
    require(good, "bad-identifier", f"{wrong}. {hint}", field, found)
    if scheme in WITH_CHECK_DIGIT:
        digits = bare.replace("-", "")
        fits = check_digit(digits[:-1]) == digits[-1]
        source = before.partition("://")[2].partition("/")[0]
        message = f"{wrong}: its check digit is wrong. Compare it with {source}."
        require(fits, "bad-identifier", message, field)
    return bare


def address_of(scheme: str, value: str) -> WebAddress | None:
    return WebAddress(SCHEMES[scheme].address.format(value)) if scheme in SCHEMES else None


def title_of(scheme: str) -> str:
    """`scopus` -> `Scopus`"""
    return SCHEMES[scheme].title if scheme in SCHEMES else scheme.replace("-", " ").capitalize()


def check_identifiers(found: dict[str, str]) -> dict[str, str]:
    return {scheme: check_identifier(scheme, text, field=scheme) for scheme, text in found.items()}


def check_orcid(text: str) -> str:
    try:
        return check_identifier("orcid", text)
    except PydanticCustomError as error:
        raise PydanticCustomError("bad-orcid", error.message_template, error.context) from error


Orcid = Annotated[str, AfterValidator(check_orcid)]
# By scheme: `{scopus: "57190000000", wikidata: Q7259}`.
Identifiers = Annotated[
    dict[str, Text], AfterValidator(check_identifiers), Field(default_factory=dict)
]
