"""Readable messages for syntax errors in queries."""

from __future__ import annotations

import re

from pyoxigraph import Store

from kg.errors import BadQuery, offset_of
from kg.sparql.reading.guard import forbid
from kg.sparql.reading.tokens import place, tokens

EXPECTED = re.compile(r"expected (?:one of )?(.*)", re.DOTALL)
SENTENCE = re.compile(r"(?:^|, )([A-Z][a-z]+ [^,]*)")
KEYWORD = re.compile(r"(?:^|, )(\w+)(?=,|$)")
EXACT = re.compile(r"\"|\['")  # the parser expected a character at exactly this place


def check_syntax(query: str, base: str) -> None:
    """Raises BadQuery, with the place of the mistake, if a query of a site is not valid or not
    allowed.
    """
    forbid(query, tokens(query))
    try:
        Store().query(query, base_iri=base, use_default_graph_as_union=True)
    except (SyntaxError, ValueError) as error:
        raise BadQuery(readable(str(error), query)) from error


def readable(message: str, query: str) -> str:
    """The parser's message with the right place, and without the list of everything it expected.

    To find a keyword, the parser reads as many characters as it has, and reports the place after
    them.
    """
    found = re.match(r"error at (\d+):(\d+): (.*)", message, re.DOTALL)
    if not found:
        return message
    start = offset_of(query, int(found[1]), int(found[2]))
    if "Prefix not found" in found[3]:
        return (
            f"{place(query, start)}: the prefix just before this is not declared. "
            "Add a line such as PREFIX schema: <http://schema.org/>"
        )
    expected = EXPECTED.match(found[3])
    sentence = SENTENCE.search(expected[1]) if expected else re.match(r"(.{0,200})", found[3])
    if sentence or expected is None:
        return f"{place(query, start)}: {sentence[1] if sentence else message}"
    if not EXACT.search(expected[1]):
        start -= min((len(word) for word in KEYWORD.findall(expected[1])), default=1)
    token = next((token for token in tokens(query) if token.end > start), None)
    if token is None:
        message = "unexpected end of the query. Is a bracket or a quote still open?"
        return f"{place(query, start)}: {message}"
    return f"{place(query, token.start)}: unexpected '{token.text.splitlines()[0][:40]}'"
