"""Parses RDF into nodes with short property names, and tracks which values were taken.

`name` is from schema.org (http or https), `foaf:name` from FOAF, `cv:employer` is our own. Nothing
is fetched: a remote JSON-LD context is replaced by its vocabulary.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

from kg.errors import Place, line_and_column
from kg.graph.rdf_files import refuse_unbounded
from kg.plugins.exchange.draft import Value
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.text.normalize import squeeze

BASE = "https://import.invalid/"
SYNTAXES = {
    **{".ttl": RdfFormat.TURTLE, ".n3": RdfFormat.TURTLE, ".nt": RdfFormat.N_TRIPLES},
    **{".nq": RdfFormat.N_QUADS, ".trig": RdfFormat.TRIG},
    **{".rdf": RdfFormat.RDF_XML, ".owl": RdfFormat.RDF_XML, ".xml": RdfFormat.RDF_XML},
}
PREFIXES = {
    "http://schema.org/": "",
    "https://schema.org/": "",
    "http://xmlns.com/foaf/0.1/": "foaf:",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://purl.org/dc/elements/1.1/": "dcterms:",
    "http://www.w3.org/2006/vcard/ns#": "vcard:",
    "http://purl.org/ontology/bibo/": "bibo:",
    "http://www.w3.org/2002/07/owl#": "owl:",
}
OWN_TERMS = re.compile(r".*/terms/cv#(?=\w+$)")
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
CONTEXTS = {"schema.org": "http://schema.org/", "foaf": "http://xmlns.com/foaf/0.1/"}
ALIASES = {"id": "@id", "type": "@type"}
DEEPEST, MOST_TRIPLES = 100, 200_000
NAMES = ("name", "headline", "foaf:name", "rdfs:label", "dcterms:title", "foaf:title")
Term = NamedNode | BlankNode | Literal
Objects = dict[str, list[Term]]


class RdfNodes:
    """The nodes of one file by term."""

    def __init__(self, source: SourceFile, found: Iterable[Any], text: str = "", line: int = 1):
        self.file, self.text, self.line = source.name, text or source.text, line
        self.values: dict[Term, Objects] = defaultdict(lambda: defaultdict(list))
        self.taken: set[tuple[Term, str, Term]] = set()
        self.visited: dict[Term, None] = {}
        self.places: dict[str, Place] = {}
        self.referring: dict[Term, list[tuple[Term, str]]] = defaultdict(list)
        for triple in found:
            self.add(triple.subject, short_name(triple.predicate.value), triple.object)

    def add(self, subject: Term, name: str, value: Term) -> None:
        if value not in self.values[subject][name]:
            self.values[subject][name].append(value)
            self.referring[value].append((subject, name))

    def of_type(self, *types: str) -> list[RdfNode]:
        found = [RdfNode(self, term) for term in list(self.values)]
        return [node for node in found if node.types & {*types}]

    def place(self, text: str) -> Place:
        """The position of the first occurrence of a text."""
        if text not in self.places:
            at = self.text.find(text)
            if at < 0:
                at = self.text.find(json.dumps(text)[1:-1])
            line, column = line_and_column(self.text, max(at, 0))
            self.places[text] = Place(self.file, self.line + line - 1, column)
        return self.places[text]


@dataclass(frozen=True)
class RdfNode:
    """A subject of triples, or a term that is only referred to."""

    nodes: RdfNodes = field(compare=False)
    term: Term

    @property
    def types(self) -> set[str]:
        found = self.nodes.values[self.term]["rdf:type"] if self.is_described else []
        return {short_name(each.value) for each in found if isinstance(each, NamedNode)}

    @property
    def is_described(self) -> bool:
        return self.term in self.nodes.values

    @property
    def label(self) -> str:
        """The shortest class name of the node, for paths in reports."""
        names = {each.rpartition(":")[2] for each in self.types if "://" not in each}
        return min(sorted(names), default="node", key=len)

    def objects(self, *names: str) -> Iterator[tuple[str, Term]]:
        if self.is_described:
            self.nodes.visited[self.term] = None
            values = self.nodes.values[self.term]
            yield from ((name, each) for name in names for each in values.get(name, ()))

    def take(self, name: str, value: Term) -> None:
        self.nodes.taken.add((self.term, name, value))

    def texts(self, *names: str) -> list[Value]:
        """Literals, addresses and names of nodes; those without a language tag come first."""
        found = []
        for name, each in self.ordered(*names):
            if value := self.read(name, each):
                self.take(name, each)
                found.append(value)
        return found

    def text(self, *names: str) -> Value | None:
        """The first text; the others are not taken."""
        for name, each in self.ordered(*names):
            if value := self.read(name, each):
                self.take(name, each)
                return value
        return None

    def ordered(self, *names: str) -> list[tuple[str, Term]]:
        return [
            pair
            for name in names
            for pair in sorted(self.objects(name), key=lambda each: language_rank(each[1]))
        ]

    def read(self, name: str, value: Term) -> Value | None:
        named = "" if isinstance(value, Literal) else RdfNode(self.nodes, value).name
        text = named or text_of(value)
        return self.value(text, name) if text else None

    def nodes_at(self, *names: str) -> list[RdfNode]:
        """The described nodes in these fields."""
        found = []
        for name, value in self.objects(*names):
            node = RdfNode(self.nodes, value)
            if not isinstance(value, Literal) and node.is_described:
                self.take(name, value)
                found.append(node)
        return found

    def skip(self, *names: str) -> None:
        for name, value in self.objects(*names):
            self.take(name, value)

    @property
    def name(self) -> str:
        for name, value in self.objects(*NAMES):
            if isinstance(value, Literal) and text_of(value):
                self.take(name, value)
                return text_of(value)
        return ""

    def value(self, text: str, name: str) -> Value:
        return Value.of(text, self.nodes.place(text), f"{self.label}.{name}")

    def left(self) -> Iterator[Value]:
        for name, values in self.nodes.values[self.term].items():
            for value in values:
                is_taken = (self.term, name, value) in self.nodes.taken or name == "rdf:type"
                if not is_taken and (text := text_of(value)):
                    yield self.value(text, name)


def short_name(iri: str) -> str:
    for namespace, prefix in PREFIXES.items():
        if iri.startswith(namespace):
            return prefix + iri[len(namespace) :]
    return OWN_TERMS.sub("cv:", iri)


def text_of(value: Term) -> str:
    """The text of a literal or IRI; a schema.org term is shortened to its name (`Male`)."""
    if isinstance(value, BlankNode):
        return ""
    text = short_name(value.value) if isinstance(value, NamedNode) else value.value
    return squeeze(text if text.isalpha() else value.value).removeprefix(BASE)


def language_rank(value: Term) -> int:
    tag = value.language if isinstance(value, Literal) else None
    return 0 if not tag else 1 if tag.startswith("en") else 2


def read_nodes(source: SourceFile) -> RdfNodes:
    """Parses an RDF file in the syntax of its suffix, or as JSON-LD."""
    if source.suffix in SYNTAXES and not is_json(source.text):
        syntax = SYNTAXES[source.suffix]
        text = source.text
        if syntax == RdfFormat.RDF_XML or text.lstrip().startswith("<?xml"):
            syntax, text = RdfFormat.RDF_XML, DECLARATION.sub("", text)
        return RdfNodes(source, parse_triples(source, text, syntax))
    return json_nodes(source, source.text)


def is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def json_nodes(source: SourceFile, text: str, line: int = 1) -> RdfNodes:
    """Parses JSON-LD text that starts at `line` of its file."""
    try:
        value = json.loads(text, strict=False)
        local = json.dumps(with_contexts(value, 0))
    except (ValueError, RecursionError) as error:
        raise NotImported(f"{source.name}:{line}: invalid JSON-LD: {error}.") from error
    return RdfNodes(source, parse_triples(source, local, RdfFormat.JSON_LD), text, line)


def with_contexts(value: Any, depth: int) -> Any:
    """Replaces remote contexts by the vocabulary they stand for."""
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, list):
        return [with_contexts(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: local_context(item) if name == "@context" else with_contexts(item, depth + 1)
        for name, item in value.items()
    }


def local_context(value: Any) -> Any:
    if isinstance(value, str):
        found = next((iri for part, iri in CONTEXTS.items() if part in value.lower()), "")
        return {"@vocab": found, **ALIASES} if found else {}
    if isinstance(value, list):
        return [local_context(item) for item in value]
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if name != "@import"}
    return value


def parse_triples(source: SourceFile, text: str, syntax: RdfFormat) -> list[Any]:
    data = text.encode()
    try:
        refuse_unbounded(data, syntax)
        return list(
            islice(
                parse(data, syntax, base_iri=BASE, lenient=True, rename_blank_nodes=False),
                MOST_TRIPLES,
            )
        )
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise NotImported(f"{source.name}{line}: {error.msg.rstrip('.')}.") from error
    except (ValueError, OSError) as error:
        raise NotImported(f"{source.name}: {str(error).rstrip('.')}.") from error
