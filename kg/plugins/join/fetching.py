"""Fetches the description and the dump of a site: only from its host, and within limits.

The description (`.well-known/void`) is requested with the ETag of the last run, so an unchanged
site costs one request. Redirects are followed within the host only. A host whose name leads to a
private address is not contacted, unless the site was named by that address.
"""

from __future__ import annotations

import ipaddress
import socket
import time
import zlib
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies
from urllib.robotparser import RobotFileParser

import httpcore
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.errors import KgError
from kg.graph.rdf_files import SUFFIXES, refuse_unbounded
from kg.plugins.join.members import host_of, is_address, is_literal_address
from kg.publish.document import ABOUT, DUMP, WELL_KNOWN
from kg.publish.formats.media import HTML
from kg.publish.hosting.built_folder import is_built
from kg.settings import NOWHERE, Joined
from kg.vocab import dcterms, owl, void
from kg.web.http_client import Client, RemoteResponse, TooLarge

AGENT = "cv-kg-join"
SECONDS = 60.0  # for all requests to a site
SILENCE = 15.0  # longest pause within an answer
VOID_BYTES, DUMP_BYTES = 20_000_000, 100_000_000  # unpacked
ACCEPT = "text/turtle, application/n-quads, */*;q=0.1"
MAX_REDIRECTS, MAX_ADDRESSES = 3, 3
REDIRECTS = (301, 302, 303, 307, 308)
REFUSED = (410, 451)  # gone, or not available for legal reasons
DUMPS = (".nq.gz", ".nt.gz", ".ttl.gz", ".nq", ".nt", ".ttl")  # in this order


class NotJoined(Exception):
    """A site cannot be read; its last state is kept."""

    requests = 0


class Refused(Exception):
    """A site is gone or refuses to be joined; its facts are removed."""

    requests = 0


@dataclass(frozen=True)
class Described:
    """What is known of a site from its description, for the next request and as provenance."""

    base: str = ""
    title: str = ""
    license: str = ""
    version: str = ""
    void: str = ""  # the address of the description
    etag: str = ""
    modified: str = ""
    dumps: tuple[str, ...] = field(default=(), compare=False)


class Fetched(NamedTuple):
    """The description of a site, and its dump if it has changed. `requests` were sent."""

    described: Described
    dump: bytes | None
    syntax: RdfFormat = RdfFormat.N_QUADS
    requests: int = 0


def fetch(member: Joined, before: Described, folder: Path, seconds: float = SECONDS) -> Fetched:
    """Reads a site at its address, from a built folder or from a dump. Raises NotJoined or
    Refused.
    """
    if is_address(member.site):
        with closing(Visit(member, seconds)) as visit:
            try:
                return visit.fetch(before)
            except (NotJoined, Refused) as error:
                error.requests = visit.requests
                raise
    place = folder / member.site
    try:
        if not is_built(place):
            return Fetched(Described(member.base), unpacked_file(place), syntax_of(place.name))
        found = described(bounded(place / "void.ttl", VOID_BYTES), "void.ttl")
        if found.version and found.version == before.version:
            return Fetched(replace(found, void=""), None)
        return Fetched(found, bounded(place / "dump.nq", DUMP_BYTES))
    except OSError as error:
        raise NotJoined(f"cannot be read: {error.strerror}") from error


def bounded(path: Path, limit: int) -> bytes:
    if path.stat().st_size > limit:
        raise NotJoined(f"{path.name} is larger than {limit // 1_000_000} MB")
    return path.read_bytes()


def unpacked_file(path: Path) -> bytes:
    found = bounded(path, DUMP_BYTES)
    return unpacked(found, DUMP_BYTES) if path.suffix == ".gz" else found


def syntax_of(name: str) -> RdfFormat:
    suffix = Path(name.removesuffix(".gz")).suffix.lower()
    if suffix not in SUFFIXES:
        raise NotJoined(f"{name} is not an RDF file. Known: {', '.join(SUFFIXES)}")
    return SUFFIXES[suffix]


def unpacked(body: bytes, limit: int) -> bytes:
    """The unpacked content of a gzip file. Raises NotJoined if it is damaged or too large."""
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = reader.decompress(body, limit + 1)
    except zlib.error as error:
        raise NotJoined(f"sent a damaged gzip file: {error}") from error
    if len(found) > limit:
        raise NotJoined(f"sent more than {limit // 1_000_000} MB")
    if not reader.eof:
        raise NotJoined("sent an incomplete gzip file")
    return found


def described(data: bytes, address: str) -> Described:
    """The description of a site in VoID."""
    try:
        refuse_unbounded(data, RdfFormat.TURTLE)
        quads = list(parse(data, RdfFormat.TURTLE, base_iri=NOWHERE))
    except (SyntaxError, ValueError) as error:
        raise NotJoined(f"{address} is not a description in Turtle: {error}") from error
    spaces = [each for each in quads if each.predicate.value == void.uriSpace]
    if len({each.object.value for each in spaces if isinstance(each.object, Literal)}) != 1:
        raise NotJoined(f"{address} does not describe one site of cv-kg (void:uriSpace)")
    dataset = max(spaces, key=lambda each: str(each.subject).endswith("void#it>")).subject
    base = str(getattr(spaces[0].object, "value", ""))
    about = [each for each in quads if each.subject == dataset]
    return Described(
        base,
        one(about, dcterms.title),
        one(about, dcterms.license),
        one(about, owl.versionInfo),
        dumps=tuple(sorted(values(about, void.dataDump))),
    )


def values(quads: Iterable[Quad], predicate: str) -> list[str]:
    kinds = (Literal, NamedNode)
    return [
        each.object.value
        for each in quads
        if each.predicate.value == predicate and isinstance(each.object, kinds)
    ]


def one(quads: Iterable[Quad], predicate: str) -> str:
    return next(iter(sorted(values(quads, predicate))), "")


class CheckedNetwork(httpcore.SyncBackend):
    """Connects to public addresses only, except for hosts that were named by their address. The
    address that was checked is the one that is used.
    """

    def connect_tcp(self, host: str, port: int, *others: Any, **more: Any) -> Any:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"the host {host} is not known") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))[:MAX_ADDRESSES]
        for address in () if is_literal_address(host) else addresses:
            if not ipaddress.ip_address(address.partition("%")[0]).is_global:
                raise httpcore.ConnectError(f"{host} leads to the private address {address}")
        for address in addresses[:-1]:
            with suppress(httpcore.ConnectError):  # such as IPv6 without a route
                return super().connect_tcp(address, port, *others, **more)
        return super().connect_tcp(addresses[-1], port, *others, **more)


class MemberClient(Client):
    """The HTTP client for one site."""

    def __init__(self, root: str) -> None:
        proxies = bool(getproxies())
        super().__init__(root, f"{AGENT} ({AGENT}; reads published CVs)", uses_proxies=proxies)
        pool = getattr(self.http._transport, "_pool", None)
        if isinstance(pool, httpcore.ConnectionPool):  # a proxy has its own rules
            pool._network_backend = CheckedNetwork()


class Visit:
    """The requests to one site in one run."""

    def __init__(self, member: Joined, seconds: float) -> None:
        self.member, self.requests = member, 0
        self.until = time.monotonic() + seconds
        self.seconds = seconds
        self.host = host_of(member.site)
        self.client = MemberClient(member.site)

    def close(self) -> None:
        self.client.close()

    def fetch(self, before: Described) -> Fetched:
        if is_dump_address(self.member.site):
            return self.dump_only(before)
        found, response = self.describe(before)
        if response.status == 304:
            return Fetched(before, None, requests=self.requests)
        new = described(self.body(response, VOID_BYTES), found)
        check_base(self.member, new.base, found.removesuffix(WELL_KNOWN))
        new = with_validators(replace(new, void=found), response)
        if new.version and new.version == before.version:
            return Fetched(new, None, requests=self.requests)
        self.ask_permission(found)
        address = self.dump_address(new, found)
        dump = self.get(address, DUMP_BYTES)
        self.expect(dump, address)
        packed = address.endswith(".gz")
        data = unpacked(dump.body, DUMP_BYTES) if packed else self.body(dump, DUMP_BYTES)
        return Fetched(new, data, syntax_of(urlsplit(address).path), self.requests)

    def dump_only(self, before: Described) -> Fetched:
        """A dump that was named by its address; the description of its site is not read."""
        address = self.member.site
        response = self.get(address, DUMP_BYTES, conditions(before))
        if response.status == 304 and before.base:
            return Fetched(before, None, requests=self.requests)
        self.expect(response, address)
        packed = address.endswith(".gz")
        data = unpacked(response.body, DUMP_BYTES) if packed else self.body(response, DUMP_BYTES)
        new = with_validators(Described(self.member.base, void=address), response)
        return Fetched(new, data, syntax_of(urlsplit(address).path), self.requests)

    def describe(self, before: Described) -> tuple[str, RemoteResponse]:
        """The address of the description, and the answer. A site below a path has a description
        there, or at the root of the host.
        """
        site = self.member.site
        places = [urljoin(site, "./"), urljoin(site, "/")]
        if not site.endswith("/") and "." not in site.rpartition("/")[2]:
            places.insert(0, f"{site}/")
        addresses = [before.void] if before.void else []
        addresses += [f"{place}{WELL_KNOWN}" for place in dict.fromkeys(places)]
        for address in dict.fromkeys(addresses):
            known = conditions(before) if address == before.void else {}
            response = self.get(address, VOID_BYTES, known)
            # some hosts send a page for any missing file
            is_missing = response.status == 404 or response.media_type == HTML
            if not is_missing:
                break
        if is_missing:
            raise NotJoined(self.what_is_there())
        if response.status != 304 or not before.base:
            self.expect(response, address)
        return address, response

    def what_is_there(self) -> str:
        """What is at the address of a site without a description."""
        site = self.member.site
        page = self.get(site, VOID_BYTES)
        if page.status != 200:
            return f"returned HTTP {page.status}: no site is published at this address"
        folder = site if site.endswith("/") else f"{site}/"
        about = self.get(f"{folder}{ABOUT}", VOID_BYTES)
        if about.status == 200 and about.media_type != HTML:
            return (
                f"is a site of cv-kg, but {WELL_KNOWN} is missing: it was uploaded without hidden "
                f"files. Publish it with them, or join its dump: kg join {folder}{DUMP}"
            )
        found = printable(page.media_type) or "a file"
        return f"is not a site of cv-kg: it returned {found}, and has no {WELL_KNOWN}"

    def ask_permission(self, address: str) -> None:
        """Raises Refused if `robots.txt` excludes the site from being joined."""
        try:
            found = self.get(urljoin(address, "/robots.txt"), 500_000)
        except NotJoined:
            return
        rules = RobotFileParser()
        if found.status == 200:
            text = found.body.decode("utf-8", "replace").lower()
            rules.parse(text.splitlines() if AGENT in text else [])  # not the rules for search
            if AGENT in text and not rules.can_fetch(AGENT, address):
                raise Refused(f"refuses {AGENT} in its robots.txt")

    def dump_address(self, new: Described, found: str) -> str:
        """The address of the facts, of those that the description lists."""
        facts = [each for each in new.dumps if "/dump." in each] or [*new.dumps]
        for suffix in DUMPS:
            for each in facts:
                if each.endswith(suffix) and each.startswith(new.base):
                    root = found.removesuffix(WELL_KNOWN) if self.member.base else new.base
                    return root + each.removeprefix(new.base)
        raise NotJoined(f"lists no dump below {new.base} at {found} (void:dataDump)")

    def get(
        self, address: str, limit: int, headers: dict[str, str] | None = None
    ) -> RemoteResponse:
        """The answer, after redirects within the host."""
        at = address
        for _ in range(MAX_REDIRECTS + 1):
            response = self.send(at, limit, headers or {})
            target = response.headers.get("location", "")
            if response.status not in REDIRECTS or not target:
                return response
            at = redirected(at, target, self.host)
        raise NotJoined(f"redirects more than {MAX_REDIRECTS} times")

    def send(self, address: str, limit: int, headers: dict[str, str]) -> RemoteResponse:
        self.requests += 1
        left = self.until - time.monotonic()
        accept = {"Accept": ACCEPT, "Accept-Encoding": "gzip"}
        try:
            if left <= 0:
                raise TimeoutError
            return self.client.exchange("GET", address, b"", accept | headers, left, limit, SILENCE)
        except TimeoutError as error:
            raise NotJoined(f"did not answer within {self.seconds:g} s") from error
        except ConnectionError as error:
            raise NotJoined(f"cannot be reached: {printable(str(error))}") from error
        except TooLarge as error:
            raise NotJoined(f"sent more than {limit // 1_000_000} MB") from error
        except KgError as error:
            raise NotJoined(str(error)) from error

    def expect(self, response: RemoteResponse, address: str) -> None:
        if response.status in REFUSED:
            raise Refused(f"is withdrawn: {address} returned HTTP {response.status}")
        if response.status != 200:
            raise NotJoined(f"returned HTTP {response.status} for {address}")

    def body(self, response: RemoteResponse, limit: int) -> bytes:
        packed = response.headers.get("content-encoding", "") == "gzip"
        return unpacked(response.body, limit) if packed else response.body


def redirected(address: str, target: str, host: str) -> str:
    """Where a redirect leads: within the host, and not from https to http."""
    new = urljoin(address, target)
    if not new.startswith(("https:", address[: address.index("/")])) or host_of(new) != host:
        raise NotJoined(f"redirects to {printable(new)}, which was not contacted")
    return new


def check_base(member: Joined, base: str, place: str) -> None:
    """Refuses a site that claims addresses of another host, or outside its folder on its host."""
    is_below = host_of(base) == host_of(place) and base.partition("://")[2].lower().startswith(
        place.partition("://")[2].lower()
    )
    if base != member.base and (member.base or not is_below):
        raise NotJoined(
            f"says that its base is {printable(base)}, which is not below {place}. If that is "
            f"right, add 'base: {printable(base)}' to it under 'joined' in data/site.yaml"
        )


def is_dump_address(address: str) -> bool:
    return urlsplit(address).path.removesuffix(".gz").endswith(tuple(SUFFIXES))


def conditions(before: Described) -> dict[str, str]:
    """The headers of a conditional request."""
    found = {"If-None-Match": before.etag, "If-Modified-Since": before.modified}
    return {name: value for name, value in found.items() if value}


def with_validators(found: Described, response: RemoteResponse) -> Described:
    etag, modified = (response.headers.get(each, "") for each in ("etag", "last-modified"))
    return replace(found, etag=etag[:200], modified=modified[:200])


def printable(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())[:200]
