"""Turns: so many at once, so many waiting, and one client never crowds the others out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from kg.errors import QueryBusy
from kg.sparql.workers.fair_queue import Turns


class Client(threading.Thread):
    """Takes a turn and keeps it until it is told to end."""

    def __init__(self, turns: Turns, name: str) -> None:
        super().__init__(name=name)
        self.turns = turns
        self.enough = threading.Event()
        self.state = "waiting"
        self.start()

    def run(self) -> None:
        try:
            with self.turns.turn(self.name):
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


def begin(turns: Turns, *names: str) -> list[Client]:
    """Clients that come one after the other."""
    clients = []
    for name in names:
        before = (turns.running.total(), len(turns.waiting))
        client = Client(turns, name)
        assert soon(
            lambda before=before, client=client: (
                (turns.running.total(), len(turns.waiting)) != before or client.state != "waiting"
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
    turns = Turns(3, 10, patience=5)
    clients = begin(turns, "a", "a", "a", "b")
    assert states(clients, "working", "working", "waiting", "working")
    end(clients)
    assert states(clients, "done", "done", "done", "done")
    assert not turns.running
    assert not turns.waiting


def test_a_place_goes_to_who_has_fewest() -> None:
    turns = Turns(3, 10, patience=5)
    clients = begin(turns, "a", "a", "b", "a", "a", "c")
    assert states(clients, "working", "working", "working", "waiting", "waiting", "waiting")
    clients[2].enough.set()
    assert states(clients, "working", "working", "done", "waiting", "waiting", "working")
    end(clients)


def test_the_earlier_comes_first_among_equals() -> None:
    turns = Turns(1, 10, patience=5)
    clients = begin(turns, "a", "b", "c")
    clients[0].enough.set()
    assert states(clients, "done", "working", "waiting")
    end(clients)


def test_one_place_is_enough_for_one_client() -> None:
    turns = Turns(1, 10, patience=5)
    clients = begin(turns, "a", "a")
    assert states(clients, "working", "waiting")
    clients[0].enough.set()
    assert states(clients, "done", "working")
    end(clients)


def test_when_no_more_may_wait_the_greediest_gives_way() -> None:
    turns = Turns(2, 3, patience=5)
    clients = begin(turns, "a", "b", "a", "a", "a")
    assert states(clients, "working", "working", "waiting", "waiting", "waiting")
    more = [*begin(turns, "a"), Client(turns, "c")]
    assert states(more, "sent away", "waiting")
    assert states(clients, "working", "working", "waiting", "waiting", "sent away")
    end([*clients, *more])


def test_nobody_waits_for_ever() -> None:
    turns = Turns(1, 10, patience=0.05)
    with turns.turn("a"), pytest.raises(QueryBusy, match="Try again"), turns.turn("b"):
        pass
    assert not turns.waiting
    with turns.turn("b"):
        assert turns.running == {"b": 1}


def test_a_failure_gives_its_place_up() -> None:
    turns = Turns(1, 10, patience=1)
    with pytest.raises(ZeroDivisionError), turns.turn("a"):
        raise ZeroDivisionError
    with turns.turn("b"):
        pass


def test_many_clients_all_have_their_turn() -> None:
    turns = Turns(3, 256, patience=10)
    most, lock, now = [0], threading.Lock(), [0]

    def work(name: str) -> None:
        with turns.turn(name):
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
    assert (most[0], now[0], turns.waiting, turns.running.total()) == (3, 0, [], 0)
