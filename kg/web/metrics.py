"""What happened so far, for those who look after the server: counts and durations in the text form
of Prometheus.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from threading import Lock
from typing import cast

from flask import Blueprint, Response, abort, current_app, request

from kg.sparql.workers.pool import resident
from kg.store.protocol import Health
from kg.web import answers
from kg.web.request import is_local
from kg.web.state import state

blueprint = Blueprint("metrics", __name__)

MEDIA_TYPE = "text/plain; version=0.0.4"
STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.requests: Counter[int] = Counter()  # by status
        self.queries: Counter[str] = Counter()  # by outcome
        self.durations: Counter[int] = Counter()  # of queries, by step
        self.seconds = 0.0
        self.sent = 0  # bytes

    def note(self, status: int, size: int, seconds: float, outcome: str) -> None:
        with self.lock:
            self.requests[status] += 1
            self.sent += size
            if outcome:
                self.queries[outcome] += 1
                self.durations[bisect_left(STEPS, seconds)] += 1
                self.seconds += seconds

    def text(self, health: Health) -> str:
        with self.lock:
            requests, queries, durations = (
                dict(self.requests),
                dict(self.queries),
                dict(self.durations),
            )
            seconds, sent = self.seconds, self.sent
        total, below = sum(durations.values()), 0
        buckets = {}
        for number, step in enumerate(STEPS):
            below += durations.get(number, 0)
            buckets[f'_bucket{{le="{step:g}"}}'] = below
        memory = {"web": resident(os.getpid()), **health.memory}
        return "".join(
            [
                metric(
                    "kg_requests_total",
                    "counter",
                    "Requests answered, by status.",
                    labelled("status", requests),
                ),
                metric(
                    "kg_queries_total",
                    "counter",
                    "Queries, by outcome.",
                    labelled("outcome", queries),
                ),
                metric(
                    "kg_query_seconds",
                    "histogram",
                    "From the arrival of a query to its answer.",
                    {
                        **buckets,
                        '_bucket{le="+Inf"}': total,
                        "_sum": round(seconds, 6),
                        "_count": total,
                    },
                ),
                metric("kg_sent_bytes_total", "counter", "Bytes of all answers.", {"": sent}),
                metric(
                    "kg_queue_length",
                    "gauge",
                    "Queries that wait for a worker.",
                    {"": health.waiting},
                ),
                metric(
                    "kg_queries_running",
                    "gauge",
                    "Queries that are being evaluated.",
                    {"": health.running},
                ),
                metric("kg_workers", "gauge", "Worker processes.", {"": health.workers}),
                metric(
                    "kg_worker_restarts_total",
                    "counter",
                    "Workers and loaders that were replaced.",
                    {"": health.restarts},
                ),
                metric(
                    "kg_memory_bytes",
                    "gauge",
                    "Resident memory, shared pages counted in each.",
                    labelled("process", memory),
                ),
            ]
        )


def labelled(name: str, values: dict[int, int] | dict[str, int]) -> dict[str, float]:
    return {f'{{{name}="{key}"}}': value for key, value in sorted(values.items())}


def metric(name: str, kind: str, words: str, values: dict[str, float] | dict[str, int]) -> str:
    lines = [
        f"# HELP {name} {words}",
        f"# TYPE {name} {kind}",
        *(f"{name}{label} {value}" for label, value in values.items()),
    ]
    return "".join(f"{line}\n" for line in lines)


def metrics() -> Metrics:
    return cast(Metrics, current_app.extensions["kg-metrics"])


@blueprint.get("/metrics")
def show() -> Response:
    if not current_app.config["KG_OPEN_METRICS"] and not is_local(request):
        abort(404)
    response = answers.reply(
        request, metrics().text(state().endpoint.health()).encode(), MEDIA_TYPE
    )
    response.headers["Cache-Control"] = "no-store"
    return response
