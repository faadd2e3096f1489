"""A graph in memory, for building and for pages. Public queries never run in this process, but in
workers with their own copy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from pyoxigraph import (
    DefaultGraph,
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
from kg.vocab import ABOUT, apart, dcterms, pages_graph, provenance_graph, rdf, schema, sh

TYPE, NAME, URL = NamedNode(rdf.type), NamedNode(schema.name), NamedNode(schema.url)
SOURCE = NamedNode(dcterms.source)
BATCH_SIZE = 10_000  # triples per batch
# The names of graphs in a query, or the variables in their places; in doubt, too many.
GRAPHS = re.compile(
    r"(?<![\w?$:@-])(?:GRAPH|FROM(?:\s+NAMED)?)\b\s*([?$<][^\s{]*|[\w.-]*:[^\s{]*)", re.IGNORECASE
)
COMMENT = re.compile(r"^[ \t]*#.*", re.MULTILINE)
DECLARATION = re.compile(r"\bPREFIX\s+([\w.-]*):\s*<([^>\s]*)>", re.IGNORECASE)
WHERE = re.compile(r"\bWHERE\s*\{")
LAST_TERM = re.compile(rb" <[^<>\s]*> \.$", re.MULTILINE)
# The vocabularies of descriptions: VoID, DCAT and others, without OWL, which the vocabulary uses.
DESCRIPTIONS = {**ABOUT, "sh": sh}
SPACES = frozenset(str(each) for prefix, each in DESCRIPTIONS.items() if prefix != "owl")
T = TypeVar("T")


class View(NamedTuple):
    """The options of the engine that choose the default graph of a query, and the place of what it
    sees (None: any graph).
    """

    options: dict[str, Any]
    place: DefaultGraph | None = None


class Memory:
    """A pyoxigraph store whose default graph is the union of all graphs, or only the triples
    without a graph. Relative IRIs are resolved against the base.

    For our own queries, the union has everything. For public queries, `rest` is what is not a fact
    (pages, sources, vocabulary, the description of the site), in graphs of their own, and the
    default graph has the facts alone.
    """

    def __init__(
        self, base: str, nquads: bytes = b"", union: bool = True, rest: bytes = b""
    ) -> None:
        self.base, self.union, self.store = base, union, Store()
        self.pages_graph = NamedNode(pages_graph(base))
        self.provenance = NamedNode(provenance_graph(base))
        self.computed: dict[str, Any] = {}
        # where facts are: None means in any graph
        self.place = DefaultGraph() if rest and union else None
        self.facts, self.rest = nquads if self.place else b"", rest
        self.load(without_graphs(nquads) if self.place else nquads)
        self.load(rest)

    def load(self, nquads: bytes) -> None:
        """Adds lines that we wrote ourselves, so they are not validated again."""
        self.store.load(nquads, RdfFormat.N_QUADS, lenient=True)
        self.computed.clear()

    def view(self, query: str, graphs: Iterable[str] = ()) -> View:
        """How a query sees the graph. `graphs` are those that the client selected."""
        if self.place is None:
            return View({"use_default_graph_as_union": self.union})
        text = COMMENT.sub("", query)
        named = [*GRAPHS.findall(text), *(f"<{graph}>" for graph in graphs)]
        if any(each not in self.names_of_rest for each in named):
            self.add_documents()
        if not named and is_about_datasets(text):  # clients do not name the graph for this
            about = NamedNode(apart(self.base)[-1])
            return View({"default_graph": [DefaultGraph(), about]})
        return View({}, None if named else self.place)

    @cached_property
    def names_of_rest(self) -> frozenset[str]:
        """The names in queries of the graphs that hold no facts."""
        names = apart(self.base)
        return frozenset(f"<{each}>" for name in names for each in (name, name[len(self.base) :]))

    def add_documents(self) -> None:
        """Adds the facts in the graphs of their documents, for queries that name these. This takes
        as much memory again.
        """
        facts, self.facts = self.facts, b""
        self.store.load(facts, RdfFormat.N_QUADS, lenient=True)

    def has_graph(self, name: str) -> bool:
        """Whether there is a graph with this name."""
        return self.store.contains_named_graph(NamedNode(name)) or name in self.fact_graphs

    @property
    def fact_graphs(self) -> frozenset[str]:
        """The names of the graphs of facts that the store does not have yet."""
        return self.once("graphs", lambda: graphs_of(self.facts))

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
        try:
            return self.store.query(text, base_iri=self.base, **self.view(text).options)
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
        for each in {quad.subject for quad in found}:
            found += self.store.quads_for_pattern(each, SOURCE, None, self.provenance)
        return found

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        found = {}
        for thing in things:
            subject = NamedNode(thing)
            classes, names = (
                sorted(
                    (getattr(quad.object, "language", None) is not None, quad.object.value)
                    for quad in self.store.quads_for_pattern(subject, predicate, None, self.place)
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
        found = {graph.value for graph in self.store.named_graphs()} | self.fact_graphs
        found |= {quad.subject.value for quad in pages if isinstance(quad.subject, NamedNode)}
        return sorted(found.difference((*apart(self.base)[:2], apart(self.base)[-1])))


def without_graphs(nquads: bytes) -> bytes:
    """N-Quads -> N-Triples; each line must have a graph."""
    return LAST_TERM.sub(b" .", nquads)


def graphs_of(nquads: bytes) -> frozenset[str]:
    """The names of the graphs of N-Quads, each line with one."""
    found = {each[2:-3] for each in LAST_TERM.findall(nquads)}
    return frozenset(each.decode() for each in found)


def is_about_datasets(query: str) -> bool:
    """Whether a query without comments uses a vocabulary of descriptions of datasets."""
    declared = dict(DECLARATION.findall(query))
    used = DECLARATION.sub("", query)
    names = {prefix: str(namespace) for prefix, namespace in DESCRIPTIONS.items()} | declared
    prefixes = "|".join(re.escape(prefix) for prefix, name in names.items() if name in SPACES)
    is_named = prefixes and re.search(rf"(?<![\w?$<])(?:{prefixes}):\w", used)
    return bool(is_named) or any(name in used for name in SPACES)


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
