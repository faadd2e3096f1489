"""A request of HTTP, as far as it is needed here, and its client: the address that counts, so that
one client does not crowd out the others. An address proves nothing about a person, for a proxy may
stand on this machine: who looks after the server shows its key.
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

LONGEST_BODY = 1024 * 1024  # bytes
# A host that werkzeug can encode; others are left out of an environment of WSGI.
HOST = re.compile(
    r"(?:[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?",
    re.ASCII | re.IGNORECASE,
)
OURS = "kg.request"  # in an environment of WSGI: the request that it was made from
LONGEST_HEADERS = 16 * 1024  # bytes of all of them: what is read of them takes the server's time
CLIENT_BITS = 64  # of an IPv6 address, that one client cannot choose freely


class Refusal(Exception):
    """A request that is not answered, with the status that says so."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass(slots=True)
class Request:
    """`query` and `outcome` are what the log says about a request to the endpoint."""

    method: str
    path: str
    query_string: str
    headers: Mapping[str, str]  # by their names in lower case
    peer: str  # an address
    read_body: Callable[[], Awaitable[bytes]]  # raises Refusal
    query: str = ""
    outcome: str = ""

    def check(self) -> None:
        """Raises Refusal."""
        if sum(map(len, (*self.headers, *self.headers.values()))) > LONGEST_HEADERS:
            raise Refusal(431, f"The headers have more than {LONGEST_HEADERS} bytes.")
        if "host" not in self.headers or "," in self.headers["host"]:
            raise Refusal(400, "A request names one Host.")
        if not self.method.isupper():
            raise Refusal(400, "The name of a method is written in capitals.")

    def field(self, name: str) -> str:
        """A parameter of the address, if it is there and can be read."""
        return dict(parse_qsl(self.query_string, errors="replace")).get(name, "")

    @property
    def host(self) -> str:
        """The host that it is sent to, without the port."""
        return re.sub(r":\d+$", "", self.headers.get("host", ""))

    def client(self, proxies: int) -> str:
        return client_of(self.peer, self.headers.get("x-forwarded-for", ""), proxies)

    def environ(self) -> dict[str, object]:
        """The request as WSGI has it, without the body: Flask gets no request that has one."""
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
            OURS: self,
            **headers,
        }

    def has_key(self, key: str) -> bool:
        """Whether it shows the key of the server: programs as a bearer token; people, who follow a
        link, in the address. It takes as long to find that all of it is wrong as that a little is.
        """
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        shown = token.strip() if scheme.lower() == "bearer" else self.field("key")
        return bool(key) and compare_digest(shown.encode(errors="replace"), key.encode())


AnyRequest = Request | flask.Request


def as_latin_1(text: str) -> str:
    """The bytes of a text as WSGI has them."""
    return text.encode(errors="replace").decode("latin-1")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, for all browsers."""
    address = parse_address(host)
    return address.is_loopback if address else host.lower() == "localhost"


def too_long() -> Refusal:
    return Refusal(413, f"The request has more than {LONGEST_BODY} bytes.")


def client_of(peer: str, forwarded: str, proxies: int) -> str:
    """The address of a client, as the last trusted proxy saw it; of IPv6 the network, for a client
    has many addresses in it.

    Each proxy adds the address it was called from at the end of X-Forwarded-For; what stands before
    those of ours anybody may have written.
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()] if proxies else []
    return canonical(hops[-proxies:][0] if hops else peer, peer)


@lru_cache(maxsize=4096)
def canonical(address: str, peer: str) -> str:
    """An address as the name of a client, or that of the peer where it is none."""
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
