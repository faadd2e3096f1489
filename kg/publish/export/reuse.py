"""Traces of earlier builds, and which of them are still up to date after a diff of the graphs.
Files with such a trace are neither rendered nor read again.

    site-….traces     the last finished build, by target folder
    site-….partial    a running or interrupted build

The files are in the cache of the site. Damaged ones, and those of other versions of the program,
are ignored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter

from kg.check.redirects import Redirects
from kg.errors import KgError
from kg.facts.secrets import Secrets
from kg.files.cache import make_private, program
from kg.files.disk import content_digest
from kg.publish.document import ALL, DUMP, facts_and_rest
from kg.publish.export.folder import Stamp, stamp_of
from kg.publish.export.impact import Difference, changes
from kg.publish.export.last_build import digest, name_for
from kg.publish.export.trace import (
    ANSWER,
    DIGEST_LENGTH,
    TRACE,
    AskedQuery,
    Trace,
    TracingStore,
    name_of,
    with_digest,
)
from kg.publish.hosting.built_folder import SiteSummary
from kg.publish.questions import editor
from kg.publish.site import Documents
from kg.publish.verify.graphs import PACKED
from kg.settings import shipped

LIBRARIES = ("pyoxigraph", "jinja2", "markupsafe", "rdflib", "pillow")
OWN = ("templates", "static", "queries", "shapes")
DESCRIPTION = "void"
SITE_WIDE = ("listing", "counts", "graph", "added", "size")


@dataclass
class Traces:
    """All traces of one build. `common` is the digest of the input shared by all files, `graph`
    that of the graph; `secrets` are digests of private texts that no file contains.
    """

    common: str = ""
    graph: str = ""
    secrets: frozenset[str] = frozenset()
    traces: dict[str, Trace] = field(default_factory=dict)


TRACES = TypeAdapter(Traces)


class TraceCache:
    """The traces of builds, in a folder or nowhere. If it is not writable, the next build is only
    slower. A process keeps what it wrote last, unless another has written since.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.out: IO[bytes] | None = None
        self.last: dict[Stamp | None, Traces] = {}

    def path(self, target: Path, suffix: str) -> Path:
        return (self.folder or Path()) / name_for(target, suffix)

    def finished(self, target: Path) -> Traces | None:
        """The traces of the last finished build."""
        if self.folder is None:
            return None
        traces = self.path(target, "traces")
        return self.last.get(stamp_of(traces)) or load(traces)

    def begin(self, target: Path, now: Traces) -> list[Traces]:
        """Starts writing traces. Returns those of earlier builds with the same `common` digest: an
        interrupted one of the same graph, and the last finished one.
        """
        if self.folder is None:
            return []
        partial = self.path(target, "partial")
        stopped, finished = load(partial), self.finished(target)
        with suppress(OSError):
            make_private(self.folder)
            self.out = partial.open("wb")
        self.write(with_digest(TRACES.dump_json(now)))
        found = [stopped if stopped and stopped.graph == now.graph else None, finished]
        return [each for each in found if each and each.common == now.common]

    def write(self, line: bytes) -> None:
        with suppress(OSError):
            if self.out:
                self.out.write(line)

    def close(self) -> None:
        with suppress(OSError):
            if self.out:
                self.out.close()

    def finish(self, target: Path, now: Traces) -> None:
        self.close()
        with suppress(OSError):
            if self.out:
                path = self.path(target, "partial").replace(self.path(target, "traces"))
                self.last = {stamp_of(path): now}


def load(path: Path) -> Traces | None:
    """Skips damaged lines; the last one may be incomplete."""
    try:
        with path.open("rb") as file:
            lines = ((each, each[DIGEST_LENGTH:].removesuffix(b"\n")) for each in file)
            whole = (text for line, text in lines if line == with_digest(text))
            found = TRACES.validate_json(next(whole))
            for trace in map(TRACE.validate_json, whole):
                found.traces[trace.name] = trace
            return found
    except (OSError, ValueError, StopIteration):
        return None


class Reuse:
    """Compares an earlier build with the graph to publish. The dump and the pages in its `folder`
    are the earlier graph. If these files were modified and the graph has changed, nothing is up to
    date.
    """

    def __init__(
        self, documents: Documents, site: Callable[[str], str], earlier: Traces, folder: Path
    ) -> None:
        self.documents, self.site, self.earlier, self.folder = documents, site, earlier, folder
        self.store = TracingStore(documents.store)
        self.is_same_graph = earlier.graph == site("graph") and has_redirects(
            folder, documents.former
        )
        self.known: dict[AskedQuery, str] = {}

    @cached_property
    def queries(self) -> dict[str, str]:
        """The queries of pages by name; other questions have none."""
        found = {"": ""}
        for folder in (shipped("queries"), self.documents.graph.site.folder / "queries"):
            for path in folder.rglob("*.rq"):
                text = path.read_text(encoding="utf-8", errors="replace")
                found |= {name_of(text): text, name_of(text.strip()): text.strip()}
        return found

    @cached_property
    def difference(self) -> Difference | None:
        graph = self.documents.graph
        for path in (DUMP, ALL):
            trace = self.earlier.traces.get(f"={path}")
            if not trace or stamp_of(self.folder / path) != trace.files[path]:
                return None
        facts, rest = facts_and_rest(self.folder)
        about = rest.find(f"\n<{graph.site.base}void".encode()) + 1
        lines = changes(facts, graph.nquads) + changes(rest[:about], graph.rest)
        return Difference(graph.site.base, lines)

    @property
    def changed_documents(self) -> frozenset[str] | None:
        """The documents that have changed; None if unknown."""
        if self.is_same_graph:
            return frozenset()
        return self.difference.documents if self.difference else None

    def up_to_date(
        self, expected: Mapping[str, Sequence[str]], to_verify: Set[str]
    ) -> Iterator[Trace]:
        """`expected` are the required files by trace name; `to_verify` are the names of traces that
        must be verified.
        """
        for name, trace in self.earlier.traces.items():
            paths = expected.get(name, ())
            copies = trace.files.keys() - paths
            if (
                paths
                and trace.files.keys() >= {*paths}
                and all(path.endswith(PACKED) for path in copies)
                and (trace.is_verified or name not in to_verify)
                and (self.is_same_graph or self.is_up_to_date(trace))
            ):
                yield trace

    def is_up_to_date(self, trace: Trace) -> bool:
        return self.difference is not None and all(
            question.query in self.queries
            and (not self.may_differ(question, self.difference) or self.ask(question) == answer)
            for question, answer in trace.answers
        )

    def ask(self, question: AskedQuery) -> str:
        if question not in self.known:
            self.known[question] = self.digest_of(question)
        return self.known[question]

    def digest_of(self, question: AskedQuery) -> str:
        if question.kind in SITE_WIDE:
            return self.site(question.kind)
        if question.kind == ANSWER:
            return digest([self.documents.ask(self.queries[question.query]).decode()])
        return self.store.ask(question, self.queries)

    def may_differ(self, question: AskedQuery, difference: Difference) -> bool:
        match question.kind:
            case "select":
                return difference.concerns(self.queries[question.query])
            case "answer":  # it can include the site's description, which is not a fact
                query = self.queries[question.query]
                return difference.concerns(query) or DESCRIPTION in query
            case "quads":
                return question.about[0][1][0] in difference.documents
            case "labels":
                return not difference.named.isdisjoint(question.about[0][1])
        return True


def has_redirects(folder: Path, former: Redirects) -> bool:
    """Whether a built folder has these redirects."""
    try:
        found = SiteSummary.read(folder).redirects
    except KgError:
        return False
    gone, others = (
        {name: (each.reason, each.date) for name, each in some.withdrawn.items()}
        for some in (found, former)
    )
    return dict(found.moved) == dict(former.moved) and gone == others


def newly_private(secrets: Secrets, earlier: Traces) -> Secrets | None:
    """The secrets that the earlier build did not rule out: new ones, and those that were also
    public then.
    """
    public = {each for trace in earlier.traces.values() for each in trace.secrets}
    found = [
        secret
        for secret in secrets
        if ((name := digest([secret.text])) not in earlier.secrets or name in public)
        and not secrets.is_public(secret)
    ]
    return Secrets(found, secrets.shown, secrets.addresses) if found else None


def site_answer(documents: Documents, kind: str) -> str:
    """Facts about the site as a whole: the list of files, counts and their wording, and the
    version of the graph.
    """
    match kind:
        case "listing":
            files = (f"{path} {made_from}" for path, made_from in documents.files.items())
            return digest([*files, repr(documents.former)])
        case "counts":
            return digest([repr(documents.counts())])
        case "size":
            return documents.graph.counts
        case "added":
            return digest(f"{name} {each.state}" for name, each in documents.added.items())
    found = hashlib.blake2b(documents.graph.nquads, digest_size=16)
    found.update(documents.graph.rest)
    return found.hexdigest()


def common_digest(documents: Documents) -> str:
    """A digest of everything that any file can depend on besides the graph: the program, the
    settings, the site's own files, the formats.
    """
    site = documents.graph.site
    lines = [program(), repr(replace(site, folder=Path(), moved=()))]
    lines += [
        repr(dict(documents.suffixes)),
        repr((documents.pages.menu, sorted(documents.pages.added), documents.is_lean)),
        documents.pages.now,
    ]
    for path in editor.files().values():
        lines.append(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}")
    return digest([*lines, *(content_digest(site.folder / name).hex() for name in OWN)])
