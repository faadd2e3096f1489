"""Strangers' queries on a graph: in every standard form, over chosen graphs, with what the engine
does otherwise put right.
"""

from __future__ import annotations

import csv
import json
import threading
from io import StringIO

import pytest
from pyoxigraph import QueryResultsFormat, RdfFormat, parse, parse_query_results

from kg.errors import BadQuery, WrongForm
from kg.publish.formats.media import GRAPHS, TABLES
from kg.sparql.evaluate import answer
from kg.store.memory import Memory
from kg.store.protocol import Graphs, Query, Wanted

BASE = "https://lab.example.org/"
NQUADS = f"""
<{BASE}b#it> <http://schema.org/name> "Bo" <{BASE}b> .
<{BASE}a#it> <http://schema.org/name> "Ada, \\"the\\" <first>" <{BASE}a> .
<{BASE}a#it> <http://schema.org/knows> <{BASE}b#it> <{BASE}a> .
""".encode()
JSON, CSV, LINES = (
    Wanted(TABLES[0], None),
    Wanted("text/csv", None),
    Wanted(None, "application/n-triples"),
)


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(BASE, NQUADS)


@pytest.mark.parametrize("media_type", TABLES)
def test_a_table_comes_in_every_standard_form(memory: Memory, media_type: str) -> None:
    found = answer(
        memory,
        Query("SELECT ?name { ?s <http://schema.org/name> ?name }", Wanted(media_type, None)),
    )
    assert found.media_type == media_type
    names = {"Bo", 'Ada, "the" <first>'}
    if media_type == "text/csv":
        assert {row["name"] for row in csv.DictReader(StringIO(found.body.decode()))} == names
    else:
        form = QueryResultsFormat.from_media_type(media_type)
        assert form is not None
        assert {row["name"].value for row in parse_query_results(found.body, format=form)} == names  # type: ignore[union-attr]


def test_an_ask_is_answered_with_true_or_false(memory: Memory) -> None:
    for pattern, expected in (("?s ?p 'Bo'", True), ("?s ?p 'Cy'", False)):
        found = answer(memory, Query(f"ASK {{ {pattern} }}", Wanted(TABLES[0], None)))
        assert json.loads(found.body)["boolean"] is expected


@pytest.mark.parametrize("media_type", GRAPHS)
def test_a_graph_comes_in_every_standard_form(memory: Memory, media_type: str) -> None:
    query = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . <a#it> ?p ?o }"
    found = answer(memory, Query(query, Wanted(None, media_type)))
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    assert found.media_type == media_type
    assert {quad.triple for quad in parse(found.body, format=form)} == {
        quad.triple for quad in memory.quads(f"{BASE}a")
    }


def test_a_table_is_not_given_where_only_graphs_are_taken(memory: Memory) -> None:
    with pytest.raises(WrongForm, match="returns a table"):
        answer(memory, Query("SELECT * {}", Wanted(None, GRAPHS[0])))
    with pytest.raises(WrongForm, match="returns a graph"):
        answer(memory, Query("DESCRIBE <a>", Wanted(TABLES[0], None)))


def columns(memory: Memory, query: str) -> str:
    return answer(memory, Query(query, CSV)).body.decode().splitlines()[0]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT * { ?s ?p ?o }", "s,p,o"),
        ("PREFIX z: <http://z/> select distinct * where { ?z ?y ?a } ORDER BY ?a LIMIT 1", "z,y,a"),
        ("SELECT * { $o ?s ?p }", "o,s,p"),
        ("SELECT * { { SELECT ?b ?a { ?a ?hidden ?b } } ?a ?c ?d }", "b,a,c,d"),
        ("SELECT * # s\n { ?b ?p ?a BIND(1 AS ?c) } VALUES ?x { 1 }", "b,p,a,c,x"),
        ("SELECT ?o ?s { ?s ?p ?o }", "o,s"),
        ("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "n"),
        ("SELECT * {}", ""),
    ],
)
def test_columns_come_in_the_order_of_the_query(memory: Memory, query: str, expected: str) -> None:
    assert columns(memory, query) == expected


def values(memory: Memory, query: str, graphs: Graphs = Graphs()) -> list[str]:
    return sorted(answer(memory, Query(query, CSV, graphs)).body.decode().split("\r\n")[1:-1])


NAMES = "SELECT ?name %s { ?s <http://schema.org/name> ?name }"
BY_GRAPH = "SELECT ?g %s { GRAPH ?g { ?s <http://schema.org/name> ?name } }"
ADA, BO = '"Ada, ""the"" <first>"', "Bo"


@pytest.mark.parametrize(
    ("query", "graphs", "expected"),
    [
        (NAMES % "", Graphs(), [ADA, BO]),
        (NAMES % "FROM <b>", Graphs(), [BO]),
        (NAMES % "FROM <a> FROM <b>", Graphs(), [ADA, BO]),
        (NAMES % "FROM <nowhere>", Graphs(), []),
        (NAMES % "FROM NAMED <b>", Graphs(), []),
        (BY_GRAPH % "", Graphs(), [f"{BASE}a", f"{BASE}b"]),
        (BY_GRAPH % "FROM NAMED <b>", Graphs(), [f"{BASE}b"]),
        (BY_GRAPH % "FROM <b>", Graphs(), []),
        (NAMES % "", Graphs((f"{BASE}b",)), [BO]),
        (NAMES % "", Graphs((f"{BASE}a", f"{BASE}b")), [ADA, BO]),
        (NAMES % "FROM <a>", Graphs((f"{BASE}b",)), [BO]),
        (NAMES % "", Graphs(named=(f"{BASE}b",)), []),
        (BY_GRAPH % "", Graphs(named=(f"{BASE}b",)), [f"{BASE}b"]),
        (BY_GRAPH % "", Graphs((f"{BASE}b",)), []),
        (BY_GRAPH % "", Graphs((f"{BASE}a",), (f"{BASE}b", "http://nowhere/")), [f"{BASE}b"]),
    ],
)
def test_graphs_are_chosen_by_the_query_or_beside_it(
    memory: Memory, query: str, graphs: Graphs, expected: list[str]
) -> None:
    assert values(memory, query, graphs) == expected


def test_without_the_union_only_what_is_in_no_graph_is_asked() -> None:
    memory = Memory(
        BASE, NQUADS + f'<{BASE}c> <http://schema.org/name> "Cy" .\n'.encode(), union=False
    )
    assert values(memory, NAMES % "") == ["Cy"]
    assert values(memory, BY_GRAPH % "") == [f"{BASE}a", f"{BASE}b"]
    assert values(Memory(BASE, memory_lines(memory), union=True), NAMES % "") == [ADA, BO, "Cy"]


def memory_lines(memory: Memory) -> bytes:
    return memory.store.dump(format=RdfFormat.N_QUADS) or b""


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            (
                "SELECT ?name { ?s <http://schema.org/name> ?name FILTER(<http://f/x>(?name) || "
                "?name = 'Bo') }"
            ),
            ["Bo"],
        ),
        ("SELECT ?name { ?s <http://schema.org/name> ?name FILTER(<http://f/x>(?name)) }", []),
        (
            (
                "SELECT (COALESCE(<f>(1), <g>(2), <h>(?name), 'none') AS ?x) { ?s "
                "<http://schema.org/name> ?name }"
            ),
            ["none", "none"],
        ),
        ("SELECT * { BIND(<http://f/x>(1) AS ?x) }", [""]),
    ],
)
def test_a_function_nobody_knows_is_an_error_of_its_expression(
    memory: Memory, query: str, expected: list[str]
) -> None:
    assert values(memory, query) == expected


def test_endless_unknown_functions_are_refused(memory: Memory) -> None:
    calls = " || ".join(f"<http://f/{number}>(1)" for number in range(50))
    with pytest.raises(BadQuery, match="cannot be evaluated"):
        answer(memory, Query(f"ASK {{ FILTER({calls}) }}", JSON))


POSITION = f"""<{BASE}a#it> <http://schema.org/hasOccupation> <{BASE}a#work-x> <{BASE}a> .
<{BASE}a#work-x> <http://schema.org/startDate> "2019" <{BASE}a> .
<{BASE}a#work-x> <http://schema.org/agent> <{BASE}a#it> <{BASE}a> .
<{BASE}b#it> <http://schema.org/age> "7" <{BASE}b> .
<{BASE}b#it> <http://schema.org/knows> <http://elsewhere/#c> <{BASE}b> .
<http://elsewhere/#c> <http://schema.org/knows> <http://elsewhere/#d> .
<http://elsewhere/#d> <http://schema.org/age> "1" .
<http://elsewhere/#c> <http://schema.org/address> _:x .
_:x <http://schema.org/name> "Street" .
""".encode()


def told(query: str, graphs: Graphs = Graphs()) -> set[str]:
    """Subjects and properties of a description, as `a#it name`."""
    lines = (
        answer(Memory(BASE, NQUADS + POSITION), Query(query, LINES, graphs))
        .body.decode()
        .splitlines()
    )
    short = [
        line.replace(BASE, "").replace("http://schema.org/", "").replace("http://elsewhere/", "")
        for line in lines
    ]
    return {" ".join(line.split(" ")[:2]).replace("<", "").replace(">", "") for line in short}


A = {
    "a#it name",
    "a#it knows",
    "a#it hasOccupation",
    "a#work-x startDate",
    "a#work-x agent",
    "b#it name",
}


@pytest.mark.parametrize(
    ("query", "graphs", "expected"),
    [
        ("DESCRIBE <a#it>", Graphs(), A),
        ("PREFIX : <a#> DESCRIBE :it", Graphs(), A),
        ("DESCRIBE ?s { ?s <http://schema.org/hasOccupation> ?o }", Graphs(), A),
        (
            "DESCRIBE ?s FROM <a> WHERE { ?s <http://schema.org/hasOccupation> ?o }",
            Graphs(),
            A - {"b#it name"},
        ),
        ("DESCRIBE <a#it>", Graphs((f"{BASE}a",)), A - {"b#it name"}),
        ("DESCRIBE <a#it> FROM <b>", Graphs(), set()),
        (
            "DESCRIBE * { ?s <http://schema.org/age> '7' }",
            Graphs(),
            {"b#it name", "b#it age", "b#it knows"},
        ),
        ("DESCRIBE <a#work-x>", Graphs(), {"a#work-x startDate", "a#work-x agent", "a#it name"}),
        (
            "DESCRIBE <b#it> ?x { ?x <http://schema.org/startDate> ?y } LIMIT 1",
            Graphs(),
            {
                *[
                    "b#it name",
                    "b#it age",
                    "b#it knows",
                    "a#work-x startDate",
                    "a#work-x agent",
                    "a#it name",
                ]
            },
        ),
        ("DESCRIBE <nobody>", Graphs(), set()),
        ("DESCRIBE ?s", Graphs(), set()),
    ],
)
def test_a_description_tells_of_a_thing_and_what_depends_on_it(
    query: str, graphs: Graphs, expected: set[str]
) -> None:
    assert told(query, graphs) == expected


def test_blank_nodes_are_described_with_their_things_and_others_are_only_named() -> None:
    lines = answer(
        Memory(BASE, NQUADS + POSITION), Query("DESCRIBE <http://elsewhere/#c>", LINES)
    ).body.decode()
    assert '"Street"' in lines
    assert '"1"' not in lines


def test_a_description_is_the_same_every_time(memory: Memory) -> None:
    bodies = {
        answer(
            Memory(BASE, NQUADS + POSITION),
            Query("DESCRIBE * { ?s ?p ?o FILTER(!isBlank(?s)) }", LINES),
        ).body.count(b"\n")
        for _ in range(3)
    }
    assert len(bodies) == 1


def test_names_that_are_known_from_one_description_are_right_in_the_next() -> None:
    memory = Memory(BASE, NQUADS)
    first, again = (answer(memory, Query("DESCRIBE <a#it>", LINES)).body for _ in range(2))
    assert first == again
    assert b'"Bo"' in first
    assert b'"Bo"' not in answer(memory, Query("DESCRIBE <a#it> FROM <a>", LINES)).body
    memory.load(f'<{BASE}b#it> <http://schema.org/name> "Bob" <{BASE}b> .\n'.encode())
    assert b'"Bob"' in answer(memory, Query("DESCRIBE <a#it>", LINES)).body


@pytest.mark.parametrize(
    "query", ["SELECT * { ?s ?p ?o }", "CONSTRUCT WHERE { ?s ?p ?o }", "DESCRIBE * { ?s ?p ?o }"]
)
def test_an_answer_has_a_largest_size(memory: Memory, query: str) -> None:
    wanted = Wanted(TABLES[0], GRAPHS[0])
    size = len(answer(memory, Query(query, wanted)).body)
    assert answer(memory, Query(query, wanted), most=size).body
    with pytest.raises(BadQuery, match="larger than"):
        answer(memory, Query(query, wanted), most=size - 1)


def test_what_changes_by_itself_does_not_last(memory: Memory) -> None:
    assert answer(memory, Query("ASK {}", JSON)).is_lasting
    assert not answer(memory, Query("SELECT (NOW() AS ?now) {}", JSON)).is_lasting


@pytest.mark.parametrize(
    ("query", "wanted", "most"),
    [
        ("SELECT * { ?s ?p ?o }", LINES, 1000),
        ("ASK {}", LINES, 1000),
        ("SELECT * { ?s ?p ?o }", CSV, 10),
    ],
)
def test_an_exception_takes_no_result_along(
    memory: Memory, query: str, wanted: Wanted, most: int
) -> None:
    """It may be dropped by another thread, which the engine does not allow for its results."""
    kept: list[BaseException] = []
    try:
        answer(memory, Query(query, wanted), most=most)
    except (BadQuery, WrongForm) as error:
        kept.append(error)
    dropping = threading.Thread(target=kept.clear)
    dropping.start()
    dropping.join()
    assert kept == []


@pytest.mark.parametrize(
    ("query", "graphs", "count"),
    [
        ("SELECT * { ?s <http://schema.org/name> ?o }", Graphs(), 2),
        ("SELECT * { ?s <p:page> ?o }", Graphs(), 0),
        ("SELECT * { GRAPH <pages> { ?s ?p ?o } }", Graphs(), 1),
        ("PREFIX b: <./> SELECT * { GRAPH b:pages { ?s ?p ?o } }", Graphs(), 1),
        ("SELECT * { ?x <http://schema.org/name> ?o GRAPH <pages> { ?s ?p ?x } }", Graphs(), 1),
        ("SELECT * { GRAPH <a> { ?x ?q ?o } GRAPH <pages> { ?s ?p ?x } }", Graphs(), 2),
        ("SELECT * { ?s <p:page> ?o GRAPH <pages> { ?s ?p ?x } }", Graphs(), 0),
        ("SELECT * FROM <pages> { ?s ?p ?o }", Graphs(), 1),
        ("SELECT * { ?s ?p ?o }", Graphs((f"{BASE}pages",)), 1),
        ("SELECT * { GRAPH ?g { ?s ?p ?o } }", Graphs(named=(f"{BASE}pages",)), 1),
    ],
)
def test_pages_are_for_queries_that_name_their_graph(
    query: str, graphs: Graphs, count: int
) -> None:
    page = f"<{BASE}a> <p:page> <{BASE}a#it> <{BASE}pages> .\n".encode()
    assert len(values(Memory(BASE, NQUADS, rest=page), query, graphs)) == count


def test_a_page_is_described_by_its_graph() -> None:
    page = f"<{BASE}a> <p:page> <{BASE}a#it> <{BASE}pages> .\n".encode()
    memory = Memory(BASE, NQUADS, rest=page)
    for query, count in ((f"DESCRIBE <{BASE}a>", 0), ("DESCRIBE <a> FROM <pages>", 1)):
        assert answer(memory, Query(query, LINES)).body.count(b"\n") == count
