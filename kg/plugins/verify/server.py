"""Verifies a site on a server and its HTTP behaviour: what it announces must hold. A host for
static files can do less, and announces less.

Only this server is contacted, only below the given address, and within limits.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urljoin, urlsplit

from kg.errors import KgError, Problem, Severity
from kg.publish.formats.media import HTML
from kg.publish.formats.urls import file_of, web_address
from kg.publish.verify.graphs import fault
from kg.publish.verify.listing import SiteListing
from kg.publish.verify.source import Look, SiteSource, ignore, is_below

TIMEOUT_MINUTES = 15  # for all requests
MAX_REDIRECTS = 3
CONNECTIONS = 4
TESTED_DOCUMENTS = 10  # documents for tests of HTTP behaviour
MISSING_PATH = "people/nobody-has-this-name-7c1f"
GENERIC_TYPES = ("", "text/plain", "application/octet-stream")  # sent by hosts for unknown suffixes

# Sends one request: method, address, headers and timeout in seconds -> status, headers (in lower
# case) and body. Raises OSError with the reason.
Fetch = Callable[[str, str, Mapping[str, str], float], tuple[int, Mapping[str, str], bytes]]


@dataclass(frozen=True)
class ServerAnswer:
    """`status` 0: there was no response, and `body` has the reason."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_redirect(self) -> bool:
        return 300 <= self.status < 400 and self.status != 304

    @property
    def reason(self) -> str:
        return f"status {self.status}" if self.status else self.body.decode()


class SiteServer(SiteSource):
    """The server at an address. Redirects are followed while they stay below it."""

    def __init__(self, address: str, fetch: Fetch, look: Look = ignore) -> None:
        self.fetch, self.look = fetch, look
        parts = web_address(address)
        if parts is None or parts.query or parts.fragment:
            raise KgError(
                f"{address!a} is not the address of a site. Write for example "
                "https://cv.example.org/ or http://127.0.0.1:8000/lab/."
            )
        self.origin = parts.scheme, parts.hostname, parts.port
        self.top = parts.path if parts.path.endswith("/") else parts.path + "/"
        self.root = f"{parts.scheme}://{parts.netloc}{self.top}"
        self.until = time.monotonic() + 60 * TIMEOUT_MINUTES
        self.answers: dict[str, ServerAnswer] = {}  # without bodies
        first = self.ask("")
        if not first.status:
            raise KgError(f"{self.root} cannot be reached: {first.reason}.")

    def get(self, path: str) -> bytes | None:
        answer = self.ask(path)
        self.answers[path] = ServerAnswer(
            answer.status, answer.headers, b"" if answer.status else answer.body
        )
        if answer.status != 200:
            return None
        self.look(path, answer.body)
        return answer.body

    def has(self, path: str) -> bool:
        if path not in self.answers:
            self.answers[path] = self.ask(path, "HEAD")
        return self.answers[path].status == 200

    def leads_on(self, address: str) -> bool:
        answer = self.ask(address, follow=False)
        return answer.status == 410 or (
            answer.is_redirect and self.moved(self.root, answer) is not None
        )

    def name(self, path: str) -> str:
        return self.root + path

    def why(self, path: str) -> str:
        return self.answers[path].reason if path in self.answers else "it was not requested"

    def files(self) -> list[str]:
        return []

    def rest(self) -> list[str]:
        return [path for path, answer in self.answers.items() if answer.status == 200]

    def ask(
        self, path: str, method: str = "GET", follow: bool = True, **headers: str
    ) -> ServerAnswer:
        """Sends a request. Header names have `_` for `-`."""
        if not is_below(path):
            return ServerAnswer(0, body=b"it is outside the site")
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        target = self.top + quote(path, safe="/%:@!$&'()*+,;=~-._")
        for _ in range(MAX_REDIRECTS):
            answer = self.exchange(method, target, sent)
            if not follow or not answer.is_redirect:
                return answer
            moved = self.moved(urljoin(self.root, target), answer)
            if moved is None:
                elsewhere = answer.headers.get("location", "nowhere")[:200]
                reason = f"it redirects to another site ({elsewhere!a})"
                return ServerAnswer(0, body=reason.encode())
            target = moved
        return ServerAnswer(0, body=b"it redirects too often")

    def moved(self, here: str, answer: ServerAnswer) -> str | None:
        """The target of a redirect, if it stays on this server, below its address."""
        location = answer.headers.get("location", "")
        try:
            there = urlsplit(urljoin(here, location))
            same = there.scheme, there.hostname, there.port
        except ValueError:
            return None
        if not location or same != self.origin or not there.path.startswith(self.top):
            return None
        return there.path + (f"?{there.query}" if there.query else "")

    def exchange(self, method: str, target: str, headers: Mapping[str, str]) -> ServerAnswer:
        left = self.until - time.monotonic()
        if left < 0:
            raise KgError(
                f"{self.root} was not verified within {TIMEOUT_MINUTES} min. Verify a part of "
                "it with --sample."
            )
        try:
            return ServerAnswer(*self.fetch(method, urljoin(self.root, target), headers, left))
        except OSError as error:
            return ServerAnswer(0, body=f"no response ({error})".encode())


class HttpBehaviour:
    """Tests some documents. `shown` are the features that work."""

    def __init__(self, server: SiteServer, listing: SiteListing) -> None:
        self.server, self.listing = server, listing
        self.shown: dict[str, None] = {}

    def faults(self, addresses: Sequence[str]) -> Iterator[Problem]:
        for address in addresses:
            for suffix, media_type in self.listing.suffixes.items():
                file = file_of(address, suffix)
                answer = self.server.ask(file)
                if answer.status == 200:  # other statuses were already reported
                    yield from self.file(file, media_type, answer)
                    yield from self.negotiated(address, media_type, answer)
            yield from self.address(address)
        answer = self.server.ask(MISSING_PATH, Accept=HTML)
        message = f"This page does not exist, but the status is {answer.status} instead of 404."
        yield from self.judge("404", answer.status == 404, "not-found", MISSING_PATH, message)
        for address in self.listing.addresses:
            if address.endswith("/"):
                yield from self.redirect(address)

    def judge(
        self,
        manner: str,
        works: bool,
        rule: str,
        file: str,
        message: str,
        severity: Severity = "error",
    ) -> Iterator[Problem]:
        if works:
            self.shown[manner] = None
        else:
            yield fault(rule, self.server.name(file), message, severity=severity)

    def file(self, file: str, media_type: str, answer: ServerAnswer) -> Iterator[Problem]:
        found = answer.media_type
        severity: Severity = "warning" if found in GENERIC_TYPES else "error"
        message = f"The media type is {found or 'missing'}, but should be {media_type}."
        is_right = found == media_type
        yield from self.judge("media types", is_right, "media-type", file, message, severity)
        head, tag = self.server.ask(file, "HEAD"), answer.headers.get("etag")
        is_same = (200, answer.media_type, tag) == (
            head.status,
            head.media_type,
            head.headers.get("etag"),
        )
        message = (
            f"HEAD differs from GET: status {head.status}, type {head.media_type or 'missing'}."
        )
        yield from self.judge("HEAD", is_same, "head", file, message)
        if tag:
            cached = self.server.ask(file, If_None_Match=tag)
            is_right = cached.status == 304 and not cached.body
            message = f"A request with the current ETag returns {cached.status} instead of 304."
            yield from self.judge("ETag and 304", is_right, "etag", file, message)
        packed = self.server.ask(file, Accept_Encoding="gzip")
        if packed.headers.get("content-encoding") == "gzip":
            message = "The gzip-compressed response differs from the uncompressed one."
            is_same = unpacks_to(packed.body, answer.body)
            yield from self.judge("gzip", is_same, "packed", file, message)

    def address(self, address: str) -> Iterator[Problem]:
        """The address of a document resolves, directly or by a redirect."""
        status = self.server.ask(address, Accept=HTML).status
        message = f"This is the address of a document, but the status is {status} instead of 200."
        yield from self.judge("addresses", status == 200, "address", address, message)

    def negotiated(self, address: str, media_type: str, twin: ServerAnswer) -> Iterator[Problem]:
        """The address of a document returns the requested format, if the server announces it (Vary:
        Accept).
        """
        answer = self.server.ask(address, Accept=media_type)
        chosen_by = [each.strip().lower() for each in answer.headers.get("vary", "").split(",")]
        if "accept" in chosen_by:
            found = f"{answer.status}, {answer.media_type or 'no type'}" + (
                "" if answer.body == twin.body else ", other bytes"
            )
            message = f"A request for {media_type} returned the wrong file: {found}."
            works = (answer.status, answer.media_type, answer.body) == (200, media_type, twin.body)
            yield from self.judge("content negotiation", works, "negotiation", address, message)

    def redirect(self, address: str) -> Iterator[Problem]:
        """`people` redirects to `people/`."""
        path = address.removesuffix("/")
        answer = self.server.ask(path, follow=False)
        if answer.is_redirect:
            works = self.server.moved(self.server.name(path), answer) == self.server.top + address
            location = answer.headers.get("location", "nowhere")
            message = f"This redirects to {location!a} instead of {address}."
            yield from self.judge("redirects", works, "redirect", path, message)


def unpacks_to(copy: bytes, original: bytes) -> bool:
    """Decompresses no more than needed for the comparison, whatever the size."""
    packer = zlib.decompressobj(wbits=31)
    try:
        return packer.decompress(copy, len(original) + 1) == original and not packer.unconsumed_tail
    except zlib.error:
        return False
