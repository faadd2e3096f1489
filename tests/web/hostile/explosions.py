"""Queries whose cost explodes: products, paths, strings, regular expressions, answers. Bounds on
time, memory and size end them.
"""

from __future__ import annotations

from tests.web.hostile.case import STOPPED, asks, gets

PRODUCT = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l"
LARGE = "larger than"
DOUBLING = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(60))
VALUES = " ".join(f"VALUES ?v{n} {{ {'1 ' * 99} }}" for n in range(9))
TENFOLD = "$0" * 10

CASES = [
    asks("a product, counted", f"SELECT (COUNT(*) AS ?n) {{ {PRODUCT} }}", *STOPPED),
    asks("a product, sorted", f"SELECT * {{ {PRODUCT} }} ORDER BY ?c ?f", *STOPPED),
    asks(
        "a product, sorted by chance", f"SELECT * {{ {PRODUCT} }} ORDER BY RAND() LIMIT 1", *STOPPED
    ),
    asks(
        "a product without repeats, counted",
        f"SELECT (COUNT(DISTINCT *) AS ?n) {{ {PRODUCT} }}",
        *STOPPED,
    ),
    asks(
        "a product, grouped",
        f"SELECT ?a (SAMPLE(?l) AS ?x) {{ {PRODUCT} }} GROUP BY ?a ?d ?g",
        *STOPPED,
    ),
    asks("a product, far down", f"SELECT * {{ {PRODUCT} }} OFFSET 999999999999 LIMIT 1", *STOPPED),
    asks(
        "a product for a truth that is not there",
        f"ASK {{ {PRODUCT} FILTER(STRLEN(CONCAT(STR(?a), STR(?l))) > 99999) }}",
        *STOPPED,
    ),
    asks(
        "a product in EXISTS",
        f"SELECT * {{ ?s ?p ?o FILTER NOT EXISTS {{ {PRODUCT} FILTER(?a = ?o && ?l = ?b) }} }}",
        *STOPPED,
    ),
    asks("a product of values", f"SELECT (COUNT(*) AS ?n) {{ {VALUES} }}", *STOPPED),
    asks(
        "a product of unions",
        f"SELECT (COUNT(*) AS ?n) {{ {'{ {?s ?p ?o} UNION {?x ?y ?z} } ' * 8} }}",
        *STOPPED,
    ),
    asks(
        "a product, joined in one string",
        f"SELECT (GROUP_CONCAT(STR(?a)) AS ?x) {{ {PRODUCT} }}",
        *STOPPED,
    ),
    asks(
        "a product left out",
        f"SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o MINUS {{ {PRODUCT} }} }}",
        *STOPPED,
    ),
    asks(
        "a product of options",
        (
            f"SELECT (COUNT(*) AS ?n) {{ "
            f"{' '.join(f'OPTIONAL {{ ?a{n} ?b{n} ?c{n} }}' for n in range(9))} }}"
        ),
        *STOPPED,
    ),
    asks("all products at once", f"SELECT * {{ {PRODUCT} }}", 400, *STOPPED, says=LARGE),
    asks("a product without repeats", f"SELECT DISTINCT * {{ {PRODUCT} }}", 400, *STOPPED),
    asks(
        "a graph made of a product",
        "CONSTRUCT { ?a ?e ?i } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
        400,
        *STOPPED,
    ),
    asks(
        "a graph of new nodes",
        "CONSTRUCT { [] ?e ?i } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
        400,
        *STOPPED,
        says=LARGE,
    ),
    asks("a description of all products", f"DESCRIBE * {{ {PRODUCT} }}", *STOPPED),
    gets(
        "a page of a product",
        f"SELECT * {{ {PRODUCT} }}",
        400,
        *STOPPED,
        headers="Accept: text/html\r\n",
        says=LARGE,
    ),
    asks(
        "paths between all things",
        "SELECT (COUNT(*) AS ?n) { ?s (!<x>|!^<x>)* ?o . ?o (!<x>|!^<x>)* ?s }",
        *STOPPED,
    ),
    asks(
        "a path within a path",
        f"SELECT (COUNT(*) AS ?n) {{ ?s {'(' * 60}!<x>|!^<x>{')*' * 60} ?o }}",
        *STOPPED,
    ),
    asks("a path of many steps", f"SELECT * {{ ?s {'/'.join(['!<x>'] * 900)} ?o }}", *STOPPED),
    asks(
        "five hundred patterns",
        f"SELECT * {{ {' . '.join(f'?s{n} ?p{n} ?s{n + 1}' for n in range(499))} }}",
        *STOPPED,
    ),
    asks(
        "a string that doubles",
        f"SELECT (STRLEN(?x60) AS ?n) {{ BIND('0123456789' AS ?x0) {DOUBLING} }}",
        *STOPPED,
    ),
    asks(
        "a string that grows tenfold",
        f"SELECT (STRLEN(?z) AS ?n) {{ BIND('{'a' * 99}' AS ?x0) "
        + " ".join(f"BIND(REPLACE(?x{n}, 'a', '{TENFOLD}') AS ?x{n + 1})" for n in range(12))
        + " BIND(?x12 AS ?z) }",
        *STOPPED,
    ),
    asks(
        "a regular expression that backtracks elsewhere",
        f"ASK {{ FILTER REGEX('{'a' * 5000}!', '^(a+)+$') }}",
        200,
    ),
    asks(
        "alternatives that backtrack elsewhere",
        f"ASK {{ FILTER REGEX('{'a' * 5000}!', '^(a|aa|a?)+$') }}",
        200,
    ),
    asks(
        "a regular expression of repeats",
        "ASK { ?s ?p ?o FILTER REGEX(STR(?o), '(((a{1,99}){1,99}){1,99}){1,99}$') }",
        200,
        *STOPPED,
    ),
    asks(
        "a regular expression of brackets",
        f"ASK {{ FILTER REGEX('a', '{'(' * 9000}a{')' * 9000}') }}",
        200,
        *STOPPED,
    ),
    asks(
        "a regular expression for each row",
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER REGEX(STR(?c), STR(?f)) }",
        *STOPPED,
    ),
    asks(
        "a time limit of one's own",
        f"SELECT (COUNT(*) AS ?n) {{ {PRODUCT} }}",
        503,
        504,
        parameters="?timeout=9999",
    ),
]
