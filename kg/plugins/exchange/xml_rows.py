"""XML as rows, each with its place: an element is a mapping of its children and attributes by their
local names, one that has neither is its text.

Nothing outside of the file is opened, and a file that declares entities is refused.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.exchange.source_files import NotImported, SourceFile

DEEPEST = 100
TEXT = "text"  # of an element that has attributes, too


class XmlElement:
    """An element that is being read."""

    def __init__(self, name: str, file: str, spot: Spot) -> None:
        self.name, self.spot, self.row = name, spot, Row(file, spot)
        self.parts: list[str] = []

    def add(self, name: str, value: Any, spot: Spot) -> None:
        """Several children of one name are a list."""
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
    """The root of an XML file, under its name."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    open_ = [XmlElement("", source.name, (0, 0))]

    def spot() -> Spot:
        return parser.CurrentLineNumber - 1, parser.CurrentColumnNumber

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_) > DEEPEST:
            raise NotImported(f"{source.name}: the XML is nested too deeply.")
        element = XmlElement(local(name), source.name, spot())
        for each, value in attributes.items():
            element.add(local(each), value, element.spot)
        open_.append(element)

    def end(name: str) -> None:
        element = open_.pop()
        open_[-1].add(element.name, element.value, element.spot)

    def data(text: str) -> None:
        open_[-1].parts.append(text)

    def entity(*_: object) -> None:
        raise NotImported(
            f"{source.name}: XML entities are not supported. Remove their declarations."
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = data, entity
    try:
        parser.Parse(source.data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise NotImported(f"{source.name}: cannot read the XML: {error}.") from error
    return open_[0].row


def local(name: str) -> str:
    return name.rpartition(" ")[2]
