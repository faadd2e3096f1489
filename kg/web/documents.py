"""Pages and data: by suffix, or by what the client accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.exceptions import NotAcceptable

from kg.publish import editor
from kg.publish.document import Document, file_of
from kg.publish.formats import CITATION_SUFFIXES, HTML, PAGE_SUFFIXES, negotiate
from kg.web import answers
from kg.web.served import served

if TYPE_CHECKING:
    from kg.web.served import Shown

blueprint = Blueprint("documents", __name__)

WITHOUT_A_PAGE = ("void", "shapes")  # their things have addresses all the same


@blueprint.get("/healthz")
@blueprint.get("/readyz")
def health() -> Response:
    return answers.reply(request, b"ok\n", "text/plain")


@blueprint.get("/", defaults={"path": ""})
@blueprint.get("/<path:path>")
def document(path: str) -> Response:
    documents = served().documents
    if not path and not documents.addresses:  # without pages, the form for questions is the start
        return cast(Response, redirect(f"{request.script_root}/sparql"))
    if path == "sparql.html" and request.query_string:  # with a question: in a folder a page, here it is answered
        return cast(Response, redirect(f"{request.script_root}/sparql?{request.query_string.decode('ascii', 'replace')}"))
    file = documents.get(path) if path in documents.files else None
    if file is None and path in documents.addresses:
        file = chosen(documents, path)
    if file is None and f"{path}/" in documents.addresses:
        return cast(Response, redirect(f"{request.script_root}/{path}/", 308))
    if file is None and path in WITHOUT_A_PAGE and f"{path}.ttl" in documents.files:
        return cast(Response, redirect(f"{request.script_root}/{path}.ttl", 303))
    file = file or editor.document(path)
    if file is None:
        abort(404)
    response = answers.reply(request, answers.lasting(file.body), file.media_type)
    address, _ = documents.files.get(file.path, ("static", ""))
    if address in documents.addresses:
        response.headers["Content-Location"] = f"{request.script_root}/{file.path}"
        response.headers["Link"] = ", ".join(links(documents, address))
    return response


def chosen(documents: Shown, address: str) -> Document | None:
    """The form of a document the client wants most."""
    known = {**PAGE_SUFFIXES, **CITATION_SUFFIXES}
    suffixes = {media_type: suffix for suffix, media_type in known.items() if file_of(address, suffix) in documents.files}
    media_type = negotiate(request.headers.get("Accept"), list(suffixes))
    if media_type is None:
        raise NotAcceptable(f"This is here as {', '.join(suffixes)}.")
    return documents.get(file_of(address, suffixes[media_type]))


def links(documents: Shown, address: str) -> list[str]:
    """Where the twins of a document are, and what its own address is."""
    twins = [
        f'<{request.script_root}/{file_of(address, suffix)}>; rel="{"alternate" if media_type == HTML else "alternate describedby"}"; '
        f'type="{media_type}"'
        for suffix, media_type in PAGE_SUFFIXES.items()
    ]
    return [f'<{documents.base}{address}>; rel="canonical"', *twins]
