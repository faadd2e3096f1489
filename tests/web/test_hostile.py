"""A real server among enemies: whatever is sent, the answer has a clear status in time, and others
notice nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from kg.web.channel import TO_ARRIVE
from tests.sparql.processes import descendants, parents
from tests.web.hostile import elsewhere, explosions, nesting, requests
from tests.web.hostile.attack import attack, send, watched, wrong
from tests.web.hostile.case import Case, asks, gets
from tests.web.hostile.slow import SLOW, connect, trickling
from tests.web.serving import KG, ROOT, Server, serving

OPTIONS = (
    "--deadline",
    "2",
    "--answer-size",
    "4",
    "--memory",
    "128",
    "--workers",
    "3",
    "--port",
    "0",
)
ENDLESS = asks("endless", f"SELECT (COUNT(*) AS ?n) {{ {explosions.PRODUCT} }}", 503, 504)
LARGE = gets("large", "SELECT * { ?s ?p ?o } LIMIT 12000", 200)


@pytest.fixture(scope="module")
def enemy() -> Iterator[Server]:
    """A server under attack; at the end it must have had nothing to complain of."""
    said: list[str] = []
    with serving(ROOT, command=[KG, "serve", ROOT, *OPTIONS]) as server:
        listening = threading.Thread(target=lambda: said.extend(server.process.stderr or ()))
        listening.start()
        yield server
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(10) == 0
        listening.join()
    assert said == ["Stopped.\n"]


@pytest.fixture(scope="module")
def slow(enemy: Server) -> Iterator[dict[str, Future[float]]]:
    """Clients that take their time, while everything else happens."""
    with ExitStack() as stack:
        yield stack.enter_context(trickling(enemy, 2 * TO_ARRIVE))


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


@pytest.mark.usefixtures("slow")
def test_explosions_are_stopped(enemy: Server) -> None:
    assert attack(enemy, explosions.CASES) == []


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
            for _ in range(60):
                stack.enter_context(connect(enemy, buffer=4096)).sendall(LARGE.sent)
            assert wrong(enemy, LARGE, patience=20) == ""  # in its turn, for the others were first
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
        406,
        headers=f"Accept: {','.join(f'a/{n}' for n in range(10_000))}\r\n",
    ),
]


def test_long_requests_by_the_dozen_keep_nobody_waiting(enemy: Server) -> None:
    """What is read of them takes the server's own time."""
    with watched(enemy) as complaints, ThreadPoolExecutor(40) as pool:
        found = list(pool.map(lambda case: wrong(enemy, case, patience=20), TEDIOUS * 10))
    assert [complaint for complaint in (*found, *complaints) if complaint] == []


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


def test_who_takes_his_time_is_cut_off(slow: dict[str, Future[float]]) -> None:
    took = {name: each.result() for name, each in slow.items()}
    assert {name: seconds for name, seconds in took.items() if seconds > TO_ARRIVE + 12} == {}


def test_an_answer_in_pieces_is_whole(enemy: Server) -> None:
    """What the attack looks at is all that was sent."""
    case = Case(
        "twice", LARGE.sent.replace(b"Connection: close\r\n", b"", 1) + LARGE.sent, frozenset({200})
    )
    got = send(enemy, case.sent, 10)
    assert got.count(b"HTTP/1.1 200 OK") == 2
    assert got.count(b'"bindings"') == 2
