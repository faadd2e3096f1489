"""Answers of another server that are large, odd or bad news: they cost little, and end in time."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from kg.errors import BadQuery, KgError, QueryCrashed, QueryError, QueryTimeout
from kg.plugins.remote.profiles import load
from kg.plugins.remote.proxy import Proxy
from kg.plugins.remote.push import MAX_STATE, Record
from kg.plugins.remote.retrying import Retry, RetryingClient
from kg.plugins.remote.server import Server
from kg.sparql.limits import Limits
from kg.store.protocol import Query, Wanted
from tests.kinds import starts

BASE = "https://lab.example.org/"
ROW = b'{"a":{"type":"literal","value":"x"},"b":{"type":"uri","value":"urn:b"}}'
CSV = Wanted("text/csv", "text/turtle")


def table(rows: int) -> bytes:
    head = b'{"head":{"vars":["a","b"]},"results":{"bindings":['
    return head + b",".join([ROW] * rows) + b"]}}"


@contextmanager
def upstream(status: int, body: bytes, media_type: str) -> Iterator[Server]:
    """A server that gives the same answer to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,)).start()
        client = RetryingClient(f"http://127.0.0.1:{server.server_port}/")
        with closing(Server(load("oxigraph"), client, Retry(20, 1))) as found:
            try:
                yield found
            finally:
                server.shutdown()


@contextmanager
@starts("process")
def proxied(
    body: bytes, status: int = 200, deadline: float = 60, media_type: str = "application/json"
) -> Iterator[Proxy]:
    with (
        upstream(status, body, media_type) as server,
        closing(Proxy(server, BASE, Limits(deadline=deadline, workers=2))) as proxy,
    ):
        yield proxy


def ask(proxy: Proxy, text: str = "SELECT ?a ?b { ?a ?p ?b }") -> tuple[bytes, float]:
    """The answer, and the longest time that others waited for the event loop."""

    async def run() -> tuple[bytes, float]:
        task = asyncio.create_task(proxy.ask(Query(text, CSV)))
        longest = 0.0
        while not task.done():
            began = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - began)
        return (await task).body, longest

    return asyncio.run(run())


pytestmark = [pytest.mark.process]


def test_a_large_answer_is_whole_and_keeps_nobody_waiting() -> None:
    with proxied(table(300_000)) as proxy:
        body, longest = ask(proxy)
    assert body == b"a,b\r\n" + b"x,urn:b\r\n" * 300_000
    assert longest < 0.5


def test_reading_an_answer_ends_at_the_deadline() -> None:
    with proxied(table(400_000), deadline=0.8) as proxy:
        began = time.monotonic()
        with pytest.raises(QueryTimeout, match=r"longer than 0\.8 s"):
            ask(proxy)
        assert time.monotonic() - began < 2


def test_an_answer_that_takes_too_much_memory_is_refused() -> None:
    with proxied(table(300_000)) as proxy:
        object.__setattr__(proxy.limits, "memory", 1 << 25)
        with pytest.raises(BadQuery, match="Add a LIMIT"):
            ask(proxy)


@pytest.mark.sample(test=0.2)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"5",
        b"null",
        b"{}",
        b'{"head":{"vars":["a"]},"results":{"bindings":["x"]}}',
        b'{"head":{"vars":["a"]},"results":{"bindings":{"a":1}}}',
        b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":1}]}}',
        b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"no iri"}}]}}',
        b'{"head":{"vars":[["a"]]},"results":{"bindings":[]}}',
        b'{"head":{},"results":{"bindings":[]}}',
        b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"value":"\\ud800"}}]}}',
        b'{"boolean":"perhaps"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_an_odd_answer_is_reported_as_such(body: bytes) -> None:
    with proxied(body) as proxy:
        with pytest.raises(QueryCrashed, match="sent an invalid answer"):
            ask(proxy)
        with pytest.raises(QueryCrashed, match="sent an invalid answer"):
            ask(proxy, "SELECT * { ?a ?p ?b }")


def test_an_odd_graph_is_reported_as_such() -> None:
    with (
        proxied(b"<a <b", media_type="application/n-triples") as proxy,
        pytest.raises(QueryCrashed, match="sent an invalid answer"),
    ):
        ask(proxy, "DESCRIBE <a>")


@pytest.mark.sample(test=0.4)
@pytest.mark.parametrize("status", [400, 401, 404, 500, 503])
def test_the_words_of_the_server_are_for_its_operator(status: int) -> None:
    heard: list[str] = []
    with proxied(b"secret table t_17 at 10.0.0.8", status, media_type="text/plain") as proxy:
        proxy.server.client.notify = heard.append
        with pytest.raises(QueryError) as refused:
            ask(proxy)
    assert "The server behind this endpoint" in str(refused.value)
    assert "17" not in str(refused.value)
    assert len(heard) == 1
    assert status == 404 or "t_17" in heard[0]


def test_the_state_of_a_push_is_read_in_kilobytes() -> None:
    with upstream(200, table(1_000), "application/sparql-results+json") as server:
        assert len(table(1_000)) > MAX_STATE
        with pytest.raises(KgError, match="larger than"):
            Record(server, BASE).state()


def test_a_small_answer_is_read_here() -> None:
    answer = {"head": {}, "boolean": True}
    with proxied(json.dumps(answer).encode()) as proxy:
        assert ask(proxy, "ASK {}")[0] == b"true"
