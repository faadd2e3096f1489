"""Pages: values as they are meant, and the same page whatever the order of the triples."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from kg.check.check import good
from kg.graph.build import Graph
from kg.publish.site import Documents
from kg.publish.text import wording
from kg.store.memory import Memory


def html(folder: Path, path: str) -> str:
    document = Documents(good(folder)).get(path)
    assert document is not None
    return document.body.decode()


@pytest.mark.parametrize("number", ["1999-66", "1999-22", "2020-05"])
def test_a_number_that_looks_like_a_date_stays_as_it_is(example: Path, number: str) -> None:
    works = example / "data" / "publications.yaml"
    works.write_text(works.read_text(encoding="utf-8").replace("DW-20-7", number), encoding="utf-8")
    assert f"<dt>Report number</dt><dd><bdi>{number}</bdi></dd>" in html(
        example, "publications/haddad-2020-stations.html"
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2024", "2024"),
        ("2024-08", "Aug 2024"),
        ("2024-08-01", "1 Aug 2024"),
        ("2020-22", "Summer 2020"),
        ("2020-66", "2020-66"),
        ("", ""),
    ],
)
def test_a_date_reads_as_people_write_it(text: str, read: str) -> None:
    assert wording.date(text) == read


def test_the_order_of_triples_changes_no_page(graph: Graph, documents: Documents) -> None:
    lines = graph.nquads.decode().splitlines(keepends=True)
    random.Random(7).shuffle(lines)
    shuffled = Documents(replace(graph, memory=Memory(graph.site.base, "".join(lines).encode())))
    pages = [
        path
        for path, (address, _) in documents.files.items()
        if path.endswith(".html") and address in documents.addresses
    ]
    assert len(pages) > 300
    assert [path for path in pages if documents.get(path) != shuffled.make(path)] == []
