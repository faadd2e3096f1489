"""Runs the server: granian accepts connections, worker processes evaluate queries."""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from threading import Thread
from typing import TYPE_CHECKING, Any

import uvloop
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from granian.server.embed import Server

from kg.check.reloads import Reloads
from kg.errors import KgError, ProblemsFound, tidy
from kg.web import live, questions
from kg.web.answers import Reply, all_headers, cached
from kg.web.app import App, Options, as_refusal, refuse
from kg.web.connections import SEND_TIMEOUT, Outbox, limit_connections, shut_down
from kg.web.request import MAX_BODY, Refusal, Request, too_long
from kg.web.sparql import PATH, RETRY_AFTER
from kg.web.state import CurrentSite, State, build_state

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

    from kg.check.watch import Seen

SHUTDOWN_TIMEOUT = 5  # seconds to wait for a running check when the server stops
DRAIN_TIMEOUT = 1  # seconds to finish sending answers when the server stops
POLL_INTERVAL = 0.05  # seconds between checks for unfinished requests
MAX_CONNECTIONS = 4000
OTHER_FILES = 500  # file descriptors
MAX_HEAD = 96 * 1024  # bytes; the address may contain a query
HEADER_TIMEOUT = 30  # seconds to receive the headers of a request
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # from malloc.h
MMAP_THRESHOLD = 128 * 1024  # bytes
ARENAS = 2  # by default, each thread reserves 64 MB of addresses
BODY_TIMEOUT = 30.0  # seconds to receive the body of a request
WATCH_DELAY = 0.2  # seconds after which a query is cancelled if its client disconnects
CLOSE_AFTER = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
)  # the client may still be sending
SLOW_PATHS = (PATH, live.PATH, questions.PATH)  # path prefixes of requests that may take long
MAX_IN_MEMORY = 256 * 1024  # bytes; a larger answer is sent from a file


def serve(
    current: CurrentSite,
    options: Options,
    ready: Callable[[str], None],
    later: Iterator[Seen | State] | None = None,
    reloads: Reloads | None = None,
) -> None:
    """Serves the current site until interrupted. Calls `ready` with the address once requests are
    answered.

    `later` yields further states of the files until `reloads` ends; each good one replaces the
    current state. SIGHUP requests a reload. Raises KeyboardInterrupt after SIGINT.
    """
    reloads = reloads or Reloads()
    watcher = Thread(
        target=follow, args=(current, later or iter(()), reloads), name="watcher", daemon=True
    )
    try:
        ended_by = uvloop.run(listen(current, options, watcher, ready, reloads))
    finally:
        reloads.end()
        if watcher.ident is not None:
            watcher.join(SHUTDOWN_TIMEOUT)
        current.close()
    if ended_by == signal.SIGINT:
        raise KeyboardInterrupt


async def listen(
    current: CurrentSite,
    options: Options,
    watcher: Thread,
    ready: Callable[[str], None],
    reloads: Reloads,
) -> signal.Signals:
    """Answers requests until a signal arrives, and returns the signal."""
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
        app = App(current, options)
        loop.set_exception_handler(partial(note_fault, app))
        application = Application(app, port)
        reserved.callback(application.close)
        servers = [create_server(application, address, port) for address in addresses]
        running = [loop.create_task(server.serve()) for server in servers]
        bound = loop.create_task(limit_connections(port, options.proxies))
        for address in addresses:
            await is_listening(address, port)
        watcher.start()
        host = f"[{options.host}]" if ":" in options.host else options.host
        ready(f"http://{host}:{port}/")
        ended_by = await signals.get()
        current.ending = True
        reloads.end()
        if ended_by == signal.SIGTERM:
            for server in servers:
                server.stop()  # type: ignore[no-untyped-call]
            await drain(application, current.state.endpoint.limits.deadline, signals)
        await asyncio.to_thread(current.close)  # queries that run or wait are refused
        for server in servers:
            server.stop()  # type: ignore[no-untyped-call]
        await asyncio.wait(running, timeout=DRAIN_TIMEOUT)
        bound.cancel()
    return ended_by


def note_fault(app: App, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs an exception of a task that nothing awaits."""
    app.note_fault(context.get("exception") or RuntimeError(context["message"]))


async def drain(
    application: Application, seconds: float, signals: asyncio.Queue[signal.Signals]
) -> None:
    """Waits for unfinished requests, at most as long as a query may take, or until another
    signal.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    await asyncio.sleep(POLL_INTERVAL)  # for requests that have arrived and not started
    while application.requests and loop.time() < until and signals.empty():
        await asyncio.sleep(POLL_INTERVAL)


def ends_with_terminal() -> bool:
    """Whether the process was started at a terminal without nohup; then SIGHUP may mean that the
    terminal was closed.
    """
    return has_terminal() and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN


def has_terminal() -> bool:
    with suppress(OSError):
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
        return True
    return False


def reserve(options: Options, reserved: ExitStack) -> tuple[list[str], int]:
    """The addresses of a host, and a port that no other server uses: granian would share a port
    that is taken.
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
    except (OSError, ValueError) as error:  # the port is taken, or the host is not on this machine
        why = getattr(error, "strerror", None) or error
        hint = "Choose another with --port or --host (for make serve: KG_SERVE_PORT=8001)."
        raise KgError(f"Cannot listen on {options.host}:{options.port}: {why}. {hint}") from error
    return addresses, port


def is_ours(host: tuple[int, str]) -> bool:
    """Whether this machine has the address: localhost may resolve to IPv6 where IPv6 is off."""
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
            header_read_timeout=HEADER_TIMEOUT * 1000, max_buffer_size=MAX_HEAD
        ),
        log_enabled=False,
    )


def allow_connections() -> int:
    """The number of connections to accept. Raises the limit of file descriptors for them, and for
    the files of large answers.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MAX_CONNECTIONS + OTHER_FILES
    if resource.RLIM_INFINITY not in (soft, hard):
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max((wanted - OTHER_FILES) // 2, min(wanted // 4, 100))


def give_memory_back() -> None:
    """Returns freed memory to the system: after the start, and after each large answer. By default,
    glibc raises its mmap threshold after the first large allocation, keeps the memory in every
    thread, and the process stays many times larger than needed.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD)
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)
        ctypes.CDLL(None).malloc_trim(0)


async def is_listening(address: str, port: int) -> None:
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(address, port)
            writer.close()
            return
        await asyncio.sleep(0.01)


def follow(current: CurrentSite, states: Iterator[Seen | State], reloads: Reloads) -> None:
    """Serves each new state without errors. Others are shown to the author only."""
    try:
        for newest in states:
            take_over(current, newest)
            if current.outcome().served:
                cached.cache_clear()  # pages of the previous state
    except Exception:
        fault = "Internal error: the files are no longer read. Restart the server."
        current.note(KgError(fault))
        raise
    finally:
        reloads.end()


def take_over(current: CurrentSite, newest: Seen | State) -> None:
    if isinstance(newest, State):
        current.put(newest, None)
    elif isinstance(newest, Exception) or newest.graph is None or not newest.publishable:
        current.note(newest)
    else:
        endpoint = current.state.endpoint
        try:
            today = getattr(current.state.documents, "today", "")
            state = build_state(newest.graph, endpoint.limits, endpoint.union, today)
        except ProblemsFound as error:
            current.note(replace(newest, problems=tidy([*newest.problems, *error.problems])))
        except (KgError, OSError) as error:  # for example, no memory for another process
            current.note(error)
        else:
            current.put(state, newest)


class Application:
    """The RSGI application that granian calls. No thread is blocked while a body arrives, a query
    waits for a worker, or a client reads slowly.
    """

    def __init__(self, app: App, port: int) -> None:
        self.app, self.port = app, port
        self.outbox = Outbox()
        self.requests = 0  # unfinished

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        request = read_request(scope, protocol)
        self.requests += 1
        try:
            is_slow = request.path.startswith(SLOW_PATHS) or request.path in self.app.plugins
            with Watch(protocol) if is_slow else nullcontext():
                reply = await self.app.respond(request)
            await self.send(reply, request, scope, protocol)
        except asyncio.CancelledError:  # the client has disconnected, or the server stops
            protocol.response_empty(HTTPStatus.SERVICE_UNAVAILABLE, [])
        except Exception as error:  # for example, no space for a large answer
            self.app.note_fault(error, request)
            await self.send(refuse(as_refusal(error), request), request, scope, protocol)
        finally:
            self.requests -= 1

    async def send(
        self, reply: Reply, request: Request, scope: Scope, protocol: HTTPProtocol
    ) -> None:
        reply.headers["Server"] = "kg"
        if reply.status_code in CLOSE_AFTER:
            reply.headers["Connection"] = "close"
        headers = list(all_headers(reply).items())
        if request.method == "HEAD" or reply.status_code == HTTPStatus.NOT_MODIFIED:
            protocol.response_empty(reply.status_code, headers)
        elif isinstance(reply.body, bytes) and len(reply.body) <= MAX_IN_MEMORY:
            protocol.response_bytes(reply.status_code, headers, reply.body)
        else:
            await self.send_file(reply, request, scope, protocol)

    async def send_file(
        self, reply: Reply, request: Request, scope: Scope, protocol: HTTPProtocol
    ) -> None:
        """Sends a large answer from a file. The connection is closed afterwards, which shows that
        the client has read everything.
        """
        client, size = request.client(self.app.options.proxies), len(reply.body)
        if not self.outbox.reserve(client, size):
            message = "Too much unread data. Read the answers already sent to you first."
            busy = refuse(Refusal(503, message, Retry_After=RETRY_AFTER))
            return await self.send(busy, request, scope, protocol)
        pieces = [reply.body] if isinstance(reply.body, bytes) else reply.body
        path = self.outbox.path()
        try:
            await asyncio.to_thread(self.outbox.write, path, pieces)
            headers = [*all_headers(reply).items(), ("Connection", "close")]
            reply.body, pieces = b"", []
            protocol.response_file(reply.status_code, headers, str(path))
            async with asyncio.timeout(SEND_TIMEOUT):
                await protocol.client_disconnect()
        except TimeoutError:
            await asyncio.to_thread(shut_down, self.port, scope.client)
        finally:
            path.unlink(missing_ok=True)
            self.outbox.free(client, size)

    def close(self) -> None:
        self.app.close()
        self.outbox.close()


class Watch:
    """Cancels the current task when its client disconnects."""

    def __init__(self, protocol: HTTPProtocol) -> None:
        self.gone: asyncio.Future[None] | None = None
        self.timer = asyncio.get_running_loop().call_later(WATCH_DELAY, self.begin, protocol)

    def begin(self, protocol: HTTPProtocol) -> None:
        """Starts watching. Holds no reference to the protocol: if the body is not read to the end,
        granian closes the connection when the protocol is garbage-collected.
        """
        self.gone = asyncio.ensure_future(protocol.client_disconnect())
        self.gone.add_done_callback(self.cancel)

    def cancel(self, gone: asyncio.Future[None]) -> None:
        if self.task and not gone.cancelled():
            self.task.cancel()

    def __enter__(self) -> None:
        self.task = asyncio.current_task()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()
        if self.gone:
            self.gone.remove_done_callback(self.cancel)
            self.gone.cancel()


def read_request(scope: Scope, protocol: HTTPProtocol) -> Request:
    """Repeated headers are joined by commas. A value that is not plain text is read as empty."""
    headers = dict.fromkeys(scope.headers.keys(), "")
    for name, value in scope.headers.items():
        headers[name] = f"{headers[name]}, {value}" if headers[name] else value
    if scope.http_version == "1":  # HTTP/1.0, where Host is optional
        headers.setdefault("host", "")
    peer = scope.client.rpartition(":")[0]
    body = partial(read_body, headers.get("content-length", ""), protocol)
    return Request(scope.method, scope.path, scope.query_string, headers, peer, body)


async def read_body(length: str, protocol: HTTPProtocol) -> bytes:
    """Raises Refusal if the body is too long, too slow or broken."""
    if length.isdecimal() and int(length) > MAX_BODY:
        raise too_long()
    found = bytearray()
    ends = 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            async for piece in protocol:
                found += piece
                ends += not piece
                if len(found) > MAX_BODY:
                    raise too_long()
    except TimeoutError as error:
        raise Refusal(408, f"The request body took longer than {BODY_TIMEOUT:g} s.") from error
    if ends > 1:  # one empty piece is the end; another one means unreadable data
        raise Refusal(400, "The request body is broken.")
    return bytes(found)
