"""The question to which a page leads: about its subject, with an answer, and whole whatever the
title is.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import lxml.html
import pytest

from kg.publish.formats.urls import query_page
from kg.publish.questions.questions import starter_query
from kg.publish.site import Documents


def asked(documents: Documents, path: str) -> str:
    page = documents.get(path)
    assert page is not None
    (href,) = lxml.html.fromstring(page.body).xpath("//footer//a[text()='SPARQL']/@href")
    fields = parse_qs(urlsplit(href).query, strict_parsing=True)
    assert (urlsplit(href).path.rpartition("/")[2], urlsplit(href).fragment, fields["format"]) == (
        "sparql.html",
        "",
        ["html"],
    )
    return fields["query"][0]


@pytest.mark.proof
def test_every_page_asks_something_that_has_an_answer(documents: Documents) -> None:
    pages = [
        path
        for path, (origin, _) in documents.files.items()
        if origin in documents.addresses and path.endswith(".html")
    ]
    assert len(pages) > 500
    silent = []
    for path in pages:
        query = asked(documents, path)
        assert query.startswith("# ")
        if not documents.graph.memory.select(query):
            silent.append(path)
    assert silent == []


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("index.html", "# Which classes are used, and how often?"),
        ("people/index.html", '# What is in the list "People"?'),
        ("people/alvar-jarl.html", "# Who are the co-authors of Alvar Jarl?"),
        ("orgs/meridian.html", "# Which facts have Meridian as subject or object?"),
        ("terms/cv.html", "# Which terms are defined, and what do they mean?"),
    ],
)
def test_the_question_fits_the_page(documents: Documents, path: str, question: str) -> None:
    assert asked(documents, path).splitlines()[0] == question


def test_a_title_cannot_end_its_comment(documents: Documents) -> None:
    title = "A\n} # $path {x} %s\r\u2028\"'<"
    query = starter_query("orgs/meridian", title)
    assert (
        query.splitlines()[0] == "# Which facts have A } # $path {x} %s \"'< as subject or object?"
    )
    assert documents.graph.memory.select(query)
    assert parse_qs(urlsplit(query_page(query)).query)["query"] == [query]
