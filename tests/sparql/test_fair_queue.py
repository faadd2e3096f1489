"""The queue for workers: so many at once, so many waiting, and no client crowds out others."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from kg.errors import QueryBusy
from kg.sparql.workers.fair_queue import FairQueue

pytestmark = pytest.mark.process


@contextmanager
def place(queue: FairQueue, client: str) -> Iterator[None]:
    asyncio.run(queue.enter(client))
    try:
        yield
    finally:
        queue.leave(client)


class Client(threading.Thread):
    """Takes a place and keeps it until it may end."""

    def __init__(self, queue: FairQueue, name: str) -> None:
        super().__init__(name=name)
        self.queue = queue
        self.enough = threading.Event()
        self.state = "waiting"
        self.start()

    def run(self) -> None:
        try:
            with place(self.queue, self.name):
                self.state = "working"
                self.enough.wait(10)
            self.state = "done"
        except QueryBusy:
            self.state = "sent away"


def soon(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 5
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return condition()


def states(clients: list[Client], *expected: str) -> bool:
    return soon(lambda: [client.state for client in clients] == list(expected))


def begin(queue: FairQueue, *names: str) -> list[Client]:
    """Clients that come one after the other."""
    clients = []
    for name in names:
        before = (queue.running.total(), len(queue.waiting))
        client = Client(queue, name)
        assert soon(
            lambda before=before, client=client: (
                (queue.running.total(), len(queue.waiting)) != before or client.state != "waiting"
            )
        )
        clients.append(client)
    return clients


def end(clients: list[Client]) -> None:
    for client in clients:
        client.enough.set()
    for client in clients:
        client.join(5)


def test_one_client_never_has_all_places() -> None:
    queue = FairQueue(3, 10, patience=5)
    clients = begin(queue, "a", "a", "a", "b")
    assert states(clients, "working", "working", "waiting", "working")
    end(clients)
    assert states(clients, "done", "done", "done", "done")
    assert not queue.running
    assert not queue.waiting


def test_a_place_goes_to_who_has_fewest() -> None:
    queue = FairQueue(3, 10, patience=5)
    clients = begin(queue, "a", "a", "b", "a", "a", "c")
    assert states(clients, "working", "working", "working", "waiting", "waiting", "waiting")
    clients[2].enough.set()
    assert states(clients, "working", "working", "done", "waiting", "waiting", "working")
    end(clients)


def test_the_earlier_comes_first_among_equals() -> None:
    queue = FairQueue(1, 10, patience=5)
    clients = begin(queue, "a", "b", "c")
    clients[0].enough.set()
    assert states(clients, "done", "working", "waiting")
    end(clients)


def test_one_place_is_enough_for_one_client() -> None:
    queue = FairQueue(1, 10, patience=5)
    clients = begin(queue, "a", "a")
    assert states(clients, "working", "waiting")
    clients[0].enough.set()
    assert states(clients, "done", "working")
    end(clients)


def test_when_no_more_may_wait_the_greediest_gives_way() -> None:
    queue = FairQueue(2, 3, patience=5)
    clients = begin(queue, "a", "b", "a", "a", "a")
    assert states(clients, "working", "working", "waiting", "waiting", "waiting")
    more = [*begin(queue, "a"), Client(queue, "c")]
    assert states(more, "sent away", "waiting")
    assert states(clients, "working", "working", "waiting", "waiting", "sent away")
    end([*clients, *more])


def test_nobody_waits_for_ever() -> None:
    queue = FairQueue(1, 10, patience=0.05)
    with place(queue, "a"), pytest.raises(QueryBusy, match="Try again"), place(queue, "b"):
        pass
    assert not queue.waiting
    with place(queue, "b"):
        assert queue.running == {"b": 1}


def test_a_failure_gives_its_place_up() -> None:
    queue = FairQueue(1, 10, patience=1)
    with pytest.raises(ZeroDivisionError), place(queue, "a"):
        raise ZeroDivisionError
    with place(queue, "b"):
        pass


def test_many_clients_all_have_their_turn() -> None:
    queue = FairQueue(3, 256, patience=10)
    most, lock, now = [0], threading.Lock(), [0]

    def work(name: str) -> None:
        with place(queue, name):
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            time.sleep(0.001)
            with lock:
                now[0] -= 1

    threads = [
        threading.Thread(target=work, args=(f"client {number % 7}",)) for number in range(200)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most[0], now[0], queue.waiting, queue.running.total()) == (3, 0, [], 0)


def test_whoever_gives_up_waiting_leaves_no_trace() -> None:
    queue = FairQueue(1, 10, patience=5)

    async def give_up() -> None:
        await queue.enter("a")
        waiting = [asyncio.create_task(queue.enter(name)) for name in "bc"]
        await asyncio.sleep(0.01)
        waiting[0].cancel()
        queue.leave("a")  # which calls c
        waiting[1].cancel()
        assert all(
            isinstance(each, asyncio.CancelledError)
            for each in await asyncio.gather(*waiting, return_exceptions=True)
        )

    asyncio.run(give_up())
    assert (queue.waiting, queue.running) == ([], {})
