"""A request of HTTP, as far as it is needed here, and its client: the address that counts, so that
one client does not crowd out the others, and whether it is on this machine.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from flask import Request as PageRequest

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

LONGEST_BODY = 1024 * 1024  # bytes
LONGEST_HEADERS = 16 * 1024  # bytes of all of them: what is read of them takes the server's time
PROXY_HEADERS = (
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-IP",
)
CLIENT_BITS = 64  # of an IPv6 address, that one client cannot choose freely


class Refusal(Exception):
    """A request that is not answered, with the status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(slots=True)
class Request:
    method: str
    path: str
    query_string: str
    headers: Mapping[str, str]  # by their names in lower case
    peer: str  # an address
    read_body: Callable[[], Awaitable[bytes]]  # raises Refusal

    def field(self, name: str) -> str:
        """A parameter of the address, if it is there and can be read."""
        return dict(parse_qsl(self.query_string, errors="replace")).get(name, "")

    def client(self, proxies: int) -> str:
        return client_of(self.peer, self.headers.get("x-forwarded-for", ""), proxies)

    def environ(self) -> WSGIEnvironment:
        """The same for an application of WSGI; a body is not passed on."""
        headers = {
            f"HTTP_{name.upper().replace('-', '_')}": value
            for name, value in self.headers.items()
            if "_" not in name
        }
        host = urlsplit(f"//{headers.get('HTTP_HOST', '')}").hostname or "localhost"
        return {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path.encode().decode("latin-1"),
            "QUERY_STRING": self.query_string,
            "REMOTE_ADDR": self.peer,
            "SERVER_NAME": host,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **headers,
        }


def join_headers(names: Iterable[str], headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by their names: one that is sent several times counts as one, and one whose value is
    not plain text as empty. Raises Refusal.
    """
    found = dict.fromkeys(names, "")
    size = 0
    for name, value in headers:
        size += len(name) + len(value)
        found[name] = f"{found[name]}, {value}" if found[name] else value
    if size > LONGEST_HEADERS:
        raise Refusal(431, f"The headers have more than {LONGEST_HEADERS} bytes.")
    return found


def from_environ(environ: WSGIEnvironment) -> Request:
    """A request as WSGI gives it."""
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") or name == "CONTENT_TYPE"
    }

    async def read_body() -> bytes:
        length = environ.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isdecimal() else 0
        if size > LONGEST_BODY:
            raise too_long()
        found: bytes = environ["wsgi.input"].read(size)
        return found

    method, path, query_string = (
        environ.get(name, "") for name in ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING")
    )
    return Request(method, path, query_string, headers, environ.get("REMOTE_ADDR", ""), read_body)


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


def is_local(request: PageRequest) -> bool:
    """Whether the client is on this machine and means this machine; a name that a stranger had
    resolved to us is not ours.
    """
    environ: dict[str, Any] = request.environ
    name = urlsplit(f"//{request.host}").hostname or ""
    is_forwarded = any(header in request.headers for header in PROXY_HEADERS)
    is_near = is_loopback(environ.get("REMOTE_ADDR", ""))
    return not is_forwarded and is_near and (name == "localhost" or is_loopback(name))


def is_loopback(address: str) -> bool:
    found = parse_address(address)
    return found is not None and found.is_loopback
