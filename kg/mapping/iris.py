"""Makes all IRIs.

A document is base + kind + slug; the author chooses the slug. A dependent fact is a fragment made
of stable keys (organisation, title, venue, year), never of its position in a list, so adding a job
changes no other address. The IRI without its fragment is the document, and the name of the graph
that contains its triples.

Entries of one document with equal keys (two talks at one conference in one year) get distinct
addresses. The earliest keeps the plain one, because later additions are mostly newer; of entries
that begin at the same time, the first in the list. Others get a word of a field that differs, or a
number. An `id` is always used as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, count
from typing import Any

from kg.facts.loaded import Loaded
from kg.facts.models import REGISTRIES
from kg.facts.models.base import Entry, fields_with
from kg.facts.values.dates import When
from kg.facts.values.references import Reference
from kg.facts.values.terms import Fact, Mention, Unmapped, computed_values
from kg.facts.values.text import PART, slugify
from kg.vocab import rdf

# Characters of XML element names, and names that are reserved in RDF/XML.
START = (
    "A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
RESERVED_NAMES = re.compile(
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
    """Adds the base to the address of a thing of the site: `topics/#it`."""
    return iri if ":" in iri else base + iri


def bases_of(documents: Iterable[str]) -> set[str]:
    """The bases of sites with these documents, from the addresses of entries."""
    found = (re.match(rf"(.*/)(?:{'|'.join(REGISTRIES)})/[^/]+$", each) for each in documents)
    return {each[1] for each in found if each}


def path_of(base: str, iri: str) -> str | None:
    """The path of a document of this site, relative to its base; None for other IRIs."""
    return document_of(iri)[len(base) :] if iri.startswith(base) else None


@cache
def xml_name() -> re.Pattern[str]:
    return re.compile(rf"[{START}][-.0-9\u00b7\u0300-\u036f\u203f-\u2040{START}]*\Z")


def fits_rdfxml(predicate: str) -> bool:
    """Whether RDF/XML can express a property: the end of its IRI must be the name of an XML
    element.
    """
    end = re.split("[/#:]", predicate)[-1]
    return bool(xml_name().search(end)) and not RESERVED_NAMES.fullmatch(predicate)


def is_list(path: str) -> bool:
    """Whether a path is a list (`people/`) or a later page of one (`people/page-2`)."""
    return path.endswith("/") or PART.fullmatch(path.rpartition("/")[2]) is not None


@cache
def pieces(pattern: str) -> tuple[tuple[str, str], ...]:
    """`v{volume}` -> (("v", "volume"),): literal text and field of each piece of a key pattern."""
    return tuple((found[1] or found[3] or "", found[2] or "") for found in PIECE.finditer(pattern))


def of(
    fact: Fact,
    document: str,
    enclosing: str = "",
    position: int = 0,
    tokens: Iterable[str] = (),
) -> str:
    """The IRI of a fact: its `id` or filled key pattern, followed by tokens: the date it was spread
    by, and a word that makes it unique.
    """
    own = fact.__dict__.get("id")
    if own:
        found = [own]
    elif fact.key == "it":
        return f"{document}#it"
    else:
        found = filled(fact, enclosing, position)
    for token in tokens:
        if token and found[-1:] != [token]:  # a key may already end with the date
            found.append(token)
    return f"{document}#{'-'.join(found)}" if found else document


def filled(fact: Fact, enclosing: str, position: int) -> list[str]:
    """Fills a key pattern. `{within}` is the fragment of the enclosing fact, unless the document is
    about it; `{position}` is the number in an ordered list.
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
    """The fragment of an IRI; empty for the entity that the document is about."""
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


START_FIELDS = ("startDate", "date", "year")
# Fields that distinguish entries, the best first. Never an end date: it changes when a job ends,
# and would change the address.
DISTINGUISHING_FIELDS = (
    *START_FIELDS,
    *("title", "name", "unit", "role", "level", "position", "venue", "conference", "organization"),
    *("awarder", "issuer", "work", "area", "kind", "location"),
)
MAX_WORDS = 4  # of a field, in an address


def unique_words(
    base: str,
    loaded: Iterable[Loaded],
    ids: frozenset[str],
    hidden: Collection[tuple[str, str]],
) -> dict[int, str]:
    """Finds the words that make addresses unique, also against chosen ones (`ids`), by `id()` of
    the entry. Entries with equal content stay equal. Names of `hidden` documents are never used.
    """
    sharing: dict[str, list[Loaded]] = defaultdict(list)
    for each in loaded:
        if each.fact.types and each.fact.key != "it" and not own_id(each.fact):
            sharing[address_of(base, each)].append(each)
    taken = {*ids, *sharing}
    added: dict[int, str] = {}
    for address, group in sharing.items():
        if len(group) == 1 and address not in ids:  # the usual case
            continue
        ordered = sorted(group, key=beginning)
        first, settled = ordered[0].fact, list[Loaded]()
        for each in ordered:
            same = next((one for one in settled if has_same_content(one.fact, each.fact)), None)
            if same:
                added[id(each)] = added.get(id(same), "")
                continue
            if settled or address in ids:
                words = chain(words_of(each.fact, first, hidden), map(str, count(2)))
                added[id(each)] = word = next(
                    word for word in words if address_of(base, each, word) not in taken
                )
                taken.add(address_of(base, each, word))
            settled.append(each)
    return added


def address_of(base: str, each: Loaded, *words: str) -> str:
    page = document(base, each.kind, each.slug)
    return of(each.fact, page, tokens=(each.row.token, *words))


def chosen_addresses(base: str, loaded: Iterable[Loaded]) -> frozenset[str]:
    """The addresses of entries, including nested ones, that have an `id`."""
    found = set[str]()
    for each in loaded:
        page = document(base, each.kind, each.slug)
        if own_id(each.fact):
            found.add(of(each.fact, page, tokens=(each.row.token,)))
        found.update(of(one, page) for one in entries_in(each.fact) if own_id(one))
    return frozenset(found)


def entries_in(fact: Fact) -> Iterator[Fact]:
    for field in fields_with(type(fact), Entry):
        items = fact.__dict__.get(field)
        yield from items if isinstance(items, list) else ()


def own_id(fact: Fact) -> str:
    return fact.__dict__.get("id") or ""


def beginning(each: Loaded) -> str:
    values = (each.fact.__dict__.get(field) for field in START_FIELDS)
    return next((value.iso for value in values if isinstance(value, When)), "")


def words_of(fact: Fact, first: Fact, hidden: Collection[tuple[str, str]]) -> Iterator[str]:
    """The words in which a fact differs from the first."""
    for field in DISTINGUISHING_FIELDS:
        value = fact.__dict__.get(field)
        is_hidden = isinstance(value, Reference) and (value.kind, value.slug) in hidden
        if value and not is_hidden and value != first.__dict__.get(field):
            yield from filter(None, ["-".join(word(value).split("-")[:MAX_WORDS])])


def has_same_content(one: Fact, other: Fact) -> bool:
    """Whether two facts have the same published content, whatever their sources."""
    return type(one) is type(other) and all(
        getattr(one, name) == getattr(other, name) for name in published(type(one))
    )


@cache
def published(model: type[Fact]) -> tuple[str, ...]:
    """The fields and computed values that make triples."""
    fields = (
        name
        for name, info in model.model_fields.items()
        if name not in (*Entry.model_fields, *model.from_loader)
        and not any(isinstance(mark, Unmapped) for mark in info.metadata)
    )
    return (*fields, *computed_values(model))
