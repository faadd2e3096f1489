"""Cells of a result table: a term is a link where it leads somewhere, else text.

What a stranger stored or sends stays text: only http(s) addresses become links, and the templates
escape everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.publish.formats.urls import query_answer
from kg.publish.queries.results import LONGEST_TEXT, Term
from kg.vocab import cut, prefixes, xsd

LONGEST_ADDRESS = 60  # characters of an address as text
LONGEST_LABEL = 12  # of a blank node: the engine makes them up, and they mean nothing
SHORT_TEXT = 40  # characters; what is longer wants a wide column
NUMBERS = re.compile(
    re.escape(str(xsd))
    + "(decimal|double|float|((non)?(positive|negative))?integer|(unsigned)?(long|int|short|byte))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ResultCell:
    """`full` is the tooltip: the address behind a short text, or a common datatype. `note` is a
    language or another datatype.
    """

    text: str = ""
    href: str = ""
    full: str = ""
    note: str = ""
    language: str = ""
    is_number: bool = False
    is_elsewhere: bool = False

    @property
    def is_long(self) -> bool:
        return len(self.text) > SHORT_TEXT


EMPTY = ResultCell()


class CellMaker:
    """Makes the cells of one page. `page_of` gives the page of a thing as a relative address, or
    nothing.
    """

    def __init__(self, base: str, page_of: Callable[[str], str]) -> None:
        self.base = base
        self.page_of = page_of
        self.prefixes = {namespace: prefix for prefix, namespace in prefixes(base).items()}
        self.cache: dict[Term | None, ResultCell] = {None: EMPTY}

    def of(self, term: Term | None) -> ResultCell:
        cell = self.cache.get(term)
        if cell is None:
            cell = self.cache[term] = self.make(term)
        return cell

    def make(self, term: Term | None) -> ResultCell:
        match term:
            case NamedNode(value=iri):
                return self.iri(iri)
            case Literal():
                return self.literal(term)
            case BlankNode(value=label):
                return ResultCell(f"_:{shortened(label, LONGEST_LABEL)}", full=f"_:{label}")
            case Triple():
                return ResultCell(shortened(f"<<( {term} )>>", LONGEST_TEXT))
        return EMPTY

    def iri(self, iri: str) -> ResultCell:
        text = self.short(iri)
        full = iri if text != iri else ""
        if iri.startswith(self.base):  # a thing without a page is described by the endpoint
            return ResultCell(
                text, self.page_of(iri) or query_answer(f"DESCRIBE <{iri}>", "html"), full
            )
        if iri.startswith(("http://", "https://")):
            return ResultCell(text, iri, full, is_elsewhere=True)
        return ResultCell(text, full=full)

    def short(self, iri: str) -> str:
        """`schema:name`, `people/ada#it`, `example.org/a/long/way…`"""
        namespace, name = cut(iri)
        if name and namespace in self.prefixes:
            return f"{self.prefixes[namespace]}:{name}"
        if iri.startswith(self.base) and iri != self.base:
            return shortened(iri.removeprefix(self.base), LONGEST_ADDRESS)
        return shortened(iri.removeprefix("https://").removeprefix("http://"), LONGEST_ADDRESS)

    def literal(self, literal: Literal) -> ResultCell:
        text, datatype = shortened(literal.value, LONGEST_TEXT), literal.datatype.value
        if literal.language:
            return ResultCell(text, note=f"@{literal.language}", language=literal.language)
        if datatype == xsd.string:
            return ResultCell(text)
        if datatype.startswith(str(xsd)):  # a number or a date needs no note, only a tooltip
            return ResultCell(
                text, full=self.short(datatype), is_number=bool(NUMBERS.fullmatch(datatype))
            )
        return ResultCell(text, note=self.short(datatype))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def numeric_columns(rows: Sequence[Sequence[ResultCell]]) -> frozenset[int]:
    """The places of columns that hold numbers alone."""
    return frozenset(
        place
        for place, column in enumerate(zip(*rows, strict=True))
        if {cell.is_number for cell in column if cell.text} == {True}
    )
