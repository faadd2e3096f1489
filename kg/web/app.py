"""The Flask blueprint with the pages, and the application that `kg serve` runs.

Any Flask application can mount the blueprint. `kg serve` runs it in a thread pool and answers
queries on its event loop instead, because in Flask each query would occupy a thread.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from errno import EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, ENOSPC
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

import flask
from flask.sansio.scaffold import Scaffold
from werkzeug.exceptions import MethodNotAllowed, NotFound, RequestEntityTooLarge

from kg.errors import QueryError
from kg.sparql.workers.fair_queue import FairThreads
from kg.text.wording import ERRORS
from kg.web import answers, console, live, metrics, questions, sparql
from kg.web.answers import Reply, add_headers, build_reply
from kg.web.documents import document, redirect_to, search
from kg.web.extensions import Route, plugin_routes
from kg.web.log import EventLog
from kg.web.request import MAX_BODY, REQUEST_KEY, AnyRequest, Refusal, Request, too_long
from kg.web.state import CurrentSite, State

if TYPE_CHECKING:
    from kg.web.state import Shown

PAGE_THREADS = 16
CLIENT_GONE = 499  # for logs and metrics: the client closed the connection before the response
READ_METHODS = ("GET", "HEAD", "OPTIONS")
SHORTAGES = (EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EFBIG)
SHORT = "The server is short of memory, disk space or open files. Try again in a moment."
CONSOLE_PATHS = ("/console", "/console.json")
STATE_KEY = "kg_state"  # in flask.g


def create_blueprint(current: CurrentSite, endpoint: bool) -> flask.Blueprint:
    """A blueprint with the pages and data of the current site; with `endpoint`, also the SPARQL
    endpoint and questions with parameters.
    """
    blueprint = flask.Blueprint("kg", __name__)
    use_current(blueprint, current)
    blueprint.after_request(add_headers)
    if endpoint:
        blueprint.add_url_rule(sparql.PATH, "sparql", show_answer, methods=["GET", "POST"])
        blueprint.add_url_rule(f"{questions.PATH}<path:name>", "question", show_answer)
    add_pages(blueprint, endpoint)
    return blueprint


def create_pages_app(app: App) -> flask.Flask:
    """The Flask application for everything that `kg serve` does not answer on its event loop:
    pages, health, metrics and the console.
    """
    pages = flask.Flask("kg", static_folder=None)
    pages.config["PROPAGATE_EXCEPTIONS"] = True
    pages.url_map.merge_slashes = False
    use_current(pages, app.current)
    for rule, view in {
        "/healthz": show_health,
        "/readyz": app.show_readiness,
        "/metrics": app.show_metrics,
        **dict.fromkeys(CONSOLE_PATHS, app.show_console),
        **dict.fromkeys(("/live.js", "/live.css"), app.show_live),
    }.items():
        pages.add_url_rule(rule, rule, view)
    add_pages(pages, endpoint=True)
    for error in (NotFound, MethodNotAllowed):
        pages.register_error_handler(error, app.show_unrouted)
    return pages


def use_current(scaffold: Scaffold, current: CurrentSite) -> None:
    """Gives each request the current state, which it keeps even if the site is reloaded
    meanwhile.
    """

    @scaffold.before_request
    def acquire() -> None:
        setattr(flask.g, STATE_KEY, current.acquire())

    @scaffold.teardown_request
    def release(_: BaseException | None) -> None:
        if state := flask.g.pop(STATE_KEY, None):
            current.release(state)

    scaffold.register_error_handler(Refusal, show_problem)


def add_pages(scaffold: Scaffold, endpoint: bool) -> None:
    """Adds the routes of pages. `path` is the path of the document, wherever the pages are
    mounted.
    """
    for path, view in {
        "": show_document,
        "search": show_search,
        "search.html": show_form,
        **({"sparql.html": show_form} if endpoint else {}),
    }.items():
        name = path.replace(".", "-") or "start"
        scaffold.add_url_rule(f"/{path}", name, view, defaults={"path": path})
    scaffold.add_url_rule("/<path:path>", "document", show_document)


def current_state() -> State:
    return cast(State, getattr(flask.g, STATE_KEY))


def show_document(path: str) -> Reply:
    return document(flask.request, current_state().documents, path)


def show_search(path: str) -> Reply:
    finds = current_state().documents.finder
    return search(flask.request, current_state().documents) if finds else show_document(path)


def show_form(path: str) -> Reply:
    """A page whose script answers queries in a built folder. Here, a query is redirected to the
    server.
    """
    if not flask.request.query_string:
        return show_document(path)
    query = flask.request.query_string.decode(errors="replace")
    return redirect_to(path, f"{path.removesuffix('.html')}?{query}")


def show_health() -> Reply:
    return build_reply(flask.request, b"ok\n", "text/plain")


def show_answer(name: str = "") -> Reply:
    """Answers a query or question in an application that mounts the blueprint. Limits and workers
    are those of the endpoint; the request's thread waits for the answer.
    """
    path = f"{questions.PATH}{name}" if name else sparql.PATH
    state, request = current_state(), read_request(flask.request, path)
    request.check()
    client = request.client(0)
    if not name:
        return asyncio.run(sparql.respond(request, state, client, watched=False))
    if asked := questions.find(request, state):
        return asyncio.run(questions.respond(request, state, asked, client, watched=False))
    return show_document(path[1:])


def read_request(request: flask.Request, path: str) -> Request:
    """A Flask request as the endpoint expects it. The application determines the client's address;
    behind a proxy, use werkzeug's ProxyFix.
    """
    headers = {name.lower(): value for name, value in request.headers}
    query_string, peer = request.query_string.decode(errors="replace"), request.remote_addr or ""

    async def read_body() -> bytes:
        request.max_content_length = MAX_BODY
        try:
            return request.get_data(cache=False)
        except RequestEntityTooLarge as error:
            raise too_long() from error

    return Request(request.method, path, query_string, headers, peer, read_body)


def show_problem(refusal: Refusal) -> Reply:
    path = (flask.request.view_args or {}).get("path", flask.request.path[1:])
    return build_problem(flask.request, refusal, current_state().documents, path)


def build_problem(request: AnyRequest, refusal: Refusal, documents: Shown, path: str) -> Reply:
    """An error response; a 404 suggests the closest addresses."""
    status, message = HTTPStatus(refusal.status), str(refusal)
    title = ERRORS.get(status, status.phrase)
    near = documents.near(path) if status == HTTPStatus.NOT_FOUND else []
    if near:
        top = request.path.removesuffix(path)
        closest = ", ".join(f"{top}{address}" for address in near)
        refusal = Refusal(404, f"{message} Closest: {closest}.")
    page = partial(documents.pages.error, path, title, message, near)
    return answers.problem(request, refusal, page)


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of a server: its address, trusted proxies, access and logging. Clients that send the
    `key` see everything.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    proxies: int = 0  # number of trusted reverse proxies
    key: str = field(default_factory=partial(secrets.token_urlsafe, 24), repr=False)
    open_console: bool = False
    open_metrics: bool = False
    log: EventLog = field(default_factory=EventLog)


class App:
    """The application of `kg serve`."""

    def __init__(self, current: CurrentSite, options: Options | None = None) -> None:
        self.current, self.options = current, options or Options()
        self.metrics = metrics.Metrics()
        self.author = live.LocalAuthor(self.options.host, self.options.proxies)
        self.pages, self.plugins = create_pages_app(self), plugin_routes()
        self.threads = ThreadPoolExecutor(PAGE_THREADS, "page")
        self.fair_threads = FairThreads()

    async def respond(self, request: Request) -> Reply:
        """Responds to a request, and records it in the metrics and the log."""
        if request.path == live.PATH and self.current.watched and self.is_author(request):
            return await live.next_version(request, self.current)
        began = time.perf_counter()
        client = request.client(self.options.proxies)
        state = self.current.acquire()
        status = size = 0
        try:
            reply = await self.reply(request, state, client)
            status, size = reply.status_code, len(reply.body)
            return reply
        finally:
            self.current.release(state)
            seconds = time.perf_counter() - began
            self.metrics.note(request, status or CLIENT_GONE, size, seconds)
            self.options.log.note_request(request, client, status or CLIENT_GONE, size, seconds)

    def is_author(self, request: Request) -> bool:
        is_local = self.current.watched and self.author.is_recognised(request)
        return is_local or request.has_key(self.options.key)

    async def reply(self, request: Request, state: State, client: str) -> Reply:
        try:
            request.check()
            if request.method == "OPTIONS":
                return Reply(200, b"", {"Allow": ", ".join(self.methods(request.path))})
            return await self.answer(request, state, client)
        except Refusal as refusal:
            return refuse(refusal, request)
        except Exception as error:
            self.note_fault(error, request)
            return refuse(as_refusal(error), request)

    def note_fault(self, error: BaseException, request: Request | None = None) -> None:
        self.metrics.faults.inc()
        self.options.log.note_fault(error, request)

    async def answer(self, request: Request, state: State, client: str) -> Reply:
        if request.method in self.methods(request.path):
            if request.path == sparql.PATH:
                return await sparql.respond(request, state, client, self.current.watched)
            if asked := questions.find(request, state):
                return await questions.respond(request, state, asked, client, self.current.watched)
            if (route := self.plugins.get(request.path)) and self.is_open(route, request, state):
                return await self.answer_by_plugin(route, request, state, client)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self.page, request)

    def methods(self, path: str) -> tuple[str, ...]:
        route = self.plugins.get(path)
        is_posted = path == sparql.PATH or (route and path in route.posted)
        return (*READ_METHODS, "POST") if is_posted else READ_METHODS

    def is_open(self, route: Route, request: Request, state: State) -> bool:
        has_facts = state.documents.graph is not None
        return has_facts and (not route.is_private or self.is_author(request))

    async def answer_by_plugin(
        self, route: Route, request: Request, state: State, client: str
    ) -> Reply:
        try:
            return await route.respond(request, state, client, self.fair_threads)
        except (Refusal, QueryError) as error:
            refusal, path = sparql.as_refusal(error), request.path[1:]
            return await asyncio.to_thread(build_problem, request, refusal, state.documents, path)

    def page(self, request: Request) -> Reply:
        """The page or file at an address, or an error page."""
        if not live.is_visit(request, self.current) or request.method not in READ_METHODS:
            return self.dispatch(request)
        reply = self.dispatch(live.plain(request))
        live.inject(reply, self.current, request, self.author)
        return reply

    def dispatch(self, request: Request) -> Reply:
        with self.pages.request_context(request.environ()):
            return cast(Reply, self.pages.full_dispatch_request())

    def show_unrouted(self, _: NotFound | MethodNotAllowed) -> Reply:
        """Responds where no route matches the method or the address (such as `//`)."""
        request, methods = flask.request, self.methods(flask.request.path)
        try:
            if request.method in methods:
                return show_document(request.path[1:])
            usual = "GET or POST" if "POST" in methods else "GET"
            message = f"{request.method[:20]} is not allowed at this address. Use {usual}."
            raise Refusal(405, message, Allow=", ".join(methods))
        except Refusal as refusal:
            return show_problem(refusal)

    def show_readiness(self) -> Reply:
        status, words = self.current.readiness()
        return build_reply(flask.request, words.encode(), "text/plain", status, "no-store")

    def show_metrics(self) -> Reply:
        if not (self.options.open_metrics or server_request().has_key(self.options.key)):
            return show_document("metrics")
        dropped = self.options.log.dropped()
        figures = self.metrics.text(current_state().endpoint.health(), self.current, dropped)
        return build_reply(flask.request, figures, metrics.MEDIA_TYPE, cache="no-store")

    def show_console(self) -> Reply:
        request, documents = server_request(), current_state().documents
        if documents.graph and (self.is_author(request) or self.options.open_console):
            return console.show(request, self.current, documents)
        return show_document(request.path[1:])

    def show_live(self) -> Reply:
        request = server_request()
        return live.show_file(request) if self.current.watched else show_document(request.path[1:])

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.fair_threads.close()


def server_request() -> Request:
    """The original request behind Flask's request."""
    return cast(Request, flask.request.environ[REQUEST_KEY])


def as_refusal(error: Exception) -> Refusal:
    """The response to a fault of ours."""
    if isinstance(error, MemoryError) or getattr(error, "errno", 0) in SHORTAGES:
        return Refusal(503, SHORT, Retry_After=sparql.RETRY_AFTER)
    return Refusal(500, "Internal server error.")


def refuse(refusal: Refusal, request: Request | None = None) -> Reply:
    """An error in plain text or JSON. Closes the connection, because the rest of the request may be
    unread.
    """
    if request and answers.error_type(request) == answers.PROBLEM:
        reply = answers.problem(request, refusal, bytes)
        reply.headers["Connection"] = "close"
        return reply
    headers = {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
    return Reply(refusal.status, f"{refusal}\n".encode(), headers | refusal.headers)
