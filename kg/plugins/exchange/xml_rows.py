"""Reads XML as rows with positions.

An element becomes a mapping of its children and attributes by local name, or its text if it has
neither. Nothing outside the file is opened, and entity declarations are rejected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.exchange.source_files import NotImported, SourceFile

DEEPEST = 100
TEXT = "text"  # key for the text of an element that also has attributes or children
INLINE = ("i", "b", "sub", "sup", "tt", "em", "strong")  # marks inside a text


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
