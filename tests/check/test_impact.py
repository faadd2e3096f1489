"""The difference of two graphs, and which queries it concerns: one that it does not has the same
answer as before.
"""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad
from rdflib.paths import Path as PropertyPath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, traverse
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef

from kg.check import verdict
from kg.check.check import check, good
from kg.check.impact import MIN_STEP, Difference, changes, names_in
from kg.check.report import explain
from kg.check.shacl import shape_files
from kg.check.shacl.shapes import Rule
from kg.check.verdict import Verdict, judge_rules
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.parallel.run import Run
from kg.settings import shipped
from kg.store.memory import Memory
from kg.vocab import PREFIXES, cv, rdf, schema
from tests.cases import BASE, EXPLAINED, TODAY, example_site
from tests.conftest import ROOT

B = "https://x.example/"
SHAPES = shape_files.read(BASE, sorted(shipped("shapes").glob("*.ttl")))
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


# Rules that the random edits below never break anew.
STEADY = ("address", "blank-node", "public-address", "role-kind", "service-date")
RULES = [rule for rule in SHAPES.rules if rule.name not in STEADY]


@pytest.mark.corpus
@pytest.mark.sample(test=0.03)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_finds_the_same(rule: Rule, tmp_path: Path) -> None:
    """From its bad example on, what it looks at is removed, bent and put back; after each edit
    it finds what it finds from the beginning.
    """
    path = next(path for path in EXPLAINED if path.stem == rule.name)
    facts = load(example_site(explain.read(path).bad, tmp_path))
    assert facts.site is not None
    memory, rng = build(facts, facts.site).memory, random.Random(7)
    known, found_anew = frozenset(verdict.find(memory, rule, TODAY)), 0
    whole = frozenset(memory.store)
    seen = [
        quad
        for quad in sorted(whole, key=str)
        if Difference(BASE, [f"{quad} ."]).concerns(rule.query)
        and not quad.subject.value.startswith(str(cv))
    ]
    for number in range(1000):
        if number >= 150 and found_anew:
            break
        times = rng.randrange(1, 4)
        quads = [quad for _ in range(times) for quad in edited(memory, seen, rng)]
        quads += [] if number % 20 else put_back(memory, whole)
        lines = [f"{quad} ." for quad in quads]
        before = Verdict(SHAPES.key, b"", b"", TODAY, known, frozenset())
        after = frozenset(verdict.find(memory, rule, TODAY))
        assert judge_rules(memory, [rule], Run(TODAY), before, Difference(BASE, lines)) == after
        found_anew += after != known
        known = after
    assert found_anew, "edits that change nothing would prove nothing"


def put_back(memory: Memory, whole: frozenset[Quad]) -> list[Quad]:
    """All that is not as it was in the beginning."""
    found = sorted(whole ^ frozenset(memory.store), key=str)
    for quad in found:
        (memory.store.remove if quad in memory.store else memory.store.add)(quad)
    return found


def edited(memory: Memory, quads: list[Quad], rng: random.Random) -> list[Quad]:
    """One of these is removed or put back, leads elsewhere, or to one thing more; all that is no
    longer as it was.
    """
    alike: dict[NamedNode, list[Quad]] = defaultdict(list)
    for quad in quads:
        alike[quad.predicate].append(quad)
    one = rng.choice(alike[rng.choice(sorted(alike, key=str))])
    value = rng.choice([rng.choice(alike[one.predicate]).object, rng.choice(quads).subject])
    other = Quad(one.subject, one.predicate, value, one.graph_name)
    removed, added = rng.choice(
        [([one], []), ([], [one]), ([], [one]), ([one], [other]), ([], [other])]
    )  # mostly as it was
    found = [quad for quad in removed if quad in memory.store] + [
        quad for quad in added if quad not in memory.store
    ]
    for quad in found:
        (memory.store.remove if quad in memory.store else memory.store.add)(quad)
    return found


OWN = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <shapes#> .\n"
AWARD = "<people/ada-lindqvist#it> <http://schema.org/award> 'Zed' .\n"


@pytest.mark.proof
@pytest.mark.parametrize("turned", [False, True], ids=["comes", "goes"])
@pytest.mark.parametrize(
    "queries",
    [
        ["PREFIX own: <http://schema.org/> SELECT $this ?value WHERE { ?value own:award 'Zed' }"],
        ["SELECT $this ?value WHERE { ?value !schema:name 'Zed' }"],
        [
            "SELECT $this ?value WHERE { ?value schema:award 'Zed' }",
            "SELECT $this ?value WHERE { ?value schema:courseCode 'Zed' }",
        ],
    ],
    ids=["own prefix", "all but one", "two questions of one name"],
)
def test_a_sites_own_rule_is_asked_again(example: Path, queries: list[str], turned: bool) -> None:
    (example / "shapes").mkdir()
    asked = ", ".join(f'[ sh:select "{query}" ]' for query in queries)
    shape = (
        f"{OWN}s:own a sh:NodeShape ; sh:targetNode <> ; sh:message 'an award.' ; sh:sparql "
        f"{asked} ."
    )
    (example / "shapes" / "own.ttl").write_text(shape, encoding="utf-8")
    turtle = example / "data" / "own.ttl"
    states = [AWARD, ""] if turned else ["", AWARD]
    turtle.write_text(states[0], encoding="utf-8")
    before = check(example, Run(TODAY)).verdict
    turtle.write_text(states[1], encoding="utf-8")
    after = check(example, Run(TODAY), before).problems
    assert after == check(example, Run(TODAY)).problems
    assert any(problem.rule == "own" for problem in after) is not turned


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize(
    "predicate", ["http://xmlns.com/foaf/0.1/homepage", "http://schema.org/sameAs"]
)
def test_a_text_that_two_share_is_no_link(example: Path, predicate: str) -> None:
    """After an edit of one of them the other is judged again too."""
    turtle = example / "data" / "own.ttl"
    turtle.write_text(f"<people/tomas-ferreira#it> <{predicate}> 'x' .\n", encoding="utf-8")
    before = check(example, Run(TODAY)).verdict
    turtle.write_text(
        (
            f"<people/tomas-ferreira#it> <{predicate}> 'x' .\n<people/ada-lindqvist#it> "
            f"<{predicate}> 'x' .\n"
        ),
        encoding="utf-8",
    )
    assert check(example, Run(TODAY), before).problems == check(example, Run(TODAY)).problems
