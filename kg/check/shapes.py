"""The shapes of a site, and which of their rules can be judged without pyshacl or node by node.

Three kinds, by what decides whether a node conforms:

    dataset   one query about all of the graph (`sh:targetNode <>`): evaluated by the store
    local     core constraints that look at a node's own triples only: a node is judged by itself
    other     anything else: judged by pyshacl over all of the graph
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from kg.vocab import rdf, rdfs, sh, xsd

# The terms of shapes that depend on nothing but a node's own triples.
LOCAL_TERMS = """
    targetClass targetSubjectsOf property path severity message name description order group
    deactivated flags
    and datatype disjoint equals hasValue in languageIn lessThan lessThanOrEquals maxCount
    maxExclusive maxInclusive maxLength
    minCount minExclusive minInclusive minLength nodeKind not or pattern uniqueLang xone
"""
LOCAL = frozenset(f"{sh}{term}" for term in LOCAL_TERMS.split()) | {
    rdf.type,
    f"{rdf}first",
    f"{rdf}rest",
    rdfs.label,
    rdfs.comment,
}
OF_DATASET_RULES = frozenset(
    {
        rdf.type,
        sh.targetNode,
        sh.sparql,
        sh.severity,
        sh.message,
        sh.deactivated,
        rdfs.label,
        rdfs.comment,
    }
)
Node = NamedNode | BlankNode
NOW = re.compile(r"\bNOW\s*\(\s*\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    """One SHACL result: the node, the path and value where there are any, the rule, how bad, and
    the message.
    """

    focus: str
    path: str | None
    value: str | None
    rule: str
    severity: str
    message: str

    @property
    def result(self) -> tuple[str, str | None, str | None, str, str]:
        """What makes it this result and no other, whatever its message says."""
        return self.focus, self.path, self.value, self.rule, self.severity


class ShapeText(NamedTuple):
    """What a shape says of itself: its message, with `{?name}` for what it finds, and its comment;
    either may be empty.
    """

    message: str
    comment: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A query about all of the graph; `text` occurs in every graph that breaks the rule."""

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
    """The name of a rule, as the author reads it."""
    return (iri or "").rpartition("#")[2]


def on(query: str, today: str) -> str:
    """A query on a day: with that in the place of NOW()."""
    return NOW.sub(f'"{today}T00:00:00Z"^^<{xsd}dateTime>', query)


class Shapes:
    """Shapes whose addresses are resolved. `base` is the site's."""

    def __init__(self, base: str, triples: Iterable[Triple]) -> None:
        self.base = base
        self.triples = list(triples)
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

    @cached_property
    def targeted(self) -> list[Node]:
        """The shapes that say what they judge."""
        targets = {
            sh.targetNode,
            sh.targetClass,
            sh.targetSubjectsOf,
            sh.targetObjectsOf,
            sh.target,
        }
        shape_classes = {sh.NodeShape, sh.PropertyShape}
        found = []
        for node, triples in self.about.items():
            types = {value.value for value in self.values(node, rdf.type)}
            if any(triple.predicate.value in targets for triple in triples) or (
                types & shape_classes and rdfs.Class in types
            ):
                found.append(node)
        return sorted(found, key=str)

    @cached_property
    def texts(self) -> dict[str, ShapeText]:
        """The texts of all rules, by name: of whatever has an address and says something."""
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
        """The queries about the dataset."""
        return [
            rule
            for node in self.targeted
            if self.is_dataset_rule(node)
            for rule in self.rules_of(node)
        ]

    def is_dataset_rule(self, node: Node) -> bool:
        targets = self.values(node, sh.targetNode)
        own = f"{self.base}shapes#"
        return (
            isinstance(node, NamedNode)
            and [target.value for target in targets] == [self.base]
            and all(
                triple.predicate.value in OF_DATASET_RULES or triple.predicate.value.startswith(own)
                for triple in self.about[node]
            )
        )

    def rules_of(self, node: Node) -> Iterator[Rule]:
        if self.text(node, sh.deactivated) == "true":
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
        """The shapes that judge a node by its own triples."""
        return [node for node in self.targeted if self.is_local(node)]

    @cached_property
    def other(self) -> list[Node]:
        return [
            node
            for node in self.targeted
            if not self.is_local(node) and not self.is_dataset_rule(node)
        ]

    def is_local(self, node: Node) -> bool:
        own = f"{self.base}shapes#"
        return all(
            (triple.predicate.value in LOCAL or triple.predicate.value.startswith(own))
            and not (triple.predicate.value == sh.path and not isinstance(triple.object, NamedNode))
            for triple in self.closure([node])
        )

    def closure(self, nodes: Iterable[Node]) -> list[Triple]:
        """All that shapes say, with whatever they refer to in these files."""
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
        """The same shapes on a day, with that in the place of NOW(); without a day, without the
        rules that use it.
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
        """The same for the same shapes."""
        return hashlib.sha256(self.ntriples()).hexdigest()

    def ntriples(self, triples: Iterable[Triple] | None = None) -> bytes:
        return (
            serialize(self.triples if triples is None else triples, format=RdfFormat.N_TRIPLES)
            or b""
        )
