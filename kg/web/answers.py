"""HTTP responses: common headers, ETags, compression, content negotiation, and error responses."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import quote

import flask
from werkzeug.datastructures import Headers

from kg.publish.dumps.packing import Large
from kg.publish.formats.media import (
    GZIP,
    HTML,
    OPEN,
    PAGE_POLICY,
    POLICY_NAME,
    SAFE,
    content_type,
    negotiate,
)
from kg.sparql.answer_cache import CachedBody
from kg.web.request import AnyRequest, Refusal

MIN_GZIP_SIZE = 500
PROBLEM = "application/problem+json"
PLAIN = "text/plain"
ERROR_TYPES = (PLAIN, HTML, PROBLEM, "application/json")
API = re.compile(r"/(queries/.|sparql$|search$|reconcile\b)")  # addresses of programs
QUALITY = re.compile(r"q\s*=\s*([0-9]{1,3}(?:\.[0-9]{0,9})?)", re.IGNORECASE)

COMMON_HEADERS = dict([(POLICY_NAME, PAGE_POLICY), *SAFE])
PUBLIC_HEADERS = {
    OPEN[0]: OPEN[1],
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Expose-Headers": "ETag, Link, Content-Location, Retry-After, Kg-Hint",
    "Access-Control-Max-Age": "86400",
}
# For `no-store` responses, which are for one person: other sites cannot read them in that person's
# browser, and search engines do not index them.
PRIVATE_HEADERS = {"Cross-Origin-Resource-Policy": "same-origin", "X-Robots-Tag": "noindex"}
HINT = "Kg-Hint"
MAX_HINT = 4_000
UNQUOTED = f"{string.punctuation} ".replace("%", "")
HINT_SEPARATOR = quote("\n")


class Reply(flask.Response):
    """A response whose body is in memory, or read in pieces if it is too large for that."""

    default_mimetype = None
    automatically_set_content_length = False

    def __init__(
        self, status: int, body: bytes | Large = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status=status, headers=headers)
        self.body = body

    @property
    def body(self) -> bytes | Large:
        return self._body

    @body.setter
    def body(self, body: bytes | Large) -> None:
        self._body = body
        self.response = [body] if isinstance(body, bytes) else body


def all_headers(response: flask.Response) -> dict[str, str]:
    """The headers of a response together with those that every response has."""
    own = dict(list(response.headers))
    audience = PRIVATE_HEADERS if own.get("Cache-Control") == "no-store" else PUBLIC_HEADERS
    if isinstance(response, Reply) and response.status_code != 304:
        own["Content-Length"] = str(len(response.body))
    return {**COMMON_HEADERS, **audience, **own}


def add_headers(response: flask.Response) -> flask.Response:
    response.headers = Headers(all_headers(response))
    return response


def build_reply(
    request: AnyRequest,
    body: bytes | Large,
    media_type: str,
    status: int = 200,
    cache: str = "no-cache",
) -> Reply:
    """A response with an ETag: gzipped if the client accepts that, 304 if the client has it
    already. Bodies that are too large for memory are not compressed.
    """
    headers = {
        "Content-Type": content_type(media_type),
        "Vary": "Accept, Accept-Encoding",
    }
    content = body if isinstance(body, CachedBody | Large) else CachedBody(body)
    is_gzipped = (
        isinstance(content, CachedBody)
        and media_type != GZIP
        and len(content) >= MIN_GZIP_SIZE
        and accepts_gzip(request.headers.get("accept-encoding"))
    )
    if status == 200:
        tag = f'"{content.tag}-gz"' if is_gzipped else f'"{content.tag}"'
        headers |= {"ETag": tag, "Cache-Control": cache}
        known = request.headers.get("if-none-match", "")
        if tag in known or known.strip() == "*":
            del headers["Content-Type"]
            return Reply(304, b"", headers)
    if is_gzipped and isinstance(content, CachedBody):
        headers["Content-Encoding"] = "gzip"
        return Reply(status, content.packed, headers)
    return Reply(status, content, headers)


@lru_cache(maxsize=64)  # most clients send the same value
def accepts_gzip(accept_encoding: str | None) -> bool:
    for part in (accept_encoding or "").split(","):
        name, _, parameters = part.partition(";")
        quality = QUALITY.fullmatch(parameters.strip())
        weight = float(quality[1]) if quality else float(not parameters.strip())
        if name.strip().lower() in ("gzip", "x-gzip", "*") and weight > 0:
            return True
    return False


@lru_cache(maxsize=512)
def cached(body: bytes) -> CachedBody:
    """The body of a document with its ETag and gzipped form. Query answers have a separate cache
    that is limited by size.
    """
    return body if isinstance(body, CachedBody) else CachedBody(body)


def choose_format(request: AnyRequest, media_types: Sequence[str]) -> str:
    """The media type in `media_types` that the client prefers. Raises Refusal."""
    wanted = negotiate(request.headers.get("accept"), media_types)
    if wanted is None:
        raise Refusal(406, f"No acceptable format. Available: {', '.join(media_types)}.")
    return wanted


def hint_header(hints: Iterable[str]) -> str:
    """Query hints as the value of a header: one hint per line, percent-encoded, line breaks too.
    Hints that do not fit are left out.
    """
    lines = [quote(hint, safe=UNQUOTED) for hint in hints]
    while len(HINT_SEPARATOR.join(lines)) > MAX_HINT:
        lines.pop()
    return HINT_SEPARATOR.join(lines)


def error_type(request: AnyRequest) -> str:
    """The media type of an error as the client accepts it; if it accepts any or none of them,
    problem+json at addresses of programs, otherwise plain text.
    """
    is_api = API.search(request.path) and not request.path.endswith(".html")
    types = (*ERROR_TYPES[2:], *ERROR_TYPES[:2]) if is_api else ERROR_TYPES
    found = negotiate(request.headers.get("accept"), types) or types[0]
    return PROBLEM if found == "application/json" else found


def problem(request: AnyRequest, refusal: Refusal, page: Callable[[], bytes]) -> Reply:
    """An error response: an HTML page, problem+json or plain text."""
    status, message, media_type = refusal.status, str(refusal), error_type(request)
    title = HTTPStatus(status).phrase
    bodies: dict[str, Callable[[], bytes]] = {
        HTML: page,
        PROBLEM: lambda: json.dumps(
            {"title": title, "status": status, "detail": message}, ensure_ascii=False
        ).encode(),
        PLAIN: f"{message}\n".encode,
    }
    reply = build_reply(request, bodies[media_type](), media_type, status)
    reply.headers |= refusal.headers
    return reply
