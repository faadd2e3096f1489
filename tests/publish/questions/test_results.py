"""Answers as a page shows them: a cell for each kind of term, nothing that becomes markup, and a
largest size.
"""

from __future__ import annotations

import json
import time
from typing import Any

import lxml.html
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.publish.formats.media import SHORT_NAMES
from kg.publish.formats.urls import href
from kg.publish.hosting.query_only import QueryOnly
from kg.publish.questions import answer_words, results
from kg.publish.questions.results import MAX_CELL_TEXT, MAX_ROWS, CellMaker, QueryResult, ResultCell
from kg.sparql.reading.questions import read_question
from kg.store.protocol import Graphs
from kg.vocab import cv, schema, xsd

BASE = "https://site.example/"
PAGES = {f"{BASE}people/ada": "./people/ada.html"}
XSD = str(xsd)


def cell(term: results.Term | None) -> ResultCell:
    return CellMaker(BASE, lambda iri: PAGES.get(iri.partition("#")[0], "")).of(term)


def table(columns: list[str], *rows: dict[str, Any]) -> QueryResult:
    return results.table(
        json.dumps({"head": {"vars": columns}, "results": {"bindings": rows}}).encode()
    )


def literal(value: str, **more: str) -> dict[str, str]:
    return {"type": "literal", "value": value, **more}


def page(result: QueryResult, query: str = "SELECT") -> lxml.html.HtmlElement:
    """What people see of it, without pages around."""
    return lxml.html.fromstring(QueryOnly(BASE, "a.ttl").pages.sparql(query, result=result))


def texts(found: lxml.html.HtmlElement, path: str) -> list[str]:
    return [element.text_content() for element in found.xpath(path)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("coauthorName", "Coauthor name"),
        ("works", "Works"),
        ("first_author", "First author"),
        ("n2Works", "N2 works"),
        ("DOI", "DOI"),
        ("", ""),
    ],
)
def test_a_column_is_named_in_words(name: str, words: str) -> None:
    assert results.heading(name) == words


def test_things_have_their_names() -> None:
    ada, job, other = (f"{BASE}people/{end}" for end in ("ada#it", "ada#job-a", "kim#it"))
    rows = [(NamedNode(ada), NamedNode(job)), (NamedNode(other), None)]
    assert results.things_in(rows, BASE) == [ada, job, other]
    cells = CellMaker(BASE, lambda _: "", {ada: "Ada Berg"})
    found = [cells.named(iri) for iri in (ada, job, other, f"{BASE}people/ada")]
    assert found == ["Ada Berg", "Ada Berg, job a", "people/kim#it", "Ada Berg"]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (None, ResultCell()),
        (
            NamedNode(f"{BASE}people/ada#it"),
            ResultCell("people/ada#it", "./people/ada.html", f"{BASE}people/ada#it"),
        ),
        (
            NamedNode(schema.name),
            ResultCell("schema:name", schema.name, schema.name, is_elsewhere=True),
        ),
        (
            NamedNode("https://example.org/x"),
            ResultCell(
                "example.org/x", "https://example.org/x", "https://example.org/x", is_elsewhere=True
            ),
        ),
        (NamedNode("urn:isbn:1"), ResultCell("urn:isbn:1")),
        (Literal("Ada"), ResultCell("Ada")),
        (Literal(""), ResultCell("")),
        (Literal("Ada", language="de"), ResultCell("Ada", note="@de", language="de")),
        (Literal(True), ResultCell("true", full="xsd:boolean")),
        (Literal(12), ResultCell("12", full="xsd:integer", is_number=True)),
        (
            Literal("1", datatype=NamedNode(f"{XSD}nonNegativeInteger")),
            ResultCell("1", full="xsd:nonNegativeInteger", is_number=True),
        ),
        (
            Literal("1", datatype=NamedNode(f"{XSD}unsignedByte")),
            ResultCell("1", full="xsd:unsignedByte", is_number=True),
        ),
        (Literal("2019", datatype=NamedNode(xsd.gYear)), ResultCell("2019", full="xsd:gYear")),
        (
            Literal("x", datatype=NamedNode("https://example.org/t")),
            ResultCell("x", note="example.org/t"),
        ),
        (BlankNode("b"), ResultCell("_:b", full="_:b")),
        (
            Triple(NamedNode("a:b"), NamedNode("a:c"), Literal("d")),
            ResultCell('<<( <a:b> <a:c> "d" )>>'),
        ),
    ],
    ids=str,
)
def test_a_term_is_shown_for_what_it_is(term: results.Term | None, expected: ResultCell) -> None:
    assert cell(term) == expected


@pytest.mark.parametrize(
    "scheme",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "mailto:a@b.example",
        "file:///etc",
        "vbscript:x",
    ],
)
def test_only_the_web_is_linked(scheme: str) -> None:
    found = page(table(["x"], {"x": {"type": "uri", "value": scheme}}))
    assert texts(found, "//td") == [scheme]
    assert found.xpath("//td//a") == []


def test_our_own_terms_have_their_prefix_and_lead_to_where_they_are_explained() -> None:
    found = CellMaker(BASE, lambda iri: href(BASE, iri, "")).of(NamedNode(cv.Study))
    assert (found.text, found.href) == ("cv:Study", "./terms/cv.html#Study")


def test_a_thing_of_the_site_without_a_page_is_described_by_the_endpoint() -> None:
    found = cell(NamedNode(f"{BASE}no/page"))
    assert (found.text, found.href) == (
        "no/page",
        "./sparql?query=DESCRIBE%20%3Chttps%3A%2F%2Fsite.example%2Fno%2Fpage%3E&format=html",
    )


def test_a_long_address_is_shortened_and_still_whole() -> None:
    iri = f"https://example.org/{'way/' * 200}"
    found = cell(NamedNode(iri))
    assert len(found.text) == 60
    assert found.text.endswith("…")
    assert found.href == found.full == iri


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "</textarea></table><img src=x onerror=alert(1)>",
        "\"><a href='javascript:alert(1)'>x</a>",
        "{{ 7 * 7 }} {% raw %}",
        "&lt;b&gt; &amp;amp;",
        "\u202egnp.exe\u2066 \ufeff",
        "tab\tand\nline\nbreaks  and spaces",
        "\U0001f600 e\u0301",
        "]]> <!-- --> <![CDATA[",
    ],
)
def test_what_a_stranger_stored_or_sends_stays_text(text: str) -> None:
    """In a value, the name of a column, the question, its graphs, and the message."""
    result = QueryResult(
        ["x", text], [(Literal(text), NamedNode("https://example.org/'onclick=alert(1)"))], 1
    )
    body = QueryOnly(BASE, text).pages.sparql(
        text, text, result, Graphs((text,), (text,)), chosen=text, limits=text
    )
    found = lxml.html.fromstring(body)
    places = [
        "//tbody/tr/td[1]",
        "//textarea",
        "//code[1]",
        "//*[@role='alert']",
        "//title",
        "//footer/p[1]",
    ]
    assert {text in texts(found, place)[0].replace("SPARQL · ", "") for place in places} == {True}
    assert found.xpath("//input/@value") == [text, text]
    assert (
        found.xpath(
            "//script[not(starts-with(@src, './static/')) or text()] | //img | //@onerror | "
            "//@onclick | //a[starts-with(@href, 'java')]"
        )
        == []
    )


def test_a_question_that_begins_with_an_empty_line_keeps_it() -> None:
    body = QueryOnly(BASE, "a.ttl").pages.sparql("\nASK {}").decode()
    assert ">\n\nASK {}</textarea>" in body, (
        "the first break after the tag is not counted by browsers"
    )


def test_a_table_has_its_columns_in_order_and_gaps_where_nothing_is_bound() -> None:
    found = page(
        table(["z", "a", "m"], {"a": literal("1")}, {"z": literal("2"), "m": literal("3")})
    )
    assert texts(found, "//th") == ["Z", "A", "M"]
    assert [[cell.text_content() for cell in row] for row in found.xpath("//tbody/tr")] == [
        ["", "1", ""],
        ["2", "", "3"],
    ]
    assert "2 rows." in texts(found, "//section/p")


def test_numbers_are_aligned_where_a_column_has_nothing_else() -> None:
    number = literal("1", datatype=f"{XSD}integer")
    found = page(
        table(["all", "some", "none"], {"all": number, "some": number}, {"some": literal("x")})
    )
    assert found.xpath("//th[@class='number']/text()") == ["All"]
    assert len(found.xpath("//td[@class='number']")) == 2


def test_an_empty_answer_shows_its_columns() -> None:
    found = page(table(["a", "b"]))
    assert texts(found, "//th") == ["A", "B"]
    assert "No rows." in texts(found, "//section/p")


def test_a_row_without_columns_is_counted() -> None:
    found = page(table([], {}))
    assert "1 row." in texts(found, "//section/p")
    assert found.xpath("//table") == []


@pytest.mark.parametrize(("verdict", "said"), [("true", "Yes."), ("false", "No.")])
def test_a_question_for_yes_or_no_has_a_clear_answer(verdict: str, said: str) -> None:
    found = page(results.table(b'{"head": {}, "boolean": %s}' % verdict.encode()))
    assert texts(found, "//p[@class='verdict']") == [said]
    assert found.xpath("//table") == []


def test_triples_within_triples_break_nothing() -> None:
    inner = {
        "subject": {"type": "uri", "value": "a:b"},
        "predicate": {"type": "uri", "value": "a:c"},
        "object": literal("<b>", **{"xml:lang": "de"}),
    }
    outer = {**inner, "object": {"type": "triple", "value": inner}}
    found = page(table(["t"], {"t": {"type": "triple", "value": outer}}))
    assert texts(found, "//td") == ['<<( <a:b> <a:c> <<( <a:b> <a:c> "<b>"@de )>> )>>']


def test_a_graph_is_shown_as_its_triples() -> None:
    lines = [
        '<a:s> <http://schema.org/name> "one\\nline"@de .',
        "_:b <a:p> <<( <a:s> <a:p> _:b )>> .",
    ]
    result = results.triples("".join(f"{line}\n" for line in lines).encode())
    assert (result.total, result.summary) == (2, "2 triples.")
    found = page(result)
    assert texts(found, "//th") == ["Subject", "Predicate", "Object"]
    assert texts(found, "//tbody/tr[1]/td") == ["a:s", "schema:name", "one\nline @de"]
    assert page(results.triples(b"")).xpath("//section/p/text()")[0] == "No triples."


def test_every_number_of_triples_is_counted_and_the_first_are_shown() -> None:
    for count in (1, MAX_ROWS - 1, MAX_ROWS, MAX_ROWS + 1, 3 * MAX_ROWS):
        result = results.triples(
            b"".join(b"<a:s> <a:p> <a:o%d> .\n" % number for number in range(count))
        )
        assert (result.total, len(result.rows)) == (count, min(count, MAX_ROWS))


def test_a_large_answer_is_shown_in_part_soon_with_the_way_to_the_whole() -> None:
    rows = [
        {
            "s": {"type": "uri", "value": f"http://example.org/{number}"},
            "n": literal(f"name {number}"),
        }
        for number in range(10_000)
    ]
    body = json.dumps({"head": {"vars": ["s", "n"]}, "results": {"bindings": rows}}).encode()
    start = time.process_time()
    result = results.table(body)
    html = QueryOnly(BASE, "a.ttl").pages.sparql("SELECT * { ?s ?p 'ä&b' }", result=result)
    assert time.process_time() - start < 4
    found = lxml.html.fromstring(html)
    assert "10,000 rows, showing the first 1,000." in texts(found, "//section/p")
    assert len(found.xpath("//tbody/tr")) == MAX_ROWS
    links = found.xpath("//p[starts-with(., 'Download all rows as')]/a/@href")
    asked = "./sparql?query=SELECT%20%2A%20%7B%20%3Fs%20%3Fp%20%27%C3%A4%26b%27%20%7D&format="
    assert links == [asked + form for form in ("json", "csv", "tsv", "xml")]


def test_long_texts_and_many_columns_leave_room_for_fewer_rows() -> None:
    columns = [f"c{number}" for number in range(500)]
    for wide in (
        table(columns, *[{"c1": literal("x")}] * 1000),
        table(["x"], *[{"x": literal("word " * 2000)}] * 1200),
    ):
        assert 1 <= len(wide.rows) < MAX_ROWS
        assert len(QueryOnly(BASE, "a.ttl").pages.sparql("SELECT", result=wide)) < 4_000_000
    alone = table(["x"], {"x": literal("x" * 5_000_000)})
    assert len(texts(page(alone), "//td")[0]) == MAX_CELL_TEXT


def test_every_form_that_is_offered_is_known() -> None:
    assert {*results.TABLE_FORMS, *results.GRAPH_FORMS} <= set(SHORT_NAMES)
    found = page(results.triples(b"<a:a> <a:b> <a:c> .\n"))
    assert texts(found, "//section/p[last()]/a") == [
        "Turtle",
        "JSON-LD",
        "N-Triples",
        "N-Quads",
        "TriG",
        "RDF/XML",
    ]


def test_a_column_of_entries_stays_hidden_though_another_has_none() -> None:
    """The first rows of an answer need not have a value in each column."""
    question = read_question(
        "who",
        '#+ summary: Who?\n#+ columns:\n#+   name: "Who @person"\n#+   at: "At @org"\n'
        "SELECT ?name ?at WHERE { ?person a ?name }",
    )
    ada = NamedNode(f"{BASE}people/ada#it")
    result = QueryResult(["name", "name_address"], [[Literal("Ada"), ada]], 1)
    cells = CellMaker(BASE, lambda _: "")
    shown, rows = answer_words.in_words(question, result, cells, lambda iri: "people/ada.html")
    assert [*shown.columns] == ["name"]
    assert [(each.text, each.href) for each in rows[0]] == [("Ada", "people/ada.html")]
