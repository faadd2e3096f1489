"""Runs the application: waitress in front, worker processes for queries behind, all gone when it
ends.
"""

from __future__ import annotations

import ctypes
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import waitress.server

from kg.errors import KgError
from kg.sparql.answer_cache import Kept
from kg.sparql.endpoint import Embedded
from kg.sparql.workers.limits import Limits
from kg.web.ahead import begin_ahead, hubs
from kg.web.app import create_app
from kg.web.call import MOST_SENT
from kg.web.channel import MOST_AHEAD, Channel
from kg.web.lane import Lane
from kg.web.loop import loop
from kg.web.options import Options
from kg.web.state import Served, Stage

if TYPE_CHECKING:
    from kg.check.watch import Seen
    from kg.graph.build import Graph

PATIENCE = 5  # seconds for a check that is under way when the server is ended
FOR_PAGES = 16  # threads
MOST_CONNECTIONS = 1000
MOST_HEADERS = 96 * 1024  # bytes; a query may stand in the address
SILENCE = 30  # seconds after which a connection is closed
M_MMAP_THRESHOLD = -3  # as malloc.h has it
LARGE = 128 * 1024  # bytes


def serve(
    stage: Stage,
    options: Options,
    ready: Callable[[str], None],
    later: Iterator[Seen] | None = None,
    stop: Event | None = None,
) -> None:
    """Serves what stands on a stage until it is interrupted; `ready` is told the address once
    requests are answered.

    `later` gives the states of the site that follow, and ends when `stop` is set, as it is here at
    the end. Each good one is served in the place of the last.
    """
    watcher = Thread(target=follow, args=(stage, later or iter(())), name="watcher", daemon=True)
    try:
        server = listening(stage, options)
        for number in (
            signal.SIGINT,
            signal.SIGTERM,
        ):  # SIGINT too: a script's background job would inherit that it is ignored
            signal.signal(number, interrupt)
        watcher.start()
        ready(f"http://{named(options.host)}:{port_of(server)}/")
        try:
            loop(sockets(server), server.lane)
        except KeyboardInterrupt:
            stage.end()  # so that nobody waits for an answer any more
            server.task_dispatcher.shutdown()
    except KeyboardInterrupt:
        pass
    finally:
        if stop is not None:
            stop.set()
        if watcher.ident is not None:
            watcher.join(PATIENCE)
        stage.end()


def listening(stage: Stage, options: Options) -> Any:
    """A server at the door. It has a thread for everyone who may wait for a worker, and some more,
    so that pages never wait.
    """
    allow_more_files()
    give_memory_back()
    limits = stage.served.endpoint.limits
    try:
        app = create_app(stage, options)
        server = waitress.server.create_server(
            app,
            host=options.host,
            port=options.port,
            threads=limits.waiting + limits.workers + FOR_PAGES,
            ident=None,
            # not believed, but shown: they tell that a client is not who it seems
            clear_untrusted_proxy_headers=False,
            max_request_body_size=MOST_SENT,
            max_request_header_size=MOST_HEADERS,
            connection_limit=MOST_CONNECTIONS,
            channel_timeout=SILENCE,
            cleanup_interval=5,
            outbuf_high_watermark=(MOST_AHEAD + 1)
            * limits.answer,  # an answer never waits in a thread for its reader, but in a file
            asyncore_use_poll=True,
        )
    except (OSError, ValueError) as error:  # a taken port, a host that is not ours
        why = getattr(error, "strerror", None) or error
        hint = "Choose another with --port or --host (or KG_SERVE_PORT=8001 make serve)."
        raise KgError(f"Cannot listen on {options.host}:{options.port}: {why}. {hint}") from error
    server.lane = Lane(stage, app.extensions["kg-log"], server.task_dispatcher.add_task)
    for each in sockets(server).values():
        if isinstance(each, waitress.server.BaseWSGIServer):
            each.channel_class, each.lane = Channel, server.lane
    return server


def sockets(server: Any) -> dict[int, Any]:
    """A name may stand for several addresses, and then there is one of each."""
    found: dict[int, Any] = (
        server.map if isinstance(server, waitress.server.MultiSocketServer) else server._map
    )
    return found


def port_of(server: Any) -> int:
    return int(
        server.effective_listen[0][1]
        if isinstance(server, waitress.server.MultiSocketServer)
        else server.effective_port
    )


def named(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def allow_more_files() -> None:
    """As many connections as we take need descriptors, and large answers files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (
        4 * MOST_CONNECTIONS if hard == resource.RLIM_INFINITY else min(4 * MOST_CONNECTIONS, hard)
    )
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def give_memory_back() -> None:
    """What the start took goes back to the system, and a large answer when it is sent. By itself
    glibc would learn from the first to keep the next ones, in every thread, and the process would
    stay at many times what it needs.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
        ctypes.CDLL(None).malloc_trim(0)


def follow(stage: Stage, states: Iterator[Seen]) -> None:
    """Puts each state on the stage: before all readers if it is good, otherwise only before the
    author.
    """
    begin_ahead(stage)
    try:
        for state in states:
            before = stage.served
            show(stage, state)
            if stage.served is not before:
                begin_ahead(stage)
    except Exception:
        stage.note(
            KgError(
                "The files are no longer watched, by a fault of kg itself. Start the server again."
            )
        )
        raise


def show(stage: Stage, state: Seen) -> None:
    if isinstance(state, Exception) or state.graph is None or not state.publishable:
        stage.note(state)
        return
    try:
        served = made(state.graph, stage.served.endpoint.limits, stage.served.endpoint.union)
    except (KgError, OSError) as error:  # no memory for another process, say
        stage.note(error)
    else:
        stage.put(served, state)


def made(graph: Graph, limits: Limits | None = None, union: bool = True) -> Served:
    from kg.publish.site import Documents  # noqa: PLC0415  plain files are served without these

    documents = Documents(graph)
    documents.shapes()  # read now, for the files may change while this graph is served
    embedded = Embedded(graph.site.base, (graph.nquads, documents.void()), limits, union)
    return Served(documents, Kept(embedded, embedded.limits.kept), hubs(graph, documents))


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
