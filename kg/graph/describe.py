"""What the graph says about one document: its own triples, and what the things it mentions are called."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from pyoxigraph import Literal, NamedNode, Quad

from kg.engine.store import Store, Term
from kg.mapping import iris
from kg.vocab import rdf, schema


@dataclass(frozen=True)
class Description:
    """A document: its triples in order, and (class, name) pairs of the things of other documents it mentions."""

    document: str
    quads: list[Quad]
    labels: dict[str, tuple[tuple[str, ...], str | None]]

    @cached_property
    def nodes(self) -> dict[str, dict[str, list[Term]]]:
        """Subject -> predicate -> objects, all in order."""
        found: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for quad in self.quads:
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode | Literal):
                found[quad.subject.value][quad.predicate.value].append(quad.object)
        return found

    def values(self, predicate: str, subject: str | None = None) -> list[str]:
        node = self.nodes.get(subject or f"{self.document}#it", {})
        return [term.value for term in node.get(predicate, [])]

    def value(self, predicate: str, subject: str | None = None) -> str | None:
        return next(iter(self.values(predicate, subject)), None)

    @property
    def types(self) -> list[str]:
        return self.values(rdf.type)

    @property
    def title(self) -> str:
        return self.value(schema.name) or self.value(schema.name, self.document) or self.document


def describe(store: Store, document: str) -> Description:
    quads = sorted(store.quads(document), key=str)
    objects = {quad.object.value for quad in quads if isinstance(quad.object, NamedNode) and quad.predicate.value != rdf.type}
    return Description(document, quads, store.labels(sorted(thing for thing in objects if iris.document_of(thing) != document)))
