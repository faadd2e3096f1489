"""Who does the work: other processes of this machine, a Dask cluster, or this process alone. All of
them are `concurrent.futures`.

A task is a function of values, and may be done twice: where a process is killed, what it had not
finished is begun again by others.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from kg.errors import KgError

Task = TypeVar("Task")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Tells nobody."""


MOST_LOSSES = 3  # of processes, one after the other, before we give up
PATIENCE = "10s"  # with a scheduler that does not answer
AHEAD = 2  # tasks for each process: one it does, and one that waits for it
LOST = (
    "A process that was at work for this one has ended, and so did those in its place. Is there "
    "enough memory?"
)
# The threads of a Dask worker take turns: libraries below us count on it, and Python would not let
# them run at once.
AT_WORK = threading.Lock()


@dataclass(frozen=True)
class Crew:
    """How many processes there may be, or the address of a cluster; by itself a process for each
    core.
    """

    jobs: int = 0
    cluster: str = ""
    counting: Callable[[str], Progress] = lambda what: silent  # who is told how far the work is

    @property
    def size(self) -> int:
        return self.jobs or os.cpu_count() or 1

    @property
    def alone(self) -> bool:
        return self.size == 1 and not self.cluster

    @contextmanager
    def at_work(self) -> Iterator[Workers | None]:
        """The workers, or None where this process does all. They are gone in the end, whatever
        happens.
        """
        if self.cluster:
            with on_cluster(self.cluster, self.counting) as workers:
                yield workers
            return
        workers = Workers(
            lambda: processes(self.size), self.size, self.counting, cancel_futures=True
        )
        try:
            yield None if self.alone else workers
        finally:
            workers.close()


class Workers:
    """An executor that is made when it is first needed, and made anew when it breaks."""

    def __init__(
        self,
        make: Callable[[], Executor],
        size: int,
        counting: Callable[[str], Progress],
        **at_end: bool,
    ) -> None:
        self.make, self.size, self.counting, self.at_end = make, size, counting, at_end
        self.executor: Executor | None = None
        self.lock = threading.Lock()

    def each(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """What the work makes of each task, in their order. Few are under way at a time, so tasks
        may be made as they are needed.
        """
        under_way: deque[tuple[Task, Executor, Future[Result]]] = deque()
        for task in tasks:
            under_way.append((task, *self.begin(work, task)))
            if len(under_way) >= AHEAD * self.size:
                yield self.result(work, under_way)
        while under_way:
            yield self.result(work, under_way)

    def result(
        self,
        work: Callable[[Task], Result],
        under_way: deque[tuple[Task, Executor, Future[Result]]],
    ) -> Result:
        """What comes of the first task. Where its process was lost, all that are under way begin
        again.
        """
        for _ in range(MOST_LOSSES):
            task, executor, future = under_way.popleft()
            try:
                return future.result()
            except BrokenProcessPool:
                self.replace(executor)
                again = [task, *(other for other, _, _ in under_way)]
                under_way.clear()
                under_way.extend((each, *self.begin(work, each)) for each in again)
        raise KgError(LOST)

    def begin(self, work: Callable[[Task], Result], task: Task) -> tuple[Executor, Future[Result]]:
        for _ in range(MOST_LOSSES):
            with self.lock:
                executor = self.executor = self.executor or self.make()
            try:
                return executor, executor.submit(in_turn, work, task)
            except BrokenProcessPool:
                self.replace(executor)
        raise KgError(LOST)

    def replace(self, broken: Executor) -> None:
        with self.lock:
            if self.executor is broken:
                self.executor = None
        broken.shutdown(wait=False)

    def close(self) -> None:
        if self.executor:
            self.executor.shutdown(**self.at_end)


def in_turn(work: Callable[[Task], Result], task: Task) -> Result:
    with AT_WORK:
        return work(task)


def processes(number: int) -> Executor:
    """Processes that begin from nothing, so that they hold no more than they need."""
    return ProcessPoolExecutor(number, mp_context=get_context("spawn"), initializer=begun)


def begun() -> None:
    """Ctrl-C is for the parent, which then ends its processes; and none outlives it, however it
    ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def on_cluster(address: str, counting: Callable[[str], Progress]) -> Iterator[Workers]:
    """The workers of a Dask cluster. It gives what a lost one had not finished to the others
    itself.
    """
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415
    except ImportError as error:
        raise KgError(
            "A cluster needs Dask. Install it with: pip install 'cv-kg[cluster]'"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise KgError(
            f"There is no Dask scheduler at {address}: {error} Start one with `dask "
            "scheduler`, or correct the address."
        ) from error
    with client:
        cores = sum(client.nthreads().values())
        if not cores:
            raise KgError(
                f"The Dask cluster at {address} has no workers. Start some with: dask worker "
                f"{address}"
            )
        workers = Workers(
            lambda: client.get_executor(retries=MOST_LOSSES), cores, counting, wait=False
        )
        try:
            yield workers
        except KilledWorker as error:
            raise KgError(f"{LOST} ({error})") from error
        finally:
            workers.close()
