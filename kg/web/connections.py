"""Bounds on what a client can hold open: connections, and large answers that it does not read.

The server gives no handle on its connections, so they are found among the descriptors of the
process. One that is shut down here ends for the server as if the client had closed it.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

from kg.drafts import scratch_folder
from kg.errors import KgError
from kg.web.request import canonical

DESCRIPTORS = Path("/dev/fd")
MOST_OF_ONE = 500  # connections of one client
EVERY = 1.0  # seconds
MOST_UNREAD = 512 * 1024 * 1024  # bytes of answers in files that one client has not read
TO_BE_READ = 300.0  # seconds for an answer


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
            connection.shutdown(socket.SHUT_RDWR)


def shut_down_surplus(port: int) -> None:
    """Leaves each client so many connections and no more."""
    of_one: Counter[str] = Counter()
    for address, connection in connections(port):
        client = canonical(address.rpartition(":")[0], "")
        of_one[client] += 1
        if of_one[client] > MOST_OF_ONE:
            connection.shutdown(socket.SHUT_RDWR)


async def limit_connections(port: int) -> None:
    """For as long as the server runs."""
    while True:
        await asyncio.sleep(EVERY)
        if len(list(DESCRIPTORS.iterdir())) > MOST_OF_ONE:
            await asyncio.to_thread(shut_down_surplus, port)


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
