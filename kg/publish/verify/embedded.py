"""Proves the data in a page: they say what the graph says and the page shows, lack nothing that
search engines ask of their types, and are small.

Besides the graph they may say where a page is and how one gets there, what is in it, and in other
words what the graph says with nodes. That these are shown is proved as of all else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyoxigraph import Triple

from kg.errors import Problem
from kg.publish.embed.slim import MOST_BYTES, SUBSTITUTES, VisibleContent, items, lacking
from kg.publish.formats.jsonld import Json
from kg.publish.formats.media import JSONLD
from kg.publish.verify import graphs
from kg.publish.verify.graphs import Triples, fault, short
from kg.publish.verify.markup import Markup
from kg.vocab import cut, rdf, schema

# What is no fact, or is said in the graph with nodes: `identifier` and `knowsAbout`.
FREE = {
    f"{schema}{name}"
    for name in ("url", "hasPart", "breadcrumb", "headline", "identifier", "knowsAbout")
}
# a property -> that of the graph whose values it may have: a website, the abstract of a dataset
IN_OTHER_WORDS: dict[str, str] = {schema.sameAs: schema.url, schema.description: schema.abstract}
NODES = ("#breadcrumb", "#crumb-", "#owners")  # of pages, in no graph
DATASET = "void#"  # described in void.ttl, in other words


@dataclass(frozen=True)
class EmbeddedData:
    """The data in a page, `line` where they begin."""

    name: str
    line: int
    text: str
    value: Json
    triples: Triples
    shown: VisibleContent

    @classmethod
    def read(cls, name: str, page: Markup, base: str, address: str) -> EmbeddedData:
        """A SyntaxError says what cannot be read."""
        line, text = page.scripts[0]
        triples = graphs.triples(text, JSONLD)
        links = (link for _, link in page.links)
        shown = VisibleContent(base, address, page.texts, links)
        return cls(name, line, text, json.loads(text), triples, shown)

    @cached_property
    def claims(self) -> Triples:
        """What they say that a graph must say."""
        base = self.shown.base
        return frozenset(
            triple
            for triple in self.triples
            if triple.predicate.value not in FREE
            and not graphs.subject(triple).startswith((f"{base}{DATASET}", f"{base}dump."))
            and not any(node in graphs.subject(triple) for node in NODES)
            and not any(node in str(triple.object) for node in NODES)
        )

    @cached_property
    def of_document(self) -> Triples:
        document = self.shown.base + self.shown.path
        return frozenset(each for each in self.claims if graphs.document_of(each) == document)

    def faults(self, own: Triples, has_own_templates: bool = False) -> Iterator[Problem]:
        """What is wrong with them, where a document is its `own` triples. Templates of the site may
        show less than the data say.
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
    """Whether it is among these, without its datatype, or in other words. A class may stand for a
    narrower one, and an affiliation for the role between.
    """
    subject, predicate = graphs.subject(triple), triple.predicate.value
    value = graphs.text(triple.object)  # which is plain already
    said = [(subject, predicate, value)]
    if predicate == rdf.type and (kind := cut(value)[1]) in SUBSTITUTES:
        said.append((subject, predicate, f"{schema}{SUBSTITUTES[kind]}"))
    if predicate in IN_OTHER_WORDS:
        said.append((subject, IN_OTHER_WORDS[predicate], value))
    if predicate == schema.affiliation:
        roles = [role for role, *rest in known if rest == [predicate, value]]
        said += [(subject, predicate, role) for role in roles]
    return not known.isdisjoint(said)


def texts(value: Any) -> Iterator[str]:
    """The texts in data, addresses among them; not what things are and how they are told apart."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts([each for name, each in value.items() if not name.startswith("@")])
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
