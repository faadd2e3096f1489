"""Reads CSL-JSON: an export of a reference manager, or the single item of a DOI service.

Also accepts CSL as YAML, and Crossref's names of types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.exchange.draft import Draft, Format
from kg.plugins.exchange.readers.bibtex_entries import draft_works
from kg.plugins.exchange.source_files import SourceFile

LISTS = ("items", "references")  # keys that can hold the list of items
SAMPLE_SIZE = 20  # items to inspect for detection
OTHER_FORMATS = ("@context", "basics", "cff-version", "$schema")  # keys of other formats


def matches(source: SourceFile) -> bool:
    return any(is_csl(item) for item in csl_items(source.tree)[:SAMPLE_SIZE])


def csl_items(tree: Any) -> Rows:
    """The items of a list or an export, or a single item."""
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
    return str(item.get("type")) in types and not any(name in item for name in OTHER_FORMATS)


def read(source: SourceFile) -> Iterator[Draft]:
    yield draft_works(CslFile(source.name, csl_items(source.tree)), source.text)


FORMAT = Format("csl", "CSL-JSON", matches, read, priority=110)
