"""The loader and worker processes, run as `python -m kg.sparql.workers.worker FD BASE MEMORY
UNION`.

The loader reads the graph from standard input once, the graph of pages first, and forks a worker
for each request on its control socket. A worker shares the graph's memory, cannot open files or
sockets, and answers queries on the socket that it was given. When the control socket closes, the
loader kills its workers and exits. It stays single-threaded, so forking is safe.
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

import rapidfuzz.process  # noqa: F401  now, because a worker cannot open files

from kg.errors import BadQuery, WrongForm
from kg.sparql.evaluate import answer
from kg.sparql.reading import guard
from kg.sparql.workers.wire import Wire, decode_query
from kg.store.memory import Memory

PR_SET_PDEATHSIG = 1
STACK_SIZE = 64 * 1024 * 1024  # bytes
STATM = Path("/proc/self/statm")
MAX_FILES = 3  # stdin, stdout and stderr, which lead nowhere
SIZE = struct.Struct("!Q")  # size of the graph of pages, in bytes
FORK, END, READY = b"fork", b"end", b"ready"


def main(control: socket.socket, graph: Memory, headroom: int) -> None:
    loader = os.getpid()
    workers: set[int] = set()
    with suppress(BrokenPipeError, ConnectionResetError):  # the server may close the socket first
        control.send(READY)
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 64, 1)
            if not message:
                break
            if message == FORK:
                pid = os.fork()
                if pid == 0:
                    control.close()
                    run_worker(graph, Wire(socket.socket(fileno=descriptors[0])), headroom, loader)
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
    """Kills a worker. A negative result is the signal that killed it before."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def run_worker(graph: Memory, wire: Wire, headroom: int, loader: int) -> None:
    """Runs a worker; never returns."""
    try:
        detach(loader)
        with STATM.open("rb", buffering=0) if STATM.exists() else nullcontext() as size:
            confine(size, headroom)
        work(graph, wire)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)
    finally:
        os._exit(1)


def work(memory: Memory, wire: Wire) -> None:
    """Answers queries one after another."""
    while True:
        request, text = wire.receive()
        try:
            query = decode_query(request, text)
            if not request.get("is_checked"):  # here, because a long query takes a while to check
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


def detach(loader: int) -> None:
    """Ties the worker's life to the loader's, and detaches it from the terminal."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != loader:  # the loader died before prctl took effect
        os._exit(1)
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    os.close(quiet)


def confine(size: IO[bytes] | None, headroom: int) -> None:
    """Limits memory, and forbids core dumps, files and sockets from here on."""
    if size:
        limit = int(size.read().split()[0]) * resource.getpagesize() + headroom
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_FILES, MAX_FILES))


if __name__ == "__main__":
    channel, base, headroom, union = sys.argv[1:]
    # Space for the engine's recursion; a stack takes memory only as far as it is used.
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    depth = STACK_SIZE if hard == resource.RLIM_INFINITY else min(STACK_SIZE, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (depth, hard))
    rest = sys.stdin.buffer.read(SIZE.unpack(sys.stdin.buffer.read(SIZE.size))[0])
    graph = Memory(base, sys.stdin.buffer.read(), union == "union", rest)
    graph.add_documents()  # here, because no worker would have the time
    main(socket.socket(fileno=int(channel)), graph, int(headroom))
