"""Makes the files of a site, document by document: written, searched for private values, proved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kg.errors import Problem
from kg.facts.secrets import Secrets
from kg.graph.parallel.executor import map_forked
from kg.publish.document import Document
from kg.publish.export.dump_files import Before, DumpFiles
from kg.publish.export.folder import Folder
from kg.publish.export.trace import SiteAnswers, Trace
from kg.publish.export.tracing_store import Question, TracingGraph, TracingStore, digest
from kg.publish.formats.urls import file_of
from kg.publish.proof.dumps import PACKED, not_packed, unpacks_to
from kg.publish.proof.links import FOR_PROGRAMS, LINKSET
from kg.publish.proof.listing import Listing
from kg.publish.proof.page import Judge
from kg.publish.proof.private import leak, own_part, unescaped
from kg.publish.site import Documents
from kg.sparql.cached_body import pack

SMALLEST_WORTH_PACKING = 1024
TEXT = ("text/", "application/", "image/svg")  # all that we write but pictures
# What files that are no form of a document depend on besides what they ask the store; by default
# on which files there are.
DEPENDS_ON = {
    **dict.fromkeys(("static", "format", "package", "shapes", "sparql"), ()),
    **dict.fromkeys(("void", "completions"), ("listing", "counts")),
}


class Result(NamedTuple):
    """What was made, which of its files differ from those before, what is wrong with it, and what
    of it is private.
    """

    trace: Trace
    changed: list[str]
    problems: list[Problem]
    leaks: list[Problem]


class Renderer:
    """Makes the files of each trace. `proved` are the addresses of the documents that are
    proved.
    """

    def __init__(
        self,
        documents: Documents,
        site: SiteAnswers,
        folder: Folder,
        listing: Listing,
        proved: frozenset[str],
        jobs: int,
    ) -> None:
        self.store = TracingStore(documents.store)
        self.documents = documents.traced(TracingGraph(documents.graph, self.store))
        self.site, self.folder, self.listing = site, folder, listing
        self.proved, self.jobs = proved, jobs
        self.judge = Judge(listing)
        is_complete = proved.issuperset(documents.addresses)
        self.dumps = DumpFiles(documents.graph, folder, listing, is_complete, jobs)
        self.paths = files_by_trace(documents)

    def render(
        self, names: Sequence[str], before: Mapping[str, Trace], changed: frozenset[str] | None
    ) -> Iterator[Result]:
        """Documents first, by several processes where there are many. `before` are earlier traces,
        since which these documents have `changed`; None: any may have.
        """
        assert self.documents.pages.templates  # noqa: S101  read here, once, for all processes
        documents = [name for name in names if not name.startswith("=")]
        yield from map_forked(lambda name: self.write(name, before.get(name)), documents, self.jobs)
        for name in names:
            if name.startswith("=dump."):
                old = before.get(name)
                yield self.write_dump(
                    name, Before(old, changed) if old and changed is not None else None
                )
            elif name.startswith("="):
                yield self.write(name, before.get(name))

    def write_dump(self, name: str, before: Before | None) -> Result:
        trace, path = Trace(name, is_proved=self.dumps.is_proved), name[1:]
        problems, leaks = self.dumps.write(trace, path, self.documents.files[path][1], before)
        trace.answers = {Question("graph"): self.site.of("graph")}
        return Result(trace, [], problems, leaks)

    def write(self, name: str, before: Trace | None) -> Result:
        # or a work that another document asked for would not be asked for again
        self.documents.citations.known.clear()
        self.store.take()
        result = Result(Trace(name), [], [], [])
        bodies: dict[str, bytes] = {}
        for path in self.paths[name]:
            document = self.documents.make(path)
            assert document is not None  # noqa: S101
            bodies[path] = document.body
            self.put(result, document, before)
        result.trace.answers = self.store.take()
        if name.startswith("="):
            for kind in DEPENDS_ON.get(name[1:], ("listing",)):
                result.trace.answers[Question(kind)] = self.site.of(kind)
        self.prove(result, bodies)
        return result

    def put(self, result: Result, document: Document, before: Trace | None) -> None:
        """Writes a file, and its packed copy, if that did not stay the same with it."""
        trace, path, body = result.trace, document.path, document.body
        result.leaks.extend(self.search(trace, path, body))
        is_new = self.folder.put(path, body)
        trace.files[path] = self.folder.stamp(path)
        result.changed.extend([path] if is_new else [])
        if not is_worth_packing(document, self.documents):
            return
        copy = path + PACKED
        stamp = before.files.get(copy) if before and not is_new else None
        if stamp and (found := self.folder.found({copy: stamp})):
            self.folder.take_over(found)
        else:
            packed = pack(body)
            result.changed.extend([copy] if self.folder.put(copy, packed) else [])
            if not unpacks_to(packed, body):
                result.problems.append(not_packed(self.listing.source, copy))
        trace.files[copy] = self.folder.stamp(copy)

    def search(self, trace: Trace, path: str, body: bytes) -> Iterator[Problem]:
        """Nothing private may be in any file. What is public too goes into the trace, for it may
        not be so for ever.
        """
        secrets: Secrets = self.documents.graph.secrets
        text = unescaped(own_part(self.documents, path, body).decode("utf-8", "replace"))
        for secret in secrets.matches(text):
            if secrets.is_public(secret):
                trace.secrets = sorted({*trace.secrets, digest([secret.text])})
            else:
                yield leak(path, secret)

    def prove(self, result: Result, bodies: Mapping[str, bytes]) -> None:
        trace, suffixes = result.trace, (*self.listing.suffixes, LINKSET)
        if not trace.name.startswith("="):
            if trace.name in self.proved:
                forms = {each: bodies[file_of(trace.name, each)] for each in suffixes}
                page = self.judge.page(trace.name, forms)
                trace.is_proved, trace.evidence = True, page.evidence
                result.problems.extend(page.faults)
            return
        trace.is_proved = True
        for path, body in bodies.items():
            if path.endswith(".html") or path in FOR_PROGRAMS:
                trace.evidence[path], faults = self.judge.file(path, body)
                result.problems.extend(faults)


def files_by_trace(documents: Documents) -> dict[str, list[str]]:
    """The files that are made together: of a document, by its address; of others, by `=` and what
    they are made from. A dump and its packed copy are by the path of the dump.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for path, (origin, _) in documents.files.items():
        if origin in documents.addresses:
            found[origin].append(path)
        elif origin in ("dump", "packed"):
            found[f"={path.removesuffix(PACKED)}"].append(path)
        else:
            found[f"={origin}"].append(path)
    return found


def is_worth_packing(document: Document, documents: Documents) -> bool:
    """Whether a packed copy is written beside a file, for hosts that send it to clients that can
    unpack it.
    """
    is_text = document.media_type.startswith(TEXT) and not document.path.endswith(PACKED)
    return (
        is_text
        and document.path + PACKED not in documents.files
        and len(document.body) >= SMALLEST_WORTH_PACKING
    )
