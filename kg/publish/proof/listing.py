"""Which documents a site has, and in which forms: by its dump, its lists, and its first page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from kg.errors import KgError, Problem
from kg.publish.formats.media import HTML, NQUADS, PAGE_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.proof import graphs, markup
from kg.publish.proof.faults import fault
from kg.publish.proof.graphs import Triples
from kg.publish.proof.markup import Markup
from kg.publish.proof.source import Source

DUMP = "dump.nq"
ADDRESSES = "addresses.txt"
SITEMAP = "sitemap.xml"
LIST = re.compile(r"[^/]+/(page-\d+)?")  # whose pages come and go
# lines of one graph, which ends them
RUN = re.compile(
    rb"^[^\n]* <([^<>\s]*)> \.\r?(?:\n|\Z)(?:[^\n]* <\1> \.\r?(?:\n|\Z))*+", re.MULTILINE
)


class Dump:
    """The lines of the N-Quads dump by their documents. `odd` are the numbers of lines that belong
    to none.
    """

    def __init__(self, nquads: bytes) -> None:
        self.nquads = nquads
        self.odd: list[int] = []
        self.runs: dict[str, list[tuple[int, int]]] = defaultdict(list)
        last = 0
        for run in RUN.finditer(nquads):
            self.note_odd(last, run.start())
            self.runs[run[1].decode("utf-8", "replace")].append(run.span())
            last = run.end()
        self.note_odd(last, len(nquads))

    def note_odd(self, start: int, end: int) -> None:
        if start < end:
            first = self.nquads.count(b"\n", 0, start) + 1
            lines = enumerate(self.nquads[start:end].splitlines(), first)
            self.odd += [number for number, line in lines if line.strip()]

    def text(self, document: str) -> bytes:
        return b"".join(self.nquads[start:end] for start, end in self.runs.get(document, ()))

    def of(self, document: str) -> Triples:
        """What it holds of a document. A SyntaxError has the line of the file."""
        try:
            return graphs.triples(self.text(document), NQUADS)
        except SyntaxError as error:
            within = error.lineno or 1
            for start, end in self.runs[document]:
                size = self.nquads.count(b"\n", start, end)
                if within <= size or (start, end) == self.runs[document][-1]:
                    error.lineno = self.nquads.count(b"\n", 0, start) + min(within, max(size, 1))
                    break
                within -= size
            raise

    def line_of(self, document: str) -> int:
        runs = self.runs.get(document)
        return self.nquads.count(b"\n", 0, runs[0][0]) + 1 if runs else 1


class Listing:
    """The documents of a site, and the files it lists. `base`, `suffixes` and `dump` are read from
    the site, unless they are known.
    """

    dump: Dump | None

    def __init__(
        self,
        source: Source,
        base: str = "",
        suffixes: Mapping[str, str] | None = None,
        dump: Dump | None = None,
    ) -> None:
        self.source = source
        if base and dump and suffixes:
            self.base, self.suffixes, self.dump = base, dict(suffixes), dump
            return
        found = source.get(DUMP)
        if found is None and not source.has("index.html"):
            raise KgError(
                f"{source.name('')}: there is no site here, for there is neither index.html "
                f"nor {DUMP} ({source.why(DUMP)})."
            )
        self.dump = Dump(found) if found is not None else None

    @cached_property
    def files(self) -> list[str]:
        return self.source.files()

    @cached_property
    def first(self) -> Markup:
        return markup.read(self.source.get("index.html") or b"")

    @cached_property
    def base(self) -> str:
        """As the first page says; and as the dump does, where that page is not to be believed."""
        documents: Mapping[str, object] = self.dump.runs if self.dump else {}
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
        return sorted(document.removeprefix(self.base) for document in self.dump.runs)

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
        """Documents that addresses.txt does not list, and listed ones that lead nowhere. Pages of
        lists come and go, and need not be there.
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
