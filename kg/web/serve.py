"""Runs the application: waitress in front, worker processes for queries behind, all gone when it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import waitress.server

from kg.engine.embedded import Embedded
from kg.errors import KgError
from kg.web.app import create_app
from kg.web.served import Served, Stage

if TYPE_CHECKING:
    from kg.graph.build import Graph
    from kg.graph.watch import Seen

PATIENCE = 5  # seconds for a check that is under way when the server is ended


def serve(
    stage: Stage,
    host: str,
    port: int,
    ready: Callable[[str], None],
    later: Iterator[Seen] | None = None,
    stop: Event | None = None,
    open_console: bool = False,
) -> None:
    """Serves what stands on a stage until it is interrupted; `ready` is told the address once requests are answered.

    `later` gives the states of the site that follow, and ends when `stop` is set, as it is here at
    the end. Each good one is served in the place of the last.
    """
    watcher = Thread(target=follow, args=(stage, later or iter(())), name="watcher", daemon=True)
    try:
        app = create_app(stage, open_console)
        try:
            # A proxy's headers are not believed, but shown to the application: they tell that a client is not who it seems.
            server = waitress.server.create_server(app, host=host, port=port, threads=8, ident=None, clear_untrusted_proxy_headers=False)
        except (OSError, ValueError) as error:  # a taken port, a host that is not ours
            why = getattr(error, "strerror", None) or error
            hint = "Choose another with --port or --host (or KG_SERVE_PORT=8001 make serve)."
            raise KgError(f"Cannot listen on {host}:{port}: {why}. {hint}") from error
        for number in (signal.SIGINT, signal.SIGTERM):  # SIGINT too: a script's background job would inherit that it is ignored
            signal.signal(number, interrupt)
        watcher.start()
        ready(f"http://{host}:{server.effective_port}/")
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        if stop is not None:
            stop.set()
        if watcher.ident is not None:
            watcher.join(PATIENCE)
        stage.close()


def follow(stage: Stage, states: Iterator[Seen]) -> None:
    """Puts each state on the stage: before all readers if it is good, otherwise only before the author."""
    try:
        for state in states:
            show(stage, state)
    except Exception:
        stage.note(KgError("The files are no longer watched, by a fault of kg itself. Start the server again."))
        raise


def show(stage: Stage, state: Seen) -> None:
    if isinstance(state, Exception) or state.graph is None or not state.publishable:
        stage.note(state)
        return
    try:
        served = made(state.graph, stage.served.endpoint.union)
    except (KgError, OSError) as error:  # no memory for another process, say
        stage.note(error)
    else:
        stage.put(served, state)


def made(graph: Graph, union: bool = True) -> Served:
    from kg.publish.site import Documents  # noqa: PLC0415  plain files are served without it

    documents = Documents(graph)
    documents.shapes()  # read now, for the files may change while this graph is served
    return Served(documents, Embedded(graph.site.base, graph.nquads, union=union))


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
