"""CSL-JSON: the list that reference managers export, or the one item that a service gives for a
DOI; also as YAML, and with the names of types that Crossref has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.bibliography.csl_file import CslFile
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import Draft, Format
from kg.plugins.exchange.readers.bibtex_entries import drafted
from kg.plugins.exchange.source_files import SourceFile

LISTS = ("items", "references")  # where the items may be
ENOUGH = 20  # items to look at
NO_ITEM = ("@context", "basics", "cff-version", "$schema")  # what other formats have


def matches(source: SourceFile) -> bool:
    return any(is_csl(item) for item in csl_items(source.tree)[:ENOUGH])


def csl_items(tree: Any) -> Rows:
    """The items of a list, of an export, or the one that a service gives for a DOI."""
    if isinstance(tree, Row):
        for inner in (tree.get(name) for name in LISTS):
            if isinstance(inner, Rows):
                return inner
        return Rows.at(tree.spot, [tree])
    return tree if isinstance(tree, Rows) else Rows()


def is_csl(item: Any) -> bool:
    if not isinstance(item, Row):
        return False
    table = correspondence("csl")
    types = {*table.types, *table.types_not_taken}
    return str(item.get("type")) in types and not any(name in item for name in NO_ITEM)


def read(source: SourceFile) -> Iterator[Draft]:
    yield drafted(CslFile(source.name, csl_items(source.tree)), source.text)


FORMAT = Format("csl", "CSL-JSON", matches, read, priority=110)
