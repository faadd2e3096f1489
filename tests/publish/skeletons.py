"""What a file is built of, without what is written in it: elements, keys, columns, properties.
Two sites that differ in their words alone have the same; a text that breaks out of its place adds
to it.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import fromstring as xml

import yaml
from markdown_it import MarkdownIt
from pyoxigraph import RdfFormat, parse

from kg.publish.formats import media

MARKDOWN = MarkdownIt("commonmark")
FLOWING = ("text", "text_special", "softbreak")  # pieces of a text
ENTRY = re.compile(r"@(\w+)\{([^\s,{}]+),\n")
FIELD = re.compile(r"  (\w+) = \{")
PEOPLE, SEVERAL = ("author", "editor", "translator"), re.compile(r"\s+and\s+")


def of_xml(body: bytes) -> Any:
    tree = xml(body)  # noqa: S314  of our own making
    return [(each.tag, sorted(each.attrib)) for each in tree.iter()]


def of_json(body: bytes) -> Any:
    return of_value(json.loads(body))


def of_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: of_value(each) for name, each in value.items()}
    return [*map(of_value, value)] if isinstance(value, list) else type(value).__name__


def of_sections(body: bytes) -> Any:
    """A CV of RenderCV, whose sections are named by their titles."""
    found = yaml.load(body, yaml.BaseLoader)  # noqa: S506
    found["cv"]["sections"] = [*found["cv"]["sections"].values()]
    return of_value(found)


def of_table(body: bytes) -> Any:
    return [len(row) for row in csv.reader(io.StringIO(body.decode(), newline=""), strict=True)]


def of_graph(media_type: str) -> Callable[[bytes], Any]:
    def read(body: bytes) -> Any:
        form = RdfFormat.from_media_type(media_type)
        assert form is not None
        return sorted(str(quad.predicate) for quad in parse(body, format=form))

    return read


def of_markdown(body: bytes) -> Any:
    """As any reader of CommonMark sees it; links that lead elsewhere than ours would show."""
    found = []
    for block in MARKDOWN.parse(body.decode()):
        found.append(block.type)
        found += [
            f"{each.type} {str(each.attrGet('href') or '').partition('#')[0]}"
            for each in block.children or ()
            if each.type not in FLOWING
        ]
    return found


def of_bibtex(body: bytes) -> Any:
    return [*bibtex_parts(body.decode())]


def bibtex_parts(text: str) -> Iterator[str]:
    """The entries with their keys and the names of their fields; whatever else stands there."""
    at = 0
    while at < len(text):
        if found := ENTRY.match(text, at):
            yield f"@{found[1]} {found[2]}"
            at = found.end()
        elif found := FIELD.match(text, at):
            end = closing(text, found.end())
            named = SEVERAL.split(without_braces(text[found.end() : end]))
            yield f"{found[1]} {len(named) if found[1] in PEOPLE else ''}"
            at = end + 1
        else:
            if text[at] not in ",\n}":
                yield text[at]
            at += 1


def without_braces(text: str) -> str:
    """What is outside of all braces."""
    while (shorter := re.sub(r"\{[^{}]*\}", "", text)) != text:
        text = shorter
    return text


def closing(text: str, at: int) -> int:
    """Where the brace is closed that was opened before."""
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at - 1


def of_card(body: bytes) -> Any:
    """The names of the properties of a vCard, and how many parts their values have."""
    lines = body.decode().replace("\r\n ", "").split("\r\n")
    assert not any(re.search(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]", line) for line in lines)
    plain = (re.sub(r'="[^"]*"|\\.', "", line) for line in lines)
    return [(re.split("[:;]", line)[0], line.count(";")) for line in plain]


def of_lines(body: bytes) -> Any:
    return body.decode().splitlines()


def of_packed(body: bytes) -> Any:
    return bool(gzip.decompress(body))  # it is there as it is, too


# By media type; None: shipped with the product, or looked at elsewhere.
BY_MEDIA_TYPE: dict[str, Callable[[bytes], Any] | None] = {
    media.HTML: None,  # tests/publish/test_hostile.py
    **{each: of_graph(each) for each in media.DUMP_SUFFIXES.values()},
    media.MARKDOWN: of_markdown,
    media.LINKSET: of_json,
    media.BIBTEX: of_bibtex,
    media.VCARD: of_card,
    "application/manifest+json": of_json,
    media.CSL: of_json,
    media.GZIP: of_packed,
    media.JSON: of_json,
    "text/csv": of_table,
    "application/sparql-results+json": of_json,
    media.ATOM: of_xml,
    media.XML: of_xml,
    media.TEXT: of_lines,
    "application/sparql-results+xml": of_xml,
    "text/tab-separated-values": of_lines,
    **dict.fromkeys(
        ("text/javascript", "text/css", "image/vnd.microsoft.icon", "image/svg+xml"), None
    ),
    **dict.fromkeys(("font/woff2", "application/wasm", "image/png"), None),
}
# Files whose lines or keys are words of the site.
BY_PATH: dict[str, Callable[[bytes], Any]] = {
    "llms.txt": of_markdown,
    "search.json": lambda body: type(json.loads(body)).__name__,
    "completions.json": lambda body: type(json.loads(body)).__name__,
}
BY_EXPORT: dict[str, Callable[[bytes], Any]] = {
    "jsonresume": of_json,
    "rendercv": of_sections,
    "bibtex": of_bibtex,
    "csl": of_json,
    "vcard": of_card,
    "csv": of_table,
}
ADDRESSES = ("href", "src", "action", "formaction", "data", "poster", "content", "srcset", "cite")


def outline(tree: Element) -> set[tuple[str, str]]:
    """The schemes of all addresses in a page, each with the element that has it."""
    return {
        (scheme_of(value), str(each.tag))
        for each in tree.iter()
        for name, value in each.attrib.items()
        if str(name).rpartition("}")[2] in ADDRESSES and each.tag != "meta"
    }


def scheme_of(address: str) -> str:
    """As a browser reads it: without white space and control characters before and in it."""
    plain = re.sub(r"[\x00-\x20]", "", address).lower()
    found = re.match(r"([a-z][a-z0-9+.-]*):", plain)
    return found[1] if found else ""
