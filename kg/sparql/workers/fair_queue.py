"""A fair queue in front of the workers: a limited number of queries run, others wait, and no client
can starve another.

One client never gets all slots, so a slot is free, or soon will be, for the next client. A freed
slot goes to the client with the fewest running queries. When the queue is full, the client with the
most waiting queries loses its last one.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from kg.errors import QueryBusy, QueryTimeout
from kg.sparql.limits import Limits

BUSY = "The endpoint is busy. Try again in a moment."


@dataclass(eq=False, slots=True)
class Ticket:
    """A waiting query. `called` becomes True when it gets a slot, and False when it is rejected."""

    client: str
    called: Future[bool] = field(default_factory=Future)


class FairQueue:
    """Can be used from several event loops."""

    def __init__(self, places: int, most_waiting: int, patience: float) -> None:
        self.places, self.most_waiting, self.patience = places, most_waiting, patience
        self.share = max(places - 1, 1)  # maximum slots of one client
        self.lock = threading.Lock()
        self.running: Counter[str] = Counter()
        self.waiting: list[Ticket] = []
        self.is_closed = False

    async def enter(self, client: str) -> None:
        """Waits for a slot, which `leave` frees. Raises QueryBusy if the queue is full or the wait
        too long.
        """
        with self.lock:
            if not self.is_closed and not self.waiting and self.has_place(client):
                self.running[client] += 1
                return
            ticket = Ticket(client)
            self.make_room(client)
            self.waiting.append(ticket)
            self.call()
        try:
            await asyncio.wait([asyncio.wrap_future(ticket.called)], timeout=self.patience)
        except asyncio.CancelledError:
            if self.withdraw(ticket):
                self.leave(client)
            raise
        if not self.withdraw(ticket):
            raise QueryBusy(BUSY)

    def leave(self, client: str) -> None:
        with self.lock:
            self.running[client] -= 1
            if not self.running[client]:
                del self.running[client]
            if self.waiting:
                self.call()

    def has_place(self, client: str) -> bool:
        return self.running.total() < self.places and self.running[client] < self.share

    def withdraw(self, ticket: Ticket) -> bool:
        """Stops waiting; returns whether the ticket got a slot."""
        with self.lock:
            if not ticket.called.done():
                self.dismiss(ticket)
            return ticket.called.result()

    def make_room(self, client: str) -> None:
        """Makes room for one more waiting query of a client."""
        if self.is_closed:
            raise QueryBusy(BUSY)
        if len(self.waiting) < self.most_waiting:
            return
        counts = Counter(ticket.client for ticket in self.waiting)
        greediest, most = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if most <= counts[client] + 1:
            raise QueryBusy(BUSY)
        last = next(ticket for ticket in reversed(self.waiting) if ticket.client == greediest)
        self.dismiss(last)

    def dismiss(self, ticket: Ticket) -> None:
        self.waiting.remove(ticket)
        ticket.called.set_result(False)

    def call(self) -> None:
        """Starts waiting queries as long as slots are free."""
        while allowed := [ticket for ticket in self.waiting if self.has_place(ticket.client)]:
            first = min(
                allowed, key=lambda ticket: self.running[ticket.client]
            )  # ties: first come, first served
            self.waiting.remove(first)
            self.running[first.client] += 1
            first.called.set_result(True)

    def close(self) -> None:
        """Rejects all waiting queries and all further ones."""
        with self.lock:
            self.is_closed = True
            for ticket in list(self.waiting):
                self.dismiss(ticket)


MAX_THREADS = 2  # one more than a single client can occupy


T = TypeVar("T")


Checkpoint = Callable[[], None]


class FairThreads:
    """A small thread pool for long work, shared fairly among clients, with a deadline per task."""

    def __init__(self) -> None:
        limits = Limits()
        self.queue = FairQueue(MAX_THREADS, limits.waiting, limits.patience)
        self.threads = ThreadPoolExecutor(MAX_THREADS, "fair")

    async def run(self, client: str, seconds: float, work: Callable[[Checkpoint], T]) -> T:
        """Runs `work`, which must call its checkpoint often. Raises QueryBusy if too many tasks
        wait, and QueryTimeout if this one takes too long.
        """
        await self.queue.enter(client)
        until, is_over = time.monotonic() + seconds, threading.Event()

        def checkpoint() -> None:
            if is_over.is_set() or time.monotonic() > until:
                raise QueryTimeout(
                    f"The request took longer than {seconds:g} s and was stopped. "
                    "Send fewer queries at once."
                )

        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.threads, work, checkpoint)
        finally:
            is_over.set()  # if the client has gone, the thread stops at its next checkpoint
            self.queue.leave(client)

    def close(self) -> None:
        self.queue.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
