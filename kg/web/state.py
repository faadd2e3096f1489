"""The state of a site that is served: its documents, and the endpoint over its graph. The next
state may take its place at any time.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

from pyoxigraph import Quad

from kg.errors import summary, why
from kg.sparql.answer_cache import AnswerCache
from kg.sparql.endpoint import Embedded, Endpoint
from kg.sparql.limits import Limits

if TYPE_CHECKING:  # RDF files are served without these
    from kg.check.watch import Seen
    from kg.graph.build import Graph
    from kg.publish.hosting.built_folder import BuiltFolder
    from kg.publish.hosting.query_only import QueryOnly
    from kg.publish.site import Documents

    Shown = Documents | BuiltFolder | QueryOnly


class Outcome(NamedTuple):
    """Whether the newest state of the files is served, and the same in words."""

    served: bool
    message: str


@dataclass(eq=False)
class State:
    """`description` is what the endpoint says of itself, once it was requested."""

    documents: Shown
    endpoint: Endpoint
    description: list[Quad] = field(default_factory=list)


class CurrentSite:
    """Holds the state that is served now. A request keeps the one it began with; an endpoint is
    closed when its state was replaced and no request uses it any more.

    `newest` is the newest state of the files, good or bad, where they were checked; `version` tells
    it from others, also from those of another server; `watched` is whether another may come at any
    time. `since` is when the state came that is served, `read_at` when the files were last read;
    when `ending`, no state will come.
    """

    def __init__(self, state: State, newest: Seen | None = None, watched: bool = False) -> None:
        self.state = state
        self.newest = newest
        self.watched = watched
        self.closed = self.ending = False
        self.since = self.read_at = now()
        self.version = new_version()
        self.readings = Counter(served=0, refused=0)  # since the first
        self.lock = Lock()
        self.users = Counter([state])  # the stage itself is one

    def latest(self) -> tuple[Seen | None, bool]:
        """The newest state of the files, and whether it is the one that is served."""
        with self.lock:
            newest, graph = self.newest, self.state.documents.graph
        is_served = newest is None or (not isinstance(newest, Exception) and newest.graph is graph)
        return newest, is_served

    def outcome(self) -> Outcome:
        """Of the newest reading of the files."""
        newest, is_served = self.latest()
        counts = count_problems(newest)
        if is_served:
            return Outcome(True, f"Served now; {counts}." if counts else "Served now.")
        if isinstance(newest, Exception) and not counts:
            return Outcome(False, f"{why(newest)} The last good state is still served.")
        return Outcome(False, f"The last good state is still served; {counts}.")

    def readiness(self) -> tuple[int, str]:
        """Status and text for load balancers, and the outcome of the last reload. Refused files do
        not make the server unready: it answers as before. Nothing in the files is quoted.
        """
        if self.ending or self.closed:
            return 503, "stopping\n"
        newest, is_served = self.latest()
        if not self.readings.total():
            return 200, "ok\n"
        reload = f"reload {self.readings.total()} at {self.read_at}"
        if is_served:
            return 200, f"ok\n{reload}: served\n"
        counts = count_problems(newest) or "the files cannot be read"
        return 200, f"ok\n{reload}: refused, {counts}; serving the state of {self.since}\n"

    def note(self, newest: Seen) -> None:
        """The newest state is one that cannot be served."""
        with self.lock:
            self.newest, self.version, self.read_at = newest, new_version(), now()
            self.readings["refused"] += 1

    def put(self, state: State, newest: Seen | None) -> None:
        with self.lock:
            self.users[state] += 1
            leaving = state if self.closed else self.state
            if not self.closed:
                self.state, self.newest, self.version = state, newest, new_version()
                self.since = self.read_at = now()
                self.readings["served"] += 1
        self.release(leaving)

    def close(self) -> None:
        """Closes all endpoints; queries that run or wait are refused."""
        with self.lock:
            self.closed = self.ending = True
            left = list(self.users)
        for state in left:
            state.endpoint.close()

    def acquire(self) -> State:
        with self.lock:
            self.users[self.state] += 1
            return self.state

    def release(self, state: State) -> None:
        with self.lock:
            self.users[state] -= 1
            is_free = not self.users[state]
            if is_free:
                del self.users[state]
        if is_free:  # processes take a while to end, for which no request waits
            Thread(target=state.endpoint.close, name="closing").start()


def build_state(graph: Graph, limits: Limits | None = None, union: bool = True) -> State:
    # RDF files are served without these
    from kg.publish.verify.trial import tried_documents  # noqa: PLC0415

    documents = tried_documents(graph)
    documents.shapes()  # read now, for the files may change while this graph is served
    return State(documents, build_endpoint(documents, graph, limits, union))


def build_endpoint(
    documents: Documents, graph: Graph, limits: Limits | None = None, union: bool = True
) -> AnswerCache:
    return AnswerCache(
        Embedded(
            graph.site.base, lambda: (graph.nquads, documents.void()), limits, union, graph.pages
        )
    )


def count_problems(newest: Seen | None) -> str:
    """`2 errors, 1 warning`; nothing where there is no list of them."""
    found = getattr(newest, "problems", None)
    return "" if found is None else summary(found)


def new_version() -> str:
    return str(time.time_ns())


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
