"""DOIs of any agency, by content negotiation at doi.org, which redirects to the agency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from kg.plugins.sources.client import Client, Service, field
from kg.plugins.sources.csl_items import entries_of
from kg.plugins.sources.found import Identifiers, Profile, Record

SERVICE = Service(
    "doi.org",
    (
        *("doi.org", "api.crossref.org", "data.crosscite.org", "api.datacite.org"),
        *("data.datacite.org", "data.medra.org", "api.japanlinkcenter.org"),
    ),
)
CSL = "application/vnd.citationstyles.csl+json"


class Doi:
    """Asks doi.org."""

    name, title, hosts = "doi", SERVICE.title, SERVICE.hosts

    def __init__(self, client: Client) -> None:
        self.client = client

    def person(self, known: Identifiers) -> Profile | None:
        return None

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        return iter(())

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        for doi in dois:
            found, answer = self.client.json(
                SERVICE, f"https://doi.org/{quote(doi, safe='/')}", CSL
            )
            if answer:
                field(SERVICE, answer, found, str, "type")
                (entry,) = entries_of(answer.address, [{**found, "DOI": doi}])
                yield Record(answer.origin(self.name), entry, (("doi", doi),))
