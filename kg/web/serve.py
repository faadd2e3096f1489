"""Runs the application: granian in front, worker processes for queries behind, all gone when it
ends.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any

import uvloop
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.server.embed import Server

from kg.check.reloads import ENDED, Outcome, Reloads
from kg.errors import KgError, ProblemsFound, tidy
from kg.sparql.answer_cache import AnswerCache
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web.answers import cached
from kg.web.app import App, Options
from kg.web.connections import limit_connections
from kg.web.control_socket import answer
from kg.web.rsgi import Application
from kg.web.state import Stage, State, begin_prerender

if TYPE_CHECKING:
    from kg.check.watch import Seen
    from kg.graph.build import Graph
    from kg.publish.site import Documents

PATIENCE = 5  # seconds for a check that is under way when the server is ended
GRACE = 1  # seconds for answers that are being sent then
OFTEN = 0.05  # seconds between looks at whether requests are still under way
MOST_CONNECTIONS = 4000
OTHER_FILES = 500  # descriptors
LONGEST_HEAD = 96 * 1024  # bytes; a query may stand in the address
SILENCE = 30  # seconds for the head of a request, after which a connection is closed
M_MMAP_THRESHOLD = -3  # as malloc.h has it
LARGE = 128 * 1024  # bytes


def serve(
    stage: Stage,
    options: Options,
    ready: Callable[[str], None],
    later: Iterator[Seen | State] | None = None,
    reloads: Reloads | None = None,
    control: socket.socket | None = None,
) -> None:
    """Serves the state of a stage until it is interrupted; `ready` is called with the address once
    requests are answered.

    `later` gives the states of the files that follow, and ends when `reloads` do, as they do here
    in the end. Each good one is served in the place of the last. A reload is requested by SIGHUP,
    or at the `control` socket. Raises KeyboardInterrupt in the end if it was that.
    """
    reloads = reloads or Reloads()
    watcher = Thread(
        target=follow, args=(stage, later or iter(()), reloads), name="watcher", daemon=True
    )
    try:
        ended_by = uvloop.run(listen(stage, options, watcher, ready, reloads, control))
    finally:
        reloads.end()
        if watcher.ident is not None:
            watcher.join(PATIENCE)
        stage.close()
    if ended_by == signal.SIGINT:
        raise KeyboardInterrupt


async def listen(
    stage: Stage,
    options: Options,
    watcher: Thread,
    ready: Callable[[str], None],
    reloads: Reloads,
    control: socket.socket | None,
) -> signal.Signals:
    """Answers requests until a signal comes, and says which it was."""
    loop = asyncio.get_running_loop()
    signals: asyncio.Queue[signal.Signals] = asyncio.Queue()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, signals.put_nowait, number)
    is_attached = ends_with_terminal()

    def hang_up() -> None:
        if is_attached and not has_terminal():
            signals.put_nowait(signal.SIGTERM)
        else:
            reloads.request()

    loop.add_signal_handler(signal.SIGHUP, hang_up)
    give_memory_back()
    with ExitStack() as reserved:
        addresses, port = reserve(options, reserved)
        app = App(stage, options)
        loop.set_exception_handler(partial(note_fault, app))
        application = Application(app, port)
        reserved.callback(application.close)
        servers = [create_server(application, address, port) for address in addresses]
        running = [loop.create_task(server.serve()) for server in servers]
        bound = loop.create_task(limit_connections(port, options.proxies))
        for address in addresses:
            await is_listening(address, port)
        watcher.start()
        if control:
            gate = await asyncio.start_unix_server(partial(answer, reloads), sock=control)
            reserved.callback(gate.close)
        host = f"[{options.host}]" if ":" in options.host else options.host
        ready(f"http://{host}:{port}/")
        ended_by = await signals.get()
        stage.ending = True
        reloads.end()
        if ended_by == signal.SIGTERM:
            for server in servers:
                server.stop()  # type: ignore[no-untyped-call]
            await drain(application, stage.state.endpoint.limits.deadline, signals)
        await asyncio.to_thread(stage.close)  # queries that run or wait are refused
        for server in servers:
            server.stop()  # type: ignore[no-untyped-call]
        await asyncio.wait(running, timeout=GRACE)
        bound.cancel()
    return ended_by


def note_fault(app: App, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Of a task that nobody waits for."""
    app.note_fault(context.get("exception") or RuntimeError(context["message"]))


async def drain(
    application: Application, seconds: float, signals: asyncio.Queue[signal.Signals]
) -> None:
    """Waits until no request is under way, but not for longer than a query may take, and not after
    another signal.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    await asyncio.sleep(OFTEN)  # for what has arrived and not begun
    while application.requests and loop.time() < until and signals.empty():
        await asyncio.sleep(OFTEN)


def ends_with_terminal() -> bool:
    """Whether this process was started at a terminal, and not with nohup: then SIGHUP may mean that
    the terminal was closed.
    """
    return has_terminal() and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN


def has_terminal() -> bool:
    with suppress(OSError):
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
        return True
    return False


def reserve(options: Options, reserved: ExitStack) -> tuple[list[str], int]:
    """The addresses that a host stands for, and a port that nobody else has: granian would share
    one with other servers.
    """
    addresses, port = [], options.port
    try:
        found = socket.getaddrinfo(
            options.host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        hosts = dict.fromkeys((family, str(place[0])) for family, _, _, _, place in found)
        for family, address in list(filter(is_ours, hosts)) or hosts:
            with socket.socket(family) as alone:
                alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                alone.bind((address, port))
                port = alone.getsockname()[1]
            shared = reserved.enter_context(socket.socket(family))
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            shared.bind((address, port))
            addresses.append(address)
    except (OSError, ValueError) as error:  # a taken port, a host that is not ours
        why = getattr(error, "strerror", None) or error
        hint = "Choose another with --port or --host (or KG_SERVE_PORT=8001 make serve)."
        raise KgError(f"Cannot listen on {options.host}:{options.port}: {why}. {hint}") from error
    return addresses, port


def is_ours(host: tuple[int, str]) -> bool:
    """localhost names an address of IPv6 also where there is none."""
    family, address = host
    with suppress(OSError), socket.socket(family) as alone:
        alone.bind((address, 0))
        return True
    return False


def create_server(application: Application, address: str, port: int) -> Server:
    return Server(
        application,
        address,
        port,
        http=HTTPModes.http1,
        websockets=False,
        backlog=1024,
        backpressure=allow_connections(),
        http1_settings=HTTP1Settings(
            header_read_timeout=SILENCE * 1000, max_buffer_size=LONGEST_HEAD
        ),
        log_enabled=False,
    )


def allow_connections() -> int:
    """As many connections as we take need descriptors, and large answers files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST_CONNECTIONS + OTHER_FILES
    if resource.RLIM_INFINITY not in (soft, hard):
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max((wanted - OTHER_FILES) // 2, 100)


def give_memory_back() -> None:
    """What the start took goes back to the system, and a large answer when it is sent. By itself
    glibc would learn from the first to keep the next ones, in every thread, and the process would
    stay at many times what it needs.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
        ctypes.CDLL(None).malloc_trim(0)


async def is_listening(address: str, port: int) -> None:
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(address, port)
            writer.close()
            return
        await asyncio.sleep(0.01)


def follow(stage: Stage, states: Iterator[Seen | State], reloads: Reloads) -> None:
    """Serves each state of the files if it is good; otherwise only the author sees it. Who
    requested it is told.
    """
    begin_prerender(stage)
    last = ENDED
    try:
        for newest in states:
            take_over(stage, newest)
            outcome = stage.outcome()
            if outcome.served:
                cached.cache_clear()  # pages of the state before
            reloads.settle(outcome)
    except Exception:
        fault = "The files are no longer read, by a fault of kg itself. Start the server again."
        stage.note(KgError(fault))
        last = Outcome(False, fault)
        raise
    finally:
        reloads.end(last)


def take_over(stage: Stage, newest: Seen | State) -> None:
    if isinstance(newest, State):
        stage.put(newest, None)
    elif isinstance(newest, Exception) or newest.graph is None or not newest.publishable:
        stage.note(newest)
    else:
        endpoint = stage.state.endpoint
        try:
            state = build_state(newest.graph, endpoint.limits, endpoint.union)
        except ProblemsFound as error:
            stage.note(replace(newest, problems=tidy([*newest.problems, *error.problems])))
        except (KgError, OSError) as error:  # no memory for another process, say
            stage.note(error)
        else:
            stage.put(state, newest)
            begin_prerender(stage)


def build_state(graph: Graph, limits: Limits | None = None, union: bool = True) -> State:
    # RDF files are served without these
    from kg.publish.proof.trial import tried_documents  # noqa: PLC0415

    documents = tried_documents(graph)
    documents.shapes()  # read now, for the files may change while this graph is served
    return State(documents, build_endpoint(documents, graph, limits, union))


def build_endpoint(
    documents: Documents, graph: Graph, limits: Limits | None = None, union: bool = True
) -> AnswerCache:
    return AnswerCache(
        Embedded(
            graph.site.base, lambda: (graph.nquads, documents.void()), limits, union, graph.pages
        )
    )
