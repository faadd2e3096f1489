"""DOIs of any agency, by content negotiation at doi.org, which redirects to the agency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from kg.plugins.sources.answer_fields import Types, check_types, field
from kg.plugins.sources.client import Service, WebSource
from kg.plugins.sources.csl_items import entry_of
from kg.plugins.sources.found import NotFetched, Record

SERVICE = Service(
    "doi.org",
    (
        *("doi.org", "api.crossref.org", "data.crosscite.org", "api.datacite.org"),
        *("data.datacite.org", "data.medra.org", "api.japanlinkcenter.org"),
    ),
)
DOI = re.compile(r"(?:doi:\s*|https?:/+(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
TYPES: Types = {list: ("author", "editor"), dict: ("issued",)}
CSL = "application/vnd.citationstyles.csl+json"


def checked_doi(text: str) -> str:
    """A DOI without its web address, in lower case. Raises NotFetched."""
    found = DOI.fullmatch(text.strip())
    if not found:
        raise NotFetched(f"'{text}' is not a DOI. Write it like 10.5555/ice.1.")
    return found[1].lower()


class Doi(WebSource):
    """Asks doi.org."""

    name, title = "doi", SERVICE.title

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        for doi in dois:
            found, answer = self.client.json(
                SERVICE, f"https://doi.org/{quote(doi, safe='/')}", CSL
            )
            if answer:
                field(SERVICE, answer, found, str, "type")
                check_types(SERVICE, answer, found, TYPES)
                entry = entry_of(answer.address, {**found, "DOI": doi})
                origin = answer.origin(self.name)
                yield Record(origin, entry, (("doi", doi),))
