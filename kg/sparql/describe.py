"""The triples of DESCRIBE: a thing's own triples, those of the facts that depend on it, and what
everything it mentions is called.

A fact depends on a thing when it is another fragment of the same document of the site, as a
position is of a person's, or a blank node.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Triple

from kg.store.memory import Memory
from kg.vocab import foaf, schema

LABELS = [
    NamedNode(iri)
    for iri in (
        schema.name,
        foaf.name,
        "http://www.w3.org/2000/01/rdf-schema#label",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "http://purl.org/dc/terms/title",
    )
]
NOT_DESCRIBED = (Literal, Triple)
Place = NamedNode | DefaultGraph | None


def describe(
    memory: Memory, things: Sequence[NamedNode | BlankNode], graphs: Sequence[NamedNode] | None
) -> list[Triple]:
    """The triples, from these graphs or from those the default graph is made of: first of the
    things, then of what depends on them, then the names; in each as the store gives them, which is
    always the same.
    """
    pattern = memory.store.quads_for_pattern
    places: Sequence[Place] = [None] if memory.union else [DefaultGraph()]
    if graphs is not None:
        places = graphs
    triples: dict[Triple, None] = {}
    mentioned: dict[NamedNode, None] = {}
    known, described = set(things), list(things)
    for thing in described:  # which grows
        stem = stem_of(thing, memory.base)
        for place in places:
            for quad in pattern(thing, None, None, place):
                triples[quad.triple] = None
                node = quad.object
                if isinstance(node, NOT_DESCRIBED) or node in mentioned or node in known:
                    continue
                if isinstance(node, BlankNode) or (
                    stem
                    and node.value.startswith(stem)
                    and node.value[len(stem) :] not in ("", "it")
                ):
                    known.add(node)
                    described.append(node)
                else:
                    mentioned[node] = None
    names = (name for node in mentioned for name in names_of(memory, node, places))
    return list(triples | dict.fromkeys(names))


def names_of(memory: Memory, node: NamedNode, places: Sequence[Place]) -> Sequence[Triple]:
    """By the first of the properties that name things, of those by which it is named."""
    pattern = memory.store.quads_for_pattern
    for label in labels_in_use(memory):
        if found := [quad.triple for place in places for quad in pattern(node, label, None, place)]:
            return found
    return ()


def labels_in_use(memory: Memory) -> list[NamedNode]:
    """The properties that name things here, of those that do in any file."""
    pattern = memory.store.quads_for_pattern
    return memory.once(
        "labels",
        lambda: [
            label for label in LABELS if next(iter(pattern(None, label, None)), None) is not None
        ],
    )


def stem_of(thing: NamedNode | BlankNode, base: str) -> str:
    """How the addresses begin of what depends on a thing; empty where nothing can."""
    if isinstance(thing, BlankNode) or not thing.value.startswith(base):
        return ""
    return thing.value.partition("#")[0] + "#"
