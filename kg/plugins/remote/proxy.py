"""A guarded proxy for another SPARQL server: queries are checked here and forwarded only if
allowed.

A worker with an empty store parses each query, so that errors look like those of the embedded
endpoint. Answers are parsed and serialised again, so that all servers give the same output.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from urllib.parse import urljoin

from pyoxigraph import QueryResultsFormat, RdfFormat, parse, parse_query_results, serialize

from kg.errors import BadQuery, QueryCrashed, QueryTimeout
from kg.plugins.remote.push import graph_of
from kg.plugins.remote.retrying import Retry, Unanswered
from kg.plugins.remote.server import TABLE, TRIPLES, Server
from kg.sparql.endpoint import Embedded, Endpoint
from kg.sparql.evaluate import BoundedBuffer
from kg.sparql.limits import Limits
from kg.sparql.reading.outline import Outline, outline, with_prefixes
from kg.sparql.reading.tokens import place, tokens
from kg.sparql.workers.fair_queue import FairQueue
from kg.store.protocol import Answer, Graphs, Health, Query
from kg.vocab import ALL_PREFIXES, PREFIXES, xsd
from kg.web.http_client import RemoteResponse, TooLarge

ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
TRUTHS = {"1": "true", "0": "false"}
UNREADABLE = "The server behind this endpoint sent an invalid answer."
SILENT = "The server behind this endpoint is not responding. Try again in a moment."


@dataclass(frozen=True, slots=True)
class RemoteQuery:
    """A query for the remote server, and its deadline."""

    outline: Outline
    graphs: Graphs
    seconds: float
    until: float


class Proxy(Endpoint):
    """An endpoint whose default graph is the union of all graphs on the server."""

    union = True

    def __init__(self, server: Server, base: str, limits: Limits | None = None) -> None:
        self.server, self.base = server, base
        self.limits = limits or Limits()
        self.queue = FairQueue(self.limits.workers, self.limits.waiting, self.limits.patience)
        self.reader = Embedded(base, b"", replace(self.limits, workers=2))
        self.hidden_graphs = (*server.profile.system_graphs, graph_of(base))

    async def ask(self, query: Query) -> Answer:
        await self.queue.enter(query.client)
        try:
            read = await self.reader.ask(query)
            return await asyncio.to_thread(self.forward, query, read)
        finally:
            self.queue.leave(query.client)

    def forward(self, query: Query, read: Answer) -> Answer:
        outlined = outline(query.text)
        self.check_functions(outlined)
        seconds = self.limits.seconds(query)
        request = RemoteQuery(outlined, query.graphs, seconds, time.monotonic() + seconds)
        is_graph = outlined.form.word in ("CONSTRUCT", "DESCRIBE")
        buffer = BoundedBuffer(self.limits.answer)
        try:
            (self.graph if is_graph else self.table)(request, read.media_type, buffer)
        except TooLarge as error:
            raise BadQuery(
                f"{error} Add a LIMIT, or download a dump of the whole graph."
            ) from error
        except SyntaxError as error:
            raise QueryCrashed(UNREADABLE) from error
        return Answer(read.media_type, buffer.getvalue(), read.is_lasting)

    def check_functions(self, outlined: Outline) -> None:
        """Refuses functions of this kind of server, which may do more than read."""
        forbidden = tuple(f"<{scheme}:" for scheme in self.server.profile.forbidden)
        for token in outlined.tokens:
            text = ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token.text)
            if token.kind == "iri" and text.lower().startswith(forbidden):
                at = place(outlined.query, token.start)
                raise BadQuery(f"{token.text} is not allowed ({at}).")

    def fetch(self, request: RemoteQuery, query: str, accept: str) -> RemoteResponse:
        try:
            return self.server.query(
                based(with_prefixes(query, ALL_PREFIXES), self.base),
                accept,
                request.graphs,
                Retry(max(request.until - time.monotonic(), 0.01), tries=1),
                self.limits.answer * 4,
                () if enters_graph(request.outline) else self.hidden_graphs,
                not request.outline.names_graphs,
            )
        except Unanswered as error:
            if error.is_late:
                raise QueryTimeout(
                    f"The query took longer than {request.seconds:g} s and was stopped."
                ) from error
            if error.status in (400, 500) and error.quoted:
                raise BadQuery(
                    f"The server behind this endpoint cannot evaluate the query: {error.quoted}"
                ) from error
            raise QueryCrashed(SILENT) from error

    def table(self, request: RemoteQuery, media_type: str, buffer: BoundedBuffer) -> None:
        outlined, most = request.outline, self.server.profile.rows
        found = read(self.fetch(request, outlined.query, TABLE))
        if "results" in found:
            rows = more = found["results"]["bindings"]
            while more and len(rows) % most == 0:
                page = read(self.fetch(request, page_query(outlined, most, len(rows)), TABLE))
                more = page["results"]["bindings"]
                rows += more
            found["results"]["bindings"] = [
                {name: plain(term) for name, term in row.items()} for row in rows
            ]
            if outlined.selects_all:
                found["head"]["vars"].sort(key=[*outlined.variables, *found["head"]["vars"]].index)
        result = parse_query_results(json.dumps(found).encode(), format=QueryResultsFormat.JSON)
        form = QueryResultsFormat.from_media_type(media_type) or QueryResultsFormat.JSON
        result.serialize(buffer, format=form)

    def graph(self, request: RemoteQuery, media_type: str, buffer: BoundedBuffer) -> None:
        response = self.fetch(request, request.outline.query, f"{TRIPLES}, text/turtle;q=0.5")
        # Turtle by default; N-Triples is a subset of it
        form = RdfFormat.from_media_type(response.media_type) or RdfFormat.TURTLE
        triples = [quad.triple for quad in parse(response.body, format=form, lenient=True)]
        form = RdfFormat.from_media_type(media_type) or RdfFormat.TURTLE
        serialize(triples, buffer, format=form, prefixes=PREFIXES)

    def health(self) -> Health:
        with self.queue.lock:
            running, waiting = self.queue.running.total(), len(self.queue.waiting)
        return replace(self.reader.health(), running=running, waiting=waiting)

    def close(self) -> None:
        self.queue.close()
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


def read(response: RemoteResponse) -> dict[str, Any]:
    """A JSON answer: a table or a boolean."""
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


def plain(term: Mapping[str, str]) -> Mapping[str, str]:
    """A term as the embedded store would return it: some servers write 1 for true."""
    if term.get("datatype") != xsd.boolean:
        return term
    return {**term, "value": TRUTHS.get(term["value"], term["value"])}


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
