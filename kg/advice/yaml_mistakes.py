"""The slips people make in YAML, as far as a line shows them: each with its spot, what to do, and
the line as it was probably meant.

Some a parser reads without complaint, as a text where a list or fields are meant: `-item`,
`name:Ada` alone below its key, a list that is indented too far, a half-finished merge. A pattern
looks for lines of such a form, which are few; only where there are any, the file is scanned for the
texts that begin there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from kg.facts.yaml.rows import Spot

LINE_END = re.compile(r"\r\n?|\n")
MERGE_MARK = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: .*)?")
CLOSING = {"[": "]", "{": "}"}
OPENING = {"]": "[", "}": "{"}
# Invisible characters: those that take space, and those that take none.
SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
NO_SPACES = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
INVISIBLE = re.compile(f"[{SPACES}{NO_SPACES}]")
QUOTES = "“”„‟«»‘’‚‛"
LOOKALIKES = {"：": ":", "，": ",", "［": "[", "］": "]", "｛": "{", "｝": "}"}

BEGINNING = r"(?:^\s*(?:- +)*|[{,]\s*)"  # where a key may stand
NO_SPACE = re.compile(BEGINNING + r"\w[\w-]*(?P<at>:)(?=[^\s/:])")
EQUALS = re.compile(BEGINNING + r"\w[\w-]*\s*(?P<at>=)\s*")
NO_SPACE_AFTER_DASH = re.compile(r"^\s*(?P<at>-)(?=[^\s-])")
BULLET = re.compile(r"^\s*(?P<at>[–—•·‣▪◦*])\s+(?=\S)")
QUOTED_OTHERWISE = re.compile(rf"(?:^\s*|[-:\[{{,] +)(?P<at>[{QUOTES}])")
VALUE = re.compile(r"^\s*(?:- +)*(?:[\w.-]+: +)?(?P<at>\S.*?)\s*$")
NO_COLON = re.compile(r"^\s*(?P<at>\w[\w-]*)(?P<rest>(?: [^:]*)?)$")
NO_LINE = re.compile(r"^\s*(?P<at>//|```|~~~|={3,}|\*{3,}|-{4,}|</?\w)")
ENTRY = re.compile(r"\s*(?:- +)*[\w-]+:(?: |$)|\s*- ")  # a line that begins like one
ALONE = re.compile(r"^\s*(?:#.*)?$")  # a line that says nothing
COLON = (
    "A colon stands where none is expected. Put quotes around text that contains ': ', or correct "
    "the indentation of this line."
)
NO_QUOTE = "'{}' is no quote in YAML. Write \" or ' on both sides of the text."
NO_BULLET = "An item of a list begins with '- ', not with '{}'."
NO_TEXT = "Text cannot begin with '{}'. Put quotes around it."
MOST_LINES = 12  # that are mended, so that a large file is soon explained


class Mistake(NamedTuple):
    """A slip that may be meant: where, what to do, and the lines without it."""

    spot: Spot
    message: str
    line: int
    mended: str
    change: int = 0  # how much is changed, where other lines could be changed as well


def merge_mark(lines: list[str]) -> tuple[Spot, str] | None:
    """The first line that an unfinished merge left behind."""
    for number, line in enumerate(lines):
        if MERGE_MARK.fullmatch(line):
            message = (
                f"An unfinished merge is here ('{line[:7]}'). Keep the lines that are right, and "
                "remove its marks."
            )
            return (number, 0), message
    return None


def mistakes_of(lines: list[str], error: yaml.MarkedYAMLError, noticed: Spot) -> Iterator[Mistake]:
    """All that may be meant, the likeliest first."""
    suspects = [number for number in near(lines, error, noticed) if not ALONE.match(lines[number])]
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
    """The line where the parser stopped, the one above it, and those of what it was reading."""
    last = min(noticed[0], len(lines) - 1)
    above = (number for number in range(last - 1, -1, -1) if not ALONE.match(lines[number]))
    first = next(above, last)
    begun = error.context_mark
    if begun and re.search("simple key|flow|block scalar", error.context or ""):
        first = min(first, begun.line)
    return [*range(max(first, last - MOST_LINES), last + 1)]


def mistakes_in(line: str, number: int) -> Iterator[Mistake]:
    """Wrong signs."""
    if found := INVISIBLE.search(line):
        yield Mistake((number, found.start()), invisible(found[0]), number, visible(line))
    if found := NO_LINE.match(line):
        message = (
            f"A line cannot begin with '{found['at']}' here. Begin a comment with '# ', or remove "
            "the line."
        )
        yield Mistake((number, found.start("at")), message, number, "")
    if found := NO_SPACE_AFTER_DASH.match(line):
        message = f"A space is missing after the dash. Write '- {short(line[found.end() :])}'."
        yield Mistake((number, found.start("at")), message, number, spaced(line, found))
    if found := BULLET.match(line):
        message = NO_BULLET.format(found["at"])
        mended = f"{line[: found.start('at')]}- {line[found.end() :]}"
        yield Mistake((number, found.start("at")), message, number, mended)
    for sign, plain in LOOKALIKES.items():
        if sign in line:
            message = f"'{sign}' only looks like '{plain}'. Write '{plain}' and a space."
            mended = line.replace(sign, f"{plain} ")
            yield Mistake((number, line.index(sign)), message, number, mended)
    if found := NO_SPACE.search(line):
        key = re.split(r"[\s{,]", line[: found.start("at")])[-1]
        rest = re.split(r"[,}]", line[found.end() :])[0]
        message = f"A space is missing after the colon. Write '{key}: {short(rest)}'."
        mended = NO_SPACE.sub(lambda each: f"{each[0]} ", line)
        yield Mistake((number, found.start("at")), message, number, mended)
    if found := EQUALS.search(line):
        key = re.split(r"[\s{,]", line[: found.start("at")].rstrip())[-1]
        rest = re.split(r"[,}]", line[found.end() :])[0]
        message = f"A colon belongs here, not '='. Write '{key}: {short(rest)}'."
        mended = EQUALS.sub(lambda each: f"{each[0].partition('=')[0].rstrip()}: ", line)
        yield Mistake((number, found.start("at")), message, number, mended)
    if found := QUOTED_OTHERWISE.search(line):
        message = NO_QUOTE.format(found["at"])
        mended = re.sub(f"[{QUOTES}]", '"', line)
        yield Mistake((number, found.start("at")), message, number, mended)


def spaced(line: str, found: re.Match[str]) -> str:
    return f"{line[: found.end()]} {line[found.end() :]}"


def flow_mistakes(lines: list[str], begun: yaml.Mark, noticed: Spot) -> Iterator[Mistake]:
    """Brackets that are not closed, or not by their own, and commas."""
    start = begun.line, begun.column
    number, column = min(noticed[0], len(lines) - 1), noticed[1]
    line, sign = lines[number], character(lines, start)
    before, after = line[:column], line[column:]
    if after[:1] == ",":
        message = "A comma stands here without a value before it. Remove it."
        yield Mistake(noticed, message, number, f"{before}{after[1:]}")
    if sign not in CLOSING:
        return
    closing = CLOSING[sign]
    if after[:1] in OPENING:
        message = f"'{sign}' is closed by '{after[0]}' here. Write '{closing}'."
        yield Mistake(noticed, message, number, f"{before}{closing}{after[1:]}")
    if after[:1] == ":":
        word = re.search(r"\s+(?P<key>[\w-]+)$", before)
        hint = f", or a comma before '{word['key']}'" if word else ""
        message = f"A colon stands where none is expected. Put quotes around the text{hint}."
        if word:
            mended = f"{before[: word.start()]}, {word['key']}{after}"
            yield Mistake(noticed, message, number, mended)
        yield Mistake(noticed, message, number, f"{before}{after[1:]}")
    elif before.strip() and after.strip():
        yield Mistake(noticed, "A comma is missing before this.", number, f"{before}, {after}")
    near_here = range(max(begun.line, number - MOST_LINES), number)
    for end in sorted({begun.line, *near_here} - {number}, reverse=True):
        message = (
            f"This {sign} is still open on line {noticed[0] + 1}, where something else begins. "
            f"Close it with {closing}, or add a comma there."
        )
        yield Mistake(start, message, end, lines[end] + closing)


def stray_brackets(line: str, number: int) -> Iterator[Mistake]:
    """A bracket that closes what nothing opens, or that nothing closes."""
    for closing, opening in OPENING.items():
        at = line.rfind(closing)
        missing = line.count(opening) - line.count(closing)
        if missing > 0:
            message = f"This {opening} is never closed. Add {closing} where it should end."
            yield Mistake((number, line.rfind(opening)), message, number, line + closing)
        if missing >= 0:
            continue
        message = (
            f"This {closing} closes nothing. Remove it, or add the {opening} where it should begin."
        )
        yield Mistake((number, at), message, number, line[:at] + line[at + 1 :])
        if found := re.match(r"\s*(?:- +)*", line):
            mended = f"{found[0]}{opening}{line[found.end() :]}"
            yield Mistake((number, at), message, number, mended)


def unquoted(line: str, number: int) -> Iterator[Mistake]:
    """A text that needs quotes, or other ones."""
    found = VALUE.match(line)
    if not found:
        return
    value, start = found["at"], found.start("at")
    mended = f"{line[:start]}'{value.replace(chr(39), chr(39) * 2)}'"
    first, colon = value[0], re.search(r":(?: |$)", value)
    if first in CLOSING and CLOSING[first] in value[:-1]:
        yield Mistake((number, start), NO_TEXT.format(first), number, mended)
    elif first in "\"'":
        other = '"' if first == "'" else "'"
        message = (
            f"This text ends at its second {first}, but more follows. Put quotes of the other kind "
            f"({other}) around all of it, or double those inside ('')."
        )
        yield Mistake((number, start), message, number, mended)
    elif colon and first not in CLOSING:
        spot = number, start + colon.start()
        yield Mistake(spot, COLON, number, mended)


def indented_otherwise(lines: list[str], number: int) -> Iterator[Mistake]:
    """A line that is indented a little more or less than those around it."""
    line, has = lines[number], indent(lines[number])
    around = [
        next((each for each in side if not ALONE.match(each)), "")
        for side in (reversed(lines[:number]), lines[number + 1 :])
    ]
    item = re.match(r"\s*- +(?=\w)", around[0])  # its other fields begin where its first does
    for spaces in dict.fromkeys([*map(indent, around), *([len(item[0])] if item else [])]):
        if spaces != has and (ENTRY.match(line) or not re.search(r":(?: |$)", line)):
            remedy = f"Indent it by {amount(spaces)}" if spaces else "Do not indent it"
            message = (
                f"This line is {f'indented by {amount(has)}' if has else 'not indented'} and does "
                f"not fit the lines around it. {remedy}."
            )
            mended = " " * spaces + line.lstrip()
            yield Mistake((number, has), message, number, mended, 1 + abs(spaces - has))


def without_colon(lines: list[str], number: int) -> Iterator[Mistake]:
    """A line that neither has a key nor goes on with a text."""
    line = lines[number]
    found = NO_COLON.match(line)
    if not found:
        return
    spot, key = (number, found.start("at")), found["at"]
    item = f"{line[: found.start('at')]}- {line.lstrip()}"
    if not found["rest"].strip():
        message = f"A colon is missing after '{key}', or '- ' before it."
        yield Mistake(spot, message, number, f"{line.rstrip()}:")
        yield Mistake(spot, message, number, item)
        return
    message = (
        "This line has no colon. Indent it further if it goes on with the text above, or write "
        "'key: value'."
    )
    yield Mistake(spot, message, number, f"    {line}")
    yield Mistake(spot, message, number, line.replace(key, f"{key}:", 1))
    yield Mistake(spot, message, number, item)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def amount(spaces: int) -> str:
    return "1 space" if spaces == 1 else f"{spaces} spaces"


def short(text: str) -> str:
    """As much of a text as a message needs."""
    plain = text.strip()
    return plain if len(plain) <= 24 else f"{plain[:23].rstrip()}…"


def invisible(sign: str) -> str:
    """What to do about a character that nobody sees."""
    what = f"{unicode_name(sign)} stands here and cannot be seen."
    return f"{what} {'Write a plain space' if re.match(f'[{SPACES}]', sign) else 'Remove it'}."


def unicode_name(sign: str) -> str:
    """`U+200B (zero width space)`."""
    name = unicodedata.name(sign, "").lower()
    return f"U+{ord(sign):04X} ({name})" if name else f"U+{ord(sign):04X}"


def visible(text: str) -> str:
    """A text without what nobody sees; spaces are plain."""
    return re.sub(f"[{NO_SPACES}]", "", re.sub(f"[{SPACES}]", " ", text))


def character(lines: list[str], spot: Spot) -> str:
    return line_at(lines, spot[0])[spot[1] : spot[1] + 1]


def line_at(lines: list[str], number: int) -> str:
    """Empty behind the last."""
    return lines[number] if number < len(lines) else ""


BREAKS = re.compile("[\x85\u2028\u2029]")  # line ends to YAML, and to nobody else
# How a text may begin that is meant as a text.
SCHEMES = "mailto|tel|sms|doi|hdl|arxiv|isbn|issn|urn|info|ark|did|orcid|ror|data|geo|xmpp|sip"
SUSPECT = re.compile(  # most lines are `key: …` or `- …`, which is soon seen
    r"\n(?! *(?:[A-Za-z]\w*:[\s/]|- ))"
    rf"[ \u00a0]*(?:(?!(?:{SCHEMES}):)[A-Za-z]\w*:[^\s/:]|-[^\s\-\d.]|-\u00a0"
    r"|[–—•‣▪◦][ \u00a0]|\? |<{7}|>{7})"
)


def line_break(text: str) -> tuple[Spot, str] | None:
    """The first line end that only YAML takes for one, so that it would move all lines below."""
    found = None if text.isascii() else BREAKS.search(text)
    if not found:
        return None
    lines = LINE_END.split(text[: found.start()])
    name = unicode_name(found[0])
    message = f"{name} ends the line here and cannot be seen. Write a space, or a new line."
    return (len(lines) - 1, len(lines[-1])), message


def unbroken(text: str) -> str:
    return BREAKS.sub(" ", text)


def find(text: str) -> tuple[Spot, str] | None:
    """The first such slip, and what to do."""
    if not SUSPECT.search(f"\n{LINE_END.sub(chr(10), text) if chr(13) in text else text}"):
        return None
    lines = LINE_END.split(text)
    if ("<<<<<<<" in text or ">>>>>>>" in text) and (marked := merge_mark(lines)):
        return marked
    before: yaml.Token | None = None
    question: Spot | None = None  # a key that begins with `?`, until its value comes
    for token in yaml.scan(text, yaml.CBaseLoader):
        spot = token.start_mark.line, token.start_mark.column
        line = lines[spot[0]] if spot[0] < len(lines) else ""
        if question and isinstance(token, yaml.KeyToken | yaml.BlockEndToken):
            return question, "'?' begins a key that has no value. Write 'key: value' instead."
        if not isinstance(token, yaml.ScalarToken):
            is_key = isinstance(token, yaml.KeyToken)
            question = spot if is_key and line[spot[1] : spot[1] + 2] == "? " else None
        is_plain = isinstance(token, yaml.ScalarToken) and token.plain
        if is_plain and not line[: spot[1]].strip() and SUSPECT.match(f"\n{line}"):
            is_key = isinstance(before, yaml.KeyToken)
            for slip in mistakes_in(line, spot[0]):
                if not is_key or line[spot[1]] == "-":
                    return slip.spot, slip.message
        before = token
    return None


def unseen(text: str) -> str | None:
    """The first character that nobody sees in a text of one word: one without width, or a space
    around it.
    """
    if text.isascii() or " " in text.strip() or not visible(text).isascii():
        return None
    found = re.search(f"[{NO_SPACES}]|^[{SPACES}]|[{SPACES}]$", text)
    return found[0] if found else None


def items_in(text: str, event: yaml.ScalarEvent) -> tuple[Spot, str] | None:
    """Items of a list that a text above them has swallowed."""
    first, last = (mark.line if mark else 0 for mark in (event.start_mark, event.end_mark))
    if event.style or first == last:
        return None
    lines = LINE_END.split(text)
    for number in range(first + 1, last + 1):
        if lines[number].lstrip().startswith("- "):
            message = (
                f"This item goes on with the text of line {first + 1}. Indent it as the other "
                "items are, or put quotes around the text."
            )
            return find(text) or ((number, indent(lines[number])), message)
    return None
