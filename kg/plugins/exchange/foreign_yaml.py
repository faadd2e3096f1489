"""Reads YAML and JSON files of other formats, with the line and column of each value."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from yaml.events import MappingEndEvent

from kg.errors import Problem
from kg.facts.yaml.reader import YamlReader, paired, parse
from kg.facts.yaml.rows import Row, Rows, Spot


class ForeignReader(YamlReader):
    """Reads foreign files by the YAML standard, without looking for typical mistakes of authors.

    Merge keys (`<<`) add missing keys. A value with a duplicate key is kept as `key (2)`.
    """

    def item(self, event: Any) -> tuple[Any, Spot]:
        return self.value(event, spot := (event.start_mark.line, event.start_mark.column)), spot

    def mapping(self, spot: Spot) -> Row:
        row, repeated = Row(self.file, spot), Counter[str]()
        while type(event := self.next()) is not MappingEndEvent:
            key, key_at = self.item(event)
            value, value_at = self.item(self.next())
            if key == "<<":
                for above in value if isinstance(value, Rows) else [value]:
                    if isinstance(above, Row):
                        row.copy_keys(above, [each for each in above if each not in row])
                continue
            name = key if isinstance(key, str) else json.dumps(key)
            while name in row:
                repeated[name] += 1
                name = f"{name} ({repeated[name] + 1})"
            row.put(name, value, key_at, value_at)
        return row


def read_foreign(file: str, data: bytes) -> tuple[Any, list[Problem]]:
    """Parses a JSON or YAML file of another format."""
    return parse(file, paired(data), lambda reader: reader.content()[0], ForeignReader)
