"""One run over a site: what a check, a build or a server is given besides the files."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kg.files.cache import Cache
from kg.graph.parallel.executor import Progress, WorkerConfig


@dataclass(frozen=True)
class Run:
    """Without a day (2026-11-15) the rules about the present are left out. `previous` is the list
    of addresses of an earlier build, of which none may be missing. `workers` are the processes that
    map and judge a large site. The `cache` has the results of earlier runs; by default, of none.
    """

    today: str = ""
    previous: Path | None = None
    workers: WorkerConfig = field(default_factory=WorkerConfig)
    cache: Cache = field(default_factory=Cache)

    @property
    def day(self) -> datetime.date | None:
        return datetime.date.fromisoformat(self.today) if self.today else None

    def counted_by(self, counting: Callable[[str], Progress]) -> Run:
        """The same run; `counting` shows how far it is."""
        return replace(self, workers=replace(self.workers, counting=counting))
