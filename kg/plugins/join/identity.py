"""Which entries of several sites are the same: by identifier, and by names that the joining site
has registered. Never by likeness.

Identifiers are ORCID iDs, DOIs, ROR IDs, ISSNs, ISBNs, tags of languages and everything else that
entries are schema:sameAs of, including the addresses of entries on other joined sites. Authors of
one work, in the same position and with the same name, are the same person. Two entries of one site
are never joined, nor two people with different ORCID iDs, nor two people with CVs whose names
differ.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kg.facts.values.languages import language_tag
from kg.mapping.iris import document_of
from kg.plugins.join.facts import LINE
from kg.text.normalize import squeeze
from kg.vocab import cv, rdf, schema

WORKS, PEOPLE = "publications", "people"
SAME = schema.sameAs
NAMES = (schema.name, schema.alternateName, cv.formerName)
NUMBERS: Mapping[str, set[str]] = {  # identifiers without an address -> what they identify
    schema.isbn: {schema.Book},
    schema.issn: {schema.Periodical},
    schema.termCode: {schema.Language},
}
VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"')
ORCID = "https://orcid.org/"
OWN = -1  # the number of the joining site


@dataclass
class Entry:
    """An entry of a site: its document, and what identifies it."""

    site: int
    document: str
    kind: str
    is_owner: bool = False
    name: str = ""
    names: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    # position -> document of the author and the printed names
    signatures: dict[str, tuple[str, set[str]]] = field(default_factory=dict)

    types: set[str] = field(default_factory=set)
    numbers: set[tuple[str, str]] = field(default_factory=set)

    def note(self, predicate: str, target: str | None, literal: str | None) -> None:
        """Notes a statement about the entry."""
        if predicate == rdf.type and target:
            self.types.add(target)
            self.is_owner |= target == cv.Owner
        elif predicate == SAME and target:
            self.keys.add(key_of(target))
        elif predicate in NAMES and literal:
            self.names.add(text_of(literal))
            if predicate == schema.name:
                self.name = min(filter(None, (self.name, text_of(literal))), default="")
        elif predicate in NUMBERS and literal:
            text = text_of(literal)
            is_tag = predicate == schema.termCode
            number = language_tag(text) if is_tag else re.sub(r"[^0-9xX]", "", text).upper()
            self.numbers.add((predicate, number or text))

    @property
    def orcids(self) -> set[str]:
        return {each for each in self.keys if each.startswith(ORCID)}


@dataclass
class Signature:
    """An author of a work: the position, the person and the printed names."""

    position: str = ""
    person: str = ""
    names: set[str] = field(default_factory=set)

    def note(self, predicate: str, target: str | None, literal: str | None) -> None:
        if predicate == schema.position and literal:
            self.position = text_of(literal)
        elif predicate == schema.creator and target:
            self.person = document_of(target)
        elif predicate == schema.alternateName and literal:
            self.names.add(text_of(literal))


def text_of(literal: str) -> str:
    """The text of a literal in N-Triples."""
    found = VALUE.match(literal)
    return squeeze(re.sub(r'\\(["\\])', r"\1", found[1])) if found else ""


def key_of(address: str) -> str:
    """An address as a key: without the differences that do not matter."""
    found = document_of(address).rstrip("/")
    host = found.partition("://")[2]
    is_registry = host.startswith(("doi.org/", "dx.doi.org/", "orcid.org/", "ror.org/"))
    found = found.lower() if is_registry else found
    return re.sub(r"^http:|//dx\.", lambda part: "https:" if part[0] == "http:" else "//", found)


def entries(lines: Iterable[str], base: str, site: int) -> dict[str, Entry]:
    """The entries of a site by the addresses of their documents."""
    found: dict[str, Entry] = {}
    signatures: dict[str, Signature] = defaultdict(Signature)
    for match in filter(None, map(LINE.fullmatch, lines)):
        subject, predicate, target, literal = match.groups()
        document, _, fragment = subject.partition("#")
        if fragment != "it":
            signatures[subject].note(predicate, target, literal)
        elif document in found:
            found[document].note(predicate, target, literal)
        else:
            kind = document.removeprefix(base).partition("/")[0]
            found[document] = new = Entry(site, document, kind, keys={key_of(document)})
            new.note(predicate, target, literal)
    for each in found.values():
        each.keys.update(
            f"urn:{predicate.rpartition('/')[2]}:{number}"
            for predicate, number in each.numbers
            if each.types & NUMBERS[predicate]
        )
    for node, signature in signatures.items():
        work, person = found.get(document_of(node)), found.get(signature.person)
        if work and person and work.kind == WORKS and signature.position:
            names = signature.names | person.names
            work.signatures[signature.position] = person.document, names
    return found


class Identities:
    """Classes of entries that are the same, and pairs that could not be joined."""

    def __init__(self) -> None:
        self.classes: dict[str, list[Entry]] = {}  # by document; shared by all in the class
        self.refused: list[str] = []
        self.disputed = set[tuple[str, str]]()  # documents, with identifiers of others

    def add(self, entry: Entry) -> None:
        self.classes[entry.document] = [entry]

    def join(self, one: Entry, other: Entry, why: str, by_key: bool = False) -> bool:
        """Joins two classes, unless something contradicts it."""
        mine, others = self.classes[one.document], self.classes[other.document]
        if mine is others:
            return True
        wrong = contradiction(mine, others)
        if not wrong and by_key and is_claim_of_third(one, other, mine, others):
            wrong = "only a less trusted site says so, and their names differ"
        if wrong:
            self.refused.append(f"{one.document} and {other.document} share {why}, but {wrong}")
            return False
        mine += others
        mine.sort(key=lambda each: (each.site, each.document))
        for each in others:
            self.classes[each.document] = mine
        return True

    def all(self) -> Iterator[list[Entry]]:
        """Each class once."""
        for document, found in sorted(self.classes.items()):
            if found[0].document == document:
                yield found


def contradiction(some: list[Entry], others: list[Entry]) -> str:
    """Why two classes cannot be the same; empty if they can."""
    sites = {each.site for each in some} & {each.site for each in others}
    if sites:
        return "one site has both as two entries"
    orcids = [set[str]().union(*(each.orcids for each in found)) for found in (some, others)]
    if all(orcids) and not orcids[0] & orcids[1]:
        return "their ORCID iDs differ"
    authors = [authors_of(some), authors_of(others)]
    if all(authors) and not authors[0] & authors[1]:
        return "they have no author in common"
    owners = [[each for each in found if each.is_owner] for found in (some, others)]
    if all(owners):
        names = [set[str]().union(*(each.names for each in found)) for found in owners]
        if not names[0] & names[1]:
            return "both have a CV and their names differ"
    return ""


def is_claim_of_third(one: Entry, other: Entry, mine: list[Entry], others: list[Entry]) -> bool:
    """Whether two classes with different names are linked by an entry that is not the most trusted
    of its class: with two identifiers, a site could make one person of two on other sites.
    """
    if one is mine[0] and other is others[0]:
        return False
    names = [
        set[str]().union(*(each.names for each in found if each is not link or len(found) == 1))
        for found, link in ((mine, one), (others, other))
    ]
    return not names[0] & names[1]


def authors_of(works: Iterable[Entry]) -> set[str]:
    """The names of all authors."""
    signatures = (each for work in works for each in work.signatures.values())
    return set[str]().union(*(names for _, names in signatures))


def identify(
    sites: Mapping[int, Mapping[str, Entry]], decided: Iterable[tuple[str, str]] = ()
) -> Identities:
    """The classes of all entries. Sites are in the order of trust; OWN is the joining site. Its
    author has `decided` that some documents are about the same.
    """
    found = Identities()
    everything = [each for number in sorted(sites) for each in sites[number].values()]
    for each in everything:
        found.add(each)
    registered = defaultdict[tuple[str, str], list[Entry]](list)
    for each in sites.get(OWN, {}).values():
        for name in each.names:
            registered[each.kind, name].append(each)
    join_by_key(found, everything)
    for each in everything:
        known = registered.get((each.kind, each.name), [])
        if each.site != OWN and len(known) == 1:
            found.join(known[0], each, f"the registered name '{each.name}'")
    documents = {each.document: each for each in everything}
    for one, other in decided:
        if one in documents and other in documents:
            found.join(documents[one], documents[other], "a line in joined/same.ttl")
    for some in [*found.all()]:
        if len(some) > 1 and some[0].kind == WORKS:
            join_authors(found, some, sites)
    return found


def join_by_key(found: Identities, everything: Iterable[Entry]) -> None:
    """Joins the entries of one kind that share an identifier."""
    by_key = defaultdict[tuple[str, str], list[Entry]](list)
    for each in everything:
        for key in each.keys:
            by_key[each.kind, key].append(each)
    for (_, key), some in sorted(by_key.items()):
        first, *others = sorted(some, key=lambda each: standing(each, some))
        for each in others:
            if not found.join(first, each, key, by_key=True):
                node = key.partition("://")[2].partition(".")[0]  # orcid: the node of the iD
                found.disputed |= {(each.document, key), (each.document, node)}


def standing(entry: Entry, some: Sequence[Entry]) -> tuple[bool, bool, int]:
    """The order of entries that claim one identifier: the joining site, then those with a name
    that others give to this identifier, then the order of trust.
    """
    names = [each.names for each in some if each.site != entry.site]
    is_known = any(entry.names & theirs for theirs in names)
    return entry.site != OWN, not is_known, entry.site


def join_authors(
    found: Identities, works: list[Entry], sites: Mapping[int, Mapping[str, Entry]]
) -> None:
    """Joins the authors of one work: those with the same position and name."""
    known: dict[str, list[tuple[Entry, set[str]]]] = defaultdict(list)
    for work in works:
        for position, (document, names) in sorted(work.signatures.items()):
            person = sites[work.site][document]
            for other, theirs in known[position]:
                if names & theirs and other.kind == person.kind:
                    found.join(other, person, f"position {position} of {works[0].document}")
                    break
            known[position].append((person, names))
