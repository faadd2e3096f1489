"""A query as tokens, read as the engine reads it: keywords may be glued to their neighbours (`1SERVICE`), escapes stand in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# Names may hold more than Python calls letters. What no name may hold is a slip outside of literals, so there is no harm in taking it.
BEYOND = r"\x80-\U0010ffff"
LONGEST_PREFIX = 200
TOKEN = re.compile(
    rf"""
      (?P<comment>\#[^\n\r]*)
    | (?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*(?:\"\"\")? | '''(?:[^'\\]|\\.|'(?!''))*(?:''')?
                | "(?:[^"\\\n\r]|\\.)*"? | '(?:[^'\\\n\r]|\\.)*'?)
    | (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*>)
    | (?P<variable>[?$][\w{BEYOND}]+)
    | (?P<name>(?:[A-Za-z_{BEYOND}][\w.{BEYOND}-]{{0,{LONGEST_PREFIX}}})?:
                (?:(?:[\w:{BEYOND}]|%[0-9A-Fa-f]{{2}}|\\.)(?:[\w.:{BEYOND}-]|%[0-9A-Fa-f]{{2}}|\\.)*)?)
    | (?P<tag>@[A-Za-z][A-Za-z0-9-]*)
    | (?P<word>[A-Za-z_{BEYOND}][\w{BEYOND}-]*)
    | (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)
    | (?P<open>[({{\[])
    | (?P<close>[)}}\]])
    | (?P<operator>&&|\|\||[!|/^*+=<>-])
    | (?P<space>\s+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


class Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def word(self) -> str:
        """A keyword in capitals; empty where it is none."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def is_term(self) -> bool:
        return self.kind in ("iri", "name", "variable")


END = Token("end", "", 0)


def tokens(query: str) -> Iterator[Token]:
    """Every token but spaces and comments."""
    for found in TOKEN.finditer(query):
        if found.lastgroup not in ("space", "comment"):
            yield Token(found.lastgroup or "other", found[0], found.start())


def place(query: str, start: int) -> str:
    """Line and column of a character, counted from 1."""
    before = query[:start]
    return f"line {before.count(chr(10)) + 1}, column {start - before.rfind(chr(10))}"
