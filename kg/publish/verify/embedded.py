"""Verifies the JSON-LD embedded in a page: it agrees with the graph and with what the page shows,
has all properties that search engines require, and is small.

Beyond the graph, it can state the location of a page, its breadcrumbs and its contents, and
simplify what the graph states with nodes. All of its text must be visible on the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyoxigraph import Triple

from kg.errors import Problem
from kg.publish.formats.jsonld import Json
from kg.publish.formats.media import JSONLD
from kg.publish.formats.slim import MOST_BYTES, SUBSTITUTES, VisibleContent, items, lacking
from kg.publish.verify import graphs
from kg.publish.verify.graphs import Triples, fault, short
from kg.publish.verify.markup import Markup
from kg.vocab import cut, rdf, schema

# Not facts, or stated in the graph with nodes: `identifier` and `knowsAbout`.
UNVERIFIED_PROPERTIES = {
    f"{schema}{name}"
    for name in ("url", "hasPart", "breadcrumb", "headline", "identifier", "knowsAbout")
}
# property -> graph property whose values it can have: a website, the abstract of a dataset
EQUIVALENT_PROPERTIES: dict[str, str] = {
    schema.sameAs: schema.url,
    schema.description: schema.abstract,
}
PAGE_NODES = (
    "#breadcrumb",
    "#crumb-",
    "#owners",
    "#file.",
)  # nodes of pages that are not in the graph
DATASET = "void#"  # described differently in void.ttl


@dataclass(frozen=True)
class EmbeddedData:
    """The JSON-LD of a page; `line` is where it starts."""

    name: str
    line: int
    text: str
    value: Json
    triples: Triples
    shown: VisibleContent

    @classmethod
    def read(cls, name: str, page: Markup, base: str, address: str) -> EmbeddedData:
        """Raises SyntaxError if it cannot be parsed."""
        line, text = page.scripts[0]
        triples = graphs.triples(text, JSONLD)
        links = (link for _, link in page.links)
        shown = VisibleContent(base, address, page.texts, links)
        return cls(name, line, text, json.loads(text), triples, shown)

    @cached_property
    def claims(self) -> Triples:
        """The triples that must be in the graph."""
        base = self.shown.base
        return frozenset(
            triple
            for triple in self.triples
            if triple.predicate.value not in UNVERIFIED_PROPERTIES
            and not graphs.subject(triple).startswith((f"{base}{DATASET}", f"{base}dump."))
            and not any(node in graphs.subject(triple) for node in PAGE_NODES)
            and not any(node in str(triple.object) for node in PAGE_NODES)
        )

    @cached_property
    def of_document(self) -> Triples:
        base = self.shown.base
        document = base + self.shown.path
        return frozenset(each for each in self.claims if graphs.document_of(each, base) == document)

    def faults(self, own: Triples, has_own_templates: bool = False) -> Iterator[Problem]:
        """The problems, given the document's `own` triples. Templates of a site can show less than
        the data has.
        """
        if own:
            known = graphs.untyped(own)
            for triple in sorted(self.of_document, key=str):
                if not is_known(triple, known):
                    yield self.fault(
                        "graph", f"states something that is not in the graph: {short(triple)}"
                    )
        for text in () if has_own_templates else sorted(set(texts(self.value))):
            if not self.shown.shows(text):
                yield self.fault("unseen", f"has text that the page does not show: {short(text)}")
        for item in items(self.value):
            kind = str(item.get("@type", ""))
            if missing := lacking(item, kind):
                yield self.fault("incomplete", f"has a {kind} without {', '.join(missing)}")
        if (size := len(self.text.encode())) > MOST_BYTES:
            yield self.fault("embed-size", f"has {size} bytes (at most {MOST_BYTES} are allowed)")

    def fault(self, rule: str, message: str) -> Problem:
        return fault(rule, self.name, f"The JSON-LD in this page {message}.", self.line)


def is_known(triple: Triple, known: set[graphs.UntypedTriple]) -> bool:
    """Whether a triple is among these, ignoring datatypes and simplifications. A class can replace
    a narrower one, and an affiliation a Role.
    """
    subject, predicate = graphs.subject(triple), triple.predicate.value
    value = graphs.text(triple.object)  # already plain text
    said = [(subject, predicate, value)]
    if predicate == rdf.type and (kind := cut(value)[1]) in SUBSTITUTES:
        said.append((subject, predicate, f"{schema}{SUBSTITUTES[kind]}"))
    if predicate in EQUIVALENT_PROPERTIES:
        said.append((subject, EQUIVALENT_PROPERTIES[predicate], value))
    if predicate == schema.affiliation:
        roles = [role for role, *rest in known if rest == [predicate, value]]
        said += [(subject, predicate, role) for role in roles]
    return not known.isdisjoint(said)


def texts(value: Any) -> Iterator[str]:
    """The texts in the data, including addresses; without types and IRIs."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts([each for name, each in value.items() if not name.startswith("@")])
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
