"""Several processes that make documents. Each is a copy of this one, with the graph it has, so
nothing has to be handed over but addresses and what was made of them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from kg.errors import KgError

PR_SET_PDEATHSIG = 1
FEWEST = 100  # documents that are worth another process
PORTION = 8  # documents at once
T = TypeVar("T")
R = TypeVar("R")
work: Callable[[Any], object] | None = None  # in a process of the crew: what it does


def mapped(make: Callable[[T], R], things: Sequence[T], jobs: int) -> Iterator[R]:
    """What is made of the things, in their order."""
    if jobs < 2 or len(things) < FEWEST or sys.platform != "linux":
        yield from map(make, things)
        return
    with crew(make, jobs) as pool:
        waiting = iter(
            [things[start : start + PORTION] for start in range(0, len(things), PORTION)]
        )
        begun = [pool.submit(portion_made, portion) for portion in islice(waiting, 2 * jobs)]
        try:
            while begun:
                yield from begun.pop(0).result()  # type: ignore[misc]
                begun += [pool.submit(portion_made, portion) for portion in islice(waiting, 1)]
        except BrokenProcessPool as error:
            raise KgError(
                "A process that makes pages has ended. Is there enough memory?"
            ) from error


@contextmanager
def crew(make: Callable[[T], R], jobs: int) -> Iterator[ProcessPoolExecutor]:
    parent = os.getpid()
    pool = ProcessPoolExecutor(jobs, get_context("fork"), lambda: begin(make, parent))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def begin(make: Callable[[Any], object], parent: int) -> None:
    """In the new process. Ctrl-C is for its parent, without which it does not live."""
    global work  # noqa: PLW0603  it came with the copy, and cannot be sent
    work = make
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


def portion_made(portion: Sequence[object]) -> list[object]:
    assert work is not None  # noqa: S101
    return [work(each) for each in portion]


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
