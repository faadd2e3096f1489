"""pyoxigraph in killable workers: the one way a stranger's query is evaluated.

pyoxigraph has no timeout, and some queries end the process that runs them. So a loader forks workers that hold the graph; a query
that misses its deadline costs its worker's life, and another is forked in milliseconds.
"""

from __future__ import annotations

import json
import queue
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from multiprocessing.connection import Connection

from kg.engine import guard
from kg.engine.store import Answer, Wanted
from kg.engine.zygote import END, FORK, READY
from kg.errors import BadQuery, KgError, QueryCrashed, QueryTimeout, WrongForm


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may cost."""

    deadline: float = 10.0
    headroom: int = 512 * 1024 * 1024
    workers: int = 2
    patience: float = 5.0  # how long a query waits for a free worker


@dataclass(frozen=True, slots=True)
class Worker:
    pid: int
    channel: Connection
    loader: Loader  # its parent, and so the only one that can end it


class Loader:
    """The process that holds the graph and forks workers from it."""

    def __init__(self, base: str, nquads: bytes, headroom: int, union: bool) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", "-m", "kg.engine.zygote", str(theirs.fileno()), base, str(headroom), str(int(union))]
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, pass_fds=[theirs.fileno()], start_new_session=True
        )
        theirs.close()
        self.lock = threading.Lock()
        stdin = self.process.stdin
        assert stdin is not None  # noqa: S101
        try:
            stdin.write(nquads)
            stdin.close()
        except BrokenPipeError:
            pass
        if self.control.recv(64) != READY:
            raise KgError("The process that holds the graph did not start. Is there enough memory?")

    def fork(self) -> Worker:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            with self.lock:
                socket.send_fds(self.control, [FORK], [theirs.fileno()])
                pid = int(self.control.recv(64))
            return Worker(pid, Connection(ours.detach()), self)

    def end(self, worker: Worker) -> int:
        worker.channel.close()
        with self.lock:
            self.control.send(END + str(worker.pid).encode())
            return int(self.control.recv(64))

    def close(self) -> None:
        self.control.close()
        self.process.wait(10)


class Embedded:
    """A pool of workers over one graph."""

    def __init__(self, base: str, nquads: bytes, limits: Limits | None = None, union: bool = True) -> None:
        self.base, self.nquads, self.union = base, nquads, union
        self.limits = limits or Limits()
        self.loader = Loader(base, nquads, self.limits.headroom, union)
        self.idle: queue.Queue[Worker] = queue.Queue()
        self.mending = threading.Lock()
        for _ in range(self.limits.workers):
            self.idle.put(self.loader.fork())

    def answer(self, query: str, wanted: Wanted) -> Answer:
        guard.check(query)
        try:
            worker = self.idle.get(timeout=self.limits.patience)
        except queue.Empty as error:
            raise QueryTimeout("All workers are busy. Try again in a moment.") from error
        try:
            answer = self.ask(worker, query, wanted)
        except (BadQuery, WrongForm):
            self.idle.put(worker)
            raise
        except BaseException:  # the worker is gone, or still owes an answer that the next query must not get
            worker.channel.close()
            self.idle.put(self.another())
            raise
        self.idle.put(worker)
        return answer

    def ask(self, worker: Worker, query: str, wanted: Wanted) -> Answer:
        request = {"query": query, "table": wanted.table, "graph": wanted.graph}
        try:
            worker.channel.send_bytes(json.dumps(request).encode())
            if not worker.channel.poll(self.limits.deadline):
                worker.loader.end(worker)
                raise QueryTimeout(f"The query took longer than {self.limits.deadline:g} seconds and was stopped.")
            head = json.loads(worker.channel.recv_bytes())
            if "bad" in head:
                raise BadQuery(head["bad"])
            if "form" in head:
                raise WrongForm(head["form"])
            return Answer(head["media_type"], worker.channel.recv_bytes())
        except (EOFError, OSError, ValueError) as error:
            raise QueryCrashed(self.why(worker)) from error

    def why(self, worker: Worker) -> str:
        """What became of a worker that hung up."""
        try:
            status = worker.loader.end(worker)
        except (OSError, ValueError):
            return "The query engine was restarted. Try again."
        if status == -signal.SIGSEGV:
            return "The query is nested too deeply for the engine."
        return "The query needed more memory than it may have."

    def another(self) -> Worker:
        """A fresh worker, from a fresh loader if the old one is gone."""
        with self.mending:
            try:
                return self.loader.fork()
            except (OSError, ValueError):
                self.loader.close()
                self.loader = Loader(self.base, self.nquads, self.limits.headroom, self.union)
                return self.loader.fork()

    def close(self) -> None:
        while not self.idle.empty():
            self.idle.get().channel.close()
        self.loader.close()
