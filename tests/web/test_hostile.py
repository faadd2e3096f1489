"""A real server among enemies: whatever is sent, the answer has a clear status in time, and others
notice nothing.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from urllib.request import urlopen

import pytest

from kg.web.connections import MAX_PER_CLIENT, PROGRESS_TIMEOUT
from kg.web.serve import BODY_TIMEOUT
from tests.conftest import LARGE_SITE
from tests.kinds import starts
from tests.sparql.processes import descendants, parents
from tests.web.hostile import elsewhere, explosions, nesting, requests
from tests.web.hostile.attack import OTHER, SIMPLE, attack, send, watched, wrong
from tests.web.hostile.case import asks, gets, raw, request
from tests.web.hostile.slow import SLOW, connect, trickling
from tests.web.serving import KEY, KG, Server, serving

OPTIONS = ("--deadline", "2", "--memory", "128", "--workers", "3", "--port", "0")
ENDLESS = asks("endless", f"SELECT (COUNT(*) AS ?n) {{ {explosions.PRODUCT} }}", 503, 504)
RUNNING, ABANDONED = "kg_queries_running", 'kg_queries_total{outcome="abandoned"}'
LARGE = gets("large", "SELECT * { ?s ?p ?o } LIMIT 12000", 200)


@pytest.fixture(scope="module")
@starts("server")
def enemy() -> Iterator[Server]:
    """A server under attack; at the end it must have had nothing to complain of."""
    said: list[str] = []
    command = [KG, "serve", LARGE_SITE, *OPTIONS]
    with serving(LARGE_SITE, command=command, KG_SERVE_ANSWER_SIZE="4") as server:
        listening = threading.Thread(target=lambda: said.extend(server.process.stderr or ()))
        listening.start()
        yield server
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(10) == 130
        listening.join()
    assert said == ["Stopped.\n"]


@pytest.fixture(scope="module")
def slow(enemy: Server) -> Iterator[dict[str, Future[float]]]:
    """Clients that take their time, while everything else happens."""
    with ExitStack() as stack:
        yield stack.enter_context(trickling(enemy, 2 * BODY_TIMEOUT))


def test_no_case_went_missing() -> None:
    names = [
        case.name
        for case in (
            *explosions.CASES,
            *nesting.CASES,
            *requests.CASES,
            *elsewhere.cases("http://x/"),
        )
    ]
    assert len(names) + len(SLOW) >= 190
    assert len(names) == len(set(names))


@pytest.mark.proof
@pytest.mark.usefixtures("slow")
def test_explosions_are_stopped(enemy: Server) -> None:
    assert attack(enemy, explosions.CASES) == []


@pytest.mark.proof
@pytest.mark.usefixtures("slow")
def test_nesting_ends_no_worker(enemy: Server) -> None:
    assert attack(enemy, nesting.CASES) == []


@pytest.mark.usefixtures("slow")
def test_requests_that_are_wrong_are_told_so(enemy: Server) -> None:
    assert attack(enemy, requests.CASES, at_once=8) == []


@pytest.mark.usefixtures("slow")
def test_nobody_is_asked_elsewhere(enemy: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as canary:
        host, port = canary.getsockname()
        assert attack(enemy, elsewhere.cases(f"http://{host}:{port}/")) == []
        canary.settimeout(0.5)
        with pytest.raises(TimeoutError):
            canary.accept()


def test_clients_that_do_not_read_keep_nobody_waiting(enemy: Server) -> None:
    with ExitStack() as stack:
        with watched(enemy) as complaints:
            for _ in range(20):
                stack.enter_context(connect(enemy, buffer=4096)).sendall(LARGE.sent)
            # in its turn, for the others were first; a busy machine may say that it is busy
            until = time.monotonic() + PROGRESS_TIMEOUT / 2
            while "503" in (fault := wrong(enemy, LARGE, patience=20)):
                assert time.monotonic() < until, fault
            assert fault == ""
        assert complaints == []


TEDIOUS = [  # or, where there are many of them, 503 or 504 in the end
    asks("many small words", f"ASK {{ ?s ?p {'1 ' * 32_000}", 400, 503, 504),
    asks("many operators", f"ASK {{ {'! ' * 32_000}", 400, 503, 504),
    asks(
        "many that may be SERVICE", f"ASK {{ <#'> {'service:~' * 190}{'~' * 60_000}", 400, 503, 504
    ),
    gets(
        "many media types",
        "ASK {}",
        431,
        headers=f"Accept: {','.join(f'a/{n}' for n in range(10_000))}\r\n",
    ),
]


@pytest.mark.proof
def test_long_requests_by_the_dozen_keep_nobody_waiting(enemy: Server) -> None:
    """What is read of them takes the server's own time."""
    with watched(enemy) as complaints, ThreadPoolExecutor(40) as pool:
        found = list(pool.map(lambda case: wrong(enemy, case, patience=20), TEDIOUS * 10))
    assert [complaint for complaint in (*found, *complaints) if complaint] == []


@pytest.mark.proof
def test_what_is_killed_from_outside_is_not_missed(enemy: Server) -> None:
    pid = enemy.process.pid
    (loader,) = (child for child, parent in parents().items() if parent == pid)
    with watched(enemy) as complaints, ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(wrong, enemy, ENDLESS, patience=8) for _ in range(2)]
        time.sleep(0.3)
        for worker in descendants(loader):
            os.kill(worker, signal.SIGKILL)
        assert [each.result() for each in asked] == ["", ""]
        asked = [pool.submit(wrong, enemy, ENDLESS, patience=8) for _ in range(2)]
        time.sleep(0.3)
        os.kill(loader, signal.SIGKILL)
        assert [each.result() for each in asked] == ["", ""]
    assert complaints == []
    assert loader not in descendants(pid)


@pytest.mark.proof
def test_who_takes_his_time_is_cut_off(slow: dict[str, Future[float]]) -> None:
    took = {name: each.result() for name, each in slow.items()}
    assert took.pop("answers that are not read") < PROGRESS_TIMEOUT + 15
    assert {name: seconds for name, seconds in took.items() if seconds > BODY_TIMEOUT + 12} == {}


def test_an_answer_in_pieces_is_complete(enemy: Server) -> None:
    """What the attack looks at is all that was sent."""
    some = gets("some", "SELECT * { ?s ?p ?o } LIMIT 700", 200)
    got = send(enemy, some.sent.replace(b"Connection: close\r\n", b"", 1) + some.sent, 10)
    assert len(got) > 2 * 65536
    assert got.count(b"HTTP/1.1 200 OK") == 2
    assert got.count(b'"bindings"') == 2
    assert send(enemy, LARGE.sent, 10).endswith(b"]}}")


LONG = ("Accept", "Accept-Encoding", "If-None-Match", "X-Forwarded-For", "Cookie", "Content-Type")
TANGLED = ("a/b;q=0.1,", "gzip;q=0,", 'W/"x", ', "*", " ", "\t", ";", "q=1.", ',"', "a" * 99 + ";")


@pytest.mark.parametrize("path", ["/sparql?query=ASK%7B%7D", "/people/alvar-jarl", "/search?q=a"])
def test_long_headers_take_no_time(enemy: Server, path: str) -> None:
    """Those that are refused, and the longest that are not."""
    with watched(enemy) as complaints:
        for size, expected in ((80_000, {431}), (15_000, {200, 400, 406})):
            for name in LONG:
                for piece in TANGLED:
                    value = "x" + piece * (size // len(piece)) + "x"
                    case = raw(
                        f"{name} {piece}", request(f"GET {path}", f"{name}: {value}\r\n"), *expected
                    )
                    start = time.monotonic()
                    assert wrong(enemy, case, patience=10) == ""
                    assert time.monotonic() - start < 5, (name, piece, size)
    assert complaints == []


def test_idle_connections_keep_nobody_waiting(enemy: Server) -> None:
    with ExitStack() as stack:
        for _ in range(490):
            stack.enter_context(connect(enemy))
        start = time.monotonic()
        for source in ("127.0.0.1", OTHER):
            assert wrong(enemy, SIMPLE, source) == ""
        assert time.monotonic() - start < 10


def test_one_client_has_so_many_connections_and_no_more(enemy: Server) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(connect(enemy)) for _ in range(MAX_PER_CLIENT + 100)]
        until = time.monotonic() + 10
        closed = 0
        while closed < 90 and time.monotonic() < until:
            time.sleep(0.5)
            closed = sum(is_closed(connection) for connection in held)
        assert 90 <= closed <= 200
        assert wrong(enemy, SIMPLE, OTHER) == ""


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_requests_on_one_connection_are_answered_in_order(enemy: Server) -> None:
    """Queries, quick and slow, and pages."""
    slow = gets("slow", "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f } # one", 200, 504)
    sent = [
        slow.sent,
        request("GET /healthz"),
        gets("2", "SELECT (2 AS ?n) {}", 200).sent,
        request("GET /nowhere"),
        SIMPLE.sent,
    ]
    close = b"Connection: close\r\n"
    got = send(enemy, b"".join(each.replace(close, b"", 1) for each in sent[:-1]) + sent[-1], 10)
    statuses = [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", got)]
    assert statuses[0] in slow.expected
    assert statuses[1:] == [200, 200, 404, 200]
    places = [
        got.find(part) for part in (b"ok\n", b'"value":"2"', b"does not exist", b'"boolean":true')
    ]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_length_and_chunks_are_answered_once(enemy: Server, is_first: bool) -> None:
    """What follows may have been smuggled past a proxy that read it otherwise."""
    both = [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"]
    sent = (
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\n"
        + b"".join(both if is_first else both[::-1])
        + b"\r\n6\r\nASK {}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    start = time.monotonic()
    got = send(enemy, sent, 10)
    assert got.count(b"HTTP/1.1 ") == 1
    assert time.monotonic() - start < 8, "then the connection is closed"


@pytest.mark.proof
def test_a_query_ends_when_its_client_has_gone(enemy: Server) -> None:
    until_idle(enemy)
    before = figure(enemy, ABANDONED)
    with connect(enemy) as connection:
        connection.sendall(ENDLESS.sent)
        until = time.monotonic() + 5
        while not figure(enemy, RUNNING) and time.monotonic() < until:
            time.sleep(0.05)
        assert figure(enemy, RUNNING) == 1
    until_idle(enemy)
    assert figure(enemy, ABANDONED) == before + 1, "not by its deadline"


def figure(server: Server, name: str) -> int:
    figures = urlopen(f"{server.address}metrics?key={KEY}").read().decode()
    found = re.search(rf"^{re.escape(name)} (\d+)", figures, re.MULTILINE)
    return int(found[1]) if found else 0


def until_idle(server: Server) -> None:
    until = time.monotonic() + 10
    while figure(server, RUNNING) and time.monotonic() < until:
        time.sleep(0.05)
    assert not figure(server, RUNNING)
