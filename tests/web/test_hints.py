"""Hints on the web: beside the answer in the page, and in a header that any program and any browser
can read.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser
from werkzeug.test import Client

from kg.web.answers import MAX_HINT, hint_header
from tests.web.browsing import follow
from tests.web.serving import Server

TYPO = "PREFIX schema: <http://schema.org/> SELECT ?who { ?work schema:autor ?who }"
HINT = "No triple uses schema:autor. Did you mean schema:author?"


def ask(client: Client, query: str, accept: str) -> Any:
    return client.get("/sparql", query_string={"query": query}, headers={"Accept": accept})


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "text/csv", "text/html"])
def test_a_query_is_answered_as_written_with_a_hint_in_a_header(
    client: Client, accept: str
) -> None:
    answer = ask(client, TYPO, accept)
    assert (answer.status_code, answer.headers["Kg-Hint"]) == (200, HINT)
    assert "Kg-Hint" in answer.headers["Access-Control-Expose-Headers"]


def test_the_answer_itself_is_what_it_was(client: Client) -> None:
    answer = ask(client, TYPO, "application/json")
    assert json.loads(answer.data) == {"head": {"vars": ["who"]}, "results": {"bindings": []}}


def test_a_graph_has_hints_too(client: Client) -> None:
    answer = ask(client, "DESCRIBE <people/alvar-jalr#it>", "text/turtle")
    assert (
        answer.headers["Kg-Hint"]
        == "No triple uses <people/alvar-jalr#it>. Did you mean <people/alvar-jarl#it>?"
    )


@pytest.mark.parametrize("accept", ["text/csv", "text/html"])
def test_without_a_slip_there_is_no_hint(client: Client, accept: str) -> None:
    answer = ask(client, TYPO.replace("autor", "author"), accept)
    assert "Kg-Hint" not in answer.headers
    assert "Did you mean" not in answer.text


def test_a_conditional_request_has_the_hint_again(client: Client) -> None:
    etag = ask(client, TYPO, "text/csv").headers["ETag"]
    again = client.get(
        "/sparql",
        query_string={"query": TYPO},
        headers={"Accept": "text/csv", "If-None-Match": etag},
    )
    assert (again.status_code, again.headers["Kg-Hint"]) == (304, HINT)


@pytest.mark.parametrize("name", ["größe", "100%25", "名前", "a%0D%0AX-Evil:%201"])
def test_whatever_is_named_the_header_is_plain_and_gives_it_back(client: Client, name: str) -> None:
    answer = ask(client, f"DESCRIBE <http://elsewhere.example/{name}>", "text/turtle")
    said = answer.headers["Kg-Hint"]
    assert said.isascii()
    assert said.isprintable()
    assert unquote(said) == f"No triple uses <http://elsewhere.example/{name}>."
    assert "X-Evil" not in answer.headers


def test_a_header_holds_a_hint_a_line_and_is_never_long() -> None:
    hints = ["one\r\nX-Evil: 1", "zwei ü", "%0A"]
    assert unquote(hint_header(hints)) == "\n".join(hints)
    assert hint_header(["plain", "名" * MAX_HINT, "lost"]) == "plain"
    assert hint_header([]) == ""


def test_markup_in_a_hint_is_text(client: Client) -> None:
    page = ask(client, "DESCRIBE <x:a'&b>", "text/html").text
    assert '<p class="hint" role="note">No triple uses &lt;x:a&#39;&amp;b&gt;.</p>' in page


def test_the_page_shows_it_above_the_answer(browser: Browser, server: Server) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{server.address}sparql")
    page.get_by_label("Query", exact=True).fill(TYPO)
    follow(page.get_by_role("button", name="Run"))
    note = page.get_by_role("note")
    assert note.inner_text() == HINT
    above, said = note.bounding_box(), page.get_by_text("No rows.").bounding_box()
    assert above and said and above["y"] < said["y"]
    page.close()
