"""What a public query may be, decided on its tokens before it is evaluated.

Length alone does not protect: five kilobytes of nested braces overflow the parser's stack. SERVICE
would make this machine send requests elsewhere; the workers could not, but the client should
hear so.
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

MOST_CHARACTERS = 65_536
DEEPEST = 100
MOST_OPERATORS = 2_000  # `!`, `&&`, `||`, UNION and the like nest in the parser without any bracket
MOST_PATTERNS = 500

CLAUSES = ("UNION", "OPTIONAL", "MINUS", "FILTER", "BIND", "VALUES", "GRAPH")
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH")

ABSOLUTE = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*://")
# Where tokens cannot be trusted, the text is searched for what may begin a clause. Only what is
# surely a variable or a local name is stepped over, and so is a comment on a line of its own that
# can close no literal.
SUSPECT = re.compile(
    rf"""
      ^[ \t]*+\#[^\n\r"']*$ | [?$:]{IN_NAME}+
    | (?P<service>service) (?=(?:silent)?[\s\#<?$] | [^\s<>"'{{}}()\#:]{{0,{LONGEST_PREFIX + 1}}}:)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE | re.ASCII,
)
CLAUSE = re.compile(  # or a name so long that nobody means it
    rf"""
      service (?:\s|\#[^\n\r]*+)*+ (?:silent(?:\s|\#[^\n\r]*+)*+)?
      (?:<[^<>\s]*+> | [?$][^\s<>"'{{}}()\#]{{0,1000}}+
        | [^\s<>"'{{}}()\#:]{{0,{LONGEST_PREFIX + 1}}}:(?:\\.|[^\s<>"'{{}}()\#\\]){{0,1000}}+)
      (?:(?:\s|\#[^\n\r]*+)*+ \{{ | (?<!>)[^\s<>"'{{}}()\#])
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
TOO_LONG = re.compile(rf"(?<!{IN_PREFIX}){IN_PREFIX}{{{LONGEST_PREFIX + 1},}}+:", re.ASCII)
MOST_SUSPECTS = 200  # nor so many of them


def check(query: str) -> None:
    """Raises BadQuery, naming the limit, for what must not be evaluated."""
    measure(query)
    if not is_harmless(template_of(query).text):
        inspect(query)


@once
def is_harmless(text: str) -> bool:
    """Whether any query of a template may be evaluated; otherwise each is checked by itself, so
    that its own words are reported.
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
        raise BadQuery("This is not a query: it has no SELECT, ASK, CONSTRUCT or DESCRIBE.")


def form_of(found: Sequence[Token]) -> Token:
    return next((token for token in found if token.word in (*FORMS, *UPDATES)), END)


def forbid(query: str, found: Sequence[Token]) -> None:
    """What no query may do here, whoever wrote it."""
    form = form_of(found)
    if form.word in UPDATES:
        raise BadQuery(
            f"This endpoint is read-only: {form.word} is not allowed ({place(query, form.start)})."
        )
    bound(query, found)
    start = service(query, found)
    if start is not None:
        raise BadQuery(
            f"SERVICE is not allowed here: no other servers are asked ({place(query, start)})."
        )


def measure(query: str) -> None:
    if len(query) > MOST_CHARACTERS:
        raise BadQuery(f"This query has {len(query)} characters; {MOST_CHARACTERS} are allowed.")


def bound(query: str, found: Sequence[Token]) -> None:
    """How deep, how long and how wide a query may be."""
    if len(found) <= DEEPEST:  # the least of the limits
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
            (len(brackets), DEEPEST, "levels of brackets"),
            (operators, MOST_OPERATORS, "operators and clauses"),
            (patterns, MOST_PATTERNS, "patterns"),
        ):
            if number > most:
                raise BadQuery(
                    f"This query has more than {most} {what} ({place(query, token.start)})."
                )


def service(query: str, found: Sequence[Token]) -> int | None:
    """Where a query asks another server. A literal, comment or address that contains the word is
    fine.

    Where the engine takes `<` for an operator we may have seen an address; one that could hide a
    quote or a comment makes the tokens after it doubtful, and then the text itself is searched.
    """
    if "service" not in query.lower():
        return None
    if long := TOO_LONG.search(query):
        raise BadQuery(
            f"This query has a prefix of more than {LONGEST_PREFIX} characters "
            f"({place(query, long.start())})."
        )
    if any(
        token.kind == "iri"
        and ("'" in token.text or "#" in token.text)
        and not ABSOLUTE.match(token.text)
        for token in found
    ):
        suspects = [found.start() for found in SUSPECT.finditer(query) if found["service"]]
        return next(
            (
                start
                for start in suspects
                if len(suspects) > MOST_SUSPECTS or CLAUSE.match(query, start)
            ),
            None,
        )
    around = [END, *found, END, END, END]
    return next((token.start for at, token in enumerate(found) if asks(*around[at : at + 5])), None)


def asks(before: Token, token: Token, after: Token, then: Token, last: Token) -> bool:
    """Whether a SERVICE clause begins at a token, be it glued to what stands before or behind
    it.
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
