"""Values as they stand in N-Triples and N-Quads. Text emission checks nothing: addresses were
checked by their types.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from pyoxigraph import Literal

from kg.facts.values.dates import Day, Edtf, When
from kg.facts.values.languages import Tagged
from kg.facts.values.text import WebAddress
from kg.vocab import Iri, edtf, xsd


def literal(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:  # as most are
        return f'"{text}"'
    return str(Literal(text))


def date(when: When) -> str | None:
    return f'"{when.iso}"^^<{when.datatype}>' if when.iso else None


def triple(quad: str) -> str:
    """A line of N-Quads without its graph."""
    return f"{quad[: quad.rindex(' <')]} .\n"


def ntriples(nquads: bytes) -> bytes:
    """The lines without their graphs. A subject says its graph, so no line comes twice and the
    order stays.
    """
    return "".join(map(triple, nquads.decode().split("\n")[:-1])).encode()


def typed(datatype: Iri) -> Callable[[Any], str]:
    """Writes a value as a literal of this type."""
    end = f'"^^<{datatype}>'
    return lambda value: f'"{value}{end}'


# By exact type: EDTF text is also a str, and would lose its datatype otherwise.
WRITERS: dict[type, Callable[[Any], str | None]] = {
    str: literal,
    Tagged: lambda words: f"{literal(words.text)}@{words.tag}",
    When: date,
    Day: typed(xsd.date),
    Edtf: typed(edtf.EDTF),
    WebAddress: lambda address: f"<{address}>",
    int: typed(xsd.integer),
    Decimal: lambda number: f'"{number:f}"^^<{xsd.decimal}>',
    bool: {truth: typed(xsd.boolean)(str(truth).lower()) for truth in (True, False)}.get,
}
