"""A named question over HTTP against the same SPARQL query posted to the same server: CPU of all
processes per request.

All requests of a round differ, and the server does not cache answers.
"""

from __future__ import annotations

import http.client
import shutil
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlencode

from bench.generate import generate
from bench.pages import row
from bench.servers import Server, free_port, running
from bench.start import KG
from kg.check.check import good
from kg.publish.questions.values import Things, bind
from kg.publish.site import Documents

WORK = Path(__file__).parent / "work" / "questions"
CVS, ROUNDS = 50, 8
QUESTION = "coauthors-of"
TABLE = "application/sparql-results+json"
QUERY = "application/sparql-query"
GOAL = 1.2


def named(connection: http.client.HTTPConnection, value: str) -> bytes:
    connection.request("GET", f"/queries/{QUESTION}.json?{urlencode({'person': value})}")
    return read(connection)


def posted(connection: http.client.HTTPConnection, query: str) -> bytes:
    headers = {"Content-Type": QUERY, "Accept": TABLE}
    connection.request("POST", "/sparql", query.encode(), headers)
    return read(connection)


def read(connection: http.client.HTTPConnection) -> bytes:
    response = connection.getresponse()
    body = response.read()
    if response.status != http.client.OK:
        raise SystemExit(f"{response.status}: {body[:300]!r}")
    return body


def cost(
    server: Server, ask: Callable[[http.client.HTTPConnection, str], bytes], values: Sequence[str]
) -> float:
    """Milliseconds of CPU for one request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    before = server.cpu()
    for value in values:
        ask(connection, value)
    found = 1000 * (server.cpu() - before) / len(values)
    connection.close()
    return found


def run() -> list[dict[str, object]]:
    site = WORK / "site"
    shutil.rmtree(WORK, ignore_errors=True)
    generate(site, CVS)
    (WORK / "server").mkdir()
    graph = good(site)
    things = Things.of(graph.memory)
    names = things.names["people"]
    question = Documents(graph).questions[QUESTION]
    queries = [bind(question, {"person": slug}, things) for slug in names]
    asked = {
        "by slug": (named, list(names)),
        "by name": (named, list(names.values())),
        "posted": (posted, queries),
    }
    command: list[str | Path] = [KG, "serve", site, "--log", "none", "--port"]
    each: dict[str, list[float]] = {how: [] for how in asked}
    command.append(str(port := free_port()))
    folder = WORK / "server"
    with running("kg", command, port, "/", folder, KG_SERVE_CACHE_SIZE="0") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        for slug, query in zip(names, queries, strict=True):
            assert named(connection, slug) == posted(connection, query)  # noqa: S101
        connection.close()
        for _ in range(ROUNDS):
            for how, (ask, values) in asked.items():
                each[how].append(cost(server, ask, values))
    direct = statistics.median(each["posted"])
    return [
        row(
            f"question over HTTP, {how}",
            statistics.median(each[how]) / 1000,
            f"the same SPARQL posted {direct:.3f} ms",
            statistics.median(each[how]) / direct,
            GOAL,
            f"{len(names)} people; rounds {', '.join(f'{one:.3f}' for one in each[how])}",
        )
        for how in ("by slug", "by name")
    ]


if __name__ == "__main__":
    for found in run():
        print(found, file=sys.stdout)
