"""Links that lead nowhere. Those to other sites are not followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from kg.errors import Problem
from kg.publish.formats.urls import file_of
from kg.publish.proof import markup
from kg.publish.proof.faults import fault, short
from kg.publish.proof.graphs import Triples, subject
from kg.publish.proof.listing import Listing
from kg.publish.proof.source import Evidence

# What tells programs where our documents are.
FOR_PROGRAMS = ("sitemap.xml", "robots.txt", "llms.txt", "feed.xml")
LINKSET = ".linkset.json"
ENDPOINT = "sparql"  # only a server has it, and says so


class Link(NamedTuple):
    """A link as it is written in a line of a file."""

    line: int
    address: str


class Links:
    """Where the links of files lead, and whether anything is there."""

    def __init__(self, listing: Listing) -> None:
        self.listing, self.source = listing, listing.source
        self.documents = {file_of(address, ".html"): address for address in listing.addresses}
        self.ours = re.compile(rf"{re.escape(listing.base)}[^\s<>\"'()\[\]]*")

    def written(self, file: str, body: bytes) -> list[Link]:
        """The links of a page; of another file, the addresses of this site."""
        if file.endswith(".html"):
            return [Link(*link) for link in markup.read(body).links]
        lines = enumerate(body.decode("utf-8", "replace").splitlines(), 1)
        return [Link(line, found) for line, text in lines for found in self.ours.findall(text)]

    def targets(self, file: str, links: list[Link]) -> tuple[list[str], list[Problem]]:
        """The places in the site that the links of a file lead to, and links that cannot lead
        anywhere.
        """
        places: dict[str, None] = {}
        problems = []
        for link in links:
            try:
                place = self.target(file, link.address)
            except ValueError as error:
                problems.append(self.fault(file, link, str(error)))
            else:
                places |= {place: None} if place else {}
        return list(places), problems

    def target(self, file: str, address: str) -> str:
        """The place that a link leads to (`people/ada.html#it`), empty where it is not in this
        site. A ValueError says why it cannot lead anywhere.
        """
        try:
            parts = urlsplit(address)
        except ValueError:
            raise ValueError("is no address") from None
        path, fragment = unquote(parts.path), unquote(parts.fragment)
        if address.startswith(self.listing.base):
            path = unquote(
                address.removeprefix(self.listing.base).partition("#")[0].partition("?")[0]
            )
            page = file_of(path, ".html")
            is_endpoint = path == ENDPOINT and file in FOR_PROGRAMS
            return "" if is_endpoint else f"{page if page in self.documents else path}#{fragment}"
        if parts.scheme or parts.netloc:
            return ""
        if file == "404.html" and path.startswith(
            top := urlsplit(self.listing.base).path
        ):  # it is shown at any depth
            return self.target(file, self.listing.base + address.removeprefix(top))
        if path.startswith("/"):
            raise ValueError("begins at the top of the host, where this site need not be")
        there = normpath(join(dirname(file), path)) if path else file
        if there.startswith(".."):
            raise ValueError("leads out of the site")
        is_folder = there == "." or path.endswith("/") or path.rpartition("/")[2] in (".", "..")
        return f"{normpath(join(there, 'index.html')) if is_folder else there}#{fragment}"

    def broken(self, evidence: Mapping[str, Evidence], graph: Triples) -> Iterator[Problem]:
        """The links of all files that lead nowhere. Each place is looked up once; a file with a
        link to one that is not there is read again, to tell its line.
        """
        there = Places(self.listing, evidence, graph, self.documents)
        places = frozenset[str]().union(*(each.links for each in evidence.values()))
        wrong = {place: said for place in places if (said := there.missing(place))}
        for file, each in evidence.items() if wrong else ():
            if wrong.keys().isdisjoint(each.links):
                continue
            for link in self.written(file, self.source.get(file) or b""):
                place = self.targets(file, [link])[0]
                if place and place[0] in wrong:
                    yield self.fault(file, link, wrong[place[0]])

    def fault(self, file: str, link: Link, message: str) -> Problem:
        noun = "link" if file.endswith(".html") else "address"
        name = self.source.name(file)
        return fault("link", name, f"The {noun} {short(link.address)} {message}.", link.line)


class Places:
    """What can be linked to: files, anchors of pages, and things that a document describes."""

    def __init__(
        self,
        listing: Listing,
        evidence: Mapping[str, Evidence],
        graph: Triples,
        documents: Mapping[str, str],
    ) -> None:
        self.listing, self.evidence, self.graph, self.documents = (
            listing,
            evidence,
            graph,
            documents,
        )
        self.known: dict[str, bool] = {}

    def missing(self, place: str) -> str:
        """What is not there of a place; empty where all is."""
        path, _, fragment = place.partition("#")
        if path not in self.known:
            self.known[path] = path in self.evidence or self.listing.source.has(path)
        if not self.known[path]:
            return "leads to nothing"
        page = self.evidence.get(path)
        if not fragment or page is None or fragment in page.anchors:
            return ""
        document = f"{self.listing.base}{self.documents.get(path)}"
        return "" if self.describes(document, fragment) else "names nothing on that page"

    def describes(self, document: str, fragment: str) -> bool:
        thing, dump = f"{document}#{fragment}", self.listing.dump
        return (dump is not None and f"<{thing}> ".encode() in dump.text(document)) or (
            thing in self.subjects
        )

    @cached_property
    def subjects(self) -> frozenset[str]:
        return frozenset(map(subject, self.graph))
