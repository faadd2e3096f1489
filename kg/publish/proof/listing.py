"""Which documents a site has, and in which forms: what it says of itself in its dump, its lists,
and its first page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, Protocol

from kg.errors import KgError, Problem
from kg.publish.formats.media import HTML, NQUADS, PAGE_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.proof import graphs, markup
from kg.publish.proof.faults import fault
from kg.publish.proof.graphs import Triples
from kg.publish.proof.source import Source

DUMP = "dump.nq"
ADDRESSES = "addresses.txt"
SITEMAP = "sitemap.xml"
LIST = re.compile(r"[^/]+/(page-\d+)?")  # whose pages come and go
GRAPH = re.compile(rb" <([^<>\s]*)> \.$")


class Line(NamedTuple):
    number: int
    text: bytes


class Dump:
    """The dump that keeps the documents apart."""

    def __init__(self, body: bytes) -> None:
        self.lines: dict[str, list[Line]] = defaultdict(list)
        self.odd: list[int] = []
        for number, line in enumerate(body.splitlines(), 1):
            if found := GRAPH.search(line):
                self.lines[found[1].decode("utf-8", "replace")].append(Line(number, line))
            elif line.strip():
                self.odd.append(number)

    def of(self, document: str) -> Triples:
        """What it holds of a document. A SyntaxError has the line of the file."""
        lines = self.lines.get(document, [])
        try:
            return graphs.triples(b"\n".join(line.text for line in lines), NQUADS)
        except SyntaxError as error:
            within = error.lineno or 1
            error.lineno = lines[min(within, len(lines)) - 1].number
            raise

    def line_of(self, document: str) -> int:
        return next((line.number for line in self.lines.get(document, [])), 1)


class Apart(Protocol):
    """The documents of a site, each by itself: `lines` are by their addresses, `odd` those that
    belong to none.
    """

    @property
    def lines(self) -> Mapping[str, object]: ...

    @property
    def odd(self) -> list[int]: ...

    def of(self, document: str) -> Triples: ...

    def line_of(self, document: str) -> int: ...


class Listing:
    """What a site says it has."""

    dump: Apart | None

    def __init__(self, source: Source) -> None:
        self.source = source
        first, dump = source.get("index.html"), source.get(DUMP)
        if first is None and dump is None:
            raise KgError(
                f"{source.name('')}: there is no site here, for there is neither index.html "
                f"nor {DUMP} ({source.why(DUMP)})."
            )
        self.dump = Dump(dump) if dump is not None else None
        self.files = source.files()
        self.first = markup.read(first or b"")

    @cached_property
    def base(self) -> str:
        """As the first page says; and as the dump does, where that page is not to be believed."""
        documents: Mapping[str, object] = self.dump.lines if self.dump else {}
        return (
            self.first.canonical
            if self.first.canonical in documents or not documents
            else min(documents, key=len)
        )

    @cached_property
    def suffixes(self) -> dict[str, str]:
        """The forms that this site makes of a document: those of its first page, and of what the
        build says it wrote.
        """
        written = {
            suffix for path in self.files for suffix in PAGE_SUFFIXES if path == f"index{suffix}"
        }
        return {
            suffix: media_type
            for suffix, media_type in PAGE_SUFFIXES.items()
            if media_type == HTML or media_type in self.first.twins or suffix in written
        }

    @cached_property
    def promised(self) -> list[str] | None:
        """What addresses.txt lists, an IRI a line: documents that are here, and those that went
        away. None where there is no such file.
        """
        body = self.source.get(ADDRESSES)
        lines = (body or b"").decode("utf-8", "replace").splitlines()
        return (
            None
            if body is None
            else [line.strip().removeprefix(self.base) for line in lines if line.strip()]
        )

    @cached_property
    def in_sitemap(self) -> list[str]:
        found = re.findall(
            r"<loc>\s*([^<\s]*)\s*</loc>",
            (self.source.get(SITEMAP) or b"").decode("utf-8", "replace"),
        )
        return [address.removeprefix(self.base) for address in found]

    @cached_property
    def addresses(self) -> list[str]:
        """All documents, seen from the base: those of the dump."""
        if self.dump is None:
            return sorted({*self.in_sitemap, ""})
        return sorted(document.removeprefix(self.base) for document in self.dump.lines)

    def faults(self) -> Iterator[Problem]:
        """Where the lists differ, and files that are listed without being there."""
        if self.dump is None:
            yield fault(
                "missing", self.source.name(DUMP), f"The dump is missing: {self.source.why(DUMP)}."
            )
            return
        for number in self.dump.odd:
            yield fault(
                "dump",
                self.source.name(DUMP),
                "This line is not a triple with the name of its document.",
                number,
            )
        yield from self.broken_promises()
        pages = {file_of(address, suffix) for address in self.addresses for suffix in self.suffixes}
        for path in self.files:
            if path not in pages and not self.source.has(path):
                yield fault(
                    "missing",
                    self.source.name(path),
                    f"The build wrote this file, but now {self.source.why(path)}.",
                )

    def broken_promises(self) -> Iterator[Problem]:
        """Documents that nobody promised to keep, and promises of documents that lead nowhere. A
        list is as long as what it lists.
        """
        if self.promised is None:
            return
        name, here = self.source.name(ADDRESSES), set(self.addresses)
        for address in sorted(here - {*self.promised}):
            if not LIST.fullmatch(address):
                yield fault(
                    "address", name, f"{self.base}{address} is published, but not listed here."
                )
        for number, address in enumerate(self.promised, 1):
            if address in here or self.source.leads_on(address):
                continue
            page = self.source.get(file_of(address, ".html"))
            if page is None:
                yield fault(
                    "address",
                    name,
                    f"{self.base}{address} is promised here, but nothing tells where it went.",
                    number,
                )
            elif markup.read(page).scripts:
                yield fault(
                    "address",
                    name,
                    f"{self.base}{address} has a page, but {DUMP} holds nothing of it.",
                    number,
                )
