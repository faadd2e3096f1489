"""Finds the triples that a rule used to derive another: the matches of its patterns in the graph.

Applied to these triples alone, the rule gives the derived triple. Paths are followed from end to
end. Matches of OPTIONAL and EXISTS are included if there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from kg.errors import BadQuery
from kg.plugins.why.rule_patterns import (
    Alternatives,
    Pattern,
    PatternParser,
    UnknownQuery,
    certain,
)
from kg.store.memory import Memory

Term = NamedNode | BlankNode | Literal | Triple
Bound = Mapping[str, Term]


class RuleQuery(NamedTuple):
    """A rule as a SELECT query, with the patterns of its result and of its conditions."""

    select: str
    says: Alternatives
    patterns: Alternatives


class RuleParser(PatternParser):
    """Parses a CONSTRUCT. Literals in its patterns keep their text."""

    def __init__(self, query: str, base: str) -> None:
        super().__init__(query, base)
        self.text = query

    def rule(self) -> RuleQuery:
        while self.take("PREFIX"):
            prefix = self.advance().text.removesuffix(":")
            self.prefixes[prefix] = self.address()[1:-1]
        self.choices = self.find_choices()
        prologue = self.text[: self.here.start]
        self.expect("CONSTRUCT")
        says = self.group() if self.here.text == "{" else None
        where = self.text[self.here.start :]
        self.take("WHERE")
        patterns = self.group()
        return RuleQuery(f"{prologue}SELECT * {where}", says or patterns, patterns)

    def term(self) -> str:
        start = self.here.start
        return super().term() or self.text[start : self.here.start].strip()


class Support:
    """Finds the triples that a rule used, in a graph without derived triples."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def of(self, query: str, triple: Triple) -> list[Triple]:
        """The triples of the first match by which a rule gives a triple; empty if the rule is not
        supported.
        """
        try:
            rule = RuleParser(query, self.memory.base).rule()
            for said in (said for group in rule.says for said in group.patterns):
                for values in self.solutions(rule, said, triple):
                    if found := self.instance(rule.patterns, values):
                        return list(dict.fromkeys(found))
        except (UnknownQuery, BadQuery):
            return []
        return []

    def solutions(self, rule: RuleQuery, said: Pattern, triple: Triple) -> Iterator[Bound]:
        """The bindings with which a rule gives a triple by one of its patterns."""
        if {predicate for predicate, _ in said.edge.links} != {triple.predicate.value}:
            return
        given = {
            end: term.value
            for end, term in ((said.subject, triple.subject), (said.object, triple.object))
            if end in certain(rule.patterns) and isinstance(term, NamedNode)
        }
        named = {end[1:]: value for end, value in given.items()}
        for row in self.memory.select(rule.select, **named):
            values = {f"?{name}": term for name, term in row.items()}
            if (self.value(said.subject, values), self.value(said.object, values)) == (
                triple.subject,
                triple.object,
            ):
                yield values

    def instance(self, groups: Alternatives, values: Bound) -> list[Triple]:
        """The patterns of the first alternative that matches these bindings, as triples, with the
        groups beside it whose variables are bound.
        """
        for group in groups:
            for found in self.matches(group.patterns, values):
                beside = [
                    triple
                    for others in group.beside
                    for one in others
                    if all(
                        own_name(each) in values for part in one.patterns for each in part.variables
                    )
                    for triple in next(self.matches(one.patterns, values), [])
                ]
                return [*found, *beside]
        return []

    def matches(self, patterns: Sequence[Pattern], values: Bound) -> Iterator[list[Triple]]:
        """All matches of the patterns in the graph. Nodes between the steps of a path are
        unbound.
        """
        if not patterns:
            yield []
            return
        for found, known in self.steps(patterns[0], values):
            for more in self.matches(patterns[1:], known):
                yield [*found, *more]

    def steps(self, pattern: Pattern, values: Bound) -> Iterator[tuple[list[Triple], Bound]]:
        start, end = (self.value(each, values) for each in (pattern.subject, pattern.object))
        if pattern.edge.is_closed:
            if start is not None and end is not None:
                yield from ((chain, values) for chain in self.chain(pattern, start, end))
            return
        for predicate, is_inverse in sorted(pattern.edge.links):
            ends = (end, start) if is_inverse else (start, end)
            for quad in self.quads(ends[0], predicate, ends[1]):
                far = (quad.object, quad.subject) if is_inverse else (quad.subject, quad.object)
                known = dict(
                    zip(map(own_name, (pattern.subject, pattern.object)), far, strict=True)
                )
                yield [quad.triple], {**known, **values}

    def chain(self, pattern: Pattern, start: Term, end: Term) -> Iterator[list[Triple]]:
        """The shortest path of any length."""
        if start == end and pattern.edge.may_be_empty:
            yield []
            return
        ways: dict[Term, list[Triple]] = {start: []}
        for node in (waiting := [start]):
            for predicate, is_inverse in sorted(pattern.edge.links):
                for quad in self.quads(
                    *((None, predicate, node) if is_inverse else (node, predicate, None))
                ):
                    other = quad.subject if is_inverse else quad.object
                    if other == end:
                        yield [*ways[node], quad.triple]
                        return
                    if other not in ways:
                        ways[other] = [*ways[node], quad.triple]
                        waiting.append(other)

    def quads(self, subject: Term | None, predicate: str, object_: Term | None) -> list[Quad]:
        if isinstance(subject, Literal | Triple):
            return []
        named = NamedNode(predicate) if predicate else None
        found = self.memory.store.quads_for_pattern(subject, named, object_)
        return sorted(found, key=str)

    def value(self, end: str, values: Bound) -> Term | None:
        if end.startswith("?"):
            return values.get(own_name(end))
        if end.startswith("<"):
            return NamedNode(end[1:-1])
        return self.literal(end)

    def literal(self, text: str) -> Term | None:
        rows = self.memory.select(f"SELECT ({text} AS ?value) WHERE {{}}")
        return rows[0]["value"] if rows else None


def own_name(variable: str) -> str:
    """The variable name in the rule, without the number of its scope."""
    return variable.partition(".")[0]
