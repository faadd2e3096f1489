"""HTTP client for other servers: httpx with a deadline and a size limit for each response.

It sends requests only to the given server: no redirects, no cookies. All requests are idempotent,
so one that fails on a reused connection is retried at once.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from io import BytesIO

import httpx

from kg.errors import KgError
from kg.publish.formats.urls import web_address

MAX_BYTES = 1 << 31


class TooLarge(KgError):
    """The response exceeds the size limit."""


@dataclass(frozen=True, slots=True)
class RemoteResponse:
    """A complete response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Client:
    """A thread-safe client of one server. With `uses_proxies` it follows HTTP_PROXY and its
    relatives.
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
        """Sends a request and returns the response, whatever its status. `silence` is the longest
        pause within a response, in seconds. Raises TimeoutError, ConnectionError with the reason,
        or TooLarge.
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
            raise TimeoutError(str(error) or "timeout") from error
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
        found, timeout = BytesIO(), min(max(until - time.monotonic(), 0.001), silence)
        with self.http.stream(
            method,
            address,
            content=body or None,
            headers=dict(headers),
            timeout=timeout,
            auth=auth,
        ) as response:
            for part in response.iter_raw():
                found.write(part)
                if found.tell() > limit:
                    raise TooLarge(f"The response is larger than {limit / 1e6:.3g} MB.")
                if time.monotonic() > until:
                    raise TimeoutError("timeout")
        self.is_used = True
        return RemoteResponse(response.status_code, response.headers, found.getvalue())

    def close(self) -> None:
        self.http.close()


def reason(error: BaseException) -> str:
    """The reason of an error as the system states it, without its number."""
    if "complete message body" in str(error):
        return "the response was cut off"
    return re.sub(r"^\[Errno -?\d+\] ", "", str(error)).rstrip(".") or type(error).__name__


def check_address(address: str) -> str:
    """The address, if it is a web address. Raises KgError."""
    if web_address(address) is None:
        shown = "".join(sign if sign.isprintable() else " " for sign in address)
        raise KgError(
            f"'{shown}' is not the address of an endpoint. "
            "Write one that starts with http:// or https://."
        )
    return address
