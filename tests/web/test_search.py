"""Search over HTTP: a page for people, JSON for programs; and the forms of works that are no
RDF.
"""

from __future__ import annotations

import json
from urllib.parse import urljoin

import lxml.html
import pytest
from werkzeug.test import Client

from kg.publish.formats.media import BIBTEX, CSL, HTML, JSON
from kg.publish.site import Documents

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def links(text: str) -> list[str]:
    return [
        str(link)
        for link in lxml.html.fromstring(text).xpath("//section[@class='results']//li/a/@href")
    ]


def test_a_page_tells_what_was_found(client: Client) -> None:
    answer = client.get("/search?q=zemann+mire", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (200, HTML)
    assert links(answer.text)[0] == "./people/mirela-zemann.html"
    assert "<mark>Mire</mark>la <mark>Zemann</mark>" in answer.text
    assert "2 results" in answer.text
    assert 'value="zemann mire"' in answer.text
    assert '<meta name="robots" content="noindex">' in answer.text


def test_nothing_found_is_said_and_the_lists_offered(client: Client) -> None:
    answer = client.get("/search?q=xyzzy", headers=BROWSER)
    assert links(answer.text) == []
    assert "No results." in answer.text
    assert '<a href="people/">People</a>' in answer.text


def test_many_are_not_all_shown(client: Client) -> None:
    answer = client.get("/search?q=a", headers=BROWSER)
    assert len(links(answer.text)) == 50
    assert "; showing the best 50" in answer.text


@pytest.mark.parametrize(
    ("address", "headers"), [("&format=json", BROWSER), ("", {"Accept": "application/json"})]
)
def test_programs_get_the_same_as_json(
    client: Client, documents: Documents, address: str, headers: dict[str, str]
) -> None:
    answer = client.get(f"/search?q=osu{address}", headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, JSON)
    assert json.loads(answer.data) == {
        "query": "osu",
        "total": 1,
        "found": [
            {
                "address": f"{documents.base}orgs/osu",
                "name": "The Orla State University",
                "kind": "Organisation",
                "note": "",
                "also": "OSU",
            }
        ],
    }


@pytest.mark.parametrize(
    ("address", "accept", "status"),
    [
        ("/search?q=x&format=pdf", "*/*", 400),
        ("/search?q=x", "image/png", 406),
        ("/search", "*/*", 200),
        ("/search?q=%ff%00", "*/*", 200),
    ],
)
def test_odd_questions_are_answered_well(
    client: Client, address: str, accept: str, status: int
) -> None:
    assert client.get(address, headers={"Accept": accept}).status_code == status


def test_what_is_looked_for_breaks_no_page(client: Client) -> None:
    answer = client.get(
        "/search", query_string={"q": "<script>alert(1)</script>\"'&"}, headers=BROWSER
    )
    assert "<script>" not in answer.text
    assert client.get("/search", query_string={"q": "a " * 5000}).status_code == 200


def test_the_form_in_every_page_leads_to_the_answer(client: Client) -> None:
    page = lxml.html.fromstring(client.get("/people/alvar-jarl", headers=BROWSER).text)
    (form,) = page.xpath("//header//form[@role='search']")
    assert (form.get("action"), form.get("method", "get")) == ("../search.html", "get")
    answer = client.get("/search.html?q=osu")
    target = urljoin("/search.html", answer.headers["Location"])
    assert (answer.status_code, target) == (302, "/search?q=osu")
    assert client.get("/search.html").mimetype == HTML


def test_the_field_for_searching_is_not_filled_with_a_question_in_sparql(
    client: Client,
) -> None:
    page = lxml.html.fromstring(client.get("/sparql?query=ASK%20%7B%7D", headers=BROWSER).text)
    assert page.xpath("//form[@role='search']/input/@value") == [""]


@pytest.mark.parametrize(("suffix", "media_type"), [(".bib", BIBTEX), (".csl.json", CSL)])
@pytest.mark.parametrize(
    "address", ["/people/alvar-jarl", "/publications/jarl-2020-lagoons", "/patents/ms-406007-us-np"]
)
def test_citations_come_by_suffix_and_by_what_is_accepted(
    client: Client, address: str, suffix: str, media_type: str
) -> None:
    by_suffix, by_accept = (
        client.get(address + suffix),
        client.get(address, headers={"Accept": media_type}),
    )
    assert by_suffix.mimetype == by_accept.mimetype == media_type
    assert by_suffix.data == by_accept.data
    assert urljoin(address, by_accept.headers["Content-Location"]) == address + suffix
    assert f'href="../{(address + suffix)[1:]}"' in client.get(address, headers=BROWSER).text


@pytest.mark.parametrize("address", ["/orgs/osu", "/people/tom-bimarma", "/people/"])
def test_what_is_no_work_and_wrote_none_has_no_citations(client: Client, address: str) -> None:
    assert client.get(f"{address}.bib").status_code == 404
    assert client.get(address, headers={"Accept": BIBTEX}).status_code == 406
