"""Rules about people: names and their parts, references to oneself, and authors without a registry
entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.advice.likeness import are_alike, words_in
from kg.errors import Problem, Severity, fix
from kg.facts.bibliography.bibliographies import is_bibliography
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.activities import Referee
from kg.facts.models.base import Named
from kg.facts.models.careers import Position
from kg.facts.models.education import Study
from kg.facts.models.people import Person
from kg.facts.models.publications import Publication
from kg.facts.models.talks import Talk
from kg.facts.models.teaching import Mentoring, Teaching
from kg.facts.values.languages import Tagged
from kg.facts.values.naming import names_of
from kg.facts.values.references import PersonRef
from kg.facts.values.terms import Fact, Mention
from kg.text.normalize import squeeze, words
from kg.text.person_names import tidied
from kg.text.transliterate import plain

# Fields that name other people, and the message if they name the person of the CV.
OTHER_PEOPLE: dict[type[Fact], dict[str, str]] = {
    Position: {
        "mentors": "you cannot be your own mentor",
        "advisor": "you cannot be your own advisor",
    },
    Study: {
        "advisor": "you cannot be your own advisor",
        "committee": "you cannot be on your own committee",
    },
    Teaching: {"supervisors": "you cannot be your own supervisor"},
    Mentoring: {
        "person": "you cannot be your own mentee",
        "coAdvisors": "you are the advisor, so you cannot be a co-advisor",
    },
    Talk: {
        "host": "you cannot be your own host",
        "with": "you are a speaker already; list only the others",
    },
    Referee: {"person": "you cannot be your own referee"},
}
QUOTES = '“”„‟"'
# Invisible characters that no script needs in a name; joiners and direction marks are needed in
# some. Characters that override the direction of the text are never needed.
NEVER_IN_NAMES = re.compile(
    "[\u00a0\u00ad\u202f\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
# Cyrillic and Greek letters that look like Latin ones. In Cyrillic or Greek words they are correct.
LOOK_ALIKE = str.maketrans(
    "аеорсухіјѕԁһӏАВЕКМНОРСТХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhlABEKMHOPCTXIJSoABEZHIKMNOPTYX"
)
WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
# The second letter of a transcribed umlaut: Müller and Mueller are the same name.
DIGRAPH = re.compile("(?<=[aou])[ea](?=[^aeiou]|$)")
FIELDS = ("name", "givenName", "familyName")


def oneself(facts: Facts) -> Iterator[Problem]:
    for kind, fields in OTHER_PEOPLE.items():
        for each, entry in facts.of(kind):
            for field, reason in fields.items():
                value = getattr(entry, "speakers" if field == "with" else field)
                people: list[PersonRef] = value if isinstance(value, list) else [value]
                for number, person in enumerate(people):
                    place = each.row.at(field, number)
                    if person.slug == each.slug:
                        message = f"{each.row.path}: {reason}. Correct '{field}'."
                        yield Problem(place, "error", message, "oneself")
                    elif field == "coAdvisors" and person == getattr(entry, "person", None):
                        message = f"{each.row.path}: a mentee cannot be a co-advisor. Correct"
                        yield Problem(place, "error", f"{message} '{field}'.", "oneself")


def name_parts(facts: Facts) -> Iterator[Problem]:
    """Family and given names that are in none of the person's names. Other scripts are not
    compared; an initial in the name matches a given name.
    """
    for each, person in facts.of(Person):
        parts = {"familyName": person.familyName, "givenName": person.givenName}
        if not any(parts.values()):
            continue
        others = (
            other.text if isinstance(other, Tagged) else other for other in person.alternateNames
        )
        names = [compared(name) for name in (person.name, *others)]
        severity: Severity = "warning"
        for field, part in parts.items():
            if part and not any(has(name, compared(part)) for name in names):
                message = (
                    f"{each.row.path}: {field} '{part}' is not part of the name '{person.name}'. "
                    "Correct one of them, or add the other name to 'alternateNames'."
                )
                yield Problem(each.row.at(field), severity, message, "name-parts")
            severity = "info"  # a given name may differ from the name somebody goes by


def compared(name: str) -> str:
    """A name in lower case, without accents, its words separated by spaces."""
    return " ".join(words(DIGRAPH.sub("", plain(name))))


def has(name: str, part: str) -> bool:
    """Whether the name contains a word of the part, or an abbreviation of one. Another script
    always matches, because it may be the same name.
    """
    if name.isascii() != part.isascii():
        return True
    together, words = name.replace(" ", ""), tuple(name.split())
    return any(word in together or word.startswith(words) for word in part.split())


def untidy_names(facts: Facts) -> Iterator[Problem]:
    """Names with double spaces, invisible characters, letters of another alphabet, or curly quotes
    around them, which YAML keeps. A name may contain a nickname in quotes.
    """
    for each, text, *steps in names_in(facts):
        tidy = text
        if "  " in text or "\t" in text:
            tidy, what = squeeze(text), "has double spaces" if "  " in text else "has a tab"
        elif unseen := NEVER_IN_NAMES.search(text):
            what = f"contains the invisible character U+{ord(unseen[0]):04X}"
            tidy = NEVER_IN_NAMES.sub(" " if unseen[0].isspace() else "", text)
        elif (latin := in_one_alphabet(text)) != text:
            letter = next(each for each, other in zip(text, latin, strict=True) if each != other)
            what = f"contains U+{ord(letter):04X}, which only looks like a Latin letter"
            tidy = latin
        elif text[0] in QUOTES or text[-1] in QUOTES:
            is_inside = sum(text.count(quote) for quote in QUOTES) > (text[0] in QUOTES) + (
                text[-1] in QUOTES
            )
            tidy, what = text if is_inside else text.strip(QUOTES), "has quotes around it"
        elif isinstance(each.fact, Person) and steps == ["name"]:
            tidy, what = tidied(text)
            is_inline = (each.kind, each.slug) in facts.inline
            if is_inline and {*facts.names.claims.of(tidy)} <= {each.slug}:  # nobody else
                continue
        if tidy != text:
            message = f"{each.row.path}: the name '{text}' {what}. Write '{tidy}'."
            # A title or degree that the name loses may have to be written elsewhere. Some people
            # write their names in lower case.
            is_certain = len(tidy.split()) >= len(text.split()) and not text.islower()
            place, remedy = each.row.at(*steps), fix(text, tidy, certain=is_certain)
            yield Problem(place, "warning", message, "untidy-name", fix=remedy)


def in_one_alphabet(text: str) -> str:
    """The text with look-alike letters replaced by Latin ones, in words that also have Latin
    letters.
    """
    if text.isascii():
        return text
    return WORD.sub(
        lambda word: word[0].translate(LOOK_ALIKE) if LATIN.search(word[0]) else word[0], text
    )


def names_in(facts: Facts) -> Iterator[tuple[Loaded, str, *tuple[str | int, ...]]]:
    """The names of people, other entries and authors, each with the path to it."""
    for each in facts.loaded:
        fact = each.fact
        if isinstance(fact, Publication):
            for number, signature in enumerate(fact.authors):
                yield each, signature.printed, "authors", number
        elif isinstance(fact, Person | Named):
            for field in FIELDS:
                if name := getattr(fact, field, None):
                    yield each, name, field
            for number, other in enumerate(fact.alternateNames):
                text = other.text if isinstance(other, Tagged) else other
                yield each, text, "alternateNames", number


def unknown_authors(facts: Facts) -> Iterator[Problem]:
    """Authors without a registry entry. Skipped unless every CV could be read, because another CV
    may have the name. In bibliographies, only authors similar to a known person are reported; of
    the others, the first stands for all.
    """
    unregistered: dict[str, tuple[Loaded, int]] = {}
    hinted = set[str]()
    for each, work in facts.of(Publication) if facts.complete else ():
        for number, signature in enumerate(work.authors):
            if not isinstance(signature.person, Mention):
                continue
            if near := near_people(facts, signature.printed):
                hint = f"If it is {' or '.join(near)}, add it to their alternateNames."
                if signature.printed not in hinted:
                    yield unknown_author(each, number, signature.printed, hint)
                hinted.add(signature.printed)
            elif not is_bibliography(each.row.file):
                unregistered.setdefault(signature.printed, (each, number))
    if unregistered:
        name, (each, number) = next(iter(unregistered.items()))
        several = len(unregistered) > 1
        also = f"There are {len(unregistered)} such authors. " if several else ""
        hint = f"{also}If you know them under another name, add this one to their alternateNames."
        yield unknown_author(each, number, name, hint)


def near_people(facts: Facts, printed: str) -> list[str]:
    """The people with a name of which each word is like one of the printed name."""
    written = words_in("people", printed)
    near = {
        slug: [words_in("people", name) for name in names_of(facts.names.people[slug])]
        for slug in facts.names.near(printed)
    }
    return [
        slug
        for slug, names in near.items()
        if any(are_alike(written, name) or sorted(written) == sorted(name) for name in names)
    ]


def unknown_author(each: Loaded, number: int, name: str, hint: str) -> Problem:
    return Problem(
        each.row.at("authors", number),
        "info",
        f"{each.row.path}: '{name}' is not in data/people.yaml and becomes a new person. {hint}",
        "unregistered-author",
    )
