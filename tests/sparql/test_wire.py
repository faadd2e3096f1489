"""The line to a worker: a message arrives complete, or its receiver finds that it does not."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from kg.sparql.workers.pool import AsyncWire, Loader
from kg.sparql.workers.wire import CHUNK, Wire, encode
from kg.sparql.workers.worker import FORK


@pytest.fixture
def ends() -> Iterator[tuple[Wire, AsyncWire]]:
    """Of a worker and of the server."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Wire(theirs), AsyncWire(ours)


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, 5_000_000])
def test_a_message_arrives_as_it_was_sent(ends: tuple[Wire, AsyncWire], size: int) -> None:
    worker, server = ends
    head = {"query": "é\n\0", "n": [1, None]}
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    sender = threading.Thread(target=worker.send, args=(head, body))
    sender.start()
    assert asyncio.run(server.receive(10)) == (head, body)
    sender.join()
    message = encode(head, body)
    sender = threading.Thread(target=lambda: asyncio.run(server.send(message)))
    sender.start()
    assert worker.receive() == (head, body)
    sender.join()


def test_a_message_in_crumbs_arrives_complete(ends: tuple[Wire, AsyncWire]) -> None:
    worker, server = ends

    def drip() -> None:
        for byte in encode({"a": "b"}, b"body"):
            worker.connection.send(bytes([byte]))

    dripping = threading.Thread(target=drip)
    dripping.start()
    assert asyncio.run(server.receive(10)) == ({"a": "b"}, b"body")
    dripping.join()


def test_nobody_waits_longer_than_the_limit(ends: tuple[Wire, AsyncWire]) -> None:
    for seconds in (0.05, 0, -1):
        start = time.monotonic()
        with pytest.raises(TimeoutError):
            asyncio.run(ends[1].receive(seconds))
        assert time.monotonic() - start < 5


def test_an_end_that_is_gone_is_noticed(ends: tuple[Wire, AsyncWire]) -> None:
    worker, server = ends
    assert not server.is_closed
    with pytest.raises(TimeoutError):
        asyncio.run(server.receive(0.01))
    assert not server.is_closed, "one that is only silent is not gone"
    worker.connection.sendall(b"\0\0\0\1")
    worker.connection.close()
    assert server.is_closed
    with pytest.raises(EOFError):
        asyncio.run(server.receive(1))


@pytest.mark.process
def test_a_loader_that_is_closed_before_it_answers_ends_in_silence(
    capfd: pytest.CaptureFixture[str],
) -> None:
    loader = Loader("https://example.org/", b"", 1 << 27, True)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for _ in range(20):
            socket.send_fds(loader.control, [FORK], [theirs.fileno()])
        loader.close()
    assert (loader.process.returncode, capfd.readouterr().err) == (0, "")
