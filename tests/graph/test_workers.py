"""Workers: they find what this process finds, tell what is wrong with shapes, and leave nothing behind."""

from __future__ import annotations

import os
import signal

import pytest

from kg.errors import KgError
from kg.graph import core, workers
from kg.graph.validate import validate

SHAPES = b"""<https://x.example/shapes#named> <http://www.w3.org/ns/shacl#targetClass> <http://schema.org/Person> .
<https://x.example/shapes#named> <http://www.w3.org/ns/shacl#property> <https://x.example/shapes#name> .
<https://x.example/shapes#name> <http://www.w3.org/ns/shacl#path> <http://schema.org/name> .
<https://x.example/shapes#name> <http://www.w3.org/ns/shacl#minCount> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""
PEOPLE = [
    f"<https://x.example/{name}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Person> .\n"
    for name in ("a", "b", "c")
]


def test_they_find_what_this_process_finds() -> None:
    with workers.judged(SHAPES, PEOPLE, 2) as found:
        assert list(found) == [validate(SHAPES, each) for each in PEOPLE]
    assert all(validate(SHAPES, each) for each in PEOPLE)


def test_shapes_that_cannot_be_used_are_told() -> None:
    broken = SHAPES.replace(b'"1"^^<http://www.w3.org/2001/XMLSchema#integer>', b'"x"')
    with workers.judged(broken, PEOPLE, 1) as found, pytest.raises(KgError, match="sh:minCount"):
        list(found)


def test_a_worker_that_is_killed_is_told_and_none_stays() -> None:
    worker = workers.Worker(SHAPES)
    assert worker.judge(PEOPLE[0])
    os.kill(worker.process.pid, signal.SIGKILL)
    worker.process.wait()
    with pytest.raises(KgError, match="has ended"):
        worker.judge(PEOPLE[0])
    worker.close()


def test_nothing_is_lost_where_a_graph_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        f'<https://x.example/{subject}> <https://x.example/p> "{number}" <https://x.example/g> .'
        for subject in "abc"
        for number in range(5)
    ]
    monkeypatch.setattr(core, "PORTION", 100)
    portions = list(core.cut(lines))
    assert [line for portion in portions for line in portion] == [f"{line.rpartition(' <')[0]} .\n" for line in lines]
    assert [{line[:21] for line in portion} for portion in portions] == [{f"<https://x.example/{subject}>"} for subject in "abc"]
