"""A graph in memory, for building and for pages. Public queries never run in this process, but in
workers with their own copy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from pyoxigraph import (
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    Triple,
    serialize,
)

from kg.errors import BadQuery
from kg.store.protocol import Solution
from kg.vocab import pages_graph, rdf, schema

TYPE, NAME, URL = NamedNode(rdf.type), NamedNode(schema.name), NamedNode(schema.url)
BATCH_SIZE = 10_000  # triples per batch
NAMES_PAGES = re.compile(r"pages>|:pages\b")
WHERE = re.compile(r"\bWHERE\s*\{")
T = TypeVar("T")


class Memory:
    """A pyoxigraph store whose default graph is the union of all graphs, or only the triples
    without a graph. Relative IRIs are resolved against the base.

    For our own queries, the pages of a site are loaded like everything else. For public queries
    they are given as `pages`: only a query that names their graph sees them (`dataset`).
    """

    def __init__(
        self, base: str, nquads: bytes = b"", union: bool = True, pages: bytes = b""
    ) -> None:
        self.base, self.union, self.store = base, union, Store()
        self.pages, self.pages_graph = pages, NamedNode(pages_graph(base))
        self.computed: dict[str, Any] = {}
        self.load(nquads)

    def load(self, nquads: bytes) -> None:
        """Adds lines that we wrote ourselves, so they are not validated again."""
        self.store.load(nquads, RdfFormat.N_QUADS, lenient=True)
        self.computed.clear()

    def view(self, query: str, graphs: Iterable[str] = ()) -> tuple[Store, bool]:
        """The store for a query, and whether its default graph is the union of all graphs. `graphs`
        are those that the client selected.
        """
        if self.pages and (self.names_pages(query) or self.pages_graph.value in graphs):
            return self.dataset(), False
        return self.store, self.union

    def names_pages(self, query: str) -> bool:
        """Whether a query names the graph of pages. If in doubt, it does; that costs only time."""
        return bool(NAMES_PAGES.search(query))

    def dataset(self) -> Store:
        """A store with the pages in their graph, and everything else in its own graph and in the
        default graph. It is slower and twice as large, so it is built on first use.
        """
        return self.once("dataset", self.make_dataset)

    def make_dataset(self) -> Store:
        found = Store()
        found.bulk_extend(self.store)
        if self.union:
            found.bulk_extend(Quad(*quad.triple) for quad in self.store)
        found.load(self.pages, RdfFormat.N_QUADS, lenient=True)
        return found

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """A value derived from the graph, cached until the graph changes."""
        if name not in self.computed:
            self.computed[name] = compute()
        found: T = self.computed[name]
        return found

    def run(
        self, query: str, **values: str | list[str]
    ) -> QuerySolutions | QueryBoolean | QueryTriples:
        text = bound(query, values)
        store, union = self.view(text)
        try:
            return store.query(text, base_iri=self.base, use_default_graph_as_union=union)
        except (SyntaxError, ValueError) as error:
            raise BadQuery(str(error)) from error

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        rows = self.run(query, **values)
        if not isinstance(rows, QuerySolutions):
            del rows  # free it in its own thread, not with the exception
            raise BadQuery("only SELECT returns rows")
        names = [variable.value for variable in rows.variables]
        return [
            {
                name: term
                for name, term in zip(names, row, strict=True)  # access by name is slower
                if term is not None and not isinstance(term, Triple)
            }
            for row in rows
        ]

    def construct(self, query: str) -> Iterator[str]:
        """The triples of a CONSTRUCT as N-Triples lines, generated lazily in batches."""
        triples = self.run(query)
        if not isinstance(triples, QueryTriples):
            del triples
            raise BadQuery("only CONSTRUCT and DESCRIBE return triples")
        portions = iter(lambda: list(islice(triples, BATCH_SIZE)), [])
        texts = ((serialize(some, format=RdfFormat.N_TRIPLES) or b"").decode() for some in portions)
        return (line for text in texts for line in text.split("\n")[:-1])

    def quads(self, graph: str) -> list[Quad]:
        found = [*self.store.quads_for_pattern(None, None, None, NamedNode(graph))]
        for subject in (NamedNode(graph), NamedNode(f"{graph}#it")):
            found += self.store.quads_for_pattern(subject, None, None, self.pages_graph)
        return found

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        found = {}
        for thing in things:
            subject = NamedNode(thing)
            classes, names = (
                sorted(
                    (getattr(quad.object, "language", None) is not None, quad.object.value)
                    for quad in self.store.quads_for_pattern(subject, predicate, None)
                    if not isinstance(quad.object, Triple)
                )
                for predicate in (TYPE, NAME)
            )
            if classes:
                found[thing] = (tuple(kind for _, kind in classes), names[0][1] if names else None)
        return found

    def shared(self, name: str, compute: Callable[[], T]) -> T:
        return compute()

    def documents(self) -> list[str]:
        pages = self.store.quads_for_pattern(None, URL, None, self.pages_graph)
        found = {graph.value for graph in self.store.named_graphs()}
        found |= {quad.subject.value for quad in pages if isinstance(quad.subject, NamedNode)}
        return sorted(found - {self.pages_graph.value})


def bound(query: str, values: Mapping[str, str | list[str]]) -> str:
    """One of our queries with variables bound to IRIs, or to any of several, before the first
    pattern. The engine's own substitution happens after planning and is ten times slower.
    """
    if not values:
        return query
    lists = {name: [value] if isinstance(value, str) else value for name, value in values.items()}
    given = "".join(
        f" VALUES ?{name} {{ {' '.join(str(NamedNode(iri)) for iri in given)} }}"
        for name, given in lists.items()
    )
    found, changes = WHERE.subn(lambda where: where[0] + given, query, count=1)
    if not changes:
        raise ValueError("a query with values to bind must contain 'WHERE {'")
    return found
