"""Links that lead nowhere. Those to other sites are none of our business, and nobody is asked about
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from posixpath import dirname, join, normpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from kg.errors import Problem
from kg.publish.formats.urls import file_of
from kg.publish.proof.faults import fault, short
from kg.publish.proof.listing import Listing
from kg.publish.proof.markup import Markup

# What tells programs where our documents are.
SPEAKING = ("sitemap.xml", "robots.txt", "llms.txt", "feed.xml")
LINKSET = ".linkset.json"
ENDPOINT = "sparql"  # only a server has it, and says so


class Target(NamedTuple):
    path: str
    fragment: str


class Links:
    """Looks up the links of pages, by their files. `subjects` are all things that were seen
    described.
    """

    def __init__(
        self, listing: Listing, pages: Mapping[str, Markup], subjects: frozenset[str]
    ) -> None:
        self.listing, self.source, self.pages, self.subjects = (
            listing,
            listing.source,
            pages,
            subjects,
        )
        self.documents = {file_of(address, ".html"): address for address in listing.addresses}
        self.known: dict[str, bool] = {}
        self.settled: Set[str] = (
            frozenset()
        )  # files that are as they were when all they lead to was there
        self.doubtful: Set[str] = (
            frozenset()
        )  # what may be gone since, on pages that are there still

    def __len__(self) -> int:
        return sum(len(page.links) for page in self.pages.values())

    def faults(self) -> Iterator[Problem]:
        for file, page in self.pages.items():
            for line, address in page.links:
                if said := self.wrong(file, address):
                    yield fault(
                        "link", self.source.name(file), f"The link {short(address)} {said}.", line
                    )
        address_of_ours = re.compile(rf"{re.escape(self.listing.base)}[^\s<>\"'()\[\]]*")
        for file in self.speaking():
            for number, text in enumerate(
                (self.source.get(file) or b"").decode("utf-8", "replace").splitlines(), 1
            ):
                for address in address_of_ours.findall(text):
                    if said := self.wrong(file, address):
                        yield fault(
                            "link",
                            self.source.name(file),
                            f"The address {short(address)} {said}.",
                            number,
                        )

    def speaking(self) -> list[str]:
        return [*SPEAKING, *(path for path in self.listing.files if path.endswith(LINKSET))]

    def wrong(self, file: str, address: str) -> str:
        """What is wrong with a link of a file; empty where nothing is."""
        if file in self.settled and "#" not in address:
            return ""
        try:
            target = self.target(file, address)
        except ValueError as error:
            return str(error)
        if target is None or (target.path == ENDPOINT and file in SPEAKING):
            return ""
        return (
            self.missed(target)
            if file not in self.settled or f"{target.path}#{target.fragment}" in self.doubtful
            else ""
        )

    def missed(self, target: Target) -> str:
        """What is not there of a place that is meant; empty where all is."""
        if target.path not in self.known:
            self.known[target.path] = target.path in self.pages or self.source.has(target.path)
        if not self.known[target.path]:
            return "leads to nothing"
        page = self.pages.get(target.path)
        if not target.fragment or page is None or target.fragment in page.anchors:
            return ""
        thing = f"{self.listing.base}{self.documents.get(target.path)}#{target.fragment}"
        return "" if thing in self.subjects else "names nothing on that page"

    def target(self, file: str, address: str) -> Target | None:
        """Where a link leads, if it leads into this site. A ValueError says why it cannot lead
        anywhere.
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
            return Target(page if page in self.documents else path, fragment)
        if parts.scheme or parts.netloc:
            return None
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
        return Target(normpath(join(there, "index.html")) if is_folder else there, fragment)
