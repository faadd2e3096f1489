"""What a site says of itself, said and written: a few statements as quads, and quads in each form
of a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, serialize

from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.formats.rdfxml import rdfxml
from kg.publish.formats.turtle import turtle
from kg.vocab import Iri, names

Value = Iri | str | int | float | Literal | None


def say(
    graph: NamedNode | DefaultGraph, subject: str, *pairs: tuple[str, Value | Sequence[Value]]
) -> Iterator[Quad]:
    """The statements about one thing: property and value, or values; None says nothing. An address
    is an Iri, other text is text.
    """
    about = NamedNode(subject)
    for predicate, values in pairs:
        for value in (
            [values] if isinstance(values, str) or not isinstance(values, Sequence) else values
        ):
            if value is not None:
                yield Quad(about, NamedNode(predicate), term(value), graph)


def term(value: Iri | str | float | Literal) -> NamedNode | Literal:
    if isinstance(value, Literal):
        return value
    return NamedNode(value) if isinstance(value, Iri) else Literal(value)


def written(quads: Sequence[Quad], media_type: str, base: str) -> bytes:
    """The triples of a graph without a name in one of the six forms, sorted. As it has none, TriG
    is Turtle, and N-Quads are N-Triples.
    """
    if media_type in (TURTLE, TRIG):
        return turtle(base, quads, names(base))
    triples = sorted((quad.triple for quad in quads), key=str)
    if media_type in (NTRIPLES, NQUADS):
        return serialize(triples, format=RdfFormat.N_TRIPLES) or b""
    if media_type == RDFXML:
        return rdfxml(base, quads, names(base))
    if media_type == JSONLD:
        return (
            serialize(triples, format=RdfFormat.from_media_type(media_type), prefixes=names(base))
            or b""
        )
    raise ValueError(f"no graph is written as {media_type}")
