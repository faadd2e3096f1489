"""Parsed YAML with positions: `Row` is a mapping, `Rows` a sequence, everything else is text.

Both are subclasses of dict and list, and know the line and column of each key and value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.errors import Place

Spot = tuple[int, int]  # line and column, counted from 0
PLAIN = re.compile(r"…|[^\W_][\w .&/()'+-]*")  # text that needs no quotes


class Row(dict[str, Any]):
    """A mapping with the position of each key (`keys_at`) and value (`values_at`).

    `path` is the row's name in messages. `written` holds the rows of the file that a derived row
    was made from, such as an entry and one of its positions.
    """

    __slots__ = ("file", "keys_at", "path", "spot", "token", "values_at", "written")

    def __init__(self, file: str, spot: Spot = (0, 0), path: str = "") -> None:
        super().__init__()
        self.file, self.spot, self.path, self.token = file, spot, path, ""
        self.keys_at: dict[str, Spot] = {}
        self.values_at: dict[str, Spot] = {}
        self.written: tuple[Row, ...] = ()

    @property
    def place(self) -> Place:
        return place_of(self.file, self.spot)

    @property
    def extent(self) -> tuple[Place, Place]:
        """First and last position: the start of the row and of the last value in it."""
        return self.place, place_of(self.file, max(spots_in(self)))

    def put(self, key: str, value: Any, key_at: Spot, value_at: Spot) -> None:
        self[key] = value
        self.keys_at[key] = key_at
        self.values_at[key] = value_at

    def fill(self, key: str, value: Any) -> Row:
        """Adds a value that the author did not write; it gets the position of the row."""
        self.put(key, value, self.spot, self.spot)
        return self

    def drop(self, key: str) -> None:
        del self[key], self.keys_at[key], self.values_at[key]

    def folds(self, key: str | int) -> bool:
        """Whether the value of `key` was folded from fields of this row: it has the same position,
        and the author sees one entry.
        """
        value = self.get(str(key))
        return isinstance(value, Row) and value.spot == self.spot

    def row(self, key: str) -> Row:
        """The mapping under `key`, or an empty one."""
        value = self.get(key)
        return value if isinstance(value, Row) else Row(self.file, self.spot)

    def rows(self, key: str) -> Rows:
        """The list under `key`, or an empty one."""
        value = self.get(key)
        return value if isinstance(value, Rows) else Rows()

    def copy_keys(self, other: Row, keys: Iterable[str]) -> Row:
        for key in keys:
            self.put(key, other[key], other.keys_at[key], other.values_at[key])
        return self

    def without(self, *keys: str) -> Row:
        """Returns a copy without `keys`."""
        copy = Row(self.file, self.spot, self.path)
        copy.token, copy.written = self.token, self.written or (self,)
        return copy.copy_keys(self, (key for key in self if key not in keys))

    def at(self, *steps: str | int, key: bool = False) -> Place:
        """The place of the value at the end of `steps`, or of its key; of the last step that exists
        otherwise.
        """
        here: Any = self
        spot = self.spot
        for number, step in enumerate(steps, 1):
            if isinstance(here, Row) and isinstance(step, str) and step in here.values_at:
                spot = here.keys_at[step] if key and number == len(steps) else here.values_at[step]
                here = here[step]
            elif isinstance(here, Rows) and isinstance(step, int) and step < len(here):
                spot, here = here.spots[step], here[step]
            else:
                break
        return place_of(self.file, spot)


class Rows(list[Any]):
    """A sequence with the position of each item (`spots`)."""

    __slots__ = ("spots",)

    def __init__(self) -> None:
        super().__init__()
        self.spots: list[Spot] = []

    @classmethod
    def at(cls, spot: Spot, items: Iterable[Any]) -> Rows:
        """Makes a list whose items all have one position."""
        rows = cls()
        for item in items:
            rows.add(item, spot)
        return rows

    def add(self, item: Any, spot: Spot) -> None:
        self.append(item)
        self.spots.append(spot)


def place_of(file: str, spot: Spot) -> Place:
    return Place(file, spot[0] + 1, spot[1] + 1)


def spots_in(value: Any) -> Iterator[Spot]:
    """The positions of everything inside a value."""
    items: Iterable[Any] = ()
    if isinstance(value, Row):
        yield from (value.spot, *value.keys_at.values(), *value.values_at.values())
        items = value.values()
    elif isinstance(value, Rows):
        yield from value.spots
        items = value
    for item in items:
        yield from spots_in(item)


def texts(row: Mapping[str, Any], key: str) -> list[str]:
    """The texts of a field that holds one, several, or mappings with a `name`. Other values are
    skipped; validation reports them.
    """
    return texts_in(row.get(key))


def texts_in(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    found = [item.get("name") if isinstance(item, Mapping) else item for item in items]
    return [item for item in found if item and isinstance(item, str)]


def flow(value: Any) -> str:
    """Formats a value as one line of YAML, quoted where necessary."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    text = str(value)
    is_plain = PLAIN.fullmatch(text) and not text.endswith(" ")
    return text if is_plain else json.dumps(text, ensure_ascii=False)
