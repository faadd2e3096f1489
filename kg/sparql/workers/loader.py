"""The process that holds the graph and forks workers from it, seen from here;
`kg.sparql.workers.worker` is what runs in it.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from kg.errors import KgError
from kg.sparql.workers.wire import Wire
from kg.sparql.workers.worker import END, FORK, READY

PATIENCE = 5  # seconds for an end in order


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    pid: int
    wire: Wire
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
                return Worker(int(self.control.recv(64)), Wire(ours), self)
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
