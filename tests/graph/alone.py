"""An executor that does everything in this process, at once, and a crew of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from kg.graph.parallel.executor import WorkerConfig, Workers


class Alone(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class AloneWorkers(WorkerConfig):
    @contextmanager
    def at_work(self) -> Iterator[Workers | None]:
        yield Workers(Alone, 1)
