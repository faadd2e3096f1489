"""What one client can hold open: so many connections, so many bytes of answers that it has not
read.
"""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.web import connections
from kg.web.connections import Outbox, SlowReaders, shut_down, shut_down_surplus
from tests.kinds import starts

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
@starts("server")
def pairs() -> Iterator[list[Pair]]:
    """Five connections to a server in this process: the ends of the clients, and its own."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        found = []
        for _ in range(5):
            client = stack.enter_context(socket.create_connection(server.getsockname()))
            client.settimeout(60)
            found.append((client, stack.enter_context(server.accept()[0])))
        yield found


def port(pairs: list[Pair]) -> int:
    return int(pairs[0][1].getsockname()[1])


def is_open(pair: Pair) -> bool:
    """Whether what the server sends arrives."""
    try:
        pair[1].sendall(b"x")
    except BrokenPipeError:
        return False
    return pair[0].recv(1) == b"x"


def fill(end: socket.socket) -> bool:
    """Sends as much as will go; whether the connection is open."""
    end.setblocking(False)
    try:
        while end.send(bytes(100_000)):
            pass
    except BlockingIOError:
        return True
    except BrokenPipeError:
        return False


def test_one_connection_is_shut_down_and_no_other(pairs: list[Pair]) -> None:
    host, number = pairs[2][0].getsockname()
    shut_down(port(pairs), f"{host}:{number}")
    assert [is_open(pair) for pair in pairs] == [True, True, False, True, True]
    shut_down(port(pairs) + 1, f"{host}:{pairs[0][0].getsockname()[1]}")
    assert is_open(pairs[0]), "that is a connection to another port"


def test_a_client_keeps_so_many(pairs: list[Pair], monkeypatch: pytest.MonkeyPatch) -> None:
    shut_down_surplus(port(pairs))
    assert all(is_open(pair) for pair in pairs)
    monkeypatch.setattr(connections, "MAX_PER_CLIENT", 3)
    shut_down_surplus(port(pairs))
    assert sum(is_open(pair) for pair in pairs) == 3


def test_who_leaves_answers_unread_is_cut_off_and_who_reads_slowly_is_not(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PROGRESS_BYTES", 50_000)
    (idle, idle_end), (deaf, deaf_end), (slow, slow_end), *_ = pairs
    readers = SlowReaders()
    for now, is_cut in ((0, False), (30, False), (59, False), (61, False), (119, True)):
        fill(slow_end)
        assert fill(deaf_end) is not is_cut
        readers.shut_down(port(pairs), now)
        assert idle_end.send(b"x") == len(idle.recv(1))
        left = 200_000
        while left:
            left -= len(slow.recv(left))
    assert fill(slow_end)
    deaf_end.close()
    with pytest.raises(ConnectionResetError):  # nothing of it is kept for the client
        while deaf.recv(1_000_000):
            pass


def test_unread_answers_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_UNREAD", 100)
    outbox = Outbox()
    assert outbox.reserve("a", 90)
    assert not outbox.reserve("a", 20)
    assert outbox.reserve("b", 500), "the first may be of any size"
    outbox.free("a", 90)
    assert outbox.reserve("a", 20)
    path = outbox.path()
    outbox.write(path, [b"one", b"two"])
    assert path.read_bytes() == b"onetwo"
    outbox.close()
    assert not path.parent.exists()


def test_without_a_folder_for_temporary_files_there_is_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(KgError, match="TMPDIR="):
        Outbox()
