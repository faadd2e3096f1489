"""The SPARQL 1.1 Protocol, for reading. Every query runs in a worker process; here it is only passed on."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request

from kg.engine.store import Graphs
from kg.errors import BadQuery, QueryBusy, QueryCrashed, QueryError, QueryTimeout, WrongForm
from kg.publish import results
from kg.publish.formats import GRAPHS, HTML, SHORT_NAMES, TABLES, negotiate
from kg.web import answers, log
from kg.web.client import client
from kg.web.protocol import Asked, Refusal, read
from kg.web.served import served, stage

blueprint = Blueprint("sparql", __name__)

OUTCOMES: dict[type[QueryError], tuple[int, str]] = {
    BadQuery: (400, "refused"),
    WrongForm: (406, "unacceptable"),
    QueryTimeout: (504, "timeout"),
    QueryCrashed: (503, "crashed"),
    QueryBusy: (503, "busy"),
}
RETRY_AFTER = "2"  # seconds
LASTS = "public, max-age=60, must-revalidate"


@blueprint.route("/sparql", methods=["GET", "POST"])
def sparql() -> Response:
    try:
        asked = read(request, served().documents.base)
        return answer(asked) if asked else about()
    except Refusal as refusal:
        return answers.problem(request, refusal.status, str(refusal), page(message=str(refusal)))


def answer(asked: Asked) -> Response:
    who = client(request, current_app.config["KG_PROXIES"])
    try:
        found = served().endpoint.answer(asked.query, asked.wanted, asked.graphs, who, asked.timeout)
    except QueryError as error:
        log.note(asked.query, OUTCOMES[type(error)][1])
        return failed(error, asked.query)
    log.note(asked.query, "answered")
    lasts = LASTS if found.is_lasting and not stage().watched else "no-cache"
    if not asked.is_for_people:
        return answers.reply(request, found.body, found.media_type, cache=lasts)
    result = results.table(found.body) if found.media_type in TABLES else results.triples(found.body)
    return answers.reply(request, page(asked.query, result=result, graphs=asked.graphs), HTML, cache=lasts)


def about() -> Response:
    """What can be asked here: a form for people, a description for programs."""
    wanted = negotiate(request.headers.get("Accept"), [HTML, *GRAPHS])
    if wanted is None:
        raise Refusal(406, f"This is here as {', '.join((HTML, *GRAPHS))}; with a query, there are answers.")
    if wanted == HTML:
        return answers.reply(request, page(), HTML)
    from kg.web.description import description  # noqa: PLC0415  plain files are served without what it needs

    try:
        return answers.reply(request, description(served(), wanted), wanted)
    except QueryError as error:
        return failed(error)


def failed(error: QueryError, query: str = "") -> Response:
    status, _ = OUTCOMES[type(error)]
    response = answers.problem(request, status, str(error), page(query, str(error)))
    if status == 503:
        response.headers["Retry-After"] = RETRY_AFTER
    return response


@blueprint.after_request
def allow_editor(response: Response) -> Response:
    if response.mimetype == HTML and served().documents.pages.has_editor:
        response.headers["Content-Security-Policy"] = answers.EDITOR_POLICY
    return response


def page(query: str = "", message: str = "", result: results.Result | None = None, graphs: Graphs = Graphs()) -> bytes:  # noqa: B008
    """The form for questions, with an answer or what was wrong."""
    named = request.values.get("format", "")
    chosen = named if named in SHORT_NAMES else "html"
    return served().documents.pages.sparql(query, message, result, graphs, chosen, served().endpoint.limits.words)
