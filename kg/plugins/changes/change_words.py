"""Describes the differences between two states of a graph in words, entry by entry.

The `text` of a change states only what is true now; `former` has what was true before. Only the
first may be published: a site must not keep quoting what its author withdrew. `quotes` are the
lines of the graph that the text was made from; the text is removed with the first of them (see
`change_log`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from textwrap import shorten

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from kg.graph.build import identity
from kg.graph.describe import has_language
from kg.graph.sorted_lines import beginning_with, compare
from kg.mapping.iris import bases_of, document_of
from kg.publish.questions.results import heading
from kg.text import dates, wording
from kg.vocab import cut, cv, dcterms, foaf, home, rdf, schema

MAX_VALUE_LENGTH = 120  # characters of a value
MAX_NAMES = 3  # of authors and subjects
NAMES = (schema.name, schema.roleName, foaf.accountName, schema.value, schema.contentUrl)
DATES = (schema.startDate, schema.endDate, dcterms.date, schema.datePublished)
LABELS: dict[str, str] = {
    **{str(term): label for term, label in wording.FACTS.items()},
    schema.name: "Name",
    schema.author: "Authors",
    schema.email: "E-mail",
    foaf.mbox: "E-mail",
    foaf.mbox_sha1sum: "E-mail",
}
OPAQUE_PROPERTIES = (foaf.mbox_sha1sum,)  # values that mean nothing to people
# Derived properties, and duplicates in another vocabulary.
DERIVED_PROPERTIES = {
    *(foaf[term] for term in foaf if term not in ("mbox", "mbox_sha1sum", "accountName")),
    *(schema[term] for term in ("additionalType", "headline", "item", "creator", "worksFor")),
    *(schema[term] for term in ("jobTitle", "memberOf", "alumniOf", "knows", "performer")),
    *(schema[term] for term in ("performerIn", "fundedItem", "instructor", "subOrganization")),
    *(schema[term] for term in ("subjectOf", "mentions", "mainEntityOfPage")),
    rdf.type,
    dcterms.modified,
    dcterms.source,
}
OWN_DERIVED_PROPERTIES = (
    "earliest",
    "latest",
    "year",
    "ongoing",
    "venue",
    "tookPartIn",
    "employer",
    "laterVersion",
)
KINDS: dict[str, str] = {
    schema.PropertyValue: "Identifier",
    schema.MediaObject: "File",
    schema.DataDownload: "File",
    schema.Observation: "Figure",
    schema.ContactPoint: "Contact",
    schema.PostalAddress: "Address",
    foaf.OnlineAccount: "Account",
}
FAMILIES = ("CreativeWork", "Role", "Event", "Organization", "ListItem", "ItemList", "Service")
ORDER = list(wording.KINDS)
DIGEST = "sha256:"
VERBS = {"new": "added", "changed": "changed", "removed": "removed"}


ENTRY = re.compile(rb"^<([^<>\s#]*)#it> ", re.MULTILINE)


@dataclass(frozen=True)
class GraphState:
    """A graph as sorted, unique lines of N-Quads."""

    nquads: bytes

    @property
    def identity(self) -> str:
        return identity(self.nquads)

    @cached_property
    def base(self) -> str:
        """The base of a site of ours, from the address of an entry; empty if there is none."""
        found = (bases_of([each[1].decode()]) for each in ENTRY.finditer(self.nquads))
        return next((base for bases in found for base in bases), "")

    def about(self, subject: str) -> list[Quad]:
        """All statements about a resource."""
        lines = b"".join(beginning_with(self.nquads, f"<{subject}> ".encode()))
        return list(parse(lines, format=RdfFormat.N_QUADS, lenient=True))


@dataclass(frozen=True)
class GraphDiff:
    """The lines that are only in the old state, and those only in the new one."""

    old: GraphState
    new: GraphState
    removed: list[str]
    added: list[str]


def difference(old: GraphState, new: GraphState) -> GraphDiff:
    return GraphDiff(old, new, *compare(old.nquads, new.nquads))


@dataclass(frozen=True)
class WordedChange:
    """`about` is the resource, empty if it is gone; `title` its name. `verb`: new, changed,
    removed.
    """

    about: str
    title: str
    verb: str
    text: str
    former: str = ""
    quotes: tuple[str, ...] = ()


class StateReader:
    """Names and values of a state, worded as on a page. Records the lines it reads."""

    def __init__(self, state: GraphState) -> None:
        self.state, self.base = state, state.base
        self.known: dict[str, dict[str, list[Quad]]] = {}
        self.read: dict[str, None] = {}

    def quotes(self) -> tuple[str, ...]:
        """The lines read since the last call."""
        lines, self.read = tuple(self.read), {}
        return lines

    def about(self, thing: str) -> dict[str, list[Quad]]:
        """The statements about a resource, by predicate."""
        if thing not in self.known:
            found = self.known.setdefault(thing, defaultdict(list))
            for quad in self.state.about(thing):
                found[quad.predicate.value].append(quad)
        return self.known[thing]

    def has(self, thing: str) -> bool:
        return bool(self.about(thing))

    def is_carrier(self, thing: str) -> bool:
        """Whether a part only links two resources, as the Role of an author does."""
        found = self.about(thing)
        kinds = [quad.object for quad in found.get(rdf.type, [])]
        return schema.creator in found or NamedNode(schema.Occupation) in kinds

    def first(self, thing: str, *predicates: str) -> str:
        """The first value, texts without a language first."""
        for predicate in predicates:
            terms = [
                (has_language(term), term.value, quad)
                for quad in self.about(thing).get(predicate, [])
                if isinstance(term := quad.object, NamedNode | Literal)
            ]
            for _, text, quad in sorted(terms, key=itemgetter(0))[:1]:
                self.read[f"{quad} ."] = None
                return text
        return ""

    def links(self, thing: str, predicate: str) -> list[str]:
        found = []
        for quad in self.about(thing).get(predicate, []):
            if isinstance(quad.object, NamedNode):
                self.read[f"{quad} ."] = None
                found.append(quad.object.value)
        return found

    def name(self, thing: str) -> str:
        return self.first(thing, *NAMES) or (
            wording.address(thing.removeprefix(self.base)) if self.base else thing
        )

    def value(self, quad: Quad) -> str:
        self.read[f"{quad} ."] = None
        term = quad.object
        if isinstance(term, Literal):
            return shorten(wording.value(term), MAX_VALUE_LENGTH, placeholder="…")
        if isinstance(term, NamedNode):
            return self.name(term.value) if self.has(term.value) else wording.address(term.value)
        return "an unnamed entry"

    def kind(self, thing: str) -> str:
        """The kind of a resource in words: a publication, a doctoral study, an award."""
        document, _, part = thing.partition("#")
        folder = document.removeprefix(self.base).partition("/")[0] if self.base else ""
        if part in ("it", "") and folder in wording.KINDS:
            return wording.KINDS[folder].lower()
        if category := self.first(thing, schema.credentialCategory):
            return category
        classes = self.links(thing, schema.additionalType) + self.links(thing, rdf.type)
        classes.sort(key=lambda each: not each.startswith(str(cv)))
        for each in classes:
            word = cut(each)[1]
            if each in KINDS or (word and word not in FAMILIES):
                return (KINDS.get(each) or heading(word)).lower()
        return "entry"

    def period(self, thing: str) -> str:
        if published := self.first(thing, schema.datePublished):
            return dates.date(published)
        start, end, edtf = (self.first(thing, each) or None for each in DATES[:3])
        has_end = end or "/" in (edtf or "") or self.first(thing, cv.latest)
        if (began := edtf or start) and not has_end and self.first(thing, cv.earliest):
            edtf = f"{began}/"
        return dates.period(start, end, edtf)

    def part(self, thing: str, is_dated: bool = True) -> str:
        """A part of a document: `Researcher, University of Northfjord (Aug 2021 – present)`."""
        name = self.first(thing, *NAMES)
        names = [name] if name else []
        for quad in (quad for quads in self.about(thing).values() for quad in quads):
            if len(names) < MAX_NAMES and self.leads_away(thing, quad):
                names.append(self.value(quad))
        when = self.period(thing) if is_dated else ""
        words = ", ".join(dict.fromkeys(names))
        return f"{words} ({when})" if words and when else words or when

    def leads_away(self, thing: str, quad: Quad) -> bool:
        """Whether a triple of a part refers to an entry of another document."""
        return (
            isinstance(quad.object, NamedNode)
            and quad.predicate.value not in (*DERIVED_PROPERTIES, dcterms.relation)
            and document_of(quad.object.value) != document_of(thing)
            and self.has(quad.object.value)
        )

    def authors(self, work: str) -> str:
        signatures = [each for each in self.links(work, schema.creator) if self.has(each)]
        signatures.sort(key=lambda each: self.first(each, schema.position).zfill(9))
        people = [person for each in signatures for person in self.links(each, schema.creator)]
        names = [self.name(person) for person in people[:MAX_NAMES]]
        return ", ".join(names) + (" and others" if len(people) > MAX_NAMES else "")


class Comparison:
    """Describes a difference in words."""

    def __init__(self, diff: GraphDiff) -> None:
        self.was, self.now = StateReader(diff.old), StateReader(diff.new)
        self.base = diff.new.base or diff.old.base
        self.implied = DERIVED_PROPERTIES | {cv[term] for term in OWN_DERIVED_PROPERTIES}
        self.touched: dict[str, dict[str, tuple[list[Quad], list[Quad]]]] = {}
        for place, lines in enumerate((diff.removed, diff.added)):
            for quad in parse("\n".join(lines), format=RdfFormat.N_QUADS, lenient=True):
                if not isinstance(quad.subject, NamedNode):
                    continue  # an unnamed entry cannot be described
                thing = quad.subject.value
                things = self.touched.setdefault(home(self.base, thing), {})
                things.setdefault(thing, ([], []))[place].append(quad)

    def changes(self) -> Iterator[WordedChange]:
        for document in sorted(self.touched, key=self.place):
            yield from self.of_document(document)

    def place(self, document: str) -> tuple[int, str, str]:
        kind = document.removeprefix(self.base).partition("/")[0]
        order = ORDER.index(kind) if kind in ORDER else len(ORDER)
        return order, self.title(self.main(document)), document

    def main(self, document: str) -> str:
        """The subject of a document."""
        thing = f"{document}#it"
        return thing if self.was.has(thing) or self.now.has(thing) else document

    def title(self, thing: str) -> str:
        return (self.now if self.now.has(thing) else self.was).name(thing)

    def of_document(self, document: str) -> Iterator[WordedChange]:
        main = self.main(document)
        if not self.now.has(main):
            yield self.gone(main, main)
        elif not self.was.has(main):
            yield self.new_thing(main)
        else:
            for thing, (removed, added) in sorted(self.touched[document].items()):
                yield from self.of_thing(thing, main, removed, added)

    def of_thing(
        self, thing: str, main: str, removed: list[Quad], added: list[Quad]
    ) -> Iterator[WordedChange]:
        reader = self.now if self.now.has(thing) else self.was
        if thing != main and reader.is_carrier(thing):
            return
        if not self.now.has(thing):
            yield self.gone(thing, main)
        elif not self.was.has(thing):
            yield self.new_part(thing, main)
        else:
            yield from self.changed(thing, main, removed, added)

    def new_thing(self, thing: str) -> WordedChange:
        self.now.quotes()
        title, kind = self.now.name(thing), self.now.kind(thing)
        date, authors = self.now.period(thing), self.now.authors(thing)
        text = (
            f"new {kind}" + (f" ({date})" if date else "") + (f", by {authors}" if authors else "")
        )
        return WordedChange(thing, title, "new", text, quotes=self.now.quotes())

    def new_part(self, thing: str, main: str) -> WordedChange:
        self.now.quotes()
        title, kind, said = self.now.name(main), self.now.kind(thing), self.now.part(thing)
        return WordedChange(
            main, title, "new", f"new {kind}" + (f": {said}" if said else ""), "", self.now.quotes()
        )

    def gone(self, thing: str, main: str) -> WordedChange:
        """Only states that something of this kind was removed."""
        kind, is_part = self.was.kind(thing), self.now.has(main)
        former = (self.was.part(thing) if thing != main else self.was.name(thing)) or ""
        self.now.quotes()
        title = self.now.name(main) if is_part else ""
        return WordedChange(
            main if is_part else "", title, "removed", f"{kind} removed", former, self.now.quotes()
        )

    def changed(
        self, thing: str, main: str, removed: list[Quad], added: list[Quad]
    ) -> Iterator[WordedChange]:
        fields: dict[str, tuple[list[Quad], list[Quad]]] = defaultdict(lambda: ([], []))
        for place, quads in enumerate((removed, added)):
            for quad in quads:
                is_opaque = quad.predicate.value in self.implied or is_digest(quad)
                if not is_opaque and not self.has_own_change(quad):
                    fields[self.label(quad.predicate.value)][place].append(quad)
        for label, (before, after) in sorted(fields.items()):
            self.now.quotes()
            title, is_date = self.now.name(main), label == "Dates"
            if is_date:
                new, old = self.now.period(thing), self.was.period(thing)
            else:
                new, old = joined_values(self.now, after), joined_values(self.was, before)
            what = label
            if thing != main:
                words = f"{self.now.kind(thing)} {self.now.part(thing, not is_date)}"
                what = f"{label.lower()} of {words.rstrip()}"
            verb = ("changed" if before or is_date else "new") if after or new else "removed"
            text = f"{what} {VERBS[verb]}" + (f": {new}" if new else "")
            yield WordedChange(main, title, verb, text, old, self.now.quotes())

    def label(self, predicate: str) -> str:
        if predicate in DATES:
            return "Dates"
        return LABELS.get(predicate) or heading(cut(predicate)[1] or "value")

    def has_own_change(self, quad: Quad) -> bool:
        """Whether a link leads to an entry with a change of its own, because it is new or gone."""
        if not isinstance(quad.object, NamedNode):
            return isinstance(quad.object, BlankNode)
        thing = quad.object.value
        return self.was.has(thing) != self.now.has(thing)


def is_digest(quad: Quad) -> bool:
    """Whether this is the version of a joined site, which only programs compare."""
    return quad.predicate.value == schema.version and str(quad.object).startswith(f'"{DIGEST}')


def joined_values(reader: StateReader, quads: Iterable[Quad]) -> str:
    values = [reader.value(quad) for quad in quads if quad.predicate.value not in OPAQUE_PROPERTIES]
    return ", ".join(dict.fromkeys(values))


def changes(diff: GraphDiff) -> list[WordedChange]:
    return list(Comparison(diff).changes())
