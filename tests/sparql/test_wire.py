"""The line to a worker: messages arrive whole, or it is told that they do not."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from kg.sparql.workers.wire import AT_ONCE, Wire


@pytest.fixture
def ends() -> Iterator[tuple[Wire, Wire]]:
    one, other = (Wire(end) for end in socket.socketpair())
    yield one, other
    one.close()
    other.close()


@pytest.mark.parametrize("size", [0, 1, AT_ONCE - 1, AT_ONCE, 5_000_000])
def test_a_message_arrives_as_it_was_sent(ends: tuple[Wire, Wire], size: int) -> None:
    one, other = ends
    head, body = (
        {"query": "é\n\0", "n": [1, None]},
        bytes(range(256)) * (size // 256) + b"x" * (size % 256),
    )
    sender = threading.Thread(target=one.send, args=(head, body))
    sender.start()
    assert other.receive(time.monotonic() + 10) == (head, body)
    sender.join()
    other.send({"next": 1})
    assert one.receive() == ({"next": 1}, b"")


def test_a_message_in_crumbs_arrives_whole(ends: tuple[Wire, Wire]) -> None:
    one, other = ends
    sent = bytearray()
    whole = Wire(type("Paper", (), {"sendall": lambda _, part: sent.extend(part)})())
    whole.send({"a": "b"}, b"body")

    def drip() -> None:
        for byte in sent:
            one.connection.send(bytes([byte]))

    dripping = threading.Thread(target=drip)
    dripping.start()
    assert other.receive(time.monotonic() + 10) == ({"a": "b"}, b"body")
    dripping.join()


def test_nobody_waits_longer_than_until(ends: tuple[Wire, Wire]) -> None:
    for seconds in (0.05, 0, -1):
        start = time.monotonic()
        with pytest.raises(TimeoutError):
            ends[0].receive(start + seconds)
        assert time.monotonic() - start < 1


def test_an_end_that_is_gone_is_noticed(ends: tuple[Wire, Wire]) -> None:
    one, other = ends
    assert not other.is_closed
    with pytest.raises(TimeoutError):
        other.receive(time.monotonic() + 0.01)
    assert not other.is_closed, "one that is only silent is not gone"
    one.connection.sendall(b"\0\0\0\1")
    one.close()
    assert other.is_closed
    with pytest.raises(EOFError):
        other.receive(time.monotonic() + 1)
