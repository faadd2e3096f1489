"""One graph after another: readers never notice, and no process stays behind."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from os import getpid
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from kg.check.check import Checked, good
from kg.check.reloads import Reloads
from kg.check.watch import Seen
from kg.errors import KgError
from kg.graph.build import Graph
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.store.protocol import Wanted
from kg.web import serve
from kg.web.state import CurrentSite, State
from tests.client import client_of
from tests.conftest import ROOT
from tests.sparql.asking import answered
from tests.sparql.processes import descendants, still_alive
from tests.web.serving import KEY, Server, watching

pytestmark = pytest.mark.process

ASK = "ASK { ?s ?p ?o }"
TABLE = Wanted("application/sparql-results+json", None)


@pytest.fixture(scope="module")
def small() -> Graph:
    return good(ROOT / "kg" / "example")


def made(graph: Graph) -> State:
    return State(Documents(graph), Embedded(graph.site.base, graph.nquads, Limits(workers=1)))


def started(action: Callable[[], State]) -> tuple[State, set[int]]:
    before = descendants(getpid())
    return action(), descendants(getpid()) - before


def test_the_shapes_are_those_of_the_state_that_is_served(example: Path) -> None:
    on_stage = serve.build_state(good(example))
    try:
        (example / "shapes").mkdir()
        (example / "shapes" / "own.ttl").write_text("half a sha", encoding="utf-8")
        assert client_of(on_stage).get("/shapes.ttl").status_code == 200
    finally:
        on_stage.endpoint.close()


def test_a_request_keeps_what_it_began_with(small: Graph) -> None:
    old, processes = started(lambda: made(small))
    current = CurrentSite(old)
    begun = current.acquire()
    assert begun is old
    new, others = started(lambda: made(small))
    current.put(new, Checked(small, []))
    assert b"true" in answered(begun.endpoint, ASK, TABLE).body
    assert client_of(current).get("/sparql", query_string={"query": ASK}).status_code == 200, (
        "another request gets the new one"
    )
    assert still_alive(processes, patience=0) == processes
    current.release(begun)
    assert len(processes) == len(others) == 2
    assert not still_alive(processes)
    current.close()
    assert not still_alive(others)


@pytest.mark.proof
def test_many_swaps_under_load_leave_no_process_and_fail_no_request(small: Graph) -> None:
    before = descendants(getpid())
    current = CurrentSite(made(small))
    client, done, statuses = client_of(current), threading.Event(), []

    def read() -> None:
        while not done.is_set():
            statuses.append(client.get("/sparql", query_string={"query": ASK}).status_code)
            statuses.append(client.get("/people/").status_code)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(6):
        current.put(made(small), Checked(small, []))
    done.set()
    for reader in readers:
        reader.join()
    assert set(statuses) == {200}
    left = descendants(getpid()) - before
    assert len(still_alive(left, patience=0.5)) == 2, "the loader and the worker of the last"
    current.close()
    assert not still_alive(left)


def test_what_comes_after_the_end_is_closed_at_once(small: Graph) -> None:
    before = descendants(getpid())
    current = CurrentSite(made(small))
    current.close()
    current.put(made(small), Checked(small, []))
    assert not still_alive(descendants(getpid()) - before)


def test_a_state_that_cannot_be_served_is_only_noted(
    small: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = CurrentSite(made(small))
    old = current.state
    bad = Checked(None, [])
    serve.follow(current, iter([bad]), Reloads())
    assert (current.state, current.latest()) == (old, (bad, False))

    def no_room(*_: object) -> State:
        raise OSError("no room")

    monkeypatch.setattr(serve, "build_state", no_room)
    serve.follow(current, iter([Checked(small, [])]), Reloads())
    assert (current.state, str(current.newest)) == (old, "no room")
    current.close()


def test_the_end_of_watching_by_a_fault_of_ours_is_not_hidden(small: Graph) -> None:
    def faulty() -> Iterator[Seen]:
        yield Checked(None, [])
        raise ZeroDivisionError

    current = CurrentSite(made(small))
    with pytest.raises(ZeroDivisionError):
        serve.follow(current, faulty(), Reloads())
    assert isinstance(current.newest, KgError)
    assert "no longer read" in str(current.newest)
    current.close()


@pytest.mark.server
@pytest.mark.proof
def test_a_save_is_served_a_bad_one_is_not_and_the_end_leaves_no_process(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    good, page = cv.read_text(encoding="utf-8"), "people/ada-lindqvist"
    with watching(example) as server:
        assert console(server)["served"]
        cv.write_text(
            good.replace("position: Lecturer", "position: Reader in Sand"), encoding="utf-8"
        )
        wait_until(lambda: "Reader in Sand" in text(server, page))
        asked = urlencode({"query": 'ASK { ?s ?p "Reader in Sand" }', "format": "json"})
        assert json.loads(text(server, f"sparql?{asked}"))["boolean"] is True
        cv.write_text(good.replace("position: Lecturer", "postion: Lecturer"), encoding="utf-8")
        wait_until(lambda: not console(server)["served"])
        said = console(server)
        assert [
            (problem["rule"], problem["file"])
            for problem in said["problems"]
            if problem["severity"] == "error"
        ] == [("unknown-field", "data/cv/ada-lindqvist.yaml")]
        assert "Reader in Sand" in text(server, page), "the last good one"
        cv.write_text(good, encoding="utf-8")
        wait_until(lambda: "Reader in Sand" not in text(server, page))
        assert console(server)["served"]
        wait_until(  # those of the last state end when their queries are answered
            lambda: len(descendants(server.process.pid)) == Limits().workers + 1,
        )  # a loader and its workers
        processes = descendants(server.process.pid)
        code, said_last = server.interrupt()
    assert (code, "Traceback" in said_last) == (130, False)
    assert not still_alive(processes)


def text(server: Server, path: str) -> str:
    with urlopen(f"{server.address}{path}") as answer:
        return str(answer.read().decode())


def console(server: Server) -> dict[str, Any]:
    return dict(json.loads(text(server, f"console.json?key={KEY}")))


def wait_until(holds: Callable[[], bool], patience: float = 15) -> None:
    until = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.05)
