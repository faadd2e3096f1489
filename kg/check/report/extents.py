"""Finds where the value at a place ends, and what a fix changes in the text of a file.

A fix is a value, not YAML: the quotes around the old value stay, and are added where the new one
needs them. Comments, order and everything else on the line do not change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from kg.errors import Fix, Place, Problem

Spot = tuple[int, int]
MAX_BRACKETS = 200  # open at once
LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")
YAML_LINE_ENDS = str.maketrans("\x85\u2028\u2029", "   ")  # line ends only in YAML
WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|<[^>\s]*>|[\w@?$%./:#-]*[\w/#]|\S")
NEEDS_QUOTES = re.compile(r"[\"'\\:#{}\[\],&*!|>%@`\n]")


class Token(NamedTuple):
    """A scalar or a pair of brackets: where it ends, and the text that the scalar stands for. It
    can start after an anchor or a tag.
    """

    end: Spot
    value: str | None = None
    start: Spot | None = None


class Edit(NamedTuple):
    """A replacement of the text between two places of a file."""

    start: Place
    end: Place
    text: str


class Source:
    """The text of a file, in which values are found by their places."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file = file
        self.text = data.decode("utf-8-sig", errors="replace")
        self.lines = LINE.findall(self.text)
        self.is_yaml = file.endswith((".yaml", ".yml"))

    @cached_property
    def starts(self) -> list[int]:
        return [*accumulate(map(len, self.lines), initial=0)]

    @cached_property
    def tokens(self) -> dict[Spot, Token]:
        return tokens(self.text.translate(YAML_LINE_ENDS)) if self.is_yaml else {}

    def line(self, number: int) -> str:
        """A line without its end; they count from 1. Empty after the last one."""
        return self.lines[number - 1].rstrip("\r\n") if number <= len(self.lines) else ""

    def offset(self, place: Place) -> int:
        return self.starts[min(place.line, len(self.starts)) - 1] + place.column - 1

    def end(self, place: Place) -> Place | None:
        """The position after the value at a place; None if there is no value."""
        token = self.tokens.get((place.line - 1, place.column - 1))
        word = None if token else WORD.match(self.line(place.line), place.column - 1)
        if token:
            return Place(self.file, token.end[0] + 1, token.end[1] + 1)
        return Place(self.file, place.line, word.end() + 1) if word else None

    def edit(self, place: Place, fix: Fix, text: str) -> Edit | None:
        """What a text of a fix changes; None if the file is not as the fix expects it."""
        if fix.is_moved:
            return None
        if fix.line:
            start, end = Place(self.file, fix.line), len(fix.old) + 1
            is_same = self.line(fix.line) == fix.old
            return Edit(start, Place(self.file, fix.line, end), text) if is_same else None
        token = self.tokens.get((place.line - 1, place.column - 1))
        if token and token.start:
            place = Place(self.file, token.start[0] + 1, token.start[1] + 1)
        at = self.offset(place)
        if token and token.value == fix.old and token.end[0] + 1 == place.line:
            end = token.end[1] + 1
            return Edit(place, Place(self.file, place.line, end), quoted(text, self.text[at]))
        if not self.is_yaml and self.text[at : at + 1] in ("{", '"'):  # the value of a bibliography
            at, place = at + 1, Place(place.file, place.line, place.column + 1)
        is_there = bool(fix.old) and self.text.startswith(fix.old, at)
        if not is_there or (self.is_yaml and NEEDS_QUOTES.search(text)):
            return None
        return Edit(place, Place(self.file, place.line, place.column + len(fix.old)), text)


def tokens(text: str) -> dict[Spot, Token]:
    """The tokens of a YAML file by their start, as far as it can be read."""
    import yaml  # noqa: PLC0415  only if there are problems

    openings = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
    closings = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
    found: dict[Spot, Token] = {}
    opened, marks = list[Spot](), list[Spot]()  # open brackets; anchors and tags before a value
    try:
        for token in yaml.scan(text, yaml.CBaseLoader):
            start, end = (
                (mark.line, mark.column) if mark else (0, 0)
                for mark in (token.start_mark, token.end_mark)
            )
            if len(opened) > MAX_BRACKETS:  # the scanner looks at all open brackets for each token
                break
            if isinstance(token, openings):
                opened.append(start)
            elif isinstance(token, closings) and opened:
                found[opened.pop()] = Token(end)
            elif isinstance(token, yaml.ScalarToken):
                found |= dict.fromkeys(marks, Token(end, token.value, start))
                found[start] = Token(end, token.value)
            elif isinstance(token, yaml.AliasToken):
                found[start] = Token(end)
            if isinstance(token, yaml.AnchorToken | yaml.TagToken):
                marks.append(start)
            else:
                marks.clear()
    except yaml.YAMLError:
        pass
    return found


def quoted(text: str, before: str) -> str:
    """A value as YAML, with the quotes of the one before it, or with quotes if it needs them."""
    if before == "'":
        return f"'{text.replace(before, before * 2)}'"
    is_plain = before != '"' and reads(f"[{text}]") == [text] and reads(f"- {text}") == [text]
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def reads(text: str) -> object:
    import yaml  # noqa: PLC0415  only if there are problems

    try:
        return yaml.load(text, yaml.CBaseLoader)  # noqa: S506  makes only text
    except yaml.YAMLError:
        return None


def sources(folder: Path) -> Callable[[str], Source | None]:
    """Reads files of a site, each once."""

    @cache
    def source(file: str) -> Source | None:
        path = folder / file
        return Source(file, path.read_bytes()) if path.is_file() else None

    return source


def certain_edits(folder: Path, problems: Iterable[Problem]) -> dict[Problem, Edit]:
    """What the certain fixes of problems change."""
    source = sources(folder)
    edits = {
        each: there.edit(each.place, each.fix, each.fix.texts[0])
        for each in problems
        if each.fix and each.fix.is_certain and (there := source(each.place.file))
    }
    return {problem: edit for problem, edit in edits.items() if edit}


def ends(folder: Path, places: Iterable[Place]) -> dict[Place, Place]:
    """The position after the value at each place; nothing for places without a value."""
    source = sources(folder)
    found = {place: each.end(place) for place in places if (each := source(place.file))}
    return {place: end for place, end in found.items() if end and end > place}
