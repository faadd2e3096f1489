"""What all answers have in common: headers, validators, compression, and errors in the form the
client reads.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
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

SMALLEST_WORTH_PACKING = 500
PROBLEM = "application/problem+json"
ERROR_FORMS = ("text/plain", HTML, PROBLEM, "application/json")
QUALITY = re.compile(r"q\s*=\s*([0-9]{1,3}(?:\.[0-9]{0,9})?)", re.IGNORECASE)

ALWAYS = dict([(POLICY_NAME, PAGE_POLICY), *SAFE])
FOR_ALL = {
    OPEN[0]: OPEN[1],
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Expose-Headers": "ETag, Link, Content-Location, Retry-After, Kg-Hint",
    "Access-Control-Max-Age": "86400",
}
# What is not to be stored is for one reader: no page of another site may read it in that reader's
# browser, and no search engine lists it.
FOR_ONE = {"Cross-Origin-Resource-Policy": "same-origin", "X-Robots-Tag": "noindex"}
HINT = "Kg-Hint"
LONGEST_HINT = 4_000
PLAIN = f"{string.punctuation} ".replace("%", "")
BETWEEN_HINTS = quote("\n")


class Reply(flask.Response):
    """A response whose body is in memory, or in pieces where it is too large for that."""

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
    """Those of a response, and those of all responses."""
    own = dict(list(response.headers))
    audience = FOR_ONE if own.get("Cache-Control") == "no-store" else FOR_ALL
    if isinstance(response, Reply) and response.status_code != 304:
        own["Content-Length"] = str(len(response.body))
    return {**ALWAYS, **audience, **own}


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
    """An answer with a strong validator; packed where the client can unpack it, empty where it has
    it already. What is too large for memory is not packed.
    """
    headers = {
        "Content-Type": content_type(media_type),
        "Vary": "Accept, Accept-Encoding",
    }
    content = body if isinstance(body, CachedBody | Large) else CachedBody(body)
    is_packed = (
        isinstance(content, CachedBody)
        and media_type != GZIP
        and len(content) >= SMALLEST_WORTH_PACKING
        and takes_gzip(request.headers.get("accept-encoding"))
    )
    if status == 200:
        tag = f'"{content.tag}-gz"' if is_packed else f'"{content.tag}"'
        headers |= {"ETag": tag, "Cache-Control": cache}
        known = request.headers.get("if-none-match", "")
        if tag in known or known.strip() == "*":
            del headers["Content-Type"]
            return Reply(304, b"", headers)
    if is_packed and isinstance(content, CachedBody):
        headers["Content-Encoding"] = "gzip"
        return Reply(status, content.packed, headers)
    return Reply(status, content, headers)


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


def choose_form(request: AnyRequest, forms: Sequence[str]) -> str:
    """The one of these media types that the client wants most. Raises Refusal."""
    wanted = negotiate(request.headers.get("accept"), forms)
    if wanted is None:
        raise Refusal(406, f"This is here as {', '.join(forms)}.")
    return wanted


def hint_header(hints: Iterable[str]) -> str:
    """Hints about a query as the value of a header, which holds plain characters only: all others
    are percent-encoded, and so is what ends a line. Decoded it is a hint on each, as many as fit.
    """
    lines = [quote(hint, safe=PLAIN) for hint in hints]
    while len(BETWEEN_HINTS.join(lines)) > LONGEST_HINT:
        lines.pop()
    return BETWEEN_HINTS.join(lines)


def problem(request: AnyRequest, refusal: Refusal, page: Callable[[], bytes]) -> Reply:
    """An error: a page for people, problem+json or a line of text for programs."""
    status, message = refusal.status, str(refusal)
    form = negotiate(request.headers.get("accept"), ERROR_FORMS)
    if form == HTML:
        reply = build_reply(request, page(), HTML, status)
    elif form in (PROBLEM, "application/json"):
        detail = json.dumps({"status": status, "detail": message}).encode()
        reply = build_reply(request, detail, PROBLEM, status)
    else:
        reply = build_reply(request, f"{message}\n".encode(), "text/plain", status)
    reply.headers |= refusal.headers
    return reply
