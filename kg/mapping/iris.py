"""The only maker of IRIs.

A document is base + kind + slug, and the author writes the slug. A dependent fact is a fragment
made from stable keys (organisation, title, venue, year), never from its place in a list, so that
adding a job moves nothing. Cutting the fragment off a thing gives its document, which is also the
name of the graph its triples live in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from kg.facts.values.dates import When
from kg.facts.values.references import Reference
from kg.facts.values.terms import Fact, Mention
from kg.facts.values.text import PART, slugify
from kg.vocab import rdf

# What the name of an XML element consists of, and the names that mean something else in RDF/XML.
START = (
    "A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
TAKEN = re.compile(
    f"{rdf}(?:Description|RDF|ID|about(?:Each(?:Prefix)?)?|bagID|datatype|li|nodeID|parseType|"
    "resource)"
)
PIECE = re.compile(r"(\w*)\{(\w+)\}|(\w+)")


def document(base: str, kind: str, slug: str) -> str:
    return f"{base}{kind}/{slug}"


def thing(base: str, kind: str, slug: str) -> str:
    return f"{base}{kind}/{slug}#it"


def document_of(iri: str) -> str:
    return iri.partition("#")[0]


def resolve(base: str, iri: str) -> str:
    """Our own terms are written without the base."""
    return iri if ":" in iri else base + iri


def path_of(base: str, iri: str) -> str | None:
    """The path of a document of this site below its base, or None for an IRI from elsewhere."""
    return document_of(iri)[len(base) :] if iri.startswith(base) else None


@cache
def xml_name() -> re.Pattern[str]:
    return re.compile(rf"[{START}][-.0-9\u00b7\u0300-\u036f\u203f-\u2040{START}]*\Z")


def fits_rdfxml(predicate: str) -> bool:
    """Whether RDF/XML can say a property: there it is the name of an element, so its address must
    end in one.
    """
    end = re.split("[/#:]", predicate)[-1]
    return bool(xml_name().search(end)) and not TAKEN.fullmatch(predicate)


def is_list(path: str) -> bool:
    """Whether a path is that of a list (`people/`), or of a part of one (`people/page-2`)."""
    return path.endswith("/") or PART.fullmatch(path.rpartition("/")[2]) is not None


@cache
def pieces(pattern: str) -> tuple[tuple[str, str], ...]:
    """`v{volume}` -> (("v", "volume"),): the literal text and the field of each piece of a key
    pattern.
    """
    return tuple((found[1] or found[3] or "", found[2] or "") for found in PIECE.finditer(pattern))


def of(
    fact: Fact,
    document: str,
    enclosing: str = "",
    position: int = 0,
    tokens: Iterable[str] = (),
) -> str:
    """The IRI of a fact of a document: its own `id`, or its key pattern filled in; then the tokens:
    the date it was spread by, and what tells it from another of the same key.
    """
    own = fact.__dict__.get("id")
    if own:
        found = [own]
    elif fact.key == "it":
        return f"{document}#it"
    else:
        found = filled(fact, enclosing, position)
    for token in tokens:
        if token and found[-1:] != [token]:  # a key may end with the date itself
            found.append(token)
    return f"{document}#{'-'.join(found)}" if found else document


def filled(fact: Fact, enclosing: str, position: int) -> list[str]:
    """The pieces of a key, filled in. `{within}` is the fragment of the enclosing fact, unless that
    is what the document is about; `{position}` the number in an ordered list.
    """
    found = []
    for text, field in pieces(fact.key):
        if not field:
            found.append(text)
        elif field == "position" and position:
            found.append(f"{text}{position}")
        elif value := fragment(enclosing) if field == "within" else word(getattr(fact, field)):
            found.append(f"{text}{value}")
    return found


def fragment(iri: str) -> str:
    """Of a part of a document; empty for what the document is about."""
    found = iri.partition("#")[2]
    return "" if found == "it" else found


def mentioned(base: str, mention: Mention) -> str:
    enclosing = mentioned(base, mention.within) if mention.within else ""
    return of(mention.fact, document(base, mention.kind, mention.slug), enclosing)


def word(value: Any) -> str:
    """A value as a piece of a fragment."""
    if isinstance(value, When):
        return slugify(value.text)
    if isinstance(value, (Reference, Mention)):
        return value.slug
    if isinstance(value, list):
        return "-".join(filter(None, map(word, value)))
    return slugify(str(value or ""))
