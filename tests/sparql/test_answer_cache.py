"""Cached answers: the same as those of the endpoint behind, for as long as there is room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.errors import BadQuery
from kg.sparql.answer_cache import AnswerCache
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.store.protocol import Answer, Graphs, Query, Wanted
from tests.kinds import starts
from tests.sparql.asking import answered

BASE = "https://lab.example.org/"
NQUADS = f"""<{BASE}a#it> <http://schema.org/name> "Ada" <{BASE}a> .
<{BASE}b#it> <http://schema.org/name> "Bo" <{BASE}b> .
""".encode()
JSON, CSV = Wanted("application/sparql-results+json", None), Wanted("text/csv", None)
NAMES = "SELECT ?name { ?s <http://schema.org/name> ?name } ORDER BY ?name"


class Counting(Embedded):
    asked = 0

    async def ask(self, query: Query) -> Answer:
        self.asked += 1
        return await super().ask(query)


@pytest.fixture(scope="module")
@starts("process")
def behind() -> Iterator[Counting]:
    endpoint = Counting(BASE, NQUADS, Limits(workers=1))
    yield endpoint
    endpoint.close()


@pytest.fixture
def cache(behind: Counting) -> AnswerCache:
    behind.asked = 0
    return AnswerCache(behind)


def test_a_question_asked_again_is_not_asked_behind(cache: AnswerCache, behind: Counting) -> None:
    first, again = (answered(cache, NAMES, CSV) for _ in range(2))
    assert first.body == again.body == b"name\r\nAda\r\nBo\r\n"
    assert behind.asked == 1


def test_form_and_graphs_are_part_of_the_question(cache: AnswerCache, behind: Counting) -> None:
    bodies = {
        answered(cache, NAMES, wanted, graphs).body
        for wanted in (CSV, JSON)
        for graphs in (Graphs(), Graphs((f"{BASE}a",)), Graphs(named=(f"{BASE}a",)))
    }
    assert len(bodies) == behind.asked == 6


def test_what_changes_by_itself_is_not_kept(cache: AnswerCache, behind: Counting) -> None:
    for _ in range(2):
        answered(cache, "SELECT (UUID() AS ?x) {}", CSV)
    assert (behind.asked, cache.used) == (2, 0)


def test_a_slip_is_told_each_time(cache: AnswerCache, behind: Counting) -> None:
    for _ in range(2):
        with pytest.raises(BadQuery):
            answered(cache, "SELECT", CSV)
    assert (behind.asked, cache.used) == (2, 0)


def test_there_is_so_much_room_and_no_more(behind: Counting) -> None:
    cache = AnswerCache(behind)
    cache.size = 20_000
    for number in range(50):
        answered(cache, f"SELECT ({number} AS ?x) {{}}", CSV)
    assert 0 < cache.used <= cache.size
    assert 1 < len(cache.answers) < 20
    before = behind.asked
    answered(cache, "SELECT (49 AS ?x) {}", CSV)
    assert behind.asked == before, "what was asked last is kept"
    answered(cache, "SELECT (0 AS ?x) {}", CSV)
    assert behind.asked == before + 1, "what was asked first is gone"
    answered(cache, "SELECT ('" + "x" * 5000 + "' AS ?x) {}", CSV)
    assert len(cache.answers) > 1, "a large one does not drive out all others"


def test_what_was_worked_out_for_an_answer_is_kept_too(cache: AnswerCache) -> None:
    first, again = (answered(cache, NAMES, JSON).body for _ in range(2))
    assert first is again
    assert again.packed is again.packed  # type: ignore[attr-defined]


def test_without_room_everybody_asks_for_themselves(behind: Counting) -> None:
    behind.asked, cache = 0, AnswerCache(behind)
    cache.size = 0
    for _ in range(2):
        assert answered(cache, NAMES, CSV).body
    assert (behind.asked, len(cache.answers)) == (2, 0)
