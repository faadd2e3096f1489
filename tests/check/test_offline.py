"""Whoever checks what a stranger sent is not made to talk to other machines by it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse

from kg.check import own_shapes
from kg.check.check import good
from kg.errors import KgError
from tests.check.plain_pyshacl import plain_graph

SHAPE = """@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix x: <https://x.example/> .

x:asks a sh:NodeShape ; sh:targetSubjectsOf <http://schema.org/name> ; sh:sparql [
  sh:select \"\"\"SELECT $this ?value WHERE {{
    $this ?any ?value {} }}\"\"\" ] .
"""
COMPONENT = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix x: <https://x.example/> .
x:C a sh:ConstraintComponent ; sh:parameter [ sh:path x:asked ] ; sh:validator [
  a sh:SPARQLAskValidator ; sh:ask "ASK { SERV\\\\u0049CE <%s> { ?a ?b ?c } }" ] .
x:s a sh:NodeShape ; sh:targetSubjectsOf x:p ; x:asked true .
"""
DATA = '<https://x.example/a> <https://x.example/p> "one" .\n'


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine, and who spoke to it."""
    callers: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            try:
                while True:
                    connection, _ = listener.accept()
                    callers.append("somebody")
                    connection.close()
            except OSError:
                return

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/", callers
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_the_processor_opens_no_connection(elsewhere: tuple[str, list[str]]) -> None:
    """Not even by a query that pyshacl itself takes for a harmless one."""
    address, callers = elsewhere
    shapes, data = (
        [quad.triple for quad in parse(text, RdfFormat.TURTLE)]
        for text in (COMPONENT % address, DATA)
    )
    with pytest.raises(KgError, match="calls another server"):
        own_shapes.findings(shapes, plain_graph(data))
    assert callers == []
    with socket.create_connection(("127.0.0.1", int(address.split(":")[2].strip("/")))):
        pass  # afterwards, and for anybody else, connections are open


OWN_FILES = {
    "shapes/own.ttl": (SHAPE, "shapes/own.ttl:1:1"),
    "queries/rules/own.rq": (
        "CONSTRUCT {{ ?s ?p ?o }} WHERE {{\n ?s ?p ?o {} }}",
        "queries/rules/own.rq:2:11",
    ),
    "queries/pages/own.rq": (
        "# pages: people 5\n# row: s\n# template: entries\n# title: x\nSELECT ?s {{ ?s ?p ?o {} }}",
        "queries/pages/own.rq:5:22",
    ),
    "queries/own.rq": ("# Who?\nSELECT * {{ ?s ?p ?o {} }}", "queries/own.rq:2:21"),
}


@pytest.mark.parametrize(("name", "told"), OWN_FILES.items(), ids=OWN_FILES)
def test_no_file_of_a_site_asks_another_server(
    name: str, told: tuple[str, str], example: Path, elsewhere: tuple[str, list[str]]
) -> None:
    address, callers = elsewhere
    text, message = told
    file = example / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.format(f"SERVICE <{address}> {{ ?a ?b ?c }}"), encoding="utf-8")
    with pytest.raises(KgError, match="SERVICE") as raised:
        good(example)
    assert message in str(raised.value)
    assert callers == []
