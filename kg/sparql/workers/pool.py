"""Worker processes over one graph, as many as are wanted: what was ended, by us or by somebody
else, is there again.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from kg.errors import BadQuery, KgError, QueryCrashed, WrongForm
from kg.sparql.workers.limits import Limits
from kg.sparql.workers.loader import Loader, Worker

EVERY = 0.5  # seconds
RESTARTED = "The query engine was restarted. Try again."


class Lost(Exception):
    """A worker was ended by somebody else, with the query it had."""


class Pool:
    def __init__(self, base: str, nquads: Sequence[bytes], limits: Limits, union: bool) -> None:
        self.base, self.nquads, self.limits, self.union = base, nquads, limits, union
        self.lock, self.mending = threading.Lock(), threading.Lock()
        self.closing = threading.Event()
        self.restarts = 0
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.load()
        threading.Thread(target=self.keep, name="keeper", daemon=True).start()

    def load(self) -> None:
        """Begins with a new loader and new workers."""
        loader = Loader(self.base, self.nquads, self.limits.memory, self.union)
        try:
            workers = [loader.fork() for _ in range(self.limits.workers)]
        except (OSError, ValueError) as error:
            loader.close()
            raise KgError(
                "The process that holds the graph ended as soon as it was started. Is there "
                "enough memory?"
            ) from error
        with self.lock:
            self.loader, self.idle, old = loader, workers, self.idle
        for worker in old:
            worker.wire.close()

    @contextmanager
    def held(self, worker: Worker) -> Iterator[None]:
        """What becomes of a worker after it was asked."""
        try:
            yield
        except (BadQuery, WrongForm):
            self.give(worker)
            raise
        except (
            BaseException
        ):  # the worker is gone, or still owes an answer that the next query must not get
            self.replace(worker)
            raise
        self.give(worker)

    def why(self, worker: Worker) -> Lost | QueryCrashed:
        """What became of a worker that hung up."""
        try:
            status = worker.loader.end(worker)
        except (OSError, ValueError):
            return Lost()
        if status == -signal.SIGKILL:
            return Lost()
        if status == -signal.SIGSEGV:
            return QueryCrashed("The query is nested too deeply for the engine.")
        return QueryCrashed("The query needed more memory than it may have.")

    def rested(self) -> Worker | None:
        """A worker that nobody asks, if there is one now."""
        with self.lock:
            if not self.idle:
                return None
            self.busy.add(worker := self.idle.pop())
            return worker

    def take(self) -> Worker:
        """A worker that nobody asks: there is one for each turn, or it has yet to be made, if need
        be by another loader.
        """
        for _ in range(2):
            loader = self.loader
            try:
                worker = self.rested() or loader.fork()
            except (OSError, ValueError):
                self.mend(loader)
                continue
            with self.lock:
                self.busy.add(worker)
            return worker
        raise QueryCrashed(RESTARTED)

    def bury(self) -> None:
        """Replaces workers that ended while nobody asked them: their channel has something to say,
        that it is closed.
        """
        with self.lock:
            dead = [worker for worker in self.idle if worker.wire.is_closed]
            self.idle = [worker for worker in self.idle if worker not in dead]
        for worker in dead:
            self.why(worker)
            self.replace(worker)

    def give(self, worker: Worker) -> None:
        with self.lock:
            self.busy.discard(worker)
            others = len(self.idle) + sum(each.loader is self.loader for each in self.busy)
            if worker.loader is self.loader and others < self.limits.workers:
                self.idle.append(worker)
                return
        self.why(worker)  # ends it

    def replace(self, worker: Worker) -> None:
        worker.wire.close()
        with self.lock:
            self.busy.discard(worker)
            self.restarts += 1
        try:
            fresh = worker.loader.fork()
        except (OSError, ValueError):
            with suppress(QueryCrashed):
                self.mend(
                    worker.loader
                    # now, for its other workers are about to die too, and who asks again would get
                    # one of them
                )
            return
        self.give(fresh)

    def mend(self, loader: Loader) -> None:
        """Puts another loader in the place of one that is gone."""
        with self.mending:
            if self.loader is not loader or self.closing.is_set():
                return
            loader.close()
            try:
                self.load()
            except (KgError, OSError) as error:
                raise QueryCrashed(RESTARTED) from error
            with self.lock:
                self.restarts += 1

    def keep(self) -> None:
        """Sees to it, for as long as the pool lives, that what was ended from outside is there
        again before it is missed.
        """
        while not self.closing.wait(EVERY):
            loader = self.loader
            if loader.process.poll() is None:
                self.bury()
            else:
                with suppress(QueryCrashed):
                    self.mend(loader)

    def workers(self) -> tuple[list[int], int]:
        """Their processes, and how many were replaced."""
        with self.lock:
            return [worker.pid for worker in (*self.idle, *self.busy)], self.restarts

    def close(self) -> None:
        self.closing.set()
        with self.mending, self.lock:
            for worker in self.idle:
                worker.wire.close()
            self.idle = []
        self.loader.close()


def resident(pid: int) -> int:
    """Bytes of memory a process has, shared ones included; 0 where it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next(
        (int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS:")),
        0,
    )
