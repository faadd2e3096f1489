"""What plain pyshacl finds: all shapes of a site over a plain graph of rdflib."""

from __future__ import annotations

from collections.abc import Iterable

import rdflib
from pyoxigraph import Triple

from kg.check.own_shapes import as_rdflib_triple, findings, with_date
from kg.check.shapes import Finding, Shapes, declarations
from kg.graph.build import Graph


def plain_graph(triples: Iterable[Triple]) -> rdflib.Graph:
    graph = rdflib.Graph()
    for triple in triples:
        graph.add(as_rdflib_triple(triple))
    return graph


def reference(graph: Graph, shapes: Shapes, today: str) -> list[Finding]:
    every = [*declarations(shapes.base), *shapes.ours, *shapes.own]
    data = plain_graph(quad.triple for quad in graph.memory.store)
    return findings((with_date(each, today) for each in every), data)


def results(found: Iterable[Finding]) -> set[tuple[str | None, ...]]:
    """The findings without their messages."""
    return {tuple(each[:5]) for each in found}
