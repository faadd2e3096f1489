"""Validates local shapes with pyshacl, after the store has excluded nodes that clearly conform.

A local shape depends only on the triples of the node itself, and most nodes conform: they have one
name, and it is not empty. So the store selects the suspects, and only these are passed to pyshacl,
which decides. A constraint that is not in the table `DOUBTS` makes all nodes of its shape suspects.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from pyoxigraph import Literal, NamedNode, RdfFormat, serialize

from kg.check.shacl.processor import validate
from kg.check.shacl.shapes import Finding, Node, Shapes
from kg.store.memory import Memory
from kg.vocab import rdf, rdfs, sh, xsd

NODES_PER_QUERY = 256  # nodes per query
# nodes validated at once, so that the memory of pyshacl does not grow with the graph
BATCH_SIZE = 10_000
TARGETS: dict[str, str] = {
    sh.targetClass: (
        f"{{ SELECT ?class {{ ?class <{rdfs.subClassOf}>* %(value)s }} }} ?node a ?class"
    ),
    sh.targetSubjectsOf: "?node %(value)s ?any",
}
WORDS = {rdf.type, rdfs.label, rdfs.comment} | {
    f"{sh}{term}" for term in ("severity", "message", "name", "description", "order", "group")
}
ALWAYS, INTEGER = "true", f"^^<{xsd.integer}>"
# Syntax on which the regular expressions of Python and of the store differ.
NOT_PORTABLE = re.compile(r"\\[A-RT-Za-ce-rt-z0-9]|\(\?|\[\[|&&|--|~~|[*+?}]\+|\{,")
# When a node may violate a constraint on the values of a path: by the term and its value, or the
# type of the value.
DOUBTS = {
    f'minCount "0"{INTEGER}': "false",
    f'minCount "1"{INTEGER}': "NOT EXISTS { ?node %(path)s ?value }",
    f'maxCount "0"{INTEGER}': "EXISTS { ?node %(path)s ?value }",
    f'maxCount "1"{INTEGER}': (
        "EXISTS { ?node %(path)s ?value, ?other FILTER(!sameTerm(?value, ?other)) }"
    ),
    f"nodeKind <{sh}IRI>": "EXISTS { ?node %(path)s ?value FILTER(!isIRI(?value)) }",
    "hasValue NamedNode": "NOT EXISTS { ?node %(path)s %(value)s }",
    "equals NamedNode": (
        "EXISTS { ?node %(path)s ?value FILTER NOT EXISTS { ?node %(value)s ?value } } || "
        "EXISTS { ?node %(value)s ?value FILTER NOT EXISTS { ?node %(path)s ?value } }"
    ),
    "pattern Literal": (  # if both regular expression engines agree on the pattern
        "EXISTS { ?node %(path)s ?value FILTER(!COALESCE(REGEX(STR(?value), %(value)s) && "
        f"(isIRI(?value) || DATATYPE(?value) = <{xsd.string}>), false)) }}"
    ),
}


def find(memory: Memory, shapes: Shapes, about: Collection[str] | None = None) -> list[Finding]:
    """The findings of the local shapes in the whole graph, or for some nodes."""
    ordered = sorted(suspects(memory, shapes, about))
    is_known = not any(ALWAYS in doubts(shapes, shape) for shape in shapes.local)
    if not ordered and (is_known or about is not None):
        return []  # otherwise pyshacl may find that it cannot use the shapes
    text = shapes.ntriples(shapes.closure(shapes.local))
    return [
        found
        for start in range(0, len(ordered) or 1, BATCH_SIZE)
        for found in validate(text, triples_of(memory, ordered[start : start + BATCH_SIZE]))
    ]


def portions(about: Collection[str] | None) -> Iterator[list[str] | None]:
    """The nodes in small batches, so that the engine starts a query with them; None for all
    nodes.
    """
    if about is None:
        yield None
        return
    ordered = sorted(about)
    for start in range(0, len(ordered), NODES_PER_QUERY):
        yield ordered[start : start + NODES_PER_QUERY]


def suspects(memory: Memory, shapes: Shapes, about: Collection[str] | None = None) -> set[str]:
    """The nodes that may not conform."""
    found: set[str] = set()
    for shape in shapes.local:
        condition = " || ".join(sorted({"false", *doubts(shapes, shape)}))
        for target in targets(shapes, shape):
            query = f"SELECT ?node WHERE {{ {target} FILTER({condition}) }}"
            for some in portions(about):
                rows = memory.select(query, **({} if some is None else {"node": some}))
                found.update(row["node"].value for row in rows)
    return found


def targets(shapes: Shapes, shape: Node) -> Iterator[str]:
    """The patterns of a shape's target nodes. A shape that is also a class targets its
    instances.
    """
    is_class = rdfs.Class in {value.value for value in shapes.values(shape, rdf.type)}
    for term, pattern in TARGETS.items():
        named = [shape] if is_class and term == sh.targetClass else []
        for value in [*named, *shapes.values(shape, term)]:
            yield pattern % {"value": value}


def doubts(shapes: Shapes, shape: Node) -> Iterator[str]:
    """The conditions under which a node may violate a shape."""
    known = WORDS | TARGETS.keys() | {f"{sh}property"}
    if not known.issuperset(triple.predicate.value for triple in shapes.about[shape]):
        yield ALWAYS
    for part in shapes.values(shape, f"{sh}property"):
        about = [] if isinstance(part, Literal) else shapes.about.get(part, [])
        paths = [each.object for each in about if each.predicate.value == sh.path]
        if len(paths) != 1:
            yield ALWAYS
            continue
        for triple in about:
            term, value = triple.predicate.value.removeprefix(str(sh)), triple.object
            doubt = DOUBTS.get(f"{term} {value}") or DOUBTS.get(f"{term} {type(value).__name__}")
            if term == "pattern" and NOT_PORTABLE.search(value.value):  # type: ignore[union-attr]
                yield ALWAYS
            elif triple.predicate.value not in WORDS | {sh.path}:
                yield (doubt or ALWAYS) % {"path": paths[0], "value": value}


def triples_of(memory: Memory, subjects: Iterable[str]) -> str:
    """The triples of these nodes, and the class hierarchy."""
    patterns = [(NamedNode(subject), None) for subject in subjects]
    quads = [
        quad
        for subject, predicate in [*patterns, (None, NamedNode(rdfs.subClassOf))]
        for quad in memory.store.quads_for_pattern(subject, predicate, None)
    ]
    return (serialize((quad.triple for quad in quads), format=RdfFormat.N_TRIPLES) or b"").decode()
