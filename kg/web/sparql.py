"""The SPARQL 1.1 Protocol, for reading. Every query runs in a worker process; here it is only passed on."""

from __future__ import annotations

from flask import Blueprint, Response, request

from kg.engine.store import Wanted
from kg.errors import BadQuery, QueryCrashed, QueryTimeout, WrongForm
from kg.publish.formats import GRAPHS, HTML, SHORT_NAMES, TABLES, negotiate
from kg.web import answers
from kg.web.served import served

blueprint = Blueprint("sparql", __name__)

STATUS: dict[type[Exception], int] = {BadQuery: 400, WrongForm: 406, QueryTimeout: 504, QueryCrashed: 503}


@blueprint.route("/sparql", methods=["GET", "POST"])
def sparql() -> Response:
    if request.method == "POST" and request.mimetype == "application/sparql-query":
        queries = [request.get_data(as_text=True)]
    elif request.method == "POST" and request.mimetype != "application/x-www-form-urlencoded":
        return answers.problem(request, 415, "Send a form with 'query', or the query itself as application/sparql-query.")
    else:
        queries = request.values.getlist("query")
    if not queries and request.method == "GET":
        return answers.reply(request, served().documents.pages.sparql(), HTML)
    if len(queries) != 1:
        return answers.problem(request, 400, f"Exactly one query is expected, not {len(queries)}.")
    return answer(queries[0])


def answer(query: str) -> Response:
    named = request.values.get("format", "")
    if named and named not in SHORT_NAMES and "/" not in named:
        return answers.problem(request, 400, f"There is no format '{named}'. Known: {', '.join(SHORT_NAMES)}, or a media type.")
    accept = ", ".join(SHORT_NAMES.get(named, ())) or (named if "/" in named else request.headers.get("Accept"))
    wanted = Wanted(negotiate(accept, TABLES), negotiate(accept, GRAPHS))
    if negotiate(accept, [HTML, *TABLES, *GRAPHS]) == HTML:
        wanted = Wanted(TABLES[0], GRAPHS[0])  # a browser that was given no format
    if wanted.table is None and wanted.graph is None:
        return answers.problem(request, 406, f"Answers are given as {', '.join((*TABLES, *GRAPHS))}.")
    try:
        found = served().endpoint.answer(query, wanted)
    except (BadQuery, WrongForm, QueryTimeout, QueryCrashed) as error:
        html = served().documents.pages.sparql(query, str(error))
        return answers.problem(request, STATUS[type(error)], str(error), html)
    return answers.reply(request, found.body, found.media_type)
