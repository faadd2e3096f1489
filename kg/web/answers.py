"""What all answers have in common: headers, validators, compression, and errors in the form the
client reads.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from flask import Request, Response

from kg.publish.dumps.spool import Large
from kg.publish.formats import headers as published
from kg.publish.formats.media import GZIP as PACKED
from kg.publish.formats.media import HTML, negotiate
from kg.sparql.cached_body import CachedBody, pack
from kg.sparql.cached_body import tag as tag_of

POLICY, EDITOR_POLICY = published.PAGE_POLICY, published.EDITOR_POLICY
SMALLEST_WORTH_PACKING = 500
PROBLEM = "application/problem+json"
ERROR_FORMS = ("text/plain", HTML, PROBLEM, "application/json")
QUALITY = re.compile(r"q\s*=\s*([0-9]{1,3}(?:\.[0-9]{0,9})?)", re.IGNORECASE)

ALWAYS = [(published.POLICY_NAME, POLICY), *published.SAFE]
FOR_ALL = [
    published.OPEN,
    ("Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match"),
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"),
    ("Access-Control-Expose-Headers", "ETag, Link, Content-Location, Retry-After, Kg-Hint"),
    ("Access-Control-Max-Age", "86400"),
]
HINT = "Kg-Hint"
LONGEST_HINT = 4_000
PLAIN = f"{string.punctuation} ".replace("%", "")
BETWEEN_HINTS = quote("\n")


@dataclass(slots=True)
class Reply:
    """`file`: where the body is, if it is too large for memory."""

    status: int
    body: bytes = b""
    headers: list[tuple[str, str]] = field(default_factory=list)
    file: Path | None = None


def build_reply(
    accept_encoding: str | None,
    if_none_match: str | None,
    body: bytes,
    media_type: str,
    status: int = 200,
    cache: str = "no-cache",
) -> Reply:
    """An answer with a strong validator; packed where the client can unpack it, empty where it has
    it already.
    """
    is_packed = (
        media_type != PACKED and len(body) >= SMALLEST_WORTH_PACKING and takes_gzip(accept_encoding)
    )
    headers = [
        ("Content-Type", published.content_type(media_type)),
        ("Vary", "Accept, Accept-Encoding"),
    ]
    if status == 200:
        tag = body.tag if isinstance(body, CachedBody) else tag_of(body)
        tag = f'"{tag}-gz"' if is_packed else f'"{tag}"'
        validators = [("ETag", tag), ("Cache-Control", cache)]
        if is_known(tag, if_none_match):
            return Reply(304, b"", [*headers[1:], *validators])
        headers += validators
    if is_packed:
        headers.append(("Content-Encoding", "gzip"))
        body = body.packed if isinstance(body, CachedBody) else pack(body)
    return Reply(status, body, headers)


def is_known(tag: str, if_none_match: str | None) -> bool:
    known = if_none_match or ""
    return tag in known or known.strip() == "*"


@lru_cache(maxsize=64)  # most clients send the same
def takes_gzip(accept_encoding: str | None) -> bool:
    for part in (accept_encoding or "").split(","):
        name, _, parameters = part.partition(";")
        quality = QUALITY.fullmatch(parameters.strip())
        weight = float(quality[1]) if quality else float(not parameters.strip())
        if name.strip().lower() in ("gzip", "x-gzip", "*") and weight > 0:
            return True
    return False


@lru_cache(maxsize=512)
def cached(body: bytes) -> CachedBody:
    """The body of a document. (Answers to queries have a cache of their own, with a bound on its
    size.)
    """
    return body if isinstance(body, CachedBody) else CachedBody(body)


def hint_header(hints: Iterable[str]) -> str:
    """Hints about a query as the value of a header, which holds plain characters only: all others
    are percent-encoded, and so is what ends a line. Decoded it is a hint on each, as many as fit.
    """
    lines = [quote(hint, safe=PLAIN) for hint in hints]
    while len(BETWEEN_HINTS.join(lines)) > LONGEST_HINT:
        lines.pop()
    return BETWEEN_HINTS.join(lines)


def write_error(
    accept: str | None, message: str, status: int, page: Callable[[], bytes]
) -> tuple[bytes, str]:
    """An error, and its media type: a page for people, problem+json or a line of text for
    programs.
    """
    form = negotiate(accept, ERROR_FORMS) or "text/plain"
    if form == HTML:
        return page(), HTML
    if form in (PROBLEM, "application/json"):
        return json.dumps({"status": status, "detail": message}).encode(), PROBLEM
    return f"{message}\n".encode(), "text/plain"


def reply(
    request: Request, body: bytes, media_type: str, status: int = 200, cache: str = "no-cache"
) -> Response:
    """The answer to the request of a page."""
    encodings, known = (request.headers.get(name) for name in ("Accept-Encoding", "If-None-Match"))
    found = build_reply(encodings, known, body, media_type, status, cache)
    return Response(found.body, found.status, found.headers)


def stream(request: Request, body: Large, media_type: str, links: str) -> Response:
    """A file that is too large for memory, and so is neither packed nor cached."""
    tag = f'"{body.tag}"'
    headers = [
        ("Vary", "Accept, Accept-Encoding"),
        ("ETag", tag),
        ("Cache-Control", "no-cache"),
        *([("Link", links)] if links else []),
    ]
    if is_known(tag, request.headers.get("If-None-Match")):
        return Response(b"", 304, headers)
    length = ("Content-Length", str(len(body)))
    return Response(
        iter(body), 200, [("Content-Type", published.content_type(media_type)), length, *headers]
    )


def problem(request: Request, status: int, message: str, page: Callable[[], bytes]) -> Response:
    body, media_type = write_error(request.headers.get("Accept"), message, status, page)
    return reply(request, body, media_type, status)


def guard(response: Response) -> Response:
    """Adds the headers of all answers."""
    for name, value in ALWAYS:
        response.headers.setdefault(name, value)
    if response.cache_control.no_store:
        # For one reader alone: no page of another site may read it in that reader's browser.
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    response.headers.update(FOR_ALL)
    return response
