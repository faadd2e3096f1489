"""Common YAML mistakes that a line shows: the position, what to do, and the corrected line.

Some of them a parser accepts silently, as text instead of a list or fields: `-item`, `name:Ada`
alone below its key, a list that is indented too far, an unfinished merge. A pattern finds
suspicious lines, which are rare; only then is the file scanned for the texts that start there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from kg.errors import Fix, fix_line
from kg.facts.yaml.rows import Spot

LINE_END = re.compile(r"\r\n?|\n")
MERGE_MARK = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: .*)?")
CLOSING = {"[": "]", "{": "}"}
OPENING = {"]": "[", "}": "{"}
# Invisible characters: with and without width.
SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
NO_SPACES = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
INVISIBLE = re.compile(f"[{SPACES}{NO_SPACES}]")
QUOTES = "“”„‟«»‘’‚‛"
QUOTED = re.compile(r'[“„‟«»”‘‚‛]([^"“„‟«»”‘‚‛]*)[”“»«’‘]')
LOOKALIKES = {"：": ":", "，": ",", "［": "[", "］": "]", "｛": "{", "｝": "}"}

BEGINNING = r"(?:^\s*(?:- +)*|[{,]\s*)"  # where a key can be
NO_SPACE = re.compile(BEGINNING + r"\w[\w-]*(?P<at>:)(?=[^\s/:])")
EQUALS = re.compile(BEGINNING + r"\w[\w-]*\s*(?P<at>=)\s*")
NO_SPACE_AFTER_DASH = re.compile(r"^\s*(?P<at>-)(?=[^\s-])")
BULLET = re.compile(r"^\s*(?P<at>[–—•·‣▪◦*])\s+(?=\S)")
# A comment inside brackets, which hides their end.
COMMENTED = re.compile(
    r"(?<=[\[{:,] )(?P<text>[^\s,:{}\[\]\"'#][^,:{}\[\]\"'#]*) #[^,{}\[\]\"']*(?=[,}\]])"
)
QUOTED_OTHERWISE = re.compile(rf"(?:^\s*|[-:\[{{,] +)(?P<at>[{QUOTES}])")
VALUE = re.compile(r"^\s*(?:- +)*(?:[\w.-]+: +)?(?P<at>\S.*?)\s*$")
NO_COLON = re.compile(r"^\s*(?P<at>\w[\w-]*)(?P<rest>(?: [^:]*)?)$")
INVALID_LINE_START = re.compile(r"^\s*(?P<at>//|```|~~~|={3,}|\*{3,}|-{4,}|</?\w)")
ENTRY = re.compile(r"\s*(?:- +)*[\w-]+:(?: |$)|\s*- ")  # a line that looks like an entry
ITEM = re.compile(r"\s*- ")
# A key with text after it, without quotes or brackets.
TEXT_AFTER_KEY = re.compile(r"\s*(?:- +)*(?P<key>[\w-]+): +[^\s\"'|>\[{&*!#]")
BLANK_OR_COMMENT = re.compile(r"^\s*(?:#.*)?$")  # an empty line or a comment
COLON = (
    "Unexpected colon. Put quotes around text that contains ': ', or correct the indentation of "
    "this line."
)
NO_QUOTE = "'{}' is not a quote in YAML. Write \" or ' on both sides of the text."
NO_BULLET = "'{}' does not start a list item. Write '- '."
NO_TEXT = "Text cannot start with '{}'. Put quotes around it."
MAX_LINES = 12  # lines corrected on trial, so that large files are explained quickly


class Mistake(NamedTuple):
    """A possible mistake: its position, what to do, and the corrected line."""

    spot: Spot
    message: str
    line: int
    corrected: str
    change: int = 0  # size of the correction, if other lines could be corrected instead
    is_certain: bool = False  # whether the line can only be meant like this


def merge_mark(lines: list[str]) -> tuple[Spot, str] | None:
    """The first conflict marker of an unfinished merge."""
    for number, line in enumerate(lines):
        if MERGE_MARK.fullmatch(line):
            message = (
                f"This is an unresolved merge conflict ('{line[:7]}'). Keep the right lines, and "
                "remove the conflict markers."
            )
            return (number, 0), message
    return None


def mistakes_of(lines: list[str], error: yaml.MarkedYAMLError, noticed: Spot) -> Iterator[Mistake]:
    """All possible mistakes, the most likely first."""
    suspects = [
        number
        for number in near(lines, error, noticed)
        if not BLANK_OR_COMMENT.match(lines[number])
    ]
    for number in suspects:
        yield from mistakes_in(lines[number], number)
    if error.context_mark and "flow" in (error.context or ""):
        yield from flow_mistakes(lines, error.context_mark, noticed)
    for number in suspects:
        yield from stray_brackets(lines[number], number)
        yield from unquoted(lines[number], number)
    for number in suspects:
        yield from without_colon(lines, number)
    for number in reversed(suspects):
        yield from indented_otherwise(lines, number)


def near(lines: list[str], error: yaml.MarkedYAMLError, noticed: Spot) -> list[int]:
    """The line where the parser stopped, the one above, and the lines of the construct it was
    reading.
    """
    last = min(noticed[0], len(lines) - 1)
    above = (
        number for number in range(last - 1, -1, -1) if not BLANK_OR_COMMENT.match(lines[number])
    )
    first = next(above, last)
    begun = error.context_mark
    if begun and re.search("simple key|flow|block scalar", error.context or ""):
        first = min(first, begun.line)
    return [*range(max(first, last - MAX_LINES), last + 1)]


def mistakes_in(line: str, number: int) -> Iterator[Mistake]:
    """Mistakes of single characters."""
    if found := INVISIBLE.search(line):
        spot = number, found.start()
        yield Mistake(spot, invisible(found[0]), number, visible(line), is_certain=True)
    if found := INVALID_LINE_START.match(line):
        message = (
            f"A line cannot start with '{found['at']}' here. Start a comment with '# ', or remove "
            "the line."
        )
        yield Mistake((number, found.start("at")), message, number, "")
    if found := NO_SPACE_AFTER_DASH.match(line):
        message = f"A space is missing after the dash. Write '- {short(line[found.end() :])}'."
        spot = number, found.start("at")
        yield Mistake(spot, message, number, spaced(line, found), is_certain=True)
    if found := BULLET.match(line):
        message = NO_BULLET.format(found["at"])
        corrected = f"{line[: found.start('at')]}- {line[found.end() :]}"
        spot = number, found.start("at")
        yield Mistake(spot, message, number, corrected, is_certain=True)
    for sign, plain in LOOKALIKES.items():
        if sign in line:
            message = f"'{sign}' only looks like '{plain}'. Write '{plain}' and a space."
            corrected = line.replace(sign, f"{plain} ")
            yield Mistake((number, line.index(sign)), message, number, corrected)
    if found := NO_SPACE.search(line):
        key = re.split(r"[\s{,]", line[: found.start("at")])[-1]
        rest = re.split(r"[,}]", line[found.end() :])[0]
        message = f"A space is missing after the colon. Write '{key}: {short(rest)}'."
        corrected = NO_SPACE.sub(lambda each: f"{each[0]} ", line)
        spot = number, found.start("at")
        yield Mistake(spot, message, number, corrected, is_certain=True)
    if found := EQUALS.search(line):
        key = re.split(r"[\s{,]", line[: found.start("at")].rstrip())[-1]
        rest = re.split(r"[,}]", line[found.end() :])[0]
        message = f"Use a colon instead of '='. Write '{key}: {short(rest)}'."
        corrected = EQUALS.sub(lambda each: f"{each[0].partition('=')[0].rstrip()}: ", line)
        spot = number, found.start("at")
        yield Mistake(spot, message, number, corrected, is_certain=True)
    if found := COMMENTED.search(line):
        corrected = f"{line[: found.start()]}'{found[0].strip()}'{line[found.end() :]}"
        message = "A '#' after a space starts a comment. Put quotes around the text."
        yield Mistake((number, found.end("text") + 1), message, number, corrected)
    if found := QUOTED_OTHERWISE.search(line):
        spot, message = (number, found.start("at")), NO_QUOTE.format(found["at"])
        in_pairs = QUOTED.sub(r'"\1"', line)
        yield Mistake(spot, message, number, in_pairs, is_certain=True)
        yield Mistake(spot, message, number, re.sub(f"[{QUOTES}]", '"', line))


def spaced(line: str, found: re.Match[str]) -> str:
    return f"{line[: found.end()]} {line[found.end() :]}"


def flow_mistakes(lines: list[str], begun: yaml.Mark, noticed: Spot) -> Iterator[Mistake]:
    """Unclosed or mismatched brackets, and commas."""
    start = begun.line, begun.column
    number, column = min(noticed[0], len(lines) - 1), noticed[1]
    line, sign = lines[number], character(lines, start)
    before, after = line[:column], line[column:]
    if after[:1] == ",":
        message = "Unexpected comma: there is no value before it. Remove it."
        yield Mistake(noticed, message, number, f"{before}{after[1:]}")
    if sign not in CLOSING:
        return
    closing = CLOSING[sign]
    if after[:1] in OPENING:
        message = f"'{after[0]}' does not close '{sign}'. Write '{closing}'."
        yield Mistake(noticed, message, number, f"{before}{closing}{after[1:]}")
    if after[:1] == ":":
        word = re.search(r"\s+(?P<key>[\w-]+)$", before)
        hint = f", or a comma before '{word['key']}'" if word else ""
        message = f"Unexpected colon. Put quotes around the text{hint}."
        if word:
            corrected = f"{before[: word.start()]}, {word['key']}{after}"
            yield Mistake(noticed, message, number, corrected)
        yield Mistake(noticed, message, number, f"{before}{after[1:]}")
    elif (quote := before[-1:]) in ("'", '"') and after[:1].isalnum():
        opened = before.rfind(quote, 0, -1)
        message = (
            f"This text ends at its second {quote}, but more follows. Put other quotes around all "
            "of it, or double the quotes inside ('')."
        )
        yield Mistake((number, opened), message, number, f"{before[:-1]}{after}")
    elif before.strip() and after.strip():
        yield Mistake(
            noticed, "A comma is missing before this. Add it.", number, f"{before}, {after}"
        )
    near_here = range(max(begun.line, number - MAX_LINES), number)
    for end in sorted({begun.line, *near_here} - {number}, reverse=True):
        message = (
            f"This {sign} is still open on line {noticed[0] + 1}. "
            f"Close it with {closing}, or add a comma before that line."
        )
        yield Mistake(start, message, end, lines[end] + closing)


def stray_brackets(line: str, number: int) -> Iterator[Mistake]:
    """Brackets without a counterpart."""
    for closing, opening in OPENING.items():
        at = line.rfind(closing)
        missing = line.count(opening) - line.count(closing)
        if missing > 0:
            message = f"This {opening} is never closed. Add {closing} where it should end."
            yield Mistake((number, line.rfind(opening)), message, number, line + closing)
        if missing >= 0:
            continue
        message = f"This {closing} has no matching {opening}. Remove it, or add {opening}."
        yield Mistake((number, at), message, number, line[:at] + line[at + 1 :])
        if found := re.match(r"\s*(?:- +)*", line):
            corrected = f"{found[0]}{opening}{line[found.end() :]}"
            yield Mistake((number, at), message, number, corrected)


def unquoted(line: str, number: int) -> Iterator[Mistake]:
    """A text that needs quotes, or other quotes."""
    found = VALUE.match(line)
    if not found:
        return
    value, start = found["at"], found.start("at")
    corrected = f"{line[:start]}'{value.replace(chr(39), chr(39) * 2)}'"
    first, colon = value[0], re.search(r":(?: |$)", value)
    if first in CLOSING and CLOSING[first] in value[:-1]:
        yield Mistake((number, start), NO_TEXT.format(first), number, corrected)
    elif first in "\"'":
        other = '"' if first == "'" else "'"
        message = (
            f"This text ends at its second {first}, but more follows. Put {other} around all of "
            "it, or double the quotes inside ('')."
        )
        yield Mistake((number, start), message, number, corrected)
    elif colon and first not in CLOSING:
        spot = number, start + colon.start()
        yield Mistake(spot, COLON, number, corrected)


def indented_otherwise(lines: list[str], number: int) -> Iterator[Mistake]:
    """A line that is indented slightly more or less than the lines around it."""
    line, has = lines[number], indent(lines[number])
    around = [
        next((each for each in side if not BLANK_OR_COMMENT.match(each)), "")
        for side in (reversed(lines[:number]), lines[number + 1 :])
    ]
    item = re.match(r"\s*- +(?=\w)", around[0])  # other fields align with the first one
    is_item = line.lstrip().startswith("- ")
    items = (each for each in reversed(lines[:number]) if each.lstrip().startswith("- "))
    outer = next((indent(each) for each in items if indent(each) < has), has) if is_item else has
    for spaces in dict.fromkeys([*map(indent, around), *([len(item[0])] if item else []), outer]):
        if spaces != has and (ENTRY.match(line) or not re.search(r":(?: |$)", line)):
            remedy = f"Indent it by {amount(spaces)}" if spaces else "Do not indent it"
            message = (
                f"This line is {f'indented by {amount(has)}' if has else 'not indented'}, unlike "
                f"the lines around it. {remedy}."
            )
            corrected = " " * spaces + line.lstrip()
            yield Mistake((number, has), message, number, corrected, 1 + abs(spaces - has))


def misplaced(lines: list[str], number: int, is_colon: bool) -> Iterator[tuple[Spot, str]]:
    """An entry without its dash, an item one level too deep, a text whose next line has a colon.
    The line may be correct YAML, so no indentation of it alone is right. `is_colon` says that the
    parser has stopped at a colon.
    """
    line = line_at(lines, number)
    has, above = indent(line), line_at(lines, number - 1) if number else ""
    key = TEXT_AFTER_KEY.match(above)
    if is_colon and key and has > key.start("key") and not ENTRY.match(line):
        message = "The text above continues here and contains ': '. Put quotes around all of it."
        yield (number, has), message
    outer = next(
        (each for each in reversed(lines[:number]) if ITEM.match(each) and indent(each) <= has), ""
    )
    if not outer or is_colon or not ENTRY.match(line):
        return
    is_item, dash = line.lstrip().startswith("- "), indent(outer)
    if not is_item and has == dash:
        yield (
            (number, has),
            "'- ' is missing before this entry. Add it, and indent its other lines.",
        )
    elif is_item and has == dash + 2 and ":" in line:
        remedy = f"indent it by {amount(dash)}" if dash else "do not indent it"
        message = f"This item is one level too deep. If it is the next entry, {remedy}."
        yield (number, has), message


def without_colon(lines: list[str], number: int) -> Iterator[Mistake]:
    """A line that has no key and does not continue a text."""
    line = lines[number]
    found = NO_COLON.match(line)
    above = lines[number - 1] if number else ""
    if line.lstrip().startswith("{") and above.startswith(f"{' ' * indent(line)}- "):
        corrected = f"{' ' * indent(line)}- {line.lstrip()}"
        message = "'- ' is missing before this entry. Add it."
        yield Mistake((number, indent(line)), message, number, corrected)
    if not found:
        return
    spot, key = (number, found.start("at")), found["at"]
    item = f"{line[: found.start('at')]}- {line.lstrip()}"
    if not found["rest"].strip():
        message = f"'{key}' has neither a colon after it nor '- ' before it. Add one of them."
        yield Mistake(spot, message, number, f"{line.rstrip()}:")
        yield Mistake(spot, message, number, item)
        return
    message = (
        "This line has no colon. If it continues the text above, indent it further; otherwise "
        "write 'key: value'."
    )
    yield Mistake(spot, message, number, f"    {line}")
    yield Mistake(spot, message, number, line.replace(key, f"{key}:", 1))
    yield Mistake(spot, message, number, item)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def amount(spaces: int) -> str:
    return "1 space" if spaces == 1 else f"{spaces} spaces"


def short(text: str) -> str:
    """The start of a text, as long as a message needs."""
    plain = text.strip()
    return plain if len(plain) <= 24 else f"{plain[:23].rstrip()}…"


def invisible(sign: str) -> str:
    """The message for an invisible character."""
    what = f"There is an invisible character, {unicode_name(sign)}."
    return f"{what} {'Write a plain space' if re.match(f'[{SPACES}]', sign) else 'Remove it'}."


def unicode_name(sign: str) -> str:
    """`U+200B (zero width space)`."""
    name = unicodedata.name(sign, "").lower()
    return f"U+{ord(sign):04X} ({name})" if name else f"U+{ord(sign):04X}"


def visible(text: str) -> str:
    """The text without invisible characters, and with plain spaces."""
    return re.sub(f"[{NO_SPACES}]", "", re.sub(f"[{SPACES}]", " ", text))


def character(lines: list[str], spot: Spot) -> str:
    return line_at(lines, spot[0])[spot[1] : spot[1] + 1]


def line_at(lines: list[str], number: int) -> str:
    """The line; empty after the last one."""
    return lines[number] if number < len(lines) else ""


BREAKS = re.compile("[\x85\u2028\u2029]")  # line ends in YAML, but nowhere else
# How a text that looks like `key:value` can start.
SCHEMES = "mailto|tel|sms|doi|hdl|arxiv|isbn|issn|urn|info|ark|did|orcid|ror|data|geo|xmpp|sip"
SUSPECT = re.compile(  # most lines are `key: …` or `- …`, which is checked first
    r"\n(?! *(?:[A-Za-z]\w*:[\s/]|- ))"
    rf"[ \u00a0]*(?:(?!(?:{SCHEMES}):)[A-Za-z]\w*:[^\s/:]|-[^\s\-\d.]|-\u00a0"
    r"|[–—•‣▪◦][ \u00a0]|\? |<{7}|>{7})"
)


def line_break(text: str) -> tuple[Spot, str] | None:
    """The first line end that only YAML recognises; it would shift the numbers of all lines
    below.
    """
    found = None if text.isascii() else BREAKS.search(text)
    if not found:
        return None
    lines = LINE_END.split(text[: found.start()])
    name = unicode_name(found[0])
    message = f"An invisible character, {name}, ends the line here. Write a space or a new line."
    return (len(lines) - 1, len(lines[-1])), message


def unbroken(text: str) -> str:
    return BREAKS.sub(" ", text)


def find(text: str) -> tuple[Spot, str, Fix | None] | None:
    """The first mistake that a parser would accept silently, what to do, and the corrected line."""
    if not SUSPECT.search(f"\n{LINE_END.sub(chr(10), text) if chr(13) in text else text}"):
        return None
    lines = LINE_END.split(text)
    if ("<<<<<<<" in text or ">>>>>>>" in text) and (marked := merge_mark(lines)):
        return *marked, None
    before: yaml.Token | None = None
    question: Spot | None = None  # a key that starts with `?`, until its value follows
    for token in yaml.scan(text, yaml.CBaseLoader):
        spot = token.start_mark.line, token.start_mark.column
        line = lines[spot[0]] if spot[0] < len(lines) else ""
        if question and isinstance(token, yaml.KeyToken | yaml.BlockEndToken):
            message = "'?' starts a key that has no value. Write 'key: value' instead."
            return question, message, None
        if not isinstance(token, yaml.ScalarToken):
            is_key = isinstance(token, yaml.KeyToken)
            question = spot if is_key and line[spot[1] : spot[1] + 2] == "? " else None
        is_plain = isinstance(token, yaml.ScalarToken) and token.plain
        if is_plain and not line[: spot[1]].strip() and SUSPECT.match(f"\n{line}"):
            is_key = isinstance(before, yaml.KeyToken)
            for mistake in mistakes_in(line, spot[0]):
                if not is_key or line[spot[1]] == "-":
                    certain = mistake.is_certain
                    fix = fix_line(line, mistake.line, mistake.corrected, certain=certain)
                    return mistake.spot, mistake.message, fix
        before = token
    return None


def unseen(text: str) -> str | None:
    """The first invisible character in a text of one word: one without width, or a space around the
    word.
    """
    if text.isascii() or " " in text.strip() or not visible(text).isascii():
        return None
    found = re.search(f"[{NO_SPACES}]|^[{SPACES}]|[{SPACES}]$", text)
    return found[0] if found else None


def items_in(text: str, event: yaml.ScalarEvent) -> tuple[Spot, str, Fix | None] | None:
    """List items that the text above them has swallowed."""
    first, last = (mark.line if mark else 0 for mark in (event.start_mark, event.end_mark))
    if event.style or first == last:
        return None
    lines = LINE_END.split(text)
    for number in range(first + 1, last + 1):
        if lines[number].lstrip().startswith("- "):
            message = (
                f"This item continues the text of line {first + 1}. Indent it like the other "
                "items, or put quotes around the text."
            )
            return find(text) or ((number, indent(lines[number])), message, None)
    return None
