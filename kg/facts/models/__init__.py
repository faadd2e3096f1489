"""The kinds of fact: which files hold them, which sections a CV has, and which class reads each entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kg.facts.models.base import Entry
from kg.facts.models.careers import Position, Study
from kg.facts.models.people import Person
from kg.facts.models.things import Language, Organization, Place, Source, System, Topic
from kg.facts.models.venues import Journal, Series
from kg.facts.models.works import Paper, Report, Thesis


@dataclass(frozen=True)
class Registry:
    """A file (or folder of files) of entries by key. Where the class depends on the entry's `kind`, `by_kind` tells which."""

    file: str
    title: str
    model: type[Entry]
    by_kind: Mapping[str, type[Entry]] = field(default_factory=dict)

    def model_for(self, kind: object) -> type[Entry]:
        return self.by_kind.get(str(kind), self.model)


# The key is the folder of the addresses: /orgs/osu. The order is that of the home page.
REGISTRIES: dict[str, Registry] = {
    "people": Registry("people", "People", Person),
    "publications": Registry("publications", "Publications", Paper, {"thesis": Thesis, "report": Report}),
    "orgs": Registry("organizations", "Organisations", Organization),
    "venues": Registry("venues", "Venues", Series, {"journal": Journal}),
    "software": Registry("software", "Software", System),
    "topics": Registry("topics", "Topics", Topic),
    "places": Registry("places", "Places", Place),
    "languages": Registry("languages", "Languages", Language),
    "sources": Registry("sources", "Sources", Source),
}

SECTIONS: dict[str, type[Entry]] = {"work": Position, "education": Study}
