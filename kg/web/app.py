"""The pages as a Flask blueprint, and the application that `kg serve` runs.

Any Flask application can mount the blueprint. `kg serve` runs it in a few threads, and answers
queries on its event loop instead: in Flask, each query would hold a thread.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

import flask
from flask.sansio.scaffold import Scaffold
from werkzeug.exceptions import MethodNotAllowed, NotFound, RequestEntityTooLarge

from kg.text.wording import ERRORS
from kg.web import answers, console, live, metrics, questions, sparql
from kg.web.answers import Reply, add_headers, build_reply
from kg.web.documents import document, lead, search
from kg.web.extensions import Route, plugin_routes
from kg.web.fair_threads import FairThreads
from kg.web.log import EventLog
from kg.web.request import LONGEST_BODY, OURS, AnyRequest, Refusal, Request, too_long
from kg.web.state import CurrentSite, State

if TYPE_CHECKING:
    from kg.web.state import Shown

PAGE_THREADS = 16
GONE = 499  # the client has closed its connection; nobody gets to see this status
READING = ("GET", "HEAD", "OPTIONS")
CONSOLE = ("/console", "/console.json")
STATE = "kg_state"  # in flask.g


def create_blueprint(current: CurrentSite, endpoint: bool) -> flask.Blueprint:
    """The pages and data of what is on the stage, for any Flask application; with the SPARQL
    endpoint, and questions with parameters, if wanted.
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
    """What `kg serve` does not answer on its event loop: pages, and addresses for operators."""
    pages = flask.Flask("kg", static_folder=None)
    pages.config["PROPAGATE_EXCEPTIONS"] = True
    pages.url_map.merge_slashes = False
    use_current(pages, app.current)
    for rule, view in {
        "/healthz": show_health,
        "/readyz": app.show_readiness,
        "/metrics": app.show_metrics,
        **dict.fromkeys(CONSOLE, app.show_console),
        **dict.fromkeys(("/live.js", "/live.css"), app.show_live),
    }.items():
        pages.add_url_rule(rule, rule, view)
    add_pages(pages, endpoint=True)
    for error in (NotFound, MethodNotAllowed):
        pages.register_error_handler(error, app.show_unrouted)
    return pages


def use_current(scaffold: Scaffold, current: CurrentSite) -> None:
    """Each request keeps the state that it began with."""

    @scaffold.before_request
    def acquire() -> None:
        setattr(flask.g, STATE, current.acquire())

    @scaffold.teardown_request
    def release(_: BaseException | None) -> None:
        if state := flask.g.pop(STATE, None):
            current.release(state)

    scaffold.register_error_handler(Refusal, show_problem)


def add_pages(scaffold: Scaffold, endpoint: bool) -> None:
    """The `path` is that of the document, wherever the pages are mounted."""
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
    return cast(State, getattr(flask.g, STATE))


def show_document(path: str) -> Reply:
    return document(flask.request, current_state().documents, path)


def show_search(path: str) -> Reply:
    finds = current_state().documents.finder
    return search(flask.request, current_state().documents) if finds else show_document(path)


def show_form(path: str) -> Reply:
    """In a folder, the script of this page answers; here it leads to the answer."""
    if not flask.request.query_string:
        return show_document(path)
    query = flask.request.query_string.decode(errors="replace")
    return lead(path, f"{path.removesuffix('.html')}?{query}")


def show_health() -> Reply:
    return build_reply(flask.request, b"ok\n", "text/plain")


def show_answer(name: str = "") -> Reply:
    """The answer to a query, in an application that has mounted the blueprint. The endpoint is the
    same, with its limits and workers; the thread of the request waits for it.
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
    """A request to Flask as the endpoint takes it. An application tells who the client is, by
    werkzeug's ProxyFix where a proxy is in front.
    """
    headers = {name.lower(): value for name, value in request.headers}
    query_string, peer = request.query_string.decode(errors="replace"), request.remote_addr or ""

    async def read_body() -> bytes:
        request.max_content_length = LONGEST_BODY
        try:
            return request.get_data(cache=False)
        except RequestEntityTooLarge as error:
            raise too_long() from error

    return Request(request.method, path, query_string, headers, peer, read_body)


def show_problem(refusal: Refusal) -> Reply:
    path = (flask.request.view_args or {}).get("path", flask.request.path[1:])
    return build_problem(flask.request, refusal, current_state().documents, path)


def build_problem(request: AnyRequest, refusal: Refusal, documents: Shown, path: str) -> Reply:
    """A page for people, with the closest addresses where there is none."""
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
    """The application of `kg serve`: from a request to its reply."""

    def __init__(self, current: CurrentSite, options: Options | None = None) -> None:
        self.current, self.options = current, options or Options()
        self.metrics = metrics.Metrics()
        self.author = live.LocalAuthor(self.options.host, self.options.proxies)
        self.pages, self.plugins = create_pages_app(self), plugin_routes()
        self.threads = ThreadPoolExecutor(PAGE_THREADS, "page")
        self.fair_threads = FairThreads()

    async def respond(self, request: Request) -> Reply:
        """The reply to any request, which is counted and logged."""
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
            self.metrics.note(request, status or GONE, size, seconds)
            self.options.log.note_request(request, client, status or GONE, size, seconds)

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
            return refuse(refusal)
        except Exception as error:
            self.note_fault(error, request)
            return refuse(Refusal(500, "The server made a mistake."))

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
        return (*READING, "POST") if is_posted else READING

    def is_open(self, route: Route, request: Request, state: State) -> bool:
        has_facts = state.documents.graph is not None
        return has_facts and (not route.is_private or self.is_author(request))

    async def answer_by_plugin(
        self, route: Route, request: Request, state: State, client: str
    ) -> Reply:
        try:
            return await route.respond(request, state, client, self.fair_threads)
        except Refusal as refusal:
            path = request.path[1:]
            return await asyncio.to_thread(build_problem, request, refusal, state.documents, path)

    def page(self, request: Request) -> Reply:
        """The page or file at an address, or the page of an error."""
        if not live.is_visit(request, self.current) or request.method not in READING:
            return self.dispatch(request)
        reply = self.dispatch(live.plain(request))
        live.inject(reply, self.current, request, self.author)
        return reply

    def dispatch(self, request: Request) -> Reply:
        with self.pages.request_context(request.environ()):
            return cast(Reply, self.pages.full_dispatch_request())

    def show_unrouted(self, _: NotFound | MethodNotAllowed) -> Reply:
        """Of a method or an address that no rule matches, as `//`."""
        request, methods = flask.request, self.methods(flask.request.path)
        try:
            if request.method in methods:
                return show_document(request.path[1:])
            usual = "GET or POST" if "POST" in methods else "GET"
            message = f"{request.method[:20]} is not for this address. Ask with {usual}."
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
    """The request that Flask has, as `kg serve` received it."""
    return cast(Request, flask.request.environ[OURS])


def refuse(refusal: Refusal) -> Reply:
    """A line of text, after which the connection is closed: who knows what else was sent on it."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
    return Reply(refusal.status, f"{refusal}\n".encode(), headers | refusal.headers)
