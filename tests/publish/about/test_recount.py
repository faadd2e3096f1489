"""What is counted after an edit is what is counted from the beginning."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

from kg.check.impact.diff import apart
from kg.graph.build import Graph
from kg.graph.sorted_lines import Lines
from kg.publish.about import recount
from kg.publish.about.counts import count
from kg.store.memory import Memory
from kg.vocab import rdf, schema

BASE = "https://a.example/"


def line(subject: str, predicate: str, value: str) -> bytes:
    document = f"{BASE}{subject}".partition("#")[0]
    return f"<{BASE}{subject}> <{predicate}> {value} <{document}> .\n".encode()


def counted_again(base: str, old: list[bytes], new: list[bytes]) -> None:
    before, after = (b"".join(sorted(set(lines))) for lines in (old, new))
    found = recount.recount(count(before), Memory(base, after), Lines(after), *apart(before, after))
    assert found == count(after)


def test_lines_that_come_and_go_at_random(graph: Graph) -> None:
    chance = random.Random(5)
    lines = graph.nquads.splitlines(keepends=True)
    typed = [each for each in lines if f"<{rdf.type}>".encode() in each]
    for size in (1, 20, 200):
        for some in (lines, typed):
            gone, come = (frozenset(chance.sample(some, size)) for _ in range(2))
            counted_again(
                graph.site.base,
                [each for each in lines if each not in come],
                [each for each in lines if each not in gone],
            )


def test_a_document_that_comes_and_one_that_goes(graph: Graph) -> None:
    lines = graph.nquads.splitlines(keepends=True)
    documents = [document for document, runs in Lines(graph.nquads).runs.items() if runs][::150]
    for one, other in pairwise(documents):
        ends = [f" <{each}> .\n".encode() for each in (one, other)]
        counted_again(
            graph.site.base, *([each for each in lines if not each.endswith(end)] for end in ends)
        )


def test_values_that_the_store_takes_for_equal_are_two() -> None:
    number = "^^<http://www.w3.org/2001/XMLSchema#decimal>"
    one, two = (
        line("x#it", schema.value, f'"1.5"{number}'),
        line("y#it", schema.value, f'"1.50"{number}'),
    )
    kept = [
        line("x#it", rdf.type, f"<{schema.Organization}>"),
        line("y#it", rdf.type, f"<{schema.Person}>"),
    ]
    counted_again(BASE, [*kept, one], [*kept, one, two])
    counted_again(BASE, [*kept, one, two], [*kept, one])
    counted_again(BASE, [*kept, one], [*kept, two])


def test_who_points_at_a_thing_of_another_class_counts_otherwise() -> None:
    link = [
        line("x#it", rdf.type, f"<{schema.Person}>"),
        line("x#it", schema.about, f"<{BASE}y#it>"),
    ]
    one, two = (line("y#it", rdf.type, f"<{kind}>") for kind in (schema.Book, schema.Place))
    counted_again(BASE, [*link, one], [*link, two])
    counted_again(BASE, [*link, one], link)
    counted_again(BASE, link, [*link, one, two])


def test_links_are_counted_by_what_they_lead_to() -> None:
    lines = [
        line("x#it", schema.about, f"<{BASE}y#it>"),
        line("x#it", schema.about, f"<{BASE}y#part>"),
        line("z#it", schema.about, f"<{BASE}y#it>"),
    ]
    assert count(b"".join(lines)).linked == Counter({f"{BASE}y#it": 2})
    counted_again(BASE, lines, lines[:2])


def test_very_much_is_counted_from_the_beginning(graph: Graph) -> None:
    found = recount.recount(
        count(b""),
        Memory(graph.site.base, graph.nquads),
        Lines(graph.nquads),
        *apart(b"", graph.nquads),
    )
    assert found is None
