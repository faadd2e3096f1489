"""The record of what was pushed to a server, a small graph there: the digest of each document and
its number of triples.

So any machine can continue what another began. A document is a fragment of the record, by its path:
`{base}pushed#people/ada`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import Literal, NamedNode

from kg.elsewhere.server import Server
from kg.vocab import schema, void, xsd

NAME = "pushed"
DIGEST = f"{schema}sha256"  # not in the profile: no fact has it


@dataclass(frozen=True, slots=True)
class Entry:
    digest: str
    triples: int


def entry(lines: bytes) -> Entry:
    """Of a document, from its sorted lines of N-Triples."""
    return Entry(hashlib.sha256(lines).hexdigest(), lines.count(b"\n"))


@dataclass(frozen=True, slots=True)
class Record:
    """`documents` are addresses: `https://cv.example.org/people/ada`."""

    server: Server
    base: str

    @property
    def graph(self) -> str:
        return graph_of(self.base)

    def read(self) -> dict[str, Entry]:
        """All entries, in as many requests as the server's row limit needs."""
        found: dict[str, Entry] = {}
        last = ""
        while True:
            query = f"""SELECT ?s ?digest ?triples WHERE {{
                GRAPH <{self.graph}> {{ ?s <{DIGEST}> ?digest ; <{void.triples}> ?triples }}
                FILTER(STR(?s) > {Literal(last)})
            }} ORDER BY STR(?s) LIMIT {self.server.profile.rows}"""
            rows = self.server.select(query)
            for row in rows:
                last = row["s"].value
                path = last.removeprefix(f"{self.graph}#")
                found[self.base + path] = Entry(row["digest"].value, int(row["triples"].value))
            if len(rows) < self.server.profile.rows:
                return found

    def state(self) -> str:
        """The digest of the record after the last complete push."""
        rows = self.server.select(
            f"SELECT ?digest WHERE {{ GRAPH <{self.graph}> {{ <{self.graph}> <{DIGEST}> "
            f"?digest }} }}"
        )
        return rows[0]["digest"].value if len(rows) == 1 else ""

    def seal(self, entries: Mapping[str, Entry]) -> None:
        """Writes that the push is complete."""
        new = state_of(self.base, entries)
        if self.state() != new:
            subject = f"<{self.graph}> <{DIGEST}>"
            self.server.update(f"DELETE WHERE {{ GRAPH <{self.graph}> {{ {subject} ?digest }} }}")
            self.server.insert(self.graph, [f"{subject} {Literal(new)} .\n"])

    def write(self, entries: Mapping[str, Entry]) -> None:
        """Replaces the entries of these documents."""
        self.forget(entries)
        self.server.insert(self.graph, lines(self.base, entries))

    def forget(self, documents: Iterable[str]) -> None:
        remaining = iter(sorted(documents))
        while some := list(islice(remaining, max(self.server.profile.batch // 4, 1))):
            nodes = " ".join(node(self.base, document) for document in some)
            self.server.update(
                f"DELETE {{ GRAPH <{self.graph}> {{ ?s ?p ?o }} }} WHERE {{ GRAPH "
                f"<{self.graph}> {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }} }}"
            )


def state_of(base: str, entries: Mapping[str, Entry]) -> str:
    return hashlib.sha256("".join(lines(base, entries)).encode()).hexdigest()


def graph_of(base: str) -> str:
    return f"{base}{NAME}"


def node(base: str, document: str) -> str:
    return str(NamedNode(f"{graph_of(base)}#{document.removeprefix(base)}"))


def lines(base: str, entries: Mapping[str, Entry]) -> Iterator[str]:
    """Entries as N-Triples."""
    for document, each in sorted(entries.items()):
        yield f"{node(base, document)} <{DIGEST}> {Literal(each.digest)} .\n"
        yield (
            f"{node(base, document)} <{void.triples}> "
            f"{Literal(str(each.triples), datatype=NamedNode(xsd.integer))} .\n"
        )
