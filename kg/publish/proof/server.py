"""A site on a server. Only that server is asked, only below the address that was given, and within
bounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from kg.errors import KgError
from kg.publish.formats.urls import web_address
from kg.publish.proof.source import Look, Source, ignore, is_below

MINUTES = 15  # for all answers
MAX_REDIRECTS = 3
CONNECTIONS = 4

# Sends one request: method, address, headers and the seconds there are for it -> status, headers
# (in lower case) and body. Raises OSError with the reason.
Fetch = Callable[[str, str, Mapping[str, str], float], tuple[int, Mapping[str, str], bytes]]


@dataclass(frozen=True)
class Answer:
    """`status` 0: there was no answer, and `body` has the reason."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def said(self) -> str:
        return f"it answers {self.status}" if self.status else self.body.decode()


class Server(Source):
    """The server at an address. Redirects are followed as long as they stay below it."""

    def __init__(self, address: str, fetch: Fetch, look: Look = ignore) -> None:
        self.fetch, self.look = fetch, look
        parts = checked(address)
        self.origin = parts.scheme, parts.hostname, parts.port
        self.top = parts.path if parts.path.endswith("/") else parts.path + "/"
        self.root = f"{parts.scheme}://{parts.netloc}{self.top}"
        self.until = time.monotonic() + 60 * MINUTES
        self.answers: dict[str, Answer] = {}  # without their bodies
        first = self.ask("")
        if not first.status:
            raise KgError(f"{self.root} cannot be asked: {first.said}.")

    def get(self, path: str) -> bytes | None:
        answer = self.ask(path)
        self.answers[path] = Answer(
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
        moved = (
            self.inside(self.root, answer.headers.get("location", ""))
            if 300 <= answer.status < 400
            else None
        )
        return answer.status == 410 or moved is not None

    def name(self, path: str) -> str:
        return self.root + path

    def why(self, path: str) -> str:
        return self.answers[path].said if path in self.answers else "it was not asked for"

    def files(self) -> list[str]:
        return []

    def rest(self) -> list[str]:
        return [path for path, answer in self.answers.items() if answer.status == 200]

    def ask(self, path: str, method: str = "GET", follow: bool = True, **headers: str) -> Answer:
        """An answer. Header names have `_` for `-`."""
        if not is_below(path):
            return Answer(0, body=b"it is outside of the site")
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        target = self.top + quote(path, safe="/%:@!$&'()*+,;=~-._")
        for _ in range(MAX_REDIRECTS):
            answer = self.exchange(method, target, sent)
            if not follow or not 300 <= answer.status < 400 or answer.status == 304:
                return answer
            moved = self.inside(urljoin(self.root, target), answer.headers.get("location", ""))
            if moved is None:
                elsewhere = answer.headers.get("location", "nowhere")[:200]
                return Answer(
                    0, body=f"it leads elsewhere ({elsewhere!a}), where nobody was asked".encode()
                )
            target = moved
        return Answer(0, body=b"it redirects again and again")

    def inside(self, here: str, location: str) -> str | None:
        """Where a redirect leads, if it stays on this server, below its address."""
        try:
            there = urlsplit(urljoin(here, location))
            same = there.scheme, there.hostname, there.port
        except ValueError:
            return None
        if not location or same != self.origin or not there.path.startswith(self.top):
            return None
        return there.path + (f"?{there.query}" if there.query else "")

    def exchange(self, method: str, target: str, headers: Mapping[str, str]) -> Answer:
        left = self.until - time.monotonic()
        if left < 0:
            raise KgError(
                f"{self.root} was not proved within {MINUTES} minutes. Prove a part of "
                "it, with --sample."
            )
        try:
            return Answer(*self.fetch(method, urljoin(self.root, target), headers, left))
        except OSError as error:
            return Answer(0, body=f"it gives no answer ({error})".encode())


def checked(address: str) -> SplitResult:
    """The address of a site, in its parts. Raises KgError."""
    parts = web_address(address)
    if parts is None or parts.query or parts.fragment:
        raise KgError(
            f"{address!a} is no address of a site. One is like https://cv.example.org/ or "
            "http://127.0.0.1:8000/lab/."
        )
    return parts
