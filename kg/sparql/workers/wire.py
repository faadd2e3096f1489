"""Messages between the server and a worker process over a socket: a JSON head and a body."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

from kg.store.protocol import Graphs, Query, Wanted

SIZES = struct.Struct("!II")
CHUNK = 1 << 16  # bytes
Message = tuple[dict[str, Any], bytes]


class Wire:
    """The worker's end of the socket; it blocks for each message."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, head: dict[str, Any], body: bytes = b"") -> None:
        if len(body) < CHUNK:
            self.connection.sendall(encode(head, body))
        else:  # avoids a copy
            self.connection.sendall(encode(head, b"", len(body)))
            self.connection.sendall(body)

    def receive(self) -> Message:
        """The next message. Raises EOFError if the other end is gone."""
        found = bytearray()
        while not is_complete(found):
            more = self.connection.recv(CHUNK)
            if not more:
                raise EOFError
            found += more
        return decode(found)


def encode(head: dict[str, Any], body: bytes, size: int | None = None) -> bytes:
    """A message; with `size`, the body of that size is sent separately."""
    text = json.dumps(head).encode()
    return SIZES.pack(len(text), len(body) if size is None else size) + text + body


def is_complete(found: bytearray) -> bool:
    """Whether this is a whole message."""
    return len(found) >= SIZES.size and len(found) >= SIZES.size + sum(SIZES.unpack_from(found))


def decode(found: bytearray) -> Message:
    head, _ = SIZES.unpack_from(found)
    begins = SIZES.size + head
    return json.loads(found[SIZES.size : begins]), bytes(memoryview(found)[begins:])


def encode_query(query: Query, most: int) -> bytes:
    """The request to a worker; `most` is the maximum size of the answer in bytes."""
    head = {"wanted": query.wanted, "graphs": query.graphs, "most": most}
    return encode(head, query.text.encode("utf-8", "surrogatepass"))


def decode_query(head: dict[str, Any], body: bytes) -> Query:
    wanted, graphs = Wanted(*head["wanted"]), Graphs(*map(tuple, head["graphs"]))
    return Query(body.decode("utf-8", "surrogatepass"), wanted, graphs)
