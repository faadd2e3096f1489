"""Slips in a query: where they are, in words."""

from __future__ import annotations

import pytest

from kg.errors import BadQuery
from kg.sparql.reading.parse_errors import check_syntax, readable

SLIPS = {
    "SELECT *\nWHERE { ?s ?p }": "line 2, column 9: unexpected '?s'",
    "SELECT * { ?s ?p ?o": "line 1, column 20: unexpected end of the query. Is a bracket or a quote still open?",  # noqa: E501
    "SELECT * {\n  ?s a 'x }": "line 2, column 12: unexpected end of the query. Is a bracket or a quote still open?",  # noqa: E501
    "SELEC * {}": "line 1, column 1: unexpected 'SELEC'",
    "SELECT ?x {\n\n FILTER(?x = )\n}": "line 3, column 14: unexpected ')'",
    "SELECT * { ?s ?p ?o } LIMIT x": "line 1, column 29: unexpected 'x'",
    "SELECT * { ?s ?p ?o }}": "line 1, column 22: unexpected '}'",
    "ASK { ?s ?p 'é' . FILTER foo(?o) }": "line 1, column 26: unexpected 'foo'",
    "SELECT ?a ?b { ?a ?b ?c } GROUP BY ?a": "line 1, column 38: The SELECT contains a variable that is unbound",  # noqa: E501
    "ASK { ?s schema:name ?o }": (
        "line 1, column 21: the prefix just before this is not declared. "
        "Add a line such as PREFIX schema: <http://schema.org/>"
    ),
}


@pytest.mark.parametrize("query", SLIPS)
def test_a_slip_is_told_with_its_place(query: str) -> None:
    with pytest.raises(BadQuery) as caught:
        check_syntax(query, "https://lab.example.org/")
    assert str(caught.value) == SLIPS[query]


def test_a_message_of_another_kind_stays_as_it_is() -> None:
    assert readable("no such luck", "ASK {}") == "no such luck"
