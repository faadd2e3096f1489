"""What every answer has in common: headers, validators, compression, and errors in the form the
client reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from flask import Request, Response

from kg.publish.dumps.spool import Large
from kg.publish.formats import headers as published
from kg.publish.formats.media import GZIP as PACKED
from kg.publish.formats.media import HTML, negotiate
from kg.sparql.cached_body import Body, pack
from kg.sparql.cached_body import tag as tag_of

POLICY, EDITOR_POLICY = published.PAGE_POLICY, published.EDITOR_POLICY
SMALLEST_WORTH_PACKING = 500
PROBLEM = "application/problem+json"
GZIP = re.compile(
    r"(?:^|,)\s*(?:x-)?(?:gzip|\*)\s*(?:;\s*q=\s*([0-9.]+)\s*)?(?=,|$)", re.IGNORECASE
)

ALWAYS = [(published.POLICY_NAME, POLICY), *published.SAFE]
FOR_ALL = [
    published.OPEN,
    ("Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match"),
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"),
    ("Access-Control-Expose-Headers", "ETag, Link, Content-Location, Retry-After, Kg-Hint"),
    ("Access-Control-Max-Age", "86400"),
]


@dataclass(slots=True)
class Reply:
    status: int
    body: bytes = b""
    headers: list[tuple[str, str]] = field(default_factory=list)


def made(
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
        tag = (
            f'"{body.tag if isinstance(body, Body) else tag_of(body)}{"-gz" if is_packed else ""}"'
        )
        validators = [("ETag", tag), ("Cache-Control", cache)]
        if if_none_match and (tag in if_none_match or if_none_match.strip() == "*"):
            return Reply(304, b"", [*headers[1:], *validators])
        headers += validators
    if is_packed:
        headers.append(("Content-Encoding", "gzip"))
        body = body.packed if isinstance(body, Body) else pack(body)
    return Reply(status, body, headers)


@lru_cache(maxsize=64)  # clients say the same each time
def takes_gzip(accept_encoding: str | None) -> bool:
    return (
        any(float(found[1] or 1) > 0 for found in GZIP.finditer(accept_encoding))
        if accept_encoding
        else False
    )


@lru_cache(maxsize=512)
def lasting(body: bytes) -> Body:
    """The body of a document, which is sent again. Answers to queries are not kept here: they would
    fill the memory.
    """
    return body if isinstance(body, Body) else Body(body)


def told(
    accept: str | None, message: str, status: int, page: Callable[[], bytes]
) -> tuple[bytes, str]:
    """An error, and its media type: a page for people, problem+json or a line of text for
    programs.
    """
    form = negotiate(accept, ("text/plain", HTML, PROBLEM, "application/json")) or "text/plain"
    if form == HTML:
        return page(), HTML
    if form in (PROBLEM, "application/json"):
        return json.dumps({"status": status, "detail": message}).encode(), PROBLEM
    return f"{message}\n".encode(), "text/plain"


def reply(
    request: Request, body: bytes, media_type: str, status: int = 200, cache: str = "no-cache"
) -> Response:
    """The same for a page's request."""
    found = made(
        request.headers.get("Accept-Encoding"),
        request.headers.get("If-None-Match"),
        body,
        media_type,
        status,
        cache,
    )
    return Response(found.body, found.status, found.headers)


def streamed(request: Request, body: Large, media_type: str, links: str) -> Response:
    """A file that is too large to be held, and so is neither packed nor kept."""
    tag = f'"{body.tag}"'
    headers = [
        ("Vary", "Accept, Accept-Encoding"),
        ("ETag", tag),
        ("Cache-Control", "no-cache"),
        *([("Link", links)] if links else []),
    ]
    if (known := request.headers.get("If-None-Match")) and (tag in known or known.strip() == "*"):
        return Response(b"", 304, headers)
    length = ("Content-Length", str(len(body)))
    return Response(
        iter(body), 200, [("Content-Type", published.content_type(media_type)), length, *headers]
    )


def problem(request: Request, status: int, message: str, page: Callable[[], bytes]) -> Response:
    body, media_type = told(request.headers.get("Accept"), message, status, page)
    return reply(request, body, media_type, status)


def guard(response: Response) -> Response:
    """The headers that every answer carries."""
    for name, value in ALWAYS:
        response.headers.setdefault(name, value)
    if (
        response.cache_control.no_store
    ):  # for one reader alone: no page of another site may read it in that reader's browser
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    response.headers.update(FOR_ALL)
    return response
