"""Many pages are made with fewer queries, and each has the answers that it would have alone."""

from __future__ import annotations

import pytest

from kg.publish.export import trace
from kg.publish.export.trace import BulkStore, is_divisible
from kg.publish.site import Documents
from kg.settings import shipped
from kg.store.memory import Memory
from kg.store.protocol import Solution

WORKS = """PREFIX schema: <http://schema.org/>
SELECT ?thing ?work WHERE { ?work schema:author ?thing . } ORDER BY ?work"""
COUNTED = """PREFIX schema: <http://schema.org/>
SELECT (COUNT(?work) AS ?works) WHERE { ?work schema:author ?thing . }"""
WRITTEN = """PREFIX schema: <http://schema.org/>
SELECT ?work WHERE { ?work schema:author ?thing . } ORDER BY ?work LIMIT 2"""


def of_each(rows: list[Solution]) -> list[Solution]:
    """The rows about one thing after those about another, each in their order."""
    return sorted(rows, key=lambda row: str(row.get("thing")))


@pytest.mark.proof
def test_every_block_has_the_rows_that_it_has_alone(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "CHUNK_SIZE", 50)
    base, store = documents.base, documents.graph.memory
    queries = [path.read_text(encoding="utf-8") for path in shipped("queries").glob("pages/*.rq")]
    asked = [each for each in [*queries, COUNTED, WRITTEN] if "?thing" in each]
    assert len(asked) > 30
    assert sum(is_divisible(each, "thing") for each in queries) > 30
    for kind in ("people", "publications", "venues"):
        things = [
            f"{base}{address}#it"
            for address in sorted(documents.addresses)
            if address.startswith(f"{kind}/") and address != f"{kind}/"
        ]
        bulk = BulkStore(store, [frozenset(things)])
        for query in asked:
            for thing in things[:4]:
                assert bulk.select(query, thing=thing) == store.select(query, thing=thing)
            for several in (things[:1], things[2:6], things[-1::-60]):  # some of other chunks
                found, alone = (each.select(query, thing=several) for each in (bulk, store))
                assert of_each(found) == of_each(alone)


def test_a_query_is_asked_once_of_all_things_of_a_kind(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, asked = documents.graph.memory, list[str]()
    things = [f"{documents.base}{each}#it" for each in documents.addresses if "people/" in each]
    bulk = BulkStore(store, [frozenset(things)])
    select = store.select

    def counted(query: str, **values: str | list[str]) -> list[Solution]:
        asked.append(query)
        return select(query, **values)

    monkeypatch.setattr(store, "select", counted)
    found = [bulk.select(WORKS, thing=thing) for thing in things]
    assert any(found)
    assert asked == [WORKS]


@pytest.mark.parametrize(
    "query",
    [
        COUNTED,
        WRITTEN,
        "SELECT * WHERE { ?work <urn:author> ?thing }",
        "SELECT ?thing ?n WHERE { ?thing <urn:n> ?n } LIMIT 3",
        "SELECT ?thing ?n WHERE { { SELECT (MAX(?year) AS ?n) WHERE { ?thing <urn:n> ?year } } }",
        "SELECT ?name (COUNT(?thing) AS ?n) WHERE { ?thing <urn:n> ?name } GROUP BY ?name",
    ],
)
def test_what_is_counted_over_all_things_is_asked_of_each(query: str) -> None:
    assert not is_divisible(query, "thing")


def test_rows_without_their_thing_are_asked_of_each() -> None:
    store = Memory("https://site.example/")
    store.load(b'<urn:a> <urn:n> "1" <urn:g> .\n<urn:b> <urn:m> "2" <urn:g> .\n')
    bulk = BulkStore(store, [frozenset(["urn:a", "urn:b"])])
    for query in (
        "SELECT ?thing ?n WHERE { ?thing <urn:n> ?n }",
        "SELECT ?thing ?n {{SELECT ?thing ?n WHERE {?thing <urn:n> ?n}} UNION {?x <urn:m> ?n}}",
    ):
        for thing in ("urn:a", "urn:b"):
            assert bulk.select(query, thing=thing) == store.select(query, thing=thing)
