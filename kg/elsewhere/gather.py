"""Triples that were looked up in a server elsewhere, kept here for a while; many at a time, and
never more than it gives at once.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from threading import Lock
from typing import Any

from pyoxigraph import Literal, NamedNode

from kg.elsewhere.paths import Lookup
from kg.elsewhere.server import Server, quad
from kg.errors import KgError
from kg.mapping import iris
from kg.store.memory import Memory
from kg.store.protocol import Solution

MOST_KEPT = 1_000_000  # lookups and rows
MOST_TOGETHER = 400  # lookups in one request
# How lookups of a kind are asked: what is given, in the order of its values.
FORMS = {
    ("s", True): "?s ?p",
    ("s", False): "?s",
    ("o", True): "?p ?o",
    ("o", False): "?o",
    ("p", True): "?p",
    ("g", False): "?g",
}


class Gathered:
    """What is known here of a graph elsewhere. All of it is true there, and all that was looked up
    is here.
    """

    def __init__(self, server: Server, base: str, documents: Container[str]) -> None:
        """`documents` are the graphs that belong to it; the server may hold others."""
        self.server, self.memory, self.documents = server, Memory(base), documents
        self.known: set[Lookup] = set()
        self.taken = 0  # rows
        self.lock = Lock()

    @property
    def is_full(self) -> bool:
        return len(self.known) + self.taken > MOST_KEPT

    def follow(self, steps: Generator[set[Lookup], None, Any]) -> None:
        """Looks up whatever these steps ask for."""
        for wanted in steps:
            self.look(wanted)

    def look(self, wanted: Iterable[Lookup]) -> None:
        new = sorted((each for each in wanted if not self.is_known(each)), key=str)
        size = min(self.server.profile.batch, MOST_TOGETHER)
        for start in range(0, len(new), size):
            for rows in self.ask(new[start : start + size]):
                self.memory.store.extend(
                    quad(row) for row in rows if row["g"].value in self.documents
                )
                self.taken += len(rows)
        with self.lock:
            self.known.update(new)

    def is_known(self, lookup: Lookup) -> bool:
        end, value, predicate = lookup
        known = self.known
        if lookup in known or Lookup(end, value) in known or Lookup("p", None, predicate) in known:
            return True
        return (
            end == "s"
            and isinstance(value, NamedNode)
            and Lookup("g", NamedNode(iris.document_of(value.value))) in known
        )

    def ask(self, lookups: Sequence[Lookup]) -> Iterator[list[Solution]]:
        """Rows of quads. Where there may be more than the server gave, it is asked for less at
        once.
        """
        most = self.server.profile.rows
        rows = self.server.select(f"SELECT ?s ?p ?o ?g WHERE {{ {asked(lookups)} }} LIMIT {most}")
        if len(rows) < most:
            yield rows
        elif len(lookups) > 1:
            middle = len(lookups) // 2
            yield from self.ask(lookups[:middle])
            yield from self.ask(lookups[middle:])
        else:
            yield from self.pages(lookups, most)

    def pages(self, lookups: Sequence[Lookup], most: int) -> Iterator[list[Solution]]:
        """One lookup in portions, by subject: the last of a portion may be cut, and begins the
        next.
        """
        last = ""
        while True:
            text = f"{asked(lookups)} FILTER(STR(?s) >= {Literal(last)})"
            rows = self.server.select(
                f"SELECT ?s ?p ?o ?g WHERE {{ {text} }} ORDER BY STR(?s) LIMIT {most}"
            )
            yield rows
            if len(rows) < most:
                return
            if rows[-1]["s"].value == last:
                raise KgError(
                    f"<{last}> has more than {most} triples, which is all that the server "
                    "gives at once. Raise its row limit."
                )
            last = rows[-1]["s"].value


def asked(lookups: Sequence[Lookup]) -> str:
    """The patterns that find what is looked up."""
    by_form: dict[str, list[str]] = {}
    for end, value, predicate in lookups:
        predicates = [str(NamedNode(predicate))] if predicate else []
        values = {
            "s": [str(value), *predicates],
            "o": [*predicates, str(value)],
            "g": [str(value)],
            "p": predicates,
        }[end]
        by_form.setdefault(FORMS[end, bool(predicate)], []).append(f"({' '.join(values)})")
    parts = [
        f"{{ VALUES ({form}) {{ {' '.join(values)} }} GRAPH ?g {{ ?s ?p ?o }} }}"
        for form, values in sorted(by_form.items())
    ]
    return " UNION ".join(parts)
