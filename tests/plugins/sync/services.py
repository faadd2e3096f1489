"""Services on loopback that answer from works of fictional people, in the shapes of their APIs.

Each source can say something else about a work, and each can be down.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from kg.plugins.sources.answers import Answers
from kg.plugins.sources.client import Client
from kg.plugins.sync.proposals import Proposal
from kg.plugins.sync.summary import PersonReport
from kg.plugins.sync.syncing import Choice, reports_of
from tests.plugins.sources.recorded_server import RecordedServer, Reply, served

ORCID = "0000-0002-1825-0097"
TODAY = "2026-11-19"
OWNER = ("Hana", "Lind", ORCID)
PEER = ("Kim", "Osei", "")


@dataclass(frozen=True)
class Work:
    """A work, and what single sources say about it instead."""

    doi: str
    title: str
    year: int = 2023
    volume: str = "12"
    pages: str = "10-19"
    authors: tuple[tuple[str, str, str], ...] = (OWNER, PEER)
    sources: tuple[str, ...] = ("crossref", "orcid")
    instead: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    updates: tuple[Mapping[str, Any], ...] = ()
    is_listed: bool = True  # whether sources list it among the works of the person
    pdf: tuple[str, str] = ("", "")  # address and licence
    kind: str = "journal-article"
    amends: str = ""  # DOI of the work that it corrects
    preprint: str = ""  # DOI
    printed: int = 0  # year, if it differs from the first one
    journal: str = "Journal of Ice"

    def seen_by(self, source: str) -> Work:
        return replace(self, **self.instead.get(source, {}))


class Services(RecordedServer):
    """ORCID, Crossref, DataCite, OpenAlex, dblp and doi.org. `down` are hosts that fail."""

    def __init__(self, works: list[Work]) -> None:
        super().__init__(Path(os.devnull))
        self.works, self.down = works, set[str]()

    def known(self, source: str) -> list[Work]:
        return [work.seen_by(source) for work in self.works if source in work.sources]

    def answer(self, address: str) -> Reply:
        parts = urlsplit(address)
        if parts.hostname in self.down:
            return Reply(500)
        for part, replies in self.replies.items():
            if part in address:
                return replies[0]
        found = self.found(str(parts.hostname), unquote(parts.path), parse_qs(parts.query))
        return Reply(404) if found is None else Reply(200, json.dumps(found).encode())

    def found(self, host: str, path: str, query: Mapping[str, list[str]]) -> Any:
        wanted = query.get("filter", [""])[0]
        dois = re.findall(r"doi:([^,|]+)|\|([^,|]+)", wanted)
        asked = {one or other for one, other in dois}
        found: Any = None
        if host == "pub.orcid.org":
            found = self.orcid(path)
        elif path.startswith("/authors/"):
            found = {"id": "https://openalex.org/A1", "display_name": "Hana Lind"}
        elif host == "api.crossref.org":
            works = [each for each in self.known("crossref") if fits(each, asked)]
            items = [crossref_item(each) for each in page(works, query, 200)]
            message = {"items": items, "next-cursor": cursor(query, 200)}
            found = {"status": "ok", "message": message}
        elif host == "api.openalex.org":
            works = [each for each in self.known("openalex") if fits(each, asked)]
            items, after = page(works, query, 100), cursor(query, 100)
            is_last = int(after) >= len(works)
            results = [openalex_item(each) for each in items]
            found = {"meta": {"next_cursor": None if is_last else after}, "results": results}
        elif host == "api.datacite.org":
            found = {"data": []}
        elif host == "doi.org":
            doi = path.removeprefix("/")
            found = next((csl_item(each) for each in self.known("doi") if each.doi == doi), None)
        return found

    def orcid(self, path: str) -> Any:
        works = [each for each in self.known("orcid") if each.is_listed]
        if path.endswith("/record"):
            groups = [
                {"work-summary": [{"put-code": code, "display-index": "1"}]}
                for code in range(len(works))
            ]
            name = {"given-names": {"value": OWNER[0]}, "family-name": {"value": OWNER[1]}}
            return {
                "orcid-identifier": {"path": ORCID},
                "person": {"name": name},
                "activities-summary": {"works": {"group": groups}},
            }
        codes = [int(code) for code in path.rpartition("/")[2].split(",")]
        return {"bulk": [{"work": orcid_work(code, works[code])} for code in codes]}


def fits(work: Work, asked: set[str]) -> bool:
    return work.doi in asked if asked else work.is_listed


def cursor(query: Mapping[str, list[str]], rows: int) -> str:
    start = query.get("cursor", ["*"])[0]
    return str((0 if start == "*" else int(start)) + rows)


def page(works: list[Work], query: Mapping[str, list[str]], rows: int) -> list[Work]:
    start = query.get("cursor", ["*"])[0]
    first = 0 if start == "*" else int(start)
    return works[first : first + rows]


def crossref_item(work: Work) -> dict[str, Any]:
    authors = [
        {"given": given, "family": family, "sequence": "first"}
        | ({"ORCID": f"https://orcid.org/{orcid}"} if orcid else {})
        for given, family, orcid in work.authors
    ]
    url, licence = work.pdf
    copies: dict[str, Any] = {
        "license": [{"URL": licence, "content-version": "vor", "delay-in-days": 0}],
        "link": [{"URL": url, "content-type": "application/pdf", "content-version": "vor"}],
    }
    return {
        "DOI": work.doi,
        "type": work.kind,
        "title": [work.title],
        "author": authors,
        "issued": {"date-parts": [[work.year]]},
        "container-title": [work.journal],
        "volume": work.volume,
        "page": work.pages,
        "updated-by": [*work.updates],
        "published-online": {"date-parts": [[work.year, 12, 30]]},
        "published-print": {"date-parts": [[work.printed]]} if work.printed else None,
        "update-to": [{"DOI": work.amends, "type": "correction"}] if work.amends else [],
        "relation": {
            "has-preprint": [{"id-type": "doi", "id": work.preprint}] if work.preprint else []
        },
    } | (copies if url else {})


def openalex_item(work: Work) -> dict[str, Any]:
    authorships = [
        {
            "author": {"id": f"https://openalex.org/A{number}", "orcid": None},
            "raw_author_name": f"{given} {family}",
            "institutions": [],
        }
        for number, (given, family, _) in enumerate(work.authors)
    ]
    number = sum(map(ord, work.doi + work.title))
    first, _, last = work.pages.partition("-")
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/{work.doi}" if work.doi else None,
        "title": work.title,
        "publication_date": f"{work.year}-01-01",
        "type": "article",
        "language": "en",
        "authorships": authorships,
        "biblio": {"volume": work.volume, "first_page": first, "last_page": last},
        "primary_location": {"source": {"display_name": work.journal, "type": "journal"}},
        "best_oa_location": None,
        "ids": {},
        "is_retracted": False,
    }


def csl_item(work: Work) -> dict[str, Any]:
    return {
        "type": "article-journal",
        "title": work.title,
        "author": [{"given": given, "family": family} for given, family, _ in work.authors],
        "issued": {"date-parts": [[work.year]]},
        "container-title": work.journal,
    }


def orcid_work(code: int, work: Work) -> dict[str, Any]:
    contributors = [
        {"credit-name": {"value": f"{given} {family}"}} for given, family, _ in work.authors
    ]
    numbers = [
        {
            "external-id-type": "doi",
            "external-id-value": work.doi,
            "external-id-relationship": "self",
        }
    ]
    return {
        "put-code": code,
        "title": {"title": {"value": work.title}},
        "journal-title": {"value": work.journal},
        "type": "journal-article",
        "publication-date": {"year": {"value": str(work.year)}},
        "external-ids": {"external-id": numbers if work.doi else []},
        "contributors": {"contributor": contributors},
    }


SITE = "base: https://hana.example/\ntitle: Hana Lind\n"
BASICS = f"basics: {{name: Hana Lind, orcid: {ORCID}}}\n"


def write_site(folder: Path, cv: str = "", basics: str = BASICS) -> Path:
    (folder / "data/cv").mkdir(parents=True, exist_ok=True)
    (folder / "data/site.yaml").write_text(SITE)
    (folder / "data/cv/hana-lind.yaml").write_text(basics + cv)
    return folder


@dataclass
class Session:
    """A site and its services."""

    site: Path
    services: Services
    client: Client | None = None

    @property
    def cv(self) -> Path:
        return self.site / "data/cv/hana-lind.yaml"

    @property
    def text(self) -> str:
        return self.cv.read_text()

    def sync_all(self) -> list[PersonReport]:
        """Syncs everyone in the site, and writes what is certain."""
        variables = {"KG_SOURCES": self.services.root}
        kept = Answers(self.site / "../answers")
        with closing(Client(TODAY, "a@b.example", kept, variables=variables)) as client:
            choice = Choice(True, set(), set())
            return reports_of(self.site, "", client, TODAY, choice, True)

    def sync(
        self,
        write: bool = False,
        is_offline: bool = False,
        has_links: bool = False,
        seconds: float = 2.0,
        ask: Callable[[Proposal], str] | None = None,
        **chosen: set[str],
    ) -> PersonReport:
        variables = {"KG_SOURCES": self.services.root, "OPENALEX_KEY": "k"}
        kept = Answers(self.site / "../answers")
        self.client = Client(
            TODAY, "a@b.example", kept, is_offline, variables=variables, seconds=seconds
        )
        accepted, refused = chosen.get("accept", set()), chosen.get("refuse", set())
        choice = Choice(write, accepted, refused, ask)
        is_written = bool(write or accepted or refused or ask)
        with closing(self.client):
            (report,) = reports_of(self.site, "", self.client, TODAY, choice, is_written, has_links)
        return report


@contextmanager
def session(
    folder: Path, works: list[Work], cv: str = "", basics: str = BASICS
) -> Iterator[Session]:
    with served(Services(works)) as services:
        assert isinstance(services, Services)
        yield Session(write_site(folder, cv, basics), services)
