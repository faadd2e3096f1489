"""What was answered to questions about a whole site, kept from build to build by one process, as
long as it stands.

Such questions look at everything, so an edit is seldom a reason to ask them again; what it may have
changed is told by its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from pyoxigraph import Quad

from kg.check.impact.diff import apart
from kg.check.impact.impact import Difference
from kg.check.verdict_cache import digest
from kg.graph.build import Publishable
from kg.publish.export.tracing_store import Asking, Labels, Rows
from kg.store.memory import Memory
from kg.store.protocol import Solution, Store


class Edit:
    """What became of one graph, which `before` is the digest of: lines that went, lines that came,
    and what they may touch.
    """

    def __init__(self, memory: Memory, before: str, old: bytes, new: bytes) -> None:
        self.before = before
        self.gone, self.come = apart(old, new)
        self.difference = Difference(memory, [*self.gone, *self.come])


class Standing:
    """What is known of the graph that was last to be published. `sections` are parts of pages, by
    who asked for them.
    """

    def __init__(self) -> None:
        self.nquads: bytes = b""
        self.graph = ""  # the digest of that
        self.edit: Edit | None = None  # that led to it
        self.is_prepared = False
        self.answers: dict[str, Rows] = {}
        self.doubted: dict[str, Rows] = {}  # those before, which may be others now
        self.sections: dict[tuple[str, str], Any] = {}

    def on(self, graph: Publishable) -> Store:
        """A store that answers for this graph, from what is known where that still stands."""
        if not isinstance(graph.memory, Memory):
            return graph.memory
        name = digest(graph.nquads)
        if name != self.graph:
            self.edit = (
                Edit(graph.memory, self.graph, self.nquads, graph.nquads) if self.nquads else None
            )
            difference, known = self.edit.difference if self.edit else None, self.answers
            self.answers = {
                query: rows
                for query, rows in known.items()
                if difference and not difference.concerns(query)
            }
            self.doubted = {
                query: rows for query, rows in known.items() if query not in self.answers
            }
        self.nquads, self.graph = graph.nquads, name
        return Known(graph.memory, self.answers, self.doubted)

    def before(self, graph: Publishable, earlier: str) -> Edit | None:
        """The edit that led from an earlier graph to this one, if it is known."""
        return (
            self.edit
            if self.edit and self.edit.before == earlier and self.nquads is graph.nquads
            else None
        )

    def prepare(self, store: Store, asked: Iterable[Asking]) -> None:
        """Asks ahead what will be asked after an edit, once."""
        self.is_prepared = True
        for _, query, name in asked:
            if query and not name:
                store.select(query)


class Known:
    """A Store before another, which is asked once about the whole of it."""

    def __init__(self, store: Store, answers: dict[str, Rows], doubted: dict[str, Rows]) -> None:
        self.store, self.answers, self.doubted = store, answers, doubted

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        if values:
            return self.store.select(query, **values)
        if query not in self.answers:
            found, before = self.store.select(query), self.doubted.pop(query, None)
            self.answers[query] = before if before is not None and before == found else Rows(found)
        return self.answers[query]

    def quads(self, graph: str) -> list[Quad]:
        return self.store.quads(graph)

    def labels(self, things: Iterable[str]) -> Labels:
        return self.store.labels(things)

    def documents(self) -> list[str]:
        return self.listed

    @cached_property
    def listed(self) -> list[str]:
        return self.store.documents()

    def all(self) -> Iterable[Quad]:
        return self.store.all()

    def ahead(
        self, queries: Sequence[str] = (), documents: Sequence[str] = (), **values: str | list[str]
    ) -> None:
        self.store.ahead(queries, documents, **values)
