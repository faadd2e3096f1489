"""What plugins add to the server: paths with an answer (`kg.routes`), and other servers that answer
the queries of a built folder (`kg.backends`).
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

PLACES = 2  # threads for long work; one more than one client can have
T = TypeVar("T")
Checkpoint = Callable[[], None]


@dataclass(frozen=True)
class Route:
    """Paths that a plugin answers, where a site is served from its facts. `respond` gets the
    request, the state that is served, the client, and threads for long work; it may raise Refusal.
    """

    paths: frozenset[str]
    respond: Callable[[Request, State, str, FairThreads], Awaitable[Reply]]
    posted: frozenset[str] = frozenset()  # those of the paths that take POST, too
    is_private: bool = False  # only for the author: clients that send the key


class RemoteEndpoint(Protocol):
    """A server that holds the graph of a built folder."""

    @property
    def address(self) -> str: ...

    def open(self, base: str, limits: Limits) -> Endpoint:
        """Raises KgError if the server holds nothing of the site at this base."""

    def version(self, base: str) -> str:
        """Changes whenever the graph of the site changes there."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Backend:
    """`options` are added to `kg serve`; `connect` gets the values of all options by name, and
    returns None if its own are not given.
    """

    options: tuple[click.Option, ...]
    connect: Callable[[Mapping[str, Any]], RemoteEndpoint | None]


def plugin_routes() -> dict[str, Route]:
    """By path; of two plugins with the same path, the first counts."""
    routes = [*doors.each("kg.routes", Route).values()]
    return {path: route for route in reversed(routes) for path in route.paths}


def backends() -> list[Backend]:
    return [*doors.each("kg.backends", Backend).values()]


class FairThreads:
    """Threads for work that may take long: few run at once, shared fairly among clients as the
    queries of the endpoint are, and each with a deadline.
    """

    def __init__(self) -> None:
        limits = Limits()
        self.queue = FairQueue(PLACES, limits.waiting, limits.patience)
        self.threads = ThreadPoolExecutor(PLACES, "fair")

    async def run(self, client: str, seconds: float, work: Callable[[Checkpoint], T]) -> T:
        """The result of work that calls the checkpoint often. Raises QueryBusy where too many
        wait, QueryTimeout where it takes longer than it may.
        """
        await self.queue.enter(client)
        until, is_over = time.monotonic() + seconds, threading.Event()

        def checkpoint() -> None:
            if is_over.is_set() or time.monotonic() > until:
                raise QueryTimeout(
                    f"This took longer than {seconds:g} seconds and was stopped. Send fewer "
                    "queries at once."
                )

        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.threads, work, checkpoint)
        finally:
            is_over.set()  # where the client has gone, the thread stops at its next checkpoint
            self.queue.leave(client)

    def close(self) -> None:
        self.queue.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
