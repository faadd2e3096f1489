"""Resolves printed names to people, by the registries and never by similarity.

A name belongs to the person who lists it as `name`, `alternateNames` or `formerNames`, ignoring
case, accents and punctuation. If two people list a name, the author must decide, unless the work is
in exactly one CV and its person is one of the two. A name that nobody lists becomes a new person.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pydantic_core import PydanticCustomError

from kg.errors import Place
from kg.facts.models.people import Person
from kg.facts.values.naming import Claims, private_names
from kg.facts.values.references import AuthorRef, PersonRef
from kg.facts.values.terms import Mention
from kg.facts.values.text import RESERVED, address_slug
from kg.facts.yaml.rows import Row, texts
from kg.text.nearest import closest
from kg.text.normalize import name_key, squeeze

NOTHING: Mapping[str, str] = {}


class PeopleByName:
    """Index of people by name."""

    def __init__(
        self, people: Mapping[str, Mapping[str, Any]], called: Mapping[str, str] = NOTHING
    ) -> None:
        """`called` has display names of people without an entry whose names are spelled in several
        ways.
        """
        self.people, self.called = people, called
        self.claims = Claims()
        # key of a private former name -> current name
        self.former: dict[str, str] = {}
        for slug, row in people.items():
            self.claims.add_person(slug, row)
            if "formerNames" in row:
                keys = map(name_key, private_names(row))
                self.former |= dict.fromkeys(keys, str(row.get("name", slug)))

    @cached_property
    def orcids(self) -> dict[str, str]:
        """ORCID -> slug"""
        known = ((row.get("orcid"), slug) for slug, row in self.people.items())
        return {str(orcid).rpartition("/")[2]: slug for orcid, slug in known if orcid}

    def person(self, printed: str, owners: tuple[str, ...] = ()) -> PersonRef | Mention:
        """The person of a printed name, in a work that these owners list."""
        slugs = self.claims.of(printed)
        if len(slugs) > 1 and len(owners) == 1 and owners[0] in slugs:
            slugs = [owners[0]]
        if len(slugs) == 1:
            return AuthorRef("people", slugs[0], self.people[slugs[0]])
        if slugs:
            raise PydanticCustomError(
                "ambiguous-name",
                f"{printed!r} is ambiguous: {' or '.join(sorted(slugs))}. Write {{person: "
                f"{sorted(slugs)[0]}, as: {printed}}}.",
            )
        name = squeeze(printed)
        slug = address_slug(name)
        if not slug or RESERVED.fullmatch(slug):
            raise PydanticCustomError(
                "unknown-name",
                f"{printed!r} cannot be an address. Add the person to data/people.yaml, with a "
                "key in Latin letters.",
            )
        if slug in self.people:
            name_there = self.people[slug].get("name")
            if not isinstance(name_there, str):  # reported there, or the file was unreadable
                return AuthorRef("people", slug, self.people[slug])
            row = self.people[slug]
            if isinstance(row, Row) and row.path == "basics":  # said once, where the mistake is
                message = (
                    f"basics: works are signed {printed!r}, which has the key of this file, but "
                    f"the name is {name_there!r}. Correct it, or add the other to alternateNames."
                )
                raise PydanticCustomError("unknown-name", message, {"elsewhere": row.at("name")})
            raise PydanticCustomError(
                "unknown-name",
                f"{printed!r} would get the key '{slug}', which belongs to {name_there!r}. Add "
                "the name to the alternateNames of the right person.",
            )
        return Mention("people", slug, Person.unchecked(name=self.called.get(slug, name)))

    def is_claimed(self, name: str) -> bool:
        return bool(self.claims.of(name))

    def present_name(self, printed: Any) -> Any:
        """The name to publish for a signature."""
        return self.former.get(name_key(printed), printed) if isinstance(printed, str) else printed

    def claimants(self, printed: str) -> list[tuple[str, Place]]:
        """The people with a name, and where it is written."""
        return [(slug, self.claimed_at(slug, printed)) for slug in self.claims.of(printed)]

    def claimed_at(self, slug: str, name: str) -> Place:
        row = self.people[slug]
        if not isinstance(row, Row):
            return Place("")
        for field in ("alternateNames", "formerNames"):
            for number, other in enumerate(texts(row, field)):
                if name_key(other) == name_key(name):
                    return row.at(field, number)
        return row.at("name")

    def near(self, printed: str) -> list[str]:
        """The people with the most similar names."""
        names = closest(squeeze(printed), self.claims.exact)
        return list(dict.fromkeys(slug for name in names for slug in self.claims.exact[name]))[:3]
