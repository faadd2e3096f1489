"""Bounds on what a client can hold open: connections, and answers that it does not read.

The server gives no handle on its connections, so they are found among the descriptors of the
process. One that is shut down here ends for the server as if the client had closed it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import socket
import struct
import sys
import termios
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

from kg.errors import KgError
from kg.files.atomic import scratch_folder
from kg.web.request import canonical

DESCRIPTORS = Path("/dev/fd")
MOST_OF_ONE = 500  # connections of one client
EVERY = 1.0  # seconds
SELDOM = 5  # times that
MOST_UNREAD = 512 * 1024 * 1024  # bytes of answers in files that one client has not read
TO_BE_READ = 300.0  # seconds for an answer
TO_READ_SOME, SOME = 60.0, 64 * 1024  # seconds for so many bytes of what was sent
RECEIVED = struct.Struct("120xQ")  # in the tcp_info of Linux: the bytes that the client has
AT_ONCE = struct.pack("ii", 1, 0)  # a connection that is closed drops what was not sent


def connections(port: int) -> Iterator[tuple[str, socket.socket]]:
    """The connections to one port, each with the address and port of its client. The sockets are
    copies, and stay usable until the next is taken.
    """
    for path in list(DESCRIPTORS.iterdir()):
        with suppress(OSError, ValueError):  # closed by now, or no socket, or one without a peer
            copy = os.dup(int(path.name))
            try:
                connection = socket.socket(fileno=copy)
            except OSError:
                os.close(copy)
                continue
            with connection:
                if connection.family in (socket.AF_INET, socket.AF_INET6):
                    host, peer = connection.getpeername()[:2]
                    if connection.getsockname()[1] == port:
                        yield f"[{host}]:{peer}" if ":" in host else f"{host}:{peer}", connection


def shut_down(port: int, client: str) -> None:
    for address, connection in connections(port):
        if address == client:
            end(connection)


def end(connection: socket.socket) -> None:
    with suppress(OSError):  # it ended by itself meanwhile
        connection.shutdown(socket.SHUT_RDWR)


def transfer(connection: socket.socket) -> tuple[int, int]:
    """How many bytes the client has got, and how many still wait for it."""
    waiting = fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4))
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, RECEIVED.size)
    return int(RECEIVED.unpack(info)[0]), int.from_bytes(waiting, sys.byteorder)


class SlowReaders:
    """Ends connections whose clients leave answers unread. One that reads slowly is given time, as
    long as something arrives.
    """

    def __init__(self) -> None:
        self.since: dict[str, tuple[float, int]] = {}  # by client: when, and the bytes it had then

    def shut_down(self, port: int, now: float) -> None:
        before, self.since = self.since, {}
        for client, connection in connections(port):
            with suppress(OSError):
                received, waiting = transfer(connection)
                if not waiting:
                    continue
                start, had = before.get(client, (now, received))
                if received - had >= SOME:
                    start, had = now, received
                if now - start < TO_READ_SOME:
                    self.since[client] = start, had
                else:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
                    end(connection)


def shut_down_surplus(port: int) -> None:
    """Leaves each client so many connections and no more."""
    of_one: Counter[str] = Counter()
    for address, connection in connections(port):
        client = canonical(address.rpartition(":")[0], "")
        of_one[client] += 1
        if of_one[client] > MOST_OF_ONE:
            end(connection)


async def limit_connections(port: int, proxies: int) -> None:
    """For as long as the server runs. All connections of a proxy are its own."""
    readers = SlowReaders() if hasattr(socket, "TCP_INFO") else None
    for number in count(1):
        await asyncio.sleep(EVERY)
        if not proxies and len(list(DESCRIPTORS.iterdir())) > MOST_OF_ONE:
            await asyncio.to_thread(shut_down_surplus, port)
        if readers and number % SELDOM == 0:  # it takes longer
            await asyncio.to_thread(readers.shut_down, port, time.monotonic())


class Outbox:
    """Files from which large answers are sent, so that a client that reads slowly takes no
    memory.
    """

    def __init__(self) -> None:
        self.opened = ExitStack()
        try:
            self.folder = self.opened.enter_context(scratch_folder())
        except OSError as error:
            raise KgError(
                "There is no folder for temporary files. Make /tmp writable, or name another: "
                "TMPDIR=/dev/shm"
            ) from error
        self.names = count()
        self.unread: Counter[str] = Counter()  # bytes by client

    def write(self, pieces: Iterable[bytes]) -> Path:
        path = self.folder / str(next(self.names))
        with path.open("wb") as file:
            file.writelines(pieces)
        return path

    def reserve(self, client: str, size: int) -> bool:
        """Counts an answer as unread; whether the client may have one more."""
        if self.unread[client] and self.unread[client] + size > MOST_UNREAD:
            return False
        self.unread[client] += size
        return True

    def free(self, client: str, size: int) -> None:
        self.unread[client] -= size
        if not self.unread[client]:
            del self.unread[client]

    def close(self) -> None:
        self.opened.close()
