"""The site as a folder for any web host: made, proved, and only then put in the place of the one
before. What an earlier build made is taken over where its trace is up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from kg.errors import KgError, Problem, ProblemsFound, tidy
from kg.facts.secrets import Secrets
from kg.publish.document import MARKER
from kg.publish.export.folder import Folder, renewed
from kg.publish.export.render import Renderer
from kg.publish.export.reuse import Reuse, newly_private
from kg.publish.export.trace import SiteAnswers, Trace, TraceCache, Traces, common_digest
from kg.publish.export.tracing_store import digest
from kg.publish.proof.dumps import PACKED
from kg.publish.proof.listing import Dump, Listing
from kg.publish.proof.private import search
from kg.publish.proof.prove import Proof, choose, prove
from kg.publish.proof.source import Building
from kg.publish.site import Documents

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Written:
    """So many files are in the folder now, so many of them new or changed, so many documents were
    rendered, and this was proved.
    """

    files: int
    changed: int
    rendered: int
    proof: Proof


def silent(done: int, total: int) -> None:
    """Shows no progress."""


def export(
    documents: Documents,
    target: Path,
    progress: Progress = silent,
    sample: int = 0,
    cache: TraceCache | None = None,
    jobs: int = 1,
) -> Written:
    """Writes all documents into a folder. What was there before stays whole until the end, and for
    good where the new one is not right.

    `sample` proves so many documents instead of all. `progress` counts the files. The `cache` has
    the traces of earlier builds. `jobs` are processes.
    """
    cache = cache or TraceCache()
    with reporting(target), renewed(target, cache.folder is not None) as folder, closing(cache):
        build = Build(documents, folder, cache, sample, jobs, progress)
        build.take_over()
        rendered = build.render()
        proof = build.prove()
        changed = build.finish()
        return Written(len(build.files), changed, rendered, proof)


@contextmanager
def reporting(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        at = f" ({error.filename})" if error.filename else ""
        raise KgError(
            f"{target} cannot be written: {error.strerror or error}{at}. What was there is "
            "there still."
        ) from error


class Build:
    """One build: the folder it writes, and the traces of what is in it so far."""

    def __init__(
        self,
        documents: Documents,
        folder: Folder,
        cache: TraceCache,
        sample: int,
        jobs: int,
        progress: Progress,
    ) -> None:
        self.documents, self.folder, self.cache, self.sample = documents, folder, cache, sample
        self.graph, self.progress = documents.graph, progress
        self.site, self.source = SiteAnswers(documents), Building(folder.beside)
        dump = Dump(self.graph.nquads)
        self.listing = Listing(self.source, documents.base, documents.suffixes, dump)
        proved = frozenset(choose(self.listing.addresses, sample))
        self.renderer = Renderer(documents, self.site, folder, self.listing, proved, jobs)
        self.traces = Traces(
            common_digest(documents),
            self.site.of("graph"),
            frozenset(digest([secret.text]) for secret in self.graph.secrets),
            len(proved) == len(self.listing.addresses),
        )
        self.before: dict[str, Trace] = {}
        self.changed_documents: frozenset[str] | None = None
        self.files: list[str] = []
        self.changed: set[str] = set()
        self.problems: list[Problem] = []
        self.leaks: list[Problem] = []
        self.count = 0

    def take_over(self) -> None:
        """Takes over files whose traces are up to date: from a build of the same graph that was
        stopped, and from the last one that was finished.
        """
        target, site, now = self.folder.target, self.graph.site, self.traces
        stopped = self.cache.stopped(target, site, now.common, now.graph)
        finished = self.cache.finished(target, site, now.common)
        self.cache.begin(target, now)
        for earlier in (stopped, finished):
            if earlier is None:
                continue
            reuse = Reuse(self.documents, self.site, earlier, target)
            secrets = newly_private(self.graph.secrets, earlier)
            for trace in reuse.up_to_date(self.renderer.paths, now.is_complete):
                found = self.folder.found(trace.files) if trace.name not in now.traces else None
                if found and not (secrets and any(searched(found, secrets))):
                    self.folder.take_over(found)
                    self.add(trace)
            self.before = earlier.traces
            self.changed_documents = None if secrets else reuse.changed_documents

    def add(self, trace: Trace) -> None:
        self.traces.traces[trace.name] = trace
        self.cache.write(trace.line)
        for _ in self.renderer.paths[trace.name]:
            self.count += 1
            self.progress(self.count, len(self.documents.files))

    def render(self) -> int:
        """Makes all other files. Gives the number of documents among them."""
        missing = [name for name in self.renderer.paths if name not in self.traces.traces]
        for result in self.renderer.render(missing, self.before, self.changed_documents):
            self.add(result.trace)
            self.changed.update(result.changed)
            self.problems += result.problems
            self.leaks += result.leaks
        return sum(name in self.documents.addresses for name in missing)

    def prove(self) -> Proof:
        """Raises ProblemsFound where anything is private, or not right."""
        self.files = list(self.listed())
        marker = "".join(f"{path}\n" for path in self.files).encode()
        self.leaks += search(MARKER, marker, self.graph.secrets)
        if self.leaks:
            raise ProblemsFound(tidy(self.leaks), self.graph.site.folder)
        self.folder.put(MARKER, marker)
        traces = self.traces.traces.values()
        evidence = {path: each for trace in traces for path, each in trace.evidence.items()}
        self.source.finish(self.files, evidence)
        proof = prove(
            self.source, self.sample, besides=lambda _: self.problems, listing=self.listing
        )
        if not proof.good:
            raise ProblemsFound(list(proof.problems), self.folder.target)
        return proof

    def listed(self) -> Iterator[str]:
        """All files, each with its packed copy."""
        written = {path for trace in self.traces.traces.values() for path in trace.files}
        for path in self.documents.files:
            yield path
            if path + PACKED in written and path + PACKED not in self.documents.files:
                yield path + PACKED

    def finish(self) -> int:
        """Puts the folder into its place. Gives the number of files that changed."""
        changed = self.changed | self.folder.changed
        self.folder.finish({*self.files, MARKER}, changed)
        self.cache.finish(self.folder.target, self.traces)
        return len(changed - {MARKER})


def searched(files: dict[str, str], secrets: Secrets) -> Iterator[Problem]:
    """The secrets in files that were written earlier."""
    for path, file in files.items():
        if not path.endswith(PACKED):
            yield from search(path, Path(file).read_bytes(), secrets)
