"""The triples of a file, and how two forms of the same differ. There are no blank nodes, so graphs
are sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from pyoxigraph import BlankNode, NamedNode, Quad, RdfFormat, Triple, parse

from kg.mapping import iris
from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.proof.faults import short
from kg.vocab import rdf, schema

READERS = {
    TURTLE: RdfFormat.TURTLE,
    NTRIPLES: RdfFormat.N_TRIPLES,
    NQUADS: RdfFormat.N_QUADS,
    TRIG: RdfFormat.TRIG,
    RDFXML: RdfFormat.RDF_XML,
    JSONLD: RdfFormat.JSON_LD,
}
LABELS = (rdf.type, schema.name)  # what JSON-LD says besides of things that it mentions
Triples: TypeAlias = frozenset[Triple]


def quads(body: bytes | str, media_type: str) -> list[Quad]:
    """Needs no network: who would look something up elsewhere, as a context, is refused. A
    SyntaxError says what cannot be read.
    """
    found = list(parse(body, format=READERS[media_type]))
    if blank := next(
        (
            quad
            for quad in found
            if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode)
        ),
        None,
    ):
        raise SyntaxError(f"a thing has no address of its own: {short(blank)}")
    return found


def triples(body: bytes | str, media_type: str) -> Triples:
    return frozenset(quad.triple for quad in quads(body, media_type))


def subject(triple: Triple) -> str:
    return triple.subject.value if isinstance(triple.subject, NamedNode) else ""


def document_of(triple: Triple) -> str:
    """A triple lives in the document of its subject."""
    return iris.document_of(subject(triple))


def split(found: Triples, document: str) -> tuple[Triples, Triples]:
    """What belongs to a document, and the rest."""
    own = frozenset(triple for triple in found if document_of(triple) == document)
    return own, found - own


def agreed(forms: Iterable[Triples], first: Triples) -> Triples:
    """What most forms hold; where as many hold another, that of the first is taken."""
    counts = Counter([first, *forms])
    return max(counts, key=lambda each: (counts[each], each == first))


def difference(found: Triples, expected: Triples) -> str:
    """What a form lacks and has too many, in words; empty where it is right."""
    said = []
    for word, these in (("lacks", expected - found), ("has besides", found - expected)):
        if these:
            said.append(
                f"{word} {counted(len(these), 'triple')}: "
                f"{short(min(map(str, these)))}{' …' if len(these) > 1 else ''}"
            )
    return "; it ".join(said)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
