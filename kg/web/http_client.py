"""The HTTP client for other servers: httpx, with a deadline and a size limit for each answer.

Only the named server gets requests: no redirect is followed, and no cookie is stored. All that is
sent here may be sent twice, so a request that fails on a connection that stayed open is repeated at
once.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from kg.errors import KgError
from kg.publish.formats.urls import web_address

MAX_BYTES = 1 << 31


class TooLarge(KgError):
    """An answer above the size limit."""


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
    """Asks one server, from any number of threads. `uses_proxies` are those that the environment
    names (HTTP_PROXY).
    """

    def __init__(self, root: str, agent: str = "cv-kg", uses_proxies: bool = False) -> None:
        self.is_used = False
        self.http = httpx.Client(
            headers={"User-Agent": agent, "Accept-Encoding": "identity"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            verify=ssl.create_default_context() if root.startswith("https:") else False,
            limits=httpx.Limits(max_connections=None),
            trust_env=uses_proxies,
        )

    def exchange(
        self,
        method: str,
        address: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        limit: int = MAX_BYTES,
        silence: float = float("inf"),
        auth: httpx.Auth | None = None,
    ) -> RemoteResponse:
        """One answer, whatever its status. `silence` is the longest pause within it, in seconds.
        Raises TimeoutError, ConnectionError with the reason, or TooLarge.
        """
        until = time.monotonic() + seconds
        try:
            try:
                return self.send(method, address, body, headers, until, silence, limit, auth)
            except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
                if isinstance(error, httpx.ConnectError) or not self.is_used:
                    raise
                return self.send(method, address, body, headers, until, silence, limit, auth)
        except httpx.TimeoutException as error:
            raise TimeoutError(str(error) or "it is too slow") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
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


def check_address(address: str) -> str:
    """The address of an endpoint, if it is one. Raises KgError."""
    if web_address(address) is None:
        shown = "".join(sign if sign.isprintable() else " " for sign in address)
        raise KgError(
            f"'{shown}' is no address of an endpoint. One begins with http:// or https://."
        )
    return address
