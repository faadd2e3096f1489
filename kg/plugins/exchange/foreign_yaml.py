"""YAML and JSON of other formats -> rows that know their lines."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from yaml.events import MappingEndEvent

from kg.errors import Problem
from kg.facts.yaml.reader import YamlReader, paired, parse
from kg.facts.yaml.rows import Row, Rows, Spot


class ForeignReader(YamlReader):
    """Reads files of others, which mean what YAML says: nothing is taken for a slip, a merge key
    adds what is not there yet, and a value whose key is there twice is kept under another one.
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
    """The value of a JSON or YAML file of another format."""
    return parse(file, paired(data), lambda reader: reader.content()[0], ForeignReader)
