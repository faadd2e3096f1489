"""The web application over the state that is served: the pages by blueprints, and the endpoint;
errors, headers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from kg.web import answers, console, documents, metrics, search
from kg.web.log import Log
from kg.web.request import LONGEST_BODY, from_environ
from kg.web.sparql import PATH, respond
from kg.web.state import Stage, State, leave, state

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is run: where it listens, who may see what, and whom it believes."""

    host: str = "127.0.0.1"
    port: int = 8000
    proxies: int = 0  # in front of it, that may name the client
    open_console: bool = False
    open_metrics: bool = False
    log: Callable[[str], None] | None = None  # takes a line for each request


def create_app(site: State | Stage, options: Options | None = None) -> Flask:
    options = options or Options()
    app = Flask("kg", static_folder=None)
    stage = app.extensions["kg"] = site if isinstance(site, Stage) else Stage(site)
    counters = app.extensions["kg-metrics"] = metrics.Metrics()
    log = app.extensions["kg-log"] = Log(counters, options.proxies, options.log)
    app.config["MAX_CONTENT_LENGTH"] = LONGEST_BODY
    app.config["KG_OPEN_CONSOLE"] = options.open_console
    app.config["KG_OPEN_METRICS"] = options.open_metrics
    app.register_blueprint(metrics.blueprint)
    if stage.state.documents.graph:  # a site, which has problems to show
        app.register_blueprint(console.blueprint)
    if stage.state.documents.finder:
        app.register_blueprint(search.blueprint)
    app.register_blueprint(documents.blueprint)
    app.register_error_handler(HTTPException, on_error)
    log.install(app)
    app.after_request(answers.guard)
    app.teardown_appcontext(leave)
    pages = app.wsgi_app

    def with_endpoint(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """The endpoint for callers of WSGI; a server calls `respond` by itself."""
        if environ.get("PATH_INFO") != PATH:
            return pages(environ, start)
        reply = asyncio.run(respond(from_environ(environ), stage, log))
        start(f"{reply.status} {HTTPStatus(reply.status).phrase}", reply.headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else reply.body]

    app.wsgi_app = with_endpoint  # type: ignore[method-assign, assignment]
    return app


def on_error(error: HTTPException) -> Response:
    status = error.code or 500
    title, message = error.name, error.description or error.name
    path, shown, near = request.path.lstrip("/"), state().documents, []
    if status == 404:
        title, message, near = "Not here", f"There is nothing at /{path}.", shown.near(path)
    closest = (
        f" Closest: {', '.join(f'{request.script_root}/{address}' for address in near)}."
        if near
        else ""
    )
    response = answers.problem(
        request, status, message + closest, lambda: shown.pages.error(path, title, message, near)
    )
    for name in ("Allow", "Retry-After"):
        if value := error.get_response().headers.get(name):
            response.headers[name] = value
    return response
