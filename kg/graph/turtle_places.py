"""Finds the place of each triple in a Turtle text.

The parser does not keep places. So a valid text is rewritten with one triple per line and a label
for each bracket; the triples parsed from it have the places of their lines.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from pyoxigraph import RdfFormat, Triple, parse

from kg.graph.rdf_files import refuse_unbounded
from kg.vocab import rdf

NAME = r"""[^\s<>"'\[\](),;.\\\#^@~|{}]|\\."""
TOKEN = re.compile(
    rf"""(?:\s|\#[^\n\r]*+)*+(
      \"\"\"(?:[^"\\]|\\.|"(?!""))*+\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*+'''
    | "(?:[^"\\]|\\.)*+" | '(?:[^'\\]|\\.)*+'
    | <<|>>|\{{\||\|\}} | <[^<>\s]*+> | \^\^ | [\[\](),;~] | @[A-Za-z0-9-]+
    | (?:{NAME}|\.(?=[0-9]))(?:{NAME}|\.+(?={NAME}))*+ | \. | \Z)""",
    re.VERBOSE | re.DOTALL | re.ASCII,  # in Turtle, other spaces are ordinary characters
)
FIRST, REST, NIL = (f"<{rdf}{name}>" for name in ("first", "rest", "nil"))
ABOUT_TRIPLES = {"<<", "{|", "~"}


class Term(NamedTuple):
    text: str
    start: int


class TriplePlace(NamedTuple):
    """The offsets of the subject, the predicate and the object of a triple."""

    subject: int
    predicate: int
    object: int


def read(text: str, base: str) -> dict[Triple, TriplePlace | None]:
    """The triples of a text with their places; None if it contains triples about triples. Raises
    SyntaxError.
    """
    refuse_unbounded(text.encode(), RdfFormat.TURTLE)
    quads = list(parse(text, RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True))
    try:
        plain = PlainTurtle(text)
    except (NotImplementedError, RecursionError):
        return dict.fromkeys(quad.triple for quad in quads)
    quads = list(
        parse("\n".join(plain.lines), RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True)
    )
    # In reverse order, because the first place of a repeated triple counts.
    back = zip(reversed(quads), reversed(plain.places), strict=True)
    found = {quad.triple: place for quad, place in back}
    return dict(reversed(found.items()))


class PlainTurtle:
    """A valid Turtle text, rewritten with one triple per line."""

    def __init__(self, text: str) -> None:
        self.lines: list[str] = []
        self.places: list[TriplePlace] = []
        self.tokens = TOKEN.finditer(text)
        self.next = next(self.tokens)
        while self.next[1]:
            self.statement(self.next[1].lower())

    def take(self) -> Term:
        token = self.next
        if token[1] in ABOUT_TRIPLES:
            raise NotImplementedError
        if token[1]:
            self.next = next(self.tokens)
        return Term(token[1], token.start(1))

    def sees(self, *texts: str) -> bool:
        return self.next[1] in ("", *texts)

    def statement(self, word: str) -> None:
        if word.lstrip("@") in ("prefix", "base", "version"):
            number = 3 if word.endswith("prefix") else 2
            end = " ." if word.startswith("@") else ""
            self.lines.append(" ".join(self.take().text for _ in range(number)) + end)
        else:
            self.properties(self.term())
        if self.sees("."):
            self.take()

    def properties(self, subject: Term) -> None:
        """Reads the predicates and objects of a subject, up to the end of the statement."""
        while not self.sees(".", "]"):
            predicate = self.take()
            while predicate.text != ";":
                self.triple(subject, predicate, self.term())
                if not self.sees(","):
                    break
                self.take()

    def triple(self, *terms: Term) -> None:
        self.lines.append(" ".join(term.text for term in terms) + " .")
        self.places.append(TriplePlace(*(term.start for term in terms)))

    def term(self) -> Term:
        """The next subject or object; the triples inside its brackets are written first."""
        token = self.take()
        label = Term(f"_:at-{token.start}", token.start)
        if token.text == "[":
            self.properties(label)
            self.take()
            return label
        if token.text == "(":
            return self.list(token)
        if token.text[0] in "\"'" and self.sees("^^"):
            return Term(token.text + self.take().text + self.take().text, token.start)
        if token.text[0] in "\"'" and self.next[1].startswith("@"):
            return Term(token.text + self.take().text, token.start)
        return token

    def list(self, bracket: Term) -> Term:
        items = []
        while not self.sees(")"):
            items.append(self.term())
        self.take()
        nodes = [Term(f"_:item-{item.start}", bracket.start) for item in items]
        nodes.append(Term(NIL, bracket.start))
        for item, (node, rest) in zip(items, pairwise(nodes), strict=True):
            self.triple(node, Term(FIRST, item.start), item)
            self.triple(node, Term(REST, item.start), rest)
        return nodes[0]
