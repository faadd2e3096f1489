"""The whole graph in one file. Sorted, so that the same input gives the same bytes and a diff is readable."""

from __future__ import annotations

from kg.graph.build import Graph
from kg.graph.describe import describe
from kg.publish import jsonld
from kg.publish.formats import JSONLD, NQUADS, NTRIPLES, TURTLE
from kg.publish.turtle import turtle


def dump(graph: Graph, media_type: str) -> bytes:
    """N-Quads keep the documents apart; all other forms are their union."""
    if media_type == NQUADS:
        return graph.nquads
    if media_type == NTRIPLES:
        return ntriples(graph.nquads)
    if media_type == TURTLE:
        return turtle(graph.site.base, graph.memory.store)
    if media_type == JSONLD:
        return jsonld.dump(graph.site.base, (describe(graph.memory, document) for document in graph.memory.documents()))
    raise ValueError(f"no dump is made as {media_type}")


def ntriples(nquads: bytes) -> bytes:
    """The lines without their graphs. A subject says its graph, so no line comes twice and the order stays."""
    return "".join(f"{line[: line.rindex(' <')]} .\n" for line in nquads.decode().split("\n")[:-1]).encode()
