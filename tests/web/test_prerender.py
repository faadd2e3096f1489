"""Pages that are made before anybody asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Queue
from threading import Event
from time import sleep

import pytest

from kg.check.check import Checked
from kg.check.watch import Reloads, Seen
from kg.graph.build import Graph
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web import serve
from kg.web import state as web_state
from kg.web.state import Stage, State, prerender


@pytest.fixture
def fresh(graph: Graph) -> Documents:
    return Documents(graph)


@pytest.fixture
def hubs(graph: Graph, fresh: Documents, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What it would be in a site of this size that was large."""
    monkeypatch.setattr(web_state, "LARGE_SITE", 0)
    monkeypatch.setattr(web_state, "FEW", 3)
    return web_state.hubs(fresh)


def test_a_small_site_makes_pages_when_they_are_asked_for(graph: Graph, fresh: Documents) -> None:
    assert web_state.hubs(fresh) == []


def test_of_a_large_one_those_are_made_on_which_much_hangs(
    fresh: Documents, hubs: list[str], endpoint: Embedded
) -> None:
    assert hubs[0] == "index.html"
    assert "terms/cv.html" in hubs
    assert not [path for path in hubs if path.startswith(("people/", "publications/"))]
    prerender(Stage(State(fresh, endpoint)))
    assert fresh.get.cache_info().currsize == len(hubs)
    for path in hubs:
        fresh.get(path)
    assert fresh.get.cache_info().misses == len(hubs)


def test_nothing_more_is_made_for_a_server_that_ends(
    fresh: Documents, hubs: list[str], endpoint: Embedded
) -> None:
    stage = Stage(State(fresh, endpoint))
    stage.closed = True
    prerender(stage)
    assert fresh.get.cache_info().currsize == 0


def test_a_page_that_cannot_be_made_stops_nothing(
    fresh: Documents, hubs: list[str], endpoint: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def fail(path: str) -> None:
        made.append(path)
        raise ZeroDivisionError

    monkeypatch.setattr(fresh, "get", fail)
    prerender(Stage(State(fresh, endpoint)))
    assert made == hubs


def test_no_save_waits_for_them(
    graph: Graph,
    fresh: Documents,
    hubs: list[str],
    endpoint: Embedded,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A state that comes while they are made is shown, and the rest of those before is not made any
    more.
    """
    made, go_on = Queue[str](), Event()

    def slow(path: str) -> None:
        made.put(path)
        assert go_on.wait(10)

    monkeypatch.setattr(fresh, "get", slow)
    stage = Stage(
        State(fresh, Embedded(graph.site.base, b"", Limits(workers=1)))
    )  # which is closed when its place is taken
    later = State(Documents(graph), endpoint)

    def states() -> Iterator[Seen]:
        assert made.get(timeout=10) == hubs[0]
        yield Checked(graph, [])

    monkeypatch.setattr(serve, "build_state", lambda *_: later)
    serve.follow(stage, states(), Reloads())
    assert stage.state is later
    go_on.set()
    sleep(0.2)
    assert made.empty()
