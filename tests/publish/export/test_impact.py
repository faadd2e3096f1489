"""The difference of two graphs, and which queries it concerns: one that it does not has the same
answer as before.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.paths import Path as PropertyPath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, traverse
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef

from kg.check.check import good
from kg.check.shapes import read
from kg.graph.build import Graph
from kg.publish.export.impact import MIN_STEP, Difference, changes, names_in
from kg.settings import shipped
from kg.store.memory import Memory
from kg.vocab import PREFIXES, rdf, schema
from tests.cases import BASE
from tests.conftest import ROOT

B = "https://x.example/"
SHAPES = read(BASE, sorted(shipped("shapes").glob("*.ttl")))
PATHS = sorted(shipped("queries").rglob("*.rq"))
QUERIES = [
    *(path.read_text(encoding="utf-8") for path in PATHS),
    *(rule.query for rule in SHAPES.rules),
]

LINES = st.lists(
    st.text('ab<>"é ', max_size=12).map(lambda text: f"<{text}> ."), unique=True, max_size=30
)


def graph(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


@pytest.mark.fuzz
@given(LINES, LINES, LINES)
def test_it_is_the_difference_of_the_sets(
    both: list[str], only_old: list[str], only_new: list[str]
) -> None:
    old, new = {*both, *only_old}, {*both, *only_new}
    assert sorted(changes(graph(list(old)), graph(list(new)))) == sorted(old ^ new)


@pytest.mark.parametrize("edits", [0, 1, 40])
def test_long_runs_are_skipped_and_nothing_is_lost(edits: int) -> None:
    rng = random.Random(edits)
    x = "<https://x.example/"
    old = [
        f'{x}{number:06}> {x}p> "{"w" * rng.randrange(200)}" {x}g> .' for number in range(20_000)
    ]
    new = list(old)
    for _ in range(edits):
        at = rng.randrange(len(new))
        new[at : at + rng.randrange(3)] = [
            f"{new[at]}{rng.random()}" for _ in range(rng.randrange(3))
        ]
    assert len(graph(old)) > 100 * MIN_STEP
    assert sorted(changes(graph(old), graph(new))) == sorted(set(old) ^ set(new))


def test_an_empty_graph_differs_in_everything() -> None:
    assert changes(b"", b"<a> <b> <c> .\n") == changes(b"<a> <b> <c> .\n", b"") == ["<a> <b> <c> ."]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (
            "?value schema:name ?name . ?value schema:award 'a ?b schema:url' # schema:email",
            {schema.name, schema.award},
        ),
        ("?value schema:name ?name FILTER(?name != 'x' && !BOUND(?name))", {schema.name}),
        (
            "?value a schema:Person, schema:Role ; schema:name 5",
            {rdf.type, schema.Person, schema.Role, schema.name},
        ),
        ("?value a ?class", {rdf.type}),
        ("?value (schema:name|a) ?class", {rdf.type, schema.name}),
        (f"?value <{BASE}terms/own#a-b> ?x", {f"{BASE}terms/own#a-b"}),
        (
            "{ SELECT ?value ?other ?x WHERE { ?value schema:name ?other } GROUP BY ?value "
            "?other ?x } ?value schema:url ?x",
            {schema.name, schema.url},
        ),
        (
            "?value schema:parentOrganization+/^schema:name ?x",
            {schema.parentOrganization, schema.name},
        ),
        ("FILTER(?x > 3) ?value schema:name ?x", {schema.name}),
        ("BIND(?x AS ?y) ?value schema:name/schema:url ?x", {schema.name, schema.url}),
        ("VALUES (?x ?y) { (1 2) } ?value schema:name ?x", {schema.name}),
        (
            "[ schema:name ?n ; schema:award [] ] schema:url ?value",
            {schema.name, schema.award, schema.url},
        ),
        ("_:x schema:name ?value . _:x schema:url ?y.", {schema.name, schema.url}),
    ],
)
def test_names(pattern: str, expected: set[str]) -> None:
    query = f"SELECT $this ?value ?x (1 AS ?path) WHERE {{ {pattern}\n}} GROUP BY $this ?value ?x"
    assert names_in(query, BASE) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "?value ?p ?o",
        "?value ?p 'text'",
        "?value ?p 5",
        "?value ?p -5",
        "?value ?p true",
        "?value ?p <x>",
        "?value schema:name ?name ;?p ?o",
        "[ ?p ?value ]",
        "[] ?p ?value",
        "(1 2) ?p ?value",
        "(1 2) ?p <x>",
        f"<{BASE}> ?p ?value",
        "?value !schema:name ?o",
        "?value !(schema:name|^schema:url) ?o",
        "?value (!schema:name)/schema:url ?o",
        "?value own:name ?o",
        "?value schema:parent* ?o",
        "?value (schema:parent|schema:url)? ?o",
        "FILTER(?x > 3) ?value ?p ?o",
        "GRAPH ?g {}",
        "?value ?p ?o FILTER(?p IN (schema:name))",
    ],
)
def test_any_predicate(pattern: str) -> None:
    assert names_in(f"SELECT $this ?value WHERE {{ {pattern} }}", BASE) is None


def test_a_description_may_say_anything() -> None:
    assert names_in("DESCRIBE <people/ada#it>", BASE) is None


@pytest.mark.proof
def test_all_predicates_of_our_own_queries_are_found() -> None:
    known = 0
    for query in QUERIES:
        if (found := names_in(query, BASE)) is not None:
            assert predicates_by_rdflib(query) <= found
            known += 1
    assert known > len(QUERIES) * 0.8 > 100


def predicates_by_rdflib(query: str) -> set[str]:
    """Of all patterns in the algebra, those in EXISTS too."""
    found: set[str] = set()

    def path_names(path: Any) -> set[str]:
        if isinstance(path, URIRef):
            return {str(path)}
        inner = getattr(path, "args", None) or [
            getattr(path, name) for name in ("arg", "path") if hasattr(path, name)
        ]
        return (
            set[str]().union(*map(path_names, inner)) if isinstance(path, PropertyPath) else set()
        )

    def note(part: Any) -> None:
        if isinstance(part, CompValue) and part.name == "BGP":
            for triple in part.triples:
                found.update(path_names(triple[1]))
        if isinstance(part, CompValue) and part.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
            is_raw = part.graph.name == "GroupGraphPatternSub"
            traverse(translateGroupGraphPattern(part.graph) if is_raw else part.graph, note)

    traverse(prepareQuery(query, initNs=PREFIXES, base=BASE).algebra, note)
    return found


@pytest.fixture(scope="module")
def small() -> Graph:
    return good(ROOT / "kg" / "example")


@pytest.mark.parametrize("seed", range(3))
def test_a_query_that_is_not_concerned_has_the_same_answer(small: Graph, seed: int) -> None:
    """A line of each of some predicates is gone."""
    rng, base = random.Random(seed), small.site.base
    lines = small.nquads.decode().splitlines(keepends=True)
    gone = rng.sample(lines, 2)
    before, after = (
        Memory(base, "".join(each for each in lines if each not in left).encode())
        for left in ((), gone)
    )
    difference = Difference(base, [line.rstrip("\n") for line in gone])
    spared = 0
    for path in PATHS:
        query = path.read_text(encoding="utf-8")
        if "SELECT" in query and "?thing" not in query and not difference.concerns(query):
            spared += 1
            assert before.select(query) == after.select(query), path.name
    assert spared > 2, "or it is of no use"


VARIABLES = ("?value", "?a", "?b", "?c")
NAMES = ("n0", "n1", "n2", "n3", "n4")


def random_group(rng: random.Random, depth: int = 0) -> str:
    parts = []
    for _ in range(rng.randrange(1, 4)):
        kind = rng.randrange(10) if depth < 2 else 0
        inner = random_group(rng, depth + 1) if kind > 3 else ""
        match kind:
            case 4:
                parts.append(f"OPTIONAL {inner}")
            case 5:
                parts.append(f"MINUS {inner}")
            case 6:
                parts.append(f"FILTER {rng.choice(['', 'NOT '])}EXISTS {inner}")
            case 7:
                parts.append(f"{inner} UNION {random_group(rng, depth + 1)}")
            case 8:
                some = " ".join(rng.sample(VARIABLES, 2))
                inner = random_group(rng, depth + 1)
                parts.append(f"{{ SELECT DISTINCT {some} WHERE {inner} }}")
            case 9:
                key = rng.choice(VARIABLES)
                parts.append(f"{{ SELECT {key} (COUNT(*) AS ?n) WHERE {inner} GROUP BY {key} }}")
            case _:
                path = rng.choice(["x:p", "x:q", "x:p/x:q", "^x:p", "(x:p|^x:q)", "x:q+", "x:p*"])
                ends = [rng.choice([*VARIABLES, "x:n0"]) for _ in range(2)]
                parts.append(f"{ends[0]} {path} {ends[1]} .")
    return f"{{ {' '.join(parts)} }}"


@pytest.mark.parametrize("seed", range(12))
def test_random_queries_after_random_edits(seed: int) -> None:
    rng = random.Random(seed)
    every = [
        f"<{B}{one}> <{B}{by}> {other} <{B}g> ."
        for one in NAMES
        for by in ("p", "q", "r")
        for other in [*(f"<{B}{name}>" for name in NAMES), '"text"']
    ]
    spared = 0
    for _ in range(150):
        old = set(rng.sample(every, rng.randrange(3, 12)))
        new = old ^ set(rng.sample(every, 1))
        before, after = (Memory(B, "\n".join(lines).encode()) for lines in (old, new))
        query = f"PREFIX x: <{B}> SELECT ?value ?a WHERE {{ ?value x:p ?c . {random_group(rng)[1:]}"
        if not Difference(B, old ^ new).concerns(query):
            spared += 1
            assert rows(before, query) == rows(after, query), query
    assert spared > 15


def rows(memory: Memory, query: str) -> set[tuple[object, object]]:
    return {(row.get("value"), row.get("a")) for row in memory.select(query)}
