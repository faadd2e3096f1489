"""The page of a vocabulary: each term at its own address, with what it means and where it is
used.
"""

from __future__ import annotations

import re

import pytest
from lxml import html
from werkzeug.test import Client

from kg.graph.build import Graph
from kg.vocab import cut, cv, schema


def test_every_term_is_explained_at_its_fragment(client: Client) -> None:
    page = html.document_fromstring(client.get("/terms/cv", headers={"Accept": "text/html"}).data)
    found = {each.get("id"): each for each in page.xpath("//div[@class='row']")}
    assert found.keys() == {*cv}
    for name, each in found.items():
        meaning, use = (paragraph.text_content() for paragraph in each.xpath("div/p"))
        assert len(meaning) > 15, name
        assert use.startswith(("Used ", "Not used on this site")), name
        assert each.xpath("div/h3")


@pytest.mark.parametrize(
    ("term", "by"),
    [
        (cv.Internship, schema.additionalType),
        (cv.acceptanceRate, schema.variableMeasured),
    ],
)
def test_its_uses_are_counted(client: Client, graph: Graph, term: str, by: str) -> None:
    number = graph.memory.select(f"SELECT (COUNT(DISTINCT ?use) AS ?n) {{ ?use <{by}> <{term}> }}")[
        0
    ]["n"].value
    page = html.document_fromstring(client.get("/terms/cv.html").data)
    words = page.get_element_by_id(cut(term)[1]).text_content()
    assert int(number) > 1
    listed = re.findall(
        r"\((\d+)\)", re.search(r"Used in (.*?), for example", " ".join(words.split()))[1]
    )
    assert sum(map(int, listed)) == int(number)


def test_terms_that_nobody_uses_are_there_too(client: Client, graph: Graph) -> None:
    assert not graph.memory.select(
        f"SELECT ?use {{ ?use <{schema.additionalType}> <https://w3id.org/cv-kg/terms#Referee> }}"
    )
    words = (
        html.document_fromstring(client.get("/terms/cv.html").data)
        .get_element_by_id("Referee")
        .text_content()
    )
    assert "Not used on this site." in words
