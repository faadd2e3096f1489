"""Traces: the inputs of each file of a build and the result of its verification.

A file depends on the answers of the store and on the input shared by all files. If these are
unchanged, so is the file; the dependencies of a page need not be declared.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from pydantic import TypeAdapter
from pyoxigraph import Quad

from kg.facts.secrets import Secrets
from kg.publish.dumps.packing import DumpPlace
from kg.publish.export.folder import Stamp
from kg.publish.export.last_build import digest
from kg.publish.verify.source import Evidence
from kg.settings import Site
from kg.store.protocol import Solution, Store

CHUNK_SIZE = 1000  # resources per combined query
SELECT = re.compile(r"\bSELECT\b([^{]*)\{", re.IGNORECASE)
AGGREGATE = re.compile(r"\b(?:COUNT|SUM|AVG|MIN|MAX|SAMPLE|GROUP_CONCAT)\s*\(", re.IGNORECASE)
GROUP_BY = re.compile(
    r"\bGROUP\s+BY\b(.*?)(?:\b(?:ORDER|HAVING)\b|[{}]|\Z)", re.DOTALL | re.IGNORECASE
)
BOUNDED = re.compile(r"\b(?:LIMIT|OFFSET)\b", re.IGNORECASE)
T = TypeVar("T")
ANSWER = "answer"  # the kind of a query about the whole site
# resource -> its rows, with their positions in the combined answer
Shares = dict[str, list[tuple[int, Solution]]]
Labels = dict[str, tuple[tuple[str, ...], str | None]]


class AskedQuery(NamedTuple):
    """A request to the store: `kind` is the name of the method, `query` that of a query, `about`
    the values of its variables or the resources in question. Other kinds are about the site: see
    `site_answer`.
    """

    kind: str
    query: str = ""
    about: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass
class Trace:
    """The files of a document, named by its address, or other files made together, named by `=` and
    a name. `answers` are digests, `secrets` digests of private texts in them that are also public,
    `parts` the positions of the parts of a dump by its path.
    """

    name: str
    files: dict[str, Stamp] = field(default_factory=dict)
    answers: list[tuple[AskedQuery, str]] = field(default_factory=list)
    is_verified: bool = False
    evidence: dict[str, Evidence] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    parts: dict[str, list[DumpPlace]] = field(default_factory=dict)

    @cached_property
    def line(self) -> bytes:
        """The serialized trace; most are kept for the next build."""
        return with_digest(TRACE.dump_json(self))


TRACE = TypeAdapter(Trace)
DIGEST_LENGTH = 16  # characters of the digest before each line


def with_digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=DIGEST_LENGTH // 2).hexdigest().encode() + text + b"\n"


class Chunk(NamedTuple):
    """Resources of one kind that are queried together."""

    kind: int
    things: tuple[str, ...]


class BulkStore:
    """A Store for rendering many pages: runs a query once for many resources and gives each page
    its share of the answer.
    """

    def __init__(self, store: Store, things: Iterable[frozenset[str]]) -> None:
        """`things` are the subjects of the pages to render, by kind."""
        self.store = store
        self.chunks = {
            thing: chunk
            for number, kind in enumerate(things)
            for start in range(0, len(kind), CHUNK_SIZE)
            for chunk in [Chunk(number, tuple(sorted(kind)[start : start + CHUNK_SIZE]))]
            for thing in chunk.things
        }
        # The last combined answer to a query, by resource; None if it cannot be divided.
        self.answers: dict[tuple[str, int], tuple[Chunk, Shares | None]] = {}
        self.quads, self.labels, self.documents = store.quads, store.labels, store.documents

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        name, value = next(iter(values.items()), ("", ""))
        things = [value] if isinstance(value, str) else value
        chunks = {self.chunks.get(thing) for thing in things} if len(values) == 1 else set()
        chunk = chunks.pop() if len(chunks) == 1 else None
        shares = self.shares(query, name, chunk) if chunk else None
        if shares is None:
            return self.store.select(query, **values)
        rows = [row for thing in things for row in shares.get(thing, ())]
        return [row for _, row in (sorted(rows, key=itemgetter(0)) if len(things) > 1 else rows)]

    def shares(self, query: str, name: str, chunk: Chunk) -> Shares | None:
        known, found = self.answers.get((query, chunk.kind), (None, None))
        if known is not chunk:
            found = self.find_shares(query, name, chunk) if is_divisible(query, name) else None
            self.answers[query, chunk.kind] = chunk, found
        return found

    def find_shares(self, query: str, name: str, chunk: Chunk) -> Shares | None:
        """The rows about each resource, with their positions in the answer."""
        found: Shares = defaultdict(list)
        for number, row in enumerate(self.store.select(query, **{name: [*chunk.things]})):
            if name not in row:
                return None
            found[row[name].value].append((number, row))
        return found

    def shared(self, name: str, compute: Callable[[], T]) -> T:
        return self.store.shared(name, compute)


@lru_cache(maxsize=256)
def is_divisible(query: str, name: str) -> bool:
    """Whether the answer about several resources is, row by row, the answers about each: the query
    selects and groups by the resource, and counts no rows.
    """
    clauses = [*SELECT.findall(query), *GROUP_BY.findall(query)]
    is_counting = BOUNDED.search(query) or (
        AGGREGATE.search(query) and len(clauses) == len(SELECT.findall(query))
    )
    return not is_counting and all(re.search(rf"\?{name}\b", clause) for clause in clauses)


class TracingStore:
    """A Store in front of another that records queries and digests of their answers."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.answers: dict[AskedQuery, str] = {}
        self.computed: dict[str, tuple[Any, dict[AskedQuery, str]]] = {}

    def take(self) -> dict[AskedQuery, str]:
        """The queries recorded since the last call."""
        answers, self.answers = self.answers, {}
        return answers

    def select(self, query: str, **values: str | list[str]) -> list[Solution]:
        rows = self.store.select(query, **values)
        about = tuple(
            (name, (value,) if isinstance(value, str) else tuple(value))
            for name, value in values.items()
        )
        self.answers[AskedQuery("select", name_of(query), about)] = digest(
            "\t".join(f"{name} {term}" for name, term in row.items()) for row in rows
        )
        return rows

    def quads(self, graph: str) -> list[Quad]:
        quads = self.store.quads(graph)
        self.answers[AskedQuery("quads", "", (("graph", (graph,)),))] = digest(
            sorted(map(str, quads))
        )
        return quads

    def labels(self, things: Iterable[str]) -> Labels:
        about = tuple(things)
        found = self.store.labels(about)
        self.answers[AskedQuery("labels", "", (("things", about),))] = digest(
            f"{thing} {found[thing]}" for thing in about if thing in found
        )
        return found

    def documents(self) -> list[str]:
        found = self.store.documents()
        self.answers[AskedQuery("documents")] = digest(found)
        return found

    def shared(self, name: str, compute: Callable[[], T]) -> T:
        """Records the dependencies of a shared value for every user of it."""
        if name not in self.computed:
            others, self.answers = self.answers, {}
            try:
                self.computed[name] = compute(), self.answers
            finally:
                self.answers = others
        value: T
        value, answers = self.computed[name]
        self.answers.update(answers)
        return value

    def recording(self, ask: Callable[[str], bytes]) -> Callable[[str], bytes]:
        """A wrapper that also records queries about the whole site."""

        def recorded(query: str) -> bytes:
            body = ask(query)
            self.answers[AskedQuery(ANSWER, name_of(query))] = digest([body.decode()])
            return body

        return recorded

    def ask(self, question: AskedQuery, queries: Mapping[str, str]) -> str:
        """The digest of the answer to a recorded query."""
        about = dict(question.about)
        match question.kind:
            case "select":
                values = {name: [*each] for name, each in about.items()}
                self.select(queries[question.query], **values)
            case "quads":
                self.quads(about["graph"][0])
            case "labels":
                self.labels(about["things"])
            case "documents":
                self.documents()
        return self.take().get(question, "")


class TracedGraph(NamedTuple):
    """A graph whose store records its queries."""

    site: Site
    memory: TracingStore
    nquads: bytes
    rest: bytes
    secrets: Secrets
    counts: str


@lru_cache(maxsize=256)
def name_of(query: str) -> str:
    return digest([query])[:12]
