"""One document: its page and its data twins are there, can be read, and hold the same graph.

With D the document's graph, E what a page's JSON-LD says and U everything: D ⊆ E ⊆ U, and E beyond
D is only class and name of what is mentioned. All other forms are D. What D is, most forms decide,
the dump among them; so a fault is found where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath

from kg.errors import Problem
from kg.publish.formats.media import HTML, JSONLD, PAGE_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.proof import graphs, markup
from kg.publish.proof.faults import fault, ill_formed, short
from kg.publish.proof.graphs import LABELS, Triples
from kg.publish.proof.links import LINKSET, Link, Links
from kg.publish.proof.listing import DUMP, Listing
from kg.publish.proof.markup import Markup
from kg.publish.proof.source import Evidence


@dataclass
class Page:
    """What was found of a document. `labels` is what its forms say of things of other documents."""

    address: str
    own: Triples = frozenset()
    labels: dict[str, Triples] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)


class Judge:
    """Judges the forms of one document after another, and other files."""

    def __init__(self, listing: Listing) -> None:
        self.listing, self.source = listing, listing.source
        self.links = Links(listing)

    def page(self, address: str, bodies: Mapping[str, bytes | None]) -> Page:
        """`bodies` are the files of a document by their suffixes, its linkset among them, if it has
        one.
        """
        page = Page(address)
        forms: dict[str, Triples] = {}
        for suffix, media_type in self.listing.suffixes.items():
            file, body = file_of(address, suffix), bodies[suffix]
            if body is None:
                message = (
                    f"{self.listing.base}{address} is not here in this form: "
                    f"{self.source.why(file)}."
                )
                page.faults.append(fault("missing", self.source.name(file), message))
            elif (found := self.triples(page, file, body, media_type)) is not None:
                forms[file] = found
        self.compare(page, forms)
        linkset, body = file_of(address, LINKSET), bodies.get(LINKSET)
        if body is not None:
            page.evidence[linkset], faults = self.file(linkset, body)
            page.faults += faults
        known: list[str] = []  # most forms say the same of others
        for file, labels in page.labels.items():
            if (lines := sorted(f"{triple} ." for triple in labels)) != known:
                page.evidence.setdefault(file, Evidence()).labels = known = lines
        if first := page.evidence.get(file_of(address, ".html")):
            first.triples = len(page.own)
        return page

    def file(self, file: str, body: bytes) -> tuple[Evidence, list[Problem]]:
        """What is known of a page that is no document, or of another file with links."""
        if file.endswith(".html"):
            return self.markup(file, markup.read(body))
        links, faults = self.links.targets(file, self.links.written(file, body))
        return Evidence(links=links), faults

    def markup(self, file: str, found: Markup) -> tuple[Evidence, list[Problem]]:
        links, faults = self.links.targets(file, [Link(*link) for link in found.links])
        faults += [ill_formed(self.source.name(file), *each) for each in found.faults]
        return Evidence(links=links, count=len(found.links), anchors=sorted(found.anchors)), faults

    def triples(self, page: Page, file: str, body: bytes, media_type: str) -> Triples | None:
        """What a file says of its document; what it says of others goes into the page."""
        text: bytes | str = body
        line = 1  # where the text begins in its file
        if media_type == HTML:
            seen = markup.read(body)
            page.evidence[file], faults = self.markup(file, seen)
            page.faults += [*faults, *self.head(page.address, seen, file)]
            if len(seen.scripts) != 1:
                message = f"A page holds its data in one script, and this has {len(seen.scripts)}."
                page.faults.append(fault("embed", self.source.name(file), message))
                return None
            line, text = seen.scripts[0]
        try:
            found = graphs.triples(text, JSONLD if media_type == HTML else media_type)
        except SyntaxError as error:
            message = f"The data cannot be read: {error.msg}."
            page.faults.append(
                fault("unreadable", self.source.name(file), message, line - 1 + (error.lineno or 1))
            )
            return None
        if media_type not in (HTML, JSONLD):
            return found
        own, page.labels[file] = graphs.split(found, self.listing.base + page.address)
        return own

    def head(self, address: str, seen: Markup, file: str) -> Iterator[Problem]:
        name, document = self.source.name(file), self.listing.base + address
        if seen.canonical != document:
            yield fault(
                "canonical",
                name,
                (
                    f"This is said to be the page of {seen.canonical or 'nothing'}, and stands "
                    f"where {document} is expected."
                ),
            )
        for suffix, media_type in PAGE_SUFFIXES.items():
            announced, is_made = seen.twins.get(media_type), suffix in self.listing.suffixes
            if media_type == HTML or (announced is None and not is_made):
                continue
            if announced is None:
                yield fault("twin", name, f"This page does not announce its data as {media_type}.")
            elif not is_made or normpath(join(dirname(file), announced)) != file_of(
                address, suffix
            ):
                yield fault(
                    "twin",
                    name,
                    (
                        f"This page announces its data as {media_type} in {announced}, where "
                        "they are not."
                    ),
                )

    def compare(self, page: Page, files: Mapping[str, Triples]) -> None:
        document, dump = self.listing.base + page.address, self.listing.dump
        forms = dict(files)
        try:
            if dump is not None:
                forms[DUMP] = dump.of(document)
        except SyntaxError as error:
            page.faults.append(
                fault(
                    "unreadable",
                    self.source.name(DUMP),
                    f"The data cannot be read: {error.msg}.",
                    error.lineno or 1,
                )
            )
        if not forms:
            return
        first = forms[DUMP] if DUMP in forms else next(iter(forms.values()))
        page.own = graphs.agreed(files.values(), first)
        for file, found in forms.items():
            if said := graphs.difference(found, page.own):
                is_dump = file == DUMP and dump is not None
                whose = (
                    f"The dump does not hold the graph of {document}"
                    if is_dump
                    else "This is not the graph of the other forms"
                )
                line = dump.line_of(document) if is_dump and dump else 1
                page.faults.append(
                    fault("graph", self.source.name(file), f"{whose}: it {said}.", line)
                )
        mentioned = {triple.object for triple in page.own}
        for file, labels in page.labels.items():
            for triple in sorted(labels, key=str):
                if triple.predicate.value not in LABELS or triple.subject not in mentioned:
                    message = (
                        "This says more of other documents than the class and name of what it "
                        f"mentions: {short(triple)}"
                    )
                    page.faults.append(fault("label", self.source.name(file), message))
