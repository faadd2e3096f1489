"""How a term is shown in a table of answers: a link where it leads somewhere, else text.

What a stranger stored or sends stays text: only http(s) addresses become links, and the templates
escape everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.publish.queries.results import LONGEST_TEXT, Term, address
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
class Cell:
    """`full` is what is told who points at it: the address of a short text, a common type. `note`
    is a language or another type.
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


EMPTY = Cell()


class Cells:
    """Makes the cells of one page. `page_of` gives the page of a thing as a relative address, or
    nothing.
    """

    def __init__(self, base: str, page_of: Callable[[str], str]) -> None:
        self.base = base
        self.page_of = page_of
        self.prefixes = {namespace: prefix for prefix, namespace in prefixes(base).items()}
        self.made: dict[Term | None, Cell] = {None: EMPTY}

    def of(self, term: Term | None) -> Cell:
        cell = self.made.get(term)
        if cell is None:
            cell = self.made[term] = self.make(term)
        return cell

    def make(self, term: Term | None) -> Cell:
        match term:
            case NamedNode(value=iri):
                return self.iri(iri)
            case Literal():
                return self.literal(term)
            case BlankNode(value=label):
                return Cell(f"_:{shortened(label, LONGEST_LABEL)}", full=f"_:{label}")
            case Triple():
                return Cell(shortened(f"<<( {term} )>>", LONGEST_TEXT))
        return EMPTY

    def iri(self, iri: str) -> Cell:
        text = self.short(iri)
        full = iri if text != iri else ""
        if iri.startswith(self.base):  # a thing without a page is described by the endpoint
            return Cell(text, self.page_of(iri) or address(f"DESCRIBE <{iri}>", "html"), full)
        if iri.startswith(("http://", "https://")):
            return Cell(text, iri, full, is_elsewhere=True)
        return Cell(text, full=full)

    def short(self, iri: str) -> str:
        """`schema:name`, `people/ada#it`, `example.org/a/long/way…`"""
        namespace, name = cut(iri)
        if name and namespace in self.prefixes:
            return f"{self.prefixes[namespace]}:{name}"
        if iri.startswith(self.base) and iri != self.base:
            return shortened(iri.removeprefix(self.base), LONGEST_ADDRESS)
        return shortened(iri.removeprefix("https://").removeprefix("http://"), LONGEST_ADDRESS)

    def literal(self, literal: Literal) -> Cell:
        text, datatype = shortened(literal.value, LONGEST_TEXT), literal.datatype.value
        if literal.language:
            return Cell(text, note=f"@{literal.language}", language=literal.language)
        if datatype == xsd.string:
            return Cell(text)
        if datatype.startswith(
            str(xsd)
        ):  # a number or a date speaks for itself; who points at it sees what it is
            return Cell(
                text, full=self.short(datatype), is_number=bool(NUMBERS.fullmatch(datatype))
            )
        return Cell(text, note=self.short(datatype))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
