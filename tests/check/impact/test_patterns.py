"""The patterns of a query: a rule is judged again when a triple of them has changed, so none may be
overlooked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rdflib.paths import Path as PropertyPath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, traverse
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef, Variable

from kg.check.check import check
from kg.check.impact.dependencies import Dependency, dependencies
from kg.check.shacl import shape_files
from kg.settings import shipped
from kg.vocab import prefixes, rdf, schema

BASE = "https://lab.example.org:8000/"
TODAY = "2026-11-15"


def names(found: tuple[Dependency, ...] | None) -> set[str] | None:
    """The predicates, and for `a schema:Person` the class."""
    if found is None or any(each.pattern.edge.is_any for each in found):
        return None
    return {
        each.pattern.object[1:-1] if name == rdf.type and each.pattern.object[:1] == "<" else name
        for each in found
        for name, _ in each.pattern.edge.links
    }


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
            {schema.Person, schema.Role, schema.name},
        ),
        ("?value a ?class", {rdf.type}),
        ("?value (schema:name|a) ?class", {rdf.type, schema.name}),
        (f"?value <{BASE}terms/own#a-b> ?x", {f"{BASE}terms/own#a-b"}),
        (
            f"?value ?p ?x FILTER(?p IN (schema:name, <{schema.url}>))",
            {schema.name, schema.url},
        ),
        (
            (
                "{ SELECT ?value ?other WHERE { ?value schema:name ?other } GROUP BY ?value "
                "?other } ?value schema:url ?x"
            ),
            {schema.name, schema.url},
        ),
    ],
)
def test_names(pattern: str, expected: set[str]) -> None:
    query = (
        f"SELECT $this ?value (schema:email AS ?path) WHERE {{ {pattern}\n}} GROUP BY $this ?value"
    )
    assert names(dependencies(query, BASE, "value")) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "?value ?p ?o",
        "?value ?p 'text'",
        "?value ?p 5",
        "?value ?p true",
        "?value schema:name ?name ;?p ?o",
        "[ ?p ?value ]",
        "[ schema:name ?n ; schema:award [] ] schema:url ?value",
        "_:x schema:name ?value . _:x schema:url ?y.",
        f"<{BASE}> ?p ?value",
        "?value !schema:name ?o",
        "?value !(schema:name|^schema:url) ?o",
        "?value own:name ?o",
        "?value ?p ?o FILTER(?p NOT IN (schema:name))",
        "?value ?p ?o FILTER(?o IN (schema:name))",
        "?value ?p ?o FILTER(?p IN (schema:name) || ?o = 5)",
        "?value ?p ?o FILTER(?p IN (schema:name, ?o))",
        "{ ?value ?p ?o } UNION { ?value ?p ?o FILTER(?p IN (schema:name)) }",
        "?value ?p ?o OPTIONAL { ?o ?p ?n FILTER(?p IN (schema:name)) }",
    ],
)
def test_any_predicate(pattern: str) -> None:
    query = f"SELECT $this ?value WHERE {{ {pattern} }}"
    assert names(dependencies(query, BASE, "value")) is None


def test_what_is_asked_of_groups_is_looked_at_too() -> None:
    query = (
        "SELECT $this ?value WHERE { ?value schema:name ?n } GROUP BY $this ?value HAVING(EXISTS "
        "{ ?value schema:award ?n })"
    )
    assert names(dependencies(query, BASE, "value")) == {schema.name, schema.award}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("schema:parentOrganization*/^schema:name", {schema.parentOrganization}),
        ("schema:parentOrganization +", {schema.parentOrganization}),
        (f"<{schema.parentOrganization}>+", {schema.parentOrganization}),
        (
            "(schema:parentOrganization|^schema:subOrganization)*",
            {schema.parentOrganization, schema.subOrganization},
        ),
        ("schema:name", set()),
        ("((schema:parentOrganization|^schema:subOrganization)/schema:url)*", None),
    ],
)
def test_what_is_followed_to_the_end(path: str, expected: set[str] | None) -> None:
    query = (
        f'SELECT $this ?value WHERE {{ ?value a schema:Thing ; {path} ?x FILTER(REGEX(?x, "(a:b)*")'
        " && (?n * 2) + 1 > 3) }"
    )
    found = dependencies(query, BASE, "value")
    closed = [each for each in found or () if each.pattern.edge.is_closed]
    assert (found and names(tuple(closed))) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "?value schema:name 'x'@en, 'y'^^xsd:string, -5, 2.5, true ; ; schema:url ?y .",
        "?x schema:name ?value ;. ?x schema:url ?y.",
        "?value a schema:Person.?value schema:name ?n.",
        "?value ^schema:name|schema:url ?y ; (^schema:award/schema:name)? ?z",
        "{ ?value schema:name ?n } UNION { { SELECT ?value WHERE { ?value schema:url ?u } } }",
        "?value schema:name ?n FILTER(?n > 1 && NOT EXISTS { ?value schema:url ?y })",
        "?value schema:name ?n BIND(EXISTS { ?n schema:award ?value } AS ?is)",
        "?value schema:name ?n FILTER CONTAINS(?n, 'x') VALUES (?n ?m) { ('a' 1) ('b' 2) }",
        "?value <terms/cv#one> ?n ; <https://other.example#two> ?m ; <#three> ?o ; own:four ?p",
        "GRAPH ?g { ?value schema:name ?n } MINUS { ?value schema:url ?n }",
    ],
)
def test_all_patterns_are_found(pattern: str) -> None:
    select = f"SELECT $this ?value WHERE {{ {pattern} }} ORDER BY DESC(?value)"
    query = f"PREFIX own: <terms/own#> PREFIX other: <https://other.example/#> {select}"
    found = dependencies(query, BASE, "value")
    assert found is not None or "(^schema:award/schema:name)?" in pattern
    assert found is None or predicates(found) == predicates_by_rdflib(query)


RULES = {
    rule.name: rule.query
    for rule in shape_files.read(BASE, sorted(shipped("shapes").glob("*.ttl"))).rules
}


def test_what_a_rule_reads() -> None:
    homepage = names(dependencies(RULES["shared-homepage"], BASE, "value"))
    assert homepage == {"http://xmlns.com/foaf/0.1/homepage"}
    assert names(dependencies(RULES["untyped"], BASE, "value")) is None
    ours = names(dependencies(RULES["role-start"], BASE, "value"))
    assert ours is not None
    assert {schema.EmployeeRole, schema.startDate} <= ours
    assert rdf.type not in ours, "a query for one class does not depend on others"


QUERIES = [
    *(path.read_text(encoding="utf-8") for path in sorted(shipped("queries").rglob("*.rq"))),
    *RULES.values(),
]


def test_all_patterns_of_our_own_queries_are_found() -> None:
    known = 0
    for query in QUERIES:
        if (found := dependencies(query, BASE, "value")) is not None:
            ours, theirs = predicates(found), predicates_by_rdflib(query)
            assert ours == theirs
            known += 1
    assert known > len(QUERIES) * 0.8 > 100


def predicates(found: tuple[Dependency, ...]) -> set[str]:
    return {name for each in found for name, _ in each.pattern.edge.links if name}


def predicates_by_rdflib(query: str) -> set[str]:
    """Of all patterns in the algebra, those in EXISTS too; for a variable those that a filter gives
    it a choice of.
    """
    found: set[str] = set()
    variables: set[Variable] = set()
    choices: dict[Variable, set[str]] = {}

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
                variables.update({triple[1]} if isinstance(triple[1], Variable) else ())
        choice = part.expr if isinstance(part, CompValue) and part.name == "Filter" else None
        if isinstance(choice, CompValue) and choice.op == "IN":
            choices[choice.expr] = {str(each) for each in choice.other}
        if isinstance(part, CompValue) and part.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
            is_raw = part.graph.name == "GroupGraphPatternSub"
            traverse(translateGroupGraphPattern(part.graph) if is_raw else part.graph, note)

    traverse(prepareQuery(query, initNs=prefixes(BASE), base=BASE).algebra, note)
    return found.union(*(choices.get(each, ()) for each in variables))


OWN = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <shapes#> .\n"
AWARD = "<people/ada-lindqvist#it> <http://schema.org/award> 'Zed' .\n"


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
    before = check(example, TODAY).verdict
    turtle.write_text(states[1], encoding="utf-8")
    after = check(example, TODAY, before).problems
    assert after == check(example, TODAY).problems
    assert any(problem.rule == "own" for problem in after) is not turned


@pytest.mark.parametrize(
    "predicate", ["http://xmlns.com/foaf/0.1/homepage", "http://schema.org/sameAs"]
)
def test_a_text_that_two_share_is_no_link(example: Path, predicate: str) -> None:
    """After an edit of one of them the other is judged again too."""
    turtle = example / "data" / "own.ttl"
    turtle.write_text(f"<people/tomas-ferreira#it> <{predicate}> 'x' .\n", encoding="utf-8")
    before = check(example, TODAY).verdict
    turtle.write_text(
        (
            f"<people/tomas-ferreira#it> <{predicate}> 'x' .\n<people/ada-lindqvist#it> "
            f"<{predicate}> 'x' .\n"
        ),
        encoding="utf-8",
    )
    assert check(example, TODAY, before).problems == check(example, TODAY).problems
