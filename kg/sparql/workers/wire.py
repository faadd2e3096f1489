"""Messages between the server and a worker process: a head and a body, over a socket."""

from __future__ import annotations

import json
import socket
import struct
from functools import lru_cache
from typing import Any

SIZES = struct.Struct("!II")
CHUNK = 1 << 16  # bytes


class Wire:
    """The end of a worker, which waits for each message."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, head: dict[str, Any] | bytes, body: bytes = b"") -> None:
        """A head that is sent often may be given as the text that it becomes."""
        text = head if isinstance(head, bytes) else json.dumps(head).encode()
        if len(body) < CHUNK:
            self.connection.sendall(encode(text, body))
            return
        self.connection.sendall(SIZES.pack(len(text), len(body)) + text)
        self.connection.sendall(body)

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """The next message. Raises EOFError where the other end is gone."""
        found = bytearray()
        while not is_complete(found):
            more = self.connection.recv(CHUNK)
            if not more:
                raise EOFError
            found += more
        return decode(found)


def encode(head: bytes, body: bytes) -> bytes:
    return SIZES.pack(len(head), len(body)) + head + body


def is_complete(found: bytes | bytearray) -> bool:
    """Whether this is all of a message."""
    return len(found) >= SIZES.size and len(found) >= size_of(found)


def size_of(found: bytes | bytearray) -> int:
    head, body = SIZES.unpack_from(found)
    return int(SIZES.size + head + body)


def decode(found: bytes | bytearray) -> tuple[dict[str, Any], bytes]:
    head, _ = SIZES.unpack_from(found)
    body = bytes(memoryview(found)[SIZES.size + head :])
    return parse_head(bytes(found[SIZES.size : SIZES.size + head])), body


@lru_cache(maxsize=64)  # most are the same
def parse_head(head: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(head)
    return found
