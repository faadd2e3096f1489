"""Drops the nodes that plainly conform to the local shapes, so that pyshacl judges the others only.

Most nodes do: they have one name, and it is not empty. Shapes of few kinds are known here. Where a
shape demands anything else, or a value is anything else, the node is left to pyshacl, which alone
finds and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg.check.shapes import Node, Shapes
from kg.vocab import rdf, rdfs, sh, xsd

WORDS = {
    rdf.type,
    rdfs.label,
    rdfs.comment,
    *(f"{sh}{term}" for term in ["severity", "message", "name", "description", "order", "group"]),
}
OF_NODES = WORDS | {sh.targetClass, f"{sh}property"}
OF_VALUES = WORDS | {
    f"{sh}{term}"
    for term in ["path", "minCount", "maxCount", "nodeKind", "pattern", "hasValue", "equals"]
}
TYPE = f"<{rdf.type}>"
PLAIN = re.compile(r'"[^"\\]*"|<[^<>\\]*>')  # a text without a language or an escape, or an address
NOTHING: frozenset[str] = frozenset()


class UnknownShape(Exception):
    """A shape of a kind that is not known here."""


@dataclass(frozen=True)
class Demand:
    """What a property shape demands of the values of its path. Terms are as N-Quads writes them."""

    path: str
    some: bool
    most: float
    addresses: bool
    patterns: tuple[re.Pattern[str], ...]
    among: frozenset[str]
    same: tuple[str, ...]

    def plainly_met(self, by_predicate: Mapping[str, Set[str]]) -> bool:
        values = by_predicate.get(self.path, NOTHING)
        return (
            bool(values or not self.some)
            and len(values) <= self.most
            and self.among <= values
            and all(by_predicate.get(other, NOTHING) == values for other in self.same)
            and all(map(self.plainly_fits, values))
        )

    def plainly_fits(self, value: str) -> bool:
        if not self.addresses and not self.patterns:
            return True
        is_plain = PLAIN.fullmatch(value) is not None and (value[0] == "<" or not self.addresses)
        return is_plain and all(pattern.search(value[1:-1]) for pattern in self.patterns)


class Prefilter:
    """What shapes demand of the nodes of each class; `sure` where all shapes are known ones."""

    def __init__(self, shapes: Shapes) -> None:
        self.sure, self.by_class = True, True
        self.demands: dict[str, list[Demand]] = {}
        self.doubtful: set[str] = set()
        for node in shapes.targeted:
            classes = [str(each) for each in shapes.values(node, sh.targetClass)]
            try:
                found = demands_of(shapes, node)
            except UnknownShape:
                self.sure = False
                self.by_class = self.by_class and is_for_classes(shapes, node)
                self.doubtful.update(classes)
            else:
                for each in classes:
                    self.demands.setdefault(each, []).extend(found)

    def suspects(self, lines: Iterable[str], classes: tuple[str, ...] = ()) -> Iterator[str]:
        """Of sorted lines those of the nodes that do not plainly conform; `classes` are the lines
        about subclasses.
        """
        wider = all_above(classes)
        for _, its in groupby(lines, lambda line: line[: line.index(" ")]):
            of_node = list(its)
            if not self.by_class or not self.plainly_conforms(of_node, wider):
                yield from of_node

    def plainly_conforms(self, lines: list[str], wider: Mapping[str, Set[str]]) -> bool:
        by_predicate: dict[str, set[str]] = {}
        for line in lines:
            _, predicate, rest = line.split(" ", 2)
            by_predicate.setdefault(predicate, set()).add(rest[: rest.rindex(" <")])
        classes: Set[str] = by_predicate.get(TYPE, NOTHING)
        if not wider.keys().isdisjoint(classes):
            classes = set(classes).union(*(wider.get(each, NOTHING) for each in classes))
        return self.doubtful.isdisjoint(classes) and all(
            demand.plainly_met(by_predicate)
            for each in classes
            for demand in self.demands.get(each, ())
        )


@lru_cache(maxsize=4)
def prefilter(shapes: bytes) -> Prefilter:
    return Prefilter(Shapes("", (quad.triple for quad in parse(shapes, RdfFormat.N_TRIPLES))))


@lru_cache(maxsize=4)
def all_above(classes: tuple[str, ...]) -> dict[str, set[str]]:
    """Class -> all that it is part of, however far above."""
    found: dict[str, set[str]] = {}
    for line in classes:
        narrow, _, rest = line.split(" ", 2)
        found.setdefault(narrow, set()).add(rest[: rest.rindex(" ")])
    for above in found.values():
        waiting = list(above)
        while waiting:
            more = found.get(waiting.pop(), set()) - above
            above.update(more)
            waiting += more
    return found


def is_for_classes(shapes: Shapes, node: Node) -> bool:
    """Whether only classes say which nodes a shape is for."""
    predicates = {triple.predicate.value for triple in shapes.about[node]}
    return not any(
        f"{sh}{term}" in predicates
        for term in ("targetNode", "targetSubjectsOf", "targetObjectsOf", "target")
    ) and not any(each.value == rdfs.Class for each in shapes.values(node, rdf.type))


def demands_of(shapes: Shapes, node: Node) -> list[Demand]:
    known(shapes, node, OF_NODES)
    return [demand_of(shapes, each) for each in shapes.values(node, f"{sh}property")]


def demand_of(shapes: Shapes, node: Node | Literal) -> Demand:
    if isinstance(node, Literal):
        raise UnknownShape
    known(shapes, node, OF_VALUES)

    def addresses(term: str) -> list[str]:
        found = shapes.values(node, f"{sh}{term}")
        if not all(isinstance(each, NamedNode) for each in found):
            raise UnknownShape
        return [str(each) for each in found]

    def number(term: str) -> int | None:
        found = shapes.values(node, f"{sh}{term}")
        if not found:
            return None
        if (
            len(found) > 1
            or not isinstance(found[0], Literal)
            or found[0].datatype.value != xsd.integer
            or not found[0].value.isdecimal()
        ):
            raise UnknownShape
        return int(found[0].value)

    paths, kinds, least, most = (
        addresses("path"),
        addresses("nodeKind"),
        number("minCount") or 0,
        number("maxCount"),
    )
    if (
        len(paths) != 1 or kinds not in ([], [f"<{sh}IRI>"]) or least > 1
    ):  # two values that look different may still be the same
        raise UnknownShape
    return Demand(
        paths[0],
        least == 1,
        float("inf") if most is None else most,
        bool(kinds),
        tuple(map(compiled, shapes.values(node, f"{sh}pattern"))),
        frozenset(addresses("hasValue")),
        tuple(addresses("equals")),
    )


def known(shapes: Shapes, node: Node, terms: Set[str]) -> None:
    if not terms >= {triple.predicate.value for triple in shapes.about.get(node, [])} or any(
        each.value == rdfs.Class for each in shapes.values(node, rdf.type)
    ):
        raise UnknownShape


def compiled(pattern: object) -> re.Pattern[str]:
    if not isinstance(pattern, Literal) or pattern.datatype.value != xsd.string:
        raise UnknownShape
    try:
        return re.compile(pattern.value)
    except re.error as error:
        raise UnknownShape from error
