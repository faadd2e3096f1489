"""The interfaces of a graph store, and of queries and answers.

Terms are those of pyoxigraph, wherever the graph is. Our own queries are trusted and bind values;
public queries go through `answer`, which returns bytes or raises a QueryError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

Term = NamedNode | BlankNode | Literal
Solution = dict[str, Term]
T = TypeVar("T")


class Store(Protocol):
    """A graph for our own queries."""

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        """The rows of a SELECT over the union of all graphs; `values` binds variables to IRIs."""
        ...

    def quads(self, graph: str) -> list[Quad]:
        """All triples of a document, facts and page; or the graph of all pages."""
        ...

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        """The classes and the name of each entity."""
        ...

    def documents(self) -> list[str]:
        """The addresses of all documents, sorted."""
        ...

    def shared(self, name: str, compute: Callable[[], T]) -> T:
        """A value that several pages need. A store for many pages computes it once."""
        ...


class Wanted(NamedTuple):
    """The media types a client accepts, best first: for tables (SELECT, ASK) and for graphs
    (CONSTRUCT, DESCRIBE).
    """

    table: str | None
    graph: str | None


class Graphs(NamedTuple):
    """The graphs a client selected in the request, which override those of the query. Empty: no
    selection.
    """

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.default or self.named)


class Query(NamedTuple):
    """A query of a client and how to answer it. `timeout` is in seconds; `is_for_people` means that
    the answer is shown on a page.
    """

    text: str
    wanted: Wanted
    graphs: Graphs = Graphs()
    timeout: float | None = None
    client: str = ""
    is_for_people: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query. `is_lasting`: it stays the same as long as the graph does. `hints` are
    for the client.
    """

    media_type: str
    body: bytes
    is_lasting: bool = True
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a pool of workers."""

    workers: int
    running: int
    waiting: int
    restarts: int
    memory: dict[str, int]  # bytes by kind of process
