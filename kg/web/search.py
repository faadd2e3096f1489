"""Search: what is called so, as a page for people and as JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.exceptions import NotAcceptable

from kg.publish.formats.media import HTML, JSON, negotiate
from kg.web import answers
from kg.web.documents import document
from kg.web.state import state

if TYPE_CHECKING:
    from kg.publish.site import Documents

blueprint = Blueprint("search", __name__)

FORMS = {"html": HTML, "json": JSON}


@blueprint.get("/search")
def search() -> Response:
    from kg.publish.search import search_page  # noqa: PLC0415  RDF files have no search

    named = request.args.get("format", "")
    if named and named not in FORMS:
        abort(400, f"There is no format '{named[:20]}'. Known: {', '.join(FORMS)}.")
    wanted = FORMS.get(named) or negotiate(request.headers.get("Accept"), [HTML, JSON])
    if wanted is None:
        raise NotAcceptable(f"This is here as {HTML}, {JSON}.")
    query = request.args.get("q", "").strip()
    documents = cast("Documents", state().documents)
    body = (
        search_page.html(documents.pages, documents.finder, query)
        if wanted == HTML
        else search_page.text(documents.finder, query)
    )
    return answers.reply(request, body, wanted)


@blueprint.get("/search.html")
def page() -> Response:
    """In a folder a page whose script finds; with a question, here it is answered."""
    if request.args.get("q"):
        return cast(
            Response,
            redirect(
                f"{request.script_root}/search?{request.query_string.decode('ascii', 'replace')}"
            ),
        )
    return document("search.html")
