"""The pages as an application of Flask: which function answers which address, and how it is shown
that there is no answer. A request reaches it with the state that is served; the endpoint is not
here, for Flask would hold a thread for each query.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import cast

import flask
from werkzeug.exceptions import NotFound

from kg.web import answers, console
from kg.web.answers import Reply, build_reply
from kg.web.documents import document, search
from kg.web.metrics import MEDIA_TYPE, Metrics
from kg.web.request import Refusal, Request
from kg.web.state import Stage, State

OURS = "kg.request"  # the key in a WSGI environment of our request and of the state


class Response(flask.Response):
    """Carries a reply through Flask as it is."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(status=reply.status)
        self.reply = reply


def create_routes(
    stage: Stage, metrics: Metrics, *, console_is_open: bool, metrics_are_open: bool
) -> flask.Flask:
    routes = flask.Flask("kg", static_folder=None)
    routes.config["PROPAGATE_EXCEPTIONS"] = True
    routes.url_map.merge_slashes = False

    @routes.get("/healthz")
    @routes.get("/readyz")
    def health() -> Response:
        return Response(build_reply(ours()[0], b"ok\n", "text/plain"))

    @routes.get("/metrics")
    def figures() -> Response:
        request, state = ours()
        if not (metrics_are_open or request.is_local):
            return page()
        text = metrics.text(state.endpoint.health()).encode()
        return Response(build_reply(request, text, MEDIA_TYPE, cache="no-store"))

    @routes.get("/console")
    @routes.get("/console.json")
    def problems() -> Response:
        request, state = ours()
        if state.documents.graph and (console_is_open or request.is_local):
            return Response(console.show(request, stage, state.documents))
        return page()

    @routes.get("/search")
    def found() -> Response:
        request, state = ours()
        return Response(search(request, state.documents)) if state.documents.finder else page()

    @routes.get("/")
    @routes.get("/<path:path>")
    def page(path: str = "") -> Response:
        request, state = ours()
        return Response(document(request, state.documents))

    @routes.errorhandler(NotFound)
    def nothing(error: NotFound) -> Response:
        return problem(Refusal(404, f"There is nothing at {ours()[0].path}."))

    @routes.errorhandler(Refusal)
    def problem(refusal: Refusal) -> Response:
        request, state = ours()
        return Response(show_problem(request, refusal, state))

    return routes


def route(routes: flask.Flask, request: Request, state: State) -> Reply:
    """The reply of the function for this address."""
    environ = {
        "REQUEST_METHOD": "GET",  # for HEAD the body is left out when it is sent
        "PATH_INFO": request.path.encode(errors="replace").decode("latin-1"),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        OURS: (request, state),
    }
    with routes.request_context(environ):
        return cast(Response, routes.full_dispatch_request()).reply


def ours() -> tuple[Request, State]:
    found: tuple[Request, State] = flask.request.environ[OURS]
    return found


def show_problem(request: Request, refusal: Refusal, state: State) -> Reply:
    """A page for people, with what lies near an address that is none."""
    path, shown = request.path.lstrip("/"), state.documents
    title, message, near = HTTPStatus(refusal.status).phrase, str(refusal), []
    if refusal.status == HTTPStatus.NOT_FOUND:
        title, near = "Not here", shown.near(path)
    if near:
        closest = ", ".join(f"/{address}" for address in near)
        refusal = Refusal(404, f"{message} Closest: {closest}.")
    return answers.problem(request, refusal, lambda: shown.pages.error(path, title, message, near))
