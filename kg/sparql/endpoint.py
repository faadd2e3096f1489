"""The endpoint: evaluates queries with pyoxigraph in worker processes that can be killed.

pyoxigraph has no timeout, and some queries crash their process. So a loader forks workers that hold
the graph. If a query misses its deadline or its client disconnects, its worker is killed and a new
one is forked within milliseconds. Workers and loaders that die otherwise are replaced as well, and
their query is retried: the client notices nothing.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from kg.errors import BadQuery, QueryCrashed, QueryTimeout, WrongForm
from kg.sparql.limits import Limits
from kg.sparql.reading import guard
from kg.sparql.workers.fair_queue import FairQueue
from kg.sparql.workers.pool import RESTARTED, Lines, Pool, Worker, WorkerLost, resident
from kg.sparql.workers.wire import encode_query
from kg.store.protocol import Answer, Health, Query
from kg.vocab import apart

MAX_ATTEMPTS = 5  # for a query whose worker was killed from outside, or that finds no worker


class Endpoint(ABC):
    """A graph that answers queries, here or on another server. `union`: its default graph is the
    union of all graphs except those in `apart`.
    """

    union: bool
    apart: tuple[str, ...] = ()
    limits: Limits

    @abstractmethod
    async def ask(self, query: Query) -> Answer:
        """Raises QueryError if there is no answer. Cancelling the task cancels the evaluation."""

    @abstractmethod
    def health(self) -> Health: ...

    @abstractmethod
    def close(self) -> None: ...


class Embedded(Endpoint):
    """A pool of workers over one graph, with a fair queue in front."""

    def __init__(
        self,
        base: str,
        lines: Lines,
        limits: Limits | None = None,
        union: bool = True,
    ) -> None:
        """`lines` are those of a merged graph, or of a site with its facts apart from the rest."""
        self.union, self.apart = union, apart(base) if callable(lines) else ()
        self.limits = limits or Limits()
        self.queue = FairQueue(self.limits.workers, self.limits.waiting, self.limits.patience)
        self.pool = Pool(base, lines, self.limits, union)

    async def ask(self, query: Query) -> Answer:
        guard.measure(query.text)
        seconds = self.limits.seconds(query)
        message = encode_query(query, self.limits.answer)
        await self.queue.enter(query.client)
        try:
            return await self.attempts(message, seconds)
        finally:
            self.queue.leave(query.client)

    async def attempts(self, message: bytes, seconds: float) -> Answer:
        until = asyncio.get_running_loop().time() + seconds
        for _ in range(MAX_ATTEMPTS):
            worker = self.pool.pop()
            if worker is None:
                await asyncio.to_thread(self.pool.add, self.pool.loader)
                continue
            try:
                return await self.attempt(worker, message, until)
            except WorkerLost:
                await asyncio.to_thread(self.pool.replace_dead)
            except TimeoutError as error:
                raise QueryTimeout(
                    f"The query took longer than {seconds:g} s and was stopped."
                ) from error
        raise QueryCrashed(RESTARTED)

    async def attempt(self, worker: Worker, message: bytes, until: float) -> Answer:
        try:
            await worker.wire.send(message)
            seconds = until - asyncio.get_running_loop().time()
            head, body = await worker.wire.receive(seconds)
        except TimeoutError:
            await asyncio.to_thread(self.pool.replace, worker)
            raise
        except (EOFError, OSError, ValueError) as error:
            raise await asyncio.to_thread(self.pool.replace, worker) from error
        except BaseException:  # the client has disconnected while the worker is busy
            await asyncio.to_thread(self.pool.replace, worker)
            raise
        self.pool.give(worker)
        if "bad" in head:
            raise BadQuery(head["bad"])
        if "form" in head:
            raise WrongForm(head["form"])
        return Answer(head["media_type"], body, head["is_lasting"], tuple(head["hints"]))

    def health(self) -> Health:
        with self.queue.lock:
            running, waiting = self.queue.running.total(), len(self.queue.waiting)
        workers, restarts = self.pool.workers()
        memory = {
            "loader": resident(self.pool.loader.process.pid),
            "workers": sum(map(resident, workers)),
        }
        return Health(len(workers), running, waiting, restarts, memory)

    def close(self) -> None:
        self.queue.close()
        self.pool.close()
