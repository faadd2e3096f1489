"""Runs workers over one graph and replaces those that die. A loader holds the graph and forks them;
`worker.py` is what runs in these processes.
"""

from __future__ import annotations

import asyncio
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kg.errors import KgError, QueryCrashed
from kg.sparql.limits import Limits
from kg.sparql.workers.wire import CHUNK, Message, decode, is_complete
from kg.sparql.workers.worker import END, FORK, READY, SIZE

EVERY = 0.5  # seconds
PATIENCE = 5  # seconds for an end in order
FOR_THE_REST = 10.0  # seconds for a message that has begun to arrive
# The graph, or what gives its parts while the first process starts.
Lines = bytes | Callable[[], Sequence[bytes]]
RESTARTED = "The query engine was restarted. Try again."


class AsyncWire:
    """The server's end of the socket of a worker, read by an event loop, so that no thread waits
    for an answer.
    """

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


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    pid: int
    wire: AsyncWire
    loader: Loader  # its parent, and so the only one that can end it


class Loader:
    def __init__(self, base: str, nquads: Lines, memory: int, union: bool, pages: bytes) -> None:
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
            stdin.write(SIZE.pack(len(pages)))
            for text in [pages, *([nquads] if isinstance(nquads, bytes) else nquads())]:
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


class WorkerLost(Exception):
    """A worker was ended by somebody else, with the query it had."""


class Pool:
    """`pop` and `give` are quick; all else waits for processes and is called from threads."""

    def __init__(self, base: str, nquads: Lines, limits: Limits, union: bool, pages: bytes) -> None:
        self.base, self.nquads, self.limits = base, nquads, limits
        self.union, self.pages = union, pages
        self.lock, self.mending = threading.Lock(), threading.Lock()
        self.closing = threading.Event()
        self.restarts = 0
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.load()
        threading.Thread(target=self.watch, name="pool", daemon=True).start()

    def load(self) -> None:
        """Begins with a new loader and new workers."""
        loader = Loader(self.base, self.nquads, self.limits.memory, self.union, self.pages)
        try:
            workers = [loader.fork() for _ in range(self.limits.workers)]
        except (OSError, ValueError) as error:
            loader.close()
            raise KgError(
                "The process that holds the graph ended as soon as it was started. Is there "
                "enough memory?"
            ) from error
        with self.lock:
            self.loader, self.idle, old = loader, workers, self.idle
        for worker in old:
            worker.wire.close()

    def pop(self) -> Worker | None:
        """An idle worker, if there is one now."""
        with self.lock:
            if not self.idle:
                return None
            self.busy.add(worker := self.idle.pop())
            return worker

    def add(self, loader: Loader) -> None:
        """One more worker, of another loader where this one is gone."""
        try:
            self.give(loader.fork())
        except (OSError, ValueError):
            self.reload(loader)

    def give(self, worker: Worker) -> None:
        """Takes a worker back; one too many is ended."""
        with self.lock:
            self.busy.discard(worker)
            others = len(self.idle) + sum(each.loader is self.loader for each in self.busy)
            if worker.loader is self.loader and others < self.limits.workers:
                self.idle.append(worker)
                return
        with suppress(OSError, ValueError):
            worker.loader.end(worker)

    def replace(self, worker: Worker) -> WorkerLost | QueryCrashed:
        """Ends a worker, whatever it does, and puts another in its place; gives the reason where
        it had ended before.
        """
        try:
            status = worker.loader.end(worker)
        except (OSError, ValueError):
            status = -signal.SIGKILL
        with self.lock:
            self.busy.discard(worker)
            self.restarts += 1
        with suppress(QueryCrashed):
            # Where the loader is gone, its other workers are about to die too, and a second attempt
            # would get one of them.
            self.add(worker.loader)
        if status == -signal.SIGKILL:
            return WorkerLost()
        if status == -signal.SIGSEGV:
            return QueryCrashed("The query is nested too deeply for the engine.")
        return QueryCrashed("The query needed more memory than it may have.")

    def replace_dead(self) -> None:
        """Replaces workers that ended while they were idle."""
        with self.lock:
            dead = [worker for worker in self.idle if worker.wire.is_closed]
            self.idle = [worker for worker in self.idle if worker not in dead]
        for worker in dead:
            self.replace(worker)

    def reload(self, loader: Loader) -> None:
        """Puts another loader in the place of one that is gone."""
        with self.mending:
            if self.loader is not loader or self.closing.is_set():
                return
            loader.close()
            try:
                self.load()
            except (KgError, OSError) as error:
                raise QueryCrashed(RESTARTED) from error
            with self.lock:
                self.restarts += 1

    def watch(self) -> None:
        """Replaces what was ended from outside before it is missed, until the pool is closed."""
        while not self.closing.wait(EVERY):
            loader = self.loader
            if loader.process.poll() is None:
                self.replace_dead()
            else:
                with suppress(QueryCrashed):
                    self.reload(loader)

    def workers(self) -> tuple[list[int], int]:
        """Their processes, and how many were replaced."""
        with self.lock:
            return [worker.pid for worker in (*self.idle, *self.busy)], self.restarts

    def close(self) -> None:
        self.closing.set()
        with self.mending, self.lock:
            for worker in self.idle:
                worker.wire.close()
            self.idle = []
        self.loader.close()


def resident(pid: int) -> int:
    """Bytes of memory a process has, shared ones included; 0 where it is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()
