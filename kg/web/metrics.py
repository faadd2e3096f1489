"""Prometheus metrics: request and query counts, durations, and the state of workers and reloads.

Each server has its own registry. Figures of the worker pool and the current site are read at scrape
time.
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
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        count = partial(Counter, registry=self.registry)
        self.requests = count("kg_requests", "Requests answered, by HTTP status.", ["status"])
        self.queries = count("kg_queries", "SPARQL queries, by outcome.", ["outcome"])
        self.sent = count("kg_sent_bytes", "Bytes sent in responses.")
        self.faults = count("kg_faults", "Internal server errors.")
        self.seconds = Histogram(
            "kg_query_seconds",
            "Time from receiving a query to answering it.",
            registry=self.registry,
            buckets=BUCKETS,
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
    """All metrics at one moment; `dropped` is the number of dropped log lines."""

    registry: CollectorRegistry
    health: Health
    current: CurrentSite
    dropped: int

    def collect(self) -> Iterator[Metric]:
        for metric in self.registry.collect():
            # Drop the creation times: all counters start with the server.
            metric.samples = [
                sample for sample in metric.samples if not sample.name.endswith("_created")
            ]
            yield metric
        health, (_, is_served) = self.health, self.current.latest()
        gauge, counter = GaugeMetricFamily, CounterMetricFamily
        yield gauge("kg_queue_length", "Queries waiting for a worker.", health.waiting)
        yield gauge("kg_queries_running", "Queries being evaluated.", health.running)
        yield gauge("kg_workers", "Worker processes.", health.workers)
        restarts = "Worker and loader processes replaced."
        yield counter("kg_worker_restarts", restarts, health.restarts)
        memory = gauge(
            "kg_memory_bytes",
            "Resident memory; shared pages count for each process.",
            labels=["process"],
        )
        yield with_values(memory, {"web": resident(os.getpid()), **health.memory})
        reloads = counter("kg_reloads", "Reloads of the files, by outcome.", labels=["outcome"])
        yield with_values(reloads, self.current.readings)
        yield gauge(
            "kg_files_refused",
            "1 if the newest files have errors and are not served.",
            not is_served,
        )
        since = datetime.fromisoformat(self.current.since).timestamp()
        yield gauge(
            "kg_served_since_seconds", "Unix time since which the current state is served.", since
        )
        left_out = "Log lines dropped because the reader was too slow."
        yield counter("kg_log_lines_dropped", left_out, self.dropped)


def with_values(
    metric: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, int]
) -> Metric:
    for label, value in values.items():
        metric.add_metric([label], value)
    return metric
