"""Bounds on RDF that anybody may have written, kept before a parser reads it: entities of XML that
grow or lie elsewhere, and nesting that exhausts the stack of a parser, or its time.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from pyoxigraph import RdfFormat

DEEPEST = 200  # elements of XML, or triples as terms of triples: one in the other
LONGEST_ENTITY, AT_ONCE = 500, 65_536  # characters, bytes
WITH_TERMS = (
    RdfFormat.TURTLE,
    RdfFormat.TRIG,
    RdfFormat.N_TRIPLES,
    RdfFormat.N_QUADS,
    RdfFormat.N3,
)
# Texts, addresses and comments, in which the signs of a triple mean nothing; and these signs.
PIECES = re.compile(
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""|'
    rb"'''(?:[^'\\]++|\\.|'(?!''))*+'''|"
    rb'"(?:[^"\\\n]++|\\.)*+"|'
    rb"'(?:[^'\\\n]++|\\.)*+'|<[^<>\s]*+>|#[^\n]*+|(<<)|(>>)",
    re.DOTALL,
)


def refuse_unbounded(text: bytes, form: RdfFormat) -> None:
    """Raises SyntaxError, with the place."""
    if form == RdfFormat.RDF_XML:
        refuse_xml(text)
    elif form in WITH_TERMS and text.count(b"<<") > DEEPEST:
        depth = 0
        for found in PIECES.finditer(text):
            depth += bool(found[1]) - bool(found[2])
            if depth > DEEPEST:
                raise too_deep(*byte_place(text, found.start()))


def refuse_xml(text: bytes) -> None:
    """RDF/XML has entities for short names of vocabularies, and no others."""
    depth = 0

    def declared(entity: str, _: bool, value: str | None, *others: object) -> None:
        if value is None or "&" in value or len(value) > LONGEST_ENTITY:
            place = (None, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, None)
            raise SyntaxError(f"the entity '{entity}' is no name of a vocabulary", place)

    def opened(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise too_deep(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def closed(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    try:
        for start in range(0, len(text), AT_ONCE):
            parser.Parse(text[start : start + AT_ONCE], False)
    except (
        expat.ExpatError,
        LookupError,
    ):  # an unknown encoding is the latter; what is no XML the parser of RDF tells better
        return


def byte_place(text: bytes, at: int) -> tuple[int, int]:
    """Line and column of a byte."""
    return text.count(b"\n", 0, at) + 1, at - text.rfind(b"\n", 0, at)


def too_deep(line: int, column: int) -> SyntaxError:
    message = f"it is nested more than {DEEPEST} levels deep"
    return SyntaxError(message, (None, line, column, None))
