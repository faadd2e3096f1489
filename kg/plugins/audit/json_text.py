"""A JSON parser that keeps the place of every key and value, and explains syntax errors."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

SPACE = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"', re.DOTALL)
SCALAR = re.compile(r"(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])")
MAX_DEPTH = 100
# Common mistakes: pattern at the place of the error -> message.
MISTAKES = (
    (r"\{\{|\{%|<%", "a template was not filled in here. Fix the template."),
    (r"<!--|//|/\*|#", "JSON has no comments. Remove this one."),
    (r"<", "unexpected HTML. A JSON-LD script must contain only JSON."),
    (
        r"[}\]]",
        "extra comma before this bracket, or a missing value. Remove the comma or add the value.",
    ),
    (r",", "a value is missing before this comma. Add one, or remove the comma."),
    (r"['‘’“”]", 'wrong quotes. Write strings in straight double quotes ("…").'),
    (r"[A-Za-z_]", 'missing quotes. Write strings and keys in double quotes ("…").'),
)


class NotJson(Exception):
    """Invalid JSON, and the offset of the mistake."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True, slots=True)
class Json:
    """A value with its offset: a string, number, boolean or None; a list of values; or, for an
    object, a tuple of (key, offset, value).
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
    """The value that starts at an offset of a text."""
    value, end = read(text, skip(text, start), 0)
    if (end := skip(text, end)) < len(text):
        raise NotJson(explain(text, end, "unexpected text after the end of the data."), end)
    return value


def skip(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place


def read(text: str, place: int, depth: int) -> tuple[Json, int]:
    """The value that starts at an offset, and its end."""
    if depth > MAX_DEPTH:
        raise NotJson(f"nested more than {MAX_DEPTH} levels deep.", place)
    match text[place : place + 1]:
        case "":
            raise NotJson("unexpected end. A bracket or quote is never closed.", place)
        case '"':
            return string(text, place)
        case "{" if text[place : place + 2] not in ("{{", "{%"):
            return pairs(text, place, depth)
        case "[":
            return items(text, place, depth)
    if found := SCALAR.match(text, place):
        return Json(json.loads(found[0]), place), found.end()
    raise NotJson(explain(text, place, "this is not a value."), place)


def string(text: str, place: int) -> tuple[Json, int]:
    found = STRING.match(text, place)
    if not found:
        end = re.compile(r'[\x00-\x1f]|\\?"').search(text, place + 1)
        at = end.start() if end else len(text)
        if end and end[0] in "\r\n\t":
            name, sign = ("tab", "\\t") if end[0] == "\t" else ("line break", "\\n")
            raise NotJson(f"{name} in a string. Write {sign}.", at)
        raise NotJson("this string has no closing quote.", place)
    try:
        return Json(json.loads(found[0]), place), found.end()
    except json.JSONDecodeError as error:
        message = "unknown escape after a backslash. Write two backslashes."
        raise NotJson(message, place + error.pos) from error


def pairs(text: str, place: int, depth: int) -> tuple[Json, int]:
    found: list[tuple[str, int, Json]] = []
    at = skip(text, place + 1)
    while text[at : at + 1] != "}" or found:
        if text[at : at + 1] != '"':
            raise NotJson(explain(text, at, "a key is missing here."), at)
        key, end = string(text, at)
        colon = skip(text, end)
        if text[colon : colon + 1] != ":":
            raise NotJson("a colon is missing after this key.", at)
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
    raise NotJson(explain(text, place, f"a comma or '{bracket}' is missing before this."), place)


def explain(text: str, place: int, otherwise: str) -> str:
    if place >= len(text):
        return "unexpected end. A bracket or quote is never closed."
    return next(
        (said for sign, said in MISTAKES if re.match(sign, text[place : place + 4])), otherwise
    )
