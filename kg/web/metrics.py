"""What happened so far, as counts and durations in the text form of Prometheus.

Each server has a registry of its own; what the pool and the stage know is read when it is asked
for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from kg.sparql.workers.pool import resident
from kg.store.protocol import Health
from kg.web.request import Request
from kg.web.state import CurrentSite

MEDIA_TYPE = "text/plain; version=0.0.4"
STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        count = partial(Counter, registry=self.registry)
        self.requests = count("kg_requests", "Requests answered, by status.", ["status"])
        self.queries = count("kg_queries", "Queries, by outcome.", ["outcome"])
        self.sent = count("kg_sent_bytes", "Bytes of all answers.")
        self.faults = count("kg_faults", "Requests that met a fault of the program.")
        self.seconds = Histogram(
            "kg_query_seconds",
            "From the arrival of a query to its answer.",
            registry=self.registry,
            buckets=STEPS,
        )

    def note(self, request: Request, status: int, size: int, seconds: float) -> None:
        self.requests.labels(status).inc()
        self.sent.inc(size)
        if request.outcome:
            self.queries.labels(request.outcome).inc()
            self.seconds.observe(seconds)

    def text(self, health: Health, current: CurrentSite, dropped: int) -> bytes:
        return generate_latest(Scrape(self.registry, health, current, dropped))


@dataclass(frozen=True)
class Scrape:
    """All figures at one moment; `dropped` are lines of the log."""

    registry: CollectorRegistry
    health: Health
    current: CurrentSite
    dropped: int

    def collect(self) -> Iterator[Metric]:
        for metric in self.registry.collect():
            # When a counter began is when the server did.
            metric.samples = [
                sample for sample in metric.samples if not sample.name.endswith("_created")
            ]
            yield metric
        health, (_, is_served) = self.health, self.current.latest()
        gauge, counter = GaugeMetricFamily, CounterMetricFamily
        yield gauge("kg_queue_length", "Queries that wait for a worker.", health.waiting)
        yield gauge("kg_queries_running", "Queries that are being evaluated.", health.running)
        yield gauge("kg_workers", "Worker processes.", health.workers)
        restarts = "Workers and loaders that were replaced."
        yield counter("kg_worker_restarts", restarts, health.restarts)
        memory = gauge(
            "kg_memory_bytes",
            "Resident memory, shared pages counted in each.",
            labels=["process"],
        )
        yield filled(memory, {"web": resident(os.getpid()), **health.memory})
        reloads = counter("kg_reloads", "Readings of the files, by outcome.", labels=["outcome"])
        yield filled(reloads, self.current.readings)
        yield gauge("kg_files_refused", "Whether the newest files are not served.", not is_served)
        since = datetime.fromisoformat(self.current.since).timestamp()
        yield gauge("kg_served_since_seconds", "When the state came that is served.", since)
        left_out = "Lines of the log that nobody read in time."
        yield counter("kg_log_lines_dropped", left_out, self.dropped)


def filled(metric: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, int]) -> Metric:
    for label, value in values.items():
        metric.add_metric([label], value)
    return metric
