"""A real server: its replies are those of the application, whichever way a query comes, and nothing
is lost where workers die, files are saved or answers are large.
"""

from __future__ import annotations

import http.client
import os
import re
import select
import signal
import socket
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import urlopen

import pytest
from werkzeug.test import Client

from tests.conftest import LARGE_SITE
from tests.sparql.processes import descendants, parents, wait_until
from tests.web.serving import KEY, KG, ROOT, Server, serving, watching

NAMES = (
    "PREFIX schema: <http://schema.org/> SELECT ?name { ?s a schema:Person ; schema:name ?name } "
    "ORDER BY ?name LIMIT 20"
)
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
SAVES = 12
EXAMPLE = ROOT / "kg" / "example"
Got = tuple[int, dict[str, str], bytes]


def request(query: str, **headers: str) -> bytes:
    lines = [
        f"GET /sparql?{urlencode({'query': query})} HTTP/1.1",
        "Host: here",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def connected(server: Server) -> socket.socket:
    where = urlsplit(server.address)
    return socket.create_connection((where.hostname, where.port), timeout=120)


def sent(server: Server, request: bytes) -> Got:
    with connected(server) as connection:
        connection.sendall(request)
        return reply(connection)


def reply(connection: socket.socket) -> Got:
    response = http.client.HTTPResponse(connection)
    response.begin()
    headers = {
        name.lower(): value
        for name, value in response.getheaders()
        if name.lower() not in ("date", "connection", "server")
    }
    return response.status, headers, response.read()


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        (NAMES, {"Accept": "text/csv"}),
        (NAMES, {"Accept": "application/sparql-results+json", "Accept-Encoding": "gzip"}),
        ("DESCRIBE <people/alvar-jarl#it>", {"Accept": "text/turtle"}),
        ("SELECT * { ?a <http://schema.org/autor> ?b }", {"Accept": "text/csv"}),
        ("SELECT ?x { nonsense", {"Accept": "text/plain"}),
        ("SELECT ?x { nonsense", {"Accept": "text/html"}),
        (NAMES, {"Accept": "text/turtle"}),
        (NAMES, {"Accept": "image/png"}),
        (NAMES, {"Accept": "text/html"}),
        ("  ", {}),
    ],
)
def test_all_ways_lead_to_the_same_reply(
    server: Server, client: Client, query: str, headers: dict[str, str]
) -> None:
    host = {"Host": "here", **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in host.items())
    got = f"GET /sparql?query={quote(query)} HTTP/1.1\r\n{lines}\r\n".encode()
    form = f"query={quote(query)}".encode()
    post = (
        f"POST /sparql HTTP/1.1\r\n{lines}Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(form)}\r\n\r\n"
    ).encode() + form
    first = sent(server, got)
    assert sent(server, got) == sent(server, post) == first
    assert first[1]["access-control-allow-origin"] == "*"
    if first[1]["content-type"].startswith("text/html"):
        return  # the page tells the limits, which are others here
    here = client.get("/sparql", query_string={"query": query}, headers=headers)
    assert (here.status_code, here.data) == first[::2]
    assert {name.lower(): value for name, value in here.headers} == first[1]


@pytest.mark.parametrize(
    "path", ["/people/alvar-jarl", "/people/alvar-jarl.ttl", "/", "/dump.nq", "/nowhere"]
)
def test_pages_are_those_of_the_application(server: Server, client: Client, path: str) -> None:
    headers = {"Accept": "text/html, */*;q=0.1", "Accept-Encoding": "gzip"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    for method in ("GET", "HEAD"):
        asked = f"{method} {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{lines}\r\n"
        with connected(server) as connection:
            connection.sendall(asked.encode())
            response = http.client.HTTPResponse(connection, method=method)
            response.begin()
            body = response.read()
        here = client.open(path, method=method, headers=headers)
        assert (response.status, body) == (here.status_code, here.data)
        assert response.headers["Content-Length"] == here.headers["Content-Length"]
        assert response.headers["Link"] == here.headers.get("Link")
    if tag := response.headers["ETag"]:
        known = f"GET {path} HTTP/1.1\r\nHost: here\r\n{lines}If-None-Match: {tag}\r\n\r\n"
        assert sent(server, known.encode())[::2] == (304, b"")


def test_a_client_that_has_the_answer_gets_304_on_the_same_connection(server: Server) -> None:
    tag = sent(server, request(NAMES, Accept="text/csv"))[1]["etag"]
    with connected(server) as connection:
        for _ in range(3):
            connection.sendall(request(NAMES, Accept="text/csv", If_None_Match=tag))
            assert reply(connection)[::2] == (304, b"")
        connection.sendall(request(NAMES, Accept="text/csv"))
        assert reply(connection)[0] == 200


def test_a_large_answer_arrives_complete(server: Server) -> None:
    everything = request(
        "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 15000", Accept="text/tab-separated-values"
    )
    first, again = sent(server, everything), sent(server, everything)
    assert first == again
    assert first[2].count(b"\n") == 15001


@pytest.mark.server
@pytest.mark.proof
def test_what_takes_long_does_not_keep_others_waiting() -> None:
    with serving(LARGE_SITE, KG_SERVE_DEADLINE="60") as server:
        with connected(server) as slow:
            slow.sendall(request(SLOW, Accept="text/csv"))
            figures_with(server, "kg_queries_running 1")
            for number in range(20):
                got = sent(server, request(f"SELECT ({number} AS ?n) {{}}", Accept="text/csv"))
                assert got[0] == 200
            assert not select.select([slow], [], [], 0)[0], "it still runs"
        figures_with(server, 'kg_queries_total{outcome="abandoned"} 1')
        late = request(SLOW, Accept="text/csv").replace(b"?query=", b"?timeout=1&query=")
        assert sent(server, late)[0] == 504


@pytest.mark.server
@pytest.mark.proof
def test_a_worker_that_is_ended_is_not_noticed() -> None:
    with serving(EXAMPLE) as server, connected(server) as connection:
        loader = next(pid for pid, parent in parents().items() if parent == server.process.pid)
        for pid in descendants(loader):
            os.kill(pid, signal.SIGKILL)
        for number in range(6):
            connection.sendall(request(f"SELECT ({number} AS ?n) {{}}", Accept="text/csv"))
            assert reply(connection)[::2] == (200, f"n\r\n{number}\r\n".encode())
        os.kill(loader, signal.SIGKILL)
        connection.sendall(request("SELECT (7 AS ?n) {}", Accept="text/csv"))
        assert reply(connection)[0] == 200


@pytest.mark.server
@pytest.mark.proof
def test_every_request_is_logged_and_counted() -> None:
    with serving(EXAMPLE, KG_SERVE_LOG="text") as server:
        for _ in range(3):
            assert sent(server, request(NAMES, Accept="text/csv"))[0] == 200
        assert sent(server, request(NAMES, Cookie="x" * 20_000))[0] == 431
        with connected(server) as connection:
            connection.sendall(request(SLOW))
            figures_with(server, "kg_queries_running 1")
        figures = figures_with(server, 'kg_queries_total{outcome="abandoned"} 1')
        lines = [line for line in server.interrupt()[1].splitlines() if "/sparql" in line]
    assert 'kg_queries_total{outcome="answered"} 3' in figures
    assert 'kg_requests_total{status="431"} 1' in figures
    assert len(lines) == 5
    assert all(" GET /sparql 200 " in line and " answered" in line for line in lines[:3])


def figures_with(server: Server, line: str) -> str:
    """The server's figures, as soon as they tell something."""
    until = time.monotonic() + 120
    while line not in (figures := urlopen(f"{server.address}metrics?key={KEY}").read().decode()):
        assert time.monotonic() < until, figures
        time.sleep(0.05)
    return figures


@pytest.mark.server
@pytest.mark.proof
def test_localhost_is_every_address_of_it(example: Path) -> None:
    command = [KG, "serve", example, "--port", "0", "--host", "localhost"]
    with serving(example, command=command) as server:
        assert "//localhost:" in server.address
        assert sent(server, request("ASK {}"))[0] == 200
        assert server.interrupt()[0] == 130


@pytest.mark.server
@pytest.mark.proof
def test_no_thread_waits_for_a_query() -> None:
    with serving(EXAMPLE) as server:
        before = threads(server)
        waiting = [connected(server) for _ in range(100)]
        try:
            for number, connection in enumerate(waiting):
                connection.sendall(request(f"{SLOW} # {number}"))
            wait_until(lambda: waiting_queries(server) > 50)
            assert threads(server) - before <= 10
        finally:
            for connection in waiting:
                connection.close()


def waiting_queries(server: Server) -> float:
    figures = urlopen(f"{server.address}metrics?key={KEY}").read().decode()
    found = re.search(r"^kg_queue_length (\S+)", figures, re.MULTILINE)
    return float(found[1]) if found else 0


def threads(server: Server) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


@pytest.mark.server
@pytest.mark.proof
def test_saves_under_load_end_no_server_and_refuse_no_request(example: Path) -> None:
    cv, done = example / "data" / "cv" / "ada-lindqvist.yaml", threading.Event()
    text, outcomes = cv.read_text(encoding="utf-8"), Counter[str]()

    def read(server: Server, number: int) -> None:
        turn = 0
        while not done.is_set():
            turn += 1
            query = quote(f"SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o }} # {number} {turn % 7}")
            for path in (f"sparql?query={query}", "people/ada-lindqvist"):
                try:
                    with urlopen(f"{server.address}{path}") as answer:
                        answer.read()
                        outcomes[str(answer.status)] += 1
                except (HTTPError, OSError) as error:
                    outcomes[repr(error)] += 1

    with watching(example) as server:
        readers = [threading.Thread(target=read, args=(server, number)) for number in range(8)]
        for reader in readers:
            reader.start()
        try:
            for number in range(SAVES):
                job = f"Reader in Sand {number}"
                cv.write_text(text.replace("Lecturer", job), encoding="utf-8")
                until = time.monotonic() + 120
                while job not in urlopen(f"{server.address}people/ada-lindqvist").read().decode():
                    assert time.monotonic() < until
                    time.sleep(0.05)
        finally:
            done.set()
            for reader in readers:
                reader.join()
        assert server.process.poll() is None
        old = re.search(
            r"kg_workers (\d+)", urlopen(f"{server.address}metrics?key={KEY}").read().decode()
        )
        assert old
        of_the_last_state = int(old[1]) + 1
        wait_until(lambda: len(descendants(server.process.pid)) == of_the_last_state)
        code, said = server.interrupt()
    assert set(outcomes) == {"200"}
    assert (code, "Traceback" in said) == (130, False)
