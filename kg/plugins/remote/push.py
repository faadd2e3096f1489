"""Updates a server to the state of a site: a PUT for each changed document, a DELETE for each
removed one.

The record of a push is a small graph on the server, with the digest and the number of triples of
each document. Digests are cleared before a batch of documents is uploaded, and written after it. So
the next push, from any machine, completes an interrupted one.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import Literal, NamedNode

from kg.errors import KgError, ProblemsFound, counted
from kg.graph.build import Publishable
from kg.plugins.remote.server import Server
from kg.publish.questions.questions import own_queries
from kg.publish.site import Documents
from kg.publish.verify.private import search
from kg.settings import JOINED_SOURCE
from kg.vocab import dcterms, pages_graph, schema, void

BATCH = 50  # documents; at most so many are uploaded again after an interruption
MAX_NAMED = 5
MAX_STATE = 16 * 1024  # bytes of the answer with the digest of the record
UNKNOWN = ""  # digest of a document that is being uploaded
DIGEST = f"{schema}sha256"  # not in our vocabulary, so no fact uses it


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Identifies the version of a document."""

    digest: str
    triples: int


def fingerprint(lines: bytes) -> Fingerprint:
    """The fingerprint of a document from its sorted N-Triples lines."""
    return Fingerprint(hashlib.sha256(lines).hexdigest(), lines.count(b"\n"))


@dataclass(frozen=True, slots=True)
class Pushed:
    put: int
    deleted: int
    unchanged: int
    triples: int

    def __str__(self) -> str:
        return f"{self.put} uploaded, {self.deleted} deleted, {self.unchanged} unchanged"


class Record:
    """The record of what a server has of the site with this base, by document address."""

    def __init__(self, server: Server, base: str) -> None:
        self.server, self.base, self.graph = server, base, graph_of(base)

    def read(self) -> dict[str, Fingerprint]:
        """The whole record, in as many requests as the server's row limit requires."""
        found: dict[str, Fingerprint] = {}
        last, most = "", self.server.profile.rows
        while True:
            rows = self.server.select(f"""SELECT ?s ?digest ?triples WHERE {{
                GRAPH <{self.graph}> {{ ?s <{DIGEST}> ?digest ; <{void.triples}> ?triples }}
                FILTER(STR(?s) > {Literal(last)})
            }} ORDER BY STR(?s) LIMIT {most}""")
            for row in rows:
                last = row["s"].value
                document = self.base + last.removeprefix(f"{self.graph}#")
                found[document] = Fingerprint(row["digest"].value, int(row["triples"].value))
            if len(rows) < most:
                return found

    def state(self) -> str:
        """The digest of the record after the last complete push."""
        rows = self.server.select(
            f"SELECT ?digest WHERE {{ GRAPH <{self.graph}> {{ <{self.graph}> <{DIGEST}> "
            f"?digest }} }} LIMIT 2",
            MAX_STATE,
        )
        return rows[0]["digest"].value if len(rows) == 1 else ""

    def seal(self, documents: Mapping[str, Fingerprint]) -> None:
        """Marks the push as complete."""
        new = state_of(self.base, documents)
        if self.state() != new:
            subject = f"<{self.graph}> <{DIGEST}>"
            self.server.update(f"DELETE WHERE {{ GRAPH <{self.graph}> {{ {subject} ?digest }} }}")
            self.server.insert(self.graph, [f"{subject} {Literal(new)} .\n"])

    def write(self, documents: Mapping[str, Fingerprint]) -> None:
        """Replaces the entries of these documents."""
        self.forget(documents)
        self.server.insert(self.graph, record_lines(self.base, documents))

    def forget(self, documents: Iterable[str]) -> None:
        for batch in batches(sorted(documents), max(self.server.profile.batch // 4, 1)):
            nodes = " ".join(node(self.base, document) for document in batch)
            self.server.update(
                f"DELETE {{ GRAPH <{self.graph}> {{ ?s ?p ?o }} }} WHERE {{ GRAPH "
                f"<{self.graph}> {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }} }}"
            )


def graph_of(base: str) -> str:
    return f"{base}pushed"


def node(base: str, document: str) -> str:
    """The node of a document in the record: `{base}pushed#people/ada`."""
    return str(NamedNode(f"{graph_of(base)}#{document.removeprefix(base)}"))


def record_lines(base: str, documents: Mapping[str, Fingerprint]) -> Iterator[str]:
    """The entries of documents in the record, as N-Triples."""
    for document, each in sorted(documents.items()):
        yield f"{node(base, document)} <{DIGEST}> {Literal(each.digest)} .\n"
        yield f"{node(base, document)} <{void.triples}> {Literal(each.triples)} .\n"


def state_of(base: str, documents: Mapping[str, Fingerprint]) -> str:
    return hashlib.sha256("".join(record_lines(base, documents)).encode()).hexdigest()


def split_by_document(documents: Documents) -> dict[str, bytes]:
    """The published graph as N-Triples, by document; pages are left out. Documents of a joined site
    are one, so that a change of that site replaces one graph. Raises ProblemsFound if anything
    private is in it.
    """
    graph, site = documents.graph, documents.graph.site
    own = bytes(graph.nquads) + graph.rest + own_queries(site)
    if leaks := search("the graph", own, graph.secrets):
        raise ProblemsFound(leaks, site.folder)
    found, sites = defaultdict[bytes, list[bytes]](list), joined_sites(graph)
    for line in (*graph.nquads.splitlines(), *documents.rest().splitlines()):
        end = line.rindex(b" <")
        document = line[end + 2 : -3]
        found[sites.get(document, document)].append(line[:end] + b" .\n")
    found.pop(pages_graph(site.base).encode(), None)
    return {document.decode(): b"".join(lines) for document, lines in sorted(found.items())}


def joined_sites(graph: Publishable) -> dict[bytes, bytes]:
    """The documents of joined sites, each with the document about its site. If there are several,
    the first that the order of names gives.
    """
    base = re.escape(graph.site.base)
    source = rf"<({base}[^>#]*)#it> <{dcterms.source}> <({base}{JOINED_SOURCE}[^>#]*)#it> "
    found: dict[bytes, bytes] = {}
    for match in re.finditer(source.encode(), graph.rest if graph.site.joined else b""):
        found.setdefault(match[1], match[2])
    return found


def push(
    documents: Mapping[str, bytes],
    record: Record,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Pushed:
    """Raises KgError if the server does not respond, or does not have everything in the end."""
    server, known = record.server, record.read()
    wanted = {document: fingerprint(lines) for document, lines in documents.items()}
    changed = [document for document, each in wanted.items() if known.get(document) != each]
    removed = sorted(known.keys() - wanted.keys())
    done, total = 0, len(changed) + len(removed)
    for batch in batches(changed):
        record.write(cleared(wanted, batch))
        for document in batch:
            server.put(document, documents[document])
            done += 1
            progress(done, total)
        record.write({document: wanted[document] for document in batch})
    for batch in batches(removed):
        for document in batch:
            server.delete(document)
            done += 1
            progress(done, total)
        record.forget(batch)
    compare(wanted, record)
    record.seal(wanted)
    return Pushed(
        len(changed),
        len(removed),
        len(wanted) - len(changed),
        sum(each.triples for each in wanted.values()),
    )


def cleared(wanted: Mapping[str, Fingerprint], batch: Iterable[str]) -> dict[str, Fingerprint]:
    return {document: Fingerprint(UNKNOWN, wanted[document].triples) for document in batch}


def compare(wanted: Mapping[str, Fingerprint], record: Record) -> None:
    """Compares the number of triples of each document with the server's. The next push uploads
    those that differ.
    """
    found = counts(record.server, wanted)
    wrong = [
        document for document, each in wanted.items() if found.get(document, 0) != each.triples
    ]
    if wrong:
        record.write(cleared(wanted, wrong))
        some = ", ".join(
            f"{document} ({found.get(document, 0)} of {wanted[document].triples})"
            for document in wrong[:MAX_NAMED]
        )
        raise KgError(
            "The server has not stored all triples of "
            f"{counted(len(wrong), 'document')}: {some}. Run kg push again."
        )


def counts(server: Server, documents: Iterable[str]) -> dict[str, int]:
    """The number of triples of each document on the server."""
    found = {}
    for batch in batches(sorted(documents), min(server.profile.rows, server.profile.batch, 500)):
        values = " ".join(str(NamedNode(document)) for document in batch)
        rows = server.select(
            f"SELECT ?g (COUNT(*) AS ?triples) WHERE {{ VALUES ?g {{ {values} }} GRAPH ?g {{ ?s "
            f"?p ?o }} }} GROUP BY ?g"
        )
        found.update({row["g"].value: int(row["triples"].value) for row in rows if row["g"]})
    return found


def batches(documents: Iterable[str], size: int = BATCH) -> Iterator[list[str]]:
    waiting = iter(documents)
    while some := list(islice(waiting, size)):
        yield some
