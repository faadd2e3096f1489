"""What the endpoint says of itself to programs, found by asking it."""

from __future__ import annotations

import json
from functools import lru_cache

from pyoxigraph import Quad

from kg.publish.about.service_description import Limit, describe_service
from kg.publish.formats.media import TABLES
from kg.publish.formats.rdf import graph_as
from kg.sparql.reading import guard
from kg.sparql.workers.limits import Limits
from kg.store.protocol import Endpoint, Wanted
from kg.web.state import Served

GRAPHS = "SELECT DISTINCT ?graph { GRAPH ?graph { ?s ?p ?o } }"
TRIPLES = "SELECT (COUNT(*) AS ?number) { ?s ?p ?o }"


def description(served: Served, media_type: str) -> bytes:
    """Raises a QueryError while the endpoint has no time."""
    return graph_as(media_type, quads(served), served.documents.base)


@lru_cache(maxsize=2)
def quads(served: Served) -> list[Quad]:
    endpoint = served.endpoint
    graphs = column(endpoint, GRAPHS)
    return describe_service(
        served.documents.base,
        in_force(endpoint.limits),
        graphs,
        endpoint.union,
        {"triples": int(column(endpoint, TRIPLES)[0])},
    )


def column(endpoint: Endpoint, query: str) -> list[str]:
    rows = json.loads(endpoint.answer(query, Wanted(TABLES[0], None)).body)["results"]["bindings"]
    return [term["value"] for row in rows for term in row.values()]


def in_force(limits: Limits) -> list[Limit]:
    return [
        Limit("deadline", "The time a query may take", limits.deadline, "seconds"),
        Limit("memory", "The memory a query may take", limits.memory, "bytes"),
        Limit("answer", "The size of an answer", limits.answer, "bytes"),
        Limit("characters", "The length of a query", guard.MOST_CHARACTERS, "characters"),
        Limit("depth", "How deep brackets are nested in a query", guard.DEEPEST, "levels"),
        Limit("patterns", "The patterns of a query", guard.MOST_PATTERNS, "patterns"),
        Limit(
            "operators", "The operators and clauses of a query", guard.MOST_OPERATORS, "operators"
        ),
    ]
