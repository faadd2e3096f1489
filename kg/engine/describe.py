"""What DESCRIBE tells: a thing's own triples, those of the facts that depend on it, and what everything it mentions is called.

A fact depends on a thing when it is another fragment of the same document of the site, as a position is of a person's, or a blank node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad, Triple

from kg.engine.memory import Memory
from kg.vocab import foaf, schema

LABELS = [  # those of any file that may be served
    NamedNode(iri)
    for iri in (
        schema.name,
        foaf.name,
        "http://www.w3.org/2000/01/rdf-schema#label",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "http://purl.org/dc/terms/title",
    )
]


def describe(memory: Memory, things: Sequence[NamedNode | BlankNode], graphs: Sequence[NamedNode] | None) -> list[Triple]:
    """The triples, from these graphs or from those the default graph is made of: first of the things, then of what depends on them,
    then the names; sorted in each."""
    places: list[NamedNode | DefaultGraph | None] = [None] if memory.union else [DefaultGraph()]
    if graphs is not None:
        places = list(graphs)

    def said(node: NamedNode | BlankNode, predicate: NamedNode | None = None) -> Iterator[Quad]:
        for place in places:
            yield from memory.store.quads_for_pattern(node, predicate, None, place)

    found: set[Triple] = set()
    mentioned: set[object] = set()
    waiting = list(things)
    known: set[object] = set(things)
    while waiting:
        thing = waiting.pop()
        for quad in said(thing):
            found.add(quad.triple)
            mentioned.add(quad.object)
            if quad.object not in known and isinstance(quad.object, NamedNode | BlankNode) and depends(quad.object, thing, memory.base):
                known.add(quad.object)
                waiting.append(quad.object)
    names = {
        quad.triple for node in mentioned - known if isinstance(node, NamedNode) for predicate in LABELS for quad in said(node, predicate)
    }
    first = set(things)
    return [*sorted(found, key=lambda triple: (triple.subject not in first, str(triple))), *sorted(names, key=str)]


def depends(node: NamedNode | BlankNode, thing: NamedNode | BlankNode, base: str) -> bool:
    if isinstance(node, BlankNode):
        return True
    if isinstance(thing, BlankNode) or not node.value.startswith(base):
        return False
    document, _, fragment = node.value.partition("#")
    return fragment not in ("", "it") and document == thing.value.partition("#")[0]
