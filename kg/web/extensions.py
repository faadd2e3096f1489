"""Extension points of the server: routes (`kg.routes`), and remote servers that answer the queries
of a built folder (`kg.backends`); and the threads in which routes do long work.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kg import doors
from kg.errors import QueryTimeout
from kg.sparql.limits import Limits
from kg.sparql.workers.fair_queue import FairQueue

if TYPE_CHECKING:
    import click

    from kg.sparql.endpoint import Endpoint
    from kg.web.answers import Reply
    from kg.web.request import Request
    from kg.web.state import State


@dataclass(frozen=True)
class Route:
    """Paths that a plugin answers when a site is served from its facts. `respond` gets the request,
    the served state, the client's address, and threads for long work. It may raise Refusal.
    """

    paths: frozenset[str]
    respond: Callable[[Request, State, str, FairThreads], Awaitable[Reply]]
    posted: frozenset[str] = frozenset()  # those of the paths that also accept POST
    is_private: bool = False  # only for clients that send the key


class RemoteEndpoint(Protocol):
    """A remote server that holds the graph of a built folder."""

    @property
    def address(self) -> str: ...

    def open(self, base: str, limits: Limits) -> Endpoint:
        """Raises KgError if the server has no graph of the site at this base."""

    def version(self, base: str) -> str:
        """Changes whenever the graph of the site changes on the server."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Backend:
    """A kind of remote server. `options` are added to `kg serve`. `connect` gets the values of all
    options by name, and returns None if its own are not set.
    """

    options: tuple[click.Option, ...]
    connect: Callable[[Mapping[str, Any]], RemoteEndpoint | None]


def plugin_routes() -> dict[str, Route]:
    """Routes by path. If two plugins claim a path, the first one wins."""
    routes = [*doors.each("kg.routes", Route).values()]
    return {path: route for route in reversed(routes) for path in route.paths}


def backends() -> list[Backend]:
    return [*doors.each("kg.backends", Backend).values()]


MAX_THREADS = 2  # one more than a single client can occupy
T = TypeVar("T")
Checkpoint = Callable[[], None]


class FairThreads:
    """A small thread pool for long work, shared fairly among clients, with a deadline per task."""

    def __init__(self) -> None:
        limits = Limits()
        self.queue = FairQueue(MAX_THREADS, limits.waiting, limits.patience)
        self.threads = ThreadPoolExecutor(MAX_THREADS, "fair")

    async def run(self, client: str, seconds: float, work: Callable[[Checkpoint], T]) -> T:
        """Runs `work`, which must call its checkpoint often. Raises QueryBusy if too many tasks
        wait, and QueryTimeout if this one takes too long.
        """
        await self.queue.enter(client)
        until, is_over = time.monotonic() + seconds, threading.Event()

        def checkpoint() -> None:
            if is_over.is_set() or time.monotonic() > until:
                raise QueryTimeout(
                    f"The request took longer than {seconds:g} s and was stopped. "
                    "Send fewer queries at once."
                )

        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.threads, work, checkpoint)
        finally:
            is_over.set()  # if the client has gone, the thread stops at its next checkpoint
            self.queue.leave(client)

    def close(self) -> None:
        self.queue.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
