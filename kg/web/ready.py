"""Replies that are ready: under the very bytes of a request lie the bytes of its answer, for as
long as the graph is the same.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from kg.web.answers import Reply

REQUEST = "kg.request"  # among WSGI's variables: the bytes of the request, where they are kept
OTHER = 2048  # bytes that a reply takes beside those that are counted, roughly


class Prepared(NamedTuple):
    """The reply to one request, all but its date, and what is noted of it."""

    head: bytes
    body: bytes
    status: int
    environ: dict[str, Any]
    query: str
    outcome: str


class Ready:
    """What was asked for longest ago goes first when there is no more room."""

    def __init__(self, room: int) -> None:
        self.room, self.taken = room, 0  # bytes
        self.replies: OrderedDict[bytes, Prepared] = OrderedDict()
        self.lock = Lock()

    def get(self, request: bytes) -> Prepared | None:
        with self.lock:
            found = self.replies.get(request)
            if found is not None:
                self.replies.move_to_end(request)
            return found

    def keep(self, request: bytes, reply: Prepared) -> None:
        size = cost(request, reply)
        if size > self.room // 8:
            return
        with self.lock:
            if request in self.replies:
                return
            self.replies[request] = reply
            self.taken += size
            while self.taken > self.room:
                self.taken -= cost(*self.replies.popitem(last=False))


def cost(request: bytes, reply: Prepared) -> int:
    return OTHER + 2 * len(request) + len(reply.head) + len(reply.body)


def head(reply: Reply) -> bytes:
    """The first lines of a reply; its date and an empty line are to follow."""
    return (
        first_line(reply.status)
        + "".join([f"{name}: {value}\r\n" for name, value in reply.headers])
    ).encode("latin-1")


@lru_cache
def first_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"


class Clock:
    """The line with the date, written once a second."""

    def __init__(self) -> None:
        self.second, self.line = 0, b""

    def date(self) -> bytes:
        now = int(time.time())
        if now != self.second:
            self.second, self.line = now, f"Date: {formatdate(now, usegmt=True)}\r\n\r\n".encode()
        return self.line
