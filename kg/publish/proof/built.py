"""The proof of a folder that is being built: the same as of one that is read, but each document is
judged as soon as it is made.

What was proved of a document holds as long as its files and its lines in the graph are the same, so
only what is said between documents is looked at each time: links, names, lists, dumps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from kg.errors import Problem
from kg.graph.sorted_lines import Lines
from kg.publish.export.trace import Made, spoken_of
from kg.publish.formats.media import NQUADS
from kg.publish.formats.urls import file_of
from kg.publish.proof import dumps, graphs
from kg.publish.proof.faults import fault, short
from kg.publish.proof.graphs import Triples
from kg.publish.proof.links import LINKSET, SPEAKING, Links, Target
from kg.publish.proof.listing import Listing
from kg.publish.proof.markup import Markup
from kg.publish.proof.page import Judge, Page
from kg.publish.proof.source import Source


class Dumped:
    """The dump that keeps the documents apart, before it is written."""

    def __init__(self, nquads: bytes) -> None:
        self.odd: list[int] = []
        self.text = Lines(nquads)
        self.lines = self.text.runs

    def of(self, document: str) -> Triples:
        return graphs.triples(self.text.of(document), NQUADS)

    def line_of(self, document: str) -> int:
        return self.text.number(document)


class Built(Listing):
    """What a folder is going to have."""

    def __init__(
        self, source: Source, base: str, nquads: bytes, suffixes: Mapping[str, str]
    ) -> None:
        self.source = source
        self.base = base
        self.suffixes = dict(suffixes)
        self.dump = self.dumped = Dumped(nquads)
        self.files: list[str] = []

    def faults(self) -> Iterator[Problem]:
        return self.broken_promises()


class Prover:
    """Judges documents one by one, and notes what is to be looked at in the end."""

    def __init__(self, built: Built) -> None:
        self.built = built
        self.judge = Judge(built)
        self.links = Links(built, {}, frozenset())
        self.address = re.compile(rf"{re.escape(built.base)}[^\s<>\"'()\[\]]*")

    def prove(self, made: Made, bodies: Mapping[str, bytes]) -> list[Problem]:
        """`bodies` are the files of a document, by their paths."""
        forms = {
            suffix: bodies.get(file_of(made.address, suffix)) for suffix in self.built.suffixes
        }
        page = self.judge.page(made.address, forms)
        problems = page.faults + list(unpacked(self.built.source, bodies))
        targets: dict[Target, None] = {}
        for file, line, address in said_links(page, bodies, self.address):
            try:
                target = self.links.target(file, address)
            except ValueError as error:
                problems.append(
                    fault(
                        "link",
                        self.built.source.name(file),
                        f"The link {short(address)} {error}.",
                        line,
                    )
                )
            else:
                targets.update({target: None} if target else {})
        made.is_proved = True
        made.links = [f"{target.path}#{target.fragment}" for target in targets]
        made.count = len(page.markup.links) if page.markup else 0
        made.anchors = sorted(page.markup.anchors) if page.markup else []
        made.labels = sorted(
            {f"{triple} ." for labels in page.labels.values() for triple in labels}
        )
        return problems


def said_links(
    page: Page, bodies: Mapping[str, bytes], ours: re.Pattern[str]
) -> Iterator[tuple[str, int, str]]:
    """File, line and address of all that a document leads to: by its page, and by its set of
    links.
    """
    html, linkset = file_of(page.address, ".html"), file_of(page.address, LINKSET)
    for line, address in page.markup.links if page.markup else ():
        yield html, line, address
    for number, text in enumerate(
        bodies.get(linkset, b"").decode("utf-8", "replace").splitlines(), 1
    ):
        yield from ((linkset, number, address) for address in ours.findall(text))


def unpacked(source: Source, bodies: Mapping[str, bytes]) -> Iterator[Problem]:
    for path, body in bodies.items():
        original = bodies.get(path.removesuffix(dumps.PACKED))
        if (
            path.endswith(dumps.PACKED)
            and original is not None
            and not dumps.unpacks_to(body, original)
        ):
            yield fault(
                "packed",
                source.name(path),
                f"This is not {path.rpartition('/')[2].removesuffix(dumps.PACKED)}, packed.",
            )


class Between(Links):
    """Links between documents that were judged one by one; `files` are all that the folder has,
    `others` pages that are no documents.
    """

    def __init__(
        self,
        built: Built,
        made: Mapping[str, Made],
        files: frozenset[str],
        others: Mapping[str, Markup],
    ) -> None:
        super().__init__(built, others, frozenset())
        self.made, self.all = made, files
        self.anchors = {
            file_of(address, ".html"): frozenset(each.anchors)
            for address, each in made.items()
            if each.is_proved
        }
        self.subjects_of: dict[str, frozenset[str]] = {}

    def speaking(self) -> list[str]:
        return [*SPEAKING]  # the sets of links were read with their documents

    def missed(self, target: Target) -> str:
        if target.path not in self.all:
            return "leads to nothing"
        page = self.pages.get(target.path)
        anchors = page.anchors if page else self.anchors.get(target.path)
        if not target.fragment or anchors is None or target.fragment in anchors:
            return ""
        document = f"{self.listing.base}{self.documents.get(target.path)}"
        return (
            ""
            if f"{document}#{target.fragment}" in self.subjects_in(document)
            else "names nothing on that page"
        )

    def subjects_in(self, document: str) -> frozenset[str]:
        if document not in self.subjects_of:
            dump = self.listing.dump
            self.subjects_of[document] = (
                frozenset(map(graphs.subject, dump.of(document))) if dump else frozenset()
            )
        return self.subjects_of[document]

    def broken(self, doubtful: set[str] | None = None) -> Iterator[Problem]:
        """Links of documents that lead nowhere now; only these may, where they are known."""
        places = {
            place
            for each in self.made.values()
            for place in (each.links if doubtful is None else [*doubtful.intersection(each.links)])
        }
        wrong = {place for place in places if self.missed(Target(*place.split("#", 1)))}
        for each in self.made.values() if wrong else ():
            if lost := sorted(wrong.intersection(each.links)):
                page = self.source.name(file_of(each.address, ".html"))
                yield from (
                    fault(
                        "link",
                        page,
                        f"The link {short(place)} {self.missed(Target(*place.split('#', 1)))}.",
                    )
                    for place in lost
                )


def unsaid(built: Built, made: Iterable[Made], moved: Set[str] | None) -> Iterator[Problem]:
    """Names of things that the documents of these do not say. Of documents that have not `moved`
    all is as it was when they were judged; with None, any may have.
    """
    known: dict[str, frozenset[bytes]] = {}
    for each in made:
        if moved is not None and moved.isdisjoint(each.spoken_of):
            continue
        for label in each.labels:
            document = spoken_of(label)
            if moved is not None and document not in moved:
                continue
            if document not in known:
                end = f" <{document}> .".encode()
                known[document] = frozenset(
                    line.removesuffix(end) + b" ."
                    for line in built.dumped.text.of(document).splitlines()
                )
            if label.encode() not in known[document]:
                name = built.source.name(file_of(each.address, ".html"))
                yield fault(
                    "label",
                    name,
                    f"No document says what is said here: {short(label.removesuffix(' .'))}.",
                )
