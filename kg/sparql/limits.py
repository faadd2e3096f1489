"""Limits of the endpoint: cost of a query, concurrency, cache size."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from kg.store.protocol import Query


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Limits:
    deadline: float = 10.0  # seconds
    memory: int = 512 * 1024 * 1024  # bytes beyond the graph itself
    answer: int = 32 * 1024 * 1024  # bytes of a result
    # one more than a single client can occupy
    workers: int = field(default_factory=lambda: max(cores(), 2) + 1)
    waiting: int = 256  # maximum number of queries waiting for a worker
    patience: float = 10.0  # maximum seconds that a query waits for a worker
    cache: int = 64 * 1024 * 1024  # bytes of cached answers

    def seconds(self, query: Query) -> float:
        """The time limit of a query: the deadline, or less if the client asks for less."""
        return min(query.timeout or self.deadline, self.deadline)

    @property
    def words(self) -> str:
        return (
            f"Limits: {self.deadline:g} s per query, {self.answer / 1024 / 1024:g} MB per answer."
        )
