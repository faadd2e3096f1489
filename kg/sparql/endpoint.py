"""pyoxigraph in killable workers: the one way a stranger's query is evaluated.

pyoxigraph has no timeout, and some queries end the process that runs them. So a loader forks
workers that hold the graph; a query that misses its deadline, or whose client has gone, costs its
worker's life, and another is forked in milliseconds. A worker or loader that was ended by somebody
else is replaced too, and its query tried again: the client notices nothing.
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
from kg.vocab import pages_graph

TRIES = 5  # of a query whose worker is ended by somebody else, or for which there is none


class Endpoint(ABC):
    """A graph for everybody's queries, wherever it is. `union`: whether its default graph is the
    union of all graphs but those `apart`.
    """

    union: bool
    apart: tuple[str, ...] = ()
    limits: Limits

    @abstractmethod
    async def ask(self, query: Query) -> Answer:
        """Raises a QueryError where there is no answer. When the task is cancelled, so is the
        evaluation.
        """

    @abstractmethod
    def health(self) -> Health: ...

    @abstractmethod
    def close(self) -> None: ...


class Embedded(Endpoint):
    """A pool of workers over one graph, and the queue in front of it."""

    def __init__(
        self,
        base: str,
        nquads: Lines,
        limits: Limits | None = None,
        union: bool = True,
        pages: bytes = b"",
    ) -> None:
        """`pages` are only for queries that name their graph."""
        self.union, self.apart = union, (pages_graph(base),) if pages else ()
        self.limits = limits or Limits()
        self.queue = FairQueue(self.limits.workers, self.limits.waiting, self.limits.patience)
        self.pool = Pool(base, nquads, self.limits, union, pages)

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
        for _ in range(TRIES):
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
        except BaseException:  # the client has gone, and the worker still owes its answer
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
