"""HTTP requests, and the client address by which load is shared fairly.

An address does not identify a person, because a proxy may run on this machine. Operators identify
themselves with the key of the server.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hmac import compare_digest
from io import BytesIO
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import parse_qsl

import flask

MAX_BODY = 1024 * 1024  # bytes
# A Host header that werkzeug can encode; others are left out of the WSGI environment.
HOST = re.compile(
    r"(?:[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?",
    re.ASCII | re.IGNORECASE,
)
REQUEST_KEY = "kg.request"  # WSGI environment key of the original request
MAX_HEADERS = 16 * 1024  # bytes of all headers together
CLIENT_BITS = 64  # network prefix of an IPv6 client, which can choose the rest freely


class Refusal(Exception):
    """A request that gets an error response, with its HTTP status."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass(slots=True)
class Request:
    """An HTTP request. `query` and `outcome` are set for the log, if the request has a query."""

    method: str
    path: str
    query_string: str
    headers: Mapping[str, str]  # names are in lower case
    peer: str  # IP address
    read_body: Callable[[], Awaitable[bytes]]  # raises Refusal
    query: str = ""
    outcome: str = ""

    def check(self) -> None:
        """Raises Refusal."""
        if sum(map(len, (*self.headers, *self.headers.values()))) > MAX_HEADERS:
            raise Refusal(431, f"The headers are longer than {MAX_HEADERS} bytes.")
        if "host" not in self.headers or "," in self.headers["host"]:
            raise Refusal(400, "Send exactly one Host header.")
        if not self.method.isupper():
            raise Refusal(400, "Write the request method in upper case.")

    def field(self, name: str) -> str:
        """A query-string parameter, or an empty string."""
        return dict(parse_qsl(self.query_string, errors="replace")).get(name, "")

    @property
    def host(self) -> str:
        """The Host header without the port."""
        return re.sub(r":\d+$", "", self.headers.get("host", ""))

    def client(self, proxies: int) -> str:
        return client_of(self.peer, self.headers.get("x-forwarded-for", ""), proxies)

    def environ(self) -> dict[str, object]:
        """The request as a WSGI environment, without its body: Flask handles no request that has
        one.
        """
        headers = {
            f"HTTP_{name.replace('-', '_').upper()}": text
            for name, text in self.headers.items()
            if "_" not in name
            and name not in ("content-type", "content-length")
            and (name != "host" or HOST.fullmatch(text))
        }
        return {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": as_latin_1(self.path),
            "QUERY_STRING": as_latin_1(self.query_string),
            "REMOTE_ADDR": self.peer,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(),
            "wsgi.errors": sys.stderr,
            REQUEST_KEY: self,
            **headers,
        }

    def has_key(self, key: str) -> bool:
        """Whether the request has the key of the server, as a bearer token or as `?key=`. Compares
        in constant time.
        """
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        shown = token.strip() if scheme.lower() == "bearer" else self.field("key")
        return bool(key) and compare_digest(shown.encode(errors="replace"), key.encode())


AnyRequest = Request | flask.Request


def as_latin_1(text: str) -> str:
    """UTF-8 bytes as latin-1 text, as WSGI requires."""
    return text.encode(errors="replace").decode("latin-1")


def is_loopback(host: str) -> bool:
    """Whether every browser resolves this host to this machine."""
    address = parse_address(host)
    return address.is_loopback if address else host.lower() == "localhost"


def too_long() -> Refusal:
    return Refusal(413, f"The request body is longer than {MAX_BODY} bytes.")


def client_of(peer: str, forwarded: str, proxies: int) -> str:
    """The client's address as seen by the first trusted proxy; for IPv6, the network, because a
    client has many addresses in it.

    Each proxy appends the address that it was called from to X-Forwarded-For. Everything before the
    entries of trusted proxies could be forged.
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()] if proxies else []
    return canonical(hops[-proxies:][0] if hops else peer, peer)


@lru_cache(maxsize=4096)
def canonical(address: str, peer: str) -> str:
    """The normalised address of a client, or of the peer if `address` is invalid."""
    found = parse_address(address) or parse_address(peer)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, CLIENT_BITS), strict=False))
    return str(found or "")


def parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address.strip("[]"))
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
