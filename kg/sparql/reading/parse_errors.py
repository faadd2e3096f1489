"""What the parser could not read, in words."""

from __future__ import annotations

import re

from pyoxigraph import Store

from kg.errors import BadQuery, offset_of
from kg.sparql.reading.guard import forbid
from kg.sparql.reading.tokens import place, tokens

EXPECTED = re.compile(r"expected (?:one of )?(.*)", re.DOTALL)
SENTENCE = re.compile(r"(?:^|, )([A-Z][a-z]+ [^,]*)")
KEYWORD = re.compile(r"(?:^|, )(\w+)(?=,|$)")
EXACT = re.compile(r"\"|\['")  # a sign or a kind of character, looked for just there


def check_syntax(query: str, base: str) -> None:
    """Raises BadQuery, with the place of the mistake, where a query of a site does not parse, or is
    none that a stranger might ask.
    """
    forbid(query, tokens(query))
    try:
        Store().query(query, base_iri=base, use_default_graph_as_union=True)
    except (SyntaxError, ValueError) as error:
        raise BadQuery(readable(str(error), query)) from error


def readable(message: str, query: str) -> str:
    """The parser's message with the place it means, and without the list of all it would have
    taken.

    It looks for a keyword by taking as many characters as that has, and gives the place behind
    them.
    """
    found = re.match(r"error at (\d+):(\d+): (.*)", message, re.DOTALL)
    if not found:
        return message
    start = offset_of(query, int(found[1]), int(found[2]))
    if "Prefix not found" in found[3]:
        return (
            f"{place(query, start)}: the prefix just before has no PREFIX line, e.g. PREFIX "
            "schema: <http://schema.org/>"
        )
    expected = EXPECTED.match(found[3])
    sentence = SENTENCE.search(expected[1]) if expected else re.match(r"(.{0,200})", found[3])
    if sentence or expected is None:
        return f"{place(query, start)}: {sentence[1] if sentence else message}"
    if not EXACT.search(expected[1]):
        start -= min((len(word) for word in KEYWORD.findall(expected[1])), default=1)
    token = next((token for token in tokens(query) if token.end > start), None)
    if token is None:
        return (
            f"{place(query, start)}: the query ends too early. Is a bracket or a quote still open?"
        )
    return (
        f"{place(query, token.start)}: the query cannot be read from "
        f"'{token.text.splitlines()[0][:40]}' on"
    )
