"""Parameters of queries: other values in the places that a query names, each one term whatever it
holds.
"""

from __future__ import annotations

import pytest
from pyoxigraph import Literal, NamedNode, Store

from kg.errors import BadQuery
from kg.sparql.reading.parameters import fill, parameters
from tests.test_queries import QUERIES, asked_with, stated

BASE = "https://lab.example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
PERSON = (
    "# Who?\n# parameters: person = people/ada#it\nSELECT * WHERE {\n  VALUES (?person) { "
    "(<people/ada#it>) }\n}"
)
KINDS = """# What?
# parameters: class = schema:Person, text = a, german = b, number = 3, least = -1, day = 2020-01-01, open = true, thing = x
PREFIX schema: <http://schema.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT * WHERE {
  VALUES (?class ?text ?german ?number ?least ?day ?open) { (schema:Person 'a' "b"@de 3 -1 "2020-01-01"^^xsd:date true) }
  VALUES ?thing { <https://elsewhere.example/a/x#it> }
}"""  # noqa: E501


def value(query: str, name: str, **values: str) -> object:
    """What a variable stands for in a query with these values."""
    [row] = Store().query(fill(query, values), base_iri=BASE)  # type: ignore[misc]
    return row[name]  # type: ignore[index]


@pytest.mark.parametrize("name", QUERIES)
def test_a_named_query_has_the_parameters_it_states(name: str) -> None:
    assert parameters(QUERIES[name]) == list(stated(QUERIES[name]))


@pytest.mark.parametrize("name", [name for name, query in QUERIES.items() if stated(query)])
def test_the_values_it_has_change_nothing(name: str) -> None:
    assert fill(QUERIES[name], stated(QUERIES[name])) == QUERIES[name] == fill(QUERIES[name], {})


def test_a_value_takes_the_place_of_the_one_that_is_there() -> None:
    assert fill(QUERIES["coauthor-chain"], {"other": "people/ada#it"}) == asked_with(
        "coauthor-chain", other="people/ada#it"
    )


@pytest.mark.parametrize(
    ("given", "iri"),
    [
        ("noor-haddad", f"{BASE}people/noor-haddad#it"),
        ("people/noor-haddad#it", f"{BASE}people/noor-haddad#it"),
        ("<people/noor-haddad#it>", f"{BASE}people/noor-haddad#it"),
        ("orgs/northfjord#it", f"{BASE}orgs/northfjord#it"),
        ("https://other.example/x", "https://other.example/x"),
        ("<noor>", f"{BASE}noor"),
        ("#it", f"{BASE}#it"),
        ("größe", f"{BASE}people/größe#it"),
    ],
)
def test_an_address_is_a_slug_or_relative_or_whole(given: str, iri: str) -> None:
    assert value(PERSON, "person", person=given) == NamedNode(iri)


@pytest.mark.parametrize(
    ("name", "given", "term"),
    [
        ("class", "Event", NamedNode("http://schema.org/Event")),
        (
            "class",
            "http://xmlns.com/foaf/0.1/Person",
            NamedNode("http://xmlns.com/foaf/0.1/Person"),
        ),
        ("text", 'it\'s "so"\n\\', Literal('it\'s "so"\n\\')),
        ("text", "", Literal("")),
        ("german", "Straße", Literal("Straße", language="de")),
        ("number", "12", Literal("12", datatype=NamedNode(f"{XSD}integer"))),
        ("number", "1.5", Literal("1.5", datatype=NamedNode(f"{XSD}decimal"))),
        ("least", "-7", Literal("-7", datatype=NamedNode(f"{XSD}integer"))),
        ("least", "1e3", Literal("1000", datatype=NamedNode(f"{XSD}double"))),
        ("day", "2021-12-31", Literal("2021-12-31", datatype=NamedNode(f"{XSD}date"))),
        ("open", "false", Literal("false", datatype=NamedNode(f"{XSD}boolean"))),
        ("thing", "y", NamedNode("https://elsewhere.example/a/y#it")),
    ],
)
def test_a_value_is_of_the_kind_of_the_one_that_is_there(
    name: str, given: str, term: object
) -> None:
    assert value(KINDS, name, **{name: given}) == term


def test_several_values_at_once_each_find_their_place() -> None:
    values = {"thing": "longer-than-before", "class": "Event", "number": "1000"}
    assert [value(KINDS, name, **values) for name in ("thing", "class", "text")] == [
        NamedNode("https://elsewhere.example/a/longer-than-before#it"),
        NamedNode("http://schema.org/Event"),
        Literal("a"),
    ]


@pytest.mark.parametrize(
    "given",
    [
        "ada#it>) } ?s ?p ?o . VALUES (?x) { (<y",
        "ada\\u003E",
        'ada"',
        "a da",
        "{ada}",
        "ada\n",
        "http://x/>) } #",
        "%zz",
        "",
        "<>",
        "\ud800",
    ],
)
def test_what_would_be_more_than_an_address_is_refused(given: str) -> None:
    with pytest.raises(BadQuery, match="The parameter 'person' cannot be"):
        fill(PERSON, {"person": given})


@pytest.mark.parametrize(
    "given",
    [
        '" } ?s ?p ?o . #',
        "\\",
        '\\"',
        "\\u0022",
        '"""',
        "'",
        "\r\n",
        "\x00",
        "?x",
        "<a>",
        "1 ) } SERVICE <http://x/> {}",
    ],
)
@pytest.mark.parametrize("name", ["text", "german", "day"])
def test_a_text_stays_one_text(name: str, given: str) -> None:
    found = value(KINDS, name, **{name: given})
    assert isinstance(found, Literal)
    assert found.value == given


@pytest.mark.parametrize(
    ("name", "given"),
    [("number", "1 2"), ("number", "1)"), ("least", ""), ("number", "¹"), ("open", "TRUE }")],
)
def test_a_number_or_a_verdict_is_nothing_else(name: str, given: str) -> None:
    with pytest.raises(BadQuery, match=f"The parameter '{name}' cannot be"):
        fill(KINDS, {name: given})


def test_a_name_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadQuery, match=r"no parameter 'persn'\. It has person, other\."):
        fill(QUERIES["coauthor-chain"], {"persn": "ada"})
    with pytest.raises(BadQuery, match=r"no parameter 'person'\. It has none\."):
        fill("SELECT * {}\n# parameters: person = x", {"person": "ada"})


@pytest.mark.parametrize(
    "values",
    ["", "VALUES (?person) { (<a>) (<b>) }", "VALUES (?person) { }", "BIND(<a> AS ?person)"],
)
def test_a_parameter_without_a_place_is_told(values: str) -> None:
    with pytest.raises(BadQuery, match="has no place in this query"):
        fill(f"# parameters: person = a\nSELECT * {{ {values} }}", {"person": "ada"})


def test_a_prefix_that_is_not_declared_and_a_value_that_may_be_anything_are_told() -> None:
    with pytest.raises(BadQuery, match="has no PREFIX line"):
        fill("# parameters: a = b\nSELECT * { VALUES ?a { x:b } }", {"a": "c"})
    with pytest.raises(BadQuery, match="may be anything"):
        fill("# parameters: a = b\nSELECT * { VALUES ?a { UNDEF } }", {"a": "c"})
