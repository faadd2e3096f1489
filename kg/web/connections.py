"""Limits on what one client can hold open: connections, and answers that it does not read.

granian does not expose its connections, so they are found among the file descriptors of the
process. To granian, a connection that is shut down here looks as if the client had closed it.
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
MAX_PER_CLIENT = 500  # connections per client
CHECK_INTERVAL = 1.0  # seconds
READER_CHECK_ROUNDS = 5  # slow readers are checked every so many rounds, because that takes longer
MAX_UNREAD = 512 * 1024 * 1024  # bytes per client of unread answers in files
SEND_TIMEOUT = 300.0  # seconds to read a whole answer
PROGRESS_TIMEOUT, PROGRESS_BYTES = (
    60.0,
    64 * 1024,
)  # seconds in which a client must read so many bytes
BYTES_RECEIVED = struct.Struct("120xQ")  # Linux tcp_info: bytes acknowledged by the client
NO_LINGER = struct.pack("ii", 1, 0)  # SO_LINGER: closing drops unsent data


def connections(port: int) -> Iterator[tuple[str, socket.socket]]:
    """The connections to a port, each with the client's address and port. Each socket is a
    duplicate that is closed when the next one is taken.
    """
    for path in list(DESCRIPTORS.iterdir()):
        with suppress(OSError, ValueError):  # closed meanwhile, not a socket, or not connected
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
    with suppress(OSError):  # already closed
        connection.shutdown(socket.SHUT_RDWR)


def transfer(connection: socket.socket) -> tuple[int, int]:
    """The number of bytes that the client has received, and that are still queued for it."""
    waiting = fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4))
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, BYTES_RECEIVED.size)
    return int(BYTES_RECEIVED.unpack(info)[0]), int.from_bytes(waiting, sys.byteorder)


class SlowReaders:
    """Closes connections whose clients stop reading. A slow client keeps its connection as long as
    it makes progress.
    """

    def __init__(self) -> None:
        self.since: dict[
            str, tuple[float, int]
        ] = {}  # client -> time and bytes received at its last progress

    def shut_down(self, port: int, now: float) -> None:
        before, self.since = self.since, {}
        for client, connection in connections(port):
            with suppress(OSError):
                received, waiting = transfer(connection)
                if not waiting:
                    continue
                start, had = before.get(client, (now, received))
                if received - had >= PROGRESS_BYTES:
                    start, had = now, received
                if now - start < PROGRESS_TIMEOUT:
                    self.since[client] = start, had
                else:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
                    end(connection)


def shut_down_surplus(port: int) -> None:
    """Closes connections of clients that have more than MAX_PER_CLIENT."""
    of_one: Counter[str] = Counter()
    for address, connection in connections(port):
        client = canonical(address.rpartition(":")[0], "")
        of_one[client] += 1
        if of_one[client] > MAX_PER_CLIENT:
            end(connection)


async def limit_connections(port: int, proxies: int) -> None:
    """Enforces the limits while the server runs. Behind a proxy there is no limit per client,
    because all connections come from the proxy.
    """
    readers = SlowReaders() if hasattr(socket, "TCP_INFO") else None
    for number in count(1):
        await asyncio.sleep(CHECK_INTERVAL)
        if not proxies and len(list(DESCRIPTORS.iterdir())) > MAX_PER_CLIENT:
            await asyncio.to_thread(shut_down_surplus, port)
        if readers and number % READER_CHECK_ROUNDS == 0:
            await asyncio.to_thread(readers.shut_down, port, time.monotonic())


class Outbox:
    """Temporary files from which large answers are sent, so that slow clients take no memory."""

    def __init__(self) -> None:
        self.opened = ExitStack()
        try:
            self.folder = self.opened.enter_context(scratch_folder())
        except OSError as error:
            raise KgError(
                "Cannot write temporary files. Make /tmp writable, or choose another folder: "
                "TMPDIR=/dev/shm"
            ) from error
        self.names = count()
        self.unread: Counter[str] = Counter()  # bytes per client

    def path(self) -> Path:
        return self.folder / str(next(self.names))

    def write(self, path: Path, pieces: Iterable[bytes]) -> None:
        with path.open("wb") as file:
            file.writelines(pieces)

    def reserve(self, client: str, size: int) -> bool:
        """Counts an answer as unread, unless the client has too much unread already; then returns
        False.
        """
        if self.unread[client] and self.unread[client] + size > MAX_UNREAD:
            return False
        self.unread[client] += size
        return True

    def free(self, client: str, size: int) -> None:
        self.unread[client] -= size
        if not self.unread[client]:
            del self.unread[client]

    def close(self) -> None:
        self.opened.close()
