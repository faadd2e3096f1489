"""Threads for work that may take long: few run at once, shared fairly among clients
as the queries of the endpoint are, and each with a deadline.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kg.errors import QueryTimeout
from kg.sparql.limits import Limits
from kg.sparql.workers.fair_queue import FairQueue

PLACES = 2  # one more than one client can have
T = TypeVar("T")
Checkpoint = Callable[[], None]


class FairThreads:
    def __init__(self) -> None:
        limits = Limits()
        self.queue = FairQueue(PLACES, limits.waiting, limits.patience)
        self.threads = ThreadPoolExecutor(PLACES, "fair")

    async def run(self, client: str, seconds: float, work: Callable[[Checkpoint], T]) -> T:
        """The result of work that calls the checkpoint often. Raises QueryBusy where too many
        wait, QueryTimeout where it takes longer than it may.
        """
        await self.queue.enter(client)
        until, is_over = time.monotonic() + seconds, threading.Event()

        def checkpoint() -> None:
            if is_over.is_set() or time.monotonic() > until:
                raise QueryTimeout(
                    f"This took longer than {seconds:g} seconds and was stopped. Send fewer "
                    "queries at once."
                )

        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.threads, work, checkpoint)
        finally:
            is_over.set()  # where the client has gone, the thread stops at its next checkpoint
            self.queue.leave(client)

    def close(self) -> None:
        self.queue.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
