"""The facts of one site: which statements of its dump may be used.

A site may only describe entries below its own base. Statements about other addresses, blank nodes,
values that could run a script, and all beyond the limits are left out and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg.facts.models import REGISTRIES
from kg.facts.values.text import SLUG
from kg.graph.handwritten import is_ours
from kg.graph.rdf_files import refuse_unbounded
from kg.mapping.iris import document_of
from kg.plugins.join.fetching import NotJoined, printable
from kg.vocab import apart, cv, schema

MAX_DOCUMENTS, MAX_STATEMENTS, MAX_TEXT = 20_000, 1_000_000, 100_000
MAX_SHARED = 100  # entries with one name or identifier
MAX_REASONS = 100  # that are reported apart
SCHEMES = ("http", "https", "mailto", "tel", "urn", "doi", "geo", "info", "xmpp", "matrix")
VOCABULARY_COPY = document_of(str(cv))  # every site has a copy of the vocabulary
PROSE = (schema.description, schema.abstract)
TARGET = re.compile(r"(\]\(\s*<?)(?![a-zA-Z][\w+.-]*:|[/#])([^)\s>]+)")
LINE = re.compile(r"<([^>]*)> <([^>]*)> (?:<([^>]*)>|(.*)) \.\n", re.DOTALL)
KIND = re.compile(rf"^(\S*?/)(?:{'|'.join(REGISTRIES)})/[^/#?]+#it$")


@dataclass
class LeftOut:
    """What is left out of a site's facts: a reason, how often, and one example of it."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, example: str, number: int = 1) -> None:
        if reason not in self.counts and len(self.counts) >= MAX_REASONS:
            reason = "other problem"
        self.counts[reason] += number
        self.examples.setdefault(reason, printable(example))

    def update(self, other: LeftOut) -> None:
        for reason, number in other.counts.items():
            self.add(reason, other.examples[reason], number)

    def lines(self) -> Iterator[str]:
        for reason, number in sorted(self.counts.items()):
            yield f"{number:,} × {reason}, e.g. {self.examples[reason]}"


def read(dump: bytes, syntax: RdfFormat, base: str, left_out: LeftOut) -> list[str]:
    """The statements of a dump that may be used, as sorted lines of N-Triples. Raises NotJoined."""
    found, documents, shared = set[str](), set[str](), Counter[tuple[str, str]]()
    others = {NamedNode(each) for each in apart(base)}
    try:
        refuse_unbounded(dump, syntax)
        for number, quad in enumerate(parse(dump, syntax, base_iri=base), 1):
            if number > MAX_STATEMENTS:
                raise NotJoined(f"has more than {MAX_STATEMENTS:,} statements")
            subject = quad.subject
            if quad.graph_name in others:  # all.nq
                continue
            if not isinstance(subject, NamedNode):
                left_out.add("statement about a blank node", str(quad.triple))
                continue
            document = document_of(subject.value)
            if document == VOCABULARY_COPY or is_description(subject.value, base):
                continue
            if reason := fault(subject.value, quad.object, base):
                left_out.add(reason, f"{subject.value} {quad.predicate.value} {quad.object}")
                continue
            if document not in documents:
                documents.add(document)
                if len(documents) > MAX_DOCUMENTS:
                    raise NotJoined(f"has more than {MAX_DOCUMENTS:,} documents")
            value = quad.object
            if quad.predicate.value == schema.sameAs or (
                quad.predicate.value == schema.name and document.startswith(f"{base}people/")
            ):
                shared[key := (quad.predicate.value, str(value))] += 1
                if shared[key] > MAX_SHARED:
                    left_out.add(f"name or identifier of more than {MAX_SHARED} entries", key[1])
                    continue
            if isinstance(value, Literal) and quad.predicate.value in PROSE:
                value = with_whole_links(value, base)
            found.add(f"{subject} {quad.predicate} {value} .\n")
    except (SyntaxError, ValueError) as error:
        raise NotJoined(f"sent a dump that is not valid {syntax.name}: {error}") from error
    return sorted(found)


def is_description(subject: str, base: str) -> bool:
    """Whether a subject is a document, a list or the site itself, not an entry."""
    document, _, fragment = subject.partition("#")
    kind, _, slug = document.removeprefix(base).partition("/")
    is_entry = fragment and kind in REGISTRIES and SLUG.fullmatch(slug)
    return document.startswith(base) and not is_entry


def fault(subject: str, value: object, base: str) -> str:
    """Why a statement cannot be used; empty if it can."""
    if not subject.startswith(base):
        return f"statement about an address outside {base}"
    if not is_ours(subject, base):
        return "statement about an address that entries do not have"
    match value:
        case NamedNode():
            return wrong_link(value.value)
        case Literal():
            too_long = f"text of more than {MAX_TEXT:,} characters"
            return too_long if len(value.value) > MAX_TEXT else ""
    return "link to a blank node or a triple"


def wrong_link(address: str) -> str:
    try:
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        scheme = "invalid"
    return "" if scheme in SCHEMES else f"link with the scheme '{printable(scheme)[:20]}'"


def with_whole_links(text: Literal, base: str) -> Literal:
    """A text whose links within the site are absolute."""
    whole = TARGET.sub(lambda found: f"{found[1]}{base}{found[2]}", text.value)
    if whole == text.value:
        return text
    if text.language:
        return Literal(whole, language=text.language)
    return Literal(whole, datatype=text.datatype)


def base_in(dump: bytes, syntax: RdfFormat) -> str:
    """The base of a dump without a description: that of its entries. Raises NotJoined if there is
    more than one.
    """
    found = Counter[str]()
    try:
        refuse_unbounded(dump, syntax)
        for number, quad in enumerate(parse(dump, syntax, base_iri="urn:none:")):
            if number > MAX_STATEMENTS:
                break
            if isinstance(quad.subject, NamedNode) and (match := KIND.match(quad.subject.value)):
                found[match[1]] += 1
    except (SyntaxError, ValueError) as error:
        raise NotJoined(f"sent a dump that is not valid {syntax.name}: {error}") from error
    if len(found) != 1:
        what = f"has entries of {len(found)} bases" if found else "has no entries"
        raise NotJoined(f"{what}. Add its 'base' under 'joined' in data/site.yaml")
    return next(iter(found))
