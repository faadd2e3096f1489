"""The line between the server and a worker: messages of a head and a body, in as few system calls
as can be.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from functools import lru_cache
from typing import Any

SIZES = struct.Struct("!II")
AT_ONCE = 1 << 16  # bytes
FOR_THE_REST = 10.0  # seconds for a body that has begun to arrive


class Wire:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, head: dict[str, Any] | bytes, body: bytes = b"") -> None:
        """A head that is sent often may be given as the text that it becomes."""
        text = head if isinstance(head, bytes) else json.dumps(head).encode()
        if len(body) < AT_ONCE:
            self.connection.sendall(SIZES.pack(len(text), len(body)) + text + body)
            return
        self.connection.sendall(SIZES.pack(len(text), len(body)) + text)
        self.connection.sendall(body)

    def receive(
        self, until: float | None = None, begun: bytes = b""
    ) -> tuple[dict[str, Any], bytes]:
        """The next message, of which some may have been read. Raises TimeoutError where none has
        begun by then, EOFError where the other end is gone.
        """
        found = bytearray(begun)
        if not found:
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            self.connection.settimeout(left)
            found += self.some()
        if not is_whole(found):
            self.connection.settimeout(None if until is None else FOR_THE_REST)
            while len(found) < SIZES.size:
                found += self.some()
            found = self.rest(found, size_of(found))
        return parted(found)

    def glance(self) -> bytes:
        """What is there to read now, or nothing; nothing too where the other end is gone."""
        try:
            return self.connection.recv(AT_ONCE, socket.MSG_DONTWAIT)
        except OSError:
            return b""

    def rest(self, begun: bytearray, whole: int) -> bytearray:
        found = bytearray(whole)
        found[: len(begun)] = begun
        view, place = memoryview(found), len(begun)
        while place < whole:
            more = self.connection.recv_into(view[place:])
            if not more:
                raise EOFError
            place += more
        return found

    def some(self) -> bytes:
        found = self.connection.recv(AT_ONCE)
        if not found:
            raise EOFError
        return found

    @property
    def is_closed(self) -> bool:
        """Whether the other end is gone: on a line where nothing is expected there is something to
        read, its end.
        """
        line = select.poll()
        line.register(self.connection, select.POLLIN)
        return bool(line.poll(0))

    def close(self) -> None:
        self.connection.close()


def is_whole(found: bytes | bytearray) -> bool:
    """Whether this is all of a message."""
    return len(found) >= SIZES.size and len(found) >= size_of(found)


def size_of(found: bytes | bytearray) -> int:
    head, body = SIZES.unpack_from(found)
    return int(SIZES.size + head + body)


def parted(found: bytes | bytearray) -> tuple[dict[str, Any], bytes]:
    head, _ = SIZES.unpack_from(found)
    return understood(bytes(found[SIZES.size : SIZES.size + head])), bytes(
        memoryview(found)[SIZES.size + head :]
    )


@lru_cache(maxsize=64)  # most are the same
def understood(head: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(head)
    return found
