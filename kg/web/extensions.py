"""Extension points of the server: routes (`kg.routes`), and remote servers that answer the queries
of a built folder (`kg.backends`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from kg import doors

if TYPE_CHECKING:
    import click

    from kg.sparql.endpoint import Endpoint
    from kg.sparql.limits import Limits
    from kg.sparql.workers.fair_queue import FairThreads
    from kg.store.protocol import Answer
    from kg.web.answers import Reply
    from kg.web.request import Request
    from kg.web.state import State


@dataclass(frozen=True)
class Route:
    """Paths that a plugin answers when a site is served from its facts. `respond` gets the request,
    the served state, the client's address, and threads for long work. It may raise Refusal and
    QueryError. It is cancelled if the client disconnects.
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
    options by name, and returns None if its own are not set. `ask` answers `kg query --endpoint`,
    from the address, the query, the media type, the base of a known site and a time limit.
    """

    options: tuple[click.Option, ...]
    connect: Callable[[Mapping[str, Any]], RemoteEndpoint | None]
    ask: Callable[[str, str, str, str, float], Answer] | None = None


def plugin_routes() -> dict[str, Route]:
    """Routes by path. If two plugins claim a path, the first one wins."""
    routes = [*doors.each("kg.routes", Route).values()]
    return {path: route for route in reversed(routes) for path in route.paths}


def backends() -> list[Backend]:
    return [*doors.each("kg.backends", Backend).values()]
