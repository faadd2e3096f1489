"""The mistakes that people make in YAML: where they are, what to do, and the corrected line.

A parser stops where it cannot continue, often a line below the mistake (`explain`): some of its
errors name the mistake; for the others each mistake that a line nearby may have is corrected on
trial, and the correction that lets the parser read furthest shows what is wrong. If there is none,
the parser's own position is reported. Other mistakes a parser reads silently as text (`find`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from kg.errors import Fix, counted, fix_line
from kg.facts.yaml.rows import Spot

Explained = tuple[Spot, str, Fix | None]  # the place, what to do, and the corrected line

LINE_END = re.compile(r"\r\n?|\n")
BREAKS = re.compile("[\x85\u2028\u2029]")  # line ends in YAML, but nowhere else
MERGE_MARK = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: .*)?")
CLOSING = {"[": "]", "{": "}"}
OPENING = {"]": "[", "}": "{"}
# Invisible characters: with and without width.
SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
NO_SPACES = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
INVISIBLE = re.compile(f"[{SPACES}{NO_SPACES}]")
QUOTES = "“”„‟«»‘’‚‛"
ENTRY = re.compile(r"\s*(?:- +)*\w[\w-]*:(?: |$)|\s*- ")  # a line that looks like an entry
ITEM = re.compile(r" *- ")
FIELDS = re.compile(r"^ *(?:- +)*")  # what is before the first field of an entry
VALUE = re.compile(r"\s*(?:- +)*(?:[\w.-]+: +)?(?P<at>\S.*?)\s*$")
COLON = re.compile(r":(?: |$)")
TOP = re.compile(r"[\w\"'].*:(?: |$)")  # a line with a key that is not indented
# A key with text after it, without quotes or brackets.
TEXT_AFTER_KEY = re.compile(r"\s*(?:- +)*(?P<key>\w[\w-]*): +[^\s\"'|>\[{&*!#]")
BLANK = re.compile(r"\s*(?:#|$)")  # an empty line or a comment

FALLBACK = (
    "This is not valid YAML from here on. Check the quotes, brackets, colons and indentation of "
    "this line and the line above."
)
UNCLOSED_QUOTE = "This {} is never closed. Add another one where the text ends."
NO_QUOTE = "'{at}' is not a quote in YAML. Write \" or ' on both sides of the text."
NO_TEXT = "Text cannot start with '{}'. Put quotes around it."
MORE_FOLLOWS = (
    "This text ends at its second {}, but more follows. Put {} around all of it, or double the "
    "quotes inside ('')."
)
CONTINUES = "The text above continues here and contains ': '. Put quotes around all of it{}."
ITEM_IN_TEXT = (
    "This item continues the text of line {}. Indent it like the other items, or put quotes "
    "around the text."
)
UNEXPECTED_COLON = (
    "Unexpected colon. Put quotes around text that contains ': ', or correct the indentation of "
    "this line."
)
NO_COLON = (
    "This line has no colon. If it continues the text above, indent it further; otherwise write "
    "'key: value'."
)
LINES_BELOW = 50  # lines read after a trial correction, so that large files are explained quickly
LONGEST = 10_000  # characters of a line in a trial: many brackets take the parser long

# A mistake that a line shows: its pattern, what to do, and what is right instead.
IN_A_LINE = (
    (
        re.compile(r"^(?P<before>\s*)(?P<at>-)(?=(?P<rest>[^\s-].*))"),
        "A space is missing after the dash. Write '- {rest}'.",
        r"\g<before>- ",
    ),
    (
        re.compile(r"^(?P<before>\s*)(?P<at>[–—•‣▪◦*])\s+(?=\S)"),
        "'{at}' does not start a list item. Write '- '.",
        r"\g<before>- ",
    ),
    (
        re.compile(
            r"(?P<before>^\s*(?:- +)*|[{,]\s*)(?P<key>\w[\w-]*)(?P<at>:)(?=(?P<rest>[^\s/:][^,}]*))"
        ),
        "A space is missing after the colon. Write '{key}: {rest}'.",
        r"\g<before>\g<key>: ",
    ),
    (
        re.compile(
            rf"(?P<before>^\s*|[-:\[{{,] +)(?P<at>[{QUOTES}])(?P<text>[^\"]*?)(?:[{QUOTES}\"]"
            r"(?=\s*(?:$|[:,\]}]))|$)"
        ),
        NO_QUOTE,
        r'\g<before>"\g<text>"',
    ),
)

# A mistake that the parser's words tell: whether it is where the parser began to read something,
# not where it stopped, and what to do. `{}` is the character there.
IN_WORDS = {
    "quoted scalar: found unexpected": (True, UNCLOSED_QUOTE),
    "scanning an alias|scanning an anchor|a tag:|a directive:|a %": (True, NO_TEXT),
    "block scalar: .* comment or line break": (
        True,
        "Text cannot start with '{}'. Put quotes around it, or start it on the next line.",
    ),
    "cannot start any token|mapping keys are not allowed": (False, NO_TEXT),
    "block sequence entries are not allowed": (
        False,
        "A list cannot start here. Put each '- ' on its own line below the key. If this is text, "
        "put quotes around it.",
    ),
}


class Mistake(NamedTuple):
    """A possible mistake: its position, what to do, and a line corrected."""

    spot: Spot
    message: str
    line: int
    corrected: str
    change: int = 0  # size of the correction, if other lines could be corrected instead
    is_certain: bool = False  # whether the line can only be meant like this


def explain(text: str, error: yaml.MarkedYAMLError) -> Explained:
    """The mistake that made the parser stop."""
    lines = LINE_END.split(text)
    noticed = spot_of(error.problem_mark or error.context_mark)
    if character(lines, noticed) == "\t" and not merge_mark(lines):
        fix = without_tab(lines, noticed[0])
        return noticed, "This line is indented with a tab. Use spaces.", fix
    if named := merge_mark(lines) or next(named_by_parser(lines, error, noticed), None):
        return *named, None
    known = [*mistakes_near(lines, error, noticed)]
    first = min((mistake.line for mistake in known), default=0)
    above = [number for number in range(first, -1, -1) if TOP.match(lines[number])][:2]
    start = above[-1] if above else 0
    around = [*[""] * start, *lines[start : noticed[0] + LINES_BELOW]]
    left = {mistake: unread(corrected(around, mistake)) for mistake in known}
    best = min(left, key=lambda mistake: (left[mistake], mistake.change), default=None)
    if not best or left[best] >= unread(around):
        return noticed, FALLBACK, None
    is_whole = left[best] == 0 and not unread(corrected(lines, best))
    old, certain = lines[best.line], best.is_certain
    fix = fix_line(old, best.line, best.corrected, certain=certain) if is_whole else None
    return best.spot, best.message, fix


def corrected(lines: list[str], mistake: Mistake) -> list[str]:
    return [*lines[: mistake.line], mistake.corrected, *lines[mistake.line + 1 :]]


def unread(lines: list[str]) -> int:
    """The number of characters left where the parser stops."""
    text = "\n".join(line if len(line) <= LONGEST else "" for line in lines)
    try:
        for _ in yaml.parse(text, yaml.CBaseLoader):
            pass
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return len(text) - (mark.index if mark else 0) + 1
    return 0


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


def without_tab(lines: list[str], number: int) -> Fix | None:
    """The line with spaces instead of tabs; certain if only one indentation can be read."""
    line, around = lines[number], lines[max(number - 1, 0) : number + 2 : 2]
    if "\t" not in line[: len(line) - len(line.lstrip())]:
        return None
    depths = {depth for each in around for depth in (indent(each), start_of_fields(each))}
    trials = [" " * depth + line.lstrip() for depth in sorted(depths - {0})]
    good = [
        each for each in trials if not unread(corrected(lines, Mistake((0, 0), "", number, each)))
    ]
    return fix_line(line, number, *good)


def named_by_parser(
    lines: list[str], error: yaml.MarkedYAMLError, noticed: Spot
) -> Iterator[tuple[Spot, str]]:
    """Mistakes that need no trial: the parser's words or the lines around tell what is meant."""
    words, begun = f"{error.context}: {error.problem}", spot_of(error.context_mark)
    yield from swallowed_entries(lines, noticed)
    yield from misplaced(lines, noticed[0], "mapping values are not" in words)
    line = line_at(lines, noticed[0])
    if "escape character" in words or "hexdecimal" in words:
        column = max(line.rfind("\\", 0, noticed[1] + 1), 0)
        message = (
            f"{line[column : column + 2]} is not a valid escape in double quotes. Use single "
            "quotes ('…'), where a backslash has no special meaning."
        )
        yield (noticed[0], column), message
    for pattern, (is_begun, message) in IN_WORDS.items():
        spot = begun if is_begun else noticed
        if re.search(pattern, words) and not any(in_a_line(line, noticed[0])):
            yield spot, message.format(character(lines, spot))


def swallowed_entries(lines: list[str], noticed: Spot) -> Iterator[tuple[Spot, str]]:
    """A quote that is closed by a later one, because lines that look like entries are inside."""
    try:
        for token in yaml.scan("\n".join(lines[: noticed[0] + 1]), yaml.CBaseLoader):
            start, end = spot_of(token.start_mark), spot_of(token.end_mark)
            if isinstance(token, yaml.ScalarToken) and start[0] < end[0] == noticed[0]:
                is_entry = any(map(ENTRY.match, lines[start[0] + 1 : end[0] + 1]))
                if token.style in ("'", '"') and end <= noticed and is_entry:
                    yield start, UNCLOSED_QUOTE.format(token.style)
    except yaml.YAMLError:
        return


def misplaced(lines: list[str], number: int, is_colon: bool) -> Iterator[tuple[Spot, str]]:
    """A text whose next line has a colon, an entry without its dash, an item one level too deep.
    No indentation of this line alone is right. `is_colon` says that the parser stopped at a colon.
    """
    line = line_at(lines, number)
    has, is_item = indent(line), bool(ITEM.match(line))
    above = [each for each in range(number - 1, -1, -1) if not BLANK.match(lines[each])]
    if is_colon:
        opened = next((each for each in above if indent(lines[each]) < has), 0)
        key = TEXT_AFTER_KEY.match(lines[opened])
        deeper = has - key.start("key") if key else 0
        name = line.strip().partition(":")[0]
        fields = sum(each[start_of_fields(each) :].startswith(f"{name}:") for each in lines)
        below = next((each for each in lines[number + 1 :] if not BLANK.match(each)), "")
        is_alone = indent(below) != has and fields == 1
        if deeper > 0 and is_item:
            yield (number, has), ITEM_IN_TEXT.format(opened + 1)
        elif deeper > 0 and not ENTRY.match(line):
            yield (number, has), CONTINUES.format("")
        elif deeper > 0 and deeper % 2 == 0 and is_alone:  # no field of this name, or beside it
            remedy = f"; if this line is a field, {indent_by(has - deeper)}"
            yield (number, has), CONTINUES.format(remedy)
        return
    items = (indent(lines[each]) for each in above if ITEM.match(lines[each]))
    dash = next((each for each in items if each <= has), None)
    if dash == has and not is_item and ENTRY.match(line):
        message = "'- ' is missing before this entry. Add it, and indent its other lines."
        yield (number, has), message
    elif is_item and dash == has - 2 and ":" in line:
        remedy = indent_by(dash)
        message = f"This item is one level too deep. If it is the next entry, {remedy}."
        yield (number, has), message


def mistakes_near(
    lines: list[str], error: yaml.MarkedYAMLError, noticed: Spot
) -> Iterator[Mistake]:
    """All possible mistakes of the line where the parser stopped, the one above, and the one where
    it began to read something; the most likely first.
    """
    last = min(noticed[0], len(lines) - 1)
    above = (number for number in range(last - 1, -1, -1) if not BLANK.match(lines[number]))
    begun = spot_of(error.context_mark)
    is_in_line = re.search("simple key|flow|block scalar", error.context or "")
    near = sorted({next(above, last), last, begun[0] if is_in_line else last})
    suspects = [number for number in near if number <= last and not BLANK.match(lines[number])]
    for number in suspects:
        yield from in_a_line(lines[number], number)
    if "flow" in (error.context or ""):
        yield from in_brackets(lines, begun, noticed)
    for number in suspects:
        yield from unmatched(lines[number], number)
        yield from unquoted(lines[number], number)
    for number in suspects:
        yield from without_colon(lines[number], number)
    for number in reversed(suspects):
        yield from indented_otherwise(lines, number)


def in_a_line(line: str, number: int) -> Iterator[Mistake]:
    """Mistakes of single characters."""
    if found := INVISIBLE.search(line):
        spot = number, found.start()
        yield Mistake(spot, invisible(found[0]), number, visible(line), is_certain=True)
    for pattern, message, right in IN_A_LINE:
        if found := pattern.search(line):
            words = {name: short(text) for name, text in found.groupdict().items()}
            spot, new = (number, found.start("at")), pattern.sub(right, line)
            yield Mistake(spot, message.format(**words), number, new, is_certain=True)


def in_brackets(lines: list[str], opened: Spot, noticed: Spot) -> Iterator[Mistake]:
    """Unclosed or mismatched brackets, and commas."""
    number, sign = min(noticed[0], len(lines) - 1), character(lines, opened)
    before, after = lines[number][: noticed[1]], lines[number][noticed[1] :]
    closing, wrong = CLOSING.get(sign, ""), after[:1]
    message, new = "A comma is missing before this. Add it.", f", {after}"
    if wrong == ",":
        message, new = "Unexpected comma: there is no value before it. Remove it.", after[1:]
    elif wrong == ":":
        word = re.search(r"\s([\w-]+)$", before)
        hint = f", or a comma before '{word[1]}'" if word else ""
        message, new = f"Unexpected colon. Put quotes around the text{hint}.", after[1:]
    elif wrong in OPENING:
        message, new = f"'{wrong}' does not close '{sign}'. Write '{closing}'.", closing + after[1:]
    elif before[-1:] in ("'", '"') and wrong.isalnum():
        noticed = number, before.rfind(before[-1], 0, -1)
        message, before, new = MORE_FOLLOWS.format(before[-1], "other quotes"), before[:-1], after
    if after.strip() and before.strip():
        yield Mistake(noticed, message, number, before + new)
    for end in sorted({opened[0], number - 1}, reverse=True) if opened[0] < number else ():
        message = (
            f"This {sign} is still open on line {number + 1}. "
            f"Close it with {closing}, or add a comma before that line."
        )
        yield Mistake(opened, message, end, lines[end] + closing)


def unmatched(line: str, number: int) -> Iterator[Mistake]:
    """A bracket that is only opened, or only closed."""
    for closing, opening in OPENING.items():
        if line.count(opening) > line.count(closing):
            message = f"This {opening} is never closed. Add {closing} where it should end."
            yield Mistake((number, line.rfind(opening)), message, number, line + closing)
        elif line.count(closing) > line.count(opening):
            at, start = line.rfind(closing), start_of_fields(line)
            message = f"This {closing} has no matching {opening}. Remove it, or add {opening}."
            for new in (line[:at] + line[at + 1 :], line[:start] + opening + line[start:]):
                yield Mistake((number, at), message, number, new)


def unquoted(line: str, number: int) -> Iterator[Mistake]:
    """A text that needs quotes, or other quotes."""
    found = VALUE.match(line)
    value, start = (found["at"], found.start("at")) if found else ("#", 0)
    first, colon, at, message = value[0], COLON.search(value), start, ""
    if CLOSING.get(first, "\n") in value[:-1]:
        message = NO_TEXT.format(first)
    elif first in "\"'":
        message = MORE_FOLLOWS.format(first, '"' if first == "'" else "'")
    elif colon and first not in CLOSING:
        message, at = UNEXPECTED_COLON, start + colon.start()
    if message:
        new = f"{line[:start]}'{value.replace(chr(39), chr(39) * 2)}'"
        yield Mistake((number, at), message, number, new)


def without_colon(line: str, number: int) -> Iterator[Mistake]:
    """A line that has no key and does not continue a text."""
    text, before = line.strip(), line[: indent(line)]
    message, trials = NO_COLON, [f"    {line}", before + text.replace(" ", ": ", 1)]
    if text.startswith("{"):
        message, trials = "'- ' is missing before this entry. Add it.", []
    elif re.fullmatch(r"\w[\w-]*", text):
        message = f"'{text}' has neither a colon after it nor '- ' before it. Add one of them."
        trials = [f"{before}{text}:"]
    elif COLON.search(text) or ITEM.match(line):
        return
    for new in (*trials, f"{before}- {text}"):
        yield Mistake((number, len(before)), message, number, new)


def indented_otherwise(lines: list[str], number: int) -> Iterator[Mistake]:
    """A line that is indented slightly more or less than the lines around it."""
    line, has = lines[number], indent(lines[number])
    if COLON.search(line) and not ENTRY.match(line):
        return
    above = (each for each in reversed(lines[:number]) if not BLANK.match(each))
    below = (each for each in lines[number + 1 :] if not BLANK.match(each))
    around = next(above, ""), next(below, "")
    items = (indent(each) for each in reversed(lines[:number]) if ITEM.match(each))
    outer = next((each for each in items if each < has), has) if ITEM.match(line) else has
    stands = f"indented by {counted(has, 'space')}" if has else "not indented"
    for spaces in dict.fromkeys([*map(indent, around), start_of_fields(around[0]), outer]):
        if spaces != has:
            message = (
                f"This line is {stands}, unlike the lines around it. "
                f"{indent_by(spaces).capitalize()}."
            )
            new = " " * spaces + line.lstrip()
            yield Mistake((number, has), message, number, new, 1 + abs(spaces - has))


# Positions and words


def spot_of(mark: yaml.Mark | None) -> Spot:
    return (mark.line, mark.column) if mark else (0, 0)


def line_at(lines: list[str], number: int) -> str:
    """The line; empty after the last one."""
    return lines[number] if number < len(lines) else ""


def character(lines: list[str], spot: Spot) -> str:
    return line_at(lines, spot[0])[spot[1] : spot[1] + 1]


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def start_of_fields(line: str) -> int:
    """Where the first field of an entry is, which its other fields align with."""
    return len(line) - len(FIELDS.sub("", line, count=1))


def indent_by(spaces: int) -> str:
    return f"indent it by {counted(spaces, 'space')}" if spaces else "do not indent it"


def short(text: str) -> str:
    """The start of a text, as long as a message needs."""
    plain = text.strip()
    return plain if len(plain) <= 24 else f"{plain[:23].rstrip()}…"


# Invisible characters


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


def unseen(text: str) -> str | None:
    """The first invisible character in a text of one word: one without width, or a space around the
    word.
    """
    if text.isascii() or " " in text.strip() or not visible(text).isascii():
        return None
    found = re.search(f"[{NO_SPACES}]|^[{SPACES}]|[{SPACES}]$", text)
    return found[0] if found else None


# Mistakes that a parser reads as text

# How a text that looks like `key:value` can start.
SCHEMES = "mailto|tel|sms|doi|hdl|arxiv|isbn|issn|urn|info|ark|did|orcid|ror|data|geo|xmpp|sip"
SUSPECT = re.compile(  # most lines are `key: …` or `- …`, which is checked first
    r"\n(?! *(?:[A-Za-z]\w*:[\s/]|- ))"
    rf"[ \u00a0]*(?:(?!(?:{SCHEMES}):)[A-Za-z]\w*:[^\s/:]|-[^\s\-\d.]|-\u00a0"
    r"|[–—•‣▪◦][ \u00a0]|<{7}|>{7})"
)


def find(text: str) -> Explained | None:
    """The first line that a parser reads as text, although it is meant as a field or an item."""
    if not SUSPECT.search(f"\n{LINE_END.sub(chr(10), text) if chr(13) in text else text}"):
        return None
    lines = LINE_END.split(text)
    if marked := merge_mark(lines):
        return *marked, None
    is_key = False
    for token in yaml.scan(text, yaml.CBaseLoader):
        number, column = spot_of(token.start_mark)
        line = line_at(lines, number)
        is_plain = isinstance(token, yaml.ScalarToken) and token.plain
        if is_plain and not line[:column].strip() and SUSPECT.match(f"\n{line}"):
            for mistake in in_a_line(line, number):
                if not is_key or line[column] == "-":
                    fix = fix_line(line, number, mistake.corrected)
                    return mistake.spot, mistake.message, fix
        is_key = isinstance(token, yaml.KeyToken)
    return None


def items_in(text: str, event: Any) -> Explained | None:
    """List items that the text above them has swallowed."""
    first, last = spot_of(event.start_mark)[0], spot_of(event.end_mark)[0]
    lines = [] if event.style or first == last else LINE_END.split(text)
    for number in range(first + 1, last + 1 if lines else 0):
        if ITEM.match(lines[number]):
            message = ITEM_IN_TEXT.format(first + 1)
            return find(text) or ((number, indent(lines[number])), message, None)
    return None
