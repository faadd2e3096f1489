"""A small thread pool for long work, shared fairly among clients, with a deadline for each task."""

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

MAX_THREADS = 2  # one more than a single client can occupy
T = TypeVar("T")
Checkpoint = Callable[[], None]


class FairThreads:
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
