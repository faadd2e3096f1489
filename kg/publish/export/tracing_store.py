"""A store that records what it is asked and a digest of each answer.

A file is made from the answers it was given, and from what all files have in common. Where all of
these are as they were, so is the file, whatever else has changed; nobody has to declare what the
page of a kind depends on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from pyoxigraph import Quad

from kg.facts.secrets import Secrets
from kg.graph.build import Publishable, count_words
from kg.settings import Site
from kg.store.protocol import Solution, Store

SITE_WIDE = ("listing", "counts", "graph", "size")
Labels = dict[str, tuple[tuple[str, ...], str | None]]


class Question(NamedTuple):
    """What a store is asked: `kind` is the name of the method, `about` are the values of a query's
    variables, or the things in question. Those of SITE_WIDE ask which files there are,
    how much there is of what, which graph it is, and how many triples.
    """

    kind: str
    query: str = ""
    about: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def subject(self) -> tuple[str, tuple[str, ...]] | None:
        """The variable that stands for the thing that a query is about, and its values."""
        if len(self.about) <= 1:
            return self.about[0] if self.about else None
        return next((each for each in self.about if each[0] == "thing"), self.about[0])


Answers = dict[Question, str]  # questions -> the digests of their answers


class TracingStore:
    """A Store in front of another, which records questions and answers."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.answers: Answers = {}

    def take(self) -> Answers:
        """What was asked since this was last called."""
        answers, self.answers = self.answers, {}
        return answers

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        rows = self.store.select(query, **values)
        about = tuple(
            (name, (value,) if isinstance(value, str) else tuple(value))
            for name, value in values.items()
        )
        self.answers[Question("select", query, about)] = digest(
            "\t".join(f"{name} {term}" for name, term in row.items()) for row in rows
        )
        return rows

    def quads(self, graph: str) -> list[Quad]:
        quads = self.store.quads(graph)
        question = Question("quads", "", (("graph", (graph,)),))
        self.answers[question] = digest(sorted(map(str, quads)))
        return quads

    def labels(self, things: Iterable[str]) -> Labels:
        asked = tuple(things)
        found = self.store.labels(asked)
        self.answers[Question("labels", "", (("things", asked),))] = digest(
            f"{thing} {found[thing]}" for thing in asked if thing in found
        )
        return found

    def documents(self) -> list[str]:
        found = self.store.documents()
        self.answers[Question("documents")] = digest(found)
        return found

    def ask(self, question: Question) -> str:
        """The digest of the answer to a question that was recorded earlier."""
        about = dict(question.about)
        match question.kind:
            case "select":
                self.select(question.query, **{name: [*each] for name, each in about.items()})
            case "quads":
                self.quads(about["graph"][0])
            case "labels":
                self.labels(about["things"])
            case "documents":
                self.documents()
        return self.take().get(question, "")


class TracingGraph:
    """A graph whose store records what it is asked."""

    def __init__(self, graph: Publishable, memory: TracingStore) -> None:
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
        size = self.nquads.count(b"\n")
        self.memory.answers[Question("size")] = str(size)
        return count_words(self.memory, self.site.base, size)


def digest(lines: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=12).hexdigest()
