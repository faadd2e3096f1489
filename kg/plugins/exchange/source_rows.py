"""Reads CSV, XML and the front matter of pages as rows with positions.

An XML element becomes a mapping of its children and attributes by local name, or its text if it has
neither. Nothing outside the file is opened, and entity declarations are rejected.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import Any, NamedTuple
from xml.parsers import expat

from kg.errors import Place
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.exchange.draft import Value
from kg.plugins.exchange.source_files import NotImported, SourceFile, read_foreign

FENCED = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
MOST_NOTES = 10  # lines of notes before the header row
DEEPEST = 100
TEXT = "text"  # key for the text of an element that also has attributes or children
INLINE = ("i", "b", "sub", "sup", "tt", "em", "strong")  # marks inside a text


class FrontMatter(NamedTuple):
    """The front matter fields and the text of a page."""

    fields: Row
    body: Value


def page_of(source: SourceFile) -> FrontMatter | None:
    """Parses a page with YAML or TOML front matter; None if it has none."""
    found = FENCED.match(source.text)
    if not found:
        return None
    line = found[0].count("\n")
    body = Value.of(source.text[found.end() :].strip(), Place(source.name, line + 1, 1), "text")
    read = yaml_fields if found[1] == "---" else toml_fields
    return FrontMatter(read(source, found[2]), body)


def yaml_fields(source: SourceFile, text: str) -> Row:
    # Keep the line of the fence, so that positions match the file.
    tree, problems = read_foreign(source.name, f"\n{text}".encode()) if text.strip() else ({}, [])
    if tree is None and problems:
        raise NotImported(f"{problems[0].place}: {problems[0].message}")
    return tree if isinstance(tree, Row) else Row(source.name)


def toml_fields(source: SourceFile, text: str) -> Row:
    """Parses TOML; the position of a field is where its key first occurs."""
    try:
        tree: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotImported(f"{source.name}: cannot read the TOML front matter: {error}.") from error
    row = Row(source.name)
    for key, value in tree.items():
        found = re.search(rf"^[ \t]*(?:\[+ *)?{re.escape(key)}\b", text, re.MULTILINE)
        line = text[: found.start()].count("\n") + 1 if found else 1
        row.put(key, value, (line, 0), (line, 0))
    return row


def csv_rows(source: SourceFile, known: Iterable[str]) -> Rows | None:
    """The rows below the header row, which has the `known` columns; None if there is none.

    Lines of notes before the header row are skipped.
    """
    columns: Sequence[str] = ()
    rows, reader, begun = Rows(), csv.reader(StringIO(source.text.removeprefix("\ufeff"))), 0
    try:
        for cells in reader:
            line, begun = begun, reader.line_num
            if not columns:
                stripped = [cell.strip() for cell in cells]
                columns = stripped if {*known} <= {*stripped} else ()
                if not columns and reader.line_num > MOST_NOTES:
                    return None
            elif any(cell.strip() for cell in cells):
                rows.add(row_of(source.name, columns, cells, line), (line, 0))
    except csv.Error as error:
        message = f"{source.name}:{reader.line_num}: cannot read the CSV: {error}."
        raise NotImported(message) from error
    return rows if columns else None


def row_of(file: str, columns: Sequence[str], cells: list[str], line: int) -> Row:
    row = Row(file, (line, 0))
    for number, cell in enumerate(cells):
        name = columns[number] if number < len(columns) and columns[number] else f"#{number + 1}"
        row.fill(name, cell)
    return row


def mapped(value: Any, change: Callable[[Row], Any]) -> Any:
    """A tree in which `change` has replaced each mapping, inner ones first."""
    if isinstance(value, Rows):
        rows = Rows()
        for item, spot in zip(value, value.spots, strict=True):
            rows.add(mapped(item, change), spot)
        return rows
    if not isinstance(value, Row):
        return value
    row = Row(value.file, value.spot, value.path)
    for name, item in value.items():
        row.put(name, mapped(item, change), value.keys_at[name], value.values_at[name])
    return change(row)


class XmlElement:
    """An element while it is being parsed."""

    def __init__(self, name: str, file: str, spot: Spot) -> None:
        self.name, self.spot, self.row = name, spot, Row(file, spot)
        self.parts: list[str] = []

    def add(self, name: str, value: Any, spot: Spot) -> None:
        """Adds a child; several children with the same name become a list."""
        before = self.row.get(name)
        if before is None:
            self.row.put(name, value, spot, spot)
        elif isinstance(before, Rows):
            before.add(value, spot)
        else:
            rows = Rows()
            rows.add(before, self.row.values_at[name])
            rows.add(value, spot)
            self.row.put(name, rows, self.row.keys_at[name], rows.spots[0])

    @property
    def value(self) -> Any:
        text = "".join(self.parts).strip()
        if not self.row:
            return text
        if text:
            self.row.fill(TEXT, text)
        return self.row


def rows_of(source: SourceFile) -> Row:
    """Parses an XML file into a row with one key, the name of the root element."""
    open_ = [XmlElement("", source.name, (0, 0))]

    def start(name: str, attributes: dict[str, str], spot: Spot) -> None:
        element = XmlElement(local(name), source.name, spot)
        for each, value in attributes.items():
            element.add(local(each), value, element.spot)
        open_.append(element)

    def end(name: str) -> None:
        element = open_.pop()
        if element.name in INLINE and not element.row:
            open_[-1].parts.append(f"<{element.name}>{''.join(element.parts)}</{element.name}>")
        else:
            open_[-1].add(element.name, element.value, element.spot)

    def data(text: str) -> None:
        open_[-1].parts.append(text)

    parse_events(source.name, source.data, start, end, data)
    return open_[0].row


def parse_events(
    file: str,
    content: bytes,
    start: Callable[[str, dict[str, str], Spot], None],
    end: Callable[[str], None],
    data: Callable[[str], None],
) -> None:
    """Parses XML and calls functions for tags and text; names have their namespace in front."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def start_element(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise NotImported(f"{file}: the XML is nested too deeply.")
        start(name, attributes, (parser.CurrentLineNumber - 1, parser.CurrentColumnNumber))

    def end_element(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name)

    def entity(*_: object) -> None:
        raise NotImported(f"{file}: XML entities are not supported. Remove their declarations.")

    parser.StartElementHandler, parser.EndElementHandler = start_element, end_element
    parser.CharacterDataHandler, parser.EntityDeclHandler = data, entity
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise NotImported(f"{file}: cannot read the XML: {error}.") from error


def local(name: str) -> str:
    return name.rpartition(" ")[2]
