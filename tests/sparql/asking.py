"""Asks an endpoint from a test, which has no event loop."""

from __future__ import annotations

import asyncio

from kg.sparql.endpoint import Endpoint
from kg.store.protocol import Answer, Graphs, Wanted


def answered(
    endpoint: Endpoint,
    query: str,
    wanted: Wanted,
    graphs: Graphs = Graphs(),
    client: str = "",
) -> Answer:
    return asyncio.run(endpoint.ask(query, wanted, graphs, client))
