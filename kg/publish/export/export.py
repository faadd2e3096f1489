"""Writes a site as a folder for any web host: renders and verifies it, then replaces the previous
build. Files of an earlier build are reused if their traces are up to date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache as memoized
from functools import partial
from pathlib import Path

from kg.errors import KgError, Problem, ProblemsFound, remedy, tidy
from kg.facts.secrets import Secrets
from kg.graph.parallel.executor import WorkerConfig
from kg.publish.document import MARKER, is_dump
from kg.publish.export.folder import Folder, listed_files, renewed, stamp_of, temporary_folders
from kg.publish.export.last_build import digest
from kg.publish.export.render import FileRenderer
from kg.publish.export.reuse import (
    Reuse,
    TraceCache,
    Traces,
    common_digest,
    has_redirects,
    newly_private,
    site_answer,
)
from kg.publish.export.trace import Trace
from kg.publish.hosting.host_rules import HOST, INDEX
from kg.publish.site import Documents
from kg.publish.verify.graphs import PACKED
from kg.publish.verify.judge import Judge
from kg.publish.verify.listing import DumpLines, SiteListing
from kg.publish.verify.private import search
from kg.publish.verify.source import Directory
from kg.publish.verify.verify import Verification, choose, conclude, wrong_between

ALONE = WorkerConfig(jobs=1)


@dataclass(frozen=True)
class Written:
    """The result of a build: the number of files, of new or changed files and of rendered
    documents, and the verification.
    """

    files: int
    changed: int
    rendered: int
    proof: Verification


def export(
    documents: Documents,
    target: Path,
    workers: WorkerConfig = ALONE,
    sample: int = 0,
    cache: TraceCache | None = None,
    waiting: Callable[[], None] = lambda: None,
) -> Written:
    """Writes all documents into a folder. The previous build stays complete until the end, and is
    kept if verification fails.

    `workers` render the files and report progress. `sample` verifies that many documents instead of
    all. The `cache` has the traces of earlier builds. `waiting` is called if another build writes
    into the same folder; builds run one after the other.
    """
    cache = cache or TraceCache()
    is_kept = cache.folder is not None
    if written := up_to_date(documents, target.resolve(), cache, sample):
        return written
    with reporting(target), renewed(target, is_kept, waiting) as folder, closing(cache):
        build = Build(documents, folder, cache, sample, workers)
        build.take_over()
        rendered = build.render()
        files = build.list_files()
        proof = build.verify()
        changed = folder.finish([*files, MARKER])
        cache.finish(folder.target, build.traces)
        return Written(len(files), sum(path != MARKER for path in changed), rendered, proof)


def up_to_date(
    documents: Documents, target: Path, cache: TraceCache, sample: int
) -> Written | None:
    """The existing build, if the last build had the same input and no file has changed since; else
    None.
    """
    graph = documents.graph
    now = Traces(
        common_digest(documents), site_answer(documents, "graph"), private_digests(graph.secrets)
    )
    last = cache.finished(target)
    if (
        documents.previous
        or not last
        or not target.is_dir()
        or temporary_folders(target)
        or (last.common, last.graph, last.secrets) != (now.common, now.graph, now.secrets)
    ):
        return None
    files = {path: stamp for trace in last.traces.values() for path, stamp in trace.files.items()}
    listing = SiteListing(
        Directory(target, Path()),
        documents.base,
        documents.suffixes,
        DumpLines(graph.nquads, graph.rest),
    )
    chosen = choose(listing.addresses, sample)
    dumps = [] if sample else [name for name in last.traces if is_dump(name)]
    if (
        newly_private(graph.secrets, last)
        or not has_redirects(target, documents.former)
        or listed_files(target) != {MARKER, *files}
        or any(stamp_of(target / path) != stamp for path, stamp in files.items())
        or not all(name in last.traces and last.traces[name].is_verified for name in chosen + dumps)
    ):
        return None
    evidence = {
        path: found
        for name, trace in last.traces.items()
        if name in chosen or name.startswith("=")
        for path, found in trace.evidence.items()
    }
    return Written(len(files), 0, 0, conclude(listing, len(chosen), evidence, []))


@contextmanager
def reporting(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        at = f" ({error.filename})" if error.filename else ""
        raise KgError(
            f"cannot write {target}: {error.strerror or error}{at}. The previous build is "
            f"unchanged. {remedy(error)}".strip()
        ) from error


class Build:
    """One build: its folder, and the traces of the files in it so far."""

    def __init__(
        self,
        documents: Documents,
        folder: Folder,
        cache: TraceCache,
        sample: int,
        workers: WorkerConfig,
    ) -> None:
        self.documents, self.folder, self.cache = documents, folder, cache
        self.graph, self.progress = documents.graph, workers.counting("files")
        self.site = memoized(partial(site_answer, documents))
        self.source = Directory(folder.beside, Path())
        dump = DumpLines(self.graph.nquads, self.graph.rest)
        self.listing = SiteListing(self.source, documents.base, documents.suffixes, dump)
        self.listing.has_own_templates = (self.graph.site.folder / "templates").is_dir()
        self.judge = Judge(self.listing)
        self.chosen = choose(self.listing.addresses, sample)
        self.paths = files_by_trace(documents)
        dumps = [name for name in self.paths if is_dump(name)]
        is_complete = len(self.chosen) == len(self.listing.addresses)
        self.to_verify = frozenset([*self.chosen, *(dumps if is_complete else [])])
        self.renderer = FileRenderer(
            documents, self.site, folder, self.judge, self.paths, self.to_verify, workers.size
        )
        self.traces = Traces(
            common_digest(documents), self.site("graph"), private_digests(self.graph.secrets)
        )
        self.before: dict[str, Trace] = {}
        self.changed_documents: frozenset[str] | None = None
        self.problems: list[Problem] = []
        self.leaks: list[Problem] = []
        self.count = 0

    def take_over(self) -> None:
        """Reuses files with up-to-date traces: from an interrupted build of the same graph, and
        from the last finished one.
        """
        target, known = self.folder.target, self.traces.traces
        for earlier in self.cache.begin(target, self.traces):
            reuse = Reuse(self.documents, self.site, earlier, target)
            secrets = newly_private(self.graph.secrets, earlier)
            for trace in reuse.up_to_date(self.paths, self.to_verify):
                found = self.folder.found(trace.files) if trace.name not in known else None
                if found and not (secrets and is_leaking(found, secrets)):
                    self.folder.take_over(found)
                    self.add(trace)
            self.before = earlier.traces
            self.changed_documents = None if secrets else reuse.changed_documents

    def add(self, trace: Trace) -> None:
        self.traces.traces[trace.name] = trace
        self.cache.write(trace.line)
        self.count += len(self.paths[trace.name])
        self.progress(self.count, len(self.documents.files))

    def render(self) -> int:
        """Renders all other files. Returns the number of documents among them."""
        missing = [name for name in self.paths if name not in self.traces.traces]
        for result in self.renderer.render(missing, self.before, self.changed_documents):
            self.add(result.trace)
            self.problems += result.problems
            self.leaks += result.leaks
        return sum(name in self.documents.addresses for name in missing)

    def list_files(self) -> list[str]:
        """Writes the list of all files, including compressed copies, into the folder. Raises
        ProblemsFound if a file contains private values.
        """
        written = {path for trace in self.traces.traces.values() for path in trace.files}
        both = (each for path in self.documents.files for each in (path, path + PACKED))
        files = list(dict.fromkeys(path for path in both if path in written))
        marker = "".join(f"{path}\n" for path in files).encode()
        self.leaks += search(MARKER, marker, self.graph.secrets)
        if self.leaks:
            raise ProblemsFound(tidy(self.leaks), self.graph.site.folder)
        self.folder.put(MARKER, marker)
        self.source.known = frozenset(files)
        return files

    def verify(self) -> Verification:
        """Raises ProblemsFound if anything is wrong."""
        evidence = {
            path: found
            for name, trace in self.traces.traces.items()
            if name in self.to_verify or name.startswith("=")
            for path, found in trace.evidence.items()
        }
        problems = [*self.problems, *wrong_between(self.judge, evidence)]
        proof = conclude(self.listing, len(self.chosen), evidence, problems)
        if not proof.good:
            raise ProblemsFound(list(proof.problems), self.folder.target)
        return proof


def files_by_trace(documents: Documents) -> dict[str, list[str]]:
    """Files that are made together: those of a document by its address, others by `=` and their
    origin. A dump and its compressed copy are listed by the path of the dump.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for path, (origin, _) in documents.files.items():
        folder = path.removesuffix(INDEX)
        if origin in documents.addresses:
            found[origin].append(path)
        elif origin == HOST and folder in documents.addresses:
            found[folder].append(path)
        elif origin in ("dump", "packed"):
            found[f"={path.removesuffix(PACKED)}"].append(path)
        else:
            found[f"={origin}"].append(path)
    return found


def private_digests(secrets: Secrets) -> frozenset[str]:
    return frozenset(digest([secret.text]) for secret in secrets)


def is_leaking(files: Mapping[str, str], secrets: Secrets) -> bool:
    """Whether secrets are in files written earlier."""
    return any(
        search(path, Path(file).read_bytes(), secrets)
        for path, file in files.items()
        if not path.endswith(PACKED)
    )
