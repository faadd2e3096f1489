"""Messages between the server and a worker process: a head and a body, over a socket.

The server's end is read by an event loop, so that no thread waits for an answer.
"""

from __future__ import annotations

import asyncio
import json
import select
import socket
import struct
from typing import Any

SIZES = struct.Struct("!II")
CHUNK = 1 << 16  # bytes
FOR_THE_REST = 10.0  # seconds for a message that has begun to arrive
Message = tuple[dict[str, Any], bytes]


class Wire:
    """The end of a worker, which waits for each message."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, head: dict[str, Any], body: bytes = b"") -> None:
        if len(body) < CHUNK:
            self.connection.sendall(encode(head, body))
        else:  # without a copy of it
            self.connection.sendall(encode(head, b"", len(body)))
            self.connection.sendall(body)

    def receive(self) -> Message:
        """The next message. Raises EOFError where the other end is gone."""
        found = bytearray()
        while not is_complete(found):
            more = self.connection.recv(CHUNK)
            if not more:
                raise EOFError
            found += more
        return decode(found)


class AsyncWire:
    """The end of the server."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection

    async def send(self, message: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.connection, message)

    async def receive(self, seconds: float) -> Message:
        """The next message. Raises TimeoutError where none has begun by then, EOFError where the
        other end is gone.
        """
        loop, found = asyncio.get_running_loop(), bytearray()
        async with asyncio.timeout(max(seconds, 0)) as limit:
            while not is_complete(found):
                if found:
                    limit.reschedule(loop.time() + FOR_THE_REST)
                more = await loop.sock_recv(self.connection, CHUNK)
                if not more:
                    raise EOFError
                found += more
        return decode(found)

    @property
    def is_closed(self) -> bool:
        """Whether the other end is gone: where no message is expected there is something to read,
        the end.
        """
        line = select.poll()
        line.register(self.connection, select.POLLIN)
        return bool(line.poll(0))

    def close(self) -> None:
        self.connection.close()


def encode(head: dict[str, Any], body: bytes, size: int | None = None) -> bytes:
    """A message; where a size is given, the body of that size follows by itself."""
    text = json.dumps(head).encode()
    return SIZES.pack(len(text), len(body) if size is None else size) + text + body


def is_complete(found: bytearray) -> bool:
    """Whether this is all of a message."""
    return len(found) >= SIZES.size and len(found) >= SIZES.size + sum(SIZES.unpack_from(found))


def decode(found: bytearray) -> Message:
    head, _ = SIZES.unpack_from(found)
    begins = SIZES.size + head
    return json.loads(found[SIZES.size : begins]), bytes(memoryview(found)[begins:])
