"""Where a cursor is in a YAML file that is being written and may not parse: the fields around it,
and whether a key or a value is written there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

LINE = re.compile(
    r"(?P<indent> *)(?P<dashes>(?:- +|-$)*)(?:(?P<key>[\w.-]+|\"[^\"]*\"|'[^']*')\s*:(?= |$))?"
)
BLANK = re.compile(r"\s*(?:#|$)")
BLOCK_TEXT = re.compile(r":\s+[|>][+-]?\d?\s*(?:#.*)?$")
PAIR = re.compile(r"\s*(?P<key>[\w.-]+|\"[^\"]*\"|'[^']*')\s*:\s+(?P<value>.*)$", re.DOTALL)
OPENING, CLOSING = "[{", "]}"


class Cursor(NamedTuple):
    """`steps` are the fields around the cursor, `word` is what is written up to it."""

    steps: tuple[str, ...]
    is_value: bool
    word: str
    beside: frozenset[str] = frozenset()  # other fields of the same entry


class Bracket(NamedTuple):
    """An open bracket: what stands before it, and after it up to the cursor."""

    sign: str
    before: str
    inside: str


def cursor_at(lines: Sequence[str], number: int, column: int) -> Cursor:
    """The cursor in a line; both count from 0."""
    line = lines[number] if number < len(lines) else ""
    first, brackets = open_brackets(lines, number, column)
    outer = brackets[0].before if brackets else line[:column]
    steps, value = block_steps(lines, first, outer)
    for bracket in brackets[1:]:
        pair = PAIR.match(bracket.before)
        steps += (unquoted(pair["key"]),) if pair else ()
    if not brackets:
        is_value, word = value is not None, value if value is not None else key_in(outer)
        beside = frozenset() if is_value else keys_beside(lines, number)
        return Cursor(steps, is_value, word.lstrip("\"'"), beside)
    inside = brackets[-1].inside.rpartition("\0")[2]
    pair = PAIR.match(inside)
    keys = frozenset(re.findall(r"(?:^|\0)\s*([\w.-]+)\s*:", brackets[-1].inside))
    if pair:
        return Cursor((*steps, unquoted(pair["key"])), True, pair["value"].lstrip("\"'"), keys)
    return Cursor(steps, brackets[-1].sign == "[", inside.strip().lstrip("\"'"), keys)


def open_brackets(lines: Sequence[str], number: int, column: int) -> tuple[int, list[Bracket]]:
    """The brackets around a position, and the line of the first. Items before the cursor are
    separated by NUL.
    """
    signs, texts, first, depth = "", [""], number, 0
    text_below = -1  # the indentation of a block of text
    for at in range(number + 1):
        line = lines[at] if at < len(lines) else ""
        indent = len(line) - len(line.lstrip())
        if text_below >= 0 and (indent > text_below or BLANK.match(line)):
            continue
        text_below = indent if BLOCK_TEXT.search(line) else -1
        if signs and indent <= depth and parts(line)["key"]:
            signs = ""  # the bracket was never closed
        if not signs:
            texts, first, depth = [""], at, indent
        signs, texts = scanned(line[:column] if at == number else line, signs, texts)
    return first, [Bracket(sign, texts[each], texts[each + 1]) for each, sign in enumerate(signs)]


def scanned(line: str, signs: str, texts: list[str]) -> tuple[str, list[str]]:
    """The open brackets after a line, and the text before, between and after them."""
    quote = ""
    for at, sign in enumerate(line):
        before = line[:at].rstrip()[-1:]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and (not before or before in ":,[{-"):
            quote = sign
        elif sign == "#" and (at == 0 or line[at - 1].isspace()):
            break
        elif sign in OPENING and (signs or not before or before in ":-"):
            signs, texts = signs + sign, [*texts, ""]
            continue
        elif sign in CLOSING and signs:
            signs, texts = signs[:-1], texts[:-1]
            continue
        texts[-1] += "\0" if sign == "," and signs and not quote else sign
    return signs, texts


def block_steps(
    lines: Sequence[str], number: int, before: str
) -> tuple[tuple[str, ...], str | None]:
    """The fields around a position, by indentation, and the value up to it (None for a key)."""
    found = parts(before)
    steps: tuple[str, ...] = ()
    value = before[found.end() :].lstrip() if found["key"] else None
    if found["key"]:
        steps = (unquoted(found["key"]),)
    indent = depth_of(found)
    for above in range(min(number, len(lines)) - 1, -1, -1):
        each = parts(lines[above])
        if indent <= 0 or BLANK.match(lines[above]):
            continue
        column = len(each["indent"]) + len(each["dashes"])
        if each["key"] and column < indent:
            steps, indent = (unquoted(each["key"]), *steps), depth_of(each)
        elif each["dashes"] and len(each["indent"]) < indent:
            indent = len(each["indent"]) + 1
    return steps, value


def parts(line: str) -> re.Match[str]:
    """The indentation, the dashes and the key of a line; each can be empty."""
    return cast("re.Match[str]", LINE.match(line))


def depth_of(line: re.Match[str]) -> int:
    """The column that the field around a line is left of. An item may be below its field."""
    return len(line["indent"]) + (1 if line["dashes"] else 0)


def key_in(before: str) -> str:
    return before[parts(before).end() :]


def keys_beside(lines: Sequence[str], number: int) -> frozenset[str]:
    """The other fields of the entry that a line is in, in block notation."""
    here = parts(lines[number] if number < len(lines) else "")
    column = len(here["indent"]) + len(here["dashes"])
    above = [] if here["dashes"] else fields_until(reversed(lines[:number]), column, True)
    return frozenset([*above, *fields_until(lines[number + 1 :], column, False)])


def fields_until(lines: Iterable[str], column: int, upward: bool) -> Iterator[str]:
    """The fields at a column, up to the first or the last line of their entry."""
    for line in lines:
        each = parts(line)
        if BLANK.match(line):
            continue
        own, is_item = len(each["indent"]) + len(each["dashes"]), bool(each["dashes"])
        if own < column or (own == column and is_item and not upward):
            return
        if own == column and each["key"]:
            yield unquoted(each["key"])
        if own == column and is_item:
            return


def unquoted(key: str) -> str:
    return key.strip("\"'")
