"""Formats values as N-Triples and N-Quads. Nothing is escaped in addresses: their types were
validated.
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
    if text.isprintable() and '"' not in text and "\\" not in text:  # the usual case
        return f'"{text}"'
    return str(Literal(text))


def date(when: When) -> str | None:
    return f'"{when.iso}"^^<{when.datatype}>' if when.iso else None


def triple(quad: str) -> str:
    """Removes the graph from a line of N-Quads."""
    return f"{quad[: quad.rindex(' <')]} .\n"


def ntriples(nquads: bytes) -> bytes:
    """Removes the graphs. The subject determines the graph, so there are no duplicates and the
    order stays.
    """
    return "".join(map(triple, nquads.decode().split("\n")[:-1])).encode()


def typed(datatype: Iri) -> Callable[[Any], str]:
    """Makes a writer of literals with this datatype."""
    end = f'"^^<{datatype}>'
    return lambda value: f'"{value}{end}'


# Keyed by exact type: EDTF text is also a str, and would lose its datatype.
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
