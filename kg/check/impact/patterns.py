"""What a query looks at, read from its tokens: which predicates and classes, and which it follows
to the end. In doubt it is more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kg.sparql.reading.tokens import tokens
from kg.vocab import prefixes, rdf

Token = tuple[str, str]
TERMS = ("variable", "iri", "name", "string", "number")
END = ("end", "")


@cache
def names_in(query: str, base: str) -> frozenset[str] | None:
    """All addresses that a query names, the predicates and classes among them; None where it may
    look at any predicate.

    Who asks for a class by its name does not look at `rdf:type` of anything else.
    """
    spaces = prefixes(base)
    found = [(kind, full(kind, text, spaces)) for kind, text in patterns(query)]
    if any(
        is_any_predicate(*three)
        for three in zip([END, *found], found, [*found[1:], END], strict=False)
    ):
        return None
    any_class = any(
        is_type(here) and after[0] not in ("iri", "name")  # a class by its name
        for here, after in zip(found, [*found[1:], END], strict=True)
    )
    names = {text for kind, text in found if kind in ("iri", "name")} - {rdf.type}
    return frozenset(names | ({rdf.type} if any_class else set()))


def patterns(query: str) -> Iterator[Token]:
    """The tokens of a query but those of its lists: what it selects, groups and orders by."""
    in_list = False
    for kind, text, _, word in tokens(query):
        if word in ("SELECT", "GROUP", "ORDER"):
            in_list = True
        elif word in ("WHERE", "HAVING", "LIMIT", "OFFSET", "EXISTS") or text in ("{", "}"):
            in_list = False
        if not in_list:
            yield kind, text


def full(kind: str, text: str, spaces: dict[str, str]) -> str:
    """A name as an address; empty where its prefix is the query's own."""
    if kind == "iri":
        return text[1:-1]
    prefix, _, name = text.partition(":")
    return (
        (spaces[prefix] + name.rstrip(".") if prefix in spaces else "") if kind == "name" else text
    )


def is_any_predicate(before: Token, here: Token, after: Token) -> bool:
    """Whether this is a variable where a predicate stands, all predicates but some, or a name
    nobody here knows.
    """
    kind, text = here
    if kind == "variable":
        return (
            before[0] == "variable"
            or before[1] in (";", "[", "]")
            or (before[0] in ("iri", "name") and begins_a_term(after))
        )
    if text == "!":
        return after[0] in ("iri", "name") or after[1] in ("^", "a")
    negated_list = (
        before[1] == "!" and text == "(" and (after[0] in ("iri", "name") or after[1] in ("^", "a"))
    )
    return negated_list or (kind == "name" and not text)


def begins_a_term(token: Token) -> bool:
    return token[0] in TERMS or token[1] in ("[", "(", "true", "false")


def is_type(token: Token) -> bool:
    return token == ("word", "a") or (token[0] in ("iri", "name") and token[1] == rdf.type)


@cache
def followed_in(query: str, base: str) -> frozenset[str]:
    """The predicates that a query follows any number of times, alone or as one of several in
    brackets.
    """
    spaces = prefixes(base)
    text = " ".join(
        full(kind, text, spaces) if kind != "string" else '""' for kind, text, _, _ in tokens(query)
    )
    ends = re.findall(r"(\S+) [*+]", text)
    groups = (name for group in re.findall(r"\( ([^?$]*?) \) [*+]", text) for name in group.split())
    return frozenset(name for name in (*ends, *groups) if ":" in name)
