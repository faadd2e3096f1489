"""The parameters of a question: values that the caller may choose.

Each has one place in the query, a VALUES of one row: `VALUES (?person) { (<people/ada#it>) }`. What
is given takes the place of what stands there. It is checked by the type of the parameter and
written by the engine's own terms, so that whatever was given stays one term.
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

# The types that are things of the site, and the folder of their addresses.
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
STAND_IN = "http://base.invalid/"  # for a base we do not know
SHOWN = 100  # characters of what was given

Slot = Sequence[Token]  # that stand where a value of a parameter does


@dataclass(frozen=True)
class Parameter:
    """`default` is asked where nothing is given; without one, the query has the `example`, and a
    value must be given. Where UNDEF stands in the query, anything fits until a value is given.
    """

    name: str
    type: str
    meaning: str
    default: str = ""
    example: str = ""
    is_open: bool = False  # UNDEF stands in its place

    @property
    def is_required(self) -> bool:
        return not (self.default or self.is_open)

    @property
    def is_thing(self) -> bool:
        return self.type in THINGS

    def refuse(self, value: str, why: str, nearest: Sequence[str] = ()) -> BadValue:
        given = value if len(value) <= SHOWN else f"{value[:SHOWN]}…"
        return BadValue(f"{self.name} cannot be '{given}': {why}", self.name, nearest)


def slots(query: str) -> dict[str, Slot]:
    """Where the values of parameters may stand: in VALUES of one row, by the names of variables."""
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
    """The tokens of each term: a literal may have several, as in `"1"^^xsd:int` and `-1`."""
    begins = [
        at
        for at, (before, token) in enumerate(pairwise([END, *row]))
        if token.text != "^" and token.kind != "tag" and before.text not in ("^", "-", "+")
    ]
    return [row[at:end] for at, end in pairwise([*begins, len(row)])]


def written(parameter: Parameter, value: str, slot: Slot | None) -> str:
    """A value as a term; a thing is taken for one that exists."""
    folder = THINGS.get(parameter.type)
    return iri_of(parameter, value, f"{folder}/") if folder else write_term(parameter, value, slot)


def write_term(parameter: Parameter, value: str, slot: Slot | None) -> str:
    """A date, a number or a text as a term of the kind that stands in its place."""
    present = slot if slot and slot[0].word != "UNDEF" else None
    if parameter.type == "number":
        kind = next((kind for kind, form in NUMBERS.items() if form.fullmatch(value)), None)
        if kind is None:
            raise parameter.refuse(value, f"it is a number, such as {example(parameter, '12')}.")
        return literal(parameter, value, f"^^<{xsd}{kind}>")
    if parameter.type == "date":
        is_text = present is not None and len(present) == 1
        day = completed(parameter, value)
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
        raise parameter.refuse(ascii(value), "it is no text in Unicode.") from error


def completed(parameter: Parameter, value: str) -> str:
    """The first day of a year or a month, or the day itself."""
    day = value + "-01-01"[len(value) - 4 :] if DATE.fullmatch(value) else ""
    try:
        date.fromisoformat(day)
    except ValueError as error:
        wanted = f"it is a date, such as {example(parameter, '2024-05')}"
        raise parameter.refuse(value, f"{wanted}: a year, a month or a day.") from error
    return day


def example(parameter: Parameter, otherwise: str) -> str:
    return parameter.example or parameter.default or otherwise


def iri_of(parameter: Parameter, value: str, base: str) -> str:
    """The address of a thing that is given by its slug, beside others of its kind; or by an address
    whole or relative.
    """
    given = value[1:-1] if value.startswith("<") and value.endswith(">") else value
    if not re.search(r"[:/#]", given):
        given = f"{base}{given}#it" if given else ""
    try:
        is_whole = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", given)
        iri = str(NamedNode(given if is_whole else STAND_IN + given))
    except ValueError as error:
        raise parameter.refuse(value, "it is no address.") from error
    if not given:
        raise parameter.refuse(value, "it is empty.")
    return iri if is_whole else f"<{iri.removeprefix(f'<{STAND_IN}')}"
