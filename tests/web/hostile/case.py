"""A bad request: what is sent, to the byte, and the statuses that may come back."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

CLOSED = 0  # no answer, the connection is closed
STOPPED = {503, 504}  # by the bound on memory or on time, whichever is met first


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    sent: bytes
    expected: frozenset[int]
    says: str = ""  # in the answer, if no bound stopped it before


def request(line: str, headers: str = "", body: bytes = b"") -> bytes:
    return (
        f"{line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: "
        f"{len(body)}\r\n{headers}\r\n"
    ).encode("latin-1") + body


def raw(name: str, sent: bytes, *expected: int, says: str = "") -> Case:
    return Case(name, sent, frozenset(expected), says)


def asks(name: str, query: str, *expected: int, says: str = "", parameters: str = "") -> Case:
    """A query as the body of a request."""
    sent = request(
        f"POST /sparql{parameters}",
        "Content-Type: application/sparql-query\r\nAccept: */*\r\n",
        query.encode(),
    )
    return Case(name, sent, frozenset(expected), says)


def gets(name: str, query: str, *expected: int, says: str = "", headers: str = "") -> Case:
    """A query in the address."""
    return Case(
        name, request(f"GET /sparql?query={quote(query)}", headers), frozenset(expected), says
    )


def posts(
    name: str, media_type: str, body: bytes, *expected: int, says: str = "", headers: str = ""
) -> Case:
    return Case(
        name,
        request("POST /sparql", f"Content-Type: {media_type}\r\n{headers}", body),
        frozenset(expected),
        says,
    )
