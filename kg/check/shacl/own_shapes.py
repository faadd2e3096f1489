"""What is wrong with a site's own shapes: by the W3C's shapes of SHACL (`meta_shapes`), and by what
pyshacl cannot use when it tries them.

A shape with an error is left out, with all that name it; the others are judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pyoxigraph import Literal, Triple

from kg.check.shacl.meta_shapes import breaches
from kg.check.shacl.processor import validate
from kg.check.shacl.shapes import LISTS, PARTS, Node, ShapeFault, Shapes, terms
from kg.errors import KgError, Place, Problem
from kg.graph.turtle_places import OwnPlace, TriplePlace
from kg.vocab import rdf, sh

NAMING = PARTS | terms("node qualifiedValueShape")  # terms that name another shape
SHAPED = (*NAMING, sh.path)
SEVERITIES = {f"{sh}{name}" for name in ("Info", "Warning", "Violation")}
FIRST, REST = f"{rdf}first", f"{rdf}rest"
OURS = OwnPlace("", "", TriplePlace(0, 0, 0))
TRIAL = f"<{sh.targetNode}> <urn:kg:trial> .\n"  # a thing of which nothing is known


class ShapeTriple(NamedTuple):
    """A triple of shapes, and its place, which one of ours has not."""

    subject: Node
    term: str
    object: Node | Literal
    place: OwnPlace

    @property
    def is_own(self) -> bool:
        return bool(self.place.file)


@lru_cache(maxsize=4)
def examined(shapes: Shapes) -> tuple[Shapes, tuple[Problem, ...]]:
    """The shapes that can be used, and what is wrong with the others."""
    if not shapes.own:
        return shapes, tuple(fault.problem for fault in shapes.faults)
    faults = shapes.faults + OwnShapes(shapes).faults()
    left = without(shapes, faults)
    tried = OwnShapes(left).tried()
    return without(left, tried), tuple(fault.problem for fault in faults + tried)


def without(shapes: Shapes, faults: list[ShapeFault]) -> Shapes:
    """The shapes but for what of the site's own an error is in, and what names that."""
    broken: set[object] = {each.node for each in faults if each.problem.severity == "error"}
    before = 0
    while len(broken) > before:
        before = len(broken)
        broken |= {triple.subject for triple in shapes.own if triple.object in broken}
    own = {triple: place for triple, place in shapes.own.items() if triple.subject not in broken}
    left = [triple for triple in shapes.triples if triple in own or triple not in shapes.own]
    return Shapes(shapes.base, left, own)


def failing(shapes: Shapes, data: str) -> list[ShapeFault]:
    """The site's own shapes that pyshacl cannot judge these data by."""
    own = OwnShapes(shapes)
    nodes = [node for node in own.places if node in shapes.targeted]
    return own.unusable(nodes, lambda node: own.trial([node], "", data))


class OwnShapes:
    """The shapes of a site, of which some are its own."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.about: defaultdict[Node, list[ShapeTriple]] = defaultdict(list)
        for triple in shapes.triples:
            if not isinstance(triple.subject, Triple) and not isinstance(triple.object, Triple):
                self.about[triple.subject].append(
                    ShapeTriple(
                        triple.subject,
                        triple.predicate.value,
                        triple.object,
                        shapes.own.get(triple, OURS),
                    )
                )
        self.own = [each for said in self.about.values() for each in said if each.is_own]
        self.places: dict[Node, OwnPlace] = {}
        for each in self.own:
            self.places.setdefault(each.subject, each.place)

    def faults(self) -> list[ShapeFault]:
        """What breaks the shapes of SHACL; of several at one place the first."""
        found: dict[Place, ShapeFault] = {}
        for fault in self.by_the_w3c():
            found.setdefault(fault.problem.place, fault)
        return list(found.values())

    def tried(self) -> list[ShapeFault]:
        """What pyshacl cannot use, for whatever reason, when it is tried on one thing."""
        nodes = [
            node
            for node in self.places
            if node in self.shapes.targeted or self.has_any(node, SHAPED)
        ]
        if self.trial(nodes, TRIAL) is None:
            return []
        return self.unusable(nodes, lambda node: self.trial([node], TRIAL))

    def unusable(
        self, nodes: Iterable[Node], why: Callable[[Node], str | None]
    ) -> list[ShapeFault]:
        """The shapes that cannot be used, and why; of shapes within each other the innermost."""
        tried = ((node, why(node)) for node in nodes)
        found = {node: message for node, message in tried if message}
        return [
            ShapeFault(node, Problem(self.places[node].subject, "error", message, "bad-shape"))
            for node, message in found.items()
            if not found.keys() & (self.within(node) - {node})
        ]

    def trial(self, nodes: list[Node], target: str, data: str = "") -> str | None:
        """Why shapes cannot be used, given a further target."""
        triples = self.shapes.closure([*nodes, *self.shapes.components])
        targets = "".join(f"{node} {target}" for node in nodes if target)
        try:
            validate(self.shapes.ntriples(triples) + targets.encode(), data)
        except KgError as error:
            return cannot_use(error)
        return None

    def parts(self, node: Node) -> Iterator[ShapeTriple]:
        """The statements at whose objects the shapes stand that one names."""
        for each in self.about.get(node, ()):
            if each.term in NAMING:
                yield each
            elif each.term in LISTS:
                yield from self.items(each.object)

    def items(self, node: Node | Literal) -> Iterator[ShapeTriple]:
        """The statements at whose objects the items of a list stand."""
        seen = set[object]()
        while not isinstance(node, Literal) and node not in seen:
            seen.add(node)
            said = {each.term: each for each in self.about.get(node, ())}
            if FIRST not in said or REST not in said:
                return
            yield said[FIRST]
            node = said[REST].object

    def has(self, node: Node | Literal, term: str) -> bool:
        said = () if isinstance(node, Literal) else self.about.get(node, ())
        return any(each.term == term for each in said)

    def has_any(self, node: Node, terms: Iterable[str]) -> bool:
        return any(self.has(node, term) for term in terms)

    def by_the_w3c(self) -> Iterator[ShapeFault]:
        try:
            found = list(breaches(self.shapes, self.shapes.closure(self.places)))
        except KgError:
            yield from self.unusable(self.places, self.meta_failure)
            return
        for breach in found:
            said = self.about[breach.node]
            items = (item for each in said for item in self.items(each.object))
            places = (
                each
                for each in (*said, *items)
                if each.is_own
                and each.term in (f"{sh}{breach.term}", FIRST)
                and each.object == breach.value
            )
            if place := next(places, None):
                yield fault(place, breach.message)
            elif breach.node in self.places:
                spot = self.places[breach.node].subject
                yield ShapeFault(breach.node, Problem(spot, "error", breach.message, "bad-shape"))

    def meta_failure(self, node: Node) -> str | None:
        """Why pyshacl cannot judge a shape by the shapes of SHACL."""
        try:
            list(breaches(self.shapes, self.shapes.closure([node])))
        except KgError as error:
            return cannot_use(error)
        return None

    def within(self, node: Node | Literal) -> set[Node]:
        """A shape with all that it names, and those name."""
        found, waiting = set[Node](), [node]
        while waiting:
            each = waiting.pop()
            if not isinstance(each, Literal) and each not in found:
                found.add(each)
                waiting += [part.object for part in self.parts(each)]
        return found


def fault(each: ShapeTriple, message: str) -> ShapeFault:
    return ShapeFault(each.subject, Problem(each.place.object, "error", message, "bad-shape"))


def cannot_use(error: KgError) -> str:
    words = str(error.__cause__ or error).partition("\n")[0].rstrip(".!")
    return f"SHACL cannot use this shape: {words}. Correct it."
