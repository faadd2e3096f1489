"""The whole graph in one file. Sorted, so that the same input gives the same bytes and a diff is readable."""

from __future__ import annotations

from collections.abc import Iterator

from kg.engine.store import Store
from kg.graph.describe import Description, quads_of
from kg.graph.publishable import Publishable
from kg.mapping.text import ntriples
from kg.publish import jsonld
from kg.publish.formats import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.rdfxml import rdfxml
from kg.publish.turtle import trig, turtle

PORTION = 200  # documents


def dump(graph: Publishable, media_type: str) -> bytes:
    """N-Quads and TriG keep the documents apart; all other forms are their union."""
    if media_type == NQUADS:
        return graph.nquads
    if media_type == NTRIPLES:
        return ntriples(graph.nquads)
    if media_type == TURTLE:
        return turtle(graph.site.base, graph.memory.all())
    if media_type == TRIG:
        return trig(graph.site.base, graph.memory.all())
    if media_type == RDFXML:
        return rdfxml(graph.site.base, graph.memory.all())
    if media_type == JSONLD:
        return jsonld.dump(graph.site.base, descriptions(graph.memory))
    raise ValueError(f"no dump is made as {media_type}")


def descriptions(store: Store) -> Iterator[Description]:
    documents = store.documents()
    for start in range(0, len(documents), PORTION):
        portion = documents[start : start + PORTION]
        store.ahead(documents=portion)
        yield from (Description(document, quads_of(store, document), {}) for document in portion)
