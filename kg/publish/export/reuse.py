"""Traces of earlier builds, and which of them are up to date, after a diff of the graphs. What has
such a trace need not be made or read again.

    site-….traces     of the build that was last finished, by the folder it was written into
    site-….partial    of one that is being written, or was stopped

These files are in the site's cache. A damaged one, or one that another version of the program
left, is ignored.
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

from kg.check.impact import Difference, changes
from kg.facts.secrets import Secrets
from kg.files.cache import make_private, program
from kg.files.disk import content_digest
from kg.publish.document import DUMP, PAGES
from kg.publish.export.folder import Stamp, stamp_of
from kg.publish.export.last_build import digest, name_for
from kg.publish.export.trace import (
    ANSWER,
    SEAL,
    TRACE,
    AskedQuery,
    Trace,
    TracingStore,
    name_of,
    sealed,
)
from kg.publish.questions import editor
from kg.publish.site import Documents
from kg.publish.verify.graphs import PACKED
from kg.settings import shipped

LIBRARIES = ("pyoxigraph", "jinja2", "markupsafe", "rdflib", "pillow")
OWN = ("templates", "static", "queries", "shapes")
DESCRIPTION = "void"
SITE_WIDE = ("listing", "counts", "graph", "pages", "history", "size")


@dataclass
class Traces:
    """All traces of one build. `common` is the digest of what all files are made from, `graph` that
    of the graph, `secrets` those of private texts that no file has.
    """

    common: str = ""
    graph: str = ""
    secrets: frozenset[str] = frozenset()
    traces: dict[str, Trace] = field(default_factory=dict)


TRACES = TypeAdapter(Traces)


class TraceCache:
    """The traces of builds, in a folder, or nowhere. Where nothing can be written, the next build
    is only slower. A process does not read what it wrote last, unless another has written since.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.out: IO[bytes] | None = None
        self.last: dict[Stamp | None, Traces] = {}

    def path(self, target: Path, suffix: str) -> Path:
        return (self.folder or Path()) / name_for(target, suffix)

    def finished(self, target: Path) -> Traces | None:
        """The traces of the build that was last finished."""
        if self.folder is None:
            return None
        traces = self.path(target, "traces")
        return self.last.get(stamp_of(traces)) or load(traces)

    def begin(self, target: Path, now: Traces) -> list[Traces]:
        """Begins to write traces. Gives those of earlier builds with the same in common: one of the
        same graph that was stopped, and the last that was finished.
        """
        if self.folder is None:
            return []
        partial = self.path(target, "partial")
        stopped, finished = load(partial), self.finished(target)
        with suppress(OSError):
            make_private(self.folder)
            self.out = partial.open("wb")
        self.write(sealed(TRACES.dump_json(now)))
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
    """Without lines that are not as they were written: the last may be half of one."""
    try:
        with path.open("rb") as file:
            lines = ((each, each[SEAL:].removesuffix(b"\n")) for each in file)
            whole = (text for line, text in lines if line == sealed(text))
            found = TRACES.validate_json(next(whole))
            for trace in map(TRACE.validate_json, whole):
                found.traces[trace.name] = trace
            return found
    except (OSError, ValueError, StopIteration):
        return None


class Reuse:
    """Compares an earlier build with the graph that is to be published. The dump of that build and
    its pages, in its `folder`, are the earlier graph; where they are not as they were written, and
    the graph is another now, nothing is up to date.
    """

    def __init__(
        self, documents: Documents, site: Callable[[str], str], earlier: Traces, folder: Path
    ) -> None:
        self.documents, self.site, self.earlier, self.folder = documents, site, earlier, folder
        self.store = TracingStore(documents.store)
        self.is_same_graph = earlier.graph == site("graph")
        self.known: dict[AskedQuery, str] = {}

    @cached_property
    def queries(self) -> dict[str, str]:
        """The queries of pages, by their names; other questions have none."""
        found = {"": ""}
        for folder in (shipped("queries"), self.documents.graph.site.folder / "queries"):
            for path in folder.rglob("*.rq"):
                text = path.read_text(encoding="utf-8", errors="replace")
                found |= {name_of(text): text, name_of(text.strip()): text.strip()}
        return found

    @cached_property
    def difference(self) -> Difference | None:
        graph, lines = self.documents.graph, list[str]()
        for name, path, now in (
            (f"={DUMP}", DUMP, graph.nquads),
            ("=pages", PAGES, graph.pages),
        ):
            trace, file = self.earlier.traces.get(name), self.folder / path
            if not trace or stamp_of(file) != trace.files[path]:
                return None
            lines += changes(file.read_bytes(), now)
        return Difference(graph.site.base, lines)

    @property
    def changed_documents(self) -> frozenset[str] | None:
        """The documents that say something else now; None where that is not known."""
        if self.is_same_graph:
            return frozenset()
        return self.difference.documents if self.difference else None

    def up_to_date(
        self, expected: Mapping[str, Sequence[str]], proved: Set[str]
    ) -> Iterator[Trace]:
        """`expected` are the files that there should be, by the names of their traces. `proved` are
        the names of those that must be proved.
        """
        for name, trace in self.earlier.traces.items():
            paths = expected.get(name, ())
            copies = trace.files.keys() - paths
            if (
                paths
                and trace.files.keys() >= {*paths}
                and all(path.endswith(PACKED) for path in copies)
                and (trace.is_verified or name not in proved)
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
            case "answer":  # it may ask for what the site says of itself, which is no fact
                query = self.queries[question.query]
                return difference.concerns(query) or DESCRIPTION in query
            case "quads":
                return question.about[0][1][0] in difference.documents
            case "labels":
                return not difference.named.isdisjoint(question.about[0][1])
        return True


def newly_private(secrets: Secrets, earlier: Traces) -> Secrets | None:
    """The secrets that an earlier build did not search for in vain: new ones, and those that were
    public then, being said elsewhere too.
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
    """What a site says of itself: which files there are, how much there is of what, in numbers and
    in words, which pages, and which graph it is.
    """
    match kind:
        case "listing":
            files = (f"{path} {made_from}" for path, made_from in documents.files.items())
            return digest([*files, repr(documents.former)])
        case "counts":
            return digest([repr(documents.counts())])
        case "size":
            return documents.graph.counts
        case "history":
            return digest(map(repr, documents.releases))
        case "pages":
            return hashlib.blake2b(documents.graph.pages, digest_size=16).hexdigest()
    found = hashlib.blake2b(documents.graph.nquads, digest_size=16)
    found.update(documents.graph.pages)
    return found.hexdigest()


def common_digest(documents: Documents) -> str:
    """A digest of all that every file may depend on besides what it asks the graph: the program,
    the site, its own files, the forms.
    """
    site = documents.graph.site
    lines = [program(), repr(replace(site, folder=Path(), moved=()))]
    lines += [
        repr(dict(documents.suffixes)),
        repr((documents.pages.menu, documents.pages.has_changes, documents.is_lean)),
    ]
    for path in editor.files().values():
        lines.append(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}")
    return digest([*lines, *(content_digest(site.folder / name).hex() for name in OWN)])
