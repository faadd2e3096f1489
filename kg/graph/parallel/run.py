"""The parameters of one run over a site, besides its files: for a check, a build or a server."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kg.files.cache import Cache
from kg.graph.parallel.executor import Progress, WorkerConfig


@dataclass(frozen=True)
class Run:
    """Parameters of a run. `today` is the date (2026-11-15); without it, rules about the present
    are skipped. `previous` is the list of addresses of an earlier build, none of which may be
    missing. `workers` are the processes for large sites. `cache` has the results of earlier runs
    (default: none).
    """

    today: str = ""
    previous: Path | None = None
    workers: WorkerConfig = field(default_factory=WorkerConfig)
    cache: Cache = field(default_factory=Cache)

    @property
    def day(self) -> datetime.date | None:
        return datetime.date.fromisoformat(self.today) if self.today else None

    def counted_by(self, counting: Callable[[str], Progress]) -> Run:
        """The same run with a progress display."""
        return replace(self, workers=replace(self.workers, counting=counting))
