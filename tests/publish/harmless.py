"""What of a file came from a value and is more than text: an element, an attribute, a script, an
address that runs, a property, a header, a name of a file. Nothing, in a file that is harmless.

Each form has its own reader; a form that has none is an error.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import bibtexparser
import html5lib
import lxml.html
import vobject
import yaml
from lxml import etree
from markdown_it import MarkdownIt
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg.publish.formats import media
from tests.publish.hostile_values import MARK
from tests.publish.skeletons import ADDRESSES, scheme_of

ADDRESS = re.compile(r"[a-z]+/[a-z0-9-]+")  # of a document of the site
BY_ADDRESS = ("titles", "moved", "withdrawn")  # in site.json
SAFE = {"", "http", "https", "mailto", "tel", "urn"}
OURS = {"script", "style", "iframe", "object", "embed", "base", "frame", "applet", "template"}
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TOKENS = ("html_inline", "html_block", "image")
NAME = re.compile(r"[a-z0-9._-]+(/[a-z0-9._-]+)*", re.IGNORECASE | re.ASCII)
RUNS = re.compile("on|srcdoc$|style$|http-equiv$")  # attributes that are more than text
LEADING = ("@id", "url", "href", "URL", "anchor", "sameAs")
PLAIN = re.compile(r"[\w -]+", re.ASCII)
DATA_SCRIPT = "application/ld+json"

Reader = Callable[[bytes], Iterator[str]]
EMPTY: Mapping[str, Reader] = {}


def of_page(body: bytes) -> Iterator[str]:
    for each in lxml.html.document_fromstring(body).iter():
        if isinstance(each.tag, str):  # no comment
            yield from of_element(each.tag, dict(each.attrib), each.text or "")


def of_browsed_page(body: bytes) -> Iterator[str]:
    """The same as browsers read it, to the letter (HTML5), which takes ten times longer."""
    for each in html5lib.parse(body, namespaceHTMLElements=False).iter():
        if isinstance(each.tag, str):
            yield from of_element(each.tag.rpartition("}")[2], dict(each.attrib), each.text or "")


def of_element(tag: str, attributes: dict[Any, str], text: str) -> Iterator[str]:
    if MARK in tag:
        yield f"an element <{tag}>"
    for written, value in attributes.items():
        name = str(written).rpartition("}")[2].lower()
        if MARK in name or (MARK in value and RUNS.match(name)):
            yield f"an attribute {name}={value!r} of <{tag}>"
        if name in (*ADDRESSES, "xlink:href") and tag != "meta":
            scheme = scheme_of(value)
            if scheme not in SAFE and MARK in value:
                yield f"an address {name}={value!r} of <{tag}>"
            if tag not in ("a", "link", "form") and MARK in value and re.match(r"\w+:|//", value):
                yield f"something that is fetched: {name}={value!r} of <{tag}>"
        if name in ("id", "name", "class", "for") and MARK in value and not PLAIN.fullmatch(value):
            yield f"a name {name}={value!r} of <{tag}>"
    if tag in OURS and MARK in text:
        if tag != "script" or attributes.get("type") != DATA_SCRIPT:
            yield f"words in <{tag}>"
        else:
            yield from of_value(json.loads(text))
    if tag in OURS - {"script", "style", "template"}:
        yield f"an element <{tag}>"


def of_xml(body: bytes) -> Iterator[str]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    tree = etree.fromstring(body, parser)
    for each in tree.iter():
        if not isinstance(each.tag, str):
            if MARK in (each.text or ""):
                yield f"{each!r}"
            continue
        for written, value in each.attrib.items():
            name = written.rpartition("}")[2]
            if MARK in name:
                yield f"an attribute {name} of {each.tag}"
            if name in ("href", "about", "resource", "src") and (scheme_of(value) not in SAFE):
                yield f"an address {value!r} in {each.tag}"
        if MARK in each.tag.rpartition("}")[2]:
            yield f"an element {each.tag}"


def of_json(body: bytes) -> Iterator[str]:
    yield from of_value(json.loads(body))


def of_value(value: Any, name: str = "") -> Iterator[str]:
    """Keys are ours, and so are addresses."""
    if isinstance(value, dict):
        for key, each in value.items():
            is_address = scheme_of(key) or (name in BY_ADDRESS and ADDRESS.fullmatch(key))
            if MARK in key and not is_address:
                yield f"a key {key!r}"
            yield from of_value(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from of_value(each, name)
    elif name in LEADING and isinstance(value, str) and scheme_of(value) not in SAFE | {"_"}:
        yield f"an address {value!r}"


def of_graph(media_type: str) -> Reader:
    form = RdfFormat.from_media_type(media_type)

    def read(body: bytes) -> Iterator[str]:
        for quad in parse(body, format=form):
            for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
                if isinstance(term, NamedNode) and scheme_of(term.value) not in SAFE:
                    yield f"an address <{term.value}>"
            if MARK in str(quad.predicate):
                yield f"a property {quad.predicate}"
            if isinstance(quad.object, Literal):
                tag = quad.object.language or ""
                if MARK in tag or MARK in quad.object.datatype.value:
                    yield f"a type or language of {quad.object}"

    return read


def of_markdown(body: bytes) -> Iterator[str]:
    for block in MARKDOWN.parse(body.decode()):
        for each in (block, *(block.children or ())):
            if each.type in TOKENS:
                yield f"{each.type} {each.content!r}"
            address = str(each.attrGet("href") or "")
            if scheme_of(address) not in SAFE:
                yield f"a link to {address!r}"


def of_table(separator: str = ",") -> Reader:
    def read(body: bytes) -> Iterator[str]:
        text = io.StringIO(body.decode(), newline="")
        quoting = csv.QUOTE_MINIMAL if separator == "," else csv.QUOTE_NONE
        rows = [*csv.reader(text, strict=True, delimiter=separator, quoting=quoting)]
        for row in rows:
            if len(row) != len(rows[0]):
                yield f"a row of {len(row)} columns instead of {len(rows[0])}: {row}"
        yield from (f"a column {name!r}" for name in rows[0] if MARK in name)

    return read


def of_bibtex(body: bytes) -> Iterator[str]:
    library = bibtexparser.parse_string(body.decode())
    yield from (f"a block that is no entry: {each.raw!r}" for each in library.failed_blocks)
    yield from (f"a comment {each.raw!r}" for each in library.comments if MARK in each.raw)
    yield from (f"a word {each.raw!r}" for each in (*library.strings, *library.preambles))
    for entry in library.entries:
        yield from (f"a field {each.key!r}" for each in entry.fields if MARK in each.key)
        if not re.fullmatch(r"[\w:/-]+", entry.key, re.ASCII):
            yield f"a key {entry.key!r}"


def of_card(body: bytes) -> Iterator[str]:
    cards = list(vobject.readComponents(body.decode()))
    if len(cards) != 1:
        yield f"{len(cards)} cards"
    for line in cards[0].getChildren():
        if MARK in line.name.lower() or any(MARK in name.lower() for name in line.params):
            yield f"a property {line.name} {line.params}"


def of_yaml(body: bytes) -> Iterator[str]:
    found = yaml.safe_load(body)
    sections = found["cv"].pop("sections", {})  # named by their titles
    yield from of_value([found, *sections.values()])


def of_plain(body: bytes) -> Iterator[str]:
    """Rules for hosts, robots and the like: words of an author are in none of them."""
    for line in body.decode().splitlines():
        if MARK in line and not re.fullmatch(r"[\w./#:=*()$^\\\[\]{}+?, -]+", line, re.ASCII):
            yield f"a line {line!r}"


def of_packed(body: bytes) -> Iterator[str]:
    """It is there as it is, too."""
    return iter([] if gzip.decompress(body) else ["an empty file"])


def of_program(body: bytes) -> Iterator[str]:
    """Shipped with the product, or the site's own."""
    return iter(["words of an author"] if MARK.encode() in body else [])


READERS: dict[str, Reader] = {
    media.HTML: of_page,
    **{each: of_graph(each) for each in media.DUMP_SUFFIXES.values()},
    media.RDFXML: lambda body: (
        each for read in (of_xml, of_graph(media.RDFXML)) for each in read(body)
    ),
    media.MARKDOWN: of_markdown,
    **dict.fromkeys((media.LINKSET, media.CSL, media.JSON), of_json),
    "application/sparql-results+json": of_json,
    **dict.fromkeys((media.ATOM, media.XML, "application/sparql-results+xml"), of_xml),
    media.BIBTEX: of_bibtex,
    media.VCARD: of_card,
    "application/manifest+json": of_json,
    media.GZIP: of_packed,
    "text/csv": of_table(","),
    "text/tab-separated-values": of_table("\t"),
    media.TEXT: of_plain,
    **dict.fromkeys(
        ("text/javascript", "text/css", "image/svg+xml", "image/vnd.microsoft.icon"), of_program
    ),
    **dict.fromkeys(("font/woff2", "application/wasm", "image/png"), of_program),
}
BY_PATH: dict[str, Reader] = {"llms.txt": of_markdown}
BY_EXPORT: dict[str, Reader] = {
    "jsonresume": of_json,
    "rendercv": of_yaml,
    "bibtex": of_bibtex,
    "csl": of_json,
    "vcard": of_card,
    "csv": of_table(","),
}


def harm_in(
    path: str, media_type: str, body: bytes, readers: Mapping[str, Reader] = EMPTY
) -> list[str]:
    """What came from a value and is more than text, in a file; `readers` are for some forms."""
    read = BY_PATH.get(path) or readers.get(media_type) or READERS[media_type]
    found = [f"{path}: {each}" for each in read(body)]
    return found if NAME.fullmatch(path) else [*found, f"{path!r}: a name of a file"]


def harm_in_header(links: str) -> Iterable[str]:
    """What of a Link header is no link of ours."""
    rest = re.sub(
        r'<[\x21\x23-\x3b\x3d\x3f-\x7e]*>; rel="[\w:/. -]+"(; type="[\w/+.-]+")?', "", links
    )
    return [rest] if rest.strip(", ") else []
