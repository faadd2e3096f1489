"""The documents of a site and their formats, from its dump, its lists and its home page."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from kg.check.redirects import FILE as ADDRESSES
from kg.errors import KgError, Problem
from kg.mapping.iris import bases_of
from kg.publish.about.notices import SITEMAP
from kg.publish.document import ALL, DUMP
from kg.publish.formats.media import HTML, NQUADS, PAGE_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.hosting.built_folder import FILE as SUMMARY
from kg.publish.verify.graphs import Triples, fault, triples
from kg.publish.verify.markup import Markup
from kg.publish.verify.source import SiteSource

LIST = re.compile(r"[^/]+/(page-\d+)?")  # lists, whose pages can disappear
# consecutive lines of one graph
RUN = re.compile(
    rb"^[^\n]* <([^<>\s]*)> \.\r?(?:\n|\Z)(?:[^\n]* <\1> \.\r?(?:\n|\Z))*+", re.MULTILINE
)

# lines of the graphs of pages and sources with subjects of one document, or of the vocabulary
REST_RUN = re.compile(
    rb"^<([^>#\s]*)[>#][^\n]* <[^<>\s]*/(?:pages|provenance)> \.\r?(?:\n|\Z)"
    rb"(?:<\1[>#][^\n]* <[^<>\s]*/(?:pages|provenance)> \.\r?(?:\n|\Z))*+"
    rb"|^[^\n]* <([^<>\s]*/terms/cv)> \.\r?(?:\n|\Z)",
    re.MULTILINE,
)
OTHERS = re.compile(rb"^[^\n]* <[^<>\s]*/(?:pages|provenance|terms/cv|void)> \.\r?\n", re.MULTILINE)
# the first line of the description of the site, which ends the file
DESCRIPTION = re.compile(rb"^<([^<>\s#]*/void)[>#][^\n]* <\1> \.\r?$", re.MULTILINE)


class LinesByDocument:
    """The lines of an N-Quads file by document: a `run` matches consecutive lines of one document,
    which is its last group.
    """

    def __init__(self, path: str, nquads: bytes, run: re.Pattern[bytes]) -> None:
        self.path, self.nquads, self.run = path, nquads, run
        self.runs: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for found in run.finditer(nquads):
            document = found[found.lastindex or 0]
            self.runs[document.decode("utf-8", "replace")].append(found.span())

    @property
    def odd(self) -> list[int]:
        """The numbers of lines that belong to no document."""
        spans = (span for runs in self.runs.values() for span in runs)
        if sum(end - start for start, end in spans) == len(self.nquads):
            return []
        rest = self.run.sub(lambda run: b"\n" * run[0].count(b"\n"), self.nquads)
        return [number for number, line in enumerate(rest.splitlines(), 1) if line.strip()]

    def text(self, document: str) -> bytes:
        return b"".join(self.nquads[start:end] for start, end in self.runs.get(document, ()))

    def of(self, document: str) -> Triples:
        """The triples of a document. Raises SyntaxError with file and line."""
        try:
            return triples(self.text(document), NQUADS)
        except SyntaxError as error:
            numbers = list(self.line_numbers(document))
            error.filename = self.path
            error.lineno = numbers[min(error.lineno or 1, len(numbers)) - 1]
            raise

    def line_numbers(self, document: str) -> Iterator[int]:
        for start, end in self.runs.get(document, ()):
            first = self.nquads.count(b"\n", 0, start) + 1
            yield from range(first, first + self.nquads.count(b"\n", start, end - 1) + 1)


class DumpLines:
    """The facts of a site by document, and the rest of its graph: pages and sources by subject, and
    the vocabulary.
    """

    def __init__(self, nquads: bytes, rest: bytes = b"") -> None:
        self.facts = LinesByDocument(DUMP, nquads, RUN)
        self.rest = LinesByDocument(ALL, rest, REST_RUN)
        self.documents = {**self.facts.runs, **self.rest.runs}.keys()

    def claims(self, document: str) -> frozenset[bytes]:
        """The statements of a document, as lines of N-Triples."""
        return frozenset(
            line[: line.rindex(b" <")] + b" ."
            for each in (self.facts, self.rest)
            for line in each.text(document).splitlines()
        )

    def unsaid(self, document: str, claims: Iterable[str]) -> set[str]:
        """The claims, lines of N-Triples, that a document does not contain literally."""
        said = b"".join(b"\n" + each.text(document) for each in (self.facts, self.rest))
        return {each for each in claims if f"\n{each.removesuffix('.')}<".encode() not in said}

    def has(self, thing: str) -> bool:
        """Whether there are statements about a resource."""
        document, subject = thing.partition("#")[0], f"<{thing}> ".encode()
        return any(subject in each.text(document) for each in (self.facts, self.rest))


class SiteListing:
    """The documents and listed files of a site. `base`, `suffixes` and `dump` are read from the
    site, unless given.
    """

    def __init__(
        self,
        source: SiteSource,
        base: str = "",
        suffixes: Mapping[str, str] | None = None,
        dump: DumpLines | None = None,
    ) -> None:
        self.source = source
        if dump and suffixes:
            self.base, self.suffixes, self.dump = base, dict(suffixes), dump
            return
        facts, whole = source.get(DUMP) or b"", source.get(ALL) or b""
        self.is_whole = whole.startswith(facts)
        rest = whole[len(facts) :] if self.is_whole else b"".join(OTHERS.findall(whole))
        about = DESCRIPTION.search(rest)
        end = about.start() if about else len(rest)
        self.dump, self.about = DumpLines(facts, rest[:end]), rest[end:]
        if not source.has(DUMP) and not source.has("index.html"):
            raise KgError(
                f"{source.name('')} is not a built site: index.html and {DUMP} are missing "
                f"({source.why(DUMP)}). Run kg build first."
            )

    @cached_property
    def has_own_templates(self) -> bool:
        """Whether the site has its own templates, according to its summary."""
        try:
            return bool(json.loads(self.source.get(SUMMARY) or b"{}").get("has_own_templates"))
        except (ValueError, AttributeError):
            return False

    @cached_property
    def files(self) -> list[str]:
        return self.source.files()

    @cached_property
    def first(self) -> Markup:
        return Markup(self.source.get("index.html") or b"")

    @cached_property
    def base(self) -> str:
        """From the home page, or from the dump if the home page is implausible."""
        found, bases = self.first.canonical, bases_of(self.dump.documents)
        known = found in self.dump.documents or found in bases or not bases
        return found if known else min(bases, key=len)

    @cached_property
    def suffixes(self) -> dict[str, str]:
        """The formats of a document on this site: those of the home page, and those that the build
        lists.
        """
        return {
            suffix: media_type
            for suffix, media_type in PAGE_SUFFIXES.items()
            if media_type == HTML
            or media_type in self.first.twins
            or f"index{suffix}" in self.files
        }

    @cached_property
    def addresses(self) -> list[str]:
        """All documents, relative to the base: those in the dump, or else in the sitemap."""
        sitemap = b"" if self.dump.documents else self.source.get(SITEMAP) or b""
        found = re.findall(r"<loc>\s*([^<\s]*)\s*</loc>", sitemap.decode("utf-8", "replace"))
        return sorted(
            each.removeprefix(self.base) for each in self.dump.documents or {*found, self.base}
        )

    def faults(self) -> Iterator[Problem]:
        """Differences between the lists, and missing files."""
        if not self.source.has(DUMP):
            yield fault(
                "missing", self.source.name(DUMP), f"The dump is missing: {self.source.why(DUMP)}."
            )
            return
        for lines in (self.dump.facts, self.dump.rest):
            for number in lines.odd:
                yield fault(
                    "dump",
                    self.source.name(lines.path),
                    "This line is not a quad of a triple and its document.",
                    number,
                )
        yield from self.address_problems()
        pages = {file_of(address, suffix) for address in self.addresses for suffix in self.suffixes}
        for path in self.files:
            if path not in pages and not self.source.has(path):
                yield fault(
                    "missing",
                    self.source.name(path),
                    f"The build wrote this file, but now {self.source.why(path)}.",
                )

    def address_problems(self) -> Iterator[Problem]:
        """Documents that are not in addresses.txt (one IRI per line), and listed ones that do not
        resolve. Pages of lists can disappear and are ignored.
        """
        body = self.source.get(ADDRESSES)
        if body is None:
            return
        lines = (line.strip() for line in body.decode("utf-8", "replace").splitlines())
        promised = [line.removeprefix(self.base) for line in lines if line]
        name, here = self.source.name(ADDRESSES), set(self.addresses)
        for address in sorted(here.difference(promised)):
            if not LIST.fullmatch(address):
                message = f"{self.base}{address} is published, but not listed here."
                yield fault("address", name, message)
        for number, address in enumerate(promised, 1):
            if address in here or self.source.leads_on(address):
                continue
            page, message = self.source.get(file_of(address, ".html")), ""
            if page is None:
                message = "is listed here, but is missing and does not redirect"
            elif Markup(page).scripts:
                message = f"has a page, but no triples in {DUMP}"
            if message:
                yield fault("address", name, f"{self.base}{address} {message}.", number)
