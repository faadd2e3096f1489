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

from kg.web import metrics, sparql
from kg.web.answers import Reply
from kg.web.request import Refusal, Request
from kg.web.routes import create_routes, route, show_problem
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
        self.routes = create_routes(
            stage,
            self.metrics,
            console_is_open=self.options.open_console,
            metrics_are_open=self.options.open_metrics,
        )
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
        if request.method in methods:
            return route(self.routes, request, state)
        usual = "GET or POST" if "POST" in methods else "GET"
        message = f"{request.method[:20]} is not for this address. Ask with {usual}."
        return show_problem(request, Refusal(405, message, Allow=", ".join(methods)), state)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


def refuse(refusal: Refusal) -> Reply:
    """A line of text, after which the connection is closed: who knows what else was sent on it."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
    return Reply(refusal.status, f"{refusal}\n".encode(), headers | refusal.headers)
