"""The base need not be where a site is served: below any path, behind any proxy and in any folder
all links work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import etree, html
from werkzeug.test import Client, TestResponse

from kg.publish.formats.urls import file_of
from kg.publish.questions import editor
from kg.publish.site import Documents

Ask = Callable[[str], TestResponse]
OUTSIDE = "http://proxy.example/deep/sub/"
WHOLE = {"canonical", "cite-as"}  # what names a document wherever it is
BESIDE = {
    "sparql",
    "sparql.html",
    "static/yasgui.min.js",
    "static/yasgui.min.css",
}  # answered live, and no files of the site


@pytest.fixture
def ask(client: Client) -> Ask:
    """Asks the application below a path, which a proxy cuts off in silence."""
    return lambda path: client.get(
        f"/{path}", base_url="http://inside.example/", headers={"Accept": "text/html"}
    )


def some(documents: Documents) -> list[str]:
    """A document of each kind, the largest, and all lists."""
    kinds = {
        address.partition("/")[0]: address
        for address in sorted(documents.addresses, reverse=True)
        if not address.endswith("/")
    }
    lists = [address for address in sorted(documents.addresses) if address.endswith("/")]
    return [
        "",
        *kinds.values(),
        "people/mirela-zemann",
        "publications/jarl-2020-lagoons",
        "terms/cv",
        *lists,
    ]


def places(page: bytes) -> Iterator[str]:
    """All that a page leads to or loads."""
    tree = html.document_fromstring(page)
    for each in tree.xpath("//*[@href or @src or @action]"):
        if not WHOLE & set(each.get("rel", "").split()):
            yield from filter(None, (each.get(name) for name in ("href", "src", "action")))


def lost(documents: Documents, at: str, found: Iterator[str], live: bool) -> list[str]:
    """The ways of a page at an address that lead to nothing of ours, or out of where the site
    lies.
    """
    wrong = []
    for way in found:
        if way.startswith("#"):  # on the page itself
            continue
        place = urlsplit(urljoin(at, way))
        if place.netloc != urlsplit(OUTSIDE).netloc:
            if f"{place.scheme}://{place.netloc}/" == documents.base:
                wrong.append(way)  # to the base, which need not be here
            continue
        path = place.path.removeprefix(urlsplit(OUTSIDE).path)
        is_there = path in documents.files or file_of(path, ".html") in documents.files
        if live:
            is_there = is_there or path in BESIDE
        if not is_there or not place.path.startswith(urlsplit(OUTSIDE).path):
            wrong.append(way)
    return wrong


def test_the_page_of_each_kind_leads_somewhere_live(ask: Ask, documents: Documents) -> None:
    pages = some(documents)
    assert len(pages) > 25
    for address in pages:
        answer = ask(address)
        assert answer.status_code == 200
        assert lost(documents, OUTSIDE + address, places(answer.data), live=True) == [], address
        header = re.findall(r'<([^>]*)>; rel="([^"]*)"', answer.headers["Link"])
        ways = [target for target, rel in header if rel not in WHOLE]
        assert len(ways) > 4
        assert lost(documents, OUTSIDE + address, iter(ways), live=True) == [], address
        place = urljoin(OUTSIDE + address, answer.headers["Content-Location"])
        assert place == OUTSIDE + file_of(address, ".html")


def test_the_page_of_each_kind_leads_somewhere_in_a_folder(documents: Documents) -> None:
    for address in [*some(documents), "format", "sparql"]:
        path = file_of(address, ".html")
        page = documents.get(path)
        assert page is not None
        ways = (
            way for way in places(page.body) if way != "./sparql"
        )  # where a server would answer
        assert lost(documents, OUTSIDE + path, ways, live=False) == [], path


@pytest.mark.parametrize(
    "path",
    [
        "format.html",
        "sparql",
        "sparql?format=html&query=SELECT*{?s%20?p%20?o}LIMIT%205",
        "people/nobody",
        "a/b/c/d",
    ],
)
def test_other_pages_lead_somewhere_too(ask: Ask, documents: Documents, path: str) -> None:
    answer = ask(path)
    assert answer.mimetype == "text/html"
    assert lost(documents, OUTSIDE + path, places(answer.data), live=True) == []


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("people", "people/"),
        ("void", "void.ttl"),
        ("sparql.html?query=ASK%7B%7D", "sparql?query=ASK%7B%7D"),
    ],
)
def test_who_is_sent_on_stays_on_the_site(ask: Ask, path: str, target: str) -> None:
    answer = ask(path)
    assert answer.status_code in (302, 303, 308)
    assert urljoin(OUTSIDE + path, answer.headers["Location"]) == OUTSIDE + target


def test_only_what_names_a_document_carries_the_base(documents: Documents) -> None:
    for address in some(documents):
        page = documents.get(file_of(address, ".html"))
        assert page is not None
        tree = html.document_fromstring(page.body)
        etree.strip_elements(tree, "script", with_tail=False)
        for each in [
            *tree.xpath("//link[@rel='canonical' or @rel='cite-as']"),
            *tree.xpath("//meta[@property]"),
        ]:
            each.drop_tree()
        text = etree.tostring(tree, encoding="unicode")
        assert f'"{documents.base}' not in text, address


def test_the_editor_has_its_files_beside_the_page() -> None:
    assert {f"static/{name}" for name in editor.EDITOR} <= BESIDE
