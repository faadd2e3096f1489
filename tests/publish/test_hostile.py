"""Texts that would like to break out: of the page, of the script, of a literal. Whatever an author
writes is text, and stays it.
"""

from __future__ import annotations

import json
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest
import rdflib
from pyoxigraph import RdfFormat, Triple, parse

from kg.check.check import good
from kg.plugins.embed.inject import inject, script_of
from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    HTML,
    JSONLD,
    MARKDOWN,
    NTRIPLES,
    PAGE_SUFFIXES,
    TURTLE,
)
from kg.publish.formats.urls import file_of
from kg.publish.hosting.host_rules import HOST
from kg.publish.site import Documents
from tests.plugins.embed.test_inject import embeds
from tests.publish.hostile import HOSTILE, MILD, Author
from tests.publish.reading import READERS, embedded, own

pytestmark = [pytest.mark.proof, pytest.mark.fuzz]

RDFLIB = {TURTLE: "turtle", NTRIPLES: "nt", JSONLD: "json-ld"}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    return Documents(good(Author(HOSTILE).write(tmp_path_factory.mktemp("hostile") / "site")))


@pytest.fixture(scope="module")
def mild(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """The same site by an author who means no harm, and writes as long and in as many scripts."""
    return Documents(
        good(Author(f"{MILD} {'w' * len(HOSTILE)}").write(tmp_path_factory.mktemp("mild") / "site"))
    )


def read(body: bytes, media_type: str) -> set[Triple]:
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    return {quad.triple for quad in parse(body, format=form)}


def body(documents: Documents, path: str) -> bytes:
    document = documents.get(path)
    assert document is not None, path
    return document.body


def skeleton(tree: Element) -> list[tuple[str, list[str]]]:
    """The elements of a page, with the names of their attributes."""
    return [(str(each.tag), sorted(map(str, each.attrib))) for each in tree.iter()]


SVG = "{http://www.w3.org/2000/svg}"


def trees(documents: Documents) -> dict[str, Element]:
    """Every page that shows facts, as a browser sees it."""
    pages = [
        path
        for path, (origin, media_type) in documents.files.items()
        if media_type == HTML and path != "format.html" and (origin != HOST or path == "404.html")
    ]
    return {
        path: html5lib.parse(body(documents, path), namespaceHTMLElements=False) for path in pages
    }


@pytest.fixture(scope="module")
def pages(hostile: Documents) -> dict[str, Element]:
    return trees(hostile)


@pytest.fixture(scope="module")
def found(hostile: Documents) -> dict[str, Any]:
    """Address of every page -> its JSON-LD."""
    return {address: embedded(hostile, address) for address in sorted(hostile.addresses)}


def test_the_texts_are_in_the_graph(hostile: Documents, mild: Documents) -> None:
    said = [
        quad
        for quad in hostile.graph.memory.store
        if HOSTILE in str(getattr(quad.object, "value", ""))
    ]
    assert len(said) > 220
    assert len({quad.predicate for quad in said}) >= 26
    assert len({quad.graph_name for quad in said}) >= 30
    assert hostile.addresses == mild.addresses


def test_the_texts_are_in_the_breadcrumbs(found: dict[str, Any]) -> None:
    starts = {
        value["breadcrumb"]["itemListElement"][0]["name"]
        for address, value in found.items()
        if address
    }
    assert starts == {f"A small laboratory {HOSTILE}"}


def test_a_page_has_the_elements_that_we_wrote_and_no_others(
    pages: dict[str, Element], mild: Documents
) -> None:
    assert len(pages) > 45
    drawn = set()
    for path, tree in trees(mild).items():
        for page in (tree, pages[path]):
            for picture in list(
                page.iter(f"{SVG}svg")
            ):  # a longer name takes more lines there, so it has other elements, of these kinds
                drawn |= {each.tag for each in picture.iter()}
                picture[:] = []
        for table in (*tree.iter("tbody"), *pages[path].iter("tbody")):
            for cell in table.iter("td"):
                cell.attrib.pop("class", "")  # a longer text has more room
        assert skeleton(tree) == skeleton(pages[path]), path
    assert f"{SVG}text" in drawn
    assert drawn <= {
        f"{SVG}{name}"
        for name in (
            "svg",
            "title",
            "desc",
            "defs",
            "linearGradient",
            "stop",
            "g",
            "a",
            "path",
            "rect",
            "circle",
            "text",
            "tspan",
            "line",
            "use",
        )
    }


def test_a_page_shows_the_text_as_it_was_written(pages: dict[str, Element]) -> None:
    assert [
        path for path, tree in pages.items() if HOSTILE not in "".join(tree.find("body").itertext())
    ] == []
    tree = pages["people/ada-lindqvist.html"]
    assert f" Ada Lindqvist {HOSTILE}" in tree.findtext(".//h1")  # after a title
    assert tree.findtext(".//title") == f"Ada Lindqvist {HOSTILE} · A small laboratory {HOSTILE}"


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_the_page_reads_the_text_as_it_was_written(
    reader: str, hostile: Documents, found: dict[str, Any]
) -> None:
    union = {quad.triple for quad in hostile.graph.memory.store}
    twins = {address: json.loads(body(hostile, file_of(address, ".jsonld"))) for address in found}
    assert all(READERS[reader](found).values())
    read = READERS[reader](twins)
    assert [address for address, e in read.items() if not own(hostile, address) <= e <= union] == []


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    "suffix",
    [suffix for suffix, media_type in PAGE_SUFFIXES.items() if media_type not in (HTML, MARKDOWN)],
)
def test_the_twins_hold_the_text_as_it_was_written(suffix: str, hostile: Documents) -> None:
    media_type = PAGE_SUFFIXES[suffix]
    for address in sorted(hostile.addresses):
        twin = body(hostile, file_of(address, suffix))
        held = read(twin, media_type)
        assert own(hostile, address) <= held, address
        assert media_type == JSONLD or held == own(hostile, address), address
        other = rdflib.Graph(bind_namespaces="none").parse(
            data=twin, format=RDFLIB.get(media_type, "xml")
        )
        assert read(other.serialize(format="nt", encoding="utf-8"), NTRIPLES) == held, address


def test_whatever_else_is_published_reads_well(hostile: Documents) -> None:
    facts = {quad.triple for quad in parse(hostile.graph.nquads, format=RdfFormat.N_QUADS)}
    for suffix, media_type in DUMP_SUFFIXES.items():
        assert read(body(hostile, f"dump{suffix}"), media_type) == facts
    assert json.loads(body(hostile, "completions.json"))
    described = {
        getattr(triple.object, "value", "") for triple in read(body(hostile, "void.ttl"), TURTLE)
    }
    assert f"A small laboratory {HOSTILE}" in described


def test_the_script_for_other_pages_is_closed_only_at_its_end(hostile: Documents) -> None:
    for address in sorted(hostile.addresses):
        script, value = script_of(hostile, address), embedded(hostile, address)
        value.pop("breadcrumb", None)
        assert script.isascii()
        assert (script.count("<"), script.count("{{"), script.count("{%")) == (2, 0, 0)
        assert embeds(inject(b"<!doctype html><title>x</title>", script)) == {
            hostile.base + address: value
        }
