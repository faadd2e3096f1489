"""Asks another server over HTTP: on connections that are kept open, with a password where it wants
one, again where it may yet answer.

All that is sent here may be sent twice: questions, whole documents, and changes that leave a server
as it is if they are made already.
"""

from __future__ import annotations

import base64
import http.client
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from urllib.parse import urlsplit

from kg.elsewhere.digest import Digest
from kg.errors import KgError

PORTION = 1 << 16
MOST_BYTES = 1 << 31
MOST_SAID = 300  # characters of what a server says about an error
PASSING = (429, 500, 502, 503, 504)  # what may be otherwise in a moment
LONGEST_PAUSE = 30.0  # seconds
GONE = (
    http.client.RemoteDisconnected,
    ConnectionError,
)  # a kept connection that the server has closed meanwhile


class Unanswered(KgError):
    """A server that gave no answer. `status` and `said` are what it gave instead; `is_late` tells
    that there was no time left.
    """

    def __init__(
        self, message: str, status: int = 0, said: str = "", is_late: bool = False
    ) -> None:
        super().__init__(f"{message}\n{said}" if said else message)
        self.status, self.said, self.is_late = status, said, is_late


class TooLarge(KgError):
    """An answer with more bytes than are wanted."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for one answer, and how often to try for it; each pause is twice the
    last.
    """

    seconds: float = 60.0
    tries: int = 5
    pause: float = 0.5


@dataclass(frozen=True, slots=True)
class Heard:
    status: int
    media_type: str
    body: bytes


@dataclass(slots=True)
class Caller:
    """Calls one server. `tell` hears of each pause; `calls` counts the requests."""

    root: str
    authentication: str = "none"
    user: str = ""
    password: str = field(default="", repr=False)
    tell: Callable[[str], None] = lambda _: None
    sleep: Callable[[float], None] = time.sleep
    calls: int = 0
    digest: Digest = field(init=False, repr=False)
    idle: list[http.client.HTTPConnection] = field(default_factory=list, repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        self.digest = Digest(self.user, self.password)

    def call(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        patience: Patience = Patience(),  # noqa: B008
        signed: bool = False,
        most: int = MOST_BYTES,
    ) -> Heard:
        """An answer of the 200s, or of 404. `signed`: with user and password. Raises Unanswered, or
        TooLarge.
        """
        pause = patience.pause
        for last in (number == patience.tries - 1 for number in range(patience.tries)):
            try:
                heard, after = self.ask(
                    method,
                    address,
                    body,
                    dict(headers or {}),
                    time.monotonic() + patience.seconds,
                    signed,
                    most,
                )
            except TimeoutError as error:
                late = f"{self.root} gave no answer within {patience.seconds:g} seconds."
                problem, cause, after = Unanswered(late, is_late=True), error, 0.0
            except (OSError, http.client.HTTPException) as error:
                why = getattr(error, "strerror", None) or str(error) or type(error).__name__
                problem, cause, after = (
                    Unanswered(f"{self.root} cannot be reached: {why}."),
                    error,  # type: ignore[assignment]
                    0.0,
                )
            else:
                if heard.status < 300 or heard.status == 404:
                    return heard
                problem, cause = refusal(self.root, heard), None  # type: ignore[assignment]
                if heard.status not in PASSING:
                    raise problem
            if last:
                raise problem from cause
            wait = min(max(pause, after), LONGEST_PAUSE)
            self.tell(f"{str(problem).splitlines()[0]} Trying again in {wait:g} s.")
            self.sleep(wait)
            pause *= 2
        raise AssertionError("nobody tries less than once")

    def ask(
        self,
        method: str,
        address: str,
        body: bytes,
        headers: dict[str, str],
        until: float,
        signed: bool,
        most: int,
    ) -> tuple[Heard, float]:
        """One answer, whatever it is, and the seconds it asks us to wait."""
        parts = urlsplit(address)
        target = parts.path + (f"?{parts.query}" if parts.query else "") or "/"
        headers = {"User-Agent": "cv-kg", **headers}
        if signed and self.authentication == "digest" and not self.digest.challenge:
            _, said = self.once(
                method, target, b"", {**headers, "Content-Length": "0"}, until, most
            )
            self.digest.hear(said)
        heard, said = self.once(
            method, target, body, self.signature(method, target, signed) | headers, until, most
        )
        if (
            heard.status == 401
            and signed
            and self.authentication == "digest"
            and self.digest.hear(said)
        ):  # the challenge is worn out
            heard, said = self.once(
                method, target, body, self.signature(method, target, signed) | headers, until, most
            )
        return heard, float(said) if heard.status in PASSING and said.isdecimal() else 0.0

    def signature(self, method: str, target: str, signed: bool) -> dict[str, str]:
        if not signed or self.authentication == "none" or not self.user:
            return {}
        if self.authentication == "basic":
            return {
                "Authorization": "Basic "
                + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
            }
        return (
            {"Authorization": self.digest.answer(method, target)} if self.digest.challenge else {}
        )

    def once(
        self,
        method: str,
        target: str,
        body: bytes,
        headers: Mapping[str, str],
        until: float,
        most: int,
    ) -> tuple[Heard, str]:
        """The answer, and what its header says that goes with the status: a challenge, or when to
        come again.
        """
        while True:
            connection, is_new = self.connection(until)
            self.calls += 1
            try:
                connection.request(method, target, body or None, dict(headers))
                response = connection.getresponse()
                found = read(response, connection, until, most)
            except GONE:
                connection.close()
                if is_new:
                    raise
                continue
            except BaseException:
                connection.close()
                raise
            if response.will_close:
                connection.close()
            else:
                with self.lock:
                    self.idle.append(connection)
            said = response.getheader(
                "WWW-Authenticate" if response.status == 401 else "Retry-After", ""
            )
            return Heard(response.status, response.headers.get_content_type(), found), said

    def connection(self, until: float) -> tuple[http.client.HTTPConnection, bool]:
        left = max(until - time.monotonic(), 0.001)
        with self.lock:
            kept = self.idle.pop() if self.idle else None
        if kept is not None and kept.sock is not None:
            kept.sock.settimeout(left)
            return kept, False
        parts = urlsplit(self.root)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        return kind(parts.hostname or "", parts.port, timeout=left), True

    def close(self) -> None:
        with self.lock:
            idle, self.idle = self.idle, []
        for connection in idle:
            with suppress(OSError):
                connection.close()


def read(
    response: http.client.HTTPResponse,
    connection: http.client.HTTPConnection,
    until: float,
    most: int,
) -> bytes:
    """A whole body, but for no longer than there is time."""
    found = bytearray()
    while portion := response.read1(PORTION):
        found += portion
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left)
        if len(found) > most:
            raise TooLarge(f"The answer is larger than {most / 1e6:.3g} MB.")
    if response.length:
        raise ConnectionError("its answer ended too early")
    response.close()
    return bytes(found)


def refusal(root: str, heard: Heard) -> Unanswered:
    """What a server says in the place of an answer; a page is no text to read here."""
    text = (
        ""
        if heard.media_type == "text/html"
        else heard.body[: MOST_SAID * 4].decode("utf-8", "replace")
    )
    said = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[
        :MOST_SAID
    ]
    needs = (
        " Is the user right, and the password in the environment?"
        if heard.status in (401, 403)
        else ""
    )
    return Unanswered(f"{root} answered {heard.status}.{needs}", heard.status, said)
