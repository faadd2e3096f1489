"""What is needed of a graph to publish it, wherever it lives."""

from __future__ import annotations

from typing import Protocol

from kg.facts.secrets import Secrets
from kg.settings import Site, query
from kg.store.memory import Memory
from kg.store.protocol import Store

LARGE = 1 << 26  # bytes of lines


class Publishable(Protocol):
    """A site, its lines in order, a store to ask, and what must not be in anything that is
    published of it.
    """

    @property
    def site(self) -> Site: ...

    @property
    def memory(self) -> Store: ...

    @property
    def nquads(self) -> bytes: ...

    @property
    def secrets(self) -> Secrets: ...

    @property
    def counts(self) -> str: ...

    @property
    def about(self) -> bytes | None:
        """What the site says of itself, where that is known already."""
        ...


def is_large(graph: Publishable) -> bool:
    """Whether the graph is in this process, and too large for each of its dumps to be held too."""
    return isinstance(graph.memory, Memory) and len(graph.nquads) >= LARGE


def counted(store: Store, base: str, triples: int) -> str:
    """`37 people, 23 works, 6539 triples`."""
    sizes = {row["list"].value: row["size"].value for row in store.select(query("site/sizes"))}
    people, works = (sizes.get(f"{base}{kind}/#it", "0") for kind in ("people", "publications"))
    return f"{people} people, {works} works, {triples} triples"
