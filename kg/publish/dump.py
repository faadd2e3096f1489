"""The whole graph in one file. Sorted, so that the same input gives the same bytes and a diff is readable."""

from __future__ import annotations

from kg.graph.build import Graph
from kg.graph.describe import Description, quads_of
from kg.mapping.text import ntriples
from kg.publish import jsonld
from kg.publish.formats import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.rdfxml import rdfxml
from kg.publish.turtle import trig, turtle


def dump(graph: Graph, media_type: str) -> bytes:
    """N-Quads and TriG keep the documents apart; all other forms are their union."""
    if media_type == NQUADS:
        return graph.nquads
    if media_type == NTRIPLES:
        return ntriples(graph.nquads)
    if media_type == TURTLE:
        return turtle(graph.site.base, graph.memory.store)
    if media_type == TRIG:
        return trig(graph.site.base, graph.memory.store)
    if media_type == RDFXML:
        return rdfxml(graph.site.base, graph.memory.store)
    if media_type == JSONLD:
        memory = graph.memory
        return jsonld.dump(graph.site.base, (Description(document, quads_of(memory, document), {}) for document in memory.documents()))
    raise ValueError(f"no dump is made as {media_type}")
