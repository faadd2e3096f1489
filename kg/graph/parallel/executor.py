"""Executors: other processes of this machine, a Dask cluster, or this process alone, all of them
`concurrent.futures`.

Most work is a pure function of a task that can be pickled, and is done by processes that begin from
nothing. Work on a graph that this process holds is done by forks of it (`map_forked`), which get
the graph with the fork. A task may be done twice: where a process is killed, what it had not
finished is begun again by others.
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
from typing import TYPE_CHECKING, Any, TypeVar

from kg.errors import KgError
from kg.sparql.limits import cores

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]
MOST_LOSSES = 3  # of processes, one after the other, before we give up
PATIENCE = "10s"  # with a scheduler that does not answer
FEWEST = 100  # things that are worth a fork
PORTION = 8  # things that a fork gets at once
AHEAD = 2  # tasks for each process: one it does, and one that waits for it
LOST = (
    "A process that was at work for this one has ended, and so did those in its place. Is there "
    "enough memory?"
)
# The threads of a Dask worker take turns: libraries below us count on it, and Python would not let
# them run at once.
AT_WORK = threading.Lock()
forked_work: Callable[[Any], object] | None = None  # in a fork: what it does


def silent(done: int, total: int) -> None:
    """Shows no progress."""


@dataclass(frozen=True)
class WorkerConfig:
    """How many processes there may be, or the address of a cluster; by default a process for each
    core. `counting` shows how far a kind of work is.
    """

    jobs: int = 0
    cluster: str = ""
    counting: Callable[[str], Progress] = lambda what: silent

    @property
    def size(self) -> int:
        return self.jobs or cores()

    @contextmanager
    def at_work(self) -> Iterator[Workers | None]:
        """The workers, or None where this process does all. They are ended in any case."""
        if self.cluster:
            with cluster(self.cluster) as client:
                threads = sum(client.nthreads().values())
                yield Workers(
                    lambda: client.get_executor(retries=MOST_LOSSES), threads, self.counting
                )
            return
        with Workers(lambda: ProcessPool(self.size, "spawn"), self.size, self.counting) as workers:
            yield workers if self.size > 1 else None


class ProcessPool(ProcessPoolExecutor):
    """Processes that begin from nothing (`spawn`), so that they hold no more than they need, or
    from what this one holds (`fork`), where all do the same work.
    """

    def __init__(
        self, number: int, method: str, work: Callable[[Any], object] | None = None
    ) -> None:
        context = get_context(method)
        ended, self.end = context.Pipe(duplex=False)
        super().__init__(number, context, begin_process, (work, ended))

    def kill(self) -> None:
        """Ends the processes at once, whatever they are doing."""
        self.end.send_bytes(b"end")  # nobody reads it, so that all of them see it


class Workers:
    """An executor that starts when it is first needed, and is replaced when it breaks. What is
    under way when an exception ends its use is not waited for.
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
        """What the work makes of each task, in their order. Few are under way at a time, so tasks
        may be made as they are needed.
        """
        under_way: deque[tuple[Task, Future[Result]]] = deque()
        for task in tasks:
            under_way.append((task, self.begin(work, task)))
            if len(under_way) >= AHEAD * self.size:
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
        """What comes of the first task. Where its process was lost, all that are under way begin
        again.
        """
        for _ in range(MOST_LOSSES):
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
        raise KgError(LOST)

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
    with AT_WORK:
        return work(task)


def map_forked(
    work: Callable[[Task], Result], things: Sequence[Task], jobs: int
) -> Iterator[Result]:
    """What the work makes of each thing, in their order, by forks of this process."""
    if jobs < 2 or len(things) < FEWEST or sys.platform != "linux":
        yield from map(work, things)
        return
    portions = (things[start : start + PORTION] for start in range(0, len(things), PORTION))
    with Workers(lambda: ProcessPool(jobs, "fork", work), jobs) as workers:
        for results in workers.each(do_portion, portions):
            yield from results


def do_portion(things: Sequence[Any]) -> list[Any]:
    assert forked_work is not None  # noqa: S101
    return [forked_work(each) for each in things]


def begin_process(work: Callable[[Any], object] | None, ended: Connection) -> None:
    """In a new process: Ctrl-C is for its parent, which then ends it; it does not outlive that,
    however it ends.
    """
    global forked_work  # noqa: PLW0603  it came with the fork, and cannot be pickled
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
    """A Dask cluster. It gives what a lost worker had not finished to the others itself."""
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415
    except ImportError as error:
        raise KgError(
            "A cluster needs Dask. In a checkout of cv-kg, run: pip install '.[cluster]'"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise KgError(
            f"There is no Dask scheduler at {address}: {error} Start one with `dask "
            "scheduler`, or correct the address."
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
            raise KgError(f"{LOST} ({error})") from error
