"""A graph that notes what it is asked and what it answers.

A file is made from the answers it was given, and from what all files have in common. Where all of
these are as they were, so is the file, whatever else has changed; nobody has to say beforehand what
the page of a kind depends on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from pyoxigraph import Quad

from kg.facts.secrets import Secrets
from kg.graph.build import Publishable, counted
from kg.settings import Site
from kg.store.protocol import Solution, Store

Labels = dict[str, tuple[tuple[str, ...], str | None]]


class Asking(NamedTuple):
    """A question without the things that it is about: `name` is the variable that stands for them
    in a query.
    """

    kind: str
    query: str
    name: str


class Question(NamedTuple):
    """`about` is what the variables of a query stand for, or what else was asked about; `kind` is
    the name of what asks.
    """

    kind: str
    query: str
    about: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def asked_about(self) -> tuple[str, tuple[str, ...]] | None:
        """The variable that stands for the thing that a query is about, and what it stands for."""
        if len(self.about) <= 1:
            return self.about[0] if self.about else None
        return next((each for each in self.about if each[0] == "thing"), self.about[0])

    @property
    def asking(self) -> Asking:
        return Asking(
            self.kind, self.query, self.asked_about[0] if self.query and self.asked_about else ""
        )


class Rows(list[Solution]):
    """An answer that is given more than once."""

    @cached_property
    def digest(self) -> str:
        return digest_of(self)


def digest_of(rows: Iterable[Solution]) -> str:
    return digest("\t".join(f"{name} {term}" for name, term in row.items()) for row in rows)


class Asked:
    """A Store before another. `notes` holds what was asked since they were last taken, and a digest
    of each answer.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.notes: dict[Question, str] = {}

    def taken(self) -> dict[Question, str]:
        """The notes, after which new ones begin."""
        notes, self.notes = self.notes, {}
        return notes

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        rows = self.store.select(query, **values)
        about = tuple(
            (name, (value,) if isinstance(value, str) else tuple(value))
            for name, value in values.items()
        )
        self.notes[Question("select", query, about)] = (
            rows.digest if isinstance(rows, Rows) else digest_of(rows)
        )
        return rows

    def quads(self, graph: str) -> list[Quad]:
        quads = self.store.quads(graph)
        self.notes[Question("quads", "", (("graph", (graph,)),))] = digest(sorted(map(str, quads)))
        return quads

    def labels(self, things: Iterable[str]) -> Labels:
        asked = tuple(things)
        found = self.store.labels(asked)
        self.notes[Question("labels", "", (("things", asked),))] = digest(
            f"{thing} {found[thing]}" for thing in asked if thing in found
        )
        return found

    def documents(self) -> list[str]:
        found = self.store.documents()
        self.notes[Question("documents", "", ())] = digest(found)
        return found

    def all(self) -> list[Quad]:
        found = list(self.store.all())
        self.notes[Question("all", "", ())] = digest(sorted(map(str, found)))
        return found

    def size(self, triples: int) -> int:
        """How many there are, which the graph is not asked for."""
        self.notes[Question("size", "", ())] = str(triples)
        return triples

    def ahead(
        self, queries: Sequence[str] = (), documents: Sequence[str] = (), **values: str | list[str]
    ) -> None:
        self.store.ahead(queries, documents, **values)


class Seen:
    """A graph as it is seen by who makes a file: all that is asked of it is noted."""

    def __init__(self, graph: Publishable, memory: Asked) -> None:
        self.graph, self.memory = graph, memory

    @property
    def site(self) -> Site:
        return self.graph.site

    @property
    def nquads(self) -> bytes:
        return self.graph.nquads

    @property
    def secrets(self) -> Secrets:
        return self.graph.secrets

    @property
    def counts(self) -> str:
        return counted(self.memory, self.site.base, self.memory.size(self.nquads.count(b"\n")))

    @property
    def about(self) -> bytes | None:
        return self.graph.about


def ask(store: Asked, question: Question) -> None:
    """Asks the same again; the answer is among the notes, if the graph can be asked for it."""
    about = dict(question.about)
    match question.kind:
        case "select":
            store.select(question.query, **{name: list(values) for name, values in about.items()})
        case "quads":
            store.quads(about["graph"][0])
        case "labels":
            store.labels(about["things"])
        case "all":
            store.all()
        case "documents":
            store.documents()


def is_answered_as_before(store: Store, notes: dict[Question, str]) -> bool:
    """Whether all these questions have the answers they had."""
    asked = Asked(store)
    for question, answer in notes.items():
        ask(asked, question)
        if asked.taken() != {question: answer}:
            return False
    return True


def digest(lines: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=12).hexdigest()
