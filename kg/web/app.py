"""The web application over the state that is served: from a request to its reply. The endpoint
answers on the event loop; the pages are an application of Flask, which runs in a few threads. (It
would hold a thread for each query.)
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import cast

import flask
from werkzeug.exceptions import NotFound

from kg.publish.text.wording import ERRORS
from kg.web import answers, console, live, questions, sparql
from kg.web.answers import Reply, build_reply
from kg.web.documents import document, search
from kg.web.operations import metrics
from kg.web.operations.event_log import EventLog
from kg.web.programs import reconciliation
from kg.web.request import Refusal, Request
from kg.web.state import Stage, State

PAGE_THREADS = 16
GONE = 499  # the client has closed its connection; nobody gets to see this status
READING = ("GET", "HEAD", "OPTIONS")
POSTED = (sparql.PATH, reconciliation.PATH)  # where more is asked than an address can hold
CONSOLE = ("/console", "/console.json")
ORIGINS = "/console/why"
OURS = "kg.request"  # the key in a WSGI environment of our request and of the state


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is run: where it listens, who may see what, and whom it believes. Who shows the
    `key` may see all.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    proxies: int = 0  # in front of it, that may name the client
    key: str = field(default_factory=partial(secrets.token_urlsafe, 24), repr=False)
    open_console: bool = False
    open_metrics: bool = False
    log: EventLog = field(default_factory=EventLog)


class App:
    def __init__(self, stage: Stage, options: Options | None = None) -> None:
        self.stage, self.options = stage, options or Options()
        self.metrics = metrics.Metrics()
        self.routes = self.create_routes()
        self.threads = ThreadPoolExecutor(PAGE_THREADS, "page")

    async def respond(self, request: Request) -> Reply:
        """The reply to any request, which is counted and logged."""
        if request.path == live.PATH and self.stage.watched and request.has_key(self.options.key):
            reply = await live.next_version(request, self.stage)
            reply.finish()
            return reply
        began = time.perf_counter()
        client = request.client(self.options.proxies)
        state = self.stage.acquire()
        status = size = 0
        try:
            reply = await self.reply(request, state, client)
            reply.finish()
            status, size = reply.status, len(reply.body)
            return reply
        finally:
            self.stage.release(state)
            seconds = time.perf_counter() - began
            self.metrics.note(request, status or GONE, size, seconds)
            self.options.log.note_request(request, client, status or GONE, size, seconds)

    async def reply(self, request: Request, state: State, client: str) -> Reply:
        methods = (*READING, "POST") if request.path in POSTED else READING
        try:
            request.check()
            if request.method == "OPTIONS":
                return Reply(200, b"", {"Allow": ", ".join(methods)})
            return await self.answer(request, state, client, methods)
        except Refusal as refusal:
            return refuse(refusal)
        except Exception as error:
            self.note_fault(error, request)
            return refuse(Refusal(500, "The server made a mistake."))

    def note_fault(self, error: BaseException, request: Request | None = None) -> None:
        self.metrics.faults.inc()
        self.options.log.note_fault(error, request)

    async def answer(
        self, request: Request, state: State, client: str, methods: tuple[str, ...]
    ) -> Reply:
        if request.method in methods:
            if request.path == sparql.PATH:
                return await sparql.respond(request, state, client, self.stage.watched)
            if asked := questions.find(request, state):
                return await questions.respond(request, state, asked, client, self.stage.watched)
            if reconciliation.is_asked(request, state):
                return await reconciliation.respond(request, state)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self.page, request, state, methods)

    def page(self, request: Request, state: State, methods: tuple[str, ...]) -> Reply:
        """The page or file at an address, or the page of an error."""
        if request.method in methods:
            if not live.is_visit(request, self.stage):
                return self.route(request, state)
            reply = self.route(live.plain(request), state)
            live.inject(reply, self.stage)
            return reply
        usual = "GET or POST" if "POST" in methods else "GET"
        message = f"{request.method[:20]} is not for this address. Ask with {usual}."
        return show_problem(request, Refusal(405, message, Allow=", ".join(methods)), state)

    def route(self, request: Request, state: State) -> Reply:
        """The reply of the function for this address."""
        environ = {
            "REQUEST_METHOD": "GET",  # for HEAD the body is left out when it is sent
            "PATH_INFO": request.path.encode(errors="replace").decode("latin-1"),
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.url_scheme": "http",
            OURS: (request, state),
        }
        with self.routes.request_context(environ):
            return cast(Response, self.routes.full_dispatch_request()).reply

    def create_routes(self) -> flask.Flask:
        routes = flask.Flask("kg", static_folder=None)
        routes.config["PROPAGATE_EXCEPTIONS"] = True
        routes.url_map.merge_slashes = False
        for rule, page in {
            "/healthz": show_health,
            "/readyz": self.show_readiness,
            "/metrics": self.show_metrics,
            **dict.fromkeys((*CONSOLE, ORIGINS), self.show_console),
            **dict.fromkeys(("/live.js", "/live.css"), self.show_live),
            "/search": show_search,
            "/": show_document,
            "/<path:path>": show_document,
        }.items():
            routes.add_url_rule(rule, rule, partial(view, page))
        routes.register_error_handler(NotFound, lambda _: view(show_document))
        return routes

    def show_readiness(self, request: Request, state: State) -> Reply:
        status, words = self.stage.readiness()
        return build_reply(request, words.encode(), "text/plain", status, "no-store")

    def show_metrics(self, request: Request, state: State) -> Reply:
        if not (self.options.open_metrics or request.has_key(self.options.key)):
            return show_document(request, state)
        dropped = self.options.log.dropped()
        figures = self.metrics.text(state.endpoint.health(), self.stage, dropped)
        return build_reply(request, figures, metrics.MEDIA_TYPE, cache="no-store")

    def show_console(self, request: Request, state: State) -> Reply:
        has_key = request.has_key(self.options.key)
        if state.documents.graph and has_key and request.path == ORIGINS:
            return console.show_origins(request, state.documents)  # it takes long: not for all
        is_open = self.options.open_console and request.path != ORIGINS
        if state.documents.graph and (has_key or is_open):
            return console.show(request, self.stage, state.documents)
        return show_document(request, state)

    def show_live(self, request: Request, state: State) -> Reply:
        is_watched = self.stage.watched
        return live.show_file(request) if is_watched else show_document(request, state)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


class Response(flask.Response):
    """Carries a reply through Flask as it is."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(status=reply.status)
        self.reply = reply


def view(page: Callable[[Request, State], Reply], **_: str) -> Response:
    request, state = flask.request.environ[OURS]
    try:
        return Response(page(request, state))
    except Refusal as refusal:
        return Response(show_problem(request, refusal, state))


def show_health(request: Request, state: State) -> Reply:
    return build_reply(request, b"ok\n", "text/plain")


def show_search(request: Request, state: State) -> Reply:
    finds = search if state.documents.finder else document
    return finds(request, state.documents)


def show_document(request: Request, state: State) -> Reply:
    return document(request, state.documents)


def show_problem(request: Request, refusal: Refusal, state: State) -> Reply:
    """A page for people, with what lies near an address that is none."""
    path, shown = request.path.lstrip("/"), state.documents
    status, message = HTTPStatus(refusal.status), str(refusal)
    title = ERRORS.get(status, status.phrase)
    near = shown.near(path) if status == HTTPStatus.NOT_FOUND else []
    if near:
        closest = ", ".join(f"/{address}" for address in near)
        refusal = Refusal(404, f"{message} Closest: {closest}.")
    return answers.problem(request, refusal, lambda: shown.pages.error(path, title, message, near))


def refuse(refusal: Refusal) -> Reply:
    """A line of text, after which the connection is closed: who knows what else was sent on it."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
    return Reply(refusal.status, f"{refusal}\n".encode(), headers | refusal.headers)
