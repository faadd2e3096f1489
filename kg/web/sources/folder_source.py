"""Serves a folder that `kg build` wrote: its files, and an endpoint over its dump or in front of
another server. When the folder is built again, or the server is pushed to, the new state is served.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.check.reloads import Reloads
from kg.elsewhere.proxy import Proxy
from kg.elsewhere.push import Record, graph_of
from kg.elsewhere.server import Server
from kg.errors import KgError, counted, why
from kg.publish.hosting.built_folder import BuiltFolder
from kg.sparql.answer_cache import AnswerCache
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web.state import Stage, State

EVERY = 5.0  # seconds


@dataclass(frozen=True)
class FolderSource:
    """`server` is where queries go; without one they are answered from the dump."""

    folder: Path
    limits: Limits
    union: bool = True
    server: Server | None = None

    def open(self) -> tuple[Stage, str]:
        state = self.state()
        what = counted(len(state.documents.addresses), "document")
        queries = f", queries go to {self.server.client.root}" if self.server else ""
        return Stage(state), what + queries

    def state(self) -> State:
        documents = BuiltFolder(self.folder)
        if self.server is None:
            endpoint = Embedded(
                documents.base, documents.nquads, self.limits, self.union, documents.page_lines()
            )
            return State(documents, AnswerCache(endpoint))
        if not Record(self.server, documents.base).state():
            raise KgError(
                f"{self.server.client.root} holds nothing of {documents.base}: there is no graph "
                f"{graph_of(documents.base)}. Bring it there with kg push."
            )
        proxy = Proxy(self.server, documents.base, self.limits)
        return State(documents, AnswerCache(proxy))

    def version(self, base: str) -> tuple[int, int, str]:
        """Changes with each build that replaces the folder, and with each push."""
        found = self.folder.stat()
        pushed = Record(self.server, base).state() if self.server else ""
        return found.st_ino, found.st_ctime_ns, pushed

    def follow(
        self, stage: Stage, reloads: Reloads, every: float = EVERY
    ) -> Iterator[State | KgError | OSError]:
        """Each new state, also when it is requested. What fails is tried again, and given in its
        place, but not over and over.
        """
        base, failure = stage.state.documents.base, ""
        known: tuple[int, int, str] | None = self.version(base)
        while not reloads.is_ended:
            wanted = reloads.wait(every)
            try:
                newest = self.version(base)
            except (KgError, OSError) as error:  # the folder is being replaced, the server away
                if wanted:
                    known = None
                    yield error
                continue
            if reloads.is_ended or (newest == known and not wanted):
                continue
            try:
                state = self.state()
            except (KgError, OSError) as error:
                known = None
                if wanted or why(error) != failure:
                    failure = why(error)
                    yield error
            else:
                known, failure = newest, ""
                yield state
                del state
