"""HTTP client for comparisons: sends GET requests over persistent connections, and records the
server's CPU and the latencies.
"""

from __future__ import annotations

import http.client
import json
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from urllib.parse import urlencode

from pyoxigraph import RdfFormat, parse

from bench.servers import Server

TABLE, GRAPH = "application/sparql-results+json", "text/turtle"
LONGEST = 120  # timeout of one request in seconds


@dataclass
class Tally:
    """The cost of some requests: the server's CPU seconds, and the latency of each."""

    cpu: float = 0
    web: float = 0  # CPU of the web process of `kg serve`
    waits: list[float] = field(default_factory=list)
    failures: int = 0
    rounds: list[float] = field(default_factory=list)  # `each` of every round

    def add(self, more: Tally) -> None:
        self.cpu, self.web, self.failures = (
            self.cpu + more.cpu,
            self.web + more.web,
            self.failures + more.failures,
        )
        self.waits += more.waits
        self.rounds.append(more.each)

    @property
    def each(self) -> float:
        """Milliseconds of CPU per request."""
        return 1000 * self.cpu / max(len(self.waits), 1)

    @property
    def median(self) -> float:
        return 1000 * statistics.median(self.waits)

    @property
    def late(self) -> float:
        """The 95th percentile of the latency, in milliseconds."""
        return 1000 * sorted(self.waits)[int(0.95 * len(self.waits))]


class Client:
    def __init__(self, server: Server) -> None:
        self.path = server.path
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)

    def ask(self, query: str) -> tuple[int, bytes]:
        accept = (
            GRAPH if "DESCRIBE" in query or "CONSTRUCT" in query else TABLE
        )  # some servers do not support several media types
        self.connection.request(
            "GET", f"{self.path}?{urlencode({'query': query})}", headers={"Accept": accept}
        )
        response = self.connection.getresponse()
        return response.status, response.read()

    def rows(self, query: str) -> list[tuple[str, ...]]:
        """The rows of a SELECT as text, because servers use different datatypes for numbers."""
        status, body = self.ask(query)
        if status != http.client.OK:
            return [("status", str(status), body[:200].decode(errors="replace"))]
        table = json.loads(body)
        return sorted(
            tuple(row[name]["value"] for name in table["head"]["vars"])
            for row in table["results"]["bindings"]
        )

    def triples(self, query: str) -> set[str]:
        """The triples of an answer, as lines."""
        status, body = self.ask(query)
        if status != http.client.OK:
            return {f"status {status}: {body[:200].decode(errors='replace')}"}
        return {str(quad.triple) for quad in parse(body, format=RdfFormat.TURTLE)}

    def close(self) -> None:
        self.connection.close()


def ask(
    server: Server, queries: Sequence[str], clients: int = 1, seconds: float = LONGEST
) -> Tally:
    """Sends all queries with several concurrent clients. After the time limit, no new query is
    started.
    """
    tally, queue = Tally(), SimpleQueue[str]()
    for query in queries:
        queue.put(query)
    until = time.monotonic() + seconds
    start, web = server.cpu(), server.web()
    threads = [
        threading.Thread(target=work, args=(server, queue, tally, until)) for _ in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally.cpu, tally.web = server.cpu() - start, server.web() - web
    return tally


def work(server: Server, queue: SimpleQueue[str], tally: Tally, until: float) -> None:
    client = Client(server)
    try:
        while time.monotonic() < until:
            query = queue.get_nowait()
            start = time.perf_counter()
            try:
                status, _ = client.ask(query)
            except (OSError, http.client.HTTPException):
                status = 0
                client.close()
            tally.waits.append(time.perf_counter() - start)
            tally.failures += status != http.client.OK
    except Empty:
        pass
    finally:
        client.close()
