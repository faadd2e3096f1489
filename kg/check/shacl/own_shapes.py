"""What is wrong with a site's own shapes: by the shapes of SHACL (`meta_shapes`), by what those
leave open (misspelt terms, patterns that are none, a shape within itself), and by a trial.

A shape with an error is left out, with all that name it; the others are judged.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, Triple

from kg.check.shacl.meta_shapes import NO_PATH, NUMBERS, RIGHT, breaches, shown
from kg.check.shacl.processor import shacl_terms, validate
from kg.check.shacl.shapes import LISTS, NIL, PARTS, Node, ShapeFault, Shapes, terms
from kg.errors import KgError, Place, Problem, Severity
from kg.facts.values.text import closest
from kg.graph.turtle_places import OwnPlace, TriplePlace
from kg.vocab import rdf, sh

NAMING = PARTS | terms("node qualifiedValueShape")  # terms that name another shape
SHAPED = (*NAMING, sh.path)
SEVERITIES = {f"{sh}{name}" for name in ("Info", "Warning", "Violation")}
UNUSED = ("rule", "expression", "js", "target", "filterShape")
FLAGS = "imsxq"
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
    return own.unusable([node for node in own.places if node in shapes.targeted], "", data)


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
        """Of several at one place the first."""
        found: dict[Place, ShapeFault] = {}
        for check in (self.misspelt, self.missing, self.wrong_values, self.circles):
            for fault in check():
                found.setdefault(fault.problem.place, fault)
        nodes = {fault.node for fault in found.values()}
        for fault in self.by_the_w3c(nodes):
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
        return self.unusable(nodes, TRIAL)

    def unusable(self, nodes: list[Node], target: str, data: str = "") -> list[ShapeFault]:
        """Of shapes within each other the innermost."""
        tried = ((node, self.trial([node], target, data)) for node in nodes)
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
            words = str(error.__cause__ or error).partition("\n")[0].rstrip(".!")
            return f"SHACL cannot use this shape: {words}. Correct it."
        return None

    def misspelt(self) -> Iterator[ShapeFault]:
        """Names in the namespace of SHACL that it does not have."""
        known = shacl_terms()
        for each in self.own:
            value = each.object.value if isinstance(each.object, NamedNode) else ""
            for term, is_predicate in ((each.term, True), (value, False)):
                name = term.removeprefix(str(sh))
                if name == term:
                    continue
                if name not in known:
                    alike = [each for each in known if each.lower() == name.lower()]
                    near = alike or closest(name, known, most=1)
                    hint = f"Closest: sh:{near[0]}." if near else "Check its spelling."
                    yield fault(each, f"SHACL has no sh:{name}. {hint}", is_predicate=is_predicate)
                elif is_predicate and name in UNUSED:
                    message = (
                        f"'sh:{name}' is of SHACL's advanced features, which no check here uses. "
                        "Write a query instead: 'sh:sparql' with 'sh:select'."
                    )
                    yield fault(each, message, "warning", is_predicate=True)

    def missing(self) -> Iterator[ShapeFault]:
        """Shapes that are named and not there."""
        named = [shown(node, self.shapes) for node in self.about if isinstance(node, NamedNode)]
        for node in self.places:
            for each in self.parts(node):
                if each.is_own and each.object not in self.about:
                    name = shown(each.object, self.shapes)
                    near = closest(name, sorted(named), most=1, cutoff=0.7)
                    hint = f"Closest: {near[0]}." if near else "Write the name of one."
                    yield fault(each, f"There is no shape {name}. {hint}")

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

    def wrong_values(self) -> Iterator[ShapeFault]:
        for each in self.own:
            term, value = each.term.removeprefix(str(sh)), each.object.value
            if term in NUMBERS and re.fullmatch(r"-0*[1-9]\d*", value):
                yield fault(each, f"'sh:{term}' is below zero. Write {RIGHT[term]}.")
            elif term.startswith(("min", "qualifiedMin")):
                yield from self.ranges(each, term)
            elif term == "severity" and value not in SEVERITIES:
                yield fault(each, f"This is no severity that is shown. Write {RIGHT[term]}.")
            elif term == "pattern" and (wrong := wrong_pattern(value)):
                message = f'this is no regular expression: {wrong}. Correct it, e.g. "^[A-Z]".'
                yield fault(each, message)
            elif term == "flags" and (unknown := "".join(sorted({*value} - {*FLAGS}))):
                yield fault(each, f"'sh:flags' has no '{unknown}'. Write of {', '.join(FLAGS)}.")
            elif each.term in LISTS and value == NIL.value:
                yield fault(each, f"This list is empty. Write {RIGHT[term]}.")
            elif term == "sparql" and not self.has(each.object, sh.select):
                message = (
                    "This has no query. Write 'sh:select' with a SELECT that finds what is wrong."
                )
                yield fault(each, message)
            elif each.term == rdf.type:
                yield from self.kinds(each)

    def has(self, node: Node | Literal, term: str) -> bool:
        said = () if isinstance(node, Literal) else self.about.get(node, ())
        return any(each.term == term for each in said)

    def has_any(self, node: Node, terms: Iterable[str]) -> bool:
        return any(self.has(node, term) for term in terms)

    def ranges(self, least: ShapeTriple, term: str) -> Iterator[ShapeFault]:
        """Nothing is at least 3 and at most 2."""
        most = term.replace("min", "max").replace("Min", "Max")
        for other in self.about[least.subject]:
            if other.term == f"{sh}{most}" and is_larger(least.object.value, other.object.value):
                message = (
                    f"'sh:{term}' is larger than 'sh:{most}', so nothing conforms. Swap or correct "
                    "the numbers."
                )
                yield fault(least, message)

    def kinds(self, each: ShapeTriple) -> Iterator[ShapeFault]:
        """pyshacl takes the class of a shape at its word."""
        has_path = self.has(each.subject, sh.path)
        if each.object.value == sh.PropertyShape and not has_path:
            yield fault(each, NO_PATH)
        elif each.object.value == sh.NodeShape and has_path:
            yield fault(each, "A shape with 'sh:path' is no node shape. Write sh:PropertyShape.")

    def by_the_w3c(self, known: Set[Node | None]) -> Iterator[ShapeFault]:
        """Not what follows from the faults of nodes that are known to have some."""
        for breach in breaches(self.shapes, self.shapes.closure(self.places)):
            if breach.value in known or (breach.node in known and breach.value is None):
                continue
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

    def circles(self) -> Iterator[ShapeFault]:
        """Shapes that are part of themselves; each circle where it closes."""
        seen = set[Node]()
        for node in self.places:
            members = self.within(node)
            closing = [
                each
                for member in sorted(members - seen, key=str)
                for each in self.parts(member)
                if each.is_own and each.object == node
            ]
            if closing and node not in seen:
                seen |= members
                message = (
                    "This shape is part of itself, and SHACL leaves open what that means. Break "
                    "the circle."
                )
                yield fault(closing[0], message)

    def within(self, node: Node | Literal) -> set[Node]:
        """A shape with all that it names, and those name."""
        found, waiting = set[Node](), [node]
        while waiting:
            each = waiting.pop()
            if not isinstance(each, Literal) and each not in found:
                found.add(each)
                waiting += [part.object for part in self.parts(each)]
        return found


def fault(
    each: ShapeTriple, message: str, severity: Severity = "error", is_predicate: bool = False
) -> ShapeFault:
    place = each.place.predicate if is_predicate else each.place.object
    return ShapeFault(each.subject, Problem(place, severity, message, "bad-shape"))


def wrong_pattern(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    return ""


def is_larger(least: str, most: str) -> bool:
    try:
        return float(least) > float(most)
    except ValueError:  # dates, and what is wrong in another way
        return False
