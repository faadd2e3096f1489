"""Decides from its tokens, before evaluation, whether a public query is allowed.

A length limit is not enough: 5 KB of nested braces overflow the parser's stack. SERVICE would send
requests to other servers; workers have no network access, but the client should get a clear
message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.errors import BadQuery
from kg.sparql.reading.tokens import (
    END,
    IN_NAME,
    IN_PREFIX,
    LONGEST_PREFIX,
    Token,
    once,
    place,
    template_of,
    tokens,
)

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 100
MAX_OPERATORS = 2_000  # `!`, `&&`, `||`, UNION and others nest in the parser without brackets
MAX_PATTERNS = 500

CLAUSES = ("UNION", "OPTIONAL", "MINUS", "FILTER", "BIND", "VALUES", "GRAPH")
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH")

ABSOLUTE = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*://")
# If the tokens are unreliable, the text is searched for possible SERVICE clauses. The search skips
# only definite variables and local names, and comment lines that cannot close a literal.
POSSIBLE_SERVICE = re.compile(
    rf"""
      ^[ \t]*+\#[^\n\r"']*$ | [?$:]{IN_NAME}+
    | (?P<service>service) (?=(?:silent)?[\s\#<?$] | [^\s<>"'{{}}()\#:]{{0,{LONGEST_PREFIX + 1}}}:)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE | re.ASCII,
)
SERVICE_CLAUSE = re.compile(  # also matches names too long to be legitimate
    rf"""
      service (?:\s|\#[^\n\r]*+)*+ (?:silent(?:\s|\#[^\n\r]*+)*+)?
      (?:<[^<>\s]*+> | [?$][^\s<>"'{{}}()\#]{{0,1000}}+
        | [^\s<>"'{{}}()\#:]{{0,{LONGEST_PREFIX + 1}}}:(?:\\.|[^\s<>"'{{}}()\#\\]){{0,1000}}+)
      (?:(?:\s|\#[^\n\r]*+)*+ \{{ | (?<!>)[^\s<>"'{{}}()\#])
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
LONG_PREFIX = re.compile(rf"(?<!{IN_PREFIX}){IN_PREFIX}{{{LONGEST_PREFIX + 1},}}+:", re.ASCII)
MAX_SUSPECTS = 200  # more are refused without a closer look


def check(query: str) -> None:
    """Raises BadQuery, with the limit that is exceeded, if the query must not be evaluated."""
    measure(query)
    if not is_harmless(template_of(query).text):
        inspect(query)


@once
def is_harmless(text: str) -> bool:
    """Whether every query of a template is allowed. If not, each query is checked separately, so
    that the message quotes its own text.
    """
    try:
        inspect(text)
    except BadQuery:
        return False
    return "service" not in text.lower()


def inspect(query: str) -> None:
    found = tokens(query)
    forbid(query, found)
    if form_of(found) is END:
        raise BadQuery(
            "This is not a SPARQL query. Start it with SELECT, ASK, CONSTRUCT or DESCRIBE."
        )


def form_of(found: Sequence[Token]) -> Token:
    return next((token for token in found if token.word in (*FORMS, *UPDATES)), END)


def forbid(query: str, found: Sequence[Token]) -> None:
    """Raises BadQuery for what no query may do, not even one of the site itself."""
    form = form_of(found)
    if form.word in UPDATES:
        raise BadQuery(
            f"This endpoint is read-only: {form.word} is not allowed ({place(query, form.start)})."
        )
    limit_size(query, found)
    start = find_service(query, found)
    if start is not None:
        raise BadQuery(
            f"SERVICE is not allowed: no requests to other servers ({place(query, start)})."
        )


def measure(query: str) -> None:
    if len(query) > MAX_CHARACTERS:
        raise BadQuery(
            f"The query has {len(query)} characters. At most {MAX_CHARACTERS} are allowed."
        )


def limit_size(query: str, found: Sequence[Token]) -> None:
    """Limits the nesting, the operators and the patterns of a query."""
    if len(found) <= MAX_DEPTH:  # the smallest of the limits
        return
    brackets: list[str] = []
    operators = patterns = 0
    for token in found:
        if token.kind == "open":
            brackets.append(token.text)
        elif token.kind == "close" and brackets:
            brackets.pop()
        elif token.kind == "operator" or token.word in CLAUSES:
            operators += 1
        elif token.text in (".", ";") or (token.text == "," and brackets[-1:] != ["("]):
            patterns += 1
        else:
            continue
        for number, most, what in (
            (len(brackets), MAX_DEPTH, "levels of brackets"),
            (operators, MAX_OPERATORS, "operators and clauses"),
            (patterns, MAX_PATTERNS, "patterns"),
        ):
            if number > most:
                raise BadQuery(
                    f"The query has more than {most} {what} ({place(query, token.start)})."
                )


def find_service(query: str, found: Sequence[Token]) -> int | None:
    """The position of a SERVICE clause. Literals, comments and IRIs may contain the word.

    Where the engine reads `<` as an operator, the tokens may show an IRI. If that could hide a
    quote or a comment, the following tokens are unreliable, and the text itself is searched.
    """
    if "service" not in query.lower():
        return None
    if long := LONG_PREFIX.search(query):
        raise BadQuery(
            f"The query has a prefix of more than {LONGEST_PREFIX} characters "
            f"({place(query, long.start())})."
        )
    if any(
        token.kind == "iri"
        and ("'" in token.text or "#" in token.text)
        and not ABSOLUTE.match(token.text)
        for token in found
    ):
        suspects = [found.start() for found in POSSIBLE_SERVICE.finditer(query) if found["service"]]
        return next(
            (
                start
                for start in suspects
                if len(suspects) > MAX_SUSPECTS or SERVICE_CLAUSE.match(query, start)
            ),
            None,
        )
    around = [END, *found, END, END, END]
    return next(
        (token.start for at, token in enumerate(found) if starts_service(*around[at : at + 5])),
        None,
    )


def starts_service(before: Token, token: Token, after: Token, then: Token, last: Token) -> bool:
    """Whether a SERVICE clause starts at a token, even if no space separates it from its
    neighbours.
    """
    if token.kind == "name":
        return (
            "SERVICE" in token.text.partition(":")[0].upper()
            and after.text == "{"
            and before.word not in ("GRAPH", "SERVICE", "SILENT")
        )
    if not token.word.endswith(("SERVICE", "SERVICESILENT")):
        return False
    where, opens = (then, last) if after.word == "SILENT" else (after, then)
    return where.is_term and opens.text == "{"
