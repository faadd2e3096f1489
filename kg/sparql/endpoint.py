"""pyoxigraph in killable workers: the one way a stranger's query is evaluated.

pyoxigraph has no timeout, and some queries end the process that runs them. So a loader forks
workers that hold the graph; a query that misses its deadline costs its worker's life, and another
is forked in milliseconds. A worker or loader that was ended by somebody else is replaced too, and
its query asked again: who asks notices nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from kg.errors import BadQuery, QueryCrashed, QueryTimeout, WrongForm
from kg.sparql.reading import guard
from kg.sparql.workers.fair_queue import Turns
from kg.sparql.workers.limits import Limits
from kg.sparql.workers.loader import Worker
from kg.sparql.workers.pool import RESTARTED, Lost, Pool, resident
from kg.sparql.workers.wire import is_whole
from kg.store.protocol import Answer, Graphs, Health, Wanted

TRIES = 3  # of a query whose worker is ended by somebody else


class Request(NamedTuple):
    """What a worker is sent, how long it may take, and until when."""

    head: bytes
    query: bytes
    seconds: float
    until: float


class Embedded:
    """A pool of workers over one graph."""

    def __init__(
        self,
        base: str,
        nquads: bytes | Sequence[bytes],
        limits: Limits | None = None,
        union: bool = True,
    ) -> None:
        self.union = union
        self.limits = limits or Limits()
        self.turns = Turns(self.limits.workers, self.limits.waiting, self.limits.patience)
        parts = [nquads] if isinstance(nquads, bytes) else nquads
        self.pool = Pool(base, parts, self.limits, union)

    def answer(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        request = self.request(query, wanted, graphs, timeout)
        with self.turns.turn(client):
            return self.attempts(request._replace(until=time.monotonic() + request.seconds))

    def begin(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Begun | None:
        request = self.request(query, wanted, graphs, timeout)
        if not self.turns.enter(client):
            return None
        worker = self.pool.rested()
        if worker is None:
            self.turns.leave(client)
            return None
        try:
            worker.wire.send(request.head, request.query)
        except OSError:  # it was ended; who asks in the ordinary way finds out
            self.pool.give(worker)
            self.turns.leave(client)
            return None
        return Begun(self, worker, client, request)

    def request(self, query: str, wanted: Wanted, graphs: Graphs, timeout: float | None) -> Request:
        guard.measure(query)
        seconds = min(timeout or self.limits.deadline, self.limits.deadline)
        head = (head_of if graphs else usual)(wanted, graphs, self.limits.answer)
        return Request(
            head, query.encode("utf-8", "surrogatepass"), seconds, time.monotonic() + seconds
        )

    def attempts(self, request: Request) -> Answer:
        for _ in range(TRIES):
            try:
                return self.attempt(request)
            except Lost:
                self.pool.bury()
        raise QueryCrashed(RESTARTED)

    def attempt(self, request: Request) -> Answer:
        worker = self.pool.take()
        with self.pool.held(worker):
            try:
                worker.wire.send(request.head, request.query)
            except OSError as error:
                raise self.pool.why(worker) from error
            return self.hear(worker, request)

    def hear(self, worker: Worker, request: Request, begun: bytes = b"") -> Answer:
        """The answer of a worker that was asked."""
        try:
            head, body = worker.wire.receive(request.until, begun)
        except TimeoutError as error:
            with suppress(OSError, ValueError):
                worker.loader.end(worker)
            raise QueryTimeout(
                f"The query took longer than {request.seconds:g} seconds and was stopped."
            ) from error
        except (EOFError, OSError, ValueError) as error:
            raise self.pool.why(worker) from error
        if "bad" in head:
            raise BadQuery(head["bad"])
        if "form" in head:
            raise WrongForm(head["form"])
        return Answer(head["media_type"], body, head["is_lasting"], tuple(head["hints"]))

    def health(self) -> Health:
        with self.turns.lock:
            running, waiting = self.turns.running.total(), len(self.turns.waiting)
        workers, restarts = self.pool.workers()
        memory = {
            "loader": resident(self.pool.loader.process.pid),
            "workers": sum(map(resident, workers)),
        }
        return Health(len(workers), running, waiting, restarts, memory)

    def close(self) -> None:
        self.turns.close()
        self.pool.close()


class Begun:
    """A query that a worker has; the place it takes is given up with its answer."""

    def __init__(self, asked: Embedded, worker: Worker, client: str, request: Request) -> None:
        self.asked, self.pool = asked, asked.pool
        self.worker, self.client, self.request = worker, client, request
        self.line = worker.wire.connection
        self.heard = b""

    def now(self) -> Answer | None:
        self.heard = self.worker.wire.glance()
        return self.wait() if is_whole(self.heard) else None

    def wait(self) -> Answer:
        try:
            with self.pool.held(self.worker):
                return self.asked.hear(self.worker, self.request, self.heard)
        except Lost:
            self.pool.bury()
            return self.asked.attempts(self.request)
        finally:
            self.asked.turns.leave(self.client)


def head_of(wanted: Wanted, graphs: Graphs, most: int, is_checked: bool = False) -> bytes:
    """What a worker is told beside the query: whether that was checked, otherwise the worker does
    it.
    """
    said = {
        "table": wanted.table,
        "graph": wanted.graph,
        "default": graphs.default,
        "named": graphs.named,
    }
    return json.dumps({**said, "most": most, "is_checked": is_checked}).encode()


usual = lru_cache(maxsize=64)(head_of)  # most ask for the same forms, and choose no graphs
