"""Word lists to recognise positions, organisations, units, schools, degrees and places.

Only whole words match.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import yaml

from kg.facts.values.regions import countries
from kg.text.normalize import letters
from kg.text.transliterate import plain

OF_SCIENCE = (
    r"(?:['’]?s)?(?:\s+(?:degree|of\s+(?:Science|Arts|Engineering|Technology"
    r"|Philosophy|Laws|Commerce"
    r"|Business Administration|Fine Arts|Public Health)))?"
)
DEGREE = re.compile(
    r"(?<![\w.])(?:Ph\.?\s?D\.?|D\.?Phil\.?|Sc\.?D\.?|Ed\.?D\.?|M\.?D\.?|J\.?D\.?|Promotion"
    r"|Dr\.(?:\s?[a-z]+\.){1,3}|Doctor(?:ate)?(?:\s+of\s+[A-Z]\w+)?"
    r"|Doctoral(?:\s+degree)?|Doktor\w*"
    r"|Habilitation|Doctorado?(?:\s+en)?|M\.?\s?(?:Sc|Tech|Eng|Phil|Res|Arch|Ed|Math|Phys|Com)\.?"
    r"|M\.?\s?(?:A|S|E|BA|FA|PH|PA|CS)\.?(?:\s?S\.)?"
    r"|B\.?\s?(?:Sc|Tech|Eng|Arch|Ed|Com|Math|Phil)\.?"
    rf"|B\.?\s?(?:A|S|E|BA|FA|CA|CS)\.?(?:\s?S\.)?|Master{OF_SCIENCE}|Bachelor{OF_SCIENCE}"
    r"|Diplom(?:[-\w]*)?|Dipl\.[-\w.]*|Magister|Staatsexamen|Licence|Licenciatura|Licenciad[oa]"
    r"|Ma[iî]trise|Maestr[ií]a|Grado|Laurea\w*|LL\.?[BM]\.?"
    r"|Associate(?:['’]?s)?\s+(?:degree|of\s+\w+)"
    r"|Postgraduate|High School Diploma|Abitur"
    r"|Matura|Baccalaur[eé]at|Bachillerato|MBA|BSCS|Ingénieur)"
    r"(?![\w])"
)


@cache
def word_list(name: str) -> frozenset[str]:
    """A word list from `lexicon.yaml`."""
    text = Path(__file__).with_suffix(".yaml").read_bytes()
    return word_set(yaml.load(text, yaml.CSafeLoader)[name])


@cache
def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def phrases(words: str) -> frozenset[str]:
    """Comma-separated phrases, normalised for comparison."""
    return frozenset(letters(word) for word in words.split(","))


def words_in(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:\.[a-z]+)*", plain(text))


def has_role(text: str) -> bool:
    """Whether a text has the word of a position, and is not a sentence."""
    found = words_in(text)
    return len(found) <= 12 and any(
        each in word_list("roles") or each.removesuffix("s") in word_list("roles") for each in found
    )


def has_organization(text: str) -> bool:
    return any(word in word_list("organizations") for word in words_in(text))


def has_unit(text: str) -> bool:
    return any(word in word_list("units") for word in words_in(text))


def has_school(text: str) -> bool:
    return any(word in word_list("schools") for word in words_in(text))


def is_country(text: str) -> bool:
    """Whether a text is the name of a country, or a state or its code."""
    name = plain(text).strip(" .")
    return (
        name in word_list("places")
        or name in countries()
        or text.strip(" .") in word_list("states")
    )
