"""The web application over the state that is served: from a request to its reply. The endpoint
answers on the event loop, pages are rendered in a few threads.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus

from kg.web import answers, console, metrics, sparql
from kg.web.answers import Reply, build_reply
from kg.web.documents import document, search
from kg.web.request import Refusal, Request
from kg.web.state import Stage, State

PAGE_THREADS = 16
GONE = 499  # the client has closed its connection; nobody gets to see this status
READING = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is run: where it listens, who may see what, and whom it believes."""

    host: str = "127.0.0.1"
    port: int = 8000
    proxies: int = 0  # in front of it, that may name the client
    open_console: bool = False
    open_metrics: bool = False
    log: Callable[[str], None] | None = None  # takes a line for each request


class App:
    def __init__(self, stage: Stage, options: Options | None = None) -> None:
        self.stage, self.options = stage, options or Options()
        self.metrics = metrics.Metrics(self.options.log)
        self.threads = ThreadPoolExecutor(PAGE_THREADS, "page")

    async def respond(self, request: Request) -> Reply:
        """The reply to any request, which is counted and logged."""
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
            self.metrics.note(request, client, status or GONE, size, seconds)

    async def reply(self, request: Request, state: State, client: str) -> Reply:
        is_query = request.path == sparql.PATH
        methods = (*READING, "POST") if is_query else READING
        try:
            request.check()
            if request.method == "OPTIONS":
                return Reply(200, b"", {"Allow": ", ".join(methods)})
            if is_query and request.method in methods:
                return await sparql.respond(request, state, client, self.stage.watched)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.threads, self.page, request, state, methods)
        except Refusal as refusal:
            return refuse(refusal)
        except Exception:
            logging.getLogger(__name__).exception("%s %s", request.method, request.path)
            return refuse(Refusal(500, "The server made a mistake."))

    def page(self, request: Request, state: State, methods: tuple[str, ...]) -> Reply:
        """The page or file at an address, or the page of an error."""
        try:
            if request.method in methods:
                return self.find_page(request, state)
            usual = "GET or POST" if "POST" in methods else "GET"
            message = f"{request.method[:20]} is not for this address. Ask with {usual}."
            raise Refusal(405, message, Allow=", ".join(methods))
        except Refusal as error:
            refusal = error
        path, shown = request.path.lstrip("/"), state.documents
        title, message, near = HTTPStatus(refusal.status).phrase, str(refusal), []
        if refusal.status == 404:
            title, near = "Not here", shown.near(path)
            closest = ", ".join(f"/{address}" for address in near)
            refusal = Refusal(404, f"{message} Closest: {closest}.") if near else refusal
        return answers.problem(
            request, refusal, lambda: shown.pages.error(path, title, message, near)
        )

    def find_page(self, request: Request, state: State) -> Reply:
        """Raises Refusal."""
        path, documents, options = request.path, state.documents, self.options
        if path in ("/healthz", "/readyz"):
            return build_reply(request, b"ok\n", "text/plain")
        if path == "/metrics" and (options.open_metrics or request.is_local):
            figures = self.metrics.text(state.endpoint.health()).encode()
            return build_reply(request, figures, metrics.MEDIA_TYPE, cache="no-store")
        if path in console.PATHS and documents.graph and (options.open_console or request.is_local):
            return console.show(request, self.stage, documents)
        if path == "/search" and documents.finder:
            return search(request, documents)
        return document(request, documents)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


def refuse(refusal: Refusal) -> Reply:
    """A line of text, after which the connection is closed: who knows what else was sent on it."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
    return Reply(refusal.status, f"{refusal}\n".encode(), headers | refusal.headers)
