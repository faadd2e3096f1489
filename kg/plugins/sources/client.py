"""HTTP client of the sources: it contacts the hosts of a source only, and no faster than they ask.

It follows redirects to the same hosts, waits as `Retry-After` says, and limits the time and size of
each answer. Answers are kept with their date. With `KG_SOURCES=http://127.0.0.1:PORT`, a mirror
answers for all hosts: `https://api.crossref.org/works` is `/api.crossref.org/works` there.
"""

from __future__ import annotations

import json
import logging
import os
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from kg.plugins.exchange.draft import Draft
from kg.plugins.sources.answers import Answer, Answers
from kg.plugins.sources.found import Identifiers, NotFetched, Record
from kg.text.normalize import squeeze
from kg.web.http_client import Client as HttpClient
from kg.web.http_client import RemoteResponse, TooLarge

MIRROR, CONTACT = "KG_SOURCES", "KG_CONTACT"
SECONDS = 60.0  # for an answer, without pauses
SILENCE = 20.0  # longest pause within an answer
MOST_BYTES = 30_000_000  # per answer, unpacked
TRIES = 3
RETRY_WAIT = 0.5  # seconds before the second try; doubled before the third
LONGEST_WAIT = 60.0  # that a source may ask for
MOST_REDIRECTS = 3
# Seconds between two requests to a host, one at a time. Crossref allows 3 lists per second to
# clients with a contact, and 1 to others; dblp, arXiv and others ask for less.
PAUSES = {
    "api.crossref.org": 1 / 3,
    "pub.orcid.org": 0.1,
    "api.openalex.org": 0.1,
    "export.arxiv.org": 3.0,
    "dblp.org": 1.5,
    "api.zotero.org": 0.5,
}
PAUSE, WITHOUT_CONTACT = 0.4, {"api.crossref.org": 1.0}
BUSY = (429, 500, 502, 503, 504)
GONE = (404, 410)
REDIRECTS = (301, 302, 303, 307, 308)
LATER = "Try again later, or use --offline to use earlier answers."


class Service(NamedTuple):
    """A web service: its title in messages, its hosts, and the query parameter and the variable of
    its key.
    """

    title: str
    hosts: tuple[str, ...]
    key: tuple[str, str] = ("", "")

    def failure(self, address: str, what: str, advice: str = LATER) -> NotFetched:
        host = urlsplit(address).hostname
        return NotFetched(f"{self.title} ({host}) {what}. {advice}".strip())

    def changed(self, address: str, name: str) -> NotFetched:
        what = f"no longer sends the field '{name}' as expected"
        return self.failure(address, what, "Update cv-kg, or report this.")


WEB = Service("the web", ())  # for links of authors


class Client:
    """Asks services, one request at a time for each host. Counts requests and bytes.

    `today` is the date of the answers. With `is_offline` only kept answers are used.
    """

    def __init__(
        self,
        today: str,
        contact: str = "",
        answers: Answers | None = None,
        is_offline: bool = False,
        record: Path | None = None,
        variables: Mapping[str, str] = os.environ,
        seconds: float = SECONDS,
    ) -> None:
        self.today, self.is_offline = today, is_offline
        self.variables, self.seconds = variables, seconds
        self.contact = squeeze(variables.get(CONTACT) or contact)
        self.kept = answers or Answers()
        self.record = Answers(record) if record else None
        self.mirror = variables.get(MIRROR, "").rstrip("/")
        contact = f"; mailto:{self.contact}" if "@" in self.contact else ""
        agent = f"cv-kg/{version('cv-kg')} (https://w3id.org/cv-kg/{contact})"
        self.http = HttpClient(self.mirror or "https:", agent, uses_proxies=not self.mirror)
        own = PAUSES if contact else PAUSES | WITHOUT_CONTACT
        self.pauses: Mapping[str, float] | None = None if self.mirror else own
        self.next = defaultdict[str, float](float)  # earliest time of the next request by host
        self.notes: list[str] = []  # messages about answers that could not be had
        self.requests, self.bytes = Counter[str](), Counter[str]()

    def close(self) -> None:
        self.http.close()

    def json(self, service: Service, address: str, accept: str = "application/json") -> Any:
        """The parsed JSON of an answer, and the answer. Raises NotFetched."""
        answer = self.ask(service, address, accept)
        return parsed(service, answer) if answer else None, answer

    def ask(
        self,
        service: Service,
        address: str,
        accept: str,
        expected: Sequence[int] = (),
    ) -> Answer | None:
        """The answer with status 200, or one that is `expected`; None for 404."""
        if self.is_offline:
            if found := self.kept.find(address):
                return found if found.status != 404 else None
            raise service.failure(address, "was not asked this before", "Leave out --offline.")
        found = self.fetch(service, address, accept)
        if found.status == 200:
            if "html" in found.media_type:
                what = "answered with a web page instead of data"
                raise service.failure(address, what)
        elif found.status not in (404, *expected):
            raise service.failure(address, f"answered with HTTP status {found.status}")
        with suppress(OSError):
            self.kept.keep(found)
        if self.record:
            try:
                self.record.keep(found)
            except OSError as error:
                raise NotFetched(f"Cannot write to {self.record.folder}: {error}") from error
        return None if found.status == 404 and 404 not in expected else found

    def is_gone(self, address: str) -> bool:
        """Whether a page does not exist any more. Servers that do not answer may answer later."""
        for method in ("HEAD", "GET"):  # some servers know no HEAD
            with suppress(TimeoutError, ConnectionError, TooLarge, ValueError):
                if self.exchange(WEB, address, "*/*", method).status in GONE:
                    continue
            return False
        return True

    def fetch(self, service: Service, address: str, accept: str) -> Answer:
        """Follows redirects among the hosts of the service."""
        at, target = address, ""
        for _ in range(MOST_REDIRECTS + 1):
            at = redirected(service, at, target)
            response = self.send(service, at, accept)
            target = response.headers.get("location", "")
            if response.status not in REDIRECTS or not target:
                media_type = response.media_type
                return Answer(address, response.status, media_type, self.today, response.body)
        raise service.failure(address, "redirects too often")

    def send(self, service: Service, address: str, accept: str) -> RemoteResponse:
        """Sends a request, again if the service is busy or the connection breaks."""
        what, wait = "", 0.0
        for number in range(TRIES):
            if number:
                time.sleep(wait)
            try:
                response = self.exchange(service, address, accept)
            except TimeoutError:
                what, wait = f"did not answer within {self.seconds:g} s", 0.0
                continue
            except ConnectionError as error:
                what, wait = f"cannot be reached: {error}", RETRY_WAIT * 2**number
                continue
            except TooLarge as error:
                what = f"sent more than {MOST_BYTES // 1_000_000} MB"
                raise service.failure(address, what, "") from error
            if response.status not in BUSY:
                return response
            what = "is busy" if response.status == 429 else f"has a fault ({response.status})"
            wait = waiting_time(response.headers.get("retry-after", "")) or RETRY_WAIT * 2**number
            if wait > LONGEST_WAIT:
                what = f"{what} and asks to wait {wait:,.0f} s"
                break
        raise service.failure(address, what)

    def exchange(
        self, service: Service, address: str, accept: str, method: str = "GET"
    ) -> RemoteResponse:
        """Sends one request, as soon as the host may be asked again."""
        host, at = urlsplit(address).netloc, address
        time.sleep(max(0.0, self.next[host] - time.monotonic()))
        pause = 0.0 if self.pauses is None else self.pauses.get(host, PAUSE)
        self.next[host] = time.monotonic() + pause
        parameter, variable = service.key
        if key := self.variables.get(variable, "") if parameter else "":
            logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs addresses
            at += f"{'&' if '?' in at else '?'}{parameter}={quote(key)}"
        if self.mirror:
            at = f"{self.mirror}/{at.partition('://')[2]}"
        headers = {"Accept": accept, "Accept-Encoding": "gzip"}
        self.requests[host] += 1
        found = self.http.exchange(method, at, b"", headers, self.seconds, MOST_BYTES, SILENCE)
        self.bytes[host] += len(found.body)
        if method == "GET" and found.headers.get("content-encoding", "") == "gzip":
            return RemoteResponse(found.status, found.headers, unpacked(found.body))
        return found


class WebSource:
    """A service that knows people or works. All methods raise NotFetched.

    Each one adds what it knows. A question that it cannot answer (a person without its identifier,
    a DOI of somebody else) returns nothing.
    """

    name: str
    title: str  # for messages

    def __init__(self, client: Client) -> None:
        self.client = client

    def person(self, known: Identifiers) -> Draft | None:
        """A CV without publications, and registry entries."""
        return None

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        return iter(())

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        """The works with these DOIs that the source knows, in batches."""
        return iter(())


def redirected(service: Service, address: str, target: str) -> str:
    """The address that a redirect leads to, at a host of the service. Raises NotFetched."""
    with suppress(ValueError):
        found = urljoin(address, target)
        parts = urlsplit(found)
        if parts.scheme == "https" and parts.netloc in service.hosts:
            return found
    raise service.failure(address, "redirects to another server, which was not contacted")


def waiting_time(value: str) -> float:
    """The seconds of a `Retry-After`, which may be a date; 0 if there is none."""
    with suppress(ValueError, TypeError):
        if value.isdecimal():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return 0.0


def unpacked(body: bytes) -> bytes:
    """Unpacks gzip. Raises TooLarge, or ConnectionError if the data is damaged."""
    packed = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = packed.decompress(body, MOST_BYTES + 1)
    except zlib.error as error:
        raise ConnectionError("the response is damaged") from error
    if len(found) > MOST_BYTES:
        raise TooLarge("The response is too large.")
    if not packed.eof:
        raise ConnectionError("the response was cut off")
    return found


def parsed(service: Service, answer: Answer) -> Any:
    """The JSON of an answer. Raises NotFetched."""
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        what = "sent broken data" if "json" in answer.media_type else "did not send JSON"
        raise service.failure(answer.address, what) from error


def batches(items: Sequence[str], size: int) -> list[Sequence[str]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
