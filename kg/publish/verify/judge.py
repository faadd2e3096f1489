"""Verifies a published site, file by file.

Documents: the page and its data formats exist and can be parsed, and the formats hold the same
graph. With D the graph of the document, E the triples of its JSON-LD and U the whole graph: D ⊆ E ⊆
U, and E beyond D is only the class and name of mentioned entries. All other formats equal D, and
the page has an excerpt of D. D is the graph that most formats have, including the dump; so an error
is reported in the right file.

Links: broken links. Links to other sites are not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from posixpath import dirname, join, normpath
from urllib.parse import quote, unquote, urlsplit

from kg.errors import Problem, Severity
from kg.publish.document import ALL, DUMP
from kg.publish.formats.media import HTML, JSONLD, LINKSET_SUFFIX, MARKDOWN, PAGE_SUFFIXES
from kg.publish.formats.urls import file_of, is_folder
from kg.publish.verify import graphs
from kg.publish.verify.embedded import EmbeddedData
from kg.publish.verify.graphs import LABELS, Triples, fault, short, unreadable
from kg.publish.verify.listing import SiteListing
from kg.publish.verify.markup import AtLine, MarkdownText, Markup, PageText
from kg.publish.verify.source import Evidence
from kg.vocab import schema

# Files that list documents for programs.
DOCUMENT_LISTS = ("sitemap.xml", "robots.txt", "llms.txt", "feed.xml", "changes/feed.xml")
SPECIAL_LINKS = (*DOCUMENT_LISTS, "404.html")  # files with special links
ENDPOINTS = ("sparql", "reconcile")  # exist only on a server


class Links:
    """Resolves the links of files and checks their targets."""

    def __init__(self, listing: SiteListing) -> None:
        self.listing, self.source = listing, listing.source
        self.documents = {file_of(address, ".html"): address for address in listing.addresses}
        self.find = lru_cache(maxsize=1 << 16)(self.target)
        self.ours = re.compile(rf"{re.escape(listing.base)}[^\s<>\"'()\[\]]*")

    def written(self, file: str, body: bytes) -> list[AtLine]:
        """The links of a page; for other files, the addresses of this site."""
        if file.endswith(".html"):
            return Markup(body).links
        if self.is_markdown(file):
            return MarkdownText(body).links
        lines = enumerate(body.decode("utf-8", "replace").splitlines(), 1)
        return [(line, found) for line, text in lines for found in self.ours.findall(text)]

    def is_markdown(self, file: str) -> bool:
        """Whether a file is the Markdown page of a document."""
        return file.endswith(".md") and page_of(file) in self.documents

    def targets(self, file: str, links: list[AtLine]) -> tuple[list[str], list[Problem]]:
        """The targets within the site of the links of a file, and invalid links."""
        places: dict[str, None] = {}
        problems = []
        # equal links of files in one folder have the same target, except links within a page
        neighbour = file if file in SPECIAL_LINKS else join(dirname(file), "index.html")
        for link in links:
            is_within = link[1][:1] in ("", "#", "?")
            try:
                places[self.find(file if is_within else neighbour, link[1])] = None
            except ValueError as error:
                problems.append(self.fault(file, link, str(error)))
        return list(filter(None, places)), problems

    def target(self, file: str, address: str) -> str:
        """The target of a link (`people/ada.html#it`), empty if it is outside the site. Raises
        ValueError with the reason if the link is invalid.
        """
        try:
            parts = urlsplit(address)
        except ValueError:
            raise ValueError("is not a valid address") from None
        path, fragment = unquote(parts.path), unquote(parts.fragment)
        if address.startswith(self.listing.base):
            path = unquote(re.split("[#?]", address.removeprefix(self.listing.base))[0])
            page = file_of(path, ".html")
            is_endpoint = path in ENDPOINTS and file in DOCUMENT_LISTS
            is_page = page in self.documents or is_folder(path)
            return "" if is_endpoint else f"{page if is_page else path}#{fragment}"
        if parts.scheme or parts.netloc:
            return ""
        top = urlsplit(self.listing.base).path
        if file == "404.html" and path.startswith(top):  # shown at any depth
            return self.target(file, self.listing.base + address.removeprefix(top))
        if path.startswith("/"):
            raise ValueError("starts at the root of the host, but the site can be in a subfolder")
        there = normpath(join(dirname(file), path)) if path else file
        if there.startswith(".."):
            raise ValueError("points outside the site")
        is_index = there == "." or path.endswith("/") or path.rpartition("/")[2] in (".", "..")
        return f"{normpath(join(there, 'index.html')) if is_index else there}#{fragment}"

    def broken(self, evidence: Mapping[str, Evidence], graph: Triples) -> Iterator[Problem]:
        """The broken links of all files. Each target is looked up once; a file with a broken link
        is read again to find the line. A missing file of the site that facts refer to is only a
        warning, as in `kg check`: it may be added later.
        """
        subjects = frozenset(map(graphs.subject, graph))
        places = frozenset[str]().union(*(each.links for each in evidence.values()))
        found = {place: self.missing(place, evidence, subjects) for place in places}
        wrong = {place: message for place, message in found.items() if message}
        for file, each in evidence.items() if wrong else ():
            if wrong.keys().isdisjoint(each.links):
                continue
            for link in self.written(file, self.source.get(file) or b""):
                for place in self.targets(file, [link])[0]:
                    if place in wrong:
                        severity: Severity = "warning" if self.is_named(place) else "error"
                        yield self.fault(file, link, wrong[place], severity)

    def missing(self, place: str, evidence: Mapping[str, Evidence], subjects: Set[str]) -> str:
        """What is missing at a target: a file, an anchor of a page, or a resource described by a
        document. Empty if it exists.
        """
        path, _, fragment = place.partition("#")
        if self.is_markdown(path) and self.source.has(path):
            path = page_of(path)  # the page has the anchors
        page = evidence.get(path)
        if page is None:
            return "" if self.source.has(path) else "points to a missing file"
        document = f"{self.listing.base}{self.documents.get(path)}"
        thing = f"{document}#{fragment}"
        is_there = (
            not fragment
            or fragment in page.anchors
            or self.listing.dump.has(thing)
            or thing in subjects
        )
        return "" if is_there else "points to a missing anchor"

    def is_named(self, place: str) -> bool:
        """Whether facts refer to a file in `static/`."""
        path = place.partition("#")[0]
        address = f" <{self.listing.base}{quote(path)}> ".encode()
        return path.startswith("static/") and address in self.listing.dump.facts.nquads

    def fault(self, file: str, link: AtLine, message: str, severity: Severity = "error") -> Problem:
        noun = "link" if file.endswith(".html") else "address"
        line, address = link
        text = f"The {noun} {short(address)} {message}."
        return fault("link", self.source.name(file), text, line, severity)


def page_of(file: str) -> str:
    """The HTML page of a Markdown file."""
    return f"{file.removesuffix('.md')}.html"


@dataclass
class DocumentVerification:
    """The result for a document. `own` is its graph, of which the `rest` is no fact, and `lost` is
    missing from both N-Quads files. `labels` are statements of its formats about other documents,
    `embedded` is the JSON-LD of its page.
    """

    address: str
    own: Triples = frozenset()
    rest: Triples = frozenset()
    lost: Triples = frozenset()
    labels: dict[str, Triples] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)
    embedded: EmbeddedData | None = None
    canonical: str | None = None


class Judge:
    """Verifies the formats of documents, and other files."""

    def __init__(self, listing: SiteListing) -> None:
        self.listing, self.source = listing, listing.source
        self.links = Links(listing)
        self.addresses = frozenset(listing.addresses)

    def document(self, address: str, bodies: Mapping[str, bytes | None]) -> DocumentVerification:
        """`bodies` are the files of a document by suffix, including its linkset, if there
        is one.
        """
        result = DocumentVerification(address)
        forms: dict[str, Triples] = {}
        for suffix, media_type in self.listing.suffixes.items():
            file, body = file_of(address, suffix), bodies[suffix]
            if body is None:
                document, why = f"{self.listing.base}{address}", self.source.why(file)
                message = f"{document} is missing in this format: {why}."
                result.faults.append(fault("missing", self.source.name(file), message))
            elif (found := self.triples(result, file, body, media_type)) is not None:
                forms[file] = found
        self.compare(result, forms)
        result.faults += self.canonical(result)
        if result.embedded:
            result.faults += result.embedded.faults(result.own, self.listing.has_own_templates)
        linkset, body = file_of(address, LINKSET_SUFFIX), bodies.get(LINKSET_SUFFIX)
        if body is not None:
            result.evidence[linkset], faults = self.file(linkset, body)
            result.faults += faults
        known: set[str] = set()  # most formats state the same about others
        for file, labels in sorted(result.labels.items(), key=lambda each: -len(each[1])):
            if lines := sorted({f"{triple} ." for triple in labels} - known):
                result.evidence.setdefault(file, Evidence()).labels = lines
                known.update(lines)
        if page := result.evidence.get(file_of(address, ".html")):
            page.triples = len(result.own - result.rest)
        return result

    def markdown(self, result: DocumentVerification, bodies: Mapping[str, bytes | None]) -> None:
        """Compares the Markdown page with the HTML page: text and links. Templates of the site can
        make another page. Missing files are reported elsewhere.
        """
        body, found = bodies[".html"], bodies.get(".md")
        if body is None or found is None:
            return
        file, text = file_of(result.address, ".md"), MarkdownText(found)
        places, faults = self.links.targets(file, text.links)
        result.evidence[file] = Evidence(links=places)
        result.faults += faults
        if not self.listing.has_own_templates:
            page = PageText(body)
            if not text.says(page) or not self.has_same_links(file, text, page):
                message = "This Markdown does not match its page. Build the site again."
                result.faults.append(fault("twin", self.source.name(file), message))

    def has_same_links(self, file: str, text: MarkdownText, page: PageText) -> bool:
        """Whether Markdown and page have the same link targets, in the same order."""
        expected = [*page.targets, page.canonical]
        return self.link_targets(file, (to for _, to in text.links)) == self.link_targets(
            file, expected
        )

    def link_targets(self, file: str, addresses: Iterable[str]) -> list[str]:
        """The pages that links lead to, and external addresses."""
        found = []
        for address in addresses:
            place = "".join(self.links.targets(file, [(1, address)])[0])
            path, mark, fragment = place.partition("#")
            page = page_of(path) if self.links.is_markdown(path) else path
            found.append(page + mark + fragment or unquote(address))
        return found

    def file(self, file: str, body: bytes) -> tuple[Evidence, list[Problem]]:
        """The result for a page that is not a document, or for another file with links."""
        if file.endswith(".html"):
            return self.markup(file, Markup(body))
        links, faults = self.links.targets(file, self.links.written(file, body))
        return Evidence(links=links), faults

    def markup(self, file: str, found: Markup) -> tuple[Evidence, list[Problem]]:
        links, faults = self.links.targets(file, found.links)
        name = self.source.name(file)
        for line, message in found.faults:
            faults.append(fault("html", name, f"This HTML is not well-formed: {message}.", line))
        return Evidence(links=links, count=len(found.links), anchors=sorted(found.anchors)), faults

    def triples(
        self, result: DocumentVerification, file: str, body: bytes, media_type: str
    ) -> Triples | None:
        """The triples of a format about its document; those about others, and the JSON-LD of a
        page, are added to the result.
        """
        line = 1  # where the data starts in the file
        try:
            if media_type == HTML:
                page = Markup(body)
                line = page.scripts[0][0] if page.scripts else 1
                self.page(result, file, page)
                return None
            if media_type == MARKDOWN:
                return None
            found = graphs.triples(body, media_type)
        except SyntaxError as error:
            result.faults.append(unreadable(self.source.name(file), error, line))
            return None
        if media_type != JSONLD:
            return found
        base = self.listing.base
        document = base + result.address
        own = frozenset(triple for triple in found if graphs.document_of(triple, base) == document)
        result.labels[file] = found - own
        return own

    def page(self, result: DocumentVerification, file: str, page: Markup) -> None:
        """The page of a document, and its JSON-LD."""
        name = self.source.name(file)
        result.evidence[file], faults = self.markup(file, page)
        result.faults += [*faults, *self.head(result.address, page, file)]
        result.canonical = page.canonical
        if len(page.scripts) != 1:
            message = f"A page must have one JSON-LD script; this one has {len(page.scripts)}."
            result.faults.append(fault("embed", name, message))
            return
        result.embedded = EmbeddedData.read(name, page, self.listing.base, result.address)
        result.labels[file] = result.embedded.claims - result.embedded.of_document

    def head(self, address: str, page: Markup, file: str) -> Iterator[Problem]:
        """Compares the data links in the head of a page with its files."""
        name = self.source.name(file)
        for suffix, media_type in PAGE_SUFFIXES.items():
            announced, is_made = page.twins.get(media_type), suffix in self.listing.suffixes
            if media_type == HTML or (announced is None and not is_made):
                continue
            twin = file_of(address, suffix) if is_made else None
            if announced is None:
                yield fault("twin", name, f"This page has no link to its data as {media_type}.")
            elif normpath(join(dirname(file), announced)) != twin:
                message = (
                    f"This page links its data as {media_type} to {announced}, which is the "
                    "wrong file."
                )
                yield fault("twin", name, message)

    def canonical(self, result: DocumentVerification) -> Iterator[Problem]:
        """The canonical address of a page is its document; for the page of the only CV, the home
        page.
        """
        base, file = self.listing.base, file_of(result.address, ".html")
        document = base + result.address
        is_start = any(
            each.predicate.value == schema.mainEntityOfPage and graphs.text(each.object) == base
            for each in result.own
        )
        expected = base if is_start else document
        if result.canonical not in (None, expected):
            message = (
                f"The canonical address of this page is {result.canonical or 'empty'}, but "
                f"should be {expected}."
            )
            yield fault("canonical", self.source.name(file), message)

    def compare(self, result: DocumentVerification, files: Mapping[str, Triples]) -> None:
        document, dump = self.listing.base + result.address, self.listing.dump
        forms = dict(files)
        try:
            if dump.documents:
                result.rest = dump.rest.of(document)
                forms[DUMP] = dump.facts.of(document) | result.rest
        except SyntaxError as error:
            result.faults.append(unreadable(self.source.name(error.filename or DUMP), error))
        if not forms:
            return
        result.own = graphs.agreed(files.values(), forms.get(DUMP, next(iter(forms.values()))))
        if dump.documents:
            result.lost = result.own - forms.get(DUMP, frozenset())
        for file, found in forms.items():
            if differs := graphs.difference(found, result.own):
                whose, line = "This graph differs from the other formats", 1
                if file == DUMP:
                    whose = f"{DUMP} and {ALL} differ from the graph of {document}"
                    line = next(dump.facts.line_numbers(document), 1)
                message = f"{whose}: it {differs}."
                result.faults.append(fault("graph", self.source.name(file), message, line))
        mentioned = {triple.object for triple in result.own}
        for file, labels in result.labels.items():
            for triple in () if file.endswith(".html") else sorted(labels, key=str):
                if triple.predicate.value not in LABELS or triple.subject not in mentioned:
                    message = (
                        "This states more about another document than the class and name of a "
                        f"mentioned entry: {short(triple)}"
                    )
                    result.faults.append(fault("label", self.source.name(file), message))
