"""The links of a document are one list, printed in three ways, and signposting clients find what
they look for.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml import html
from werkzeug.test import Client

from kg.graph.build import Graph
from kg.graph.describe import describe
from kg.publish.about import signposting
from kg.publish.formats.media import (
    ATOM,
    CITATION_SUFFIXES,
    DATA_SUFFIXES,
    DUMP_SUFFIXES,
    HTML,
    LINKSET,
    PAGE_SUFFIXES,
    TURTLE,
)
from kg.publish.formats.urls import TypedLink
from kg.publish.site import Documents

PERSON, WORK, LIST = "people/alvar-jarl", "publications/jarl-2021-canal-micro", "publications/"
ONE = re.compile(r'<([^>]*)>; rel="([^"]*)"(?:; type="([^"]*)")?(?:, |$)')


def in_header(text: str) -> list[tuple[str, str, str]]:
    found = [(rel, target, media_type) for target, rel, media_type in ONE.findall(text)]
    assert "".join(match[0] for match in ONE.finditer(text)) == text, "all of it is read"
    return found


def in_head(page: bytes) -> list[tuple[str, str, str]]:
    elements = html.document_fromstring(page).xpath(
        "//head/link[not(contains(' stylesheet icon preload apple-touch-icon manifest ', @rel))]"
    )
    return [(each.get("rel"), each.get("href"), each.get("type", "")) for each in elements]


def targets(documents: Documents, path: str, rel: str) -> list[str]:
    return [link.target for link in documents.links(path) if rel in link.rel.split()]


def linkset(documents: Documents, path: str) -> dict[str, dict[str, list[dict[str, str]]]]:
    document = documents.get(path)
    assert document is not None
    found: list[dict[str, Any]] = json.loads(document.body)["linkset"]
    return {context.pop("anchor"): context for context in found}


@pytest.mark.parametrize(
    "file", [f"{PERSON}.html", f"{WORK}.html", f"{LIST}index.html", "index.html", "terms/cv.html"]
)
def test_header_head_and_linkset_say_the_same(
    client: Client, documents: Documents, file: str
) -> None:
    page = client.get(f"/{file}")
    header = in_header(page.headers["Link"])
    assert header == [link for link in in_head(page.data) if link[0] != "meta"]
    whole = {
        (rel, target["href"].removesuffix(".html"), target.get("type", ""))
        for rel, found in linkset(documents, file.replace(".html", ".linkset.json"))[
            documents.base + file
        ].items()
        for target in found
    }
    short = {
        (one, urljoin(documents.base + file, target).removesuffix(".html"), media)
        for rel, target, media in header
        for one in rel.split()
    }
    assert short <= whole
    assert {rel for rel, _, _ in whole - short} <= {"item", "author"}, (
        "only long relations are left to it"
    )


def test_a_client_that_reads_signposts_finds_its_way(documents: Documents) -> None:
    page, base = f"{WORK}.html", documents.base
    assert (
        targets(documents, page, "cite-as")
        == targets(documents, page, "canonical")
        == [base + WORK]
    )
    assert targets(documents, page, "type") == [
        "https://schema.org/AboutPage",
        "https://schema.org/ScholarlyArticle",
    ]
    assert targets(documents, page, "describedby") == [
        f"../{WORK}{suffix}" for suffix in DATA_SUFFIXES
    ]
    assert targets(documents, page, "linkset") == [f"../{WORK}.linkset.json"]
    assert targets(documents, page, "collection") == ["../publications/"]
    assert targets(documents, page, "author")[0] == "../people/alvar-jarl.html", (
        "in the order of authors"
    )
    assert targets(documents, page, "related") == ["https://doi.org/10.5555/MM.2021.3139027"], (
        "the work's own address, not the page's"
    )


def test_the_way_back_is_signposted_too(documents: Documents) -> None:
    for suffix, media_type in PAGE_SUFFIXES.items():
        if media_type != HTML:
            assert targets(documents, WORK + suffix, "describes") == [f"../{WORK}.html"]
            assert targets(documents, WORK + suffix, "canonical") == [documents.base + WORK]
            assert len(targets(documents, WORK + suffix, "alternate")) == len(
                PAGE_SUFFIXES
            ) - 1 + len(CITATION_SUFFIXES)
    contexts = linkset(documents, f"{WORK}.linkset.json")
    assert list(contexts) == [
        documents.base + WORK,
        *(f"{documents.base}{WORK}{suffix}" for suffix in (*PAGE_SUFFIXES, *CITATION_SUFFIXES)),
    ]
    assert contexts[f"{documents.base}{WORK}.ttl"]["describes"] == [
        {"href": f"{documents.base}{WORK}.html", "type": HTML}
    ]


def test_every_form_of_one_address_has_the_links_of_its_file(
    client: Client, documents: Documents
) -> None:
    for suffix, media_type in PAGE_SUFFIXES.items():
        answer = client.get(f"/{PERSON}", headers={"Accept": media_type})
        assert (
            answer.headers["Link"]
            == documents.link_header(PERSON + suffix)
            == client.get(f"/{PERSON}{suffix}").headers["Link"]
        )


def test_the_home_page_leads_to_the_whole_and_the_whole_back(documents: Documents) -> None:
    assert targets(documents, "index.html", "item") == [
        f"./dump{suffix}" for suffix in DUMP_SUFFIXES
    ]
    assert "./void.ttl" in targets(documents, "index.html", "describedby")
    assert targets(documents, "dump.nt", "collection") == ["./"]
    assert targets(documents, ".well-known/void", "describes") == ["../"]


def test_the_feed_is_found_where_new_works_are(documents: Documents) -> None:
    with_feed = [
        path
        for path in ("index.html", f"{LIST}index.html", f"{PERSON}.html")
        if ATOM in {x.type for x in documents.links(path)}
    ]
    assert with_feed == ["index.html", f"{LIST}index.html"]


def test_foaf_is_found_from_the_pages_of_people_with_a_cv(documents: Documents) -> None:
    found = [link for link in documents.links(f"{PERSON}.html") if link.rel == "meta"]
    assert found == [TypedLink("meta", f"../{PERSON}.ttl", TURTLE, "FOAF")]
    assert "meta" not in documents.link_header(f"{PERSON}.html")
    assert targets(documents, f"{PERSON}.html", "author") == [f"../{PERSON}.html"]
    assert not targets(documents, "people/dk-palme.html", "meta") + targets(
        documents, "people/dk-palme.html", "author"
    )


def test_a_licence_is_named_where_one_is_stated(documents: Documents, graph: Graph) -> None:
    assert not targets(documents, f"{PERSON}.html", "license")
    site = replace(graph.site, license="https://creativecommons.org/licenses/by/4.0/")
    description = describe(graph.memory, graph.site.base + PERSON)
    for form in PAGE_SUFFIXES.values():
        assert TypedLink("license", site.license or "") in signposting.of_form(
            site, description, form
        )
    assert TypedLink("license", site.license or "") in signposting.of_dump(site)


def test_a_list_names_what_is_in_it(documents: Documents) -> None:
    items = linkset(documents, "people/index.linkset.json")[f"{documents.base}people/"]["item"]
    assert {"href": f"{documents.base}{PERSON}"} in items
    assert len(items) > 100
    assert not targets(documents, "people/index.html", "item"), "too many for a header"
    assert len(targets(documents, "languages/index.html", "item")) == 2


@pytest.mark.proof
def test_no_header_is_long_and_all_of_them_lead_somewhere(documents: Documents) -> None:
    for path in documents.files:
        text = documents.link_header(path)
        assert len(text) <= signposting.MAX_HEADER_BYTES
        assert text.isascii()
        for rel, target, _ in in_header(text):
            place = urljoin(documents.base + path, target)
            if place.startswith(documents.base) and rel not in signposting.ABSOLUTE_RELATIONS:
                below = place.removeprefix(documents.base)
                assert below in documents.files or f"{below}index.html" in documents.files, (
                    path,
                    target,
                )


def test_a_relation_is_told_wholly_or_not_at_all() -> None:
    authors = [
        TypedLink("author", f"https://cv.example.org/people/number-{number}")
        for number in range(100)
    ]
    found = signposting.within_header(
        [
            TypedLink("canonical", "https://cv.example.org/x"),
            *authors,
            TypedLink("license", "https://example.org/licence"),
        ]
    )
    assert [link.rel for link in found] == ["canonical", "license"]
    assert len(signposting.within_header(authors[:20])) == 20


def test_a_header_is_ascii_whatever_the_base_is() -> None:
    assert (
        signposting.header([TypedLink("canonical", "https://example.org/café/x%20y")])
        == '<https://example.org/caf%C3%A9/x%20y>; rel="canonical"'
    )


def test_a_linkset_has_its_media_type(client: Client) -> None:
    answer = client.get(f"/{PERSON}.linkset.json")
    assert (answer.status_code, answer.mimetype) == (200, LINKSET)
    assert "Link" not in answer.headers


def test_files_that_are_no_documents_lead_nowhere(documents: Documents) -> None:
    assert [
        documents.link_header(path)
        for path in ("static/style.css", "favicon.ico", "static/yasgui.min.js", "robots.txt")
    ] == [""] * 4
