"""The shapes of a site, classified by how they can be evaluated.

    dataset   one query over the whole graph (`sh:targetNode <>`): evaluated by the store
    local     core constraints on a node's own triples: evaluated node by node
    other     everything else: evaluated by pyshacl over the whole graph

Any SHACL feature that is not in the tables below is left to pyshacl.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from kg.errors import Problem
from kg.graph.turtle_places import OwnPlace
from kg.sparql.reading.tokens import END, tokens
from kg.vocab import rdf, rdfs, sh, xsd


def terms(names: str) -> frozenset[str]:
    return frozenset(f"{sh}{name}" for name in names.split())


# Terms of constraints that depend only on the given values.
LOCAL = terms("""
    targetClass targetSubjectsOf path severity message name description order group
    deactivated flags datatype hasValue in languageIn maxCount maxExclusive maxInclusive maxLength
    minCount minExclusive minInclusive minLength nodeKind pattern uniqueLang
""") | {rdf.type, rdfs.label, rdfs.comment}
PAIRS = terms("equals disjoint lessThan lessThanOrEquals")  # with other values of the same node
# terms that refer to shapes, and to lists of shapes
PARTS, LISTS = terms("property not"), terms("and or xone")
SHAPE_CLASSES = {sh.NodeShape, sh.PropertyShape, rdfs.Class}
OF_DATASET_RULES = terms("targetNode sparql severity message deactivated") | {
    rdf.type,
    rdfs.label,
    rdfs.comment,
}
OF_QUERIES = terms("select message prefixes") | {rdf.type}
Node = NamedNode | BlankNode
VALUE = re.compile(r"[?$]value\b")
HEAD = re.compile(r"\s*SELECT\b[^{}#\"'<]*\bWHERE\s*\{")
THIS = re.compile(r"[?$]this\b")
INNER = re.compile(r"[?$](shapesGraph|currentShape|PATH)\b|(?i:\bfrom\s+(named|<))")
CLASS, NIL = NamedNode(rdfs.Class), NamedNode(f"{rdf}nil")
# Except of a class or a mark of the node itself: a node is read as a whole.
NEGATION = re.compile(
    r"\bNOT\s+EXISTS\b(?!\s*\{\s*\?\w+ (?:a|cv:\w+) [^{}]*\})|!\s*BOUND\b|\bMINUS\b"
    r"|\bHAVING\s*\(\s*\w+\([^()]*\)\s*(?:!=|[=<])",
    re.IGNORECASE,
)
NOW = re.compile(r"\bNOW\s*\(\s*\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    """One SHACL result: node, path and value if any, rule, severity and message."""

    focus: str
    path: str | None
    value: str | None
    rule: str
    severity: str
    message: str

    def about(self, base: str) -> str:
        """The node it is about: the focus node of dataset rules is the base, so their value."""
        return self.value if self.focus == base and self.value else self.focus

    @property
    def result(self) -> tuple[str, str | None, str | None, str, str]:
        """The identity of the result, without its message."""
        return self.focus, self.path, self.value, self.rule, self.severity


class ShapeFault(NamedTuple):
    """A problem of a site's own shape; an error disables the shapes that contain its node."""

    node: Node | None
    problem: Problem


class ShapeText(NamedTuple):
    """The message of a shape, with `{?name}` for variables, and its comment; both can be empty."""

    message: str
    comment: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A query over the whole graph; `text` occurs in every graph that breaks the rule."""

    iri: str
    severity: str
    message: str
    query: str
    text: str = ""

    @property
    def name(self) -> str:
        return rule_name(self.iri)

    @property
    def about_now(self) -> bool:
        return NOW.search(self.query) is not None


def rule_name(iri: str | None) -> str:
    """The name of a rule: the fragment of its IRI."""
    return (iri or "").rpartition("#")[2]


def filled(message: str, found: Mapping[str, str]) -> str:
    """The message with `{?name}` replaced by the values of the query."""
    return re.sub(r"\{[?$](\w+)\}", lambda name: found.get(name[1], name[0]), message)


def on(query: str, today: str) -> str:
    """The query with a date instead of NOW()."""
    return NOW.sub(f'"{today}T00:00:00Z"^^<{xsd}dateTime>', query)


@lru_cache(maxsize=512)
def has_inner_this(query: str) -> bool:
    """Whether `$this` is used in a group that does not see outer bindings, i.e. neither OPTIONAL
    nor EXISTS. Selecting it there is fine.
    """
    if not THIS.search(query, query.find("{") + 1):
        return False
    opened, is_listed = list[bool](), False
    for before, token in pairwise((END, *tokens(query))):
        if token.word in ("SELECT", "GROUP"):
            is_listed = True
        elif token.text in ("{", "}") or token.word in ("WHERE", "HAVING", "ORDER"):
            is_listed = False
        if token.text == "{":
            opened.append(not opened or before.word in ("OPTIONAL", "EXISTS"))
        elif token.text == "}" and opened:
            opened.pop()
        elif token.text in ("?this", "$this") and not is_listed and not all(opened):
            return True
    return False


class Shapes:
    """Shapes with resolved IRIs. `own` are the triples of the site's own files, `faults` the
    problems of their text.
    """

    def __init__(
        self,
        base: str,
        triples: Iterable[Triple],
        own: Mapping[Triple, OwnPlace] | None = None,
        faults: Iterable[ShapeFault] = (),
    ) -> None:
        self.base = base
        self.triples = list(triples)
        self.own = own or {}
        self.faults = list(faults)
        self.about: dict[Node, list[Triple]] = {}
        for triple in self.triples:
            self.about.setdefault(triple.subject, []).append(triple)  # type: ignore[arg-type]

    def values(self, node: Node, predicate: str) -> list[Node | Literal]:
        return [
            triple.object  # type: ignore[misc]
            for triple in self.about.get(node, [])
            if triple.predicate.value == predicate
        ]

    def text(self, node: Node, predicate: str) -> str:
        return next((value.value for value in self.values(node, predicate)), "")

    def is_off(self, node: Node) -> bool:
        return self.text(node, sh.deactivated) == "true"

    @cached_property
    def targeted(self) -> list[Node]:
        """The shapes that have targets."""
        targets = {
            sh.targetNode,
            sh.targetClass,
            sh.targetSubjectsOf,
            sh.targetObjectsOf,
            sh.target,
        }
        classes = {CLASS} | {
            triple.subject
            for triple in self.triples
            if triple.predicate.value == rdfs.subClassOf and triple.object == CLASS
        }
        found = [
            node
            for node, triples in self.about.items()
            if any(
                triple.predicate.value in targets
                or (triple.predicate.value == rdf.type and triple.object in classes)
                for triple in triples
            )
        ]
        return sorted(found, key=str)

    @cached_property
    def texts(self) -> dict[str, ShapeText]:
        """The texts of all rules by name: of every shape with an IRI and a message or query."""
        found = {}
        for node in self.about:
            queries = self.values(node, sh.sparql)
            parts = [node, *(each for each in queries if not isinstance(each, Literal))]
            message, comment = (
                next(filter(None, (self.text(part, term) for part in parts)), "")
                for term in (sh.message, rdfs.comment)
            )
            if isinstance(node, NamedNode) and (message or queries):
                found[rule_name(node.value)] = ShapeText(message, comment)
        return found

    @cached_property
    def rules(self) -> list[Rule]:
        """The queries over the whole graph."""
        return [rule for node in self.dataset_rules for rule in self.rules_of(node)]

    @cached_property
    def negating(self) -> set[str]:
        """The rules that look for something missing."""
        return {rule.name for rule in self.rules if NEGATION.search(rule.query)}

    def is_certain(self, finding: Finding) -> bool:
        """Whether a result would stay if the graph had more triples."""
        is_number = finding.focus != self.base and finding.value is None
        return finding.rule not in self.negating and not is_number

    @cached_property
    def dataset_rules(self) -> list[Node]:
        return [node for node in self.targeted if self.is_dataset_rule(node)]

    def is_dataset_rule(self, node: Node) -> bool:
        targets = self.values(node, sh.targetNode)
        known = OF_DATASET_RULES | {f"{self.base}shapes#text"}
        return (
            isinstance(node, NamedNode)
            and [target.value for target in targets] == [self.base]
            and known.issuperset(triple.predicate.value for triple in self.about[node])
            and {value.value for value in self.values(node, rdf.type)} <= {sh.NodeShape}
            and all(map(self.is_plain_query, self.values(node, sh.sparql)))
        )

    def is_plain_query(self, constraint: Node | Literal) -> bool:
        """Whether it is a simple query like ours: selects values, with the prefixes of the site."""
        if isinstance(constraint, Literal):
            return False
        query = self.text(constraint, sh.select)
        return (
            OF_QUERIES.issuperset(each.predicate.value for each in self.about.get(constraint, []))
            and {each.value for each in self.values(constraint, sh.prefixes)}
            <= {f"{self.base}shapes"}
            and len(self.values(constraint, sh.select)) == 1
            and bool(VALUE.search(query))
            and bool(HEAD.match(query))
            and not INNER.search(query)
            and not has_inner_this(query)
        )

    def rules_of(self, node: Node) -> Iterator[Rule]:
        if self.is_off(node):
            return
        severity = rule_name(self.text(node, sh.severity) or sh.Violation)
        for constraint in self.values(node, sh.sparql):
            if not isinstance(constraint, Literal):
                message = self.text(constraint, sh.message) or self.text(node, sh.message)
                yield Rule(
                    node.value,
                    severity,
                    message,
                    self.text(constraint, sh.select),
                    self.text(node, f"{self.base}shapes#text"),
                )

    @cached_property
    def local(self) -> list[Node]:
        """The shapes that depend only on a node's own triples."""
        return [node for node in self.targeted if self.is_local(node)]

    @cached_property
    def other(self) -> list[Node]:
        judged = {*self.local, *self.dataset_rules}
        return [node for node in self.targeted if node not in judged]

    def is_local(self, node: Node) -> bool:
        types = {value.value for value in self.values(node, rdf.type)}
        return types <= SHAPE_CLASSES and self.looks_at_own(node)

    def looks_at_own(
        self, shape: Node | Literal, is_focus: bool = True, within: tuple[Node, ...] = ()
    ) -> bool:
        """Whether a shape depends only on the triples of the focus node. `is_focus` means that it
        applies to the focus node itself and not to one of its values.
        """
        if isinstance(shape, Literal) or shape in within or shape not in self.about:
            return False
        paths = self.values(shape, sh.path)
        if paths and not (is_focus and len(paths) == 1 and isinstance(paths[0], NamedNode)):
            return False
        parts: list[Node | Literal] = []
        for triple in self.about[shape]:
            term = triple.predicate.value
            value: Any = triple.object
            if term in PARTS | LISTS:
                parts += self.items(value) if term in LISTS else [value]
            elif term not in LOCAL and not (is_focus and term in PAIRS):
                return False
        return all(
            self.looks_at_own(part, is_focus and not paths, (*within, shape)) for part in parts
        )

    def items(self, node: Node | Literal) -> list[Node | Literal]:
        """The items of a list; for an invalid list, a literal, which is not a shape."""
        found = list[Node | Literal]()
        seen = set[Node | Literal]()
        while node != NIL:
            first = [] if isinstance(node, Literal) else self.values(node, f"{rdf}first")
            rest = [] if isinstance(node, Literal) else self.values(node, f"{rdf}rest")
            if node in seen or len(first) != 1 or len(rest) != 1:
                return [Literal("no list")]
            seen.add(node)
            found, node = [*found, *first], rest[0]
        return found

    @cached_property
    def components(self) -> list[Node]:
        """The site's own constraint components, which shapes use without referring to them."""
        return [node for node in self.about if self.values(node, f"{sh}parameter")]

    def closure(self, nodes: Iterable[Node]) -> list[Triple]:
        """All triples of these shapes and of everything that they refer to in these files."""
        waiting, seen, found = list(nodes), set[Node](), list[Triple]()
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                found += self.about.get(node, [])
                waiting += [
                    triple.object  # type: ignore[misc]
                    for triple in self.about.get(node, [])
                    if triple.object in self.about
                ]
        return found

    def on(self, today: str) -> Shapes:
        """The shapes with a date instead of NOW(); without a date, rules that use NOW() are left
        out.
        """

        def dated(triple: Triple) -> Triple:
            if triple.predicate.value != sh.select or not isinstance(triple.object, Literal):
                return triple
            return Triple(triple.subject, triple.predicate, Literal(on(triple.object.value, today)))

        if today:
            return Shapes(self.base, map(dated, self.triples))
        left_out = {rule.iri for rule in self.rules if rule.about_now}
        return Shapes(
            self.base,
            (
                triple
                for triple in self.triples
                if getattr(triple.subject, "value", "") not in left_out
            ),
        )

    @cached_property
    def key(self) -> str:
        """A digest of the shapes."""
        return hashlib.sha256(self.ntriples()).hexdigest()

    def ntriples(self, triples: Iterable[Triple] | None = None) -> bytes:
        return (
            serialize(self.triples if triples is None else triples, format=RdfFormat.N_TRIPLES)
            or b""
        )
