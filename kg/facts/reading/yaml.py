"""YAML text -> rows that know their lines.

Nothing is guessed: `NO`, `2019`, `1.10` and `12:30` stay the text they are, because the loader
knows no implicit types. Duplicate keys, tags, merge keys and aliases that multiply are refused,
with their place.
"""

from __future__ import annotations

import operator
import re
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from kg.errors import Place, Problem
from kg.facts.reading.rows import Row, Rows, Spot

MOST_ALIASED_VALUES = 10_000  # repeated through aliases; enough for any CV, too few for a bomb
DEEPEST = 200  # levels
SUSPICIOUS = 20
# Every level needs a bracket, or a column of its own before the text of its line begins.
FAR_IN = re.compile(rf"\n[ ?:-]{{{DEEPEST // 2}}}")
OTHER_BREAKS = ("\r", "\x85", "\u2028", "\u2029")
# What YAML, XML or HTML cannot hold as it is, the last two because they read \r as \n: twins of a
# page would differ.
UNPRINTABLE = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CLOSING = {"[": "]", "{": "}"}
UNENDING = "This {} is never closed. Add another where the text ends."
OUT_OF_LINE = (
    "This does not fit the lines above it. Correct the indentation, or a quote that ends too "
    "early or too late."
)
ADVICE = {  # what the parser says, and what to do
    "expected a single document": (
        "A second document starts here ('---'). Put it in a file of its own."
    ),
    "mapping values are not allowed": (
        "A colon stands where none is expected. Put quotes around text that contains ': ', "
        "or correct the indentation of this line."
    ),
    "did not find expected key": OUT_OF_LINE,
    "did not find expected '-' indicator": OUT_OF_LINE,
}
TEXT = "tag:yaml.org,2002:str"
DEFAULT_TAGS = {
    ScalarNode: TEXT,
    SequenceNode: "tag:yaml.org,2002:seq",
    MappingNode: "tag:yaml.org,2002:map",
}


class Composer(yaml.CBaseLoader):
    """PyYAML's C parser without its search for types: every plain value is text."""

    # Called for every node, with two arguments and with none; these do nothing, and do it in C.
    descend_resolver = staticmethod(operator.is_)  # type: ignore[assignment]
    ascend_resolver = staticmethod(object)  # type: ignore[assignment]

    def resolve(self, kind: type[Node], value: object, implicit: object) -> str:
        return DEFAULT_TAGS[kind]


class YamlReader:
    """One reading of one file: the problems met on the way, and how many values came through
    aliases.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.seen: set[int] = set()
        self.aliased = 0
        self.open: list[Node] = []

    def complain(self, spot: Spot, message: str, rule: str = "yaml") -> None:
        self.problems.append(
            Problem(Place(self.file, spot[0] + 1, spot[1] + 1), "error", message, rule)
        )

    def value(self, node: Node) -> Any:
        kind = type(node)
        spot = (node.start_mark.line, node.start_mark.column)
        if node.tag != DEFAULT_TAGS[kind] and node.tag != "!":
            self.complain(
                spot,
                (
                    f"The tag {node.tag!r} is not understood here. Remove it; every value is "
                    "read as text."
                ),
            )
        if kind is ScalarNode:
            return node.value
        if id(node) in self.seen:
            self.aliased += 1 + len(node.value)
            if node in self.open or self.aliased > MOST_ALIASED_VALUES:
                raise TooManyAliases(spot)
        if len(self.open) > DEEPEST:  # by aliases of aliases, for the text itself is not so deep
            raise TooManyAliases(spot)
        self.seen.add(id(node))
        self.open.append(node)
        try:
            return self.mapping(node, spot) if kind is MappingNode else self.sequence(node)
        finally:
            self.open.pop()

    def sequence(self, node: Node) -> Rows:
        rows = Rows()
        for item in node.value:
            mark = item.start_mark
            plain = type(item) is ScalarNode and item.tag == TEXT
            rows.append(item.value if plain else self.value(item))
            rows.spots.append((mark.line, mark.column))
        return rows

    def mapping(self, node: Node, spot: Spot) -> Row:
        row = Row(self.file, spot)
        for key_node, value_node in node.value:
            mark, value_mark = key_node.start_mark, value_node.start_mark
            key_at = (mark.line, mark.column)
            key = key_node.value
            if type(key_node) is not ScalarNode:
                self.complain(
                    key_at,
                    (
                        "A key must be plain text. Put quotes around it, or check the braces "
                        "before the colon."
                    ),
                )
            elif key == "<<":
                self.complain(key_at, "Merge keys (<<) are not supported. Write the fields out.")
            elif key in row:
                first = row.keys_at[key][0] + 1
                self.complain(
                    key_at,
                    f"The key '{key}' is here twice (first on line {first}). Remove or rename one.",
                    "duplicate-key",
                )
            else:
                plain = type(value_node) is ScalarNode and value_node.tag == TEXT
                row[key] = value_node.value if plain else self.value(value_node)
                row.keys_at[key] = key_at
                row.values_at[key] = (value_mark.line, value_mark.column)
        return row

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


class TooManyAliases(Exception):
    def __init__(self, spot: Spot) -> None:
        super().__init__()
        self.spot = spot


def decode(file: str, data: bytes) -> str | Problem:
    """The text of a file, which must be UTF-8; a byte order mark is dropped."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error counts from behind the byte order mark, so its own bytes are asked.
        before = error.object[: error.start].decode()
        place = Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = (
            f"Byte {error.object[error.start]:#04x} is not UTF-8. Save the file with the "
            "encoding UTF-8."
        )
        return Problem(place, "error", message, "encoding")


def too_deep(text: str) -> bool:
    """Whether the composer, which is recursive C code, would run out of stack on this text. The
    parser below it is not recursive.
    """
    lines = "\n".join(text.splitlines()) if any(each in text for each in OTHER_BREAKS) else text
    far_in = FAR_IN.search(lines) or FAR_IN.match(f"\n{lines[:DEEPEST]}")
    if not far_in and (
        text.count("[") + text.count("{") < DEEPEST or deepest_bracket(text) < SUSPICIOUS
    ):
        return False
    depth = 0
    for event in yaml.parse(text, Composer):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        if depth > DEEPEST:
            return True
    return False


def deepest_bracket(text: str) -> int:
    """A quick look, which takes brackets in quotes for real ones."""
    depth = deepest = 0
    for found in re.finditer(r"[\[\]{}]", text):
        depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


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
    text = decode(file, data)
    if isinstance(text, Problem):
        return None, [text]
    reader = YamlReader(file)
    try:
        if too_deep(text):
            reader.complain(
                (0, 0), "This file is nested too deeply. A CV needs no more than a few levels."
            )
            return None, reader.problems
        node = yaml.compose(text, Composer)
        if node is None:
            reader.complain((0, 0), "This file is empty. Add entries, or delete it.", "empty-file")
            return None, reader.problems
        row = reader.value(node)
        if "\\" in text:
            reader.unprintable(row)
    except TooManyAliases as error:
        reader.complain(error.spot, "Aliases (*name) repeat too much here. Write the values out.")
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark if still_open(error) else error.problem_mark or error.context_mark
        spot = (mark.line, mark.column) if mark else (0, 0)
        reader.complain(spot, explain(error, at=character(text, spot)))
    except yaml.reader.ReaderError as error:
        before = text.encode()[: error.position].decode(errors="ignore")
        spot = (before.count("\n"), len(before) - before.rfind("\n") - 1)
        reader.complain(
            spot,
            f"The character U+{int(error.character):04X} is not allowed in YAML. Remove it.",
            "encoding",
        )
    else:
        if isinstance(row, Row):
            return row, reader.problems
        spot = (node.start_mark.line, node.start_mark.column)
        reader.complain(spot, "A mapping is expected here: lines of the form 'key: value'.")
    return None, reader.problems


def character(text: str, spot: Spot) -> str:
    lines = text.split("\n")
    return lines[spot[0]][spot[1] : spot[1] + 1] if spot[0] < len(lines) else ""
