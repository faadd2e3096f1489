"""Asks an endpoint from a test, which has no event loop."""

from __future__ import annotations

import asyncio

from kg.sparql.endpoint import Endpoint
from kg.store.protocol import Answer, Graphs, Query, Wanted


def answered(
    endpoint: Endpoint,
    query: str,
    wanted: Wanted,
    graphs: Graphs = Graphs(),
    client: str = "",
    timeout: float | None = None,
) -> Answer:
    return asyncio.run(endpoint.ask(Query(query, wanted, graphs, timeout, client)))
