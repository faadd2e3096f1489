"""The JSON-LD beside every page, read as others read it: expanded without network, compared as
triples.

With D the document's graph, E the triples of its JSON-LD and U the whole graph: D ⊆ E ⊆ U, and
E \\ D is only class and name of things that other documents describe.
"""

from __future__ import annotations

import json
from traceback import format_exception
from typing import Any

import pytest
import yaml
from pyld.jsonld import JsonLdError
from pyoxigraph import RdfFormat, Triple, parse

from kg.graph.build import Graph
from kg.mapping import iris
from kg.publish.formats.media import DATA_SUFFIXES, JSONLD
from kg.publish.formats.urls import file_of
from kg.publish.site import Documents
from kg.vocab import rdf, schema
from tests.conftest import LARGE_SITE
from tests.publish.reading import READERS, by_pyld, own

Pages = dict[str, tuple[set[Triple], set[Triple]]]
ELSEWHERE = {
    "remote": {"@context": "https://schema.org/", "@id": "https://e.example/", "name": "x"}
}


@pytest.fixture(scope="module")
def union(graph: Graph) -> set[Triple]:
    return {quad.triple for quad in graph.memory.store}


@pytest.fixture(scope="module")
def found(documents: Documents) -> dict[str, Any]:
    """Address of every page -> the JSON-LD beside it."""
    return {address: twin(documents, address) for address in sorted(documents.addresses)}


def twin(documents: Documents, address: str) -> Any:
    document = documents.get(file_of(address, ".jsonld"))
    assert document is not None
    return json.loads(document.body)


@pytest.fixture(scope="module")
def pages(documents: Documents, found: dict[str, Any]) -> Pages:
    """Address of every page -> D and E."""
    return {address: (own(documents, address), e) for address, e in by_pyld(found).items()}


@pytest.mark.proof
def test_no_page_went_missing(pages: Pages) -> None:
    assert len(pages) > 500


@pytest.mark.proof
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("reader", ["rdflib", "node"])
def test_every_reader_reads_the_same(reader: str, found: dict[str, Any], pages: Pages) -> None:
    expected = by_pyld(found)
    assert expected.keys() == pages.keys()
    assert READERS[reader](found) == expected


@pytest.mark.process
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("reader", READERS)
def test_a_reader_who_asks_the_network_would_be_noticed(reader: str) -> None:
    with pytest.raises((AssertionError, JsonLdError)) as caught:
        READERS[reader](ELSEWHERE)
    assert "https://schema.org/ was asked for" in "".join(format_exception(caught.value))


@pytest.mark.proof
def test_it_says_all_that_the_document_says(pages: Pages) -> None:
    assert {address: missing for address, (d, e) in pages.items() if (missing := d - e)} == {}


@pytest.mark.proof
def test_it_says_nothing_that_the_graph_does_not(pages: Pages, union: set[Triple]) -> None:
    assert {address: invented for address, (_, e) in pages.items() if (invented := e - union)} == {}


@pytest.mark.proof
def test_what_it_adds_is_class_and_name_of_what_is_mentioned(
    pages: Pages, documents: Documents
) -> None:
    for address, (d, e) in pages.items():
        mentioned = {str(triple.object) for triple in d}
        for triple in e - d:
            assert triple.predicate.value in (rdf.type, schema.name), address
            assert iris.document_of(str(triple.subject)[1:-1]) != documents.base + address
            assert str(triple.subject) in mentioned


@pytest.mark.proof
@pytest.mark.parametrize("suffix", sorted(DATA_SUFFIXES))
def test_the_twins_of_a_page_hold_the_same(
    suffix: str, pages: Pages, documents: Documents, union: set[Triple]
) -> None:
    media_type = DATA_SUFFIXES[suffix]
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    for address, (_, e) in pages.items():
        document = documents.make(file_of(address, suffix))
        assert document is not None
        said = {quad.triple for quad in parse(document.body, format=form)}
        assert said <= union, address
        assert said == (e if media_type == JSONLD else own(documents, address)), address


def test_authors_come_in_their_printed_order(documents: Documents) -> None:
    works = yaml.safe_load(
        (LARGE_SITE / "data" / "publications" / "alvar-jarl.yaml").read_text(encoding="utf-8")
    )
    del works["sources"]  # of the whole file
    assert len(works) == 23
    for slug, work in works.items():
        found = twin(documents, f"publications/{slug}")
        nodes = {node["@id"]: node for node in found["@graph"]}
        thing = nodes[f"{documents.base}publications/{slug}"]["mainEntity"]
        signatures = [nodes[each["@id"]] for each in listed(thing["creator"])]
        printed = [
            author["as"] if isinstance(author, dict) else author for author in work["authors"]
        ]
        assert [signature["alternateName"] for signature in signatures] == printed
        assert [author["@id"] for author in listed(thing["author"])] == [
            signature["creator"]["@id"] for signature in signatures
        ]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
