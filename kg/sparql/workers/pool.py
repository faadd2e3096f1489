"""Runs workers over one graph and replaces those that die.

A loader process holds the graph and forks the workers; `worker.py` is the program of both.
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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kg.errors import KgError, QueryCrashed
from kg.sparql.limits import Limits
from kg.sparql.workers.wire import CHUNK, Message, decode, is_complete
from kg.sparql.workers.worker import END, FORK, READY, SIZE

CHECK_INTERVAL = 0.5  # seconds between checks for dead workers
EXIT_TIMEOUT = 5  # seconds for the loader to exit before it is killed
MESSAGE_TIMEOUT = 10.0  # seconds for the rest of a message
# The graph as N-Quads, or a function that returns its facts and the rest while the loader starts.
Lines = bytes | Callable[[], tuple[bytes, bytes]]
RESTARTED = "The query engine was restarted. Try again."


class AsyncWire:
    """The server's end of a worker's socket, read on the event loop, so that no thread waits for an
    answer.
    """

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection

    async def send(self, message: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.connection, message)

    async def receive(self, seconds: float) -> Message:
        """The next message. Raises TimeoutError if none has started in time, EOFError if the worker
        is gone.
        """
        loop, found = asyncio.get_running_loop(), bytearray()
        async with asyncio.timeout(max(seconds, 0)) as limit:
            while not is_complete(found):
                if found:
                    limit.reschedule(loop.time() + MESSAGE_TIMEOUT)
                more = await loop.sock_recv(self.connection, CHUNK)
                if not more:
                    raise EOFError
                found += more
        return decode(found)

    @property
    def is_closed(self) -> bool:
        """Whether the worker is gone. An idle worker sends nothing, so readable data means the end
        of the stream.
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
    loader: Loader  # its parent, which alone can kill and reap it


class Loader:
    def __init__(self, base: str, lines: Lines, memory: int, union: bool) -> None:
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
            facts, rest = (lines, b"") if isinstance(lines, bytes) else lines()
            stdin.write(SIZE.pack(len(rest)))
            for text in (rest, facts):
                stdin.write(text)
            stdin.close()
        except BrokenPipeError:
            pass
        if self.control.recv(64) != READY:
            self.close()
            raise KgError(
                "The process that holds the graph did not start. Check that there is enough memory."
            )

    def fork(self) -> Worker:
        """Raises OSError or ValueError if the loader is gone."""
        ours, theirs = socket.socketpair()
        try:
            with theirs, self.lock:
                socket.send_fds(self.control, [FORK], [theirs.fileno()])
                return Worker(int(self.control.recv(64)), AsyncWire(ours), self)
        except BaseException:
            ours.close()
            raise

    def end(self, worker: Worker) -> int:
        """Kills a worker. A negative result is the signal that killed it before."""
        worker.wire.close()
        with self.lock:
            self.control.send(END + str(worker.pid).encode())
            return int(self.control.recv(64))

    def close(self) -> None:
        """Stops the loader and all its workers."""
        with suppress(OSError):
            self.control.shutdown(socket.SHUT_RDWR)  # also wakes a thread that waits on the socket
        try:
            self.process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.control.close()


class WorkerLost(Exception):
    """The worker was killed from outside while it evaluated a query."""


class Pool:
    """`pop` and `give` are fast; everything else waits for processes and must be called from a
    thread.
    """

    def __init__(self, base: str, lines: Lines, limits: Limits, union: bool) -> None:
        self.base, self.lines, self.limits, self.union = base, lines, limits, union
        self.lock, self.reload_lock = threading.Lock(), threading.Lock()
        self.closing = threading.Event()
        self.restarts = 0
        self.idle: list[Worker] = []
        self.busy: set[Worker] = set()
        self.load()
        threading.Thread(target=self.watch, name="pool", daemon=True).start()

    def load(self) -> None:
        """Starts a new loader and new workers."""
        loader = Loader(self.base, self.lines, self.limits.memory, self.union)
        try:
            workers = [loader.fork() for _ in range(self.limits.workers)]
        except (OSError, ValueError) as error:
            loader.close()
            raise KgError(
                "The process that holds the graph crashed at start. Check that there is enough "
                "memory."
            ) from error
        with self.lock:
            self.loader, self.idle, old = loader, workers, self.idle
        for worker in old:
            worker.wire.close()

    def pop(self) -> Worker | None:
        """An idle worker, or None."""
        with self.lock:
            if not self.idle:
                return None
            self.busy.add(worker := self.idle.pop())
            return worker

    def add(self, loader: Loader) -> None:
        """Adds a worker; restarts the loader first if it is gone."""
        try:
            self.give(loader.fork())
        except (OSError, ValueError):
            self.reload(loader)

    def give(self, worker: Worker) -> None:
        """Returns a worker to the pool; surplus workers are killed."""
        with self.lock:
            self.busy.discard(worker)
            others = len(self.idle) + sum(each.loader is self.loader for each in self.busy)
            if worker.loader is self.loader and others < self.limits.workers:
                self.idle.append(worker)
                return
        with suppress(OSError, ValueError):
            worker.loader.end(worker)

    def replace(self, worker: Worker) -> WorkerLost | QueryCrashed:
        """Kills a worker and adds another one. Returns why it died, if it was dead already."""
        try:
            status = worker.loader.end(worker)
        except (OSError, ValueError):
            status = -signal.SIGKILL
        with self.lock:
            self.busy.discard(worker)
            self.restarts += 1
        with suppress(QueryCrashed):
            # If the loader is gone, its other workers are dying too, and a retry would get one of
            # them.
            self.add(worker.loader)
        if status == -signal.SIGKILL:
            return WorkerLost()
        if status == -signal.SIGSEGV:
            return QueryCrashed("The query is nested too deeply. Simplify it.")
        return QueryCrashed("The query exceeded the memory limit. Simplify it or add a LIMIT.")

    def replace_dead(self) -> None:
        """Replaces workers that died while idle."""
        with self.lock:
            dead = [worker for worker in self.idle if worker.wire.is_closed]
            self.idle = [worker for worker in self.idle if worker not in dead]
        for worker in dead:
            self.replace(worker)

    def reload(self, loader: Loader) -> None:
        """Replaces a loader that is gone."""
        with self.reload_lock:
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
        """Replaces processes that were killed from outside, until the pool is closed."""
        while not self.closing.wait(CHECK_INTERVAL):
            loader = self.loader
            if loader.process.poll() is None:
                self.replace_dead()
            else:
                with suppress(QueryCrashed):
                    self.reload(loader)

    def workers(self) -> tuple[list[int], int]:
        """The process ids, and the number of restarts."""
        with self.lock:
            return [worker.pid for worker in (*self.idle, *self.busy)], self.restarts

    def close(self) -> None:
        self.closing.set()
        with self.reload_lock, self.lock:
            for worker in self.idle:
                worker.wire.close()
            self.idle = []
        self.loader.close()


def resident(pid: int) -> int:
    """Resident memory of a process in bytes, including shared pages; 0 if it is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()
