"""The facts of all sites as those of one: an entry for each class of entries that are the same.

Of several sites that describe an entry, the first in the order of trust is used; the others add
what it does not say. A person's own site comes before all others and nothing is added to it. For a
work, the sites of its authors come first. What the joining site says itself is never replaced.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from kg.plugins.join.facts import LINE
from kg.plugins.join.identity import OWN, PEOPLE, SAME, WORKS, Entry, Identities, key_of, text_of
from kg.settings import JOINED_SOURCE, Joined
from kg.vocab import cv, dcterms, foaf, rdf, schema

# Kinds of documents whose other nodes are the contents of one site only.
WHOLE = (PEOPLE, WORKS, "patents", "press", "sources")
# Kinds that other entries refer to: used even from sites that are not trusted for them, but last.
REFERENCES = ("orgs", "venues", "topics", "places", "languages", "sources")
# Properties that have one value; different ones are reported.
SINGLE: Mapping[str, str] = {
    schema.name: "name",
    schema.headline: "title",
    schema.datePublished: "date",
    schema.birthDate: "birth date",
    schema.givenName: "given name",
    schema.familyName: "family name",
    schema.startDate: "start",
    schema.endDate: "end",
    schema.issn: "ISSN",
    schema.isbn: "ISBN",
}
NAMING = (rdf.type, schema.name, foaf.name, schema.headline, SAME, schema.isbn, schema.issn)


@dataclass(frozen=True)
class SiteFacts:
    """A site with its facts. `lines` are N-Triples below its base."""

    member: Joined
    name: str
    base: str
    lines: Sequence[str]

    def is_trusted(self, kind: str) -> bool:
        return not self.member.trusted or kind in self.member.trusted


@dataclass
class Class:
    """The same entry on several sites, the most trusted first, and what they said so far."""

    entries: list[Entry]
    path: str = ""
    said: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    nodes: set[str] = field(default_factory=set)  # fragments

    @property
    def has_own_cv(self) -> bool:
        """Whether this is a person with a CV on the first site."""
        return self.entries[0].kind == PEOPLE and self.entries[0].is_owner

    def note(self, match: re.Match[str]) -> None:
        """Notes what a line says."""
        fragment = match[1].partition("#")[2]
        self.nodes.add(fragment)
        if fragment == "it":
            self.said[match[2]].add(match[4] or match[3])


class Union:
    """Makes the lines of each site below the base of the joining site.

    `paths` are the paths that documents had in earlier runs, and keep.
    """

    def __init__(
        self, base: str, sites: Sequence[SiteFacts], found: Identities, paths: Mapping[str, str]
    ) -> None:
        self.base, self.sites, self.disputed = base, sites, found.disputed
        self.contradictions: list[str] = []
        self.classes: dict[str, Class] = {}
        classes = [Class(self.ranked(entries, found)) for entries in found.all()]
        for each in classes:
            for entry in each.entries:
                self.classes[entry.document] = each
        self.name_documents(classes, paths)

    def ranked(self, entries: Sequence[Entry], found: Identities) -> list[Entry]:
        """The entries of a class in the order of trust."""

        def rank(entry: Entry) -> tuple[bool, bool, bool, int, str]:
            people = (document for document, _ in entry.signatures.values())
            is_by_owner = any(
                each.is_owner and each.site == entry.site
                for document in people
                for each in found.classes[document]
            )
            is_trusted = entry.site == OWN or self.sites[entry.site].is_trusted(entry.kind)
            is_owner = entry.is_owner and is_trusted
            return not is_trusted, not is_owner, not is_by_owner, *rank_of(entry)

        return sorted(entries, key=rank)

    def name_documents(self, classes: Sequence[Class], paths: Mapping[str, str]) -> None:
        """Gives each class a path: its own one, the earlier one, or the one on its first site."""
        living = {path for document, path in paths.items() if document in self.classes}
        taken = {*paths.values()} - living
        taken.update(source("", site.name) for site in self.sites)

        def take(each: Class, path: str) -> None:
            if not each.path and path and path not in taken:
                each.path = path
                taken.add(path)

        for each in classes:
            for entry in each.entries:
                if entry.site == OWN:
                    take(each, entry.document.removeprefix(self.base))
        for each in classes:
            for entry in each.entries:
                take(each, paths.get(entry.document, ""))
        taken.update(paths.values())
        by_rank = sorted(classes, key=lambda some: rank_of(some.entries[0]))
        for each in sorted(by_rank, key=lambda some: not some.has_own_cv):
            if each.path:
                continue
            entry = each.entries[0]
            site = self.sites[entry.site]
            path = entry.document.removeprefix(site.base)
            take(each, path)
            take(each, f"{path}-{site.name}")
            number = 2
            while not each.path:
                take(each, f"{path}-{site.name}-{number}")
                number += 1

    @property
    def paths(self) -> dict[str, str]:
        """The path of each document of the sites."""
        return {
            document: each.path
            for document, each in sorted(self.classes.items())
            if not document.startswith(self.base)
        }

    def lines(self, own: Sequence[str]) -> list[list[str]]:
        """The lines of each site. Links to nodes that no site describes are not removed yet. `own`
        are the lines of the joining site.
        """
        found: list[list[str]] = [[] for _ in self.sites]
        texts = {OWN: own} | dict(enumerate(site.lines for site in self.sites))
        places = {number: places_of(lines) for number, lines in texts.items()}
        for document, each in sorted(self.classes.items()):
            if each.entries[0].document != document:
                continue
            for entry in sorted(each.entries, key=lambda some: some.site != OWN):
                number = entry.site
                start, end = places[number].get(entry.document, (0, 0))
                matches = [*filter(None, map(LINE.fullmatch, texts[number][start:end]))]
                if number != OWN:
                    found[number] += self.of_entry(each, entry, matches)
                for match in matches if number == OWN else ():
                    each.note(match)
        return [sorted(set(lines)) for lines in found]

    def of_entry(
        self, each: Class, entry: Entry, matches: Sequence[re.Match[str]]
    ) -> Iterator[str]:
        """The lines of one entry: its facts that are used, and where they come from."""
        site = self.sites[entry.site]
        is_first = entry is next(one for one in each.entries if one.site != OWN)
        used = [match for match in matches if self.is_used(match, each, entry, site, is_first)]
        for match in used:
            yield self.rewritten(match, each)
        for match in used:
            each.note(match)
        node = f"<{self.base}{each.path}#it>"
        yield f"{node} <{SAME}> <{entry.document}#it> .\n"
        if is_first or any(match[2] != SAME for match in used):
            yield f"{node} <{dcterms.source}> <{source(self.base, site.name)}#it> .\n"

    def is_used(
        self, match: re.Match[str], each: Class, entry: Entry, site: SiteFacts, is_first: bool
    ) -> bool:
        fragment, predicate, value = match[1].partition("#")[2], match[2], match[4] or match[3]
        is_main = fragment == "it"
        if (entry.document, key_of(value) if predicate == SAME else fragment) in self.disputed:
            return False
        if is_main and predicate in SINGLE and each.said[predicate] - {value}:
            self.contradict(each, predicate, value, site)
            return False
        if not site.is_trusted(entry.kind) and not (
            entry.kind in REFERENCES
            or (entry.kind == PEOPLE and is_main and predicate in NAMING and value != cv.Owner)
        ):
            return False
        if is_first or each.has_own_cv:
            return entry is each.entries[0] or not each.has_own_cv
        if is_main:
            return predicate == SAME or predicate not in each.said
        return entry.kind not in WHOLE and fragment not in each.nodes

    def contradict(self, each: Class, predicate: str, value: str, site: SiteFacts) -> None:
        used, said = (text_of(text) or text for text in (min(each.said[predicate]), value))
        self.contradictions.append(
            f"{each.path}: {SINGLE[predicate]} '{said}' on {site.base}; '{used}' is used"
        )

    def rewritten(self, match: re.Match[str], each: Class) -> str:
        subject = f"{self.base}{each.path}#{match[1].partition('#')[2]}"
        value = match[4]
        if match[3] is not None:
            value = f"<{match[3] if match[2] == SAME else self.address(match[3])}>"
        return f"<{subject}> <{match[2]}> {value} .\n"

    def address(self, address: str) -> str:
        """An address of a site as that of the same node on the joining site."""
        document, mark, fragment = address.partition("#")
        each = self.classes.get(document)
        return f"{self.base}{each.path}{mark}{fragment}" if each and mark else address


def places_of(lines: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The range of lines about each document. The lines are sorted, so those are together."""
    found: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines):
        document = line[1 : line.index("#")]
        found[document] = found.get(document, (number, 0))[0], number + 1
    return found


def source(base: str, name: str) -> str:
    """The document about a site as a source."""
    return f"{base}{JOINED_SOURCE}{name}"


def rank_of(entry: Entry) -> tuple[int, str]:
    return entry.site, entry.document


def described(texts: Iterable[Iterable[str]]) -> set[str]:
    """The nodes that are described."""
    return {line[1 : line.index(">")] for lines in texts for line in lines}


def without_dangling(lines: Iterable[str], base: str, known: Set[str]) -> Iterator[str]:
    """The lines without links to nodes of the joining site that nothing describes."""
    for line in lines:
        match = LINE.fullmatch(line)
        target = match[3] if match else None
        if match and (
            target is None
            or match[2] == SAME
            or not target.startswith(base)
            or "#" not in target
            or target in known
        ):
            yield line
