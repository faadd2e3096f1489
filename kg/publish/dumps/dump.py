"""The whole graph in one file or several, sorted, so that the same input gives the same bytes and
diffs are readable.

A dump is a head, a part per document, and a tail. When the graph changes, only the parts of the
changed documents are written again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from io import BytesIO
from itertools import groupby
from pathlib import Path

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.graph.build import Publishable, is_large
from kg.graph.describe import Description, quads_of
from kg.publish.dumps.packing import Part, spooled
from kg.publish.formats import jsonld, rdf
from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.store.memory import without_graphs
from kg.store.protocol import Store
from kg.vocab import apart

RUN = re.compile(
    rb"<([^>#]*)[>#][^\n]*+\n(?:<\1[>#][^\n]*+\n)*+"
)  # lines whose subjects belong to one document


@dataclass(frozen=True)
class Form:
    """The layout of a dump format: the bytes between parts, the head for the prefixes in use, the
    tail, and the writer of a part.
    """

    between: bytes
    head: Callable[[Set[str]], bytes]
    tail: bytes
    part: Callable[[str, list[Quad]], Part]


PLAIN = Form(b"", lambda used: b"", b"", lambda document, quads: Part(document, b""))


@dataclass(frozen=True)
class Dump:
    """A dump in parts."""

    form: Form
    parts: list[Part]

    def pieces(self) -> Iterator[Part]:
        """The head, the parts with their separators, and the tail, in order."""
        yield Part("", self.form.head({prefix for part in self.parts for prefix in part.used}))
        for number, part in enumerate(self.parts):
            if number and self.form.between:
                yield Part("", self.form.between)
            yield part
        yield Part("", self.form.tail)

    def __bytes__(self) -> bytes:
        return b"".join(part.body for part in self.pieces())

    def only(self, documents: frozenset[str]) -> Dump:
        """The same dump for some documents."""
        return Dump(self.form, [part for part in self.parts if part.document in documents])


def dump(graph: Publishable, media_type: str, rest: bytes = b"") -> bytes:
    """The facts; then the `rest`, N-Quads of other graphs, if given."""
    if media_type == NQUADS:
        return bytes(graph.nquads) + rest
    found = in_parts(graph, media_type)
    if media_type == NTRIPLES:
        found.parts.append(Part("", without_graphs(rest)))
        return bytes(found)
    quads = sorted(parse(rest, format=RdfFormat.N_QUADS, lenient=True), key=graph_name)
    for name, some in groupby(quads, key=graph_name):
        found.parts.append(found.form.part(name, sorted(some, key=str)))
    return bytes(found)


def everything(graph: Publishable, about: bytes) -> Dump:
    """The facts, the rest of the graph, and the description of the site, as N-Quads."""
    parts = (*of_lines(graph.nquads), *of_lines(graph.rest), Part("", about))
    return Dump(PLAIN, [*parts])


def graph_name(quad: Quad) -> str:
    return str(quad.graph_name)[1:-1]


def in_parts(
    graph: Publishable,
    media_type: str,
    known: Mapping[str, Part] | None = None,
    facts_of: Callable[[str], list[Quad]] | None = None,
) -> Dump:
    """The facts. N-Quads and TriG keep the documents apart; all other formats are their union.
    `known` are parts from an earlier build; `facts_of` can supply the facts of documents. The parts
    of a large graph are in a file.
    """
    if media_type == NQUADS:
        return Dump(PLAIN, list(of_lines(graph.nquads)))
    form, before, store = PLAIN, known or {}, graph.memory
    read, others = facts_of or partial(read_facts, store), apart(graph.site.base)
    parts: Iterator[Part] = map(without_graph, of_lines(graph.nquads))
    if media_type != NTRIPLES:
        form = form_of(graph.site.base, media_type)
        parts = (
            before.get(document) or form.part(document, facts)
            for document in store.documents()
            if document not in others and (document in before or (facts := read(document)))
        )
    return Dump(form, spooled(parts) if is_large(graph) else list(parts))


def read_facts(store: Store, document: str) -> list[Quad]:
    """The facts of a document without its page, in order."""
    return [quad for quad in quads_of(store, document) if quad.graph_name == NamedNode(document)]


def of_lines(nquads: bytes) -> Iterator[Part]:
    """Groups consecutive lines about one document. The graph of a fact is the document of its
    subject, so no line occurs twice.
    """
    view = memoryview(nquads)
    for run in RUN.finditer(nquads):
        yield Part(run[1].decode(), view[slice(*run.span())])


def without_graph(part: Part) -> Part:
    """N-Quads -> N-Triples."""
    body = bytes(part.body).replace(f" <{part.document}> .\n".encode(), b" .\n")
    return Part(part.document, body)


def form_of(base: str, media_type: str) -> Form:
    head, tail = rdf.rdfxml_frame(base)
    forms = {
        TURTLE: Form(b"\n", partial(turtle_head, base), b"", partial(turtle_part, base)),
        TRIG: Form(b"\n", partial(turtle_head, base), b"", partial(trig_part, base)),
        RDFXML: Form(b"", lambda used: head, tail, partial(rdfxml_part, base)),
        JSONLD: Form(b",", partial(jsonld_head, base), b"\n ]\n}\n", partial(jsonld_part, base)),
    }
    if media_type not in forms:
        raise ValueError(f"no dump is made as {media_type}")
    return forms[media_type]


def turtle_head(base: str, used: Set[str]) -> bytes:
    writer = rdf.TurtleWriter(base)
    writer.used = {*used}
    return f"{writer.head()}\n".encode()


def turtle_part(base: str, document: str, quads: list[Quad]) -> Part:
    writer = rdf.TurtleWriter(base)
    return Part(document, "\n".join(writer.blocks(quads)).encode(), tuple(sorted(writer.used)))


def trig_part(base: str, document: str, quads: list[Quad]) -> Part:
    body = turtle_part(base, document, quads)
    writer = rdf.TurtleWriter(base)
    name = writer.iri(document)
    return Part(
        document,
        f"{name} {{\n".encode() + bytes(body.body) + b"}\n",
        tuple(sorted({*body.used, *writer.used})),
    )


def rdfxml_part(base: str, document: str, quads: list[Quad]) -> Part:
    head, tail = rdf.rdfxml_frame(base)
    return Part(document, rdf.rdfxml(base, quads)[len(head) : -len(tail)])


def jsonld_head(base: str, used: Set[str]) -> bytes:
    whole = jsonld.text({"@context": jsonld.context(base), "@graph": []})
    return whole.removesuffix(b"]\n}\n")


def jsonld_part(base: str, document: str, quads: list[Quad]) -> Part:
    lines = json.dumps(
        jsonld.nodes(base, Description(document, quads, {})), ensure_ascii=False, indent=1
    ).split("\n")
    return Part(document, "".join(f"\n {line}" for line in lines[1:-1]).encode())


def write_shards(nquads: bytes, folder: Path, number: int) -> list[Path]:
    """Writes the graph as a number of N-Quads files, for engines that load several in parallel. A
    document, and so every subject in it, is always in the same shard.

    Each file has a temporary name until all are written; files of an earlier split are removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"part-{each:04}-of-{number:04}.nq" for each in range(1, number + 1)]
    drafts = [path.with_suffix(".draft") for path in paths]
    with ExitStack() as opened:
        files = [opened.enter_context(draft.open("wb")) for draft in drafts]
        for line in BytesIO(nquads):
            document = line[line.rindex(b" <") + 2 : -len(b"> .\n")]
            files[shard_of(document, number)].write(line)
    for draft, path in zip(drafts, paths, strict=True):
        draft.replace(path)
    for old in (*folder.glob("part-*-of-*.nq"), *folder.glob("part-*-of-*.draft")):
        if old not in paths:
            old.unlink()
    return paths


@lru_cache(maxsize=64)
def shard_of(document: bytes, number: int) -> int:
    """Chosen by a digest, so that documents of a kind are spread evenly, and identically on every
    machine.
    """
    return int.from_bytes(hashlib.blake2b(document, digest_size=8).digest(), "big") % number
