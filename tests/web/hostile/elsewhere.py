"""Queries that would have this machine ask another, or read its files; `{canary}` is an address
where somebody listens.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from tests.web.hostile.case import Case, asks

SERVICE, ANSWERED = "SERVICE is not allowed", "results"
SERVICES = {
    "plainly": "SELECT * {{ SERVICE <{canary}> {{ ?s ?p ?o }} }}",
    "silently": "SELECT * {{ SERVICE SILENT <{canary}> {{ ?s ?p ?o }} }}",
    "in lower case, glued": "select*{{service silent<{canary}>{{}}}}",
    "in a subquery": "SELECT * {{ {{ SELECT ?s {{ SERVICE <{canary}> {{ ?s ?p ?o }} }} }} }}",
    "in EXISTS": "SELECT * {{ ?s ?p ?o FILTER EXISTS {{ SERVICE <{canary}> {{ ?s ?p ?o }} }} }}",
    "in OPTIONAL": "SELECT * {{ OPTIONAL {{ SERVICE SILENT <{canary}> {{ ?s ?p ?o }} }} }}",
    "behind a variable": "SELECT * {{ VALUES ?w {{ <{canary}> }} SERVICE SILENT ?w {{ ?s ?p ?o }} }}",  # noqa: E501
    "behind a prefix": "PREFIX c: <{canary}> SELECT * {{ SERVICE SILENT c: {{ ?s ?p ?o }} }}",
    "behind an odd prefix": "PREFIX a\u0300: <{canary}> SELECT * {{ SERVICE SILENT a\u0300: {{ ?s ?p ?o }} }}",  # noqa: E501
    "glued to a number": "SELECT * {{ ?s ?p 1SERVICE SILENT <{canary}> {{}} }}",
    "glued to SILENT": "SELECT * {{ SERVICESILENT <{canary}> {{}} }}",
    "behind what looks like an address": "SELECT * {{ FILTER('a'<'>')SERVICE SILENT <{canary}> {{}} FILTER('b'='b') }}",  # noqa: E501
    "behind what looks like a comment": "PREFIX c: <{canary}> SELECT * {{ FILTER(1<2)SERVICE SILENT c:#>\n{{}} }}",  # noqa: E501
    "in a graph to construct": "CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH ?g {{ SERVICE <{canary}> {{ ?s ?p ?o }} }} }}",  # noqa: E501
    "in a description": "DESCRIBE ?s {{ SERVICE SILENT <{canary}> {{ ?s ?p ?o }} }}",
}
OTHERS = {
    "FROM an address": "SELECT * FROM <{canary}> {{ ?s ?p ?o }}",
    "FROM NAMED an address": "SELECT * FROM NAMED <{canary}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
    "FROM a file": "SELECT * FROM <file:///etc/passwd> {{ ?s ?p ?o }}",
    "GRAPH an address": "SELECT * {{ GRAPH <{canary}> {{ ?s ?p ?o }} }}",
    "GRAPH a file": "SELECT * {{ GRAPH <file:///etc/passwd> {{ ?s ?p ?o }} }}",
    "an address for a function": "SELECT * {{ BIND(<{canary}>('x') AS ?x) }}",
}
PARAMETERS = {
    "default-graph-uri of an address": "?default-graph-uri={canary}",
    "named-graph-uri of an address": "?named-graph-uri={canary}",
    "default-graph-uri of a file": "?default-graph-uri=file:///etc/passwd",
}


def cases(canary: str) -> Iterator[Case]:
    for name, query in SERVICES.items():
        yield asks(f"SERVICE {name}", query.format(canary=canary), 400, says=SERVICE)
    for name, query in OTHERS.items():
        yield asks(name, query.format(canary=canary), 200, says=ANSWERED)
    for name, parameters in PARAMETERS.items():
        yield asks(
            name,
            "SELECT * { ?s ?p ?o }",
            200,
            says=ANSWERED,
            parameters=parameters.format(canary=quote(canary)),
        )
    yield asks("LOAD of an address", f"LOAD <{canary}>", 400, says="read-only")
    yield asks(
        "a long name before SERVICE",
        f"PREFIX {'a' * 300}: <{canary}> ASK {{ SERVICE {'a' * 300}: {{}} }}",
        400,
        says="prefix",
    )
