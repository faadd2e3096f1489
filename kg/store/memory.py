"""A graph in this process's memory: for building and for pages. Strangers' queries never run here,
but in workers that hold one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice

from pyoxigraph import (
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    Triple,
    parse,
    serialize,
)

from kg.errors import BadQuery
from kg.sparql.reading.parse_errors import readable
from kg.sparql.reading.suggest import Names, is_known
from kg.store.protocol import Solution
from kg.vocab import foaf, rdf, schema

TYPE, NAME = NamedNode(rdf.type), NamedNode(schema.name)
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
AT_ONCE = 10_000  # triples
MOST_KNOWN = 256  # addresses, each perhaps as long as a query may be
WHERE = re.compile(r"\bWHERE\s*\{")


class Memory:
    """A pyoxigraph store whose default graph is the union of all, or only what is in no graph.
    Relative IRIs are resolved against the base.
    """

    def __init__(
        self, base: str, nquads: bytes = b"", union: bool = True, store: Store | None = None
    ) -> None:
        self.base, self.union = base, union
        self.store = Store() if store is None else store
        self.called: dict[
            NamedNode, Sequence[Triple]
        ] = {}  # what DESCRIBE has found out about names
        if store is None:
            self.load(nquads)

    def load(self, nquads: bytes) -> None:
        """Adds lines that we wrote ourselves, and so need not be checked again."""
        self.store.load(nquads, RdfFormat.N_QUADS, lenient=True)
        self.forget()

    def load_all(self, texts: Iterable[bytes]) -> None:
        for text in texts:
            self.load(text)

    def forget(self) -> None:
        """What was found out of the graph as it was."""
        self.called.clear()
        for made in ("names", "knows", "labels_in_use"):
            self.__dict__.pop(made, None)

    def change(self, gone: bytes, come: bytes) -> None:
        """Takes lines away, and then adds others. A graph of which nothing is left is none."""
        graphs = set()
        for quad in parse(gone, RdfFormat.N_QUADS, lenient=True):
            self.store.remove(quad)
            graphs.add(quad.graph_name)
        self.load(come)
        for graph in graphs:
            if (
                isinstance(graph, NamedNode)
                and next(self.store.quads_for_pattern(None, None, None, graph), None) is None
            ):
                self.store.remove_graph(graph)

    @cached_property
    def names(self) -> Names:
        """To find what somebody meant who named something else."""
        return Names(self.store, self.base)

    @cached_property
    def knows(self) -> Callable[[str, bool], bool]:
        """Whether there is an address, be it as a graph; many ask for the same properties."""
        return lru_cache(maxsize=MOST_KNOWN)(partial(is_known, self.store))

    @cached_property
    def labels_in_use(self) -> list[NamedNode]:
        """The properties that name things here, of those that do in any file."""
        pattern = self.store.quads_for_pattern
        return [
            label for label in LABELS if next(iter(pattern(None, label, None)), None) is not None
        ]

    def run(
        self, query: str, **values: str | list[str]
    ) -> QuerySolutions | QueryBoolean | QueryTriples:
        text = bound(query, values)
        try:
            return self.store.query(text, base_iri=self.base, use_default_graph_as_union=self.union)
        except (SyntaxError, ValueError) as error:
            raise BadQuery(readable(str(error), text)) from error

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        rows = self.run(query, **values)
        if not isinstance(rows, QuerySolutions):
            del rows  # in its own thread, not when the exception goes
            raise BadQuery("only SELECT gives rows")
        names = [variable.value for variable in rows.variables]
        return [
            {
                name: term
                for name in names
                if (term := row[name]) is not None and not isinstance(term, Triple)
            }
            for row in rows
        ]

    def construct(self, query: str) -> Iterator[str]:
        """The triples of a CONSTRUCT as lines of N-Triples, which are made as they are needed, some
        at a time.
        """
        triples = self.run(query)
        if not isinstance(triples, QueryTriples):
            del triples
            raise BadQuery("only CONSTRUCT and DESCRIBE give triples")
        portions = iter(lambda: list(islice(triples, AT_ONCE)), [])
        texts = ((serialize(some, format=RdfFormat.N_TRIPLES) or b"").decode() for some in portions)
        return (line for text in texts for line in text.split("\n")[:-1])

    def quads(self, graph: str) -> list[Quad]:
        return list(self.store.quads_for_pattern(None, None, None, NamedNode(graph)))

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        found = {}
        for thing in things:
            subject = NamedNode(thing)
            classes, names = (
                sorted(
                    quad.object.value
                    for quad in self.store.quads_for_pattern(subject, predicate, None)
                    if not isinstance(quad.object, Triple)
                )
                for predicate in (TYPE, NAME)
            )
            if classes:
                found[thing] = (tuple(classes), names[0] if names else None)
        return found

    def documents(self) -> list[str]:
        return sorted(graph.value for graph in self.store.named_graphs())

    def all(self) -> Iterable[Quad]:
        return self.store

    def ahead(
        self, queries: Sequence[str] = (), documents: Sequence[str] = (), **values: str | list[str]
    ) -> None:
        """All is here."""


def bound(query: str, values: Mapping[str, str | list[str]]) -> str:
    """A query of ours whose variables stand for these IRIs, or for any of several, from the first
    pattern on. (The engine's own substitution comes after its planning, and costs ten times as
    much.)
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
        raise ValueError("a query with values to bind must say WHERE {")
    return found
