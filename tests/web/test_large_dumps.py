"""The dumps of a large graph, which are not held in memory: the same bytes as of a small one, sent
piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from werkzeug.test import Client

from kg.check.check import good
from kg.graph import build
from kg.publish.dumps import packing
from kg.publish.dumps.packing import Part, spooled
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web.state import State
from tests.client import client_of
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def small() -> Documents:
    return Documents(good(ROOT / "kg" / "example"))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Documents]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LARGE", 1)
        patch.setattr(packing, "CHUNK_SIZE", 1000)
        graph = good(ROOT / "kg" / "example")
        yield Documents(graph)


@pytest.fixture
def client(large: Documents, endpoint: Embedded) -> Client:
    return client_of(State(large, endpoint))


def test_they_are_the_same(small: Documents, large: Documents, client: Client) -> None:
    assert not small.large
    assert {path for path in large.files if path.startswith(("all.", "dump."))} == set(large.large)
    for path in large.large:
        expected = small.get(path)
        assert expected
        answer = client.get(f"/{path}")
        assert (answer.status_code, answer.data) == (200, expected.body), path
        assert answer.content_length == len(expected.body)
        assert answer.mimetype == expected.media_type
        assert "Content-Encoding" not in answer.headers
    assert large.get.cache_info().currsize == 0, "and none is kept"


def test_who_has_one_is_told_so(small: Documents, client: Client) -> None:
    first = client.get("/dump.ttl")
    again = client.get("/dump.ttl", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    head = client.head("/dump.ttl")
    assert (head.status_code, head.data, head.content_length) == (200, b"", len(first.data))
    assert head.headers["Link"] == first.headers["Link"]


def test_one_is_made_at_a_time(large: Documents, client: Client) -> None:
    known = client.get("/dump.nt")
    large.large.cache.pop("dump.ttl", None)
    with large.large.lock:  # as long as another is made
        answer = client.get("/dump.ttl")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
        assert b"Try again in a minute" in answer.data
        assert client.get("/dump.nt").data == known.data
    assert client.get("/dump.ttl").status_code == 200


def test_parts_come_back_as_they_were() -> None:
    parts = [Part("a", b"one"), Part("b", memoryview(b"there"), ("x",)), Part("c", b"")]
    assert [Part(name, bytes(body), used) for name, body, used in spooled(parts)] == parts
    assert spooled([Part("a", b"")]) == [Part("a", memoryview(b""))]
    assert spooled([]) == []


def test_the_pages_of_questions_have_answers_though_there_are_no_files_of_them(
    large: Documents, client: Client
) -> None:
    assert "queries/coauthors.json" not in large.files
    tried = [each for each in large.questions.values() if not each.parameters]
    assert len(tried) > 3
    for question in tried:
        page = client.get(f"/queries/{question.name}.html")
        assert page.status_code == 200
        assert "Download " in page.text, question.name
        assert f'href="{question.name}.csv"' in page.text
