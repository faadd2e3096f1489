"""A site as a server shows it. Only that server is asked, only below the address that was given,
with few connections and within bounds.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from kg.errors import KgError
from kg.publish.proof.source import Look, is_below

SECONDS = 20  # of silence
MINUTES = 15  # for all of them
MOST_BYTES = 1 << 28
MOST_HOPS = 3
PORTION = 1 << 16
CONNECTIONS = 4


@dataclass(frozen=True)
class Answer:
    """`status` 0: there was none, and `body` says why."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def said(self) -> str:
        return f"it answers {self.status}" if self.status else self.body.decode()


class Server:
    """The server at an address. Redirects are followed as long as they stay below it."""

    def __init__(self, address: str, look: Look = lambda path, body: None) -> None:
        self.look = look
        parts = checked(address)
        self.secure, self.host, self.port = (
            parts.scheme == "https",
            parts.hostname or "",
            parts.port,
        )
        self.top = parts.path if parts.path.endswith("/") else parts.path + "/"
        self.root = f"{parts.scheme}://{parts.netloc}{self.top}"
        self.until = time.monotonic() + 60 * MINUTES
        self.kept = threading.local()
        self.open: list[http.client.HTTPConnection] = []
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
        sent = {"User-Agent": "kg-verify", "Accept-Encoding": "identity"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        target = self.top + quote(path, safe="/%:@!$&'()*+,;=~-._")
        for _ in range(MOST_HOPS):
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
        if (
            not location
            or same != ("https" if self.secure else "http", self.host, self.port)
            or not there.path.startswith(self.top)
        ):
            return None
        return there.path + (f"?{there.query}" if there.query else "")

    def exchange(self, method: str, target: str, headers: Mapping[str, str]) -> Answer:
        """One request. A kept connection may have been closed meanwhile: then a new one is tried,
        once.
        """
        for is_last in (False, True):
            if time.monotonic() > self.until:
                raise KgError(
                    f"{self.root} was not proved within {MINUTES} minutes. Prove a part of "
                    "it, with --sample."
                )
            connection = self.connection()
            try:
                connection.request(method, target, headers=dict(headers))
                response = connection.getresponse()
                body = self.read(response)
            except (OSError, http.client.HTTPException, UnicodeError) as error:
                connection.close()
                if is_last or isinstance(error, TimeoutError):
                    return Answer(
                        0,
                        body=f"it gives no answer ({str(error) or type(error).__name__})".encode(),
                    )
                continue
            return Answer(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                body,
            )
        raise AssertionError

    def read(self, response: http.client.HTTPResponse) -> bytes:
        found = bytearray()
        while portion := response.read1(PORTION):
            found += portion
            if len(found) > MOST_BYTES:
                raise OSError(f"more than {MOST_BYTES >> 20} MiB")
            if time.monotonic() > self.until:
                raise TimeoutError("it is too slow")
        if response.length:
            raise OSError("it ended too early")
        return bytes(found)

    def connection(self) -> http.client.HTTPConnection:
        """One for each thread."""
        if not hasattr(self.kept, "connection"):
            kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
            self.kept.connection = kind(self.host, self.port, timeout=SECONDS)
            self.open.append(self.kept.connection)
        found: http.client.HTTPConnection = self.kept.connection
        return found

    def close(self) -> None:
        for connection in self.open:
            connection.close()


def checked(address: str) -> SplitResult:
    """An address that may be asked, in its parts."""
    try:
        parts = urlsplit(address)
        fits = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not parts.username
            and parts.port != 0
        )
    except ValueError:
        fits = False
    if (
        not fits
        or not address.isascii()
        or not address.isprintable()
        or " " in address
        or parts.query
        or parts.fragment
    ):
        raise KgError(
            f"{address!a} is no address of a site. One is like https://cv.example.org/ or "
            "http://127.0.0.1:8000/lab/."
        )
    return parts
