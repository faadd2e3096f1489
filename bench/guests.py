"""Requests for the load test: friends, whose correct answers are known, and foes, which may only
get certain statuses.
"""

from __future__ import annotations

import csv
import http.client
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode

from kg.check.check import check
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from kg.publish.site import Documents
from kg.sparql.evaluate import answer
from kg.store.memory import Memory
from kg.store.protocol import Graphs, Query, Wanted

JSON, CSV, TSV, XML = (
    "application/sparql-results+json",
    "text/csv",
    "text/tab-separated-values",
    "application/sparql-results+xml",
)
NTRIPLES, FORM, DIRECT = (
    "application/n-triples",
    "application/x-www-form-urlencoded",
    "application/sparql-query",
)
SCHEMA = "PREFIX schema: <http://schema.org/> "
PEOPLE = ("arpan-jain", "minjia-zhang", "siddharth-singh")


@dataclass(frozen=True)
class Request:
    kind: str
    path: str
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def sent(self, connection: http.client.HTTPConnection, who: str) -> tuple[int, str, bytes]:
        """Sends the request; returns status, media type and body of the answer."""
        connection.request(
            self.method, self.path, self.body or None, {**self.headers, "X-Forwarded-For": who}
        )
        response = connection.getresponse()
        return response.status, response.headers.get_content_type(), response.read()


@dataclass(frozen=True)
class Friend:
    request: Request
    right: object


@dataclass(frozen=True)
class Foe:
    request: Request
    allowed: tuple[int, ...]


def meaning(media_type: str, body: bytes) -> object:
    """The content of an answer, independent of the order of its rows."""
    if media_type == JSON:
        found = json.loads(body)
        rows = sorted(
            json.dumps(row, sort_keys=True) for row in found.get("results", {}).get("bindings", ())
        )
        return found["head"], found.get("boolean"), rows
    if media_type == CSV:
        return sorted(csv.reader(io.StringIO(body.decode())))
    if media_type in (TSV, NTRIPLES):
        return sorted(body.splitlines())
    return body


def get(kind: str, query: str, accept: str, **others: str) -> Request:
    return Request(
        kind, "/sparql?" + urlencode({"query": query, **others}), headers={"Accept": accept}
    )


def form(kind: str, **fields: str) -> Request:
    return Request(
        kind, "/sparql", "POST", {"Content-Type": FORM, "Accept": JSON}, urlencode(fields).encode()
    )


def direct(kind: str, query: str, accept: str = JSON) -> Request:
    return Request(
        kind, "/sparql", "POST", {"Content-Type": DIRECT, "Accept": accept}, query.encode()
    )


def friends(site: Path) -> list[Friend]:
    """Typical requests with their answers, computed here without the server."""
    documents = Documents(check(site, Run(cache=Cache(site))).good_graph(site))
    memory = Memory(documents.base, documents.graph.nquads, rest=documents.rest())
    coauthors, per_year = (
        (site / "queries" / f"{name}.rq").read_text()
        for name in ("coauthors-of", "papers-per-year")
    )
    asked: list[tuple[Request, str, Graphs]] = []

    def ask(request: Request, query: str, graphs: Graphs = Graphs()) -> None:
        asked.append((request, query, graphs))

    for slug in PEOPLE:
        thing = f"{documents.base}people/{slug}#it"
        ask(direct("describe", query := f"DESCRIBE <{thing}>", NTRIPLES), query)
        ask(
            get("co-authors", query := coauthors.replace("people/arpan-jain#it", thing), JSON),
            query,
        )
        ask(form("ask", query=(query := f"{SCHEMA}ASK {{ <{thing}> schema:name ?name }}")), query)
        graph = f"{documents.base}people/{slug}"
        ask(
            get("one graph", query := "SELECT * { ?s ?p ?o }", TSV, **{"default-graph-uri": graph}),
            query,
            Graphs((graph,)),
        )
    ask(get("per year", per_year, CSV), per_year)
    for word in ("learning", "Ohio", "deep"):
        where = f'?thing schema:name ?name FILTER(CONTAINS(LCASE(STR(?name)), "{word.lower()}"))'
        ask(get("text filter", query := f"{SCHEMA}SELECT * {{ {where} }}", TSV), query)
        ask(
            direct(
                "construct",
                query := f"{SCHEMA}CONSTRUCT {{ ?thing schema:name ?name }} WHERE {{ {where} }}",
                NTRIPLES,
            ),
            query,
        )
        ask(
            get("csv", query := f"{SCHEMA}SELECT ?name ?thing {{ {where} }} ORDER BY ?name", CSV),
            query,
        )
    found = []
    for request, query, graphs in asked:
        accepted = request.headers["Accept"]
        expected = answer(memory, Query(query, Wanted(accepted, accepted), graphs))
        found.append(Friend(request, meaning(expected.media_type, expected.body)))
    for path in (
        "index.html",
        *(f"people/{slug}.{suffix}" for slug in PEOPLE for suffix in ("html", "ttl", "jsonld")),
    ):
        document = documents.get(path)
        assert document is not None  # noqa: S101
        found.append(Friend(Request("page", f"/{path}"), document.body))
    return found


def foes() -> list[Foe]:
    """Malicious or malformed requests. Each may also get 503, when the endpoint is busy."""
    any3, doubled = (
        "?a ?b ?c . ?d ?e ?f . ?g ?h ?i",
        " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(60)),
    )
    explosion = "?a (<x:>|!<x:>)* ?b . ?b (<x:>|!<x:>)* ?c . ?c (<x:>|!<x:>)* ?d"
    stopped, refused = (504, 503), (400, 503)
    queries = [
        ("product, ORDER BY", f"SELECT * {{ {any3} }} ORDER BY ?c ?f ?i", stopped),
        ("product, COUNT", f"SELECT (COUNT(*) AS ?n) {{ {any3} }}", stopped),
        ("product, DISTINCT", f"SELECT DISTINCT ?a ?f ?i {{ {any3} }}", (*stopped, 400)),
        ("product, streamed", f"SELECT * {{ {any3} }}", (*stopped, 400)),
        (
            "doubling",
            f'SELECT (STRLEN(?x60) AS ?n) {{ BIND("aaaaaaaaaaaaaaaa" AS ?x0) {doubled} }}',
            stopped,
        ),
        ("path explosion", f"SELECT (COUNT(*) AS ?n) {{ {explosion} }}", stopped),
        ("large answer", "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 30000", (200, *stopped)),
        ("too large answer", "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 400000", (400, *stopped)),
        ("deep nesting", f"SELECT * {'{' * 5000}{'}' * 5000}", refused),
        ("deep negation", f"ASK {{ FILTER({'!' * 20000}true) }}", refused),
        ("SERVICE", "SELECT * { SERVICE SILENT <http://127.0.0.1:9/> { ?s ?p ?o } }", refused),
        ("update as query", "INSERT DATA { <a:> <b:> <c:> }", refused),
        ("syntax error", "SELECT * { ?s ?p }", refused),
        ("too long query", f"SELECT * {{ ?s ?p '{'x' * 90_000}' }}", refused),
    ]
    return [
        *(Foe(direct(kind, query), allowed) for kind, query, allowed in queries),
        Foe(form("update", update="DROP ALL"), (403,)),
        Foe(
            Request("oversize body", "/sparql", "POST", {"Content-Type": DIRECT}, b" " * 2_000_000),
            (413,),
        ),
        Foe(Request("odd method", "/sparql", "TRACE"), (405,)),
        Foe(Request("path traversal", quote("/../../etc/passwd")), (404,)),
        Foe(Request("bad encoding", "/sparql?query=%ff%fe%00"), (400,)),
    ]


HEAD = (
    b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\nContent-Type: "
    b"application/sparql-query\r\n"
)
SLOW_BODY = HEAD + b"Content-Length: 1000\r\n\r\nSELECT"
NEVER_READ = b"SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 30000"
UNREAD = HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(NEVER_READ), NEVER_READ)
