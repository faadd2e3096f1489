"""YAML text -> rows that know their lines.

Nothing is guessed: `NO`, `2019`, `1.10` and `12:30` stay the text they are, because only the parser
of PyYAML is used, and none of its types. Duplicate keys, tags, merge keys and aliases that multiply
are refused, with their place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
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

from kg.advice import yaml_mistakes
from kg.advice.yaml_errors import explain
from kg.errors import Problem
from kg.facts.yaml.rows import Row, Rows, Spot, place_of

MOST_ALIASED_VALUES = 10_000  # repeated through aliases; enough for any CV, too few for a bomb
DEEPEST = 200  # levels
# What YAML, XML or HTML cannot hold as it is, the last two because they read \r as \n: twins of a
# page would differ.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Commands of LaTeX whose first letter is an escape in double quotes, as that has read them.
LATEX = re.compile(
    "\t(?:au|heta|imes|ext[a-z]*|ilde|riangle)\\b|\n(?:u|abla|eq|ewline|eg)\\b"
    "|[\u2028\u2029](?:ambda|eft[a-z]*|arge|ong[a-z]*|hi|si|i)\\b"
)
ESCAPES = {
    **{"\0": r"\0", "\a": r"\a", "\b": r"\b", "\v": r"\v", "\f": r"\f", "\r": r"\r"},
    **{"\x1b": r"\e", "\t": r"\t", "\n": r"\n", "\u2028": r"\L", "\u2029": r"\P"},
}
PAIR = re.compile(rb"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", re.IGNORECASE)  # in JSON
Value = TypeVar("Value")
TAGS = {
    ScalarEvent: "tag:yaml.org,2002:str",
    SequenceStartEvent: "tag:yaml.org,2002:seq",
    MappingStartEvent: "tag:yaml.org,2002:map",
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

    def __init__(self, file: str, text: str, problems: list[Problem]) -> None:
        self.file, self.text, self.problems = file, text, problems
        self.next: Callable[[], Any] = yaml.CBaseLoader(text).get_event
        self.anchors: dict[str, tuple[Spot, Any]] = {}  # None is a value that is still open
        self.repeated: set[str] = set()  # the names of anchors that an alias repeats
        self.aliased = self.depth = 0
        self.quoted: list[tuple[str, Spot]] = []  # texts in double quotes

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
            value = event.value
            if event.style == '"':
                self.quoted.append((value, spot))
            if " - " in value and (wrong := yaml_mistakes.items_in(self.text, event)):
                raise Unreadable(*wrong)
            return value, spot
        return self.value(event, spot), spot

    def value(self, event: Any, spot: Spot) -> Any:
        if type(event) is AliasEvent:
            return self.alias(str(event.anchor), spot)
        if event.tag and event.tag != TAGS[type(event)]:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            message = (
                f"The tag '{tag}' is not understood here. Remove it, or put quotes around text "
                "that begins with '!'."
            )
            self.complain(spot, message)
        if event.anchor:
            self.name(event.anchor, spot)
        self.depth += 1
        if self.depth > DEEPEST:
            message = "This file is nested too deeply. A CV needs no more than a few levels."
            raise Unreadable((0, 0), message)
        if type(event) is MappingStartEvent:
            value: Any = self.mapping(spot)
        elif type(event) is SequenceStartEvent:
            value = self.sequence()
        else:
            value = event.value
            if event.style == '"':
                self.quoted.append((value, spot))
        self.depth -= 1
        if event.anchor:
            self.anchors[event.anchor] = spot, value
        return value

    def name(self, name: str, spot: Spot) -> None:
        """Keeps the name of a value, which is still open."""
        if name in self.anchors:
            first = self.anchors[name][0][0] + 1
            message = f"The name &{name} is here twice (first on line {first}). Change one of them."
            self.complain(spot, message)
            self.repeated.add(name)
        self.anchors[name] = spot, None

    def unrepeated(self) -> None:
        """Complains of texts with a name that nothing repeats: more likely they begin with `&`."""
        for name, (spot, value) in self.anchors.items():
            if isinstance(value, str) and name not in self.repeated:
                message = (
                    f"&{name} names a value, but no *{name} repeats it. Put quotes around text "
                    "that begins with '&', or remove the name."
                )
                self.complain(spot, message)

    def alias(self, name: str, spot: Spot) -> Any:
        """A copy of the value that has this name."""
        self.repeated.add(name)
        if name not in self.anchors:
            message = (
                f"There is no value named &{name} above that *{name} could repeat. Put quotes "
                "around text that begins with '*'."
            )
            raise Unreadable(spot, message)
        begun, value = self.anchors[name]
        self.aliased += size(value)
        if value is None or self.aliased > MOST_ALIASED_VALUES:
            message = "Aliases (*name) repeat too much here. Write the values out."
            raise Unreadable(begun, message)
        return deepcopy(value)

    def sequence(self) -> Rows:
        rows = Rows()
        while type(event := self.next()) is not SequenceEndEvent:
            rows.add(*self.item(event))
        return rows

    def mapping(self, spot: Spot) -> Row:
        row = Row(self.file, spot)
        keys_at, values_at, following = row.keys_at, row.values_at, self.next
        while type(event := following()) is not MappingEndEvent:
            key, key_at = self.item(event)
            value, value_at = self.item(following())
            if type(key) is str and not key.isascii() and not getattr(event, "style", ""):
                key = self.visible(key, key_at)
            if type(key) is str and key not in row and key != "<<":  # as most are
                row[key], keys_at[key], values_at[key] = value, key_at, value_at
            else:
                self.refuse(key, key_at, row)
        return row

    def visible(self, key: str, spot: Spot) -> str:
        """A key without what nobody sees, and without quotes that are none."""
        if found := yaml_mistakes.INVISIBLE.search(key):
            self.complain((spot[0], spot[1] + found.start()), yaml_mistakes.invisible(found[0]))
        elif key[0] in yaml_mistakes.QUOTES and key[-1] in yaml_mistakes.QUOTES:
            self.complain(spot, yaml_mistakes.NO_QUOTE.format(key[0]))
        else:
            return key
        return yaml_mistakes.visible(key).strip(f" {yaml_mistakes.QUOTES}")

    def refuse(self, key: Any, spot: Spot, row: Row) -> None:
        """Complains of what cannot be a key of a row."""
        if isinstance(key, Row):
            self.complain(row.spot, yaml_mistakes.NO_TEXT.format("{"))
        elif not isinstance(key, str):
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

    def unprintable(self) -> None:
        """Complains of characters that the text has as escapes, because it could not have them
        otherwise.
        """
        for value, spot in self.quoted:
            found = UNPRINTABLE.search(value) or LATEX.search(value)
            if not found:
                continue
            escape = ESCAPES.get(found[0][0], f"\\u{ord(found[0][0]):04x}")
            message = (
                f"In double quotes {escape} is the character U+{ord(found[0][0]):04X}. Use single "
                "quotes ('…'), where a backslash is itself."
            )
            self.complain(spot, message, "encoding")

    def show(self, value: Any) -> None:
        """Complains of what nobody sees in keys, dates, numbers and addresses, and takes it out;
        in prose and in other scripts it may be right.
        """
        items: Any = value.items() if isinstance(value, Row) else enumerate(value)
        for key, item in [*items] if isinstance(value, Row | Rows) else ():
            if isinstance(item, str) and (found := yaml_mistakes.unseen(item)):
                self.complain(
                    value.values_at[key] if isinstance(value, Row) else value.spots[key],
                    "This value contains an invisible character "
                    f"({yaml_mistakes.unicode_name(found)}). "
                    f"Write '{yaml_mistakes.visible(item).strip()}'.",
                )
                value[key] = yaml_mistakes.visible(item).strip()
            self.show(item)


def size(value: Any) -> int:
    """How many values there are in a value, with itself; 100 characters of a text count as one."""
    if isinstance(value, str):
        return 1 + len(value) // 100
    items = value.values() if isinstance(value, Row) else value if isinstance(value, Rows) else ()
    return 1 + sum(map(size, items))


def problem(file: str, spot: Spot, message: str, rule: str) -> Problem:
    return Problem(place_of(file, spot), "error", message, rule)


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


def read(file: str, data: bytes) -> tuple[Row | None, list[Problem]]:
    """The row of a file and the problems met; no row where the file cannot be read as one
    mapping.
    """
    return parse(file, data, YamlReader.document)


def faults_in(row: Row) -> list[Problem]:
    """What would be refused in a row that is not in a file yet, if it were in one."""
    reader = YamlReader(row.file, "", [])
    reader.show(row)
    for text, spot in texts_in(row, row.spot):
        if found := UNPRINTABLE.search(text) or yaml_mistakes.BREAKS.search(text):
            message = f"The character U+{ord(found[0]):04X} is not allowed. Remove it."
            reader.complain(spot, message, "encoding")
        elif ("\t" in text or " \n" in text) and LATEX.search(text):  # only quotes can hold it
            reader.complain(spot, "Tabs and line breaks look like LaTeX commands.", "encoding")
    return reader.problems


def texts_in(value: Any, spot: Spot) -> Iterator[tuple[str, Spot]]:
    """Every text in a value, keys included, with its spot."""
    if isinstance(value, Row):
        for key, item in value.items():
            yield key, value.keys_at[key]
            yield from texts_in(item, value.values_at[key])
    elif isinstance(value, Rows):
        for item, at in zip(value, value.spots, strict=True):
            yield from texts_in(item, at)
    else:
        yield value, spot


def read_json(file: str, data: bytes) -> tuple[Any, list[Problem]]:
    """The value of a JSON file, which is YAML but for pairs of escapes that are one character."""
    value, problems = parse(file, paired(data), lambda reader: reader.content()[0])
    return value, [replace(each, message=each.message.replace("YAML", "JSON")) for each in problems]


def paired(data: bytes) -> bytes:
    """The text with each pair of escapes as the one character that it is in JSON."""
    return PAIR.sub(lambda pair: json.loads(f'"{pair[0].decode()}"').encode(), data)


def parse(
    file: str,
    data: bytes,
    take: Callable[[YamlReader], Value],
    reader_class: type[YamlReader] = YamlReader,
) -> tuple[Value | None, list[Problem]]:
    """What is taken of a file, and the problems met."""
    problems: list[Problem] = []
    text = ""
    try:
        text = decode(data)
        if broken := yaml_mistakes.line_break(text):
            problems.append(problem(file, *broken, "encoding"))
            text = yaml_mistakes.unbroken(text)
        reader = reader_class(file, text, problems)
        value = take(reader)
        if reader_class is YamlReader and (wrong := yaml_mistakes.find(text)):
            raise Unreadable(*wrong)
        if "\\" in text:
            reader.unprintable()
        if not text.isascii() and yaml_mistakes.INVISIBLE.search(text):
            reader.show(value)
        reader.unrepeated()
        return value, problems
    except Unreadable as error:
        problems.append(problem(file, error.spot, error.message, error.rule))
    except yaml.MarkedYAMLError as error:
        problems.append(problem(file, *explain(text, error), "yaml"))
    except yaml.reader.ReaderError as error:
        message = f"The character U+{int(error.character):04X} is not allowed in YAML. Remove it."
        spot = end_of(text.encode()[: error.position])
        problems.append(problem(file, spot, message, "encoding"))
    return None, problems
