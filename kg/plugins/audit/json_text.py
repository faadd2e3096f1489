"""JSON with the place of every key and value, and sentences for what is no JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

SPACE = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"', re.DOTALL)
SCALAR = re.compile(r"(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])")
DEEPEST = 100
# What people write that is no JSON -> how it is said in JSON.
SLIPS = (
    (r"\{\{|\{%|<%", "a template was not filled in here. Look at how the page is made."),
    (r"<!--|//|/\*|#", "JSON has no comments. Remove it."),
    (r"<", "there is HTML here. A script of data holds JSON and nothing else."),
    (r"[}\]]", "a comma stands before this bracket, or a value is missing. Remove or fill it."),
    (r",", "a value is missing before this comma. Write one, or remove the comma."),
    (r"['‘’“”]", 'texts stand in straight double quotes ("…").'),
    (r"[A-Za-z_]", 'texts and names stand in double quotes ("…").'),
)


class NotJson(Exception):
    """`place` is where it is."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True, slots=True)
class Json:
    """A value: a text, number, truth value or None, a list of values, or as an object a tuple of
    keys, each with its place and a value.
    """

    value: Any
    place: int

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, tuple)


def parse(text: str, start: int = 0) -> Json:
    """The value that stands in a text from a place on."""
    value, end = read(text, skip(text, start), 0)
    if (end := skip(text, end)) < len(text):
        raise NotJson(slip(text, end, "something follows behind the end of the data."), end)
    return value


def skip(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place


def read(text: str, place: int, depth: int) -> tuple[Json, int]:
    """The value that begins at a place, and where it ends."""
    if depth > DEEPEST:
        raise NotJson(f"this is nested more than {DEEPEST} deep.", place)
    match text[place : place + 1]:
        case "":
            raise NotJson("the text ends too early. A bracket or quote is never closed.", place)
        case '"':
            return string(text, place)
        case "{" if text[place : place + 2] not in ("{{", "{%"):
            return pairs(text, place, depth)
        case "[":
            return items(text, place, depth)
    if found := SCALAR.match(text, place):
        return Json(json.loads(found[0]), place), found.end()
    raise NotJson(slip(text, place, "this is no value."), place)


def string(text: str, place: int) -> tuple[Json, int]:
    found = STRING.match(text, place)
    if not found:
        end = re.compile(r'[\x00-\x1f]|\\?"').search(text, place + 1)
        at = end.start() if end else len(text)
        if end and end[0] in "\r\n\t":
            name, sign = ("a tab", "\\t") if end[0] == "\t" else ("the end of a line", "\\n")
            raise NotJson(f"{name} stands in a text. Write {sign}.", at)
        raise NotJson("this text has no closing quote.", place)
    try:
        return Json(json.loads(found[0]), place), found.end()
    except json.JSONDecodeError as error:
        message = "a backslash begins nothing that JSON knows here. Write two of them."
        raise NotJson(message, place + error.pos) from error


def pairs(text: str, place: int, depth: int) -> tuple[Json, int]:
    found: list[tuple[str, int, Json]] = []
    at = skip(text, place + 1)
    while text[at : at + 1] != "}" or found:
        if text[at : at + 1] != '"':
            raise NotJson(slip(text, at, "the name of a property is missing here."), at)
        key, end = string(text, at)
        colon = skip(text, end)
        if text[colon : colon + 1] != ":":
            raise NotJson("a colon is missing behind this name.", at)
        value, end = read(text, skip(text, colon + 1), depth + 1)
        found.append((key.value, at, value))
        at = skip(text, end)
        if text[at : at + 1] != ",":
            break
        at = skip(text, at + 1)
    return Json(tuple(found), place), closed(text, at, "}")


def items(text: str, place: int, depth: int) -> tuple[Json, int]:
    found: list[Json] = []
    at = skip(text, place + 1)
    while text[at : at + 1] != "]" or found:
        value, end = read(text, at, depth + 1)
        found.append(value)
        at = skip(text, end)
        if text[at : at + 1] != ",":
            break
        at = skip(text, at + 1)
    return Json(found, place), closed(text, at, "]")


def closed(text: str, place: int, bracket: str) -> int:
    if text[place : place + 1] == bracket:
        return place + 1
    if place >= len(text):
        raise NotJson(f"the text ends before '{bracket}'.", place)
    if text[place] in '"{[' or SCALAR.match(text, place):
        raise NotJson("a comma is missing before this.", place)
    raise NotJson(slip(text, place, f"a comma or '{bracket}' is missing before this."), place)


def slip(text: str, place: int, otherwise: str) -> str:
    if place >= len(text):
        return "the text ends too early. A bracket or quote is never closed."
    return next(
        (said for sign, said in SLIPS if re.match(sign, text[place : place + 4])), otherwise
    )
