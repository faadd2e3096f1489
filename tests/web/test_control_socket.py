"""The socket of `kg reload`: only its user reaches it, and no server takes that of another."""

from __future__ import annotations

import asyncio
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from kg.check.reloads import Outcome, Reloads
from kg.errors import KgError
from kg.web import control_socket as control
from kg.web.control_socket import NoServer, SocketTaken, connect, request_reload, socket_path

GOOD = Outcome(True, "Served now; no problems.")


@contextmanager
def answering(path: Path) -> Iterator[Reloads]:
    """A server at a path, all of whose reloads are good."""
    reloads = Reloads()

    def follow() -> None:
        while not reloads.is_ended:
            if reloads.wait():
                reloads.settle(GOOD)

    async def listen(listening: socket.socket) -> None:
        server = await asyncio.start_unix_server(partial(control.answer, reloads), sock=listening)
        async with server:
            await asyncio.to_thread(reader.join)

    reader = Thread(target=follow)
    reader.start()
    with control.control_socket(path) as listening:
        server = Thread(target=lambda: asyncio.run(listen(listening)))
        server.start()
        try:
            yield reloads
        finally:
            reloads.end()
            reader.join()
            server.join()


def long_path(folder: Path) -> Path:
    """Twice as long as the address of a socket may be; and so is its name."""
    (folder / ("long" * 30)).mkdir()
    return folder / ("long" * 30) / ("name" * 30)


def test_a_reload_is_requested_by_a_file_of_any_name_that_only_its_user_may_use(
    tmp_path: Path,
) -> None:
    path = long_path(tmp_path)
    with answering(path):
        assert stat.filemode(path.stat().st_mode) == "srw-------"
        assert request_reload(path) == request_reload(path) == GOOD
        assert list(path.parent.iterdir()) == [path]
    assert list(path.parent.iterdir()) == []
    with pytest.raises(NoServer):
        request_reload(path)


def test_who_says_something_else_is_told_and_who_says_nothing_harms_nobody(tmp_path: Path) -> None:
    path = tmp_path / "kg"
    with answering(path):
        for line in (b"stop\n", b"reload now\n", b"x" * 50 + b"\n"):
            with connect(path) as connection:
                connection.sendall(line)
                assert b"and no other" in connection.recv(1000)
        with connect(path) as connection:
            connection.sendall(b"x" * 200_000)
            assert connection.makefile("rb").read() == b""
        connect(path).close()
        assert request_reload(path) == GOOD


def test_what_a_killed_server_left_is_replaced_and_a_living_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "kg"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    assert path.is_socket()
    with answering(path):
        with pytest.raises(SocketTaken, match=str(path)), answering(path):
            pass
        assert request_reload(path) == GOOD


def test_a_server_that_ends_leaves_the_socket_of_another(tmp_path: Path) -> None:
    path = tmp_path / "kg"
    with control.control_socket(path):
        path.unlink()
        with answering(path):
            pass
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))
    assert path.is_socket()


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(KgError, match="not a socket"), answering(path):
        pass
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_server_that_ends_without_an_answer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "kg"
    with control.control_socket(path) as listening:

        def end() -> None:
            listening.accept()[0].close()

        ending = Thread(target=end)
        ending.start()
        with pytest.raises(KgError, match="ended before it answered"):
            request_reload(path)
        ending.join()


def test_each_site_has_a_socket_of_its_own_by_whatever_name_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "site").mkdir()
    (tmp_path / "link").symlink_to("site")
    monkeypatch.chdir(tmp_path / "site")
    ours = socket_path([tmp_path / "site"])
    assert ours == socket_path([tmp_path / "link"]) == socket_path([Path()])
    assert ours.parent == tmp_path / "kg"
    assert stat.filemode(ours.parent.stat().st_mode) == "drwx------"
    assert ours != socket_path([tmp_path])
    assert socket_path([Path("a"), Path("b")]) != socket_path([Path("b"), Path("a")])


def test_a_folder_that_others_can_enter_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "kg").mkdir()
    (tmp_path / "kg").chmod(0o755)
    with pytest.raises(KgError, match="only you can enter"):
        socket_path([tmp_path])
    (tmp_path / "kg").rmdir()
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "kg").symlink_to("private")
    with pytest.raises(KgError, match="only you can enter"):
        socket_path([tmp_path])
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "gone"))
    monkeypatch.setattr(control, "gettempdir", lambda: str(tmp_path))
    assert socket_path([tmp_path]).parent.parent == tmp_path
