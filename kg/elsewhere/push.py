"""Brings a server to the state of a site: one PUT for each document that changed, one DELETE for
each that is gone.

What the server holds is said by its record. Before a portion of documents is put, the record says
of each that nobody knows how it is; after that, how it is now. So a push that is ended in the
middle, by whomever, is finished by the next, from any machine.
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
from kg.publish.export.leaks import search
from kg.publish.queries.examples import own_queries
from kg.publish.site import Documents

PORTION = 50  # documents; what is done again at most after an interruption
MOST_NAMED = 5
UNKNOWN = ""  # the digest of a document that is being put


@dataclass(frozen=True, slots=True)
class Pushed:
    put: int
    deleted: int
    kept: int
    triples: int

    def __str__(self) -> str:
        return f"{self.put} put, {self.deleted} deleted, {self.kept} as they were"


def cut(documents: Documents) -> dict[str, bytes]:
    """All that is published, by document, as N-Triples. Raises ProblemsFound where there is
    anything private in it.
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
    """Raises KgError where the server does not answer, or does not hold in the end what it was
    given.
    """
    server, known = record.server, record.read()
    wanted = {document: entry(lines) for document, lines in documents.items()}
    changed = [document for document, each in wanted.items() if known.get(document) != each]
    removed = sorted(known.keys() - wanted.keys())
    done, total = 0, len(changed) + len(removed)
    for portion in portions(changed):
        record.write({document: Entry(UNKNOWN, wanted[document].triples) for document in portion})
        for document in portion:
            server.put(document, documents[document])
            done += 1
            progress(done, total)
        record.write({document: wanted[document] for document in portion})
    for portion in portions(removed):
        for document in portion:
            server.delete(document)
            done += 1
            progress(done, total)
        record.forget(portion)
    compare(wanted, record)
    record.seal(wanted)
    return Pushed(
        len(changed),
        len(removed),
        len(wanted) - len(changed),
        sum(each.triples for each in wanted.values()),
    )


def compare(wanted: Mapping[str, Entry], record: Record) -> None:
    """Whether the server has of each document as many triples as there are. One that differs is put
    again next time.
    """
    counted = counts(record.server, wanted)
    wrong = [
        document for document, each in wanted.items() if counted.get(document, 0) != each.triples
    ]
    if wrong:
        record.write({document: Entry(UNKNOWN, wanted[document].triples) for document in wrong})
        some = ", ".join(
            f"{document} ({counted.get(document, 0)} of {wanted[document].triples})"
            for document in wrong[:MOST_NAMED]
        )
        raise KgError(
            f"The server does not hold what it was given, of {len(wrong)} documents: {some}. "
            "Run kg push again to put them again."
        )


def counts(server: Server, documents: Iterable[str]) -> dict[str, int]:
    """How many triples a server has of each document."""
    found = {}
    for portion in portions(sorted(documents), min(server.profile.rows, server.profile.batch, 500)):
        values = " ".join(str(NamedNode(document)) for document in portion)
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


def portions(documents: Iterable[str], size: int = PORTION) -> Iterator[list[str]]:
    waiting = iter(documents)
    while some := list(islice(waiting, size)):
        yield some
