"""What a public query may be: no SERVICE at any depth, no updates, bounded in length and
nesting.
"""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from kg.errors import BadQuery
from kg.sparql.reading.guard import MAX_CHARACTERS, MAX_DEPTH, MAX_OPERATORS, check

ELSEWHERE = "<http://example.org/sparql>"
ODD_NAMES = ["a\u0300b", "a\u203fb\u00b7c", "\u200c", "\u0663", "a\u1680b", "\u20ac", "n" * 200]
WITH_SERVICE = [
    f"SELECT * {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT*{{SERVICE{ELSEWHERE}{{}}}}",
    f"select * {{ service silent {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"ASK {{ {{ {{ ?s ?p ?o }} UNION {{ SeRvIcE {ELSEWHERE} {{}} }} }} }}",
    (
        f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ OPTIONAL {{ GRAPH ?g {{ SERVICE {ELSEWHERE} {{ ?s ?p "
        f"?o }} }} }} }}"
    ),
    f"DESCRIBE ?s {{ {{ SELECT ?s {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }} }} }}",
    f"SELECT * {{ ?s ?p ?o FILTER NOT EXISTS {{ SERVICE {ELSEWHERE} {{}} }} }}",
    "SELECT * { VALUES ?where { <http://example.org/> } SERVICE ?where { ?s ?p ?o } }",
    f"SELECT * {{ ?s ?p 'it''s' . SERVICE {ELSEWHERE} {{}} }}",
    f'SELECT * {{ ?s ?p """a " quote""" . SERVICE {ELSEWHERE} {{}} }}',
    f"SELECT * {{ ?s ?p 'a\\'b' . SERVICE {ELSEWHERE} {{}} }}",
    f"SELECT * {{ ?s <#a> ?o # a comment\n SERVICE # another\n {ELSEWHERE} {{}} }}",
    f"PREFIX service: {ELSEWHERE} SELECT * {{ SERVICE service:x {{}} }}",
    # The engine takes keywords that are glued to their neighbours.
    f"SELECT * {{ ?s ?p 1SERVICE {ELSEWHERE} {{}} }}",
    f"SELECT * {{ ?s ?p 1.SERVICE {ELSEWHERE} {{}} }}",
    f"SELECT * {{ ?s ?p trueSERVICE {ELSEWHERE} {{}} }}",
    f"SELECT * {{ SERVICESILENT {ELSEWHERE} {{}} }}",
    f"PREFIX : {ELSEWHERE} SELECT * {{ SERVICE: {{}} }}",
    f"PREFIX ex: {ELSEWHERE} SELECT * {{ SERVICEex: {{}} }}",
    f"PREFIX ex: {ELSEWHERE} SELECT * {{ ?s ?p ex:.SERVICE ex: {{}} }}",
    # It reads `<` as an operator where an address makes no sense, and escapes in addresses.
    f"SELECT * {{ FILTER('a'<'>')SERVICE {ELSEWHERE} {{}} FILTER('b'='b') }}",
    f"PREFIX : {ELSEWHERE} SELECT * {{ FILTER(1<2)SERVICE:#>\n{{}} }}",
    f"PREFIX : {ELSEWHERE} SELECT * {{ FILTER(1<2)SERVICEsilent:#>\n{{}} }}",
    f"SELECT * {{ FILTER(1<2)SERVICESILENT{ELSEWHERE}#'>\n{{}} }}",
    f"SELECT * {{ FILTER(1<2)SERVICE#'>\nSILENT#\n{ELSEWHERE}{{}} }}",
    f"SELECT * {{ OPTIONAL {{ ?s <http://x/\\u0041#> ?o }} SERVICE {ELSEWHERE} {{}} }}",
    f"SELECT * {{ ?s ?p '''\n# ''' . SERVICE {ELSEWHERE} {{}} }}",
    # It takes more for parts of a name than letters.
    *(
        f"PREFIX {name}: {ELSEWHERE} SELECT * {{ SERVICE {name}:{name} {{}} }}"
        for name in ODD_NAMES
    ),
    *(
        f"PREFIX {name}: {ELSEWHERE} SELECT * {{ FILTER(1<2)SERVICE {name}: {{}} #'>\n }}"
        for name in ODD_NAMES
    ),
    *(
        f"SELECT * {{ VALUES ?{name} {{ {ELSEWHERE} }} SERVICE ?{name} {{}} }}"
        for name in ODD_NAMES
    ),
]
HARMLESS = [
    "SELECT * { ?s ?p 'SERVICE' }",
    'SELECT * { ?s ?p "a SERVICE <http://example.org/>"@en }',
    "SELECT * { ?s ?p '''\nSERVICE 'quoted' <x> {''' }",
    "SELECT * { GRAPH ?service { ?s ?p ?o } GRAPH <http://example.org/service> { ?s ?p ?o } }",
    "SELECT ?service ?x { ?service ?x 1 }",
    "PREFIX ex: <http://example.org/> SELECT * { ?s ex:service ?o { ?a ?b ?c } }",
    "SELECT * { ?s ?p ?o }\n  # SERVICE <http://example.org/> { ?s ?p ?o }\n",
    'SELECT * { ?s ?p """SERVICE " \\""" SERVICE""" }',
    "SELECT * { ?s ?p 'it\\'s SERVICE' }",
    "SELECT * { <http://example.org/SERVICE> ?p <#SERVICE> }",
    "# SERVICE\nSELECT * { ?s ?p ?o } # SERVICE",
    "PREFIX schema: <http://schema.org/> SELECT * { ?s schema:service ?o ; a schema:Service }",
    "SELECT ?service $SERVICE { ?service ?SERVICE $SERVICE }",
    "SELECT * { ?s ?p 'chat'@service }",
    "SELECT * { <#it> ?p 'a service <of>, a service ?of, a service of: all' }",
]


@pytest.mark.parametrize("query", WITH_SERVICE)
def test_service_is_refused_at_any_depth(query: str) -> None:
    with pytest.raises(BadQuery, match="SERVICE is not allowed"):
        check(query)


@pytest.mark.parametrize("opening", ["", "FILTER(1<2)#'>\n"])
@pytest.mark.parametrize("name", ["n" * 202, "n.-" * 100 + "n", "\u0300" * 300, "n" * 5000])
def test_service_hides_behind_no_long_name(name: str, opening: str) -> None:
    with pytest.raises(BadQuery, match="prefix of more than 200 characters"):
        check(f"PREFIX {name}: {ELSEWHERE} SELECT * {{ {opening} SERVICE {name}: {{}} }}")


@pytest.mark.parametrize("query", HARMLESS)
def test_the_word_service_alone_is_fine(query: str) -> None:
    check(query)


def test_a_refusal_names_line_and_column() -> None:
    with pytest.raises(BadQuery, match=r"line 3, column 4"):
        check("SELECT *\n{ ?s ?p ?o .\n   SERVICE <http://example.org/> {} }")


@pytest.mark.parametrize(
    "form",
    [
        "SELECT * { ?s ?p ?o }",
        "ask{}",
        "CONSTRUCT WHERE { ?s ?p ?o }",
        "BASE <http://a/> DESCRIBE <b>",
    ],
)
def test_all_four_forms_of_query_pass(form: str) -> None:
    check(form)


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <a> <b> <c> }",
        "PREFIX ex: <http://example.org/> DELETE WHERE { ?s ?p ?o }",
        "WITH <g> DELETE { ?s ?p ?o } WHERE { SELECT * { ?s ?p ?o } }",
        "LOAD <http://example.org/>",
        "clear all",
        "DROP GRAPH <g>",
        "CREATE GRAPH <g>",
        "COPY <a> TO <b>",
        "MOVE <a> TO <b>",
        "ADD <a> TO <b>",
    ],
)
def test_updates_are_refused(update: str) -> None:
    with pytest.raises(BadQuery, match="read-only"):
        check(update)


@pytest.mark.parametrize(
    "text", ["", "  \n", "hello", "# SELECT", "'SELECT'", "<SELECT>", "?SELECT", "SELECTED"]
)
def test_what_is_no_query_is_refused(text: str) -> None:
    with pytest.raises(BadQuery, match="not a SPARQL query"):
        check(text)


@pytest.mark.parametrize(("opening", "closing"), ["()", "{}", "[]"])
def test_nesting_has_a_bound(opening: str, closing: str) -> None:
    check(f"SELECT * {opening * MAX_DEPTH}{closing * MAX_DEPTH}")
    with pytest.raises(BadQuery, match=f"more than {MAX_DEPTH} levels"):
        check(f"SELECT * {opening * (MAX_DEPTH + 1)}")


def test_brackets_in_literals_do_not_nest() -> None:
    check(f"SELECT * {{ ?s ?p '{'{' * (MAX_DEPTH + 1)}' }}")


def test_many_groups_side_by_side_are_not_deep() -> None:
    check(f"SELECT * {{ {'{ ?s ?p ?o } ' * (MAX_DEPTH + 1)} }}")


@pytest.mark.parametrize("operator", ["!", "|| 1 ", "&& 1 ", "/<p>", "UNION {} ", "OPTIONAL {} "])
def test_operators_that_nest_without_brackets_have_a_bound(operator: str) -> None:
    with pytest.raises(BadQuery, match=f"more than {MAX_OPERATORS} operators"):
        check("SELECT * { " + operator * (MAX_OPERATORS + 1))


def test_length_has_a_bound() -> None:
    longest = "ASK {}".ljust(MAX_CHARACTERS)
    check(longest)
    with pytest.raises(BadQuery, match=f"{MAX_CHARACTERS} are allowed"):
        check(longest + " ")


@pytest.mark.sample(test=0.2)
@pytest.mark.parametrize(
    "piece",
    [
        ".",
        "-",
        "é",
        ".é",
        "\\'",
        "'''\\'",
        "service",
        "service#",
        "service#\n",
        "service<",
        "service:~",
        "\n",
        "\n#",
        "a:",
        '"\\\n',
        "²",
    ],
)
@pytest.mark.parametrize("opening", ["SELECT ", "SELECT <#'> "])
def test_no_text_takes_long_to_read(opening: str, piece: str) -> None:
    start = time.process_time()
    with suppress(BadQuery):
        check(opening + piece * ((MAX_CHARACTERS - len(opening)) // len(piece)))
    assert time.process_time() - start < 4


def test_who_names_many_services_is_no_suspect() -> None:
    things = " ".join(f"<people/ada#service-{number}>" for number in range(1000))
    check(
        f"PREFIX service: <#> SELECT * {{ VALUES ?thing {{ {things} }} "
        f"{'?thing service:of ?service . ' * 100} }}"
    )
