"""Whose turn it is: so many may work at once, some may wait, and nobody crowds the others out.

One client never has all places, so that a place is free, or will soon be, for the next. When one is
given up, it goes to the client that has the fewest. When no more may wait, who has the most waiting
gives way.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kg.errors import QueryBusy

BUSY = "The endpoint is busy. Try again in a moment."


@dataclass(eq=False, slots=True)
class Ticket:
    client: str
    called: threading.Event = field(default_factory=threading.Event)
    is_sent_away: bool = False


class Turns:
    def __init__(self, places: int, most_waiting: int, patience: float) -> None:
        self.places, self.most_waiting, self.patience = places, most_waiting, patience
        self.share = max(places - 1, 1)  # of one client
        self.lock = threading.Lock()
        self.running: Counter[str] = Counter()
        self.waiting: list[Ticket] = []
        self.is_closed = False

    @contextmanager
    def turn(self, client: str) -> Iterator[None]:
        """Waits for a place, and gives it up at the end. Raises QueryBusy where there will be
        none.
        """
        ticket = Ticket(client)
        with self.lock:
            self.make_room(ticket)
            self.waiting.append(ticket)
            self.call()
        if not ticket.called.wait(self.patience):
            with self.lock:
                if not ticket.called.is_set():
                    self.waiting.remove(ticket)
                    raise QueryBusy(BUSY)
        if ticket.is_sent_away:
            raise QueryBusy(BUSY)
        try:
            yield
        finally:
            self.leave(client)

    def enter(self, client: str) -> bool:
        """Takes a place that is free now, if there is one and nobody waits. Who got one leaves
        it.
        """
        with self.lock:
            is_free = (
                not self.waiting
                and self.running.total() < self.places
                and self.running[client] < self.share
            )
            if is_free and not self.is_closed:
                self.running[client] += 1
                return True
            return False

    def leave(self, client: str) -> None:
        with self.lock:
            self.running[client] -= 1
            if not self.running[client]:
                del self.running[client]
            if self.waiting:
                self.call()

    def make_room(self, ticket: Ticket) -> None:
        """For one more who waits."""
        if self.is_closed:
            raise QueryBusy(BUSY)
        if len(self.waiting) < self.most_waiting:
            return
        counts = Counter(each.client for each in self.waiting)
        greediest, most = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if most <= counts[ticket.client] + 1:
            raise QueryBusy(BUSY)
        self.send_away(next(each for each in reversed(self.waiting) if each.client == greediest))

    def send_away(self, ticket: Ticket) -> None:
        self.waiting.remove(ticket)
        ticket.is_sent_away = True
        ticket.called.set()

    def call(self) -> None:
        """Calls those who can begin now."""
        while self.running.total() < self.places:
            allowed = [
                ticket for ticket in self.waiting if self.running[ticket.client] < self.share
            ]
            if not allowed:
                return
            first = min(
                allowed, key=lambda ticket: self.running[ticket.client]
            )  # the earlier of equals
            self.waiting.remove(first)
            self.running[first.client] += 1
            first.called.set()

    def close(self) -> None:
        """Nobody comes any more, and who waits is sent away."""
        with self.lock:
            self.is_closed = True
            for ticket in list(self.waiting):
                self.send_away(ticket)
