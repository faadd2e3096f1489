"""Runs the application: waitress in front, worker processes for queries behind, all gone when it ends."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import waitress.server

from kg.engine.embedded import Embedded
from kg.errors import KgError
from kg.graph.build import Graph
from kg.publish.site import Documents
from kg.web.app import create_app
from kg.web.served import Served


def serve(graph: Graph, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serves a graph until it is interrupted; `ready` is told the address once requests are answered."""
    endpoint = Embedded(graph.site.base, graph.nquads)
    try:
        app = create_app(Served(Documents(graph), endpoint))
        try:
            server = waitress.server.create_server(app, host=host, port=port, threads=8, ident=None, clear_untrusted_proxy_headers=True)
        except (OSError, ValueError) as error:  # a taken port, a host that is not ours
            why = getattr(error, "strerror", None) or error
            hint = "Choose another with --port or --host (or KG_SERVE_PORT=8001 make serve)."
            raise KgError(f"Cannot listen on {host}:{port}: {why}. {hint}") from error
        for number in (signal.SIGINT, signal.SIGTERM):  # SIGINT too: a script's background job would inherit that it is ignored
            signal.signal(number, interrupt)
        ready(f"http://{host}:{server.effective_port}/")
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        endpoint.close()


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
