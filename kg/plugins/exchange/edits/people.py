"""Who a printed name is when the works of one person come into a site with others.

A full name means the person who has it, unless the ORCIDs differ. A short one (`J. Kim`) fits
several people. It means somebody of the site only if the two have signed a work together. Otherwise
it gets an entry in `data/people.yaml` with a number, and `kg reconcile` proposes who it may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from kg.facts.bibliography.bibliographies import key_in
from kg.facts.files import Files
from kg.facts.identity import PeopleByName
from kg.facts.values.naming import names_of
from kg.facts.values.text import address_slug
from kg.plugins.exchange.author_names import (
    SIGNED,
    OwnName,
    name_of,
    names_in,
    parts_of,
    signatures,
)
from kg.plugins.exchange.draft import without_empty
from kg.plugins.exchange.edits.entry_matching import KnownEntries
from kg.text.normalize import name_key


def is_short(name: str) -> bool:
    """Whether the first given name is an initial: `J. Kim`, `Kim, J.`, `Kim JH`."""
    given, _ = parts_of(name)
    return bool(given) and len(given[0]) == 1


class Newcomer:
    """The person of an imported CV, among the people of a site."""

    def __init__(self, files: Files, known: KnownEntries, own: str, cv: Mapping[str, Any]) -> None:
        self.people, self.works = files.people, files.registries["publications"]
        self.own, self.basics = own, {**self.people.get(own, {}), **cv.get("basics", {})}
        others = {slug: row for slug, row in self.people.items() if slug != own}
        self.claims = PeopleByName(others).claims
        self.listed: dict[str, set[str]] = defaultdict(set)  # work -> people whose CV lists it
        for slug, row in files.cvs.items():
            for item in row.rows("publications"):
                self.listed[key_in(item)].add(slug)
        self.signed: dict[str, set[str]] = defaultdict(set)  # key of a name -> works
        self.separate: dict[str, str] = {}  # key of a name -> person that the CV refers to
        for key, work in self.works.items():
            for item in work.get("authors") or ():
                self.signed[name_key(name_of(item))].add(key)
                if isinstance(item, Mapping) and "person" in item and self.listed[key] == {own}:
                    self.separate[name_key(name_of(item))] = item["person"]
        self.entries: dict[str, dict[str, str]] = {}  # new people without a CV
        entry: Mapping[str, Any] = self.people.get(own, {})
        names = (*names_of(entry), *names_of(self.basics))
        self.names = {name_key(name): name for name in names}
        works = [each for each in cv.get("publications", ()) if isinstance(each, Mapping)]
        pairs = [(known.work(each), each) for each in works]
        self.shared = {key for key, _ in pairs if key}
        full = (key for key, name in self.names.items() if not is_short(name))
        together = self.shared.union(*(self.signed.get(key, ()) for key in full))
        records = [*works, *(self.works[key] for key in together)]
        printed = [name for each in records for name in signatures(each) if not is_short(name)]
        self.partners = {slug for name in printed for slug in self.claims.of(name)}
        self.partners |= {slug for key in together for slug in self.listed[key]} - {own}
        self.added = [*self.names_in_shared_works(pairs)]
        self.names |= {name_key(name): name for name in self.added}
        self.claimed = [key for key, name in self.names.items() if self.is_own(name)]

    def names_in_shared_works(
        self, pairs: Iterable[tuple[str, Mapping[str, Any]]]
    ) -> Iterator[str]:
        """The names under which the site has the person as an author of a shared work."""
        own = OwnName(self.basics)
        for key, work in pairs:
            names = signatures(self.works[key]) if key else []
            if own.signed(work) and not self.names.keys() & {*map(name_key, names)}:
                fitting = [name for name in names if own.has_words(name) or own.is_variant(name)]
                yield from fitting if len(fitting) == 1 else ()

    def is_own(self, name: str) -> bool:
        """Whether the name can stand for the person in the whole site."""
        works = self.signed.get(name_key(name), set()) - self.shared if is_short(name) else ()
        is_printed = any(not self.listed[key] & {self.own, *self.partners} for key in works)
        return not is_printed and not self.claims.of(name)

    def settled(self, cv: dict[str, Any]) -> dict[str, Any]:
        """The CV with people instead of names that would mean somebody else in this site."""
        basics, works = cv.get("basics", {}), cv.get("publications", ())
        others = basics.get("alternateNames", [])
        names = [*(others if isinstance(others, list) else [others]), *self.added]
        kept = [each for each in names if {*map(name_key, names_in(each))} <= {*self.claimed}]
        basics = without_empty({**basics, "alternateNames": kept})
        settled = {"basics": basics, "publications": [*map(self.work, works)]}
        return without_empty({**cv, **settled})

    def work(self, work: Any) -> Any:
        fields = work if isinstance(work, dict) else {}
        lists = {part: fields[part] for part in SIGNED if isinstance(fields.get(part), list)}
        people = {part: [*map(self.author, items)] for part, items in lists.items()}
        return {**work, **people} if people else work

    def author(self, item: Any) -> Any:
        """An author, with the key of the person if the name does not identify them."""
        fields, name = item if isinstance(item, dict) else {"as": item}, name_of(item)
        key, slugs = name_key(name), self.claims.of(name)
        if fields.keys() & {"person", "organization", "orcid"} or key in self.claimed or not name:
            return item
        partners = [slug for slug in slugs if slug in self.partners]
        fitting = partners if is_short(name) or len(slugs) > 1 else slugs
        is_clear = slugs == fitting and (slugs or address_slug(name) not in self.people)
        if key not in self.names and len(slugs) < 2 and is_clear:
            return item
        if key in self.names:
            fitting = [self.own]
        return {"person": fitting[0] if len(fitting) == 1 else self.new_person(name), **fields}

    def new_person(self, name: str) -> str:
        """The key of an entry for somebody else with a known name: `J. Kim (2)`."""
        keys = ((number, f"{address_slug(name)}-{number}") for number in count(2))
        number, free = next(each for each in keys if each[1] not in self.people)
        key = self.separate.setdefault(name_key(name), free)
        if key == free:
            self.entries[key] = {"name": f"{name} ({number})"}
        return key
