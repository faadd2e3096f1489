"""What is served: the documents of a graph, and the endpoint that answers questions about it.
Another may take its place at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, cast

from flask import current_app, g

from kg.store.protocol import Endpoint
from kg.web.ready import Ready

if TYPE_CHECKING:  # plain files are served without these
    from kg.check.watch import Seen
    from kg.publish.hosting.built_folder import BuiltFolder
    from kg.publish.hosting.query_only import QueryOnly
    from kg.publish.site import Documents

    Shown = Documents | BuiltFolder | QueryOnly


@dataclass(frozen=True, eq=False)
class Served:
    """`ahead` are files that are made before anybody asks for them."""

    documents: Shown
    endpoint: Endpoint
    ahead: Sequence[str] = ()

    @cached_property
    def ready(self) -> Ready:
        return Ready(self.endpoint.limits.kept // 4)


class Stage:
    """Where what is served stands. A request keeps what it began with; an endpoint is closed when
    its place is taken and nobody asks it.

    `newest` is the newest state of the site, good or bad, where it was checked; `watched` tells
    whether another may come.
    """

    def __init__(self, served: Served, newest: Seen | None = None, watched: bool = False) -> None:
        self.served = served
        self.newest = newest
        self.watched = watched
        self.closed = False
        self.lock = Lock()
        self.users = Counter([served])  # the stage itself is one

    def news(self) -> tuple[Seen | None, bool]:
        """The newest state, and whether it is the one that is served."""
        with self.lock:
            newest, graph = self.newest, self.served.documents.graph
        return newest, newest is None or (
            not isinstance(newest, Exception) and newest.graph is graph
        )

    def note(self, newest: Seen) -> None:
        """The newest state is one that cannot be served."""
        with self.lock:
            self.newest = newest

    def put(self, served: Served, newest: Seen | None) -> None:
        with self.lock:
            self.users[served] += 1
            leaving = served if self.closed else self.served
            if not self.closed:
                self.served, self.newest = served, newest
        self.leave(leaving)

    def close(self) -> None:
        with self.lock:
            if self.closed:
                return
            self.closed = True
        self.leave(self.served)

    def end(self) -> None:
        """For good: who still waits for an answer is told so."""
        self.close()
        with self.lock:
            left = list(self.users)
        for served in left:
            served.endpoint.close()

    def take(self) -> Served:
        with self.lock:
            self.users[self.served] += 1
            return self.served

    def leave(self, served: Served) -> None:
        with self.lock:
            self.users[served] -= 1
            is_free = not self.users[served]
            if is_free:
                del self.users[served]
        if is_free:
            served.endpoint.close()


def stage() -> Stage:
    """The stage of the application whose request is being answered."""
    return cast(Stage, current_app.extensions["kg"])


def served() -> Served:
    """What the request that is being answered is answered from."""
    if "served" not in g:
        g.served = stage().take()
    return cast(Served, g.served)


def leave(_: BaseException | None) -> None:
    """The end of a request."""
    if "served" in g:
        stage().leave(g.pop("served"))
