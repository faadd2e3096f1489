"""Describes one document: its own triples, and the labels of entities in other documents."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from pyoxigraph import Literal, NamedNode, Quad

from kg.mapping import iris
from kg.store.protocol import Store, Term
from kg.vocab import rdf, schema


def has_language(term: Term) -> bool:
    return isinstance(term, Literal) and term.language is not None


@dataclass(frozen=True)
class Description:
    """A document: its triples in order, and the classes and names of entities in other
    documents.
    """

    document: str
    quads: list[Quad]
    labels: dict[str, tuple[tuple[str, ...], str | None]]

    @cached_property
    def nodes(self) -> dict[str, dict[str, list[Term]]]:
        """Subject -> predicate -> objects, in order."""
        found: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for quad in self.quads:
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode | Literal):
                found[quad.subject.value][quad.predicate.value].append(quad.object)
        return found

    @property
    def kinds(self) -> list[str]:
        """The classes of the main entity."""
        return self.values(rdf.type)

    def terms(self, predicate: str, subject: str | None = None) -> list[Term]:
        """The objects of a predicate; by default, of the main entity of the document."""
        return self.nodes.get(subject or f"{self.document}#it", {}).get(predicate, [])

    def values(self, predicate: str, subject: str | None = None) -> list[str]:
        return [term.value for term in self.terms(predicate, subject)]

    def value(self, predicate: str, subject: str | None = None) -> str | None:
        """The first value; texts without a language come before those with one."""
        terms = sorted(self.terms(predicate, subject), key=has_language)
        return terms[0].value if terms else None

    @property
    def title(self) -> str:
        return self.value(schema.name) or self.value(schema.name, self.document) or self.document

    def canonical(self, base: str) -> str:
        """The canonical address of the page for search engines: the home page if that is the same
        page, as on a site with one CV.
        """
        return base if base in self.values(schema.mainEntityOfPage) else self.document


def quads_of(store: Store, document: str) -> list[Quad]:
    """All triples of a document, in order."""
    return sorted(store.quads(document), key=str)


def describe(store: Store, document: str) -> Description:
    quads = quads_of(store, document)
    objects = {
        quad.object.value
        for quad in quads
        if isinstance(quad.object, NamedNode) and quad.predicate.value != rdf.type
    }
    return Description(
        document,
        quads,
        store.labels(sorted(thing for thing in objects if iris.document_of(thing) != document)),
    )
