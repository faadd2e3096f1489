"""A guarded proxy of another SPARQL server: each query is parsed and checked here, and sent on only
if it is allowed.

A worker with an empty store parses it, so that errors are reported as by the embedded endpoint.
Answers are parsed and serialized again, so that those of all servers look the same.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from urllib.parse import urljoin

from pyoxigraph import QueryResultsFormat, RdfFormat, parse, parse_query_results, serialize

from kg.elsewhere.http import Response, Retry, TooLarge, Unanswered
from kg.elsewhere.record import graph_of
from kg.elsewhere.server import TABLE, TRIPLES, Server, plain
from kg.errors import BadQuery, QueryCrashed, QueryTimeout
from kg.sparql.bounded_buffer import BoundedBuffer
from kg.sparql.endpoint import Embedded
from kg.sparql.interface import Endpoint
from kg.sparql.limits import Limits
from kg.sparql.reading.outline import Outline, outline
from kg.sparql.reading.tokens import place, tokens
from kg.sparql.workers.fair_queue import FairQueue
from kg.store.protocol import Answer, Graphs, Health, Wanted
from kg.vocab import prefixes

ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
UNREADABLE = "The server behind this endpoint gave an answer that cannot be read."
SILENT = "The server behind this endpoint gives no answer. Try again in a moment."


@dataclass(frozen=True, slots=True)
class Request:
    """A query for the server, and its deadline."""

    outline: Outline
    graphs: Graphs
    seconds: float
    until: float


class Proxy(Endpoint):
    """Its default graph is the union of all graphs of the server."""

    union = True

    def __init__(self, server: Server, base: str, limits: Limits | None = None) -> None:
        self.server, self.base = server, base
        self.limits = limits or Limits()
        self.queue = FairQueue(self.limits.workers, self.limits.waiting, self.limits.patience)
        self.reader = Embedded(base, b"", replace(self.limits, workers=2))
        self.hidden_graphs = (*server.profile.system_graphs, graph_of(base))

    async def ask(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        await self.queue.enter(client)
        try:
            read = await self.reader.ask(query, wanted, graphs, client, timeout)
            return await asyncio.to_thread(self.forward, query, read, graphs, timeout)
        finally:
            self.queue.leave(client)

    def forward(self, query: str, read: Answer, graphs: Graphs, timeout: float | None) -> Answer:
        self.check_functions(query)
        seconds = min(timeout or self.limits.deadline, self.limits.deadline)
        request = Request(outline(query), graphs, seconds, time.monotonic() + seconds)
        try:
            body = (
                self.graph(request, read.media_type)
                if wants_graph(request.outline)
                else self.table(request, read.media_type)
            )
        except TooLarge as error:
            raise BadQuery(
                f"{error} Ask for less with LIMIT, or take a dump of the whole graph."
            ) from error
        return Answer(read.media_type, body, read.is_lasting)

    def check_functions(self, query: str) -> None:
        """Refuses functions that only this kind of server knows, which may do more than read."""
        for token in outline(query).tokens:
            text = (
                ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token.text).lower()
                if token.kind == "iri"
                else ""
            )
            if text.startswith(tuple(f"<{scheme}:" for scheme in self.server.profile.forbidden)):
                raise BadQuery(f"{token.text} is not allowed here ({place(query, token.start)}).")

    def fetch(self, request: Request, query: str, accept: str) -> Response:
        left = request.until - time.monotonic()
        try:
            retry = Retry(max(left, 0.01), tries=1)
            hidden = () if enters_graph(request.outline) else self.hidden_graphs
            union = not request.outline.names_graphs
            return self.server.query(
                based(query, self.base),
                accept,
                request.graphs,
                retry,
                self.limits.answer * 4,
                hidden,
                union,
            )
        except Unanswered as error:
            if error.is_late:
                raise QueryTimeout(
                    f"The query took longer than {request.seconds:g} seconds and was stopped."
                ) from error
            if error.status in (400, 500) and error.quoted:
                raise BadQuery(
                    f"The server behind this endpoint could not evaluate this query: {error.quoted}"
                ) from error
            raise QueryCrashed(SILENT) from error

    def table(self, request: Request, media_type: str) -> bytes:
        outlined = request.outline
        found = read(self.fetch(request, outlined.query, TABLE))
        if "results" in found:
            rows, most = found["results"]["bindings"], self.server.profile.rows
            while rows and len(rows) % most == 0:
                more = read(self.fetch(request, page(outlined, most, len(rows)), TABLE))["results"][
                    "bindings"
                ]
                if not more:
                    break
                rows += more
            found["results"]["bindings"] = [
                {name: plain(term) for name, term in row.items()} for row in rows
            ]
            if outlined.selects_all:
                found["head"]["vars"].sort(key=[*outlined.variables, *found["head"]["vars"]].index)
        result = parse_query_results(json.dumps(found).encode(), format=QueryResultsFormat.JSON)
        buffer = BoundedBuffer(self.limits.answer)
        result.serialize(
            buffer, format=QueryResultsFormat.from_media_type(media_type) or QueryResultsFormat.JSON
        )
        return buffer.getvalue()

    def graph(self, request: Request, media_type: str) -> bytes:
        response = self.fetch(request, request.outline.query, f"{TRIPLES}, text/turtle;q=0.5")
        form = (
            RdfFormat.from_media_type(response.media_type) or RdfFormat.TURTLE
        )  # which N-Triples is too
        buffer = BoundedBuffer(self.limits.answer)
        try:
            triples = [quad.triple for quad in parse(response.body, format=form, lenient=True)]
        except SyntaxError as error:
            raise QueryCrashed(UNREADABLE) from error
        serialize(
            triples,
            buffer,
            format=RdfFormat.from_media_type(media_type) or RdfFormat.TURTLE,
            prefixes=prefixes(self.base),
        )
        return buffer.getvalue()

    def health(self) -> Health:
        with self.queue.lock:
            running, waiting = self.queue.running.total(), len(self.queue.waiting)
        return replace(self.reader.health(), running=running, waiting=waiting)

    def close(self) -> None:
        self.queue.close()
        self.reader.close()


def based(query: str, base: str) -> str:
    """The query with a base: ours, or its own, which may be below ours. Some servers take no more
    than one.
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
    """Whether it names a graph in its patterns; where graphs are hidden as well, Virtuoso does not
    find that one.
    """
    return any(
        token.word == "GRAPH" and after.kind in ("iri", "name")
        for token, after in pairwise(outlined.tokens)
    )


def wants_graph(outlined: Outline) -> bool:
    return outlined.form.word in ("CONSTRUCT", "DESCRIBE")


def read(response: Response) -> dict[str, Any]:
    """An answer in JSON: a table, or a truth."""
    try:
        found: dict[str, Any] = json.loads(response.body)
        if "boolean" not in found:
            found["head"]["vars"], found["results"]["bindings"] = (
                list(found["head"]["vars"]),
                list(found["results"]["bindings"]),
            )
    except (ValueError, KeyError, TypeError) as error:
        raise QueryCrashed(UNREADABLE) from error
    else:
        return found


def page(outlined: Outline, most: int, offset: int) -> str:
    """The rows of a SELECT from one on, where a server has given only the first."""
    query, found = outlined.query, outlined.tokens
    begins = next(number for number, token in enumerate(found) if token.start == outlined.rest)
    where = first_pattern(found[begins:], len(query))
    columns, graphs, rest = (
        query[outlined.form.start : outlined.rest],
        query[outlined.rest : where],
        query[where:],
    )
    return (
        f"{outlined.prologue}SELECT * {graphs} WHERE {{ {{ {columns} {rest}\n}} }} OFFSET {offset} "
        f"LIMIT {most}"
    )


def first_pattern(rest: Sequence[Any], end: int) -> int:
    return next((token.start for token in rest if token.word == "WHERE" or token.text == "{"), end)
