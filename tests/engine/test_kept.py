"""Kept answers: the same as those of the endpoint behind, for as long as there is room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.engine.embedded import Embedded
from kg.engine.kept import Kept
from kg.engine.limits import Limits
from kg.engine.store import Answer, Graphs, Wanted
from kg.errors import BadQuery

BASE = "https://lab.example.org/"
NQUADS = f"""<{BASE}a#it> <http://schema.org/name> "Ada" <{BASE}a> .
<{BASE}b#it> <http://schema.org/name> "Bo" <{BASE}b> .
""".encode()
JSON, CSV = Wanted("application/sparql-results+json", None), Wanted("text/csv", None)
NAMES = "SELECT ?name { ?s <http://schema.org/name> ?name } ORDER BY ?name"


class Counting(Embedded):
    asked = 0

    def answer(self, *arguments: object, **named: object) -> Answer:
        self.asked += 1
        return super().answer(*arguments, **named)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def behind() -> Iterator[Counting]:
    endpoint = Counting(BASE, NQUADS, Limits(workers=1))
    yield endpoint
    endpoint.close()


@pytest.fixture
def kept(behind: Counting) -> Kept:
    behind.asked = 0
    return Kept(behind, 1 << 20)


def test_a_question_asked_again_is_not_asked_behind(kept: Kept, behind: Counting) -> None:
    first, again = (kept.answer(NAMES, CSV) for _ in range(2))
    assert first.body == again.body == b"name\r\nAda\r\nBo\r\n"
    assert behind.asked == 1


def test_form_and_graphs_are_part_of_the_question(kept: Kept, behind: Counting) -> None:
    bodies = {
        kept.answer(NAMES, wanted, graphs).body
        for wanted in (CSV, JSON)
        for graphs in (Graphs(), Graphs((f"{BASE}a",)), Graphs(named=(f"{BASE}a",)))
    }
    assert len(bodies) == behind.asked == 6


def test_what_changes_by_itself_is_not_kept(kept: Kept, behind: Counting) -> None:
    for _ in range(2):
        kept.answer("SELECT (UUID() AS ?x) {}", CSV)
    assert (behind.asked, kept.taken) == (2, 0)


def test_a_slip_is_told_each_time(kept: Kept, behind: Counting) -> None:
    for _ in range(2):
        with pytest.raises(BadQuery):
            kept.answer("SELECT", CSV)
    assert (behind.asked, kept.taken) == (2, 0)


def test_there_is_so_much_room_and_no_more(behind: Counting) -> None:
    kept = Kept(behind, 20_000)
    for number in range(50):
        kept.answer(f"SELECT ({number} AS ?x) {{}}", CSV)
    assert 0 < kept.taken <= kept.room
    assert 1 < len(kept.answers) < 20
    before = behind.asked
    kept.answer("SELECT (49 AS ?x) {}", CSV)
    assert behind.asked == before, "what was asked last is kept"
    kept.answer("SELECT (0 AS ?x) {}", CSV)
    assert behind.asked == before + 1, "what was asked first is gone"
    kept.answer("SELECT ('" + "x" * 5000 + "' AS ?x) {}", CSV)
    assert len(kept.answers) > 1, "a large one does not drive out all others"


def test_what_was_worked_out_for_an_answer_is_kept_too(kept: Kept) -> None:
    first, again = (kept.answer(NAMES, JSON).body for _ in range(2))
    assert first is again
    assert again.packed is again.packed  # type: ignore[attr-defined]
