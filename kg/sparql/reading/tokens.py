"""Tokens of a query, read as the engine reads them, and query templates.

Keywords may be glued to their neighbours (`1SERVICE`), and IRIs may contain escapes. Queries that
differ only in IRIs share a template, which is parsed once:

    SELECT ?name { <https://cv.example.org/people/ada#it> schema:name ?name }
    SELECT ?name { <m://0> schema:name ?name }      its template, with a mark for the IRI

An absolute IRI contains nothing that could start or end a literal, a comment or another IRI, so the
tokens around it do not depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from kg.errors import line_and_column

# Names may contain more characters than Python's letters. Characters that no name may contain are
# errors outside of literals anyway, so it is safe to include them. Sets are written as complements,
# because a range up to the last character takes Python milliseconds to compile.
SIGNS = r"\[-^`{-\x7f"  # ASCII after the capital letters
LETTER = rf"[^\x00-@{SIGNS}]"
IN_NAME = rf"[^\x00-/:-@{SIGNS}]"  # a letter, a digit or '_'
IN_WORD = rf"[^\x00-,./:-@{SIGNS}]"  # or '-'
IN_PREFIX = rf"[^\x00-,/:-@{SIGNS}]"  # or '.'
IN_LOCAL_NAME = rf"[^\x00-,/;-@{SIGNS}]"  # or ':'
FIRST_IN_LOCAL_NAME = rf"[^\x00-/;-@{SIGNS}]"
LONGEST_PREFIX = 200
TOKEN = re.compile(
    rf"""
    \s*+(?:
      (?P<variable>[?$]{IN_NAME}+)
    | (?P<open>[({{\[])
    | (?P<close>[)}}\]])
    | (?P<comment>\#[^\n\r]*|\Z)
    | (?P<string>\"\"\"(?:[^"\\]++|\\.|"(?!""))*+(?:\"\"\")? | '''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?
                | "(?:[^"\\\n\r]++|\\.)*+"? | '(?:[^'\\\n\r]++|\\.)*+'?)
    | (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]++|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*+>)
    | (?P<name>(?:{LETTER}{IN_PREFIX}{{0,{LONGEST_PREFIX}}}+)?+:
                (?:(?:{FIRST_IN_LOCAL_NAME}|%[0-9A-Fa-f]{{2}}|\\.)
                   (?:{IN_LOCAL_NAME}++|%[0-9A-Fa-f]{{2}}|\\.)*+)?+)
    | (?P<tag>@[A-Za-z][A-Za-z0-9-]*)
    | (?P<word>{LETTER}{IN_WORD}*)
    | (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)
    | (?P<operator>&&|\|\||[!|/^*+=<>-])
    | (?P<other>.)
    )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
MAX_CACHED = 2048  # characters; longer queries are not cached
CACHE_SIZE = 64  # cached templates
ADDRESS = re.compile(
    r"""<[a-z]+://(?:(?!/\.)[^<>"'{}|^`\\\x00-\x20])*>"""
)  # without segments such as /../
MARK = re.compile(r"<m://([0-9]+)>")
PLACE = re.compile(r"\s*\(?line (\d+), column (\d+)\)?(?:: )?")  # as in messages
Read = TypeVar("Read")


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    word: str = ""  # a keyword in upper case, or empty

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_term(self) -> bool:
        return self.kind in ("iri", "name", "variable")


END = Token("end", "", 0)
token: Callable[..., Token] = tuple.__new__  # faster than Token(…), and there are many


@lru_cache(maxsize=1)  # needed when a query is checked, and when it is evaluated
def tokens(query: str) -> tuple[Token, ...]:
    """All tokens except spaces and comments."""
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


def with_lower_booleans(query: str) -> str:
    """`TRUE` and `False` as `true` and `false`, of the same length. The engine reads no others."""
    for each in reversed(tokens(query)):
        if each.word in ("TRUE", "FALSE"):
            query = query[: each.start] + each.word.lower() + query[each.end :]
    return query


def place(query: str, start: int) -> str:
    """Line and column of an offset, for messages."""
    line, column = line_and_column(query, start)
    return f"line {line}, column {column}"


def without_place(message: str) -> tuple[str, int, int]:
    """A message without the place in it, and that place; line 1, column 1 if there is none."""
    found = PLACE.search(message)
    line, column = (int(found[1]), int(found[2])) if found else (1, 1)
    return PLACE.sub("", message).rstrip("."), line, column


class QueryTemplate(NamedTuple):
    """A query with marks for its IRIs, and the IRIs."""

    text: str
    addresses: tuple[str, ...] = ()

    def restore(self, text: str) -> str:
        """A text derived from the template, with the IRIs put back."""
        return (
            MARK.sub(lambda mark: self.addresses[int(mark[1])], text)
            if "<m://" in text and self.addresses
            else text
        )


@lru_cache(maxsize=1)  # needed when a query is checked, and when it is evaluated
def template_of(query: str) -> QueryTemplate:
    """Replaces IRIs after the first brace by marks. Those before it (prefixes, graphs, described
    nodes) are kept.
    """
    head, brace, rest = query.partition("{")
    if (
        len(query) > MAX_CACHED
        or '"' in head
        or "'" in head
        or "#" in head[head.rfind("\n") + 1 :]
        or "<m://" in head
    ):
        return QueryTemplate(query)  # the brace may be in a literal or a comment
    numbers: dict[str, str] = {}
    marked = ADDRESS.sub(
        lambda address: numbers.setdefault(address[0], f"<m://{len(numbers)}>"), rest
    )
    return QueryTemplate(head + brace + marked, tuple(numbers))


def once(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """A parser with a cache for short texts."""
    remembered = lru_cache(maxsize=CACHE_SIZE)(read)
    return lambda text: remembered(text) if len(text) <= MAX_CACHED else read(text)
