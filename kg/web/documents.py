"""Documents over HTTP, by suffix or content negotiation, and search as HTML and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from urllib.parse import quote

import flask

from kg.publish.document import Document
from kg.publish.formats.media import (
    HTML,
    JSON,
    LIST_SUFFIXES,
    OWN_POLICIES,
    PAGE_SUFFIXES,
    POLICY_NAME,
)
from kg.publish.formats.urls import DATA_ONLY, file_of, root_of
from kg.publish.questions import editor
from kg.text.wording import farewell
from kg.web.answers import Reply, build_reply, cached, choose_format
from kg.web.request import Refusal

if TYPE_CHECKING:
    from kg.publish.site import Documents
    from kg.web.state import Shown

QUESTIONS = "queries/"  # the list of questions, and the folder of their pages
FOLDERS = (QUESTIONS, "changes/")  # pages that are not documents
SEARCH_FORMATS = {"html": HTML, "json": JSON}
UNQUOTED = "!#$%&'()*+,/:;=?@[]~"  # not percent-encoded, besides letters and digits


def document(request: flask.Request, documents: Shown, path: str) -> Reply:
    """The page or file at a path, or a redirect to it. Raises Refusal."""
    if not path and not documents.addresses:  # a site without pages starts at its query form
        return redirect_to(path, "sparql")
    if gone := documents.former.gone(path):
        raise Refusal(410, farewell(gone))
    if (target := documents.former.target(path)) and (
        target in documents.addresses or target in documents.files
    ):
        # not 308, which matters for POST only
        return redirect_to(path, target, documents.former.status(path))
    if path in documents.large:
        reply = dump(request, documents, path)
    elif file := find(request, documents, path):
        path = file.path
        if request.query_string and documents.graph:
            file = documents.filtered(path, dict(request.args.lists())) or file
        reply = build_reply(request, cached(file.body), file.media_type)
    elif f"{path}/" in documents.addresses or (
        f"{path}/" in FOLDERS and file_of(f"{path}/", ".html") in documents.files
    ):
        return redirect_to(path, f"{path}/", 308)
    elif path in DATA_ONLY and (data := path + DATA_ONLY[path]) in documents.files:
        return redirect_to(path, data, 303)
    else:
        raise Refusal(404, f"{request.path} does not exist.")
    if path in OWN_POLICIES:
        reply.headers[POLICY_NAME] = OWN_POLICIES[path]
    if path in documents.files and documents.files[path][0] in documents.addresses:
        reply.headers["Content-Location"] = path.rpartition("/")[2]
    if links := documents.link_header(path):
        reply.headers["Link"] = links
    return reply


def find(request: flask.Request, documents: Shown, path: str) -> Document | None:
    """The file at a path. At the address of a document, the format that the client prefers."""
    if path in documents.files:
        return documents.get(path)
    if path not in documents.addresses:
        page = file_of(path, ".html")
        is_page = path.startswith(FOLDERS) and page in documents.files
        return documents.get(page) if is_page else editor.document(path)
    files = {
        media_type: file
        for suffix, media_type in {**PAGE_SUFFIXES, **LIST_SUFFIXES}.items()
        if (file := file_of(path, suffix)) in documents.files
    }
    return documents.get(files[choose_format(request, list(files))])


def dump(request: flask.Request, documents: Shown, path: str) -> Reply:
    """A dump that is too large for memory. It is written at the first request, which takes a
    while.
    """
    try:
        return build_reply(request, documents.large[path], documents.files[path][1])
    except BlockingIOError:
        message = "This dump is being written. Try again in a minute."
        raise Refusal(503, message, Retry_After="60") from None


def redirect_to(path: str, target: str, status: int = 302) -> Reply:
    """A redirect within the site. It is relative, so it works behind any proxy prefix."""
    place = quote(root_of(path) + target, safe=UNQUOTED)
    headers = {"Location": place, "Content-Type": "text/plain; charset=utf-8"}
    return Reply(status, f"Redirect to {place}\n".encode(), headers)


def search(request: flask.Request, documents: Shown) -> Reply:
    from kg.publish.search import index  # noqa: PLC0415  RDF files have no search

    named = request.args.get("format", "")
    if named and named not in SEARCH_FORMATS:
        known = ", ".join(SEARCH_FORMATS)
        raise Refusal(400, f"Unknown format '{named[:20]}'. Known: {known}.")
    wanted = SEARCH_FORMATS.get(named) or choose_format(request, [HTML, JSON])
    site, query = cast("Documents", documents), request.args.get("q", "").strip()
    body = (
        index.results_page(site.pages, site.finder, query)
        if wanted == HTML
        else index.results_json(site.finder, query)
    )
    return build_reply(request, body, wanted)
