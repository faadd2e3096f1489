"""A query as tokens, read as the engine reads it: keywords may be glued to their neighbours
(`1SERVICE`), escapes stand in addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

# Names may hold more than Python calls letters. What no name may hold is a slip outside of
# literals, so there is no harm in taking it.
BEYOND = r"\x80-\U0010ffff"
LONGEST_PREFIX = 200
TOKEN = re.compile(
    rf"""
    \s*+(?:
      (?P<variable>[?$][\w{BEYOND}]+)
    | (?P<open>[({{\[])
    | (?P<close>[)}}\]])
    | (?P<comment>\#[^\n\r]*|\Z)
    | (?P<string>\"\"\"(?:[^"\\]++|\\.|"(?!""))*+(?:\"\"\")? | '''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?
                | "(?:[^"\\\n\r]++|\\.)*+"? | '(?:[^'\\\n\r]++|\\.)*+'?)
    | (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]++|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*+>)
    | (?P<name>(?:[A-Za-z_{BEYOND}][\w.{BEYOND}-]{{0,{LONGEST_PREFIX}}}+)?+:
                (?:(?:[\w:{BEYOND}]|%[0-9A-Fa-f]{{2}}|\\.)
                   (?:[\w.:{BEYOND}-]++|%[0-9A-Fa-f]{{2}}|\\.)*+)?+)
    | (?P<tag>@[A-Za-z][A-Za-z0-9-]*)
    | (?P<word>[A-Za-z_{BEYOND}][\w{BEYOND}-]*)
    | (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)
    | (?P<operator>&&|\|\||[!|/^*+=<>-])
    | (?P<other>.)
    )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    word: str = ""  # a keyword in capitals; empty where it is none

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_term(self) -> bool:
        return self.kind in ("iri", "name", "variable")


END = Token("end", "", 0)
token: Callable[..., Token] = tuple.__new__  # without the detour through names, for there are many


@lru_cache(
    maxsize=1
)  # a query is read more than once: when it is checked, and when it is evaluated
def tokens(query: str) -> tuple[Token, ...]:
    """Every token but spaces and comments."""
    found = []
    for match in TOKEN.finditer(query):
        kind, text = match.lastgroup or "other", match[match.lastindex or 0]
        if kind != "comment":
            found.append(
                token(
                    Token,
                    (kind, text, match.end() - len(text), text.upper() if kind == "word" else ""),
                )
            )
    return tuple(found)


def place(query: str, start: int) -> str:
    """Line and column of a character, counted from 1."""
    before = query[:start]
    return f"line {before.count(chr(10)) + 1}, column {start - before.rfind(chr(10))}"
