"""A crowd of clients on one server: readers, attackers, slow clients, and one that kills
processes.
"""

from __future__ import annotations

import http.client
import os
import random
import signal
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bench.guests import SLOW_BODY, UNREAD, Foe, Friend, foes, meaning
from bench.vitals import Vitals, forked, vitals

FRIENDS, FOES, SLEEPERS = 8, 4, 12  # clients of each kind
KILLS = 15
BUSY = b"The endpoint is busy"


class Crowd:
    """The clients of one server, and what they observed."""

    def __init__(self, web: int, port: int, seconds: float) -> None:
        self.web, self.port, self.seconds = web, port, seconds
        self.began = time.monotonic()
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.statuses: Counter[tuple[str, str]] = Counter()  # (kind of request, status) -> count
        self.latencies: list[float] = []
        self.slowest_foe = 0.0
        self.wrong: list[str] = []
        self.failed: list[str] = []
        self.let_through: list[str] = []  # attacks with an unexpected status
        self.busy = 0
        self.samples: list[tuple[float, Vitals]] = []

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=40)

    def befriend(self, number: int, known: list[Friend]) -> None:
        """A reader: sends a request, checks the answer, pauses."""
        chance, who, connection = random.Random(number), f"192.0.2.{number}", self.connection()
        while not self.over.wait(chance.uniform(0, 0.2)):
            friend = chance.choice(known)
            start = time.perf_counter()
            try:
                status, media_type, body = friend.request.sent(connection, who)
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                status, media_type, body = 0, "", repr(error).encode()
            self.note(friend, status, media_type, body, time.perf_counter() - start)
        connection.close()

    def note(
        self, friend: Friend, status: int, media_type: str, body: bytes, seconds: float
    ) -> None:
        is_right = status == 200 and meaning(media_type, body) == friend.right
        said = (
            f"at {time.monotonic() - self.began:.1f} s: {friend.request.kind}, {status} after "
            f"{seconds:.1f} s: {body[:100]!r}"
        )
        with self.lock:
            self.statuses["friend: " + friend.request.kind, str(status)] += 1
            self.latencies.append(seconds)
            if status == 200:
                self.wrong += [] if is_right else [said]
            elif status == 503 and body.startswith(BUSY):
                self.busy += 1
            else:
                self.failed.append(said)

    def attack(self, number: int, known: list[Foe]) -> None:
        chance, who = random.Random(100 + number), f"198.51.100.{number}"
        while not self.over.wait(chance.uniform(0, 0.5)):
            foe = chance.choice(known)
            start, connection = time.perf_counter(), self.connection()
            status, body = 0, b""
            try:
                status, _, body = foe.request.sent(connection, who)
            except (OSError, http.client.HTTPException) as error:
                # A client that is refused while sending may see the connection close before the
                # answer.
                status, body = (413 if 413 in foe.allowed else 0), repr(error).encode()
            connection.close()
            seconds = time.perf_counter() - start
            with self.lock:
                self.statuses["foe: " + foe.request.kind, str(status)] += 1
                self.slowest_foe = max(self.slowest_foe, seconds)
                if status not in foe.allowed:
                    self.let_through.append(
                        f"{foe.request.kind}: {status}, not {foe.allowed}: {body[:100]!r}"
                    )

    def sleep(self, number: int) -> None:
        """A slow client: sends a byte per second, or never reads its answer, and reconnects when
        cut off.
        """
        opening, kind = (SLOW_BODY, "slow body") if number % 2 else (UNREAD, "unread answer")
        while not self.over.is_set():
            until, end = time.monotonic() + 45, "cut off"
            with (
                suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port)) as connection,
            ):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.sendall(opening.replace(b"%s", f"203.0.113.{number}".encode(), 1))
                while time.monotonic() < until and not self.over.wait(1):
                    if opening is SLOW_BODY:
                        connection.sendall(b" ")
                end = "closed by the client"
            with self.lock:
                self.statuses["sleeper: " + kind, end] += 1

    def kill(self) -> None:
        """Kills a worker now and then, and the loader twice."""
        chance = random.Random(7)
        for number in range(1, KILLS):
            if self.over.wait(self.seconds / KILLS):
                return
            loader, workers = forked(self.web)
            victim = (
                loader
                if number in (KILLS // 3, 2 * KILLS // 3)
                else chance.choice(workers or [None])
            )
            with suppress(ProcessLookupError):
                if victim:
                    os.kill(victim, signal.SIGKILL)
                    with self.lock:
                        self.statuses["killed", "loader" if victim == loader else "worker"] += 1

    def sample(self) -> None:
        while not self.over.wait(min(2, self.seconds / 40)):
            self.samples.append((time.monotonic() - self.began, vitals(self.web)))

    def run(self, known: list[Friend]) -> None:
        bad = foes()
        work: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
            (self.kill, ()),
            (self.sample, ()),
        ]
        work += [(self.befriend, (number, known)) for number in range(FRIENDS)]
        work += [(self.attack, (number, bad)) for number in range(FOES)]
        work += [(self.sleep, (number,)) for number in range(SLEEPERS)]
        threads = [
            threading.Thread(target=task, args=arguments, daemon=True) for task, arguments in work
        ]
        for thread in threads:
            thread.start()
        time.sleep(self.seconds)
        self.over.set()
        for thread in threads:
            thread.join()

    def quarter(self, number: int) -> list[Vitals]:
        return [seen for at, seen in self.samples if number - 1 <= 4 * at / self.seconds < number]

    def growth(self, part: str) -> tuple[float, float]:
        """The mean of the second quarter, and the growth until the last, in MB. The first quarter
        is warm-up.
        """
        before, after = (
            statistics.fmean(getattr(each, part) for each in self.quarter(number))
            for number in (2, 4)
        )
        return before, after - before
