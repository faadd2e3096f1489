"""Looks up a work by DOI or arXiv number, in a local bibliography or at doi.org."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from kg.errors import KgError
from kg.facts.bibliography.bibliographies import is_bibliography, read_bibliography
from kg.facts.values.identifiers import check_arxiv, check_doi
from kg.plugins.exchange.edits.entry_matching import identifiers
from kg.web.http_client import Client

RESOLVER = "https://doi.org/"
CSL = "application/vnd.citationstyles.csl+json"
# Registration agencies that doi.org may redirect to.
AGENCIES = ("crossref.org", "datacite.org", "medra.org", "jalc.japanlinkcenter.org")
REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 4
MOST_BYTES = 10_000_000
TIMEOUT = 30.0  # seconds


class NoRecord(KgError):
    """The record does not exist or cannot be read."""


def from_file(path: Path, wanted: Mapping[str, str]) -> dict[str, Any]:
    """The work with one of these identifiers in a .bib or CSL-JSON file.

    Without identifiers, the file must contain exactly one work.
    """
    if not is_bibliography(path.name):
        raise NoRecord(f"{path} is not a .bib or CSL-JSON (.json) file.")
    works, _ = read_bibliography(path.name, path.read_bytes())
    rows = [row for _, row, _ in works or ()]
    ids = set(identifiers(wanted))
    found = [row for row in rows if ids & set(identifiers(row))] if ids else rows
    if len(found) != 1:
        what = " and ".join(f"{scheme} {value}" for scheme, value in wanted.items())
        if not ids:
            raise NoRecord(f"{path} has {len(found)} works. Choose one with --doi or --arxiv.")
        raise NoRecord(f"{path} has {len(found) or 'no'} works with {what}.")
    return dict(plain_data(found[0]))


def from_resolver(wanted: Mapping[str, str], resolver: str = RESOLVER) -> dict[str, Any]:
    """The record of a work at its DOI; arXiv registers a DOI for each of its numbers."""
    try:
        doi = (
            check_doi(wanted["doi"])
            if "doi" in wanted
            else f"10.48550/arXiv.{check_arxiv(wanted['arxiv'])}"
        )
    except KeyError as error:
        raise NoRecord("Choose a work with --doi or --arxiv.") from error
    except ValueError as error:
        raise NoRecord(str(error)) from error
    body = fetch_csl(f"{resolver}{quote(doi, safe='/:;()')}", resolver)
    works, _ = read_bibliography("doi.json", b"[" + body + b"]")
    if not works:
        raise NoRecord(f"Cannot read the record of {doi} from {resolver}.")
    return dict(plain_data(works[0][1]))


def fetch_csl(address: str, resolver: str) -> bytes:
    """Requests CSL-JSON, following redirects to the resolver and registration agencies only."""
    for _ in range(MOST_REDIRECTS):
        client = Client(address, uses_proxies=True)
        try:
            answer = client.exchange("GET", address, b"", {"Accept": CSL}, TIMEOUT, MOST_BYTES)
        except (TimeoutError, ConnectionError) as error:
            raise KgError(f"Cannot reach {urlsplit(address).netloc}: {error}.") from error
        finally:
            client.close()
        if answer.status == 200:
            return answer.body
        address = answer.headers.get("location", "")
        host = urlsplit(address).hostname or ""
        is_agency = address.startswith("https://") and any(
            host == each or host.endswith(f".{each}") for each in AGENCIES
        )
        if answer.status not in REDIRECTS or not (is_agency or address.startswith(resolver)):
            break
    raise NoRecord(f"{resolver} has no record of this work. Check the DOI or arXiv number.")


def plain_data(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: plain_data(item) for name, item in value.items()}
    return [plain_data(item) for item in value] if isinstance(value, list) else value
