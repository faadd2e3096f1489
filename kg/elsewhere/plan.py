"""Which triples a query of ours can touch, found step by step: what is known of its variables leads
to what must be looked up next.

Servers differ in what they make of a query; none differs in which triples have a given subject or
object. So only those are asked for, and the query is evaluated here, on all that it can touch: with
the same answer everywhere, in few requests however many queries a page has.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

from pyoxigraph import NamedNode, Store
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Node, Variable

from kg.elsewhere.algebra import (
    TYPE,
    effort,
    groups_in,
    joined,
    narrowed,
    patterns_in,
    subjects_in,
    term_of,
)
from kg.elsewhere.paths import Lookup, Ways, together
from kg.errors import BadQuery
from kg.mapping import iris
from kg.store.memory import bound
from kg.store.protocol import Term

PLACEHOLDER = "urn:kg:value:"  # stands in a plan where a value will be
THROUGH = ("SelectQuery", "Distinct", "Reduced", "OrderBy", "Slice", "AggregateJoin", "Group")
PARSING = Lock()  # the parser is for one thread at a time


Known = dict[str, frozenset[Term]]  # what a variable may be, of those that surely have a value
Steps = Generator[set[Lookup], None, Known]


class Plan:
    """Of one query whose variables `names` will be given values."""

    def __init__(self, query: str, base: str, names: Sequence[str]) -> None:
        text = bound(query, {name: f"{PLACEHOLDER}{name}" for name in names})
        with PARSING:
            self.algebra: CompValue = translateQuery(parseQuery(text), base=base).algebra

    def steps(self, store: Store, values: Mapping[str, Iterable[str]]) -> Steps:
        """What to look up, step by step; what was is in the store when the next step is asked
        for.
        """
        return Planned(store, values).part(self.algebra, {})


@lru_cache(maxsize=1024)
def plan(query: str, base: str, names: tuple[str, ...]) -> Plan:
    """Of a query of ours; there are few, and to read one takes long."""
    return Plan(query, base, names)


class Planned:
    def __init__(
        self,
        store: Store,
        values: Mapping[str, Iterable[str]],
        graphs: frozenset[Term] | None = None,
    ) -> None:
        """`graphs`: within these, all of which are there."""
        self.store, self.graphs = store, graphs
        self.values = {
            PLACEHOLDER + name: frozenset(map(NamedNode, given)) for name, given in values.items()
        }
        self.ways = Ways(store)

    def part(self, part: CompValue, known: Known) -> Steps:
        """What is known after a part of a query."""
        if part.name in THROUGH:
            return (yield from self.part(part.p, known))
        maker = getattr(self, f"of_{part.name.lower()}", None)
        if maker is None:
            raise BadQuery(f"{part.name} cannot be asked of a server elsewhere")
        found: Known = yield from maker(part, known)
        return found

    def of_project(self, part: CompValue, known: Known) -> Steps:
        found = yield from self.part(part.p, known)
        return {name: terms for name, terms in found.items() if Variable(name) in part.PV}

    def of_bgp(self, part: CompValue, known: Known) -> Steps:
        left = list(part.triples)
        while left:
            ready = [each for each in left if self.is_ready(each, known)] or [min(left, key=effort)]
            for found in (yield from together([self.match(each, known) for each in ready])):
                known = {
                    **known,
                    **{name: terms & known.get(name, terms) for name, terms in found.items()},
                }
            left = [each for each in left if each not in ready]
        return known

    def of_join(self, part: CompValue, known: Known) -> Steps:
        left = list(joined(part))
        while left:
            each = next((each for each in left if self.begins(each, known)), left[0])
            known = yield from self.part(each, known)
            left.remove(each)
        return known

    def of_leftjoin(self, part: CompValue, known: Known) -> Steps:
        options = []
        while part.name == "LeftJoin":
            options.append(part)
            part = part.p1
        known = yield from self.part(part, known)
        yield from together([self.option(each, known) for each in options])
        return known

    def option(self, part: CompValue, known: Known) -> Steps:
        return (yield from self.exists(part.expr, (yield from self.part(part.p2, known))))

    def of_union(self, part: CompValue, known: Known) -> Steps:
        one, other = yield from together([self.part(part.p1, known), self.part(part.p2, known)])
        return {**known, **{name: one[name] | other[name] for name in one.keys() & other.keys()}}

    def of_filter(self, part: CompValue, known: Known) -> Steps:
        return (yield from self.exists(part.expr, (yield from self.part(part.p, known))))

    def of_extend(self, part: CompValue, known: Known) -> Steps:
        known = yield from self.part(part.p, known)
        known = yield from self.exists(part.expr, known)
        return (
            {**known, str(part.var): known[str(part.expr)]}
            if isinstance(part.expr, Variable) and str(part.expr) in known
            else known
        )

    def of_minus(self, part: CompValue, known: Known) -> Steps:
        known = yield from self.part(part.p1, known)
        yield from self.part(part.p2, known)
        return known

    def of_tomultiset(self, part: CompValue, known: Known) -> Steps:
        """VALUES, or a query within: that sees nothing from outside, but what it groups by may be
        narrowed to what is wanted of it.
        """
        if part.p.name != "values":
            found = yield from self.part(
                part.p, {name: terms for name, terms in known.items() if name in narrowed(part.p)}
            )
            return {
                **known,
                **{name: terms & known.get(name, terms) for name, terms in found.items()},
            }
        rows = part.p.res
        names = {str(name) for row in rows for name in row}
        sure = [
            name for name in names if all(isinstance(row.get(Variable(name)), Node) for row in rows)
        ]
        given = {
            name: frozenset().union(*(self.terms(row[Variable(name)], {}) for row in rows))
            for name in sure
        }
        yield from ()
        return {**known, **{name: terms & known.get(name, terms) for name, terms in given.items()}}

    def of_graph(self, part: CompValue, known: Known) -> Steps:
        """A triple is in the document of its subject, so that subjects tell the graphs, and graphs
        the subjects.
        """
        graphs = self.terms(part.term, known)
        if graphs:
            yield {Lookup("g", graph) for graph in graphs}
            inside = Planned(self.store, {}, graphs)
            inside.values = self.values
            return (yield from inside.part(part.p, known))
        known = yield from self.part(part.p, known)
        subjects = {term for name in subjects_in(part.p) for term in known.get(name, ())}
        documents = frozenset(
            NamedNode(iris.document_of(term.value))
            for term in subjects
            if isinstance(term, NamedNode)
        )
        return {**known, str(part.term): documents}

    def exists(self, expression: Any, known: Known) -> Steps:
        """What EXISTS and NOT EXISTS look at, anywhere in an expression."""
        yield from together([self.part(group, known) for group in groups_in(expression)])
        return known

    def terms(self, node: Node, known: Known) -> frozenset[Term]:
        """What may stand in the place of a node; nothing where that is not known."""
        if isinstance(node, Variable):
            return known.get(str(node), frozenset())
        return self.values.get(str(node)) or frozenset([term_of(node)])

    def is_bound(self, node: Node, known: Known) -> bool:
        return isinstance(node, Variable) and str(node) in known

    def is_ready(self, pattern: Any, known: Known) -> bool:
        """Whether it begins at something that is known. Of a class there is too much to begin
        with.
        """
        subject, way, object = pattern
        return (
            not isinstance(subject, Variable)
            or self.is_bound(subject, known)
            or (self.is_bound(object, known) and way != TYPE)
        )

    def begins(self, part: CompValue, known: Known) -> bool:
        return part.name == "ToMultiSet" or any(
            self.is_ready(each, known) for each in patterns_in(part)
        )

    def match(self, pattern: Any, known: Known) -> Steps:
        """What the ends of a pattern may be."""
        subject, way, object = pattern
        predicates = None if isinstance(way, Variable) else way
        if not isinstance(subject, Variable) or self.is_bound(subject, known):
            ends = yield from self.ways.walk(predicates, self.terms(subject, known), True)
            return {str(object): ends} if isinstance(object, Variable) else {}
        if not isinstance(object, Variable) or self.is_bound(object, known):
            starts = yield from self.ways.walk(predicates, self.terms(object, known), False)
            return {str(subject): starts}
        starts, ends = yield from self.ways.all(predicates, self.graphs)
        return {str(subject): starts, str(object): ends}
