"""The HTTP client for other servers: httpx, with a deadline and a size limit for each answer, and
retries.

Only the named server gets requests: no redirect is followed, and no cookie is stored. All that is
sent here may be sent twice: queries, complete graphs, and updates that change nothing the second
time. So a request that fails on a connection that stayed open is repeated at once.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from kg.errors import KgError
from kg.publish.formats.urls import web_address

MAX_BYTES = 1 << 31
MAX_QUOTED = 300  # characters quoted of what a server says about an error
TRANSIENT = (429, 500, 502, 503, 504)
MAX_PAUSE = 30.0  # seconds
AUTHENTICATIONS: dict[str, Callable[[str, str], httpx.Auth]] = {
    "basic": httpx.BasicAuth,
    "digest": httpx.DigestAuth,
}


class Unanswered(KgError):
    """A server that gave no answer, with the `status` and the text (`quoted`) that it gave instead,
    and the seconds to `wait` for; `is_late` if the deadline passed.
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


class TooLarge(KgError):
    """An answer above the size limit."""


@dataclass(frozen=True, slots=True)
class Retry:
    """The deadline of one try, how many tries, and the first pause; each pause is twice the one
    before.
    """

    seconds: float = 60.0
    tries: int = 5
    pause: float = 0.5


@dataclass(frozen=True, slots=True)
class RemoteResponse:
    """Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Client:
    """Asks one server, from any number of threads. `notify` is called before each pause; `requests`
    counts.

    `uses_proxies` are those that the environment names (HTTP_PROXY).
    """

    def __init__(
        self,
        root: str,
        authentication: str = "none",
        user: str = "",
        password: str = "",
        notify: Callable[[str], None] = lambda _: None,
        agent: str = "cv-kg",
        uses_proxies: bool = False,
    ) -> None:
        self.root, self.notify = root, notify
        self.sleep: Callable[[float], None] = time.sleep
        self.requests = 0
        is_open = not user or authentication == "none"
        self.auth = None if is_open else AUTHENTICATIONS[authentication](user, password)
        self.is_challenged = authentication != "digest"
        self.is_used = False
        self.http = httpx.Client(
            headers={"User-Agent": agent, "Accept-Encoding": "identity"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            verify=ssl.create_default_context() if root.startswith("https:") else False,
            limits=httpx.Limits(max_connections=None),
            trust_env=uses_proxies,
        )

    def call(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        retry: Retry = Retry(),
        signed: bool = False,
        limit: int = MAX_BYTES,
    ) -> RemoteResponse:
        """An answer with a status of the 200s, or 404. `signed`: with user and password. Raises
        Unanswered, or TooLarge.
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
            response = self.exchange(method, address, body, headers or {}, seconds, limit, signed)
        except TimeoutError as error:
            late = f"{self.root} gave no answer within {seconds:g} seconds."
            raise Unanswered(late, is_late=True) from error
        except ConnectionError as error:
            raise Unanswered(f"{self.root} cannot be reached: {error}.") from error
        if response.status < 300 or response.status == 404:
            return response
        raise refusal(self.root, response)

    def exchange(
        self,
        method: str,
        address: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        limit: int = MAX_BYTES,
        signed: bool = False,
        silence: float = float("inf"),
    ) -> RemoteResponse:
        """One answer, whatever its status. `silence` is the longest pause within it, in seconds.
        Raises TimeoutError, ConnectionError with the reason, or TooLarge.
        """
        until = time.monotonic() + seconds
        auth = self.auth if signed else None
        try:
            if auth and not self.is_challenged:
                # A server may hang up on a large body that comes without credentials, so the first
                # request has none.
                self.send("GET", address, b"", {}, until, silence, limit, auth)
                self.is_challenged = True
            try:
                return self.send(method, address, body, headers, until, silence, limit, auth)
            except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
                if isinstance(error, httpx.ConnectError) or not self.is_used:
                    raise
                return self.send(method, address, body, headers, until, silence, limit, auth)
        except httpx.TimeoutException as error:
            raise TimeoutError(str(error) or "it is too slow") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            self.is_challenged = not isinstance(self.auth, httpx.DigestAuth)
            raise ConnectionError(reason(error)) from error

    def send(
        self,
        method: str,
        address: str,
        body: bytes,
        headers: Mapping[str, str],
        until: float,
        silence: float,
        limit: int,
        auth: httpx.Auth | None,
    ) -> RemoteResponse:
        self.requests += 1
        found, timeout = bytearray(), min(max(until - time.monotonic(), 0.001), silence)
        with self.http.stream(
            method,
            address,
            content=body or None,
            headers=dict(headers),
            timeout=timeout,
            auth=auth,
        ) as response:
            for part in response.iter_raw():
                found += part
                if len(found) > limit:
                    raise TooLarge(f"The answer is larger than {limit / 1e6:.3g} MB.")
                if time.monotonic() > until:
                    raise TimeoutError("it is too slow")
        self.is_used = True
        return RemoteResponse(response.status_code, response.headers, bytes(found))

    def close(self) -> None:
        self.http.close()


def reason(error: BaseException) -> str:
    """What the system says, without its number."""
    if "complete message body" in str(error):
        return "its answer ended too early"
    return re.sub(r"^\[Errno -?\d+\] ", "", str(error)).rstrip(".") or type(error).__name__


def refusal(root: str, response: RemoteResponse) -> Unanswered:
    """What a server says instead of an answer; an HTML page is not quoted."""
    text = (
        ""
        if response.media_type == "text/html"
        else response.body[: MAX_QUOTED * 4].decode("utf-8", "replace")
    )
    quoted = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    message = f"{root} answered {response.status}."
    if response.status in (401, 403):
        message += " Is the user right, and the password in the environment?"
    after = response.headers.get("retry-after", "")
    wait = float(after) if after.isdecimal() else 0.0
    return Unanswered(message, response.status, quoted[:MAX_QUOTED], wait)


def check_address(address: str) -> str:
    """The address of an endpoint, if it is one. Raises KgError."""
    if web_address(address) is None:
        shown = "".join(sign if sign.isprintable() else " " for sign in address)
        raise KgError(
            f"'{shown}' is no address of an endpoint. One begins with http:// or https://."
        )
    return address
