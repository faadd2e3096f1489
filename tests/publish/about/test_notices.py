"""What crawlers and agents look for: the sitemap, robots.txt, llms.txt, the icon."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace
from urllib.robotparser import RobotFileParser

import pytest
from lxml import etree, html
from werkzeug.test import Client

from kg.graph.build import Graph
from kg.publish.about import notices
from kg.publish.document import styles
from kg.publish.formats.media import PAGE_SUFFIXES
from kg.publish.site import Documents
from kg.store.memory import Memory
from kg.vocab import schema

MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def locations(body: bytes, within: str) -> dict[str, str | None]:
    return {
        str(each.findtext("s:loc", None, MAP)): each.findtext("s:lastmod", None, MAP)
        for each in etree.fromstring(body).findall(within, MAP)
    }


def test_the_sitemap_has_every_page_with_its_date(
    client: Client, documents: Documents, graph: Graph
) -> None:
    answer = client.get("/sitemap.xml")
    assert (answer.status_code, answer.mimetype) == (200, "application/xml")
    found = locations(answer.data, "s:url")
    assert list(found) == sorted(documents.base + address for address in documents.addresses)
    assert set(found.values()) == {graph.site.modified}, "no CV here says another"


def test_a_page_is_as_new_as_its_own_document_says(graph: Graph) -> None:
    base = graph.site.base
    lines = "".join(
        (
            f"<{base}{path}> <{schema.url}> <{base}{path}> <{base}{path}> .\n<{base}{path}> "
            f'<{schema.dateModified}> "{date}" <{base}{path}> .\n'
        )
        for path, date in (("people/ada", "2020-02"), ("", "2026-01-15"))
    )
    dates = notices.modified(Memory(base, lines.encode()))
    found = locations(notices.sitemap(base, ["", "people/ada"], dates, "sitemap.xml"), "s:url")
    assert found == {base: "2026-01-15", f"{base}people/ada": "2020-02"}


def test_a_page_without_a_date_has_none() -> None:
    assert locations(notices.sitemap("https://x.example/", ["a"], {}, "sitemap.xml"), "s:url") == {
        "https://x.example/a": None
    }


def test_a_large_sitemap_is_an_index_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    assert notices.sitemaps(50_000) == ["sitemap.xml"]
    assert len(notices.sitemaps(50_001)) == 3
    monkeypatch.setattr(notices, "MAX_SITEMAP_PAGES", 3)
    base, addresses = "https://x.example/", [f"people/number-{number}" for number in range(7)]
    names = notices.sitemaps(len(addresses))
    assert names == ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]
    assert list(locations(notices.sitemap(base, addresses, {}, names[0]), "s:sitemap")) == [
        base + name for name in names[1:]
    ]
    parts = [locations(notices.sitemap(base, addresses, {}, name), "s:url") for name in names[1:]]
    assert [len(part) for part in parts] == [3, 3, 1]
    assert [page for part in parts for page in part] == [base + address for address in addresses]


@pytest.mark.parametrize(
    ("base", "top"), [("https://x.example/", "/"), ("https://x.example/a/b/", "/a/b/")]
)
def test_robots_read_pages_and_leave_answers_alone(base: str, top: str) -> None:
    text = notices.robots(base).decode()
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    assert parser.site_maps() == [f"{base}sitemap.xml"]
    for path in ("", "people/ada", "people/ada.ttl", "dump.nt", "void.ttl", "llms.txt"):
        assert parser.can_fetch("any", base + path), path
    for path in (
        "sparql?query=ASK%7B%7D",
        "sparql?format=csv&query=x",
        "sparql.html?query=x",
        "search?q=ada",
    ):
        assert not parser.can_fetch("any", base + path), path
    assert f"Disallow: {top}sparql?\n" in text


def test_agents_are_told_where_things_are(
    client: Client, documents: Documents, graph: Graph
) -> None:
    text = client.get("/llms.txt").text
    assert text.startswith(f"# {graph.site.title}\n\n> {graph.site.description}\n")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Data", "Lists", "People"]
    addresses = [
        address.removeprefix(documents.base)
        for address in re.findall(r"^- \[.*?\]\((.*?)\)", text, re.MULTILINE)
    ]
    twins = {"people/index.md", "people/mirela-zemann.md"}
    assert {"dump.nt", "void.ttl", "sparql", "terms/cv", *twins} <= set(addresses)
    assert ".md for Markdown" in text
    assert [
        address
        for address in addresses
        if address not in documents.files and address not in documents.addresses
    ] == ["sparql", "reconcile"]
    assert graph.counts in text


def test_what_a_site_does_not_say_agents_are_not_told(graph: Graph) -> None:
    bare = notices.llms(
        replace(graph, site=replace(graph.site, description="")), PAGE_SUFFIXES
    ).decode()
    full = notices.llms(
        replace(
            graph, site=replace(graph.site, license="https://x.example/l", contact="ada@x.example")
        ),
        PAGE_SUFFIXES,
    ).decode()
    assert "\n> " not in bare
    assert "licence is" not in bare
    assert "The licence is https://x.example/l.\nCorrections: ada@x.example.\n" in full


def test_a_name_is_no_markdown(graph: Graph) -> None:
    people = [("A [b](javascript:x)\n# c", "https://x.example/(d)", "*e*")]
    text = notices.render(
        "llms.txt", site=graph.site, counts="", twins="", dumps=[], lists=[], people=people, more=2
    ).decode()
    assert text.endswith(
        "- [A \\[b\\](javascript:x) # c](https://x.example/%28d%29): \\*e\\*\n"
        f"- [2 more]({graph.site.base}people/)\n"
    )


def test_browsers_find_an_icon(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer.mimetype) == (200, "image/vnd.microsoft.icon")
    kind, number, width, size, start = struct.unpack("<2xHHB7xII", answer.data[:22])
    assert (kind, number, width, start + size) == (1, 1, 32, len(answer.data))
    assert answer.data[start:].startswith(b"\x89PNG")
    assert len(answer.data) < 1000
    icons = html.document_fromstring(client.get("/people/alvar-jarl").data).xpath(
        "//link[@rel='icon']/@href"
    )
    assert icons == ["../favicon.ico", "../static/icon.svg"]


def test_a_site_can_be_put_on_the_home_screen(client: Client) -> None:
    page = html.document_fromstring(client.get("/people/alvar-jarl").data)
    assert page.xpath("//link[@rel='apple-touch-icon']/@href") == ["../static/apple-touch-icon.png"]
    assert page.xpath("//link[@rel='manifest']/@href") == ["../site.webmanifest"]
    answer = client.get("/site.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    assert "manifest-src 'self'" in client.get("/").headers["Content-Security-Policy"]
    for icon in json.loads(answer.data)["icons"]:
        assert client.get(f"/{icon['src']}").mimetype == icon["type"]


def test_the_colour_of_the_window_is_that_of_the_page(client: Client) -> None:
    paper = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", styles().decode())
    assert paper
    found = html.document_fromstring(client.get("/").data).xpath(
        "//meta[@name='theme-color']/@content"
    )
    assert found == list(paper.groups())
    assert len(set(found)) == 2
