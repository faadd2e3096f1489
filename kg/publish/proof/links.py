"""Links that lead nowhere. Those to other sites are not followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

from kg.errors import Problem
from kg.publish.formats.urls import file_of
from kg.publish.proof.graphs import Triples, fault, short, subject
from kg.publish.proof.listing import SiteListing
from kg.publish.proof.markup import AtLine, Markup
from kg.publish.proof.source import Evidence

# What tells programs where our documents are.
FOR_PROGRAMS = ("sitemap.xml", "robots.txt", "llms.txt", "feed.xml")
ENDPOINT = "sparql"  # only a server has it, and says so


class Links:
    """Where the links of files lead, and whether anything is there."""

    def __init__(self, listing: SiteListing) -> None:
        self.listing, self.source = listing, listing.source
        self.documents = {file_of(address, ".html"): address for address in listing.addresses}
        self.ours = re.compile(rf"{re.escape(listing.base)}[^\s<>\"'()\[\]]*")

    def written(self, file: str, body: bytes) -> list[AtLine]:
        """The links of a page; of another file, the addresses of this site."""
        if file.endswith(".html"):
            return Markup(body).links
        lines = enumerate(body.decode("utf-8", "replace").splitlines(), 1)
        return [(line, found) for line, text in lines for found in self.ours.findall(text)]

    def targets(self, file: str, links: list[AtLine]) -> tuple[list[str], list[Problem]]:
        """The places in the site that the links of a file lead to, and links that cannot lead
        anywhere.
        """
        places: dict[str, None] = {}
        problems = []
        for link in links:
            try:
                places[self.target(file, link[1])] = None
            except ValueError as error:
                problems.append(self.fault(file, link, str(error)))
        return list(filter(None, places)), problems

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
            path = unquote(re.split("[#?]", address.removeprefix(self.listing.base))[0])
            page = file_of(path, ".html")
            is_endpoint = path == ENDPOINT and file in FOR_PROGRAMS
            return "" if is_endpoint else f"{page if page in self.documents else path}#{fragment}"
        if parts.scheme or parts.netloc:
            return ""
        top = urlsplit(self.listing.base).path
        if file == "404.html" and path.startswith(top):  # it is shown at any depth
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
        subjects = frozenset(map(subject, graph))
        places = frozenset[str]().union(*(each.links for each in evidence.values()))
        found = {place: self.missing(place, evidence, subjects) for place in places}
        wrong = {place: message for place, message in found.items() if message}
        for file, each in evidence.items() if wrong else ():
            if wrong.keys().isdisjoint(each.links):
                continue
            for link in self.written(file, self.source.get(file) or b""):
                for place in self.targets(file, [link])[0]:
                    if place in wrong:
                        yield self.fault(file, link, wrong[place])

    def missing(self, place: str, evidence: Mapping[str, Evidence], subjects: Set[str]) -> str:
        """What is not there of a place: a file, an anchor of a page, or a thing that a document
        describes. Empty where all is.
        """
        path, _, fragment = place.partition("#")
        page, dump = evidence.get(path), self.listing.dump
        if page is None:
            return "" if self.source.has(path) else "leads to nothing"
        document = f"{self.listing.base}{self.documents.get(path)}"
        thing = f"{document}#{fragment}"
        is_there = (
            not fragment
            or fragment in page.anchors
            or (dump is not None and f"<{thing}> ".encode() in dump.text(document))
            or thing in subjects
        )
        return "" if is_there else "names nothing on that page"

    def fault(self, file: str, link: AtLine, message: str) -> Problem:
        noun = "link" if file.endswith(".html") else "address"
        line, address = link
        text = f"The {noun} {short(address)} {message}."
        return fault("link", self.source.name(file), text, line)
