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
from kg.publish.formats.media import HTML, JSONLD, LINKSET_SUFFIX, PAGE_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.proof import graphs
from kg.publish.proof.graphs import LABELS, Triples, fault, short, unreadable
from kg.publish.proof.links import Links
from kg.publish.proof.listing import DUMP, SiteListing
from kg.publish.proof.markup import Markup
from kg.publish.proof.source import Evidence


@dataclass
class DocumentProof:
    """What was found of a document. `labels` is what its forms say of things of other documents."""

    address: str
    own: Triples = frozenset()
    labels: dict[str, Triples] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)


class Judge:
    """Judges the forms of one document after another, and other files."""

    def __init__(self, listing: SiteListing) -> None:
        self.listing, self.source = listing, listing.source
        self.links = Links(listing)

    def document(self, address: str, bodies: Mapping[str, bytes | None]) -> DocumentProof:
        """`bodies` are the files of a document by their suffixes, its linkset among them, if it has
        one.
        """
        proof = DocumentProof(address)
        forms: dict[str, Triples] = {}
        for suffix, media_type in self.listing.suffixes.items():
            file, body = file_of(address, suffix), bodies[suffix]
            if body is None:
                document, why = f"{self.listing.base}{address}", self.source.why(file)
                message = f"{document} is not here in this form: {why}."
                proof.faults.append(fault("missing", self.source.name(file), message))
            elif (found := self.triples(proof, file, body, media_type)) is not None:
                forms[file] = found
        self.compare(proof, forms)
        linkset, body = file_of(address, LINKSET_SUFFIX), bodies.get(LINKSET_SUFFIX)
        if body is not None:
            proof.evidence[linkset], faults = self.file(linkset, body)
            proof.faults += faults
        known: list[str] = []  # most forms say the same of others
        for file, labels in proof.labels.items():
            if (lines := sorted(f"{triple} ." for triple in labels)) != known:
                proof.evidence.setdefault(file, Evidence()).labels = known = lines
        if page := proof.evidence.get(file_of(address, ".html")):
            page.triples = len(proof.own)
        return proof

    def file(self, file: str, body: bytes) -> tuple[Evidence, list[Problem]]:
        """What is known of a page that is no document, or of another file with links."""
        if file.endswith(".html"):
            return self.markup(file, Markup(body))
        links, faults = self.links.targets(file, self.links.written(file, body))
        return Evidence(links=links), faults

    def markup(self, file: str, found: Markup) -> tuple[Evidence, list[Problem]]:
        links, faults = self.links.targets(file, found.links)
        name = self.source.name(file)
        for line, message in found.faults:
            faults.append(fault("html", name, f"This is not well-formed: {message}.", line))
        return Evidence(links=links, count=len(found.links), anchors=sorted(found.anchors)), faults

    def triples(
        self, proof: DocumentProof, file: str, body: bytes, media_type: str
    ) -> Triples | None:
        """What a file says of its document; what it says of others goes into the proof."""
        text: bytes | str = body
        line = 1  # where the text begins in its file
        if media_type == HTML:
            page = Markup(body)
            proof.evidence[file], faults = self.markup(file, page)
            proof.faults += [*faults, *self.head(proof.address, page, file)]
            if len(page.scripts) != 1:
                message = f"A page holds its data in one script, and this has {len(page.scripts)}."
                proof.faults.append(fault("embed", self.source.name(file), message))
                return None
            line, text = page.scripts[0]
        try:
            found = graphs.triples(text, JSONLD if media_type == HTML else media_type)
        except SyntaxError as error:
            proof.faults.append(unreadable(self.source.name(file), error, line))
            return None
        if media_type not in (HTML, JSONLD):
            return found
        document = self.listing.base + proof.address
        own = frozenset(triple for triple in found if graphs.document_of(triple) == document)
        proof.labels[file] = found - own
        return own

    def head(self, address: str, page: Markup, file: str) -> Iterator[Problem]:
        """What the head of a page says of itself: its document, and where its data are."""
        name, document = self.source.name(file), self.listing.base + address
        if page.canonical != document:
            message = (
                f"This is said to be the page of {page.canonical or 'nothing'}, and stands "
                f"where {document} is expected."
            )
            yield fault("canonical", name, message)
        for suffix, media_type in PAGE_SUFFIXES.items():
            announced, is_made = page.twins.get(media_type), suffix in self.listing.suffixes
            if media_type == HTML or (announced is None and not is_made):
                continue
            twin = file_of(address, suffix) if is_made else None
            if announced is None:
                yield fault("twin", name, f"This page does not announce its data as {media_type}.")
            elif normpath(join(dirname(file), announced)) != twin:
                message = (
                    f"This page announces its data as {media_type} in {announced}, where they are "
                    "not."
                )
                yield fault("twin", name, message)

    def compare(self, proof: DocumentProof, files: Mapping[str, Triples]) -> None:
        document, dump = self.listing.base + proof.address, self.listing.dump
        forms = dict(files)
        try:
            if dump.runs:
                forms[DUMP] = dump.of(document)
        except SyntaxError as error:
            proof.faults.append(unreadable(self.source.name(DUMP), error))
        if not forms:
            return
        proof.own = graphs.agreed(files.values(), forms.get(DUMP, next(iter(forms.values()))))
        for file, found in forms.items():
            if differs := graphs.difference(found, proof.own):
                whose, line = "This is not the graph of the other forms", 1
                if file == DUMP:
                    whose = f"The dump does not hold the graph of {document}"
                    line = next(dump.line_numbers(document), 1)
                message = f"{whose}: it {differs}."
                proof.faults.append(fault("graph", self.source.name(file), message, line))
        mentioned = {triple.object for triple in proof.own}
        for file, labels in proof.labels.items():
            for triple in sorted(labels, key=str):
                if triple.predicate.value not in LABELS or triple.subject not in mentioned:
                    message = (
                        "This says more of other documents than the class and name of what it "
                        f"mentions: {short(triple)}"
                    )
                    proof.faults.append(fault("label", self.source.name(file), message))
