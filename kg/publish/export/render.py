"""Renders the files of a site: writes them, searches them for private values, and verifies them."""

from __future__ import annotations

import mmap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from kg.errors import Problem
from kg.graph.parallel.executor import FEWEST, map_forked
from kg.mapping import iris
from kg.publish.document import ALL, Document, is_dump
from kg.publish.dumps.dump import Dump, everything, in_parts, of_lines, read_facts
from kg.publish.dumps.packing import Part, packed, places
from kg.publish.export.folder import Folder, stamp_of
from kg.publish.export.last_build import digest
from kg.publish.export.trace import AskedQuery, BulkStore, Trace, TracedGraph, TracingStore
from kg.publish.formats.media import JSONLD, LINKSET_SUFFIX, NQUADS, RDFXML, TRIG, TURTLE
from kg.publish.formats.urls import file_of
from kg.publish.site import Documents
from kg.publish.verify.graphs import PACKED, Triples, dump_faults
from kg.publish.verify.judge import DOCUMENT_LISTS, Judge
from kg.publish.verify.private import is_on_every_site, leak, own_part, search
from kg.sparql.answer_cache import pack

MIN_COMPRESSED_SIZE = 8192  # bytes; smaller files fit into the first packets of a connection
TEXT = ("text/", "application/", "image/svg")  # everything except images
# Not searched: verified to equal N-Triples and N-Quads, which are searched.
SAME_GRAPH = (JSONLD, RDFXML, TRIG, TURTLE)
VERIFIED_TOGETHER = 100  # documents of a dump verified together
MAX_DOCUMENTS_IN_MEMORY = 2000  # documents whose facts are kept in memory for the dumps
# What files other than document formats depend on besides their queries (default: the list of
# files).
DEPENDS_ON = {
    **dict.fromkeys(("static", "package", "shapes", "sparql"), ()),
    "completions": ("listing", "counts"),
    "void": ("listing", "graph"),  # it contains their version
    "notice": ("listing", "size"),
}


class RenderedFiles(NamedTuple):
    """The rendered files, their problems, and the private values in them."""

    trace: Trace
    problems: list[Problem]
    leaks: list[Problem]


class FileRenderer:
    """Renders the files of each trace. `site` answers questions about the site; `to_verify` are the
    names of the traces to verify.
    """

    def __init__(
        self,
        documents: Documents,
        site: Callable[[str], str],
        folder: Folder,
        judge: Judge,
        paths: Mapping[str, Sequence[str]],
        to_verify: frozenset[str],
        jobs: int,
    ) -> None:
        graph = documents.graph
        self.graph, self.memory, self.store = graph, graph.memory, TracingStore(graph.memory)
        self.documents = documents.traced(
            TracedGraph(
                graph.site, self.store, graph.nquads, graph.rest, graph.secrets, graph.counts
            )
        )
        self.documents.ask = self.store.recording(documents.ask)
        self.site, self.folder, self.judge = site, folder, judge
        self.paths, self.to_verify, self.jobs = paths, to_verify, jobs
        # shared by all dumps
        self.facts_of = lru_cache(maxsize=MAX_DOCUMENTS_IN_MEMORY)(partial(read_facts, self.memory))
        self.claims_of = lru_cache(maxsize=MAX_DOCUMENTS_IN_MEMORY // VERIFIED_TOGETHER)(
            self.read_claims
        )

    def render(
        self, names: Sequence[str], before: Mapping[str, Trace], changed: frozenset[str] | None
    ) -> Iterator[RenderedFiles]:
        """Documents first, in several processes if there are many. One of each kind is rendered
        here, so that the workers inherit its templates and queries. `before` are earlier traces;
        `changed` are the documents that have changed since (None: unknown).
        """

        def write(name: str) -> RenderedFiles:
            return self.write(name, before.get(name))

        documents = [name for name in names if not name.startswith("=")]
        self.store.store = BulkStore(self.memory, self.things(documents))
        kinds = {(name.partition("/")[0], iris.is_list(name)): name for name in reversed(documents)}
        examples = frozenset(kinds.values())
        yield from (write(name) for name in documents if name in examples)
        rest = [name for name in documents if name not in examples]
        yield from map_forked(write, rest, self.jobs)
        for name in names:
            if is_dump(name):
                yield self.write_dump(name, before.get(name), changed)
            elif name.startswith("="):
                yield write(name)

    def things(self, addresses: Sequence[str]) -> list[frozenset[str]]:
        """The subjects of some documents, by kind."""
        kinds: dict[str, set[str]] = defaultdict(set)
        for address in addresses:
            kinds[address.partition("/")[0]].add(f"{self.documents.base}{address}#it")
        return [*map(frozenset, kinds.values())]

    def write(self, name: str, before: Trace | None) -> RenderedFiles:
        self.store.take()
        result = RenderedFiles(Trace(name), [], [])
        bodies: dict[str, bytes] = {}
        for path in self.paths[name]:
            document = self.documents.make(path)
            assert document is not None  # noqa: S101
            bodies[path] = document.body
            if name not in self.to_verify or document.media_type not in SAME_GRAPH:
                result.leaks.extend(self.search(result.trace, path, document.body))
            self.put(result.trace, document, before)
        answers = self.store.take()
        if name.startswith("="):
            for kind in DEPENDS_ON.get(name[1:], ("listing", "added")):
                answers[AskedQuery(kind)] = self.site(kind)
        result.trace.answers = list(answers.items())
        self.verify(result, bodies)
        return result

    def put(self, trace: Trace, document: Document, before: Trace | None) -> None:
        """Writes a file, and its compressed copy unless both are unchanged."""
        path, copy = document.path, document.path + PACKED
        trace.files[path] = self.folder.put(path, document.body)
        if not should_compress(document, self.documents):
            return
        known = before.files if before else {}
        found = (
            self.folder.found({copy: known[copy]})
            if copy in known and known.get(path) == trace.files[path]
            else None
        )
        if found:
            self.folder.take_over(found)
            trace.files[copy] = known[copy]
        else:
            trace.files[copy] = self.folder.put(copy, pack(document.body))

    def search(self, trace: Trace, path: str, body: bytes) -> Iterator[Problem]:
        """No file may contain private values. Values that are also public are recorded in the
        trace, since that can change.
        """
        secrets = self.graph.secrets
        text = own_part(self.documents, path, body).decode("utf-8", "replace")
        for secret in secrets.matches(text):
            if secrets.is_public(secret):
                trace.secrets = sorted({*trace.secrets, digest([secret.text])})
            elif not is_on_every_site(secret):
                yield leak(path, secret)

    def verify(self, result: RenderedFiles, bodies: Mapping[str, bytes]) -> None:
        trace = result.trace
        if trace.name in self.to_verify:
            suffixes = (*self.judge.listing.suffixes, LINKSET_SUFFIX)
            forms = {each: bodies[file_of(trace.name, each)] for each in suffixes}
            verification = self.judge.document(trace.name, forms)
            trace.is_verified, trace.evidence = True, verification.evidence
            result.problems.extend(verification.faults)
        for path, body in bodies.items():
            is_form = self.documents.files[path][0] == trace.name
            if not is_form and (path.endswith(".html") or path in DOCUMENT_LISTS):
                trace.evidence[path], faults = self.judge.file(path, body)
                result.problems.extend(faults)

    def write_dump(
        self, name: str, before: Trace | None, changed: frozenset[str] | None
    ) -> RenderedFiles:
        """Writes a dump and its compressed copy. Parts of unchanged documents are reused from the
        previous build; the others are searched and verified.
        """
        path, copy = name[1:], name[1:] + PACKED
        media_type = self.documents.files[path][1]
        if changed is None:
            before, changed = None, frozenset()
        old = self.parts_before(path, before)
        known = {part.document: part for part in old if part.document not in changed}
        if path == ALL:
            dump = everything(self.graph, self.documents.void())
        else:
            dump = in_parts(self.graph, media_type, known, self.facts_of)
        fresh = frozenset(part.document for part in dump.parts) - known.keys()
        pieces = {part.document: part.body for part in self.parts_before(copy, before)}
        trace = Trace(name, is_verified=name in self.to_verify)
        depends = ("graph", "listing") if path == ALL else ("graph",)
        trace.answers = [(AskedQuery(kind), self.site(kind)) for kind in depends]
        for file, parts in (
            (path, list(dump.pieces())),
            (copy, list(packed(dump.pieces(), pieces, fresh))),
        ):
            trace.files[file] = self.folder.put(file, *(part.body for part in parts))
            trace.parts[file] = list(places(parts))
        problems = (
            self.verify_dump(dump, fresh, path, media_type)
            if trace.is_verified and media_type != NQUADS
            else []
        )
        return RenderedFiles(
            trace,
            problems,
            [
                found
                for part in (of_lines(self.graph.rest) if path == ALL else dump.parts)
                if part.document in fresh and not (trace.is_verified and media_type in SAME_GRAPH)
                for found in search(path, bytes(part.body), self.graph.secrets)
            ],
        )

    def parts_before(self, path: str, before: Trace | None) -> list[Part]:
        """The parts of a file of the previous build, if the file is unchanged; they are read on
        demand.
        """
        file = self.folder.target / path
        if not before or stamp_of(file) != before.files.get(path):
            return []
        with file.open("rb") as opened:
            view = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
        places = before.parts[path]
        return [Part(name, view[start : start + size], used) for name, start, size, used in places]

    def verify_dump(
        self, dump: Dump, fresh: frozenset[str], path: str, media_type: str
    ) -> list[Problem]:
        documents, name = sorted(fresh), self.judge.source.name(path)

        def judge(portion: tuple[str, ...]) -> list[Problem]:
            body = bytes(dump.only(frozenset(portion)))
            return list(
                dump_faults(self.documents.base, name, media_type, body, self.claims_of(portion))
            )

        portions = [
            (*documents[at : at + VERIFIED_TOGETHER],)
            for at in range(0, len(documents), VERIFIED_TOGETHER)
        ]
        jobs = self.jobs if len(documents) > FEWEST else 1
        return [found for each in map_forked(judge, portions, jobs) for found in each]

    def read_claims(self, documents: tuple[str, ...]) -> Triples:
        facts = self.judge.listing.dump.facts
        return frozenset().union(*map(facts.of, documents))


def should_compress(document: Document, documents: Documents) -> bool:
    """Whether to write a compressed copy of a file, for hosts that send it to clients."""
    is_text = document.media_type.startswith(TEXT) and not document.path.endswith(PACKED)
    return (
        is_text
        and document.path + PACKED not in documents.files
        and len(document.body) >= MIN_COMPRESSED_SIZE
    )
