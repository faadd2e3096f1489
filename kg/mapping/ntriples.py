"""Values as they stand in N-Triples and N-Quads. Text emission checks nothing: addresses were
checked by their types.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from kg.facts.values.dates import Edtf, When
from kg.facts.values.text import WebAddress
from kg.vocab import edtf, xsd

SPECIAL = re.compile(r'[\x00-\x1f\x7f"\\]')
ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
}


def literal(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:  # most are
        return f'"{text}"'
    return f'"{SPECIAL.sub(escaped, text)}"'


def escaped(found: re.Match[str]) -> str:
    return ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"


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


# By exact type: EDTF text is also a str, and would lose its datatype otherwise.
WRITERS: dict[type, Callable[[Any], str | None]] = {
    str: literal,
    When: date,
    Edtf: lambda text: f'"{text}"^^<{edtf.EDTF}>',
    WebAddress: lambda address: f"<{address}>",
    int: lambda number: f'"{number}"^^<{xsd.integer}>',
    Decimal: lambda number: f'"{number:f}"^^<{xsd.decimal}>',
    bool: lambda truth: f'"{str(truth).lower()}"^^<{xsd.boolean}>',
}
