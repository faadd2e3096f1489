"""What a public query may be, decided on its tokens before it goes anywhere.

Length alone does not protect: five kilobytes of nested braces overflow the parser's stack. SERVICE would make this machine send
requests elsewhere. A literal, comment or IRI that merely contains the word is fine; one that holds a whole clause is refused too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.errors import BadQuery

MOST_CHARACTERS = 32_768
DEEPEST = 100
MOST_OPERATORS = 2_000  # `!`, `&&`, `||`, UNION and the like nest in the parser without any bracket

TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n\r]*)
    | (?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*(?:\"\"\")? | '''(?:[^'\\]|\\.|'(?!''))*(?:''')?
                | "(?:[^"\\\n\r]|\\.)*"? | '(?:[^'\\\n\r]|\\.)*'?)
    | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    | (?P<variable>[?$]\w+)
    | (?P<name>[\w.-]{0,200}:(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)*)
    | (?P<tag>@[A-Za-z-]+)
    | (?P<word>[^\W\d][\w-]*)
    | (?P<number>[0-9][\w.]*)
    | (?P<open>[({\[])
    | (?P<close>[)}\]])
    | (?P<operator>&&|\|\||[!|/^*+=<>-])
    | (?P<space>\s+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# SERVICE wherever it stands. The engine takes keywords glued to their neighbours (`1SERVICE<x>{`, `SERVICEex:y{`) and reads `<` as an
# operator where an address makes no sense, so tokens cannot be trusted: the text is searched for the whole clause. Only what is surely a
# variable or a local name is stepped over, and so is a comment on a line of its own that can close no literal.
SERVICE = re.compile(
    r"""
      ^[ \t]*+\#[^\n\r"']*$ | [?$:]\w+
    | (?P<service>service) (?:\s|\#[^\n\r]*+)*+ (?:silent(?:\s|\#[^\n\r]*+)*+)?
      (?:<[^<>\s]*> | [?$][^\s<>"'{}()\#]* | [^\s<>"'{}()\#:]{0,200}:(?:\\.|[^\s<>"'{}()\#\\])*) (?:\s|\#[^\n\r]*+)*+ \{
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH")


def tokens(query: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and place of each token but spaces and comments."""
    for found in TOKEN.finditer(query):
        if found.lastgroup not in ("space", "comment"):
            yield found.lastgroup or "other", found[0], found.start()


def check(query: str) -> None:
    """Raises BadQuery, naming the limit, for what must not be evaluated."""
    if len(query) > MOST_CHARACTERS:
        raise BadQuery(f"This query has {len(query)} characters; {MOST_CHARACTERS} are allowed.")
    for found in SERVICE.finditer(query):
        if found["service"]:
            raise BadQuery(f"SERVICE is not allowed here: this endpoint asks no other servers ({place(query, found.start())}).")
    depth = operators = 0
    form = ""
    for kind, text, start in tokens(query):
        if kind == "open":
            depth += 1
            if depth > DEEPEST:
                raise BadQuery(f"This query is nested more than {DEEPEST} levels deep ({place(query, start)}).")
        elif kind == "close":
            depth -= 1
        elif kind == "operator" or (kind == "word" and text.upper() in ("UNION", "OPTIONAL", "MINUS", "FILTER", "BIND")):
            operators += 1
            if operators > MOST_OPERATORS:
                raise BadQuery(f"This query has more than {MOST_OPERATORS} operators ({place(query, start)}).")
        elif kind == "word":
            word = text.upper()
            if not form and word in UPDATES:
                raise BadQuery(f"This endpoint is read-only: {word} is not allowed ({place(query, start)}).")
            form = form or (word if word in FORMS else "")
    if not form:
        raise BadQuery("This is not a query: it has no SELECT, ASK, CONSTRUCT or DESCRIBE.")


def place(query: str, start: int) -> str:
    before = query[:start]
    return f"line {before.count(chr(10)) + 1}, column {start - before.rfind(chr(10))}"
