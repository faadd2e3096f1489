"""Nodes that plainly conform are not shown to pyshacl; whatever it would find is found all the
same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from pyoxigraph import RdfFormat, parse

from kg.check.shacl import local_shapes, processor, shape_files
from kg.check.shacl.shapes import Finding, Shapes
from kg.errors import KgError
from kg.settings import shipped
from kg.store.memory import Memory

BASE = "https://x.example/"
PREFIXES = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix x: <https://x.example/> . "
SUBCLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
PARTS = f"<{BASE}B> {SUBCLASS} <{BASE}A> .\n<{BASE}C> {SUBCLASS} <{BASE}B> .\n"
INTEGER = "^^<http://www.w3.org/2001/XMLSchema#integer>"
# What a node of the class A, whose property p is asked about, says of p and q: predicate and value.
NODES = {
    "none": [],
    "text": [("p", '"one"')],
    "empty": [("p", '""')],
    "spaces": [("p", '"  "')],
    "line": [("p", r'"\n"')],
    "escape": [("p", r'"\u0041\n"')],
    "quoted": [("p", r'"say \"so\""')],
    "tag": [("p", '"one"@en')],
    "number": [("p", f'"1"{INTEGER}')],
    "same-number": [("p", f'"1"{INTEGER}'), ("p", f'"01"{INTEGER}')],
    "address": [("p", "<https://x.example/o>")],
    "blank": [("p", "_:b")],
    "two": [("p", '"one"'), ("p", '"two"')],
    "alike": [("p", '"one"'), ("q", '"one"')],
    "unlike": [("p", '"one"'), ("q", '"two"')],
    "other": [("q", '"one"')],
}
# A property shape, and how many of the nodes are left to pyshacl.
KNOWN = {
    "sh:minCount 1": 2,
    "sh:minCount 0": 0,
    "sh:maxCount 1": 1,
    "sh:maxCount 0": 14,
    'sh:pattern "\\\\S"': 7,
    'sh:pattern "^o" ; sh:pattern "e$"': 11,
    "sh:nodeKind sh:IRI": 13,
    "sh:equals x:q": 14,
    "sh:hasValue x:o": 15,
    "sh:minCount 1 ; sh:maxCount 1 ; sh:severity sh:Warning ; sh:message 'so'": 3,
}
UNKNOWN = [
    "sh:minCount 2",
    "sh:datatype x:number",
    "sh:nodeKind sh:Literal",
    "sh:hasValue 'one'",
    "sh:minLength 1",
    "sh:deactivated true",
]


def judged(text: str, of: str = "A", classes: str = "") -> tuple[set[str], int]:
    """Who is at fault, the same by the short way and by pyshacl alone; and how many nodes pyshacl
    would be shown.
    """
    said = {name: [("type", f"<{BASE}{of}>"), *values] for name, values in NODES.items()}
    lines = "".join(
        f"<{BASE}{name}> <{predicate(each)}> {value} .\n"
        for name in said
        for each, value in said[name]
    )
    triples = (quad.triple for quad in parse(PREFIXES + text, RdfFormat.TURTLE))
    shapes, memory = Shapes(BASE, triples), Memory(BASE, (lines + classes).encode())
    found = local_shapes.find(memory, shapes)
    assert told(found) == told(processor.validate(shapes.ntriples(), lines + classes))
    about = [f"{BASE}{name}" for name in list(NODES)[::2]]
    assert told(local_shapes.find(memory, shapes, about)) == told(
        [each for each in found if each.focus in about]
    )
    return {each.focus.removeprefix(BASE) for each in found}, len(
        local_shapes.suspects(memory, shapes)
    )


def told(findings: list[Finding]) -> Counter[Finding]:
    """Blank nodes are called otherwise each time."""
    return Counter(
        replace(each, value="") if each.focus == f"{BASE}blank" else each for each in findings
    )


def predicate(name: str) -> str:
    return "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" if name == "type" else BASE + name


@pytest.mark.parametrize(("demand", "left"), KNOWN.items())
def test_a_plain_demand_leaves_few_nodes(demand: str, left: int) -> None:
    shapes = (
        f"x:shape a sh:NodeShape ; sh:targetClass x:A ; sh:property [ sh:path x:p ; {demand} ] ."
    )
    assert judged(shapes)[1] == left
    assert judged(shapes, of="C", classes=PARTS)[1] == left
    assert judged(shapes, of="C") == (set(), 0)


@pytest.mark.parametrize("demand", UNKNOWN)
def test_any_other_demand_is_left_to_pyshacl(demand: str) -> None:
    shapes = (
        f"x:shape a sh:NodeShape ; sh:targetClass x:A ; sh:property [ sh:path x:p ; {demand} ] ."
    )
    assert judged(shapes)[1] == len(NODES)
    assert judged(shapes, of="B")[1] == 0


@pytest.mark.parametrize(
    "target", ["sh:targetSubjectsOf x:p", "a <http://www.w3.org/2000/01/rdf-schema#Class>"]
)
def test_a_shape_may_be_for_other_nodes_than_those_of_a_class(target: str) -> None:
    shape = f"x:A a sh:NodeShape ; {target} ; sh:property"
    assert judged(f"{shape} [ sh:path x:p ; sh:maxCount 1 ] .")[1] == 1
    assert judged(f"{shape} [ sh:path x:p ; sh:minLength 1 ] .")[1] >= len(NODES) - 2


def test_shapes_that_cannot_be_used_are_reported_though_no_node_is_theirs() -> None:
    with pytest.raises(KgError, match="cannot be used"):
        judged(
            "x:shape a sh:NodeShape ; sh:targetClass x:Nobody ; sh:property [ sh:path x:p, x:q ] ."
        )


def test_shapes_whose_values_make_no_sense_are_reported() -> None:
    with pytest.raises(KgError, match="sh:minCount"):
        judged("x:s sh:targetClass x:A ; sh:property [ sh:path x:p ; sh:minCount 'x' ] .")


def test_our_own_shapes_are_all_of_the_known_kinds() -> None:
    shapes = shape_files.read(BASE, sorted(shipped("shapes").glob("*.ttl")))
    found = {shape: list(local_shapes.doubts(shapes, shape)) for shape in shapes.local}
    assert len(found) >= 7
    assert not any(local_shapes.ALWAYS in each for each in found.values())
