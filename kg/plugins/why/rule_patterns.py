"""Parses the triple patterns of a rule, to find the triples it was derived from.

A group is parsed into alternatives: several for a UNION, each with the patterns that hold together.
Groups of OPTIONAL, MINUS and EXISTS are kept beside them, and share only variables that are bound
there. All other variables are renamed, as are those that a subquery does not select. Expressions
are skipped. Anything unsupported (SERVICE, negated paths, blank nodes) raises `UnknownQuery`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, replace
from itertools import count, pairwise, product
from urllib.parse import urljoin

from kg.sparql.reading.tokens import END, Token, tokens
from kg.vocab import PREFIXES, rdf

MAX_ALTERNATIVES = 64
ANY = ""  # any property


class UnknownQuery(Exception):
    """A query that this parser does not support."""


@dataclass(frozen=True)
class Edge:
    """A step between two nodes along these properties; True means inverse. `is_closed`: any number
    of times; `may_be_empty`: also zero times.
    """

    links: frozenset[tuple[str, bool]]
    is_closed: bool = False
    may_be_empty: bool = False

    def reversed(self) -> Edge:
        return replace(self, links=frozenset((name, not inverse) for name, inverse in self.links))


def along(predicate: str) -> Edge:
    return Edge(frozenset({(predicate, False)}))


@dataclass(frozen=True)
class Pattern:
    """One step of a triple pattern. Its ends are `?variables`, `<IRIs>`, or empty for literals."""

    subject: str
    edge: Edge
    object: str
    graph: str = ""

    @property
    def variables(self) -> set[str]:
        return {end for end in (self.subject, self.object, self.graph) if end.startswith("?")}


@dataclass(frozen=True)
class Alternative:
    """Patterns that hold together, and the groups of OPTIONAL, MINUS and EXISTS beside them."""

    patterns: tuple[Pattern, ...] = ()
    beside: tuple[Alternatives, ...] = ()


Alternatives = tuple[Alternative, ...]
NOTHING: Alternatives = (Alternative(),)


def join(one: Alternatives, other: Alternatives) -> Alternatives:
    if len(one) * len(other) > MAX_ALTERNATIVES:
        raise UnknownQuery
    return tuple(
        Alternative(left.patterns + right.patterns, left.beside + right.beside)
        for left, right in product(one, other)
    )


def certain(group: Alternatives) -> set[str]:
    """The variables that are bound in every solution."""
    return set.intersection(
        *(set[str]().union(*(each.variables for each in one.patterns)) for one in group)
    )


class PatternParser:
    """Parses the groups of a query."""

    def __init__(self, query: str, base: str) -> None:
        self.tokens, self.at, self.numbers = [*tokens(query), END], 0, count(1)
        self.base, self.prefixes = base, dict(PREFIXES)
        self.is_limited = False
        self.graph = ""
        # for each group: variable -> the properties it may stand for
        self.choices: dict[int, dict[str, Edge]] = {}
        self.group_at = 0
        self.scopes: list[
            tuple[int, Set[str]]
        ] = []  # number, and the variables shared with the enclosing scope

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    def advance(self) -> Token:
        if self.here is END:
            raise UnknownQuery("the end")
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, text: str) -> bool:
        """Consumes the next token if it is this sign or upper-case keyword; returns whether it
        was.
        """
        found = text in (self.here.text, self.here.word)
        self.at += found
        return found

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise UnknownQuery(f"{text} expected, not {self.here.text}")

    def select(self) -> Alternatives:
        """Parses a subquery; variables that it does not select are local."""
        self.expect("SELECT")
        selected, found = set[str](), NOTHING
        while self.here.text != "{" and not self.take("WHERE"):
            if self.here.kind == "variable":
                selected.add(self.variable())
            elif self.here.text == "(":
                found = join(found, self.expression(frozenset()))
            elif self.take("*"):
                selected |= {f"?{each.text[1:]}" for each in self.tokens if each.kind == "variable"}
            elif not (self.take("DISTINCT") or self.take("REDUCED")):
                raise UnknownQuery(self.here.text)
        self.scopes.append((next(self.numbers), selected))
        found = join(found, self.group())
        visible, self.is_limited = certain(found), False
        while self.here is not END and self.here.text != "}":
            word = self.advance().word
            self.is_limited |= word in ("LIMIT", "OFFSET")
            if word == "EXISTS":
                found = join(found, self.group_beside(visible))
            elif word == "VALUES":
                self.skip_values()
        self.scopes.pop()
        return found

    def group(self) -> Alternatives:
        self.expect("{")
        around, self.group_at = self.group_at, self.at - 1
        found = NOTHING
        if self.here.word == "SELECT":
            found = self.select()
            if self.is_limited:  # then its result for one entity depends on all others
                raise UnknownQuery
        while not self.take("}"):
            found = join(found, self.element(certain(found)))
        self.group_at = around
        return found

    def find_choices(self) -> dict[int, dict[str, Edge]]:
        """For each group, by its opening bracket, the variables that a filter restricts to IRIs:
        `FILTER(?property IN (schema:name, schema:url))`.
        """
        found: dict[int, dict[str, Edge]] = defaultdict(dict)
        start, opened = self.at, [0]
        for at, token in enumerate(self.tokens):
            if token.text == "{":
                opened.append(at)
            elif token.text == "}":
                opened = opened[:-1] or [0]
            elif token.word == "IN" and self.tokens[at - 3].word == "FILTER":
                self.at, choice = at + 2, set[tuple[str, bool]]()
                while self.here.kind in ("iri", "name"):
                    choice.add((self.address()[1:-1], False))
                    self.take(",")
                if self.take(")") and self.take(")"):
                    found[opened[-1]][self.tokens[at - 1].text[1:]] = Edge(frozenset(choice))
        self.at = start
        return found

    def element(self, visible: Set[str]) -> Alternatives:
        match self.here.word or self.here.text:
            case "OPTIONAL" | "MINUS":
                self.advance()
                found = self.group_beside(visible)
            case "GRAPH":
                self.advance()
                around, self.graph = self.graph, self.term()
                found = self.group()
                self.graph = around
            case "{":
                found = self.group()
                while self.take("UNION"):
                    found += self.group()
            case "FILTER" | "BIND":
                self.advance()
                found = self.expression(visible)
            case "VALUES":
                found = self.skip_values()
            case ".":
                self.advance()
                found = NOTHING
            case _:
                found = self.triples()
        return found

    def group_beside(self, visible: Set[str]) -> Alternatives:
        self.scopes.append((next(self.numbers), visible))
        found = self.group()
        self.scopes.pop()
        return (Alternative(beside=(found,)),)

    def expression(self, visible: Set[str]) -> Alternatives:
        """Skips an expression in brackets or a call, except for the groups of EXISTS in it."""
        found, depth = NOTHING, 0
        while True:
            token = self.advance()
            depth += (token.text == "(") - (token.text == ")")
            if token.word == "EXISTS":
                found = join(found, self.group_beside(visible))
            if not depth and (token.word == "EXISTS" or token.text == ")"):
                return found

    def skip_values(self) -> Alternatives:
        while self.advance().text != "}":
            pass
        return NOTHING

    def triples(self) -> Alternatives:
        """Parses the triples of a subject: `?value schema:name ?name ; schema:url ?one, ?other`."""
        found: list[Pattern] = []
        subject = self.term()
        while self.here.text not in (".", "}"):
            steps = self.path()
            is_more = True
            while is_more:
                between = (
                    f"?/{next(self.numbers)}" for _ in steps[1:]
                )  # not a valid variable name, so it is unique
                nodes = [subject, *between, self.term()]
                found += [
                    Pattern(here, edge, there, self.graph)
                    for (here, there), edge in zip(pairwise(nodes), steps, strict=True)
                ]
                is_more = self.take(",")
            if not self.take(";"):
                break
            while self.take(";"):
                pass
        return (Alternative(tuple(found)),)

    def term(self) -> str:
        """Parses an end of a pattern."""
        if self.here.kind == "variable":
            return self.variable()
        if self.here.kind in ("iri", "name"):
            return self.address()
        token = self.advance()
        if token.text in ("+", "-"):
            token = self.advance()
        if token.kind not in ("string", "number") and token.word not in ("TRUE", "FALSE"):
            raise UnknownQuery(token.text)
        if self.here.kind == "tag":
            self.advance()
        elif self.take("^"):
            self.expect("^")
            self.address()
        return ""

    def variable(self) -> str:
        name = own = f"?{self.advance().text[1:]}"
        for number, visible in self.scopes:
            if name not in visible:
                name = f"{own}.{number}"
        return name

    def address(self) -> str:
        """Parses an IRI, and returns it absolute: `<IRI>`."""
        token = self.advance()
        if token.kind == "iri" and "\\" not in token.text:
            address = token.text[1:-1]
            mark = "#" * address.endswith("#")  # urljoin drops it
            if ":" not in address.partition("/")[0]:  # relative
                address = urljoin(self.base, address.removesuffix("#")) + mark
            return f"<{address}>"
        # A dot directly after a name ends the triple, and is not part of the name.
        prefix, _, name = token.text.rstrip(".").partition(":")
        if token.kind != "name" or "\\" in name or prefix not in self.prefixes:
            raise UnknownQuery(token.text)
        return f"<{self.prefixes[prefix]}{name}>"

    def path(self) -> list[Edge]:
        if self.here.kind == "variable":
            return [self.choices.get(self.group_at, {}).get(self.advance().text[1:], along(ANY))]
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        if len(branches) == 1:
            return branches[0]
        return [Edge(frozenset[tuple[str, bool]]().union(*map(plain_links, branches)))]

    def sequence(self) -> list[Edge]:
        steps = self.step()
        while self.take("/"):
            steps += self.step()
        return steps

    def step(self) -> list[Edge]:
        is_inverse = self.take("^")
        if self.take("("):
            steps = self.path()
            self.expect(")")
        else:
            steps = [along(rdf.type if self.take("A") else self.address()[1:-1])]
        if self.here.text in ("*", "+", "?"):
            sign = self.advance().text
            steps = [Edge(plain_links(steps), is_closed=True, may_be_empty=sign != "+")]
        return [edge.reversed() for edge in reversed(steps)] if is_inverse else steps


def plain_links(steps: list[Edge]) -> frozenset[tuple[str, bool]]:
    if len(steps) != 1 or steps[0].is_closed:
        raise UnknownQuery("a path in a path")
    return steps[0].links
