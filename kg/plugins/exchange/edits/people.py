"""Who a printed name is when the works of one person come into a site with others.

A full name means the person who has it, unless the ORCIDs differ. A short one (`J. Kim`) fits
several people. It means somebody of the site only if the two have signed a work together. Otherwise
it gets an entry in `data/people.yaml` with a number, and `kg reconcile` proposes who it may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.facts.bibliography.bibliographies import key_in
from kg.facts.files import Files
from kg.facts.values.naming import Claims, names_of
from kg.facts.values.text import address_slug
from kg.plugins.exchange.draft import without_empty
from kg.plugins.exchange.edits.entry_matching import KnownEntries, identifiers
from kg.plugins.exchange.edits.joined_authors import name_of, parts_of
from kg.plugins.exchange.own_names import SIGNED, OwnName, names_in, signatures
from kg.text.normalize import name_key


def is_short(name: str) -> bool:
    """Whether the first given name is an initial: `J. Kim`, `Kim, J.`, `Kim JH`."""
    given, _ = parts_of(name)
    return bool(given) and len(given[0]) == 1


def orcid_of(row: Any) -> str:
    return dict(identifiers(row)).get("orcid", "") if isinstance(row, Mapping) else ""


class PrintedPeople:
    """The people of a site, and the works in which each name is printed."""

    def __init__(self, files: Files) -> None:
        self.people, self.works = files.people, files.registries["publications"]
        self.listed: dict[str, set[str]] = defaultdict(set)  # work -> people whose CV lists it
        for slug, cv in files.cvs.items():
            for item in cv.rows("publications"):
                self.listed[key_in(item)].add(slug)
        self.signed: dict[str, set[str]] = defaultdict(set)  # key of a name -> works
        for key, work in self.works.items():
            for name in signatures(work):
                self.signed[name_key(name)].add(key)


class Newcomer:
    """The person of an imported CV, among the people of a site."""

    def __init__(self, files: Files, known: KnownEntries, own: str, cv: Mapping[str, Any]) -> None:
        self.site, self.own, self.basics = PrintedPeople(files), own, cv.get("basics", {})
        self.entries: dict[str, dict[str, str]] = {}  # new people without a CV
        self.claims = Claims()
        for slug, row in self.site.people.items():
            if slug != own:
                self.claims.add(slug, row)
        written = files.cvs[own].file if own in files.cvs else ""
        self.separate = {
            name_key(name_of(item)): item["person"]
            for work in self.site.works.values()
            for item in (work.get("authors") or () if work.file == written else ())
            if isinstance(item, Mapping) and "as" in item and "person" in item
        }
        self.names = {
            name_key(name): name
            for row in (self.site.people.get(own, {}), self.basics)
            for name in names_of(row)
        }
        works = [each for each in cv.get("publications", ()) if isinstance(each, Mapping)]
        pairs = [(known.work(each), each) for each in works]
        self.shared = {key for key, _ in pairs if key}
        full = (key for key, name in self.names.items() if not is_short(name))
        together = self.shared.union(*(self.site.signed.get(key, ()) for key in full))
        printed = [name for each in works for name in signatures(each)]
        printed += [name for key in together for name in signatures(self.site.works[key])]
        self.partners = {
            *(slug for key in together for slug in self.site.listed[key]),
            *(slug for name in printed if not is_short(name) for slug in self.claims.of(name)),
        } - {own}
        self.added = [*self.names_in_shared_works(pairs)]
        self.names |= {name_key(name): name for name in self.added}
        self.claimed = [key for key, name in self.names.items() if self.is_own(name)]

    def names_in_shared_works(
        self, pairs: Iterable[tuple[str, Mapping[str, Any]]]
    ) -> Iterator[str]:
        """The names under which the site has the person as an author of a shared work."""
        own = OwnName({**self.site.people.get(self.own, {}), **self.basics})
        for key, work in pairs:
            names = signatures(self.site.works[key]) if key else []
            if own.signed(work) and not self.names.keys() & {*map(name_key, names)}:
                fitting = [name for name in names if own.has_words(name) or own.is_variant(name)]
                yield from fitting if len(fitting) == 1 else ()

    def is_own(self, name: str) -> bool:
        """Whether the name can stand for the person in the whole site."""
        others = self.site.signed.get(name_key(name), set()) - self.shared
        others = {key for key in others if self.site.listed[key] != {self.own}}
        is_printed = is_short(name) and any(
            not self.site.listed[key] & {self.own, *self.partners} for key in others
        )
        return not is_printed and not self.claims.of(name)

    def settled(self, cv: dict[str, Any]) -> dict[str, Any]:
        """The CV with people instead of names that would mean somebody else in this site."""
        basics = {**cv.get("basics", {})}
        names = [*names_in(basics.get("alternateNames")), *self.added]
        claimed = [name for name in names if name_key(name) in self.claimed]
        basics = without_empty({**basics, "alternateNames": claimed})
        works = [self.work(each) for each in cv.get("publications", ())]
        return without_empty({**cv, "basics": basics, "publications": works})

    def work(self, work: Any) -> Any:
        if not isinstance(work, dict):
            return work
        lists = {part: work[part] for part in SIGNED if isinstance(work.get(part), list)}
        return {**work, **{part: [*map(self.author, items)] for part, items in lists.items()}}

    def author(self, item: Any) -> Any:
        fields = item if isinstance(item, dict) else {"as": item}
        name, orcid = name_of(item), orcid_of(fields)
        if "person" in fields or not name:
            return item
        if (key := name_key(name)) in self.names:
            is_clear = key in self.claimed
            return item if is_clear else {"person": self.own, **fields}
        slugs = self.claims.of(name)
        fitting = [slug for slug in slugs if not is_short(name) or slug in self.partners]
        if len(fitting) > 1:
            fitting = [slug for slug in fitting if slug in self.partners] or fitting
        if orcid or (slugs == fitting and len(slugs) < 2 and (slugs or self.is_free(name))):
            return item
        person = fitting[0] if len(fitting) == 1 else self.new_person(name)
        return {"person": person, **fields}

    def is_free(self, name: str) -> bool:
        """Whether a name that nobody has makes an address that nobody has."""
        return address_slug(name) not in self.site.people

    def new_person(self, name: str) -> str:
        """The key of an entry for somebody else with a known name: `J. Kim (2)`."""
        slug, number = address_slug(name), 2
        while f"{slug}-{number}" in self.site.people:
            number += 1
        key = self.separate.setdefault(name_key(name), f"{slug}-{number}")
        if key not in self.site.people:
            self.entries[key] = {"name": f"{name} ({number})"}
        return key
