"""Pages that are made before anybody asks for them."""

from __future__ import annotations

import pytest

from kg.engine.embedded import Embedded
from kg.graph.build import Graph
from kg.publish.site import Documents
from kg.web import ahead
from kg.web.served import Served, Stage


@pytest.fixture
def stage(graph: Graph, endpoint: Embedded) -> Stage:
    return Stage(Served(Documents(graph), endpoint))


def test_a_small_site_makes_pages_when_they_are_asked_for(stage: Stage) -> None:
    ahead.make_ahead(stage)
    assert isinstance(stage.served.documents, Documents)
    assert stage.served.documents.get.cache_info().currsize == 0


def test_of_a_large_one_those_are_made_on_which_much_hangs(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = stage.served.documents
    assert isinstance(documents, Documents)
    monkeypatch.setattr(ahead, "LARGE", 0)
    monkeypatch.setattr(ahead, "FEW", 3)
    hubs = list(ahead.hubs(documents))
    assert hubs[0] == "index.html"
    assert "terms/cv.html" in hubs
    assert not [path for path in hubs if path.startswith(("people/", "publications/"))]
    ahead.make_ahead(stage)
    assert documents.get.cache_info().currsize == len(set(hubs))
    for path in hubs:
        documents.get(path)
    assert documents.get.cache_info().misses == len(set(hubs))


def test_nothing_more_is_made_for_a_server_that_ends(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "LARGE", 0)
    stage.closed = True
    ahead.make_ahead(stage)
    assert isinstance(stage.served.documents, Documents)
    assert stage.served.documents.get.cache_info().currsize == 0
