"""pyoxigraph in killable workers: the one way a stranger's query is evaluated.

pyoxigraph has no timeout, and some queries end the process that runs them. So a loader forks workers that hold the graph; a query
that misses its deadline costs its worker's life, and another is forked in milliseconds. A worker or loader that was ended by somebody
else is replaced too, and its query asked again: who asks notices nothing.
"""

from __future__ import annotations

import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from kg.engine import guard
from kg.engine.limits import Limits
from kg.engine.loader import Loader, Worker
from kg.engine.store import Answer, Graphs, Health, Wanted
from kg.engine.turns import Turns
from kg.errors import BadQuery, KgError, QueryCrashed, QueryTimeout, WrongForm

EVERY = 0.5  # seconds
TRIES = 3  # of a query whose worker is ended by somebody else
RESTARTED = "The query engine was restarted. Try again."


class Lost(Exception):
    """A worker was ended by somebody else, with the query it had."""


class Embedded:
    """A pool of workers over one graph."""

    def __init__(self, base: str, nquads: bytes, limits: Limits | None = None, union: bool = True) -> None:
        self.base, self.nquads, self.union = base, nquads, union
        self.limits = limits or Limits()
        self.turns = Turns(self.limits.workers, self.limits.waiting, self.limits.patience)
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
            raise KgError("The process that holds the graph ended as soon as it was started. Is there enough memory?") from error
        with self.lock:
            self.loader, self.idle, old = loader, workers, self.idle
        for worker in old:
            worker.wire.close()

    def answer(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        guard.measure(query)
        seconds = min(timeout or self.limits.deadline, self.limits.deadline)
        most = self.limits.answer
        request = {
            "query": query,
            "table": wanted.table,
            "graph": wanted.graph,
            "default": graphs.default,
            "named": graphs.named,
            "most": most,
            "is_checked": False,  # so the worker does it; only a test of what lies behind the guard says otherwise
        }
        with self.turns.turn(client):
            until = time.monotonic() + seconds
            for _ in range(TRIES):
                try:
                    return self.attempt(request, seconds, until)
                except Lost:
                    self.bury()
            raise QueryCrashed(RESTARTED)

    def attempt(self, request: dict[str, Any], seconds: float, until: float) -> Answer:
        worker = self.take()
        try:
            answer = self.ask(worker, request, seconds, until)
        except (BadQuery, WrongForm):
            self.give(worker)
            raise
        except BaseException:  # the worker is gone, or still owes an answer that the next query must not get
            self.replace(worker)
            raise
        self.give(worker)
        return answer

    def ask(self, worker: Worker, request: dict[str, Any], seconds: float, until: float) -> Answer:
        try:
            worker.wire.send(request)
            head, body = worker.wire.receive(until)
        except TimeoutError as error:
            with suppress(OSError, ValueError):
                worker.loader.end(worker)
            raise QueryTimeout(f"The query took longer than {seconds:g} seconds and was stopped.") from error
        except (EOFError, OSError, ValueError) as error:
            raise self.why(worker) from error
        if "bad" in head:
            raise BadQuery(head["bad"])
        if "form" in head:
            raise WrongForm(head["form"])
        return Answer(head["media_type"], body, head["is_lasting"], tuple(head["hints"]))

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

    def take(self) -> Worker:
        """A worker that nobody asks: there is one for each turn, or it has yet to be made, if need be by another loader."""
        for _ in range(2):
            loader = self.loader
            with self.lock:
                worker = self.idle.pop() if self.idle else None
            try:
                worker = worker or loader.fork()
            except (OSError, ValueError):
                self.mend(loader)
                continue
            with self.lock:
                self.busy.add(worker)
            return worker
        raise QueryCrashed(RESTARTED)

    def bury(self) -> None:
        """Replaces workers that ended while nobody asked them: their channel has something to say, that it is closed."""
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
                self.mend(worker.loader)  # now, for its other workers are about to die too, and who asks again would get one of them
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
        """Sees to it, for as long as the pool lives, that what was ended from outside is there again before it is missed."""
        while not self.closing.wait(EVERY):
            loader = self.loader
            if loader.process.poll() is None:
                self.bury()
            else:
                with suppress(QueryCrashed):
                    self.mend(loader)

    def health(self) -> Health:
        with self.lock:
            workers = [worker.pid for worker in (*self.idle, *self.busy)]
            restarts = self.restarts
        with self.turns.lock:
            running, waiting = self.turns.running.total(), len(self.turns.waiting)
        memory = {"loader": resident(self.loader.process.pid), "workers": sum(map(resident, workers))}
        return Health(len(workers), running, waiting, restarts, memory)

    def close(self) -> None:
        self.closing.set()
        self.turns.close()
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
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS:")), 0)
