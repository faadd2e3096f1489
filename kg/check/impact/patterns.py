"""Reads the triple patterns of a SPARQL query from its tokens, group by group.

Expressions are skipped, except for the patterns of EXISTS. A query with anything that is not known
here (SERVICE, negated paths, collections) raises `UnknownQuery`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urljoin

from kg.sparql.reading.tokens import END, Token, tokens
from kg.vocab import prefixes, rdf

AGGREGATES = {"COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"}


class UnknownQuery(Exception):
    """A query whose patterns cannot be read here."""


@dataclass(frozen=True)
class Edge:
    """From one node to the next: along properties, against those that are `inverse`; any property
    where `is_any`. `is_closed`: any number of times, and `may_be_empty`: also none. `to_graph` and
    `from_graph` are the steps between a thing and its document.
    """

    links: frozenset[tuple[str, bool]] = frozenset()
    is_any: bool = False
    is_closed: bool = False
    may_be_empty: bool = False
    to_graph: bool = False
    from_graph: bool = False

    def reversed(self) -> Edge:
        if self.is_any:
            return AGAINST_ANY if self == ALONG_ANY else ALONG_ANY
        links = frozenset((predicate, not inverse) for predicate, inverse in self.links)
        return Edge(links, False, self.is_closed, self.may_be_empty, self.from_graph, self.to_graph)


ALONG_ANY, AGAINST_ANY = Edge(is_any=True), Edge(frozenset({("", True)}), is_any=True)
TO_GRAPH = Edge(to_graph=True)


@dataclass(frozen=True)
class Triple:
    """Its ends are `?variables`, `<addresses>`, or empty for literals; `predicate` is the variable
    in its place, if there is one.
    """

    subject: str
    steps: tuple[Edge, ...]
    object: str
    number: int
    predicate: str = ""


@dataclass(frozen=True)
class Branches:
    """The alternatives of a UNION, or one nested group."""

    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Beside:
    """OPTIONAL or MINUS."""

    group: Group


@dataclass(frozen=True)
class InGraph:
    term: str
    group: Group


@dataclass
class Group:
    """The elements between braces; `exists` are the patterns in its filters, `listed` the values
    of a variable in `FILTER(?p IN (…))`.
    """

    number: int
    elements: list[Element] = field(default_factory=list)
    exists: list[Group] = field(default_factory=list)
    listed: dict[str, frozenset[str]] = field(default_factory=dict)

    def variables(self) -> set[str]:
        found = {name for group in self.exists for name in group.variables()}
        return found.union(*map(variables_of, self.elements))


@dataclass
class Select:
    """A query or subquery; `projected` is None for `*`, `keys` where nothing is grouped."""

    group: Group
    projected: set[str] | None = None
    computed: set[str] = field(default_factory=set)
    keys: set[str] | None = None
    is_limited: bool = False
    exists: list[Group] = field(default_factory=list)

    def is_visible(self, variable: str) -> bool:
        return self.projected is None or variable in self.projected | self.computed


Element = Triple | Branches | Beside | InGraph | Select


def variables_of(element: Element) -> set[str]:
    match element:
        case Triple():
            return {end for end in (element.subject, element.object) if end.startswith("?")}
        case Branches():
            return set[str]().union(*(group.variables() for group in element.groups))
        case Beside():
            return element.group.variables()
        case InGraph():
            return element.group.variables() | ({element.term} if element.term[0] == "?" else set())
        case _:
            return {name for name in element.group.variables() if element.is_visible(name)}


def parse_query(query: str, base: str) -> Select:
    return Parser(query, base).query()


class Parser:
    def __init__(self, query: str, base: str) -> None:
        self.tokens = list(separated(tokens(query)))
        self.base, self.prefixes = base, dict(prefixes(base))
        self.at, self.numbers = 0, count(1)

    @property
    def here(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else END

    def advance(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else END

    def take(self, text: str) -> bool:
        """Whether this comes next, a sign or a keyword in capitals; then it is behind us."""
        found = text in (self.here.text, self.here.word)
        self.at += found
        return found

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise UnknownQuery(f"{text} expected, not {self.here.text}")

    def query(self) -> Select:
        while self.take("PREFIX"):
            prefix = self.advance().text.removesuffix(":")
            self.prefixes[prefix] = self.address()[1:-1]
        found = self.select()
        if self.here is not END:
            raise UnknownQuery(self.here.text)
        return found

    def select(self) -> Select:
        self.expect("SELECT")
        found = Select(Group(0), set())
        while self.here.text != "{" and not self.take("WHERE"):
            if self.here.kind == "variable":
                found.projected = (found.projected or set()) | {self.variable()}
            elif self.here.text == "(":
                start = self.at
                self.expression(found.exists)
                found.computed.add(f"?{self.tokens[self.at - 2].text[1:]}")
                if any(each.word in AGGREGATES for each in self.tokens[start : self.at]):
                    found.keys = set()
            elif self.take("*"):
                found.projected = None
            elif not (self.take("DISTINCT") or self.take("REDUCED")):
                raise UnknownQuery(self.here.text)
        found.group = self.group()
        self.modifiers(found)
        return found

    def modifiers(self, select: Select) -> None:
        """GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET and VALUES, behind the group."""
        is_keys = False
        while self.here is not END and self.here.text != "}":
            if self.take("GROUP"):
                is_keys, select.keys = True, set()
            elif self.here.word in ("HAVING", "ORDER"):
                self.advance()
                is_keys = False
            elif self.here.word in ("LIMIT", "OFFSET"):
                self.advance()
                select.is_limited = True
            elif self.take("VALUES"):
                self.values()
            elif self.here.kind == "variable":
                name = self.variable()
                if is_keys and select.keys is not None:
                    select.keys.add(name)
            elif self.here.text == "(":
                self.expression(select.exists)
            elif self.advance().kind not in ("word", "name", "iri", "number"):
                raise UnknownQuery

    def group(self) -> Group:
        self.expect("{")
        found = Group(next(self.numbers))
        if self.here.word == "SELECT":
            found.elements.append(self.select())
        while not self.take("}"):
            if not self.take("."):
                self.element(found)
        return found

    def element(self, group: Group) -> None:
        match self.here.word or self.here.text:
            case "OPTIONAL" | "MINUS":
                self.advance()
                group.elements.append(Beside(self.group()))
            case "GRAPH":
                self.advance()
                group.elements.append(InGraph(self.term(group), self.group()))
            case "{":
                groups = [self.group()]
                while self.take("UNION"):
                    groups.append(self.group())
                group.elements.append(Branches(tuple(groups)))
            case "FILTER":
                self.advance()
                group.listed |= self.listed()
                self.expression(group.exists)
            case "BIND":
                self.advance()
                self.expression(group.exists)
            case "VALUES":
                self.advance()
                self.values()
            case _:
                is_node = self.here.text == "["
                subject = self.term(group)
                if not is_node or self.here.text not in (".", "}"):
                    self.properties(group, subject)

    def properties(self, group: Group, subject: str) -> None:
        """Predicates and objects of a subject: `schema:name ?name ; schema:url ?one, ?other`."""
        while True:
            if self.here.kind == "variable":
                predicate, steps = self.variable(), [ALONG_ANY]
            else:
                predicate, steps = "", self.path()
            while True:
                value = self.term(group)
                triple = Triple(subject, tuple(steps), value, next(self.numbers), predicate)
                group.elements.append(triple)
                if not self.take(","):
                    break
            if not self.take(";"):
                return
            while self.take(";"):
                pass
            if self.here.text in (".", "}", "]"):
                return

    def term(self, group: Group) -> str:
        here = self.here
        if here.kind == "variable":
            return self.variable()
        if here.kind in ("iri", "name"):
            return self.address()
        self.advance()
        if here.text == "[":
            node = f"?[{next(self.numbers)}"
            if not self.take("]"):
                self.properties(group, node)
                self.expect("]")
            return node
        if here.kind == "operator" and here.text in "+-" and self.here.kind == "number":
            self.advance()
        elif here.kind == "string":
            if self.here.kind == "tag":
                self.advance()
            elif self.take("^"):
                self.expect("^")
                self.address()
        elif here.kind != "number" and here.word not in ("TRUE", "FALSE"):
            raise UnknownQuery(here.text)
        return ""

    def variable(self) -> str:
        return f"?{self.advance().text[1:]}"

    def address(self) -> str:
        """`<address>`; a blank node of a query is as good as a variable."""
        token = self.advance()
        if token.kind == "iri" and "\\" not in token.text:
            address = token.text[1:-1]
            if ":" in address.partition("/")[0]:
                return token.text
            mark = "#" * address.endswith("#")  # which would be lost
            return f"<{urljoin(self.base, address.removesuffix('#'))}{mark}>"
        prefix, _, name = token.text.partition(":")
        if token.kind == "name" and prefix == "_":
            return f"?{token.text}"
        if token.kind != "name" or "\\" in name or prefix not in self.prefixes:
            raise UnknownQuery(token.text)
        return f"<{self.prefixes[prefix]}{name}>"

    def path(self) -> list[Edge]:
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
        elif self.take("A"):
            steps = [Edge(frozenset({(rdf.type, False)}))]
        else:
            steps = [Edge(frozenset({(self.address()[1:-1], False)}))]
        if self.here.text in ("*", "+", "?"):
            sign = self.advance().text
            steps = [Edge(plain_links(steps), is_closed=True, may_be_empty=sign != "+")]
        return [edge.reversed() for edge in reversed(steps)] if is_inverse else steps

    def listed(self) -> dict[str, frozenset[str]]:
        """The addresses a variable is one of, if that is all the next expression says."""
        start, found = self.at, set()
        if self.take("(") and self.here.kind == "variable":
            name = self.variable()
            if self.take("IN") and self.take("("):
                while self.here.kind in ("iri", "name"):
                    found.add(self.address()[1:-1])
                    self.take(",")
                if self.take(")") and self.take(")"):
                    self.at = start
                    return {name: frozenset(found)}
        self.at = start
        return {}

    def expression(self, exists: list[Group]) -> None:
        """Skips an expression, in brackets or a call, and notes the groups of EXISTS in it."""
        while self.here.kind in ("word", "name", "iri"):
            if self.advance().word == "EXISTS":
                exists.append(self.group())
                return
        self.expect("(")
        depth = 1
        while depth:
            token = self.advance()
            if token is END:
                raise UnknownQuery
            if token.word == "EXISTS":
                exists.append(self.group())
            depth += (token.text == "(") - (token.text == ")")

    def values(self) -> None:
        if self.here.text == "(":
            self.skip("(", ")")
        else:
            self.advance()
        self.skip("{", "}")

    def skip(self, begin: str, end: str) -> None:
        self.expect(begin)
        while not self.take(end):
            if self.advance() is END:
                raise UnknownQuery


def separated(found: tuple[Token, ...]) -> Iterator[Token]:
    """The dot that ends a sentence may stand right behind a name, and is no part of it."""
    for token in found:
        name = token.text.rstrip(".")
        if token.kind == "name" and name != token.text:
            yield token._replace(text=name)
            yield Token("other", ".", token.start + len(name))
        else:
            yield token


def plain_links(steps: list[Edge]) -> frozenset[tuple[str, bool]]:
    if len(steps) != 1 or steps[0].is_closed or steps[0].is_any:
        raise UnknownQuery("a path in a path")
    return steps[0].links
