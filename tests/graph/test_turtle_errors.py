"""What is no Turtle is explained where the slip is; `^` marks the place."""

from __future__ import annotations

import pytest
from pyoxigraph import RdfFormat, parse

from kg.errors import offset_of, place_at
from kg.graph.handwritten import ill_typed
from kg.graph.turtle_errors import explain
from kg.vocab import PREFIXES, xsd

BASE = "https://x.example/"
HEAD = "@prefix schema: <http://schema.org/> .\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<a> schema:name "x"^', "The '.' at the end of this triple is missing"),
        (
            '<a> schema:name "x"^ # a remark.\n\n<b> schema:name "y" .',
            "The '.' at the end of this triple is missing",
        ),
        (
            '<a> schema:name "x#y"^\n  # one\n  # two\n<b> schema:name "y" .',
            "The '.' at the end of this triple is missing",
        ),
        ('<a> schema:name "x ;^\n  schema:name "y" .', "three quotes"),
        ("<a> schema:name ^.", "A value is missing"),
        ('<a> schema:name "x", ^.', "A value is missing"),
        ("<a> ^.", "A property and its value is missing"),
        ('<a> schema:name "x" . ^.', "Unexpected '.'"),
        ('<a> ^xsd:name "x" .', "'@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .'"),
        ('<a> ^schem:name "x" .', "Did you mean 'schema:'?"),
        ('<a> ^geo:name "x" .', "'@prefix geo: <…> .'"),
        ('<a> ^name "x" .', "e.g. schema:name"),
        ("<a> schema:name ^Ada .", "'Ada' is not a value"),
        ("<a> schema:name ^False .", "Write 'false'"),
        ("<a> schema:name ^„Ada“ .", "not a quote in Turtle"),
        ('^// remark\n<a> schema:name "x" .', "a comment starts with '#'"),
        ('<a> schema:name "x"^@en_GB .', "'@en_GB' is not a language tag"),
        ('<a> schema:name "x"^@e .', "'@e' is not a language tag"),
        ('<a> schema:name "x"^@ .', "'@' is not a language tag"),
        ("<a> schema:url ^<http://x.example/a b> .", "%20"),
        ("<a> schema:url ^<http://x.example/%zz> .", "%25"),
        (r'<a> schema:name "^\q" .', r"'\\q'"),
        ('<a> schema:about [ schema:name "x" ^.', "']' is missing"),
        ("@prefix foo: ^http://x/ .", "'@prefix schema: <http://schema.org/> .'"),
        ('<a> schema:name "x"^^^"date" .', "without quotes"),
        ('<a> schema:name "x" . ^"a" schema:name "y" .', "Start with an address"),
    ],
)
def test_a_slip_is_explained_where_it_is(text: str, words: str) -> None:
    at = text.index("^", text.index("^^") + 2) if "^^^" in text else text.index("^")
    text = f"{HEAD}{text[:at]}{text[at + 1 :]}"
    with pytest.raises(SyntaxError) as caught:
        list(parse(text, RdfFormat.TURTLE, base_iri=BASE))
    place, message = explain("x.ttl", text, caught.value, PREFIXES)
    assert words in message
    assert place == place_at("x.ttl", text, len(HEAD) + at)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("boolean", "true false 0 1", "yes True FALSE 2"),
        ("integer", "12 -0 +007", "1e 1.0 0x1 ١٢"),
        ("decimal", "3.9 .5 5. -1", "3,9 . 1e3 INF"),
        ("gYear", "2019 -0044 0001 12019 2019Z", "19 02019 2019-1"),
        ("gYearMonth", "2019-12 2019-01+02:00", "2019-13 2019-00 2019-1 19-01"),
        ("date", "2020-02-29 2000-02-29 2019-12-31Z -0004-02-29", "2019-02-29 1900-02-29 2019-9-1"),
        (
            "dateTime",
            "2019-09-30T14:00:00Z 2019-09-30T24:00:00 2019-09-30T14:00:00.5-05:00",
            "2019-09-30T25:00:00 2019-09-31T14:00:00 2019-09-30T24:00:01 2019-09-30T14:00",
        ),
        ("string", "anything", ""),
    ],
)
def test_a_value_has_the_form_of_its_type(name: str, good: str, bad: str) -> None:
    assert [text for text in good.split() if ill_typed(text, f"{xsd}{name}")] == []
    assert [text for text in bad.split() if not ill_typed(text, f"{xsd}{name}")] == []


def test_a_place_leads_back_to_its_character() -> None:
    text = "\n\nab\r\n\u2028c\n"
    for at in range(len(text) + 1):
        place = place_at("x.ttl", text, at)
        assert offset_of(text, place.line, place.column) == at
