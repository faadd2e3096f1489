"""Clients that take their time: to send, or to read."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event
from urllib.parse import urlsplit

from tests.web.serving import Server

HEAD = b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\n"
SLOW = {  # what is sent at once, and then again and again
    "a body byte by byte": (HEAD + b"Content-Length: 60000\r\n\r\n", b" "),
    "headers line by line": (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-More: x\r\n"),
    "chunks without end": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "a body that never comes": (HEAD + b"Content-Length: 5\r\n\r\n", b""),
    "a chunk that never comes": (
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 500 + b"\r\n",
        b"",
    ),
    "a promise to go on": (HEAD + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n", b""),
    "a first line that does not end": (b"GET /", b"a"),
    "not a word": (b"", b""),
    "not another word": (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b""),
}
UNREAD = b"GET /people/ HTTP/1.1\r\nHost: x\r\n\r\n" * 500  # answers that fit into no buffer


def connect(server: Server, buffer: int = 0) -> socket.socket:
    where = urlsplit(server.address)
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(10)
    connection.connect((where.hostname, where.port))
    return connection


def trickle(server: Server, first: bytes, more: bytes, patience: float, end: Event) -> float:
    """Seconds until the server has enough of it."""
    start = time.monotonic()
    with connect(server) as connection:
        connection.sendall(first)
        connection.settimeout(0.5)
        while time.monotonic() - start < patience and not end.is_set():
            try:
                connection.sendall(more)
                if not connection.recv(4096):
                    break
            except TimeoutError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                break
    return time.monotonic() - start


def ignore(server: Server, patience: float, end: Event) -> float:
    """Seconds until the server has enough of a client that does not read."""
    start = time.monotonic()
    with connect(server, buffer=4096) as connection:
        connection.setblocking(False)
        with suppress(BlockingIOError):
            connection.send(UNREAD)
        state = select.poll()
        state.register(connection, 0)  # errors are told of by themselves
        while time.monotonic() - start < patience and not end.is_set() and not state.poll(500):
            pass
    return time.monotonic() - start


@contextmanager
def trickling(server: Server, patience: float) -> Iterator[dict[str, Future[float]]]:
    """Several of each kind, in the background, for as long as the block lasts."""
    end = Event()
    with ThreadPoolExecutor(3 * len(SLOW) + 1) as pool:
        try:
            yield {
                f"{name} ({n})": pool.submit(trickle, server, *sent, patience, end)
                for name, sent in SLOW.items()
                for n in range(3)
            } | {"answers that are not read": pool.submit(ignore, server, 2 * patience, end)}
        finally:
            end.set()
