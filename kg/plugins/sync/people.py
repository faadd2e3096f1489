"""Who is compared with which sources: people with a CV and identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kg.errors import KgError
from kg.facts.load import Facts
from kg.facts.models.people import Cv, Owner
from kg.plugins.exchange.author_names import OwnName, name_of
from kg.plugins.sources.answer_fields import checked_person
from kg.plugins.sources.openalex import KEY
from kg.text.nearest import closest_are

# In the order in which they are believed if two say different things equally often.
SOURCES = ("crossref", "datacite", "dblp", "orcid", "openalex")
SCHEMES = ("orcid", "dblp", "openalex")
# The sources that know a person by an identifier; Crossref and DataCite also know works by DOI.
KNOWN_BY = {
    "orcid": ("orcid", "crossref", "datacite"),
    "dblp": ("dblp", "crossref", "datacite"),
    "openalex": ("openalex", "crossref", "datacite"),
}


class NotSynced(KgError):
    """A site cannot be compared; nothing was written."""


@dataclass(frozen=True)
class Person:
    """A person with a CV, their identifiers by scheme, and the sources to ask."""

    slug: str
    basics: Mapping[str, Any]
    identifiers: Mapping[str, str]
    sources: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.basics.get("name") or self.slug)

    @property
    def orcid(self) -> str:
        return self.identifiers.get("orcid", "")

    def has_signed(self, entry: Mapping[str, Any]) -> bool:
        """Whether the person is among the authors: by ORCID iD, or by a name that no other iD and
        no other person has.
        """
        own, names = OwnName(self.basics), list[str]()
        for author in (*entry.get("authors", ()), *entry.get("editors", ())):
            fields = author if isinstance(author, Mapping) else {}
            if self.orcid and fields.get("orcid") == self.orcid:
                return True
            if "person" not in fields and ("orcid" not in fields or not self.orcid):
                names.append(name_of(author))
        return any(own.has_words(name) or own.is_variant(name) for name in names)


def people_of(facts: Facts, variables: Mapping[str, str], only: str = "") -> list[Person]:
    """The people with identifiers, or the one that is asked for. Raises NotSynced."""
    chosen = {each.slug: cv.sync for each, cv in facts.of(Cv)}
    owners = {each.slug: (each, owner) for each, owner in facts.of(Owner)}
    if only and only not in owners:
        raise NotSynced(f"No CV has the key '{only}'. {closest_are(only, [*owners], '')}".strip())
    found = []
    for slug, (each, owner) in sorted(owners.items()):
        sync = chosen.get(slug)
        known = {**owner.identifiers, **({"orcid": owner.orcid} if owner.orcid else {})}
        known |= {name: value for name in SCHEMES if (value := getattr(sync, name, None))}
        known = {name: checked_person(name, known[name]) for name in SCHEMES if name in known}
        sources = (
            tuple(sync.sources) if sync and sync.sources else default_sources(known, variables)
        )
        for name in sources:
            if name not in SOURCES:
                hint = closest_are(name, SOURCES, f"Known: {', '.join(SOURCES)}.")
                raise NotSynced(f"{each.row.file}: unknown source '{name}' in 'sync'. {hint}")
        is_shown = owner.visibility != "private" or sync is not None
        if (only or is_shown) and sources and (not only or slug == only):
            found.append(Person(slug, each.row, known, sources))
    if only and not found:
        raise NotSynced(f"{only} has no identifier. Add 'orcid' to 'basics', or 'sync' to the CV.")
    return found


def default_sources(known: Mapping[str, str], variables: Mapping[str, str]) -> tuple[str, ...]:
    """The sources that know one of the identifiers; OpenAlex needs a key to look up an ORCID iD."""
    found = {source for scheme in known for source in KNOWN_BY[scheme]}
    if "orcid" in known and variables.get(KEY):
        found.add("openalex")
    return tuple(source for source in SOURCES if source in found)
