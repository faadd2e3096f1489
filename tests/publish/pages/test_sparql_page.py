"""The page with the form for questions: as it is served, as it lies in a folder, and beside plain
files.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import lxml.html

from kg.check.check import good
from kg.graph.build import Graph
from kg.publish.hosting.query_only import QueryOnly
from kg.publish.questions import results
from kg.publish.site import Documents
from kg.sparql.evaluate import answer
from kg.store.memory import Memory
from kg.store.protocol import Graphs, Query, Wanted
from tests.stand_ins import with_stand_ins

NTRIPLES = Wanted("application/sparql-results+json", "application/n-triples")


def read(body: bytes) -> lxml.html.HtmlElement:
    return lxml.html.fromstring(body)


def questions(page: lxml.html.HtmlElement) -> dict[str, str]:
    """The questions in words, and the queries that a click asks."""
    return {
        link.text: parse_qs(urlsplit(link.get("href")).query)["query"][0]
        for link in page.xpath("//details//li/a")
    }


def shown(memory: Memory, query: str) -> results.QueryResult:
    found = answer(memory, Query(query, NTRIPLES))
    return (
        results.triples(found.body)
        if found.media_type == NTRIPLES.graph
        else results.table(found.body)
    )


def test_every_named_query_is_a_question_that_is_asked_by_a_click(
    documents: Documents, graph: Graph
) -> None:
    page = read(documents.pages.sparql())
    found = questions(page)
    assert len(found) >= 51
    assert "Who has this person written with?" in found
    assert {urlsplit(href).path for href in page.xpath("//details//li/a/@href")} == {"./sparql"}
    assert [
        question
        for question, query in found.items()
        if not shown(graph.memory, with_stand_ins(query)).rows
    ] == ["Which grants do we have?"]


def test_questions_about_one_thing_stand_apart_and_say_which(documents: Documents) -> None:
    inner = read(documents.pages.sparql()).xpath("//details//details")[0]
    notes = [item.text_content().strip() for item in inner.xpath(".//li")]
    asked = "Who has this person written with? person = alvar-jarl"
    assert asked in map(with_stand_ins, notes)
    assert 5 < len(notes) < 20


def test_a_sites_own_queries_are_questions_too(example: Path) -> None:
    (example / "queries").mkdir()
    (example / "queries" / "mine.rq").write_text(
        "# Who is <here> & there?\nSELECT * { ?s ?p ?o }\n"
    )
    (example / "queries" / "wordless.rq").write_text("ASK {}")
    found = questions(read(Documents(good(example)).pages.sparql()))
    assert found["Who is <here> & there?"] == "# Who is <here> & there?\nSELECT * { ?s ?p ?o }"
    assert "wordless" in found


def test_of_plain_files_general_questions_are_asked() -> None:
    page = read(QueryOnly("http://localhost/", "a.ttl").pages.sparql())
    found = questions(page)
    assert len(found) == 3
    lines = b'<a:s> <a:p> "o" .\n<a:s> a <a:C> <a:g> .\n'.replace(
        b" a ", b" <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
    )
    for union in (True, False):
        memory = Memory("http://localhost/", lines, union=union)
        assert {
            question: len(shown(memory, query).rows) > 0 for question, query in found.items()
        } == dict.fromkeys(found, True)
    assert page.xpath("//details//details") == []


def test_things_lead_to_their_pages_and_only_there_where_one_is(
    documents: Documents, graph: Graph
) -> None:
    base = graph.site.base
    things = (
        "<> <people/> <people/alvar-jarl> <people/alvar-jarl#it> <people/alvar-jarl#x> "
        "<https://w3id.org/cv-kg/terms#Study> <no/page>"
    )
    query = f"SELECT * {{ VALUES ?thing {{ {things} }} }}"
    page = read(documents.pages.sparql(query, result=shown(graph.memory, query)))
    links = {link.text: link.get("href") for link in page.xpath("//td/a")}
    describe = links.pop("no/page")
    assert parse_qs(urlsplit(describe).query)["query"] == [f"DESCRIBE <{base}no/page>"]
    assert links == {
        "Buoys and their work": "./",
        "People": "./people/",
        "Alvar Jarl": "./people/alvar-jarl.html",
        "Alvar Jarl, x": "./people/alvar-jarl.html#x",
        "Study": "./terms/cv.html#Study",
    }
    assert page.xpath("//td/a/@rel") == []


def test_what_lies_elsewhere_is_linked_as_such(documents: Documents, graph: Graph) -> None:
    query = "DESCRIBE <people/alvar-jarl#it>"
    page = read(documents.pages.sparql(query, result=shown(graph.memory, query)))
    elsewhere = page.xpath("//td/a[starts-with(@href, 'http')]")
    assert len(elsewhere) > 10
    assert {link.get("rel") for link in elsewhere} == {"nofollow noreferrer"}
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]


def test_a_slip_is_told_beside_the_question(documents: Documents) -> None:
    page = read(
        documents.pages.sparql("SELECT <", "line 1, column 8: that is no query", chosen="csv")
    )
    field = page.xpath("//form[1]//textarea")[0]
    assert field.text.strip() == "SELECT <"
    assert page.xpath(f"//form[1]//*[@id='{field.get('aria-describedby')}']/text()") == [
        "line 1, column 8: that is no query"
    ]
    assert page.xpath("//option[@selected]/@value") == ["csv"]
    assert (
        read(documents.pages.sparql(message="The query is empty."))
        .xpath("//textarea")[0]
        .text.strip()
        == ""
    )


def test_the_form_starts_with_a_question_and_a_table(documents: Documents) -> None:
    page = read(documents.pages.sparql(limits="A question may take 10 seconds."))
    form = page.xpath("//main//form")[0]
    assert (form.get("method"), form.get("action")) == ("get", "./sparql")
    assert "Who has written most" in form.xpath(".//textarea")[0].text
    assert form.xpath(".//option/@value")[:3] == ["html", "json", "csv"]
    assert page.xpath("//body//script | //script[text()] | //@style") == []
    assert "A question may take 10 seconds." in page.text_content()
    assert len(page.xpath("//main//form")) == 1


def test_the_graphs_that_were_chosen_stay_chosen(documents: Documents) -> None:
    chosen = Graphs(("https://a.example/x?y&z",), ("https://a.example/n",))
    page = read(
        documents.pages.sparql(
            "ASK {}", "", results.table(b'{"head": {}, "boolean": true}'), chosen
        )
    )
    fields = {
        (field.get("name"), field.get("value"))
        for field in page.xpath("//form[1]//input[@checked]")
    }
    assert fields == {
        ("default-graph-uri", "https://a.example/x?y&z"),
        ("named-graph-uri", "https://a.example/n"),
    }
    for href in page.xpath("//section/p[last()]/a/@href"):
        asked = parse_qs(urlsplit(href).query)
        assert (asked["default-graph-uri"], asked["named-graph-uri"]) == (
            ["https://a.example/x?y&z"],
            ["https://a.example/n"],
        )
