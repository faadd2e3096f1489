"""Many pages are made with fewer queries, and each has the answers that it would have alone."""

from __future__ import annotations

import pytest

from kg.publish.export import trace
from kg.publish.export.trace import BulkStore
from kg.publish.site import Documents
from kg.settings import shipped

COUNTED = """PREFIX schema: <http://schema.org/>
SELECT (COUNT(?work) AS ?works) WHERE { ?work schema:author ?thing . }"""
WRITTEN = """PREFIX schema: <http://schema.org/>
SELECT ?work WHERE { ?work schema:author ?thing . } ORDER BY ?work LIMIT 2"""


def test_every_block_has_the_rows_that_it_has_alone(
    documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "FEWEST", 2)
    base, store = documents.base, documents.graph.memory
    queries = [path.read_text(encoding="utf-8") for path in shipped("queries").glob("pages/*.rq")]
    asked = [each for each in [*queries, COUNTED, WRITTEN] if "?thing" in each]
    assert len(asked) > 30
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
