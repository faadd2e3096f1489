"""The pages of questions: the list, and each with its form, its answer and its picture."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import lxml.html
import pytest
from werkzeug.test import Client

from kg.publish.pages.question_page import parts, question_page, snippets
from kg.publish.questions import editor
from kg.publish.questions.questions import result_of
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.reading.questions import Question, read_question
from kg.store.protocol import Wanted
from tests.conftest import skip
from tests.sparql.asking import answered

PAGE = {"Accept": "text/html"}


def read(body: bytes) -> lxml.html.HtmlElement:
    return lxml.html.fromstring(body)


def file(documents: Documents, path: str) -> lxml.html.HtmlElement:
    document = documents.get(path)
    assert document is not None, path
    return read(document.body)


def asked(client: Client, path: str, status: int = 200) -> lxml.html.HtmlElement:
    answer = client.get(f"/queries/{path}", headers=PAGE)
    assert answer.status_code == status
    return read(answer.data)


def texts(page: lxml.html.HtmlElement, path: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in page.xpath(path)]


def test_the_list_has_every_question_once(documents: Documents) -> None:
    page = file(documents, "queries/index.html")
    links = [(link.get("href"), link.text) for link in page.xpath("//ul[@class='asked']//a")]
    assert sorted(links) == sorted(
        (f"{name}.html", each.summary) for name, each in documents.questions.items()
    )
    assert len(links) >= 51
    assert page.xpath("//main//form") == []


@pytest.mark.slow  # `make quick` runs without the packages of `make editor`
def test_each_page_has_one_field_for_each_parameter(documents: Documents) -> None:
    if "oxigraph.wasm" not in editor.files():
        skip("the engine for browsers is not installed; `make editor` does it where there is npm")
    for name, question in documents.questions.items():
        page = file(documents, f"queries/{name}.html")
        fields = page.xpath("//form[@class='values']//input")
        assert sorted(field.get("name") for field in fields) == sorted(
            each.name for each in question.parameters
        )
        assert all(field.get("aria-label") for field in fields), name
        defaults = {each.name: each.default for each in question.parameters if not each.is_thing}
        for field in fields:
            assert field.get("value") == defaults.get(field.get("name"), ""), field.get("id")
        forms = page.xpath("//form[@class='values']/@action")
        assert forms == [f"{name}.html"] * bool(question.parameters)
        assert len(set(page.xpath("//@id"))) == len(page.xpath("//@id")), name


def test_files_hold_the_answers_that_need_no_value(
    documents: Documents, endpoint: Embedded
) -> None:
    """The same bytes as the endpoint's."""
    written = 0
    for name, question in documents.questions.items():
        for suffix, media_type in (
            (".json", "application/sparql-results+json"),
            (".csv", "text/csv"),
        ):
            document = documents.get(f"queries/{name}{suffix}")
            assert (document is None) == bool(question.needed), name
            if document:
                is_json = suffix == ".json"  # also has addresses, and the sources of its rows
                asked_for = (question.linked if is_json else question).text
                there = answered(endpoint, asked_for, Wanted(media_type, None))
                body = re.sub(rb'^\{"head":\{"link":\[[^]]*\],', b'{"head":{', document.body)
                assert (document.media_type, body) == (media_type, there.body), name
                written += 1
    assert written >= 40


def test_the_page_of_a_question_has_its_answer_by_names(documents: Documents) -> None:
    page = file(documents, "queries/papers-per-year.html")
    assert texts(page, "//h1") == ["How many works appeared each year?"]
    assert texts(page, "//th") == ["Year", "Works"]
    rows = [texts(row, "td") for row in page.xpath("//tbody/tr")]
    titles = [title.text for title in page.xpath("//figure//rect/title")]
    assert titles == [f"{year}: {works}" for year, works in rows], "and a column for each year"
    links = [link.get("href") for link in page.xpath("//div[@id='found']//a")]
    assert [each for each in links if "sources/" not in each] == [
        "papers-per-year.csv",
        "papers-per-year.json",
    ]
    query = documents.questions["papers-per-year"].text
    assert page.get_element_by_id("query").text == query
    opened = urlsplit(page.get_element_by_id("editor").get("href"))
    assert opened.path == "../sparql.html"
    assert parse_qs(opened.query)["query"] == [query]


def test_no_page_of_an_answer_shows_an_address_in_place_of_a_name(documents: Documents) -> None:
    found = []
    for name, question in documents.questions.items():
        page = file(documents, f"queries/{name}.html")
        assert (page.xpath("//section[@id='answer']/@hidden") != []) == bool(question.needed)
        cells = texts(page, "//td")
        found += [(name, text) for text in cells if text.startswith((documents.base, "people/"))]
    assert found == []


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("coauthors", "//svg[contains(@class, 'explore')]//a"),
        ("who-was-where", "//figure[@class='life']//rect"),
    ],
)
def test_an_answer_is_drawn_as_its_header_says(documents: Documents, name: str, marks: str) -> None:
    assert len(file(documents, f"queries/{name}.html").xpath(marks)) > 10


def test_a_question_with_values_is_answered_with_the_form_filled(client: Client) -> None:
    page = asked(client, "coauthors-of.html?person=mirela-zemann")
    [field] = page.xpath("//form[@class='values']//input")
    assert (field.get("value"), field.get("data-value")) == ("Mirela Zemann", "mirela-zemann")
    assert "Who has this person written with" in page.findtext(".//title")
    assert "Mirela Zemann" in page.findtext(".//title")
    first = page.xpath("//tbody/tr")[0]
    assert texts(first, "td")[:2] == ["Muvikra D. Basen", "14"]
    assert first.xpath(".//rect/@width") == ["100.0%"]
    assert "people/mirela-zemann#it" in page.get_element_by_id("query").text
    hrefs = [link.get("href") for link in page.xpath("//div[@id='found']/p[@class='note']/a")]
    assert [each for each in hrefs if "sources/" not in each] == [
        f"coauthors-of.{each}?person=mirela-zemann" for each in ("csv", "json", "tsv", "xml")
    ]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]
    assert page.xpath("//*[@data-engine]") == [], "here the server answers"


def test_what_is_wrong_stands_at_its_field_and_the_nearest_are_links(client: Client) -> None:
    page = asked(client, "shared-coauthors.html?person=mirela-zeman&other=alvar-jarl", 400)
    wrong, right = page.xpath("//form[@class='values']//input")
    assert (wrong.get("aria-invalid"), wrong.get("value")) == ("true", "mirela-zeman")
    assert right.get("aria-invalid") is None
    assert right.get("value") == "Alvar Jarl"
    problem = page.get_element_by_id(wrong.get("aria-describedby"))
    assert problem.text.startswith("person cannot be 'mirela-zeman': unknown person.")
    near = page.xpath("//div[@class='wrong']//a/@href")
    assert near == ["shared-coauthors.html?person=mirela-zemann&other=alvar-jarl"]
    assert texts(page, "//p[@class='problem']") == [problem.text], "it is said once"
    assert page.get_element_by_id("answer").get("hidden") is not None


def test_what_is_given_stays_text(client: Client) -> None:
    markup = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    page = asked(client, f"coauthors-of.html?person={markup}", 400)
    assert page.xpath("//form[@class='values']//input/@value") == ['"><script>alert(1)</script>']
    assert all(script.get("src") for script in page.xpath("//script"))


def test_the_query_in_a_page_has_places_for_its_values(documents: Documents) -> None:
    for question in documents.questions.values():
        found = parts(question)
        texts = [part if isinstance(part, str) else part["present"] for part in found]
        assert "".join(texts) == question.text
        names = [part["name"] for part in found if isinstance(part, dict)]
        assert sorted(names) == sorted(each.name for each in question.parameters)
    page = file(documents, "queries/coauthors-of.html")
    stated = page.get_element_by_id("answer").get("data-question")
    question = documents.questions["coauthors-of"]
    assert json.loads(stated) == [
        parts(each) for each in (question, question.linked, question.evidence)
    ]
    assert "?other" in question.linked.text.partition("WHERE")[0], "to link to the co-authors"


def test_a_question_is_taken_elsewhere() -> None:
    question = read_question("who", "#+ summary: Who?\nSELECT * { ?s ?p ?o }")
    found = snippets(question, "https://x.org/queries/who", {"person": "o'neil & co"})
    assert found == {
        "curl": "curl --silent --location "
        "'https://x.org/queries/who.csv?person=o%27neil%20%26%20co'",
        "pandas": "import pandas\n\n"
        'pandas.read_csv("https://x.org/queries/who.csv?person=o%27neil%20%26%20co")',
        "R": 'read.csv("https://x.org/queries/who.csv?person=o%27neil%20%26%20co")',
        "kg": "kg query who --person 'o'\\''neil & co'",
    }


@pytest.mark.parametrize(
    ("text", "shown", "suffixes"),
    [
        ("#+ summary: Is it so?\nASK { ?s ?p ?o }", "Yes.", ["json"]),
        (
            "#+ summary: What?\nCONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 2",
            "2 triples.",
            ["ttl"],
        ),
        ("#+ summary: None?\nSELECT ?x { ?x <urn:none> 1 }", "No rows.", ["csv", "json"]),
    ],
)
def test_other_answers_have_pages_too(
    documents: Documents, text: str, shown: str, suffixes: list[str]
) -> None:
    question: Question = read_question("mine", text)
    result = result_of(question, documents.ask(text))
    page = read(question_page(documents.pages, question, {}, result=result, loads={}))
    assert shown in texts(page, "//div[@id='found']/p")
    hrefs = [link.get("href") for link in page.xpath("//div[@id='found']/p[@class='note']/a")]
    assert hrefs == [f"mine.{each}" for each in suffixes]


def test_home_and_menu_lead_to_questions(documents: Documents) -> None:
    home = file(documents, "index.html")
    assert "./queries/" in home.xpath("//nav[@id='menu']/a/@href")
    linked = home.xpath("//ul[@class='asked']//a/@href")
    assert len([link for link in linked if "queries/" in link]) == 3, "the others are in the menu"
    assert all(documents.get(link.removeprefix("./")) for link in linked)
