"""Slips that a parser reads without complaint, as a text where a list or fields are meant: `-item`,
`name:Ada` alone below its key, a list that is indented too far, a half-finished merge.

A pattern looks for lines of such a form, which are few; only where there are any, the file is
scanned for the texts that begin there.
"""

from __future__ import annotations

import re

import yaml

from kg.advice import slips
from kg.facts.yaml.rows import Spot

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
    lines = slips.LINE_END.split(text[: found.start()])
    name = slips.unicode_name(found[0])
    message = f"{name} ends the line here and cannot be seen. Write a space, or a new line."
    return (len(lines) - 1, len(lines[-1])), message


def unbroken(text: str) -> str:
    return BREAKS.sub(" ", text)


def find(text: str) -> tuple[Spot, str] | None:
    """The first such slip, and what to do."""
    if not SUSPECT.search(f"\n{slips.LINE_END.sub(chr(10), text) if chr(13) in text else text}"):
        return None
    lines = slips.LINE_END.split(text)
    if ("<<<<<<<" in text or ">>>>>>>" in text) and (marked := slips.merge_mark(lines)):
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
            for slip in slips.slips_in(line, spot[0]):
                if not is_key or line[spot[1]] == "-":
                    return slip.spot, slip.message
        before = token
    return None


def unseen(text: str) -> str | None:
    """The first character that nobody sees in a text of one word: one without width, or a space
    around it.
    """
    if text.isascii() or " " in text.strip() or not slips.visible(text).isascii():
        return None
    found = re.search(f"[{slips.NO_SPACES}]|^[{slips.SPACES}]|[{slips.SPACES}]$", text)
    return found[0] if found else None


def items_in(text: str, event: yaml.ScalarEvent) -> tuple[Spot, str] | None:
    """Items of a list that a text above them has swallowed."""
    first, last = (mark.line if mark else 0 for mark in (event.start_mark, event.end_mark))
    if event.style or first == last:
        return None
    lines = slips.LINE_END.split(text)
    for number in range(first + 1, last + 1):
        if lines[number].lstrip().startswith("- "):
            message = (
                f"This item goes on with the text of line {first + 1}. Indent it as the other "
                "items are, or put quotes around the text."
            )
            return find(text) or ((number, slips.indent(lines[number])), message)
    return None
