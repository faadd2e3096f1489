"""Large answers, and what is left of them in the server: nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from kg.sparql.workers.pool import resident
from tests.conftest import ROOT
from tests.web.serving import serving

pytestmark = [pytest.mark.proof, pytest.mark.server]

MEGABYTE = 1024 * 1024
LARGE = "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 20000"


def test_the_memory_of_large_answers_is_given_back() -> None:
    with serving(ROOT / "kg" / "example") as server:

        def size(query: str) -> int:
            return len(
                urlopen(
                    f"{server.address}sparql?{urlencode({'query': query, 'format': 'json'})}"
                ).read()
            )

        with ThreadPoolExecutor(4) as clients:
            list(clients.map(size, ["ASK {}"] * 300))  # every thread of the server has had a stack
            before = resident(server.process.pid)
            sizes = list(clients.map(size, [LARGE] * 20))
        assert min(sizes) > 5 * MEGABYTE
        assert resident(server.process.pid) - before < 2 * max(sizes), (
            "many answers take no more than one or two that are just being sent"
        )
