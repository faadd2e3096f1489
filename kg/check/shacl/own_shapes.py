"""Checks a site's own shapes against the W3C's shapes for SHACL, and by a trial run with pyshacl.

A shape with an error is skipped, together with all shapes that refer to it; all others are used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, Triple

from kg.check.shacl.processor import meta_results, validate
from kg.check.shacl.shapes import LISTS, PARTS, Node, ShapeFault, Shapes, terms
from kg.errors import KgError, Place, Problem
from kg.graph.turtle_places import OwnPlace, TriplePlace
from kg.vocab import PREFIXES, rdf, sh

SHAPE_REFERENCES = PARTS | terms("node qualifiedValueShape")  # terms that refer to another shape
SHAPED = (*SHAPE_REFERENCES, sh.path)
SEVERITIES = {f"{sh}{name}" for name in ("Info", "Warning", "Violation")}
FIRST, REST = f"{rdf}first", f"{rdf}rest"
NO_PLACE = OwnPlace("", "", TriplePlace(0, 0, 0))
TRIAL = f"<{sh.targetNode}> <urn:kg:trial> .\n"  # a node without any triples


class ShapeTriple(NamedTuple):
    """A triple of a shape and its place; triples of built-in shapes have none."""

    subject: Node
    term: str
    object: Node | Literal
    place: OwnPlace

    @property
    def is_own(self) -> bool:
        return bool(self.place.file)


@lru_cache(maxsize=4)
def examined(shapes: Shapes) -> tuple[Shapes, tuple[Problem, ...]]:
    """The usable shapes, and the problems of the others."""
    if not shapes.own:
        return shapes, tuple(fault.problem for fault in shapes.faults)
    faults = shapes.faults + OwnShapes(shapes).faults()
    left = without(shapes, faults)
    tried = OwnShapes(left).tried()
    return without(left, tried), tuple(fault.problem for fault in faults + tried)


def without(shapes: Shapes, faults: list[ShapeFault]) -> Shapes:
    """The shapes without the site's own ones that have an error, or refer to one that has."""
    broken: set[object] = {each.node for each in faults if each.problem.severity == "error"}
    before = 0
    while len(broken) > before:
        before = len(broken)
        broken |= {triple.subject for triple in shapes.own if triple.object in broken}
    own = {triple: place for triple, place in shapes.own.items() if triple.subject not in broken}
    left = [triple for triple in shapes.triples if triple in own or triple not in shapes.own]
    return Shapes(shapes.base, left, own)


def failing(shapes: Shapes, data: str) -> list[ShapeFault]:
    """The site's own shapes that pyshacl cannot apply to these data."""
    own = OwnShapes(shapes)
    nodes = [node for node in own.places if node in shapes.targeted]
    return own.unusable(nodes, lambda node: own.trial([node], "", data))


class OwnShapes:
    """The shapes of a site, including its own."""

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
                        shapes.own.get(triple, NO_PLACE),
                    )
                )
        self.own = [each for said in self.about.values() for each in said if each.is_own]
        self.places: dict[Node, OwnPlace] = {}
        for each in self.own:
            self.places.setdefault(each.subject, each.place)

    def faults(self) -> list[ShapeFault]:
        """Violations of the W3C's shapes for SHACL; the first one at each place."""
        found: dict[Place, ShapeFault] = {}
        for fault in self.w3c_faults():
            found.setdefault(fault.problem.place, fault)
        return list(found.values())

    def tried(self) -> list[ShapeFault]:
        """Shapes that pyshacl cannot apply to a single node, for any reason."""
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
        """The unusable shapes and why; of nested shapes, the innermost."""
        tried = ((node, why(node)) for node in nodes)
        found = {node: message for node, message in tried if message}
        return [
            ShapeFault(node, Problem(self.places[node].subject, "error", message, "bad-shape"))
            for node, message in found.items()
            if not found.keys() & (self.within(node) - {node})
        ]

    def trial(self, nodes: list[Node], target: str, data: str = "") -> str | None:
        """Why shapes cannot be used with an additional target; None if they can."""
        triples = self.shapes.closure([*nodes, *self.shapes.components])
        targets = "".join(f"{node} {target}" for node in nodes if target)
        try:
            validate(self.shapes.ntriples(triples) + targets.encode(), data)
        except KgError as error:
            return cannot_use(error)
        return None

    def parts(self, node: Node) -> Iterator[ShapeTriple]:
        """The triples whose objects are the shapes that this one refers to."""
        for each in self.about.get(node, ()):
            if each.term in SHAPE_REFERENCES:
                yield each
            elif each.term in LISTS:
                yield from self.items(each.object)

    def items(self, node: Node | Literal) -> Iterator[ShapeTriple]:
        """The triples whose objects are the items of a list."""
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

    def w3c_faults(self) -> Iterator[ShapeFault]:
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
        """Why pyshacl cannot validate a shape against the shapes for SHACL; None if it can."""
        try:
            list(breaches(self.shapes, self.shapes.closure([node])))
        except KgError as error:
            return cannot_use(error)
        return None

    def within(self, node: Node | Literal) -> set[Node]:
        """A shape and all shapes that it refers to, directly or indirectly."""
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
    return f"This shape cannot be used: {words}. Correct it."


NUMBERS = "minCount maxCount minLength maxLength qualifiedMinCount qualifiedMaxCount"
NEED_A_PATH = "minCount maxCount uniqueLang lessThan lessThanOrEquals qualifiedValueShape"
PROPERTIES = "targetSubjectsOf targetObjectsOf equals disjoint lessThan lessThanOrEquals"
# The values that a term accepts.
EXPECTED_VALUES = {
    **dict.fromkeys(NUMBERS.split(), "an integer, e.g. 1"),
    **dict.fromkeys(
        ["closed", "uniqueLang", "qualifiedValueShapesDisjoint", "deactivated"], "true or false"
    ),
    **dict.fromkeys(["and", "or", "xone"], "a list of shapes in round brackets: ( s:one s:other )"),
    **dict.fromkeys(PROPERTIES.split(), "a property, e.g. schema:name"),
    **dict.fromkeys(["class", "targetClass"], "a class, e.g. schema:Person"),
    **dict.fromkeys(["pattern", "flags", "message"], "a text in quotes"),
    **dict.fromkeys(
        ["minExclusive", "minInclusive", "maxExclusive", "maxInclusive"], "a number or a date"
    ),
    "in": 'a list in round brackets: ( "a" "b" )',
    "languageIn": 'a list of languages in round brackets: ( "en" "de" )',
    "ignoredProperties": "a list of properties in round brackets: ( rdf:type schema:name )",
    "datatype": "a datatype, e.g. xsd:string",
    "severity": "sh:Info, sh:Warning or sh:Violation",
    "nodeKind": "sh:IRI, sh:Literal, sh:BlankNode or two of them, e.g. sh:IRIOrLiteral",
    "targetNode": "an address, e.g. <people/ada#it>",
    "path": (
        "a property, e.g. schema:name, a list of properties in round brackets, or an inverse path: "
        "[ sh:inversePath schema:author ]"
    ),
}


NO_PATH = (
    "This property shape has no 'sh:path'. Add the property it is about, e.g. sh:path schema:name."
)


class Breach(NamedTuple):
    """A violation of the shapes for SHACL by a node, with the offending term and value if any."""

    node: Node
    term: str
    value: Node | Literal | None
    message: str


def breaches(shapes: Shapes, triples: Iterable[Triple]) -> Iterator[Breach]:
    """The violations in some triples of the shapes. That a shape is neither a node shape nor a
    property shape is reported only if nothing else is wrong with it.
    """
    found = list(dict.fromkeys(meta_results(triples)))
    known = {node for node, path, _, _ in found if path}
    for node, path, value, kind in found:
        term = (path or "").removeprefix(str(sh))
        values = shapes.values(node, path or "")
        if kind == "Xone" and node not in known:
            yield from neither_kind(shapes, node)
        elif kind == "MaxCount" and len(values) > 1:
            yield Breach(node, term, values[-1], f"'sh:{term}' is repeated. Keep one.")
        elif kind == "MaxCount" and values:
            message = (
                "'sh:node' cannot refer to a shape with 'sh:path'. "
                "Use 'sh:property' instead of 'sh:node'."
            )
            yield Breach(node, term, values[0], message)
        elif kind == "MinCount":
            yield Breach(node, "", None, NO_PATH)
        elif path and value is not None:
            this = "this" if isinstance(value, BlankNode) else shown(value, shapes)
            right = EXPECTED_VALUES.get(term, "a value that SHACL allows")
            yield Breach(node, term, value, f"'sh:{term}' cannot be {this}. Write {right}.")
        elif value is not None and value != node:
            yield from wrong_items(shapes, node, value)


def wrong_items(shapes: Shapes, node: Node, value: Node | Literal) -> Iterator[Breach]:
    """The lists of a node that contain an invalid value."""
    for term in ("languageIn", "ignoredProperties"):
        for found in shapes.values(node, f"{sh}{term}"):
            if value in shapes.items(found):
                this = shown(value, shapes)
                message = f"'sh:{term}' cannot contain {this}. Write {EXPECTED_VALUES[term]}."
                yield Breach(node, term, value, message)


def shown(term: Node | Literal, shapes: Shapes) -> str:
    """A term as it is usually written in Turtle."""
    if isinstance(term, BlankNode):
        return "[ … ]"
    if isinstance(term, Literal):
        return f'"{term.value}"'
    names = {**PREFIXES, "sh": str(sh), "s": f"{shapes.base}shapes#"}
    for prefix, namespace in names.items():
        if term.value.startswith(namespace):
            return f"{prefix}:{term.value.removeprefix(namespace)}"
    return f"<{term.value.removeprefix(shapes.base)}>"


def neither_kind(shapes: Shapes, node: Node) -> Iterator[Breach]:
    """Why a shape is neither a node shape nor a property shape."""
    paths = shapes.values(node, sh.path)
    if paths:
        yield Breach(
            node, "path", paths[-1], f"'sh:path' cannot be this. Write {EXPECTED_VALUES['path']}."
        )
    for term in () if paths else NEED_A_PATH.split():
        for value in shapes.values(node, f"{sh}{term}")[:1]:
            message = (
                f"'sh:{term}' needs a property. Add 'sh:path' beside it, or move it into "
                "'sh:property'."
            )
            yield Breach(node, term, value, message)
