"""The feed keeps the rules of RFC 4287, and tells the newest works first."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from lxml import etree
from werkzeug.test import Client

from kg.graph.build import Graph
from kg.publish.about import notices
from kg.publish.about.notices import FeedEntry
from kg.publish.formats.media import ATOM
from kg.publish.site import Documents
from kg.vocab import schema

NAMESPACE = "http://www.w3.org/2005/Atom"
ATOM_NAMES = {"a": NAMESPACE}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture(scope="module")
def read(graph: Graph) -> etree._Element:
    return etree.fromstring(notices.feed(graph.site, graph.memory))


def texts(element: etree._Element, path: str) -> list[str]:
    return [each.text or "" for each in element.findall(path, ATOM_NAMES)]


def test_feed_and_entries_have_what_they_must_have(read: etree._Element) -> None:
    entries = read.findall("a:entry", ATOM_NAMES)
    assert read.tag == f"{{{NAMESPACE}}}feed"
    assert 40 < len(entries) <= 50
    for each in (read, *entries):
        for name in ("id", "title", "updated"):
            assert len(texts(each, f"a:{name}")) == 1
        assert texts(each, "a:id")[0].startswith("https://")
        assert all(texts(each, "a:author/a:name")), "an author has a name"
        assert len(each.findall("a:link[@rel='alternate']", ATOM_NAMES)) == 1
        assert all(
            INSTANT.fullmatch(when)
            for name in ("updated", "published")
            for when in texts(each, f"a:{name}")
        )
    assert len(read.findall("a:link[@rel='self']", ATOM_NAMES)) == 1
    assert len(set(texts(read, "a:entry/a:id"))) == len(entries)


def test_the_newest_come_first_with_their_authors_in_order(
    read: etree._Element, graph: Graph, documents: Documents
) -> None:
    dates = texts(read, "a:entry/a:published")
    assert dates == sorted(dates, reverse=True)
    newest = graph.memory.select(
        f"SELECT (MAX(STR(?date)) AS ?last) {{ [] <{schema.datePublished}> ?date ; "
        f"<{schema.creator}> [] }}"
    )
    assert dates[0].startswith(newest[0]["last"].value)
    work = read.find(
        f"a:entry[a:id='{documents.base}publications/sunde-2024-sieving-ai#it']", ATOM_NAMES
    )
    assert work is not None
    assert texts(work, "a:author/a:name")[0] == "Sigvard Sunde"
    assert texts(work, "a:author/a:uri")[0] == f"{documents.base}people/sigvard-sunde"


def test_its_time_is_that_of_the_data(graph: Graph) -> None:
    def updated(modified: str | None) -> str:
        return texts(
            etree.fromstring(notices.feed(replace(graph.site, modified=modified), graph.memory)),
            "a:updated",
        )[0]

    assert updated("2026-11") == "2026-11-01T00:00:00Z"
    assert updated(None) == max(notices.instant(work.date) for work in notices.newest(graph.memory))
    assert notices.instant("2019") == "2019-01-01T00:00:00Z"


def test_a_title_of_any_kind_is_told_as_it_is(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = 'Less < more & "so" ]]> </title> مرحبا 🐟'
    authors = {"https://x.example/a#it": "A & B"}
    work = FeedEntry("https://x.example/p/y#it", title + "\x00\x0b\ufffe", "2020", authors=authors)
    monkeypatch.setattr(notices, "newest", lambda store: [work])
    found = etree.fromstring(notices.feed(graph.site, graph.memory))
    assert texts(found, "a:entry/a:title") == [title]
    assert texts(found, "a:entry/a:author/a:name") == ["A & B"]


def test_a_licence_is_named_where_the_site_states_one(graph: Graph) -> None:
    site = replace(graph.site, license="https://creativecommons.org/licenses/by/4.0/")
    assert b'rel="license"' in notices.feed(site, graph.memory)
    assert b'rel="license"' not in notices.feed(graph.site, graph.memory)


def test_it_is_a_file_of_the_site(client: Client, graph: Graph) -> None:
    answer = client.get("/feed.xml")
    assert (answer.status_code, answer.mimetype) == (200, ATOM)
    assert answer.data == notices.feed(graph.site, graph.memory)
