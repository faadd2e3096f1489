"""JSON-LD of pages and of the dump.

The context is inline, so that reading needs no network and does not depend on the release of
schema.org. With D the graph of the document, E the triples of this JSON-LD and U the whole graph: D
⊆ E ⊆ U, and E \\ D is only the class and name of mentioned entries. The JSON-LD in HTML is an
excerpt of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from pyoxigraph import Literal, NamedNode

from kg.graph.describe import Description
from kg.store.protocol import Term
from kg.text.markdown import plain_prose
from kg.vocab import PREFIXES, cut, rdf, schema, xsd

IRI_TERMS = ("url", "sameAs", "image", "additionalType", "codeRepository", "license")
FIRST = ("name", "mainEntity")
PROSE = ("description", "abstract")  # Markdown, which is removed for other sites
# General classes, which come last: some readers use only the first class.
GENERAL = (
    *("Project", "Role", "ItemList", "WebPage", "Event", "Organization", "CreativeWork"),
    "Document",
)
OPENING, CLOSING = '<script type="application/ld+json">\n', "\n</script>"
Json = dict[str, Any]


def context(base: str) -> Json:
    known = PREFIXES
    used = {
        prefix: known[prefix]
        for prefix in ("foaf", "dcterms", "bibo", "rdf", "rdfs", "skos", "xsd", "edtf", "cv")
    }
    coerced = {name: {"@id": f"{schema}{name}", "@type": "@id"} for name in IRI_TERMS}
    return {
        "@vocab": str(schema),
        **used,
        **coerced,
        "dateModified": {"@id": schema.dateModified, "@type": "xsd:date"},
    }


class JsonLdWriter:
    """Writes the nodes of one description. A resource of another document has class and name at its
    first mention.
    """

    def __init__(self, base: str, description: Description, is_plain: bool = False) -> None:
        self.description, self.is_plain = description, is_plain
        self.names = {namespace: prefix for prefix, namespace in PREFIXES.items()}
        self.labelled: set[str] = set()
        self.positions = self.author_positions()

    def compact(self, iri: str) -> str:
        """`http://schema.org/name` -> `name`, `…foaf/0.1/name` -> `foaf:name`; others stay full."""
        namespace, local = cut(iri)
        if namespace == str(schema) and local:
            return local
        return f"{self.names[namespace]}:{local}" if namespace in self.names and local else iri

    def classes(self, iris: Iterable[str]) -> list[str]:
        """Most specific first: `ProfilePage, WebPage, CreativeWork, foaf:PersonalProfileDocument,
        foaf:Document`.
        """
        return sorted(map(self.compact, iris), key=generality)

    def author_positions(self) -> dict[str, int]:
        """The position in the author list, for authorship Roles and for authors."""
        found: dict[str, int] = {}
        for iri, node in self.description.nodes.items():
            for position in node.get(schema.position, []):
                for key in (iri, *(term.value for term in node.get(schema.item, []))):
                    found.setdefault(key, int(position.value))
        return found

    def value(self, key: str, term: Term) -> Any:
        if isinstance(term, NamedNode):
            return term.value if key in IRI_TERMS else self.label(term.value)
        if not isinstance(term, Literal):
            raise TypeError(f"{term} is neither an IRI nor a literal")
        text = plain_prose(term.value) if self.is_plain and key in PROSE else term.value
        if term.language:
            return {"@value": text, "@language": term.language}
        datatype = term.datatype.value
        if datatype == xsd.integer and re.fullmatch(r"0|-?[1-9]\d{0,14}", term.value):
            return int(term.value)
        if datatype == (xsd.date if key == "dateModified" else xsd.string) and key not in IRI_TERMS:
            return text
        return {
            "@value": term.value,
            "@type": self.compact(datatype)
            if datatype.startswith((str(xsd), "http://id.loc.gov/"))
            else datatype,
        }

    def label(self, iri: str) -> Json:
        """A link, with class and name at its first mention."""
        if iri in self.labelled or iri not in self.description.labels:
            return {"@id": iri}
        self.labelled.add(iri)
        classes, name = self.description.labels[iri]
        return {"@id": iri, "@type": self.classes(classes), **({"name": name} if name else {})}

    def node(self, iri: str) -> Json:
        node = self.description.nodes[iri]
        found: Json = {"@id": iri}
        if rdf.type in node:
            found["@type"] = self.classes(term.value for term in node[rdf.type])
        for predicate in sorted(
            node, key=lambda each: (self.compact(each) not in FIRST, self.compact(each))
        ):
            if predicate == rdf.type:
                continue
            key = self.compact(predicate)
            terms = sorted(
                node[predicate], key=lambda term: (self.positions.get(term.value, 0), str(term))
            )
            values = [self.value(key, term) for term in terms]
            found[key] = values[0] if len(values) == 1 else values
        return found


def generality(name: str) -> tuple[bool, int, str]:
    prefix, _, local = name.rpartition(":")
    return bool(prefix), GENERAL.index(local) + 1 if local in GENERAL else 0, local


def document(base: str, description: Description, is_plain: bool = False) -> Json:
    """A page: its node with the main entity nested, then the other nodes of the document. With
    `is_plain`, prose is without Markdown, for other sites.
    """
    writer = JsonLdWriter(base, description, is_plain)
    page, main = description.document, description.value(schema.mainEntity, description.document)
    first = [iri for iri in (main, page) if iri in description.nodes]
    nodes = {
        iri: writer.node(iri)
        for iri in [*filter(None, first), *(iri for iri in description.nodes if iri not in first)]
    }
    if main in nodes and page in nodes:
        nodes[page]["mainEntity"] = nodes.pop(main)
    graph = [nodes[iri] for iri in sorted(nodes, key=lambda iri: (iri != page, iri))]
    return {"@context": context(base), "@graph": graph}


def nodes(base: str, description: Description) -> list[Json]:
    """All nodes of a document, flat, for the dump. Each has its own class and name, so the
    description needs no labels.
    """
    writer = JsonLdWriter(base, description)
    return [writer.node(iri) for iri in description.nodes]


def text(value: Json) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def script(value: Json) -> str:
    """The script element for a page. Everything that could end it early is escaped."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        body = body.replace(character, f"\\u{ord(character):04x}")
    return f"{OPENING}{body}{CLOSING}"
