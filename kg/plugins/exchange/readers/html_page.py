"""Reads the JSON-LD scripts of an HTML page as one graph; the text of the page is ignored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.errors import Place
from kg.plugins.audit.markup import DataBlock, json_ld
from kg.plugins.exchange.draft import Draft, Format, Unplaced, Value
from kg.plugins.exchange.readers.linked_data import drafts_in
from kg.plugins.exchange.readers.rdf_tree import RdfGraph, json_triples
from kg.plugins.exchange.source_files import NotImported, SourceFile

SUFFIXES = (".html", ".htm", ".xhtml")
NO_DATA = "no JSON-LD found. From an HTML page, only JSON-LD is imported, not the text"


def matches(source: SourceFile) -> bool:
    return source.suffix in SUFFIXES or source.text[:500].lstrip().lower().startswith(
        ("<!doctype html", "<html")
    )


def read(source: SourceFile) -> Iterator[Draft]:
    triples, broken = list[Any](), list[Unplaced]()
    for block in json_ld(source.text):
        try:
            triples += json_triples(source, block.text, block.line)
        except NotImported as error:
            broken.append(Unplaced(first_line(source, block), str(error)))
    if not triples:
        raise NotImported(broken[0].why if broken else f"{source.name}: {NO_DATA}.")
    for draft in drafts_in(RdfGraph(source, triples)):
        draft.left += broken
        broken = []
        yield draft


def first_line(source: SourceFile, block: DataBlock) -> Value:
    text = block.text.strip().partition("\n")[0]
    return Value.of(text[:80], Place(source.name, block.line, block.column), "script")


FORMAT = Format("html", "HTML page with JSON-LD", matches, read, priority=90)
