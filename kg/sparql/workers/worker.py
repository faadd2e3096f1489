"""The loader of the worker processes, run as a program of its own: `python -m
kg.sparql.workers.worker FD BASE MEMORY UNION`.

It reads the graph from standard input once, the pages of the site first, then forks a worker for
each request on its control socket. A worker holds the graph in shared memory, may open neither
files nor sockets, and answers one query after another on the socket it was given. When the control
socket closes, the loader ends all its workers and itself. It stays single-threaded, so forking is
safe.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import struct
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import IO

import rapidfuzz.process  # noqa: F401  now, for a worker, which opens no files, could not load it

from kg.errors import BadQuery, WrongForm
from kg.sparql.evaluate import answer
from kg.sparql.reading import guard
from kg.sparql.workers.wire import Wire, decode_query
from kg.store.memory import Memory

PR_SET_PDEATHSIG = 1
STACK = 64 * 1024 * 1024  # bytes
STATM = Path("/proc/self/statm")
NO_FILES = 3  # but the three that lead nowhere
SIZE = struct.Struct("!Q")  # of the pages, in bytes
FORK, END, READY = b"fork", b"end", b"ready"


def main(control: socket.socket, graph: Memory, headroom: int) -> None:
    loader = os.getpid()
    workers: set[int] = set()
    with suppress(BrokenPipeError, ConnectionResetError):  # it may close before it is answered
        control.send(READY)
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 64, 1)
            if not message:
                break
            if message == FORK:
                pid = os.fork()
                if pid == 0:
                    control.close()
                    live(graph, Wire(socket.socket(fileno=descriptors[0])), headroom, loader)
                os.close(descriptors[0])
                workers.add(pid)
                control.send(str(pid).encode())
            else:
                pid = int(message.removeprefix(END))
                workers.discard(pid)
                control.send(str(end(pid)).encode())
    for pid in workers:
        end(pid)


def end(pid: int) -> int:
    """Ends a worker; negative is the signal that ended it before we did."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def live(graph: Memory, wire: Wire, headroom: int, loader: int) -> None:
    """The life of a worker; it never returns."""
    try:
        part(loader)
        with STATM.open("rb", buffering=0) if STATM.exists() else nullcontext() as size:
            confine(size, headroom)
        work(graph, wire)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)
    finally:
        os._exit(1)


def work(memory: Memory, wire: Wire) -> None:
    """Answers one query after another."""
    while True:
        request, text = wire.receive()
        try:
            query = decode_query(request, text)
            if not request.get("is_checked"):  # here, for a long text takes a while to read
                guard.check(query.text)
            found = answer(memory, query, request["most"])
            wire.send(
                {
                    "media_type": found.media_type,
                    "is_lasting": found.is_lasting,
                    "hints": found.hints,
                },
                found.body,
            )
        except BadQuery as error:
            wire.send({"bad": str(error)})
        except WrongForm as error:
            wire.send({"form": str(error)})


def part(loader: int) -> None:
    """No life after the loader's, and nothing on the terminal."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != loader:  # it died before it could take us along
        os._exit(1)
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    os.close(quiet)


def confine(size: IO[bytes] | None, headroom: int) -> None:
    """From here on: bounded memory, no core files, no more files or sockets."""
    if size:
        limit = int(size.read().split()[0]) * resource.getpagesize() + headroom
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (NO_FILES, NO_FILES))


if __name__ == "__main__":
    channel, base, headroom, union = sys.argv[1:]
    # Room for the engine's recursion; a stack grows only as far as it is used.
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    depth = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (depth, hard))
    pages = sys.stdin.buffer.read(SIZE.unpack(sys.stdin.buffer.read(SIZE.size))[0])
    graph = Memory(base, sys.stdin.buffer.read(), union == "union", pages)
    main(socket.socket(fileno=int(channel)), graph, int(headroom))
