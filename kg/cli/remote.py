"""Asks another SPARQL server, by the SPARQL 1.1 Protocol: the query in a form, the answer in one
form that is wanted.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from kg.cli.columns import clean
from kg.errors import KgError
from kg.publish.formats.media import ALIASES

MOST_BYTES = 1 << 28
MOST_SAID = 1_000  # characters of what a server says about an error
PORTION = 1 << 16
FORM = "application/x-www-form-urlencoded"


class Unanswered(KgError):
    """A server that gave no answer. `said` is what it told about that."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(f"{message}\n{said}" if said else message)
        self.said = said


@dataclass(frozen=True, slots=True)
class Told:
    body: bytes
    hints: Sequence[str]


class Stay(HTTPRedirectHandler):
    """A redirected form loses its query on the way, so we go nowhere."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


def ask(endpoint: str, query: str, media_type: str, seconds: float) -> Told:
    """A server's answer to a query. Relative addresses are left to the server: only it knows its
    base.
    """
    address = checked(endpoint)
    request = Request(  # noqa: S310  the scheme was checked
        address,
        data=urlencode({"query": query}).encode("utf-8", "replace"),
        headers={"Accept": media_type, "Content-Type": FORM, "User-Agent": "kg-query"},
    )
    until = time.monotonic() + seconds
    try:
        with build_opener(Stay).open(request, timeout=seconds) as response:
            given = response.headers.get_content_type()
            body = read(response, until, MOST_BYTES)
            hints = unquote(response.headers.get("Kg-Hint", "")).split("\n")
    except HTTPError as error:
        with error:
            raise Unanswered(
                refusal(address, error),
                sentence(excerpt(error, until), error.headers.get_content_type()),
            ) from error
    except TimeoutError as error:
        raise Unanswered(f"{address} gave no answer within {seconds:g} seconds.") from error
    except (URLError, http.client.HTTPException, OSError) as error:
        if isinstance(error, URLError) and isinstance(error.reason, TimeoutError):
            raise Unanswered(f"{address} gave no answer within {seconds:g} seconds.") from error
        raise Unanswered(
            f"{address} cannot be asked: "
            f"{clean(str(getattr(error, 'reason', '') or error)) or type(error).__name__}."
        ) from error
    if len(body) > MOST_BYTES:
        raise Unanswered(
            f"{address} gave more than {MOST_BYTES >> 20} MiB. Ask for less, with LIMIT."
        )
    if given != media_type and ALIASES.get(given) != media_type:
        said = sentence(body[: MOST_SAID * 4].decode("utf-8", "replace"), given)
        raise Unanswered(
            (
                f"{address} was asked for {media_type} and gave {clean(given)}. Is it a SPARQL "
                "endpoint?"
            ),
            said,
        )
    return Told(body, [clean(hint)[:MOST_SAID] for hint in hints[:3] if hint])


def checked(endpoint: str) -> str:
    """An address that may be asked."""
    try:
        parts = urlsplit(endpoint)
        fits = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not parts.username
            and parts.port != 0
        )
    except ValueError:
        fits = False
    if not fits or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise KgError(
            f"'{clean(endpoint)}' is no address of an endpoint. One begins with http:// or "
            "https://."
        )
    return endpoint


def read(response: Any, until: float, most: int) -> bytes:
    """A body, but no more than one byte above the most, nor for longer than there is time."""
    found = bytearray()
    while len(found) <= most and (portion := response.read1(min(PORTION, most + 1 - len(found)))):
        found += portion
        if time.monotonic() > until:
            raise TimeoutError
    if len(found) <= most and response.length:
        raise OSError("its answer ended too early")
    return bytes(found)


def excerpt(error: HTTPError, until: float) -> str:
    try:
        return read(error.fp, until, MOST_SAID * 4).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return ""


def refusal(address: str, error: HTTPError) -> str:
    moved = error.headers.get("Location", "")
    if 300 <= error.code < 400 and moved:
        return f"{address} has moved: {clean(moved)[:MOST_SAID]}. Ask there."
    return f"{address} answered {error.code} {clean(str(error.reason))[:100]}".rstrip() + "."


def sentence(said: str, media_type: str) -> str:
    """What a server says, line by line; of a page nothing, for it is no text to read here."""
    if media_type == "text/html":
        return ""
    lines = [clean(line).rstrip() for line in said.splitlines()]
    return "\n".join(line for line in lines if line)[:MOST_SAID]
