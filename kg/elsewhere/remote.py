"""A graph in a server elsewhere, for our own queries: what they can touch is looked up there, and
they are evaluated here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.elsewhere.gather import Gathered
from kg.elsewhere.paths import Lookup, together
from kg.elsewhere.plan import plan
from kg.elsewhere.record import Entry, Record, graph_of
from kg.elsewhere.server import Server, quad
from kg.errors import KgError
from kg.store.protocol import Solution
from kg.vocab import rdf, schema

ABOUT = "void"  # the graph that tells of all others is no document of the site


class Remote:
    """A Store. What it knows of the server is as old as itself, but for what it has not looked up
    yet.
    """

    def __init__(self, server: Server, base: str) -> None:
        self.server, self.base = server, base
        self.state = Record(server, base).state()
        self.entries = self.listed()
        self.gathered = Gathered(server, base, self.entries)

    def listed(self) -> dict[str, Entry]:
        entries = Record(self.server, self.base).read()
        if not entries:
            root = self.server.caller.root
            raise KgError(
                f"{root} holds nothing of {self.base}: there is no graph "
                f"{graph_of(self.base)}. Bring it there with kg push."
            )
        return {
            document: entry for document, entry in entries.items() if document != self.base + ABOUT
        }

    def now(self) -> Gathered:
        """What is known, or a new beginning where that is too much."""
        if self.gathered.is_full:
            self.gathered = Gathered(self.server, self.base, self.entries)
        return self.gathered

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        gathered = self.now()
        self.follow(gathered, [query], values)
        return gathered.memory.select(query, **values)

    def prepare(self, queries: Iterable[str], *names: str) -> None:
        """Reads queries that will be asked with these values, which takes longer than to ask
        them.
        """
        for query in queries:
            plan(query, self.base, tuple(sorted(name for name in names if f"?{name}" in query)))

    def ahead(
        self, queries: Sequence[str] = (), documents: Sequence[str] = (), **values: str | list[str]
    ) -> None:
        """Looks up what several queries will need, in as many requests as one of them takes."""
        self.now().look(Lookup("g", NamedNode(document)) for document in documents)
        self.follow(self.now(), queries, values)

    def follow(
        self, gathered: Gathered, queries: Sequence[str], values: dict[str, str | list[str]]
    ) -> None:
        lists = {
            name: [value] if isinstance(value, str) else value for name, value in values.items()
        }
        used = [
            (query, tuple(sorted(name for name in lists if f"?{name}" in query)))
            for query in queries
        ]
        plans = [
            (plan(query, self.base, names), {name: lists[name] for name in names})
            for query, names in used
        ]
        gathered.follow(
            together([each.steps(gathered.memory.store, given) for each, given in plans])
        )

    def quads(self, graph: str) -> list[Quad]:
        gathered = self.now()
        gathered.look([Lookup("g", NamedNode(graph))])
        return gathered.memory.quads(graph)

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        gathered, wanted = self.now(), list(things)
        gathered.look(
            Lookup("s", NamedNode(thing), predicate)
            for thing in wanted
            for predicate in (rdf.type, schema.name)
        )
        return gathered.memory.labels(wanted)

    def documents(self) -> list[str]:
        return sorted(self.entries)

    def all(self) -> Iterable[Quad]:
        return parse(self.nquads(), format=RdfFormat.N_QUADS)

    def nquads(self) -> bytes:
        return self.lines(self.documents())

    def lines(self, documents: Iterable[str]) -> bytes:
        """All that these documents say, as lines in order; as many of them in one request as the
        server gives whole.
        """
        found: set[str] = set()
        for portion in self.portions(documents):
            for rows in self.gathered.ask(
                [Lookup("g", NamedNode(document)) for document in portion]
            ):
                found.update(f"{quad(row)} .\n" for row in rows)
        return "".join(sorted(found)).encode()

    def portions(self, documents: Iterable[str]) -> Iterator[list[str]]:
        portion: list[str] = []
        size = 0
        for document in documents:
            triples = self.entries[document].triples if document in self.entries else 0
            if portion and (
                size + triples >= self.server.profile.rows
                or len(portion) >= self.server.profile.batch
            ):
                yield portion
                portion, size = [], 0
            portion.append(document)
            size += triples
        if portion:
            yield portion
