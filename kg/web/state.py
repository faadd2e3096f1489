"""The state of a served site: its documents and the endpoint over its graph. A newer state can
replace it at any time.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

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
    from kg.publish.questions.values import Things
    from kg.publish.site import Documents

    Shown: TypeAlias = Documents | BuiltFolder | QueryOnly


class Outcome(NamedTuple):
    """Whether the newest files are served, and the same as a message."""

    served: bool
    message: str


@dataclass(eq=False)
class State:
    """Documents and endpoint of a site; `description` is its service description and `things` its
    named entries, once requested.
    """

    documents: Shown
    endpoint: Endpoint
    description: list[Quad] = field(default_factory=list)
    things: Things | None = None
    has_names: bool = True  # whether the endpoint can list its named entries


class CurrentSite:
    """Holds the state that is served now. A request keeps the state it started with; the endpoint
    of a replaced state is closed when no request uses it any more.

    `newest` is the result of the last check, good or bad, if files are checked. `version`
    identifies it, across servers too. `watched`: a new state may come at any time. `since` is when
    the served state was loaded, `read_at` when the files were last read. After `ending` is set, no
    new state comes.
    """

    def __init__(self, state: State, newest: Seen | None = None, watched: bool = False) -> None:
        self.state = state
        self.newest = newest
        self.watched = watched
        self.closed = self.ending = False
        self.since = self.read_at = now()
        self.version = new_version()
        self.readings = Counter(served=0, refused=0)  # reloads after the first state
        self.lock = Lock()
        self.users = Counter([state])  # this object counts as one user

    def latest(self) -> tuple[Seen | None, bool]:
        """The newest state of the files, and whether it is the served one."""
        with self.lock:
            newest, graph = self.newest, self.state.documents.graph
        is_served = newest is None or (not isinstance(newest, Exception) and newest.graph is graph)
        return newest, is_served

    def outcome(self) -> Outcome:
        """The result of the last reload."""
        newest, is_served = self.latest()
        counts = count_problems(newest)
        if is_served:
            return Outcome(
                True,
                f"Now serving this version; {counts}." if counts else "Now serving this version.",
            )
        if isinstance(newest, Exception) and not counts:
            return Outcome(False, f"{why(newest)} Still serving the last good version.")
        return Outcome(False, f"Still serving the last good version; {counts}.")

    def readiness(self) -> tuple[int, str]:
        """Status and text of the readiness check, with the result of the last reload. Files with
        errors do not make the server unready: it still serves the last good state. The text quotes
        nothing from the files.
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
        """Records a newest state that cannot be served."""
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
        """Closes all endpoints; running and waiting queries fail."""
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
        if is_free:  # in a thread, because processes take a while to stop
            Thread(target=state.endpoint.close, name="closing").start()


def build_state(
    graph: Graph, limits: Limits | None = None, union: bool = True, today: str = ""
) -> State:
    # Imported here because RDF files are served without it.
    from kg.publish.verify.trial import tried_documents  # noqa: PLC0415

    documents = tried_documents(graph, today=today)
    documents.shapes()  # read now, because the files may change while this graph is served
    return State(documents, build_endpoint(documents, graph, limits, union))


def build_endpoint(
    documents: Documents, graph: Graph, limits: Limits | None = None, union: bool = True
) -> AnswerCache:
    return AnswerCache(
        Embedded(graph.site.base, lambda: (graph.nquads, documents.rest()), limits, union)
    )


def count_problems(newest: Seen | None) -> str:
    """`2 errors, 1 warning`; empty if there is no list of problems."""
    found = getattr(newest, "problems", None)
    return "" if found is None else summary(found)


def new_version() -> str:
    return str(time.time_ns())


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
