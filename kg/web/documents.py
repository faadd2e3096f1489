"""Pages and data: by suffix, or by what the client accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.exceptions import Gone, NotAcceptable, ServiceUnavailable

from kg.publish.document import Document
from kg.publish.formats.headers import OWN_POLICIES
from kg.publish.formats.media import CITATION_SUFFIXES, PAGE_SUFFIXES, negotiate
from kg.publish.formats.urls import file_of, root_of
from kg.publish.hosting.host_rules import farewell
from kg.publish.queries import editor
from kg.web import answers
from kg.web.state import state

if TYPE_CHECKING:
    from kg.web.state import Shown

blueprint = Blueprint("documents", __name__)

WITHOUT_A_PAGE = ("void", "shapes")  # their things have addresses all the same


@blueprint.get("/healthz")
@blueprint.get("/readyz")
def health() -> Response:
    return answers.reply(request, b"ok\n", "text/plain")


@blueprint.get("/", defaults={"path": ""})
@blueprint.get("/<path:path>")
def document(path: str) -> Response:
    documents = state().documents
    if question := form_address(path, has_pages=bool(documents.addresses)):
        return lead(question)
    if path in documents.large:
        return dump(documents, path)
    if gone := documents.former.gone(path):
        raise Gone(farewell(gone))
    if (target := documents.former.target(path)) and (
        target in documents.addresses or target in documents.files
    ):
        return lead(target, 301)  # all follow it; 308 would only add that a POST stays one
    file = documents.get(path) if path in documents.files else None
    if file is None and path in documents.addresses:
        file = chosen(documents, path)
    if file is None and f"{path}/" in documents.addresses:
        return lead(f"{path}/", 308)
    if file is None and path in WITHOUT_A_PAGE and f"{path}.ttl" in documents.files:
        return lead(f"{path}.ttl", 303)
    file = file or editor.document(path)
    if file is None:
        abort(404)
    response = answers.reply(request, answers.cached(file.body), file.media_type)
    if file.path in OWN_POLICIES:
        response.headers["Content-Security-Policy"] = OWN_POLICIES[file.path]
    if file.path in documents.files and documents.files[file.path][0] in documents.addresses:
        response.headers["Content-Location"] = file.path.rpartition("/")[2]
    if links := documents.link_header(file.path):
        response.headers["Link"] = links
    return response


def form_address(path: str, has_pages: bool) -> str | None:
    """Where the form for questions is, where that is meant: without pages it is the start, and with
    a question it is answered there.
    """
    if path == "sparql.html" and request.query_string:
        return f"sparql?{request.query_string.decode('ascii', 'replace')}"
    return None if path or has_pages else "sparql"


def dump(documents: Shown, path: str) -> Response:
    """One that is too large for memory; it takes a while to write it, once."""
    try:
        body = documents.large[path]
    except BlockingIOError:
        raise ServiceUnavailable(
            "This dump is being made. Ask again in a minute.", retry_after=60
        ) from None
    return answers.stream(request, body, documents.files[path][1], documents.link_header(path))


def lead(target: str, status: int = 302) -> Response:
    """To another place of the site, seen from here: what a proxy puts before our addresses we need
    not know.
    """
    return cast(Response, redirect(root_of(request.path[1:]) + target, status))


def chosen(documents: Shown, address: str) -> Document | None:
    """The form of a document the client wants most."""
    known = {**PAGE_SUFFIXES, **CITATION_SUFFIXES}
    suffixes = {
        media_type: suffix
        for suffix, media_type in known.items()
        if file_of(address, suffix) in documents.files
    }
    media_type = negotiate(request.headers.get("Accept"), list(suffixes))
    if media_type is None:
        raise NotAcceptable(f"This is here as {', '.join(suffixes)}.")
    return documents.get(file_of(address, suffixes[media_type]))
