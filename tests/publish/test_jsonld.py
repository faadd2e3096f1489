"""The JSON-LD in every page, read as a crawler reads it: extracted, expanded without network, compared as triples.

With D the document's graph, E the triples of the embed and U the whole graph: D ⊆ E ⊆ U, and E \\ D is only class and name of things
that other documents describe.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import extruct
import lxml.html
import pytest
import yaml
from pyld import jsonld
from pyoxigraph import RdfFormat, Triple, parse

from kg.graph.build import Graph
from kg.graph.check import good
from kg.mapping import iris
from kg.publish.formats import HTML, JSONLD, PAGE_SUFFIXES
from kg.publish.pages import file_of
from kg.publish.site import Documents
from kg.vocab import rdf, schema
from tests.conftest import ROOT

Pages = dict[str, tuple[set[Triple], set[Triple]]]
HOSTILE = "</script><script>alert(1)</script> <b> \"x\" 'y' & \\ <!-- \u2028\u2029 🦉 \u202eadA\u202c"


def refuse(address: str, _: Any) -> Any:
    raise AssertionError(f"{address} was asked for; a page must be readable without the network")


def embedded(documents: Documents, address: str) -> Any:
    """The JSON-LD of a page, as extruct finds it."""
    page = documents.write(address, HTML).decode()
    (found,) = extruct.extract(page, syntaxes=["json-ld"])["json-ld"]
    return found


def expanded(value: Any) -> set[Triple]:
    lines = jsonld.to_rdf(value, {"format": "application/n-quads", "documentLoader": refuse})
    return {quad.triple for quad in parse(lines, format=RdfFormat.N_QUADS)}


def own(documents: Documents, address: str) -> set[Triple]:
    return {quad.triple for quad in documents.graph.memory.quads(documents.base + address)}


@pytest.fixture(scope="module")
def union(graph: Graph) -> set[Triple]:
    return {quad.triple for quad in graph.memory.store}


@pytest.fixture(scope="module")
def pages(documents: Documents) -> Pages:
    """Address of every page -> D and E."""
    return {address: (own(documents, address), expanded(embedded(documents, address))) for address in sorted(documents.addresses)}


def test_no_page_went_missing(pages: Pages) -> None:
    assert len(pages) > 100


def test_the_embed_says_all_that_the_document_says(pages: Pages) -> None:
    assert {address: missing for address, (d, e) in pages.items() if (missing := d - e)} == {}


def test_the_embed_says_nothing_that_the_graph_does_not(pages: Pages, union: set[Triple]) -> None:
    assert {address: invented for address, (_, e) in pages.items() if (invented := e - union)} == {}


def test_what_the_embed_adds_is_class_and_name_of_what_is_mentioned(pages: Pages, documents: Documents) -> None:
    for address, (d, e) in pages.items():
        mentioned = {str(triple.object) for triple in d}
        for triple in e - d:
            assert triple.predicate.value in (rdf.type, schema.name), address
            assert iris.document_of(str(triple.subject)[1:-1]) != documents.base + address
            assert str(triple.subject) in mentioned


@pytest.mark.parametrize("suffix", sorted(PAGE_SUFFIXES.keys() - {".html"}))
def test_the_twins_of_a_page_hold_the_same(suffix: str, pages: Pages, documents: Documents, union: set[Triple]) -> None:
    media_type = PAGE_SUFFIXES[suffix]
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    for address, (d, e) in pages.items():
        document = documents.make(file_of(address, suffix))
        assert document is not None
        twin = {quad.triple for quad in parse(document.body, format=form)}
        assert d <= twin <= union, address
        assert twin == (e if media_type == JSONLD else d), address


def test_authors_come_in_their_printed_order(documents: Documents) -> None:
    works = yaml.safe_load((ROOT / "data" / "publications" / "arpan-jain.yaml").read_text(encoding="utf-8"))
    assert len(works) == 23
    for slug, work in works.items():
        found = embedded(documents, f"publications/{slug}")
        nodes = {node["@id"]: node for node in found["@graph"]}
        thing = nodes[f"{documents.base}publications/{slug}"]["mainEntity"]
        signatures = [nodes[each["@id"]] for each in listed(thing["creator"])]
        printed = [author["as"] if isinstance(author, dict) else author for author in work["authors"]]
        assert [signature["alternateName"] for signature in signatures] == printed
        assert [author["@id"] for author in listed(thing["author"])] == [signature["creator"]["@id"] for signature in signatures]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_a_profile_page_has_the_form_that_search_engines_document(documents: Documents) -> None:
    page = embedded(documents, "people/arpan-jain")["@graph"][0]
    assert "ProfilePage" in page["@type"]
    assert page["mainEntity"]["name"] == "Arpan Jain"
    assert "Person" in page["mainEntity"]["@type"]


@pytest.fixture
def hostile(example: Path) -> Documents:
    """The example, where Ada has a name that would like to break out."""
    path = example / "data" / "cv" / "ada-lindqvist.yaml"
    name = json.dumps(HOSTILE, ensure_ascii=False).replace("\u2028\u2029", r"\u2028\u2029")  # which are line breaks to YAML
    text = path.read_text(encoding="utf-8").replace("name: Ada Lindqvist", f"name: {name}", 1)
    path.write_text(text.replace("[A. Lindqvist]", "[A. Lindqvist, Ada Lindqvist]"), encoding="utf-8")
    return Documents(good(example))


def test_no_name_can_break_out_of_the_script_or_the_page(hostile: Documents) -> None:
    named = 0
    for address in sorted(hostile.addresses):
        page = lxml.html.fromstring(hostile.write(address, HTML))
        own_script, script = page.iter("script")
        assert (own_script.text, own_script.get("src", "").removeprefix("../")) in (
            (None, "./static/search.js"),
            (None, "static/search.js"),
        )
        assert script.get("type") == "application/ld+json"
        assert not list(page.iter("b")), address
        assert own(hostile, address) <= expanded(json.loads(script.text or "")), address
        named += HOSTILE in page.find("body").text_content()
    assert named >= 5


def test_the_title_of_a_hostile_page_is_the_name_itself(hostile: Documents) -> None:
    page = lxml.html.fromstring(hostile.write("people/ada-lindqvist", HTML))
    assert page.findtext(".//h1") == HOSTILE
    assert (page.findtext(".//title") or "").startswith(HOSTILE)


def test_the_script_for_other_pages_is_closed_only_at_its_end(hostile: Documents) -> None:
    script = hostile.embed("ada-lindqvist") or ""
    assert script.count("<") == 2
    assert not {"\u2028", "\u2029"} & set(script)
    assert json.loads(script.partition(">")[2].rpartition("<")[0])["@graph"][0]["mainEntity"]["name"] == HOSTILE
