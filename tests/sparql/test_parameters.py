"""Values of parameters: each is one term of its type, whatever it holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Store

from kg.errors import BadValue
from kg.sparql.reading.parameters import Parameter, slots, written
from kg.sparql.reading.questions import Question, read_question

BASE = "https://lab.example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
KINDS = """#+ summary: What?
#+ params:
#+   person: {type: person, meaning: who, example: ada}
#+   text: {type: text, meaning: any, default: a}
#+   german: {type: text, meaning: any, default: b}
#+   number: {type: number, meaning: how many, default: 3}
#+   least: {type: number, meaning: at least, default: -1}
#+   day: {type: date, meaning: when, default: 2020-01-01}
#+   month: {type: date, meaning: when, default: 2020-01}
#+   open: {type: date, meaning: since}
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT * WHERE {
  VALUES (?text ?german ?number ?least) { ('a' "b"@de 3 -1) }
  VALUES (?day ?month ?open) { ("2020-01-01"^^xsd:date "2020-01" UNDEF) }
  VALUES ?person { <people/ada#it> }
}"""
QUESTION = read_question("kinds", KINDS)
SIMPLE = ["text", "german", "number", "least", "day", "month", "open"]


def parameter(name: str, question: Question = QUESTION) -> Parameter:
    found = question.parameter(name)
    assert found
    return found


def filled(name: str, value: str) -> str:
    return QUESTION.filled({name: written(parameter(name), value, QUESTION.slots[name])})


def term(name: str, value: str) -> object:
    """What a variable stands for in the query with this value."""
    [row] = Store().query(filled(name, value), base_iri=BASE)  # type: ignore[misc]
    return row[name]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("person", "noor-haddad", NamedNode(f"{BASE}people/noor-haddad#it")),
        ("person", "people/noor-haddad#it", NamedNode(f"{BASE}people/noor-haddad#it")),
        ("person", "<people/noor-haddad#it>", NamedNode(f"{BASE}people/noor-haddad#it")),
        ("person", "https://other.example/x", NamedNode("https://other.example/x")),
        ("person", "größe", NamedNode(f"{BASE}people/größe#it")),
        ("text", 'it\'s "so"\n\\', Literal('it\'s "so"\n\\')),
        ("text", "", Literal("")),
        ("german", "Straße", Literal("Straße", language="de")),
        ("number", "12", Literal("12", datatype=NamedNode(f"{XSD}integer"))),
        ("number", "1.5", Literal("1.5", datatype=NamedNode(f"{XSD}decimal"))),
        ("least", "-7", Literal("-7", datatype=NamedNode(f"{XSD}integer"))),
        ("least", "1e3", Literal("1000", datatype=NamedNode(f"{XSD}double"))),
        ("day", "2021-12-31", Literal("2021-12-31", datatype=NamedNode(f"{XSD}date"))),
        ("day", "2021-12", Literal("2021-12-01", datatype=NamedNode(f"{XSD}date"))),
        ("day", "2021", Literal("2021-01-01", datatype=NamedNode(f"{XSD}date"))),
        ("month", "2021", Literal("2021")),
        ("open", "2021-02", Literal("2021-02-01", datatype=NamedNode(f"{XSD}date"))),
    ],
)
def test_a_value_is_of_the_kind_of_the_one_that_is_there(
    name: str, value: str, expected: object
) -> None:
    assert term(name, value) == expected


def test_several_values_at_once_each_find_their_place() -> None:
    values = {"person": "longer-than-before", "number": "1000", "month": "2021"}
    terms = {
        name: written(parameter(name), value, QUESTION.slots[name])
        for name, value in values.items()
    }
    [row] = Store().query(QUESTION.filled(terms), base_iri=BASE)  # type: ignore[misc]
    assert [row[name].value for name in ("person", "number", "month", "text")] == [  # type: ignore[index]
        f"{BASE}people/longer-than-before#it",
        "1000",
        "2021",
        "a",
    ]


def test_what_is_required_and_what_is_not() -> None:
    assert [each.name for each in QUESTION.needed] == ["person"]
    assert [each.name for each in QUESTION.parameters if each.is_open] == ["open"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("person", text) for text in ["ada#it>) } ?s ?p ?o . #", "ada\\u003E", 'ada"', "a da"]),
        *(("person", text) for text in ["{ada}", "ada\n", "http://x/>) } #", "", "<>", "\ud800"]),
        *(("number", text) for text in ["1 2", "1)", "", "¹", "NaN", "0x1"]),
        *(("day", text) for text in ["2021-13", "2021-02-30", "21", "", "2021-1-1", "today"]),
        *(("month", text) for text in ['2021" }', "2021-00", "02021"]),
        ("text", "\ud800"),
    ],
)
def test_what_is_no_such_value_is_refused_by_the_name_of_the_parameter(
    name: str, value: str
) -> None:
    with pytest.raises(BadValue, match=f"^{name} cannot be '") as refused:
        filled(name, value)
    assert refused.value.parameter == name
    assert len(str(refused.value)) < 300


@pytest.mark.fuzz
@given(st.sampled_from(SIMPLE), st.text())
def test_whatever_is_given_one_term_changes_or_nothing_is_asked(name: str, value: str) -> None:
    try:
        query = filled(name, value)
    except BadValue:
        return
    slot = slots(query)[name]
    before = QUESTION.slots[name]
    assert query[: slot[0].start] == QUESTION.text[: before[0].start]
    assert query[slot[-1].end :] == QUESTION.text[before[-1].end :]
    found = term(name, value)
    assert isinstance(found, Literal)
    assert found.value == value or name not in ("text", "german")


@pytest.mark.parametrize(
    "values",
    ["", "VALUES (?person) { (<a>) (<b>) }", "VALUES (?person) { }", "BIND(<a> AS ?person)"],
)
def test_only_a_row_of_values_is_a_place(values: str) -> None:
    assert "person" not in slots(f"SELECT * {{ {values} }}")
