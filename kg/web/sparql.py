"""The SPARQL 1.1 Protocol, for reading. Every query runs in a worker process; here it is only
passed on.

It stands before the pages' application, for most of what that does for a request is not needed
here, and queries are many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING

from kg.errors import BadQuery, QueryBusy, QueryCrashed, QueryError, QueryTimeout, WrongForm
from kg.publish.formats.media import GRAPHS, HTML, SHORT_NAMES, TABLES, negotiate
from kg.publish.queries import results
from kg.store.protocol import Answer, Begun, Graphs, Wanted
from kg.web import hint
from kg.web.answers import ALWAYS, EDITOR_POLICY, FOR_ALL, Reply, made, told
from kg.web.call import Call
from kg.web.client import client
from kg.web.log import Log
from kg.web.protocol import Asked, read
from kg.web.refusal import Refusal
from kg.web.state import Served, Stage

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

PATH = "/sparql"
METHODS = ("GET", "HEAD", "OPTIONS", "POST")
OUTCOMES: dict[type[QueryError], tuple[int, str]] = {
    BadQuery: (400, "refused"),
    WrongForm: (406, "unacceptable"),
    QueryTimeout: (504, "timeout"),
    QueryCrashed: (503, "crashed"),
    QueryBusy: (503, "busy"),
}
RETRY_AFTER = "2"  # seconds
EDITOR = ("Content-Security-Policy", EDITOR_POLICY)  # in the place of the first that all have
LASTS = "public, max-age=60, must-revalidate"


class Sparql:
    """Answers what is asked at one address, and hands all else on."""

    def __init__(self, others: WSGIApplication, stage: Stage, log: Log) -> None:
        self.others, self.stage, self.log = others, stage, log

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != PATH:
            return self.others(environ, start)
        began = time.perf_counter()
        served = self.stage.take()
        try:
            question = Question(
                Call(environ), served, self.stage.watched, client(environ, self.log.proxies)
            )
            reply = question.reply()
        finally:
            self.stage.leave(served)
        self.log.note(
            environ,
            reply.status,
            len(reply.body),
            time.perf_counter() - began,
            question.query,
            question.outcome,
        )
        start(f"{reply.status} {HTTPStatus(reply.status).phrase}", reply.headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else reply.body]


def whole(reply: Reply) -> Reply:
    """With the headers that all have."""
    length = [] if reply.status == 304 else [("Content-Length", str(len(reply.body)))]
    always = ALWAYS[1:] if EDITOR in reply.headers else ALWAYS
    return Reply(reply.status, reply.body, [*reply.headers, *length, *always, *FOR_ALL])


class Question:
    """One request and its answer."""

    def __init__(self, call: Call, served: Served, watched: bool, who: str) -> None:
        self.call, self.served, self.watched, self.who = call, served, watched, who
        self.query = self.outcome = ""
        self.is_lasting = False  # whether the same request will have the same reply

    def reply(self) -> Reply:
        if self.call.method not in METHODS:
            allow = ("Allow", ", ".join(METHODS))
            return whole(
                self.problem(
                    405,
                    f"{self.call.method[:20]} is not for this address. Ask with GET or POST.",
                    allow,
                )
            )
        if self.call.method == "OPTIONS":
            return whole(Reply(200, b"", [("Allow", ", ".join(METHODS))]))
        try:
            asked = read(self.call, self.served.documents.base)
        except Refusal as refusal:
            return whole(self.problem(refusal.status, str(refusal)))
        if asked is None:
            return whole(self.about())
        self.query = asked.query
        return self.replied(asked, lambda: self.served.endpoint.answer(*self.put(asked)))

    def begin(self, asked: Asked) -> Answer | Begun | None:
        self.query = asked.query
        return self.served.endpoint.begin(*self.put(asked))

    def put(self, asked: Asked) -> tuple[str, Wanted, Graphs, str, float | None]:
        return asked.query, asked.wanted, asked.graphs, self.who, asked.timeout

    def replied(self, asked: Asked, hear: Callable[[], Answer]) -> Reply:
        try:
            return whole(self.answer(asked, hear()))
        except QueryError as error:
            status, self.outcome = OUTCOMES[type(error)]
            return whole(
                self.problem(
                    status, str(error), *([("Retry-After", RETRY_AFTER)] if status == 503 else [])
                )
            )

    def answer(self, asked: Asked, found: Answer) -> Reply:
        self.outcome, self.is_lasting = "answered", found.is_lasting
        lasts = LASTS if found.is_lasting and not self.watched else "no-cache"
        hints = [(hint.HEADER, hint.header(found.hints))] if found.hints else []
        if not asked.is_for_people:
            return self.made(found.body, found.media_type, cache=lasts, more=hints)
        result = (
            results.table(found.body) if found.media_type in TABLES else results.triples(found.body)
        )
        return self.made(
            self.page(result=result, graphs=asked.graphs, hints=found.hints),
            HTML,
            cache=lasts,
            more=hints,
        )

    def about(self) -> Reply:
        """What can be asked here: a form for people, a description for programs."""
        wanted = negotiate(self.call.header("ACCEPT"), (HTML, *GRAPHS))
        if wanted is None:
            return self.problem(
                406,
                f"This is here as {', '.join((HTML, *GRAPHS))}; with a query, there are answers.",
            )
        if wanted == HTML:
            return self.made(self.page(), HTML)
        from kg.web.description import description  # noqa: PLC0415  plain files are served without what it needs

        return self.made(description(self.served, wanted), wanted)

    def made(
        self,
        body: bytes,
        media_type: str,
        status: int = 200,
        cache: str = "no-cache",
        more: Iterable[tuple[str, str]] = (),
    ) -> Reply:
        reply = made(
            self.call.header("ACCEPT_ENCODING"),
            self.call.header("IF_NONE_MATCH"),
            body,
            media_type,
            status,
            cache,
        )
        reply.headers.extend(more)
        if (
            media_type == HTML and self.served.documents.pages.has_editor
        ):  # also where the client has the page: it keeps the newer header
            reply.headers.append(EDITOR)
        return reply

    def problem(self, status: int, message: str, *headers: tuple[str, str]) -> Reply:
        reply = self.made(
            *told(self.call.header("ACCEPT"), message, status, lambda: self.page(message)), status
        )
        reply.headers += headers
        return reply

    def page(
        self,
        message: str = "",
        result: results.QueryResult | None = None,
        graphs: Graphs = Graphs(),  # noqa: B008
        hints: Sequence[str] = (),
    ) -> bytes:
        """The form for questions, with an answer or what was wrong."""
        named = self.call.field("format")
        chosen = named if named in SHORT_NAMES else "html"
        limits = self.served.endpoint.limits.words
        return self.served.documents.pages.sparql(
            self.query, message, result, graphs, chosen, limits, hints=hints
        )
