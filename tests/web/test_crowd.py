"""Many clients at once at a real server: nobody crowds the others out, and all goes when it is
ended.
"""

from __future__ import annotations

import re
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.kinds import starts
from tests.sparql.processes import descendants, still_alive
from tests.web.hostile.attack import SIMPLE, wrong
from tests.web.hostile.case import Case, gets
from tests.web.hostile.slow import connect
from tests.web.serving import KG, Server, serving

pytestmark = pytest.mark.proof

OPTIONS = ("--deadline", "2", "--memory", "128", "--workers", "3", "--proxies", "1", "--port", "0")
ENDLESS = gets(
    "endless", "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", 503, 504
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(
        shutil.copytree(
            ROOT / "kg" / "example",
            tmp_path_factory.mktemp("crowd") / "site",
        )
    )


@pytest.fixture
@starts("server")
def crowded(site: Path) -> Iterator[Server]:
    with serving(site, command=[KG, "serve", site, *OPTIONS]) as server:
        yield server


def of(client: str, case: Case) -> bytes:
    """The request as a proxy passes it on."""
    return case.sent.replace(b"Host:", f"X-Forwarded-For: {client}\r\nHost:".encode(), 1)


def test_who_asks_much_keeps_nobody_else_waiting(crowded: Server) -> None:
    friend = Case(SIMPLE.name, of("10.0.0.2", SIMPLE), SIMPLE.expected, SIMPLE.says)
    with ExitStack() as stack:
        greedy = [stack.enter_context(connect(crowded)) for _ in range(270)]
        for connection in greedy:
            connection.sendall(of("10.0.0.1", ENDLESS))
        until = time.monotonic() + 5
        while time.monotonic() < until:
            assert wrong(crowded, friend, patience=2) == ""
        answers = []
        for connection in greedy:
            connection.settimeout(15)
            answers.append(connection.recv(65536).decode())
    statuses = Counter(answer.split()[1] for answer in answers)
    assert set(statuses) == {"503", "504"}, statuses
    assert all(
        re.search(r"^Retry-After: \d+\r$", answer, re.MULTILINE | re.IGNORECASE)
        for answer in answers
        if " 503 " in answer[:20]
    )
    assert wrong(crowded, friend, patience=2) == ""


def test_two_hundred_clients_at_once_are_served(crowded: Server) -> None:
    with ThreadPoolExecutor(200) as pool:
        assert Counter(pool.map(lambda _: wrong(crowded, SIMPLE, patience=15), range(400))) == {
            "": 400
        }


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ended_with_queries_in_flight_it_leaves_nothing_behind(
    crowded: Server, how: signal.Signals
) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connect(crowded)).sendall(ENDLESS.sent)
        until = time.monotonic() + 10
        while len(children := descendants(crowded.process.pid)) < 4:
            assert time.monotonic() < until
            time.sleep(0.05)
        start = time.monotonic()
        code, said = crowded.interrupt(how)
        assert code == (130 if how == signal.SIGINT else 0)
        assert "Traceback" not in said, said
        assert still_alive(children, patience=5) == set()
        assert time.monotonic() - start < 10
