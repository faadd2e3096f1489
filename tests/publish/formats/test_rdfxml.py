"""RDF/XML: read back by two other readers as it was meant, whatever the facts hold; and refused
where it cannot say them.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
import rdflib
from lxml import etree
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kg.check.check import good
from kg.errors import KgError, ProblemsFound
from kg.mapping.iris import fits_rdfxml
from kg.publish.formats.media import DUMP_SUFFIXES, GZIP
from kg.publish.formats.rdf import rdfxml
from kg.publish.formats.urls import file_of
from kg.publish.site import Documents
from kg.vocab import cv

pytestmark = pytest.mark.sample(quick=0.2)

BASE = "https://lab.example.org/a/"
ADA = f"{BASE}people/ada#it"
TEXTS = [
    "",
    " ",
    "\n",
    "a\r\nb\tc",
    "\u00a0x\u2028",
    "<b>&amp;]]></b>",
    "'\"",
    "🦉 \u202eadA\u202c",
    "é",
    "e\u0301",
    "\u0085\ufeff",
    " a ",
]


def quad(
    value: NamedNode | Literal, predicate: str = "http://schema.org/text", subject: str = ADA
) -> Quad:
    return Quad(NamedNode(subject), NamedNode(predicate), value)


def read_by_oxigraph(text: bytes) -> set[Triple]:
    return {found.triple for found in parse(text, format=RdfFormat.RDF_XML)}


def read_by_rdflib(text: bytes) -> set[Triple]:
    lines = rdflib.Graph().parse(data=text, format="xml").serialize(format="nt", encoding="utf-8")
    return {found.triple for found in parse(lines, format=RdfFormat.N_TRIPLES)}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "more",
    [{}, {"language": "en"}, {"datatype": NamedNode("http://id.loc.gov/datatypes/edtf/EDTF?a&b")}],
)
def test_a_text_stays_as_it_is(text: str, more: dict[str, str]) -> None:
    said = quad(Literal(text, **more))  # type: ignore[call-overload]
    made = rdfxml(BASE, [said])
    assert read_by_oxigraph(made) == read_by_rdflib(made) == {said.triple}


@pytest.mark.parametrize(
    ("iri", "written"),
    [
        (ADA, "people/ada#it"),
        (BASE, ""),
        (f"{BASE}people/", "people/"),
        (f"{BASE}../x", f"{BASE}../x"),
        (f"{BASE}x:y", "/a/x:y"),
        ("http://other.example/?a=1&b=2", "http://other.example/?a=1&amp;b=2"),
    ],
)
def test_an_address_is_short_where_it_is_read_back_whole(iri: str, written: str) -> None:
    said = [quad(NamedNode(iri)), quad(Literal("x"), subject=iri)]
    made = rdfxml(BASE, said)
    assert f'rdf:resource="{written}"' in made.decode()
    assert f'rdf:about="{written}"' in made.decode()
    assert read_by_oxigraph(made) == read_by_rdflib(made) == {each.triple for each in said}


@pytest.mark.parametrize(
    ("predicate", "element"),
    [
        ("http://schema.org/name", "schema:name"),
        ("http://other.example/a#b.c-d_e", "b.c-d_e"),
        ("http://other.example/1st", "st"),
        ("http://other.example/naïve", "naïve"),
        ("http://other.example/(a)b", "b"),
        ("urn:x:y", "y"),
        (cv.Study, "cv:Study"),
    ],
)
def test_a_property_is_cut_where_a_name_begins(predicate: str, element: str) -> None:
    said = quad(Literal("x"), predicate)
    made = rdfxml(BASE, [said])
    assert re.search(rf'<{element}( xmlns="[^"]*")?>x</{element}>', made.decode())
    assert read_by_oxigraph(made) == read_by_rdflib(made) == {said.triple}


@pytest.mark.parametrize(
    "predicate",
    [
        "http://other.example/123",
        "http://other.example/a/",
        "http://other.example/a)",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#li",
    ],
)
def test_a_property_that_is_no_name_is_refused(predicate: str) -> None:
    assert not fits_rdfxml(predicate)
    with pytest.raises(KgError, match="cannot be written as RDF/XML"):
        rdfxml(BASE, [quad(Literal("x"), predicate)])


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x1f", "\ufffe", "\uffff"])
def test_what_xml_cannot_hold_is_refused(character: str) -> None:
    with pytest.raises(KgError, match=f"U\\+{ord(character):04X}"):
        rdfxml(BASE, [quad(Literal(f"a{character}"))])


def test_the_order_of_triples_changes_nothing() -> None:
    said = [
        quad(Literal(str(number)), f"http://{host}.example/p")
        for number in range(3)
        for host in "ba"
    ]
    assert rdfxml(BASE, said) == rdfxml(BASE, reversed(said))


@pytest.mark.proof
def test_every_document_says_the_same_as_its_ntriples(documents: Documents) -> None:
    for address in sorted(documents.addresses):
        xml, lines = (documents.make(file_of(address, suffix)) for suffix in (".rdf", ".nt"))
        assert xml is not None
        assert lines is not None
        etree.fromstring(xml.body)
        assert read_by_oxigraph(xml.body) == {
            found.triple for found in parse(lines.body, format=RdfFormat.N_TRIPLES)
        }, address


@pytest.mark.parametrize("suffix", DUMP_SUFFIXES)
@pytest.mark.sample(test=0.3)
def test_a_packed_dump_is_the_dump(documents: Documents, suffix: str) -> None:
    packed, plain = documents.make(f"dump{suffix}.gz"), documents.get(f"dump{suffix}")
    assert packed is not None
    assert plain is not None
    assert (packed.media_type, gzip.decompress(packed.body)) == (GZIP, plain.body)
    assert packed.body[4:8] == bytes(4), "no time of day in it"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            r'title: "Sand\x01 and time"',
            r"publications\.yaml:3:10 .*is the character U\+0001",
        ),
        (r'title: "Sand\uFFFE and time"', r"is the character U\+FFFE"),
    ],
)
def test_control_characters_are_refused_where_they_are_written(
    example: Path, text: str, message: str
) -> None:
    works = example / "data" / "publications.yaml"
    lines = works.read_text(encoding="utf-8").splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if "title:" in line)
    lines[number] = f"{lines[number].partition('title:')[0]}{text}\n"
    works.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(ProblemsFound, match=message):
        good(example)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (r'schema:description "a\u0001b"', r"more\.ttl:2:\d+ .*control character U\+0001"),
        ('<http://other.example/123> "a"', r"which RDF/XML requires"),
    ],
)
def test_hand_written_turtle_says_only_what_every_form_can(
    example: Path, said: str, message: str
) -> None:
    text = f"@prefix schema: <http://schema.org/> .\n<people/ada-lindqvist#it> {said} .\n"
    (example / "data" / "more.ttl").write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsFound, match=message):
        good(example)
