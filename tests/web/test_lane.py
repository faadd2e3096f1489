"""The fast lane: what it takes, that its replies are those of the ordinary way, and that nothing is
lost where it gives up.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import time
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from kg.web.plain import environ_of
from kg.web.ready import Prepared, Ready
from tests.sparql.processes import descendants, parents
from tests.web.serving import ROOT, Server, serving

NAMES = (
    "PREFIX schema: <http://schema.org/> SELECT ?name { ?s a schema:Person ; schema:name ?name } "
    "ORDER BY ?name LIMIT 20"
)
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
PLAIN = (
    b"GET /sparql?query=ASK%20%7B%7D HTTP/1.1\r\nHost: here\r\nAccept: text/csv\r\nX-Odd:\r\n\r\n"
)


def request(query: str, **headers: str) -> bytes:
    lines = [
        f"GET /sparql?{urlencode({'query': query})} HTTP/1.1",
        "Host: here",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def connected(server: Server) -> socket.socket:
    where = urlsplit(server.address)
    return socket.create_connection((where.hostname, where.port), timeout=20)


def sent(server: Server, *pieces: bytes, pause: float = 0.2) -> tuple[int, dict[str, str], bytes]:
    """What a server replies to a request that comes in pieces; in one it is plain, and in several
    waitress reads it.
    """
    with connected(server) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number, piece in enumerate(pieces):
            time.sleep(pause if number else 0)
            connection.sendall(piece)
        return reply(connection)


def reply(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    response = http.client.HTTPResponse(connection)
    response.begin()
    headers = {
        name.lower(): value
        for name, value in response.getheaders()
        if name not in ("Date", "Connection")
    }
    return response.status, headers, response.read()


def test_a_plain_request_is_read_as_wsgi_reads_it() -> None:
    assert environ_of(PLAIN, "127.0.0.1") == {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/sparql",
        "QUERY_STRING": "query=ASK%20%7B%7D",
        "REMOTE_ADDR": "127.0.0.1",
        "SCRIPT_NAME": "",
        "HTTP_HOST": "here",
        "HTTP_ACCEPT": "text/csv",
        "HTTP_X_ODD": "",
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"GET", b"POST"),
        (b"HTTP/1.1", b"HTTP/1.0"),
        (b"/sparql", b"http://there/sparql"),
        (b"/sparql", b"/%73parql"),
        (b"/sparql", b"//sparql"),
        (b"?query", b" ?query"),
        (b"Host: here", b"Host: here\r\nHost: there"),
        (b"Host: here", b"Host: here\r\n folded: yes"),
        (b"Host: here", b"Host : here"),
        (b"Host: here", b"Content-Length: 3"),
        (b"Host: here", b"Transfer-Encoding: chunked"),
        (b"Host: here", b"Connection: close"),
        (b"Host: here", b"Expect: 100-continue"),
        (b"Host: here", b"Under_score: 1"),
        (b"Host: here", b"Host: h\xc3\xa9re"),
        (b"Host: here", b"Host: he\x00re"),
        (b"Host: here\r\n", b"Host: here\n"),
        (b"\r\n\r\n", b"\r\n"),
        (b"\r\n\r\n", b"\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
        (b"here", b"h" * 9000),
    ],
)
def test_what_is_not_plain_is_not_read(old: bytes, new: bytes) -> None:
    changed = PLAIN.replace(old, new, 1)
    assert changed != PLAIN
    assert environ_of(changed, "127.0.0.1") is None


@pytest.mark.parametrize(
    "asked",
    [
        request(NAMES, Accept="text/csv"),
        request(NAMES, Accept="application/sparql-results+json", Accept_Encoding="gzip"),
        request("DESCRIBE <people/arpan-jain#it>", Accept="text/turtle"),
        request("SELECT (NOW() < 0 AS ?no) {}", Accept="text/csv"),
        request("SELECT * { ?a <http://schema.org/autor> ?b }", Accept="text/csv"),
        request("SELECT ?x { nonsense", Accept="text/plain"),
        request("SELECT ?x { nonsense", Accept="text/html"),
        request(NAMES, Accept="text/turtle"),
        request(NAMES, Accept="image/png"),
        request(NAMES, Accept="text/html"),
        request("  "),
        b"GET /sparql? HTTP/1.1\r\nHost: here\r\nAccept: text/turtle\r\n\r\n",
    ],
)
def test_all_ways_lead_to_the_same_reply(server: Server, asked: bytes) -> None:
    slowly = sent(server, asked[:-6], asked[-6:])
    first, again = sent(server, asked), sent(server, asked)
    assert slowly == first == again
    assert first[1]["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "path",
    [
        "/people/arpan-jain",
        "/people/arpan-jain.ttl",
        "/",
        "/dump.nq",
        "/nowhere",
        "/static/style.css",
    ],
)
def test_pages_that_were_sent_before_are_the_same(server: Server, path: str) -> None:
    asked = (
        f"GET {path} HTTP/1.1\r\nHost: here\r\nAccept: text/html, */*;q=0.1\r\nAccept-Encoding: "
        "gzip\r\n\r\n"
    ).encode()
    slowly = sent(server, asked[:-6], asked[-6:])
    assert slowly == sent(server, asked) == sent(server, asked)
    assert "link" in slowly[1] or "arpan" not in path
    if tag := slowly[1].get("etag"):
        known = asked[:-2] + f"If-None-Match: {tag}\r\n\r\n".encode()
        assert sent(server, known[:-6], known[-6:]) == sent(server, known) == sent(server, known)
        assert sent(server, known)[::2] == (304, b"")


def test_who_has_the_answer_is_told_so_on_the_same_connection(server: Server) -> None:
    tag = sent(server, request(NAMES, Accept="text/csv"))[1]["etag"]
    with connected(server) as connection:
        for _ in range(3):
            connection.sendall(request(NAMES, Accept="text/csv", If_None_Match=tag))
            assert reply(connection)[::2] == (304, b"")
        connection.sendall(request(NAMES, Accept="text/csv"))
        assert reply(connection)[0] == 200


def test_requests_that_come_at_once_are_answered_in_order(server: Server) -> None:
    queries = [f"SELECT ({number} AS ?n) {{}}" for number in range(3)]
    with connected(server) as connection:
        connection.sendall(b"".join(request(query, Accept="text/csv") for query in queries))
        said = connection.recv(65536)
        until = time.monotonic() + 10
        while b"\n2\r" not in said and time.monotonic() < until:
            said += connection.recv(65536)
    places = [said.find(f"\n{number}\r".encode()) for number in range(3)]
    assert -1 not in places
    assert places == sorted(places)


def test_a_large_answer_arrives_whole(server: Server) -> None:
    everything = request(
        "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 20000", Accept="text/tab-separated-values"
    )
    first, again = sent(server, everything), sent(server, everything)
    assert first == again
    assert first[2].count(b"\n") == 20001


def test_what_takes_long_does_not_keep_others_waiting() -> None:
    with serving(ROOT, KG_SERVE_DEADLINE="1.5") as server:
        with connected(server) as slow:
            slow.sendall(request(SLOW, Accept="text/csv"))
            began = time.monotonic()
            for number in range(20):
                assert (
                    sent(server, request(f"SELECT ({number} AS ?n) {{}}", Accept="text/csv"))[0]
                    == 200
                )
            assert time.monotonic() - began < 1.5
            assert reply(slow)[0] == 504
        assert sent(server, request(SLOW, Accept="text/csv"))[0] == 504


def test_a_worker_that_is_ended_is_not_noticed() -> None:
    with serving(ROOT) as server, connected(server) as connection:
        loader = next(pid for pid, parent in parents().items() if parent == server.process.pid)
        for pid in descendants(loader):
            os.kill(pid, signal.SIGKILL)
        for number in range(6):
            connection.sendall(request(f"SELECT ({number} AS ?n) {{}}", Accept="text/csv"))
            assert reply(connection)[::2] == (200, f"n\r\n{number}\r\n".encode())
        os.kill(loader, signal.SIGKILL)
        connection.sendall(request("SELECT (7 AS ?n) {}", Accept="text/csv"))
        assert reply(connection)[0] == 200


def test_every_request_is_logged_and_counted() -> None:
    with serving(ROOT, KG_SERVE_LOG="1") as server:
        for _ in range(3):
            assert sent(server, request(NAMES, Accept="text/csv"))[0] == 200
        figures = urlopen(f"{server.address}metrics").read().decode()
        lines = [line for line in server.interrupt()[1].splitlines() if "/sparql" in line]
    assert 'kg_queries_total{outcome="answered"} 3' in figures
    assert len(lines) == 3
    assert all(" GET /sparql 200 " in line and " answered" in line for line in lines)


def test_replies_that_are_ready_have_a_limit() -> None:
    ready = Ready(100_000)
    for number in range(100):
        ready.keep(b"%d" % number, Prepared(b"", b"x" * 5000, 200, {}, "", ""))
        assert ready.taken <= ready.room
    assert ready.get(b"99") is not None
    assert ready.get(b"0") is None
    ready.keep(b"large", Prepared(b"", b"x" * 50_000, 200, {}, "", ""))
    assert ready.get(b"large") is None
