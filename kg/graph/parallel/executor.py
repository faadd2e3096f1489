"""Executors for parallel work: processes of this machine, a Dask cluster, or this process alone,
all as `concurrent.futures`.

Most work is a pure function of a task that can be pickled, and runs in fresh processes. Work on a
graph in this process runs in forks of it (`map_forked`), which share the graph. A task can run
twice: if a process is killed, its unfinished tasks are started again.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from socket import create_connection
from typing import TYPE_CHECKING, Any, TypeVar

from kg.errors import KgError
from kg.sparql.limits import cores

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]
MAX_LOSSES = 3  # processes lost in a row before giving up
SCHEDULER_TIMEOUT = 4  # seconds to connect to a Dask scheduler
FEWEST = 100  # items that are worth a fork
PORTION_SIZE = 8  # items per task of a fork
TASKS_PER_PROCESS = 2  # tasks per process: one running, one waiting
WORKERS_LOST = (
    "A worker process ended unexpectedly, and so did its replacements. Free some memory, or use "
    "fewer processes."
)
# The threads of a Dask worker take turns: libraries that we use require it, and Python would not
# run them in parallel anyway.
WORKER_LOCK = threading.Lock()
forked_work: Callable[[Any], object] | None = None  # set in a fork


def silent(done: int, total: int) -> None:
    """Ignores progress."""


@dataclass(frozen=True)
class WorkerConfig:
    """The number of processes (default: one per core), or the address of a cluster. `counting`
    displays progress.
    """

    jobs: int = 0
    cluster: str = ""
    counting: Callable[[str], Progress] = lambda what: silent

    @property
    def size(self) -> int:
        return self.jobs or cores()

    @contextmanager
    def at_work(self) -> Iterator[Workers | None]:
        """The workers, or None if this process does everything. They are always shut down."""
        if self.cluster:
            with cluster(self.cluster) as client:
                threads = sum(client.nthreads().values())
                yield Workers(
                    lambda: client.get_executor(retries=MAX_LOSSES), threads, self.counting
                )
            return
        with Workers(lambda: ProcessPool(self.size, "spawn"), self.size, self.counting) as workers:
            yield workers if self.size > 1 else None


class ProcessPool(ProcessPoolExecutor):
    """A pool of fresh processes (`spawn`), which use little memory, or of copies of this one
    (`fork`), which all do the same work.
    """

    def __init__(
        self, number: int, method: str, work: Callable[[Any], object] | None = None
    ) -> None:
        context = get_context(method)
        ended, self.end = context.Pipe(duplex=False)
        super().__init__(number, context, begin_process, (work, ended))

    def kill(self) -> None:
        """Ends the processes immediately, whatever they are doing."""
        self.end.send_bytes(b"end")  # never read, so that all of them see it


class Workers:
    """An executor that starts on first use and is replaced when it breaks. If an exception ends its
    use, running tasks are not waited for.
    """

    def __init__(
        self,
        start: Callable[[], Executor],
        size: int,
        counting: Callable[[str], Progress] = lambda what: silent,
    ) -> None:
        self.start, self.size, self.counting = start, size, counting
        self.executor: Executor | None = None

    def each(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The result of each task, in order. Few tasks are in progress at a time, so they can be
        generated lazily.
        """
        under_way: deque[tuple[Task, Future[Result]]] = deque()
        for task in tasks:
            under_way.append((task, self.begin(work, task)))
            if len(under_way) >= TASKS_PER_PROCESS * self.size:
                yield self.result(work, under_way)
        while under_way:
            yield self.result(work, under_way)

    def begin(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        self.executor = self.executor or self.start()
        try:
            return self.executor.submit(run_locked, work, task)
        except BrokenProcessPool as error:
            lost: Future[Result] = Future()
            lost.set_exception(error)
            return lost

    def result(
        self, work: Callable[[Task], Result], under_way: deque[tuple[Task, Future[Result]]]
    ) -> Result:
        """The result of the first task. If its process was lost, all tasks in progress are started
        again.
        """
        for _ in range(MAX_LOSSES):
            try:
                found = under_way[0][1].result()
            except BrokenProcessPool:
                self.close()
                tasks = [task for task, _ in under_way]
                under_way.clear()
                under_way.extend((task, self.begin(work, task)) for task in tasks)
            else:
                under_way.popleft()
                return found
        raise KgError(WORKERS_LOST)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind and isinstance(self.executor, ProcessPool):
            self.executor.kill()
        self.close()

    def close(self) -> None:
        if self.executor:
            self.executor.shutdown(cancel_futures=True)
            self.executor = None


def run_locked(work: Callable[[Task], Result], task: Task) -> Result:
    with WORKER_LOCK:
        return work(task)


def map_forked(
    work: Callable[[Task], Result], things: Sequence[Task], jobs: int
) -> Iterator[Result]:
    """The result for each item, in order, computed by forks of this process."""
    if jobs < 2 or len(things) < FEWEST or sys.platform != "linux":
        yield from map(work, things)
        return
    portions = (
        things[start : start + PORTION_SIZE] for start in range(0, len(things), PORTION_SIZE)
    )
    with Workers(lambda: ProcessPool(jobs, "fork", work), jobs) as workers:
        for results in workers.each(do_portion, portions):
            yield from results


def do_portion(things: Sequence[Any]) -> list[Any]:
    assert forked_work is not None  # noqa: S101
    return [forked_work(each) for each in things]


def begin_process(work: Callable[[Any], object] | None, ended: Connection) -> None:
    """Initialises a worker process: Ctrl-C is handled by the parent, which ends it, and it ends
    with the parent in any case.
    """
    global forked_work  # noqa: PLW0603 inherited by the fork, cannot be pickled
    forked_work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, args=(ended,), daemon=True).start()


def end_with_parent(ended: Connection) -> None:
    if parent := parent_process():
        connection.wait([parent.sentinel, ended])
        os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Client]:
    """A client of a Dask cluster, which itself reassigns the tasks of lost workers."""
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415
    except ImportError as error:
        raise KgError(
            "A cluster needs Dask. In a checkout of cv-kg, run: pip install '.[cluster]'"
        ) from error
    try:
        host, _, port = address.rpartition("/")[2].rpartition(":")
        create_connection((host, int(port)), SCHEDULER_TIMEOUT).close()  # Client retries for long
        client = Client(address, timeout=SCHEDULER_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise KgError(
            f"cannot reach a Dask scheduler at {address}. Start one with `dask scheduler`, or "
            "correct the address, such as tcp://10.0.0.5:8786."
        ) from error
    with client:
        if not client.nthreads():
            raise KgError(
                f"The Dask cluster at {address} has no workers. Start some with: dask worker "
                f"{address}"
            )
        try:
            yield client
        except KilledWorker as error:
            raise KgError(f"{WORKERS_LOST} ({error})") from error
