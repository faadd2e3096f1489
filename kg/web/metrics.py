"""What happened so far, for those who look after the server: a line for each request, and counts
and durations in the text form of Prometheus. Of a query the log has its hash, for its text may be
private.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import accumulate
from threading import Lock
from urllib.parse import quote

from kg.sparql.workers.pool import resident
from kg.store.protocol import Health
from kg.web.request import Request

MEDIA_TYPE = "text/plain; version=0.0.4"
STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
LONGEST_METHOD = 20


class Metrics:
    """Counters of one server; `write` takes a line for each request."""

    def __init__(self, write: Callable[[str], None] | None) -> None:
        self.write = write
        self.lock = Lock()
        self.requests: Counter[int] = Counter()  # by status
        self.queries: Counter[str] = Counter()  # by outcome
        self.durations: Counter[int] = Counter()  # of queries, by step
        self.seconds = 0.0
        self.sent = 0  # bytes

    def note(self, request: Request, client: str, status: int, size: int, seconds: float) -> None:
        with self.lock:
            self.requests[status] += 1
            self.sent += size
            if request.outcome:
                self.queries[request.outcome] += 1
                self.durations[bisect_left(STEPS, seconds)] += 1
                self.seconds += seconds
        if not self.write:
            return
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        method = quote(request.method[:LONGEST_METHOD])
        path = quote(request.path, safe="/.,:~@!$&'()*+;=-")  # all that was sent stays on one line
        tail = f" query={fingerprint(request.query)} {request.outcome}" if request.outcome else ""
        self.write(
            f"{when} {client or '-'} {method} {path} {status} {size} B "
            f"{seconds * 1000:.0f} ms{tail}"
        )

    def text(self, health: Health) -> str:
        with self.lock:
            requests, queries = labelled("status", self.requests), labelled("outcome", self.queries)
            durations, seconds, sent = dict(self.durations), self.seconds, self.sent
        total = sum(durations.values())
        below = accumulate(durations.get(number, 0) for number in range(len(STEPS)))
        steps = zip(STEPS, below, strict=True)
        buckets: dict[str, float] = {f'_bucket{{le="{step:g}"}}': n for step, n in steps}
        buckets |= {'_bucket{le="+Inf"}': total, "_sum": round(seconds, 6), "_count": total}
        memory = labelled("process", {"web": resident(os.getpid()), **health.memory})
        table: list[tuple[str, str, str, dict[str, float]]] = [
            ("requests_total", "counter", "Requests answered, by status.", requests),
            ("queries_total", "counter", "Queries, by outcome.", queries),
            ("query_seconds", "histogram", "From the arrival of a query to its answer.", buckets),
            ("sent_bytes_total", "counter", "Bytes of all answers.", {"": sent}),
            ("queue_length", "gauge", "Queries that wait for a worker.", {"": health.waiting}),
            ("queries_running", "gauge", "Queries that are being evaluated.", {"": health.running}),
            ("workers", "gauge", "Worker processes.", {"": health.workers}),
            (
                "worker_restarts_total",
                "counter",
                "Workers and loaders that were replaced.",
                {"": health.restarts},
            ),
            ("memory_bytes", "gauge", "Resident memory, shared pages counted in each.", memory),
        ]
        return "".join(
            f"# HELP kg_{name} {words}\n# TYPE kg_{name} {kind}\n"
            + "".join(f"kg_{name}{label} {value}\n" for label, value in values.items())
            for name, kind, words, values in table
        )


def labelled(name: str, values: dict[int, int] | dict[str, int]) -> dict[str, float]:
    return {f'{{{name}="{key}"}}': value for key, value in sorted(values.items())}


def fingerprint(query: str) -> str:
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:12]
