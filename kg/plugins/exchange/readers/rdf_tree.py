"""Parses RDF into one tree for each node, with short property names.

`name` is from schema.org (http or https), `foaf:name` from FOAF, `^author` is the inverse of
`author`. Nothing is fetched: a remote JSON-LD context is replaced by its vocabulary.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

from kg.errors import line_and_column
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.graph.rdf_files import refuse_unbounded
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.text.normalize import squeeze
from kg.vocab import cv

BASE = "https://import.invalid/"
SYNTAXES = {
    **{".ttl": RdfFormat.TURTLE, ".n3": RdfFormat.TURTLE, ".nt": RdfFormat.N_TRIPLES},
    **{".nq": RdfFormat.N_QUADS, ".trig": RdfFormat.TRIG},
    **{".rdf": RdfFormat.RDF_XML, ".owl": RdfFormat.RDF_XML, ".xml": RdfFormat.RDF_XML},
}
PREFIXES = {
    str(cv): "cv:",
    **{"http://schema.org/": "", "https://schema.org/": "", "http://xmlns.com/foaf/0.1/": "foaf:"},
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://purl.org/dc/elements/1.1/": "dcterms:",
    "http://www.w3.org/2006/vcard/ns#": "vcard:",
    "http://purl.org/ontology/bibo/": "bibo:",
    "http://purl.org/vocab/bio/0.1/": "bio:",
    "http://www.w3.org/2002/07/owl#": "owl:",
    "http://purl.org/vocab/relationship/": "rel:",
}
# Terms with capitals, which some tools write in lower case.
CAPITALS = """
foaf:Person foaf:PersonalProfileDocument foaf:primaryTopic foaf:workplaceHomepage foaf:Document
foaf:schoolHomepage foaf:workInfoHomepage foaf:currentProject foaf:pastProject foaf:firstName
foaf:lastName foaf:familyName foaf:givenName foaf:accountName foaf:accountServiceHomepage
rel:friendOf rel:colleagueOf rel:worksWith rel:acquaintanceOf rdfs:seeAlso owl:sameAs
"""
SPELLINGS = {term.lower(): term for term in CAPITALS.split()}
DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
CONTEXTS = {"schema.org": "http://schema.org/", "foaf": "http://xmlns.com/foaf/0.1/"}
ALIASES = {"id": "@id", "type": "@type"}
DEEPEST, MOST_TRIPLES, MOST_LEVELS = 100, 200_000, 4
NAMES = ("name", "headline", "foaf:name", "rdfs:label", "dcterms:title", "foaf:title")
TYPE, ID, INVERSE = "rdf:type", "@id", "^"
Term = NamedNode | BlankNode | Literal


class RdfGraph:
    """The triples of a file by subject, and by object."""

    def __init__(self, source: SourceFile, found: Iterable[Any]) -> None:
        self.source, self.spots = source, dict[str, Spot]()
        self.values: dict[Term, dict[str, list[Term]]] = defaultdict(dict)
        self.referring: dict[Term, dict[str, list[Term]]] = defaultdict(dict)
        for triple in dict.fromkeys((each.subject, each.predicate, each.object) for each in found):
            subject, name, value = triple[0], short_name(triple[1].value), triple[2]
            self.values[subject].setdefault(name, []).append(value)
            self.referring[value].setdefault(name, []).append(subject)

    def types(self, node: Term) -> set[str]:
        return {text_of(each) for each in self.values.get(node, {}).get(TYPE, ())}

    def of_type(self, *types: str) -> list[Term]:
        return [each for each in [*self.values] if self.types(each) & {*types}]

    def tree(self, node: Term, above: tuple[Term, ...] = ()) -> Row:
        """A node with everything it refers to; in a cycle or far below, only its names."""
        row = Row(self.source.name, self.spot(text_of(node)))
        is_whole = node not in above and len(above) < MOST_LEVELS
        names = self.values.get(node, {})
        for name, values in names.items():
            if name == TYPE:
                row.fill(name, Rows.at(row.spot, map(text_of, values)))
            elif is_whole or name in NAMES:
                row.fill(name, self.items(values, (*above, node)))
        for name, subjects in self.referring[node].items() if not above else ():
            row.fill(INVERSE + name, self.items(subjects, (node,)))
        return row.fill(ID, text_of(node))

    def items(self, values: list[Term], above: tuple[Term, ...]) -> Rows:
        rows = Rows()
        for value in sorted(values, key=language_rank):
            if isinstance(value, Literal) or value not in self.values:
                rows.add(text_of(value), self.spot(text_of(value)))
            else:
                rows.add(tree := self.tree(value, above), tree.spot)
        return rows

    def spot(self, text: str) -> Spot:
        """The position of the first occurrence of a text."""
        if text not in self.spots:
            whole = self.source.text
            at = max(whole.find(text), whole.find(json.dumps(text)[1:-1]), 0)
            line, column = line_and_column(whole, at)
            self.spots[text] = (line - 1, column - 1)
        return self.spots[text]


def short_name(iri: str) -> str:
    for namespace, prefix in PREFIXES.items():
        if iri.startswith(namespace):
            name = prefix + iri[len(namespace) :]
            return SPELLINGS.get(name, name)
    return iri


def text_of(value: Term) -> str:
    """The text of a literal or IRI; a term of a known vocabulary is shortened (`Male`)."""
    if isinstance(value, BlankNode):
        return ""
    text = short_name(value.value) if isinstance(value, NamedNode) else value.value
    return squeeze(text if re.fullmatch(r"[\w:]+", text) else value.value).removeprefix(BASE)


def language_rank(value: Term) -> int:
    tag = value.language if isinstance(value, Literal) else None
    return 0 if not tag else 1 if tag.startswith("en") else 2


def read_graph(source: SourceFile) -> RdfGraph:
    """Parses an RDF file in the syntax of its suffix, or as JSON-LD."""
    text, syntax = source.text, SYNTAXES.get(source.suffix)
    if syntax is None or is_json(text):
        return RdfGraph(source, json_triples(source, text))
    if syntax == RdfFormat.RDF_XML or text.lstrip().startswith("<?xml"):
        syntax, text = RdfFormat.RDF_XML, DECLARATION.sub("", text)
    return RdfGraph(source, parse_triples(source, text, syntax))


def is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def json_triples(source: SourceFile, text: str, line: int = 1) -> list[Any]:
    """Parses JSON-LD text that starts at `line` of its file."""
    try:
        local = json.dumps(with_contexts(json.loads(text, strict=False), 0))
    except (ValueError, RecursionError) as error:
        raise NotImported(f"{source.name}:{line}: invalid JSON-LD: {error}.") from error
    return parse_triples(source, local, RdfFormat.JSON_LD)


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
        found = parse(data, syntax, base_iri=BASE, lenient=True, rename_blank_nodes=False)
        return list(islice(found, MOST_TRIPLES))
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise NotImported(f"{source.name}{line}: {error.msg.rstrip('.')}.") from error
    except (ValueError, OSError) as error:
        raise NotImported(f"{source.name}: {str(error).rstrip('.')}.") from error
