"""Checks of people: who is named in the own CV as somebody else, how names are written, and those
that nobody claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.errors import Problem, Severity
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
from kg.facts.values.references import PersonRef
from kg.facts.values.terms import Fact, Mention
from kg.text.normalize import squeeze, words
from kg.text.transliterate import plain

# What an entry names somebody as who cannot be its owner.
OTHERS: dict[type[Fact], dict[str, str]] = {
    Position: {"mentors": "nobody is their own mentor", "advisor": "nobody is their own advisor"},
    Study: {
        "advisor": "nobody is their own advisor",
        "committee": "nobody sits on their own committee",
    },
    Teaching: {"supervisors": "nobody is their own supervisor"},
    Mentoring: {
        "person": "nobody is their own mentee",
        "coAdvisors": "you are the advisor here, and nobody is their own co-advisor",
    },
    Talk: {
        "host": "nobody invites themselves",
        "with": "you speak yourself, and these are the others",
    },
    Referee: {"person": "nobody is their own referee"},
}
QUOTES = '“”„‟"'
# Signs without width that no script needs in a name, as some need joiners and marks of direction.
# Those that turn the text behind them are not needed either: who can read a script can turn it.
NEVER_IN_NAMES = re.compile("[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
# Letters of Cyrillic and Greek that look like Latin ones. In a word of theirs they are right.
LOOK_ALIKE = str.maketrans(
    "аеорсухіјѕԁһӏАВЕКМНОРСТХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhlABEKMHOPCTXIJSoABEZHIKMNOPTYX"
)
WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
# Of two letters for one: Müller and Mueller are one name.
DIGRAPH = re.compile("(?<=[aou])[ea](?=[^aeiou]|$)")
FIELDS = ("name", "givenName", "familyName")
MOST_STRANGERS = 10  # authors of one work, each told of


def oneself(facts: Facts) -> Iterator[Problem]:
    for kind, fields in OTHERS.items():
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
                        message = f"{each.row.path}: nobody is their own co-advisor. Correct"
                        yield Problem(place, "error", f"{message} '{field}'.", "oneself")


def name_parts(facts: Facts) -> Iterator[Problem]:
    """Family and given names that are in none of the person's names. Those in other letters are
    not compared; a given name may be that of which only the first letter is in the name.
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
                    f"{each.row.path}: {field} '{part}' is no part of the name '{person.name}'. "
                    "Correct one of the two, or add the name that has it to 'alternateNames'."
                )
                yield Problem(each.row.at(field), severity, message, "name-parts")
            severity = "info"  # a given name may be another than the one somebody is called by


def compared(name: str) -> str:
    """A name in small letters without accents, its words apart."""
    return " ".join(words(DIGRAPH.sub("", plain(name))))


def has(name: str, part: str) -> bool:
    """Whether a word of a part of a name is in the name, or begins with a word of it, be that one
    letter. What is in another script may be the same.
    """
    if name.isascii() != part.isascii():
        return True
    together, words = name.replace(" ", ""), tuple(name.split())
    return any(word in together or word.startswith(words) for word in part.split())


def untidy_names(facts: Facts) -> Iterator[Problem]:
    """Names with two spaces in a row, with signs nobody sees or letters of another alphabet, or in
    curly quotes, which YAML takes for a part of them; a name may hold another one in quotes.
    """
    for each, text, *steps in names_in(facts):
        tidy = text
        if "  " in text:
            tidy, what = squeeze(text), "has two spaces in a row"
        elif unseen := NEVER_IN_NAMES.search(text):
            what = f"has U+{ord(unseen[0]):04X} in it, which nobody sees"
            tidy = NEVER_IN_NAMES.sub("", text)
        elif (latin := in_one_alphabet(text)) != text:
            letter = next(each for each, other in zip(text, latin, strict=True) if each != other)
            what = f"has U+{ord(letter):04X} in a Latin word, which is another letter than it seems"
            tidy = latin
        elif text[0] in QUOTES or text[-1] in QUOTES:
            is_inside = sum(text.count(quote) for quote in QUOTES) > (text[0] in QUOTES) + (
                text[-1] in QUOTES
            )
            tidy, what = text if is_inside else text.strip(QUOTES), "has quotes that belong to it"
        if tidy != text:
            message = f"{each.row.path}: the name '{text}' {what}. Write '{tidy}'."
            yield Problem(each.row.at(*steps), "warning", message, "untidy-name")


def in_one_alphabet(text: str) -> str:
    """Letters that look like Latin ones replaced by these, in words that have Latin ones, too."""
    if text.isascii():
        return text
    return WORD.sub(
        lambda word: word[0].translate(LOOK_ALIKE) if LATIN.search(word[0]) else word[0], text
    )


def names_in(facts: Facts) -> Iterator[tuple[Loaded, str, *tuple[str | int, ...]]]:
    """The names of people and things, and those under works, each with the way to it."""
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
    """Only reported where every CV could be read, for one that could not be may claim the name. Of
    the many in a bibliography only those who may be somebody we know; of very many in one work the
    first stands for all others.
    """
    for each, work in facts.of(Publication) if facts.complete else ():
        strangers: list[int] = []
        for number, signature in enumerate(work.authors):
            if not isinstance(signature.person, Mention):
                continue
            if near := facts.names.near(signature.printed):
                hint = f"If it is one of {', '.join(near)}, add it to the alternateNames there."
                yield unknown_author(each, number, signature.printed, hint)
            elif not is_bibliography(each.row.file):
                strangers.append(number)
        rest = strangers[1:] if len(strangers) > MOST_STRANGERS else []
        also = f"So are {len(rest)} others here. " if rest else ""
        for number in strangers[: -len(rest) or None]:
            hint = f"{also}If you know who it is, say so in data/people.yaml."
            yield unknown_author(each, number, work.authors[number].printed, hint)


def unknown_author(each: Loaded, number: int, name: str, hint: str) -> Problem:
    return Problem(
        each.row.at("authors", number),
        "info",
        f"{each.row.path}: nobody in the registry is called '{name}', so it is a person of its "
        f"own. {hint}",
        "unregistered-author",
    )
