"""A guarded proxy for another SPARQL server: queries are checked here and forwarded only if
allowed.

A worker with an empty store parses each query, so that errors look like those of the embedded
endpoint. Answers are parsed and serialised again, so that all servers give the same output.
"""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from urllib.parse import urljoin

from kg.errors import BadQuery, KgError, QueryCrashed, QueryTimeout
from kg.plugins.remote.push import graph_of
from kg.plugins.remote.reading import Reading
from kg.plugins.remote.retrying import Retry, Unanswered
from kg.plugins.remote.server import TABLE, TRIPLES, Server
from kg.sparql.endpoint import Embedded, Endpoint
from kg.sparql.limits import Limits
from kg.sparql.reading.outline import Outline, outline, with_prefixes
from kg.sparql.reading.tokens import place, tokens
from kg.sparql.workers.fair_queue import FairQueue
from kg.store.protocol import Answer, Graphs, Health, Query
from kg.vocab import ALL_PREFIXES
from kg.web.http_client import RemoteResponse, TooLarge

ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
FAILED = "The server behind this endpoint cannot evaluate the query. Simplify it."
SILENT = "The server behind this endpoint is not responding. Try again in a moment."


@dataclass(frozen=True, slots=True)
class RemoteQuery:
    """A query for the remote server, and its deadline."""

    outline: Outline
    graphs: Graphs
    seconds: float
    until: float

    def late(self) -> QueryTimeout:
        return QueryTimeout(f"The query took longer than {self.seconds:g} s and was stopped.")


class Proxy(Endpoint):
    """An endpoint whose default graph is the union of all graphs on the server."""

    union = True

    def __init__(self, server: Server, base: str, limits: Limits | None = None) -> None:
        self.server, self.base = server, base
        self.limits = limits or Limits()
        self.queue = FairQueue(self.limits.workers, self.limits.waiting, self.limits.patience)
        self.reader = Embedded(base, b"", replace(self.limits, workers=2))
        self.threads = ThreadPoolExecutor(self.limits.workers, "remote")
        self.hidden_graphs = (*server.profile.system_graphs, graph_of(base))

    async def ask(self, query: Query) -> Answer:
        await self.queue.enter(query.client)
        try:
            read = await self.reader.ask(query)
            work = self.threads.submit(self.forward, query, read)
        except BaseException:
            self.queue.leave(query.client)
            raise
        # Not before the server has answered, even if the client disconnects.
        work.add_done_callback(lambda _: self.queue.leave(query.client))
        return await asyncio.wrap_future(work)

    def forward(self, query: Query, read: Answer) -> Answer:
        outlined = outline(query.text)
        self.check_functions(outlined)
        seconds = self.limits.seconds(query)
        request = RemoteQuery(outlined, query.graphs, seconds, time.monotonic() + seconds)
        is_graph = outlined.form.word in ("CONSTRUCT", "DESCRIBE")
        try:
            body = (self.graph if is_graph else self.table)(request, read.media_type)
        except TooLarge as error:
            raise BadQuery(
                f"{error} Add a LIMIT, or download a dump of the whole graph."
            ) from error
        return Answer(read.media_type, body, read.is_lasting)

    def check_functions(self, outlined: Outline) -> None:
        """Refuses functions of this kind of server, which may do more than read."""
        forbidden = tuple(f"<{scheme}:" for scheme in self.server.profile.forbidden)
        for token in outlined.tokens:
            text = ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token.text)
            if token.kind == "iri" and text.lower().startswith(forbidden):
                at = place(outlined.query, token.start)
                raise BadQuery(f"{token.text} is not allowed ({at}).")

    def fetch(self, request: RemoteQuery, query: str, accept: str, held: int = 0) -> RemoteResponse:
        """The answer to a query; `held` is the bytes of its earlier pages."""
        try:
            return self.server.query(
                based(with_prefixes(query, ALL_PREFIXES), self.base),
                accept,
                request.graphs,
                Retry(max(request.until - time.monotonic(), 0.01), tries=1),
                self.limits.answer * 2 - held,
                () if enters_graph(request.outline) else self.hidden_graphs,
                not request.outline.names_graphs,
            )
        except Unanswered as error:
            if error.is_late:
                raise request.late() from error
            self.server.client.notify(str(error))  # for the operator, not for strangers
            if error.status in (400, 500) and error.quoted:
                raise BadQuery(FAILED) from error
            raise QueryCrashed(SILENT) from error
        except TooLarge:
            raise
        except KgError as error:  # nothing is at its address
            self.server.client.notify(str(error))
            raise QueryCrashed(SILENT) from error

    def table(self, request: RemoteQuery, media_type: str) -> bytes:
        outlined, most = request.outline, self.server.profile.rows
        parts = [self.fetch(request, outlined.query, TABLE).body]
        while parts[-1].count(b"}") >= most and self.rows(request, parts[-1]) == most:
            query = page_query(outlined, most, most * len(parts))
            parts.append(self.fetch(request, query, TABLE, sum(map(len, parts))).body)
        names = outlined.variables if outlined.selects_all else ()
        reading = Reading(media_type, self.limits.answer, variables=names)
        return self.read(request, reading, parts)

    def rows(self, request: RemoteQuery, part: bytes) -> int:
        return int(self.read(request, Reading(), [part]))

    def graph(self, request: RemoteQuery, media_type: str) -> bytes:
        response = self.fetch(request, request.outline.query, f"{TRIPLES}, text/turtle;q=0.5")
        # Turtle by default; N-Triples is a subset of it
        reading = Reading(media_type, self.limits.answer, response.media_type or "text/turtle")
        return self.read(request, reading, [response.body])

    def read(self, request: RemoteQuery, reading: Reading, parts: list[bytes]) -> bytes:
        try:
            return reading.apart(parts, request.until - time.monotonic(), self.limits.memory)
        except TimeoutError as error:
            raise request.late() from error

    def health(self) -> Health:
        with self.queue.lock:
            running, waiting = self.queue.running.total(), len(self.queue.waiting)
        return replace(self.reader.health(), running=running, waiting=waiting)

    def close(self) -> None:
        self.queue.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.reader.close()


def based(query: str, base: str) -> str:
    """The query with a base: ours, or its own resolved against ours. Some servers accept only
    one.
    """
    own = next(
        (
            after
            for token, after in pairwise(tokens(query))
            if token.word == "BASE" and after.kind == "iri"
        ),
        None,
    )
    if own is None:
        return f"BASE <{base}> {query}"
    return f"{query[: own.start]}<{urljoin(base, own.text[1:-1])}>{query[own.end :]}"


def enters_graph(outlined: Outline) -> bool:
    """Whether a pattern names a graph. Virtuoso does not find that graph if others are excluded."""
    return any(
        token.word == "GRAPH" and after.kind in ("iri", "name")
        for token, after in pairwise(outlined.tokens)
    )


def page_query(outlined: Outline, most: int, offset: int) -> str:
    """The rows of a SELECT from an offset on, for servers that limit the rows of an answer."""
    query, rest = outlined.query, outlined.rest
    where = next(
        token.start
        for token in outlined.tokens
        if token.start >= rest and (token.word == "WHERE" or token.text == "{")
    )
    columns, graphs, patterns = query[outlined.form.start : rest], query[rest:where], query[where:]
    return (
        f"{outlined.prologue}SELECT * {graphs} WHERE {{ {{ {columns} {patterns}\n}} }} OFFSET "
        f"{offset} LIMIT {most}"
    )
