"""Reads the JSON-LD scripts of an HTML page as one graph; the text of the page is ignored."""

from __future__ import annotations

from collections.abc import Iterator

from kg.errors import Place
from kg.plugins.audit.markup import DataBlock, json_ld
from kg.plugins.exchange.draft import Draft, Format, Unplaced, Value
from kg.plugins.exchange.readers.linked_data import drafts_in
from kg.plugins.exchange.readers.rdf_nodes import RdfNodes, json_nodes
from kg.plugins.exchange.source_files import NotImported, SourceFile

SUFFIXES = (".html", ".htm", ".xhtml")
NO_DATA = "no JSON-LD found. From an HTML page, only JSON-LD is imported, not the text"


def matches(source: SourceFile) -> bool:
    return source.suffix in SUFFIXES or source.text[:500].lstrip().lower().startswith(
        ("<!doctype html", "<html")
    )


def read(source: SourceFile) -> Iterator[Draft]:
    blocks, broken = list[RdfNodes](), list[Unplaced]()
    for block in json_ld(source.text):
        try:
            blocks.append(json_nodes(source, block.text, block.line))
        except NotImported as error:
            broken.append(Unplaced(first_line(source, block), str(error)))
    if not blocks:
        why = broken[0].why if broken else f"{source.name}: {NO_DATA}."
        raise NotImported(why)
    for draft in drafts_in(joined(source, blocks)):
        draft.left += broken
        broken = []
        yield draft


def joined(source: SourceFile, blocks: list[RdfNodes]) -> RdfNodes:
    """Merges all blocks, because they refer to each other's nodes."""
    whole = RdfNodes(source, ())
    for block in blocks:
        for subject, values in block.values.items():
            for name, objects in values.items():
                for each in objects:
                    whole.add(subject, name, each)
    return whole


def first_line(source: SourceFile, block: DataBlock) -> Value:
    text = block.text.strip().partition("\n")[0]
    return Value.of(text[:80], Place(source.name, block.line, block.column), "script")


FORMAT = Format("html", "HTML page with JSON-LD", matches, read, priority=90)
