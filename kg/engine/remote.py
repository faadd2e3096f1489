"""A graph in a server elsewhere, for our own queries: what they can touch is looked up there, and they are evaluated here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pyoxigraph import NamedNode, Quad

from kg.engine.gather import Gathered, triples
from kg.engine.paths import Lookup, together
from kg.engine.plan import Plan
from kg.engine.record import Entry, Record, graph_of
from kg.engine.server import Server
from kg.engine.store import Solution
from kg.errors import KgError
from kg.vocab import rdf, schema

ABOUT = "void"  # the graph that tells of all others is no document of the site


class Remote:
    """A Store. What it knows of the server is as old as itself, but for what it has not looked up yet."""

    def __init__(self, server: Server, base: str) -> None:
        self.server, self.base = server, base
        self.plan = lru_cache(maxsize=None)(lambda query, names: Plan(query, base, names))
        self.gathered = Gathered(server, base)
        self.entries = self.listed()

    def listed(self) -> dict[str, Entry]:
        entries = Record(self.server, self.base).read()
        if not entries:
            root = self.server.caller.root
            raise KgError(f"{root} holds nothing of {self.base}: there is no graph {graph_of(self.base)}. Bring it there with kg push.")
        return {document: entry for document, entry in entries.items() if document != self.base + ABOUT}

    def now(self) -> Gathered:
        """What is known, or a new beginning where that is too much."""
        if self.gathered.is_full:
            self.gathered = Gathered(self.server, self.base)
        return self.gathered

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        gathered = self.now()
        self.follow(gathered, [query], values)
        return gathered.memory.select(query, **values)

    def ahead(self, queries: Sequence[str], **values: str | list[str]) -> None:
        """Looks up what several queries will need, in as many requests as one of them takes."""
        self.follow(self.now(), queries, values)

    def follow(self, gathered: Gathered, queries: Sequence[str], values: dict[str, str | list[str]]) -> None:
        lists = {name: [value] if isinstance(value, str) else value for name, value in values.items()}
        used = [(query, tuple(sorted(name for name in lists if f"?{name}" in query))) for query in queries]
        plans = [(self.plan(query, names), {name: lists[name] for name in names}) for query, names in used]
        gathered.follow(together([plan.steps(gathered.memory.store, given) for plan, given in plans]))

    def quads(self, graph: str) -> list[Quad]:
        gathered = self.now()
        gathered.look([Lookup("g", NamedNode(graph))])
        return gathered.memory.quads(graph)

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        gathered, wanted = self.now(), list(things)
        gathered.look(Lookup("s", NamedNode(thing), predicate) for thing in wanted for predicate in (rdf.type, schema.name))
        return gathered.memory.labels(wanted)

    def documents(self) -> list[str]:
        return sorted(self.entries)

    def nquads(self) -> bytes:
        """All lines of all documents, in order; as many documents in one request as the server gives whole."""
        lines: list[str] = []
        portion: list[Lookup] = []
        size = 0
        for document, entry in [*sorted(self.entries.items()), ("", Entry("", self.server.profile.rows))]:
            if portion and size + entry.triples >= self.server.profile.rows:
                for rows in Gathered(self.server, self.base).ask(portion):
                    lines.extend(f"{quad} .\n" for quad in triples(rows))
                portion, size = [], 0
            if document:
                portion.append(Lookup("g", NamedNode(document)))
                size += entry.triples
        return "".join(sorted(set(lines))).encode()
