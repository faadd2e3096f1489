"""What every answer has in common: headers, validators, compression, and errors in the form the client reads."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import lru_cache

from flask import Request, Response

from kg.publish.formats import HTML, negotiate

POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
# The page with the editor runs scripts of this site, which ask this site; the editor writes styles into the page.
EDITOR_POLICY = POLICY.replace("style-src 'self'", "script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'")
SMALLEST_WORTH_PACKING = 500
PROBLEM = "application/problem+json"


def reply(request: Request, body: bytes, media_type: str, status: int = 200, lasting: bool = False, cache: str = "no-cache") -> Response:
    """An answer with a strong validator; packed where the client can unpack it, empty where it has it already.

    What is `lasting`, as a document is, stays packed for the next client. Answers to queries do not: they would fill the memory.
    """
    packed = request.accept_encodings["gzip"] > 0 and len(body) >= SMALLEST_WORTH_PACKING
    response = Response((pack_once if lasting else pack)(body) if packed else body, status)
    charset = "; charset=utf-8" if media_type.startswith(("text/", "application/xml", "image/svg")) else ""
    response.headers["Content-Type"] = media_type + charset
    response.headers["Vary"] = "Accept, Accept-Encoding"
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    if status == 200:
        response.set_etag(hashlib.sha256(body).hexdigest()[:32] + ("-gz" if packed else ""))
        response.headers["Cache-Control"] = cache
        response.make_conditional(request)
    return response


def pack(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)


pack_once = lru_cache(maxsize=512)(pack)


def problem(request: Request, status: int, message: str, html: bytes | None = None) -> Response:
    """An error: a page for people where there is one, problem+json or a line of text for programs."""
    offered = ["text/plain", *([HTML] if html else []), PROBLEM, "application/json"]
    form = negotiate(request.headers.get("Accept"), offered) or "text/plain"
    if form == HTML and html:
        return reply(request, html, HTML, status)
    if form in (PROBLEM, "application/json"):
        return reply(request, json.dumps({"status": status, "detail": message}).encode(), PROBLEM, status)
    return reply(request, f"{message}\n".encode(), "text/plain", status)


def guard(response: Response) -> Response:
    """The headers that every answer carries."""
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    if response.cache_control.no_store:  # for one reader alone: no page of another site may read it in that reader's browser
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Allow-Headers"] = "Accept, Content-Type, If-None-Match"
    response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, OPTIONS"
    response.headers["Access-Control-Expose-Headers"] = "ETag, Link, Content-Location, Retry-After"
    response.headers["Access-Control-Max-Age"] = "86400"
    return response
