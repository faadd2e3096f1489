"""The cost of one query, and how many run at once."""

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
    # one more than one client can have
    workers: int = field(default_factory=lambda: max(cores(), 2) + 1)
    waiting: int = 256  # queries that wait for a worker
    patience: float = 10.0  # seconds for which they do
    cache: int = 64 * 1024 * 1024  # bytes of cached answers

    def seconds(self, query: Query) -> float:
        """The time that a query may take: less than the deadline where its client says so."""
        return min(query.timeout or self.deadline, self.deadline)

    @property
    def words(self) -> str:
        return (
            f"A query may take {self.deadline:g} seconds, and its answer "
            f"{self.answer / 1024 / 1024:g} MB."
        )
