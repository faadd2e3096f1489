"""Brings a server to the state of a site: one PUT for each document that changed, one DELETE for
each that is gone.

The record (`record.py`) lists what the server holds. Before a batch of documents is put, their
digests in it are cleared; after that, they are written. So a push that was interrupted is finished
by the next, from any machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import NamedNode

from kg.elsewhere.record import Entry, Record, entry
from kg.elsewhere.server import Server
from kg.errors import KgError, ProblemsFound
from kg.publish.proof.private import search
from kg.publish.queries.examples import own_queries
from kg.publish.site import Documents

BATCH = 50  # documents; at most so many are put again after an interruption
MAX_NAMED = 5
UNKNOWN = ""  # the digest of a document that is being put


@dataclass(frozen=True, slots=True)
class Pushed:
    put: int
    deleted: int
    unchanged: int
    triples: int

    def __str__(self) -> str:
        return f"{self.put} put, {self.deleted} deleted, {self.unchanged} as they were"


def split_by_document(documents: Documents) -> dict[str, bytes]:
    """The published graph as N-Triples, by document. Raises ProblemsFound if anything private is in
    it.
    """
    published, site = documents.published(), documents.graph.site
    if leaks := search(
        "the graph", bytes(documents.graph.nquads) + own_queries(site), documents.graph.secrets
    ):
        raise ProblemsFound(leaks, site.folder)
    found: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for line in published.splitlines():
        end = line.rindex(b" <")
        found[line[end + 2 : -3]].append(line[:end] + b" .\n")
    return {document.decode(): b"".join(lines) for document, lines in sorted(found.items())}


def push(
    documents: Mapping[str, bytes],
    record: Record,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Pushed:
    """Raises KgError if the server does not answer, or lacks in the end what it was given."""
    server, known = record.server, record.read()
    wanted = {document: entry(lines) for document, lines in documents.items()}
    changed = [document for document, each in wanted.items() if known.get(document) != each]
    removed = sorted(known.keys() - wanted.keys())
    done, total = 0, len(changed) + len(removed)
    for batch in batches(changed):
        record.write({document: Entry(UNKNOWN, wanted[document].triples) for document in batch})
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


def compare(wanted: Mapping[str, Entry], record: Record) -> None:
    """Compares the number of triples of each document with the server's. What differs is put by the
    next push.
    """
    counted = counts(record.server, wanted)
    wrong = [
        document for document, each in wanted.items() if counted.get(document, 0) != each.triples
    ]
    if wrong:
        record.write({document: Entry(UNKNOWN, wanted[document].triples) for document in wrong})
        some = ", ".join(
            f"{document} ({counted.get(document, 0)} of {wanted[document].triples})"
            for document in wrong[:MAX_NAMED]
        )
        raise KgError(
            f"The server does not hold what it was given, of {len(wrong)} documents: {some}. "
            "Run kg push again to put them again."
        )


def counts(server: Server, documents: Iterable[str]) -> dict[str, int]:
    """How many triples a server has of each document."""
    found = {}
    for batch in batches(sorted(documents), min(server.profile.rows, server.profile.batch, 500)):
        values = " ".join(str(NamedNode(document)) for document in batch)
        query = (
            f"SELECT ?g (COUNT(*) AS ?triples) WHERE {{ VALUES ?g {{ {values} }} GRAPH ?g {{ ?s "
            f"?p ?o }} }} GROUP BY ?g"
        )
        found.update(
            {
                row["g"].value: int(row["triples"].value)
                for row in server.select(query)
                if "g" in row
            }
        )
    return found


def batches(documents: Iterable[str], size: int = BATCH) -> Iterator[list[str]]:
    waiting = iter(documents)
    while some := list(islice(waiting, size)):
        yield some
