"""YAML text -> rows that know their lines.

Nothing is guessed: `NO`, `2019`, `1.10` and `12:30` stay the text they are, because only the parser
of PyYAML is used, and none of its types. Duplicate keys, tags, merge keys and aliases that multiply
are refused, with their place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeVar

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from kg.errors import Place, Problem
from kg.facts.reading.rows import Row, Rows, Spot

MOST_ALIASED_VALUES = 10_000  # repeated through aliases; enough for any CV, too few for a bomb
DEEPEST = 200  # levels
# What YAML, XML or HTML cannot hold as it is, the last two because they read \r as \n: twins of a
# page would differ.
UNPRINTABLE = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
PAIR = re.compile(rb"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", re.IGNORECASE)  # in JSON
Value = TypeVar("Value")
CLOSING = {"[": "]", "{": "}"}
UNENDING = "This {} is never closed. Add another where the text ends."
OUT_OF_LINE = (
    "This does not fit the lines above it. Correct the indentation, or a quote that ends too "
    "early or too late."
)
ADVICE = {  # what the parser says, and what to do
    "mapping values are not allowed": (
        "A colon stands where none is expected. Put quotes around text that contains ': ', "
        "or correct the indentation of this line."
    ),
    "did not find expected key": OUT_OF_LINE,
    "did not find expected '-' indicator": OUT_OF_LINE,
}
NOT_YAML = "This is not YAML: {}. Check quotes, brackets and indentation."
TAGS = {
    ScalarEvent: ("!", "tag:yaml.org,2002:str"),
    SequenceStartEvent: ("!", "tag:yaml.org,2002:seq"),
    MappingStartEvent: ("!", "tag:yaml.org,2002:map"),
}


class Unreadable(Exception):
    """Nothing of the file can be read, because of what is at this spot."""

    def __init__(self, spot: Spot, message: str, rule: str = "yaml") -> None:
        super().__init__(message)
        self.spot, self.message, self.rule = spot, message, rule


class YamlReader:
    """One reading of one file: the problems met on the way, and how many values came through
    aliases.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.next: Callable[[], Any] = yaml.CBaseLoader(text).get_event
        self.problems: list[Problem] = []
        self.anchors: dict[str, tuple[Spot, Any]] = {}  # None is a value that is still open
        self.aliased = self.depth = 0

    def complain(self, spot: Spot, message: str, rule: str = "yaml") -> None:
        self.problems.append(problem(self.file, spot, message, rule))

    def document(self) -> Row:
        row, spot = self.content()
        if not isinstance(row, Row):
            message = "A mapping is expected here: lines of the form 'key: value'."
            raise Unreadable(spot, message)
        return row

    def content(self) -> tuple[Any, Spot]:
        """The one value of the file."""
        self.next()
        if type(self.next()) is StreamEndEvent:
            raise Unreadable((0, 0), "This file is empty. Add entries, or delete it.", "empty-file")
        found = self.item(self.next())
        self.next()
        if type(after := self.next()) is not StreamEndEvent:
            message = "A second document starts here ('---'). Put it in a file of its own."
            raise Unreadable((after.start_mark.line, after.start_mark.column), message)
        return found

    def item(self, event: Any) -> tuple[Any, Spot]:
        """The value that begins with an event, and where; most are plain texts."""
        mark = event.start_mark
        spot = mark.line, mark.column
        if type(event) is ScalarEvent and event.tag is None and event.anchor is None:
            return event.value, spot
        return self.value(event, spot), spot

    def value(self, event: Any, spot: Spot) -> Any:
        if type(event) is AliasEvent:
            return self.alias(str(event.anchor), spot)
        if event.tag and event.tag not in TAGS[type(event)]:
            self.complain(
                spot,
                f"The tag {event.tag!r} is not understood here. Remove it; every value is "
                "read as text.",
            )
        if event.anchor:
            self.anchors[event.anchor] = spot, None
        self.depth += 1
        if self.depth > DEEPEST:
            message = "This file is nested too deeply. A CV needs no more than a few levels."
            raise Unreadable((0, 0), message)
        if type(event) is MappingStartEvent:
            value: Any = self.mapping(spot)
        else:
            value = self.sequence() if type(event) is SequenceStartEvent else event.value
        self.depth -= 1
        if event.anchor:
            self.anchors[event.anchor] = spot, value
        return value

    def alias(self, name: str, spot: Spot) -> Any:
        """A copy of the value that has this name."""
        if name not in self.anchors:
            raise Unreadable(spot, NOT_YAML.format("found undefined alias"))
        begun, value = self.anchors[name]
        self.aliased += size(value)
        if value is None or self.aliased > MOST_ALIASED_VALUES:
            message = "Aliases (*name) repeat too much here. Write the values out."
            raise Unreadable(begun, message)
        return deepcopy(value)

    def sequence(self) -> Rows:
        rows = Rows()
        while type(event := self.next()) is not SequenceEndEvent:
            value, spot = self.item(event)
            rows.append(value)
            rows.spots.append(spot)
        return rows

    def mapping(self, spot: Spot) -> Row:
        row = Row(self.file, spot)
        keys_at, values_at, following = row.keys_at, row.values_at, self.next
        while type(event := following()) is not MappingEndEvent:
            key, key_at = self.item(event)
            value, value_at = self.item(following())
            if type(key) is str and key not in row and key != "<<":  # as most are
                row[key], keys_at[key], values_at[key] = value, key_at, value_at
            else:
                self.refuse(key, key_at, row)
        return row

    def refuse(self, key: Any, spot: Spot, row: Row) -> None:
        """Complains of what cannot be a key of a row."""
        if not isinstance(key, str):
            self.complain(
                spot,
                "A key must be plain text. Put quotes around it, or check the braces before the "
                "colon.",
            )
        elif key == "<<":
            self.complain(spot, "Merge keys (<<) are not supported. Write the fields out.")
        else:
            first = row.keys_at[key][0] + 1
            self.complain(
                spot,
                f"The key '{key}' is here twice (first on line {first}). Remove or rename one.",
                "duplicate-key",
            )

    def unprintable(self, value: Any, spot: Spot = (0, 0)) -> None:
        """Complains of characters that the text has as escapes, because it could not have them
        otherwise.
        """
        if isinstance(value, Row):
            for key, item in value.items():
                self.unprintable(key, value.keys_at[key])
                self.unprintable(item, value.values_at[key])
        elif isinstance(value, Rows):
            for item, at in zip(value, value.spots, strict=True):
                self.unprintable(item, at)
        elif found := UNPRINTABLE.search(value):
            message = (
                f"The character U+{ord(found[0]):04X} can stand in no page. Remove its escape from "
                "this text."
            )
            self.complain(spot, message, "encoding")


def size(value: Any) -> int:
    """How many values there are in a value, with itself."""
    items = value.values() if isinstance(value, Row) else value if isinstance(value, Rows) else ()
    return 1 + sum(map(size, items))


def problem(file: str, spot: Spot, message: str, rule: str) -> Problem:
    return Problem(Place(file, spot[0] + 1, spot[1] + 1), "error", message, rule)


def decode(data: bytes) -> str:
    """The text of a file, which must be UTF-8; a byte order mark is dropped."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error counts from behind the byte order mark, so its own bytes are asked.
        message = (
            f"Byte {error.object[error.start]:#04x} is not UTF-8. Save the file with the "
            "encoding UTF-8."
        )
        raise Unreadable(end_of(error.object[: error.start]), message, "encoding") from error


def end_of(before: bytes) -> Spot:
    """The spot behind this text."""
    text = before.decode(errors="ignore")
    return text.count("\n"), len(text) - text.rfind("\n") - 1


def explain(error: yaml.MarkedYAMLError, at: str) -> str:
    """A YAML error in words that tell what to do; `at` is the character it is shown at."""
    words = f"{error.context or ''} {error.problem or ''}".strip()
    if at == "\t":
        return "A tab is used to indent. Use spaces."
    if still_open(error) and error.problem_mark:
        there = f"is still open on line {error.problem_mark.line + 1}, where something else begins"
        return (
            f"This {at} {there}. Close it with {CLOSING[at]}, or add a comma there."
            if at in CLOSING
            else UNENDING.format(at)
        )
    if "cannot start any token" in words and at:
        return f"Text cannot begin with {at!r}. Put quotes around it."
    opened = f" (begun on line {error.context_mark.line + 1})" if error.context_mark else ""
    other = f"This is not YAML: {words}{opened}. Check quotes, brackets and indentation."
    return next((message for known, message in ADVICE.items() if known in words), other)


def still_open(error: yaml.MarkedYAMLError) -> bool:
    """Whether a bracket or a quote was not closed on its line, so that its beginning is the place
    to look at.
    """
    begun, noticed = error.context_mark, error.problem_mark
    return bool(
        begun
        and noticed
        and begun.line < noticed.line
        and re.search("flow|quoted", error.context or "")
    )


def read(file: str, data: bytes) -> tuple[Row | None, list[Problem]]:
    """The row of a file and the problems met; no row where the file cannot be read as one
    mapping.
    """
    return parse(file, data, YamlReader.document)


def read_json(file: str, data: bytes) -> tuple[Any, list[Problem]]:
    """The value of a JSON file, which is YAML but for pairs of escapes that are one character."""
    joined = PAIR.sub(lambda pair: json.loads(f'"{pair[0].decode()}"').encode(), data)
    value, problems = parse(file, joined, lambda reader: reader.content()[0])
    return value, [
        replace(each, message=each.message.replace("not YAML", "not JSON")) for each in problems
    ]


def parse(
    file: str, data: bytes, take: Callable[[YamlReader], Value]
) -> tuple[Value | None, list[Problem]]:
    """What is taken of a file, and the problems met."""
    try:
        text = decode(data)
        reader = YamlReader(file, text)
        value = take(reader)
        if "\\" in text:
            reader.unprintable(value)
        return value, reader.problems
    except Unreadable as error:
        return None, [problem(file, error.spot, error.message, error.rule)]
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark if still_open(error) else error.problem_mark or error.context_mark
        spot = (mark.line, mark.column) if mark else (0, 0)
        return None, [problem(file, spot, explain(error, at=character(text, spot)), "yaml")]
    except yaml.reader.ReaderError as error:
        message = f"The character U+{int(error.character):04X} is not allowed in YAML. Remove it."
        return None, [problem(file, end_of(text.encode()[: error.position]), message, "encoding")]


def character(text: str, spot: Spot) -> str:
    lines = text.split("\n")
    return lines[spot[0]][spot[1] : spot[1] + 1] if spot[0] < len(lines) else ""
