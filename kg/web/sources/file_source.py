"""Serves RDF files: an endpoint over what they say together, and the form for queries. They are
read anew when that is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.check.reloads import Reloads
from kg.errors import KgError
from kg.graph.rdf_files import BIG, read
from kg.publish.hosting.query_only import QueryOnly, title
from kg.sparql.answer_cache import AnswerCache
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web.state import Stage, State


@dataclass(frozen=True)
class FileSource:
    """`progress` is told what takes long."""

    paths: Sequence[Path]
    base: str
    limits: Limits
    union: bool = False
    progress: Callable[[str], None] = lambda _: None

    def open(self) -> tuple[Stage, str]:
        state, counts = self.state()
        return Stage(state), counts

    def state(self) -> tuple[State, str]:
        """And what is in it, in words."""
        found = read(self.paths, self.base, self.progress)
        if len(found.nquads) > BIG:
            self.progress(f"Loading {found.counts}")
        endpoint = Embedded(self.base, found.nquads, self.limits, self.union)
        documents = QueryOnly(self.base, title(self.paths))
        return State(documents, AnswerCache(endpoint)), found.counts

    def follow(self, stage: Stage, reloads: Reloads) -> Iterator[State | KgError | OSError]:
        """The state of the files at each request."""
        while not reloads.is_ended:
            if reloads.wait():
                try:
                    yield self.state()[0]
                except (KgError, OSError) as error:
                    yield error
