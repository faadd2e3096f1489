"""Traces: what each file of a build was made from and what was proved of it. As long as that is
still true, the file need not be made or read again.

.kg-cache/site-….traces     of the build that was last finished, by the folder it was written into
.kg-cache/site-….partial    of one that is being written, or was stopped

These files may be deleted at any time. A damaged one, or one that another version of the program
left, is ignored.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import IO

from kg.publish.export.folder import Stamp
from kg.publish.export.tracing_store import Answers, Question, digest
from kg.publish.proof.source import Evidence
from kg.publish.queries import editor
from kg.publish.site import Documents
from kg.settings import Site, shipped

OWN = ("templates", "static", "queries", "shapes")
Place = tuple[str, int, int, tuple[str, ...]]  # the name of a part, its start, size and prefixes


@dataclass
class Trace:
    """The files of a document, by its address, or others that are made together, by `=` and their
    name. `secrets` are digests of private texts in them that are public too, `parts` the places of
    the parts of a dump, by its path.
    """

    name: str
    files: dict[str, Stamp] = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    is_proved: bool = False
    evidence: dict[str, Evidence] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    parts: dict[str, list[Place]] = field(default_factory=dict)

    @cached_property
    def line(self) -> str:
        """As JSON, once all is known."""
        answers = [
            [each.kind, name_of(each.query), each.about, answer]
            for each, answer in self.answers.items()
        ]
        evidence = {path: asdict(each) for path, each in self.evidence.items()}
        return json.dumps(
            [self.name, self.files, answers, self.is_proved, evidence, self.secrets, self.parts],
            separators=(",", ":"),
        )


def parsed(line: str, queries: Mapping[str, str]) -> Trace:
    """`queries` are by their names. A KeyError: it was made with another."""
    name, files, answers, is_proved, evidence, secrets, parts = json.loads(line)
    trace = Trace(
        name,
        {path: (size, time) for path, (size, time) in files.items()},
        {
            Question(
                kind, queries[query], tuple((name, tuple(values)) for name, values in about)
            ): answer
            for kind, query, about, answer in answers
        },
        is_proved,
        {path: Evidence(**each) for path, each in evidence.items()},
        secrets,
        {
            path: [(name, start, size, tuple(used)) for name, start, size, used in each]
            for path, each in parts.items()
        },
    )
    trace.line = line.rstrip("\n")
    return trace


@dataclass
class Traces:
    """All traces of one build. `common` is the digest of what all files are made from, `graph` that
    of the graph, `secrets` those of private texts that no file has. A build `is_complete` where all
    documents were proved.
    """

    common: str = ""
    graph: str = ""
    secrets: frozenset[str] = frozenset()
    is_complete: bool = True
    traces: dict[str, Trace] = field(default_factory=dict)

    @property
    def head(self) -> str:
        return json.dumps([self.common, self.graph, sorted(self.secrets), self.is_complete])


class TraceCache:
    """The traces of builds, in a folder, or nowhere. A process that builds again does not read
    what it wrote last, unless another process has written since.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.last: dict[Path, tuple[object, Traces]] = {}
        self.out: IO[str] | None = None

    def path(self, target: Path, suffix: str) -> Path | None:
        name = hashlib.blake2b(str(target).encode(), digest_size=6).hexdigest()
        return self.folder / f"site-{name}.{suffix}" if self.folder else None

    def finished(self, target: Path, site: Site, common: str) -> Traces | None:
        """Those of the last build into a folder, if what is common to all files is the same."""
        path, (written, last) = self.path(target, "traces"), self.last.get(target, (None, None))
        if last is None or written != stamp_of(path):
            last = self.load(path, site)
        return last if last and last.common == common else None

    def stopped(self, target: Path, site: Site, common: str, graph: str) -> Traces | None:
        """Those of a build of the same graph that was not finished."""
        found = self.load(self.path(target, "partial"), site)
        return found if found and (found.common, found.graph) == (common, graph) else None

    def load(self, path: Path | None, site: Site) -> Traces | None:
        if path is None:
            return None
        try:
            with path.open(encoding="utf-8") as lines:
                common, graph, secrets, is_complete = json.loads(next(lines))
                found = Traces(common, graph, frozenset(secrets), is_complete)
                queries = query_texts(site)
                for line in lines:
                    # the last may be half of one; others may depend on another query
                    with suppress(ValueError, KeyError, TypeError):
                        trace = parsed(line, queries)
                        found.traces[trace.name] = trace
                return found
        except (OSError, ValueError, TypeError, StopIteration):
            return None

    def begin(self, target: Path, traces: Traces) -> None:
        if path := self.path(target, "partial"):
            with suppress(OSError):  # where nothing can be written the next build is only slower
                path.parent.mkdir(exist_ok=True)
                (path.parent / ".gitignore").write_text("*\n")
                self.out = path.open("w", encoding="utf-8")
        self.write(traces.head)

    def write(self, line: str) -> None:
        try:
            if self.out:
                self.out.write(f"{line}\n")
        except OSError:
            self.close()

    def close(self) -> None:
        if self.out:
            with suppress(OSError):
                self.out.close()
            self.out = None

    def finish(self, target: Path, traces: Traces) -> None:
        path, is_written = self.path(target, "partial"), self.out is not None
        self.close()
        if path and is_written:
            with suppress(OSError):
                path.replace(path.with_suffix(".traces"))
        if path:
            self.last[target] = stamp_of(path.with_suffix(".traces")), traces


def stamp_of(path: Path | None) -> tuple[int, int] | None:
    """What tells a file from the one that was there before."""
    with suppress(OSError):
        found = path.stat() if path else None
        return (found.st_ino, found.st_mtime_ns) if found else None
    return None


def name_of(query: str) -> str:
    return digest([query])[:12] if query else ""


def query_texts(site: Site) -> dict[str, str]:
    """The queries of pages, by their names."""
    found = {"": ""}
    for folder in (shipped("queries"), site.folder / "queries"):
        for path in folder.rglob("*.rq"):
            text = path.read_text(encoding="utf-8", errors="replace")
            found |= {name_of(text): text, name_of(text.strip()): text.strip()}
    return found


def common_digest(documents: Documents) -> str:
    """A digest of all that every file may depend on besides what it asks the graph: the program,
    the site, its own files, the forms.
    """
    site = documents.graph.site
    lines = [repr([getattr(site, name) for name in Site.__slots__ if name != "folder"])]
    lines += [repr(dict(documents.suffixes)), repr(documents.pages.menu)]
    lines += [
        f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}"
        for path in editor.files().values()
    ]
    own = (
        path for name in OWN for path in sorted((site.folder / name).rglob("*")) if path.is_file()
    )
    content = hashlib.blake2b("\n".join([program_digest(), *lines]).encode(), digest_size=16)
    for path in own:
        body = path.read_bytes()
        content.update(f"\n{path.relative_to(site.folder)} {len(body)}\n".encode() + body)
    return content.hexdigest()


class SiteAnswers:
    """The answers to questions about a site, of the kinds SITE_WIDE. Each is computed once."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.cache: dict[str, str] = {}

    def of(self, kind: str) -> str:
        if kind not in self.cache:
            self.cache[kind] = self.compute(kind)
        return self.cache[kind]

    def compute(self, kind: str) -> str:
        documents = self.documents
        match kind:
            case "listing":
                files = (f"{path} {made_from}" for path, made_from in documents.files.items())
                return digest([*files, repr(documents.former)])
            case "counts":
                return digest([repr(documents.counts())])
            case "size":
                return str(documents.graph.nquads.count(b"\n"))
        return hashlib.blake2b(documents.graph.nquads, digest_size=16).hexdigest()


@lru_cache(maxsize=1)
def program_digest() -> str:
    top = Path(__file__).parents[2]
    files = [path for path in sorted(top.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    files += [
        path
        for name in ("queries", "shapes")
        for path in sorted(shipped(name).rglob("*"))
        if path.is_file()
    ]
    content = hashlib.blake2b(digest_size=16)
    for path in files:
        content.update(path.name.encode() + b"\n" + path.read_bytes())
    libraries = ("pyoxigraph", "jinja2", "markupsafe", "rdflib")
    return " ".join([content.hexdigest(), sys.version, *map(version, libraries)])
