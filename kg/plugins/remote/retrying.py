"""An HTTP client with authentication and retries.

All requests are idempotent and can be sent twice: queries, complete graphs, and updates that change
nothing the second time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from kg.errors import KgError
from kg.web.http_client import MAX_BYTES, Client, RemoteResponse

MAX_QUOTED = 300  # characters quoted from a server's error message
TRANSIENT = (429, 500, 502, 503, 504)
MAX_PAUSE = 30.0  # seconds
AUTHENTICATIONS: dict[str, Callable[[str, str], httpx.Auth]] = {
    "basic": httpx.BasicAuth,
    "digest": httpx.DigestAuth,
}


class Unanswered(KgError):
    """A request failed: `status` and `quoted` are the server's response, `wait` is the requested
    pause in seconds, and `is_late` is true after a timeout.
    """

    def __init__(
        self,
        message: str,
        status: int = 0,
        quoted: str = "",
        wait: float = 0,
        is_late: bool = False,
    ) -> None:
        super().__init__(f"{message}\n{quoted}" if quoted else message)
        self.status, self.quoted, self.wait, self.is_late = status, quoted, wait, is_late


@dataclass(frozen=True, slots=True)
class Retry:
    """Timeout of one attempt, number of attempts, and first pause; each further pause is twice as
    long.
    """

    seconds: float = 60.0
    tries: int = 5
    pause: float = 0.5


class RetryingClient(Client):
    """Calls `notify` before each pause, and counts `requests`."""

    def __init__(
        self,
        root: str,
        authentication: str = "none",
        user: str = "",
        password: str = "",
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(root)
        self.root, self.notify = root, notify
        self.sleep: Callable[[float], None] = time.sleep
        self.requests = 0
        is_open = not user or authentication == "none"
        self.auth = None if is_open else AUTHENTICATIONS[authentication](user, password)
        self.is_challenged = authentication != "digest"

    def call(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        retry: Retry = Retry(),  # noqa: B008  it is frozen
        signed: bool = False,
        limit: int = MAX_BYTES,
    ) -> RemoteResponse:
        """Returns a response with status 2xx or 404. `signed`: sends user and password. Raises
        Unanswered or TooLarge.
        """
        for number in range(retry.tries - 1):
            try:
                return self.attempt(method, address, body, headers, retry.seconds, limit, signed)
            except Unanswered as problem:
                if problem.status and problem.status not in TRANSIENT:
                    raise
                wait = min(max(retry.pause * 2**number, problem.wait), MAX_PAUSE)
                self.notify(f"{str(problem).splitlines()[0]} Trying again in {wait:g} s.")
                self.sleep(wait)
        return self.attempt(method, address, body, headers, retry.seconds, limit, signed)

    def attempt(
        self,
        method: str,
        address: str,
        body: bytes,
        headers: Mapping[str, str] | None,
        seconds: float,
        limit: int,
        signed: bool,
    ) -> RemoteResponse:
        try:
            response = self.exchange_signed(
                method, address, body, headers or {}, seconds, limit, signed
            )
        except TimeoutError as error:
            late = f"{self.root} did not respond within {seconds:g} s."
            raise Unanswered(late, is_late=True) from error
        except ConnectionError as error:
            raise Unanswered(f"cannot connect to {self.root}: {error}.") from error
        if response.status < 300 or response.status == 404:
            return response
        raise refusal(self.root, response)

    def exchange_signed(
        self,
        method: str,
        address: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        limit: int,
        signed: bool,
    ) -> RemoteResponse:
        """Sends user and password if `signed`. Raises what `exchange` raises."""
        auth = self.auth if signed else None
        try:
            if auth and not self.is_challenged:
                # A server may close the connection on a large body without credentials, so the
                # first
                # request has no body.
                self.exchange("GET", address, b"", {}, seconds, limit, auth=auth)
                self.is_challenged = True
            return self.exchange(method, address, body, headers, seconds, limit, auth=auth)
        except ConnectionError:
            self.is_challenged = not isinstance(self.auth, httpx.DigestAuth)
            raise

    def send(self, *request: Any) -> RemoteResponse:
        self.requests += 1
        return super().send(*request)


def refusal(root: str, response: RemoteResponse) -> Unanswered:
    """The server's error response as an exception; HTML pages are not quoted."""
    text = (
        ""
        if response.media_type == "text/html"
        else response.body[: MAX_QUOTED * 4].decode("utf-8", "replace")
    )
    quoted = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    message = f"{root} returned HTTP {response.status}."
    if response.status in (401, 403):
        message += " Check --user and the password."
    after = response.headers.get("retry-after", "")
    wait = float(after) if after.isdecimal() else 0.0
    return Unanswered(message, response.status, quoted[:MAX_QUOTED], wait)
