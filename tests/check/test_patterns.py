"""What a query looks at: a rule is asked again when that has changed, so nothing may be
overlooked.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import check
from kg.check.impact.patterns import followed_in, names_in
from kg.vocab import rdf, schema

BASE = "https://lab.example.org:8000/"
TODAY = "2026-11-15"


@pytest.mark.parametrize(
    ("pattern", "names"),
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
            (
                "{ SELECT ?value ?other WHERE { ?value schema:name ?other } GROUP BY ?value "
                "?other } ?value schema:url ?x"
            ),
            {schema.name, schema.url},
        ),
    ],
)
def test_names(pattern: str, names: set[str]) -> None:
    assert (
        names_in(
            (
                f"SELECT $this ?value (schema:email AS ?path) WHERE {{ {pattern} }} GROUP BY "
                "$this ?value"
            ),
            BASE,
        )
        == names
    )


@pytest.mark.parametrize(
    "pattern",
    [
        "?value ?p ?o",
        "?value ?p 'text'",
        "?value ?p 5",
        "?value ?p true",
        "?value schema:name ?name ;?p ?o",
        "[ ?p ?value ]",
        f"<{BASE}> ?p ?value",
        "?value !schema:name ?o",
        "?value !(schema:name|^schema:url) ?o",
        "?value own:name ?o",
    ],
)
def test_any_predicate(pattern: str) -> None:
    assert names_in(f"SELECT $this ?value WHERE {{ {pattern} }}", BASE) is None


def test_what_is_asked_of_groups_is_looked_at_too() -> None:
    query = (
        "SELECT $this ?value WHERE { ?value schema:name ?n } GROUP BY $this ?value HAVING(EXISTS "
        "{ ?value schema:award ?n })"
    )
    assert names_in(query, BASE) == {schema.name, schema.award}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("schema:parentOrganization*/^schema:name", {schema.parentOrganization}),
        ("schema:parentOrganization +", {schema.parentOrganization}),
        (f"<{schema.parentOrganization}>+", {schema.parentOrganization}),
        (
            "((schema:parentOrganization|^schema:subOrganization)/schema:url)*",
            {schema.parentOrganization, schema.subOrganization, schema.url},
        ),
        ("schema:name", set()),
    ],
)
def test_what_is_followed_to_the_end(path: str, names: set[str]) -> None:
    assert (
        followed_in(
            (
                f'SELECT $this ?value WHERE {{ ?value {path} ?x FILTER(REGEX(?x, "(a:b)*") && '
                f"(?n * 2) + 1 > 3) }}"
            ),
            BASE,
        )
        == names
    )


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
    """It is nobody's neighbour, so after an edit the other would not be found."""
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
