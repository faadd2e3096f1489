"""Parameters of a question: values that the caller can choose.

Each parameter has one slot in the query, a VALUES with one row: `VALUES (?person) {
(<people/ada#it>) }`. A given value replaces the value in the slot. It is checked against the type
of the parameter and serialised as one RDF term by the engine, so injection is impossible.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, takewhile

from pyoxigraph import Literal, NamedNode

from kg.errors import BadValue
from kg.sparql.reading.tokens import END, Token, tokens
from kg.vocab import xsd

# Types that are entities of the site -> folder of their addresses.
THINGS = {
    "person": "people",
    "organization": "orgs",
    "venue": "venues",
    "topic": "topics",
    "publication": "publications",
    "patent": "patents",
    "software": "software",
    "project": "projects",
    "grant": "grants",
    "course": "courses",
    "tutorial": "tutorials",
    "place": "places",
    "source": "sources",
}
TYPES = (*THINGS, "date", "number", "text")
NUMBERS = {
    "integer": re.compile(r"[+-]?[0-9]+"),
    "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    "double": re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"),
}
DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")
PLACEHOLDER_BASE = "http://base.invalid/"  # for an unknown base
MAX_QUOTED = 100  # characters quoted of a value

Slot = Sequence[Token]  # the tokens of a parameter's value in the query


@dataclass(frozen=True)
class Parameter:
    """A parameter uses its `default` if no value is given. Without a default, a value is required;
    the query then contains the `example`. If the slot contains UNDEF, no value means any value.
    """

    name: str
    type: str
    meaning: str
    default: str = ""
    example: str = ""
    is_open: bool = False  # its slot contains UNDEF

    @property
    def is_required(self) -> bool:
        return not (self.default or self.is_open)

    @property
    def is_thing(self) -> bool:
        return self.type in THINGS

    def refuse(self, value: str, why: str, nearest: Sequence[str] = ()) -> BadValue:
        given = value if len(value) <= MAX_QUOTED else f"{value[:MAX_QUOTED]}…"
        return BadValue(f"{self.name} cannot be '{given}': {why}", self.name, nearest)


def slots(query: str) -> dict[str, Slot]:
    """The slots of parameters: VALUES with one row, by variable name."""
    read = tokens(query)
    found: dict[str, Slot] = {}
    for at, token in enumerate(read):
        if token.word != "VALUES":
            continue
        rest = read[at + 1 :]
        head = list(takewhile(lambda token: token.text != "{", rest))
        row = takewhile(lambda token: token.text != "}", rest[len(head) + 1 :])
        names = [token.text[1:] for token in head if token.kind == "variable"]
        places = terms([token for token in row if token.text not in ("(", ")")])
        if len(places) == len(names):
            found |= {
                name: place for name, place in zip(names, places, strict=True) if name not in found
            }
    return found


def terms(row: Sequence[Token]) -> list[Slot]:
    """The tokens of each term; some literals have several, as `"1"^^xsd:int` and `-1`."""
    begins = [
        at
        for at, (before, token) in enumerate(pairwise([END, *row]))
        if token.text != "^" and token.kind != "tag" and before.text not in ("^", "-", "+")
    ]
    return [row[at:end] for at, end in pairwise([*begins, len(row)])]


def written(parameter: Parameter, value: str, slot: Slot | None) -> str:
    """A value as an RDF term. Entities are not looked up."""
    folder = THINGS.get(parameter.type)
    return iri_of(parameter, value, f"{folder}/") if folder else write_term(parameter, value, slot)


def write_term(parameter: Parameter, value: str, slot: Slot | None) -> str:
    """A date, number or text as a term of the same kind as the value in the slot."""
    present = slot if slot and slot[0].word != "UNDEF" else None
    if parameter.type == "number":
        kind = next((kind for kind, form in NUMBERS.items() if form.fullmatch(value)), None)
        if kind is None:
            raise parameter.refuse(
                value, f"it is not a number. Write one such as {example(parameter, '12')}."
            )
        return literal(parameter, value, f"^^<{xsd}{kind}>")
    if parameter.type == "date":
        is_text = present is not None and len(present) == 1
        day = full_date(parameter, value)
        return (
            literal(parameter, value, "") if is_text else literal(parameter, day, f"^^<{xsd.date}>")
        )
    return literal(
        parameter, value, "".join(token.text for token in present[1:]) if present else ""
    )


def literal(parameter: Parameter, value: str, suffix: str) -> str:
    try:
        return str(Literal(value)) + suffix
    except ValueError as error:
        raise parameter.refuse(ascii(value), "it is not valid Unicode.") from error


def full_date(parameter: Parameter, value: str) -> str:
    """The full date of a year, a month or a day: the first day of it."""
    day = value + "-01-01"[len(value) - 4 :] if DATE.fullmatch(value) else ""
    try:
        date.fromisoformat(day)
    except ValueError as error:
        wanted = f"Write one such as {example(parameter, '2024-05')}"
        raise parameter.refuse(value, f"it is not a date. {wanted}: year, month or day.") from error
    return day


def example(parameter: Parameter, otherwise: str) -> str:
    return parameter.example or parameter.default or otherwise


def iri_of(parameter: Parameter, value: str, base: str) -> str:
    """The IRI of an entity that is given by its slug, or by a relative or absolute address."""
    given = value[1:-1] if value.startswith("<") and value.endswith(">") else value
    if not re.search(r"[:/#]", given):
        given = f"{base}{given}#it" if given else ""
    try:
        is_whole = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", given)
        iri = str(NamedNode(given if is_whole else PLACEHOLDER_BASE + given))
    except ValueError as error:
        raise parameter.refuse(value, "it is not an address.") from error
    if not given:
        raise parameter.refuse(value, "it is empty.")
    return iri if is_whole else f"<{iri.removeprefix(f'<{PLACEHOLDER_BASE}')}"
