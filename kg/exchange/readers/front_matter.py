"""The front matter of a Markdown file, as YAML or TOML, and the text below it."""

from __future__ import annotations

import re
import tomllib
from typing import Any, NamedTuple

from kg.errors import Place
from kg.exchange.draft import Value
from kg.exchange.source_files import NotImported, SourceFile
from kg.facts.reading.rows import Row
from kg.facts.reading.yaml import read_foreign

FENCED = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


class FrontMatter(NamedTuple):
    """The fields of a page, and its text."""

    fields: Row
    body: Value


def page_of(source: SourceFile) -> FrontMatter | None:
    """None where a file has no front matter."""
    found = FENCED.match(source.text)
    if not found:
        return None
    line = found[0].count("\n")
    body = Value.of(source.text[found.end() :].strip(), Place(source.name, line + 1, 1), "text")
    read = yaml_fields if found[1] == "---" else toml_fields
    return FrontMatter(read(source, found[2]), body)


def yaml_fields(source: SourceFile, text: str) -> Row:
    # The line of the fence stays, so that every place is that in the file.
    tree, problems = read_foreign(source.name, f"\n{text}".encode()) if text.strip() else ({}, [])
    if tree is None and problems:
        raise NotImported(f"{problems[0].place}: {problems[0].message}")
    return tree if isinstance(tree, Row) else Row(source.name)


def toml_fields(source: SourceFile, text: str) -> Row:
    """Fields of TOML stand where their key first does."""
    try:
        tree: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotImported(f"{source.name}: its TOML cannot be read ({error}).") from error
    row = Row(source.name)
    for key, value in tree.items():
        found = re.search(rf"^[ \t]*(?:\[+ *)?{re.escape(key)}\b", text, re.MULTILINE)
        line = text[: found.start()].count("\n") + 1 if found else 1
        row.put(key, value, (line, 0), (line, 0))
    return row
