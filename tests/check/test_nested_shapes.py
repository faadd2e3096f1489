"""A site's own shapes, whatever they are made of, find what plain pyshacl finds: every constraint
of SHACL within every other, and constraints of the site's own.
"""

from __future__ import annotations

import random

import pytest
import rdflib
from pyoxigraph import NamedNode, Quad, RdfFormat, Store, Triple, parse

from kg.check import own_shapes
from kg.errors import KgError
from tests.check.plain_pyshacl import plain_graph, results

BASE = "https://x.example/"
PREFIXES = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix x: <https://x.example/> .
@prefix s: <https://x.example/shapes#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . """
DATA = """
x:a a x:A ; x:p x:b, x:c ; x:q x:b ; x:n "one" ; x:m 1 .
x:b a x:A, x:B ; x:p "two"@en, "zwei"@de ; x:q x:a ; x:n "one", "two" ; x:m 2, 3 .
x:c a x:B ; x:p x:a ; x:n "" .
x:d a x:A ; x:p x:d ; x:n "one"@en ; x:m "x" ; x:o 1 .
x:e a x:A .
x:B rdfs:subClassOf x:A .
"""
OF_VALUES = [
    *("sh:class x:B", "sh:datatype xsd:string", "sh:nodeKind sh:IRI", "sh:nodeKind sh:Literal"),
    *("sh:minInclusive 2", "sh:maxInclusive 2", "sh:minExclusive 1", "sh:maxExclusive 3"),
    *("sh:minLength 2", "sh:maxLength 18", 'sh:pattern "^o"', 'sh:pattern "\\\\w" ; sh:flags "i"'),
    *('sh:languageIn ("en")', "sh:in (x:a x:b 'one')", "sh:hasValue x:b", "sh:hasValue 'one'"),
    *("s:even true", "sh:deactivated true", "sh:severity sh:Warning", 'sh:message "is wrong."'),
    "sh:sparql [ sh:select 'SELECT $this WHERE { $this ?any $this }' ]",
]
OF_PROPERTIES = [
    *("sh:minCount 1", "sh:maxCount 1", "sh:minCount 2", "sh:uniqueLang true", "sh:equals x:q"),
    *("sh:disjoint x:q", "sh:lessThan x:o", "sh:lessThanOrEquals x:o"),
    "sh:qualifiedValueShape [ sh:class x:B ] ; sh:qualifiedMinCount 1",
    "sh:qualifiedValueShape [ sh:nodeKind sh:IRI ] ; sh:qualifiedMaxCount 0",
    "sh:qualifiedValueShape [ sh:class x:B ] ; sh:qualifiedMinCount 1 ; "
    "sh:qualifiedValueShapesDisjoint true",
]
OF_NODES = [
    "sh:closed true ; sh:ignoredProperties (<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> x:p)"
]
PATHS = ["x:p", "x:m", "x:n", "[ sh:inversePath x:p ]", "( x:p x:p )", "[ sh:zeroOrMorePath x:q ]"]
PATHS += [
    "[ sh:oneOrMorePath x:p ]",
    "[ sh:zeroOrOnePath x:q ]",
    "[ sh:alternativePath (x:p x:n) ]",
]
NESTS = [
    "sh:node {}",
    "sh:not {}",
    "sh:and ({} {})",
    "sh:or ({} {})",
    "sh:xone ({} {})",
    "sh:property {}",
]
EITHER = NESTS[1:5]  # take shapes of nodes and of properties
COMPONENT = """
s:Even a sh:ConstraintComponent ; sh:parameter [ sh:path s:even ] ;
  sh:validator [ a sh:SPARQLAskValidator ; sh:ask "ASK { FILTER(!$even || !isLiteral($value)) }" ] .
"""
TARGETS = [
    "sh:targetClass x:A",
    "sh:targetSubjectsOf x:p",
    "sh:targetObjectsOf x:p",
    "sh:targetNode x:b",
]


def shape(rng: random.Random, depth: int, is_property: bool) -> str:
    """The body of a shape, in brackets."""
    said = [f"sh:path {rng.choice(PATHS[: rng.choice((3, len(PATHS)))])}"] if is_property else []
    nests = [nest for nest in NESTS if is_property or nest != "sh:node {}"]
    for _ in range(rng.randrange(1, 3)):
        if depth and rng.random() < 0.7:
            nest = rng.choice(nests)
            inner = [
                shape(
                    rng,
                    depth - 1,
                    nest == "sh:property {}" or (nest in EITHER and rng.random() < 0.3),
                )
                for _ in range(nest.count("{}"))
            ]
            said.append(nest.format(*inner))
        else:
            others = OF_PROPERTIES if is_property else OF_NODES
            said.append(rng.choice(OF_VALUES + others * 2))
    unique = {each.split()[0]: each for each in said}  # most terms may be said once
    return f"[ {' ; '.join(unique.values())} ]"


Found = set[tuple[str | None, ...]] | str  # or why there is nothing


def found(shapes: list[Triple], data: rdflib.Graph) -> Found:
    try:
        return results(own_shapes.findings(shapes, data))
    except KgError as error:
        return str(error).partition("\n")[0]


def both(shapes: list[Triple], data: list[Triple]) -> tuple[Found, Found]:
    """By pyshacl over the store, and over a plain graph."""
    store = Store()
    store.extend(Quad(*triple, NamedNode(f"{BASE}doc")) for triple in data)
    view = own_shapes.StoreView(store).graph
    return found(shapes, view), found(shapes, plain_graph(data))


def read(text: str) -> list[Triple]:
    return [quad.triple for quad in parse(PREFIXES + text, RdfFormat.TURTLE)]


@pytest.fixture(scope="module")
def data() -> list[Triple]:
    return read(DATA)


@pytest.mark.fuzz
@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize("seed", range(10))
def test_random_shapes_find_what_pyshacl_finds(seed: int, data: list[Triple]) -> None:
    rng = random.Random(seed)
    texts = [
        f"s:r{number} a sh:NodeShape ; {rng.choice(TARGETS)} ; {body[1:-1]} ."
        for number in range(60)
        if (body := shape(rng, rng.randrange(4), is_property=False))
    ]
    ours, plain = both(read(COMPONENT + "\n".join(texts)), data)
    assert len(plain) > 20
    assert ours == plain


@pytest.mark.proof
@pytest.mark.sample(proof=0.1)
@pytest.mark.parametrize("seed", range(100))
def test_random_files_find_what_pyshacl_finds(seed: int, data: list[Triple]) -> None:
    """2,000 files, 20 a seed."""
    rng, number = random.Random(1000 + seed), 0
    for _ in range(20):
        bodies = [shape(rng, rng.randrange(1, 7), False) for _ in range(rng.randrange(1, 4))]
        said = (
            f"s:r{each} a sh:NodeShape ; {rng.choice(TARGETS)} ; {body[1:-1]} .\n"
            for each, body in enumerate(bodies)
        )
        ours, plain = both(read("".join(said)), data)
        number += len(plain)
        assert ours == plain
    assert number > 20


OWN = {
    "a constraint of the site's own": (
        COMPONENT + "s:r a sh:NodeShape ; sh:targetClass x:A ; sh:property "
        "[ sh:path x:n ; s:even true ] ."
    ),
    "a property within a property": (
        "s:r a sh:NodeShape ; sh:targetClass x:A ; sh:property [ sh:path x:q ; sh:property "
        "[ sh:path x:n ; sh:maxCount 1 ] ] ."
    ),
    "that within a negation": (
        "s:r a sh:NodeShape ; sh:targetClass x:A ; sh:property [ sh:path x:q ; sh:not "
        "[ sh:property [ sh:path x:n ; sh:minCount 1 ] ] ] ."
    ),
    "a shape that is a class of classes": (
        "x:Kind rdfs:subClassOf rdfs:Class . x:A a sh:NodeShape, x:Kind ; sh:property "
        "[ sh:path x:n ; sh:minCount 1 ] ."
    ),
    "a query with prefixes of its own": (
        "s:r a sh:NodeShape ; sh:targetNode <https://x.example/> ; sh:sparql [ a "
        "sh:SPARQLConstraint ; sh:prefixes s:own ; sh:select 'SELECT $this ?value "
        "{ ?value own:m 1 }' ] . s:own sh:declare [ sh:prefix 'own' ; sh:namespace "
        "'https://x.example/'^^xsd:anyURI ] ."
    ),
}


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_special_shapes_find_what_pyshacl_finds(text: str, data: list[Triple]) -> None:
    ours, plain = both(read(text), data)
    assert ours == plain != set()
