"""The loader and its workers as the server sees them; `worker.py` is what runs in them.

The server's end of each socket is read by an event loop, so that no thread waits for an answer.
"""

from __future__ import annotations

import asyncio
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kg.errors import KgError
from kg.sparql.workers.wire import CHUNK, SIZES, decode, is_complete, size_of
from kg.sparql.workers.worker import END, FORK, READY

PATIENCE = 5  # seconds for an end in order
FOR_THE_REST = 10.0  # seconds for a message that has begun to arrive


class AsyncWire:
    """The end of the server."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection

    async def send(self, message: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.connection, message)

    async def receive(self, seconds: float) -> tuple[dict[str, Any], bytes]:
        """The next message. Raises TimeoutError where none has begun by then, EOFError where the
        other end is gone.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(max(seconds, 0)) as limit:
            found = bytearray(await self.some(loop))
            if not is_complete(found):
                limit.reschedule(loop.time() + FOR_THE_REST)
                while len(found) < SIZES.size:
                    found += await self.some(loop)
                found = await self.rest(loop, found)
        return decode(found)

    async def some(self, loop: asyncio.AbstractEventLoop) -> bytes:
        found = await loop.sock_recv(self.connection, CHUNK)
        if not found:
            raise EOFError
        return found

    async def rest(self, loop: asyncio.AbstractEventLoop, begun: bytearray) -> bytearray:
        found = bytearray(size_of(begun))
        found[: len(begun)] = begun
        view, place = memoryview(found), len(begun)
        while place < len(found):
            more = await loop.sock_recv_into(self.connection, view[place:])
            if not more:
                raise EOFError
            place += more
        return found

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


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    pid: int
    wire: AsyncWire
    loader: Loader  # its parent, and so the only one that can end it


class Loader:
    def __init__(self, base: str, nquads: Sequence[bytes], memory: int, union: bool = True) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [
            sys.executable,
            "-P",
            "-m",
            "kg.sparql.workers.worker",
            str(theirs.fileno()),
            base,
            str(memory),
            "union" if union else "",
        ]
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, pass_fds=[theirs.fileno()], start_new_session=True
        )
        theirs.close()
        self.lock = threading.Lock()
        stdin = self.process.stdin
        assert stdin is not None  # noqa: S101
        try:
            for text in nquads:
                stdin.write(text)
            stdin.close()
        except BrokenPipeError:
            pass
        if self.control.recv(64) != READY:
            self.close()
            raise KgError("The process that holds the graph did not start. Is there enough memory?")

    def fork(self) -> Worker:
        """Raises OSError or ValueError where the loader is gone."""
        ours, theirs = socket.socketpair()
        try:
            with theirs, self.lock:
                socket.send_fds(self.control, [FORK], [theirs.fileno()])
                return Worker(int(self.control.recv(64)), AsyncWire(ours), self)
        except BaseException:
            ours.close()
            raise

    def end(self, worker: Worker) -> int:
        """Ends a worker; negative is the signal that had ended it before."""
        worker.wire.close()
        with self.lock:
            self.control.send(END + str(worker.pid).encode())
            return int(self.control.recv(64))

    def close(self) -> None:
        """Ends it, and all its workers with it."""
        with suppress(OSError):
            self.control.shutdown(socket.SHUT_RDWR)  # also wakes a thread that waits for an answer
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.control.close()
