"""YAML parser that records the line and column of every key and value.

All scalars are text: `NO`, `2019`, `1.10` and `12:30` keep their spelling, because PyYAML's event
parser is used without its type resolution. Duplicate keys, tags, merge keys and alias bombs are
reported with their position.
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
from kg.errors import Fix, Problem, fix
from kg.facts.yaml.rows import Row, Rows, Spot, place_of

MAX_ALIASED_VALUES = 10_000  # an alias bomb exceeds this at once, a CV never does
MAX_DEPTH = 200
# Characters that cannot be written literally in YAML, XML or HTML. XML and HTML read \r as \n, so
# the formats of a page would differ.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# LaTeX commands whose first letter became an escape character in double quotes (\tau, \nu,
# \lambda).
LATEX = re.compile(
    "\t(?:au|heta|imes|ext[a-z]*|ilde|riangle)\\b|\n(?:u|abla|eq|ewline|eg)\\b"
    "|[\u2028\u2029](?:ambda|eft[a-z]*|arge|ong[a-z]*|hi|si|i)\\b"
)
ESCAPES = {
    **{"\0": r"\0", "\a": r"\a", "\b": r"\b", "\v": r"\v", "\f": r"\f", "\r": r"\r"},
    **{"\x1b": r"\e", "\t": r"\t", "\n": r"\n", "\u2028": r"\L", "\u2029": r"\P"},
}
# a surrogate pair in JSON
SURROGATE_PAIR = re.compile(rb"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", re.IGNORECASE)
Value = TypeVar("Value")
TAGS = {
    ScalarEvent: "tag:yaml.org,2002:str",
    SequenceStartEvent: "tag:yaml.org,2002:seq",
    MappingStartEvent: "tag:yaml.org,2002:map",
}


class Unreadable(Exception):
    """The whole file is unreadable because of what is at `spot`."""

    def __init__(
        self, spot: Spot, message: str, fix: Fix | None = None, rule: str = "yaml"
    ) -> None:
        super().__init__(message)
        self.spot, self.message, self.fix, self.rule = spot, message, fix, rule


class YamlReader:
    """Reads one file and collects its problems."""

    def __init__(self, file: str, text: str, problems: list[Problem]) -> None:
        self.file, self.text, self.problems = file, text, problems
        self.next: Callable[[], Any] = yaml.CBaseLoader(text).get_event
        self.anchors: dict[str, tuple[Spot, Any]] = {}  # None: still open
        self.repeated: set[str] = set()  # anchors that an alias refers to
        self.aliased = self.depth = 0
        self.quoted: list[tuple[str, Spot]] = []  # values in double quotes

    def complain(
        self, spot: Spot, message: str, rule: str = "yaml", fix: Fix | None = None
    ) -> None:
        self.problems.append(problem(self.file, spot, message, rule, fix))

    def document(self) -> Row:
        row, spot = self.content()
        if not isinstance(row, Row):
            message = "Write a mapping here: lines of the form 'key: value'."
            raise Unreadable(spot, message)
        return row

    def content(self) -> tuple[Any, Spot]:
        """Returns the single value of the file."""
        self.next()
        if type(self.next()) is StreamEndEvent:
            raise Unreadable(
                (0, 0), "This file is empty. Add entries, or delete it.", rule="empty-file"
            )
        found = self.item(self.next())
        self.next()
        if type(after := self.next()) is not StreamEndEvent:
            message = "A second document starts here ('---'). Put it in a separate file."
            raise Unreadable((after.start_mark.line, after.start_mark.column), message)
        return found

    def item(self, event: Any) -> tuple[Any, Spot]:
        """Returns the value that starts with `event`, and its spot; plain text is the fast path."""
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
                f"YAML tags such as '{tag}' are not supported. Remove it, or put quotes around "
                "text that begins with '!'."
            )
            self.complain(spot, message)
        if event.anchor:
            self.name(event.anchor, spot)
        self.depth += 1
        if self.depth > MAX_DEPTH:
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
        """Registers an anchor whose value is not complete yet."""
        if name in self.anchors:
            first = self.anchors[name][0][0] + 1
            message = (
                f"The anchor &{name} is defined twice (first on line {first}). Rename one of them."
            )
            self.complain(spot, message)
            self.repeated.add(name)
        self.anchors[name] = spot, None

    def report_unused_anchors(self) -> None:
        """Reports anchors on text without an alias: the text probably begins with `&`."""
        for name, (spot, value) in self.anchors.items():
            if isinstance(value, str) and name not in self.repeated:
                message = (
                    f"The anchor &{name} is never used as *{name}. Put quotes around text that "
                    "begins with '&', or remove the anchor."
                )
                self.complain(spot, message)

    def alias(self, name: str, spot: Spot) -> Any:
        """Returns a copy of the anchored value."""
        self.repeated.add(name)
        if name not in self.anchors:
            message = (
                f"The alias *{name} has no anchor &{name} above it. Put quotes around text that "
                "begins with '*'."
            )
            raise Unreadable(spot, message)
        begun, value = self.anchors[name]
        self.aliased += size(value)
        if value is None or self.aliased > MAX_ALIASED_VALUES:
            message = "Aliases (*name) expand to too many values here. Write the values out."
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
            if type(key) is str and key not in row and key != "<<":  # the usual case
                row[key], keys_at[key], values_at[key] = value, key_at, value_at
            else:
                self.refuse(key, key_at, row)
        return row

    def visible(self, key: str, spot: Spot) -> str:
        """Removes invisible characters and typographic quotes from a key, and reports them."""
        if found := yaml_mistakes.INVISIBLE.search(key):
            at, sign = (spot[0], spot[1] + found.start()), found[0]
            remedy = fix(sign, yaml_mistakes.visible(sign))
            self.complain(at, yaml_mistakes.invisible(sign), fix=remedy)
        elif key[0] in yaml_mistakes.QUOTES and key[-1] in yaml_mistakes.QUOTES:
            bare = key.strip(f" {yaml_mistakes.QUOTES}")
            self.complain(spot, yaml_mistakes.NO_QUOTE.format(at=key[0]), fix=fix(key, bare))
        else:
            return key
        return yaml_mistakes.visible(key).strip(f" {yaml_mistakes.QUOTES}")

    def refuse(self, key: Any, spot: Spot, row: Row) -> None:
        """Reports a key that is not text, is a merge key, or occurs twice."""
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
                f"The key '{key}' occurs twice (first on line {first}). Remove or rename one.",
                "duplicate-key",
            )

    def report_escapes(self) -> None:
        """Reports escapes in double quotes that produce control characters or look like LaTeX."""
        for value, spot in self.quoted:
            found = UNPRINTABLE.search(value) or LATEX.search(value)
            if not found:
                continue
            escape = ESCAPES.get(found[0][0], f"\\u{ord(found[0][0]):04x}")
            message = (
                f"{escape} in double quotes is the character U+{ord(found[0][0]):04X}. Use "
                "single quotes ('…') to write a backslash."
            )
            self.complain(spot, message, "encoding")

    def strip_invisible(self, value: Any) -> None:
        """Removes invisible characters from keys, dates, numbers and addresses, and reports them.
        Prose and other scripts may need them.
        """
        items: Any = value.items() if isinstance(value, Row) else enumerate(value)
        for key, item in [*items] if isinstance(value, Row | Rows) else ():
            if isinstance(item, str) and (found := yaml_mistakes.unseen(item)):
                seen = yaml_mistakes.visible(item).strip()
                message = (
                    "This value contains an invisible character "
                    f"({yaml_mistakes.unicode_name(found)}). Write '{seen}'."
                )
                spot = value.values_at[key] if isinstance(value, Row) else value.spots[key]
                self.complain(spot, message, fix=fix(item, seen))
                value[key] = seen
            self.strip_invisible(item)


def size(value: Any) -> int:
    """Counts the values inside a value, itself included; 100 characters of text count as one."""
    if isinstance(value, str):
        return 1 + len(value) // 100
    items = value.values() if isinstance(value, Row) else value if isinstance(value, Rows) else ()
    return 1 + sum(map(size, items))


def problem(
    file: str, spot: Spot, message: str, rule: str = "yaml", fix: Fix | None = None
) -> Problem:
    return Problem(place_of(file, spot), "error", message, rule, fix=fix)


def decode(data: bytes) -> str:
    """Decodes UTF-8; drops a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # `error.start` does not count the byte order mark; `error.object` has the same bytes.
        message = (
            f"Byte {error.object[error.start]:#04x} is not UTF-8. Save the file with the "
            "encoding UTF-8."
        )
        raise Unreadable(end_of(error.object[: error.start]), message, rule="encoding") from error


def end_of(before: bytes) -> Spot:
    """The spot after this text."""
    text = before.decode(errors="ignore")
    return text.count("\n"), len(text) - text.rfind("\n") - 1


def read(file: str, data: bytes) -> tuple[Row | None, list[Problem]]:
    """Returns the mapping of a file, or None if it cannot be read as one, and all problems."""
    return parse(file, data, YamlReader.document)


def faults_in(row: Row) -> list[Problem]:
    """Problems that a row in memory would have if it were written to a file."""
    reader = YamlReader(row.file, "", [])
    reader.strip_invisible(row)
    for text, spot in texts_in(row, row.spot):
        if found := UNPRINTABLE.search(text) or yaml_mistakes.BREAKS.search(text):
            message = f"The character U+{ord(found[0]):04X} is not allowed. Remove it."
            reader.complain(spot, message, "encoding")
        # only quoted text can contain it
        elif ("\t" in text or " \n" in text) and LATEX.search(text):
            reader.complain(spot, "Tabs and line breaks look like LaTeX commands.", "encoding")
    return reader.problems


def texts_in(value: Any, spot: Spot) -> Iterator[tuple[str, Spot]]:
    """Every text in a value, including keys, with its spot."""
    if isinstance(value, Row):
        for key, item in value.items():
            yield key, value.keys_at.get(key, spot)  # inline entities have keys without a place
            yield from texts_in(item, value.values_at.get(key, spot))
    elif isinstance(value, Rows):
        for item, at in zip(value, value.spots, strict=True):
            yield from texts_in(item, at)
    else:
        yield value, spot


def read_json(file: str, data: bytes) -> tuple[Any, list[Problem]]:
    """Reads JSON with the YAML parser, which needs surrogate pairs joined first."""
    value, problems = parse(file, paired(data), lambda reader: reader.content()[0])
    return value, [replace(each, message=each.message.replace("YAML", "JSON")) for each in problems]


def paired(data: bytes) -> bytes:
    """Replaces each escaped surrogate pair with its character."""
    return SURROGATE_PAIR.sub(lambda pair: json.loads(f'"{pair[0].decode()}"').encode(), data)


def parse(
    file: str,
    data: bytes,
    take: Callable[[YamlReader], Value],
    reader_class: type[YamlReader] = YamlReader,
) -> tuple[Value | None, list[Problem]]:
    """Applies `take` to the reader of a file; returns its value and all problems."""
    problems: list[Problem] = []
    text = ""
    try:
        text = decode(data)
        if not text.isascii() and (broken := yaml_mistakes.BREAKS.search(text)):
            # it would shift the numbers of all lines below
            message = (
                f"An invisible character, {yaml_mistakes.unicode_name(broken[0])}, ends the line "
                "here. Write a space or a new line."
            )
            spot = end_of(text[: broken.start()].encode())
            problems.append(problem(file, spot, message, "encoding"))
            text = yaml_mistakes.BREAKS.sub(" ", text)
        reader = reader_class(file, text, problems)
        value = take(reader)
        if reader_class is YamlReader and (wrong := yaml_mistakes.find(text)):
            raise Unreadable(*wrong)
        if "\\" in text:
            reader.report_escapes()
        if not text.isascii() and yaml_mistakes.INVISIBLE.search(text):
            reader.strip_invisible(value)
        reader.report_unused_anchors()
        return value, problems
    except Unreadable as error:
        problems.append(problem(file, error.spot, error.message, error.rule, error.fix))
    except yaml.MarkedYAMLError as error:
        spot, message, fix = yaml_mistakes.explain(text, error)
        problems.append(problem(file, spot, message, fix=fix))
    except yaml.reader.ReaderError as error:
        message = f"The character U+{int(error.character):04X} is not allowed in YAML. Remove it."
        spot = end_of(text.encode()[: error.position])
        problems.append(problem(file, spot, message, "encoding"))
    return None, problems
