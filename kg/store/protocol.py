"""The small interface the rest talks to: a graph one can ask.

Terms are pyoxigraph's, wherever the graph lives. Own queries are trusted and bind their values;
what a stranger sends goes through `answer`, which gives bytes or raises a QueryError.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from socket import socket
from typing import NamedTuple, Protocol

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from kg.sparql.workers.limits import Limits

Term = NamedNode | BlankNode | Literal
Solution = dict[str, Term]


class Store(Protocol):
    """A graph for our own queries."""

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        """The rows of a SELECT over the union of the graphs; `values` binds variables to IRIs."""
        ...

    def quads(self, graph: str) -> list[Quad]:
        """All that one document says."""
        ...

    def labels(self, things: Iterable[str]) -> dict[str, tuple[tuple[str, ...], str | None]]:
        """The classes of things, and what they are called."""
        ...

    def documents(self) -> list[str]:
        """The names of all graphs, which are the addresses of all documents, in order."""
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


class Begun(Protocol):
    """A question that has begun to be answered. Who began it hears the answer, now or later,
    whatever it is.
    """

    line: socket  # where the answer will come; there is something to read when it does

    def now(self) -> Answer | None:
        """The answer, if it is there, without any waiting; otherwise `wait` is still to be called.
        Raises a QueryError.
        """
        ...

    def wait(self) -> Answer: ...


class Endpoint(Protocol):
    """A graph for everybody's queries. `union` tells whether their default graph is the union of
    all graphs.
    """

    union: bool
    limits: Limits

    def answer(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = ...,
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        """Raises a QueryError where there is none."""
        ...

    def begin(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = ...,
        client: str = "",
        timeout: float | None = None,
    ) -> Answer | Begun | None:
        """The same without waiting: the answer where it is known, or a question that is being
        answered. None where there is no place for it now; then it is asked with `answer`, and
        waits.
        """
        ...

    def health(self) -> Health: ...

    def close(self) -> None: ...
