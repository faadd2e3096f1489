"""Rows: what stands in a YAML file, with the place of every key and value.

A mapping is a Row, a sequence is Rows, everything else is text. Both behave as the dict and the
list they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.errors import Place

Spot = tuple[int, int]  # line and column as the parser counts them, from 0
PLAIN = re.compile(r"…|[^\W_][\w .&/()'+-]*")  # texts that need no quotes


class Row(dict[str, Any]):
    """A mapping; `keys_at` and `values_at` tell where each key and value stands, `path` how the
    author would name the row.

    `written` are the rows of the file that a row was made of, where it was made: the entry, and one
    of its positions.
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
        """Its first spot and its last one: the start of whatever stands last in it."""
        return self.place, place_of(self.file, max(spots_in(self)))

    def put(self, key: str, value: Any, key_at: Spot, value_at: Spot) -> None:
        self[key] = value
        self.keys_at[key] = key_at
        self.values_at[key] = value_at

    def fill(self, key: str, value: Any) -> Row:
        """Puts in what the author did not write there; it stands where the row does."""
        self.put(key, value, self.spot, self.spot)
        return self

    def drop(self, key: str) -> None:
        del self[key], self.keys_at[key], self.values_at[key]

    def folds(self, key: str | int) -> bool:
        """Whether the value of a key was made of the row's own fields: it stands in the same place,
        and the author sees one entry.
        """
        value = self.get(str(key))
        return isinstance(value, Row) and value.spot == self.spot

    def row(self, key: str) -> Row:
        """The row below a key; an empty one where something else stands there."""
        value = self.get(key)
        return value if isinstance(value, Row) else Row(self.file, self.spot)

    def rows(self, key: str) -> Rows:
        """The list below a key; an empty one where something else stands there."""
        value = self.get(key)
        return value if isinstance(value, Rows) else Rows()

    def copy_keys(self, other: Row, keys: Iterable[str]) -> Row:
        for key in keys:
            self.put(key, other[key], other.keys_at[key], other.values_at[key])
        return self

    def without(self, *keys: str) -> Row:
        """A copy that lacks the keys."""
        copy = Row(self.file, self.spot, self.path)
        copy.token, copy.written = self.token, self.written or (self,)
        return copy.copy_keys(self, (key for key in self if key not in keys))

    def at(self, *steps: str | int, key: bool = False) -> Place:
        """The place of the value the steps lead to, or of its key; as far as the steps can be
        followed.
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
    """A sequence; `spots` tells where each item stands."""

    __slots__ = ("spots",)

    def __init__(self) -> None:
        super().__init__()
        self.spots: list[Spot] = []

    @classmethod
    def at(cls, spot: Spot, items: Iterable[Any]) -> Rows:
        """A list that is written in one place."""
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
    """Where everything stands that a value holds."""
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
    """The texts of a field that may hold one or several, or names of which more is written; what
    is none is left to the checker.
    """
    return texts_in(row.get(key))


def texts_in(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    found = [item.get("name") if isinstance(item, Mapping) else item for item in items]
    return [item for item in found if item and isinstance(item, str)]


def flow(value: Any) -> str:
    """A value on one line of YAML, in quotes where it has to be."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    text = str(value)
    is_plain = PLAIN.fullmatch(text) and not text.endswith(" ")
    return text if is_plain else json.dumps(text, ensure_ascii=False)
