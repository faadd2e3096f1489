"""The whole graph in one file. Sorted, so that the same input gives the same bytes and a diff is
readable.

A dump is a head, a part for each document, and a tail. So whoever has the one before only makes the
parts that have changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.graph.build import Publishable, is_large
from kg.graph.sorted_lines import Lines
from kg.publish.dumps.dump_forms import PLAIN, Form, Part, form_of
from kg.publish.dumps.spooled import Bytes, spooled
from kg.publish.formats.media import NQUADS, NTRIPLES
from kg.settings import CACHE
from kg.store.describe import quads_of
from kg.store.protocol import Store

Run = tuple[str, int, int]


@dataclass(frozen=True)
class Dump:
    """A dump in its parts."""

    form: Form
    parts: list[Part]

    @property
    def head(self) -> bytes:
        return self.form.head({prefix for part in self.parts for prefix in part.used})

    def pieces(self) -> Iterator[tuple[str, Bytes]]:
        """Document and bytes, one after the other; what is of no document has an empty name."""
        yield "", self.head
        for number, part in enumerate(self.parts):
            if number and self.form.between:
                yield "", self.form.between
            yield part.document, part.body
        yield "", self.form.tail

    def __bytes__(self) -> bytes:
        return b"".join(body for _, body in self.pieces())

    def only(self, documents: frozenset[str]) -> Dump:
        """The same of some documents."""
        return Dump(self.form, [part for part in self.parts if part.document in documents])

    def places(self) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
        """Where each part begins and how long it is."""
        used = {part.document: part.used for part in self.parts}
        start = 0
        for document, body in self.pieces():
            if document:
                yield document, start, len(body), used[document]
            start += len(body)


PORTION = 200  # documents


def dump(graph: Publishable, media_type: str) -> bytes:
    return (
        graph.nquads if media_type == NQUADS else bytes(in_parts(graph, media_type))
    )  # without a copy


def in_parts(
    graph: Publishable,
    media_type: str,
    known: Mapping[str, Part] | None = None,
    lines: Lines | None = None,
    runs: Mapping[Run, Bytes] | None = None,
) -> Dump:
    """N-Quads and TriG keep the documents apart; all other forms are their union. `known` are parts
    that were made before, `runs` those of N-Triples; `lines` are those of the graph, for who has
    them.
    """
    if media_type in (NQUADS, NTRIPLES):
        return Dump(
            PLAIN, held(graph, of_lines(lines or Lines(graph.nquads), media_type, runs or {}))
        )
    form = form_of(graph.site.base, media_type)
    return Dump(form, held(graph, of_documents(graph.memory, form, known or {})))


def held(graph: Publishable, parts: Iterable[Part]) -> list[Part]:
    """All of them; those of a large graph are in a file."""
    if not is_large(graph):
        return list(parts)
    told: list[tuple[str, tuple[str, ...]]] = []

    def bodies() -> Iterator[Bytes]:
        for part in parts:
            told.append((part.document, part.used))
            yield part.body

    found = spooled(bodies(), graph.site.folder / CACHE)
    return [Part(document, body, used) for (document, used), body in zip(told, found, strict=True)]


def of_documents(store: Store, form: Form, known: Mapping[str, Part]) -> Iterator[Part]:
    documents = store.documents()
    for start in range(0, len(documents), PORTION):
        portion = documents[start : start + PORTION]
        store.ahead(documents=[document for document in portion if document not in known])
        yield from (
            known.get(document) or form.part(document, quads_of(store, document))
            for document in portion
        )


def of_lines(lines: Lines, media_type: str, known: Mapping[Run, Bytes]) -> Iterator[Part]:
    """A subject says its graph, so no line comes twice."""
    places = sorted(
        (start, end, document) for document, found in lines.runs.items() for start, end in found
    )
    nquads, view = lines.nquads, memoryview(lines.nquads)
    if media_type == NQUADS:
        yield from (Part(document, view[start:end]) for start, end, document in places)
        return
    for run, (start, end, document) in zip(
        runs((document, end - start) for start, end, document in places), places, strict=True
    ):
        body = known.get(run)
        yield Part(
            document,
            nquads[start:end].replace(f" <{document}> .\n".encode(), b" .\n")
            if body is None
            else body,
        )


def runs(sizes: Iterable[tuple[str, int]]) -> Iterator[Run]:
    """Lines that stand together, by their document and size: which of the lines of that document
    they are. A document that says the same has the same lines, but others may have come between
    them.
    """
    begun: dict[str, int] = defaultdict(int)
    for document, size in sizes:
        yield document, begun[document], size
        begun[document] += size
