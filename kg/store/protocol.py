"""The small interface the rest talks to: a graph one can ask.

Terms are pyoxigraph's, wherever the graph lives. Own queries are trusted and bind their values;
what a stranger sends goes through `answer`, which gives bytes or raises a QueryError.
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
        """The rows of a SELECT over the union of the graphs; `values` binds variables to IRIs."""
        ...

    def quads(self, graph: str) -> list[Quad]:
        """All that one document says, its facts and its page; or the graph of all pages."""
        ...

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        """The classes of things, and what they are called."""
        ...

    def documents(self) -> list[str]:
        """The addresses of all documents, in order."""
        ...

    def shared(self, name: str, compute: Callable[[], T]) -> T:
        """A value that several pages are made from. A store for many pages computes it once."""
        ...


class Wanted(NamedTuple):
    """The media types a client takes, best first: for tables (SELECT, ASK) and for graphs
    (CONSTRUCT, DESCRIBE).
    """

    table: str | None
    graph: str | None


class Graphs(NamedTuple):
    """The graphs a client chose beside the query, by their addresses; they take the place of what
    the query says. None: no choice.
    """

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.default or self.named)


class Query(NamedTuple):
    """A query of a client: its text, and how it is to be answered. `timeout` is in seconds;
    `is_for_people`: the answer is shown in a page.
    """

    text: str
    wanted: Wanted
    graphs: Graphs = Graphs()
    timeout: float | None = None
    client: str = ""
    is_for_people: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """`is_lasting`: the same question has the same answer for as long as the graph is the same.
    `hints` are for who asked.
    """

    media_type: str
    body: bytes
    is_lasting: bool = True
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """How a pool of workers is doing."""

    workers: int
    running: int
    waiting: int
    restarts: int
    memory: dict[str, int]  # bytes by kind of process
