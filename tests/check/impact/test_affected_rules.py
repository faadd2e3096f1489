"""Which nodes an edit affects: asked about these alone, a rule finds what it finds in all."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad

from kg.check.impact.dependencies import dependencies
from kg.check.impact.impact import Difference
from kg.check.report import explain
from kg.check.shacl import dataset_rules, shape_files
from kg.check.shacl.shapes import Rule
from kg.check.verdict import Verdict, judge_rules
from kg.facts.load import load
from kg.graph.build import build
from kg.settings import shipped
from kg.store.memory import Memory
from tests.cases import BASE, EXPLAINED, TODAY, example_site

B = "https://x.example/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
# Two people, each with two jobs; one job of each is in the lab, which is part of a school.
LINKS = """
    page of ada; ada job ada-1; ada job ada-2; ben job ben-1; ben job ben-2
    ada-1 at lab; ben-1 at lab; ada-2 at firm; ben-2 at firm; lab part school; school part land
"""


def line(link: str) -> str:
    return " ".join(f"<{B}{name}>" for name in [*link.split(), "g"]) + " ."


LINES = [line(link) for row in LINKS.strip().splitlines() for link in row.split(";")]
LINES += [f"<{B}{name}> {TYPE} <{B}Thing> <{B}g> ." for name in ("ada", "ben", "lab", "land")]
CASES = {
    "what begins at a node": ("?value x:at ?lab", "ada-1 at lab", "ada-1"),
    "what ends at a node": ("?job x:at ?value", "ada-1 at lab", "lab"),
    "either": ("{ ?value x:at ?y } UNION { ?y x:at ?value }", "ada-1 at lab", "ada-1 lab"),
    "one step ahead": ("?value x:job ?job . ?job x:at ?lab", "ada-1 at lab", "ada"),
    "two steps ahead": ("?value x:job/x:at/x:part ?y", "lab part school", "ada ben"),
    "no further": ("?value x:at ?y", "lab part school", ""),
    "a step back": ("?person x:job ?value", "ada job ada-1", "ada-1"),
    "back, then ahead to another": (
        "?person x:job ?value, ?other . ?other x:at ?place",
        "ada-1 at lab",
        "ada-1 ada-2",
    ),
    "any number of steps": ("?value x:at ?y . ?y x:part* ?z", "school part land", "ada-1 ben-1"),
    "not through a class": ("?value a ?class ; x:job ?job", "ada job ada-1", "ada"),
    "what is optional": ("?value x:job ?j OPTIONAL { ?j x:at ?lab }", "ada-1 at lab", "ada"),
    "what is taken away": ("?value x:job ?j MINUS { ?j x:at ?lab }", "ada-1 at lab", "ada"),
    "what a filter looks for": (
        "?value x:job ?j FILTER NOT EXISTS { ?j x:at ?lab }",
        "ada-1 at lab",
        "ada",
    ),
}


@pytest.mark.parametrize("gone", [False, True], ids=["new", "gone"])
@pytest.mark.parametrize("case", CASES)
def test_who_is_affected(case: str, gone: bool) -> None:
    """By a triple that is gone the same as by one that is new."""
    pattern, link, expected = CASES[case]
    lines = [each for each in LINES if not gone or each != line(link)]
    memory = Memory(B, "".join(f"{each}\n" for each in lines).encode())
    query = f"PREFIX x: <{B}> SELECT ?value WHERE {{ {pattern} }}"
    found = Difference(memory, [line(link)]).affected(query, "value", is_bound=False)
    assert found == {f"{B}{name}" for name in expected.split()}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?value WHERE { ?value x:at ?y } LIMIT 3",
        "SELECT (COUNT(?value) AS ?n) WHERE { ?value x:at ?y }",
        "SELECT (?job AS ?value) WHERE { ?job x:at ?y }",
        "SELECT (MIN(?job) AS ?value) WHERE { ?job x:at ?y } GROUP BY ?y",
        "SELECT ?value WHERE { OPTIONAL { ?value x:at ?y } ?value x:job ?job }",
        "SELECT ?value WHERE { ?x x:job ?job FILTER EXISTS { ?value x:at ?job } }",
        "SELECT ?value WHERE { ?value x:at* ?y }",
        "SELECT ?value WHERE { ?value x:at ?y . ?b x:job ?z }",
        "SELECT ?value WHERE { OPTIONAL { ?a x:at ?b FILTER(?b = ?value) } ?value x:job ?job }",
    ],
)
def test_where_one_thing_depends_on_others_everything_is_judged(query: str) -> None:
    memory = Memory(B, "".join(f"{each}\n" for each in LINES).encode())
    difference = Difference(memory, [line("ada-1 at lab"), line("ada job ada-1")])
    assert difference.affected(f"PREFIX x: <{B}> {query}", "value", is_bound=False) is None


def test_a_blank_node_leads_anywhere() -> None:
    memory = Memory(B, f"<{B}ada> <{B}job> _:j .\n_:j <{B}at> <{B}lab> .\n".encode())
    query = f"PREFIX x: <{B}> SELECT ?value WHERE {{ ?value x:job ?j . ?j x:at ?lab }}"
    difference = Difference(memory, [f"<{B}ada> <{B}job> _:j ."])
    assert difference.affected(query, "value", is_bound=False) is not None
    difference = Difference(memory, [f"_:j <{B}at> <{B}lab> ."])
    assert difference.affected(query, "value", is_bound=False) is None


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
    """Who is not among the affected gets the same rows, and asking about the affected alone gives
    theirs.
    """
    rng = random.Random(seed)
    every = [
        f"<{B}{one}> <{B}{by}> {other} <{B}g> ."
        for one in NAMES
        for by in ("p", "q")
        for other in [*(f"<{B}{name}>" for name in NAMES), '"text"']
    ]
    known = 0
    for _ in range(100):
        old = set(rng.sample(every, rng.randrange(3, 12)))
        new = old ^ set(rng.sample(every, rng.randrange(1, 3)))
        before, after = (Memory(B, "\n".join(lines).encode()) for lines in (old, new))
        query = f"PREFIX x: <{B}> SELECT ?value ?a WHERE {{ ?value x:p ?c . {random_group(rng)[1:]}"
        affected = Difference(after, old ^ new).affected(query, "value", is_bound=False)
        if affected is not None:
            known += 1
            now = rows(after, query)
            things = {NamedNode(each) for each in affected}
            about = {row for row in now if row[0] in things}
            assert {row for row in rows(before, query) if row[0] not in things} == now - about
            if things:
                assert about == rows(after, query, value=sorted(affected)), query
    assert known > 25


def rows(memory: Memory, query: str, **values: list[str]) -> set[tuple[object, object]]:
    return {(row.get("value"), row.get("a")) for row in memory.select(query, **values)}


SHAPES = shape_files.read(BASE, sorted(shipped("shapes").glob("*.ttl")))
LOOKING_ELSEWHERE = [
    rule
    for rule in SHAPES.rules
    if any(each.steps != () for each in dependencies(rule.query, BASE, "value", False) or ())
]


def test_no_rule_went_missing() -> None:
    assert len(LOOKING_ELSEWHERE) >= 29
    assert all(dependencies(rule.query, BASE, "value", False) for rule in SHAPES.rules)


@pytest.mark.parametrize("rule", LOOKING_ELSEWHERE, ids=lambda rule: rule.name)
def test_a_rule_finds_the_same(rule: Rule, tmp_path: Path) -> None:
    """From its bad example on, what it looks at is removed, bent and put back; asked about few
    nodes it finds what it finds in all.
    """
    path = next(path for path in EXPLAINED if path.stem == rule.name)
    facts = load(example_site(explain.read(path).bad, tmp_path))
    assert facts.site is not None
    memory, rng = build(facts, facts.site).memory, random.Random(7)
    known, found_anew = frozenset(dataset_rules.find(memory, rule, TODAY)), 0
    seen = [
        quad
        for quad in sorted(memory.store, key=str)
        if Difference(memory, [f"{quad} ."]).concerns(rule.query)
    ]
    for _ in range(150):
        lines = [
            f"{quad} ." for _ in range(rng.randrange(1, 4)) for quad in edited(memory, seen, rng)
        ]
        before = Verdict(SHAPES.key, b"", b"", TODAY, known, frozenset())
        after = frozenset(dataset_rules.find(memory, rule, TODAY))
        assert judge_rules(memory, [rule], TODAY, before, Difference(memory, lines)) == after
        found_anew += after != known
        known = after
    assert found_anew, "edits that change nothing would prove nothing"


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
